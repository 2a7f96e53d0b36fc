"""Handwritten classes that specs name: do they exist, do they follow what was generated?"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import cast

from cardwright_generator.manifest import Manifest
from cardwright_generator.project import Project

from .dead import dead_parts
from .failures import flaws_of_failures
from .finding import Finding
from .logic import Flaw, flaws_of_logic
from .modules import Modules, UnreadableModuleError


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
        self._code = code
        self._modules = modules
        self._logic = cast("str", code["logic"])
        self._contract = cast("str", code["contract"])
        self._methods = cast("list[str]", code["methods"])
        self._failures = cast("list[str]", code["failures"])
        self._actors = cast("list[str]", code["actors"])
        self._classes = cast("dict[str, str]", code["classes"])

    def findings(self) -> Iterator[Finding]:
        """Everything wrong with the logic and with the other classes."""
        yield from self._guarded(self._of_logic)
        for path, base in self._classes.items():
            yield from self._guarded(partial(self._of_class, path, base))
        yield from self._guarded(self._dead)

    def _guarded(self, check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
        try:
            yield from check()
        except UnreadableModuleError as error:
            file = self._relative(error.module.path)
            message = f"the module cannot be read: {error}"
            yield Finding(file, "CW911", message, line=error.line)

    def _of_logic(self) -> Iterator[Finding]:
        found = self._modules.find(self._logic)
        if found is None:
            yield self._missing(self._logic, "CW911")
            return
        for flaw in flaws_of_logic(found, self._contract, self._methods, self._modules):
            yield self._placed(flaw)
        for flaw in flaws_of_failures(found, self._contract, self._failures, self._modules):
            yield self._placed(flaw)

    def _dead(self) -> Iterator[Finding]:
        return dead_parts(self._project, self._spec, self._code, self._modules)

    def _of_class(self, path: str, base: str) -> Iterator[Finding]:
        found = self._modules.find(path)
        if found is None:
            yield self._missing(path, "CW917")
        elif base and base not in self._modules.ancestors(found, stop=base):
            module, _, name = base.partition(":")
            message = f"'{found.node.name}' does not extend '{name}'"
            hint = f"from {module} import {name}"
            yield self._placed(Flaw(found, found.node, "CW917", message, hint))

    def _missing(self, path: str, code: str) -> Finding:
        line, column = _place_in(self._project.root / self._spec, path)
        module, _, name = path.partition(":")
        if self._modules.module(module) is None:
            message = f"there is no module '{module}'"
            hint = f"write it below {', '.join(self._project.logic)}"
        else:
            message, hint = f"module '{module}' has no class '{name}'", "write it there"
        if path in self._actors:
            hint += f": `class {name}(Akgent[BaseConfig, BaseState])`, as in `explain CW917`"
        return Finding(self._spec, code, message, hint, line, column)

    def _placed(self, flaw: Flaw) -> Finding:
        file = self._relative(flaw.owner.module.path)
        place = (flaw.node.lineno, flaw.node.col_offset + 1)
        return Finding(file, flaw.code, flaw.message, flaw.hint, *place)

    def _relative(self, path: Path) -> str:
        root = self._project.root
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def _place_in(spec: Path, text: str) -> tuple[int, int]:
    """Line and column at which a spec mentions a text; its beginning when it does not."""
    for number, line in enumerate(spec.read_text(encoding="utf-8").splitlines(), 1):
        if text in line:
            return number, line.index(text) + 1
    return 1, 1
