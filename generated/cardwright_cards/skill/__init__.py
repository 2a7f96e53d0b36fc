# Generated from specs/skill.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Library of guidance that an agent reads when it needs it."""

from .card import Skills, SkillTool
from .types import SkillEntry

__all__ = ["SkillEntry", "SkillTool", "Skills"]
