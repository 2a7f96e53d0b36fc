"""A small real corpus that a package ships: what numpy says of its functions."""

import inspect
from dataclasses import dataclass
from types import ModuleType

import numpy as np

_DOCUMENT = 400
# Each sixth description: the local model takes a second for about thirty of them.
_STEP = 6


@dataclass(frozen=True)
class Question:
    """A summary, to find the one description that it was cut from."""

    text: str
    wanted: str


def numpy_descriptions() -> tuple[dict[str, str], list[Question]]:
    """Descriptions without signature, summary and examples; the summaries as questions."""
    documents: dict[str, str] = {}
    questions: list[Question] = []
    for module in (np, np.linalg, np.fft, np.random, np.char):
        for name, summary, body in _described(module):
            key = f"{module.__name__}.{name}"
            if body not in documents.values():
                documents[key] = body
                questions.append(Question(summary, key))
    chosen = questions[::_STEP]
    return {one.wanted: documents[one.wanted] for one in chosen}, chosen


def _described(module: ModuleType) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    for name in sorted(dir(module)):
        text = inspect.getdoc(getattr(module, name)) or ""
        paragraphs = [part.strip() for part in text.split("Examples\n---")[0].split("\n\n")]
        if name.startswith("_") or len(paragraphs) < 3:
            continue
        # Ufuncs and compiled functions begin with their signature.
        start = 1 if paragraphs[0].startswith(f"{name}(") else 0
        summary = " ".join(paragraphs[start].split())
        body = " ".join(" ".join(paragraphs[start + 1 :]).split())[:_DOCUMENT]
        if 20 < len(summary) < 200 and len(body) > 200:
            found.append((name, summary, body))
    return found
