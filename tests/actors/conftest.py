from collections.abc import Iterator

import pytest
from tests.actors.actors_support import Recorder, Team

from cardwright.actors import ActorSystem


@pytest.fixture
def system() -> Iterator[ActorSystem]:
    with ActorSystem() as running:
        yield running


@pytest.fixture
def team(system: ActorSystem) -> Team:
    return Team(system)


@pytest.fixture
def recorder(team: Team) -> Recorder:
    """Told of everything in the team from now on."""
    subscriber = Recorder(team)
    team.root.subscribe(subscriber)
    return subscriber
