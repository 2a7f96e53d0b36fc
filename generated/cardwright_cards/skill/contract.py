# Generated from specs/skill.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""What the logic of `SkillTool` must implement."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Literal

from cardwright.core import CardLogic, ToolObserver

from .card import SkillTool

if TYPE_CHECKING:
    from .card import Skills

type SkillFailure = Literal["unknown_skill"]
"""Failures that the model can fix: `raise self.retry("unknown_skill", "...")`."""


class SkillContract(CardLogic[SkillTool, ToolObserver, SkillFailure]):
    """Base of `SkillLogic`: one method per endpoint of the spec."""

    @abstractmethod
    def skills(self, config: Skills) -> str:
        """List the skills with the kind of work each is for."""

    @abstractmethod
    def use_skill(self, config: Skills, *, name: str) -> str:
        """Read the guidance of one skill and follow it.

        Call it before you produce any work of the kind the skill is for, even if you believe you know how.
        """
