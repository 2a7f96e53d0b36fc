"""What the shared files say about each card: small, plain, kept in the manifest."""

from dataclasses import dataclass, field

from cardwright_generator.model.naming import folder
from cardwright_generator.model.schema import is_object
from cardwright_generator.spec.language import CardSpec, TypeSpec

from .types_module import python_name


@dataclass(frozen=True, slots=True)
class Entry:
    """One emitted subpackage, as the catalogue and the indexes list it."""

    path: str
    """The spec's path below the root."""
    folder: str
    card: str | None
    """The card's class; `None` for shared types."""
    summary: str
    types: dict[str, str] = field(default_factory=dict[str, str])
    """Marker in stored data -> `module:Qualname`."""
    exports: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Module of the subpackage -> the names it offers."""
    moved: dict[str, str] = field(default_factory=dict[str, str])
    """Old name of a type -> `module:Qualname`."""
    was: str | None = None
    """Old class name of the card."""
    deprecated: str | None = None


def card_entry(spec: CardSpec, path: str, package: str) -> Entry:
    """What the shared files say about a card."""
    home = folder(spec.card)
    module = f"{package}.{home}"
    params = [capability.param for capability in spec.capabilities.values()]
    own = {"card": sorted([spec.card, *params]), **_type_exports(spec.types)}
    if not isinstance(spec.observer, str):
        own["observer"] = [spec.observer.name]
    return Entry(
        path=path,
        folder=home,
        card=spec.card,
        summary=" ".join(spec.summary.split()),
        types={
            **spec.stored_before,
            **_markers(spec, module, params),
            **_old_markers(spec, package, params),
        },
        exports=own,
        moved=_moved(spec.types, module),
        was=spec.renamed_from,
        deprecated=None if spec.deprecated is None else spec.deprecated.use,
    )


def common_entry(types: dict[str, TypeSpec], path: str, home: str, package: str) -> Entry:
    """What the shared files say about a file of shared types."""
    module = f"{package}.{home}"
    return Entry(
        path=path,
        folder=home,
        card=None,
        summary="Types that several cards share.",
        types=_type_markers(types, module, module),
        exports=_type_exports(types),
        moved=_moved(types, module),
    )


def _markers(spec: CardSpec, module: str, params: list[str]) -> dict[str, str]:
    classes = [*(f"{module}.card:{name}" for name in (spec.card, *params)), *spec.stored]
    classes += [actor.class_ for actor in spec.actors.values() if actor.class_ is not None]
    return {
        **{_marker(path): path for path in classes},
        **_type_markers(spec.types, module, module),
    }


def _old_markers(spec: CardSpec, package: str, params: list[str]) -> dict[str, str]:
    """Markers from when the card had its old name, and so its old module."""
    if spec.renamed_from is None:
        return {}
    now, old = f"{package}.{folder(spec.card)}", f"{package}.{folder(spec.renamed_from)}"
    found = {f"{old}.card.{name}": f"{now}.card:{name}" for name in params}
    found[f"{old}.card.{spec.renamed_from}"] = f"{now}.card:{spec.card}"
    return {**found, **_type_markers(spec.types, old, now)}


def _type_markers(types: dict[str, TypeSpec], old: str, module: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, spec in types.items():
        if not is_object(spec) or spec.base == "plain":
            continue
        target = spec.class_ or f"{module}.types:{name}"
        found[f"{old}.types.{python_name(name, spec)}"] = (
            f"{module}.types:{python_name(name, spec)}"
        )
        found[_marker(target)] = target
        if spec.renamed_from is not None:
            found[f"{old}.types.{spec.renamed_from}"] = target
            # A handwritten class was stored under the module it is written in.
            found[f"{target.partition(':')[0]}.{spec.renamed_from}"] = target
    return found


def _marker(path: str) -> str:
    return path.replace(":", ".")


def _type_exports(types: dict[str, TypeSpec]) -> dict[str, list[str]]:
    names = sorted(python_name(name, spec) for name, spec in types.items())
    return {"types": names} if names else {}


def _moved(types: dict[str, TypeSpec], module: str) -> dict[str, str]:
    return {
        spec.renamed_from: f"{module}.types:{python_name(name, spec)}"
        for name, spec in types.items()
        if spec.renamed_from is not None
    }
