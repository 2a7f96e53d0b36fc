"""What went wrong while a state was read: logged in production, kept for a bench that asks."""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

logger = logging.getLogger(__name__)

_kept: ContextVar[list[Exception] | None] = ContextVar("cardwright_state_failures", default=None)


def report(error: Exception, text: str, *arguments: object) -> None:
    """Log `error` under `text`; within `noticing`, keep it instead."""
    kept = _kept.get()
    if kept is None:
        logger.error(text, *arguments, exc_info=error)
    else:
        kept.append(error)


@contextmanager
def noticing() -> Generator[None]:
    """Raise, at the end of the block, the first failure that a model would never see.

    Providers and renderings answer without raising, so that one broken state costs a running agent
    one section; within this block what they kept back comes out. It follows the block into threads
    that get a copy of its context.
    """
    found: list[Exception] = []
    token = _kept.set(found)
    try:
        yield
    finally:
        _kept.reset(token)
    if found:
        raise found[0]
