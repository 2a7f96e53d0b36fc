"""The embedded default: one SQLite file, one writer thread with group commit.

Runs on SQLite 3.40; several processes may open the same file on a local disk.
"""

from cardwright.store.sqlite.engine import SqliteEngine

__all__ = ["SqliteEngine"]
