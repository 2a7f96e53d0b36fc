"""Where the two versions come from: commits, branches, folders, and what cannot be read."""

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.breaking.breaking_history import SETTINGS, History
from tests.breaking.test_breaking_refactors import CARD, CLOCK

from cardwright_generator.breaking import Finding, Step, compare, judge, load_sides
from cardwright_generator.project import ProjectError, find_project
from cardwright_generator.waivers import Waiver

TIGHTER = CARD.replace("maximum: 14", "maximum: 7")


def rules(found: tuple[Finding, ...]) -> list[str]:
    return sorted({one.rule.id for one in found})


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    made = History(tmp_path_factory.mktemp("sides"))
    made.commit({"specs/weather.yaml": CARD, "specs/clock.yaml": CLOCK})
    made.git("tag", "v1")
    return made


def test_commits_branches_tags_and_expressions(history: History) -> None:
    history.commit({"specs/weather.yaml": TIGHTER})
    expected = ["field-bound-tightened"]
    assert rules(history.since("v1")) == rules(history.since("HEAD~1")) == expected
    assert rules(history.since(history.git("rev-parse", "v1"))) == expected
    assert rules(history.since("main")) == []


def test_uncommitted_changes_count_and_nothing_is_touched(history: History) -> None:
    history.git("checkout", "--quiet", "v1")
    (history.root / "specs/weather.yaml").write_text(TIGHTER, encoding="utf-8")
    (history.root / "notes.txt").write_text("mine", encoding="utf-8")
    history.git("add", "notes.txt")
    before = history.git("status", "--porcelain")
    index = (history.root / ".git/index").read_bytes()
    assert rules(history.since("v1")) == ["field-bound-tightened"]
    assert (history.root / ".git/index").read_bytes() == index
    assert history.git("status", "--porcelain") == before
    history.git("checkout", "--quiet", "--force", "main")


def test_places_in_both_versions(history: History) -> None:
    (found,) = history.since("v1")
    assert str(found.before) == "specs/weather.yaml:29:41"
    assert str(found.after) == "specs/weather.yaml:29:41"
    assert found.card == "WeatherTool"
    assert found.subject == "capabilities.forecast.config.days.maximum"


def test_fingerprints_do_not_know_lines_and_tell_changes_apart(history: History) -> None:
    (found,) = history.since("v1")
    path = history.root / "specs/weather.yaml"
    path.write_text(f"# a\n# b\n\n{TIGHTER}", encoding="utf-8")
    (moved,) = history.since("v1")
    assert moved.after != found.after
    assert moved.fingerprint == found.fingerprint
    path.write_text(CARD.replace("maximum: 14", "maximum: 6"), encoding="utf-8")
    (other,) = history.since("v1")
    assert other.fingerprint != found.fingerprint
    path.write_text(TIGHTER, encoding="utf-8")


def test_a_folder_is_a_project_or_nothing_but_specs(history: History, tmp_path: Path) -> None:
    project = tmp_path / "copy"
    (project / "contracts").mkdir(parents=True)
    settings = f'{SETTINGS}specs = "contracts"\n'
    (project / "pyproject.toml").write_text(settings, encoding="utf-8")
    (project / "contracts/weather.yaml").write_text(CARD, encoding="utf-8")
    (project / "contracts/clock.yaml").write_text(CLOCK, encoding="utf-8")
    assert rules(history.since(str(project))) == ["field-bound-tightened"]
    assert rules(history.since(str(project / "contracts"))) == ["field-bound-tightened"]


def test_added_and_removed_cards_stand_in_one_version_only(history: History) -> None:
    history.commit({"specs/clock.yaml": None, "specs/watch.yaml": CLOCK.replace("Clock", "Watch")})
    found = {one.rule.id: one for one in history.since("HEAD~1")}
    assert found.keys() == {"card-added", "card-removed"}
    assert found["card-removed"].after is None
    assert found["card-added"].before is None
    history.git("reset", "--quiet", "--hard", "HEAD~1")


@pytest.mark.parametrize(
    ("against", "said"),
    [
        ("nowhere", "'nowhere' is neither a folder nor a commit, branch or tag"),
        ("--upload-pack=x", "is neither a folder nor a commit"),
        ("empty", "holds no specs"),
        ("", "nothing to compare with is named"),
        (" ", "nothing to compare with is named"),
        (".", "the folder . is the project itself"),
        ("specs", "the folder specs is the project itself"),
        ("empty/..", "is the project itself"),
        ("v1", "'v1' is a folder and a reference of git: write './v1'"),
    ],
)
def test_what_cannot_be_compared_with_is_said_in_one_line(
    history: History, against: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (history.root / "empty").mkdir(exist_ok=True)
    if against == "v1":
        (history.root / "v1").mkdir()
    monkeypatch.chdir(history.root)
    with pytest.raises(ProjectError, match=said) as caught:
        history.since(against)
    assert "\n" not in str(caught.value)
    if against == "v1":
        (history.root / "v1").rmdir()


def test_a_version_whose_specs_are_wrong_is_one_clear_error(history: History) -> None:
    history.commit({"specs/clock.yaml": CLOCK.replace("summary", "sumary")})
    (history.root / "specs/clock.yaml").write_text(CLOCK, encoding="utf-8")
    with pytest.raises(ProjectError, match="the specs of HEAD cannot be compared") as caught:
        history.since("HEAD")
    assert "specs/clock.yaml:2:1: CW201" in str(caught.value)
    history.git("reset", "--quiet", "--hard", "HEAD~1")


def test_without_a_repository(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/clock.yaml").write_text(CLOCK, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
    with pytest.raises(ProjectError, match=r"there is no git repository .*: fatal: "):
        load_sides(find_project(tmp_path), "main")


def test_what_git_refuses_is_told(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    project = find_project(history.root)
    with monkeypatch.context() as patch:
        patch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
        patch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        with pytest.raises(ProjectError, match="dubious ownership"):
            load_sides(project, "v1")
    monkeypatch.setenv("PATH", str(history.root))
    with pytest.raises(ProjectError, match="git is not installed: give a folder"):
        load_sides(project, "v1")


def test_a_shallow_clone_says_what_to_do(history: History, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    url = history.root.as_uri()
    command = ("git", "clone", "--quiet", "--depth", "1", "--no-tags", url, str(clone))
    subprocess.run(command, check=True, capture_output=True)
    with pytest.raises(ProjectError, match="in a shallow clone, fetch it first"):
        load_sides(find_project(clone), "v1")
    shutil.rmtree(clone)


def test_waivers_count_only_while_their_finding_is_there(history: History) -> None:
    found = history.since("v1")
    waiver = Waiver(found[0].fingerprint, "agreed with everybody")
    stale = Waiver("0123456789ab", "long ago")
    verdict = judge(found, [waiver, stale], "v1")
    assert verdict.findings == ()
    assert verdict.waived == ((found[0], waiver),)
    assert verdict.stale == (stale,)
    assert verdict.step is Step.MAJOR


def test_only_what_changed_and_what_it_reaches_is_read(history: History) -> None:
    sides = load_sides(find_project(history.root), "v1")
    assert set(sides.new.files) == set(sides.old.files) == {"specs/weather.yaml"}
    assert compare(sides.old, sides.new)
