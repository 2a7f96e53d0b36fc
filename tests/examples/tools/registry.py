"""A registry holds what a process has; a view is what one agent may call."""

import asyncio

from cardwright.tools import (
    ConcurrencyConfig,
    ToolCallSpan,
    ToolNotPermittedError,
    ToolRegistry,
    ToolTimedOutError,
    tool,
)


@tool
async def rooms(town: str) -> int:
    """Count free rooms."""
    return len(town)


@tool(parallel_safe=False, idempotency="effectful")
async def refund(booking: str) -> str:
    """Refund a booking."""
    return f"refunded {booking}"


@tool(timeout=30.0)
async def partner(reference: str) -> str:
    """Ask a partner, who never answers."""
    await asyncio.Event().wait()
    return reference


def show(span: ToolCallSpan) -> None:
    print(f"  span: {span.tool} by {span.agent or '-'} {span.outcome} {span.failure}".rstrip())


async def main() -> None:
    registry = ToolRegistry(
        [rooms, refund, partner],
        timeouts={"partner": 0.01},
        concurrency=ConcurrencyConfig(max_concurrent_tools=2),
    )
    registry.observe(show)
    planner = registry.view(allow=["partner", "rooms"], agent="planner")
    print([each.name for each in planner.declarations()])
    print(await planner.invoke("rooms", {"town": "Bath"}))
    for name, arguments in (("refund", {"booking": "AB-1"}), ("partner", {"reference": "x"})):
        try:
            await planner.invoke(name, arguments)
        except (ToolNotPermittedError, ToolTimedOutError) as error:
            print(error)


asyncio.run(main())
