"""T12: names stay importable from where they were."""

import importlib
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardwright.core import ToolStateEvent


@pytest.fixture
def facade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name = "moved_facade_for_tests"
    (tmp_path / f"{name}.py").write_text(
        "from cardwright.core import moved_names\n"
        "names = {'OldEvent': 'cardwright.core:ToolStateEvent'}\n"
        "__getattr__, __dir__ = moved_names(__name__, names)\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield name
    sys.modules.pop(name, None)


def test_t44_importing_is_silent_and_each_access_warns_at_the_caller(facade: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        module = importlib.import_module(facade)
        importlib.reload(module)
        assert caught == []
        assert module.OldEvent is ToolStateEvent
        assert module.OldEvent is ToolStateEvent
        exec(f"from {facade} import OldEvent", {})
    assert len(caught) == 3
    assert all(w.category is DeprecationWarning for w in caught)
    assert all("cardwright.core.ToolStateEvent" in str(w.message) for w in caught)
    assert [Path(w.filename).name for w in caught] == [Path(__file__).name] * 2 + ["<string>"]


def test_unknown_names_are_absent_and_dir_lists_what_is_served(facade: str) -> None:
    module = importlib.import_module(facade)
    assert dir(module) == ["OldEvent"]
    with pytest.raises(AttributeError, match="Gone"):
        _ = module.Gone
    with pytest.raises(ImportError):
        exec(f"from {facade} import Gone", {})
