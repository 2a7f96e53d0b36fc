"""What a command sees of the host's environment: names on a list, so that no secret slips in."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

__all__ = ["SANDBOX_PATH", "host_environment"]

SANDBOX_PATH: Final = "/usr/bin:/bin:/usr/local/bin"

_KEPT: Final = (
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TERM",
    "DEVELOPER_DIR",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "GIT_EXEC_PATH",
    "GIT_TEMPLATE_DIR",
)
_DEVELOPER_DIRS: Final = (
    "/Applications/Xcode.app/Contents/Developer",
    "/Library/Developer/CommandLineTools",
)


def host_environment(host: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the part of `host` that a command on the host itself needs."""
    kept = {name: host[name] for name in _KEPT if name in host}
    kept.setdefault("PATH", SANDBOX_PATH)
    if sys.platform == "darwin" and "DEVELOPER_DIR" not in kept:
        kept.update(_developer_dir())
    return kept


def _developer_dir() -> dict[str, str]:
    found = next((path for path in _DEVELOPER_DIRS if Path(path).is_dir()), None)
    return {} if found is None else {"DEVELOPER_DIR": found}
