"""Running one allowed command inside a workspace: bounded, ended as a whole, and shut in.

A backend is a subclass of `SandboxActor`, registered in `SANDBOX_ACTOR_CLASSES` under its mode.
Others touch the classes, their configuration, the registry and the folders of the trees.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .actor import DEFAULT_TIMEOUT_S, SandboxActor, SandboxUnavailableError
from .bwrap import BwrapSandboxActor
from .commands import ALLOWED_COMMANDS, CommandNotAllowedError
from .config import (
    SANDBOX_ACTOR_NAME,
    ExecResult,
    SandboxConfig,
    SandboxState,
    sandbox_actor_name,
)
from .container import DockerSandboxActor
from .limits import Limits
from .local import LocalSandboxActor
from .modes import SANDBOX_ACTOR_CLASSES, resolve_mode, sandbox_class, sandbox_config
from .roots import ROOT_VARIABLE, tree_root, workspaces_root
from .seatbelt import SeatbeltSandboxActor

if TYPE_CHECKING:
    from cardwright_cards.exec import ExecCommand, ExecTool

__all__ = [
    "ALLOWED_COMMANDS",
    "DEFAULT_TIMEOUT_S",
    "ROOT_VARIABLE",
    "SANDBOX_ACTOR_CLASSES",
    "SANDBOX_ACTOR_NAME",
    "BwrapSandboxActor",
    "CommandNotAllowedError",
    "DockerSandboxActor",
    "ExecCommand",
    "ExecResult",
    "ExecTool",
    "Limits",
    "LocalSandboxActor",
    "SandboxActor",
    "SandboxConfig",
    "SandboxState",
    "SandboxUnavailableError",
    "SeatbeltSandboxActor",
    "resolve_mode",
    "sandbox_actor_name",
    "sandbox_class",
    "sandbox_config",
    "tree_root",
    "workspaces_root",
]


def __getattr__(name: str) -> object:
    """The deprecated card, whose behaviour is the workspace's: only for who asks for it."""
    if name in {"ExecCommand", "ExecTool"}:
        return getattr(import_module("cardwright_cards.exec"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
