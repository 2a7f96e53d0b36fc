"""Operators over what a card declares and serves."""

from tests.mutation.mutants import (
    Guard,
    Json,
    Path,
    Site,
    Sites,
    at,
    capabilities,
    drop,
    endpoints,
    operator,
    put,
    rename,
    reverse,
    types,
)

_WORDS = {
    "tool_call": ("tool", "LLM"),
    "system_prompt": ("prompt", "LLM"),
    "llm_context": ("context-state", "LLM"),
    "command": ("command", "SOURCE"),
}


def _gone(endpoint: Json) -> tuple[Guard, ...]:
    """The rules that tell that an endpoint is no longer served."""
    words = (_WORDS[channel] for channel in endpoint["channels"])
    return tuple(Guard(f"{word}-removed", category, "ERR") for word, category in words)


@operator
def rename_card(spec: Json) -> Sites:
    if "card" in spec:
        guards = (Guard("card-removed", "SOURCE", "ERR"), Guard("card-added", "SOURCE", "INFO"))
        yield Site(("card",), put(("card",), "OtherTool"), guards)


@operator
def rename_card_and_declare_it(spec: Json) -> Sites:
    if "card" in spec:

        def change(data: Json) -> None:
            data["renamed_from"], data["card"] = data["card"], "OtherTool"

        yield Site(("card",), change, (Guard("card-renamed", "SOURCE", "WARN"),))


@operator
def rename_capability(spec: Json) -> Sites:
    for path, _ in capabilities(spec):
        guard = Guard("capability-removed", "SOURCE", "ERR")
        yield Site(path, rename(path, "other_capability"), (guard,))


@operator
def rename_capability_and_declare_it(spec: Json) -> Sites:
    for path, _ in capabilities(spec):
        guard = Guard("capability-renamed", "SOURCE", "WARN")
        change = rename(path, "other_capability", renamed_from=path[-1])
        yield Site(path, change, (guard,))


@operator
def remove_capability(spec: Json) -> Sites:
    for path, capability in capabilities(spec):
        gone = (guard for one in capability["endpoints"].values() for guard in _gone(one))
        guards = (Guard("capability-removed", "SOURCE", "ERR"), *gone)
        yield Site(path, drop(path), guards)


@operator
def rename_param(spec: Json) -> Sites:
    for path, _ in capabilities(spec):
        guard = Guard("param-renamed", "SOURCE", "ERR")
        yield Site(path, put((*path, "param"), "OtherParam"), (guard,))


@operator
def turn_off_by_default(spec: Json) -> Sites:
    for path, capability in capabilities(spec):
        if capability.get("default", True) is True:
            guard = Guard("capability-off-by-default", "SOURCE", "ERR")
            yield Site(path, put((*path, "default"), False), (guard,))


@operator
def turn_on_by_default(spec: Json) -> Sites:
    for path, capability in capabilities(spec):
        if capability.get("default", True) is False:
            guard = Guard("capability-on-by-default", "SOURCE", "WARN")
            yield Site(path, put((*path, "default"), True), (guard,))


@operator
def require_decision(spec: Json) -> Sites:
    for path, capability in capabilities(spec):
        if capability.get("default", True) != "required":
            guard = Guard("capability-became-required", "SOURCE", "ERR")
            yield Site(path, put((*path, "default"), "required"), (guard,))


@operator
def narrow_exposure(spec: Json) -> Sites:
    for path, capability in capabilities(spec):
        served = list(
            dict.fromkeys(c for e in capability["endpoints"].values() for c in e["channels"])
        )
        used = capability.get("expose", served)
        if len(used) > 1:
            guard = Guard("expose-default-narrowed", "LLM", "WARN")
            yield Site(path, put((*path, "expose"), used[:1]), (guard,))


@operator
def widen_exposure(spec: Json) -> Sites:
    for path, capability in capabilities(spec):
        served = list(
            dict.fromkeys(c for e in capability["endpoints"].values() for c in e["channels"])
        )
        if "expose" in capability and set(capability["expose"]) != set(served):
            guard = Guard("expose-default-widened", "LLM", "WARN")
            yield Site(path, drop((*path, "expose")), (guard,))


@operator
def put_under_condition(spec: Json) -> Sites:
    for path, capability in capabilities(spec):
        if "when" not in capability:

            def change(data: Json, path: Path = path) -> None:
                field = {"type": "boolean", "default": True, "description": "Decides."}
                data.setdefault("fields", {})["decides"] = field
                at(data, path)["when"] = "decides"

            guard = Guard("capability-condition-added", "LLM", "ERR")
            yield Site(path, change, (guard,))


