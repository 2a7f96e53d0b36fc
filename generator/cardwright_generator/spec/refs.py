"""References to types: `#/types/Name` and `<file>.yaml#/types/Name`."""

import posixpath
import re
from dataclasses import dataclass

_REF = re.compile(
    r"(?P<file>[A-Za-z0-9_-][A-Za-z0-9_.-]*\.ya?ml)?#/types/(?P<name>[A-Za-z0-9_]+)\Z"
)


@dataclass(frozen=True, slots=True)
class TypeRef:
    """A named type: of the same file (`file` is empty) or of a file beside it."""

    file: str
    name: str

    def file_from(self, path: str) -> str:
        """Return the path of the file that holds the type, seen from the file at `path`."""
        return posixpath.join(posixpath.dirname(path), self.file) if self.file else path


def parse_ref(ref: str) -> TypeRef | None:
    """Split a `$ref`; None if it is not one: files are named, never reached by a path."""
    found = _REF.match(ref)
    return TypeRef(found["file"] or "", found["name"]) if found else None
