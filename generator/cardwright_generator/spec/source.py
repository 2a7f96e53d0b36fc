"""From bytes to text: decoding and line endings."""

from cardwright_generator.spec.diagnostics import Diagnostic


def decode(file: str, content: str | bytes) -> tuple[str, Diagnostic | None]:
    """Return the text of a file without byte order mark and with LF line endings.

    Text that is no UTF-8 comes back empty, with the diagnostic that says where it stops being so.
    """
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return "", _not_utf8(file, raw[: error.start].decode("utf-8"))
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), None


def _not_utf8(file: str, readable: str) -> Diagnostic:
    lines = readable.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return Diagnostic(
        file,
        len(lines),
        len(lines[-1]) + 1,
        "CW101",
        "the file is not UTF-8 text",
        hint="save it with the encoding UTF-8",
    )
