"""What an expression may be, and what it reads on the way."""

import ast
from collections.abc import Sequence

from .calls import Calls
from .code import Body
from .flow import Flow
from .tokens import NOTHING, Token, Tokens

_LITERALS = (ast.Tuple, ast.List, ast.Set)


class Values:
    """Evaluates the expressions of one function."""

    def __init__(self, flow: Flow, body: Body) -> None:
        self.flow = flow
        self.body = body
        self.nested: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        self._calls = Calls(self)

    def of(self, node: ast.expr) -> Tokens:
        """What a node may be; all that it reads is noted."""
        match node:
            case ast.Name():
                return self._name(node.id)
            case ast.Attribute():
                return self.attribute(self.of(node.value), node.attr)
            case ast.Call():
                return self._calls.of(node)
            case ast.NamedExpr():
                self.bind(node.target, self.of(node.value))
                return self.of(node.value)
            case ast.Starred():
                return self.items(node.value)
            case _:
                return self._compound(node)

    def _compound(self, node: ast.expr) -> Tokens:
        match node:
            case ast.Lambda():
                self.defaults(node.args)
                self.flow.ledger.hold((self.body.key, "return"), self.of(node.body))
            case ast.Yield() | ast.YieldFrom() if node.value is not None:
                self.flow.ledger.hold((self.body.key, "return"), self.of(node.value))
            case ast.FormattedValue():
                self.flow.ledger.escape(self._parts(node))
            case ast.Compare():
                self._compared(node)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehension(node)
            case _:
                return self._parts(node)
        return NOTHING

    def defaults(self, given: ast.arguments) -> None:
        """Defaults of a function inside go where they cannot be followed."""
        for default in (*given.defaults, *filter(None, given.kw_defaults)):
            self.flow.ledger.escape(self.of(default))

    def items(self, node: ast.expr) -> Tokens:
        """What iterating over a node gives; iterating over a config reads all of it."""
        held = self.of(node)
        if not isinstance(node, _LITERALS):
            self.flow.ledger.escape(held)
        return held

    def bind(self, target: ast.expr, held: Tokens) -> None:
        """Let a target of an assignment hold values; elsewhere they cannot be followed."""
        match target:
            case ast.Name():
                self.flow.ledger.hold((self.body.key, target.id), held)
            case ast.Tuple() | ast.List():
                for one in target.elts:
                    self.bind(one, held)
            case ast.Starred():
                self.bind(target.value, held)
            case ast.Attribute():
                self._bind_attribute(target, held)
            case _:
                self._parts(target)
                self.flow.ledger.escape(held)

    def attribute(self, base: Tokens, name: str) -> Tokens:
        """What values have under a name."""
        found = NOTHING
        for token in base:
            if token.kind in {"card", "config"}:
                found |= self.flow.ledger.attribute(token, name)
            elif token.kind == "logic" and name == "card":
                found |= frozenset({Token("card")})
            else:
                found |= self._member(token, name)
        return found

    def _member(self, token: Token, name: str) -> Tokens:
        path = self.flow.logic.path if token.kind == "logic" else token.name
        found = self.flow.ledger.held.get((path, name), NOTHING)
        owner = self.flow.logic if token.kind == "logic" else self.flow.code.found(path)
        if owner is None:
            return found
        annotated = self.flow.code.annotation(owner, name)
        if annotated is not None:
            found |= self.flow.annotated(*annotated)
        method = self.flow.code.method(owner, name)
        if method is not None:
            self.flow.reach(method, frozenset({token}))
            if method.has_decorator("property", "cached_property"):
                found |= self.flow.ledger.held.get((method.key, "return"), NOTHING)
        return found

    def _name(self, name: str) -> Tokens:
        module = self.body.module
        reached = self.flow.code.function(self.flow.code.target(module, name))
        if reached is not None:
            self.flow.reach(reached)
        return self.flow.ledger.held.get((self.body.key, name), NOTHING)

    def _bind_attribute(self, target: ast.Attribute, held: Tokens) -> None:
        owners = [one for one in self.of(target.value) if one.kind in {"logic", "object"}]
        for token in owners:
            path = self.flow.logic.path if token.kind == "logic" else token.name
            self.flow.ledger.hold((path, target.attr), held)
        if not owners:
            self.flow.ledger.escape(held)

    def _compared(self, node: ast.Compare) -> None:
        """Comparing by `is` reads nothing, nor does comparing with a constant."""
        sides = [node.left, *node.comparators]
        found = [self.of(one) for one in sides]
        by_identity = all(isinstance(one, ast.Is | ast.IsNot) for one in node.ops)
        if not by_identity and not any(isinstance(one, ast.Constant) for one in sides):
            for held in found:
                self.flow.ledger.escape(held)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> Tokens:
        for one in node.generators:
            self.bind(one.target, self.items(one.iter))
            for test in one.ifs:
                self.of(test)
        parts: Sequence[ast.expr] = (
            [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        )
        return frozenset(token for part in parts for token in self.of(part))

    def _parts(self, node: ast.AST) -> Tokens:
        """Containers, choices and the like: what any part may be."""
        found = NOTHING
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                found |= self.of(child)
        return found
