"""Handwritten classes that specs name: do they exist, and do they follow what was generated?"""

import ast
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import cast

from cardwright_generator.manifest import Manifest
from cardwright_generator.project import Project

from .finding import Finding
from .modules import Found, Modules, UnreadableModuleError

_INHERITED = frozenset({"bind"})
"""Methods of the core's `CardLogic` that a logic may override."""

type Function = ast.FunctionDef | ast.AsyncFunctionDef


def check_code(project: Project, manifest: Manifest, modules: Modules) -> Iterator[Finding]:
    """Findings about every handwritten class that the specs name, card by card."""
    for spec, source in manifest.sources.items():
        if source.code:
            yield from _Card(project, spec, source.code, modules).findings()


class _Card:
    """The handwritten side of one card."""

    def __init__(
        self, project: Project, spec: str, code: dict[str, object], modules: Modules
    ) -> None:
        self._project = project
        self._spec = spec
        self._modules = modules
        self._logic = cast("str", code["logic"])
        self._contract = cast("str", code["contract"])
        self._methods = cast("list[str]", code["methods"])
        self._classes = cast("dict[str, str]", code["classes"])

    def findings(self) -> Iterator[Finding]:
        yield from self._guarded(self._of_logic)
        for path, base in self._classes.items():
            yield from self._guarded(partial(self._of_class, path, base))

    def _guarded(self, check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
        try:
            yield from check()
        except UnreadableModuleError as error:
            yield Finding(
                self._relative(error.module.path),
                "CW911",
                f"the module cannot be read: {error}",
                line=error.line,
            )

    def _of_class(self, path: str, base: str) -> Iterator[Finding]:
        found = self._modules.find(path)
        if found is None:
            yield self._missing(path, "CW917")
        elif base and base not in self._ancestors(found):
            shown = base.partition(":")[2]
            yield self._at(
                found,
                found.node,
                "CW917",
                f"'{found.node.name}' does not extend '{shown}'",
                f"import it from {base.partition(':')[0]}",
            )

    def _of_logic(self) -> Iterator[Finding]:
        found = self._modules.find(self._logic)
        if found is None:
            yield self._missing(self._logic, "CW911")
            return
        name, contract = found.node.name, self._contract.partition(":")[2]
        if not _decorated(found.node, "final"):
            yield self._at(
                found,
                found.node,
                "CW912",
                f"'{name}' is not final",
                "decorate the class with @final",
            )
        ancestors = self._ancestors(found)
        if self._contract not in ancestors:
            hint = f"from {self._contract.partition(':')[0]} import {contract}"
            yield self._at(
                found, found.node, "CW913", f"'{name}' does not extend '{contract}'", hint
            )
            return
        yield from self._of_methods(found, ancestors)

    def _of_methods(self, found: Found, ancestors: dict[str, Found | None]) -> Iterator[Finding]:
        handwritten = [
            found,
            *(
                one
                for path, one in ancestors.items()
                if one is not None and path != self._contract and self._is_ours(one)
            ),
        ]
        defined = {
            node.name: (owner, node)
            for owner in reversed(handwritten)
            for node in _functions(owner.node)
        }
        name, contract = found.node.name, self._contract.partition(":")[2]
        for method in self._methods:
            if method not in defined:
                hint = f"implement it as '{contract}' declares it"
                yield self._at(
                    found, found.node, "CW914", f"'{name}' lacks the method '{method}'", hint
                )
            elif not _decorated(defined[method][1], "override"):
                owner, node = defined[method]
                yield self._at(
                    owner,
                    node,
                    "CW915",
                    f"'{name}.{method}' has no @override",
                    "decorate the method with @override",
                )
        for method, (owner, node) in defined.items():
            if _decorated(node, "override") and method not in self._overridable(ancestors):
                hint = f"the spec has no endpoint '{method}': rename or delete the method"
                yield self._at(
                    owner,
                    node,
                    "CW916",
                    f"'{name}.{method}' overrides nothing in '{contract}'",
                    hint,
                )

    def _overridable(self, ancestors: dict[str, Found | None]) -> frozenset[str]:
        """Names that an override may have: the contract's, the core's, and those of other bases."""
        names = {*self._methods, *_INHERITED}
        for one in ancestors.values():
            names |= set() if one is None else {node.name for node in _functions(one.node)}
        return frozenset(names)

    def _ancestors(self, found: Found) -> dict[str, Found | None]:
        """Path of each base, however far -> the class, `None` where it cannot be found."""
        seen: dict[str, Found | None] = {}
        open_ = self._modules.bases(found)
        while open_:
            path = open_.pop(0)
            base = None if path.startswith("?") else self._modules.find(path)
            path = path if base is None else base.path
            if path not in seen:
                seen[path] = base
                # Above generated classes there is only the core.
                open_ += (
                    [] if base is None or self._is_generated(base) else self._modules.bases(base)
                )
        return seen

    def _is_ours(self, found: Found) -> bool:
        roots = [self._project.root / folder for folder in self._project.logic]
        return any(
            found.module.path.is_relative_to(root) for root in roots
        ) and not self._is_generated(found)

    def _is_generated(self, found: Found) -> bool:
        return found.module.path.is_relative_to(self._project.root / self._project.package_path)

    def _missing(self, path: str, code: str) -> Finding:
        line, column = _place_in(self._project.root / self._spec, path)
        module, _, name = path.partition(":")
        if self._modules.module(module) is None:
            roots = ", ".join(self._project.logic)
            return Finding(
                self._spec,
                code,
                f"there is no module '{module}'",
                f"write it below {roots}",
                line,
                column,
            )
        return Finding(
            self._spec, code, f"module '{module}' has no class '{name}'", None, line, column
        )

    def _at(
        self, found: Found, node: ast.ClassDef | Function, code: str, message: str, hint: str
    ) -> Finding:
        return Finding(
            self._relative(found.module.path), code, message, hint, node.lineno, node.col_offset + 1
        )

    def _relative(self, path: Path) -> str:
        root = self._project.root
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def _functions(node: ast.ClassDef) -> list[Function]:
    return [item for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)]


def _decorated(node: ast.ClassDef | Function, name: str) -> bool:
    return any(
        ast.unparse(decorator).rpartition(".")[2] == name for decorator in node.decorator_list
    )


def _place_in(spec: Path, text: str) -> tuple[int, int]:
    """Line and column at which a spec mentions a text; its beginning when it does not."""
    for number, line in enumerate(spec.read_text(encoding="utf-8").splitlines(), 1):
        if text in line:
            return number, line.index(text) + 1
    return 1, 1
