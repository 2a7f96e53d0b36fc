"""Manifests, links and files that lie: a run touches what it generates, and nothing else."""

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from cardwright_generator.build import build
from cardwright_generator.check import check_project
from cardwright_generator.project import Project, ProjectError
from cardwright_generator.unchanged import unchanged_files
from cardwright_generator.writer import Report

type Make = Callable[..., Project]
type Generate = Callable[..., Report]

HELLO = """\
card: HelloTool
summary: Greets people.
logic: hello.logic:HelloLogic
observer: none
capabilities:
  greet:
    param: Greet
    endpoints:
      greet: {channels: [tool_call], doc: Greet somebody., returns: string}
"""
CARD = "generated/made_cards/hello/card.py"
VICTIMS = (
    ".git/HEAD",
    "pyproject.toml",
    "src/hello/logic.py",
    "generated/../src/hello/logic.py",
    "./pyproject.toml",
    "generated/.hidden/note",
    "generated/made_cards/../../pyproject.toml",
    "../victim/a.txt",
)


@pytest.fixture
def project(tmp_path: Path, make: Make, generate_once: Callable[[Project], None]) -> Project:
    """A generated project with files beside it, and one outside, that are nobody's to delete."""
    made = make({"hello": HELLO}, {".git/HEAD": "ref\n", "src/hello/logic.py": "x = 1\n"})
    generate_once(made)
    for place in ("generated/.hidden/note", "../victim/a.txt"):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("precious\n", "utf-8")
    return made


def forged(project: Project, *names: str, known: str | None = None) -> str:
    """The manifest's text with files added to what it claims."""
    manifest = json.loads(project.manifest.read_text("utf-8"))
    for name in names:
        content = (project.root / name).read_bytes()
        manifest["files"][name] = known or sha256(content).hexdigest()
    return json.dumps(manifest, indent=1)


def change(project: Project) -> None:
    (project.root / "specs/hello.yaml").write_text(HELLO.replace("people", "all"), "utf-8")


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("known", [None, "0" * 64])
def test_a_manifest_cannot_delete_what_is_not_generated(
    project: Project, generate: Generate, known: str | None, force: bool
) -> None:
    project.manifest.write_text(forged(project, *VICTIMS, known=known), "utf-8")
    change(project)
    report = generate(project, force=force)
    assert all((project.root / victim).is_file() for victim in VICTIMS)
    assert report.strays == tuple(sorted(VICTIMS))
    assert report.deleted == ()
    assert CARD in report.written
    assert generate(project).strays == ()


def test_an_absolute_path_in_a_manifest_is_nobodys(project: Project, generate: Generate) -> None:
    victim = str(project.root / "src/hello/logic.py")
    project.manifest.write_text(forged(project, victim), "utf-8")
    assert generate(project).strays == (victim,)
    assert Path(victim).is_file()


def test_neither_can_one_in_the_midst_of_a_merge(project: Project, generate: Generate) -> None:
    text = forged(project, *VICTIMS)
    project.manifest.write_text(f"<<<<<<< HEAD\n{text}", "utf-8")
    change(project)
    report = generate(project)
    assert all((project.root / victim).is_file() for victim in VICTIMS)
    assert CARD in report.written
    assert report.deleted == ()


def test_neither_can_the_record_of_an_interrupted_run(project: Project, generate: Generate) -> None:
    project.pending.write_text(forged(project, *VICTIMS), "utf-8")
    report = generate(project)
    assert all((project.root / victim).is_file() for victim in VICTIMS)
    assert report.strays == tuple(sorted(VICTIMS))


def test_a_check_tells_of_a_forged_manifest(project: Project) -> None:
    project.manifest.write_text(forged(project, "pyproject.toml"), "utf-8")
    assert unchanged_files(project.root) is None
    assert "CW907" in {found.code for found in check_project(project).diagnostics}


@pytest.mark.parametrize(
    "text",
    [
        '{"format":1,"generator":"x","settings":"y","sources":{},"files":{"a\\u0000b":"x"}}',
        '{"format":1,"generator":"x","settings":"y","sources":{},"files":{"\\ud800":"x"}}',
        '{"format":1,"generator":"x","settings":"y","sources":{"\\ud800":1},"files":{}}',
        '{"format":1,"generator":"x","settings":"y","sources":{},"files":{"generated/x":5}}',
        '{"format":1,"generator":"x","settings":"y","sources":{},"files":{"":"x"}}',
        '{"format":1,"files":[]}',
        "[" * 200_000,
    ],
    ids=range(7),
)
def test_a_manifest_of_nonsense_is_none(project: Project, generate: Generate, text: str) -> None:
    kept = project.manifest.read_bytes()
    for place in (project.manifest, project.pending):
        place.write_text(text, "utf-8")
        assert not generate(project).refused
        assert project.manifest.read_bytes() == kept


