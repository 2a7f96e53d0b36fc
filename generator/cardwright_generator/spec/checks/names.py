"""Names: how they are spelt (CW301 to CW305, CW310 to CW316)."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from cardwright_generator.spec import naming, taken
from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.nodes import Node
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Endpoint, Subject
from cardwright_generator.spec.words import part

_CARD_NAMES = ("fields", "capabilities", "actors", "failures")


def chosen_keys(subject: Subject) -> Iterator[NodePath]:
    """Paths of all keys that the author of a spec chooses and that become Python names."""
    yield from snake_keys(subject)
    yield from (("types", name) for name in subject.types)
    if subject.card and not isinstance(subject.card.observer, str):
        yield from (("observer", "members", name) for name in subject.card.observer.members)


def snake_keys(subject: Subject) -> Iterator[NodePath]:
    """Paths of the keys that are spelt in snake_case."""
    if subject.card:
        for section in _CARD_NAMES:
            names: Iterable[str] = getattr(subject.card, section)
            yield from ((section, name) for name in names)
    for endpoint in subject.endpoints:
        yield endpoint.path
    yield from (node.path for node in subject.nodes if _is_named(node))


def _is_named(node: Node) -> bool:
    """Whether the last key of a node's path is a name that its author chose."""
    if node.role == "field":
        return node.path[0] == "capabilities"
    return node.role in {"property", "argument"} or (
        node.role == "member" and node.path[-1] != "returns"
    )


def is_card_name(name: str) -> bool:
    """Whether a name is that of a card: `SomethingTool`."""
    return bool(naming.CAMEL.match(name)) and name.endswith("Tool") and name != "Tool"


@rule("CW301")
def card_name(subject: Subject) -> Iterator[Finding]:
    """Check that the card is named `SomethingTool`."""
    name = subject.card.card if subject.card else "SharedTool"
    if not is_card_name(name):
        stem = naming.camel_case(name).removesuffix("Tool") or "Name"
        yield Finding(
            ("card",), f"the card's name '{name}' is not CamelCase ending in 'Tool'",
            f"for example '{stem}Tool'",
        )  # fmt: skip


@rule("CW302")
def file_name(subject: Subject) -> Iterator[Finding]:
    """Check that a file is named after its card, or is a module name for shared types."""
    stem = PurePosixPath(subject.file).stem
    if subject.card is None:
        if not naming.SNAKE.match(stem) or naming.is_keyword(stem):
            yield Finding((), f"the file name '{stem}' is not snake_case")
        return
    expected = naming.module_name(subject.card.card)
    if stem != expected and is_card_name(subject.card.card):
        message = f"the spec of '{subject.card.card}' stands in '{stem}', not in '{expected}'"
        yield Finding(("card",), message, f"rename the file to '{expected}.yaml'")


@rule("CW316")
def same_module(subject: Subject) -> Iterator[Finding]:
    """Check that no two files become one module, nor an old name one of today."""
    for path, module in _claimed_modules(subject):
        if module in taken.MODULES:
            message = f"the module '{module}' is one of the emitted package's own"
            yield Finding(path, message, "choose another name")
        if module in taken.DEVICES:
            message = f"'{module}' is a device on Windows, where no folder can be called so"
            yield Finding(path, message, "choose another name")
        for other in subject.around.modules.get(module, ()):
            # Between cards, known perhaps by their facts alone, cross-checking tells it.
            both_cards = subject.card is not None and other in subject.around.cards
            later = other < subject.file or path == ("renamed_from",)
            if later and not both_cards:
                message = f"'{other}' becomes the same module '{module}'"
                yield Finding(path, message, "rename one of them")


def _claimed_modules(subject: Subject) -> Iterator[tuple[NodePath, str]]:
    """Modules that a file becomes, and that an old name of its card stood for."""
    stem = PurePosixPath(subject.file).stem
    yield ("card",) if subject.card else (), stem
    if subject.card and subject.card.renamed_from is not None:
        old = naming.module_name(subject.card.renamed_from)
        if old != stem:
            yield ("renamed_from",), old


@rule("CW303")
def snake_case(subject: Subject) -> Iterator[Finding]:
    """Check names of fields, capabilities, endpoints, arguments, properties and the like."""
    for path in snake_keys(subject):
        yield from _spelt(path, naming.SNAKE, "snake_case", naming.snake_case(str(path[-1])))
    for endpoint in subject.endpoints:
        if endpoint.spec.name is not None and not naming.PUBLIC.match(endpoint.spec.name):
            message = f"the name '{endpoint.spec.name}' of {part(endpoint.path)} is not snake_case"
            yield Finding((*endpoint.path, "name"), message)
    for name in subject.card.extras if subject.card else ():
        yield from _spelt(("extras", name), naming.EXTRA, "lower case", name.lower())


