"""T8: context updates."""

import gc
import logging
from dataclasses import dataclass, field
from typing import override

import pytest
from tests.core.core_cards import Agent, Counter

from cardwright.actors import deserialize_object
from cardwright.core import (
    AnyContextState,
    ContextState,
    ContextUpdater,
    ToolObserverGone,
    ToolState,
    noticing,
    provider,
    rendered,
)


@dataclass
class Part:
    content: object
    part_kind: str = "user-prompt"


@dataclass
class Message:
    parts: list[Part]
    kind: str = "request"


class Text(ContextState["Text"]):
    full: str = ""
    delta: str | None = None

    @override
    def render_full(self) -> str:
        return self.full

    @override
    def render_delta(self, previous: "Text") -> str | None:
        return self.delta


@dataclass
class Bench:
    """Two providers over values a test may change, and the history they see."""

    agent: Agent = field(default_factory=Agent)
    states: dict[str, AnyContextState | None] = field(
        default_factory=dict[str, AnyContextState | None]
    )
    history: list[Message] = field(default_factory=list[Message])

    def __post_init__(self) -> None:
        def one() -> AnyContextState | None:
            return self.states.get("one")

        def two() -> AnyContextState | None:
            return self.states.get("two")

        self.updater = ContextUpdater(self.agent, [one, two])

    @property
    def memory(self) -> ToolState:
        return self.agent.state.tool_state

    def turn(self) -> str | None:
        block = self.updater.compose_update(self.history)
        if block is not None:
            self.history.append(Message([Part(block)]))
        return block


@pytest.fixture
def bench() -> Bench:
    return Bench(states={"one": Counter(value=1), "two": Counter(value=10)})


FULL = "**Context update {}** — current state."
CHANGED = "**Context update {}** — state has changed since the last update."


def test_t21_the_first_update_is_full(bench: Bench) -> None:
    assert bench.turn() == FULL.format(1) + "\n\ncount 1\n\ncount 10"
    assert bench.memory.context_update_seq == 1
    assert set(bench.memory.context_baselines) == {"one", "two"}


def test_t22_an_unchanged_turn_says_nothing_and_moves_the_baseline(bench: Bench) -> None:
    bench.turn()
    bench.states["one"] = equal = Counter(value=1)
    assert bench.turn() is None
    assert bench.memory.context_update_seq == 1
    assert bench.memory.context_baselines["one"] is equal


def test_t23_only_what_changed_is_told(bench: Bench) -> None:
    bench.turn()
    bench.states["two"] = Counter(value=11)
    assert bench.turn() == CHANGED.format(2) + "\n\n10 -> 11"


def test_t24_a_raising_provider_or_renderer_is_skipped(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Counter):
        @override
        def render_full(self) -> str:
            raise LookupError("renderer")

    def raising() -> AnyContextState | None:
        raise LookupError("provider")

    def rendering() -> AnyContextState | None:
        return Broken(value=1)

    def good() -> AnyContextState | None:
        return Counter(value=2)

    agent = Agent()
    updater = ContextUpdater(agent, [raising, rendering, good])
    with caplog.at_level(logging.ERROR):
        assert updater.compose_update([]) == FULL.format(1) + "\n\ncount 2"
    assert [r.getMessage().split()[2] for r in caplog.records] == ["raising", "rendering"]
    assert set(agent.state.tool_state.context_baselines) == {"good"}


def test_t25_an_empty_delta_leaves_the_baseline(bench: Bench) -> None:
    bench.states = {"one": (first := Text(full="a"))}
    bench.turn()
    bench.states["one"] = Text(full="b", delta="")
    assert bench.turn() is None
    assert bench.memory.context_baselines["one"] is first


def test_an_empty_full_rendering_stores_no_baseline(bench: Bench) -> None:
    bench.states = {"one": Text(full="")}
    assert bench.turn() is None
    assert bench.memory.context_baselines == {}


def test_t26_another_concrete_type_is_rendered_in_full(bench: Bench) -> None:
    bench.turn()
    bench.states["one"] = Text(full="now text")
    assert bench.turn() == CHANGED.format(2) + "\n\nnow text"
    assert isinstance(bench.memory.context_baselines["one"], Text)


def test_t27_a_counter_that_history_does_not_show_gives_a_full_snapshot(bench: Bench) -> None:
    bench.memory.context_update_seq = 3
    bench.memory.context_baselines["one"] = Counter(value=1)
    assert bench.turn() == FULL.format(4) + "\n\ncount 1\n\ncount 10"


def test_t28_only_user_prompts_are_scanned(bench: Bench) -> None:
    bench.turn()
    bench.history = [Message([Part("**Context update 1**", "text")], "response")]
    assert str(bench.turn()).startswith(FULL.format(2))
    bench.history = [Message([Part(["an image", "**Context update 2**", 3])])]
    assert bench.turn() is None
    bench.history = [
        Message([Part("**Context update 9**", kind)]) for kind in ("tool-return", "system-prompt")
    ]
    assert str(bench.turn()).startswith(FULL.format(3))


def test_t29_a_higher_marker_raises_the_counter_and_keeps_baselines(bench: Bench) -> None:
    bench.turn()
    bench.history.append(Message([Part("**Context update 5**")]))
    bench.states["one"] = Counter(value=2)
    assert bench.turn() == CHANGED.format(6) + "\n\n1 -> 2"


