"""Findings about providers at the lines of a spec."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cardwright_generator.emit.expected import expected_tool_schemas
from cardwright_generator.emit.types_module import python_name
from cardwright_generator.spec import Catalogue, Diagnostic, LoadedCard, LoadedCommon
from cardwright_generator.spec.diagnostics import NodePath, in_order

from .losses import Loss, Pointer, losses_of
from .wire import Dialect, InexpressibleError, Json, sent

_LONGEST_NAME = 64
"""Characters of a tool's name that every provider takes."""


def check_dialects(catalogue: Catalogue, dialects: Sequence[Dialect]) -> tuple[Diagnostic, ...]:
    """What the forms of these providers cannot say of the tools of a project.

    Raises:
        ImportError: pydantic-ai is not installed.
    """
    found: list[Diagnostic] = []
    for loaded in catalogue.cards:
        schemas = expected_tool_schemas(loaded, catalogue)
        for dialect in dialects:
            found += PlacedCard(loaded, catalogue.commons, dialect).findings(schemas)
    return in_order(found)


class PlacedCard:
    """One card for one provider, with the places of its spec."""

    def __init__(
        self, loaded: LoadedCard, commons: Iterable[LoadedCommon], dialect: Dialect
    ) -> None:
        self._loaded = loaded
        self._files: tuple[LoadedCard | LoadedCommon, ...] = (loaded, *commons)
        self._dialect: Dialect = dialect

    def findings(self, schemas: Mapping[str, Json]) -> Iterator[Diagnostic]:
        """What of the tools of these names is lost, given the schemas of their arguments."""
        for name, schema in schemas.items():
            yield from self._of_tool(name, schema)

    def _of_tool(self, name: str, schema: Json) -> Iterator[Diagnostic]:
        if len(name) > _LONGEST_NAME:
            message = f"the name '{name}' has more than {_LONGEST_NAME} characters"
            yield self._at(name, Loss((), message, "give it a shorter `name:`", fatal=True))
        try:
            told = sent(self._dialect, name, "", schema)
        except InexpressibleError as error:
            hint = "choose another type, or leave this dialect out"
            yield self._at(name, Loss((), str(error), hint, fatal=True))
            return
        for loss in losses_of(schema, told.schema):
            yield self._at(name, loss)

    def _at(self, name: str, loss: Loss) -> Diagnostic:
        file, path = self._place(name, loss.pointer)
        line, column = file.positions.key(path)
        message = f"{self._dialect}: {loss.message}"
        if loss.fatal:
            return Diagnostic(file.path, line, column, "CW931", message, loss.hint)
        return Diagnostic(file.path, line, column, "CW932", message, loss.hint, severity="warning")

    def _place(self, name: str, pointer: Pointer) -> tuple[LoadedCard | LoadedCommon, NodePath]:
        """The file and path in it that a pointer into the schema of a tool comes from."""
        endpoint = self._endpoint(name)
        match pointer:
            case ("$defs", str(emitted), *rest):
                for file in self._files:
                    for declared, spec in file.spec.types.items():
                        if python_name(declared, spec) == emitted:
                            return file, ("types", declared, *rest)
                return self._loaded, endpoint
            case ("properties", str(argument), *rest):
                return self._loaded, (*endpoint, "arguments", argument, *rest)
            case _:
                return self._loaded, endpoint

    def _endpoint(self, name: str) -> NodePath:
        for key, capability in self._loaded.spec.capabilities.items():
            for method, endpoint in capability.endpoints.items():
                if "tool_call" in endpoint.channels and (endpoint.name or method) == name:
                    return ("capabilities", key, "endpoints", method)
        return ("capabilities",)
