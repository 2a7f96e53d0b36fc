"""Two histories of pure refactors, in real repositories: nothing in them is an alarm."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from tests.breaking.breaking_history import History

from cardwright_generator.breaking import Finding, Level

CARD = """\
card: WeatherTool
summary: Forecasts of a place.
logic: acme.weather.logic:WeatherLogic
observer: none
fields:
  unit:
    enum: [celsius, fahrenheit]
    default: celsius
    description: Scale of temperatures.
types:
  Place:
    base: plain
    description: Where.
    type: object
    required: [name]
    properties:
      name: {type: string, maxLength: 80, description: Name of the place.}
      height: {type: [integer, "null"], default: null, description: Metres above the sea.}
  Unit:
    description: Scale of temperatures.
    enum: [celsius, fahrenheit]
failures:
  no_place: {surfaces: retry, when: nothing is known of the place}
capabilities:
  forecast:
    param: Forecast
    description: Look ahead.
    config:
      days: {type: integer, minimum: 1, maximum: 14, default: 3, description: Days ahead.}
    endpoints:
      forecast:
        channels: [tool_call, command]
        doc: >-
          Forecast of a place
          for some days.
        arguments:
          place: {type: string, description: Name of the place.}
          days: {type: integer, default_from: days, description: Days ahead.}
          unit: {enum: [celsius, fahrenheit], default: celsius, description: Scale.}
        returns: string
        idempotency: read_only
    failures: [no_place]
  compare:
    param: Compare
    description: Compare places.
    endpoints:
      compare_places:
        channels: [tool_call]
        doc: Compare the weather of places.
        arguments:
          places: {type: array, items: {$ref: "#/types/Place"}, description: The places.}
        returns: string
        idempotency: read_only
"""
CLOCK = """\
card: ClockTool
summary: Tells the time.
logic: acme.clock.logic:ClockLogic
observer: none
capabilities:
  clock:
    param: Clock
    description: Tell the time.
    endpoints:
      now:
        channels: [tool_call]
        doc: Tell the time.
        returns: string
        idempotency: read_only
