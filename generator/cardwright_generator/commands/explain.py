"""`cardwright explain CODE`: what a finding means, why it is refused, and a corrected example."""

from typing import Annotated

import typer

from .console import console, say_json
from .refusal import refusing


def explain(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE",
            help="Code of a finding, such as CW302, or rule of `breaking`; all codes if left out.",
        ),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Explain the code of a finding or a rule of `breaking`, or list all codes."""
    from .pages import all_codes, is_rule, page_of, title_of

    if code is not None and is_rule(code):
        from cardwright_generator.breaking.explaining import page_of_rule

        with refusing(LookupError):
            _print(code.strip().lower(), page_of_rule(code), as_json=as_json)
        return 0
    if code is None:
        _list({each: title_of(each) for each in all_codes()}, as_json=as_json)
        return 0
    with refusing(LookupError):
        page = page_of(code)
    _print(code.upper(), page, as_json=as_json)
    return 0


def _print(code: str, page: str, *, as_json: bool) -> None:
    if as_json:
        title = page.partition("\n")[0].partition(": ")[2]
        say_json({"code": code, "title": title, "text": page})
        return
    to = console()
    if to.color_system is not None:
        from rich.markdown import Markdown

        to.print(Markdown(page))
    else:
        typer.echo(page)


def _list(titles: dict[str, str], *, as_json: bool) -> None:
    if as_json:
        say_json(titles)
        return
    for code, title in titles.items():
        typer.echo(f"{code}  {title}")
