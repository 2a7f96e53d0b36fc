"""Faults that a reader of the language found: each is refused in its place, or accepted."""

# ruff: noqa: E501 - a case reads best on one line

from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.spec.spec_texts import HEAD, TOOL, card, codes, findings, with_argument

from cardwright_generator.spec import load_specs

SU = "config:\n  su: {type: boolean, default: false, description: x}\n"
DAY = "types:\n  Day: {type: string, format: date}\n  Days: {anyOf: [{type: string}, {type: string, format: date}]}\n"
TAGS = "types:\n  Tag: {type: object, required: [name, parts], properties: {name: {type: string}, parts: {type: array, items: {type: string}}}}\n"


def field(schema: str, top: str = "") -> str:
    return f"{HEAD}{top}fields:\n  f: {schema}\n"


def text_field(words: str) -> str:
    return field(f"{{type: string, {words}, description: x}}")


def test_functions_of_a_conditional_argument_and_an_endpoint_of_that_name() -> None:
    other = "    endpoints:\n      greet_without_who: {channels: [tool_call], doc: x, returns: string}\n"
    text = with_argument("{type: string, default: x, when: su, description: x}", capability=SU)
    assert codes(text.replace("    endpoints:\n", other)) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("#W-{wid|n1}-{{x}}", []),
        ("#W-{wid|team_id}-{n1}-{n1}", []),
        ("#W-{act.su}-{n1}", []),
        ('#W-\\"{n1}\\"', []),
        ("#W-{wid}", ["CW717"]),
        ("#W-{alias}", ["CW717"]),
        ("#W-{n1}-{yes_no}", ["CW717"]),
        ("#W-{yes_no|team_id}", ["CW717"]),
        ("#W-{either|team_id}", ["CW717"]),
        ("#W-{act.must}", ["CW718"]),
    ],
)
def test_names_of_actors(name: str, expected: list[str]) -> None:
    top = (
        'types:\n  Name: {type: [string, "null"]}\n'
        "fields:\n"
        '  wid: {type: [string, "null"], default: null, description: x}\n'
        '  alias: {$ref: "#/types/Name", default: null, description: x}\n'
        "  n1: {type: integer, default: 0, description: x}\n"
        "  yes_no: {type: [boolean, 'null'], default: true, description: x}\n"
        "  either: {type: [boolean, string], default: true, description: x}\n"
        f'actors:\n  w: {{name: "{name}"}}\n'
        "capabilities:\n  act:\n    param: Act\n    default: false\n    config:\n"
        "      su: {type: string, default: x, description: x}\n      must: {type: string, description: x}\n"
        "    endpoints: {act: {channels: [tool_call], doc: x, returns: string}}\n"
    )
    assert codes(HEAD + top) == expected


@pytest.mark.parametrize(
    ("kind", "steps", "expected"),
    [
        ("enum: [warm, cool]", "{from: true, to: warm}, {from: 1, to: cool}", ["CW625"]),
        ("enum: [warm, cool]", "{from: 0, to: warm}, {from: false, to: cool}", ["CW625"]),
        ("enum: [warm, cool]", "{from: hot, to: warm}, {from: hot, to: cool}", ["CW625"]),
        ("enum: [warm, cool]", "{from: 2, to: warm}, {from: '2', to: cool}", []),
        ("enum: [1, 2]", "{from: true, to: 2}", ["CW617"]),
        ("type: boolean", "{from: 1, to: false}", ["CW617"]),
        ("type: array, items: {enum: [warm, cool]}", "{from: hot, to: warm}", []),
        ("type: array, items: {enum: [warm, cool]}", "{from: warm, to: cool}", ["CW617"]),
        ("type: array, items: {enum: [warm, cool]}", "{from: hot, to: cold}", ["CW617"]),
    ],
)
def test_migrations(kind: str, steps: str, expected: list[str]) -> None:
    capability = f"default: required\nconfig:\n  tone: {{{kind}, description: x}}\nmigrate:\n  tone: [{steps}]\n"
    assert codes(card(capability=capability)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (card(capability="config:\n  a: {type: string, default: x, description: x, renamed_from: expose}\n"), "CW313"),
        (card(capability="config:\n  a: {type: string, default: x, description: x, renamed_from: instructions}\n"), "CW313"),
        (card(top="types:\n  A: {enum: [a], renamed_from: Greet}\n"), "CW313"),
        (HEAD + "renamed_from: ../../x\n", "CW318"),
        (HEAD + "renamed_from: class\n", "CW318"),
        (HEAD + "types:\n  A: {enum: [a], renamed_from: not a name}\n", "CW318"),
        (card(capability="renamed_from: a-b\n"), "CW318"),
        (text_field("default: x, renamed_from: a.b"), "CW318"),
        (text_field("default: x, renamed_from: topK"), ""),
    ],
)  # fmt: skip
def test_old_names(text: str, expected: str) -> None:
    assert codes(text) == expected.split()


