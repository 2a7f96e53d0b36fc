"""One typed function is the whole tool: its schema, its description and its check of arguments."""

import asyncio
import json
from typing import Annotated

from pydantic import Field

from cardwright.tools import ToolContext, tool


@tool(timeout=5.0)
async def fare(
    origin: str,
    nights: Annotated[int, Field(ge=1)] = 1,
    ctx: ToolContext | None = None,
) -> str:
    """Price a stay.

    Args:
        origin: Where the traveller boards.
        nights: How long they stay.
    """
    return f"{origin}: {nights * 40} EUR for {ctx.tenant if ctx else 'anyone'}"


async def main() -> None:
    print(fare.name, "-", fare.description)
    print(json.dumps(fare.parameters_schema, indent=1))
    print(await fare("Osaka", nights=2))
    print(await fare.invoke('{"origin": "Osaka", "nights": 2}', ToolContext("run-1", "acme")))


asyncio.run(main())
