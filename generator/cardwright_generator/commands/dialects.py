"""`cardwright check --dialect`: what providers cannot be told, at the lines of the specs."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from cardwright_generator.project import Project, ProjectError

from .refusal import Refusal, refusing

if TYPE_CHECKING:
    from cardwright_generator.check import Checked
    from cardwright_generator.providers import Dialect


def with_dialects(here: Project, checked: "Checked", names: Sequence[str]) -> "Checked":
    """What was checked, and what the forms of these providers lose.

    Raises:
        Refusal: There is no such dialect, or pydantic-ai is not installed.
    """
    from cardwright_generator.installed import installed_catalogues
    from cardwright_generator.providers.places import check_dialects
    from cardwright_generator.spec import Catalogue, load_specs
    from cardwright_generator.spec.diagnostics import in_order
    from cardwright_generator.unchanged import read_specs

    asked = chosen(names)
    with refusing(ProjectError):
        files, installed = read_specs(here), installed_catalogues(here)
    own = load_specs(files, here, {one.path: one.text for one in installed.files})
    known = Catalogue(own.cards, (*own.commons, *installed.commons), ())
    found = [one for one in check_dialects(known, asked) if one.file in files]
    sources = {path: text.decode() for path, text in files.items()}
    return replace(
        checked,
        diagnostics=in_order([*checked.diagnostics, *found]),
        sources={**checked.sources, **sources},
    )


def chosen(names: Sequence[str]) -> "Sequence[Dialect]":
    """The dialects of these names, `all` for every one.

    Raises:
        Refusal: One is unknown, or pydantic-ai is not installed.
    """
    from cardwright_generator.providers import DIALECTS

    unknown = [name for name in names if name not in {*DIALECTS, "all"}]
    if unknown:
        message = f"there is no dialect '{unknown[0]}': choose from {', '.join(DIALECTS)}"
        raise Refusal(message)
    found = DIALECTS if "all" in names else cast("Sequence[Dialect]", names)
    needed = ("pydantic_ai", *(["anthropic"] if "anthropic" in found else []))
    if any(find_spec(name) is None for name in needed):
        extras = ",".join(name.replace("_", "-") for name in sorted(needed))
        message = f"these dialects need other packages: pip install 'cardwright[{extras}]'"
        raise Refusal(message)
    return found
