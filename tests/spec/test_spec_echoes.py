"""One cause, one finding: what follows from a fault is not told again, and places are named."""

from tests.spec.spec_texts import HEAD, TOOL, card, codes, findings

from cardwright_generator.spec import load_specs


def test_a_copied_spec_is_one_finding_at_the_copy() -> None:
    """`glosary.yaml` sorts before the right file and is blamed all the same."""
    for copy in ("helo.yaml", "a.yaml", "z.yaml"):
        (found,) = load_specs({"hello.yaml": card(), copy: card()}).diagnostics
        assert (found.file, found.code) == (copy, "CW801")
        assert "already declared in hello.yaml" in found.message
        assert found.hint == "delete the copy, or give it the name of a new card"


def test_a_misnamed_file_alone_is_still_told() -> None:
    (found,) = load_specs({"helo.yaml": card()}).diagnostics
    assert found.code == "CW302"


def test_a_taken_public_name_says_where_the_other_one_is() -> None:
    more = "      wave: {name: greet, channels: [tool_call], doc: Wave., returns: string}\n"
    (found,) = findings(card() + more)
    assert found.code == "CW609"
    assert "the other is capabilities.greet.endpoints.greet" in (found.hint or "")


def test_a_default_that_does_not_match_is_told_the_pattern() -> None:
    field = (
        'fields:\n  code: {type: string, default: x, pattern: "^[A-Z]+$", description: A code.}\n'
    )
    (found,) = findings(card(top=field))
    assert found.code == "CW407"
    assert "`^[A-Z]+$`" in found.message


def test_a_misspelt_list_of_failures_does_not_leave_them_unused() -> None:
    top = "failures:\n  away: {surfaces: retry, when: nobody is there}\n"
    assert codes(card(top=top, capability="failures: [away]\n")) == []
    (found,) = findings(card(top=top, capability="failure: [away]\n"))
    assert (found.code, found.hint) == ("CW201", "did you mean 'failures'?")
    assert codes(card(top=top)) == ["CW623"]


def test_a_type_without_its_value_is_not_missing_too() -> None:
    for lost in ("$ref: #/types/Guest", "type:"):
        text = f"{HEAD}fields:\n  guest:\n    description: Who.\n    {lost}\n"
        rest = card(endpoint=TOOL).removeprefix(HEAD)
        assert codes(text + rest) == ["CW206"]
