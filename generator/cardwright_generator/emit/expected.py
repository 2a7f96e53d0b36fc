"""The JSON schema that a spec says, without looking at any emitted code.

Round-trip tests hold it against what a model is really sent.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from uuid import UUID

from pydantic_core import to_jsonable_python

from cardwright_generator.model.schema import (
    branches,
    constraints_of,
    has_const,
    is_null,
    is_object,
    optional,
    properties,
    types_of,
)
from cardwright_generator.spec.catalogue import Catalogue, LoadedCard
from cardwright_generator.spec.language import ArgumentSpec, DefaultedSchema, Schema, TypeSpec
from cardwright_generator.spec.templates import parse_template

from .json_schema import CONSTRAINT_WORDS, Json
from .lookup import Lookup, Target
from .scenarios import SAMPLE, Setting, everything
from .types_module import python_name

_PARSERS: dict[str, Callable[[str], object]] = {
    "date-time": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "uuid": UUID,
}
_KINDS = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def expected_tool_schemas(
    loaded: LoadedCard, catalogue: Catalogue, setting: Setting | None = None
) -> dict[str, Json]:
    """Public name of each tool -> the schema of its arguments, without titles, `required` sorted.

    Args:
        loaded: The card.
        catalogue: All specs, for `$ref`.
        setting: The configuration; everything on and all fields at their defaults when left out.
    """
    setting = setting or everything(loaded.spec)
    served = setting.served()["tool_call"]
    writer = _Writer(Lookup(catalogue, ""), loaded.path)
    return {
        endpoint.name or key: _arguments(setting, capability, key, writer)
        for capability, spec in loaded.spec.capabilities.items()
        for key, endpoint in spec.endpoints.items()
        if "tool_call" in endpoint.channels and (endpoint.name or key) in served
    }


def expected_type_schema(name: str, loaded: LoadedCard, catalogue: Catalogue) -> Json:
    """The schema of one named type, its `$defs` included."""
    writer = _Writer(Lookup(catalogue, ""), loaded.path)
    target = writer.lookup.find(f"#/types/{name}", loaded.path)
    found = writer.named(target)
    emitted = python_name(name, target.spec)
    # A type that contains itself stands among its own definitions.
    found = {"$ref": f"#/$defs/{emitted}"} if emitted in writer.used else found
    return {**found, **writer.definitions()}


def _arguments(setting: Setting, capability: str, endpoint: str, writer: "_Writer") -> Json:
    declared = setting.card.capabilities[capability].endpoints[endpoint].arguments
    writer = replace(writer, used={})
    said = {name: declared[name] for name in setting.arguments(capability, endpoint)}
    members = {name: _argument(spec, setting, capability, writer) for name, spec in said.items()}
    needed = sorted(
        name for name, spec in said.items() if not (spec.has_default or spec.default_from)
    )
    found: Json = {"type": "object", "additionalProperties": False, "properties": members}
    found |= {"required": needed} if needed else {}
    return {**found, **writer.definitions()}


def _argument(spec: ArgumentSpec, setting: Setting, capability: str, writer: "_Writer") -> Json:
    found = writer.schema(spec)
    if spec.description is not None:
        found["description"] = _filled(spec.description.strip(), setting, capability)
    if spec.default_from is not None:
        found["default"] = _configured(spec.default_from, setting, capability)
    return writer.trimmed(found)


def _configured(name: str, setting: Setting, capability: str) -> object:
    owner, _, key = name.rpartition(".")
    config = setting.card.capabilities[capability].config
    full = f"{capability}.{key}" if not owner and key in config else name
    owner = full.rpartition(".")[0]
    spec = setting.card.capabilities[owner].config[key] if owner else setting.card.fields[key]
    return setting.fields.get(full, spec.default if spec.has_default else SAMPLE)


def _filled(text: str, setting: Setting, capability: str) -> str:
    parts = parse_template(text).parts
    return "".join(
        part if isinstance(part, str) else str(_configured(part.names[0], setting, capability))
        for part in parts
    )


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes schemas of one file, remembering the named types it met."""

    lookup: Lookup
    path: str
    used: dict[str, Target] = field(default_factory=dict[str, Target])

    def schema(self, schema: Schema) -> Json:
        """One schema as pydantic writes it: alternatives spelled out, types of values named."""
        found = self._alternatives(schema)
        if schema.description is not None:
            found["description"] = schema.description.strip()
        if (
            isinstance(schema, DefaultedSchema)
            and schema.has_default
            and not self._is_fresh(schema)
        ):
            found["default"] = to_jsonable_python(default_value(schema))
        return self.trimmed(found)

    def trimmed(self, found: Json) -> Json:
        """What stands beside a reference, without what its target says in the same words."""
        if "$ref" not in found:
            return found
        name = str(found["$ref"]).rpartition("/")[2]
        target = self.used[name]
        said = {} if is_object(target.spec) else replace(self, path=target.path).named(target)
        if is_object(target.spec) and target.spec.description is not None:
            said = {"description": target.spec.description.strip()}
        return {
            word: value for word, value in found.items() if word not in said or said[word] != value
        }

    def _is_fresh(self, schema: DefaultedSchema) -> bool:
        """Whether `default: {}` is a new object, which JSON Schema has no word for."""
        targets = (part.ref for part in branches(schema))
        named = (self.lookup.find(ref, self.path).spec for ref in targets if ref is not None)
        return schema.default == {} and any(is_object(spec) for spec in named)

    def _alternatives(self, schema: Schema) -> Json:
        first, *others = branches(schema)
        if others:
            parts = (first, *others)
            return {"anyOf": [self.schema(_bare(schema, part)) for part in parts]}
        return self._plain(first) if first is schema else self.schema(first)

    def _plain(self, schema: Schema) -> Json:
        if schema.ref is not None:
            return {"$ref": self._pointer(schema.ref)}
        if has_const(schema) or schema.enum is not None:
            return _values([schema.const] if schema.enum is None else schema.enum)
        if is_null(schema):
            return {"type": "null"}
        if schema.python is not None:
            return {}
        found: Json = {"type": types_of(schema)[0]}
        if schema.secret:
            found |= {"format": "password", "writeOnly": True}
        if schema.format is not None:
            found["format"] = schema.format
        found |= {CONSTRAINT_WORDS[name]: value for name, value in constraints_of(schema).items()}
        if schema.items is not None:
            found["items"] = self.schema(schema.items)
        if isinstance(schema.additional_properties, Schema):
            found["additionalProperties"] = self.schema(schema.additional_properties)
        return found

    def _pointer(self, ref: str) -> str:
        target = self.lookup.find(ref, self.path)
        name = python_name(target.name, target.spec)
        if name not in self.used:
            self.used[name] = target
            replace(self, path=target.path).named(target)
        return f"#/$defs/{name}"

    def named(self, target: Target) -> Json:
        """The schema of a named type."""
        spec = target.spec
        return (
            self._object(spec) if is_object(spec) else replace(self, path=target.path).schema(spec)
        )

    def _object(self, spec: TypeSpec) -> Json:
        members = {name: self.schema(prop) for name, prop in properties(spec).items()}
        needed = sorted(
            name for name, prop in properties(spec).items() if not optional(prop, name, spec)
        )
        found: Json = {"type": "object", "additionalProperties": False, "properties": members}
        found |= {"required": needed} if needed else {}
        found |= {} if spec.description is None else {"description": spec.description.strip()}
        return found

    def definitions(self) -> Json:
        """The `$defs` of everything met so far, none when there is nothing."""
        definitions = {
            name: replace(self, path=target.path).named(target)
            for name, target in self.used.items()
        }
        return {"$defs": dict(sorted(definitions.items()))} if definitions else {}


def _bare(whole: Schema, part: Schema) -> Schema:
    """A branch by itself: the default of the whole is not repeated in it."""
    if whole.any_of is not None:
        return part
    return Schema.model_construct(
        _fields_set=part.model_fields_set & Schema.model_fields.keys(),
        **{name: getattr(part, name) for name in Schema.model_fields},
    )


def default_value(schema: DefaultedSchema) -> object:
    """A default as a value: what a format says is parsed, as the emitted code does."""
    formats = [part.format for part in branches(schema) if part.format is not None]
    if not formats or not isinstance(schema.default, str):
        return schema.default
    return _PARSERS[formats[0]](schema.default)


def _values(values: list[str | int | float | bool | None]) -> Json:
    kinds = {_KINDS[type(value)] for value in values}
    if values == [None]:
        return {"type": "null"}
    found: Json = {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
    return {**found, "type": kinds.pop()} if len(kinds) == 1 else found
