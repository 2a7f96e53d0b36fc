"""The generated tree on disk against what the specs say."""

from collections.abc import Iterator, Sequence
from posixpath import commonpath

from cardwright_generator.build import Build
from cardwright_generator.project import Project
from cardwright_generator.tree import Tree

from .finding import Finding

_AGAIN = "run `cardwright generate`"
SINGLY = 3
"""Missing files reported one by one; of more, one finding tells the number."""


def drift(project: Project, made: Build, tree: Tree) -> Iterator[Finding]:
    """Every way in which the tree is not the one that was just built."""
    found = [*_interrupted(project), *_missing(project, tree), *_changed(project, tree)]
    found += [
        Finding(path, "CW903", "no spec generates this file any more", _AGAIN)
        for path in tree.stale
    ]
    yield from found or _manifest(project, made, tree)


def _interrupted(project: Project) -> Iterator[Finding]:
    if project.pending.exists():
        name = project.relative(project.pending)
        yield Finding(name, "CW906", "a run of `cardwright generate` was interrupted", _AGAIN)


def _missing(project: Project, tree: Tree) -> list[Finding]:
    gone = [path for path in tree.changed if not (project.root / path).exists()]
    if len(gone) > SINGLY:
        return [_many_missing(gone)]
    return [Finding(path, "CW905", "a generated file is missing", _AGAIN) for path in gone]


def _many_missing(paths: Sequence[str]) -> Finding:
    message = f"{len(paths)} generated files are missing, '{paths[0]}' the first"
    return Finding(commonpath(paths), "CW905", message, _AGAIN)


def _changed(project: Project, tree: Tree) -> Iterator[Finding]:
    move = "move what you need into the logic or the spec, then `cardwright generate --force`"
    for path in tree.changed:
        if path in tree.foreign:
            message = "this file is not ours, and a generated one must go here"
            yield Finding(path, "CW904", message, "move it away")
        elif path in tree.edited and (project.root / path).exists():
            yield Finding(path, "CW902", "a generated file was edited by hand", move)
        elif (project.root / path).exists():
            yield Finding(path, "CW901", "the file is not what the specs say", _AGAIN)


def _manifest(project: Project, made: Build, tree: Tree) -> Iterator[Finding]:
    if tree.recorded != made.manifest:
        name = project.relative(project.manifest)
        message = "the manifest is not of this generator, these specs and these settings"
        yield Finding(name, "CW907", message, f"{_AGAIN} and commit the file")
