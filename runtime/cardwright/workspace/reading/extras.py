"""Extras that are not installed."""

from importlib.util import find_spec

from cardwright.workspace.refusals import Refusal


class MissingExtraError(ImportError, ValueError):
    """An optional dependency is needed; the text names the command that installs it."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(
            f"{purpose} needs the extra '{extra}', which is not installed here. Whoever runs this"
            f" can install it: pip install 'cardwright[{extra}]'"
        )


def require(module: str, purpose: str, extra: str) -> None:
    """Make sure that `module` can be imported.

    Raises:
        MissingExtraError: It cannot.
    """
    if find_spec(module) is None:
        raise MissingExtraError(purpose, extra)


def unavailable(error: MissingExtraError) -> Refusal:
    """The error as an agent is told about it."""
    return Refusal("unavailable", str(error))
