"""Arguments that could never be stored are refused before a transaction starts."""

from collections.abc import Mapping, Sequence

from cardwright.store.records import NewEvent

MAX_NAME = 200
MAX_TEXT = 64 * 1024 * 1024


def require_name(what: str, name: str) -> None:
    """Refuse a name or id that is empty, too long or not plain text.

    Raises:
        ValueError: naming what it was meant to be.
    """
    if not 1 <= len(name) <= MAX_NAME:
        raise ValueError(f"{what} needs 1 to {MAX_NAME} characters, not {len(name)}")
    require_text(what, name)


def require_text(what: str, text: str) -> None:
    """Refuse text that no database takes. JSON can write either character as an escape.

    Raises:
        ValueError: there is a NUL character or half a surrogate pair in it, or it is too long.
    """
    if len(text) > MAX_TEXT:
        raise ValueError(f"{what} has {len(text)} characters; at most {MAX_TEXT} can be stored")
    if "\x00" in text:
        raise ValueError(f"{what} holds a NUL character; write it as a JSON escape")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{what} holds half a surrogate pair; write it as an escape") from None


def require_count(what: str, number: int) -> None:
    """Refuse a negative number.

    Raises:
        ValueError: it is negative.
    """
    if number < 0:
        raise ValueError(f"{what} must be 0 or more")


def require_ttl(ttl: float) -> None:
    """Refuse a lease that lasts no time, or for ever.

    Raises:
        ValueError: `ttl` is not between 0 and a day.
    """
    if not 0 < ttl <= 86_400:  # noqa: PLR2004 - a day; longer means nobody could ever take over
        raise ValueError("ttl must be more than 0 and at most 86400 seconds")


def require_texts(what: str, texts: Mapping[str, str]) -> None:
    """Refuse keys that are no names and values that are no plain text.

    Raises:
        ValueError: naming the kind of argument.
    """
    for key, text in texts.items():
        require_name(f"key of {what}", key)
        require_text(what, text)


def require_events(events: Sequence[NewEvent]) -> None:
    """Refuse events that cannot be stored, or one event given twice.

    Raises:
        ValueError: saying which rule is broken.
    """
    for event in events:
        require_name("event_id", event.event_id)
        require_text("payload of an event", event.payload)
    if len({event.event_id for event in events}) < len(events):
        raise ValueError("one append holds the same event_id twice")
