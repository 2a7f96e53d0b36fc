"""What the analysis knows of a value: that it is the card, a config, the logic, or an object."""

from dataclasses import dataclass, field
from typing import Literal

from .suspects import Suspects

type Kind = Literal["card", "config", "logic", "object"]
type Field = tuple[str, str]
"""Capability, or `""` for the card, and the name of a field."""


@dataclass(frozen=True, slots=True)
class Token:
    """A value that is followed: `name` is the capability of a config, the class of an object."""

    kind: Kind
    name: str = ""


type Tokens = frozenset[Token]
type Slot = tuple[str, str]
"""A variable: the function, class or module it belongs to, and its name."""

NOTHING: Tokens = frozenset()
CARD = Token("card")
LOGIC = Token("logic")

_WHOLE = frozenset(
    {"__dict__", "copy", "dict", "json", "model_dump", "model_dump_json", "model_fields_set"}
)
"""What a model has that tells all its fields at once."""
_OF_CARDS = frozenset(
    {
        "depends_on",
        "get_commands",
        "get_context_states",
        "get_system_prompts",
        "get_tools",
        "get_toolsets",
        "logic",
        "logic_path",
        "observer",
    }
)
"""What generated code gives every card; what that reads, no logic does."""


@dataclass(slots=True)
class Ledger:
    """What was read so far, and what each variable may hold; both only grow."""

    suspects: Suspects
    read: set[Field] = field(default_factory=set[Field])
    held: dict[Slot, Tokens] = field(default_factory=dict[Slot, Tokens])
    trusting: bool = True
    """Whether what went out of sight counts as read."""
    size: int = 0
    """Grows with everything that is learnt: unchanged after a round means that all is known."""

    @property
    def unread(self) -> list[Field]:
        """Fields that nothing was seen to read, in the order of the spec."""
        every = [(owner, name) for owner, names in self.suspects.fields.items() for name in names]
        return [one for one in every if one not in self.read]

    def hold(self, slot: Slot, tokens: Tokens) -> None:
        """Note that a variable may hold these values."""
        before = self.held.get(slot, NOTHING)
        if not tokens <= before:
            self.held[slot] = before | tokens
            self.size += 1

    def attribute(self, token: Token, name: str) -> Tokens:
        """What a card or config has under a name; reading a field is noted."""
        owner = token.name
        if name in self.suspects.known.get(owner, ()):
            self._note((owner, name))
            return NOTHING
        if token.kind == "card" and name in self.suspects.params:
            return frozenset({Token("config", name)})
        if self._tells_all(token, name):
            self.escape(frozenset({token}))
        return NOTHING

    def _tells_all(self, token: Token, name: str) -> bool:
        """Whether an attribute that is no field may read fields.

        A param is generated, so it has nothing else: one of another's fields means that variables
        of two params were taken for one. A card may have a handwritten subclass.
        """
        if name in _WHOLE:
            return True
        known = any(name in fields for fields in self.suspects.known.values())
        return token.kind == "card" and not known and name not in _OF_CARDS

    def escape(self, tokens: Tokens) -> None:
        """Note that values went where they cannot be followed: all in them may be read."""
        if not self.trusting:
            return
        waiting, seen = [*tokens], set[Token]()
        while waiting:
            token = waiting.pop()
            if token in seen:
                continue
            seen.add(token)
            for owner in self._owners(token):
                for name in self.suspects.known.get(owner, ()):
                    self._note((owner, name))
            waiting += [] if token.kind in {"card", "config"} else self._inside(token)

    def _owners(self, token: Token) -> list[str]:
        if token.kind == "config":
            return [token.name]
        return [*self.suspects.known] if token.kind in {"card", "logic"} else []

    def _inside(self, token: Token) -> list[Token]:
        return [
            one for (owner, _), held in self.held.items() if owner == token.name for one in held
        ]

    def _note(self, found: Field) -> None:
        if found not in self.read:
            self.read.add(found)
            self.size += 1
