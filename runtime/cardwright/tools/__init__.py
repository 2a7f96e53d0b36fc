"""Typed tools: a function's signature becomes its schema and the check of its arguments.

One path for every host: what the bench, pydantic-ai and `cardwright show` present is the same.
"""

from .arguments import LENIENT, STRICT, ArgumentPolicy, ToolArgumentValidator
from .errors import (
    ConfigurationError,
    ToolArgumentValidationError,
    ToolDefinitionError,
    ToolError,
    ToolNotFoundError,
    ToolTimedOutError,
)
from .schema import JsonSchema
from .tool import Tool

__all__ = [
    "LENIENT",
    "STRICT",
    "ArgumentPolicy",
    "ConfigurationError",
    "JsonSchema",
    "Tool",
    "ToolArgumentValidationError",
    "ToolArgumentValidator",
    "ToolDefinitionError",
    "ToolError",
    "ToolNotFoundError",
    "ToolTimedOutError",
]
