"""The event store over any SQL engine: checks arguments, runs operations, pages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import override

from cardwright.store.arguments import (
    require_count,
    require_events,
    require_name,
    require_text,
    require_texts,
    require_ttl,
)
from cardwright.store.operations import cards, deletion, leases, teams
from cardwright.store.operations import events as log
from cardwright.store.operations import snapshots as states
from cardwright.store.protocol import EventStore
from cardwright.store.records import Lease, NewEvent, Snapshot, StoredEvent, TeamRecord
from cardwright.store.session import Engine
from cardwright.store.subscription import Subscription


class SqlStore(EventStore):
    """An `EventStore` in a database; the protocol says what each method promises."""

    def __init__(self, engine: Engine) -> None:
        """Serve from an engine; `open_store` makes both."""
        self._engine = engine

    @override
    def append(
        self,
        stream: str,
        events: Sequence[NewEvent],
        *,
        expected_sequence: int,
        epoch: int = 0,
        snapshots: Mapping[str, str] | None = None,
    ) -> int:
        batch, saved = tuple(events), dict(snapshots or {})
        require_name("stream", stream)
        require_count("expected_sequence", expected_sequence)
        require_events(batch)
        require_texts("snapshots", saved)
        return self._engine.write(
            lambda session: log.append(session, stream, batch, expected_sequence, epoch, saved)
        )

    @override
    def read(
        self, stream: str, *, after: int = 0, limit: int | None = None
    ) -> Iterator[StoredEvent]:
        require_name("stream", stream)
        require_count("after", after)
        if limit is not None:
            require_count("limit", limit)
        return self._pages(stream, after, limit)

    def _pages(self, stream: str, after: int, limit: int | None) -> Iterator[StoredEvent]:
        page = self._page(stream, after, None if limit is None else after + limit)
        until = page.last_sequence if limit is None else min(page.last_sequence, after + limit)
        while page.events:
            yield from page.events
            after = page.events[-1].sequence
            if after >= until:
                return
            page = self._page(stream, after, until)

    def _page(self, stream: str, after: int, until: int | None) -> log.Page:
        return self._engine.read(lambda session: log.page(session, stream, after, until))

    @override
    def subscribe(self, stream: str, *, after: int = 0) -> Subscription:
        require_name("stream", stream)
        require_count("after", after)
        engine = self._engine
        engine.follow()
        return Subscription(
            stream,
            after,
            lambda position: self._page(stream, position, None).events,
            engine.pulse,
            engine.poll_seconds,
        )

    @override
    def get_max_sequence(self, stream: str) -> int:
        require_name("stream", stream)
        return self._engine.read(lambda session: log.max_sequence(session, stream))

    @override
    def delete_stream(self, stream: str, *, epoch: int = 0) -> None:
        require_name("stream", stream)
        self._engine.write(lambda session: deletion.delete(session, stream, epoch))

    @override
    def save_snapshot(
        self, stream: str, key: str, sequence: int, payload: str, *, epoch: int = 0
    ) -> bool:
        require_name("stream", stream)
        require_count("sequence", sequence)
        require_texts("snapshots", {key: payload})
        return self._engine.write(
            lambda session: states.save(session, stream, key, sequence, payload, epoch)
        )

    @override
    def load_snapshot(self, stream: str, key: str) -> Snapshot | None:
        require_name("stream", stream)
        require_name("key", key)
        return self._engine.read(lambda session: states.load(session, stream, key))

    @override
    def load_snapshots(self, stream: str) -> list[Snapshot]:
        require_name("stream", stream)
        return self._engine.read(lambda session: states.load_all(session, stream))

    @override
    def create_team(
        self, team_id: str, payload: str, *, labels: Mapping[str, str] | None = None
    ) -> TeamRecord:
        tags = dict(labels or {})
        require_name("team_id", team_id)
        require_text("payload", payload)
        require_texts("labels", tags)
        return self._engine.write(lambda session: teams.create(session, team_id, payload, tags))

    @override
    def load_team(self, team_id: str) -> TeamRecord:
        require_name("team_id", team_id)
        return self._engine.read(lambda session: teams.load(session, team_id))

    @override
    def list_teams(self, *, labels: Mapping[str, str] | None = None) -> Iterator[TeamRecord]:
        tags = dict(labels or {})
        require_texts("labels", tags)
        return self._teams(tags)

    def _teams(self, labels: Mapping[str, str]) -> Iterator[TeamRecord]:
        after: int | None = 0
        while after is not None:
            after, records = self._team_page(after, labels)
            yield from records

    def _team_page(
        self, after: int, labels: Mapping[str, str]
    ) -> tuple[int | None, list[TeamRecord]]:
        return self._engine.read(lambda session: teams.page(session, after, labels))

    @override
    def update_team(
        self,
        team_id: str,
        payload: str,
        *,
        expected_version: int,
        labels: Mapping[str, str] | None = None,
    ) -> TeamRecord:
        tags = None if labels is None else dict(labels)
        require_name("team_id", team_id)
        require_text("payload", payload)
        require_texts("labels", tags or {})
        return self._engine.write(
            lambda session: teams.update(session, team_id, payload, expected_version, tags)
        )

    @override
    def delete_team(self, team_id: str, *, expected_version: int) -> None:
        require_name("team_id", team_id)
        self._engine.write(lambda session: teams.delete(session, team_id, expected_version))

    @override
    def save_cards(self, payloads: Iterable[str]) -> list[str]:
        texts = [cards.canonical(payload) for payload in payloads]
        hashes = [cards.card_hash(text) for text in texts]
        by_hash = dict(zip(hashes, texts, strict=True))
        self._engine.write(lambda session: cards.save(session, by_hash))
        return hashes

    @override
    def load_cards(self, hashes: Iterable[str]) -> dict[str, str]:
        wanted = list(dict.fromkeys(hashes))
        return self._engine.read(lambda session: cards.load(session, wanted))

    @override
    def acquire_lease(self, stream: str, owner: str, *, ttl: float) -> Lease:
        require_name("stream", stream)
        require_name("owner", owner)
        require_ttl(ttl)
        return self._engine.write(lambda session: leases.acquire(session, stream, owner, ttl))

    @override
    def renew_lease(self, lease: Lease, *, ttl: float) -> Lease:
        require_ttl(ttl)
        return self._engine.write(lambda session: leases.renew(session, lease, ttl))

    @override
    def release_lease(self, lease: Lease) -> None:
        self._engine.write(lambda session: leases.release(session, lease))

    @override
    def current_lease(self, stream: str) -> Lease | None:
        require_name("stream", stream)
        return self._engine.read(lambda session: leases.current(session, stream))

    @override
    def close(self) -> None:
        self._engine.close()
        self._engine.pulse.beat_all()
