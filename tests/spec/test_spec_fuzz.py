"""Whatever a file holds, loading it never raises: it tells."""

import json
import random
from pathlib import Path
from typing import cast

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardwright_generator.spec import load_specs, render_github, render_json, render_plain

CARDS = Path(__file__).parent / "cards"
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(CARDS.glob("*.yaml"))]
WORDS = sorted({word for text in TEXTS for word in text.replace(",", " ").split()})
# A corpus of lines that look like the language: what is near to right finds more than noise.
PIECES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(
        ["\n", "\n  ", "\n    ", "\n      ", ": ", "- ", "{", "}", "[", "]", ", ", "#"]
    ),
    st.sampled_from(
        ["&a ", "*a", "<<: ", "!x ", "|", ">-", "'", '"', "\t", "---\n", "%", "\u2028"]
    ),
    st.text(max_size=4),
)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(allow_nan=False), st.sampled_from(WORDS)
)
KEYS = st.sampled_from(
    [
        "card",
        "summary",
        "logic",
        "observer",
        "depends_on",
        "fields",
        "types",
        "actors",
        "stored",
        "events",
        "failures",
        "capabilities",
        "param",
        "config",
        "endpoints",
        "channels",
        "arguments",
        "returns",
        "type",
        "$ref",
        "enum",
        "const",
        "anyOf",
        "items",
        "properties",
        "required",
        "default",
        "when",
        "default_from",
        "expose",
        "migrate",
        "state",
        "renders",
        "name",
        "doc",
        "description",
        "a",
        "b",
        "Task",
        "minimum",
        "pattern",
        "secret",
        "unique_by",
        "truncate",
        "python",
        "base",
        "class",
    ]
)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def load_and_render(content: str | bytes) -> None:
    found = load_specs({"hello.yaml": content, "common.yaml": "types: {Task: {enum: [a]}}"})
    source = content if isinstance(content, str) else content.decode("utf-8", "replace")
    text = render_plain(found.diagnostics, {"hello.yaml": source})
    assert all(one.line >= 1 and one.column >= 1 for one in found.diagnostics)
    assert bool(text) == bool(found.diagnostics) == bool(render_github(found.diagnostics))
    assert len(json.loads(render_json(found.diagnostics))) == len(found.diagnostics)
    assert found.diagnostics == tuple(sorted(set(found.diagnostics)))


@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    load_and_render(content)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_text_that_looks_like_yaml(content: str) -> None:
    load_and_render(content)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(KEYS, DATA, max_size=8))
def test_any_data_made_of_the_words_of_the_language(data: dict[str, object]) -> None:
    head = {"card": "HelloTool", "summary": "x", "logic": "a:B"}
    load_and_render(dump(head | data))
    load_and_render(dump({"types": data}))


def dump(data: object) -> str:
    # The stub leaves the type of `width` open.
    write = yaml.dump  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return str(write(data, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False))


def paths(node: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [path] if path else []
    items: list[tuple[str | int, object]] = []
    if isinstance(node, dict):
        items = list(cast("dict[str | int, object]", node).items())
    elif isinstance(node, list):
        items = list(enumerate(cast("list[object]", node)))
    for key, inner in items:
        found += paths(inner, (*path, key))
    return found


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(TEXTS), st.integers(0, 10**6), DATA)
def test_a_good_spec_with_any_part_replaced(text: str, seed: int, value: object) -> None:
    data = yaml.load(text, Loader=yaml.CSafeLoader)
    *above, last = random.Random(seed).choice(paths(data))
    holder = data
    for key in above:
        holder = holder[key]
    holder[last] = value
    load_and_render(dump(data))


@given(st.sampled_from(TEXTS), st.integers(0, 10**6), st.integers(0, 3), st.text(max_size=3))
def test_a_good_spec_with_any_cut(text: str, start: int, length: int, instead: str) -> None:
    start %= len(text)
    load_and_render(text[:start] + instead + text[start + length :])
