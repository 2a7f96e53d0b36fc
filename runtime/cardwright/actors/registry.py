"""The types that stored data may name.

A payload never decides what is imported. A marker resolves to a class that this process has already
registered, or to one that the table of an installed catalogue declares.
"""

import logging
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from threading import Lock
from types import ModuleType
from typing import cast
from weakref import WeakValueDictionary

from cardwright.actors.errors import UnresolvableClassError

__all__ = [
    "CATALOGUE_GROUP",
    "import_class",
    "is_declared",
    "is_missing",
    "is_resolvable",
    "marker_of",
    "register_catalogue",
    "register_type",
    "resolve_type",
]

CATALOGUE_GROUP = "cardwright.catalogues"

logger = logging.getLogger(__name__)

_types: WeakValueDictionary[str, type] = WeakValueDictionary()
_tables: dict[str, str] = {}
_lock = Lock()


def marker_of(cls: type) -> str:
    """Return the name under which values of `cls` are stored: `module.qualname`.

    A parametrised generic model is stored under the name of the generic class.
    """
    return f"{cls.__module__}.{cls.__qualname__.partition('[')[0]}"


def register_type[T: type](cls: T, *old_names: str) -> T:
    """Declare that stored data may name `cls`, also under `old_names`. Usable as a decorator.

    Subclasses of `SerializableBaseModel` and actor classes register themselves. Dataclasses that
    travel in messages or states need this call.
    """
    if "[" not in cls.__qualname__:
        _types[marker_of(cls)] = cls
    for name in old_names:
        _types[name] = cls
    return cls


def register_catalogue(table: Mapping[str, str]) -> None:
    """Declare the types of a project: marker -> `module:Qualname`, imported when first needed."""
    with _lock:
        _tables.update(table)


def is_declared(cls: type) -> bool:
    """Tell whether stored data naming `cls` resolves in this process."""
    return _types.get(marker_of(cls)) is not None


def resolve_type(marker: str) -> type:
    """Return the declared class of `marker`.

    Raises:
        UnresolvableClassError: nothing declares the marker, or its declared class is gone.
    """
    if (known := _types.get(marker)) is not None:
        return known
    target = _tables.get(marker) or _installed_tables().get(marker)
    if target is None:
        raise UnresolvableClassError(marker)
    cls = _import_declared(marker, target)
    _types[marker] = cls
    return cls


def is_resolvable(marker: str) -> bool:
    """Tell whether `resolve_type` finds the class of `marker`."""
    try:
        resolve_type(marker)
    except UnresolvableClassError:
        return False
    return True


def import_class(path: str) -> type:
    """Import `package.module.Class`. For paths written in code, never for paths from a payload.

    Raises:
        ValueError: the path has no dot.
        ImportError: the module does not exist.
        AttributeError: the module has no class of that name.
    """
    module, dot, name = path.rpartition(".")
    if not dot or not module:
        msg = f"{path!r} is no dotted path of a class (`package.module.Class`)."
        raise ValueError(msg)
    found: object = getattr(import_module(module), name)
    if not isinstance(found, type):
        msg = f"{path!r} names no class."
        raise AttributeError(msg)  # noqa: TRY004 - as for a name that is not there
    return found


def is_missing(module: str, error: ModuleNotFoundError) -> bool:
    """Tell whether `error` says that `module` is not there, not something that it imports."""
    return bool(error.name) and f"{module}.".startswith(f"{error.name}.")


def _import_declared(marker: str, target: str) -> type:
    module, _, qualname = target.partition(":")
    try:
        found: object = import_module(module)
    except ModuleNotFoundError as error:
        if is_missing(module, error):
            raise UnresolvableClassError(marker) from error
        raise
    for name in qualname.split("."):
        found = getattr(found, name, None)
    if not isinstance(found, type):
        raise UnresolvableClassError(marker)
    return found


@cache
def _installed_tables() -> Mapping[str, str]:
    from importlib.metadata import entry_points  # late: it is slow to import, and rarely needed

    merged: dict[str, str] = {}
    for entry in entry_points(group=CATALOGUE_GROUP):
        merged |= _table_of(entry.name, entry.load())
    return merged


def _table_of(name: str, module: object) -> dict[str, str]:
    table: object = getattr(module, "TYPES", None) if isinstance(module, ModuleType) else None
    if not isinstance(table, dict):
        logger.warning("Catalogue %r has no table `TYPES`; its types cannot be loaded.", name)
        return {}
    return cast("dict[str, str]", table)