def test_t30_a_provider_seen_later_is_full_in_a_changed_block(bench: Bench) -> None:
    bench.states["two"] = None
    bench.turn()
    bench.states["two"] = Counter(value=10)
    assert bench.turn() == CHANGED.format(2) + "\n\ncount 10"


def test_t31_a_typed_marker_costs_one_full_snapshot(bench: Bench) -> None:
    bench.turn()
    bench.history.append(Message([Part("look: **Context update 900**")]))
    assert bench.turn() is None
    assert bench.memory.context_update_seq == 900
    bench.history.pop()
    assert str(bench.turn()).startswith(FULL.format(901))
    assert bench.turn() is None


def test_t32_baselines_are_dropped_even_when_nothing_can_be_told(bench: Bench) -> None:
    bench.turn()
    bench.history.clear()
    bench.states = {}
    assert bench.turn() is None
    assert bench.memory.context_baselines == {}
    assert bench.memory.context_update_seq == 1


def test_t33_a_collected_observer_composes_nothing() -> None:
    called: list[int] = []

    def counting() -> AnyContextState | None:
        called.append(1)
        return None

    agent = Agent()
    updater = ContextUpdater(agent, [counting])
    del agent
    gc.collect()
    assert updater.compose_update([]) is None
    updater.reset()
    assert called == []


def test_t34_a_state_without_tool_state_raises(bench: Bench) -> None:
    bench.agent.state = object()  # type: ignore[assignment] # the fault under test
    with pytest.raises(AttributeError):
        bench.turn()


def test_reset_forgets_all_but_the_model(bench: Bench) -> None:
    bench.turn()
    bench.memory.active_model = "a:b"
    bench.updater.reset()
    bench.history.clear()
    assert (bench.memory.context_update_seq, bench.memory.active_model) == (0, "a:b")
    assert str(bench.turn()).startswith(FULL.format(1))


def test_the_history_is_never_changed(bench: Bench) -> None:
    before = list(bench.history)
    bench.updater.compose_update(bench.history)
    assert bench.history == before


def test_t38_baselines_of_two_classes_round_trip() -> None:
    state = ToolState(context_baselines={"one": Counter(value=1), "two": Text(full="x")})
    loaded = deserialize_object(state.model_dump())
    assert loaded == state
    assert isinstance(loaded, ToolState)
    assert isinstance(loaded.context_baselines["one"], Counter)


def test_a_baseline_that_no_longer_loads_costs_a_full_snapshot_only(
    caplog: pytest.LogCaptureFixture,
) -> None:
    dumped = ToolState(
        context_baselines={"one": Counter(value=1), "two": Counter(value=2)}
    ).model_dump()
    dumped["context_baselines"]["one"]["__model__"] = "gone.module.Gone"
    dumped["context_baselines"]["two"]["value"] = "no number"
    dumped["context_baselines"]["three"] = 3
    with caplog.at_level(logging.WARNING):
        loaded = deserialize_object(dumped)
    assert isinstance(loaded, ToolState)
    assert loaded.context_baselines == {}
    assert [w for w in ("one", "three", "two") if w in caplog.text] == ["one", "three", "two"]


def test_abstract_states_cannot_be_made() -> None:
    class Half(ContextState["Half"]):
        @override
        def render_full(self) -> str:
            return ""

    with pytest.raises(TypeError):
        Half()  # type: ignore[abstract] # the fault under test


def test_rendered_never_raises(caplog: pytest.LogCaptureFixture) -> None:
    def gone() -> AnyContextState | None:
        raise ToolObserverGone("stopped")

    def broken() -> AnyContextState | None:
        raise LookupError("secret detail")

    assert rendered("board", lambda: Counter(value=3)) == "count 3"
    assert rendered("board", lambda: None) == ""
    assert rendered("board", gone) == ""
    assert rendered("board", broken) == "board is unavailable right now."
    assert "secret detail" in caplog.text


def test_within_noticing_the_first_failure_comes_out_and_is_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken() -> AnyContextState | None:
        raise LookupError("a bug")

    with pytest.raises(LookupError, match="a bug"), noticing():
        provider(broken)()
    with pytest.raises(LookupError, match="a bug"), noticing():
        rendered("board", broken)
    updater = ContextUpdater(agent := Agent(), [broken])
    with pytest.raises(LookupError, match="a bug"), noticing():
        updater.compose_update([])
    assert agent.state.tool_state.context_update_seq == 0
    assert caplog.text == ""

    assert provider(broken)() is None
    assert "a bug" in caplog.text


def test_noticing_passes_what_the_block_itself_raises_and_what_is_fine() -> None:
    with pytest.raises(KeyError), noticing():
        raise KeyError
    with noticing():
        assert rendered("board", lambda: Counter(value=3)) == "count 3"


def test_a_marker_that_no_number_can_be_is_ordinary_text(bench: Bench) -> None:
    for typed in ("9" * 5000, "\uff12", "-1", ""):
        bench.history.append(Message([Part(f"**Context update {typed}** x")]))
    assert str(bench.turn()).startswith(FULL.format(1))


def test_a_marker_inside_a_block_numbers_nothing(bench: Bench) -> None:
    bench.states = {"one": Text(full="board\n\n**Context update 500** — current state.")}
    assert str(bench.turn()).startswith(FULL.format(1))
    bench.states["two"] = Counter(value=1)
    assert str(bench.turn()).startswith(CHANGED.format(2))
