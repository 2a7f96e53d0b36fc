"""Short specs for tests: a card around the part that matters."""

from textwrap import dedent, indent

from cardwright_generator.spec import Diagnostic, headline, load_specs

HEAD = "card: HelloTool\nsummary: Greets people.\nlogic: acme.hello.logic:HelloLogic\n"
TOOL = "channels: [tool_call]\ndoc: Greet someone.\nreturns: string\n"


def card(top: str = "", capability: str = "", endpoint: str = TOOL) -> str:
    """A card with one capability `greet` and one endpoint `greet`."""
    return (
        f"{HEAD}{dedent(top)}capabilities:\n  greet:\n    param: Greet\n"
        f"{indent(dedent(capability), '    ')}    endpoints:\n      greet:\n"
        f"{indent(dedent(endpoint), '        ')}"
    )


def with_argument(
    schema: str, top: str = "", capability: str = "", channels: str = "tool_call"
) -> str:
    """The card whose endpoint has one argument `who`."""
    endpoint = (
        f"channels: [{channels}]\ndoc: Greet someone.\n"
        f"arguments:\n  who: {schema}\nreturns: string\n"
    )
    return card(top, capability, endpoint)


def findings(text: str, **others: str) -> tuple[Diagnostic, ...]:
    """What is wrong with `hello.yaml`, beside other files given as `name=text`."""
    files = {"hello.yaml": text} | {f"{name}.yaml": other for name, other in others.items()}
    return load_specs(files).diagnostics


def codes(text: str, **others: str) -> list[str]:
    """The codes of what is wrong."""
    return [one.code for one in findings(text, **others)]


def told(text: str, **others: str) -> list[str]:
    """The headlines of what is wrong, without the file's name."""
    return [headline(one).removeprefix("hello.yaml:") for one in findings(text, **others)]
