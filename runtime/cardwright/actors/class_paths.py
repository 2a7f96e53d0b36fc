"""Classes named by text: registered types, and what the project's own packages hold."""

from cardwright.actors.errors import UnresolvableClassError
from cardwright.actors.registry import import_class, resolve_type

__all__ = ["allow_packages", "class_from_path"]

_importable: set[str] = set()


def allow_packages(*names: str) -> None:
    """Let settings written in code or in the project's own files name classes of these packages.

    Never call it with anything that came from a payload.
    """
    _importable.update(names)


def class_from_path[T](
    path: str | type[T], base: type[T], setting: str, *, trusted: bool = True
) -> type[T]:
    """Return the class that a setting names.

    Args:
        path: the class itself, its registered name (old names included), or its dotted path.
        base: what it has to be a subclass of.
        setting: name of the setting, for error messages.
        trusted: whether the text was written in code or in the project's own files. What comes
            from a payload is looked up among the registered types only.

    Raises:
        ValueError: no such class is registered, or it is no subclass of `base`.
    """
    found = path if isinstance(path, type) else _find(path, setting, trusted=trusted)
    if not issubclass(found, base):
        msg = f"`{setting}`: {found.__qualname__} is no subclass of {base.__name__}."
        raise ValueError(msg)  # noqa: TRY004 - settings are validated, and pydantic wants ValueError
    return found


def _find(path: str, setting: str, *, trusted: bool) -> type:
    try:
        return resolve_type(path)
    except UnresolvableClassError as unknown:
        package, dot, _ = path.partition(".")
        if not dot or not trusted or package not in _importable:
            msg = (
                f"`{setting}`: {path!r} is no registered type. Import the module that defines it "
                "first, or let its package be imported with `allow_packages`."
            )
            raise ValueError(msg) from unknown
    try:
        return import_class(path)
    except (ImportError, AttributeError) as error:
        msg = f"`{setting}`: {path!r} cannot be imported ({type(error).__name__})."
        raise ValueError(msg) from error
