"""Our check of arguments in the place where pydantic-ai expects pydantic's."""

from collections.abc import Mapping

from pydantic_ai import ModelRetry

from cardwright.tools import ToolArgumentValidationError, ToolRegistry
from cardwright.tools.payload import RawArguments


class HostValidator:
    """Reads what a provider sent: text where it passed text on, an object where it parsed it."""

    def __init__(self, registry: ToolRegistry, tool: str, agent: str) -> None:
        self._registry = registry
        self._tool = tool
        self._agent = agent

    def validate_json(
        self,
        input: str | bytes | bytearray,  # noqa: A002 - the name of pydantic's interface
        **_options: object,
    ) -> dict[str, object]:
        """The typed arguments in JSON text; a refusal goes back to the model."""
        return self._read(bytes(input) if isinstance(input, bytearray) else input)

    def validate_python(
        self,
        input: Mapping[str, object],  # noqa: A002 - the name of pydantic's interface
        **_options: object,
    ) -> dict[str, object]:
        """The typed arguments in an object; a refusal goes back to the model."""
        return self._read(input)

    def _read(self, raw: RawArguments) -> dict[str, object]:
        try:
            return self._registry.read(self._tool, raw, agent=self._agent)
        except ToolArgumentValidationError as error:
            raise ModelRetry(error.feedback()) from error
