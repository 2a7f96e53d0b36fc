"""Names of the parts of a spec, as messages call them."""

from cardwright_generator.spec.diagnostics import NodePath

_NAMED = {
    "capabilities": "capability",
    "endpoints": "endpoint",
    "arguments": "argument",
    "config": "config field",
    "fields": "field",
    "types": "type",
    "properties": "property",
    "actors": "actor",
    "events": "event",
    "failures": "failure",
    "environment": "variable",
    "extras": "extra",
    "members": "observer method",
}

_OWNED = frozenset({"argument", "property", "config field"})


def part(path: NodePath) -> str:
    """Name the part of a spec at a path: `argument 'query' of endpoint 'search'`."""
    *above, last = path or ("the file",)
    if not above:
        return f"'{last}'" if path else str(last)
    kind = _NAMED.get(str(above[-1]))
    if isinstance(last, int):
        return f"item {last + 1} of '{above[-1]}'"
    if kind is None:
        return f"'{last}' of {part(tuple(above))}"
    owner = within(tuple(above[:-1])) if kind in _OWNED else ""
    return f"{kind} '{last}'" + (f" of {owner}" if owner else "")


def within(path: NodePath) -> str:
    """Name the nearest named part that holds a path."""
    for length in range(len(path), 1, -1):
        last, section = path[length - 1], path[length - 2]
        if section in _NAMED and isinstance(last, str):
            return part(path[:length])
    return f"'{path[0]}'" if path else part(())


def anything(path: NodePath) -> str:
    """Name whatever stands at a path: a named part, a key of one, or an item of a list in one."""
    *above, last = path or ("the file",)
    if isinstance(last, int):
        return f"item {last + 1} of {anything(tuple(above))}"
    named = not above or above[-1] in _NAMED
    return part(path) if named and len(path) != 1 else f"'{last}' of {within(tuple(above))}"
