"""Contract 3.9 (4): a refused change shows what became of the file, and is bounded."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cardwright.bench import LocalAgent, LocalTeam, RetryRequested
from cardwright.workspace import WorkspaceTool
from cardwright.workspace.gate.contents import SeenContents

PATCH = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+ONE\n"
CHANGES: dict[str, dict[str, object]] = {
    "workspace_edit": {"path": "a.txt", "old_string": "one", "new_string": "ONE"},
    "workspace_multi_edit": {
        "edits": [{"path": "a.txt", "old_string": "one", "new_string": "ONE"}]
    },
    "workspace_patch": {"patch_text": PATCH},
    "workspace_delete": {"path": "a.txt"},
}

type Refused = Callable[..., str]


@pytest.fixture
def agents(trees: Path) -> Iterator[tuple[LocalAgent, LocalAgent]]:
    with LocalTeam() as team:
        cards = [WorkspaceTool(workspace_id="box")]
        yield team.agent("@Anna", cards=cards), team.agent("@Bob", cards=cards)


def refused(agent: LocalAgent, tool: str) -> str:
    with pytest.raises(RetryRequested) as refusal:
        agent.call(tool, **CHANGES[tool])
    assert refusal.value.failure == "stale"
    return str(refusal.value)


@pytest.mark.parametrize("tool", CHANGES)
def test_what_another_agent_made_of_it_is_shown(
    agents: tuple[LocalAgent, LocalAgent], tool: str
) -> None:
    anna, bob = agents
    anna.call("workspace_write", path="a.txt", content="one\ntwo\n")
    bob.call("workspace_read", path="a.txt")
    bob.call("workspace_write", path="a.txt", content="uno\ntwo\n")
    text = refused(anna, tool)
    assert "It was last written by @Bob." in text
    assert "Read it again" in text
    assert "--- seen/a.txt\n+++ live/a.txt\n@@ -1,2 +1,2 @@\n-one\n+uno\n two" in text
    assert "It has 2 lines now, sha256 " in text


@pytest.mark.parametrize("tool", CHANGES)
def test_what_came_from_outside_is_shown_against_what_was_read(
    agents: tuple[LocalAgent, LocalAgent], trees: Path, tool: str
) -> None:
    file = trees / "box/a.txt"
    file.write_bytes("\ufeffone\r\ntwo\r\n".encode("utf-16-le"))
    agents[0].call("workspace_read", path="a.txt")
    file.write_bytes("\ufeffuno\r\ntwo\r\n".encode("utf-16-le"))
    text = refused(agents[0], tool)
    assert "came from outside" in text
    assert "\n-one\r\n+uno\r\n two" in text


def test_a_long_difference_is_cut_to_200_lines(
    agents: tuple[LocalAgent, LocalAgent], trees: Path
) -> None:
    file = trees / "box/a.txt"
    file.write_text("one\n" + "".join(f"{number}\n" for number in range(5000)))
    agents[0].call("workspace_read", path="a.txt", limit=10_000)
    file.write_text("".join(f"{-number}\n" for number in range(5000)))
    lines = refused(agents[0], "workspace_edit").splitlines()
    assert lines[-1].endswith("more lines of the difference left out ...]")
    assert lines.index("--- seen/a.txt") + 201 == len(lines)


@pytest.mark.parametrize("read", [False, True])
def test_what_is_no_text_or_was_not_read_is_told_by_its_size_alone(
    agents: tuple[LocalAgent, LocalAgent], trees: Path, *, read: bool
) -> None:
    file = trees / "box/a.txt"
    file.write_bytes(b"one\n")
    if read:
        agents[0].call("workspace_read", path="a.txt")
    file.write_bytes(b"\xff\x00binary\n")
    text = refused(agents[0], "workspace_delete")
    assert "It has 1 line now, sha256 " in text
    assert "seen/" not in text


def test_contents_are_kept_within_their_bounds() -> None:
    kept = SeenContents(room=100, largest=60)
    kept.keep("large", b"x" * 61)
    for name in "abc":
        kept.keep(name, name.encode() * 40)
        kept.keep(name, name.encode() * 40)
        kept.keep("a", b"a" * 40)
    assert [kept.get(name) is not None for name in ("large", "a", "b", "c")] == [
        False,
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("tool", CHANGES)
def test_nobody_is_sent_to_read_what_is_no_text(
    agents: tuple[LocalAgent, LocalAgent], trees: Path, tool: str
) -> None:
    (trees / "box" / "a.txt").write_bytes(b"one caf\xe9\n")
    told = refused(agents[0], tool)
    assert "use a command, or another name" in told
    assert "Read it again" not in told


def test_bytes_that_are_no_text_are_no_difference(
    agents: tuple[LocalAgent, LocalAgent], trees: Path
) -> None:
    (trees / "box" / "a.txt").write_bytes(bytes(range(256)))
    with pytest.raises(RetryRequested, match="It has 3 lines now") as refusal:
        agents[0].call("workspace_write", path="a.txt", content="x")
    assert "live/a.txt" not in str(refusal.value)
