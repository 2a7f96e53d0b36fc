"""How a schema, or a mapping of members, can change: one entry per kind, for every use alike."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from .rule import Level, Step

type Member = Mapping[str, object]


class Effect(StrEnum):
    """What a change does to the set of values that are allowed."""

    NARROWS = "narrows"
    WIDENS = "widens"
    REPLACES = "replaces"
    """Neither set holds the other, or meaning changed."""
    TELLS = "tells"
    """Only what people and models read changes."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to change, in words that fit every place of a schema."""

    name: str
    effect: Effect
    purpose: str
    """Sentence in which `{part}` is the place."""
    before: Member
    """Members of the example before the change."""
    after: Member
    mirrors: tuple[str, ...] = ()
    levels: Mapping[str, tuple[Level, Step]] = field(default_factory=dict[str, tuple[Level, Step]])
    """Use -> level and step, where they are not what effect and flow say."""
    absent: frozenset[str] = frozenset()
    """Uses in which it cannot be met."""


_D = {"description": "The value."}
_TEXT: dict[str, object] = {"type": "string", **_D}
_OPTIONAL: dict[str, object] = {"type": "string", "default": "", **_D}
_ERR = (Level.ERR, Step.MAJOR)
_WARN = (Level.WARN, Step.MINOR)
_INFO = (Level.INFO, Step.MINOR)
_NEWS = (Level.INFO, Step.PATCH)
_CALLED = frozenset({"argument", "command"})
"""Uses whose members have no past: they are not stored."""


def _one(before: Member, after: Member) -> tuple[Member, Member]:
    """The same member before and after, as `value`."""
    return {"value": {**before, **_D}}, {"value": {**after, **_D}}


def _pair(
    names: tuple[str, str],
    purposes: tuple[str, str],
    wide: Member,
    narrow: Member,
    uses: frozenset[str],
) -> tuple[Kind, Kind]:
    """A kind that narrows, and its mirror."""
    before, after = _one(wide, narrow)
    return (
        Kind(names[0], Effect.NARROWS, purposes[0], before, after, (names[1],), absent=uses),
        Kind(names[1], Effect.WIDENS, purposes[1], after, before, (names[0],), absent=uses),
    )


_MEMBERS = (
    Kind(
        "added-required",
        Effect.NARROWS,
        "{Part} is new and must be given.",
        {},
        {"value": _TEXT},
        ("removed",),
        {"result": _INFO},
    ),
    Kind(
        "added",
        Effect.WIDENS,
        "{Part} is new and may be left out.",
        {},
        {"value": _OPTIONAL},
        ("removed",),
        {"result": _INFO},
    ),
    Kind(
        "removed",
        Effect.NARROWS,
        "{Part} is gone.",
        {"value": _OPTIONAL},
        {},
        ("added", "added-required"),
        {"result": _WARN},
    ),
    Kind(
        "renamed",
        Effect.TELLS,
        "{Part} has another name, declared with `renamed_from`.",
        {"value": _OPTIONAL},
        {"content": {**_OPTIONAL, "renamed_from": "value"}},
        ("old-name-dropped", "removed"),
        {"result": _WARN, "argument": _WARN, "field": _INFO, "stored": _INFO, "state": _INFO},
        _CALLED,
    ),
    Kind(
        "old-name-dropped",
        Effect.NARROWS,
        "{Part} no longer declares its old name, so data under it does not load.",
        {"value": {**_OPTIONAL, "renamed_from": "content"}},
        {"value": _OPTIONAL},
        ("old-name-declared",),
        {},
        _CALLED | {"result"},
    ),
    Kind(
        "old-name-declared",
        Effect.WIDENS,
        "{Part} takes data under one more name.",
        {"value": _OPTIONAL},
        {"value": {**_OPTIONAL, "renamed_from": "content"}},
        ("old-name-dropped",),
        {},
        _CALLED | {"result"},
    ),
    Kind(
        "became-required",
        Effect.NARROWS,
        "{Part} must be given and could be left out before.",
        {"value": _OPTIONAL},
        {"value": _TEXT},
        ("became-optional",),
    ),
    Kind(
        "became-optional",
        Effect.WIDENS,
        "{Part} may be left out and had to be given before.",
        {"value": _TEXT},
        {"value": _OPTIONAL},
        ("became-required",),
    ),
    Kind(
        "default-changed",
        Effect.REPLACES,
        "{Part} has another value when it is left out.",
        {"value": _OPTIONAL},
        {"value": {**_OPTIONAL, "default": "none"}},
        ("default-changed",),
        {"argument": _WARN, "command": _WARN, "result": _WARN, "stored": _WARN, "state": _WARN},
    ),
    Kind(
        "filling-changed",
        Effect.REPLACES,
        "{Part} is filled in another way on creation (`auto`).",
        {"value": {"type": "string", "format": "uuid", "auto": "uuid", **_D}},
        {"value": {"type": "string", "format": "uuid", **_D}},
        ("filling-changed",),
        dict.fromkeys(("result", "state", "stored"), _WARN),
        _CALLED | {"field"},
    ),
    Kind(
        "reordered",
        Effect.TELLS,
        "Members or choices stand in another order than before, at {part}.",
        {"value": _OPTIONAL, "other": _OPTIONAL},
        {"other": _OPTIONAL, "value": _OPTIONAL},
        ("reordered",),
        {"command": _ERR},
        frozenset({"field", "stored"}),
    ),
)

