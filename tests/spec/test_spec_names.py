"""Names: what may be called how, and which names are taken."""

# ruff: noqa: E501 - a case reads best on one line

import pytest
from tests.spec.spec_texts import HEAD, TOOL, card, codes, with_argument

from cardwright_generator.spec import load_specs

ACTOR = 'actors:\n  host: {name: "#Host"}\n'
TONE = "fields:\n  tone: {type: string, default: warm, description: How.}\n"
STATE = (
    'types:\n  Mood: {base: context, class: "acme.hello.mood:Mood", type: object,'
    " required: [mood], properties: {mood: {type: string}}}\n"
)


def config(name: str, schema: str) -> str:
    return card(capability=f"config:\n  {name}: {{{schema}, description: How.}}\n")


def types(text: str) -> str:
    return f"{HEAD}types:\n  {text}\n"


@pytest.mark.parametrize(
    "name",
    ["copy", "json", "dict", "model_dump", "schema", "config", "self", "upgrade_stored"],
)
def test_names_of_arguments_that_are_taken(name: str) -> None:
    text = with_argument("{type: string, description: Whom.}").replace("who:", f"{name}:")
    assert codes(text) == ["CW306"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (config("expose", "type: string, default: a"), "CW306"),
        (config("instructions", "type: string, default: a"), "CW306"),
        (config("list", "type: string, default: a"), "CW315"),
        (HEAD + "fields:\n  observer: {type: string, default: a, description: x}\n", "CW306"),
        (HEAD + "fields:\n  get_tools: {type: string, default: a, description: x}\n", "CW306"),
        (card().replace("      greet:", "      bind:"), "CW306"),
        (card().replace("      greet:", "      check:"), "CW306"),
        (card().replace("      greet:", "      policy:"), "CW306"),
        (card(endpoint="name: provider\n" + TOOL), "CW306"),
        (card(top=ACTOR).replace("      greet:", "      host_actor:"), "CW306"),
        (card(top="toolset: {doc: All.}\n").replace("      greet:", "      toolset:"), "CW306"),
        (card().replace("      greet:", "      set:"), "CW315"),
        (card().replace("      greet:", "      abstractmethod:"), "CW315"),
        (card().replace("  greet:\n    p", "  property:\n    p"), "CW315"),
        (config("type", "type: string, default: a"), "CW315"),
        (HEAD + "fields:\n  type: {type: string, default: a, description: x}\n", "CW315"),
        (types("A: {type: object, required: [type], properties: {type: {type: string}}}"), ""),
        (card().replace("  greet:\n    p", "  found:\n    p"), "CW306"),
        (types("A: {type: object, required: [date], properties: {date: {type: string, format: date}}}"), "CW315"),
        (types("A: {type: object, required: [a, date], properties: {a: {type: string, format: date}, date: {type: string}}}"), "CW315"),
        (types("A: {type: object, required: [a], properties: {a: {type: string, format: date}}}\n  B: {type: object, required: [date], properties: {date: {type: string}}}"), ""),
        (HEAD + "fields:\n  datetime: {type: string, format: date-time, description: x}\n", "CW315"),
        (HEAD + "fields:\n  a: {type: string, format: time, description: x}\n  time: {type: string, description: x}\n", "CW315"),
        (card(top="fields:\n  a: {python: 'time:struct_time', description: x}\n").replace("  greet:\n    p", "  struct_time:\n    p"), "CW315"),
        (card(endpoint=TOOL.replace("string", "{type: string, format: date}")).replace("      greet:", "      date:"), "CW315"),
        (STATE.join([HEAD, ""]).replace("mood: {type", "render_full: {type").replace("[mood]", "[render_full]"), "CW306"),
        (card().replace("param: Greet", "param: Field"), "CW309"),
        (card().replace("param: Greet", "param: ValueError"), "CW309"),
        (card().replace("param: Greet", "param: HelloContract"), "CW309"),
        (types("HelloTool: {enum: [a]}"), "CW309"),
        (types("Awaitable: {enum: [a]}"), "CW309"),
        (types("Decimal: {enum: [a]}") + "fields:\n  a: {python: 'decimal:Decimal', description: x}\n", "CW309"),
        (HEAD + "fields:\n  a: {python: 'decimal:Decimal', description: x}\n  b: {python: 'decimal:Decimal', description: x}\n", ""),
        (HEAD + "fields:\n  a: {python: 'decimal:Context', description: x}\n  b: {python: 'contextvars:Context', description: x}\n", "CW309"),
        (types("A: {type: object, properties: {a: {type: string, format: date-time, auto: now}, now: {type: string, default: b}}}"), "CW315"),
        (types('A: {class: "m:A", type: object, properties: {}}\n  ABase: {enum: [a]}'), "CW309"),
    ],
)  # fmt: skip
def test_names_of_other_parts_that_are_taken(text: str, code: str) -> None:
    assert codes(text) == code.split()