@operator
def drop_condition(spec: Json) -> Sites:
    for what, parts in (("capability", capabilities(spec)), ("endpoint", endpoints(spec))):
        for path, part in parts:
            if "when" in part:
                guard = Guard(f"{what}-condition-removed", "LLM", "INFO")
                yield Site(path, drop((*path, "when")), (guard,))


@operator
def drop_migration(spec: Json) -> Sites:
    for path, capability in capabilities(spec):
        for field in capability.get("migrate", {}):
            guard = Guard("migration-dropped", "WIRE", "ERR")
            yield Site((*path, field), drop((*path, "migrate", field)), (guard,))


@operator
def change_migration(spec: Json) -> Sites:
    for path, capability in capabilities(spec):
        for field, steps in capability.get("migrate", {}).items():
            choices = capability.get("config", {}).get(field, {}).get("enum")
            if field == "expose":
                choices = [c for e in capability["endpoints"].values() for c in e["channels"]]
            other = next((one for one in choices or [] if one != steps[0]["to"]), None)
            if other is not None:
                guard = Guard("migration-changed", "WIRE", "ERR")
                where = (*path, "migrate", field, 0, "to")
                yield Site(where, put(where, other), (guard,))


@operator
def remove_endpoint(spec: Json) -> Sites:
    for path, endpoint in endpoints(spec):
        if len(at(spec, path[:-1])) > 1:
            yield Site(path, drop(path), _gone(endpoint))


@operator
def rename_endpoint(spec: Json) -> Sites:
    for path, endpoint in endpoints(spec):
        renamed = (Guard("method-renamed", "SOURCE", "ERR"),)
        guards = renamed if "name" in endpoint else _gone(endpoint)
        yield Site(path, rename(path, "other_endpoint"), guards)


@operator
def rename_tool(spec: Json) -> Sites:
    for path, endpoint in endpoints(spec):
        words = [c for c in ("tool_call", "command") if c in endpoint["channels"]]
        guards = tuple(Guard(f"{_WORDS[c][0]}-renamed", _WORDS[c][1], "ERR") for c in words)
        if guards:
            yield Site(path, put((*path, "name"), "other_name"), guards)


@operator
def drop_channel(spec: Json) -> Sites:
    for path, endpoint in endpoints(spec):
        if len(endpoint["channels"]) > 1:
            guard = Guard("channel-removed", "LLM", "ERR")
            yield Site(path, put((*path, "channels"), endpoint["channels"][1:]), (guard,))


@operator
def swap_channel(spec: Json) -> Sites:
    for path, endpoint in endpoints(spec):
        if endpoint["channels"] == ["tool_call"]:

            def change(data: Json, path: Path = path) -> None:
                found = at(data, path)
                found["channels"] = ["command"]
                for key in ("idempotency", "timeout", "approval", "parallel_safe"):
                    found.pop(key, None)

            guards = (Guard("channel-removed", "LLM", "ERR"), Guard("channel-added", "LLM", "INFO"))
            yield Site(path, change, guards)


@operator
def add_channel(spec: Json) -> Sites:
    for path, endpoint in endpoints(spec):
        if endpoint["channels"] == ["command"]:
            guard = Guard("channel-added", "LLM", "INFO")
            yield Site(path, put((*path, "channels"), ["command", "tool_call"]), (guard,))


@operator
def redescribe_endpoint(spec: Json) -> Sites:
    for path, endpoint in endpoints(spec):
        if "doc" in endpoint:
            model = set(endpoint["channels"]) - {"command"}
            guard = Guard("doc-changed", "LLM", "INFO")
            if not model:
                guard = Guard("command-doc-changed", "SOURCE", "INFO")
            yield Site(path, put((*path, "doc"), f"{endpoint['doc'].strip()} Always."), (guard,))


@operator
def retype_answer(spec: Json) -> Sites:
    for path, endpoint in endpoints(spec):
        if endpoint.get("returns") == "string" and "system_prompt" not in endpoint["channels"]:
            guard = Guard("result-type-changed", "LLM", "WARN")
            yield Site(path, put((*path, "returns"), "integer"), (guard,))


