"""What a mutant of a spec is, and where its operators find something to change."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, cast

type Json = dict[str, Any]
type Path = tuple[str | int, ...]

CATEGORY = {
    "argument": "LLM",
    "command": "SOURCE",
    "result": "LLM",
    "state": "WIRE",
    "field": "WIRE",
    "stored": "WIRE",
}
"""Whom changes of a schema concern, by its use."""


type Change = Callable[[Json], None]


@dataclass(frozen=True)
class Guard:
    """What must catch a mutant: a rule of `breaking` with category and level, or a code."""

    name: str
    category: str = ""
    level: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.name, self.category, self.level)))


@dataclass(frozen=True)
class Mutant:
    """A spec with one change, and the guards of which all must notice it."""

    operator: str
    file: str
    where: str
    spec: Json
    change: Change
    guards: tuple[Guard, ...]

    @property
    def data(self) -> Json:
        """The changed copy, made when it is asked for: most mutants of a sample are not."""
        data = deepcopy(self.spec)
        self.change(data)
        return data

    def guarded_by(self, other: "Mutant") -> "Mutant":
        """The same mutant, held against the guards of another."""
        return replace(self, guards=other.guards)


@dataclass(frozen=True)
class Site:
    """A place in a spec that an operator changes, in a copy of the whole."""

    path: Path
    change: Change
    guards: tuple[Guard, ...]


type Sites = Iterator[Site]
type Operator = Callable[[Json], Sites]

OPERATORS: dict[str, Operator] = {}


def operator(found: Operator) -> Operator:
    """Register an operator under the name of its function."""
    OPERATORS[found.__name__] = found
    return found


def mutants(file: str, spec: Json, name: str) -> Iterator[Mutant]:
    """Every mutant that one operator makes of a spec."""
    for site in OPERATORS[name](spec):
        yield Mutant(name, file, ".".join(map(str, site.path)), spec, site.change, site.guards)


def at(data: Any, path: Path) -> Any:  # noqa: ANN401 - plain YAML data of any shape
    for step in path:
        data = data[step]
    return data


def put(path: Path, value: object) -> Change:
    """A change that sets a value."""

    def change(data: Json) -> None:
        at(data, path[:-1])[path[-1]] = deepcopy(value)

    return change


def drop(path: Path) -> Change:
    """A change that takes a value out, and a mapping that is empty then."""

    def change(data: Json) -> None:
        del at(data, path[:-1])[path[-1]]
        if len(path) > 1 and not at(data, path[:-1]):
            del at(data, path[:-2])[path[-2]]

    return change


def rename(path: Path, new: str, **extra: object) -> Change:
    """A change that gives a key another name in its place."""

    def change(data: Json) -> None:
        owner = at(data, path[:-1])
        items = list(owner.items())
        owner.clear()
        for key, value in items:
            if key == path[-1]:
                owner[new] = {**value, **extra}
            else:
                owner[key] = value

    return change


def reverse(path: Path) -> Change:
    """A change that turns the order round."""

    def change(data: Json) -> None:
        found, owner = at(data, path), at(data, path[:-1])
        if isinstance(found, dict):
            owner[path[-1]] = dict(reversed(cast("Json", found).items()))
        else:
            owner[path[-1]] = list(reversed(cast("list[object]", found)))

    return change


def capabilities(spec: Json) -> Iterator[tuple[Path, Json]]:
    for key, value in spec.get("capabilities", {}).items():
        yield ("capabilities", key), value


def channels(capability: Json) -> list[str]:
    """The channels of a capability, each once."""
    every = (one for e in capability["endpoints"].values() for one in e["channels"])
    return list(dict.fromkeys(every))


def endpoints(spec: Json) -> Iterator[tuple[Path, Json]]:
    for path, capability in capabilities(spec):
        for key, value in capability["endpoints"].items():
            yield (*path, "endpoints", key), value


def arguments(spec: Json) -> Iterator[tuple[Path, Json, str]]:
    """Path, schema and use of every argument."""
    for path, endpoint in endpoints(spec):
        use = "argument" if "tool_call" in endpoint["channels"] else "command"
        for name, value in endpoint.get("arguments", {}).items():
            yield (*path, "arguments", name), value, use


def fields(spec: Json) -> Iterator[tuple[Path, Json, str]]:
    """Path, schema and use of every field of configuration."""
    for name, value in spec.get("fields", {}).items():
        yield ("fields", name), value, "field"
    for path, capability in capabilities(spec):
        for name, value in capability.get("config", {}).items():
            yield (*path, "config", name), value, "field"


def types(spec: Json) -> Iterator[tuple[Path, Json, str]]:
    """Path, schema and use of every named type that is an object."""
    for name, value in spec.get("types", {}).items():
        if "properties" in value:
            yield ("types", name), value, type_use(spec, value)


def type_use(spec: Json, value: Json) -> str:
    """The use in which a type is compared by itself: that of storage, or where it is reached."""
    base = value.get("base", "data")
    return {"data": "stored", "context": "state"}.get(base, plain_use(spec))


def plain_use(spec: Json) -> str:
    """Where plain types of a spec are met: in arguments, answers, or configuration."""
    return "field" if spec.get("fields") or not spec.get("capabilities") else "*"


def properties(spec: Json) -> Iterator[tuple[Path, Json, str]]:
    """Path, schema and use of every property of a named type."""
    for path, value, use in types(spec):
        for name, schema in value["properties"].items():
            yield (*path, "properties", name), schema, use


def values(spec: Json) -> Iterator[tuple[Path, Json, str]]:
    """Everything that has a schema of its own."""
    yield from arguments(spec)
    yield from fields(spec)
    yield from properties(spec)


def schema_guard(use: str, kind: str, level: str, category: str | None = None) -> Guard:
    """The rule of a kind of change in a use."""
    return Guard(f"{use}-{kind}", category or CATEGORY.get(use, "*"), level)
