"""The converter process: documents in, Markdown out, one after the other.

Started as `python -m cardwright.workspace.reading.converting`. One JSON object per line: requests
with the path of a file, answers with its text. It works in a process of its own because documents
are hostile: it may run out of memory or time, and is then simply replaced.
"""

import importlib
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

MEMORY_BYTES = 2 * 1024**3
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
    """MarkItDown without and, where needed, with a model.

    Only converters of documents are registered: those for archives and pages of the web would read
    what a document merely contains.
    """

    def __init__(self) -> None:
        self._made: MarkItDown | None = None
        self._client: object | None = None

    def answer(self, request: Request) -> Answer:
        """Convert one document; every failure is an answer."""
        try:
            text = self.converted(request)
        except MemoryError:
            return Answer(error="it needs too much memory")
        except Exception as error:  # noqa: BLE001 - parsers of foreign documents raise anything
            return Answer(error=f"{type(error).__name__}: {str(error)[:300]}")
        if has_enough(text):
            return Answer(text)
        if request.llm_client is None:
            return Answer(text if text.strip() else NOTHING)
        return self._described(request)

    def _described(self, request: Request) -> Answer:
        """A scan or an image in the words of a model; without one, what there is."""
        try:
            text = self.converted(request, self.client())
        except Exception:  # noqa: BLE001 - no client, no key, no network: degrade
            return Answer(NOTHING, final=False)
        return Answer(text if has_enough(text) else NOTHING)

    def client(self) -> object:
        """The client of the model, made on first need and kept."""
        if self._client is None:
            self._client = cast("object", importlib.import_module("openai").OpenAI())
        return self._client

    def converted(self, request: Request, client: object | None = None) -> str:
        """The document as Markdown, images described with the help of `client`."""
        from markitdown import StreamInfo

        known = StreamInfo(extension=request.suffix)
        found = self._markitdown().convert_local(
            request.path,
            stream_info=known,
            llm_client=client,
            llm_model=request.llm_model if client is not None else None,
        )
        if len(found.markdown) > MOST_CHARACTERS:
            raise ValueError(f"its text has {len(found.markdown)} characters")
        return found.markdown

    def _markitdown(self) -> "MarkItDown":
        if self._made is None:
            from markitdown import MarkItDown, converters

            self._made = MarkItDown(enable_builtins=False, enable_plugins=False)
            for kind in (
                converters.PdfConverter,
                converters.DocxConverter,
                converters.XlsxConverter,
                converters.XlsConverter,
                converters.PptxConverter,
                converters.OutlookMsgConverter,
                converters.EpubConverter,
                converters.ImageConverter,
            ):
                self._made.register_converter(kind())
        return self._made


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