"""


def said(found: tuple[Finding, ...]) -> list[str]:
    return [f"{one.level.name} {one.rule.id} {one.subject}" for one in found]


def shuffled(node: Any, depth: int = 0) -> Any:  # noqa: ANN401 - plain YAML data
    """Keys of every node turned round, where their order means nothing."""
    if isinstance(node, list):
        return [shuffled(item, depth) for item in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    found = {key: shuffled(value, depth + 1) for key, value in cast("dict[str, Any]", node).items()}
    ordered = {"capabilities", "arguments", "properties", "endpoints"}
    items = list(found.items())
    keeps = any(
        isinstance(value, dict) and {"param", "channels", "description"} & value.keys()
        for value in found.values()
    )
    return dict(items if keeps and not ordered & found.keys() else reversed(items))


def restyled(text: str, **style: object) -> str:
    return dumped(yaml.safe_load(text), allow_unicode=True, **style)


def dumped(data: object, **style: object) -> str:
    dump = cast("Callable[..., str]", yaml.safe_dump)  # pyright: ignore[reportUnknownMemberType] - its stubs are partial
    return dump(data, sort_keys=False, **style)


def test_first_history_form_alone(tmp_path: Path) -> None:
    """Comments, styles, order of keys, anchors, line ends, quotes, folders."""
    history = History(tmp_path)
    first = history.commit({"specs/weather.yaml": CARD, "specs/clock.yaml": CLOCK})
    steps: list[dict[str, str | None]] = [
        {
            "specs/weather.yaml": f"# About the weather.\n\n{CARD}".replace(
                "    param", "\n    # Which.\n    param"
            )
        },
        {"specs/weather.yaml": restyled(CARD, default_flow_style=False)},
        {"specs/weather.yaml": restyled(CARD, default_flow_style=True)},
        {"specs/weather.yaml": restyled(CARD, default_style='"')},
        {"specs/weather.yaml": dumped(shuffled(yaml.safe_load(CARD)))},
        {
            "specs/weather.yaml": CARD.replace(
                "enum: [celsius, fahrenheit]", "enum: &scale [celsius, fahrenheit]", 1
            ).replace("{enum: [celsius, fahrenheit]", "{enum: *scale")
        },
        {"specs/weather.yaml": CARD.replace("\n", "\r\n")},
        {
            "specs/weather.yaml": CARD.replace(
                ">-\n          Forecast of a place\n          for", '"Forecast of a place for'
            ).replace("some days.", 'some days."')
        },
        {"specs/weather.yaml": None, "specs/outside/weather.yaml": CARD},
        {"specs/clock.yaml": None, "specs/outside/clock.yaml": f"# moved\n{CLOCK}"},
    ]
    last = first
    for number, step in enumerate(steps):
        commit = history.commit(step)
        assert said(history.since(first)) == [], number
        assert said(history.since(last)) == [], number
        last = commit


def test_second_history_structure(tmp_path: Path) -> None:
    """Values named as types, types shared, a project in a subfolder: readers get what they got."""
    history = History(tmp_path, "services/agents")
    first = history.commit({"specs/weather.yaml": CARD})
    named = CARD.replace("{enum: [celsius, fahrenheit], default", '{$ref: "#/types/Unit", default')
    assert named != CARD
    history.commit({"specs/weather.yaml": named})
    assert said(history.since(first)) == []
    body = re.search(r"  Unit:\n.*?\n(?=failures)", named, re.DOTALL)
    assert body is not None
    shared = named.replace(body[0], "").replace("#/types/Unit", "common.yaml#/types/Unit")
    history.commit({"specs/weather.yaml": shared, "specs/common.yaml": f"types:\n{body[0]}"})
    # Where a type is imported from did change, and nothing else.
    moved = ["INFO type-moved types.Unit"]
    assert said(history.since(first)) == moved
    place = re.search(r"  Place:\n.*?\n(?=failures)", shared, re.DOTALL)
    assert place is not None
    both = (
        shared.replace(place[0], "")
        .replace("types:\n", "")
        .replace("#/types/Place", "common.yaml#/types/Place")
    )
    history.commit(
        {"specs/weather.yaml": both, "specs/common.yaml": f"types:\n{place[0]}{body[0]}"}
    )
    found = history.since(first)
    assert {one.rule.id for one in found} == {"type-moved"}
    assert all(one.level is Level.INFO for one in found)


def test_stored_types_that_move_are_no_refactor(tmp_path: Path) -> None:
    """Their marker in stored data names the module they leave."""
    history = History(tmp_path)
    stored = CARD.replace("    base: plain\n", "")
    first = history.commit({"specs/weather.yaml": stored})
    place = re.search(r"  Place:\n.*?\n(?=  Unit)", stored, re.DOTALL)
    assert place is not None
    moved = stored.replace(place[0], "").replace("#/types/Place", "common.yaml#/types/Place")
    history.commit({"specs/weather.yaml": moved, "specs/common.yaml": f"types:\n{place[0]}"})
    assert said(history.since(first)) == ["ERR stored-type-moved types.Place"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("maxLength: 80", "maxLength: 40", {"argument-bound-tightened"}),
        ("default: 3,", "default: 4,", {"argument-default-changed", "field-default-changed"}),
        ("Scale.}", "The scale.}", {"argument-description-changed"}),
        (
            "celsius, fahrenheit], default: celsius, description: Scale",
            "celsius], default: celsius, description: Scale",
            {"argument-choice-removed"},
        ),
    ],
)
def test_what_is_no_refactor_is_found(
    tmp_path: Path, old: str, new: str, expected: set[str]
) -> None:
    history = History(tmp_path)
    first = history.commit({"specs/weather.yaml": CARD})
    assert old in CARD
    history.commit({"specs/weather.yaml": CARD.replace(old, new)})
    assert {one.rule.id for one in history.since(first)} == expected
