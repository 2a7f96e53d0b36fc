"""References to types: `#/types/Name`, `<file>#/types/Name`, `<package>/<file>#/types/Name`."""

import posixpath
import re
from dataclasses import dataclass

_REF = re.compile(
    r"(?:(?:(?P<package>[A-Za-z_][A-Za-z0-9_]*)/)?"
    r"(?P<file>[A-Za-z0-9_-][A-Za-z0-9_.-]*\.ya?ml))?"
    r"#/types/(?P<name>[A-Za-z0-9_]+)\Z"
)


@dataclass(frozen=True, slots=True)
class TypeRef:
    """A named type: of the same file (`file` is empty), of a file beside it, or of a package."""

    file: str
    name: str
    package: str = ""
    """Import package of the installed catalogue that holds the file; empty for a file beside."""

    def file_from(self, path: str) -> str:
        """Return the path of the file that holds the type, seen from the file at `path`."""
        if self.package:
            return f"{self.package}/{self.file}"
        return posixpath.join(posixpath.dirname(path), self.file) if self.file else path


def parse_ref(ref: str) -> TypeRef | None:
    """Split a `$ref`; None if it is not one: files are named, never reached by a path."""
    found = _REF.match(ref)
    return TypeRef(found["file"] or "", found["name"], found["package"] or "") if found else None
