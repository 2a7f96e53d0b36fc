"""The shared store: PostgreSQL 15 or newer, for teams that live on several machines.

Importing this room loads psycopg (extra `postgres`); `open_store` does so for such URLs only.
"""

from cardwright.store.postgres.engine import PostgresEngine

__all__ = ["PostgresEngine"]
