"""Spells how a card is constructed for a setting."""

from cardwright_generator.model.code import Code, literal
from cardwright_generator.model.values import Values
from cardwright_generator.spec.language import CardSpec, FieldSpec

from . import scenarios
from .samples import Samples
from .scenarios import SAMPLE, Setting


class Constructions:
    """Makes `PlanningTool(...)` expressions, and remembers what they import."""

    def __init__(self, spec: CardSpec, samples: Samples) -> None:
        self.spec = spec
        self._samples = samples
        self.used: list[Code] = []

    def card(self, setting: Setting) -> str:
        """The construction; what equals the default is left out. Raises `NoSampleError`."""
        given = [
            (name, self._field(setting, name, spec)) for name, spec in self.spec.fields.items()
        ]
        given += [(key, self._capability(setting, key)) for key in self.spec.capabilities]
        return f"{self.spec.card}({_joined(given)})"

    def _field(self, setting: Setting, full: str, spec: FieldSpec) -> str | None:
        if full not in setting.fields:
            return None if spec.has_default else self._sample(spec)
        value = setting.fields[full]
        return self._sample(spec) if value is SAMPLE else literal(value)

    def _sample(self, spec: FieldSpec) -> str:
        found = self._samples.of(spec)
        self.used.append(found)
        return found.text

    def _capability(self, setting: Setting, key: str) -> str | None:
        spec, expose = self.spec.capabilities[key], setting.on[key]
        if expose is None:
            return None if spec.default is False else "False"
        given = [
            (name, self._field(setting, f"{key}.{name}", one)) for name, one in spec.config.items()
        ]
        usual = scenarios.served_channels(spec) if spec.expose is None else spec.expose
        if set(expose) != set(usual):
            channels = ", ".join(f"Channels.{channel.upper()}" for channel in expose)
            given.append(("expose", f"{{{channels}}}"))
        if text := _joined(given):
            return f"{spec.param}({text})"
        return None if spec.default is True else "True"


def _joined(given: list[tuple[str, str | None]]) -> str:
    return ", ".join(f"{name}={text}" for name, text in given if text is not None)


def flips(card: CardSpec, values: Values) -> list[tuple[str, Setting]]:
    """For each condition, everything on and that one condition the other way round."""
    full = scenarios.everything(card)
    found: dict[str, Setting] = {}
    for name, owner in scenarios.conditions(card):
        key, spec = _condition_field(card, name, owner)
        if spec is None:
            continue
        now = full.holds(name, owner)
        for value in _other_way(spec, values, now=now):
            title = f"{key} {'not set' if now else 'set'}"
            found[title] = Setting(card, full.on, {key: value})
    return list(found.items())


def _condition_field(card: CardSpec, name: str, owner: str | None) -> tuple[str, FieldSpec | None]:
    """The field behind a condition; `None` when it is about a capability being on."""
    if "." not in name and owner is not None and name in card.capabilities[owner].config:
        name = f"{owner}.{name}"
    capability, _, field = name.rpartition(".")
    fields = card.capabilities[capability].config if capability else card.fields
    return name, fields.get(field)


def _other_way(spec: FieldSpec, values: Values, *, now: bool) -> list[object]:
    """The value that turns a condition; none when the field is always set."""
    if not now:
        return [True] if values.only_truth(spec) else [SAMPLE]
    if values.may_be_false(spec):
        return [False]
    return [None] if values.may_be_none(spec) else []
