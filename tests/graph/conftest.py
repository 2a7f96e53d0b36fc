"""Teams for graphs; nothing outside of the test's folder is touched."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardwright import LocalTeam


@pytest.fixture(autouse=True)
def _vector_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDWRIGHT_VECTOR_PATH", str(tmp_path / "vectors"))
    monkeypatch.delenv("CARDWRIGHT_WEAVIATE_URL", raising=False)
    monkeypatch.delenv("CARDWRIGHT_PGVECTOR_URL", raising=False)


@pytest.fixture
def bench() -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team
