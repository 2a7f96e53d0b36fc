"""The names that are taken, one table per scope of the emitted code.

A test holds the tables against the classes of the core and against what emitted modules contain.
"""

import builtins
import re

from pydantic import BaseModel

_CLASS = re.compile(r"[A-Z][A-Za-z0-9]*\Z")
_BUILTIN = frozenset(dir(builtins))


def _public(owner: type) -> frozenset[str]:
    """Attributes of a class, those of its metaclass included: pydantic takes them for defaults."""
    return frozenset(name for name in (*dir(owner), *dir(type(owner))) if not name.startswith("_"))


# Attributes of the classes that hold what a spec declares.
MODEL = _public(BaseModel) | {"migrations", "renamed_fields", "upgrade_stored"}
CONTEXT = frozenset({"render_delta", "render_full"})
PARAM = frozenset({"describe", "expose", "format_docstring", "instructions", "serves"})
PARAM_KEYS = frozenset({"expose", "instructions"})
"""What stored params hold beside the fields of their spec."""
CARD = frozenset(
    {
        "adopt",
        "bound_logic",
        "depends_on",
        "deprecated_use",
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
CARD_METHODS = frozenset(
    name.removeprefix("_")
    for name in dir(BaseModel)
    if name.startswith("_") and not name.startswith("__")
) | {
    "check",
    "logic",
    "made_logic",
    "observer",
    "observer_or_none",
    "one_message",
    "restore",
    "told_unknown_fields",
}
"""Private methods of a card without their `_`: the card adds one per endpoint, `_<key>`."""
LOGIC = frozenset({"bind", "call", "card", "observer", "observer_or_none", "retry", "tool_actor"})
TOOL_OBSERVER = frozenset({"notify_event"})
ACTOR_OBSERVER = TOOL_OBSERVER | {
    "myAddress",
    "orchestrator",
    "proxy_ask",
    "proxy_tell",
    "state",
    "team_id",
}

# Names that bodies of classes use: a name bound there hides them from what follows.
TYPES = frozenset(
    {"bool", "bytes", "dict", "float", "int", "list", "object", "set", "str", "tuple"}
)
CARD_BODY = TYPES | {"cast", "frozenset", "override", "property", "type"}
CONTRACT_BODY = TYPES | {"abstractmethod", "override", "type"}
OBSERVER_BODY = TYPES | {"type"}

# Names that functions of emitted cards use: neither they nor what they define may bear one.
CARD_FUNCTIONS = frozenset(
    {"cast", "config", "found", "internal", "policy", "provider", "rendered", "self", "served"}
)
DEFINED_FUNCTIONS = CARD_FUNCTIONS | TYPES | {"frozenset", "isinstance"}
"""Public names of endpoints are those of functions, defined where their annotations are read."""
ARGUMENTS = frozenset({"config", "list", "self"})
"""`list` copies a default list."""
OBSERVER_ARGUMENTS = frozenset({"self"})

MODULES = frozenset({"catalogue"})
"""Modules of the emitted package itself."""
DEVICES = frozenset({"aux", "con", "nul", "prn"}) | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)
}
"""What no file or folder may be called on Windows."""

# fmt: off
_OF_CORE = {
    "ActorAddress", "ActorToolObserver", "Akgent", "AnyContextState", "BaseConfig", "BaseToolParam",
    "CallContext", "CardDefinitionError", "CardLogic", "Channels", "ContextState", "Data",
    "JsonObject", "MediaContent", "PlainData", "RestOfLine", "RetriableError", "Secret", "ToolCard",
    "ToolObserver", "ToolObserverGone", "ToolPolicy", "Toolset", "Truncate", "UniqueBy",
}
_OF_LIBRARIES = {
    "ABC", "Annotated", "Any", "Awaitable", "AwareDatetime", "BaseModel", "Callable", "ClassVar",
    "ConfigDict", "Discriminator", "Field", "Final", "Iterator", "Literal", "Mapping", "Never",
    "Protocol", "Self", "Sequence", "StrictBool", "UTC", "UUID", "ValidationError",
}
_OF_TESTS = {"CARDS", "CASES", "Nobody", "Stub", "TYPES"}
# fmt: on
CLASSES = _OF_CORE | _OF_LIBRARIES | _OF_TESTS | {one for one in _BUILTIN if _CLASS.match(one)}
"""Classes that emitted modules import or define: a class of a card may not bear such a name."""

IMPORTED = {
    "abstractmethod": "abc",
    "cast": "typing",
    "date": "datetime",
    "datetime": "datetime",
    "internal": "cardwright.core",
    "now": "cardwright.core",
    "override": "typing",
    "policy": "cardwright.core",
    "provider": "cardwright.core",
    "rendered": "cardwright.core",
    "runtime_checkable": "typing",
    "served": "cardwright.core",
    "time": "datetime",
    "uuid4": "uuid",
} | dict.fromkeys((one for one in _BUILTIN if one.islower()), "builtins")
"""Names in lower case at the top of emitted modules, each with where it is from."""
