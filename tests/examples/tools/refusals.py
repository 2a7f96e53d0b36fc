"""What a model sends is read into the declared types, or refused without repeating a value."""

import asyncio
from typing import Annotated

from pydantic import BaseModel

from cardwright.tools import LENIENT, JsonText, ToolArgumentValidationError, tool


class Leg(BaseModel, extra="forbid"):
    """One leg of a journey."""

    town: str
    nights: int


@tool
def book(leg: Leg, seats: int, tags: Annotated[list[str], JsonText()] = []) -> str:  # noqa: B006 - copied
    """Book a leg."""
    return f"{seats} seats to {leg.town}, {leg.nights} nights, {tags}"


@tool(arguments=LENIENT)
def count(seats: int) -> int:
    """Count seats."""
    return seats


async def main() -> None:
    sent: dict[str, object] = {"lg": {}, "seats": "two", "card": "4000 1234"}
    try:
        await book.invoke(sent)
    except ToolArgumentValidationError as refused:
        print(refused.paths)
        print(refused.feedback())
    leg = '{"leg": {"town": "Bath", "nights": 2}, "seats": 1, "tags": "[\\"sea\\"]"}'
    print(await book.invoke(leg))
    print(await count.invoke({"seats": "2"}))


asyncio.run(main())
