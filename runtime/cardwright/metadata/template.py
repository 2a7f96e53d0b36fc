"""The template grammar: literal text with `{field}` placeholders.

A placeholder is one bare identifier. `{{` and `}}` are literal braces. Anything else that
`str.format` knows (paths, indexes, conversions, format specifications) is refused: a template must
not reach beyond the declared fields.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from string import Formatter

from pydantic import BaseModel


class TemplateError(ValueError):
    """A template is malformed, or names what the metadata does not have."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Literal text, then perhaps a placeholder."""

    text: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template."""

    pieces: tuple[Piece, ...]

    @classmethod
    def parse(cls, source: str) -> "Template":
        """Read `source`.

        Raises:
            TemplateError: It is malformed; the message names the offending placeholder.
        """
        return cls(tuple(_pieces(source)))

    @property
    def names(self) -> tuple[str, ...]:
        """Placeholders in order of appearance, each once."""
        return tuple(dict.fromkeys(piece.name for piece in self.pieces if piece.name is not None))

    def check(self, model: type[BaseModel]) -> None:
        """Hold every placeholder to the declared fields of `model`.

        Raises:
            TemplateError: One is no declared field; names it, the class and the fields there are.
        """
        for name in self.names:
            if name not in model.model_fields:
                fields = ", ".join(sorted(model.model_fields)) or "none"
                raise TemplateError(
                    f"{{{name}}} is no field of {model.__name__}{_reason(model, name)}. "
                    f"Its fields: {fields}."
                )

    def render(self, values: BaseModel) -> str:
        """The text, with `str()` of each field.

        Raises:
            TemplateError: As `check`.
        """
        self.check(type(values))
        return "".join(piece.text + _value(values, piece.name) for piece in self.pieces)


def _pieces(source: str) -> Iterator[Piece]:
    try:
        for text, name, form, conversion in Formatter().parse(source):
            yield Piece(text) if name is None else Piece(text, _checked(name, form, conversion))
    except TemplateError:
        raise
    except ValueError as error:
        raise TemplateError(
            f"The braces of the template do not match: {error}. "
            "Double a brace that is meant literally."
        ) from error


def _checked(name: str, form: str | None, conversion: str | None) -> str:
    written = name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
    if conversion or form or not name.isidentifier():
        raise TemplateError(
            f"{{{written}}} is no placeholder: write one bare field name in braces, "
            "such as {customer}."
        )
    return name


def _reason(model: type[BaseModel], name: str) -> str:
    computed = name in model.model_computed_fields or isinstance(
        getattr(model, name, None), property
    )
    return " (it is computed, and only declared fields can be rendered)" if computed else ""


def _value(values: BaseModel, name: str | None) -> str:
    return "" if name is None else str(getattr(values, name))