@operator
def weaken_idempotency(spec: Json) -> Sites:
    for path, endpoint in endpoints(spec):
        if endpoint.get("idempotency") in {"read_only", "idempotent"}:
            guard = Guard("idempotency-weakened", "LLM", "ERR")
            yield Site(path, put((*path, "idempotency"), "effectful"), (guard,))


@operator
def strengthen_idempotency(spec: Json) -> Sites:
    for path, endpoint in endpoints(spec):
        if endpoint.get("idempotency") == "effectful":
            guard = Guard("idempotency-strengthened", "LLM", "INFO")
            yield Site(path, put((*path, "idempotency"), "idempotent"), (guard,))


@operator
def change_policy(spec: Json) -> Sites:
    for path, endpoint in endpoints(spec):
        if "tool_call" in endpoint["channels"]:
            for key, value, guard in (
                ("approval", not endpoint.get("approval", False), Guard("approval-*", "LLM", "*")),
                ("timeout", 0.5, Guard("timeout-shortened", "LLM", "WARN")),
                (
                    "parallel_safe",
                    not endpoint.get("parallel_safe", True),
                    Guard("parallel-calls-*", "LLM", "WARN"),
                ),
            ):
                yield Site((*path, key), put((*path, key), value), (guard,))


@operator
def make_coroutine(spec: Json) -> Sites:
    for path, endpoint in endpoints(spec):
        if "renders" not in endpoint and "state" not in endpoint:
            guard = Guard("method-async-changed", "SOURCE", "ERR")
            value = not endpoint.get("async", False)
            yield Site(path, put((*path, "async"), value), (guard,))


@operator
def reorder_capabilities(spec: Json) -> Sites:
    model = [path for path, e in endpoints(spec) if "tool_call" in e["channels"]]
    if len({path[1] for path in model}) > 1:
        guard = Guard("tools-reordered", "LLM", "INFO")
        yield Site(("capabilities",), reverse(("capabilities",)), (guard,))


@operator
def rename_type(spec: Json) -> Sites:
    for path, value, _ in types(spec):
        stored = value.get("base", "data") != "plain"
        guard = Guard("stored-type-removed", "WIRE", "ERR")

        def change(data: Json, name: str = str(path[-1])) -> None:
            rename(("types", name), "OtherType")(data)
            _point(data, name)

        yield Site(path, change, (guard if stored else Guard("type-removed", "SOURCE", "ERR"),))


@operator
def rename_type_and_declare_it(spec: Json) -> Sites:
    for path, _, _ in types(spec):

        def change(data: Json, name: str = str(path[-1])) -> None:
            rename(("types", name), "OtherType", renamed_from=name)(data)
            _point(data, name)

        yield Site(path, change, (Guard("type-renamed", "SOURCE", "WARN"),))


def _point(node: object, name: str) -> None:
    """Let every reference to a type name `OtherType`."""
    if isinstance(node, list):
        for item in node:  # pyright: ignore[reportUnknownVariableType] - plain data of any shape
            _point(item, name)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(node, dict):
        for key, value in node.items():  # pyright: ignore[reportUnknownVariableType]
            if (key == "$ref" and value == f"#/types/{name}") or (key == "state" and value == name):
                node[key] = "#/types/OtherType" if key == "$ref" else "OtherType"
            else:
                _point(value, name)  # pyright: ignore[reportUnknownArgumentType]
        if name in node.get("events", {}):  # pyright: ignore[reportUnknownMemberType]
            node["events"]["OtherType"] = node["events"].pop(name)  # pyright: ignore[reportUnknownMemberType]


@operator
def change_form_of_type(spec: Json) -> Sites:
    for path, value, _ in types(spec):
        base = value.get("base", "data")
        if base != "context" and "class" not in value:
            other = "plain" if base == "data" else "data"
            guard = Guard("type-base-changed", "WIRE", "ERR")
            yield Site(path, put((*path, "base"), other), (guard,))


@operator
def change_class_of_type(spec: Json) -> Sites:
    for path, value, _ in types(spec):
        if "class" in value:
            guard = Guard("type-class-changed", "WIRE", "ERR")
            other = value["class"].replace(":", "_other:")
            yield Site(path, put((*path, "class"), other), (guard,))


@operator
def redescribe_type(spec: Json) -> Sites:
    for path, value, _ in types(spec):
        if "description" in value:
            guard = Guard("type-description-changed", "SOURCE", "INFO")
            text = f"{value['description']} More."
            yield Site(path, put((*path, "description"), text), (guard,))
