"""Operators over what surrounds a card: actors, observers, events, variables, texts."""

from tests.mutation.mutants import Guard, Json, Site, Sites, drop, operator, put


@operator
def rename_actor(spec: Json) -> Sites:
    for key, actor in spec.get("actors", {}).items():
        path = ("actors", key, "name")
        guard = Guard("actor-renamed", "WIRE", "ERR")
        yield Site(path, put(path, f"#Other{actor['name'].removeprefix('#')}"), (guard,))


@operator
def change_scope_of_actor(spec: Json) -> Sites:
    for key, actor in spec.get("actors", {}).items():
        path = ("actors", key, "name")
        other = "#Other" if "{" in actor["name"] else f"{actor['name']}-{{team_id}}"
        yield Site(path, put(path, other), (Guard("actor-scope-changed", "WIRE", "ERR"),))


@operator
def change_class_of_actor(spec: Json) -> Sites:
    for key, actor in spec.get("actors", {}).items():
        if "class" in actor:
            path = ("actors", key, "class")
            guard = Guard("actor-class-changed", "WIRE", "ERR")
            yield Site(path, put(path, actor["class"].replace(":", "_other:")), (guard,))


@operator
def remove_actor(spec: Json) -> Sites:
    for key in spec.get("actors", {}):
        guard = Guard("actor-removed", "WIRE", "ERR")
        yield Site(("actors", key), drop(("actors", key)), (guard,))


@operator
def swap_observer(spec: Json) -> Sites:
    reach = {"none": 0, "tool": 1, "actor": 2}
    now = spec.get("observer", "actor") if "card" in spec else None
    if not isinstance(now, str):
        return
    for other, far in reach.items():
        if other != now:
            more = far > reach[now]
            guard = Guard(
                f"observer-asks-{'more' if more else 'less'}", "SOURCE", "ERR" if more else "INFO"
            )
            yield Site(("observer", other), put(("observer",), other), (guard,))


@operator
def rename_observer(spec: Json) -> Sites:
    if isinstance(spec.get("observer"), dict):
        path = ("observer", "name")
        guard = Guard("observer-renamed", "SOURCE", "ERR")
        yield Site(path, put(path, "OtherObserver"), (guard,))


@operator
def change_observer_members(spec: Json) -> Sites:
    if not isinstance(spec.get("observer"), dict):
        return
    members = ("observer", "members")
    guard = Guard("observer-member-added", "SOURCE", "ERR")
    yield Site(members, put((*members, "other_member"), {"returns": "string"}), (guard,))
    for name in spec["observer"]["members"]:
        changed = put((*members, name), {"arguments": {"other": {"type": "string"}}})
        guard = Guard("observer-member-changed", "SOURCE", "ERR")
        yield Site((*members, name), changed, (guard,))


@operator
def forget_stored_class(spec: Json) -> Sites:
    for index in range(len(spec.get("stored", []))):
        guard = Guard("stored-class-removed", "WIRE", "ERR")
        yield Site(("stored", index), drop(("stored", index)), (guard,))


@operator
def remove_event(spec: Json) -> Sites:
    for key in spec.get("events", {}):
        guard = Guard("event-removed", "WIRE", "ERR")
        yield Site(("events", key), drop(("events", key)), (guard,))


@operator
def change_occasion_of_event(spec: Json) -> Sites:
    for key, event in spec.get("events", {}).items():
        path = ("events", key, "when")
        guard = Guard("event-occasion-changed", "WIRE", "INFO")
        yield Site(path, put(path, f"{event['when']} or so"), (guard,))


@operator
def remove_failure(spec: Json) -> Sites:
    for key in spec.get("failures", {}):

        def change(data: Json, key: str = key) -> None:
            drop(("failures", key))(data)
            for capability in data.get("capabilities", {}).values():
                if key in capability.get("failures", []):
                    capability["failures"].remove(key)

        guard = Guard("failure-removed", "SOURCE", "WARN")
        yield Site(("failures", key), change, (guard,))


