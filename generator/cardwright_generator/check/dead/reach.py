"""The modules that a card's handwritten classes reach, nearest first."""

import ast
from collections.abc import Callable, Iterable, Iterator

from cardwright_generator.check.modules import Module

from .code import Code


def reached_modules(starts: Iterable[str], code: Code) -> Iterator[Module]:
    """The named modules of the project, then what they import of it, each once."""
    waiting, seen = list(dict.fromkeys(starts)), set[str]()
    while waiting:
        name = waiting.pop(0)
        module = None if name in seen else code.module(name)
        seen.add(name)
        if module is None:
            continue
        yield module
        for source in module.imports.values():
            where, _, what = source.partition(":")
            waiting += [where, *([f"{where}.{what}"] if what else [])]


def any_module(modules: Iterable[Module], test: Callable[[ast.AST], bool]) -> bool:
    """Whether a node of any module passes; modules are read one by one until one does."""
    return any(test(node) for module in modules for node in ast.walk(module.tree))


def says(texts: Iterable[str]) -> Callable[[ast.AST], bool]:
    """Whether a node is one of these texts, written out."""
    wanted = frozenset(texts)
    return lambda node: isinstance(node, ast.Constant) and node.value in wanted


def mentions(names: Iterable[str]) -> Callable[[ast.AST], bool]:
    """Whether a node uses one of these names; importing one is no use."""
    wanted = frozenset(names)

    def test(node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return node.id in wanted
        return isinstance(node, ast.Attribute) and node.attr in wanted

    return test
