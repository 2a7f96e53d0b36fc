"""Mutants that the spec's own checks refuse before anybody compares: operator -> codes."""

_REFUSED: dict[str, set[str]] = {
    "add_channel": {"CW609", "CW612", "CW613"},
    "add_choice": {"CW703"},
    "add_optional_argument": {"CW613"},
    "add_required_argument": {"CW613"},
    "allow_null": {"CW703"},
    "change_default": {"CW407"},
    "change_surface_of_failure": {"CW623"},
    "demand_dependency": {"CW804"},
    "drop_channel": {"CW611"},
    "loosen_bound": {"CW703"},
    "make_coroutine": {"CW618"},
    "make_optional": {"CW407"},
    "refuse_null": {"CW407", "CW430", "CW716"},
    "remove_actor": {"CW712"},
    "remove_capability": {"CW623", "CW701"},
    "remove_choice": {"CW703"},
    "remove_endpoint": {"CW606", "CW615", "CW617"},
    "remove_value": {"CW418", "CW616", "CW701", "CW709", "CW713"},
    "rename_capability": {"CW701"},
    "rename_capability_and_declare_it": {"CW701"},
    "rename_card": {"CW804"},
    "rename_card_and_declare_it": {"CW804"},
    "rename_endpoint": {"CW606"},
    "rename_value": {"CW418", "CW616", "CW701", "CW709", "CW713"},
    "rename_value_and_declare_it": {"CW616", "CW701", "CW709", "CW713"},
    "reorder_arguments": {"CW613"},
    "require_value": {"CW613", "CW624"},
    "retype": {"CW404", "CW613"},
    "swap_channel": {"CW608", "CW609", "CW621"},
    "swap_observer": {"CW710"},
    "tighten_bound": {"CW407", "CW703"},
    "turn_on_by_default": {"CW624"},
}
"""Found by running the operators over the shipped specs and over those of tests/spec/cards."""


def codes_allowed(operator: str, codes: tuple[str, ...]) -> bool:
    """Whether these codes are right for a mutant of an operator."""
    return set(codes) <= _REFUSED.get(operator, set())
