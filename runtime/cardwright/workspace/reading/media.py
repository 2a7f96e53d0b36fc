"""Images and documents that a prompt names with `!!`."""

import re

from cardwright.core import MediaContent
from cardwright.workspace.files import Tree
from cardwright.workspace.finding.bounds import Bounds, LeftOut, shown
from cardwright.workspace.finding.globbing import GlobSearch
from cardwright.workspace.finding.patterns import PathPattern
from cardwright.workspace.refusals import Refusal

from .documents import DOCUMENT_EXTENSIONS
from .images import IMAGE_TYPES, render_view

# Not within a word or after another mark: "wow!!!" names nothing.
_TOKEN = re.compile(r'(?<![\w!])!!(?:"([^"\n]+)"|([^\s"!]\S*))')
MOST_MATCHES = 20
MAX_DIMENSION = 1568
"""Pixels beyond which models scale images down themselves."""


def expand_media_refs(tree: Tree, prompt: str) -> list[str | MediaContent]:
    """The prompt in pieces, with every image that it names in its place.

    `!!pattern` and `!!"pattern with blanks"` name files by a glob pattern from the root. Images are
    put in, in the order of their paths; if there are none, documents are pointed out; anything else
    becomes a marker that says what is wrong. The text after the last token comes last, even if
    empty.
    """
    pieces: list[str | MediaContent] = []
    position = 0
    for token in _TOKEN.finditer(prompt):
        if token.start() > position:
            pieces.append(prompt[position : token.start()])
        pieces += _named(tree, token[1] or token[2])
        position = token.end()
    pieces.append(prompt[position:])
    return pieces


def _named(tree: Tree, pattern: str) -> list[str | MediaContent]:
    """What one token stands for."""
    try:
        paths = _matching(tree, PathPattern.of(pattern))
    except Refusal as refusal:
        return [f"!!{pattern}[Error: {refusal}]"]
    images = [path for path in paths if _suffix(path) in IMAGE_TYPES]
    if images:
        return _images(tree, images, pattern)
    documents = [path for path in paths if _suffix(path) in DOCUMENT_EXTENSIONS]
    if documents:
        return [
            f"!!{shown(path.rpartition('/')[2])}[=> Use workspace_read tool]" for path in documents
        ]
    return [f"!!{pattern}[Error: no image matched in the workspace]"]


def _images(tree: Tree, paths: list[str], pattern: str) -> list[str | MediaContent]:
    pieces: list[str | MediaContent] = []
    for path in paths[:MOST_MATCHES]:
        try:
            pieces.append(render_view(tree, path, max_dimension=MAX_DIMENSION)[0])
        except Refusal as refusal:
            pieces.append(f"!!{shown(path)}[Error: {refusal}]")
    left = len(paths) - MOST_MATCHES
    if left > 0:
        pieces.append(f"!!{pattern}[Error: {left} more images match, name fewer]")
    return pieces


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2]
    return "." + name.rpartition(".")[2].lower() if "." in name else ""


def _matching(tree: Tree, pattern: PathPattern) -> list[str]:
    """Paths of the files that match, sorted."""
    left_out = LeftOut()
    search = GlobSearch(tree, "", pattern, left_out)
    paths = sorted(path for _, path in search.found(Bounds()))
    if left_out.stopped:
        raise Refusal("invalid", "the search took too long, name the file more closely")
    return paths
