"""Who holds which name: one live decorated tool per name in a process."""

import gc
from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from .errors import ToolDefinitionError

if TYPE_CHECKING:
    from .definition import AnyTool

_LOCAL: Final = "<locals>"
_holders: Final[WeakValueDictionary[str, "AnyTool"]] = WeakValueDictionary()
_lock: Final = RLock()  # a collection may run a finalizer that releases a name


def claim(tool: "AnyTool") -> None:
    """Let `tool` hold its name for as long as it lives.

    A function declared again at the same place, as by a reloaded module, takes its name over. Two
    closures of one factory are two tools.

    Raises:
        ToolDefinitionError: Another live tool holds the name.
    """
    with _lock:
        holder = _holders.get(tool.name)
        if holder is not None and not _redeclares(tool.function, holder.function):
            del holder
            gc.collect()  # one that nothing but a cycle keeps alive is no live tool
            holder = _holders.get(tool.name)
            if holder is not None:
                raise ToolDefinitionError(
                    f"{tool.name!r} is the name of {origin_of(holder.function)}: "
                    "choose another, or release() that tool",
                    tool=tool.name,
                )
        _holders[tool.name] = tool


def release(tool: "AnyTool") -> None:
    """Give the name of `tool` back; nothing happens when it holds none."""
    with _lock:
        if _holders.get(tool.name) is tool:
            del _holders[tool.name]


def origin_of(function: Callable[..., object]) -> str:
    """Where a function was declared: its module and qualified name."""
    qualname = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{getattr(function, '__module__', None) or type(function).__module__}.{qualname}"


def _redeclares(function: Callable[..., object], held: Callable[..., object]) -> bool:
    origin = origin_of(function)
    return function is held or (_LOCAL not in origin and origin == origin_of(held))
