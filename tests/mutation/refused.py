"""Mutants that the spec's own checks refuse before anybody compares: operator -> codes."""

_REFUSED: dict[str, frozenset[str]] = {}


def codes_allowed(operator: str, codes: tuple[str, ...]) -> bool:
    """Whether these codes are right for a mutant of an operator."""
    return set(codes) <= _REFUSED.get(operator, frozenset())
