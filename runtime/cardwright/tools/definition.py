"""One function as a model sees it."""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, cast

from typing_extensions import ParamSpec, TypeVar

from cardwright.core import ToolPolicy, policy_of
from cardwright.core.retry import is_async

from .annotations import structures
from .approval import ApprovalPolicy, asks_for_approval
from .arguments import STRICT, ArgumentPolicy, ToolArgumentValidator
from .bodies import Body
from .context import ToolContext
from .dialects import JSON_SCHEMA, Dialect, in_dialect
from .documentation import documented
from .errors import CapabilityError, SchemaGenerationError, ToolDefinitionError
from .failures import ToolErrorMap
from .generation import returns_schema
from .model import model_schema
from .names import release
from .payload import RawArguments
from .room import policy_for
from .schema import JsonSchema
from .signature import refuse_variadic, tool_name
from .workers import WorkerPool

P = ParamSpec("P", default=...)
R_co = TypeVar("R_co", default=object, covariant=True)

_SCHEMA_ERRORS = (SchemaGenerationError, CapabilityError)


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Tool(Generic[P, R_co]):  # a bare `Tool` needs defaults, for which Python 3.12 has no syntax
    """A function, what a model is told about it, and the check its arguments pass."""

    name: str
    description: str
    parameters_schema: JsonSchema
    """Exactly what the model is sent, the context excluded; to be read, not changed."""
    returns_schema: JsonSchema | None
    """The awaited result; `None` when nothing is said about it."""
    is_async: bool
    function: Callable[..., object]
    """The undecorated callable."""
    validator: ToolArgumentValidator
    policy: ToolPolicy
    """How a host must run it."""
    approval: ApprovalPolicy = False
    """When a person must agree to a call."""
    errors: ToolErrorMap | None = None
    """What exceptions of the body mean."""

    @staticmethod
    def from_function(
        function: Callable[..., object],
        *,
        name: str | None = None,
        description: str | None = None,
        arguments: ArgumentPolicy | None = None,
    ) -> "AnyTool":
        """Describe an endpoint of a card, which carries its policy and holds no name.

        Args:
            function: The body, synchronous or not; `Annotated[T, Field(...)]` describes arguments.
            name: Instead of the function's own.
            description: Instead of the whole docstring.
            arguments: How arguments are read; when left out strictly, and up to the usual ceiling
                or, where a longer text is declared, up to what its `maxLength` can need.

        Raises:
            ToolDefinitionError: It is no function, or a model could not call it.
        """
        policy = policy_of(function)
        parts = described(
            function,
            name=name,
            description=description or inspect.getdoc(function),
            arguments=arguments or STRICT,
            dialect=JSON_SCHEMA,
            timeout=policy.timeout,
            decorated=False,
        )
        if arguments is None:
            parts["validator"].policy = policy_for(parts["parameters_schema"])
        return Tool(**parts, policy=policy, approval=policy.approval)

    @property
    def context_parameter(self) -> str | None:
        """Name of the parameter that the host fills."""
        return self.validator.signature.context_parameter

    @property
    def context_required(self) -> bool:
        """Whether that parameter has no default."""
        return self.validator.signature.context_required

    @property
    def timeout(self) -> float | None:
        """Declared ceiling in seconds; a registry enforces it."""
        return self.policy.timeout

    @property
    def parallel_safe(self) -> bool:
        """Whether two calls may overlap."""
        return self.policy.parallel_safe

    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call the function with its own signature: nothing is checked, injected or bounded."""
        if self.is_async:
            return cast("R_co", await cast("Any", self.function(*args, **kwargs)))
        body = Body.on_thread(lambda: self.function(*args, **kwargs), {}, label=self.name)
        return cast("R_co", await body.task)

    async def invoke(
        self,
        arguments: RawArguments,
        context: ToolContext | None = None,
        *,
        workers: WorkerPool | None = None,
    ) -> R_co:
        """Call the function with what a model sent.

        Args:
            arguments: JSON text or an object.
            context: What is injected; the ambient context when left out.
            workers: Where a synchronous body runs; a thread of its own when left out.

        Raises:
            ToolArgumentValidationError: The arguments are refused; the body was not entered.
            ToolExecutionError: The function needs a context and there is none.
            WorkersBusyError: No worker came free in time.
            Exception: Whatever the body raises, unchanged.
        """
        from .dispatch import injected

        keywords = injected(self, self.validator.arguments(arguments), context)
        if self.is_async:
            return cast("R_co", await cast("Any", self.function(**keywords)))
        if workers is None:
            return cast("R_co", await Body.on_thread(self.function, keywords, label=self.name).task)
        return cast("R_co", await workers.run(lambda: self.function(**keywords), name=self.name))

    def needs_approval(self, arguments: RawArguments) -> bool:
        """Whether a person would have to agree to a call with what a model sent.

        What does not validate, and what a predicate fails on, does need it.
        """
        return asks_for_approval(self, arguments)

    def release(self) -> None:
        """Give the name of a decorated function back; again is no error."""
        release(self)


type AnyTool = Tool[..., object]


def described(
    function: Callable[..., object],
    *,
    name: str | None,
    description: str | None,
    arguments: ArgumentPolicy,
    dialect: Dialect,
    timeout: float | None,
    decorated: bool,
) -> dict[str, Any]:
    """The part of a tool that its function says, in the order in which faults are looked for.

    Args:
        function: The body.
        name: Instead of the function's own.
        description: `None` for the name.
        arguments: How strictly arguments are read.
        dialect: The form of both schemas.
        timeout: Declared ceiling in seconds.
        decorated: Whether docstrings describe arguments, and the result has to have a schema.

    Raises:
        ToolDefinitionError: It is no function, or a model could not call it.
    """
    _refuse_uncallable(function)
    found = tool_name(function, name)
    refuse_variadic(function, found)
    validator = ToolArgumentValidator(function, tool=found, policy=arguments)
    parameters = _parameters(validator, function, dialect, decorated=decorated)
    _refuse_timeout(found, timeout)
    return {
        "name": found,
        "description": description or found,
        "parameters_schema": parameters,
        "returns_schema": _returns(validator, dialect, decorated=decorated),
        "is_async": is_async(function),
        "function": function,
        "validator": validator,
    }


def _refuse_uncallable(function: object) -> None:
    if not callable(function):
        raise ToolDefinitionError(f"{type(function).__name__} is not callable")
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        name = getattr(function, "__name__", "")
        raise ToolDefinitionError(f"{name} is a generator: return the values instead", tool=name)


def _parameters(
    validator: ToolArgumentValidator,
    function: Callable[..., object],
    dialect: Dialect,
    *,
    decorated: bool,
) -> JsonSchema:
    declared = validator.signature.parameters
    schema = model_schema(validator.tool, validator.model, declared)
    try:
        if decorated:
            nested = [each for one in declared for each in structures(one.annotation)]
            schema = documented(schema, function, nested, described=False)
        return in_dialect(schema, dialect)
    except _SCHEMA_ERRORS as error:
        raise ToolDefinitionError.caused(validator.tool, error) from error


def _refuse_timeout(tool: str, timeout: float | None) -> None:
    if timeout is not None and not 0 < timeout < math.inf:
        raise ToolDefinitionError(
            f"{tool}: a ceiling of {timeout} s cannot be kept: leave it out for none", tool=tool
        )


def _returns(
    validator: ToolArgumentValidator, dialect: Dialect, *, decorated: bool
) -> JsonSchema | None:
    """The schema of the result. What a card returns is for the host to convert, whatever it is."""
    try:
        return returns_schema(validator.signature.returns, dialect)
    except _SCHEMA_ERRORS as error:
        if decorated:
            raise ToolDefinitionError.caused(validator.tool, error) from error
        return None
