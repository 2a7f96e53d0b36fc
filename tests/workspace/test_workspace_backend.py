"""The backend beside the card: contained, whole, and a change from outside to agents."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic_ai import Agent, ModelMessage, ModelResponse, RunContext, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.workspaces import WorkspaceRef, WorkspaceUnavailableError

from cardwright import LocalTeam
from cardwright.bench import RetryRequested
from cardwright.workspace import PathEscapeError, TreeBackend, WorkspaceTool


@pytest.fixture
def backend(trees: Path) -> Iterator[TreeBackend]:
    (trees / "outside").mkdir()
    (trees / "outside/secret.txt").write_text("secret")
    (trees / "box").mkdir()
    (trees / "box/out").symlink_to("../outside")
    yield TreeBackend("box")
    assert [path.name for path in (trees / "outside").iterdir()] == ["secret.txt"]


@pytest.mark.parametrize("path", ["out/secret.txt", "../outside/secret.txt", "/etc/passwd", "out"])
async def test_nothing_outside_is_reached(backend: TreeBackend, trees: Path, path: str) -> None:
    absolute = path if path.startswith("/") else f"{trees}/box/{path}"
    for attempt in (
        backend.read_bytes(absolute),
        backend.stat(absolute),
        backend.list_dir(absolute),
        backend.make_dir(f"{absolute}/made"),
        backend.write_bytes(absolute, b"owned"),
        backend.realpath(absolute),
        backend.exists(absolute),
    ):
        with pytest.raises(PathEscapeError):
            await attempt


async def test_a_link_is_removed_and_not_what_it_leads_to(
    backend: TreeBackend, trees: Path
) -> None:
    await backend.remove(f"{trees}/box/out")
    assert (await backend.list_dir(await backend.working_dir())) == []
    assert (trees / "outside/secret.txt").exists()


async def test_agents_are_told_of_what_was_written_through_it(
    backend: TreeBackend, trees: Path
) -> None:
    with LocalTeam() as team:
        anna = team.agent("@Anna", cards=[WorkspaceTool(workspace_id="box")])
        anna.call("workspace_write", path="a.txt", content="one\n")
        await backend.write_bytes(f"{trees}/box/a.txt", b"two\n")
        with pytest.raises(RetryRequested, match="came from outside") as caught:
            anna.call("workspace_write", path="a.txt", content="three\n")
    assert caught.value.failure == "stale"
    assert (trees / "box/a.txt").read_bytes() == b"two\n"


async def test_a_tree_that_is_gone_is_unavailable(trees: Path) -> None:
    ref = WorkspaceRef(provider="cardwright", id="nowhere")
    with pytest.raises(WorkspaceUnavailableError):
        await TreeBackend(ref=ref).working_dir()
    assert not (trees / "nowhere").exists()


@pytest.mark.parametrize(
    ("name", "ref"),
    [
        (None, None),
        ("box", WorkspaceRef(provider="cardwright", id="box")),
        (None, WorkspaceRef(provider="other", id="box")),
        ("../box", None),
    ],
)
def test_what_names_no_tree_is_refused(name: str | None, ref: WorkspaceRef | None) -> None:
    with pytest.raises(ValueError, match="name"):
        TreeBackend(name, ref=ref)


async def test_a_run_of_an_agent_works_in_it(trees: Path) -> None:
    def script(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            return ModelResponse([ToolCallPart("note", {})])
        return ModelResponse([TextPart("done")])

    agent = Agent(FunctionModel(script))

    @agent.tool
    async def note(ctx: RunContext) -> str:
        await ctx.workspace.write_text("notes/a.txt", "hello")
        return await ctx.workspace.read_text("notes/a.txt")

    assert (await agent.run("Note it.", workspace=TreeBackend("box"))).output == "done"
    assert (trees / "box/notes/a.txt").read_text() == "hello"