def named(name: str, more: str = "") -> str:
    return f"card: {name}\nsummary: x\nlogic: a.b:C\n{more}"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"http.yaml": named("HTTPTool"), "sub/http.yaml": named("HttpTool")}, {"sub/http.yaml": ["CW316"]}),
        ({"bar.yaml": named("BarTool"), "foo.yaml": named("FooTool", "renamed_from: BarTool\n")}, {"foo.yaml": ["CW802"]}),
        ({"bar.yaml": named("BARTool"), "foo.yaml": named("FooTool", "renamed_from: BarTool\n")}, {"bar.yaml": [], "foo.yaml": ["CW316"]}),
        ({"a.yaml": named("ATool", "renamed_from: BarTool\n"), "b.yaml": named("BTool", "renamed_from: BarTool\n")}, {"b.yaml": ["CW316"]}),
        ({"bar.yaml": "types: {A: {enum: [a]}}\n", "foo.yaml": named("FooTool", "renamed_from: BarTool\n")}, {"foo.yaml": ["CW316"]}),
        ({"foo.yaml": named("FooTool", "renamed_from: CatalogueTool\n")}, {"foo.yaml": ["CW316"]}),
        ({"http.yaml": named("HTTPTool", "renamed_from: HttpTool\n")}, {}),
    ],
)  # fmt: skip
def test_files_that_become_one_module(
    files: dict[str, str], expected: dict[str, list[str]]
) -> None:
    found: dict[str, list[str]] = {name: [] for name in expected}
    for one in load_specs(files).diagnostics:
        found.setdefault(one.file, []).append(one.code)
    assert found == expected


