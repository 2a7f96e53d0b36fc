"""Placeholder."""

def explain() -> int:
    """Placeholder."""
    return 0
