# Generated from specs/workspace.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""How `WorkspaceTool` is wired: what it serves when, what keeps loading, what its logic must look like."""

import json
from typing import cast

import pytest
from pydantic import ValidationError

from cardwright.actors import deserialize_object, serialize
from cardwright.core import (
    BaseToolParam,
    CardDefinitionError,
    Channels,
    ToolObserver,
    ToolObserverGone,
)
from cardwright.core.conformity import logic_problems
from cardwright.core.testing import (
    bind_stub,
    command_names,
    prompt_names,
    provider_names,
    tool_names,
)
from cardwright_cards.workspace.card import (
    ExpandMediaRefs,
    WorkspaceDelete,
    WorkspaceEdit,
    WorkspaceExec,
    WorkspaceGlob,
    WorkspaceGrep,
    WorkspaceList,
    WorkspaceMkdir,
    WorkspaceMultiEdit,
    WorkspacePatch,
    WorkspaceRead,
    WorkspaceTool,
    WorkspaceView,
    WorkspaceWrite,
)
from cardwright_cards.workspace.contract import WorkspaceContract


def served(card: WorkspaceTool) -> dict[str, list[str]]:
    """What the card serves on each channel; channels without anything are left out."""
    bind_stub(card, WorkspaceContract)
    found = {
        "tools": tool_names(card),
        "prompts": prompt_names(card),
        "states": provider_names(card),
        "commands": command_names(card),
    }
    return {channel: names for channel, names in found.items() if names}


