"""Templates filled in: path -> text."""

from collections.abc import Mapping
from functools import cache, partial
from json import dumps

from jinja2 import Environment, PackageLoader, StrictUndefined

from cardwright_generator.emit.environment import docstring

from .names import CardNames, ProjectNames

LAYOUT_OF_A_CARD = {
    "card/spec.yaml": "{specs}/{card.module}.yaml",
    "card/logic.py": "{source}/{logic_path}/{card.folder}/logic.py",
    "card/room.py": "{source}/{logic_path}/{card.folder}/__init__.py",
    "card/test.py": "tests/{card.folder}/test_{card.folder}_logic.py",
}
LAYOUT_OF_A_TEAM_CARD = {
    "team/spec.yaml": "{specs}/{card.module}.yaml",
    "team/logic.py": "{source}/{logic_path}/{card.folder}/logic.py",
    "team/actor.py": "{source}/{logic_path}/{card.folder}/actor.py",
    "team/context.py": "{source}/{logic_path}/{card.folder}/context.py",
    "card/room.py": "{source}/{logic_path}/{card.folder}/__init__.py",
    "team/test.py": "tests/{card.folder}/test_{card.folder}_logic.py",
}
LAYOUT_OF_A_PROJECT = {
    "project/pyproject.toml": "pyproject.toml",
    "project/README.md": "README.md",
    "project/gitattributes": ".gitattributes",
    "project/gitignore": ".gitignore",
    "project/pre-commit.yaml": ".pre-commit-config.yaml",
    "project/python-version": ".python-version",
    "project/room.py": "src/{names.base}/__init__.py",
}


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("cardwright_generator.commands.scaffold", "."),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 - Python, YAML and TOML, no HTML
    )
    made.filters |= {"doc": docstring, "toml": partial(dumps, ensure_ascii=False)}
    return made


def card_files(
    names: CardNames, *, specs: str, source: str, schema: str, shared: bool = False
) -> dict[str, str]:
    """The files of one new card.

    Args:
        names: What things are called.
        specs: Folder of the specs.
        source: Source root of the logic package.
        schema: Path of the editor schema as seen from the specs.
        shared: Whether the card has an actor and a context state.
    """
    values = {"card": names, "specs": specs, "source": source, "schema": schema}
    values |= {"logic_path": names.logic.replace(".", "/")}
    return _filled(LAYOUT_OF_A_TEAM_CARD if shared else LAYOUT_OF_A_CARD, values)


def project_files(names: ProjectNames, *, checkout: str | None) -> dict[str, str]:
    """The files of a new project, apart from its first card.

    Args:
        names: What things are called.
        checkout: Folder of an editable installation of cardwright, to go on using it.
    """
    values = {"names": names, "checkout": checkout, "run": run_prefix(checkout)}
    return _filled(LAYOUT_OF_A_PROJECT, values)


def run_prefix(checkout: str | None) -> str:
    """What stands before a command; uv only knows where cardwright is if it has a checkout."""
    return "uv run " if checkout else ""


def _filled(layout: Mapping[str, str], values: Mapping[str, object]) -> dict[str, str]:
    templates = _templates()
    return {
        path.format(**values): templates.get_template(f"{name}.jinja").render(**values)
        for name, path in layout.items()
    }
