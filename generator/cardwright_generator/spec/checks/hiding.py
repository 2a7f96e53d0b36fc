"""Names that hide, in the body of an emitted class, what the rest of it uses (CW315)."""

from collections.abc import Iterator

from cardwright_generator.spec import naming, taken
from cardwright_generator.spec.checks.names import named
from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.language import PropertySpec
from cardwright_generator.spec.nodes import Node
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.words import part

_OF_FORMATS = {"date": "date", "time": "time", "date-time": "datetime"}
_OF_AUTO = {"now": "now", "uuid": "uuid4"}
_CARD: NodePath = ("fields",)
_CONTRACT: NodePath = ("endpoints",)
_OBSERVER: NodePath = ("observer", "members")


@rule("CW315")
def hidden_types(subject: Subject) -> Iterator[Finding]:
    """Check that no name of a class body hides what the rest of the body uses."""
    used = _used_types(subject)
    for path, body, always in _names(subject):
        if path[-1] in always | used.get(body, set()):
            message = f"the name of {part(path)} hides Python's '{path[-1]}'"
            yield Finding(path, message, f"for example '{path[-1]}_value'", at="key")


def _names(subject: Subject) -> Iterator[tuple[NodePath, NodePath, frozenset[str]]]:
    """Names of class bodies: where each stands, in which body, and what that body always uses."""
    for node in subject.nodes:
        if node.role == "property":
            yield node.path, _body(node), taken.TYPES
        elif node.role == "field":
            yield node.path, _body(node), taken.CARD_BODY
    for key in subject.card.capabilities if subject.card else ():
        yield ("capabilities", key), _CARD, taken.CARD_BODY
    for one in subject.endpoints:
        yield one.path, _CONTRACT, taken.CONTRACT_BODY
    if subject.card and not isinstance(subject.card.observer, str):
        for name in subject.card.observer.members:
            yield (*_OBSERVER, name), _OBSERVER, taken.OBSERVER_BODY


@rule("CW315")
def hidden_in_functions(subject: Subject) -> Iterator[Finding]:
    """Check that no public name, a function's, hides the types of that function's arguments."""
    used: dict[NodePath, set[str]] = {}
    for node in subject.nodes:
        used.setdefault(node.path[:4], set()).update(_lower_names(node))
    for one in subject.endpoints:
        if one.spec.name is not None and one.name in used.get(one.path, set()):
            message = f"the public name '{one.name}' hides Python's '{one.name}'"
            yield named(one, message, f"for example '{one.name}_value'")


def _used_types(subject: Subject) -> dict[NodePath, set[str]]:
    """The types spelt in lower case that each class body names in its annotations."""
    found: dict[NodePath, set[str]] = {}
    for node in subject.nodes:
        found.setdefault(_body(node), set()).update(_lower_names(node))
    return found


def _lower_names(node: Node) -> Iterator[str]:
    schema = node.schema
    if schema.format in _OF_FORMATS:
        yield _OF_FORMATS[schema.format]
    if path := naming.OBJECT_PATH.match(schema.python or ""):
        yield path["name"]
    if isinstance(schema, PropertySpec) and schema.auto is not None:
        yield _OF_AUTO[schema.auto]


def _body(node: Node) -> NodePath:
    """Return a key of the class whose body holds the annotation of a schema."""
    if node.root_role in {"type", "field"}:
        return node.root[:2] if node.root_role == "type" else node.root[:-1]
    return _OBSERVER if node.root_role == "member" else _CONTRACT