def test_a_date_that_is_no_date_type_is_a_fine_name() -> None:
    assert (
        codes(types("A: {type: object, required: [date], properties: {date: {type: string}}}"))
        == []
    )


def test_a_shared_type_takes_its_name_too() -> None:
    shared = "types:\n  Mood: {enum: [fine]}\n"
    text = with_argument('{$ref: "common.yaml#/types/Mood", description: How.}', top=shared)
    assert codes(text, common=shared) == ["CW309"]


@pytest.mark.parametrize("name", ["Hello", "helloTool", "Tool", "Hello_Tool", "HelloTools"])
def test_names_of_cards(name: str) -> None:
    assert codes(HEAD.replace("HelloTool", name)) == ["CW301"]


@pytest.mark.parametrize(
    ("card_name", "stem"),
    [
        ("MCPTool", "mcp"),
        ("KnowledgeGraphTool", "knowledge_graph"),
        ("HTTPServerTool", "http_server"),
        ("A2ATool", "a2_a"),
        ("ExecTool", "exec"),
        ("WebV2Tool", "web_v2"),
    ],
)
def test_names_of_files(card_name: str, stem: str) -> None:
    text = HEAD.replace("HelloTool", card_name)
    for path in (f"{stem}.yaml", f"specs/{stem}.yml", f"a/b/{stem}.yaml"):
        assert load_specs({path: text}).diagnostics == ()
    (found,) = load_specs({"other.yaml": text}).diagnostics
    assert (found.code, found.hint) == ("CW302", f"rename the file to '{stem}.yaml'")


def test_the_name_of_a_file_of_shared_types() -> None:
    for path, expected in (("geo_types.yaml", []), ("Geo-Types.yaml", ["CW302"])):
        found = load_specs({path: "types: {A: {enum: [a]}}\n"}).diagnostics
        assert [one.code for one in found] == expected


@pytest.mark.parametrize(
    ("path", "good"),
    [
        ("a:B", True),
        ("a.b.c:D", True),
        ("a.b", False),
        ("a:b.C", False),
        (":B", False),
        ("a:", False),
        ("a b:C", False),
        ("a.:B", False),
        ("1a:B", False),
        ("../a:B", False),
    ],
)
def test_paths_of_objects(path: str, good: bool) -> None:
    expected = [] if good else ["CW312"]
    assert codes(HEAD.replace("acme.hello.logic:HelloLogic", f'"{path}"')) == expected
    assert codes(f'{HEAD}stored: ["{path}"]\n') == expected
    assert codes(f'{HEAD}actors:\n  host: {{name: "#Host", class: "{path}"}}\n') == expected
    assert codes(types(f'A: {{class: "{path}", type: object, properties: {{}}}}')) == expected


@pytest.mark.parametrize(
    "text",
    [
        "types:\n  A: {enum: [a], renamed_from: B}\n  B: {enum: [a]}\n",
        "types:\n  A: {enum: [a], renamed_from: C}\n  B: {enum: [a], renamed_from: C}\n",
        "types:\n  A: {enum: [a], renamed_from: A}\n",
        "types:\n  A: {type: object, required: [a, b], properties: {a: {type: string, renamed_from: b}, b: {type: string}}}\n",
        "fields:\n  greet_all: {type: string, default: a, description: x, renamed_from: greet}\n",
    ],
)
def test_old_names(text: str) -> None:
    assert codes(card(top=text)) == ["CW313"]


def test_the_old_name_of_a_capability_may_not_be_a_field() -> None:
    assert codes(card(top=TONE, capability="renamed_from: tone\n")) == ["CW313"]
    assert codes(card(top=TONE, capability="renamed_from: hail\n")) == []


def test_the_module_of_the_catalogue_is_taken() -> None:
    for text in (HEAD.replace("HelloTool", "CatalogueTool"), "types: {A: {enum: [a]}}\n"):
        found = load_specs({"catalogue.yaml": text}).diagnostics
        assert [one.code for one in found] == ["CW316"]


def test_observers_keep_their_own_spelling_but_no_keywords() -> None:
    member = "observer: {name: Boss, members: {%s: {returns: null}}}\n"
    assert codes(HEAD + member % "createActor") == []
    assert codes(HEAD + member % "class") == ["CW305"]


def test_a_toolset_alone_a_bare_card_and_both_together() -> None:
    for text in (HEAD, HEAD + "toolset: {doc: All.}\n", card(top="toolset: {doc: All.}\n")):
        assert codes(text) == []


@pytest.mark.parametrize(("name", "file"), [("AuxTool", "aux"), ("COM1Tool", "com1")])
def test_no_card_becomes_a_folder_that_windows_refuses(name: str, file: str) -> None:
    path = f"specs/{file}.yaml"
    found = load_specs({path: card().replace("HelloTool", name)}).diagnostics
    assert [(one.code, "a device on Windows" in one.message) for one in found] == [("CW316", True)]
