"""All pages of a site, by path."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from cardwright_generator.emit.environment import cell
from cardwright_generator.emit.lookup import Lookup
from cardwright_generator.model.naming import folder
from cardwright_generator.spec import Catalogue, LoadedCard, LoadedCommon

from .card_page import CardPage
from .examples import Examples
from .links import Linker, anchor, place
from .type_section import type_sections, types_by_name

type Row = tuple[str, ...]


def site_pages(
    catalogue: Catalogue, package: str, title: str, examples: Examples
) -> dict[str, str]:
    """Path -> Markdown of every page.

    Args:
        catalogue: The specs, without errors; cards and shared types of other packages may be there.
        package: Import package of the cards.
        title: Name of the project.
        examples: Rendered texts, by card.
    """
    return dict(_Site(catalogue, package, title, examples).pages())


@dataclass(frozen=True, slots=True)
class _Site:
    catalogue: Catalogue
    package: str
    title: str
    examples: Examples

    def pages(self) -> Iterator[tuple[str, str]]:
        """Every page."""
        yield "index.md", self._index()
        lookup = Lookup(self.catalogue, self.package)
        for loaded in self.catalogue.cards:
            page = CardPage(
                loaded, self.catalogue, lookup, self.package, self._cards(), self._shared()
            )
            yield card_path(loaded), page.text(self.examples.get(loaded.spec.card, ()))
        for common in self.catalogue.commons:
            yield common_path(common), self._common(common, lookup)
        yield "names.md", self._names()

    def _cards(self) -> dict[str, str]:
        return {loaded.spec.card: f"/{card_path(loaded)}" for loaded in self.catalogue.cards}

    def _shared(self) -> dict[str, str]:
        return {
            name: f"/{common_path(common)}#{place(common.path, 'type', name)}"
            for common in self.catalogue.commons
            for name in types_by_name(common)
        }

    def _index(self) -> str:
        lines = [f"# {self.title}", "", f"The tool cards of `{self.package}`.", ""]
        rows = [
            (f"[{one.spec.card}]({card_path(one)})", one.spec.summary.strip(), _channels(one))
            for one in self.catalogue.cards
            if one.spec.deprecated is None
        ]
        lines += table(("card", "what it is for", "serves"), rows)
        lines += [line for one in self.catalogue.cards for line in _pointer(one)]
        lines += ["", "[Names](names.md) lists every tool, command, actor, event and variable.", ""]
        pages = [*map(card_path, self.catalogue.cards), *map(common_path, self.catalogue.commons)]
        lines += ["```{toctree}", ":hidden:", "", *pages, "names.md", "```", ""]
        return Linker({}, {}).linked("\n".join(lines))

    def _common(self, common: LoadedCommon, lookup: Lookup) -> str:
        text = "\n".join(
            [f"# Types of `{common.path}`\n", *type_sections(common, lookup, common.path, level=2)]
        )
        return Linker({}, self._shared()).linked(text) + "\n"

    def _names(self) -> str:
        lines = ["# Names", "", "Which card serves, owns, reads or raises what.", ""]
        for heading, of in _NAMES.items():
            rows = sorted(
                (f"`{name}`", f"[{one.spec.card}]({card_path(one)}{target})")
                for one in self.catalogue.cards
                for name, target in of(one)
            )
            if rows:
                lines += [f"## {heading}", "", *table(("name", "card"), rows), ""]
        return "\n".join(lines)


def _pointer(loaded: LoadedCard) -> list[str]:
    """Where to look instead of a card that is deprecated."""
    spec = loaded.spec
    if spec.deprecated is None:
        return []
    return ["", f"Deprecated: [{spec.card}]({card_path(loaded)}), use `{spec.deprecated.use}`."]


def card_path(loaded: LoadedCard) -> str:
    """The page of a card; in a folder, as Sphinx has a page `search` of its own."""
    return f"cards/{folder(loaded.spec.card)}.md"


def common_path(common: LoadedCommon) -> str:
    """The page of a file of shared types."""
    name = common.path.removesuffix(".yaml").removesuffix(".yml").removeprefix("specs/")
    return f"types/{anchor(name)}.md"


def table(head: Row, rows: Iterable[Row]) -> list[str]:
    """Lines of a Markdown table."""
    body = ["| " + " | ".join(map(cell, row)) + " |" for row in rows]
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *body]


_SHOWN = {
    "tool_call": "tools",
    "system_prompt": "system prompt",
    "llm_context": "context",
    "command": "commands",
}


def _channels(loaded: LoadedCard) -> str:
    found = {
        channel
        for capability in loaded.spec.capabilities.values()
        for endpoint in capability.endpoints.values()
        for channel in endpoint.channels
    }
    words = [word for channel, word in _SHOWN.items() if channel in found]
    return ", ".join([*words, *(["a toolset"] if loaded.spec.toolset else [])]) or "other cards"


def _served(channel: str) -> Callable[[LoadedCard], list[tuple[str, str]]]:
    def names(loaded: LoadedCard) -> list[tuple[str, str]]:
        return [
            (endpoint.name or key, "")
            for capability in loaded.spec.capabilities.values()
            for key, endpoint in capability.endpoints.items()
            if channel in endpoint.channels
        ]

    return names


def _declared(
    kind: str, names: Callable[[LoadedCard], Iterable[tuple[str, str]]]
) -> Callable[[LoadedCard], list[tuple[str, str]]]:
    return lambda loaded: [
        (name, f"#{place(loaded.spec.card, kind, key)}") for key, name in names(loaded)
    ]


_NAMES: dict[str, Callable[[LoadedCard], list[tuple[str, str]]]] = {
    "Tools": _served("tool_call"),
    "Commands": _served("command"),
    "Actors": _declared("actor", lambda one: ((k, a.name) for k, a in one.spec.actors.items())),
    "Events": _declared("event", lambda one: ((key, key) for key in one.spec.events)),
    "Environment variables": _declared(
        "environment", lambda one: ((key, key) for key in one.spec.environment)
    ),
    "Failures": _declared("failure", lambda one: ((key, key) for key in one.spec.failures)),
}
