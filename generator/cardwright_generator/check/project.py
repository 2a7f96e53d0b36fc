"""All checks over one project."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright_generator.build import Build, build
from cardwright_generator.manifest import Manifest
from cardwright_generator.project import Project
from cardwright_generator.tree import foreign_files, survey
from cardwright_generator.unchanged import is_unchanged, last_manifest

from .drift import drift
from .finding import Finding
from .handwritten import check_code
from .modules import Modules

if TYPE_CHECKING:
    from cardwright_generator.spec import Diagnostic


@dataclass(frozen=True, slots=True)
class Checked:
    """What is wrong, sorted by file and line."""

    diagnostics: "tuple[Diagnostic, ...]" = ()
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    """Text of specs, for excerpts."""
    diffs: Mapping[str, str] = field(default_factory=dict[str, str])
    """Generated file -> unified diff from what the specs say to what is there."""

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong; warnings do not count."""
        return not any(found.severity == "error" for found in self.diagnostics)


def check_project(project: Project) -> Checked:
    """Check the specs, the generated tree and the handwritten classes that the specs name."""
    manifest = last_manifest(project)
    if is_unchanged(project, manifest):
        return _checked(by_hand(project, manifest))
    made = build(project)
    if made.failed:
        return Checked(made.diagnostics, made.sources or {})
    tree = survey(project, made)
    findings = [*drift(project, made, tree), *_foreign(project, made.manifest, tree.stale)]
    findings += check_code(project, made.manifest, Modules(project))
    return _checked(findings, made, tree.all_diffs())


def by_hand(project: Project, manifest: Manifest) -> list[Finding]:
    """What no run of the generator can mend: foreign files, and code that does not fit."""
    return [*_foreign(project, manifest), *check_code(project, manifest, Modules(project))]


def _checked(
    findings: list[Finding], made: Build | None = None, diffs: Mapping[str, str] | None = None
) -> Checked:
    warned = () if made is None else made.diagnostics
    if not findings and not warned:
        return Checked()
    from cardwright_generator.spec.diagnostics import Diagnostic, in_order

    found = [
        Diagnostic(one.file, one.line, one.column, one.code, one.message, one.hint)
        for one in findings
    ]
    return Checked(in_order([*warned, *found]), (made and made.sources) or {}, diffs or {})


def _foreign(
    project: Project, manifest: Manifest, stale: tuple[str, ...] = ()
) -> Iterator[Finding]:
    for path in foreign_files(project, manifest):
        if path not in stale:
            yield Finding(
                path,
                "CW904",
                "nothing generates this file",
                "generated folders hold generated files only: move it away",
            )
