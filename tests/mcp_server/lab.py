"""A card with a tool for everything that a call may come to, as a project of its own."""

# ruff: noqa: E501 - an endpoint is a line

SPEC = """\
card: LabTool
summary: A laboratory.
logic: lab.logic:LabLogic
observer: none
environment:
  LAB_JOURNAL: {description: File that slow calls write to.}
types:
  Reading:
    description: One reading.
    type: object
    required: [value, unit]
    properties:
      value: {type: number, description: How much.}
      unit: {type: string, description: Of what.}
failures:
  closed: {surfaces: retry, when: the laboratory is closed}
fields:
  motto: {type: string, default: Measure twice., description: Said at the door.}
capabilities:
  door:
    param: Door
    endpoints:
      motto: {channels: [system_prompt], doc: The motto., returns: string}
  work:
    param: Work
    endpoints:
      greet:
        channels: [tool_call]
        doc: Greet somebody.
        arguments: {name: {type: string, maxLength: 20, description: Who is greeted.}}
        returns: string
        idempotency: read_only
      measure: {channels: [tool_call], doc: Measure once., returns: {$ref: "#/types/Reading"}, idempotency: idempotent}
      readings: {channels: [tool_call], doc: All readings., returns: {type: array, items: {$ref: "#/types/Reading"}}}
      picture: {channels: [tool_call], doc: Take a picture., returns: {python: "cardwright.core:MediaContent"}}
      enter: {channels: [tool_call], doc: Go in., returns: string}
      break_it: {channels: [tool_call], doc: Break it., returns: string, idempotency: effectful}
      wait_long: {channels: [tool_call], doc: Wait., returns: string, async: true, timeout: 60}
      wait_blocked: {channels: [tool_call], doc: Wait on a thread., returns: string}
      wait_briefly: {channels: [tool_call], doc: Take a moment., returns: string, timeout: 0.2, async: true}
      shout: {channels: [tool_call], doc: Print something., returns: string}
      explode: {channels: [tool_call], doc: Explode., returns: string, approval: true}
      half: {channels: [tool_call], doc: Half a character., returns: string}
    failures: [closed]
"""
LOGIC = """\
import asyncio
import os
import time
from pathlib import Path
from typing import final, override

from cardwright.core import MediaContent
from lab_cards.lab.contract import LabContract
from lab_cards.lab.types import Reading

print("printed while it is imported")


def note(word: str) -> None:
    with Path(os.environ["LAB_JOURNAL"]).open("a") as file:
        file.write(word + " ")


@final
class LabLogic(LabContract):
    @override
    def bind(self) -> None:
        print("printed while it is bound")

    @override
    def motto(self) -> str:
        return self.card.motto

    @override
    def greet(self, *, name: str) -> str:
        return f"Hello {name}."

    @override
    def measure(self) -> Reading:
        return Reading(value=1.5, unit="mm")

    @override
    def readings(self) -> list[Reading]:
        return [Reading(value=1, unit="mm")]

    @override
    def picture(self) -> MediaContent:
        return MediaContent(data=b"PNG", media_type="image/png")

    @override
    def enter(self) -> str:
        raise self.retry("closed", "Come back tomorrow.")

    @override
    def break_it(self) -> str:
        raise RuntimeError("the password is swordfish")

    @override
    async def wait_long(self) -> str:
        note("begun")
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            note("cancelled")
            raise
        return "done"

    @override
    def wait_blocked(self) -> str:
        note("blocked")
        time.sleep(4)
        return "done"

    @override
    async def wait_briefly(self) -> str:
        await asyncio.sleep(5)
        return "late"

    @override
    def shout(self) -> str:
        print("printed by a tool")
        os.write(1, b"written by a tool\\n")
        return "shouted"

    @override
    def explode(self) -> str:
        return "boom"

    @override
    def half(self) -> str:
        return "half \\ud83d"
"""
FILES = {
    "pyproject.toml": '[tool.cardwright]\npackage = "lab_cards"\nlogic = ["src"]\n',
    "specs/lab.yaml": SPEC,
    "src/lab/__init__.py": "",
    "src/lab/logic.py": LOGIC,
    "cards.yaml": "cards:\n  - PlanningTool\n  - {card: LabTool, motto: From a file.}\n",
}
