"""Who a commit is by, and what it says."""

import re
from dataclasses import dataclass
from functools import lru_cache

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f<>\ud800-\udfff]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_FOREIGN = re.compile(r"[^A-Za-z0-9._-]")
COMMAND_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Identity:
    """Author and committer of a commit."""

    name: str
    email: str

    @classmethod
    def of(cls, agent_id: str, name: str) -> "Identity":
        """The identity of an agent."""
        return cls(sanitise_name(name), f"{sanitise_email_local(agent_id)}@cardwright")


OUT_OF_BAND = Identity("out-of-band", "out-of-band@cardwright")
RESTORED = Identity("restore", "restore@cardwright")


@lru_cache(maxsize=256)
def sanitise_name(name: str) -> str:
    """A name that git takes: no control characters, no angle brackets, never empty."""
    return _UNPRINTABLE.sub("", name).strip(" .,:;\"'") or "unknown-agent"


@lru_cache(maxsize=256)
def sanitise_email_local(agent_id: str) -> str:
    """The part before the @ for an agent."""
    return _FOREIGN.sub("-", agent_id) or "unknown-agent"


def sanitise_command(command: str) -> str:
    """A command on one line, clipped."""
    line = _CONTROLS.sub(" ", command).strip()
    return line if len(line) <= COMMAND_CHARACTERS else line[:COMMAND_CHARACTERS] + "…"


def subject(capability: str, paths: tuple[str, ...]) -> str:
    """First line of a commit."""
    what = paths[0] if len(paths) == 1 else f"{len(paths)} files"
    return f"{capability}: {_CONTROLS.sub(' ', what)}"
