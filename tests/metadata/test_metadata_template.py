"""The template grammar, form by form and over random input."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, computed_field

from cardwright.metadata.template import Template, TemplateError


class Customer(BaseModel):
    name: str = "Ada"
    tier: int = 3
    note: str | None = None

    @computed_field
    def title(self) -> str:
        return self.name.upper()

    @property
    def initials(self) -> str:
        return self.name[0]


def render(source: str, values: Customer | None = None) -> str:
    return Template.parse(source).render(values or Customer())


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("no placeholder", "no placeholder"),
        ("{name}", "Ada"),
        ("{name:}", "Ada"),
        ("{name} and {name} again", "Ada and Ada again"),
        ("{tier}/{note}", "3/None"),
        ("{{name}}", "{name}"),
        ("{{{name}}}", "{Ada}"),
        ("  \n", "  \n"),
        ("a}}b{{c", "a}b{c"),
    ],
)
def test_accepted_forms(source: str, text: str) -> None:
    assert render(source) == text


REFUSED = {
    "{name.upper}": "{name.upper}",
    "{name[0]}": "{name[0]}",
    "{}": "{}",
    "{0}": "{0}",
    "{first-name}": "{first-name}",
    "{ name }": "{ name }",
    "{name!r}": "{name!r}",
    "{name:>10}": "{name:>10}",
    "{name:{tier}}": "{name:{tier}}",
    "{name": "braces",
    "name}": "braces",
    "{": "braces",
    "}": "braces",
    "{name!}": "braces",
    "{__class__.__init__}": "{__class__.__init__}",
}


@pytest.mark.parametrize("source", REFUSED)
def test_refused_forms_name_the_offender(source: str) -> None:
    with pytest.raises(TemplateError) as refused:
        Template.parse(source)
    assert REFUSED[source] in str(refused.value)


def test_names_are_collected_once_in_order() -> None:
    assert Template.parse("{b}{a}{b}").names == ("b", "a")


@pytest.mark.parametrize(
    "name", ["missing", "title", "initials", "__dict__", "model_fields", "_private"]
)
def test_only_declared_fields_count(name: str) -> None:
    with pytest.raises(TemplateError) as refused:
        render(f"{{{name}}}")
    message = str(refused.value)
    assert f"{{{name}}}" in message
    assert "Customer" in message
    assert "name, note, tier" in message


@pytest.mark.parametrize("name", ["title", "initials"])
def test_t22_a_computed_field_is_told_why(name: str) -> None:
    with pytest.raises(TemplateError, match="computed"):
        render(f"{{{name}}}")


def test_values_are_never_templates() -> None:
    assert render("{name}", Customer(name="{tier} {{x}}")) == "{tier} {{x}}"


literals = st.text(max_size=8)
pieces = st.lists(literals | st.sampled_from([("name",), ("tier",)]), max_size=8)


@given(pieces)
def test_what_is_written_correctly_renders_as_str_format_does(
    parts: list[str | tuple[str]],
) -> None:
    source = "".join(
        "{" + part[0] + "}"
        if isinstance(part, tuple)
        else part.replace("{", "{{").replace("}", "}}")
        for part in parts
    )
    customer = Customer(name="{x}")
    assert render(source, customer) == source.format(name=customer.name, tier=customer.tier)


@given(st.text(alphabet="{}nametir!:.[]0 -", max_size=12))
def test_any_text_is_a_template_or_refused_and_never_reaches_beyond_fields(source: str) -> None:
    try:
        template = Template.parse(source)
    except TemplateError:
        return
    assert all(name.isidentifier() for name in template.names)
    shown = source.format(**dict.fromkeys(template.names, "v"))
    assert "".join(piece.text + ("v" if piece.name else "") for piece in template.pieces) == shown
