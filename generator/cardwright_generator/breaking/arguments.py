"""Comparison of the arguments of an endpoint."""

from cardwright_generator.spec.language import ArgumentSpec, CardSpec, EndpointSpec

from .changes import compare_conditions
from .comparison import Comparison, Pair, canonical
from .members import Member, compare_members
from .references import Renames, condition, full_name, source
from .schemas import reordered
from .uses import ARGUMENT, COMMAND

type Caller = tuple[CardSpec, str, EndpointSpec]
"""Card, capability and endpoint."""


def compare_arguments(
    found: Comparison, pair: Pair, old: Caller, new: Caller, renames: Renames
) -> None:
    """Report what callers must give, and had to; the pair holds the mapping of arguments."""
    channels = {*old[2].channels, *new[2].channels}
    use = ARGUMENT if "tool_call" in channels else COMMAND
    was, now = _members(old, renames), _members(new, {})
    compare_members(found, use, pair, was, now)
    if use is ARGUMENT and "command" in old[2].channels and "command" in new[2].channels:
        reordered(found, COMMAND, pair, list(was), list(now))  # people give them by position
    for name in was.keys() & now.keys():
        one, other = old[2].arguments[name], new[2].arguments[name]
        conditions = (
            condition(old[0], one.when, old[1], renames),
            condition(new[0], other.when, new[1], {}),
        )
        compare_conditions(found, pair.at(name), "argument", *conditions)
        if one.rest_of_line != other.rest_of_line:
            message = f"'{name}' {'takes' if other.rest_of_line else 'no longer takes'} the rest"
            where = pair.at(name, "rest_of_line")
            found.report(
                "rest-of-line-changed", where, message, one.rest_of_line, other.rest_of_line
            )


def _members(caller: Caller, renames: Renames) -> dict[str, Member]:
    return {name: _member(caller, spec, renames) for name, spec in caller[2].arguments.items()}


def _member(caller: Caller, spec: ArgumentSpec, renames: Renames) -> Member:
    if spec.default_from is None:
        return Member(spec, not spec.has_default, spec.default)
    card, capability, _ = caller
    field = source(card, spec.default_from, capability)
    name = full_name(card, spec.default_from, capability, renames)
    value = canonical(field.default) if field is not None and field.has_default else "given"
    return Member(spec, required=False, default=f"{name} = {value or 'null'}")