@operator
def change_surface_of_failure(spec: Json) -> Sites:
    for key, failure in spec.get("failures", {}).items():
        path = ("failures", key, "surfaces")
        other = "text" if failure["surfaces"] == "retry" else "retry"
        guard = Guard("failure-surface-changed", "LLM", "WARN")
        yield Site(path, put(path, other), (guard,))


@operator
def change_occasion_of_failure(spec: Json) -> Sites:
    for key, failure in spec.get("failures", {}).items():
        path = ("failures", key, "when")
        guard = Guard("failure-occasion-changed", "SOURCE", "INFO")
        yield Site(path, put(path, f"{failure['when']} or so"), (guard,))


@operator
def remove_variable(spec: Json) -> Sites:
    for key in spec.get("environment", {}):
        guard = Guard("variable-removed", "WIRE", "ERR")
        yield Site(("environment", key), drop(("environment", key)), (guard,))


@operator
def change_default_of_variable(spec: Json) -> Sites:
    for key in spec.get("environment", {}):
        path = ("environment", key, "default")
        guard = Guard("variable-default-changed", "WIRE", "WARN")
        yield Site(path, put(path, "other"), (guard,))


@operator
def redescribe_variable(spec: Json) -> Sites:
    for key in spec.get("environment", {}):
        path = ("environment", key, "description")
        guard = Guard("variable-description-changed", "WIRE", "INFO")
        yield Site(path, put(path, "Something else."), (guard,))


@operator
def need_extra(spec: Json) -> Sites:
    if "card" in spec:

        def change(data: Json) -> None:
            data.setdefault("extras", {})["additional"] = {"when_missing": "less"}

        yield Site(("extras",), change, (Guard("extra-needed", "SOURCE", "WARN"),))


@operator
def change_extra(spec: Json) -> Sites:
    for key in spec.get("extras", {}):
        path = ("extras", key, "when_missing")
        guard = Guard("extra-fallback-changed", "SOURCE", "INFO")
        yield Site(path, put(path, "something else"), (guard,))
        guard = Guard("extra-not-needed", "SOURCE", "INFO")
        yield Site(path[:-1], drop(path[:-1]), (guard,))


@operator
def change_toolset(spec: Json) -> Sites:
    if "toolset" in spec:
        path = ("toolset", "doc")
        guard = Guard("toolset-doc-changed", "LLM", "INFO")
        yield Site(path, put(path, "Other tools."), (guard,))
        guard = Guard("toolset-removed", "LLM", "ERR")
        yield Site(path[:-1], drop(path[:-1]), (guard,))


@operator
def deprecate(spec: Json) -> Sites:
    if "card" in spec and "deprecated" not in spec:
        path = ("deprecated",)
        guard = Guard("card-deprecated", "SOURCE", "WARN")
        yield Site(path, put(path, {"use": "OtherTool"}), (guard,))


@operator
def redescribe_card(spec: Json) -> Sites:
    for key, rule in (("summary", "summary-changed"), ("description", "card-description-changed")):
        if key in spec:
            guard = Guard(rule, "SOURCE", "INFO")
            yield Site((key,), put((key,), "Something else."), (guard,))


@operator
def move_logic(spec: Json) -> Sites:
    if "logic" in spec:
        other = spec["logic"].replace(":", "_other:")
        yield Site(("logic",), put(("logic",), other), (Guard("logic-moved", "SOURCE", "INFO"),))


@operator
def drop_dependency(spec: Json) -> Sites:
    for index, entry in enumerate(spec.get("depends_on", [])):
        word = "optional-dependency" if entry.get("optional") else "dependency"
        path = ("depends_on", index)
        guard = Guard(f"{word}-removed", "SOURCE", "INFO")
        yield Site(path, drop(path), (guard,))


@operator
def demand_dependency(spec: Json) -> Sites:
    if "card" in spec:

        def change(data: Json) -> None:
            data["depends_on"] = [*data.get("depends_on", []), {"card": "MutantTool"}]

        yield Site(("depends_on",), change, (Guard("dependency-added", "SOURCE", "ERR"),))
