"""T7: commands for people and code."""

import asyncio
import contextlib
import functools
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from cardwright.actors import deserialize_object
from cardwright.core import CommandNotRecognized, CommandRegistry, RestOfLine, internal


def registry(*functions: Callable[..., object]) -> CommandRegistry:
    found = CommandRegistry()
    for function in functions:
        found.register(function, "Card")
    return found


class Color(StrEnum):
    RED = "red"


def task(task_id: int) -> int:
    """Show a task.

    With details.
    """
    return task_id


def find(query: str | None = None, status: Literal["open", "done"] | None = None) -> str:
    return f"{query}|{status}"


def hire_member(role: str, name: str | None = None) -> tuple[str, str | None]:
    return role, name


def test_t12_text_is_read_by_the_declared_type() -> None:
    commands = registry(task)
    assert commands.dispatch("/task 5") == commands.dispatch("task task_id=5") == "5"
    answer = commands.dispatch("/task notanint")
    assert answer is not None
    assert answer.startswith("Command 'task' failed: task_id: ")
    assert "notanint" not in answer


def test_t13_quotes_group_and_optionals_default() -> None:
    assert registry(hire_member).dispatch('/hire_member Developer "Alice Smith"') == str(
        ("Developer", "Alice Smith")
    )
    assert registry(hire_member).dispatch("/hire_member Developer") == str(("Developer", None))


@pytest.mark.parametrize(
    "line", ["/frobnicate", "/etc/passwd", "/", "/ ", "", " /task 1", "/TASK 1"]
)
def test_t14_what_names_no_command_is_not_recognized(line: str) -> None:
    with pytest.raises(CommandNotRecognized):
        registry(task).dispatch(line)


def test_an_unknown_command_is_told_with_its_neighbour_or_with_all() -> None:
    @internal
    def secretly() -> str:
        return ""

    commands = registry(task, hire_member, secretly)
    with pytest.raises(CommandNotRecognized, match="no command 'hire_membr': did you mean 'hire_"):
        commands.dispatch("/hire_membr x")
    with pytest.raises(CommandNotRecognized) as unknown:
        commands.dispatch("/frobnicate")
    assert str(unknown.value) == "there is no command 'frobnicate': there are hire_member, task"


def test_t15_t16_equals_signs() -> None:
    commands = registry(find)
    assert commands.dispatch("/find x=y") == "x=y|None"
    assert commands.dispatch('/find query="a b"') == "a b|None"
    assert commands.dispatch('/find query="a=b"') == "a=b|None"
    assert commands.dispatch("/find query=") == "|None"


def test_t17_positionals_and_names_do_not_mix_badly() -> None:
    def assign(status: str, owner: str = "") -> str:
        return f"{status}{owner}"

    commands = registry(assign)
    assert "@Manager" in str(commands.dispatch("/assign status=pending @Manager"))
    assert "status" in str(commands.dispatch("/assign pending status=started"))
    assert commands.dispatch("/assign status=a status=b") == "b"
    assert "at most 2" in str(commands.dispatch("/assign a b c"))
    assert "missing status" in str(commands.dispatch("/assign owner=x"))


def test_t18_an_unknown_name_is_a_positional_and_fails_as_text() -> None:
    def show(mode: Literal["a", "b"]) -> str:
        return mode

    assert str(registry(show).dispatch("/show foo=bar")).startswith("Command 'show' failed")


def test_t19_t20_results() -> None:
    def nothing() -> None: ...
    def pair() -> tuple[int, int]:
        return 1, 2

    def empty() -> str:
        return ""

    commands = registry(nothing, pair, empty)
    assert commands.dispatch("/nothing") is None
    assert commands.callable("nothing")() is None
    assert commands.callable("pair")() == (1, 2)
    assert commands.dispatch("/pair") == "(1, 2)"
    assert commands.dispatch("/empty") == ""
    with pytest.raises(CommandNotRecognized):
        commands.callable("none")
    assert commands.has("pair")
    assert not commands.has("none")


def test_values_are_coerced_from_text() -> None:
    def typed(
        flag: bool, color: Color, number: float, key: UUID, literal: Literal["x"], text: str | None
    ) -> list[object]:
        return [flag, color, number, key, literal, text]

    key = "12345678-1234-5678-1234-567812345678"
    got = registry(typed).dispatch(f"/typed yes red 1.5 {key} x None")
    assert got == str([True, Color.RED, 1.5, UUID(key), "x", "None"])


def test_containers_are_never_made_from_a_token() -> None:
    def many(items: list[int]) -> int:
        return len(items)

    assert str(registry(many).dispatch("/many [1]")).startswith("Command 'many' failed")


def test_a_broken_quote_is_answered_as_text() -> None:
    assert str(registry(task).dispatch('/task "5')).startswith("Command 'task' failed: ")
    with pytest.raises(CommandNotRecognized):
        registry(task).dispatch('/nothing "5')


def test_a_raising_body_is_answered_as_text() -> None:
    def broken() -> None:
        raise LookupError("gone")

    assert registry(broken).dispatch("/broken") == "Command 'broken' failed: gone"


