"""When a person must agree to a call."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from .canonical import call_digest
from .errors import ApprovalRequiredError, ToolArgumentValidationError
from .payload import RawArguments

if TYPE_CHECKING:
    from .definition import AnyTool

type ApprovalPolicy = bool | Callable[[Mapping[str, object]], bool]
"""Always, never, or a predicate over the typed arguments."""


def needs_approval(policy: ApprovalPolicy, keywords: Mapping[str, object]) -> bool:
    """Whether a call with these typed arguments needs it; a predicate that fails says yes."""
    if isinstance(policy, bool):
        return policy
    try:
        return bool(policy(keywords))
    except Exception:  # noqa: BLE001 - what cannot be judged is not let through
        return True


def asks_for_approval(tool: "AnyTool", arguments: RawArguments) -> bool:
    """Whether a call as a model wrote it would have to be approved.

    Arguments that do not validate count as needing it.
    """
    if isinstance(tool.approval, bool):
        return tool.approval
    try:
        return needs_approval(tool.approval, tool.validator.arguments(arguments))
    except ToolArgumentValidationError:
        return True


def require_approval(
    tool: "AnyTool", keywords: Mapping[str, object], approved: Callable[[str], bool]
) -> None:
    """Let a call pass that needs no approval, or has the one for exactly this call.

    Args:
        tool: What is called.
        keywords: Its typed arguments.
        approved: Whether a person agreed to the call of that digest.

    Raises:
        ApprovalRequiredError: It is missing, or for another tool or other arguments.
    """
    if tool.approval is False or not needs_approval(tool.approval, keywords):
        return
    digest = call_digest(tool.name, keywords)
    if not approved(digest):
        raise ApprovalRequiredError(tool.name, digest)