def test_a_state_of_another_capability_is_not_rendered() -> None:
    top = 'types:\n  Mood: {base: context, class: "a.b:Mood", type: object, required: [m], properties: {m: {type: string}}}\n'
    endpoint = "channels: [command]\ndoc: x\nrenders: mood_state\n"
    mood = "  mood:\n    param: MoodParam\n    endpoints:\n      mood_state: {channels: [llm_context], state: Mood}\n"
    (found,) = findings(card(top, endpoint=endpoint) + mood)
    assert (found.code, found.line) == ("CW606", 13)
    assert found.hint == "that state belongs to another capability: declare this endpoint there"


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("doc: At {other.must} now.", ["CW718"]),
        ("when: other.maybe\ndoc: x", []),
        ("doc: At {other.depth} now.", []),
        ("doc: x\narguments: {a: {type: string, default_from: other.must, description: x}}", ["CW718"]),
        ("doc: x\narguments: {a: {type: integer, default_from: other.depth, description: x}}", []),
    ],
)  # fmt: skip
def test_references_into_other_capabilities(use: str, expected: list[str]) -> None:
    other = (
        "  other:\n    param: Other\n    default: false\n    config:\n"
        "      must: {type: string, description: x}\n      depth: {type: integer, default: 3, description: x}\n"
        "      maybe: {type: [string, 'null'], description: x}\n"
        "    endpoints: {other: {channels: [tool_call], doc: x, returns: string}}\n"
    )
    endpoint = f"channels: [tool_call]\nreturns: string\n{use}\n"
    assert codes(card(endpoint=endpoint) + other) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (text_field("format: uuid, minLength: 3"), "CW433"),
        (text_field("format: date, pattern: x"), "CW433"),
        (text_field("format: date, truncate: 5"), "CW433"),
        (text_field("secret: true, minLength: 3"), "CW433"),
        (text_field("secret: true, format: date"), "CW433"),
        (text_field("truncate: 9, pattern: x"), "CW433"),
        (text_field("truncate: 9, maxLength: 5"), "CW433"),
        (text_field("truncate: 9"), ""),
        (field("{type: integer, maximum: 0.7, description: x}"), "CW433"),
        (field("{type: integer, multipleOf: 2.0, description: x}"), ""),
        (field("{type: number, maximum: 0.7, description: x}"), ""),
        (field("{type: [integer, number], maximum: 0.7, description: x}"), ""),
        (field('{type: array, items: {$ref: "#/types/Tag"}, unique_by: parts, description: x}', TAGS), "CW433"),
        (field('{type: array, items: {$ref: "#/types/Tag"}, unique_by: name, description: x}', TAGS), ""),
        (field('{type: [boolean, string], pattern: "^#", default: true, description: x}'), ""),
        (field('{type: [string, integer, "null"], minimum: 3, minLength: 1, default: null, description: x}'), ""),
        (field("{const: 36893488147419103232, description: x}"), "CW408"),
        (field("{type: number, multipleOf: 0.1, default: 0.3, description: x}"), ""),
        (field("{type: number, multipleOf: 0.1, default: 0.35, description: x}"), "CW407"),
    ],
)  # fmt: skip
def test_bounds(text: str, expected: str) -> None:
    assert codes(text) == expected.split()


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ("{type: string, format: date-time, default: '2024-01-01T00:00:00', description: x}", "CW407"),
        ("{type: string, format: date-time, default: '2024-01-01T00:00:00+01:00', description: x}", ""),
        ("{type: [string, 'null'], format: date, default: 2024-01-01, description: x}", ""),
        ("{anyOf: [{type: string, format: date}, {type: integer}], default: 2024-01-01, description: x}", ""),
        ('{$ref: "#/types/Day", default: 2024-01-01, description: x}', "CW434"),
        ('{$ref: "#/types/Days", default: abc, description: x}', "CW434"),
        ("{anyOf: [{type: string}, {type: string, format: date}], default: abc, description: x}", "CW434"),
        ("{type: array, items: {type: string, format: date}, default: [2024-01-01], description: x}", "CW434"),
        ("{type: array, items: {type: string, format: date}, default: [], description: x}", ""),
    ],
)  # fmt: skip
def test_defaults_of_formatted_text(schema: str, expected: str) -> None:
    assert codes(field(schema, DAY)) == expected.split()


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ('{$ref: "#/types/Map", default: {}, description: x}', ""),
        ('{$ref: "#/types/Kind", default: {}, description: x}', ""),
        ('{anyOf: [{$ref: "#/types/Kind"}, {type: "null"}], default: {}, description: x}', ""),
        ('{$ref: "#/types/Alias", default: {}, description: x}', "CW411"),
        ('{$ref: "#/types/Union", default: {}, description: x}', "CW411"),
        ('{anyOf: [{$ref: "#/types/Due"}, {$ref: "#/types/Kind"}], default: {}, description: x}', "CW411"),
    ],
)  # fmt: skip
def test_empty_objects_as_defaults(schema: str, expected: str) -> None:
    types = (
        "types:\n  Map: {type: object, additionalProperties: {type: string}}\n"
        "  Kind: {type: object, properties: {a: {type: string, default: b}}}\n"
        "  Due: {type: object, required: [a], properties: {a: {type: string}}}\n"
        '  Alias: {$ref: "#/types/Kind"}\n  Union: {anyOf: [{$ref: "#/types/Kind"}, {type: string}]}\n'
    )
    assert codes(field(schema, types)) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (card(endpoint="name: class\n" + TOOL), "CW305"),
        (card(endpoint="name: str\n" + TOOL), "CW306"),
        (card(endpoint="name: rendered\n" + TOOL), "CW306"),
        (card(endpoint="name: date\n" + TOOL + "arguments: {day: {type: string, format: date, description: x}}\n"), "CW315"),
        (card(endpoint="name: date\n" + TOOL), ""),
        (HEAD + "fields:\n  register: {type: string, description: x}\n", "CW306"),
        (HEAD + "types:\n  A: {type: object, required: [mro], properties: {mro: {type: string}}}\n", "CW306"),
        (HEAD + "fields:\n  override: {type: string, description: x}\n", "CW315"),
        (HEAD + "observer: {name: Boss, members: {notify_event: {returns: null}}}\n", "CW306"),
        (HEAD + "observer: {name: Boss, members: {myAddress: {returns: null}}}\n", "CW306"),
        (HEAD + "observer: {name: Boss, extends: tool, members: {team_id: {returns: null}}}\n", ""),
        (HEAD + "observer: {name: Boss, members: {list: {returns: null}}}\n", "CW315"),
        (HEAD + "observer: {name: Boss, members: {tell: {arguments: {self: {type: string}}, returns: null}}}\n", "CW306"),
        (HEAD + 'actors:\n  tool: {name: "#Tool"}\n', "CW306"),
        (HEAD + "types:\n  HelloFailure: {enum: [a]}\n", "CW309"),
        (HEAD + "types:\n  ValidationError: {enum: [a]}\n", "CW309"),
        (HEAD + "types:\n  Stub: {enum: [a]}\n", "CW309"),
        (HEAD + "types:\n  CASES: {enum: [a]}\n", "CW309"),
        (HEAD + "fields:\n  a: {python: 'pathlib:Path', description: x}\n  b: {python: 'zipfile:Path', description: x}\n", "CW309"),
    ],
)  # fmt: skip
def test_names_that_are_taken(text: str, expected: str) -> None:
    assert codes(text) == expected.split()


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("json:NoSuch", "CW435"),
        ("json:dumps", "CW435"),
        ("json:class", "CW435"),
        ("json.nope:X", "CW435"),
        ("typing:Any", "CW435"),
        ("builtins:object", "CW435"),
        ("builtins:list", "CW435"),
        ("queue:Queue", "CW435"),
        ("asyncio:Queue", "CW435"),
        ("collections:deque", "CW435"),
        ("collections.abc:Callable", "CW435"),
        ("pydantic:conint", "CW435"),
        ("pydantic:Nope", "CW435"),
        ("pydantic:RootModel", "CW435"),
        ("cardwright.core:provider", "CW435"),
        ("cardwright.core:Nope", "CW435"),
        ("pathlib:Path", None),
        ("datetime:timedelta", None),
        ("decimal:Decimal", None),
        ("re:RegexFlag", None),
        ("pydantic:HttpUrl", None),
        ("pydantic:JsonValue", None),
        ("cardwright.core:JsonObject", None),
        ("cardwright.core:Toolset", None),
    ],
)
def test_python_types(path: str, code: str | None) -> None:
    assert codes(field(f'{{python: "{path}", description: x}}')) == ([code] if code else [])


