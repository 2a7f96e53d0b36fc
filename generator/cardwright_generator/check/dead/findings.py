"""Findings about what is dead, at the line of the spec or of the method."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from cardwright_generator.check.failures import flaws_of_failures
from cardwright_generator.check.finding import Finding
from cardwright_generator.check.logic import INHERITED, decorated, functions
from cardwright_generator.check.modules import Found, Module, Modules, UnreadableModuleError
from cardwright_generator.project import Project

from .code import Body, Code, methods
from .flow import Flow
from .reach import mentions, reached_modules, says
from .retries import never_raised
from .suspects import Suspects
from .tokens import Ledger

type Path = tuple[str, ...]


def dead_parts(
    project: Project, spec: str, code: dict[str, Any], modules: Modules
) -> Iterator[Finding]:
    """What of one card is dead; nothing about a card without logic that can be read."""
    suspects = Suspects.read(code)
    logic = modules.find(code["logic"])
    if suspects is not None and logic is not None:
        yield from _Card(project, spec, code, suspects, logic, modules).findings()


class _Card:
    """One card, its logic, and what of it may be dead."""

    def __init__(
        self,
        project: Project,
        spec: str,
        code: dict[str, Any],
        suspects: Suspects,
        logic: Found,
        modules: Modules,
    ) -> None:
        self._project = project
        self._spec = spec
        self._suspects = suspects
        self._logic = logic
        self._modules = modules
        self._contract = cast("str", code["contract"])
        self._methods = cast("list[str]", code["methods"])
        self._failures = cast("list[str]", code["failures"])
        roots = [project.root / folder for folder in project.logic]
        self._code = Code(modules, roots, logic.module)
        classes = [*code["classes"], *code["actors"]]
        self._starts = [logic.module.name, *(one.partition(":")[0] for one in classes)]

    def findings(self) -> Iterator[Finding]:
        """Everything that is dead."""
        placed = [*self._of_spec()]
        if placed:
            yield from self._at_lines(placed)
        yield from self._uncalled()

    def _of_spec(self) -> Iterator[tuple[Path, str, str, str]]:
        """Path in the spec, code, message and hint."""
        for owner, name in self._unread():
            path = ("capabilities", owner, "config", name) if owner else ("fields", name)
            what = f"'{owner}.{name}'" if owner else f"'{name}'"
            where = f"config.{name}" if owner else f"self.card.{name}"
            hint = f"read `{where}` in '{self._logic.node.name}', or delete the field"
            yield path, "CW921", f"nothing reads {what}", hint
        for name in self._unraised():
            hint = f'`raise self.retry("{name}", ...)`, or delete it'
            yield ("failures", name), "CW922", f"nothing raises '{name}'", hint
        for name, names in self._suspects.events.items():
            if not mentions(self._reached(), names):
                hint = f"publish a '{names[0]}' where the spec says, or delete the event"
                yield ("events", name), "CW923", f"nothing emits '{names[0]}'", hint
        for name in self._suspects.environment:
            if not says(self._reached(), name):
                hint = "read it, name its reader in `read_by:` if that is a library, or delete it"
                yield ("environment", name), "CW924", f"nothing reads {name}", hint

    def _unread(self) -> Sequence[tuple[str, str]]:
        ledger = Ledger(self._suspects)
        if ledger.unread:
            flow = Flow(self._code, ledger, self._logic)
            flow.run()
            if ledger.unread:
                flow.add(self._users())
        return ledger.unread

    def _users(self) -> Iterator[Body]:
        """Functions of modules that name the card or a param of it: they may be handed one."""
        for name in self._own_modules():
            module = self._code.module(name)
            if module is not None and self._names_an_owner(module):
                yield from self._code.functions(module)
                for node in module.classes.values():
                    yield from methods(Found(module, node))

    def _names_an_owner(self, module: Module) -> bool:
        try:
            return any(owner in module.text for owner in self._suspects.owners)
        except UnreadableModuleError:  # nobody can import it, hence hand it anything
            return False

    def _own_modules(self) -> Iterator[str]:
        """Name of every module below the source roots."""
        for folder in self._project.logic:
            root = self._project.root / folder
            for path in sorted(root.rglob("*.py")):
                parts = path.relative_to(root).with_suffix("").parts
                yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def _unraised(self) -> Sequence[str]:
        if self._misspelt():
            return []  # the failure that is meant would only be reported a second time
        dead = [*never_raised(self._failures, [self._logic.module])] if self._failures else []
        return [*never_raised(dead, [*self._reached()])] if dead else []

    def _misspelt(self) -> bool:
        flaws = flaws_of_failures(self._logic, self._contract, self._failures, self._modules)
        return any(True for _ in flaws)

    def _reached(self) -> Iterator[Module]:
        return reached_modules(self._starts, self._code)

    def _uncalled(self) -> Iterator[Finding]:
        name = self._logic.node.name
        for key, node in functions(self._logic.node).items():
            known = key in {*self._methods, *INHERITED} or decorated(node, "override")
            if not (known or key.startswith("_")):
                file = self._logic.module.path
                where = (
                    self._project.relative(file)
                    if file.is_relative_to(self._project.root)
                    else file.as_posix()
                )
                message = f"no endpoint of the spec asks for '{name}.{key}'"
                hint = f"call it '_{key}' if the logic needs it itself, or delete it"
                yield Finding(where, "CW925", message, hint, node.lineno, node.col_offset + 1)

    def _at_lines(self, placed: Sequence[tuple[Path, str, str, str]]) -> Iterator[Finding]:
        from cardwright_generator.spec.parsing import parse_file

        file = parse_file(self._spec, (self._project.root / self._spec).read_bytes())
        for path, code, message, hint in placed:
            line, column = file.positions.key(path)
            yield Finding(self._spec, code, message, hint, line, column)
