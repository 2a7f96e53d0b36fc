"""Git repositories that tests make: a project, and one commit after the other."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from cardwright_generator.breaking import Finding, compare, load_sides
from cardwright_generator.project import find_project

SETTINGS = '[project]\nname = "acme"\nversion = "1"\n\n[tool.cardwright]\npackage = "acme_cards"\n'


class History:
    """A repository with a project in it, at its top or in a folder below."""

    def __init__(self, root: Path, folder: str = "") -> None:
        self.top, self.root = root, root / folder
        self.root.mkdir(parents=True, exist_ok=True)
        (self.root / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        who = ("-c", "user.name=test", "-c", "user.email=test@example.invalid")
        command = ("git", *who, "-C", str(self.top), *arguments)
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, files: Mapping[str, str | None]) -> str:
        """Write or delete files, commit them, and return the commit."""
        for path, text in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                target.unlink()
            else:
                target.write_text(text, encoding="utf-8", newline="\n")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "change")
        return self.git("rev-parse", "HEAD")

    def since(self, against: str) -> tuple[Finding, ...]:
        """What changed in the work tree since a commit."""
        sides = load_sides(find_project(self.root), against)
        return compare(sides.old, sides.new)
