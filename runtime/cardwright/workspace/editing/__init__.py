"""Changes to texts, without files: edits by anchor, unified diffs, and how a text was stored.

Pure functions over strings; whoever owns the files decides whether a change may be made.
"""

from .diffs import bounded_difference, live_to_proposed, unified
from .encoding import TextForm, decode_text, encode_text, form_of
from .endings import detect_line_ending, normalise_endings, split_lines
from .matching import EditMatcher, MatchResult
from .patch_applying import apply_file_patch
from .patch_model import (
    FilePatch,
    Hunk,
    HunkContextError,
    HunkLine,
    HunkOverlapError,
    PatchSyntaxError,
    deleted_paths,
    is_pure_add,
    patch_label,
)
from .patch_parsing import parse_patch, render_file_patch
from .substitution import AnchorError, Substitution, substitute_edit

__all__ = [
    "AnchorError",
    "EditMatcher",
    "FilePatch",
    "Hunk",
    "HunkContextError",
    "HunkLine",
    "HunkOverlapError",
    "MatchResult",
    "PatchSyntaxError",
    "Substitution",
    "TextForm",
    "apply_file_patch",
    "bounded_difference",
    "decode_text",
    "deleted_paths",
    "detect_line_ending",
    "encode_text",
    "form_of",
    "is_pure_add",
    "live_to_proposed",
    "normalise_endings",
    "parse_patch",
    "patch_label",
    "render_file_patch",
    "split_lines",
    "substitute_edit",
    "unified",
]
