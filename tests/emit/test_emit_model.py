"""How the parts of a spec become Python: texts, conditions, annotations, docstrings, names."""

import ast
from dataclasses import replace
from inspect import cleandoc
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardwright_generator.emit.environment import docstring
from cardwright_generator.emit.samples import Samples
from cardwright_generator.emit.strings import example_of
from cardwright_generator.model.annotations import Types
from cardwright_generator.model.code import Import, imported
from cardwright_generator.model.naming import folder, stem
from cardwright_generator.model.references import Scope
from cardwright_generator.model.values import Values
from cardwright_generator.spec.language import CardSpec, PropertySpec, Schema
from cardwright_generator.spec.values import matches

CARD = CardSpec.model_validate(
    {
        "card": "FogTool",
        "summary": "Fog.",
        "logic": "acme.logic:FogLogic",
        "fields": {
            "limit": {"type": "integer", "default": 3},
            "frozen": {"type": "boolean", "default": False},
            "name": {"type": ["string", "null"], "default": None},
            "store": {"anyOf": [{"type": "boolean"}, {"type": "string"}], "default": True},
            "any": {"type": ["boolean", "string", "null"], "default": None},
            "maybe": {"type": ["boolean", "null"], "default": None},
            "choice": {"enum": [True, False, "auto"], "default": "auto"},
        },
        "capabilities": {
            "look": {
                "param": "Look",
                "config": {"top": {"type": ["integer", "null"], "default": None}},
                "endpoints": {"look": {"channels": ["tool_call"], "doc": "Look."}},
            },
            "hide": {
                "param": "Hide",
                "endpoints": {"hide": {"channels": ["tool_call"], "doc": "Hide."}},
            },
        },
    }
)
TYPES = Types({"#/types/Task": imported(".types", "Task")}, frozenset({"#/types/Task"}))


def no_reference(ref: str, path: str) -> tuple[Schema, str]:
    raise KeyError(ref, path)


VALUES = Values(no_reference, "specs/fog.yaml")
CARD_SCOPE = Scope(CARD, TYPES, VALUES)


@pytest.mark.parametrize(
    ("condition", "expression"),
    [
        ("frozen", "self.frozen"),
        ("not frozen", "not self.frozen"),
        ("name", "self.name is not None"),
        ("not name", "self.name is None"),
        ("store", "self.store is not False"),
        ("not store", "self.store is False"),
        ("any", "(self.any is not None and self.any is not False)"),
        ("not any", "(self.any is None or self.any is False)"),
        ("maybe", "self.maybe"),
        ("choice", "self.choice is not False"),
        ("top", "config.top is not None"),
        ("look.top", "config.top is not None"),
        ("hide", "self.hide is not False"),
        ("not hide", "self.hide is False"),
    ],
)
def test_a_condition_holds_if_the_value_is_neither_none_nor_false(
    condition: str, expression: str
) -> None:
    assert replace(CARD_SCOPE, capability="look").holds(condition).text == expression


def test_a_condition_of_another_capability_asks_whether_it_is_on() -> None:
    found = replace(CARD_SCOPE, capability="hide").holds("look.top")
    value = "(self.look.top if isinstance(self.look, Look) else None)"
    assert found.text == f"(self.look is not False and {value} is not None)"
    assert Import(".card", "Look") in found.imports
    negated = replace(CARD_SCOPE, capability="hide").holds("not look.top")
    assert negated.text == f"(self.look is False or {value} is None)"


@pytest.mark.parametrize(
    ("source", "plain", "value"),
    [
        ("Plain.", "Plain.", "Plain."),
        ("{{x}}", "{x}", "{x}"),
        ("At most {limit}.", "At most {limit}.", "At most 3."),
        ("{limit} of {{limit}}", "{limit} of {limit}", "3 of {limit}"),
        ('"{limit}" isn\'t', '"{limit}" isn\'t', '"3" isn\'t'),
        ("back\\slash {limit}\nline", "back\\slash {limit}\nline", "back\\slash 3\nline"),
        ("'''{limit}\"\"\"", "'''{limit}\"\"\"", "'''3\"\"\""),
    ],
)
def test_texts_with_references(source: str, plain: str, value: str) -> None:
    text = CARD_SCOPE.text(source)
    assert text.plain == plain
    assert text.dynamic is ("{limit}" in source.replace("{{limit}}", ""))

    class Self:
        limit = 3

    assert eval(text.code.text, {"self": Self}) == value


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="{}"), max_size=30)


@given(WORDS, WORDS)
def test_any_text_survives_being_an_f_string(before: str, after: str) -> None:
    text = CARD_SCOPE.text(f"{before}{{limit}}{after}")

    class Self:
        limit = 3

    assert eval(text.code.text, {"self": Self}) == f"{before}3{after}"


