"""What a read showed, for the gate."""

from dataclasses import dataclass

from cardwright.workspace.files import Blob, Identity


@dataclass(frozen=True, slots=True)
class Seen:
    """Lines `first` to `last` of `total` were shown of the content with hash `sha`.

    `last` is 0 if no line was shown in full. An image is one line.
    """

    path: str
    sha: str
    first: int
    last: int
    total: int
    identity: Identity
    content: bytes
    """The whole file, of which more may have been left out than was shown."""

    @classmethod
    def of(cls, blob: Blob, first: int, last: int, total: int) -> "Seen":
        """What was shown of `blob`."""
        return cls(blob.path, blob.sha, first, last, total, blob.facts.identity, blob.data)

    @property
    def full(self) -> bool:
        """Whether everything was shown; nothing is all of an empty file."""
        return self.total == 0 or (self.first == 1 and self.last == self.total)


@dataclass(frozen=True, slots=True)
class Reading:
    """The answer to a read, and what it showed."""

    text: str
    seen: Seen
