"""Texts in other encodings: what is read is written back in the same form, or refused clearly."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardwright.bench import LocalAgent, LocalTeam, RetryRequested
from cardwright.workspace import WorkspaceTool
from cardwright.workspace.finding import ripgrep

TEXT = "erste Zeile\r\nÄpfel und 𝄞\r\nletzte"
FORMS = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
UNREADABLE = {
    "latin-1": "Äpfel".encode("latin-1"),
    "utf-16 without a mark": "Äpfel".encode("utf-16-le") + b"\xff",
    "utf-16 cut": "\ufeffÄpfel".encode("utf-16-le")[:-1],
    "utf-32 cut": "\ufeffÄpfel".encode("utf-32-be")[:-1],
    "half a pair": b"\xff\xfe\x00\xd8",
    "beyond Unicode": b"\x00\x00\xfe\xff\x00\x11\x00\x00",
    "overlong": b"\xc0\xaf",
}


@pytest.fixture
def agent(trees: Path) -> Iterator[LocalAgent]:
    with LocalTeam() as team:
        yield team.agent("@A", cards=[WorkspaceTool(workspace_id="box")])


def stored(text: str, form: str) -> bytes:
    return f"\ufeff{text}".encode(form)


@pytest.mark.parametrize("form", FORMS)
def test_every_change_keeps_mark_encoding_and_endings(
    agent: LocalAgent, trees: Path, form: str
) -> None:
    file = trees / "box/a.txt"
    file.write_bytes(stored(TEXT, form))
    page = str(agent.call("workspace_read", path="a.txt"))
    assert page == "1     erste Zeile\n2     Äpfel und 𝄞\n3     letzte"
    agent.call("workspace_edit", path="a.txt", old_string="Zeile\nÄpfel", new_string="Z\nÄ\nB")
    assert file.read_bytes() == stored("erste Z\r\nÄ\r\nB und 𝄞\r\nletzte", form)
    patch = "--- a/a.txt\n+++ b/a.txt\n@@ -4 +4,2 @@\n-letzte\n+letzte\n+noch eine\n"
    agent.call("workspace_patch", patch_text=patch)
    assert file.read_bytes() == stored("erste Z\r\nÄ\r\nB und 𝄞\r\nletzte\r\nnoch eine", form)
    agent.call("workspace_read", path="a.txt")
    agent.call("workspace_write", path="a.txt", content="eins\nzwei 𝄞\n")
    assert file.read_bytes() == stored("eins\r\nzwei 𝄞\r\n", form)


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_text_is_refused_and_not_touched(
    agent: LocalAgent, trees: Path, data: bytes
) -> None:
    file = trees / "box/a.txt"
    file.write_bytes(data)
    calls: list[tuple[str, dict[str, object]]] = [
        ("workspace_read", {"path": "a.txt"}),
        ("workspace_edit", {"path": "a.txt", "old_string": "p", "new_string": "x"}),
        ("workspace_write", {"path": "a.txt", "content": "x"}),
        ("workspace_delete", {"path": "a.txt"}),
        ("workspace_patch", {"patch_text": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-p\n+x\n"}),
    ]
    for tool, arguments in calls:
        with pytest.raises(RetryRequested) as refused:
            agent.call(tool, **arguments)
        assert refused.value.failure in {"unsuitable", "stale"}
        assert "a.txt" in str(refused.value)
    assert file.read_bytes() == data


@pytest.mark.parametrize("engine", ["ripgrep", "own"])
def test_grep_finds_the_same_in_each_encoding_with_and_without_ripgrep(
    agent: LocalAgent, trees: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file in UTF-32 is binary to ripgrep, and so to grep; a foreign one shows what it can."""
    if engine == "own":
        monkeypatch.setattr(ripgrep, "program", lambda: None)
    elif shutil.which("rg") is None:
        pytest.skip("ripgrep is not installed")
    for form in FORMS:
        (trees / f"box/{form}.txt").write_bytes(stored(TEXT, form))
    (trees / "box/latin.txt").write_bytes("Äpfel und x\r\n".encode("latin-1"))
    found = sorted(str(agent.call("workspace_grep", pattern="pfel und")).splitlines())
    assert found == [
        "latin.txt:1: \ufffdpfel und x",
        "utf-16-be.txt:2: Äpfel und 𝄞",
        "utf-16-le.txt:2: Äpfel und 𝄞",
        "utf-8.txt:2: Äpfel und 𝄞",
    ]
    assert agent.call("workspace_grep", pattern="^Äpfel", include="latin*") == "No matches found."
    assert "utf-16-le.txt:3: letzte" in str(agent.call("workspace_grep", pattern="^letzte$"))


def test_a_text_that_its_encoding_cannot_hold_is_refused(agent: LocalAgent, trees: Path) -> None:
    file = trees / "box/a.txt"
    file.write_bytes(stored("eins", "utf-16-le"))
    agent.call("workspace_read", path="a.txt")
    for tool, arguments in (
        ("workspace_write", {"content": "\ud800"}),
        ("workspace_edit", {"old_string": "eins", "new_string": "\udfff"}),
    ):
        with pytest.raises(RetryRequested):
            agent.call(tool, path="a.txt", **arguments)
    assert file.read_bytes() == stored("eins", "utf-16-le")
