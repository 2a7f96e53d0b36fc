"""Functions and classes of the project that values are followed into."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardwright_generator.check.logic import Function
from cardwright_generator.check.modules import Found, Module, Modules

_LIBRARY = ("cardwright.actors", "cardwright.core", "cardwright.store", "cardwright.tools")


@dataclass(frozen=True, slots=True)
class Body:
    """A function or method; `owner` is the class it stands in."""

    module: Module
    node: Function
    owner: Found | None = None

    @property
    def key(self) -> str:
        """`module:Class.name`, which owns its variables."""
        inside = f"{self.owner.node.name}." if self.owner else ""
        return f"{self.module.name}:{inside}{self.node.name}"

    @property
    def parameters(self) -> list[ast.arg]:
        """All parameters by position, then those by keyword."""
        given = self.node.args
        return [*given.posonlyargs, *given.args, *given.kwonlyargs]

    def has_decorator(self, *names: str) -> bool:
        """Whether one of these decorators stands on it."""
        found = (ast.unparse(one).rpartition(".")[2] for one in self.node.decorator_list)
        return any(one in names for one in found)


class Code:
    """Resolves names to code of the project: below its source roots, beside the logic."""

    def __init__(self, modules: Modules, roots: Sequence[Path], logic: Module) -> None:
        self._modules = modules
        self._roots = [(root, _packages(root)) for root in roots]
        package = logic.name.partition(".")[0]
        self._roots.append((_root_of(logic), frozenset({package})))
        self._known: dict[str, Module | None] = {}

    def module(self, name: str) -> Module | None:
        """A module of the project; the runtime counts as a library, also in its own project."""
        if name not in self._known:
            own = not name.startswith(_LIBRARY) and self._stands(name)
            self._known[name] = self._modules.module(name) if own else None
        return self._known[name]

    def _stands(self, name: str) -> bool:
        """Whether a module lies below the source roots or beside the logic; costs no search."""
        first, *rest = name.split(".")
        for root, packages in self._roots:
            if first in packages:
                path = root.joinpath(first, *rest)
                if path.with_suffix(".py").is_file() or (path / "__init__.py").is_file():
                    return True
        return False

    def target(self, module: Module, name: str) -> str:
        """`module:name` of what a dotted name means in a module."""
        first, _, rest = name.partition(".")
        source = module.imports.get(first)
        if source is None:
            return f"{module.name}:{name}"
        where, _, what = source.partition(":")
        path = ".".join(filter(None, [what, rest]))
        if not what or self.module(f"{where}.{what}") is not None:
            *inner, last = path.split(".") if path else [""]
            return f"{'.'.join([where, *inner])}:{last}"
        return f"{where}:{path}"

    def function(self, path: str, depth: int = 8) -> Body | None:
        """The function of the project at `module:name`, re-exports followed."""
        where, _, name = path.partition(":")
        module = self.module(where)
        if module is None or depth == 0:
            return None
        for node in module.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
                return Body(module, node)
        source = module.imports.get(name)
        return None if source is None else self.function(source, depth - 1)

    def functions(self, module: Module) -> Iterator[Body]:
        """The functions at the top of a module."""
        for node in module.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield Body(module, node)

    def found(self, path: str) -> Found | None:
        """The class of the project at `module:Class`."""
        if self.module(path.partition(":")[0]) is None:
            return None
        found = self._modules.find(path)
        return None if found is None or self.module(found.module.name) is None else found

    def line(self, found: Found) -> Iterator[Found]:
        """A class and those of its bases that the project has."""
        yield found
        for path in self._modules.bases(found):
            base = self.found(path)
            if base is not None and base.path != found.path:
                yield from self.line(base)

    def method(self, found: Found, name: str) -> Body | None:
        """The method of that name in a class or its bases."""
        for one in self.line(found):
            for body in methods(one):
                if body.node.name == name:
                    return body
        return None

    def annotation(self, found: Found, name: str) -> tuple[Module, ast.expr] | None:
        """How an attribute is annotated in a class or its bases, and where."""
        for one in self.line(found):
            for node in one.node.body:
                if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name:
                    return one.module, node.annotation
        return None


def _packages(root: Path) -> frozenset[str]:
    """What can be imported from a source root, by its first name."""
    return frozenset(path.stem for path in root.iterdir()) if root.is_dir() else frozenset()


def _root_of(module: Module) -> Path:
    """The folder below which a module is found by its name."""
    depth = module.name.count(".") + (module.path.name == "__init__.py")
    return module.path.parents[depth]


def methods(found: Found) -> Iterator[Body]:
    """The methods a class defines itself."""
    for node in found.node.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Body(found.module, node, found)


def text_of(module: Module, node: ast.expr) -> str | None:
    """The text that an expression is: written out, or a constant at the top of its module."""
    if isinstance(node, ast.Name):
        given = [one for one in ast.walk(module.tree) if _gives(one, node.id)]
        tops = [one for one in module.tree.body if isinstance(one, ast.Assign | ast.AnnAssign)]
        values = [one.value for one in tops if given and given[0] in ast.walk(one)]
        return text_of(module, values[0]) if len(given) == 1 and values and values[0] else None
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _gives(node: ast.AST, name: str) -> bool:
    """Whether a node lets a name mean something: an assignment, a parameter, a pattern."""
    match node:
        case ast.Name(id=found, ctx=ast.Store() | ast.Del()):
            return found == name
        case ast.arg(arg=found) | ast.MatchAs(name=found) | ast.MatchStar(name=found):
            return found == name
        case ast.MatchMapping(rest=found) | ast.ExceptHandler(name=found):
            return found == name
        case _:
            return False


def names_in(annotation: ast.expr) -> Iterator[str]:
    """The dotted names in an annotation, those in quotes too."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name | ast.Attribute):
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                yield from names_in(ast.parse(node.value, mode="eval").body)
            except SyntaxError:
                continue
