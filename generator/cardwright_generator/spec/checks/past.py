"""The past: old names, and rewritings of stored values (CW313, CW318, CW616, CW617, CW625)."""

from collections.abc import Iterator, Mapping

from cardwright_generator.spec import naming, taken
from cardwright_generator.spec.checks.capabilities import capabilities_of, served
from cardwright_generator.spec.checks.names import class_values
from cardwright_generator.spec.diagnostics import NodePath, did_you_mean, listed
from cardwright_generator.spec.language import (
    CapabilitySpec,
    MigrationStep,
    Scalar,
    Schema,
    StoredSpec,
)
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.values import misfit
from cardwright_generator.spec.words import part


@rule("CW313")
def old_names(subject: Subject) -> Iterator[Finding]:
    """Check that an old name is neither in use nor claimed twice."""
    for path, names in _renamed_sections(subject):
        told = dict.fromkeys(names, "is still in use")
        for name, old in names.items():
            if old is None:
                continue
            if old in told:
                message = f"the old name '{old}' of {part((*path, name))} {told[old]}"
                yield Finding((*path, name, "renamed_from"), message)
            told[old] = "is already an old name of another"


def _renamed_sections(subject: Subject) -> Iterator[tuple[NodePath, Mapping[str, str | None]]]:
    living = dict.fromkeys(name for _, name in class_values(subject))
    yield ("types",), living | {name: spec.renamed_from for name, spec in subject.types.items()}
    for node in subject.nodes:
        if node.schema.properties:
            properties = node.schema.properties.items()
            path: NodePath = (*node.path, "properties")
            yield path, {name: spec.renamed_from for name, spec in properties}
    card = subject.card
    if card is None:
        return
    fields: dict[str, str | None] = {name: spec.renamed_from for name, spec in card.fields.items()}
    capabilities = {name: spec.renamed_from for name, spec in card.capabilities.items()}
    yield ("fields",), fields | dict.fromkeys(capabilities)
    yield ("capabilities",), dict.fromkeys([*fields, *filter(None, fields.values())]) | capabilities
    for name, spec in card.capabilities.items():
        config = {key: field.renamed_from for key, field in spec.config.items()}
        yield ("capabilities", name, "config"), dict.fromkeys(taken.PARAM_KEYS) | config


@rule("CW318")
def spelt_old_names(subject: Subject) -> Iterator[Finding]:
    """Check that an old name could have been one."""
    for path, old in _old_names(subject):
        if not naming.IDENTIFIER.match(old) or naming.is_keyword(old):
            yield Finding(path, f"the old name '{old}' is no name in Python")
    for path, entry in _stored(subject):
        if not naming.MARKER.match(entry.renamed_from):
            message = f"the old name '{entry.renamed_from}' is no `module.Class`"
            yield Finding((*path, "renamed_from"), message)


@rule("CW313")
def old_markers(subject: Subject) -> Iterator[Finding]:
    """Check that an old name of a stored class stands for one class, and for none of today."""
    stored = subject.card.stored if subject.card else []
    told = {path.replace(":", "."): "is still in use" for path in stored}
    for path, entry in _stored(subject):
        old = entry.renamed_from
        if old in told:
            message = f"the old name '{old}' of '{entry.class_}' {told[old]}"
            yield Finding((*path, "renamed_from"), message)
        told[old] = "is already an old name of another"


def _stored(subject: Subject) -> Iterator[tuple[NodePath, StoredSpec]]:
    for index, entry in enumerate(subject.card.stored_entries if subject.card else ()):
        if isinstance(entry, StoredSpec):
            yield ("stored", index), entry


def _old_names(subject: Subject) -> Iterator[tuple[NodePath, str]]:
    if subject.card and subject.card.renamed_from is not None:
        yield ("renamed_from",), subject.card.renamed_from
    for path, names in _renamed_sections(subject):
        for name, old in names.items():
            if old is not None:
                yield (*path, name, "renamed_from"), old


@rule("CW616")
def migrated_fields(subject: Subject) -> Iterator[Finding]:
    """Check that migrations name fields of the capability."""
    for path, capability in capabilities_of(subject):
        known = ["expose", *capability.config]
        for name in capability.migrate:
            if name not in known:
                message = f"'migrate' of {part(path)} names no field: '{name}'"
                hint = did_you_mean(name, known) or f"known: {listed(known)}"
                yield Finding((*path, "migrate", name), message, hint, at="key")


@rule("CW617")
def migrated_values(subject: Subject) -> Iterator[Finding]:
    """Check that migrations lead from values that are gone to values that are allowed."""
    for path, capability in capabilities_of(subject):
        for name, steps in capability.migrate.items():
            for index, step in enumerate(steps):
                where: NodePath = (*path, "migrate", name, index)
                yield from _bad_step(where, name, step, capability, subject)


def _bad_step(
    path: NodePath, name: str, step: MigrationStep, capability: CapabilitySpec, subject: Subject
) -> Iterator[Finding]:
    if name == "expose":
        channels: list[str] = served(capability)
        fits_from, fits_to = step.from_ in channels, step.to in channels
        reason = f"'{step.to}' is not served"
    elif name in capability.config:
        schemas = _rewritten(capability.config[name], subject)
        problems = [misfit(step.to, one, subject) for one in schemas]
        fits_to, fits_from = None in problems, _is_allowed(step.from_, schemas, subject)
        reason = f"'{step.to}' does not fit '{name}': {problems[0]}"
    else:
        return
    if not fits_to:
        yield Finding((*path, "to"), f"a migration leads to a value that is not allowed: {reason}")
    if fits_from:
        message = f"a migration rewrites '{step.from_}', which is still allowed"
        yield Finding((*path, "from"), message)


def _rewritten(schema: Schema, subject: Subject) -> list[Schema]:
    """What a migration may rewrite: the value of a field, and each item of a list."""
    target = subject.target(schema)
    inner = [one.items for one in (target, *(target.any_of or ())) if one.items is not None]
    return [schema, *inner]


def _is_allowed(value: Scalar, schemas: list[Schema], subject: Subject) -> bool:
    """Whether a value, or one that Python takes for the same (1 and true), is allowed."""
    return any(
        misfit(one, schema, subject) is None for one in _equal_to(value) for schema in schemas
    )


def _equal_to(value: Scalar) -> list[Scalar]:
    if isinstance(value, str) or value is None:
        return [value]
    whole = [int(value)] if value == int(value) else []
    return [value, *whole, *([bool(value)] if value in (0, 1) else [])]


@rule("CW625")
def repeated_steps(subject: Subject) -> Iterator[Finding]:
    """Check that no two steps rewrite one value; 1, 1.0 and true are one to Python."""
    for path, capability in capabilities_of(subject):
        for name, steps in capability.migrate.items():
            seen: dict[Scalar, Scalar] = {}
            for index, step in enumerate(steps):
                if step.from_ in seen:
                    message = f"a migration of '{name}' already rewrites '{seen[step.from_]}'"
                    where: NodePath = (*path, "migrate", name, index, "from")
                    yield Finding(where, message, "leave one step for each stored value")
                seen.setdefault(step.from_, step.from_)
