"""Runs mutants of specs against their guards: `check_file` and `compare`, in this process."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast

import yaml
from tests.mutation import card_operators, faulty_operators, schema_operators, world_operators
from tests.mutation.mutants import OPERATORS, Guard, Json, Mutant, mutants
from tests.mutation.refused import codes_allowed

from cardwright_generator.breaking import Side, compare
from cardwright_generator.project import find_project
from cardwright_generator.spec import (
    CardFacts,
    ParsedFile,
    check_file,
    cross_check,
    facts_of,
    parse_file,
)
from cardwright_generator.spec.checking import neighbours
from cardwright_generator.spec.language import CardSpec
from cardwright_generator.spec.yaml_reader import read_yaml

MODULES = (card_operators, faulty_operators, schema_operators, world_operators)
"""Whose import registers their operators."""


_ASIDE = frozenset({"CW302"})
"""A spec is named after its card: mutants stay where they are."""


class Dumper(yaml.CSafeDumper):
    """Writes what occurs twice in full."""

    def ignore_aliases(self, data: object) -> bool:
        return True


@dataclass(frozen=True)
class Outcome:
    """What caught a mutant, and what should have."""

    mutant: Mutant
    missing: tuple[Guard, ...]
    caught: tuple[str, ...]

    @property
    def survived(self) -> bool:
        return bool(self.missing)

    @property
    def told(self) -> str:
        due = ", ".join(map(str, self.missing))
        found = ", ".join(self.caught) or "nothing"
        return f"{self.mutant.operator} at {self.mutant.file} {self.mutant.where}: {due}; {found}"


def _facts(files: Mapping[str, ParsedFile]) -> dict[str, CardFacts]:
    return {p: facts_of(file) for p, file in files.items() if isinstance(file.spec, CardSpec)}


def specs(root: Path) -> dict[str, Json]:
    """Path -> plain data of every spec of a project, whatever their number."""
    project = find_project(root)
    return {
        project.relative(path): cast(
            "Json", read_yaml(path.name, path.read_text(encoding="utf-8")).data
        )
        for path in project.spec_files()
    }


@dataclass(frozen=True)
class Bench:
    """All specs of a project as they are, against which mutants of one are held."""

    specs: Mapping[str, Json]
    parsed: Mapping[str, ParsedFile]

    facts: Mapping[str, CardFacts]

    @classmethod
    def of(cls, found: Mapping[str, Json]) -> "Bench":
        parsed = {path: parse_file(path, text(data)) for path, data in found.items()}
        return cls(found, parsed, _facts(parsed))

    def mutants(self) -> Iterator[Mutant]:
        for name in OPERATORS:
            for file, data in self.specs.items():
                yield from mutants(file, data, name)

    def caught(self, file: str, data: Json) -> tuple[str, ...]:
        """Codes of a spec that is wrong, or rules that tell what changed in it."""
        changed = parse_file(file, text(data))
        files = {**self.parsed, file: changed}
        codes = self._codes(changed, files)
        found = () if codes else compare(self._side(self.parsed, file), self._side(files, file))
        return (*codes, *(f"{one.rule.id} {one.category} {one.level.name}" for one in found))

    def outcome(self, mutant: Mutant) -> Outcome:
        caught = self.caught(mutant.file, mutant.data)
        codes = tuple(one for one in caught if one.startswith("CW"))
        rules = tuple(one for one in caught if one not in codes)
        if codes and codes_allowed(mutant.operator, codes):
            return Outcome(mutant, (), codes)
        missing = tuple(guard for guard in mutant.guards if not _met(guard, codes, rules))
        return Outcome(mutant, missing, (*codes, *rules))

    def _side(self, files: Mapping[str, ParsedFile], file: str) -> Side:
        """What comparing reads of a version: the mutated file, and the shared types."""
        commons = {path for path in self.parsed if path not in self.facts}
        return Side(files, frozenset({file, *commons}))

    def _codes(self, changed: ParsedFile, files: Mapping[str, ParsedFile]) -> tuple[str, ...]:
        around = neighbours(files.values())
        found = [one for one in check_file(changed, around) if one.severity == "error"]
        facts = {**self.facts, **_facts({changed.path: changed})}
        found += [one for one in cross_check(facts.values()) if one.severity == "error"]
        return tuple(sorted({one.code for one in found} - _ASIDE))


def text(data: Json) -> str:
    """Plain data as a spec, in the order of its keys."""
    dump = cast("Callable[..., Any]", yaml.dump)  # pyright: ignore[reportUnknownMemberType] - its stubs are partial
    return str(dump(data, Dumper=Dumper, sort_keys=False, allow_unicode=True))


def _met(guard: Guard, codes: tuple[str, ...], rules: tuple[str, ...]) -> bool:
    if guard.name.startswith("CW"):
        return any(fnmatchcase(code, guard.name) for code in codes)
    due = f"{guard.name} {guard.category} {guard.level}"
    return any(fnmatchcase(rule, due) for rule in rules)
