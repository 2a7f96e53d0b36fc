"""What became of a change."""

from dataclasses import dataclass
from enum import StrEnum

from cardwright.workspace.refusals import FailureId


class MutationStatus(StrEnum):
    """Accepted changes and failed ones are answers; a rejected one is to be tried differently."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class MutationOutcome:
    """The answer of the tree's actor to a change; `failure` is set where it was rejected."""

    status: MutationStatus
    message: str
    failure: FailureId | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """A change that was published: its answer, and the paths it touched for the journal."""

    message: str
    paths: tuple[str, ...] = ()


class EditMissed(Exception):  # noqa: N818 - an answer to the model
    """The change does not fit an unchanged file; nothing was changed."""
