"""The model of the demo: a real one by name, or none."""

import os

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model

from cardwright.cli.errors import CommandError

KEYS = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "openai": ("OPENAI_API_KEY",),
}
"""Environment variables of the providers that have an extra; one of them must be set."""


def real_model(name: str) -> Model:
    """The model that `provider:name` means.

    Raises:
        CommandError: No such provider, no key, or its client is not installed.
    """
    provider, colon, model = name.partition(":")
    if not (colon and model):
        message = f"--model takes provider:name, such as openai:gpt-5.2-mini, not {name!r}"
        raise CommandError(message)
    _demand_key(provider)
    try:
        return infer_model(name)
    except ImportError as error:
        message = f"{name} needs its client: pip install 'cardwright[{provider}]'"
        raise CommandError(message) from error
    except (UserError, ValueError) as error:
        raise CommandError(str(error).replace("\n", " ")) from error


def _demand_key(provider: str) -> None:
    variables = KEYS.get(provider, ())
    if variables and not any(os.environ.get(name) for name in variables):
        message = f"--model {provider}:... needs a key: set the variable {' or '.join(variables)}"
        raise CommandError(message)
