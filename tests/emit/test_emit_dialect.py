"""Any type the dialect can say becomes a class whose JSON schema is what the spec says."""

import json
import sys
from itertools import count
from types import ModuleType
from typing import Any, cast

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter

from cardwright_generator.emit.expected import expected_type_schema
from cardwright_generator.emit.lookup import Lookup
from cardwright_generator.emit.types_module import render_types
from cardwright_generator.spec import Catalogue, LoadedCard, load_specs

type Yaml = dict[str, Any]

NUMBERS = count()
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=20)
DESCRIPTIONS = st.one_of(
    st.just("Plain words."),
    st.sampled_from(
        ['A "quote".', "It's so.", 'Three """ of them.', r"back\slash", "ends with \\"]
    ),
    TEXT,
)
NAMES = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta"])
BOUNDS = st.fixed_dictionaries(
    {}, optional={"minimum": st.integers(-5, 0), "maximum": st.integers(1, 9)}
)
LENGTHS = st.fixed_dictionaries(
    {}, optional={"minLength": st.integers(0, 2), "maxLength": st.integers(3, 9)}
)
SIZES = st.fixed_dictionaries(
    {}, optional={"minItems": st.integers(0, 1), "maxItems": st.integers(2, 4)}
)


def merged(base: Yaml, extra: st.SearchStrategy[Yaml]) -> st.SearchStrategy[Yaml]:
    return extra.map(lambda words: {**base, **words})


SCALARS = st.one_of(
    merged({"type": "integer"}, BOUNDS),
    merged({"type": "number"}, BOUNDS),
    merged({"type": "string"}, LENGTHS),
    st.just({"type": "boolean"}),
    merged({"type": ["integer", "null"]}, BOUNDS),
    merged({"type": ["null", "string", "integer"]}, LENGTHS),
    st.just({"enum": ["a", None]}),
    st.just({"type": "string", "pattern": "^[a-z]+$"}),
    st.sampled_from(["date-time", "date", "time", "uuid"]).map(
        lambda form: {"type": "string", "format": form}
    ),
    # Sorted: `Literal["b", "a"] | None` is, in one process, the cached `Literal["a", "b"] | None`.
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, unique=True).map(
        lambda values: {"enum": sorted(values)}
    ),
    st.sampled_from(["x", 1, True]).map(lambda value: {"const": value}),
    st.sampled_from(["Mode", "Word", "First"]).map(lambda name: {"$ref": f"#/types/{name}"}),
)


@st.composite
def described(draw: st.DrawFn, inner: st.SearchStrategy[Yaml]) -> Yaml:
    """A part of a schema, perhaps with a text of its own."""
    schema = draw(inner)
    return {**schema, "description": "A part."} if draw(st.booleans()) else schema


def arrays(items: st.SearchStrategy[Yaml]) -> st.SearchStrategy[Yaml]:
    return st.tuples(items, SIZES).map(
        lambda parts: {"type": "array", "items": parts[0], **parts[1]}
    )


def nullable(inner: st.SearchStrategy[Yaml]) -> st.SearchStrategy[Yaml]:
    return inner.map(lambda schema: {"anyOf": [schema, {"type": "null"}]})


def not_nullable(schema: Yaml) -> bool:
    return "anyOf" not in schema and "null" not in schema.get("type", "")


VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        arrays(described(inner)),
        nullable(described(inner.filter(not_nullable))),
        inner.map(lambda schema: {"type": "object", "additionalProperties": schema}),
    ),
    max_leaves=4,
)


@st.composite
def properties(draw: st.DrawFn) -> Yaml:
    """A property, perhaps with null as its default."""
    schema = dict(draw(VALUES))
    if "anyOf" in schema and draw(st.booleans()):
        schema["default"] = None
    return {**schema, "description": draw(DESCRIPTIONS)}


@st.composite
def objects(draw: st.DrawFn) -> Yaml:
    members = draw(st.dictionaries(NAMES, properties(), min_size=1, max_size=5))
    required = [name for name, schema in members.items() if "default" not in schema]
    return {
        "type": "object",
        "description": draw(DESCRIPTIONS),
        "properties": members,
        **({"required": required} if required else {}),
    }


def card(types: Yaml) -> tuple[LoadedCard, Catalogue]:
    spec = {
        "card": "SampleTool",
        "summary": "A sample.",
        "logic": "acme.logic:SampleLogic",
        "types": types,
    }
    text = json.dumps(spec, ensure_ascii=False)  # which is YAML too
    catalogue = load_specs({"specs/sample.yaml": text})
    errors = [one for one in catalogue.diagnostics if one.path.startswith("types")]
    assert errors == [], (errors, text)
    return catalogue.cards[0], catalogue


def emitted(loaded: LoadedCard, catalogue: Catalogue) -> ModuleType:
    text = render_types(
        loaded.spec.types,
        loaded.path,
        Lookup(catalogue, "acme_cards").types(loaded.path),
        about="Types.",
    )
    module = ModuleType(f"dialect_{next(NUMBERS)}")
    sys.modules[module.__name__] = module
    exec(compile(text, module.__name__, "exec", dont_inherit=True), module.__dict__)
    return module


def plain(schema: object) -> object:
    """A schema without titles, lists of required names sorted."""
    if isinstance(schema, list):
        return [plain(item) for item in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    members = cast("Yaml", schema).items()
    found: Yaml = {key: plain(value) for key, value in members if key != "title"}
    return {**found, "required": sorted(found["required"])} if "required" in found else found


def schema_of(value: object) -> dict[str, object]:
    if isinstance(value, type) and issubclass(value, BaseModel):
        return value.model_json_schema()
    return TypeAdapter(cast("Any", value)).json_schema()


FIXED: Yaml = {
    "Mode": {"description": "How.", "enum": ["fast", "slow"]},
    "Word": {"type": "string", "maxLength": 4, "description": "A word."},
    "First": {
        "type": "object",
        "description": "A thing.",
        "required": ["word"],
        "properties": {"word": {"$ref": "#/types/Word", "description": "Its word."}},
    },
}


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(objects())
def test_emitted_types_have_the_schema_of_the_spec(written: Yaml) -> None:
    loaded, catalogue = card({**FIXED, "Written": written})
    module = emitted(loaded, catalogue)
    try:
        for name in (*FIXED, "Written"):
            found = plain(schema_of(getattr(module, name)))
            assert found == plain(expected_type_schema(name, loaded, catalogue)), name
    finally:
        del sys.modules[module.__name__]
