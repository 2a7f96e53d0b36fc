"""Deleting a stream with everything that bears its name."""

from cardwright.store.operations import heads, teams
from cardwright.store.session import Session


def delete(session: Session, stream: str, epoch: int) -> None:
    """Empty the stream for good; its row stays behind as the mark that the name is used up."""
    head = heads.lock(session, stream)
    if head.deleted_us is not None:
        return
    head.require_epoch(epoch)
    session.run("DELETE FROM events WHERE stream = ?", head.number)
    session.run("DELETE FROM snapshots WHERE stream = ?", head.number)
    teams.discard(session, stream)
    session.run(
        "UPDATE streams SET deleted_us = $now, owner = NULL, expires_us = NULL WHERE number = ?",
        head.number,
    )
    session.announce(stream)
