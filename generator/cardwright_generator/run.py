"""What a command calls: one run over one project."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright_generator.build import build
from cardwright_generator.lock import exclusive
from cardwright_generator.project import Project
from cardwright_generator.writer import Report, reconcile, recover

if TYPE_CHECKING:
    from cardwright_generator.spec import Diagnostic


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a run: what was wrong with the specs, or what was written."""

    diagnostics: "tuple[Diagnostic, ...]"
    sources: Mapping[str, str]
    """Text of the specs that were read, for excerpts."""
    report: Report | None
    """`None` when a spec is wrong: nothing was written."""

    @property
    def succeeded(self) -> bool:
        """Whether the tree is now what the specs say."""
        return self.report is not None and not self.report.refused


def generate_project(project: Project, only: Iterable[str] | None = None, *, force: bool = False) -> Outcome:
    """Bring the generated tree to what the specs say.

    Args:
        project: The project.
        only: Paths of specs below the root; all that changed when left out.
        force: Overwrite hand-edited files, keeping their text beside them.
    """
    with exclusive(project.root):
        recover(project)
        made = build(project, only)
        if made.failed:
            return Outcome(made.diagnostics, made.sources or {}, None)
        return Outcome(made.diagnostics, made.sources or {}, reconcile(project, made, force=force))
