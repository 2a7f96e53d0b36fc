"""Approvals of pydantic-ai, bound to the call that was shown to a person."""

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Final, cast

from pydantic_ai import RunContext

KEY: Final = "approval"
"""Where `DeferredToolRequests.metadata[tool_call_id]` carries the digest of the call."""
_MOST_ASKED: Final = 1_000


class Approvals:
    """What was asked for in this process.

    An approval counts for the tool and the arguments it was asked for with. Where another process
    resumes the run, hand `metadata=requests.metadata` back with the results; without it, or with
    other arguments, the approval is asked for again.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._asked: OrderedDict[str, str] = OrderedDict()

    def asked(self, ctx: RunContext[object], digest: str) -> dict[str, object]:
        """Remember the call that a person is asked about; the metadata of the request."""
        with self._lock:
            self._asked[ctx.tool_call_id or ""] = digest
            if len(self._asked) > _MOST_ASKED:
                self._asked.popitem(last=False)
        return {KEY: digest}

    def given(self, ctx: RunContext[object], digest: str) -> bool:
        """Whether a person agreed to exactly the call of that digest."""
        if not ctx.tool_call_approved:
            return False
        metadata: object = ctx.tool_call_metadata
        if isinstance(metadata, Mapping) and KEY in metadata:
            return cast("Mapping[str, object]", metadata)[KEY] == digest
        with self._lock:
            return self._asked.get(ctx.tool_call_id or "") == digest
