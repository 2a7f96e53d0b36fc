"""The gate: no agent replaces content that it has not seen in its present form.

The tree's actor is the only caller; others touch the outcome models.
"""

from .edits import Edit
from .gate import Gate, Target
from .mutations import Mutations
from .observations import LastWrite, Observation, Observations
from .outcomes import Accepted, EditMissed, MutationOutcome, MutationStatus
from .verdicts import Precondition, Verdict

__all__ = [
    "Accepted",
    "Edit",
    "EditMissed",
    "Gate",
    "LastWrite",
    "MutationOutcome",
    "MutationStatus",
    "Mutations",
    "Observation",
    "Observations",
    "Precondition",
    "Target",
    "Verdict",
]