@dataclass(frozen=True)
class Project:
    root: Path
    logic: tuple[str, ...] = ("src",)
    python_modules: tuple[str, ...] = ("own_types", "elsewhere")


def test_python_types_of_the_project_are_looked_up_in_its_sources(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    text = "from pathlib import Path\nclass Own: ...\nclass Box[T]: ...\ntype Name = str\ndef make(): ...\n"
    (tmp_path / "src" / "own_types.py").write_text(text, encoding="utf-8")
    expected = {
        "own_types:Own": [], "own_types:Path": [], "own_types:Name": [], "elsewhere:Thing": [],
        "own_types:Box": ["CW435"], "own_types:make": ["CW435"], "own_types:Gone": ["CW435"],
    }  # fmt: skip
    found = {path: field(f'{{python: "{path}", description: x}}') for path in expected}
    told = {
        path: [one.code for one in load_specs({"hello.yaml": spec}, Project(tmp_path)).diagnostics]
        for path, spec in found.items()
    }
    assert told == expected


def test_a_capability_may_depend_on_its_own_configuration() -> None:
    assert codes(card(capability=f"when: su\n{SU}")) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (with_argument("{type: array, items: {type: string, description: y}, description: x}"), ""),
        (with_argument("{anyOf: [{type: string, description: y}, {type: 'null'}], description: x}"), ""),
        (card(endpoint=TOOL.replace("string", "{type: string, description: x}")), "CW507"),
        (card(endpoint=TOOL.replace("string", "{type: array, items: {type: string, description: x}}")), "CW507"),
        (HEAD + "observer: {name: Boss, members: {tell: {arguments: {a: {type: string, description: x}}, returns: null}}}\n", "CW507"),
    ],
)  # fmt: skip
def test_descriptions_are_kept_or_refused(text: str, expected: str) -> None:
    assert codes(text) == expected.split()


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("type: integer, default: 5", "type: integer", ""),
        ("type: integer, default: 5", "type: integer, maximum: 9", "CW703"),
        ("type: integer, maximum: 8, default: 5", "type: integer, maximum: 9", ""),
        ("type: integer, exclusiveMinimum: 0, default: 5", "type: integer, minimum: 0", ""),
        ("type: integer, minimum: 0, default: 5", "type: integer, exclusiveMinimum: 0", "CW703"),
        ("enum: [1, 2], default: 1", "type: integer, maximum: 9", ""),
        ("enum: [1, 12], default: 1", "type: integer, maximum: 9", "CW703"),
        ("type: string, default: a", "type: string, minLength: 1", "CW703"),
        ("type: string, maxLength: 3, default: a", "type: string, maxLength: 3", ""),
        ("type: string, truncate: 4, default: a", "type: string, maxLength: 4", ""),
        ("type: string, default: a", "type: string, pattern: a", "CW703"),
        ("type: string, default: a", "type: string, format: date", "CW703"),
        ("type: integer, multipleOf: 4, default: 4", "type: integer, multipleOf: 2", ""),
        ("type: array, items: {type: string}, default: []", "type: array, items: {type: string, minLength: 1}", "CW703"),
        ("type: array, items: {type: string}, maxItems: 2, default: []", "type: array, items: {type: string}, maxItems: 3", ""),
        ("type: string, secret: true", "type: string", "CW703"),
    ],
)  # fmt: skip
def test_a_default_from_configuration_keeps_the_bounds(
    source: str, target: str, expected: str
) -> None:
    top = f"fields:\n  tone: {{{source}, description: x}}\n"
    text = with_argument(f"{{{target}, default_from: tone, description: x}}", top)
    assert codes(text) == expected.split()


