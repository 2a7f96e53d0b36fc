"""Follows the card and its configs through functions, until nothing new is learnt."""

import ast
from collections.abc import Iterable

from cardwright_generator.check.modules import Found, Module

from .code import Body, Code, methods, names_in
from .tokens import CARD, LOGIC, NOTHING, Ledger, Token, Tokens

_ROUNDS = 20
"""More rounds than values can take new ways in code that people write."""


class Flow:
    """One analysis: which functions are reached, and what their variables may hold."""

    def __init__(self, code: Code, ledger: Ledger, logic: Found) -> None:
        self.code = code
        self.ledger = ledger
        self.logic = logic
        self._owners = ledger.suspects.owners
        self._reached: dict[str, Body] = {}
        self._opened: set[str] = set()

    def run(self) -> None:
        """Follow values from the methods of the logic until all fields are read or all is known."""
        for owner in self.code.line(self.logic):
            for body in methods(owner):
                self.start(body)
        self._until_known()

    def add(self, bodies: Iterable[Body]) -> None:
        """Follow values from further functions, too: of hosts, tests and the logic of other cards.

        Whoever makes a card and hands it to a host reads nothing of it; only what is read by name
        counts here.
        """
        self.ledger.trusting = False
        for body in bodies:
            self.reach(body)
        self._until_known()

    def start(self, body: Body) -> None:
        """Reach a method of the logic: it is the logic, and may be handed a config."""
        capability = self.ledger.suspects.configs.get(body.node.name)
        for parameter in body.parameters:
            if parameter.arg == "config" and capability is not None:
                self.ledger.hold((body.key, "config"), frozenset({Token("config", capability)}))
        self.reach(body, frozenset({LOGIC}))

    def reach(self, body: Body, holder: Tokens = NOTHING) -> None:
        """Note that a function runs; `holder` is what its first parameter is in a method."""
        if body.key not in self._reached:
            self._reached[body.key] = body
            self.ledger.size += 1
            for parameter in body.parameters:
                if parameter.annotation is not None:
                    held = self.annotated(body.module, parameter.annotation)
                    self.ledger.hold((body.key, parameter.arg), held)
        bound = body.owner is not None and not body.has_decorator("staticmethod", "classmethod")
        if holder and bound and body.parameters:
            self.ledger.hold((body.key, body.parameters[0].arg), holder)

    def open(self, found: Found) -> Token:
        """The object of a class of the project; its methods run when they are called."""
        return LOGIC if found.path == self.logic.path else Token("object", found.path)

    def run_all(self, path: str) -> None:
        """Every method of a class runs: an actor was started that reads its configuration."""
        found = self.code.found(path)
        if found is not None and path not in self._opened:
            self._opened.add(path)
            for owner in self.code.line(found):
                for body in methods(owner):
                    self.reach(body, frozenset({Token("object", path)}))

    def annotated(self, module: Module, annotation: ast.expr) -> Tokens:
        """What a value may be by its annotation: the card, a config, an object of the project."""
        found = set[Token]()
        for name in names_in(annotation):
            last = name.rpartition(".")[2]
            if last in self._owners:
                owner = self._owners[last]
                found.add(Token("config", owner) if owner else CARD)
            elif (target := self.code.found(self.code.target(module, name))) is not None:
                found.add(self.open(target))
        return frozenset(found)

    def _until_known(self) -> None:
        from .statements import Walk

        for _ in range(_ROUNDS):
            before = self.ledger.size
            for body in tuple(self._reached.values()):
                Walk(self, body).run()
            if self.ledger.size == before or not self.ledger.unread:
                return
