"""The skill card: a menu of guidance in the system prompt, each body fetched by a tool call.

Others touch the card, its param and the entries.
"""

from cardwright_cards.skill import SkillEntry, Skills, SkillTool

__all__ = ["SkillEntry", "SkillTool", "Skills"]
