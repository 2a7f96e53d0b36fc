"""How a tool says that it failed or that it will not, under codes that programs can act on."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from cardwright.core import RetriableError

from .errors import CancelledError, ConfigurationError, ToolError

UNMAPPED: Final = "unmapped_failure"


class ToolFailure(ToolError):  # noqa: N818 - the public name of the contract
    """A tool failed. `detail` is written by the tool's author, never taken from an exception."""

    def __init__(
        self,
        tool: str,
        code: str,
        *,
        transient: bool = False,
        retry_after: float | None = None,
        detail: str = "",
    ) -> None:
        """Say what failed.

        Args:
            tool: Its name.
            code: What programs tell failures apart by.
            transient: Whether the same call may succeed later.
            retry_after: Seconds to wait before that, where it is known.
            detail: A sentence for the reader.

        Raises:
            ConfigurationError: The code is empty.
        """
        _refuse_empty(code)
        super().__init__(
            _text(f"`{tool}` failed ({code})", detail, _advice(transient, retry_after)),
            details={"tool": tool, "code": code},
        )
        self.tool = tool
        self.code = code
        self.transient = transient
        self.retry_after = retry_after
        self.detail = detail


class ToolRefusal(ToolError):  # noqa: N818 - the public name of the contract
    """A tool said no. The model is told once, as data; it is no failure and never tried again."""

    def __init__(self, tool: str, code: str, message: str) -> None:
        """Say no.

        Args:
            tool: Its name.
            code: What programs tell refusals apart by.
            message: What the model is told.

        Raises:
            ConfigurationError: The code is empty.
        """
        _refuse_empty(code)
        super().__init__(message, details={"tool": tool, "code": code})
        self.tool = tool
        self.code = code


@dataclass(frozen=True, slots=True)
class ErrorRule:
    """What an exception means; made by `transient`, `permanent` and `refusal`."""

    kind: Literal["transient", "permanent", "refusal"]
    code: str
    text: str = ""
    retry_after: float | None = None

    def __post_init__(self) -> None:
        """Refuse an empty code.

        Raises:
            ConfigurationError: It is empty.
        """
        _refuse_empty(self.code)

    def error(self, tool: str) -> ToolFailure | ToolRefusal:
        """The error that stands for it; nothing of the exception's own text is in it."""
        if self.kind == "refusal":
            return ToolRefusal(tool, self.code, self.text)
        return ToolFailure(
            tool,
            self.code,
            transient=self.kind == "transient",
            retry_after=self.retry_after,
            detail=self.text,
        )


def transient(code: str, detail: str = "", *, retry_after: float | None = None) -> ErrorRule:
    """The same call may succeed later, after `retry_after` seconds where that is known."""
    return ErrorRule("transient", code, detail, retry_after)


def permanent(code: str, detail: str = "") -> ErrorRule:
    """The same call will fail again."""
    return ErrorRule("permanent", code, detail)


def refusal(code: str, message: str) -> ErrorRule:
    """The tool says no; the model is told `message`."""
    return ErrorRule("refusal", code, message)


_UNTOUCHED: Final = (ToolError, RetriableError, asyncio.CancelledError, CancelledError)


@dataclass(frozen=True, slots=True)
class ToolErrorMap:
    """Exceptions of a body -> what they mean.

    The most specific ancestor among the rules wins, then the HTTP status that the exception
    carries. What neither covers is permanent, under `unmapped_failure`. Errors of the tool layer
    and cancellation pass as they are.
    """

    rules: Mapping[type[BaseException], ErrorRule]
    statuses: Mapping[int, ErrorRule] = field(default_factory=dict[int, ErrorRule])

    def translated(self, tool: str, error: BaseException) -> BaseException:
        """The error to raise from `error`; the same one where it says it all."""
        if isinstance(error, _UNTOUCHED) or not isinstance(error, Exception):
            return error
        return self._rule(error).error(tool)

    def _rule(self, error: Exception) -> ErrorRule:
        for kind in type(error).__mro__:
            if kind in self.rules:
                return self.rules[kind]
        status = _status_of(error)
        return _PERMANENT if status is None else self.statuses.get(status, _PERMANENT)


def _status_of(error: Exception) -> int | None:
    """The HTTP status of an exception, or of the response that it carries."""
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status", "code"):
            found: object = getattr(holder, name, None)
            if isinstance(found, int) and not isinstance(found, bool):
                return found
    return None


def _refuse_empty(code: str) -> None:
    if not code:
        message = "a failure needs a code"
        raise ConfigurationError(message)


def _advice(transient: bool, retry_after: float | None) -> str:
    if not transient:
        return ""
    return "try again" if retry_after is None else f"try again after {retry_after:g} s"


def _text(*parts: str) -> str:
    return ": ".join(part for part in parts if part)


_PERMANENT: Final = permanent(UNMAPPED)
