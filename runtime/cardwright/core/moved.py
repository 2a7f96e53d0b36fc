"""Keeps names importable from where they used to be."""

import warnings
from collections.abc import Callable, Mapping
from functools import reduce
from importlib import import_module


def moved_names(
    module: str, names: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a module whose names have moved.

    Each access warns at its caller's line and returns the very object at the new place;
    importing the module is silent.

    Args:
        module: `__name__` of the old module.
        names: Old name -> `module:Name` of today.
    """

    def get(name: str) -> object:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        target, _, qualname = names[name].partition(":")
        warnings.warn(
            f"{module}.{name} has moved: use {target}.{qualname}",
            DeprecationWarning,
            stacklevel=2,
        )
        return reduce(getattr, qualname.split("."), import_module(target))

    def names_served() -> list[str]:
        return sorted(names)

    return get, names_served
