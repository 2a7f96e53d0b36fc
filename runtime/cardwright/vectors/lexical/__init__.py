"""Keyword search without any library: words of any script, BM25, updated one text at a time.

Domains that show search touch `LexicalIndex`; how texts become words is internal.
"""

from .index import LexicalIndex
from .words import words

__all__ = ["LexicalIndex", "words"]
