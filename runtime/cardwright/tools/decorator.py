"""`@tool`: one typed function is the whole tool."""

from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypedDict, Unpack, overload

from cardwright.core import ToolPolicy
from cardwright.core.policy import Idempotency

from .approval import ApprovalPolicy
from .arguments import STRICT, ArgumentPolicy
from .definition import AnyTool, Tool, described
from .dialects import INLINE_REFS, Dialect
from .documentation import summary
from .failures import ToolErrorMap
from .names import claim


class ToolOptions(TypedDict, total=False):
    """What `@tool(...)` may say."""

    name: str | None
    """Instead of the function's own."""
    description: str | None
    """Instead of the docstring's first line."""
    dialect: Dialect
    """Form of the schemas; `INLINE_REFS` unless given."""
    arguments: ArgumentPolicy
    """How arguments are read; `STRICT` unless given."""
    timeout: float | None
    """Ceiling of a call in seconds."""
    parallel_safe: bool
    """Whether two calls may overlap; they may unless told otherwise."""
    idempotency: Idempotency | None
    """`effectful`: the same call of a run is never entered twice."""
    approval: ApprovalPolicy
    """When a person must agree: always, never, or a predicate over the typed arguments."""
    errors: ToolErrorMap | None
    """What exceptions of the body mean."""


class ToolDecorator(Protocol):
    """Makes a tool of a function and keeps its signature."""

    @overload
    def __call__[**P, R](self, function: Callable[P, Coroutine[Any, Any, R]], /) -> Tool[P, R]: ...
    @overload
    def __call__[**P, R](self, function: Callable[P, R], /) -> Tool[P, R]: ...


@overload
def tool[**P, R](function: Callable[P, Coroutine[Any, Any, R]], /) -> Tool[P, R]: ...
@overload
def tool[**P, R](function: Callable[P, R], /) -> Tool[P, R]: ...
@overload
def tool(**options: Unpack[ToolOptions]) -> ToolDecorator: ...
def tool(
    function: Callable[..., Any] | None = None, /, **options: Unpack[ToolOptions]
) -> AnyTool | Callable[[Callable[..., Any]], AnyTool]:
    """Make a tool of a function: `@tool` or `@tool(timeout=5.0, ...)`, see `ToolOptions`.

    The signature gives the schema and the check of arguments, the docstring the descriptions. The
    tool holds its name for as long as it lives.

    Raises:
        ToolDefinitionError: A model could not call it, or another live tool has the name. The
            cause is the schema's error where there is one.
    """
    if options or function is None:

        def decorate(decorated: Callable[..., Any]) -> AnyTool:
            return _made(decorated, options)

        return decorate if function is None else decorate(function)
    return _made(function, options)


def _made(function: Callable[..., Any], options: ToolOptions) -> AnyTool:
    approval = options.get("approval", False)
    timeout = options.get("timeout")
    made: AnyTool = Tool(
        **described(
            function,
            name=options.get("name"),
            description=options.get("description") or summary(function),
            arguments=options.get("arguments", STRICT),
            dialect=options.get("dialect", INLINE_REFS),
            timeout=timeout,
            decorated=True,
        ),
        policy=ToolPolicy(
            idempotency=options.get("idempotency"),
            timeout=timeout,
            parallel_safe=options.get("parallel_safe", True),
            approval=approval is not False,
        ),
        approval=approval,
        errors=options.get("errors"),
    )
    claim(made)
    return made
