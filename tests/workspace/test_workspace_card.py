"""The card as agents of a team carry it: what it serves, how it is bound, reads beside writes."""

import base64
import binascii
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast
from uuid import UUID

import pytest
from pydantic import ValidationError

from cardwright import LocalTeam
from cardwright.actors import stored_context
from cardwright.bench import LocalAgent, RetryRequested
from cardwright.cli.app import run
from cardwright.core import MediaContent, ToolObserverGone
from cardwright.workspace import (
    DocumentReader,
    Resource,
    WorkspaceActor,
    WorkspaceExec,
    WorkspaceGlob,
    WorkspaceRead,
    WorkspaceTool,
    workspace_actor_name,
)

READS = ["workspace_read", "workspace_list", "workspace_glob", "workspace_grep", "workspace_view"]
WRITES = [
    "workspace_write",
    "workspace_delete",
    "workspace_edit",
    "workspace_multi_edit",
    "workspace_patch",
    "workspace_mkdir",
]
EXEC = ["workspace_exec", "workspace_exec_result"]
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAA"
    "AABJRU5ErkJggg=="
)


@pytest.fixture
def local(trees: Path) -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


def box(**settings: object) -> WorkspaceTool:
    return WorkspaceTool.model_validate({"workspace_id": "box", **settings})


def names(card: WorkspaceTool, local: LocalTeam) -> list[str]:
    return list(local.agent("@Anna", cards=[card]).tools)


def refusal(agent: LocalAgent, tool: str, **arguments: object) -> tuple[str | None, str]:
    with pytest.raises(RetryRequested) as caught:
        agent.call(tool, **arguments)
    return caught.value.failure, str(caught.value)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, READS + WRITES),
        ({"workspace_exec": {"mode": "local"}}, READS + WRITES + EXEC),
        ({"read_only": True}, READS),
        ({"read_only": True, "workspace_exec": True}, READS),
        ({"workspace_edit": False}, READS + [each for each in WRITES if each != "workspace_edit"]),
        ({"read_only": True, **dict.fromkeys(READS, False)}, []),
        ({"workspace_exec": {"expose": []}}, READS + WRITES),
    ],
)
def test_what_is_served_1_2_3(
    local: LocalTeam, settings: dict[str, object], expected: list[str]
) -> None:
    assert names(box(**settings), local) == expected


