"""How many calls may run side by side, as configuration."""

from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class ConcurrencyConfig(BaseModel):
    """Widths and ceilings. A registry keeps the first two; the rest is for the loop of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    max_concurrent_tools: int = 8
    """Calls at once over all tools of a registry."""
    per_tool: dict[str, int] = Field(default_factory=dict[str, int])
    """Calls at once to one tool."""
    per_tenant: int | None = None
    """Calls at once on behalf of one tenant."""
    per_tool_seconds: dict[str, float] = Field(default_factory=dict[str, float])
    """Ceilings by tool."""
    queue_seconds: float | None = 300.0
    """Longest wait for a lane; `None` to wait without limit."""

    @model_validator(mode="after")
    def _all_positive(self) -> Self:
        widths = {
            "max_concurrent_tools": self.max_concurrent_tools,
            "per_tenant": self.per_tenant,
            **{f"per_tool.{name}": width for name, width in self.per_tool.items()},
        }
        narrow = sorted(name for name, width in widths.items() if width is not None and width < 1)
        if narrow:
            raise ValueError(f"a lane needs a width of at least 1: {', '.join(narrow)}")
        ceilings = {
            "queue_seconds": self.queue_seconds,
            **{f"per_tool_seconds.{n}": seconds for n, seconds in self.per_tool_seconds.items()},
        }
        none = sorted(
            n for n, seconds in ceilings.items() if seconds is not None and not seconds > 0
        )
        if none:
            raise ValueError(f"a ceiling must be above 0 seconds: {', '.join(none)}")
        return self

    def narrowed_to(self, other: "ConcurrencyConfig | None") -> "ConcurrencyConfig":
        """The tighter of every lane and ceiling of both; this one as it is for `None`."""
        if other is None:
            return self
        return ConcurrencyConfig(
            max_concurrent_tools=min(self.max_concurrent_tools, other.max_concurrent_tools),
            per_tool=_tighter_each(self.per_tool, other.per_tool),
            per_tenant=_tighter(self.per_tenant, other.per_tenant),
            per_tool_seconds=_tighter_each(self.per_tool_seconds, other.per_tool_seconds),
            queue_seconds=_tighter(self.queue_seconds, other.queue_seconds),
        )


def _tighter[N: (int, float)](one: N | None, other: N | None) -> N | None:
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def _tighter_each[N: (int, float)](one: Mapping[str, N], other: Mapping[str, N]) -> dict[str, N]:
    return {
        **one,
        **{name: min(value, one.get(name, value)) for name, value in other.items()},
    }