@given(
    st.one_of(
        st.text(st.characters(codec="utf-8"), max_size=40), st.text('"\\ \n\t\r{x', max_size=12)
    )
)
@example('three """')
@example('four """"')
@example("\\")
@example('a\n"')
def test_any_text_survives_being_a_docstring(text: str) -> None:
    text = text.strip()
    function = ast.parse(f"def f():\n    {docstring(text)}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    found = ast.get_docstring(function, clean=False)
    assert found is not None
    assert words(found) == words(text)


def words(text: str) -> list[list[str]]:
    """The words of each line: indentation and tabs are a docstring's own affair."""
    return [line.split() for line in cleandoc(text).split("\n")]


@pytest.mark.parametrize(
    ("schema", "annotation", "bare"),
    [
        ({"type": "string"}, "str", "str"),
        ({"type": "integer", "minimum": 1}, "Annotated[int, Field(ge=1)]", "int"),
        (
            {"type": ["integer", "null"], "minimum": 1},
            "Annotated[int | None, Field(ge=1)]",
            "int | None",
        ),
        (
            {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
            "Annotated[int | None, Field(ge=1)]",
            "int | None",
        ),
        (
            {"type": ["boolean", "string"], "pattern": "^#"},
            "StrictBool | Annotated[str, Field(pattern='^#')]",
            "bool | str",
        ),
        ({"enum": ["a", None]}, "Literal['a'] | None", "Literal['a'] | None"),
        ({"const": "a"}, "Literal['a']", "Literal['a']"),
        ({"type": "array"}, "list[object]", "list[object]"),
        ({"type": "object"}, "dict[str, object]", "dict[str, object]"),
        (
            {"type": "array", "items": {"$ref": "#/types/Task"}, "unique_by": "id"},
            "Annotated[list[Task], UniqueBy('id')]",
            "list[Task]",
        ),
        (
            {"type": ["string", "null"], "truncate": 5},
            "Annotated[str, Truncate(5)] | None",
            "str | None",
        ),
        ({"type": "string", "secret": True}, "Secret", "Secret"),
        ({"type": "string", "format": "date-time"}, "AwareDatetime", "AwareDatetime"),
        ({"python": "builtins:type"}, "type", "type"),
        ({"python": "acme.things:Thing"}, "Thing", "Thing"),
        (
            {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
            "dict[str, Annotated[int, Field(ge=1)]]",
            "dict[str, int]",
        ),
    ],
)
def test_annotations(schema: dict[str, Any], annotation: str, bare: str) -> None:
    spec = Schema.model_validate(schema)
    assert TYPES.annotation(spec).text == annotation
    assert TYPES.bare(spec).text == bare


def test_a_type_that_is_not_defined_yet_is_quoted() -> None:
    types = TYPES.before([Import(".types", "Task")])
    spec = Schema.model_validate({"type": "array", "items": {"$ref": "#/types/Task"}})
    assert types.annotation(spec, "'The tasks.'").text == (
        "Annotated['list[Task]', Field(description='The tasks.')]"
    )


@pytest.mark.parametrize(
    ("schema", "default"),
    [
        ({"type": "integer"}, None),
        ({"type": "integer", "default": 0}, "0"),
        ({"type": ["integer", "null"], "default": None}, "None"),
        ({"$ref": "#/types/Task", "default": {}}, "Field(default_factory=Task)"),
        (
            {"anyOf": [{"$ref": "#/types/Task"}, {"type": "null"}], "default": {}},
            "Field(default_factory=Task)",
        ),
        ({"type": "string", "format": "uuid", "auto": "uuid"}, "Field(default_factory=uuid4)"),
        ({"type": "string", "format": "date-time", "auto": "now"}, "Field(default_factory=now)"),
        (
            {"type": "string", "format": "date", "default": "2000-01-02"},
            "date.fromisoformat('2000-01-02')",
        ),
    ],
)
def test_defaults(schema: dict[str, Any], default: str | None) -> None:
    found = TYPES.default(PropertySpec.model_validate(schema))
    assert (None if found is None else found.text) == default


@pytest.mark.parametrize(
    ("card", "short", "name"),
    [
        ("PlanningTool", "Planning", "planning"),
        ("KnowledgeGraphTool", "KnowledgeGraph", "knowledge_graph"),
        ("MCPTool", "MCP", "mcp"),
        ("Tool", "Tool", "tool"),
        ("ImportTool", "Import", "import_"),
        ("HTTP2Tool", "HTTP2", "http2"),
    ],
)
def test_names(card: str, short: str, name: str) -> None:
    assert (stem(card), folder(card)) == (short, name)


@pytest.mark.parametrize(
    ("pattern", "shortest"),
    [("^#", 1), ("^[a-z]+$", 4), (r"^\d+$", 1), ("^https?://", 1), (r"^\p{Lu}+\z", 3)],
)
def test_sample_strings_match(pattern: str, shortest: int) -> None:
    found = example_of(pattern, shortest)
    assert len(found) >= shortest
    assert matches(found, pattern)


@pytest.mark.parametrize(
    ("schema", "sample"),
    [
        ({"type": "integer"}, "1"),
        ({"type": "integer", "minimum": 5, "multipleOf": 3}, "6"),
        ({"type": "integer", "exclusiveMinimum": 4}, "5"),
        ({"type": "integer", "maximum": -4}, "-4"),
        ({"type": "number", "exclusiveMinimum": 0}, "0.5"),
        ({"type": "number", "exclusiveMaximum": 1}, "0.5"),
        ({"enum": [None, False, "b"]}, "'b'"),
        ({"type": ["null", "boolean"]}, "True"),
        ({"type": "array", "items": {"type": "string"}, "minItems": 2}, "['x', 'x']"),
        ({"type": "string", "format": "uuid"}, "UUID(int=1)"),
    ],
)
def test_sample_values(schema: dict[str, Any], sample: str) -> None:
    unused: Any = None
    assert Samples(unused, "specs/x.yaml").of(Schema.model_validate(schema)).text == sample
