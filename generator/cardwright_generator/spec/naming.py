"""How things are named, and the names that are taken."""

import builtins
import keyword
import re

from pydantic import BaseModel

SNAKE = re.compile(r"[a-z][a-z0-9_]*\Z")
PUBLIC = re.compile(r"_?[a-z][a-z0-9_]*\Z")
IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
CAMEL = re.compile(r"[A-Z][A-Za-z0-9]*\Z")
EXTRA = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*\Z")
VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*\Z")
OBJECT_PATH = re.compile(
    r"(?P<module>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)"
    r":(?P<name>[A-Za-z_][A-Za-z0-9_]*)\Z"
)
MAX_PUBLIC_NAME = 64

YAML_1_1_BOOLEANS = frozenset({"on", "off", "yes", "no", "y", "n"})

MODEL_ATTRIBUTES = frozenset(name for name in dir(BaseModel) if not name.startswith("__")) | {
    "upgrade_stored",
    "renamed_fields",
    "migrations",
}
PARAM_ATTRIBUTES = frozenset({"describe", "expose", "format_docstring", "instructions", "serves"})
CARD_ATTRIBUTES = frozenset(
    {
        "adopt",
        "deprecated_use",
        "bound_logic",
        "depends_on",
        "get_commands",
        "get_context_states",
        "get_system_prompts",
        "get_tools",
        "get_toolsets",
        "logic",
        "logic_path",
        "observer",
        "observer_type",
        "optional_dependencies",
    }
)
# A name of a class body hides the type of that name from the annotations below it.
TYPE_NAMES = frozenset(
    {"bool", "bytes", "dict", "float", "int", "list", "object", "set", "str", "tuple"}
)
# What the bodies of emitted cards, params and contracts use beside.
CARD_BODY = TYPE_NAMES | {"cast", "frozenset", "override", "property", "type"}
CONTRACT_BODY = TYPE_NAMES | {"abstractmethod", "override", "type"}
# The card keeps one method per endpoint, named `_<key>`.
CARD_METHODS = frozenset(
    name.removeprefix("_")
    for name in dir(BaseModel)
    if name.startswith("_") and not name.startswith("__")
) | {"check", "logic", "made_logic", "observer", "observer_or_none", "one_message", "restore"}
# Names that the emitted functions themselves use.
EMITTED_NAMES = frozenset({"config", "found", "internal", "policy", "provider", "self", "served"})
LOGIC_ATTRIBUTES = frozenset(
    {"bind", "call", "card", "observer", "observer_or_none", "retry", "tool_actor"}
)
CONTEXT_ATTRIBUTES = frozenset({"render_delta", "render_full"})
ARGUMENT_NAMES = frozenset({"config", "self"})

# Modules of the emitted package itself.
MODULES = frozenset({"catalogue"})
# What emitted modules import: a class of a card may not take such a name.
# fmt: off
_OF_CORE = {
    "ActorAddress", "ActorToolObserver", "Akgent", "AnyContextState", "BaseConfig", "BaseToolParam",
    "CallContext", "CardLogic", "Channels", "ContextState", "Data", "JsonObject", "MediaContent",
    "PlainData", "RestOfLine", "RetriableError", "Secret", "ToolCard", "ToolObserver", "ToolPolicy",
    "Toolset", "Truncate", "UniqueBy",
}
_OF_LIBRARIES = {
    "ABC", "Annotated", "Any", "Awaitable", "AwareDatetime", "BaseModel", "Callable", "ClassVar",
    "ConfigDict", "Discriminator", "Field", "Final", "Iterator", "Literal", "Mapping", "Never",
    "Protocol", "Self", "Sequence", "UUID",
}
# fmt: on
CLASS_NAMES = _OF_CORE | _OF_LIBRARIES | {name for name in dir(builtins) if CAMEL.match(name)}

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def module_name(card: str) -> str:
    """Return the module and file name of a card: `KnowledgeGraphTool` is `knowledge_graph`."""
    return _WORD_START.sub("_", card.removesuffix("Tool") or card).lower()


def snake_case(name: str) -> str:
    """Return the nearest snake_case spelling of a name, for hints."""
    spaced = re.sub(r"[^A-Za-z0-9]+", "_", _WORD_START.sub("_", name))
    return spaced.strip("_").lower()


def camel_case(name: str) -> str:
    """Return the nearest CamelCase spelling of a name, for hints."""
    words = re.split(r"[^A-Za-z0-9]+", name)
    return "".join(word[:1].upper() + word[1:] for word in words)


def is_keyword(name: str) -> bool:
    """Whether Python reserves the name."""
    return keyword.iskeyword(name)
