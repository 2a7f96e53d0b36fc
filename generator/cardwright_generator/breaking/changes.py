"""Forms of change that many parts share: old names, parts that come and go, conditions."""

from .comparison import Comparison, Pair


def past(
    found: Comparison, pair: Pair, what: str, name: str, names: tuple[str | None, str | None]
) -> None:
    """Report an old name that is no longer declared, or is now; a rename itself is not meant."""
    was, now = names
    where = pair.at("renamed_from")
    if was is not None and was != now:
        message = f"data stored as '{was}' does not load any more"
        found.report(f"{what}-old-name-dropped", where, message, was)
    if now is not None and now not in {was, name}:
        message = f"data stored as '{now}' loads"
        found.report(f"{what}-old-name-declared", where, message, None, now)


def came_went_changed(
    found: Comparison, pair: Pair, rules: tuple[str, str, str], old: str | None, new: str | None
) -> None:
    """Report with the first rule what came, with the second what went, else a change."""
    came, went, changed = rules
    if old is None and new is not None:
        found.report(came, pair, f"{came.replace('-', ' ')}: '{' '.join(new.split())}'", None, new)
    elif new is None and old is not None:
        found.report(went, pair, f"{went.replace('-', ' ')}: '{' '.join(old.split())}'", old)
    else:
        found.differs(changed, pair, changed.rpartition("-")[0].replace("-", " "), old, new)


def compare_conditions(
    found: Comparison, pair: Pair, what: str, old: str | None, new: str | None
) -> None:
    """Report a condition that came, went, or is another one; both in their unmistakable form."""
    rules = ("added", "removed", "changed")
    names = tuple(f"{what}-condition-{rule}" for rule in rules)
    came_went_changed(found, pair.at("when"), (names[0], names[1], names[2]), old, new)