CASES = [
    pytest.param(
        WorkspaceTool(),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
                "workspace_write",
                "workspace_delete",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_mkdir",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="as constructed",
    ),
    pytest.param(
        WorkspaceTool(workspace_exec=True),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
                "workspace_write",
                "workspace_delete",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_mkdir",
                "workspace_exec",
                "workspace_exec_result",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="everything on",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_list=False,
            workspace_glob=False,
            workspace_grep=False,
            workspace_view=False,
            workspace_write=False,
            workspace_delete=False,
            workspace_edit=False,
            workspace_multi_edit=False,
            workspace_patch=False,
            workspace_mkdir=False,
            expand_media_refs=False,
        ),
        {},
        id="everything off",
    ),
    pytest.param(
        WorkspaceTool(workspace_read=False, workspace_exec=True),
        {
            "tools": [
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
                "workspace_write",
                "workspace_delete",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_mkdir",
                "workspace_exec",
                "workspace_exec_result",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="without workspace_read",
    ),
    pytest.param(
        WorkspaceTool(workspace_list=False, workspace_exec=True),
        {
            "tools": [
                "workspace_read",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
                "workspace_write",
                "workspace_delete",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_mkdir",
                "workspace_exec",
                "workspace_exec_result",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="without workspace_list",
    ),
    pytest.param(
        WorkspaceTool(workspace_glob=False, workspace_exec=True),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_grep",
                "workspace_view",
                "workspace_write",
                "workspace_delete",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_mkdir",
                "workspace_exec",
                "workspace_exec_result",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="without workspace_glob",
    ),
    pytest.param(
        WorkspaceTool(workspace_grep=False, workspace_exec=True),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_view",
                "workspace_write",
                "workspace_delete",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_mkdir",
                "workspace_exec",
                "workspace_exec_result",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="without workspace_grep",
    ),
    pytest.param(
        WorkspaceTool(workspace_view=False, workspace_exec=True),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_write",
                "workspace_delete",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_mkdir",
                "workspace_exec",
                "workspace_exec_result",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="without workspace_view",
    ),
    pytest.param(
        WorkspaceTool(workspace_write=False, workspace_exec=True),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
                "workspace_delete",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_mkdir",
                "workspace_exec",
                "workspace_exec_result",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="without workspace_write",
    ),
    pytest.param(
        WorkspaceTool(workspace_delete=False, workspace_exec=True),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
                "workspace_write",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_mkdir",
                "workspace_exec",
                "workspace_exec_result",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="without workspace_delete",
    ),
    pytest.param(
        WorkspaceTool(workspace_edit=False, workspace_exec=True),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
                "workspace_write",
                "workspace_delete",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_mkdir",
                "workspace_exec",
                "workspace_exec_result",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="without workspace_edit",
    ),
    pytest.param(
        WorkspaceTool(workspace_multi_edit=False, workspace_exec=True),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
                "workspace_write",
                "workspace_delete",
                "workspace_edit",
                "workspace_patch",
                "workspace_mkdir",
                "workspace_exec",
                "workspace_exec_result",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="without workspace_multi_edit",
    ),
    pytest.param(
        WorkspaceTool(workspace_patch=False, workspace_exec=True),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
                "workspace_write",
                "workspace_delete",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_mkdir",
                "workspace_exec",
                "workspace_exec_result",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="without workspace_patch",
    ),
    pytest.param(
        WorkspaceTool(workspace_mkdir=False, workspace_exec=True),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
                "workspace_write",
                "workspace_delete",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_exec",
                "workspace_exec_result",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="without workspace_mkdir",
    ),
    pytest.param(
        WorkspaceTool(),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
                "workspace_write",
                "workspace_delete",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_mkdir",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="without workspace_exec",
    ),
    pytest.param(
        WorkspaceTool(workspace_exec=True, expand_media_refs=False),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
                "workspace_write",
                "workspace_delete",
                "workspace_edit",
                "workspace_multi_edit",
                "workspace_patch",
                "workspace_mkdir",
                "workspace_exec",
                "workspace_exec_result",
            ]
        },
        id="without expand_media_refs",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_list=False,
            workspace_glob=False,
            workspace_grep=False,
            workspace_view=False,
            workspace_write=False,
            workspace_delete=False,
            workspace_edit=False,
            workspace_multi_edit=False,
            workspace_patch=False,
            workspace_mkdir=False,
            expand_media_refs=False,
        ),
        {"tools": ["workspace_read"]},
        id="workspace_read on tool_call alone",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_glob=False,
            workspace_grep=False,
            workspace_view=False,
            workspace_write=False,
            workspace_delete=False,
            workspace_edit=False,
            workspace_multi_edit=False,
            workspace_patch=False,
            workspace_mkdir=False,
            expand_media_refs=False,
        ),
        {"tools": ["workspace_list"]},
        id="workspace_list on tool_call alone",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_list=False,
            workspace_grep=False,
            workspace_view=False,
            workspace_write=False,
            workspace_delete=False,
            workspace_edit=False,
            workspace_multi_edit=False,
            workspace_patch=False,
            workspace_mkdir=False,
            expand_media_refs=False,
        ),
        {"tools": ["workspace_glob"]},
        id="workspace_glob on tool_call alone",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_list=False,
            workspace_glob=False,
            workspace_view=False,
            workspace_write=False,
            workspace_delete=False,
            workspace_edit=False,
            workspace_multi_edit=False,
            workspace_patch=False,
            workspace_mkdir=False,
            expand_media_refs=False,
        ),
        {"tools": ["workspace_grep"]},
        id="workspace_grep on tool_call alone",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_list=False,
            workspace_glob=False,
            workspace_grep=False,
            workspace_write=False,
            workspace_delete=False,
            workspace_edit=False,
            workspace_multi_edit=False,
            workspace_patch=False,
            workspace_mkdir=False,
            expand_media_refs=False,
        ),
        {"tools": ["workspace_view"]},
        id="workspace_view on tool_call alone",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_list=False,
            workspace_glob=False,
            workspace_grep=False,
            workspace_view=False,
            workspace_delete=False,
            workspace_edit=False,
            workspace_multi_edit=False,
            workspace_patch=False,
            workspace_mkdir=False,
            expand_media_refs=False,
        ),
        {"tools": ["workspace_write"]},
        id="workspace_write on tool_call alone",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_list=False,
            workspace_glob=False,
            workspace_grep=False,
            workspace_view=False,
            workspace_write=False,
            workspace_edit=False,
            workspace_multi_edit=False,
            workspace_patch=False,
            workspace_mkdir=False,
            expand_media_refs=False,
        ),
        {"tools": ["workspace_delete"]},
        id="workspace_delete on tool_call alone",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_list=False,
            workspace_glob=False,
            workspace_grep=False,
            workspace_view=False,
            workspace_write=False,
            workspace_delete=False,
            workspace_multi_edit=False,
            workspace_patch=False,
            workspace_mkdir=False,
            expand_media_refs=False,
        ),
        {"tools": ["workspace_edit"]},
        id="workspace_edit on tool_call alone",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_list=False,
            workspace_glob=False,
            workspace_grep=False,
            workspace_view=False,
            workspace_write=False,
            workspace_delete=False,
            workspace_edit=False,
            workspace_patch=False,
            workspace_mkdir=False,
            expand_media_refs=False,
        ),
        {"tools": ["workspace_multi_edit"]},
        id="workspace_multi_edit on tool_call alone",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_list=False,
            workspace_glob=False,
            workspace_grep=False,
            workspace_view=False,
            workspace_write=False,
            workspace_delete=False,
            workspace_edit=False,
            workspace_multi_edit=False,
            workspace_mkdir=False,
            expand_media_refs=False,
        ),
        {"tools": ["workspace_patch"]},
        id="workspace_patch on tool_call alone",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_list=False,
            workspace_glob=False,
            workspace_grep=False,
            workspace_view=False,
            workspace_write=False,
            workspace_delete=False,
            workspace_edit=False,
            workspace_multi_edit=False,
            workspace_patch=False,
            expand_media_refs=False,
        ),
        {"tools": ["workspace_mkdir"]},
        id="workspace_mkdir on tool_call alone",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_list=False,
            workspace_glob=False,
            workspace_grep=False,
            workspace_view=False,
            workspace_write=False,
            workspace_delete=False,
            workspace_edit=False,
            workspace_multi_edit=False,
            workspace_patch=False,
            workspace_mkdir=False,
            workspace_exec=True,
            expand_media_refs=False,
        ),
        {"tools": ["workspace_exec", "workspace_exec_result"]},
        id="workspace_exec on tool_call alone",
    ),
    pytest.param(
        WorkspaceTool(
            workspace_read=False,
            workspace_list=False,
            workspace_glob=False,
            workspace_grep=False,
            workspace_view=False,
            workspace_write=False,
            workspace_delete=False,
            workspace_edit=False,
            workspace_multi_edit=False,
            workspace_patch=False,
            workspace_mkdir=False,
        ),
        {"commands": ["_expand_media_refs"]},
        id="expand_media_refs on command alone",
    ),
    pytest.param(
        WorkspaceTool(read_only=True, workspace_exec=True),
        {
            "tools": [
                "workspace_read",
                "workspace_list",
                "workspace_glob",
                "workspace_grep",
                "workspace_view",
            ],
            "commands": ["_expand_media_refs"],
        },
        id="read_only set",
    ),
]


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_serves_exactly(card: WorkspaceTool, expected: dict[str, list[str]]) -> None:
    assert served(card) == expected


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_survives_storage(card: WorkspaceTool, expected: dict[str, list[str]]) -> None:
    stored = serialize(card)
    restored = deserialize_object(json.loads(json.dumps(stored)))
    assert isinstance(restored, WorkspaceTool)
    assert serialize(restored) == stored
    assert served(restored) == expected
    assert WorkspaceTool.model_validate(card.model_dump()).model_dump() == card.model_dump()
    assert (
        WorkspaceTool.model_validate_json(card.model_dump_json()).model_dump() == card.model_dump()
    )


