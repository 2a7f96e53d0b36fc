"""Names that are taken: by the base classes, or twice within a card (CW306 to CW309, CW317)."""

import re
from collections.abc import Iterable, Iterator

from cardwright_generator.spec import naming, taken
from cardwright_generator.spec.checks.names import class_values, named
from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.nodes import Node
from cardwright_generator.spec.refs import parse_ref
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.words import part

_SOURCES = re.compile(r"(?:abc|builtins|cardwright|collections|pydantic|typing|uuid)\b")

_ACTOR_KEYS = frozenset(
    name.removesuffix("_actor") for name in taken.LOGIC if name.endswith("_actor")
)


@rule("CW306")
def shadowing(subject: Subject) -> Iterator[Finding]:
    """Check that no name hides an attribute of the class that will hold it."""
    for path, names, holder in _held_names(subject):
        if path[-1] in names:
            message = f"the name of {part(path)} is taken by {holder}"
            yield Finding(path, message, "choose another name", at="key")


@rule("CW306")
def emitted_names(subject: Subject) -> Iterator[Finding]:
    """Check that no function of a card has a name that the emitted functions use."""
    for key in subject.card.capabilities if subject.card else ():
        if key in taken.CARD_FUNCTIONS:
            message = f"the name of capability '{key}' is taken by the emitted code"
            yield Finding(("capabilities", key), message, "choose another name", at="key")
    for one in subject.endpoints:
        hidden = taken.CONTRACT_BODY if one.spec.name is None else frozenset[str]()  # by CW315
        if one.name in taken.DEFINED_FUNCTIONS - hidden:
            message = f"the public name '{one.name}' is taken by the emitted code"
            yield named(one, message, "choose another name")


def _held_names(subject: Subject) -> Iterator[tuple[NodePath, frozenset[str], str]]:
    model = taken.MODEL
    for node in subject.nodes:
        if node.role == "property":
            yield node.path, model | _of_object(subject, node), "the models that hold it"
        elif node.role == "argument":
            yield node.path, model | taken.ARGUMENTS, "the models that check arguments"
        elif node.role == "field" and node.path[0] == "capabilities":
            yield node.path, model | taken.PARAM, "BaseToolParam"
    for section in ("fields", "capabilities"):
        names: Iterable[str] = getattr(subject.card, section, ())
        for name in names:
            yield (section, name), model | taken.CARD, "ToolCard"
    for key in subject.card.actors if subject.card else ():
        yield ("actors", key), _ACTOR_KEYS, "the contract, whose methods end in '_actor'"
    contract = taken.LOGIC | taken.CARD_METHODS | _of_contract(subject)
    yield from _of_observer(subject)
    for endpoint in subject.endpoints:
        yield endpoint.path, contract, "the contract or the card"


def _of_observer(subject: Subject) -> Iterator[tuple[NodePath, frozenset[str], str]]:
    observer = subject.card.observer if subject.card else "none"
    if isinstance(observer, str):
        return
    inherited = taken.ACTOR_OBSERVER if observer.extends == "actor" else taken.TOOL_OBSERVER
    for name, member in observer.members.items():
        path: NodePath = ("observer", "members", name)
        yield path, inherited, f"the observer '{observer.extends}' that it extends"
        for argument in member.arguments:
            yield (*path, "arguments", argument), taken.OBSERVER_ARGUMENTS, "the method itself"


def _of_object(subject: Subject, node: Node) -> frozenset[str]:
    """Names that a context state needs to render itself."""
    is_context = node.root[0] == "types" and subject.types[str(node.root[1])].base == "context"
    return taken.CONTEXT if is_context else frozenset()


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


@rule("CW317")
def derived_methods(subject: Subject) -> Iterator[Finding]:
    """Check that the two functions of a conditional argument differ from those of others."""
    seen: dict[str, str] = {}
    for endpoint in subject.endpoints:
        for name, argument in endpoint.spec.arguments.items():
            if argument.when is None:
                continue
            names = [f"{endpoint.key}_{word}_{name}" for word in ("with", "without")]
            path = (*endpoint.path, "arguments", name)
            if found := next((seen[one] for one in names if one in seen), None):
                message = f"{part(path)} makes functions of the names that {found} makes"
                yield Finding(path, message, "rename the argument or the endpoint", at="key")
            seen |= dict.fromkeys(names, part(path))


@rule("CW309")
def same_class(subject: Subject) -> Iterator[Finding]:
    """Check that each class name of the emitted package is declared once and free."""
    owners = dict.fromkeys((*taken.CLASSES, *taken.IMPORTED), "the emitted code")
    for path, name in _class_names(subject):
        if name in owners:
            message = f"the class name '{name}' is already taken by {owners[name]}"
            yield Finding(path, message, at="key" if path[0] == "types" else "value")
        else:
            owners[name] = part(path) if path[0] == "types" else f"'{'.'.join(map(str, path))}'"


def _class_names(subject: Subject) -> Iterator[tuple[NodePath, str]]:
    if subject.card is not None:
        yield ("card",), subject.card.card
        stem = subject.card.card.removesuffix("Tool")
        yield from ((("card",), f"{stem}{ending}") for ending in ("Contract", "Failure"))
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
    name, module = python["name"], python["module"]
    if name in taken.IMPORTED:
        return module == taken.IMPORTED[name]
    return name in taken.CLASSES and _SOURCES.match(module) is not None
