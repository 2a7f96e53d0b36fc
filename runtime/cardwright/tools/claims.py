"""Effectful calls that were entered: the same call is never entered twice."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final, Literal

from .errors import ToolIndeterminateError

type ClaimKey = tuple[str, str, str, str]
"""Run, tool call, arguments, tool."""

_MOST_CLAIMS: Final = 256
"""A host repeats a call soon or never; older claims, and their results, only cost memory."""


@dataclass(slots=True)
class Claim:
    """One entered call. It is `open` until it is known to have succeeded."""

    state: Literal["open", "done"] = "open"
    result: object = None


class Claims:
    """The claims of one registry, the oldest forgotten first.

    A success is answered again. A call that failed, timed out or was cancelled keeps its claim: it
    may have taken effect. One that the tool declined did nothing and is forgotten.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._claims: OrderedDict[ClaimKey, Claim] = OrderedDict()

    def begin(self, key: ClaimKey, tool: str) -> Claim | None:
        """Claim a call; the earlier claim when it succeeded, `None` when it is to be entered.

        Raises:
            ToolIndeterminateError: An earlier attempt is open.
        """
        with self._lock:
            found = self._claims.get(key)
            if found is None:
                self._claims[key] = Claim()
                if len(self._claims) > _MOST_CLAIMS:
                    self._claims.popitem(last=False)
                return None
        if found.state == "done":
            return found
        raise ToolIndeterminateError(tool)

    def succeed(self, key: ClaimKey, result: object) -> None:
        """Keep the result for a repetition."""
        with self._lock:
            if key in self._claims:
                self._claims[key] = Claim("done", result)

    def forget(self, key: ClaimKey) -> None:
        """Let the call be entered again: it did nothing."""
        with self._lock:
            self._claims.pop(key, None)
