"""The page of one card: its reference, what the model reads, its types and its schemas."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cardwright_generator.emit.expected import expected_tool_schemas
from cardwright_generator.emit.lookup import Lookup
from cardwright_generator.emit.readme import render_readme
from cardwright_generator.model.cards import plan_card
from cardwright_generator.spec import Catalogue, LoadedCard

from .examples import Example
from .links import Linker, anchored, place
from .type_section import type_sections, types_by_name

_ANCHORED = {
    "Failures": "failure",
    "Actors": "actor",
    "Environment": "environment",
    "Events": "event",
}


@dataclass(frozen=True, slots=True)
class CardPage:
    """One card with everything its page draws from."""

    loaded: LoadedCard
    catalogue: Catalogue
    lookup: Lookup
    package: str
    cards: Mapping[str, str]
    """Every card of the site -> its page."""
    shared: Mapping[str, str]
    """Shared types -> where they are explained."""

    def text(self, examples: Sequence[Example]) -> str:
        """The page in Markdown."""
        parts = [*self._reference(), *_read(examples), *self._types(), *self._schemas()]
        return self._linker().linked("\n".join(parts)) + "\n"

    def _reference(self) -> list[str]:
        path, spec = self.loaded.path, self.loaded.spec
        types, values = self.lookup.types(path), self.lookup.values(path)
        plan = plan_card(spec, path, self.package, types, values)
        lines = render_readme(self.loaded, plan).split("\n")[1:]
        for heading, prefix in _ANCHORED.items():
            lines = anchored(lines, heading, self._owner, prefix)
        return [*map(self._failures_linked, lines)]

    def _types(self) -> Iterator[str]:
        if self.loaded.spec.types:
            yield "## Types\n"
            yield from type_sections(self.loaded, self.lookup, self._owner)

    def _schemas(self) -> Iterator[str]:
        schemas = expected_tool_schemas(self.loaded, self.catalogue)
        if not schemas:
            return
        yield "## Schemas\n"
        yield "What a model is sent for the arguments of each tool, every capability being on.\n"
        for name, schema in schemas.items():
            text = json.dumps(schema, indent=2, ensure_ascii=False)
            yield f"### `{name}`\n\n{fenced(text, 'json')}\n"

    def _linker(self) -> Linker:
        spec = self.loaded.spec
        own = {name: self._place("type", name) for name in types_by_name(self.loaded)}
        others = {name: page for name, page in self.cards.items() if name != spec.card}
        variables = {name: self._place("environment", name) for name in spec.environment}
        actors = {actor.name: self._place("actor", key) for key, actor in spec.actors.items()}
        return Linker({**others, **variables, **actors}, {**self.shared, **own})

    def _failures_linked(self, line: str) -> str:
        """The ids in `Failures: ...` under a capability, linked to their table."""
        if not line.startswith("Failures: "):
            return line
        return re.sub(
            r"`([^`]+)`", lambda one: f"[`{one[1]}`]({self._place('failure', one[1])})", line
        )

    def _place(self, kind: str, name: str) -> str:
        return f"#{place(self._owner, kind, name)}"

    @property
    def _owner(self) -> str:
        return self.loaded.spec.card


def _read(examples: Sequence[Example]) -> Iterator[str]:
    if examples:
        yield "## What the model reads\n"
    for one in examples:
        yield f"**{one.kind.capitalize()}, `{one.endpoint}`**" + (
            f": {one.note}" if one.note else ""
        )
        yield ""
        if one.text:
            yield f"{fenced(one.text, 'text')}\n"


def fenced(text: str, language: str) -> str:
    """A code block whose fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
