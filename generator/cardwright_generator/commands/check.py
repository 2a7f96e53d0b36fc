"""Placeholder."""


def check() -> int:
    """Placeholder."""
    return 0
