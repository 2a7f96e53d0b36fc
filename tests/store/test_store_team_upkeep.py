"""What a long-lived process would gather: things of members that are gone, a collector at rest."""

import gc
from collections.abc import Iterator

import pytest
from tests.store.team_members import Fleeting, hired

from cardwright.actors.addresses import ActorAddressImpl
from cardwright.store.teams import Teams
from cardwright.store.teams.collection import without_collection


def test_members_that_are_gone_cost_the_persister_nothing(sqlite_url: str) -> None:
    with Teams(sqlite_url) as teams:
        team = teams.create()
        for number in range(8):
            address = hired(team, Fleeting, f"@{number}")
            assert isinstance(address, ActorAddressImpl)
            address.ref.cast("stop")
            assert address.ref.finished.wait(5)
        team.flush()
        assert not team.persister._texts._addresses
        assert not team.persister._book._known


@pytest.fixture
def _collector() -> Iterator[None]:
    yield
    gc.enable()


@pytest.mark.usefixtures("_collector")
@pytest.mark.parametrize("running", [True, False])
def test_the_collector_is_left_as_it_was_whoever_ends_last(running: bool) -> None:
    (gc.enable if running else gc.disable)()
    one, other = without_collection(), without_collection()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert not gc.isenabled()
    other.__exit__(None, None, None)
    assert gc.isenabled() is running
