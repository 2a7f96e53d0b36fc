"""Python types that specs name: looked up in the text of modules, nothing is ever imported."""

import ast
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

type Verdict = Literal["class", "generic", "anything", "function", "missing", "unknown"]

_DEEPEST = 12
"""Re-exports followed at most: imports may go in circles."""
# fmt: off
_PLAIN_BUILTINS = frozenset({
    "BaseException", "Exception", "bool", "bytearray", "bytes", "complex", "float", "int",
    "memoryview", "range", "slice", "str", "type",
})
# fmt: on
_ANYTHING = frozenset({("builtins", "object"), ("typing", "Any"), ("typing_extensions", "Any")})
_SPECIAL = frozenset({"typing", "typing_extensions"})
_PLAIN_SPECIAL = frozenset({"Hashable", "Sized"})
# Written in C, or derived from what is: the text does not tell that they take parameters.
_GENERIC = {
    "collections": {"ChainMap", "Counter", "OrderedDict", "UserDict", "UserList"}
    | {"defaultdict", "deque"},
    "contextvars": {"ContextVar", "Token"},
    "re": {"Match", "Pattern"},
    "types": {"MappingProxyType"},
}


@dataclass(frozen=True)
class _Module:
    """The text of one module, read when it is first asked for."""

    name: str
    path: Path

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """What runs on import, conditional parts included."""
        try:
            tree = ast.parse(self.path.read_bytes(), str(self.path))
        except SyntaxError:
            return ()
        return tuple(_flat(tree.body))

    def may_offer(self, name: str) -> bool:
        """Whether a name that is not bound in sight may be there: `__all__` knows, if any."""
        listed = [one for one in self.statements if "__all__" in _bound(one)]
        values = [getattr(one, "value", None) for one in listed]
        if len(values) != 1 or not isinstance(values[0], ast.List | ast.Tuple):
            return True
        return name in {one.value for one in values[0].elts if isinstance(one, ast.Constant)}

    def source(self, node: ast.ImportFrom) -> str:
        """Absolute name of the module that an import reads."""
        if not node.level:
            return node.module or ""
        drop = node.level - (self.path.name == "__init__.py")
        parts = self.name.split(".")
        base = parts[: len(parts) - drop]
        return ".".join([*base, *([node.module] if node.module else [])])


def _flat(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With):
            inner = [*node.body, *getattr(node, "orelse", [])]
            handlers = [one.body for one in getattr(node, "handlers", [])]
            yield from _flat([*inner, *(one for handler in handlers for one in handler)])


def verdict(module: str, name: str, roots: tuple[Path, ...] = ()) -> Verdict:
    """Say what a module calls by a name, looking for it in `roots`, then where Python does.

    `unknown` is what cannot be told from texts: compiled modules, assignments, modules not there.
    """
    if (module, name) in _ANYTHING:
        return "anything"
    if module in {"builtins", *_SPECIAL}:
        return "class" if name in _PLAIN_BUILTINS | _PLAIN_SPECIAL else "generic"
    if name in _GENERIC.get(module, ()):
        return "generic"
    return _Search(roots).verdict(module, name)


@dataclass(frozen=True, slots=True)
class _Search:
    roots: tuple[Path, ...]

    def verdict(self, module: str, name: str, depth: int = 0) -> Verdict:
        found = _find(module, self.roots)
        if found is None:
            gone = module.partition(".")[0] in sys.stdlib_module_names and not _is_compiled(module)
            return "missing" if gone else "unknown"
        if depth > _DEEPEST:
            return "unknown"
        verdicts = [one for node in found.statements for one in self._of(node, name, found, depth)]
        for best in ("class", "generic", "function", "unknown"):
            if best in verdicts:
                return best
        return "missing"

    def _of(self, node: ast.stmt, name: str, module: _Module, depth: int) -> Iterator[Verdict]:
        if isinstance(node, ast.ClassDef) and node.name == name:
            yield "generic" if self._is_generic(node, module, depth) else "class"
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name == name:
                yield "function"
            elif node.name == "__getattr__" and module.may_offer(name):
                yield "unknown"
        elif isinstance(node, ast.ImportFrom):
            yield from self._of_import(node, name, module, depth)
        elif name in _bound(node):
            yield "unknown"

    def _of_import(
        self, node: ast.ImportFrom, name: str, module: _Module, depth: int
    ) -> Iterator[Verdict]:
        source = module.source(node)
        for alias in node.names:
            if (alias.asname or alias.name) == name:
                found = self.verdict(source, alias.name, depth + 1)
                yield "unknown" if found == "missing" else found
            elif alias.name == "*" and module.may_offer(name):
                found = self.verdict(source, name, depth + 1)
                if found != "missing":
                    yield found

    def _is_generic(self, node: ast.ClassDef, module: _Module, depth: int) -> bool:
        """Whether a class needs parameters that a spec cannot write."""
        named = {one for inner in node.body for one in _bound(inner)}
        if node.type_params or "__class_getitem__" in named:
            return True
        bases = [one for one in node.bases if isinstance(one, ast.Subscript)]
        if any(ast.unparse(one.value).endswith(("Generic", "Protocol")) for one in bases):
            return True
        plain = [one.id for one in node.bases if isinstance(one, ast.Name) and one.id != node.name]
        return depth < _DEEPEST and any(
            self.verdict(module.name, one, depth + 1) == "generic" for one in plain
        )


def _bound(node: ast.stmt) -> frozenset[str]:
    """Names that a statement binds, beside those of imports from modules."""
    if isinstance(node, ast.Assign):
        return frozenset(one.id for one in node.targets if isinstance(one, ast.Name))
    if isinstance(node, ast.AnnAssign | ast.AugAssign):
        return frozenset({node.target.id} if isinstance(node.target, ast.Name) else ())
    if isinstance(node, ast.TypeAlias):
        return frozenset({node.name.id})
    return frozenset()


@lru_cache(maxsize=256)
def _find(name: str, roots: tuple[Path, ...]) -> _Module | None:
    parts = name.split(".")
    places = [*roots, Path(sysconfig.get_path("stdlib")), *(Path(one) for one in sys.path if one)]
    for root in places:
        folder = root.joinpath(*parts)
        for path in (folder.with_suffix(".py"), folder / "__init__.py"):
            if path.is_file():
                return _Module(name, path)
    return None


def _is_compiled(name: str) -> bool:
    if name in sys.builtin_module_names:
        return True
    folder = Path(sysconfig.get_path("stdlib"))
    places = [folder / "lib-dynload", folder.joinpath(*name.split(".")[:-1])]
    return any(found for place in places for found in place.glob(f"{name.rpartition('.')[2]}.*"))
