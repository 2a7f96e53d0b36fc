"""What a tool answers: the decoded JSON of the service, or the text of a failure."""

import logging
from collections.abc import Callable
from typing import Final, cast

from cardwright.core import JsonObject

from .client import Tavily, tavily
from .key import API_KEY, api_key, without_key

logger = logging.getLogger(__name__)

_LONGEST_CAUSE: Final = 500

_HINTS: Final = {
    "InvalidAPIKeyError": f"The service refuses the key: ask the user to check {API_KEY}.",
    "ForbiddenError": f"The account may not do this: ask the user to check the plan of {API_KEY}.",
    "UsageLimitExceededError": f"The quota of {API_KEY} is used up: go on without the web.",
    "BadRequestError": "The service refuses the arguments: change them and call again.",
    "TimeoutError": "Ask for less, or allow a longer timeout.",
}
_DEFAULT_HINT: Final = (
    f"The service may be down or unreachable; if this goes on, ask the user to check {API_KEY} "
    "and the network."
)


def answer(tool: str, request: Callable[[Tavily], object]) -> JsonObject | str:
    """Send one request; never raises.

    Args:
        tool: Name of the tool, for texts.
        request: Sends the request through the client it is given.

    Returns:
        The service's answer unchanged, or what went wrong and what to do about it.
    """
    key = api_key()
    if key is None:
        return _unavailable(tool)
    try:
        with tavily(key) as client:
            return _json_object(request(client))
    except Exception as error:  # noqa: BLE001 - the contract: whatever fails is text for the model
        return _failed(tool, error, key)


def _json_object(value: object) -> JsonObject:
    if not isinstance(value, dict):
        raise TypeError(f"the service answered {type(value).__name__} where an object was expected")
    return cast("JsonObject", value)


def _unavailable(tool: str) -> str:
    return f"{tool} is unavailable: {API_KEY} is not set. Ask the user to configure it."


def _failed(tool: str, error: Exception, key: str) -> str:
    cause = _cause(error, key)
    logger.warning("%s failed: %s", tool, cause)
    return f"{tool} failed: {cause}. {_hint(error)}"


def _cause(error: Exception, key: str) -> str:
    """Kind and message of the error, without the key, on one line of bounded length."""
    message = " ".join(without_key(str(error), key).split())[:_LONGEST_CAUSE].rstrip(" .")
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _hint(error: Exception) -> str:
    return _HINTS.get(type(error).__name__, _DEFAULT_HINT)
