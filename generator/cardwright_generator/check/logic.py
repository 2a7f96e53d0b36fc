"""A logic class against the contract that was generated for it."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .modules import Found, Modules

INHERITED = frozenset({"bind"})
"""Methods of the core's `CardLogic` that a logic may override."""

type Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong at a class, a method or a call."""

    owner: Found
    node: ast.stmt | ast.expr
    code: str
    message: str
    hint: str


def flaws_of_logic(
    logic: Found, contract: str, methods: Sequence[str], modules: Modules
) -> Iterator[Flaw]:
    """What keeps a logic class from its contract (`module:Class`, with those abstract methods)."""
    name, base = logic.node.name, contract.partition(":")[2]
    if not decorated(logic.node, "final"):
        hint = "decorate the class with @final"
        yield Flaw(logic, logic.node, "CW912", f"'{name}' is not final", hint)
    bases = modules.ancestors(logic, stop=contract)
    if contract not in bases:
        hint = f"from {contract.partition(':')[0]} import {base}"
        yield Flaw(logic, logic.node, "CW913", f"'{name}' does not extend '{base}'", hint)
        return
    yield from _Methods(logic, base, bases.pop(contract), bases).flaws(methods)


class _Methods:
    """The methods of a logic beside those of its contract."""

    def __init__(
        self, logic: Found, base: str, contract: Found | None, others: Mapping[str, Found | None]
    ) -> None:
        self._logic = logic
        self._name = logic.node.name
        self._base = base
        self._declared = {} if contract is None else functions(contract.node)
        owners = [logic, *(one for one in others.values() if one is not None)]
        self._defined = {
            name: (owner, node)
            for owner in reversed(owners)
            for name, node in functions(owner.node).items()
        }
        self._inherited = frozenset(name for owner in owners[1:] for name in functions(owner.node))

    def flaws(self, methods: Sequence[str]) -> Iterator[Flaw]:
        for name in methods:
            yield from self._of_method(name)
        known = {*methods, *INHERITED, *self._inherited}
        for name, (owner, node) in self._defined.items():
            if decorated(node, "override") and name not in known:
                message = f"'{self._name}.{name}' overrides nothing in '{self._base}'"
                hint = f"the spec has no endpoint '{name}': rename or delete the method"
                yield Flaw(owner, node, "CW916", message, hint)

    def _of_method(self, name: str) -> Iterator[Flaw]:
        if name not in self._defined:
            message = f"'{self._name}' lacks the method '{name}'"
            hint = f"implement it as '{self._base}' declares it"
            yield Flaw(self._logic, self._logic.node, "CW914", message, hint)
            return
        owner, node = self._defined[name]
        if not decorated(node, "override"):
            message = f"'{self._name}.{name}' has no @override"
            yield Flaw(owner, node, "CW915", message, "decorate the method with @override")
        declared = self._declared.get(name)
        if declared is not None and signature(node) != signature(declared):
            message = f"'{self._name}.{name}' is `{signature(node)}`"
            yield Flaw(owner, node, "CW918", message, f"the contract says `{signature(declared)}`")


def functions(node: ast.ClassDef) -> dict[str, Function]:
    """The methods a class defines itself."""
    return {
        item.name: item
        for item in node.body
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def decorated(node: ast.ClassDef | Function, name: str) -> bool:
    """Whether a decorator of that name stands on a class or method, whatever it came from."""
    return any(ast.unparse(item).rpartition(".")[2] == name for item in node.decorator_list)


def signature(node: Function) -> str:
    """The head of a method without types and defaults: `async def name(self, *, text)`."""
    given = node.args
    parts = [one.arg for one in (*given.posonlyargs, *given.args)]
    parts += [f"*{given.vararg.arg}"] if given.vararg else ["*"] if given.kwonlyargs else []
    parts += [one.arg for one in given.kwonlyargs]
    parts += [f"**{given.kwarg.arg}"] if given.kwarg else []
    asynchronous = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    return f"{asynchronous}def {node.name}({', '.join(parts)})"
