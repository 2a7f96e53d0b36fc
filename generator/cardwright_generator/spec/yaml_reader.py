"""YAML to plain data with positions: one walk over the nodes, all faults at once.

The language is YAML 1.2's core without its surprises: `yes`, `on`, `2024-01-01`, `017` and `1_000`
are text, a key is given once and is text, and there are no merge keys, tags or cyclic aliases.
"""

import re
from dataclasses import dataclass, field
from typing import cast

import yaml
from yaml.error import YAMLError

from cardwright_generator.spec.diagnostics import Diagnostic, NodePath, dotted
from cardwright_generator.spec.positions import Place, Positions
from cardwright_generator.spec.syntax import syntax_fault

_TAG = "tag:yaml.org,2002:"
_NULL = re.compile(r"(?:~|null|)\Z")
_BOOL = re.compile(r"(?:true|false)\Z")
_INT = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\Z")
_NUMERIC = [(f"{_TAG}int", _INT), (f"{_TAG}float", _FLOAT)]
_RESOLVERS = {
    **{first: [(f"{_TAG}null", _NULL)] for first in ("~", "n", "")},
    **{first: [(f"{_TAG}bool", _BOOL)] for first in "tf"},
    **dict.fromkeys("-0123456789", _NUMERIC),
}
_BASE: type[yaml.SafeLoader | yaml.CSafeLoader] = (
    yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
)
_LOADER = cast(
    "type[yaml.SafeLoader | yaml.CSafeLoader]",
    type("SpecLoader", (_BASE,), {"yaml_implicit_resolvers": _RESOLVERS}),
)

# What remains of such a document says nothing about its author's intent.
_UNREADABLE = frozenset({"CW109", "CW112"})
MAX_DEPTH = 60
MAX_NODES = 50_000
MAX_DIGITS = 300
MAX_NUMBER = 1e300


@dataclass(frozen=True, slots=True)
class Document:
    """Plain data of one YAML file, the places of its nodes, and what is wrong with it as YAML."""

    data: dict[str, object] | None
    positions: Positions
    faults: tuple[Diagnostic, ...]


def read_yaml(file: str, text: str) -> Document:
    """Read one YAML document that is a mapping; never raises, `data` is None if it is not one."""
    loader = _LOADER(text)
    try:
        root = loader.get_single_node()
    except (YAMLError, RecursionError) as error:
        return Document(None, Positions(), (syntax_fault(file, text, error),))
    finally:
        loader.dispose()
    if not isinstance(root, yaml.MappingNode):
        return Document(None, Positions(), (_no_mapping(file, root),))
    walk = _Walk(file)
    data = walk.root(root)
    readable = not any(fault.code in _UNREADABLE for fault in walk.faults)
    positions = Positions(walk.keys, walk.values)
    return Document(data if readable else None, positions, tuple(walk.faults))


def _no_mapping(file: str, root: yaml.Node | None) -> Diagnostic:
    hint = "start with `card: NameTool`"
    if root is None:
        return Diagnostic(file, 1, 1, "CW104", "the file is empty", hint)
    return Diagnostic(file, *_place(root), "CW113", "a spec is a mapping of keys", hint)


def _place(node: yaml.Node) -> Place:
    mark = node.start_mark
    return (mark.line + 1, mark.column + 1)


@dataclass(slots=True)
class _Walk:
    """Builds plain data from nodes and remembers where each one stands."""

    file: str
    keys: dict[NodePath, Place] = field(default_factory=dict[NodePath, Place])
    values: dict[NodePath, Place] = field(default_factory=dict[NodePath, Place])
    faults: list[Diagnostic] = field(default_factory=list[Diagnostic])
    open: set[int] = field(default_factory=set[int])

    def root(self, node: yaml.MappingNode) -> dict[str, object]:
        self.keys[()] = self.values[()] = _place(node)
        self.open.add(id(node))
        self._refuse_tag(node, (), "map")
        return self._mapping(node, ())

    def build(self, node: yaml.Node, path: NodePath, key: Place) -> object:
        self.keys[path] = key
        self.values[path] = _place(node)
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, path)
        if id(node) in self.open:
            self._fault(node, path, "CW109", "an alias refers to a node that contains it")
            return None
        if len(path) > MAX_DEPTH or len(self.values) > MAX_NODES:
            self._too_much(node, path)
            return None
        self.open.add(id(node))
        data = self._collection(node, path)
        self.open.discard(id(node))
        return data

    def _collection(self, node: yaml.Node, path: NodePath) -> object:
        if isinstance(node, yaml.MappingNode):
            self._refuse_tag(node, path, "map")
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            self._refuse_tag(node, path, "seq")
            return [
                self.build(item, (*path, index), _place(item))
                for index, item in enumerate(node.value)
            ]
        return None

    def _mapping(self, node: yaml.MappingNode, path: NodePath) -> dict[str, object]:
        data: dict[str, object] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node, path, data)
            if key is not None:
                data[key] = self.build(value_node, (*path, key), _place(key_node))
        return data

    def _key(self, node: yaml.Node, path: NodePath, data: dict[str, object]) -> str | None:
        if not isinstance(node, yaml.ScalarNode) or node.tag != f"{_TAG}str":
            self._fault(node, path, "CW107", "a key must be text", "write the key in quotes")
        elif node.value == "<<":
            self._fault(node, path, "CW108", "merge keys are not part of the language")
        elif node.value in data:
            first = self.keys[(*path, node.value)][0]
            self._fault(node, path, "CW106", f"key '{node.value}' is already given on line {first}")
        else:
            return str(node.value)
        return None

    def _scalar(self, node: yaml.ScalarNode, path: NodePath) -> object:
        value, kind = str(node.value), node.tag.removeprefix(_TAG)
        if kind == "null" and _NULL.match(value):
            return None
        if kind == "bool" and _BOOL.match(value):
            return value == "true"
        if kind in {"int", "float"} and _FLOAT.match(value):
            return self._number(node, path, value)
        self._refuse_tag(node, path, "str")
        return value

    def _number(self, node: yaml.ScalarNode, path: NodePath, value: str) -> int | float | None:
        if len(value) > MAX_DIGITS or abs(float(value)) > MAX_NUMBER:
            self._fault(node, path, "CW111", "the number is too large")
            return None
        return int(value) if _INT.match(value) else float(value)

    def _refuse_tag(self, node: yaml.Node, path: NodePath, kind: str) -> None:
        if node.tag != f"{_TAG}{kind}":
            tag = node.tag.replace(_TAG, "!!")
            self._fault(node, path, "CW110", f"the tag '{tag}' is not part of the language")

    def _too_much(self, node: yaml.Node, path: NodePath) -> None:
        if not any(fault.code == "CW112" for fault in self.faults):
            self._fault(node, path, "CW112", "the document is nested too deep or grows too large")

    def _fault(
        self, node: yaml.Node, path: NodePath, code: str, message: str, hint: str | None = None
    ) -> None:
        line, column = _place(node)
        self.faults.append(
            Diagnostic(self.file, line, column, code, message, hint, path=dotted(path))
        )
