"""What a line-by-line reading found: specs that crashed the generator or made code of their own."""

import ast
from pathlib import Path

import pytest

from cardwright_generator.emit.generate import generate
from cardwright_generator.emit.samples import NoSampleError, Samples
from cardwright_generator.project import Project
from cardwright_generator.spec import load_specs
from cardwright_generator.spec.language import Schema
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.values import misfit

CARD = """\
card: DoorTool
summary: A door.
logic: acme.door.logic:DoorLogic
observer: actor
{top}
capabilities:
  open_door:
    param: OpenDoor
    endpoints:
      open_door: {{channels: [tool_call], doc: "{doc}", returns: string}}
"""
NODE = """\
types:
  Node:
    description: A node.
    type: object
    required: [{required}]
    properties:
      next: {{$ref: "#/types/Node", description: Next.}}
"""


def made(top: str = "", doc: str = "Open it.") -> dict[str, str]:
    """The files of a card, by their paths below the package."""
    catalogue = load_specs({"specs/door.yaml": CARD.format(top=top, doc=doc)})
    assert not catalogue.diagnostics
    files = generate(catalogue, Project(root=Path()))
    home = "generated/cardwright_cards/"
    return {path.removeprefix(home): text for path, text in files.items()}


@pytest.mark.parametrize(
    "name", ['#D\\"\\"\\"\\nimport os\\n\\"\\"\\"', "#D\\\\", "#D'''", "#D\\u202e"]
)
def test_the_name_of_an_actor_is_only_ever_text(name: str) -> None:
    files = made(f'actors:\n  door: {{name: "{name}"}}')
    tree = ast.parse(files["door/contract.py"])
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    assert imported == []
    assert "\u202e" not in files["door/contract.py"]


@pytest.mark.parametrize("text", ["it's", "a\\nb", 'a \\"b\\"', "back\\\\slash", "[x] | y"])
def test_a_text_inside_a_quoted_annotation(text: str) -> None:
    kids = (
        "types:\n  Node:\n    description: A node.\n    type: object\n    required: [kids]\n"
        "    properties:\n      kids: {type: array, description: Kids., "
        f'items: {{$ref: "#/types/Node", description: "{text}"}}}}'
    )
    tree = ast.parse(made(kids)["door/types.py"])
    (quoted,) = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and str(node.value).startswith("list[")
    ]
    (described,) = [
        node.value
        for node in ast.walk(ast.parse(str(quoted), mode="eval"))
        if isinstance(node, ast.Constant)
    ]
    assert described == ast.literal_eval(f'"{text}"')


def test_a_docstring_holds_nothing_that_a_terminal_obeys() -> None:
    card = made(doc="a\\u202eb \\e[0m\\u2028 \\07")["door/card.py"]
    assert not set("\u202e\x1b\u2028\0") & set(card)
    (body,) = [
        node
        for node in ast.walk(ast.parse(card))
        if isinstance(node, ast.FunctionDef) and node.name == "open_door"
    ]
    assert ast.get_docstring(body, clean=False) == "a\u202eb \x1b[0m\u2028 \x007"


def test_texts_in_tables_stay_in_their_cell() -> None:
    top = 'environment:\n  A_B: {default: "x|y\\nz", description: A.}\ndeprecated: {use: "P|Q\\nR"}'
    files = made(top)
    assert "| `A_B` | `x\\|y z` | A. |" in files["door/README.md"]
    assert "use `P\\|Q R`.\n" in files["README.md"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": r"^\p{Lu}+\z"},
        {"type": "string", "pattern": "^#a", "minLength": 2, "maxLength": 2},
        {"type": "string", "maxLength": 0},
        {"type": "number", "minimum": 1.1, "maximum": 1.2},
        {"type": "number", "exclusiveMinimum": 1e300},
        {"type": "number", "exclusiveMinimum": 1.1, "exclusiveMaximum": 1.2},
        {"type": "integer", "minimum": 7, "multipleOf": 7, "maximum": 20},
        {"enum": [False]},
        {"anyOf": [{"type": "null"}]},
    ],
)
def test_a_sample_fits_its_schema(schema: dict[str, object]) -> None:
    given = Schema.model_validate(schema)
    unused: object = None
    sample = Samples(unused, "specs/x.yaml").of(given)  # type: ignore[arg-type]  # nothing is looked up
    assert misfit(ast.literal_eval(sample.text), given, Subject("", {})) is None


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^zzz$"},
        {"type": "array", "items": {"type": "string"}, "minItems": 2, "unique_by": "name"},
    ],
)
def test_what_cannot_be_made_up_is_said(schema: dict[str, object]) -> None:
    unused: object = None
    with pytest.raises(NoSampleError):
        Samples(unused, "specs/x.yaml").of(Schema.model_validate(schema))  # type: ignore[arg-type]  # likewise


@pytest.mark.parametrize(
    ("top", "cases"),
    [
        ("fields:\n  code: {type: string, pattern: '^zzz$', description: d}", False),
        (
            NODE.format(required="next")
            + 'fields:\n  code: {$ref: "#/types/Node", description: d}',
            False,
        ),
        (
            "fields: {code: {type: [string, 'null'], default: null, pattern: ^z$, description: d}}",
            True,
        ),
    ],
)
def test_only_cases_without_a_sample_are_left_out(top: str, cases: bool) -> None:
    wiring = next(text for path, text in made(top).items() if path.endswith("_wiring.py"))
    assert ("CASES = [" in wiring) is cases
    ast.parse(wiring)
