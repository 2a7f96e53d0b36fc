"""The account key: where it comes from, and how it stays out of texts."""

import os
import re
from typing import Final
from urllib.parse import quote

API_KEY: Final = "TAVILY_API_KEY"

_MASK: Final = "***"
_USERINFO = re.compile(r"(?<=://)[^/@\s]+@")


def api_key() -> str | None:
    """The key without surrounding blanks; `None` when it is unset or blank."""
    return os.environ.get(API_KEY, "").strip() or None


def without_key(text: str, key: str) -> str:
    """`text` with the key masked in every spelling a library gives it, proxy passwords too."""
    for spelling in {key, repr(key)[1:-1], repr(key.encode())[2:-1], quote(key, safe="")}:
        text = text.replace(spelling, _MASK)
    return _USERINFO.sub(f"{_MASK}@", text)