def test_registration_refuses_what_cannot_be_typed() -> None:
    def variadic(*args: int) -> None: ...
    def keywords(**more: int) -> None: ...

    bare: Callable[..., object] = eval("lambda x: None")

    for function, parameter in ((variadic, "args"), (keywords, "more"), (bare, "x")):
        with pytest.raises(ValueError, match=rf"{function.__name__}.*{parameter}"):
            registry(function)
    with pytest.raises(ValueError, match="needs a name"):
        registry(functools.partial(task, 1))


def test_bound_methods_lose_self_and_hints_may_not_resolve() -> None:
    class Box:
        def open(self, times: int) -> int:
            return times

    def vague(x: object) -> object:
        return x

    vague.__annotations__["x"] = "Nowhere"

    assert registry(Box().open).dispatch("/open 3") == "3"
    with pytest.raises(ValueError, match=r"vague.*x"):
        registry(vague)


def test_descriptors_describe_in_order_and_round_trip() -> None:
    def command(
        a: Annotated[int, Field(description="The A.")],
        b: Literal["x", "y"] = "x",
        *,
        c: bool | None = None,
        d: dict[str, int] | None = None,
        e: Color = Color.RED,
        f: float = 1.0,
    ) -> None:
        """First line.

        Second.
        """

    [found] = registry(command).descriptors()
    assert found.description == "First line.\n\nSecond."
    assert [(x.name, x.type, x.required) for x in found.args] == [
        ("a", "integer", True),
        ("b", "string", False),
        ("c", "boolean", False),
        ("d", "object", False),
        ("e", "string", False),
        ("f", "number", False),
    ]
    assert found.args[0].description == "The A."
    assert [x.choices for x in found.args[:5]] == [
        None,
        ["x", "y"],
        ["true", "false"],
        None,
        ["red"],
    ]
    assert deserialize_object(found.model_dump()) == found


def test_internal_commands_are_reachable_and_not_announced() -> None:
    @internal
    def hidden() -> str:
        return "here"

    commands = registry(hidden)
    assert commands.descriptors() == []
    assert commands.dispatch("/hidden") == "here"


def test_async_commands_are_awaited_by_the_async_dispatch() -> None:
    async def later(x: int) -> int:
        return x

    async def fails() -> int:
        raise LookupError("no")

    commands = registry(later, fails)
    assert asyncio.run(commands.dispatch_async("/later 3")) == "3"
    assert asyncio.run(commands.dispatch_async("/fails")) == "Command 'fails' failed: no"
    assert "dispatch_async" in str(commands.dispatch("/later 3"))


def search(
    mode: Annotated[Literal["all", "open"], Field(description="Which.")] = "all",
    top: int = 10,
    query: Annotated[str, RestOfLine] = "",
) -> str:
    return f"{mode}|{top}|{query}"


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("/search", "all|10|"),
        ("/search don't panic", "all|10|don't panic"),
        ("/search mode=open  two  words ", "open|10|two  words "),
        ("/search top=3 mode=open x=1 mode=all", "open|3|x=1 mode=all"),
        ("/search query=a", "all|10|query=a"),
        ('/search top="3" "quoted"', 'all|3|"quoted"'),
        ("/search first\nsecond", "all|10|first\nsecond"),
    ],
)
def test_rest_of_line(line: str, result: str) -> None:
    assert registry(search).dispatch(line) == result


def test_rest_of_line_behind_positionals() -> None:
    def say(to: str, text: Annotated[str, RestOfLine]) -> str:
        return f"{to}>{text}"

    commands = registry(say)
    assert commands.dispatch("/say Bob hello there") == "Bob>hello there"
    assert commands.dispatch("/say to='Bob B' hi") == "Bob B>hi"
    assert "missing text" in str(commands.dispatch("/say Bob"))
    args = commands.descriptors()[0].args
    assert [(x.name, x.rest_of_line, x.keyword_only) for x in args] == [
        ("to", False, False),
        ("text", True, False),
    ]


def test_rest_of_line_must_be_last_and_positionals_first() -> None:
    def early(text: Annotated[str, RestOfLine], x: int = 1) -> None: ...
    def mixed(x: int = 1, *, y: int, text: Annotated[str, RestOfLine] = "") -> None: ...

    with pytest.raises(ValueError, match=r"early.*text.*last"):
        registry(early)
    with pytest.raises(ValueError, match=r"mixed.*y"):
        registry(mixed)


@given(st.text())
def test_rest_of_line_is_verbatim(text: str) -> None:
    def say(text: Annotated[str, RestOfLine] = "") -> str:
        return text

    assert registry(say).dispatch(f"/say {text}") == text.lstrip()


@given(st.text())
def test_dispatch_answers_or_does_not_recognize(text: str) -> None:
    with contextlib.suppress(CommandNotRecognized):
        registry(task, find, search).dispatch(text)


def test_a_nullable_argument_is_described_by_what_it_is_beside_null() -> None:
    def show(
        limit: Annotated[int, Field(ge=1)] | None = None,
        share: float | None = None,
        name: str | None = None,
        either: int | str | None = None,
    ) -> None:
        """Show."""

    (told,) = registry(show).descriptors()
    assert [arg.type for arg in told.args] == ["integer", "number", "string", "string"]
