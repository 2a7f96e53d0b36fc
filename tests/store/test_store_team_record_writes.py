"""The record of a team keeps what each of several writers changed."""

from concurrent.futures import ThreadPoolExecutor

from tests.store.team_members import Keeper, Purpose

from cardwright.actors import AgentCard, BaseConfig
from cardwright.store import open_store
from cardwright.store.teams import Teams

ROUNDS = 25


def _card(number: int) -> AgentCard:
    return AgentCard(
        agent_class=Keeper, description="Keeps.", config=BaseConfig(role=f"Role{number}")
    )


def test_metadata_and_profiles_written_at_once_are_all_there(sqlite_url: str) -> None:
    with open_store(sqlite_url) as store, Teams(store) as here, Teams(store) as there:
        team_id = here.create().team_id

        def name_goals() -> None:
            for number in range(ROUNDS):
                there.set_metadata(team_id, Purpose(goal=str(number)))

        def add_roles() -> None:
            for number in range(ROUNDS):
                here.set_cards(team_id, [_card(number)])

        with ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(name_goals), pool.submit(add_roles)]:
                done.result()
        process = here.show(team_id).process
        assert [ref.role for ref in process.agent_cards] == [f"Role{it}" for it in range(ROUNDS)]
        assert process.metadata is not None
        assert process.metadata.load() == Purpose(goal=str(ROUNDS - 1))
        assert process.status == "running"
