"""The ways to shut commands in, by name, and the choice between them."""

import inspect
import logging
import warnings
from threading import Lock
from types import FrameType
from typing import Final

from .actor import SandboxActor
from .bwrap import BwrapSandboxActor
from .config import SandboxConfig, sandbox_actor_name
from .container import DockerSandboxActor
from .local import LocalSandboxActor
from .seatbelt import SeatbeltSandboxActor

__all__ = ["AUTO", "SANDBOX_ACTOR_CLASSES", "resolve_mode", "sandbox_class", "sandbox_config"]

logger = logging.getLogger(__name__)

AUTO: Final = "auto"

SANDBOX_ACTOR_CLASSES: Final[dict[str, type[SandboxActor]]] = {
    "local": LocalSandboxActor,
    "bwrap": BwrapSandboxActor,
    "seatbelt": SeatbeltSandboxActor,
    "docker": DockerSandboxActor,
}
"""Read whenever a mode is looked up: add a class of your own before cards are bound."""

_ISOLATING: Final = ("bwrap", "seatbelt", "docker")
_UNISOLATED: Final = (
    "No sandbox runs on this machine, so commands run without isolation, as the user of this "
    "process. Install bubblewrap, or say mode='local' to accept it."
)

_lock = Lock()
_obstacles: dict[type[SandboxActor], str] = {}
_warned: set[str] = set()


def sandbox_class(mode: str) -> type[SandboxActor]:
    """Return the class of a mode other than `auto`.

    Raises:
        ValueError: nobody registered that mode; lists those that are known.
    """
    try:
        return SANDBOX_ACTOR_CLASSES[mode]
    except KeyError:
        known = ", ".join(sorted({AUTO, *SANDBOX_ACTOR_CLASSES}))
        raise ValueError(f"There is no sandbox mode {mode!r}. Use one of: {known}.") from None


def resolve_mode(mode: str) -> str:
    """Return `mode`, or for `auto` the first that really isolates a command on this machine.

    The look takes up to a few seconds, once in the life of a process. Where nothing isolates the
    answer is `local`, with one warning.

    Raises:
        ValueError: nobody registered that mode; lists those that are known.
    """
    if mode != AUTO:
        sandbox_class(mode)
        return mode
    for name in _ISOLATING:
        chosen = SANDBOX_ACTOR_CLASSES.get(name)
        if chosen is not None and not _obstacle(chosen):
            return name
    _warn_once()
    return "local"


def sandbox_config(mode: str, team_id: str, workspace_id: str | None = None) -> SandboxConfig:
    """Return the configuration that everybody who asks for that tree's sandbox must use."""
    return SandboxConfig(
        name=sandbox_actor_name(workspace_id or team_id),
        role="ToolActor",
        team_id=team_id,
        workspace_id=workspace_id,
        mode=mode,
    )


def _obstacle(chosen: type[SandboxActor]) -> str:
    with _lock:
        if chosen not in _obstacles:
            _obstacles[chosen] = chosen.obstacle()
            if _obstacles[chosen]:
                logger.info("Not used as a sandbox: %s", _obstacles[chosen])
        return _obstacles[chosen]


def _warn_once() -> None:
    with _lock:
        if _UNISOLATED in _warned:
            return
        _warned.add(_UNISOLATED)
    logger.warning("%s", _UNISOLATED)
    # As far as the first caller outside of this package.
    warnings.warn(_UNISOLATED, DeprecationWarning, stacklevel=_outside())


def _outside() -> int:
    """Frames from the warning up to the code that bound the card."""
    level = 1
    frame: FrameType | None = inspect.currentframe()
    while frame is not None and str(frame.f_globals.get("__name__")).startswith("cardwright."):
        level, frame = level + 1, frame.f_back
    return level - 1
