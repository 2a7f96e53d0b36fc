"""What the model reads of a card, rendered by the card's own logic with made-up values."""

import logging
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import chdir, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, ValidationError

from cardwright.core import BaseToolParam, ContextState, ToolCard

from .console import remark
from .errors import CommandError
from .made_up import made_up
from .portrait import param_of

if TYPE_CHECKING:
    from cardwright_generator.site import Example
    from cardwright_generator.spec import Catalogue, LoadedCard

_NO_TEXT = "Empty until there is something to say."


def rendered_examples(catalogue: "Catalogue") -> "Mapping[str, tuple[Example, ...]]":
    """Card -> every system prompt and context block, in the order of the spec.

    Logic runs in an empty folder, in a team of its own; what cannot be rendered says why.
    """
    from .catalogue import listed_cards

    listed = listed_cards()
    found: dict[str, tuple[Example, ...]] = {}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for loaded in catalogue.cards:
            name = loaded.spec.card
            try:
                card = listed[name].load() if name in listed else None
            except CommandError as error:
                remark(f"{error}; its page shows no rendered text")
                continue
            if card is not None:
                found[name] = tuple(_examples(loaded, card))
    return found


def _examples(loaded: "LoadedCard", card: type[ToolCard]) -> Iterator["Example"]:
    prompts = [
        key
        for capability in loaded.spec.capabilities.values()
        for key, endpoint in capability.endpoints.items()
        if "system_prompt" in endpoint.channels
    ]
    if prompts:
        yield from _prompts(card, prompts)
    for capability in loaded.spec.capabilities.values():
        for key, endpoint in capability.endpoints.items():
            if endpoint.state is not None:
                path = loaded.spec.types[endpoint.state].class_
                if path is not None:
                    yield from _blocks(key, path)


def _prompts(card: type[ToolCard], keys: list[str]) -> Iterator["Example"]:
    from cardwright_generator.site import Example

    texts: dict[str, str] = {}
    reason = ""
    for made in _configurations(card):
        try:
            for key, text in _bound_prompts(made).items():
                texts[key] = texts.get(key) or text
        except Exception as error:  # noqa: BLE001 - logic of strangers may raise anything
            reason = f"Not shown: its logic needs more than a sample ({type(error).__name__})."
    for key in keys:
        text = texts.get(key, "")
        note = "with made-up configuration." if text else reason or _NO_TEXT
        yield Example(key, "system prompt", text, note)


def _configurations(card: type[ToolCard]) -> Iterator[ToolCard]:
    """The card as it is without configuration, then with something in every field."""
    for sample in (False, True):
        fields: dict[str, object] = {}
        for name, field in card.model_fields.items():
            param = param_of(field)
            if param is not None:
                fields[name] = _param(param, sample=sample)
            elif field.is_required():
                fields[name] = made_up(card.model_json_schema(), name)
        with suppress(ValidationError):
            yield card.model_validate(fields)


def _param(param: type[BaseToolParam], *, sample: bool) -> dict[str, object] | bool:
    schema = param.model_json_schema(mode="validation")
    own = {
        name: field
        for name, field in param.model_fields.items()
        if name not in BaseToolParam.model_fields
    }
    given = {
        name: made_up(schema, name)
        for name, field in own.items()
        if field.is_required() or (sample and field.get_default(call_default_factory=True) == [])
    }
    return {**given, "expose": sorted(param.serves)} if param.serves else True


def _bound_prompts(made: ToolCard) -> dict[str, str]:
    from cardwright.bench import LocalTeam

    quiet = logging.getLogger("cardwright")
    before = quiet.level
    quiet.setLevel(logging.CRITICAL)
    try:
        with LocalTeam() as team:
            agent = team.agent("@Sample", [made], raises=False)
            return {p.__name__: p() for p in agent.factory.get_system_prompts()}
    finally:
        quiet.setLevel(before)


def _blocks(key: str, path: str) -> Iterator["Example"]:
    """A state as it reads whole, and what is told when it changes; `path` is its class."""
    from cardwright_generator.site import Example

    try:
        state = _state_class(path)
        schema = cast("type[BaseModel]", state).model_json_schema()
        first, second = (state.model_validate(made_up(schema, turn=turn)) for turn in (1, 2))
        whole, delta = first.render_full(), second.render_delta(first)
    except Exception as error:  # noqa: BLE001 - logic of strangers may raise anything
        note = f"Not shown: it needs more than a sample ({type(error).__name__})."
        yield Example(key, "context", "", note)
        return
    yield Example(key, "context", whole, "whole, with made-up values." if whole else _NO_TEXT)
    if delta:
        yield Example(key, "context update", delta, "what changed since.")


def _state_class(path: str) -> type[ContextState[Any]]:
    """The handwritten class of a state, which renders it."""
    module, _, name = path.partition(":")
    return cast("type[ContextState[Any]]", getattr(import_module(module), name))
