"""`cardwright show CARD --dialect NAME`: what a provider is sent, and what that leaves out."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .errors import CommandError
from .output import say_json

if TYPE_CHECKING:
    from cardwright_generator.providers import Dialect, Sent
    from cardwright_generator.spec import Diagnostic

    from .catalogue import Listed
    from .portrait import ToolPortrait


def show_dialect(listed: "Listed", tools: "Sequence[ToolPortrait]", name: str) -> int:
    """Print the tools as a provider is sent them, and to standard error what is lost.

    Raises:
        CommandError: There is no such dialect, or its form cannot hold a tool.
    """
    dialect = _dialect(name)
    sent = [_sent(dialect, tool) for tool in tools]
    for line in _lost(listed, tools, sent, dialect):
        _complain(line)
    say_json([one.body for one in sent])
    return 0


def _dialect(name: str) -> "Dialect":
    from cardwright_generator.providers import DIALECTS

    if name not in DIALECTS:
        raise CommandError(f"there is no dialect {name}: choose from {', '.join(DIALECTS)}")
    return name


def _sent(dialect: "Dialect", tool: "ToolPortrait") -> "Sent":
    from cardwright_generator.providers import InexpressibleError, sent

    try:
        return sent(dialect, tool.name, tool.description, tool.parameters)
    except InexpressibleError as error:
        raise CommandError(f"{tool.name}: {dialect}: {error}") from error
    except ImportError as error:
        hint = "pip install 'cardwright[pydantic-ai,anthropic]'"
        raise CommandError(f"--dialect {dialect} needs pydantic-ai: {hint}") from error


def _lost(
    listed: "Listed", tools: "Sequence[ToolPortrait]", sent: "Sequence[Sent]", dialect: "Dialect"
) -> Iterator[str]:
    """One line for each loss: at its line of the spec, where the project has the spec."""
    from cardwright_generator.providers import losses_of

    placed = _placed(listed, tools, dialect)
    if placed is not None:
        for one in placed:
            hint = "" if one.hint is None else f"; {one.hint}"
            yield f"{one.file}:{one.line}:{one.column}: {one.code} {one.message}{hint}"
        return
    for tool, told in zip(tools, sent, strict=True):
        for loss in losses_of(tool.parameters, told.schema):
            pointer = "/".join(map(str, loss.pointer))
            yield f"{tool.name}: #/{pointer}: {dialect}: {loss.message}; {loss.hint}"


def _placed(
    listed: "Listed", tools: "Sequence[ToolPortrait]", dialect: "Dialect"
) -> "Sequence[Diagnostic] | None":
    """The losses at the lines of the spec; `None` where there is no spec to read."""
    from .catalogue import project_around, specs_of
    from .generator import is_installed

    project = project_around()
    if project is None or listed.catalogue != f"{project.package}.catalogue" or not is_installed():
        return None
    from cardwright_generator.providers.places import PlacedCard
    from cardwright_generator.spec import load_specs
    from cardwright_generator.spec.diagnostics import in_order

    loaded = load_specs(specs_of(project), project)
    for card in loaded.cards:
        if card.spec.card == listed.name:
            schemas = {tool.name: tool.parameters for tool in tools}
            return in_order(PlacedCard(card, loaded.commons, dialect).findings(schemas))
    return None


def _complain(line: str) -> None:
    from .console import remark

    remark(line)
