"""Operators that make a spec wrong: the spec's own diagnostics must refuse it."""

from itertools import pairwise

from tests.mutation.mutants import (
    Guard,
    Json,
    Path,
    Site,
    Sites,
    arguments,
    at,
    capabilities,
    drop,
    endpoints,
    fields,
    operator,
    put,
    rename,
    types,
)


@operator
def misspell_key(spec: Json) -> Sites:
    for path, _ in capabilities(spec):

        def change(data: Json, path: Path = path) -> None:
            found = at(data, path)
            found["endpoint"] = found.pop("endpoints")

        yield Site(path, change, (Guard("CW201"),))


@operator
def forget_key(spec: Json) -> Sites:
    if "logic" in spec:
        yield Site(("logic",), drop(("logic",)), (Guard("CW202"),))


@operator
def break_reference(spec: Json) -> Sites:
    for path, schema, _ in arguments(spec):
        if "$ref" in schema:
            guard = Guard("CW402")
            yield Site(path, put((*path, "$ref"), "#/types/Missing"), (guard,))


@operator
def undescribe_argument(spec: Json) -> Sites:
    for path, schema, use in arguments(spec):
        if use == "argument" and "$ref" not in schema:
            yield Site(path, drop((*path, "description")), (Guard("CW501"),))


@operator
def default_that_does_not_fit(spec: Json) -> Sites:
    for path, schema, _ in fields(spec):
        if schema.get("type") == "integer":
            yield Site(path, put((*path, "default"), "many"), (Guard("CW407"),))


@operator
def expose_what_is_not_served(spec: Json) -> Sites:
    for path, capability in capabilities(spec):
        served = {c for e in capability["endpoints"].values() for c in e["channels"]}
        if "system_prompt" not in served:
            guard = Guard("CW615")
            yield Site(path, put((*path, "expose"), ["system_prompt"]), (guard,))


@operator
def condition_on_nothing(spec: Json) -> Sites:
    for path, _ in capabilities(spec):
        yield Site(path, put((*path, "when"), "missing_field"), (Guard("CW701"),))


@operator
def actor_without_mark(spec: Json) -> Sites:
    for key in spec.get("actors", {}):
        path = ("actors", key, "name")
        yield Site(path, put(path, "NoMark"), (Guard("CW709"),))


@operator
def name_a_method_twice(spec: Json) -> Sites:
    found = [path for path, one in endpoints(spec) if "tool_call" in one["channels"]]
    for first, second in pairwise(found):
        yield Site(second, put((*second, "name"), first[-1]), (Guard("CW609"),))


@operator
def shadow_pydantic(spec: Json) -> Sites:
    for path, _, _ in fields(spec):
        yield Site(path, rename(path, "model_config"), (Guard("CW306"),))


@operator
def require_what_is_missing(spec: Json) -> Sites:
    for path, value, _ in types(spec):
        needed = [*value.get("required", []), "missing"]
        yield Site(path, put((*path, "required"), needed), (Guard("CW409"),))
