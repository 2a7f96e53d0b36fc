"""Placeholder."""

def schema() -> int:
    """Placeholder."""
    return 0
