"""The bench: cards in a real team without a model, for trying them and for tests.

with LocalTeam() as team:
    alice = team.agent("@Alice", cards=[PlanningTool()])
    alice.call("update_planning", update={...})
"""

from .errors import RetryRequested
from .local_agent import LocalAgent
from .local_team import LocalTeam
from .member import MemberState, TeamMember

__all__ = ["LocalAgent", "LocalTeam", "MemberState", "RetryRequested", "TeamMember"]
