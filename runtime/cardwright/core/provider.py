"""A context provider that cannot fail: what it cannot read is simply unavailable."""

from collections.abc import Callable
from functools import wraps

from .context_state import AnyContextState
from .errors import ToolObserverGone
from .state_failures import report

type ContextProvider = Callable[[], AnyContextState | None]


def provider(function: ContextProvider) -> ContextProvider:
    """`function`, answering `None` when its agent is gone or its state cannot be read (logged)."""

    @wraps(function)
    def provide() -> AnyContextState | None:
        try:
            return function()
        except ToolObserverGone:
            return None
        except Exception as error:  # noqa: BLE001 - reported
            name = getattr(function, "__name__", function)
            report(error, "context state %s is unavailable", name)
            return None

    return provide


def rendered(name: str, read: ContextProvider) -> str:
    """The full text of a state, for a command, tool or prompt `name`; never raises.

    `""` when its agent is gone or the state is unavailable; a short note when reading it fails,
    which is logged.
    """
    try:
        state = read()
        return "" if state is None else state.render_full()
    except ToolObserverGone:
        return ""
    except Exception as error:  # noqa: BLE001 - reported
        report(error, "%s cannot read its state", name)
        return f"{name} is unavailable right now."
