"""The clock of idleness (C12)."""

from threading import Event

from cardwright.actors import Timer


def test_it_fires_once_started() -> None:
    fired = Event()
    Timer(0.01, fired.set).start()
    assert fired.wait(5)


def test_running_tasks_hold_it_still() -> None:
    fired = Event()
    timer = Timer(0.02, fired.set)
    timer.start()
    timer.task_started()
    timer.task_started()
    timer.task_completed()
    assert not fired.wait(0.1)
    timer.task_completed()
    assert fired.wait(5)
    timer.task_completed()
    assert timer.running == 0
    timer.close()


def test_cancel_can_be_resumed_and_close_cannot() -> None:
    fired = Event()
    timer = Timer(0.02, fired.set)
    timer.start()
    timer.cancel()
    assert not fired.wait(0.1)
    timer.close()
    timer.close()
    timer.start()
    timer.task_started()
    assert timer.running == 1
    timer.task_completed()
    assert not fired.wait(0.1)
    timer.cancel()


def test_starting_again_starts_anew() -> None:
    calls: list[int] = []
    done = Event()

    def fire() -> None:
        calls.append(1)
        done.set()

    timer = Timer(0.05, fire)
    for _ in range(5):
        timer.start()
    assert done.wait(5)
    assert calls == [1]
