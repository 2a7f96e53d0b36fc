"""Files that speak of all cards: the package, its catalogue, the subpackages' exports."""

import json
from collections.abc import Sequence
from functools import cache

from cardwright_generator.model.naming import folder
from cardwright_generator.project import Project
from cardwright_generator.spec.editor import editor_schema

from .entries import Entry
from .environment import render


def render_subpackage(entry: Entry) -> str:
    """`__init__.py` of one subpackage."""
    names = sorted(name for listed in entry.exports.values() for name in listed)
    return render("subpackage.py.jinja", spec_path=entry.path, entry=entry, names=names)


def render_old_package(entry: Entry, package: str) -> dict[str, str]:
    """The old place of a renamed card: its folder there -> `__init__.py`; empty for any other."""
    if entry.was is None or entry.card is None or folder(entry.was) == entry.folder:
        return {}
    names = {
        name: f"{package}.{entry.folder}.{module}:{name}"
        for module, listed in entry.exports.items()
        for name in listed
    } | entry.moved
    names[entry.was] = names.pop(entry.card)
    text = render(
        "moved.py.jinja", spec_path=entry.path, entry=entry, names=dict(sorted(names.items()))
    )
    return {f"{folder(entry.was)}/__init__.py": text}


def render_shared(entries: Sequence[Entry], project: Project) -> dict[str, str]:
    """The package's own files: path below the root -> text, Python not yet formatted."""
    cards = sorted(
        (entry for entry in entries if entry.card is not None), key=lambda entry: str(entry.card)
    )
    home, where = project.package_path, f"{project.specs}/"
    paths = {str(entry.card): _path(entry, project) for entry in cards}
    types = {marker: path for entry in entries for marker, path in entry.types.items()}
    moved = {entry.was: _path(entry, project) for entry in cards if entry.was is not None}
    return {
        f"{home}/__init__.py": render(
            "package.py.jinja", spec_path=where, entries=cards, names=sorted(paths), moved=moved
        ),
        f"{home}/catalogue.py": render(
            "catalogue.py.jinja",
            spec_path=where,
            cards=paths,
            types=dict(sorted(types.items())),
        ),
        f"{home}/README.md": render(
            "index.md.jinja",
            spec_path=where,
            package=project.package,
            cards=cards,
            commons=[entry for entry in entries if entry.card is None],
        ),
        f"{home}/py.typed": "",
        f"{project.output}/card.schema.json": _schema_of_specs(),
    }


@cache
def _schema_of_specs() -> str:
    """The same for every project."""
    return json.dumps(editor_schema(), indent=2, ensure_ascii=False) + "\n"


def _path(entry: Entry, project: Project) -> str:
    return f"{project.package}.{entry.folder}.card:{entry.card}"
