"""Answers that come after the turn in which they were asked for."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import cast

import pytest

from cardwright.actors import ActorDeadError, ActorSystem, Akgent, ExpectedError
from cardwright.actors.later import Later
from cardwright.actors.proxies import ask_proxy, tell_proxy


class Slow(Akgent):
    """Answers when somebody says so."""

    def on_start(self) -> None:
        super().on_start()
        self.owed: dict[str, Later[str]] = {}

    def look_up(self, key: str) -> str:
        return cast("str", self.owed.setdefault(key, Later()))

    def known(self) -> int:
        return len(self.owed)

    def settle(self, key: str, answer: str) -> None:
        self.owed[key].answer(answer)

    def refuse(self, key: str) -> None:
        self.owed[key].fail(ExpectedError("nothing there"))

    def settled_before(self) -> str:
        later: Later[str] = Later()
        later.answer("at once")
        return cast("str", later)


@pytest.fixture
def slow() -> Iterator[Slow]:
    with ActorSystem() as system:
        yield ask_proxy(system.createActor(Slow), Slow)


def waiting(slow: Slow, keys: int) -> None:
    deadline = monotonic() + 10
    while slow.known() < keys:
        assert monotonic() < deadline
        sleep(0.002)


def test_the_actor_goes_on_while_somebody_waits_and_all_get_the_answer(slow: Slow) -> None:
    with ThreadPoolExecutor(3) as pool:
        first, second, other = [pool.submit(slow.look_up, key) for key in ("a", "a", "b")]
        waiting(slow, 2)
        slow.settle("b", "B")
        assert other.result(10) == "B"
        slow.settle("a", "A")
        assert [first.result(10), second.result(10)] == ["A", "A"]
    assert slow.look_up("a") == "A"  # an answer that came stays
    assert slow.settled_before() == "at once"


def test_an_error_is_raised_for_whoever_asked(slow: Slow) -> None:
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(slow.look_up, "a")
        waiting(slow, 1)
        slow.refuse("a")
        with pytest.raises(ExpectedError, match="nothing there"):
            asked.result(10)


def test_an_actor_that_stops_first_says_so(slow: Slow) -> None:
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(slow.look_up, "a")
        waiting(slow, 1)
        slow.stop()
        with pytest.raises(ActorDeadError):
            asked.result(10)


def test_nobody_waits_for_what_was_told(slow: Slow, caplog: pytest.LogCaptureFixture) -> None:
    tell_proxy(slow.myAddress, Slow).look_up("a")
    waiting(slow, 1)
    slow.refuse("a")
    assert slow.known() == 1
    assert "failed on ProxyCall" in caplog.text  # as any failure of which nobody is told
