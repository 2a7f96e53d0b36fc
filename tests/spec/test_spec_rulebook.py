"""Every code: its bad example is refused with exactly that text, its good one is accepted."""

import ast
import re
from pathlib import Path

import pytest
from tests.spec.spec_rulebook import read_page

import cardwright_generator.spec
from cardwright_generator.spec import (
    UnknownCodeError,
    all_codes,
    explain,
    load_specs,
    render_plain,
    title,
)
from cardwright_generator.spec.rules import registered_codes

SPEC = Path(cardwright_generator.spec.__file__).parent


@pytest.mark.parametrize("code", all_codes())
def test_the_refused_example_is_refused_with_exactly_that_text(code: str) -> None:
    page = read_page(code)
    diagnostics = load_specs(page.refused).diagnostics
    assert [one.code for one in diagnostics] == [code]
    sources = {
        name: text if isinstance(text, str) else text.decode("latin-1")
        for name, text in page.refused.items()
    }
    assert render_plain(diagnostics, sources) == page.told


@pytest.mark.parametrize("code", all_codes())
def test_the_accepted_example_has_nothing_to_tell(code: str) -> None:
    assert load_specs(read_page(code).accepted).diagnostics == ()


def test_every_code_in_the_source_has_a_page_and_the_other_way_round() -> None:
    literals = {
        node.value
        for path in SPEC.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    used = {text for text in literals if re.fullmatch(r"CW\d{3}", text)}
    assert used == set(all_codes())
    assert registered_codes() <= used


@pytest.mark.parametrize("code", all_codes())
def test_a_page_says_what_and_why(code: str) -> None:
    page = explain(code)
    assert page.startswith(f"# {code}: {title(code)}\n")
    assert "\n**Why it is refused.** " in page


def test_explain_does_not_mind_case_and_blanks() -> None:
    assert explain(" cw501 ") == explain("CW501")


def test_an_unknown_code_is_told_what_is_near() -> None:
    with pytest.raises(UnknownCodeError, match="there is no code 'CW5011'; did you mean 'CW501'"):
        explain("CW5011")
    with pytest.raises(UnknownCodeError, match=r"there is no code '\.\./x'; codes: CW101, "):
        explain("../x")