def _spelt(
    path: NodePath, pattern: re.Pattern[str], style: str, suggestion: str
) -> Iterator[Finding]:
    name = str(path[-1])
    if not pattern.match(name):
        hint = f"for example '{suggestion}'" if pattern.match(suggestion) else None
        yield Finding(path, f"the name of {part(path)} is not {style}", hint, at="key")


@rule("CW304")
def camel_case(subject: Subject) -> Iterator[Finding]:
    """Check names of types, params and observers."""
    for name in subject.types:
        yield from _spelt(("types", name), naming.CAMEL, "CamelCase", naming.camel_case(name))
    for path, name in class_values(subject):
        if not naming.CAMEL.match(name):
            hint = f"for example '{naming.camel_case(name)}'"
            yield Finding(path, f"the class name '{name}' is not CamelCase", hint)


def class_values(subject: Subject) -> Iterator[tuple[NodePath, str]]:
    """Class names that stand as values: params and the observer."""
    if subject.card is None:
        return
    for key, capability in subject.card.capabilities.items():
        yield ("capabilities", key, "param"), capability.param
    if not isinstance(subject.card.observer, str):
        yield ("observer", "name"), subject.card.observer.name


@rule("CW305")
def keywords(subject: Subject) -> Iterator[Finding]:
    """Check that no name is a Python keyword."""
    for path in chosen_keys(subject):
        if naming.is_keyword(str(path[-1])):
            message = f"the name of {part(path)} is a keyword of Python"
            yield Finding(path, message, f"for example '{path[-1]}_'", at="key")
    for endpoint in subject.endpoints:
        if endpoint.spec.name is not None and naming.is_keyword(endpoint.spec.name):
            message = f"the public name '{endpoint.spec.name}' is a keyword of Python"
            yield named(endpoint, message, f"for example '{endpoint.spec.name}_'")


@rule("CW310")
def variables(subject: Subject) -> Iterator[Finding]:
    """Check names of environment variables."""
    for name in subject.card.environment if subject.card else ():
        if not naming.VARIABLE.match(name):
            hint = f"for example '{naming.snake_case(name).upper()}'"
            message = f"the environment variable '{name}' is not UPPER_CASE"
            yield Finding(("environment", name), message, hint, at="key")


@rule("CW311")
def yaml_booleans(subject: Subject) -> Iterator[Finding]:
    """Check that no key is one that other YAML readers take for a boolean."""
    for path in chosen_keys(subject):
        if str(path[-1]).lower() in naming.YAML_1_1_BOOLEANS:
            message = f"the name of {part(path)} is a boolean to many YAML readers"
            yield Finding(path, message, "choose another name", at="key")


@rule("CW312")
def object_paths(subject: Subject) -> Iterator[Finding]:
    """Check that paths of Python objects are written `module:Name`."""
    for path, value in _object_paths(subject):
        if not naming.OBJECT_PATH.match(value):
            message = f"'{value}' does not name a Python object as `module:Name`"
            yield Finding(path, message, _with_colon(value))


def _with_colon(value: str) -> str | None:
    module, _, name = value.rpartition(".")
    dotted = f"{module}:{name}"
    return f"did you mean '{dotted}'?" if naming.OBJECT_PATH.match(dotted) else None


def _object_paths(subject: Subject) -> Iterator[tuple[NodePath, str]]:
    for node in subject.nodes:
        if node.schema.python is not None:
            yield (*node.path, "python"), node.schema.python
    for name, spec in subject.types.items():
        if spec.class_ is not None:
            yield ("types", name, "class"), spec.class_
    if subject.card is None:
        return
    yield ("logic",), subject.card.logic
    for index, entry in enumerate(subject.card.stored_entries):
        if isinstance(entry, str):
            yield ("stored", index), entry
        else:
            yield ("stored", index, "class"), entry.class_
    for key, actor in subject.card.actors.items():
        if actor.class_ is not None:
            yield ("actors", key, "class"), actor.class_


@rule("CW314")
def long_names(subject: Subject) -> Iterator[Finding]:
    """Check that a tool's name is short enough for every provider."""
    for endpoint in subject.endpoints:
        if "tool_call" in endpoint.spec.channels and len(endpoint.name) > naming.MAX_PUBLIC_NAME:
            limit = naming.MAX_PUBLIC_NAME
            message = f"the tool name '{endpoint.name}' is longer than {limit} characters"
            yield named(endpoint, message)


def named(endpoint: Endpoint, message: str, hint: str | None = None) -> Finding:
    """Return a finding about the public name of an endpoint, where it is written."""
    if endpoint.spec.name is None:
        return Finding(endpoint.path, message, hint, at="key")
    return Finding((*endpoint.path, "name"), message, hint)