def test_what_a_manifest_says_of_a_spec_may_be_nonsense_too(
    project: Project, generate: Generate
) -> None:
    manifest = json.loads(project.manifest.read_text("utf-8"))
    source = manifest["sources"]["specs/hello.yaml"]
    claims: list[dict[str, object]] = [
        {"facts": {"x": 1}},
        {"entry": {}},
        {"files": ["../x"]},
    ]
    for nonsense in claims:
        broken = {**manifest, "sources": {"specs/hello.yaml": {**source, **nonsense}}}
        project.manifest.write_text(json.dumps(broken), "utf-8")
        other = HELLO.replace("Hello", "Bye").replace("hello", "bye").replace("reet", "art")
        (project.root / "specs/bye.yaml").write_text(other, "utf-8")
        generate(project)
        assert (project.root / "generated/made_cards/bye/card.py").is_file()
        (project.root / "generated/made_cards/bye/card.py").unlink()


@pytest.mark.parametrize(
    "folder",
    ["generated", "generated/made_cards", "generated/made_cards/hello", "generated/tests"],
)
def test_a_folder_that_is_a_link_is_refused(
    project: Project, generate: Generate, tmp_path: Path, folder: str
) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    (project.root / folder).rename(outside)
    (project.root / folder).symlink_to(outside)
    before = {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}
    (project.root / "specs/hello.yaml").unlink()
    with pytest.raises(ProjectError, match=f"{folder} is a symbolic link"):
        generate(project, force=True)
    assert before == {path: path.read_bytes() for path in before}


def test_a_staging_folder_that_is_a_link_is_refused(
    project: Project, generate: Generate, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    project.staging.symlink_to(outside)
    change(project)
    with pytest.raises(ProjectError, match=r"\.cardwright-staging is a symbolic link"):
        generate(project)
    assert list(outside.iterdir()) == []


def test_names_for_a_moment_are_never_written_through(
    project: Project, generate: Generate, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    for name in (".cardwright.json.new", ".cardwright.pending.json.new"):
        (project.root / "generated" / name).symlink_to(outside)
    (project.root / f"{CARD}.orig").symlink_to(outside)
    (project.root / CARD).write_text("# mine\n", "utf-8")
    change(project)
    report = generate(project, force=True)
    assert report.kept_edits == (f"{CARD}.orig2",)
    assert not outside.exists()
    assert not project.manifest.is_symlink()


def test_a_file_that_is_a_link_is_replaced_and_not_followed(
    project: Project, generate: Generate, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.py"
    (project.root / CARD).rename(outside)
    (project.root / CARD).symlink_to(outside)
    before = outside.read_bytes()
    change(project)
    generate(project)
    assert not (project.root / CARD).is_symlink()
    assert outside.read_bytes() == before


def test_a_folder_where_a_file_must_go(project: Project, generate: Generate) -> None:
    (project.root / CARD).unlink()
    (project.root / CARD).mkdir()
    with pytest.raises(ProjectError, match=f"{CARD} is no file"):
        generate(project, force=True)


def test_a_file_where_a_folder_must_go(project: Project, generate: Generate) -> None:
    for path in (project.root / "generated/tests").iterdir():
        path.unlink()
    (project.root / "generated/tests").rmdir()
    (project.root / "generated/tests").write_text("mine\n", "utf-8")
    with pytest.raises(ProjectError, match="generated/tests is no folder"):
        generate(project, force=True)
    assert (project.root / "generated/tests").read_text("utf-8") == "mine\n"


def _folder(path: Path) -> None:
    path.mkdir()


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere.yaml")


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("odd", [_folder, _dangling, _loop, _pipe])
def test_a_spec_that_is_no_file_is_named(project: Project, odd: Callable[[Path], None]) -> None:
    odd(project.root / "specs/odd.yaml")
    assert unchanged_files(project.root) is None
    with pytest.raises(ProjectError, match=r"specs/odd\.yaml is no file"):
        build(project)
    with pytest.raises(ProjectError, match=r"specs/odd\.yaml is no file"):
        check_project(project)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_what_the_system_forbids_is_one_line(project: Project) -> None:
    (project.root / "specs/hello.yaml").chmod(0)
    with pytest.raises(ProjectError, match=r"specs/hello\.yaml: Permission denied"):
        build(project)


def test_a_full_disk_is_one_line_and_leaves_the_old_tree(
    project: Project, generate: Generate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stands in for a full disk, which a test cannot have."""
    before = (project.root / CARD).read_bytes()
    change(project)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("cardwright_generator.writer._write", full)
        with pytest.raises(ProjectError, match="generated: No space left on device"):
            generate(project)
    assert (project.root / CARD).read_bytes() == before
    assert not project.staging.exists()
    assert CARD in generate(project).written


def test_line_endings_of_a_checkout_are_no_edit(project: Project, generate: Generate) -> None:
    for path in (project.root / "generated").rglob("*"):
        if path.is_file() and path.suffix in (".py", ".md", ".yaml", ".json"):
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert "CW902" not in {found.code for found in check_project(project).diagnostics}
    change(project)
    report = generate(project)
    assert CARD in report.written
    assert not report.refused
