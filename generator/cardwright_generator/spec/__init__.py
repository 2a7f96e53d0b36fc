"""The spec language: models, loading with positions, diagnostics and checks.

`load_specs` turns files into a `Catalogue`; what is wrong with them is data, never an exception.
`explain` says what a code means. Nothing here reads anything but the files it is given, and the
text of modules whose types they name with `python:`.
"""

from cardwright_generator.spec.catalogue import Catalogue, LoadedCard, LoadedCommon
from cardwright_generator.spec.checking import SpecProject, check_file, neighbours
from cardwright_generator.spec.cross import cross_check, facts_of
from cardwright_generator.spec.diagnostics import Diagnostic
from cardwright_generator.spec.editor import editor_schema
from cardwright_generator.spec.explain import UnknownCodeError, all_codes, explain, title
from cardwright_generator.spec.facts import CardFacts
from cardwright_generator.spec.installed import UnknownCatalogueError, installed_specs
from cardwright_generator.spec.loading import load_specs, read_files
from cardwright_generator.spec.parsing import ParsedFile, parse_file
from cardwright_generator.spec.render import (
    headline,
    render_github,
    render_json,
    render_plain,
)
from cardwright_generator.spec.subject import Neighbours

__all__ = [
    "CardFacts",
    "Catalogue",
    "Diagnostic",
    "LoadedCard",
    "LoadedCommon",
    "Neighbours",
    "ParsedFile",
    "SpecProject",
    "UnknownCatalogueError",
    "UnknownCodeError",
    "all_codes",
    "check_file",
    "cross_check",
    "editor_schema",
    "explain",
    "facts_of",
    "headline",
    "installed_specs",
    "load_specs",
    "neighbours",
    "parse_file",
    "read_files",
    "render_github",
    "render_json",
    "render_plain",
    "title",
]
