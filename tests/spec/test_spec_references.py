"""Small readers: braces, conditions, references, names of files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.spec_texts import card

from cardwright_generator.spec.language import CardSpec
from cardwright_generator.spec.naming import camel_case, module_name, snake_case
from cardwright_generator.spec.parsing import parse_file
from cardwright_generator.spec.references import Condition, candidates, parse_condition
from cardwright_generator.spec.refs import TypeRef, parse_ref
from cardwright_generator.spec.templates import Placeholder, parse_template


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        ("plain", ("plain",)),
        ("{a}", (Placeholder(("a",)),)),
        ("x {a} y {b.c|d} z", ("x ", Placeholder(("a",)), " y ", Placeholder(("b.c", "d")), " z")),
        ("{{a}} {{{b}}}", ("{a} {", Placeholder(("b",)), "}")),
    ],
)
def test_templates(text: str, parts: tuple[str | Placeholder, ...]) -> None:
    found = parse_template(text)
    assert (found.parts, found.fault) == (parts, None)
    assert found.literal == "".join(one for one in parts if isinstance(one, str))


@given(st.text())
def test_a_text_without_its_braces_is_a_template_of_itself(text: str) -> None:
    found = parse_template(text.replace("{", "{{").replace("}", "}}"))
    assert found.fault is None
    assert found.literal == text


@given(st.text(alphabet="{}ab|. !"))
def test_a_template_has_parts_or_a_fault(text: str) -> None:
    found = parse_template(text)
    assert found.fault is None or found.fault in text


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("a", Condition("a", negated=False)),
        ("not a", Condition("a", negated=True)),
        ("not a.b", Condition("a.b", negated=True)),
        ("not", Condition("not", negated=False)),
        ("a.b.c", None),
        ("a or b", None),
        ("a\n", None),
        ("", None),
    ],
)
def test_conditions(text: str, condition: Condition | None) -> None:
    assert parse_condition(text) == condition


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("#/types/A", TypeRef("", "A")),
        ("common.yaml#/types/A", TypeRef("common.yaml", "A")),
        ("my-types.yml#/types/A1", TypeRef("my-types.yml", "A1")),
        ("../common.yaml#/types/A", None),
        ("/etc/passwd#/types/A", None),
        ("acme_cards/common.yaml#/types/A", TypeRef("common.yaml", "A", "acme_cards")),
        ("a/b/c.yaml#/types/A", None),
        ("a.b/c.yaml#/types/A", None),
        ("a\\b.yaml#/types/A", None),
        ("..yaml#/types/A", None),
        ("https://x.y/common.yaml#/types/A", None),
        ("common.yaml", None),
        ("common.json#/types/A", None),
        ("#/types/A/properties/b", None),
        ("#/types/", None),
        ("#/types/A\n", None),
    ],
)
def test_references_to_types_name_files_and_never_reach_for_them(
    text: str, ref: TypeRef | None
) -> None:
    assert parse_ref(text) == ref


@given(st.text())
def test_a_reference_never_leaves_the_folder(text: str) -> None:
    for ref in (parse_ref(text), parse_ref(f"{text}.yaml#/types/A")):
        if ref is not None:
            path = ref.file_from("specs/hello.yaml")
            assert path.startswith(f"{ref.package or 'specs'}/")
            assert path.count("/") == 1
            assert ".." not in path.split("/")
            assert "\\" not in path


def test_files_are_found_beside_the_file_that_names_them() -> None:
    assert (
        TypeRef("common.yaml", "A").file_from("specs/deep/hello.yaml") == "specs/deep/common.yaml"
    )
    assert TypeRef("common.yaml", "A").file_from("hello.yaml") == "common.yaml"
    assert TypeRef("", "A").file_from("specs/hello.yaml") == "specs/hello.yaml"


def test_what_a_name_can_mean() -> None:
    text = card(
        top="fields:\n  tone: {type: string, default: a, description: x}\n",
        capability="config:\n  tone: {type: string, default: b, description: x}\n",
    )
    spec = parse_file("hello.yaml", text).spec
    assert isinstance(spec, CardSpec)
    assert [one.kind for one in candidates(spec, "tone", "greet")] == ["config", "field"]
    assert [one.kind for one in candidates(spec, "tone")] == ["field"]
    assert [one.kind for one in candidates(spec, "greet")] == ["capability"]
    assert [one.kind for one in candidates(spec, "greet.tone")] == ["config"]
    assert candidates(spec, "nobody.tone") == () == candidates(spec, "nobody", "nobody")


@pytest.mark.parametrize(
    ("name", "snake", "camel"),
    [
        ("firstName", "first_name", "FirstName"),
        ("HTTPServer", "http_server", "HTTPServer"),
        ("a-b c", "a_b_c", "ABC"),
        ("x", "x", "X"),
        ("é", "", ""),
    ],
)
def test_spellings(name: str, snake: str, camel: str) -> None:
    assert (snake_case(name), camel_case(name)) == (snake, camel)


def test_modules_of_cards() -> None:
    names = {
        "KnowledgeGraphTool": "knowledge_graph",
        "MCPTool": "mcp",
        "Tool": "tool",
        "Greeter": "greeter",
    }
    assert {name: module_name(name) for name in names} == names
