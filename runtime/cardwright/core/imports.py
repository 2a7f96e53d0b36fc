"""Classes that a spec names by `module:Class`."""

from functools import reduce
from importlib import import_module

from cardwright.actors.registry import is_missing

from .errors import CardDefinitionError


def named_class[T](path: str, base: type[T]) -> type[T]:
    """The class at `module:Class`, checked to derive from `base`.

    Raises:
        CardDefinitionError: The path is malformed, nothing is there, or it is no such class.
    """
    module_name, _, qualname = path.partition(":")
    if not module_name or not qualname:
        raise CardDefinitionError(f"{path!r} is not of the form module:Class")
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        if is_missing(module_name, error):
            raise CardDefinitionError(
                f"{path}: no module {error.name}; write it or correct the path in the spec"
            ) from error
        raise
    try:
        found: object = reduce(getattr, qualname.split("."), module)
    except AttributeError as error:
        raise CardDefinitionError(
            f"{path}: {module_name} has no {qualname}; write it or correct the path in the spec"
        ) from error
    if not (isinstance(found, type) and issubclass(found, base)):
        raise CardDefinitionError(f"{path} is not a subclass of {base.__name__}")
    return found
