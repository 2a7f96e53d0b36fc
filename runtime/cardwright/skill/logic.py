"""SkillTool's behaviour: a menu for the prefix, bodies on demand."""

from typing import final, override

from cardwright_cards.skill.card import Skills
from cardwright_cards.skill.contract import SkillContract

MENU_HEADER = (
    "You have skills: guidance you must follow. Before you produce any work of a kind listed "
    "below, call use_skill(name) and follow what it returns, even if you believe you know how. "
    "What decides is the kind of work, never its subject."
)
"""Worded as an order: models ignore skills that are merely announced."""


@final
class SkillLogic(SkillContract):
    """Answers from the configured library alone; keeps nothing."""

    @override
    def skills(self, config: Skills) -> str:
        if not config.skills:
            return ""
        return "\n".join(
            [MENU_HEADER, *(f"{entry.name} — {entry.description}" for entry in config.skills)]
        )

    @override
    def use_skill(self, config: Skills, *, name: str) -> str:
        for entry in config.skills:
            if entry.name == name:
                return f"{entry.name}\n\n{entry.content}"
        raise self.retry("unknown_skill", self._unknown(config, name))

    @staticmethod
    def _unknown(config: Skills, name: str) -> str:
        if not config.skills:
            return f"There is no skill {name!r}: no skills are configured."
        names = ", ".join(entry.name for entry in config.skills)
        return f"There is no skill {name!r}. Available: {names}."