@pytest.mark.parametrize(
    ("param", "channel"),
    [
        (WorkspaceRead, Channels.SYSTEM_PROMPT),
        (WorkspaceRead, Channels.LLM_CONTEXT),
        (WorkspaceRead, Channels.COMMAND),
        (WorkspaceList, Channels.SYSTEM_PROMPT),
        (WorkspaceList, Channels.LLM_CONTEXT),
        (WorkspaceList, Channels.COMMAND),
        (WorkspaceGlob, Channels.SYSTEM_PROMPT),
        (WorkspaceGlob, Channels.LLM_CONTEXT),
        (WorkspaceGlob, Channels.COMMAND),
        (WorkspaceGrep, Channels.SYSTEM_PROMPT),
        (WorkspaceGrep, Channels.LLM_CONTEXT),
        (WorkspaceGrep, Channels.COMMAND),
        (WorkspaceView, Channels.SYSTEM_PROMPT),
        (WorkspaceView, Channels.LLM_CONTEXT),
        (WorkspaceView, Channels.COMMAND),
        (WorkspaceWrite, Channels.SYSTEM_PROMPT),
        (WorkspaceWrite, Channels.LLM_CONTEXT),
        (WorkspaceWrite, Channels.COMMAND),
        (WorkspaceDelete, Channels.SYSTEM_PROMPT),
        (WorkspaceDelete, Channels.LLM_CONTEXT),
        (WorkspaceDelete, Channels.COMMAND),
        (WorkspaceEdit, Channels.SYSTEM_PROMPT),
        (WorkspaceEdit, Channels.LLM_CONTEXT),
        (WorkspaceEdit, Channels.COMMAND),
        (WorkspaceMultiEdit, Channels.SYSTEM_PROMPT),
        (WorkspaceMultiEdit, Channels.LLM_CONTEXT),
        (WorkspaceMultiEdit, Channels.COMMAND),
        (WorkspacePatch, Channels.SYSTEM_PROMPT),
        (WorkspacePatch, Channels.LLM_CONTEXT),
        (WorkspacePatch, Channels.COMMAND),
        (WorkspaceMkdir, Channels.SYSTEM_PROMPT),
        (WorkspaceMkdir, Channels.LLM_CONTEXT),
        (WorkspaceMkdir, Channels.COMMAND),
        (WorkspaceExec, Channels.SYSTEM_PROMPT),
        (WorkspaceExec, Channels.LLM_CONTEXT),
        (WorkspaceExec, Channels.COMMAND),
        (ExpandMediaRefs, Channels.TOOL_CALL),
        (ExpandMediaRefs, Channels.SYSTEM_PROMPT),
        (ExpandMediaRefs, Channels.LLM_CONTEXT),
    ],
)
def test_refuses_a_channel_it_does_not_serve(param: type[BaseToolParam], channel: Channels) -> None:
    with pytest.raises(ValidationError, match=f"not served on {channel}"):
        param.model_validate({"expose": [channel]})


def test_unbound_refuses() -> None:
    card = WorkspaceTool()
    with pytest.raises(ToolObserverGone, match="WorkspaceTool is not bound"):
        _ = card.logic


def test_refuses_an_agent_that_lacks_members() -> None:
    class Nobody: ...

    card, nobody = WorkspaceTool(), cast("ToolObserver", Nobody())
    with pytest.raises(CardDefinitionError, match=r"Nobody lacks .*notify_event"):
        card.observer(nobody)


def test_the_logic_fits_its_contract() -> None:
    assert logic_problems(WorkspaceTool, WorkspaceContract) == []
