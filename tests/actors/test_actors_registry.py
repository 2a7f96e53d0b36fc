"""Which types stored data may name (C6, C9)."""

import sys
from pathlib import Path

import pytest

from cardwright.actors import (
    Akgent,
    SerializableBaseModel,
    UnresolvableClassError,
    allow_packages,
    deserialize_object,
    register_catalogue,
    register_type,
    registry,
    resolve_type,
)
from cardwright.actors.class_paths import class_from_path
from cardwright.actors.registry import CATALOGUE_GROUP, import_class, marker_of


class Successor(SerializableBaseModel):
    value: int = 0


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module that nothing has imported, with a class that counts as data."""
    name = f"stored_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(
        "from cardwright.actors import SerializableBaseModel\n"
        "class Thing(SerializableBaseModel):\n"
        "    value: int = 0\n"
        "    class Part(SerializableBaseModel):\n"
        "        size: int = 1\n"
    )
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    return name


def test_classes_register_when_they_are_created() -> None:
    assert resolve_type(f"{__name__}.Successor") is Successor
    assert resolve_type("cardwright.actors.akgent.Akgent") is Akgent


def test_unknown_markers_are_refused() -> None:
    with pytest.raises(UnresolvableClassError, match=r"nowhere\.Thing") as caught:
        resolve_type("nowhere.Thing")
    assert caught.value.marker == "nowhere.Thing"


def test_t45_old_names_load_as_the_successor() -> None:
    register_type(Successor, "legacy.place.Predecessor")
    assert deserialize_object({"value": 3, "__model__": "legacy.place.Predecessor"}) == Successor(
        value=3
    )
    assert (
        Successor.model_validate({"value": 3, "__model__": "legacy.place.Predecessor"}).value == 3
    )


def test_catalogues_import_what_they_list_and_nothing_else(module: str) -> None:
    register_catalogue(
        {
            f"{module}.Thing": f"{module}:Thing",
            f"{module}.Part": f"{module}:Thing.Part",
            f"{module}.Gone": f"{module}:Gone",
            "lost.Thing": "no_such_module_anywhere:Thing",
        }
    )
    assert (
        marker_of(type(deserialize_object({"__model__": f"{module}.Thing"}))) == f"{module}.Thing"
    )
    assert marker_of(resolve_type(f"{module}.Part")) == f"{module}.Thing.Part"
    for marker in (f"{module}.Gone", "lost.Thing", f"{module}.Other"):
        with pytest.raises(UnresolvableClassError):
            resolve_type(marker)


def test_a_module_that_fails_to_import_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stored_but_broken.py").write_text("import no_such_dependency\n")
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    register_catalogue({"stored_but_broken.Thing": "stored_but_broken:Thing"})
    with pytest.raises(ModuleNotFoundError, match="no_such_dependency"):
        resolve_type("stored_but_broken.Thing")


def test_installed_catalogues_are_found_by_entry_point(
    module: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    info = tmp_path / "some_catalogue-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-catalogue\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[{CATALOGUE_GROUP}]\nsome = {module}_table\nwithout = json\n"
    )
    (tmp_path / f"{module}_table.py").write_text(
        f"TYPES = {{'old.place.Thing': '{module}:Thing'}}\n"
    )
    registry._installed_tables.cache_clear()
    assert resolve_type("old.place.Thing").__name__ == "Thing"
    assert "'without' has no table" in caplog.text
    registry._installed_tables.cache_clear()
    with pytest.raises(UnresolvableClassError):
        resolve_type("old.place.Other")


def test_import_class() -> None:
    assert import_class(f"{__name__}.Successor").__name__ == "Successor"
    with pytest.raises(ValueError, match="no dotted path"):
        import_class("Successor")
    with pytest.raises(ImportError):
        import_class("no_such_module_anywhere.Thing")
    with pytest.raises(AttributeError):
        import_class("json.no_such_class")
    with pytest.raises(AttributeError, match="no class"):
        import_class("json.dumps")


def test_class_paths_name_registered_types_or_allowed_packages(module: str) -> None:
    path = f"{module}.Thing"
    with pytest.raises(ValueError, match="message_class"):
        class_from_path(path, SerializableBaseModel, "message_class")
    allow_packages(module)
    with pytest.raises(ValueError, match="no registered type"):
        class_from_path(path, SerializableBaseModel, "message_class", trusted=False)
    assert class_from_path(path, SerializableBaseModel, "message_class").__name__ == "Thing"
    # Now it is registered, so that even a payload may name it.
    assert class_from_path(path, SerializableBaseModel, "message_class", trusted=False)
    with pytest.raises(ValueError, match="no subclass of Akgent"):
        class_from_path(path, Akgent, "agent_class")
    with pytest.raises(ValueError, match="cannot be imported"):
        class_from_path(f"{module}.Missing", SerializableBaseModel, "message_class")
    with pytest.raises(ValueError, match="agent_class"):
        class_from_path("", Akgent, "agent_class")