def test_events_of_shared_types() -> None:
    shared = "types:\n  Moved: {type: object, properties: {}}\n  Kind: {enum: [a]}\n"
    events = 'actors:\n  host: {name: "#Host"}\nevents:\n  "common.yaml#/types/%s": {emitter: host, when: x}\n'
    assert codes(HEAD + events % "Moved", common=shared) == []
    assert codes(HEAD + events % "Kind", common=shared) == ["CW711"]
    assert codes(HEAD + events % "Nope", common=shared) == ["CW711"]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ('"a.b:C", {class: "a.b:D", renamed_from: a.old.D}', ""),
        ('"a.b:C", {class: "a.b:C", renamed_from: a.old.C}, {class: "a.b:C", renamed_from: older.C}', ""),
        ('{class: "a.b:C", renamed_from: C}', "CW318"),
        ('{class: "a.b:C", renamed_from: "a.b:C"}', "CW318"),
        ('{class: "a.b:C", renamed_from: a.b.C}', "CW313"),
        ('{class: "a.b:C", renamed_from: a.D}, {class: "a.b:E", renamed_from: a.D}', "CW313"),
        ("{class: a.b.C, renamed_from: a.D}", "CW312"),
        ('{class: "a.b:C"}', "CW202"),
        ("[a]", "CW203"),
    ],
)  # fmt: skip
def test_old_names_of_stored_classes(entries: str, expected: str) -> None:
    assert codes(f"{HEAD}stored: [{entries}]\n") == expected.split()


def test_stored_classes_and_their_old_names_apart() -> None:
    text = f'{HEAD}stored: ["a:B", {{class: "a:C", renamed_from: x.C}}, {{class: "a:C", renamed_from: y.C}}]\n'
    (loaded,) = load_specs({"hello.yaml": text}).cards
    assert loaded.spec.stored == ["a:B", "a:C"]
    assert loaded.spec.stored_before == {"x.C": "a:C", "y.C": "a:C"}
