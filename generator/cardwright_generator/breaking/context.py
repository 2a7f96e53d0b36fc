"""What a model reads of a card, channel by channel, as text whose size can be told."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cardwright_generator.emit.expected import expected_tool_schemas, expected_type_schema
from cardwright_generator.emit.json_schema import Json
from cardwright_generator.spec.catalogue import Catalogue, LoadedCard, LoadedCommon
from cardwright_generator.spec.language import CardSpec, CommonSpec, EndpointSpec

from .sides import Side

BYTES_PER_TOKEN = 4
"""A rule of thumb for English text and JSON; providers count differently."""


@dataclass(frozen=True, slots=True)
class Text:
    """What is read of one endpoint on one channel."""

    shown: str
    """Laid out for people."""
    size: int
    """Bytes of what is sent, without the layout."""

    @property
    def tokens(self) -> int:
        """About how many tokens that is."""
        return -(-self.size // BYTES_PER_TOKEN)


type Reading = Mapping[tuple[str, str], Text]
"""Channel and public name -> what is read."""


def reading(side: Side, file: str) -> Reading:
    """What is read of the card of a file, everything being on; nothing if there is no card."""
    card = side.card(file)
    return {} if card is None else dict(_reading(side, file, card))


def _reading(side: Side, file: str, card: CardSpec) -> Iterator[tuple[tuple[str, str], Text]]:
    catalogue = _catalogue(side)
    loaded = next(one for one in catalogue.cards if one.path == file)
    schemas = expected_tool_schemas(loaded, catalogue)
    for capability in card.capabilities.values():
        for key, spec in capability.endpoints.items():
            name = spec.name or key
            for channel in spec.channels:
                yield (channel, name), _text(channel, name, spec, schemas, loaded, catalogue)
    if card.toolset is not None:
        yield ("toolset", card.card), _plain(card.toolset.doc.strip())


def _text(
    channel: str,
    name: str,
    spec: EndpointSpec,
    schemas: Mapping[str, Json],
    loaded: LoadedCard,
    catalogue: Catalogue,
) -> Text:
    doc = (spec.doc or "").strip()
    if channel == "tool_call":
        return _json({"name": name, "description": doc, "parameters": schemas.get(name, {})})
    if channel == "llm_context" and spec.state is not None:
        return _json(expected_type_schema(spec.state, loaded, catalogue))
    if channel == "command":
        return _plain(f"/{' '.join([name, *spec.arguments])}\n{doc}")
    return _plain(doc)


def _json(value: Json) -> Text:
    sent = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Text(json.dumps(value, ensure_ascii=False, indent=2), len(sent.encode()))


def _plain(text: str) -> Text:
    return Text(text, len(text.encode()))


def _catalogue(side: Side) -> Catalogue:
    files = [file for _, file in sorted(side.files.items())]
    return Catalogue(
        tuple(
            LoadedCard(file.path, file.text, file.spec, file.positions)
            for file in files
            if isinstance(file.spec, CardSpec)
        ),
        tuple(
            LoadedCommon(file.path, file.text, file.spec, file.positions)
            for file in files
            if isinstance(file.spec, CommonSpec)
        ),
        (),
    )
