"""Turns `RetriableError` into the exception a host understands."""

import inspect
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import cast

from .errors import RetriableError


def translated[F: Callable[..., object]](function: F, retry_exception: type[Exception]) -> F:
    """`function`, raising `retry_exception(text)` for `RetriableError`; sync or async."""
    if is_async(function):

        @wraps(function)
        async def translate_async(*args: object, **kwargs: object) -> object:
            try:
                return await cast("Awaitable[object]", function(*args, **kwargs))
            except RetriableError as error:
                raise retry_exception(str(error)) from error

        return cast("F", translate_async)

    @wraps(function)
    def translate(*args: object, **kwargs: object) -> object:
        try:
            return function(*args, **kwargs)
        except RetriableError as error:
            raise retry_exception(str(error)) from error

    return cast("F", translate)


def is_async(function: Callable[..., object]) -> bool:
    """Whether calling `function` returns something to await; callable objects included."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - the method itself is wanted, not whether it exists
    )
