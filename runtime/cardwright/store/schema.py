"""The tables, the same on every database."""

from string import Template

VERSION = 1
"""Number of the layout below. A store of a higher number is refused, a lower one is migrated."""

# Payloads stand last: the columns before them are reached without reading them.
_TABLES = """
CREATE TABLE streams (
    number $key,
    name TEXT NOT NULL UNIQUE,
    last_sequence BIGINT NOT NULL DEFAULT 0,
    total_bytes BIGINT NOT NULL DEFAULT 0,
    epoch BIGINT NOT NULL DEFAULT 0,
    owner TEXT,
    expires_us BIGINT,
    deleted_us BIGINT
);
CREATE TABLE events (
    stream BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    end_bytes BIGINT NOT NULL,
    recorded_us BIGINT NOT NULL,
    checksum BIGINT NOT NULL,
    event_id TEXT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (stream, sequence)
);
CREATE TABLE snapshots (
    stream BIGINT NOT NULL,
    key TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    saved_us BIGINT NOT NULL,
    checksum BIGINT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (stream, key)
);
CREATE TABLE teams (
    number $key,
    team_id TEXT NOT NULL UNIQUE,
    version BIGINT NOT NULL,
    created_us BIGINT NOT NULL,
    updated_us BIGINT NOT NULL,
    checksum BIGINT NOT NULL,
    labels TEXT NOT NULL,
    payload TEXT NOT NULL
);
CREATE TABLE team_labels (
    team BIGINT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (team, name)
);
CREATE INDEX team_labels_value ON team_labels (name, value, team);
CREATE TABLE cards (
    hash TEXT NOT NULL PRIMARY KEY,
    payload TEXT NOT NULL
)
"""


def tables(key: str) -> list[str]:
    """Return the statements that create the tables; `key` is how a database numbers rows."""
    return Template(_TABLES).substitute(key=key).split(";")
