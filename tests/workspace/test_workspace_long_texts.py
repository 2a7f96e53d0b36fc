"""A call carries a whole file of usual size; beyond the declared bound there is one clear error."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardwright.bench import LocalAgent, LocalTeam, RetryRequested
from cardwright.workspace import WorkspaceTool


@pytest.fixture
def agent(trees: Path) -> Iterator[LocalAgent]:
    with LocalTeam() as team:
        yield team.agent("@A", cards=[WorkspaceTool(workspace_id="box")])


def test_a_file_of_300_kb_is_written_edited_and_patched(agent: LocalAgent, trees: Path) -> None:
    content = "".join(f"line {number} «déjà vu»\n" for number in range(13_000))
    assert len(content.encode()) > 300_000
    agent.call("workspace_write", path="a.txt", content=content)
    assert (trees / "box/a.txt").read_text() == content
    agent.call("workspace_edit", path="a.txt", old_string=content, new_string="x" + content)
    edits = [{"path": "a.txt", "old_string": "x" + content, "new_string": content}]
    agent.call("workspace_multi_edit", edits=edits)
    lines = content.splitlines()
    body = "".join(f"+{line}\n" for line in lines)
    patch = f"--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,{len(lines)} @@\n{body}"
    agent.call("workspace_patch", patch_text=patch)
    assert (trees / "box/a.txt").read_text() == (trees / "box/b.txt").read_text() == content


@pytest.mark.parametrize(
    ("tool", "argument"),
    [
        ("workspace_write", "content"),
        ("workspace_edit", "old_string"),
        ("workspace_edit", "new_string"),
        ("workspace_patch", "patch_text"),
    ],
)
def test_a_longer_text_is_refused_with_the_bound(
    agent: LocalAgent, tool: str, argument: str
) -> None:
    told = {"path": "a.txt", "content": "", "old_string": "a", "new_string": "b"}
    wanted = {
        "workspace_write": ("path", "content"),
        "workspace_edit": ("path", "old_string", "new_string"),
        "workspace_patch": (),
    }[tool]
    arguments = {name: told[name] for name in wanted} | {argument: "x" * 2_000_001}
    with pytest.raises(RetryRequested, match="2000000 characters") as refused:
        agent.call(tool, **arguments)
    assert argument in str(refused.value)


def test_what_escapes_make_of_the_longest_text_still_fits(agent: LocalAgent) -> None:
    tool = agent.tools["workspace_write"]
    text = json.dumps({"path": "a.txt", "content": "é" * 2_000_000})
    assert len(text) > 12_000_000
    assert tool.validator.arguments(text)["content"] == "é" * 2_000_000


def test_other_calls_keep_the_usual_ceiling(agent: LocalAgent) -> None:
    with pytest.raises(RetryRequested, match="65536 are allowed"):
        agent.call("workspace_read", path="x" * 70_000)
