"""How things are named."""

import keyword
import re

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
MARKER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+\Z")
MAX_PUBLIC_NAME = 64

YAML_1_1_BOOLEANS = frozenset({"on", "off", "yes", "no", "y", "n"})

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
