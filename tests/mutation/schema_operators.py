"""Operators over everything that has a schema: arguments, fields, properties of types."""

from tests.mutation.mutants import (
    Change,
    Json,
    Path,
    Site,
    Sites,
    arguments,
    at,
    drop,
    fields,
    operator,
    properties,
    put,
    rename,
    reverse,
    schema_guard,
    types,
    values,
)


def _required(schema: Json) -> bool:
    return not {"default", "default_from", "auto"} & schema.keys()


@operator
def remove_value(spec: Json) -> Sites:
    for path, _, use in values(spec):
        level = "WARN" if use == "result" else "ERR"
        change = _without if path[-2] == "properties" else drop
        yield Site(path, change(path), (schema_guard(use, "removed", level),))


def _without(path: Path) -> Change:
    """A change that takes a property out, also of those that are required."""

    def change(data: Json) -> None:
        owner = at(data, path[:-2])
        needed = [name for name in owner.get("required", []) if name != path[-1]]
        if needed:
            owner["required"] = needed
        else:
            owner.pop("required", None)
        del owner["properties"][path[-1]]

    return change


@operator
def rename_value(spec: Json) -> Sites:
    for path, schema, use in values(spec):
        added = "added-required" if _needed(spec, path, schema) else "added"
        guards = (
            schema_guard(use, "removed", "WARN" if use == "result" else "ERR"),
            schema_guard(use, added, "INFO" if use == "result" or added == "added" else "ERR"),
        )

        def change(data: Json, path: Path = path) -> None:
            rename(path, "other_name")(data)
            owner = at(data, path[:-2])
            if path[-1] in owner.get("required", []):
                owner["required"] = [
                    "other_name" if name == path[-1] else name for name in owner["required"]
                ]

        yield Site(path, change, guards)


def _needed(spec: Json, path: Path, schema: Json) -> bool:
    if path[-2] == "properties":
        return path[-1] in at(spec, path[:-2]).get("required", [])
    return _required(schema)


@operator
def rename_value_and_declare_it(spec: Json) -> Sites:
    for path, schema, use in (*fields(spec), *properties(spec)):
        if use == "*" or _needed(spec, path, schema):
            continue
        extra = {"renamed_from": path[-1]}
        guard = schema_guard(use, "renamed", "WARN" if use == "result" else "INFO")
        yield Site(path, rename(path, "other_name", **extra), (guard,))


@operator
def declare_an_old_name(spec: Json) -> Sites:
    for path, _, use in (*fields(spec), *properties(spec)):
        if use in {"field", "stored", "state"}:
            guard = schema_guard(use, "old-name-declared", "INFO")
            yield Site(path, put((*path, "renamed_from"), "old_name"), (guard,))


@operator
def require_value(spec: Json) -> Sites:
    for path, schema, use in (*arguments(spec), *fields(spec)):
        if "default" in schema and "when" not in schema:
            guard = schema_guard(use, "became-required", "ERR")
            yield Site(path, drop((*path, "default")), (guard,))


@operator
def require_property(spec: Json) -> Sites:
    for path, schema, use in properties(spec):
        if "default" in schema:

            def change(data: Json, path: Path = path) -> None:
                del at(data, path)["default"]
                at(data, path[:-2]).setdefault("required", []).append(path[-1])

            level = "INFO" if use == "result" else "ERR"
            yield Site(path, change, (schema_guard(use, "became-required", level),))


@operator
def make_optional(spec: Json) -> Sites:
    for path, schema, use in (*arguments(spec), *fields(spec)):
        if _required(schema) and schema.get("type") == "string":
            guard = schema_guard(use, "became-optional", "INFO")
            yield Site(path, put((*path, "default"), ""), (guard,))


@operator
def add_required_argument(spec: Json) -> Sites:
    for path in dict.fromkeys(path[:-1] for path, _, _ in arguments(spec)):
        use = next(use for one, _, use in arguments(spec) if one[:-1] == path)
        value = {"type": "string", "description": "More."}
        guard = schema_guard(use, "added-required", "ERR")
        yield Site(path, put((*path, "additional"), value), (guard,))


@operator
def add_optional_argument(spec: Json) -> Sites:
    for path in dict.fromkeys(path[:-1] for path, _, _ in arguments(spec)):
        use = next(use for one, _, use in arguments(spec) if one[:-1] == path)
        value = {"type": "string", "default": "", "description": "More."}
        guard = schema_guard(use, "added", "INFO")
        yield Site(path, put((*path, "additional"), value), (guard,))


@operator
def add_required_property(spec: Json) -> Sites:
    for path, _, use in types(spec):

        def change(data: Json, path: Path = path) -> None:
            found = at(data, path)
            found["properties"]["additional"] = {"type": "string", "description": "More."}
            found["required"] = [*found.get("required", []), "additional"]

        level = "INFO" if use == "result" else "ERR"
        yield Site(path, change, (schema_guard(use, "added-required", level),))


@operator
def retype(spec: Json) -> Sites:
    for path, schema, use in values(spec):
        other = {"string": "boolean", "integer": "boolean", "boolean": "integer"}.get(
            str(schema.get("type"))
        )
        plain = not {"default", "default_from", "format", "maxLength", "pattern"} & schema.keys()
        if other and plain:
            level = "WARN" if use == "result" else "ERR"
            guard = schema_guard(use, "type-changed", level)
            yield Site(path, put((*path, "type"), other), (guard,))


