"""The converter process: documents in, Markdown out, one after the other.

Started as `python -m cardwright.workspace.reading.converting`. One JSON object per line: requests
with the path of a file, answers with its text. It works in a process of its own because documents
are hostile: it may run out of memory or time, and is then simply replaced.
"""

import json
import os
import resource
import select
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO, cast

if TYPE_CHECKING:
    from markitdown import MarkItDown

MEMORY_BYTES = 4 * 1024**3
IDLE_SECONDS = 120.0
ENOUGH = 50
"""Characters besides blanks below which a model is asked to describe the document."""
MOST_CHARACTERS = 20_000_000
NOTHING = "<!-- markitdown: no text extracted -->"


@dataclass(frozen=True, slots=True)
class Request:
    """A file to convert, and the client that may describe what holds no text."""

    path: str
    suffix: str
    llm_client: str | None
    llm_model: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The text, and whether asking again could give more; or the error."""

    text: str = ""
    final: bool = True
    error: str = ""


def has_enough(text: str) -> bool:
    """Whether a document holds text of its own."""
    return sum(map(len, text.split())) >= ENOUGH


class Converter:
    """MarkItDown without and, where needed, with a model; clients are made on first need."""

    def __init__(self) -> None:
        self._plain: MarkItDown | None = None
        self._clients: dict[str, object] = {}

    def answer(self, request: Request) -> Answer:
        """Convert one document; every failure is an answer."""
        try:
            text = self._converted(self._without_model(), request)
        except MemoryError:
            return Answer(error="it needs too much memory")
        except Exception as error:  # noqa: BLE001 - parsers of foreign documents raise anything
            return Answer(error=f"{type(error).__name__}: {str(error)[:300]}")
        if has_enough(text):
            return Answer(text)
        if request.llm_client is None:
            return Answer(text if text.strip() else NOTHING)
        return self._described(request, text)

    def _described(self, request: Request, text: str) -> Answer:
        """A scan or an image in the words of a model; without one, what there is."""
        try:
            described = self._converted(self._with_model(request), request)
        except Exception:  # noqa: BLE001 - no client, no key, no network: degrade
            return Answer(text if has_enough(text) else NOTHING, final=False)
        return Answer(described if has_enough(described) else NOTHING)

    def _without_model(self) -> "MarkItDown":
        from markitdown import MarkItDown

        self._plain = self._plain or MarkItDown(enable_plugins=False)
        return self._plain

    def _with_model(self, request: Request) -> "MarkItDown":
        from markitdown import MarkItDown
        from openai import OpenAI

        client = self._clients.setdefault("openai", OpenAI())
        return MarkItDown(enable_plugins=False, llm_client=client, llm_model=request.llm_model)

    def _converted(self, converter: "MarkItDown", request: Request) -> str:
        from markitdown import StreamInfo

        known = StreamInfo(extension=request.suffix)
        text = converter.convert_local(request.path, stream_info=known).markdown
        if len(text) > MOST_CHARACTERS:
            raise ValueError(f"its text has {len(text)} characters")
        return text


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer until there are no more requests for a while."""
    converter = Converter()
    while select.select([requests], [], [], IDLE_SECONDS)[0]:
        line = requests.readline()
        if not line:
            return
        answer = converter.answer(Request(**cast("dict[str, str]", json.loads(line))))
        fields = {"text": answer.text, "final": answer.final, "error": answer.error}
        answers.write(json.dumps(fields) + "\n")
        answers.flush()


def main() -> None:
    """Serve on the standard streams; what libraries print goes nowhere."""
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    serve(sys.stdin, answers)


if __name__ == "__main__":
    main()
