"""What is said between a card, the tree actor and the worker of a run."""

from dataclasses import dataclass
from typing import Literal, Self

from pydantic import Field, model_validator

from cardwright.actors import ActorAddress, SerializableBaseModel
from cardwright.core.deferred import DeferredPayload

__all__ = [
    "ExecConfig",
    "ExecLease",
    "ExecOutcome",
    "ExecPayload",
    "ExecStart",
    "ExecStatus",
]

type RunState = Literal["done", "failed", "running", "unknown"]


class ExecConfig(SerializableBaseModel):
    """How commands run over one tree; every card on it has to say the same mode."""

    mode: str = Field(description="Resolved mode of the sandbox, never `auto`.")
    team_id: str = Field(description="Team of the tree actor.")
    workspace_id: str | None = Field(default=None, description="Name of the tree, if it has one.")
    timeout_s: float = Field(default=15.0, gt=0, description="Seconds for a command.")


class ExecOutcome(SerializableBaseModel):
    """How a command ended; being too late is an outcome, too."""

    stdout: str = Field(description="Standard output, head and tail.")
    stderr: str = Field(description="Standard error, head and tail.")
    exit_code: int = Field(description="0 for success, 124 for too late.")
    timed_out: bool = Field(default=False, description="Whether its budget was over.")


class ExecPayload(DeferredPayload):
    """What the worker of a run is asked to do."""

    deferred_key: str = ""
    cmd: str
    cwd: str = ""
    mode: str
    team_id: str
    workspace_id: str | None = None
    timeout_s: float


class ExecStart(SerializableBaseModel):
    """Either the id of a run that has begun, or why none has."""

    run_id: str = ""
    refusal: str = ""
    worker: ActorAddress | None = Field(
        default=None, description="Who does the work; it stops when the outcome is known."
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if bool(self.run_id) is bool(self.refusal):
            raise ValueError("give either a run id or a refusal")
        return self


class ExecStatus(SerializableBaseModel):
    """What became of a run, for the agent that started it."""

    state: RunState
    run_id: str
    outcome: ExecOutcome | None = Field(default=None, description="Of a run that is done.")
    reason: str = Field(default="", description="Why a run failed.")
    running_for: float | None = Field(
        default=None, description="Seconds since the command began; None before it did."
    )
    recent_run_ids: list[str] = Field(default=[], description="Runs of that agent, oldest first.")

    @property
    def settled(self) -> bool:
        """Whether there is nothing more to wait for."""
        return self.state in ("done", "failed")


@dataclass(slots=True)
class ExecLease:
    """The right of one run to be the only one that changes the tree; times of one clock."""

    run_id: str
    agent_id: str
    cmd: str
    requested_at: float
    budget: float
    deadline: float
    started_at: float | None = None
    worker: ActorAddress | None = None
    sandbox: ActorAddress | None = None
