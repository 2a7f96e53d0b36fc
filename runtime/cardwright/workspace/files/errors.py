"""Errors of the tree, and how they read to a model."""

import errno
from collections.abc import Generator
from contextlib import contextmanager

from cardwright.workspace.refusals import FailureId, Refusal

_FAILURES: dict[int, FailureId] = {
    errno.ENOENT: "not_found",
    errno.ENOTDIR: "unsuitable",
    errno.EISDIR: "unsuitable",
    errno.EEXIST: "unsuitable",
    errno.ENOTEMPTY: "unsuitable",
    errno.EINVAL: "invalid",
    errno.ENAMETOOLONG: "invalid",
    errno.ELOOP: "invalid",
    errno.EILSEQ: "invalid",
    errno.ESTALE: "lost",
}
_REASONS = {
    errno.ENOENT: "File not found: {path}",
    errno.ENOTDIR: "A part of {path} is a file, not a directory.",
    errno.EISDIR: "{path} is a directory, not a file.",
    errno.EEXIST: "{path} exists already and is not a directory.",
    errno.ENAMETOOLONG: "A name in the path is too long.",
    errno.EXDEV: "{path} cannot be changed: the workspace is a file system of its own. Whoever runs"
    " this can mount the folder of all workspaces instead.",
    errno.ELOOP: "The links of {path} lead in a circle.",
    errno.ESTALE: "{path} changed meanwhile. Nothing was done: send the same call again.",
}


class PathEscapeError(PermissionError):
    """The path, or a link on its way, leads out of the tree."""


class InvalidPathError(ValueError):
    """No file can have this path."""


class NotRegularError(OSError):
    """The entry is a device, a pipe or a socket."""


@contextmanager
def refusing(path: str) -> Generator[None]:
    """Turn errors of the system about `path` into refusals; the error stays the cause."""
    path = path or "."
    try:
        yield
    except InvalidPathError as error:
        raise Refusal("invalid", str(error)) from error
    except PathEscapeError as error:
        raise Refusal(
            "outside", f"{path} leads out of the workspace: use a path inside."
        ) from error
    except NotRegularError as error:
        raise Refusal("unsuitable", f"{path} is neither a file nor a directory.") from error
    except OSError as error:
        raise as_refusal(path, error) from error


def as_refusal(path: str, error: OSError) -> Refusal:
    """What to tell the model about an error of the system."""
    number = error.errno or 0
    failure = _FAILURES.get(number, "denied")
    if number in _REASONS:
        return Refusal(failure, _REASONS[number].format(path=path))
    reason = (error.strerror or type(error).__name__).lower()
    return Refusal(
        failure,
        f"The path {path} is valid, but the system refused this operation on it: {reason}.",
    )
