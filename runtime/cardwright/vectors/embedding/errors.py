"""Why a text got no vector."""

from typing import Final

_AGAIN: Final = frozenset({408, 409, 425, 429})
_SERVER_ERROR: Final = 500
_REFUSED: Final = frozenset({400, 413, 422})


class EmbeddingFailedError(RuntimeError):
    """The embedding model gave no vectors in time, or cannot be used; the text says why."""


class TextRefusedError(EmbeddingFailedError):
    """The provider takes no request with this text in it; the text says what the provider said."""


def is_refusal(error: BaseException) -> bool:
    """Whether the content of the request was refused, so that a part of it may be taken."""
    return getattr(error, "status_code", None) in _REFUSED


def is_passing(error: BaseException) -> bool:
    """Whether the same request may succeed a moment later."""
    if isinstance(error, TimeoutError | ConnectionError):
        return True
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return status in _AGAIN or status >= _SERVER_ERROR
    # Clients name a lost connection by errors of their own and keep the cause.
    cause = error.__cause__
    return type(error).__name__ in {"APIConnectionError", "APITimeoutError", "ConnectError"} or (
        cause is not None and is_passing(cause)
    )
