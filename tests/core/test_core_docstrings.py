"""T2: instructions survive in what the model reads."""

from hypothesis import given
from hypothesis import strategies as st

from cardwright.core import BaseToolParam
from cardwright.core.docstrings import INSTRUCTIONS_HEADER, insert_instructions

GOOGLE = """Do it.

    More about it.

    Args:
        x: The number.

    Returns:
        The result.
    """


def test_t1_without_instructions_the_docstring_is_unchanged() -> None:
    assert BaseToolParam().format_docstring("  as it is\n") == "  as it is\n"
    assert BaseToolParam(instructions="").format_docstring("x") == "x"
    assert BaseToolParam().format_docstring(None) is None


def test_t1_instructions_without_docstring_start_with_a_blank_line() -> None:
    found = BaseToolParam(instructions="Be brief.").format_docstring(None)
    assert found == f"\n\n{INSTRUCTIONS_HEADER}\nBe brief."


def test_instructions_stand_before_the_first_section_of_a_dedented_docstring() -> None:
    assert insert_instructions(GOOGLE, "Be brief.") == (
        "Do it.\n\nMore about it.\n\nAdditional Instructions:\nBe brief.\n\n"
        "Args:\n    x: The number.\n\nReturns:\n    The result."
    )


def test_numpy_and_sphinx_sections_are_found() -> None:
    assert insert_instructions("A.\n\nParameters\n----------\nx : int", "I").startswith("A.\n\nAdd")
    assert insert_instructions("A.\n\n:param x: it", "I").endswith("I\n\n:param x: it")


def test_braces_in_instructions_survive_verbatim() -> None:
    assert "Prefer {json}" in insert_instructions("Doc.", "Prefer {json}")


def test_describe_sets_the_docstring_and_returns_the_function() -> None:
    def tool() -> None:
        """Doc."""

    assert BaseToolParam(instructions="I").describe(tool) is tool
    assert tool.__doc__ == "Doc.\n\nAdditional Instructions:\nI"


@given(
    st.text(min_size=1).filter(lambda text: "\r" not in text),
    st.sampled_from(["", GOOGLE, "One line."]),
)
def test_no_instruction_is_ever_lost(instructions: str, docstring: str) -> None:
    assert instructions in insert_instructions(docstring, instructions)