@pytest.mark.parametrize(
    "settings",
    [{"read_only": True, "workspace_exec": True}, {"workspace_exec": {"expose": []}}, {}],
)
def test_a_card_without_commands_probes_nothing_2_3(
    local: LocalTeam, settings: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def probed(*_: object) -> None:
        pytest.fail("the host was probed")

    monkeypatch.setattr("cardwright.workspace.logic.prepare_execution", probed)
    local.agent("@Anna", cards=[box(**settings)])
    with pytest.raises(LookupError):
        local.actor("#SandboxActor-box", WorkspaceActor)


def test_a_card_needs_a_team_4(trees: Path) -> None:
    from tests.workspace.workspace_support import Loner

    card = box()
    with pytest.raises(ValueError, match="WorkspaceTool needs a team"):
        card.observer(Loner())
    with pytest.raises(ToolObserverGone):
        card.bound_logic()
    assert list(trees.iterdir()) == []


def test_each_tree_has_its_actor_and_a_team_its_own_5(local: LocalTeam, trees: Path) -> None:
    anna = local.agent("@Anna", cards=[box()])
    bob = local.agent("@Bob", cards=[box(workspace_id="other")])
    eve = local.agent("@Eve", cards=[WorkspaceTool()])
    for agent in (anna, bob, eve):
        agent.call("workspace_write", path="a.txt", content=agent.name)
    team_id = str(anna.member.team_id)
    for name, who in (("box", "@Anna"), ("other", "@Bob"), (team_id, "@Eve")):
        assert (trees / name / "a.txt").read_text() == who
        local.actor(workspace_actor_name(name), WorkspaceActor)


@pytest.mark.parametrize("name", ["../x", "a/b", ".hidden", "", "x" * 129, "a\n", "..", "ü"])
def test_names_that_are_no_directory_are_refused_t13(name: str) -> None:
    with pytest.raises(ValidationError):
        box(workspace_id=name)


def test_resources_are_put_there_once_6(local: LocalTeam, trees: Path) -> None:
    resources = [
        Resource(file_name="docs/a.txt", content="hé"),
        Resource(file_name="p.png", file_type="image", content=PIXEL),
    ]
    local.agent("@Anna", cards=[box(resources=resources)])
    assert (trees / "box/docs/a.txt").read_bytes() == "hé".encode()
    assert (trees / "box/p.png").read_bytes() == base64.b64decode(PIXEL)
    (trees / "box/docs/a.txt").write_text("changed")
    (trees / "box/p.png").unlink()
    local.agent("@Bob", cards=[box(resources=resources)])
    assert (trees / "box/docs/a.txt").read_text() == "changed"
    assert (trees / "box/p.png").exists()


@pytest.mark.parametrize(
    ("resource", "error"),
    [
        (Resource(file_name="../a.txt", content="x"), PermissionError),
        (Resource(file_name="p.png", file_type="image", content="?"), binascii.Error),
    ],
)
def test_a_bad_resource_aborts_the_bind_before_anything_is_written_6(
    local: LocalTeam, trees: Path, resource: Resource, error: type[Exception]
) -> None:
    good = Resource(file_name="good.txt", content="x")
    with pytest.raises(error):
        local.agent("@Anna", cards=[box(resources=[good, resource])])
    assert not (trees / "box/good.txt").exists()


def test_the_whole_card_round_trips_58(trees: Path) -> None:
    card = box(
        git_journal=True,
        resources=[Resource(file_name="a", content="b")],
        workspace_read=WorkspaceRead(document_reader=DocumentReader(llm_client=None)),
        workspace_exec=WorkspaceExec(mode="bwrap", poll_attempts=0),
        workspace_glob=WorkspaceGlob(max_results=3),
        workspace_patch=False,
    )
    stored = card.model_dump(mode="json")
    assert WorkspaceTool.model_validate(stored, context=stored_context()) == card
    reader = set(DocumentReader().model_dump()) - {"__model__"}
    assert reader == {"llm_client", "llm_model"}


def test_poll_attempts_below_minus_one_are_refused_48() -> None:
    with pytest.raises(ValidationError):
        WorkspaceExec(poll_attempts=-2)


def test_no_signature_has_a_digest_or_a_way_around_the_gate(local: LocalTeam) -> None:
    agent = local.agent("@Anna", cards=[box(workspace_exec={"mode": "local"})])
    arguments = {
        name
        for tool in agent.tools
        for name in cast("dict[str, object]", agent.schema(tool).get("properties", {}))
    }
    forbidden = {"expected", "sha", "digest", "force", "hash", "overwrite", "mode", "timeout"}
    assert arguments & forbidden == set()


def test_a_read_makes_a_write_possible(local: LocalTeam, trees: Path) -> None:
    anna = local.agent("@Anna", cards=[box()])
    (trees / "box/a.txt").write_text("one\ntwo\n")
    failure, text = refusal(anna, "workspace_write", path="a.txt", content="new\n")
    assert failure == "stale"
    assert "you have not read it" in text
    assert anna.call("workspace_read", path="a.txt") == "1     one\n2     two"
    assert anna.call("workspace_write", path="./a.txt", content="new\n") == "Written: ./a.txt"


def test_a_page_makes_an_edit_possible_and_no_write_7_8_23(local: LocalTeam, trees: Path) -> None:
    anna = local.agent("@Anna", cards=[box()])
    (trees / "box/a.txt").write_text("".join(f"line {n}\n" for n in range(1, 3501)))
    shown = str(anna.call("workspace_read", path="a.txt")).splitlines()
    assert len(shown) == 2001
    assert "3500 lines total" in shown[-1]
    assert refusal(anna, "workspace_write", path="a.txt", content="x")[0] == "stale"
    page = str(anna.call("workspace_read", path="a.txt", offset=2001, limit=1500))
    assert page.splitlines()[0].startswith("2001  line 2001")
    anna.call("workspace_write", path="a.txt", content="both pages were read\n")


@pytest.mark.parametrize(("offset", "expected"), [(0, "1     one"), (-3, "1     one"), (9, "")])
def test_offsets_beyond_the_file_9(
    local: LocalTeam, trees: Path, offset: int, expected: str
) -> None:
    anna = local.agent("@Anna", cards=[box()])
    (trees / "box/a.txt").write_text("one")
    assert anna.call("workspace_read", path="a.txt", offset=offset) == expected
    if offset == 9:
        assert refusal(anna, "workspace_write", path="a.txt", content="x")[0] == "stale"


def test_an_empty_file_is_seen_in_full_9(local: LocalTeam, trees: Path) -> None:
    anna = local.agent("@Anna", cards=[box()])
    (trees / "box/a.txt").touch()
    assert anna.call("workspace_read", path="a.txt") == ""
    assert anna.call("workspace_write", path="a.txt", content="x") == "Written: a.txt"


def test_an_image_that_was_looked_at_may_be_replaced_t10(local: LocalTeam, trees: Path) -> None:
    image = Resource(file_name="p.png", file_type="image", content=PIXEL)
    anna = local.agent("@Anna", cards=[box(resources=[image])])
    assert refusal(anna, "workspace_delete", path="p.png")[0] == "stale"
    seen = anna.call("workspace_view", path="p.png")
    assert isinstance(seen, MediaContent)
    assert (seen.media_type, seen.data) == ("image/png", base64.b64decode(PIXEL))
    assert anna.call("workspace_delete", path="p.png") == "Deleted: p.png"


def test_the_other_agent_is_named_in_a_refusal(local: LocalTeam) -> None:
    anna = local.agent("@Anna", cards=[box()])
    bob = local.agent("@Bob", cards=[box()])
    anna.call("workspace_write", path="a.txt", content="hers\n")
    failure, text = refusal(bob, "workspace_write", path="a.txt", content="his\n")
    assert failure == "stale"
    assert "last written by @Anna" in text
    assert re.search(r"^-hers$", text, re.MULTILINE)


def test_every_change_through_the_card(local: LocalTeam, trees: Path) -> None:
    anna = local.agent("@Anna", cards=[box()])
    assert anna.call("workspace_mkdir", path="d/e") == "Created: d/e"
    assert anna.call("workspace_mkdir", path="d/e") == "Created: d/e"
    assert anna.call("workspace_write", path="d/a.txt", content="one\n") == "Written: d/a.txt"
    edited = anna.call("workspace_edit", path="d/a.txt", old_string="one", new_string="two")
    assert edited == "--- a/d/a.txt\n+++ b/d/a.txt\n@@ -1 +1 @@\n-one\n+two"
    same = anna.call("workspace_edit", path="d/a.txt", old_string="two", new_string="two")
    assert same == "(no change) d/a.txt"
    missed = anna.call("workspace_edit", path="d/a.txt", old_string="no such", new_string="x")
    assert str(missed).startswith("[ERROR] old_string not found in d/a.txt")
    edits = [{"path": "d/a.txt", "old_string": "two", "new_string": "three"}]
    assert "+three" in str(anna.call("workspace_multi_edit", edits=edits))
    assert anna.call("workspace_multi_edit", edits=[]) == "(no changes applied)"
    patch = "--- a/d/a.txt\n+++ b/d/a.txt\n@@ -1 +1 @@\n-three\n+four\n"
    assert anna.call("workspace_patch", patch_text=patch) == "updated: d/a.txt"
    assert (trees / "box/d/a.txt").read_text() == "four\n"
    assert anna.call("workspace_delete", path="d/a.txt") == "Deleted: d/a.txt"


@pytest.mark.parametrize("tool", [*READS[:2], "workspace_view", *WRITES[:3], "workspace_mkdir"])
@pytest.mark.parametrize(
    "path", ["../outside/secret.txt", "out/secret.txt", "a\0b", "\ud800", "f/x", "d", "y" * 300]
)
def test_hostile_paths_end_in_a_refusal_t12_t13(
    local: LocalTeam, trees: Path, tool: str, path: str
) -> None:
    anna = local.agent("@Anna", cards=[box()])
    (trees / "outside").mkdir()
    (trees / "outside/secret.txt").write_text("secret")
    (trees / "box/out").symlink_to("../outside")
    (trees / "box/f").write_text("file")
    (trees / "box/d").mkdir()
    arguments: dict[str, object] = {"path": path}
    if tool == "workspace_write":
        arguments["content"] = "x"
    if tool == "workspace_edit":
        arguments |= {"old_string": "a", "new_string": "b"}
    if path == "d" and tool in {"workspace_list", "workspace_mkdir"}:
        anna.call(tool, **arguments)
        return
    _, text = refusal(anna, tool, **arguments)
    assert "secret\n" not in text
    assert sorted(each.name for each in (trees / "outside").iterdir()) == ["secret.txt"]


def test_cards_of_one_tree_may_differ_in_the_journal_and_the_first_decides(
    local: LocalTeam, trees: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "cardwright.workspace")
    local.agent("@Anna", cards=[box(git_journal=True)])
    bob = local.agent("@Bob", cards=[box()])
    bob.call("workspace_write", path="a.txt", content="x")
    assert (trees / "box.git/HEAD").exists()
    assert "keeps the journal setting of its first card" in caplog.text


def test_a_later_card_is_warned_once_that_its_journal_is_not_kept(
    local: LocalTeam,
    trees: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    local.agent("@Anna", cards=[box()])
    local.agent("@Bob", cards=[box(git_journal=True)])
    (warned,) = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert "Set git_journal=True on that card" in warned.getMessage()
    assert not (trees / "box.git").exists()
    assert run(["workspace", "log", "box"]) == 2
    assert "the first card of the tree needs git_journal=True" in " ".join(
        capsys.readouterr().err.split()
    )


def test_a_command_runs_in_the_tree_43(local: LocalTeam, trees: Path) -> None:
    anna = local.agent("@Anna", cards=[box(workspace_exec={"mode": "local"}, git_journal=True)])
    anna.call("workspace_write", path="a.txt", content="one\n")
    text = str(anna.call("workspace_exec", cmd="sh -c 'cat a.txt; echo two > b.txt'"))
    assert text.startswith("exit_code: 0 (OK)")
    assert "one" in text
    assert (trees / "box/b.txt").read_text() == "two\n"
    assert refusal(anna, "workspace_write", path="b.txt", content="x")[0] == "stale"


def test_prompts_are_expanded_18(local: LocalTeam) -> None:
    image = Resource(file_name="p.png", file_type="image", content=PIXEL)
    anna = local.agent("@Anna", cards=[box(resources=[image])])
    expand = anna.commands.callable("_expand_media_refs")
    assert expand("look at !!p.png") == [
        "look at ",
        MediaContent(data=base64.b64decode(PIXEL), media_type="image/png"),
        "",
    ]


def test_a_resumed_team_reads_again(trees: Path, tmp_path: Path) -> None:
    store, team_id = f"sqlite:///{tmp_path}/team.db", UUID(int=7)
    with LocalTeam(store=store, team_id=team_id) as team:
        anna = team.agent("@Anna", cards=[box()])
        anna.call("workspace_write", path="a.txt", content="one\n")
    with LocalTeam(store=store, team_id=team_id) as team:
        anna = team.agent("@Anna", cards=[box()])
        assert refusal(anna, "workspace_write", path="a.txt", content="two\n")[0] == "stale"
        anna.call("workspace_read", path="a.txt")
        assert anna.call("workspace_write", path="a.txt", content="two\n") == "Written: a.txt"


def test_nothing_stays_behind_when_a_team_stops(trees: Path) -> None:
    with LocalTeam() as team:
        team.agent("@Anna", cards=[box()]).call("workspace_write", path="a.txt", content="x")
    assert [path.name for path in trees.rglob("*") if path.is_file()] == ["a.txt", "lock"]
