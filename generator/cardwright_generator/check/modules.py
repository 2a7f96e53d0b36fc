"""Modules and classes of a project, read without importing anything."""

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import decode_source
from pathlib import Path

from cardwright_generator.project import Project

_DEPTH = 8
"""Re-exports followed at most, so that a circle of imports ends."""


class UnreadableModuleError(Exception):
    """A module exists but is no Python."""

    def __init__(self, module: "Module", error: SyntaxError | UnicodeDecodeError) -> None:
        known = error if isinstance(error, SyntaxError) else SyntaxError(str(error))
        super().__init__(f"{module.name}: {known.msg}")
        self.module = module
        self.line = known.lineno or 1


@dataclass(frozen=True)
class Module:
    """One module, parsed when first needed."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        """The text of its file, in the encoding it declares; raises `UnreadableModuleError`."""
        try:
            return decode_source(self.path.read_bytes())
        except (SyntaxError, UnicodeDecodeError) as error:
            raise UnreadableModuleError(self, error) from error

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed text; raises `UnreadableModuleError`."""
        try:
            return ast.parse(self.text, str(self.path))
        except SyntaxError as error:
            raise UnreadableModuleError(self, error) from error

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes defined at the top of the module."""
        return {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}

    @cached_property
    def imports(self) -> dict[str, str]:
        """Name in the module -> `module:Name` it is imported from, or `module:` for a module."""
        found: dict[str, str] = {}
        for node in _imports(self.tree.body):
            if isinstance(node, ast.ImportFrom):
                source = self._absolute(node)
                found |= {
                    alias.asname or alias.name: f"{source}:{alias.name}" for alias in node.names
                }
            else:
                found |= {alias.asname or alias.name: f"{alias.name}:" for alias in node.names}
        return found

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        drop = node.level - (self.path.name == "__init__.py")
        package = self.name.split(".")
        base = package[: len(package) - drop] if drop else package
        return ".".join([*base, *([node.module] if node.module else [])])


_INSIDE = ("body", "orelse", "finalbody", "handlers", "cases")


def _imports(statements: Iterable[ast.AST]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import among statements and inside them; expressions hold none."""
    for node in statements:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
            continue
        for name in _INSIDE:
            yield from _imports(getattr(node, name, ()))


@dataclass(frozen=True, slots=True)
class Found:
    """A class where it is defined."""

    module: Module
    node: ast.ClassDef

    @property
    def path(self) -> str:
        """`module:Class`."""
        return f"{self.module.name}:{self.node.name}"


class Modules:
    """Finds modules in the source roots of a project, then where Python finds them."""

    def __init__(self, project: Project) -> None:
        own = [project.root / folder for folder in (*project.logic, project.output)]
        self._roots = [*own, *(Path(entry) for entry in sys.path if entry)]
        self._known: dict[str, Module | None] = {}

    def module(self, name: str) -> Module | None:
        """The module of that name, or `None`."""
        if name not in self._known:
            self._known[name] = self._find(name)
        return self._known[name]

    def find(self, path: str, depth: int = _DEPTH) -> Found | None:
        """The class at `module:Class`, re-exports followed, or `None`."""
        module_name, _, name = path.partition(":")
        module = self.module(module_name)
        if module is None or depth == 0:
            return None
        if name in module.classes:
            return Found(module, module.classes[name])
        source = module.imports.get(name)
        return None if source is None else self.find(source, depth - 1)

    def bases(self, found: Found) -> list[str]:
        """`module:Class` of each base of a class; `?:...` where a base is no plain name."""
        return [self._named(found.module, base) for base in found.node.bases]

    def ancestors(self, found: Found, stop: str) -> dict[str, Found | None]:
        """Each base, however far, by its path; `None` where it cannot be found.

        What is above `stop` is left out: only the core is there.
        """
        seen: dict[str, Found | None] = {}
        waiting = self.bases(found)
        while waiting:
            path = waiting.pop(0)
            base = None if path.startswith("?") else self.find(path)
            path = path if base is None else base.path
            if path not in seen:
                seen[path] = base
                waiting += [] if base is None or path == stop else self.bases(base)
        return seen

    def _named(self, module: Module, base: ast.expr) -> str:
        if isinstance(base, ast.Subscript):
            base = base.value
        if isinstance(base, ast.Name):
            return module.imports.get(base.id, f"{module.name}:{base.id}")
        if isinstance(base, ast.Attribute):
            owner = module.imports.get(ast.unparse(base.value), "?:").replace(":", ".").strip(".")
            return f"{owner}:{base.attr}"
        return f"?:{ast.unparse(base)}"

    def _find(self, name: str) -> Module | None:
        parts = name.split(".")
        for root in self._roots:
            for path in (
                root.joinpath(*parts).with_suffix(".py"),
                root.joinpath(*parts, "__init__.py"),
            ):
                if path.is_file():
                    return Module(name, path)
        return None
