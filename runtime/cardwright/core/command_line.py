"""From the text behind a command's name to the values of its arguments."""

import io
import re
import shlex
from collections.abc import Sequence

from .command_signature import CommandParameter

_OPTION = re.compile(r"\s*([^\W\d]\w*)=")


def split(text: str) -> list[str]:
    """The shell words of a line.

    Raises:
        ValueError: A quote is not closed.
    """
    return shlex.split(text)


def bind(parameters: Sequence[CommandParameter], text: str) -> dict[str, object]:
    """The values that `text` gives to the arguments; those left out keep their defaults.

    Raises:
        ValueError: The line does not fit the arguments; names the argument, never a value.
    """
    texts = (
        _with_rest(parameters, text)
        if any(each.rest_of_line for each in parameters)
        else _words(parameters, text)
    )
    missing = [each.name for each in parameters if each.required and each.name not in texts]
    if missing:
        raise ValueError(f"missing {', '.join(missing)}")
    return {each.name: each.read(texts[each.name]) for each in parameters if each.name in texts}


def _words(parameters: Sequence[CommandParameter], text: str) -> dict[str, str]:
    names = [each.name for each in parameters]
    positional: list[str] = []
    named: dict[str, str] = {}
    for word in split(text):
        key, equals, value = word.partition("=")
        if equals and key in names:
            named[key] = value
        elif named:
            raise ValueError(
                f"positional {word!r} after a named argument: name it too, or put it first"
            )
        else:
            positional.append(word)
    return _merged(names, positional, named)


def _merged(
    names: Sequence[str], positional: Sequence[str], named: dict[str, str]
) -> dict[str, str]:
    if len(positional) > len(names):
        raise ValueError(f"takes at most {len(names)} arguments, {len(positional)} were given")
    bound = dict(zip(names, positional, strict=False))
    twice = sorted(bound.keys() & named.keys())
    if twice:
        raise ValueError(f"{', '.join(twice)} given both by position and by name")
    return bound | named


def _with_rest(parameters: Sequence[CommandParameter], text: str) -> dict[str, str]:
    """Bind options and positionals word by word; the rest is one verbatim text."""
    nameable = {each.name for each in parameters if not each.rest_of_line}
    waiting = [each.name for each in parameters if not each.rest_of_line and not each.option]
    bound: dict[str, str] = {}
    rest = text.lstrip()
    while rest:
        match = _OPTION.match(rest)
        named = match[1] if match and match[1] in nameable else None
        target = named or next((name for name in waiting if name not in bound), None)
        if target is None:
            break
        word, rest = _first_word(rest)
        bound[target] = word.partition("=")[2] if named else word
        rest = rest.lstrip()
    if rest:
        bound[parameters[-1].name] = rest
    return bound


def _first_word(text: str) -> tuple[str, str]:
    """The first shell word of `text` and what follows it."""
    stream = io.StringIO(text)
    lexer = shlex.shlex(stream, posix=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    word = lexer.get_token()
    return word or "", text[stream.tell() :]
