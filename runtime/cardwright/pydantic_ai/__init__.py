"""Cards for any plain pydantic-ai agent: `Agent(model, capabilities=[Cards(cards=[...])])`.

This package is the only one of ours that loads pydantic-ai.
"""

try:
    import pydantic_ai as _pydantic_ai
except ModuleNotFoundError as error:
    if error.name != "pydantic_ai":
        raise
    message = (
        "cardwright.pydantic_ai needs pydantic-ai, which is not installed: "
        'pip install "cardwright[pydantic-ai]"'
    )
    raise ImportError(message, name="pydantic_ai") from error

from .cards import Cards

__all__ = ["Cards"]

del _pydantic_ai
