# Generated from specs/skill.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Types of `SkillTool`."""

from typing import Annotated

from pydantic import Field

from cardwright.core import Data


class SkillEntry(Data):
    """One piece of guidance."""

    name: Annotated[str, Field(description="Unique name that the agent calls.", min_length=1)]
    description: Annotated[
        str, Field(description="Kind of work the skill is for, as the menu shows it.", min_length=1)
    ]
    content: Annotated[
        str, Field(description="The guidance, returned word for word.", min_length=1)
    ]
