"""The pure function from checked specs to files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cardwright_generator.model.cards import plan_card
from cardwright_generator.project import Project
from cardwright_generator.spec.catalogue import Catalogue, LoadedCard, LoadedCommon

from .card import render_card
from .contract import render_contract, render_observer
from .entries import Entry, card_entry, common_entry
from .format import format_python
from .lookup import Lookup, home_of
from .readme import render_readme
from .shared import render_old_package, render_shared, render_subpackage
from .types_module import render_types
from .wiring import render_wiring


class DuplicatePathError(ValueError):
    """Two specs become one file: rename one of the cards."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What one spec becomes, its Python not yet formatted."""

    entry: Entry
    files: Mapping[str, str]


def generate(catalogue: Catalogue, project: Project) -> dict[str, str]:
    """Every generated file of the project: path below the root -> text."""
    drafts = draft_all(Lookup(catalogue, project.package), project)
    return finish(drafts, render_shared([draft.entry for draft in drafts], project), project)


def draft_all(lookup: Lookup, project: Project, only: frozenset[str] | None = None) -> list[Draft]:
    """The drafts of all specs, or of those whose paths are in `only`, sorted by path."""
    own = lookup.catalogue
    commons = [draft_common(each, lookup, project) for each in own.commons if _wanted(each, only)]
    cards = [draft_card(each, lookup, project) for each in own.cards if _wanted(each, only)]
    return sorted([*commons, *cards], key=lambda draft: draft.entry.path)


def finish(drafts: Iterable[Draft], shared: Mapping[str, str], project: Project) -> dict[str, str]:
    """All files in their final form, sorted by path."""
    files = dict(shared)
    for draft in drafts:
        if twice := sorted(files.keys() & draft.files.keys()):
            message = f"{draft.entry.path} and another spec both become {twice[0]}"
            raise DuplicatePathError(message)
        files |= draft.files
    python = {path: text for path, text in files.items() if path.endswith(".py")}
    formatted = format_python(python, ("cardwright", project.package))
    return dict(sorted({**files, **formatted}.items()))


def draft_common(loaded: LoadedCommon, lookup: Lookup, project: Project) -> Draft:
    """The files of one file of shared types."""
    entry = common_entry(loaded.spec.types, loaded.path, home_of(loaded), project.package)
    text = render_types(
        loaded.spec.types, loaded.path, lookup.types(loaded.path), about=entry.summary
    )
    placed = _placed(entry, project, {"types.py": text, "__init__.py": render_subpackage(entry)})
    return Draft(entry, placed | _shipped(loaded, project))


def draft_card(loaded: LoadedCard, lookup: Lookup, project: Project) -> Draft:
    """The files of one card."""
    spec, types = loaded.spec, lookup.types(loaded.path)
    plan = plan_card(spec, loaded.path, project.package, types, lookup.values(loaded.path))
    entry = card_entry(spec, loaded.path, project.package)
    files = {
        "__init__.py": render_subpackage(entry),
        "card.py": render_card(plan),
        "contract.py": render_contract(plan),
        "README.md": render_readme(loaded, plan),
    }
    if spec.types:
        files["types.py"] = render_types(
            spec.types, loaded.path, types, about=f"Types of `{spec.card}`."
        )
    if plan.observer.base is not None:
        files["observer.py"] = render_observer(plan)
    placed = _placed(entry, project, files)
    placed |= {
        f"{project.package_path}/{path}": text
        for path, text in render_old_package(entry, project.package).items()
    }
    placed[f"{project.tests}/test_{entry.folder}_wiring.py"] = render_wiring(
        loaded, plan, entry, lookup
    )
    return Draft(entry, placed | _shipped(loaded, project))


def _placed(entry: Entry, project: Project, files: Mapping[str, str]) -> dict[str, str]:
    return {f"{project.package_path}/{entry.folder}/{name}": text for name, text in files.items()}


def _shipped(loaded: LoadedCard | LoadedCommon, project: Project) -> dict[str, str]:
    """The spec itself, which travels with the package so that other projects can refer to it."""
    place = loaded.path.removeprefix(f"{project.specs}/")
    return {f"{project.package_path}/specs/{place}": loaded.text}


def _wanted(loaded: LoadedCard | LoadedCommon, only: frozenset[str] | None) -> bool:
    return only is None or loaded.path in only
