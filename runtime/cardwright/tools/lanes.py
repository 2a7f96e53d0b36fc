"""Widths: how many calls may run side by side, in one tool and in all.

A lane counts across threads and event loops, so it is never bound to a loop and never made anew.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from threading import Lock

from .clock import Clock


class Holding:
    """The lanes that one call holds, until its body has really ended.

    A body on a thread ends twice: the thread stops, and the task that waits for it is done.
    """

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.in_thread = False
        self._task_done = False
        self._lock = Lock()
        self._lanes: list[Lane] = []

    @property
    def lost(self) -> bool:
        """Whether nothing can end this call any more, because its loop was closed under it."""
        return not self.in_thread and self.loop.is_closed()

    def add(self, lane: "Lane") -> None:
        """Note that `lane` is held."""
        self._lanes.append(lane)

    def task_ended(self, _: object = None) -> None:
        """The task is done; the lanes are free unless its thread still runs."""
        with self._lock:
            self._task_done = True
            waits = self.in_thread
        if not waits:
            self.release()

    def thread_ended(self) -> None:
        """The thread has stopped; the lanes are free if nothing waits for it any more."""
        with self._lock:
            self.in_thread = False
            free = self._task_done or self.loop.is_closed()
        if free:
            self.release()

    def release(self) -> None:
        """Give every lane back; again is no error."""
        for lane in reversed(self._lanes):
            lane.give_back(self)
        self._lanes.clear()


class _Waiter:
    """One call in the queue of a lane."""

    def __init__(self, holding: Holding) -> None:
        self.holding = holding
        self.turn: asyncio.Future[None] = holding.loop.create_future()


class Lane:
    """Lets `width` calls in at once, the others in the order in which they came."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._lock = Lock()
        self._held: set[Holding] = set()
        self._queue: deque[_Waiter] = deque()

    def enter(self, holding: Holding) -> bool:
        """Take a place if one is free now."""
        with self._lock:
            if self._queue or not self._has_room():
                return False
            self._held.add(holding)
        holding.add(self)
        return True

    async def wait(self, holding: Holding, limit: "asyncio.Future[None]") -> bool:
        """Queue for a place; `False` when `limit` is done first.

        A call that is cancelled while it queues gives back what it was handed meanwhile.
        """
        waiter = _Waiter(holding)
        with self._lock:
            self._queue.append(waiter)
        self._admit()
        try:
            await asyncio.wait({waiter.turn, limit}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._leave(waiter)
            raise
        if waiter.turn.done():
            holding.add(self)
            return True
        self._leave(waiter)
        return False

    def give_back(self, holding: Holding) -> None:
        """Free a place and let the next one in."""
        with self._lock:
            self._held.discard(holding)
        self._admit()

    def _leave(self, waiter: _Waiter) -> None:
        """Take `waiter` out of the queue, or give back the place it was handed meanwhile."""
        with self._lock:
            queued = waiter in self._queue
            if queued:
                self._queue.remove(waiter)
        if not queued:
            self.give_back(waiter.holding)

    def _has_room(self) -> bool:
        if len(self._held) >= self.width:
            self._held -= {each for each in self._held if each.lost}
        return len(self._held) < self.width

    def _admit(self) -> None:
        while True:
            with self._lock:
                if not self._queue or not self._has_room():
                    return
                waiter = self._queue.popleft()
                self._held.add(waiter.holding)
            if not _told(waiter):
                with self._lock:
                    self._held.discard(waiter.holding)


def _told(waiter: _Waiter) -> bool:
    """Tell a call that it is its turn; `False` when its loop is gone."""
    try:
        waiter.holding.loop.call_soon_threadsafe(_resolve, waiter.turn)
    except RuntimeError:
        return False
    return True


def _resolve(turn: "asyncio.Future[None]") -> None:
    if not turn.done():
        turn.set_result(None)


def enter_at_once(holding: Holding, lanes: Sequence[Lane]) -> int:
    """Take a place in each lane, in that order, until one is full; the number of those taken."""
    for taken, lane in enumerate(lanes):
        if not lane.enter(holding):
            return taken
    return len(lanes)


async def queue_for(
    holding: Holding, lanes: Sequence[Lane], clock: Clock, seconds: float | None
) -> bool:
    """Take a place in each lane, in that order; `False` if that takes longer than `seconds`.

    Whoever calls gives back what `holding` holds when this fails.
    """
    limit = _limit(clock, seconds)
    try:
        for lane in lanes:
            if not lane.enter(holding) and not await lane.wait(holding, limit):
                return False
    finally:
        limit.cancel()
    return True


def _limit(clock: Clock, seconds: float | None) -> "asyncio.Future[None]":
    loop = asyncio.get_running_loop()
    if seconds is None:
        return loop.create_future()
    return loop.create_task(clock.sleep(seconds))
