"""Forms of the past that must keep loading: renamed fields, migrated values, moved names."""

from dataclasses import dataclass

from cardwright_generator.model.code import Code, imported, literal
from cardwright_generator.model.naming import folder
from cardwright_generator.model.plan import CardPlan
from cardwright_generator.model.schema import properties
from cardwright_generator.spec.language import CardSpec

from .entries import Entry
from .types_module import python_name


@dataclass(frozen=True, slots=True)
class Upgrade:
    """Stored data of a class as it was, and as loading makes it."""

    owner: Code
    stored: str
    present: str


def upgrades(spec: CardSpec, plan: CardPlan) -> list[Upgrade]:
    """One entry per declared rename and migration."""
    found = [
        _renamed(imported(f"{plan.module}.card", plan.name), *pair) for pair in plan.renamed.items()
    ]
    for capability in plan.capabilities:
        param = imported(f"{plan.module}.card", capability.param)
        found += [_renamed(param, *pair) for pair in capability.renamed.items()]
        for field, steps in capability.migrations.items():
            found += [_migrated(param, field, old, new) for old, new in steps.items()]
    for name, type_ in spec.types.items():
        owner = imported(f"{plan.module}.types", python_name(name, type_))
        renames = {
            p.renamed_from: key
            for key, p in properties(type_).items()
            if p.renamed_from is not None
        }
        found += [_renamed(owner, *pair) for pair in renames.items() if type_.base != "plain"]
    return found


def _renamed(owner: Code, old: str, new: str) -> Upgrade:
    return Upgrade(owner, literal({old: False}), literal({new: False}))


def _migrated(owner: Code, field: str, old: object, new: object) -> Upgrade:
    if field == "expose":
        return Upgrade(owner, literal({field: [old]}), literal({field: [new]}))
    return Upgrade(owner, literal({field: old}), literal({field: new}))


def old_markers(entry: Entry) -> dict[str, str]:
    """Names of types in stored data that no class bears any more -> the class of today."""
    return {
        marker: path for marker, path in entry.types.items() if marker != path.replace(":", ".")
    }


def moved_names(entry: Entry, plan: CardPlan) -> list[tuple[str, str, str]]:
    """Module, old name and `module:Name` of everything that was importable under another name."""
    found = [(plan.module, old, path) for old, path in entry.moved.items()]
    if entry.was is None:
        return found
    card = f"{plan.module}.card:{plan.name}"
    found.append((plan.package, entry.was, card))
    place = folder(entry.was)
    if place != entry.folder:
        there = f"{plan.package}.{place}"
        found += [(there, old, path) for old, path in {**entry.moved, entry.was: card}.items()]
    return found
