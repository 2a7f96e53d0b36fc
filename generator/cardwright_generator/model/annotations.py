"""Schemas of the dialect as Python annotations."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from cardwright_generator.spec.language import DefaultedSchema, JsonType, Schema

from .code import NONE, Code, Import, code, imported, literal
from .schema import CONSTRAINTS, branches, constraints_of, has_const, is_null, types_of

_ANNOTATED = Import("typing", "Annotated")
_LITERAL = Import("typing", "Literal")
_FIELD = Import("pydantic", "Field")
_STRICT_BOOL = Import("pydantic", "StrictBool")
_CORE = "cardwright.core"
_FORMATS = {
    "date-time": ("pydantic", "AwareDatetime"),
    "date": ("datetime", "date"),
    "time": ("datetime", "time"),
    "uuid": ("uuid", "UUID"),
}
_SCALARS = {"integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_PARSED = {
    "date-time": (imported("datetime", "datetime"), ".fromisoformat"),
    "date": (imported("datetime", "date"), ".fromisoformat"),
    "time": (imported("datetime", "time"), ".fromisoformat"),
    "uuid": (imported("uuid", "UUID"), ""),
}
"""How the text of a default becomes a value."""
_AUTO = {"uuid": ("uuid", "uuid4"), "now": (_CORE, "now")}


@dataclass(frozen=True, slots=True)
class Types:
    """What `$ref` means in one spec: pointer -> Python type."""

    names: Mapping[str, Code]
    classes: frozenset[str] = frozenset()
    """Pointers to classes, which can be made anew; the others are aliases."""
    undefined: frozenset[Import] = frozenset()
    """Types whose definition comes later in the module: mentions of them are quoted."""

    def before(self, undefined: Collection[Import]) -> "Types":
        """The same types, where those in `undefined` are not defined yet."""
        return replace(self, undefined=frozenset(undefined))

    def resolve(self, pointer: str) -> Code:
        """The type behind a pointer, which checking has proven to exist."""
        return self.names[pointer]

    def annotation(self, schema: Schema, description: str | None = None) -> Code:
        """The annotation with constraints; `description` is a literal, already spelled."""
        parts = branches(schema)
        real = [part for part in parts if not is_null(part)]
        arguments = [] if description is None else [f"description={description}"]
        if len(real) == 1 and real[0].any_of is None and not _is_told_apart(schema, real[0]):
            # One type, perhaps nullable: its constraints stand beside the description.
            base = self._base(real[0])
            text = base if len(parts) == 1 else code(f"{base} | None", base)
            return _annotated(self._quoted(text), [*arguments, *_constraints(real[0])])
        union = self._union([self._alternative(part, real) for part in parts])
        return _annotated(self._quoted(union), arguments)

    def _alternative(self, schema: Schema, others: list[Schema]) -> Code:
        """A part of a union; beside strings a boolean is strict, or "false" would be one."""
        if types_of(schema) == ("boolean",) and any("string" in types_of(it) for it in others):
            return code("StrictBool", _STRICT_BOOL)
        return self._constrained(schema)

    def _quoted(self, base: Code) -> Code:
        return code(literal(base.text), base) if base.imports & self.undefined else base

    def bare(self, schema: Schema | JsonType | None) -> Code:
        """The annotation without constraints and texts, as contracts show it."""
        if schema is None:
            return NONE
        if isinstance(schema, str):
            schema = Schema(type=schema)
        return self._union([self._base(part, bare=True) for part in branches(schema)])

    def _constrained(self, schema: Schema) -> Code:
        """A part of a schema, with its own constraints and its own text."""
        described = None if schema.description is None else literal(schema.description.strip())
        if schema.any_of is not None or len(types_of(schema)) > 1:
            return self._defined.annotation(schema, described)
        arguments = [] if described is None else [f"description={described}"]
        return _annotated(self._base(schema), [*arguments, *_constraints(schema)])

    @property
    def _defined(self) -> "Types":
        """Inside a quoted annotation nothing is quoted again."""
        return replace(self, undefined=frozenset())

    def _base(self, schema: Schema, *, bare: bool = False) -> Code:
        base = self._plain(schema, bare=bare)
        if bare:
            return base
        extras: list[Code] = []
        if schema.truncate is not None:
            extras.append(code(f"Truncate({schema.truncate})", Import(_CORE, "Truncate")))
        if schema.unique_by is not None:
            extras.append(code(f"UniqueBy({literal(schema.unique_by)})", Import(_CORE, "UniqueBy")))
        if not extras:
            return base
        listed = ", ".join(str(part) for part in (base, *extras))
        return code(f"Annotated[{listed}]", base, *extras, _ANNOTATED)

    def _plain(self, schema: Schema, *, bare: bool) -> Code:
        if schema.ref is not None:
            return self.resolve(schema.ref)
        if schema.python is not None:
            return imported(*schema.python.split(":", 1))
        if schema.any_of is not None:
            return self.bare(schema) if bare else self._defined.annotation(schema)
        if has_const(schema):
            return _choices([schema.const])
        if schema.enum is not None:
            return _choices(schema.enum)
        return self._typed(schema, bare=bare)

    def _typed(self, schema: Schema, *, bare: bool) -> Code:
        kind = types_of(schema)[0]
        if kind == "string":
            return _string(schema)
        if kind == "array":
            return self._container("list[{}]", schema.items, bare=bare)
        if kind == "object":
            values = schema.additional_properties
            item = values if isinstance(values, Schema) else None
            return self._container("dict[str, {}]", item, bare=bare)
        return Code(_SCALARS[kind])

    def _container(self, form: str, item: Schema | None, *, bare: bool) -> Code:
        if item is None:
            return Code(form.format("object"))
        inner = self.bare(item) if bare else self._constrained(item)
        return code(form.format(inner), inner)

    @staticmethod
    def _union(parts: list[Code]) -> Code:
        unique = list(dict.fromkeys(part.text for part in parts))
        return code(" | ".join(unique), *parts)

    def default(self, schema: DefaultedSchema) -> Code | None:
        """The expression behind `=`; `None` when a value must be given."""
        auto: str | None = getattr(schema, "auto", None)
        if auto is not None:
            made = imported(*_AUTO[auto])
            return code(f"Field(default_factory={made})", made, _FIELD)
        if not schema.has_default:
            return None
        if schema.default == {} and (made_of := self._fresh(schema)) is not None:
            return code(f"Field(default_factory={made_of})", made_of, _FIELD)
        return _value(schema)

    def _fresh(self, schema: Schema) -> Code | None:
        found = (part.ref for part in branches(schema))
        return next((self.resolve(ref) for ref in found if ref in self.classes), None)


def _is_told_apart(whole: Schema, part: Schema) -> bool:
    """Whether an alternative has a text of its own beside that of the whole."""
    return part is not whole and part.description is not None


def _value(schema: DefaultedSchema) -> Code:
    formats = [part.format for part in branches(schema) if part.format is not None]
    if not formats or not isinstance(schema.default, str):
        return Code(literal(schema.default))
    name, how = _PARSED[formats[0]]
    return code(f"{name}{how}({literal(schema.default)})", name)


def _string(schema: Schema) -> Code:
    if schema.secret:
        return imported(_CORE, "Secret")
    return Code("str") if schema.format is None else imported(*_FORMATS[schema.format])


def _annotated(base: Code, arguments: list[str]) -> Code:
    if not arguments:
        return base
    field = f"Field({', '.join(arguments)})"
    if base.text.startswith("Annotated[") and base.text.endswith("]") and _closes_last(base.text):
        return code(f"{base.text[:-1]}, {field}]", base, _FIELD)
    return code(f"Annotated[{base}, {field}]", base, _ANNOTATED, _FIELD)


def _closes_last(text: str) -> bool:
    """Whether the bracket of the leading `Annotated[` is the last character."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "[") - (character == "]")
        if depth == 0 and character == "]":
            return position == len(text) - 1
    return False


def _constraints(schema: Schema) -> list[str]:
    found = constraints_of(schema).items()
    return [f"{CONSTRAINTS[name]}={literal(value)}" for name, value in found]


def _choices(values: list[str | int | float | bool | None]) -> Code:
    named = [literal(value) for value in values if value is not None]
    parts = [f"Literal[{', '.join(named)}]"] if named else []
    parts += ["None"] if None in values else []
    return code(" | ".join(parts), _LITERAL)
