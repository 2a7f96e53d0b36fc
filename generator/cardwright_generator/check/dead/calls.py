"""Calls: values go into functions of the project, or out of sight."""

import ast
from typing import TYPE_CHECKING

from .code import Body, text_of
from .tokens import LOGIC, NOTHING, Token, Tokens

if TYPE_CHECKING:
    from .expressions import Values

_HARMLESS = frozenset(
    {"bool", "callable", "hasattr", "id", "isinstance", "issubclass", "len", "super", "type"}
)
_PASSING = frozenset({"cast", "copy", "deepcopy", "model_copy", "ref", "resolve", "served"})
"""Functions of libraries that give back what they are given."""


class Calls:
    """Evaluates the calls in one function."""

    def __init__(self, values: "Values") -> None:
        self._values = values
        self._flow = values.flow

    def of(self, call: ast.Call) -> Tokens:
        """What a call gives back."""
        name = ast.unparse(call.func).rpartition(".")[2] if _is_plain(call.func) else ""
        if name == "getattr" and len(call.args) > 1:
            return self._getattr(call)
        if name == "partial" and call.args:  # what is given now is given to the function
            return self.of(ast.Call(call.args[0], call.args[1:], call.keywords))
        if name in _HARMLESS and isinstance(call.func, ast.Name):
            return self._harmless(call, name)
        if name in _PASSING:
            return self._passed(call)
        return self._resolved(call, name)

    def _getattr(self, call: ast.Call) -> Tokens:
        base, name = self._values.of(call.args[0]), call.args[1]
        rest = [self._values.of(one) for one in call.args[2:]]
        said = text_of(self._values.body.module, name)
        if said is not None:
            return self._values.attribute(base, said).union(*rest)
        self._values.of(name)
        self._flow.ledger.escape(base)
        return NOTHING

    def _harmless(self, call: ast.Call, name: str) -> Tokens:
        for given in call.args:
            self._values.of(given)
        if name == "isinstance" and len(call.args) > 1:
            told = self._flow.annotated(self._values.body.module, call.args[1])
            if told and isinstance(call.args[0], ast.Name):
                self._values.bind(call.args[0], told)
        return NOTHING

    def _passed(self, call: ast.Call) -> Tokens:
        """A copy or cast of a value is the value."""
        held = self._values.of(call.func.value) if isinstance(call.func, ast.Attribute) else NOTHING
        for given in (*call.args, *(one.value for one in call.keywords)):
            held |= self._values.of(given)
        if call.args and ast.unparse(call.func).endswith("cast"):
            held |= self._flow.annotated(self._values.body.module, call.args[0])
        return held

    def _resolved(self, call: ast.Call, name: str) -> Tokens:
        if isinstance(call.func, ast.Attribute):
            return self._method(call, call.func)
        if isinstance(call.func, ast.Name):
            nested = self._values.nested.get(name)
            if nested is not None:
                inside = Body(self._values.body.module, nested)
                self._give(call, inside, self._values.body.key, skip=0)
                return self._held(self._values.body.key, name)
            return self._named(call, call.func.id)
        held = self._values.of(call.func)
        self._away(call)
        return held

    def _method(self, call: ast.Call, func: ast.Attribute) -> Tokens:
        base = self._values.of(func.value)
        results, known = NOTHING, False
        for token in base:
            body = self._body(token, func.attr)
            if body is not None:
                known = True
                self._flow.reach(body, frozenset({token}))
                plain = body.has_decorator("staticmethod")
                self._give(call, body, body.key, skip=0 if plain else 1)
                results |= self._held(body.key, "return") | self._returned(body)
            elif token == LOGIC and func.attr.endswith("_actor"):
                known = True
                self._actor(call, func.attr.removesuffix("_actor"))
            else:
                results |= self._values.attribute(frozenset({token}), func.attr)
        if known:
            return results
        dotted = ast.unparse(func) if _is_plain(func) else ""
        return results | (self._named(call, dotted) if dotted else self._sent(call))

    def _body(self, token: Token, name: str) -> Body | None:
        if token.kind == "logic":
            return self._flow.code.method(self._flow.logic, name)
        found = self._flow.code.found(token.name) if token.kind == "object" else None
        return None if found is None else self._flow.code.method(found, name)

    def _actor(self, call: ast.Call, key: str) -> None:
        """The configuration of an actor of the card: its methods read it as `self.config`."""
        held = self._arguments(call)
        path = self._flow.ledger.suspects.actors.get(key)
        if path is None or self._flow.code.found(path) is None:
            self._flow.ledger.escape(held)
        elif any(self._carries(token) for token in held):
            self._flow.ledger.hold((path, "config"), held)
            self._flow.run_all(path)

    def _carries(self, token: Token) -> bool:
        """Whether a value is followed, or an object has one that is."""
        if token.kind != "object":
            return True
        return any(
            owner == token.name and held for (owner, _), held in self._flow.ledger.held.items()
        )

    def _named(self, call: ast.Call, name: str) -> Tokens:
        """A call of a function or class by its name in this module."""
        target = self._flow.code.target(self._values.body.module, name)
        body = self._flow.code.function(target) or self._of_class(target)
        if body is not None:
            self._flow.reach(body)
            self._give(call, body, body.key, skip=body.has_decorator("classmethod"))
            return self._held(body.key, "return") | self._returned(body)
        found = self._flow.code.found(target)
        if found is not None:
            return self._made(call, target)
        owner = self._flow.ledger.suspects.owners.get(name.rpartition(".")[2])
        if owner is not None:
            self._away(call)
            return frozenset({Token("config", owner) if owner else Token("card")})
        return self._sent(call) | self._values.of(call.func)

    def _of_class(self, target: str) -> Body | None:
        """The method at `module:Class.name`, called through its class."""
        path, _, name = target.rpartition(".")
        found = self._flow.code.found(path) if ":" in path else None
        return None if found is None else self._flow.code.method(found, name)

    def _sent(self, call: ast.Call) -> Tokens:
        """A call of something unknown: a proxy of a class named in it, or out of sight."""
        objects = NOTHING
        for given in call.args:
            if isinstance(given, ast.Name | ast.Attribute):
                objects |= self._flow.annotated(self._values.body.module, given)
        self._away(call)
        return objects

    def _made(self, call: ast.Call, target: str) -> Tokens:
        """An object of a class: what it is given is in its attributes."""
        found = self._flow.code.found(target)
        if found is None:
            return NOTHING
        token = self._flow.open(found)
        start = self._flow.code.method(found, "__init__")
        if start is not None:
            self._flow.reach(start, frozenset({token}))
            self._give(call, start, start.key, skip=1)
            return frozenset({token})
        names = [
            ast.unparse(node.target)
            for one in self._flow.code.line(found)
            for node in one.node.body
            if isinstance(node, ast.AnnAssign)
        ]
        self._fill(call, names, found.path)
        after = self._flow.code.method(found, "__post_init__")
        if after is not None:
            self._flow.reach(after, frozenset({token}))
        return frozenset({token})

    def _returned(self, body: Body) -> Tokens:
        if body.node.returns is None:
            return NOTHING
        return self._flow.annotated(body.module, body.node.returns)

    def _give(self, call: ast.Call, body: Body, key: str, skip: int) -> None:
        """Bind arguments to parameters; what goes into `*args` or `**kwargs` is out of sight."""
        names = [one.arg for one in body.parameters]
        taken = len(body.node.args.posonlyargs) + len(body.node.args.args)
        self._fill(call, names[skip:], key, taken - skip)

    def _fill(self, call: ast.Call, names: list[str], key: str, taken: int | None = None) -> None:
        positional = names if taken is None else names[:taken]
        for position, given in enumerate(call.args):
            held = self._values.of(given)
            if position < len(positional) and not isinstance(given, ast.Starred):
                self._flow.ledger.hold((key, positional[position]), held)
            else:
                self._flow.ledger.escape(held)
        for named in call.keywords:
            held = self._values.of(named.value)
            if named.arg in names:
                self._flow.ledger.hold((key, named.arg), held)
            else:
                self._flow.ledger.escape(held)

    def _held(self, key: str, name: str) -> Tokens:
        return self._flow.ledger.held.get((key, name), NOTHING)

    def _arguments(self, call: ast.Call) -> Tokens:
        given = (*call.args, *(one.value for one in call.keywords))
        return frozenset(token for one in given for token in self._values.of(one))

    def _away(self, call: ast.Call) -> None:
        self._flow.ledger.escape(self._arguments(call))


def _is_plain(node: ast.expr) -> bool:
    """Whether a node is a name, or names with dots between."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
