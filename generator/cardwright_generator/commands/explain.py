"""`cardwright explain CODE`: what a finding means, why it is refused, and a corrected example."""

from typing import Annotated

import typer

from .console import console, say_json
from .refusal import refusing


def explain(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE", help="Code of a finding, such as CW302; all codes if left out."
        ),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Explain the code of a finding, or list all codes."""
    from .pages import all_codes, page_of, title_of

    if code is None:
        _list({each: title_of(each) for each in all_codes()}, as_json=as_json)
        return 0
    with refusing(LookupError):
        page = page_of(code)
    if as_json:
        say_json({"code": code.upper(), "title": title_of(code), "text": page})
        return 0
    to = console()
    if to.color_system is not None:
        from rich.markdown import Markdown

        to.print(Markdown(page))
    else:
        typer.echo(page)
    return 0


def _list(titles: dict[str, str], *, as_json: bool) -> None:
    if as_json:
        say_json(titles)
        return
    for code, title in titles.items():
        typer.echo(f"{code}  {title}")
