"""A team that is deleted takes its vectors along; what was left behind can be found."""

from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from tests.vectors.store_team import COLLECTION, StoreTeam, entries
from tests.vectors.weaviate_server import LocalWeaviate

from cardwright import LocalTeam
from cardwright.cli.app import run
from cardwright.store.teams import TeamRemainsError, Teams
from cardwright.vectors import CollectionRecord, VectorStoreTool, WeaviateBackend, forget_team
from cardwright.vectors.backends import team_file

type Ran = Callable[[UUID | None], UUID]

GONE_PORT = "postgresql://nobody@127.0.0.1:9/none"


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/teams.db"


@pytest.fixture
def ran(url: str) -> Ran:
    """Run a team that stores vectors on all backends of the environment, and stop it."""

    def start(team_id: UUID | None = None) -> UUID:
        team_id = team_id or uuid4()
        with LocalTeam(store=url, team_id=team_id) as team:
            team.agent("@A", [VectorStoreTool(embedding_provider="hashing")])
            only = StoreTeam(team)
            for backend, name in (("inmemory", COLLECTION), ("pgvector", "p"), ("weaviate", "w")):
                try:
                    record = CollectionRecord(dimension=256, backend=backend)
                    only.store.create_collection(name, record)
                except ValueError:  # no such server in this test
                    continue
                only.store.put_texts(name, entries(3))
            only.wait()
            for name in only.store.state.collection_configs:
                assert only.store.search(name, [1.0] * 256, 1).indexing_pending == 0
        return team_id

    return start


def rows(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT DISTINCT team_id FROM cardwright_vector").fetchall()
    return {str(team) for (team,) in found}


def test_deleting_a_team_in_code_deletes_its_vectors_everywhere(
    url: str,
    ran: Ran,
    pgvector_url: str,
    weaviate: LocalWeaviate,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CARDWRIGHT_PGVECTOR_URL", pgvector_url)
    monkeypatch.setenv("CARDWRIGHT_WEAVIATE_URL", weaviate.url)
    gone, stays = ran(None), ran(None)
    assert rows(pgvector_url) == {str(gone), str(stays)}
    with Teams(url) as teams:
        teams.delete(gone)
    assert not team_file(str(gone)).exists()
    assert team_file(str(stays)).exists()
    assert rows(pgvector_url) == {str(stays)}
    assert WeaviateBackend(weaviate.url, team_id="nobody").teams() == {str(stays)}


def test_what_could_not_be_deleted_is_told_and_the_rest_is(
    url: str, ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = ran(None)
    monkeypatch.setenv("CARDWRIGHT_PGVECTOR_URL", GONE_PORT)
    with Teams(url) as teams:
        with pytest.raises(TeamRemainsError, match=r"is deleted, except .*vectors .*team orphans"):
            teams.delete(gone)
        assert list(teams.list()) == []
    assert not team_file(str(gone)).exists()


def test_every_installed_package_may_delete_its_part(
    url: str, ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    class Part(EntryPoint):
        def load(self) -> Callable[[str], object]:
            return told.append

    def installed(group: str) -> list[EntryPoint]:
        return [Part("acme", "acme:forget", group)]

    monkeypatch.setattr("cardwright.store.teams.deletion.entry_points", installed)
    gone = ran(None)
    with Teams(url) as teams:
        teams.delete(gone)
    assert told == [str(gone)]


def test_orphans_are_listed_and_deleted_and_the_living_left_alone(
    url: str,
    ran: Ran,
    pgvector_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CARDWRIGHT_PGVECTOR_URL", pgvector_url)
    known, lost = str(ran(None)), str(ran(None))
    with Teams(url) as teams, pytest.MonkeyPatch.context() as patch:
        patch.setattr("cardwright.store.teams.teams.delete_elsewhere", str)
        teams.delete(lost)
    assert run(["team", "orphans", "--store", url]) == 0
    listed = capsys.readouterr().out
    assert lost in listed
    assert "pgvector" in listed
    assert known not in listed
    with LocalTeam() as unstored:
        unstored.agent("@A", [VectorStoreTool(embedding_provider="hashing")])
        running = StoreTeam(unstored)
        running.client(CollectionRecord(dimension=256, backend="inmemory")).put(entries(2))
        running.wait()
        assert run(["team", "orphans", "--store", url, "--delete", "--yes"]) == 0
        assert "a running process has it open" in capsys.readouterr().err
        assert team_file(str(unstored.team_id)).exists()
    assert not team_file(lost).exists()
    assert rows(pgvector_url) == {known}
    assert team_file(known).exists()
    forget_team(str(unstored.team_id))
    run(["team", "orphans", "--store", url])
    assert "no vectors of unknown teams" in capsys.readouterr().out


def test_orphans_behind_a_server_that_is_not_there_is_one_error(
    url: str, ran: Ran, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(None)
    monkeypatch.setenv("CARDWRIGHT_PGVECTOR_URL", GONE_PORT)
    assert run(["team", "orphans", "--store", url]) != 0
    assert "the vectors cannot be looked at" in capsys.readouterr().err


@pytest.mark.parametrize("team_id", ["../../etc/passwd", "", "a/b", "x\0y", ".", "a" * 300])
def test_an_id_that_is_no_name_of_a_file_deletes_nothing(team_id: str) -> None:
    with pytest.raises(ValueError, match="the id of a team"):
        forget_team(team_id)
