"""Where instructions go in a docstring, so that no parser loses them."""

import inspect
import re

INSTRUCTIONS_HEADER = "Additional Instructions:"

_SECTION = re.compile(
    r"^(?:"
    r"(?:Args|Arguments|Params|Parameters|Keyword Args|Keyword Arguments|Other Parameters|"
    r"Attributes|Returns|Return|Yields|Receives|Raises|Exceptions|Warns|Examples?|Notes?|"
    r"References|See Also)"
    r"(?:[ \t]*:[ \t]*$|[ \t]*\n-{3,}[ \t]*$)"
    r"|:(?:param|type|returns?|rtype|raises)\b)",
    re.MULTILINE,
)


def insert_instructions(docstring: str | None, instructions: str) -> str:
    """The docstring, dedented, with the instructions before its first section.

    Google, numpy and sphinx parsers drop text behind a section and lose an indented
    section before flush-left text, so this is the one place where both survive.
    """
    text = inspect.cleandoc(docstring or "")
    block = f"{INSTRUCTIONS_HEADER}\n{instructions}"
    section = _SECTION.search(text)
    if section is None:
        return f"{text}\n\n{block}"
    head, tail = text[: section.start()].rstrip(), text[section.start() :]
    return f"{head}\n\n{block}\n\n{tail}"
