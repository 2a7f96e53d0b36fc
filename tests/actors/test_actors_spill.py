"""What left the memory costs none, and comes back whatever happened to the disk."""

import gc
import resource
import weakref
from collections.abc import Generator
from contextlib import contextmanager
from uuid import UUID, uuid4

from tests.actors.actors_support import Note, Team, Worker, ref_of, wait_for_end

from cardwright.actors import ActorAddress, ActorAddressImpl, ActorSystem, BaseConfig
from cardwright.actors.event_log import EventLog
from cardwright.actors.messages import ProcessedMessage, StartMessage
from cardwright.actors.records import Record


@contextmanager
def largest_file(size: int) -> Generator[None]:
    """Let no file of this process grow beyond `size` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_pages_are_read_and_written_whatever_a_full_disk_refused(system: ActorSystem) -> None:
    address = system.createActor(Worker)
    ids = [uuid4() for _ in range(640)]
    # Somewhere among these, a part of a page fits.
    for room in range(8_000, 18_000, 500):
        log = EventLog(0, page=64)
        _fill(log, address, ids[:128])
        with largest_file(room):
            _fill(log, address, ids[128:256])
            assert _ids(log) == ids[:256]
        _fill(log, address, ids[256:])
        assert _ids(log) == ids


def _fill(log: EventLog, address: ActorAddress, ids: list[UUID]) -> None:
    for number in ids:
        log.append(Record(ProcessedMessage, address, number, number))


def _ids(log: EventLog) -> list[object]:
    return [getattr(it, "message_id", None) for it in log.messages()]


def test_a_log_in_a_file_keeps_no_actor_that_has_ended(team: Team) -> None:
    log = EventLog(0, page=16)
    for number in range(6):
        address = team.root.createActor(Worker, config=BaseConfig(name=f"@{number}"))
        log.append(StartMessage(config=BaseConfig(name=str(number))).init(address))
        log.append(Record(ProcessedMessage, address, uuid4(), uuid4()))
        ref_of(address).cast("stop")
        wait_for_end(address)
    for _ in range(4):
        log.append(Note().init(team.address))
    names = [it.sender.name for it in log.messages() if it.sender is not None]
    assert names[:12] == [f"@{number}" for number in range(6) for _ in range(2)]
    kept = [it for it in log.messages() if isinstance(it.sender, ActorAddressImpl)]
    assert {it.sender for it in kept} == {team.address}
    assert not any(it.sender.is_alive() for it in log.messages()[:12] if it.sender is not None)


def test_any_number_of_addresses_of_one_actor_cost_as_much_as_one(system: ActorSystem) -> None:
    ref = ref_of(system.createActor(Worker))
    log = EventLog(0, page=4)
    watched: list[weakref.ref[ActorAddress]] = []
    for _ in range(40):
        address = ActorAddressImpl(ref)
        watched.append(weakref.ref(address))
        log.append(Record(ProcessedMessage, address, uuid4(), uuid4()))
        del address
    gc.collect()
    assert sum(it() is not None for it in watched) == 1
    assert {it.sender for it in log.messages()} == {ActorAddressImpl(ref)}