_NONE = frozenset[str]()
_UNSENT = frozenset({"argument", "command", "result", "state"})
_VALUES = (
    *_pair(
        ("type-narrowed", "type-widened"),
        ("{Part} no longer allows a type.", "{Part} allows one more type."),
        {"type": "number"},
        {"type": "integer"},
        _NONE,
    ),
    *_pair(
        ("null-refused", "null-allowed"),
        ("{Part} may no longer be null.", "{Part} may be null."),
        {"type": ["string", "null"]},
        {"type": "string"},
        _NONE,
    ),
    *_pair(
        ("choice-removed", "choice-added"),
        ("{Part} has a choice less.", "{Part} has a choice more."),
        {"enum": ["warm", "cool"]},
        {"enum": ["warm"]},
        _NONE,
    ),
    *_pair(
        ("became-choice", "choice-lifted"),
        ("{Part} was free and is a choice now.", "{Part} was a choice and is free now."),
        {"type": "string"},
        {"enum": ["warm", "cool"]},
        _NONE,
    ),
    *_pair(
        ("bound-tightened", "bound-loosened"),
        ("{Part} has a tighter bound.", "{Part} has a looser bound."),
        {"type": "integer", "minimum": 1},
        {"type": "integer", "minimum": 2},
        _NONE,
    ),
    *_pair(
        ("pattern-added", "pattern-removed"),
        ("{Part} must match a pattern.", "{Part} need not match a pattern any more."),
        {"type": "string"},
        {"type": "string", "pattern": "^[a-z]+$"},
        _NONE,
    ),
    *_pair(
        ("uniqueness-added", "uniqueness-dropped"),
        (
            "Items of {part} must not share a property.",
            "Items of {part} may share a property again.",
        ),
        {"type": "array", "items": {"$ref": "#/types/Visit"}},
        {"type": "array", "items": {"$ref": "#/types/Visit"}, "unique_by": "day"},
        frozenset({"command"}),
    ),
)


def _other(
    name: str, purpose: str, before: Member, after: Member, absent: frozenset[str] = _NONE
) -> Kind:
    """A kind that is its own mirror."""
    old, new = _one(before, after)
    return Kind(name, Effect.REPLACES, purpose, old, new, (name,), absent=absent)


_REPLACED = (
    _other("type-changed", "{Part} has another type.", {"type": "string"}, {"type": "integer"}),
    _other(
        "pattern-changed",
        "{Part} must match another pattern.",
        {"type": "string", "pattern": "^[a-z]+$"},
        {"type": "string", "pattern": "^[a-f]+$"},
    ),
    _other(
        "format-changed",
        "{Part} has another format.",
        {"type": "string"},
        {"type": "string", "format": "date"},
    ),
    _other(
        "cut-changed",
        "Texts of {part} are cut at another length.",
        {"type": "string", "truncate": 20},
        {"type": "string", "truncate": 10},
    ),
    _other(
        "secrecy-changed",
        "{Part} is kept as a secret, or no longer is.",
        {"type": "string"},
        {"type": "string", "secret": True},
        _UNSENT,
    ),
    Kind(
        "description-changed",
        Effect.TELLS,
        "{Part} is described in other words.",
        {"value": _TEXT},
        {"value": {"type": "string", "description": "What it is."}},
        ("description-changed",),
    ),
)

KINDS = (*_MEMBERS, *_VALUES, *_REPLACED)


def weight(kind: Kind, use: str, flow: str) -> tuple[Level, Step]:
    """Level and step of a kind in a use."""
    if use in kind.levels:
        return kind.levels[use]
    if kind.effect is Effect.TELLS:
        return _NEWS
    if flow == "out":
        return _INFO if kind.effect is Effect.NARROWS else _WARN
    return _INFO if kind.effect is Effect.WIDENS else _ERR
