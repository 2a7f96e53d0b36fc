"""A process dies in the middle of embedding, and the team is resumed."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from uuid import uuid4

import pytest
from tests.vectors.embedding_server import EmbeddingServer
from tests.vectors.store_team import COLLECTION, StoreTeam, entries, until

from cardwright import LocalTeam
from cardwright.vectors import CollectionRecord, VectorStoreTool

COUNT = 300
RECORD = CollectionRecord(dimension=1536, backend="inmemory")


@pytest.mark.parametrize("backend", ["inmemory", "pgvector"])
def test_t1_killed_while_embedding_nothing_is_lost_and_nothing_embedded_twice(
    root: Path,
    tmp_path: Path,
    embedding_server: EmbeddingServer,
    backend: str,
    pgvector_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CARDWRIGHT_PGVECTOR_URL", pgvector_url)
    record = RECORD.model_copy(update={"backend": backend})
    url, team_id = f"sqlite:///{tmp_path}/team.db", uuid4()
    embedding_server.free = 1  # the first batch is answered, the next hang
    embedding_server.gate.clear()
    program = [
        sys.executable,
        "-m",
        "tests.vectors.store_team",
        url,
        str(team_id),
        str(COUNT),
        backend,
    ]
    child = subprocess.Popen(
        program, cwd=root, stdout=subprocess.PIPE, text=True, env={**os.environ}
    )
    assert child.stdout is not None
    done = next(int(line) for line in child.stdout if 0 < int(line) < COUNT)
    until(lambda: len(embedding_server.requests) == 3)
    child.kill()
    child.wait()
    finished = list(embedding_server.requests[0])
    assert len(finished) == done
    embedding_server.gate.set()

    with LocalTeam(store=url, team_id=team_id) as team:
        resumed = StoreTeam(team)
        team.agent("@A", [VectorStoreTool()])
        resumed.wait()
        client = resumed.client(record)
        client.sync(entries(COUNT))  # what a resumed domain does
        resumed.wait()
        found = client.semantic_scores("text number 17", COUNT, threshold=-1)
        assert len(found) == COUNT
        assert next(iter(found)) == "17"
        times = Counter(embedding_server.texts)
        times.subtract(["text number 17"])  # the query
        assert {times[text] for text in finished} == {1}


def test_a_resumed_store_needs_no_embedding(
    tmp_path: Path, embedding_server: EmbeddingServer
) -> None:
    url, team_id = f"sqlite:///{tmp_path}/team.db", uuid4()
    with LocalTeam(store=url, team_id=team_id) as team:
        team.agent("@A", [VectorStoreTool()])
        first = StoreTeam(team)
        first.client(RECORD).put(entries(20))
        first.wait()
    asked = len(embedding_server.texts)
    with LocalTeam(store=url, team_id=team_id) as team:
        team.agent("@A", [VectorStoreTool()])
        second = StoreTeam(team)
        assert second.store.search(COLLECTION, [1.0] + [0.0] * 1535, 50).indexing_pending == 0
        client = second.client(RECORD)
        client.put(entries(20))
        client.sync(entries(20))
        assert len(second.store.search(COLLECTION, [1.0] + [0.0] * 1535, 50).hits) == 20
        assert len(embedding_server.texts) == asked


def test_t7_neither_states_nor_log_hold_a_vector(
    tmp_path: Path, embedding_server: EmbeddingServer
) -> None:
    file, team_id = tmp_path / "team.db", uuid4()
    with LocalTeam(store=f"sqlite:///{file}", team_id=team_id) as team:
        team.agent("@A", [VectorStoreTool()])
        only = StoreTeam(team)
        only.client(RECORD).put(entries(200))
        only.wait()
    # 200 vectors of 1536 numbers are 1.2 MB in binary, and far more as JSON.
    assert sum(path.stat().st_size for path in tmp_path.glob("team.db*")) < 700_000
