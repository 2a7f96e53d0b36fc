"""Typed tools: a function's signature becomes its schema and the check of its arguments.

One path for every host: what the bench, pydantic-ai and `cardwright show` present is the same,
and every call is checked, bounded and recorded by a `ToolRegistry`.
"""

from cardwright.core import JsonObject, JsonText

from .arguments import LENIENT, STRICT, ArgumentPolicy, ToolArgumentValidator
from .clock import Clock
from .concurrency import ConcurrencyConfig
from .context import CancellationToken, ToolContext
from .decorator import tool
from .definition import AnyTool, Tool
from .dialects import INLINE_REFS, JSON_SCHEMA, STRICT_SUBSET, Dialect, InlineRefs, StrictSubset
from .dispatch import Call
from .errors import (
    ApprovalRequiredError,
    CallLimitError,
    CancelledError,
    CapabilityError,
    ConfigurationError,
    RepairBudgetSpentError,
    SchemaGenerationError,
    ToolArgumentValidationError,
    ToolDefinitionError,
    ToolError,
    ToolExecutionError,
    ToolIndeterminateError,
    ToolNotFoundError,
    ToolNotPermittedError,
    ToolTimedOutError,
    WorkersBusyError,
)
from .failures import ToolErrorMap, ToolFailure, ToolRefusal, permanent, refusal, transient
from .generation import schema_for
from .registry import ToolDeclaration, ToolRegistry
from .repair import CallLimits, RepairConfig, RepairRequested
from .schema import JsonSchema, schema_hash
from .spans import ToolCallSpan
from .view import AgentToolView
from .workers import WorkerPool

__all__ = [
    "INLINE_REFS",
    "JSON_SCHEMA",
    "LENIENT",
    "STRICT",
    "STRICT_SUBSET",
    "AgentToolView",
    "AnyTool",
    "ApprovalRequiredError",
    "ArgumentPolicy",
    "Call",
    "CallLimitError",
    "CallLimits",
    "CancellationToken",
    "CancelledError",
    "CapabilityError",
    "Clock",
    "ConcurrencyConfig",
    "ConfigurationError",
    "Dialect",
    "InlineRefs",
    "JsonObject",
    "JsonSchema",
    "JsonText",
    "RepairBudgetSpentError",
    "RepairConfig",
    "RepairRequested",
    "SchemaGenerationError",
    "StrictSubset",
    "Tool",
    "ToolArgumentValidationError",
    "ToolArgumentValidator",
    "ToolCallSpan",
    "ToolContext",
    "ToolDeclaration",
    "ToolDefinitionError",
    "ToolError",
    "ToolErrorMap",
    "ToolExecutionError",
    "ToolFailure",
    "ToolIndeterminateError",
    "ToolNotFoundError",
    "ToolNotPermittedError",
    "ToolRefusal",
    "ToolRegistry",
    "ToolTimedOutError",
    "WorkerPool",
    "WorkersBusyError",
    "permanent",
    "refusal",
    "schema_for",
    "schema_hash",
    "tool",
    "transient",
]
