"""Makes the demo's cards from their specs, when specs and generator are at hand."""

from cardwright.cli.errors import CommandError
from cardwright.cli.generator import is_installed

PACKAGE = "cardwright_cards"


def regenerate() -> str | None:
    """Generate the catalogue and say what came of it; `None` outside its project.

    Raises:
        CommandError: The specs are wrong, or generated files were edited by hand.
    """
    from cardwright_generator.project import ProjectError, find_project

    try:
        project = find_project()
    except ProjectError:
        return None
    if project.package != PACKAGE or not is_installed():
        return None
    from cardwright_generator.commands.generate import run, summary

    built, report = run(project)
    if report is None or report.refused:
        message = "the catalogue cannot be made: `cardwright check` says why"
        raise CommandError(message)
    return f"{len(built.manifest.sources)} specs, {summary(report)}"