@operator
def refuse_null(spec: Json) -> Sites:
    for path, schema, use in values(spec):
        kinds = schema.get("type")
        if isinstance(kinds, list) and "null" in kinds and "default_from" not in schema:

            def change(data: Json, path: Path = path) -> None:
                found = at(data, path)
                found["type"] = next(one for one in found["type"] if one != "null")
                if "default" in found and found["default"] is None:
                    found["default"] = {"string": "x", "integer": 3}.get(found["type"], 3)

            level = "INFO" if use == "result" else "ERR"
            yield Site(path, change, (schema_guard(use, "null-refused", level),))


@operator
def allow_null(spec: Json) -> Sites:
    for path, schema, use in values(spec):
        if schema.get("type") in ("integer", "boolean") and "default_from" not in schema:
            level = "WARN" if use == "result" else "INFO"
            guard = schema_guard(use, "null-allowed", level)
            yield Site(path, put((*path, "type"), [schema["type"], "null"]), (guard,))


@operator
def tighten_bound(spec: Json) -> Sites:
    for path, schema, use in values(spec):
        for word, by in (("minimum", 1), ("minLength", 1), ("maxLength", -50), ("maximum", -1)):
            if word in schema and use != "*":
                level = "INFO" if use == "result" else "ERR"
                guard = schema_guard(use, "bound-tightened", level)
                yield Site((*path, word), put((*path, word), schema[word] + by), (guard,))


@operator
def loosen_bound(spec: Json) -> Sites:
    for path, schema, use in values(spec):
        for word in ("minimum", "maximum", "minLength", "maxLength", "exclusiveMinimum"):
            if word in schema and use != "*":
                level = "WARN" if use == "result" else "INFO"
                guard = schema_guard(use, "bound-loosened", level)
                yield Site((*path, word), drop((*path, word)), (guard,))


@operator
def add_pattern(spec: Json) -> Sites:
    for path, schema, use in values(spec):
        plain = not {"default", "default_from", "format", "pattern", "secret"} & schema.keys()
        if schema.get("type") == "string" and plain:
            level = "INFO" if use == "result" else "ERR"
            guard = schema_guard(use, "pattern-added", level)
            yield Site(path, put((*path, "pattern"), "^[a-z]*$"), (guard,))


@operator
def cut_elsewhere(spec: Json) -> Sites:
    for path, schema, use in values(spec):
        if "truncate" in schema:
            guard = schema_guard(use, "cut-changed", "WARN" if use == "result" else "ERR")
            yield Site(path, put((*path, "truncate"), schema["truncate"] - 20), (guard,))


@operator
def remove_choice(spec: Json) -> Sites:
    for path, schema, use in values(spec):
        default = schema.get("default", schema.get("default_from"))
        if len(schema.get("enum", [])) > 1 and schema["enum"][-1] != default:
            level = "INFO" if use == "result" else "ERR"
            guard = schema_guard(use, "choice-removed", level)
            yield Site(path, put((*path, "enum"), schema["enum"][:-1]), (guard,))


@operator
def add_choice(spec: Json) -> Sites:
    for path, schema, use in values(spec):
        if "enum" in schema:
            level = "WARN" if use == "result" else "INFO"
            guard = schema_guard(use, "choice-added", level)
            yield Site(path, put((*path, "enum"), [*schema["enum"], "another"]), (guard,))


@operator
def reorder_choices(spec: Json) -> Sites:
    for path, schema, use in arguments(spec):
        if len(schema.get("enum", [])) > 1:
            level = "ERR" if use == "command" else "INFO"
            guard = schema_guard(use, "reordered", level)
            yield Site(path, reverse((*path, "enum")), (guard,))


@operator
def reorder_arguments(spec: Json) -> Sites:
    for path in dict.fromkeys(path[:-1] for path, _, _ in arguments(spec)):
        found = at(spec, path)
        use = next(use for one, _, use in arguments(spec) if one[:-1] == path)
        if len(found) > 1:
            level = "ERR" if use == "command" else "INFO"
            yield Site(path, reverse(path), (schema_guard(use, "reordered", level),))


@operator
def change_default(spec: Json) -> Sites:
    for path, schema, use in values(spec):
        default = schema.get("default")
        other: object = None
        if isinstance(default, bool):
            other = not default
        elif isinstance(default, int | float):
            other = default + 1
        elif isinstance(default, str) and "enum" in schema:
            other = next((one for one in schema["enum"] if one != default), None)
        elif isinstance(default, str) and not {"pattern", "const"} & schema.keys():
            other = f"{default}x"
        if other is not None:
            guard = schema_guard(
                use,
                "default-changed",
                "ERR" if use == "field" else "WARN",
                "SOURCE" if use == "field" else None,
            )
            yield Site(path, put((*path, "default"), other), (guard,))


@operator
def redescribe_value(spec: Json) -> Sites:
    for path, schema, use in values(spec):
        if "description" in schema:
            told = {"stored": "*", "state": "*"}.get(use, use)
            category = "SOURCE" if use == "field" else None
            guard = schema_guard(told, "description-changed", "INFO", category)
            text = f"{schema['description']} And more."
            yield Site(path, put((*path, "description"), text), (guard,))
