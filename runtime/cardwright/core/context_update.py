"""Delivers volatile card state as at most one numbered block per turn."""

import re
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from .context_state import AnyContextState, ContextState
from .observer import ActorToolObserver
from .provider import ContextProvider
from .state import ToolState
from .state_failures import report

MARKER: Final = re.compile(r"\*\*Context update ([0-9]{1,9})\*\*")
_FULL: Final = "current state."
_CHANGED: Final = "state has changed since the last update."


@dataclass(frozen=True, slots=True)
class Section:
    """What one provider contributes: its text, and the state that becomes the baseline."""

    name: str
    state: AnyContextState
    text: str | None
    """`None`: nothing changed, the baseline still moves. `""`: nothing to say, it stays."""


class ContextUpdater:
    """Composes the update of a turn from the providers and the persisted baselines."""

    def __init__(self, observer: ActorToolObserver, providers: Sequence[ContextProvider]) -> None:
        """Holds the observer weakly; `providers` keep their order."""
        self._observer = weakref.ref(observer)
        self._providers = tuple(providers)

    def compose_update(self, messages: Sequence[object]) -> str | None:
        """The block to append to the conversation, or `None` when nothing is new.

        Args:
            messages: The history so far, pydantic-ai `ModelMessage`s. Only markers in the text of
                user prompts count; the list is read, never changed.
        """
        state = self._tool_state()
        if state is None:
            return None
        _reconcile(state, messages)
        full_snapshot = not state.context_baselines
        sections = [
            section for each in self._providers if (section := _section(each, state)) is not None
        ]
        told = [section.text for section in sections if section.text]
        for section in sections:
            if section.text is None:
                state.context_baselines[section.name] = section.state
        if not told:
            return None
        number = state.context_update_seq + 1
        marker = f"**Context update {number}** — {_FULL if full_snapshot else _CHANGED}"
        block = "\n\n".join([marker, *told])
        state.context_baselines.update({each.name: each.state for each in sections if each.text})
        state.context_update_seq = number
        return block

    def reset(self) -> None:
        """Forget baselines and numbering, after the history was wiped."""
        state = self._tool_state()
        if state is not None:
            state.context_baselines.clear()
            state.context_update_seq = 0

    def _tool_state(self) -> ToolState | None:
        observer = self._observer()
        return None if observer is None else observer.state.tool_state


def _reconcile(state: ToolState, messages: Sequence[object]) -> None:
    """Trust the baselines only as far as the history shows that they were delivered."""
    highest = max(_numbers(messages), default=0)
    if state.context_update_seq < highest:
        state.context_update_seq = highest
    elif state.context_update_seq > highest:
        state.context_baselines.clear()


def _numbers(messages: Iterable[object]) -> Iterator[int]:
    for text in _user_texts(messages):
        if own := MARKER.match(
            text
        ):  # a block: what others wrote into its sections numbers nothing
            yield int(own[1])
        elif "**Context update " in text:
            yield from (int(number) for number in MARKER.findall(text))


def _user_texts(messages: Iterable[object]) -> Iterator[str]:
    """Texts of user prompts, by the discriminators that pydantic-ai's messages carry."""
    for message in messages:
        if getattr(message, "kind", None) != "request":
            continue
        for part in cast("Iterable[Any]", getattr(message, "parts", ())):
            if getattr(part, "part_kind", None) != "user-prompt":
                continue
            content: object = part.content
            if isinstance(content, str):
                yield content
            elif isinstance(content, Sequence):
                yield from (
                    item for item in cast("Sequence[object]", content) if isinstance(item, str)
                )


def _section(provide: ContextProvider, state: ToolState) -> Section | None:
    name: str = getattr(provide, "__name__", repr(provide))
    try:
        current = provide()
        if current is None:
            return None
        return Section(name, current, _render(current, state.context_baselines.get(name)))
    except Exception as error:  # noqa: BLE001 - reported
        report(error, "context state %s left out of this update", name)
        return None


def _render(current: AnyContextState, baseline: ContextState[Any] | None) -> str | None:
    if baseline is None or type(baseline) is not type(current):
        return current.render_full()
    if baseline is current:
        return None
    return _delta(current, baseline)


def _delta(current: ContextState[Any], baseline: ContextState[Any]) -> str | None:
    """Both are of one concrete type, which is what the state's own signature asks for."""
    return current.render_delta(baseline)
