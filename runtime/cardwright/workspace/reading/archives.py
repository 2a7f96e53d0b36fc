"""Documents that are archives, checked before anything is unpacked."""

import io
import zipfile

from cardwright.workspace.refusals import Refusal

ARCHIVES = frozenset({".docx", ".xlsx", ".pptx", ".epub"})
MOST_UNPACKED = 256 * 1024 * 1024
MOST_MEMBERS = 10_000
MOST_MEMBER_RATIO = 1100
"""Above what deflate can reach (1032), so only a lie about sizes exceeds it."""


def check_archive(data: bytes, name: str) -> None:
    """Refuse an archive that is damaged or would unpack to far more than a document.

    The sizes are those of the table of contents; reading a member stops at its size, so a table
    that lies only damages its own document.

    Raises:
        Refusal: It is no archive, or too large when unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError) as error:
        raise Refusal("unsuitable", f"{name} is damaged: {error}") from error
    unpacked = sum(member.file_size for member in members)
    lying = any(
        member.file_size > MOST_MEMBER_RATIO * max(member.compress_size, 1) for member in members
    )
    if len(members) > MOST_MEMBERS or unpacked > MOST_UNPACKED or lying:
        raise Refusal(
            "unsuitable",
            f"{name} is not read: its {len(members)} parts would unpack to {unpacked} bytes.",
        )
