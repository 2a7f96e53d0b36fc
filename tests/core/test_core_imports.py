"""A logic that cannot be imported: who is told what is missing."""

import sys
from pathlib import Path

import pytest

from cardwright.core import CardDefinitionError
from cardwright.core.imports import named_class


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("absent_logic:Thing", CardDefinitionError),
        ("absent_logic.inner:Thing", CardDefinitionError),
        # What it imports is missing, and only begins like it.
        ("brokenlogic:Thing", ModuleNotFoundError),
    ],
)
def test_a_missing_module_is_told_from_one_that_it_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, error: type[Exception]
) -> None:
    (tmp_path / "brokenlogic.py").write_text("import broken\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(error) as caught:
        named_class(path, object)
    assert type(caught.value) is error
