"""Operations on team records."""

import json
import logging
from collections.abc import Mapping

from cardwright.store.errors import (
    ConcurrencyError,
    CorruptStoreError,
    TeamExistsError,
    TeamNotFoundError,
)
from cardwright.store.operations import heads
from cardwright.store.operations.checksums import checksum, verify
from cardwright.store.records import TeamRecord, from_microseconds
from cardwright.store.session import Row, Session, first

logger = logging.getLogger(__name__)

PAGE_TEAMS = 100

_SELECT = (
    "SELECT number, team_id, version, payload, labels, created_us, updated_us, checksum FROM teams"
)
_HAS_LABEL = (
    " AND EXISTS (SELECT 1 FROM team_labels WHERE team = teams.number AND name = ? AND value = ?)"
)


def create(session: Session, team_id: str, payload: str, labels: Mapping[str, str]) -> TeamRecord:
    """Store the first version of a record; the stream's head is locked against a deletion."""
    head = heads.lock(session, team_id)
    head.require_here()
    text = _text(labels)
    row = first(
        session.rows(
            "INSERT INTO teams"
            " (team_id, version, created_us, updated_us, checksum, labels, payload)"
            " VALUES (?, 1, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING number",
            team_id,
            head.now_us,
            head.now_us,
            checksum(_place(team_id, 1, text), payload),
            text,
            payload,
        )
    )
    if row is None:
        raise TeamExistsError(team_id)
    _index(session, row[0], labels)
    return load(session, team_id)


def load(session: Session, team_id: str) -> TeamRecord:
    """Return the record of a team, checked."""
    return _checked(_row(session, team_id))


def update(
    session: Session, team_id: str, payload: str, expected: int, labels: Mapping[str, str] | None
) -> TeamRecord:
    """Replace a record that is at version `expected`; labels of `None` stay."""
    number, _, _, _, old_labels, *_ = _at_version(session, team_id, expected)
    text = old_labels if labels is None else _text(labels)
    session.run(
        "UPDATE teams SET version = ?, updated_us = $now, checksum = ?, labels = ?, payload = ?"
        " WHERE number = ?",
        expected + 1,
        checksum(_place(team_id, expected + 1, text), payload),
        text,
        payload,
        number,
    )
    if labels is not None:
        _unindex(session, number)
        _index(session, number, labels)
    return load(session, team_id)


def delete(session: Session, team_id: str, expected: int) -> None:
    """Delete a record that is at version `expected`."""
    number, *_ = _at_version(session, team_id, expected)
    _remove(session, number)


def discard(session: Session, team_id: str) -> None:
    """Delete a record, if there is one, whatever its version."""
    row = first(session.rows(f"{_SELECT} WHERE team_id = ? $lock", team_id))
    if row is not None:
        _remove(session, row[0])


def page(
    session: Session, after: int, labels: Mapping[str, str]
) -> tuple[int | None, list[TeamRecord]]:
    """Return where to go on, `None` at the end, and some teams behind row number `after`."""
    pairs = [text for pair in labels.items() for text in pair]
    rows = session.rows(
        f"{_SELECT} WHERE number > ?{_HAS_LABEL * len(labels)} ORDER BY number LIMIT {PAGE_TEAMS}",
        after,
        *pairs,
    )
    if not rows:
        return None, []
    return rows[-1][0], [record for row in rows if (record := _readable(row)) is not None]


def _row(session: Session, team_id: str, *, locked: bool = False) -> Row:
    lock = " $lock" if locked else ""
    row = first(session.rows(f"{_SELECT} WHERE team_id = ?{lock}", team_id))
    if row is None:
        raise TeamNotFoundError(team_id)
    return row


def _at_version(session: Session, team_id: str, expected: int) -> Row:
    row = _row(session, team_id, locked=True)
    if row[2] != expected:
        raise ConcurrencyError(f"The record of team {team_id!r}", expected, row[2])
    return row


def _readable(row: Row) -> TeamRecord | None:
    try:
        return _checked(row)
    except CorruptStoreError as error:
        logger.warning("%s", error)
        return None


def _checked(row: Row) -> TeamRecord:
    _, team_id, version, payload, labels, created_us, updated_us, crc = row
    verify(f"The record of team {team_id!r}", _place(team_id, version, labels), payload, crc)
    return TeamRecord(
        team_id,
        version,
        payload,
        json.loads(labels),
        from_microseconds(created_us),
        from_microseconds(updated_us),
    )


def _text(labels: Mapping[str, str]) -> str:
    return json.dumps(dict(labels), sort_keys=True, ensure_ascii=False)


def _place(team_id: str, version: int, labels: str) -> str:
    return f"{team_id}/{version}/{labels}"


def _index(session: Session, number: int, labels: Mapping[str, str]) -> None:
    rows = [(number, name, value) for name, value in labels.items()]
    session.run_many("INSERT INTO team_labels (team, name, value) VALUES (?, ?, ?)", rows)


def _unindex(session: Session, number: int) -> None:
    session.run("DELETE FROM team_labels WHERE team = ?", number)


def _remove(session: Session, number: int) -> None:
    _unindex(session, number)
    session.run("DELETE FROM teams WHERE number = ?", number)
