"""Runs mutants of generated code against wiring tests, schema snapshots and types.

Each mutant lives in a child process that imports it in the place of the real module; the parent
imports no generated card, so children start clean and cheap.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Self, override

from tests.mutation.code_operators import CodeMutant, code_mutants
from tests.mutation.wiring_runner import first_failure

from cardwright_generator.project import Project, find_project

SNAPSHOTS = "tests/contracts/__snapshots__/test_contracts_schemas"


@dataclass(frozen=True)
class Result:
    """A mutant, and the guard that caught it; empty if none did."""

    mutant: CodeMutant
    caught_by: str

    @property
    def operator(self) -> str:
        return self.mutant.operator

    @property
    def told(self) -> str:
        return self.mutant.told


class InItsPlace(MetaPathFinder):
    """Finds a mutant under the name of the module that it mutates."""

    def __init__(self, module: str, path: Path, folder: Path | None) -> None:
        self.module, self.path, self.folder = module, path, folder

    @override
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        place = None if self.folder is None else [str(self.folder)]
        return spec_from_file_location(fullname, self.path, submodule_search_locations=place)


@dataclass(frozen=True)
class GeneratedBench:
    """The generated packages of a project, each with its wiring test."""

    project: Project
    scratch: TemporaryDirectory[str]

    @classmethod
    def of(cls, root: Path) -> "GeneratedBench":
        return cls(find_project(root), TemporaryDirectory(prefix="mutants-"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.scratch.cleanup()

    def originals(self, mutants: Iterable[CodeMutant]) -> Iterator[CodeMutant]:
        """The mutated modules as they are, which nothing may catch."""
        for file in sorted({mutant.file for mutant in mutants}):
            text = (self.project.root / file).read_text(encoding="utf-8")
            yield CodeMutant("none", file, 1, text)

    def mutants(self, one_in: int = 1) -> Iterator[CodeMutant]:
        """All mutants, or a sample that is the same in every run."""
        package = self.project.root / self.project.package_path
        for path in sorted(package.glob("*/*.py")):
            text = path.read_text(encoding="utf-8")
            yield from code_mutants(self.project.relative(path), text, one_in)

    def outcomes(self, mutants: Iterable[CodeMutant], *, typed: bool = True) -> Iterator[Result]:
        """Which guard catches each mutant."""
        alive = list[CodeMutant]()
        for mutant in mutants:
            caught = self.caught(mutant)
            if caught or not typed:
                yield Result(mutant, caught)
            else:
                alive.append(mutant)
        yield from (Result(mutant, self._by_types(mutant)) for mutant in alive)

    def caught(self, mutant: CodeMutant) -> str:
        """Which guard catches a mutant at run time: a test, a snapshot, or none."""
        path = self._written(mutant)
        package = self.project.root / Path(mutant.file).parent
        folder = package if path.stem == "__init__" else None
        finder = InItsPlace(self._module(mutant), path, folder)
        cards = list(self._cards(Path(mutant.file).parent.name))
        return _in_child(lambda: self._guards(finder, cards))

    def _cards(self, folder: str) -> Iterator[str]:
        """The card of a package; of shared types the cards that name them."""
        made = self.project.root / self.project.package_path
        shared = f"{self.project.package}.{folder}."
        for path in sorted(made.glob("*/card.py")):
            card = path.parent.name
            if card == folder or shared in path.read_text(encoding="utf-8"):
                yield card

    def _guards(self, finder: InItsPlace, cards: Sequence[str]) -> str:
        sys.meta_path.insert(0, finder)
        tests = self.project.root / self.project.tests
        snapshots = self.project.root / SNAPSHOTS
        found = (_guard(tests / f"test_{card}_wiring.py", snapshots, card) for card in cards)
        return next(filter(None, found), "")

    def _module(self, mutant: CodeMutant) -> str:
        inside = Path(mutant.file).relative_to(self.project.output).with_suffix("")
        return ".".join(part for part in inside.parts if part != "__init__")

    def _written(self, mutant: CodeMutant) -> Path:
        path = Path(self.scratch.name) / Path(mutant.file).name
        path.write_text(mutant.text, encoding="utf-8")
        return path

    def _by_types(self, mutant: CodeMutant) -> str:
        """Whether mypy refuses the mutant, or the logic that implements its contract."""
        path = self._written(mutant)
        card = Path(mutant.file).parent.name
        checked = [str(Path(mutant.file).parent)]
        checked += [folder for folder in (f"runtime/cardwright/{card}",) if Path(folder).is_dir()]
        command = (sys.executable, "-m", "mypy", "--shadow-file", mutant.file, str(path))
        done = subprocess.run(
            (*command, "--no-error-summary", "--cache-dir", f"{self.scratch.name}/mypy", *checked),
            cwd=self.project.root,
            capture_output=True,
            text=True,
            check=False,
        )
        return f"types: {done.stdout.splitlines()[0]}" if done.returncode == 1 else ""


def _guard(wiring: Path, snapshots: Path, folder: str) -> str:
    if failed := first_failure(wiring):
        return f"wiring: {failed}"
    try:
        changed = _changed_snapshot(snapshots, folder)
    except Exception as error:  # noqa: BLE001 - whatever a mutant raises catches it
        return f"snapshot: {type(error).__name__}"
    return f"snapshot: {changed}" if changed else ""


def _changed_snapshot(snapshots: Path, folder: str) -> str | None:
    """The snapshot of a card that its code no longer equals."""
    from tests.contracts.contracts_portrait import package_of, portrait
    from tests.contracts.test_contracts_schemas import sent

    from cardwright_cards.catalogue import CARDS

    for card in CARDS:
        if package_of(card, CARDS).rpartition(".")[2] == folder:
            for name, made in (
                ("test_full_text", sent(card)),
                ("test_everything_declared", portrait(card, CARDS)),
            ):
                stored = json.loads(
                    (snapshots / f"{name}[{card}].json").read_text(encoding="utf-8")
                )
                if json.loads(json.dumps(made)) != stored:
                    return f"{name}[{card}]"
    return None


def _in_child(work: Callable[[], str]) -> str:
    """Run in a child process, which inherits what is imported here and leaves nothing behind."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with open(writer, "w", encoding="utf-8") as answer:  # noqa: PTH123 - a descriptor
            answer.write(work())
        os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as answer:  # noqa: PTH123 - as above
        text = answer.read()
    _, status = os.waitpid(child, 0)
    return text if status == 0 else f"crash: {status}"


def explained(result: Result) -> str:
    """Why a mutant survives, as far as it is known."""
    return _WHY.get(result.operator, "not explained")


_WHY: dict[str, str] = {}
