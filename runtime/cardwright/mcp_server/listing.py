"""How a tool of ours is announced to an MCP client."""

from collections.abc import Iterable

from mcp.types import Tool, ToolAnnotations

from cardwright.core import MediaContent, ToolPolicy
from cardwright.tools import AnyTool, JsonSchema

_OBJECTS_ONLY = "object"
"""What an output schema must be at its root for every version of the protocol."""


def announced(tools: Iterable[AnyTool]) -> list[Tool]:
    """The tools as a client lists them: name, description and schema exactly as for a model."""
    return [
        Tool(
            name=tool.name,
            description=tool.description,
            input_schema=tool.parameters_schema,
            output_schema=output_schema(tool),
            annotations=_hints(tool.policy),
        )
        for tool in tools
    ]


def output_schema(tool: AnyTool) -> JsonSchema | None:
    """The schema of the structured result; `None` where the tool returns no one kind of object."""
    schema = tool.returns_schema
    if schema is None or schema.get("type") != _OBJECTS_ONLY or "properties" not in schema:
        return None
    # An image is an object to pydantic, and content of its own to a client.
    return None if tool.validator.signature.returns is MediaContent else schema


def _hints(policy: ToolPolicy) -> ToolAnnotations | None:
    """What is declared about repeating a call; nothing is claimed where nothing is declared."""
    if policy.idempotency is None:
        return None
    if policy.idempotency == "read_only":
        return ToolAnnotations(read_only_hint=True)
    return ToolAnnotations(
        read_only_hint=False,
        destructive_hint=True,
        idempotent_hint=policy.idempotency == "idempotent",
    )
