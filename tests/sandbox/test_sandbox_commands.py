"""What may be run, and how a command line becomes words."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.sandbox import ALLOWED_COMMANDS, CommandNotAllowedError
from cardwright.sandbox.commands import parse_command, shell_note


def test_the_list_holds_exactly_the_32_programs_of_the_contract() -> None:
    expected = (
        "python python3 pytest ruff mypy uv pip node npm npx sh bash cat echo ls cp mv rm mkdir "
        "find grep sed awk jq wc xargs touch make git kill curl wget"
    )
    assert set(expected.split()) == ALLOWED_COMMANDS
    assert len(ALLOWED_COMMANDS) == 32


def test_case_44_another_program_and_a_blank_line_are_refused_with_the_list() -> None:
    for line in ("psql -c x", "", "   ", "./run.sh", "/bin/sh -c x", "'sh -c x'"):
        with pytest.raises(CommandNotAllowedError) as refused:
            parse_command(line)
        assert ", ".join(sorted(ALLOWED_COMMANDS)) in str(refused.value)


def test_case_50_only_the_program_is_checked() -> None:
    assert parse_command("rm -rf /") == ["rm", "-rf", "/"]


def test_trap_16_quotes_group() -> None:
    assert parse_command('bash -c "echo a b"') == ["bash", "-c", "echo a b"]
    assert parse_command("grep 'x y' a\\ b") == ["grep", "x y", "a b"]


@pytest.mark.parametrize("line", ['echo "open', "echo 'open", "echo \\", "echo a\0b"])
def test_what_cannot_be_read_is_refused_and_says_why(line: str) -> None:
    with pytest.raises(CommandNotAllowedError, match=r"quote|NUL"):
        parse_command(line)


@given(st.lists(st.text(st.characters(exclude_characters="\0", codec="utf-8")), max_size=5))
def test_what_is_quoted_arrives_as_it_was(words: list[str]) -> None:
    assert parse_command(shlex.join(["echo", *words])) == ["echo", *words]


def test_refusals_do_not_repeat_the_command() -> None:
    with pytest.raises(CommandNotAllowedError) as refused:
        parse_command("deploy --token=hunter2")
    assert "hunter2" not in str(refused.value)


def test_shell_syntax_in_the_arguments_is_pointed_out() -> None:
    assert "sh -c" in shell_note(["ls", "|", "wc"])
    assert shell_note(["grep", "|x"]) == ""
