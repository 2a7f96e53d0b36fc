"""Runs the tests of a generated wiring module without pytest's session, in this process."""

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def load(path: Path) -> ModuleType:
    """Import a test module by its path, anew."""
    spec = spec_from_file_location(f"mutated_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def first_failure(path: Path) -> str | None:
    """Name of the first test that fails, or of the error that keeps the module from loading."""
    try:
        module = load(path)
    except Exception as error:  # noqa: BLE001 - whatever a mutant raises catches it
        return f"import: {type(error).__name__}"
    for name, test in vars(module).items():
        if name.startswith("test_") and not _passes(test):
            return name
    return None


def _passes(test: Callable[..., object]) -> bool:
    try:
        for arguments in _cases(test):
            with ExitStack() as stack:
                if "monkeypatch" in inspect.signature(test).parameters:
                    arguments["monkeypatch"] = stack.enter_context(pytest.MonkeyPatch.context())
                test(**arguments)
    except (Exception, pytest.fail.Exception):  # noqa: BLE001 - as above
        return False
    return True


def _cases(test: Callable[..., object]) -> Iterator[dict[str, Any]]:
    marks = [m for m in getattr(test, "pytestmark", []) if m.name == "parametrize"]
    if not marks:
        yield {}
        return
    names, values = marks[0].args
    keys: Sequence[str] = [names] if isinstance(names, str) else names
    for value in values:
        given = value.values if hasattr(value, "marks") else value
        yield dict(zip(keys, given if len(keys) > 1 else [given], strict=True))
