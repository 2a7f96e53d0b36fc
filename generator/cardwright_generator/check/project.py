"""All checks over one project."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright_generator.build import Build, build
from cardwright_generator.manifest import Manifest
from cardwright_generator.project import Project
from cardwright_generator.tree import foreign_files, survey
from cardwright_generator.unchanged import is_unchanged, last_manifest

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
        return _checked(
            [*_foreign(project, manifest), *check_code(project, manifest, Modules(project))]
        )
    made = build(project)
    if made.failed:
        return Checked(made.diagnostics, made.sources or {})
    tree = survey(project, made)
    findings = [*_drift(project, made), *_foreign(project, made.manifest, tree.stale)]
    findings += check_code(project, made.manifest, Modules(project))
    return _checked(findings, made, tree.all_diffs())


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


def _drift(project: Project, made: Build) -> Iterator[Finding]:
    tree = survey(project, made)
    if project.pending.exists():
        name = project.relative(project.pending)
        yield Finding(
            name,
            "CW906",
            "a run of `cardwright generate` was interrupted",
            "run `cardwright generate`",
        )
    for path in tree.changed:
        if path in tree.foreign:
            yield Finding(
                path,
                "CW904",
                "this file is not ours, and a generated one must go here",
                "move it away",
            )
        elif path in tree.edited:
            yield Finding(
                path,
                "CW902",
                "a generated file was edited by hand",
                "move what you need into the logic or the spec, then `cardwright generate --force`",
            )
        elif not (project.root / path).exists():
            yield Finding(path, "CW905", "a generated file is missing", "run `cardwright generate`")
        else:
            yield Finding(
                path, "CW901", "the file is not what the specs say", "run `cardwright generate`"
            )
    for path in tree.stale:
        yield Finding(
            path, "CW903", "no spec generates this file any more", "run `cardwright generate`"
        )


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
