"""Names that are taken: by the base classes, or twice within a card (CW306 to CW309, CW313)."""

import re
from collections.abc import Iterable, Iterator, Mapping

from cardwright_generator.spec import naming
from cardwright_generator.spec.checks.names import class_values, named
from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.nodes import Node
from cardwright_generator.spec.refs import parse_ref
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.words import part

_SOURCES = re.compile(r"(?:abc|builtins|cardwright|collections|pydantic|typing|uuid)\b")


@rule("CW306")
def shadowing(subject: Subject) -> Iterator[Finding]:
    """Check that no name hides an attribute of the class that will hold it."""
    for path, taken, holder in _held_names(subject):
        if path[-1] in taken:
            message = f"the name of {part(path)} is taken by {holder}"
            yield Finding(path, message, "choose another name", at="key")


@rule("CW306")
def emitted_names(subject: Subject) -> Iterator[Finding]:
    """Check that no function of a card has a name that the emitted functions use."""
    for key in subject.card.capabilities if subject.card else ():
        if key in naming.EMITTED_NAMES:
            message = f"the name of capability '{key}' is taken by the emitted code"
            yield Finding(("capabilities", key), message, "choose another name", at="key")
    for one in subject.endpoints:
        if one.name in naming.EMITTED_NAMES:
            message = f"the public name '{one.name}' is taken by the emitted code"
            yield named(one, message, "choose another name")


def _held_names(subject: Subject) -> Iterator[tuple[NodePath, frozenset[str], str]]:
    model = naming.MODEL_ATTRIBUTES
    for node in subject.nodes:
        if node.role == "property":
            yield node.path, model | _of_object(subject, node), "the models that hold it"
        elif node.role == "argument":
            yield node.path, model | naming.ARGUMENT_NAMES, "the models that check arguments"
        elif node.role == "field" and node.path[0] == "capabilities":
            yield node.path, model | naming.PARAM_ATTRIBUTES, "BaseToolParam"
    for section in ("fields", "capabilities"):
        names: Iterable[str] = getattr(subject.card, section, ())
        for name in names:
            yield (section, name), model | naming.CARD_ATTRIBUTES, "ToolCard"
    contract = naming.LOGIC_ATTRIBUTES | naming.CARD_METHODS | _of_contract(subject)
    for endpoint in subject.endpoints:
        yield endpoint.path, contract, "the contract or the card"


def _of_object(subject: Subject, node: Node) -> frozenset[str]:
    """Names that a context state needs to render itself."""
    is_context = node.root[0] == "types" and subject.types[str(node.root[1])].base == "context"
    return naming.CONTEXT_ATTRIBUTES if is_context else frozenset()


def _of_contract(subject: Subject) -> frozenset[str]:
    if subject.card is None:
        return frozenset()
    actors = frozenset(f"{key}_actor" for key in subject.card.actors)
    return actors | {"toolset"} if subject.card.toolset else actors


@rule("CW307")
def field_and_capability(subject: Subject) -> Iterator[Finding]:
    """Check that a capability and a field of the card differ in name."""
    for key in subject.card.capabilities if subject.card else ():
        if subject.card and key in subject.card.fields:
            message = f"capability '{key}' has the name of a field of the card"
            yield Finding(("capabilities", key), message, at="key")


@rule("CW308")
def same_method(subject: Subject) -> Iterator[Finding]:
    """Check that each endpoint key, a method of the contract, is used once in a card."""
    seen: dict[str, str] = {}
    for endpoint in subject.endpoints:
        first = seen.setdefault(endpoint.key, endpoint.capability_key)
        if first != endpoint.capability_key:
            message = f"endpoint '{endpoint.key}' is already declared by capability '{first}'"
            hint = "give it a key of its own; `name` sets the public name"
            yield Finding(endpoint.path, message, hint, at="key")


@rule("CW309")
def same_class(subject: Subject) -> Iterator[Finding]:
    """Check that each class name of the emitted package is declared once and free."""
    taken = dict.fromkeys(naming.CLASS_NAMES, "the emitted code")
    for path, name in _class_names(subject):
        if name in taken:
            message = f"the class name '{name}' is already taken by {taken[name]}"
            yield Finding(path, message, at="key" if path[0] == "types" else "value")
        else:
            taken[name] = part(path) if path[0] == "types" else f"'{'.'.join(map(str, path))}'"


def _class_names(subject: Subject) -> Iterator[tuple[NodePath, str]]:
    if subject.card is not None:
        yield ("card",), subject.card.card
        yield ("card",), f"{subject.card.card.removesuffix('Tool')}Contract"
    yield from class_values(subject)
    for name, spec in subject.types.items():
        yield ("types", name), name
        if spec.class_ is not None:
            yield ("types", name), f"{name}Base"
    yield from _shared_names(subject)


def _shared_names(subject: Subject) -> Iterator[tuple[NodePath, str]]:
    """Names that come from elsewhere: types of other files, and Python types, each once."""
    seen: set[str] = set()
    for node in subject.nodes:
        ref = parse_ref(node.schema.ref or "")
        python = naming.OBJECT_PATH.match(node.schema.python or "")
        if ref and ref.file_from(subject.file) != subject.file and node.schema.ref not in seen:
            seen.add(node.schema.ref or "")
            yield (*node.path, "$ref"), ref.name
        elif python and python.string not in seen and not _is_imported_anyway(python):
            seen.add(python.string)
            yield (*node.path, "python"), python["name"]


def _is_imported_anyway(python: re.Match[str]) -> bool:
    """Whether a Python type is the very one whose name emitted code keeps free."""
    return python["name"] in naming.CLASS_NAMES and _SOURCES.match(python["module"]) is not None


@rule("CW313")
def old_names(subject: Subject) -> Iterator[Finding]:
    """Check that an old name is neither in use nor claimed twice."""
    for path, names in _renamed_sections(subject):
        taken = dict.fromkeys(names, "is still in use")
        for name, old in names.items():
            if old is None:
                continue
            if old in taken:
                message = f"the old name '{old}' of {part((*path, name))} {taken[old]}"
                yield Finding((*path, name, "renamed_from"), message)
            taken[old] = "is already an old name of another"


def _renamed_sections(subject: Subject) -> Iterator[tuple[NodePath, Mapping[str, str | None]]]:
    yield ("types",), {name: spec.renamed_from for name, spec in subject.types.items()}
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
        yield ("capabilities", name, "config"), config
