"""The modules that a card's handwritten classes reach, nearest first."""

import ast
from collections.abc import Iterable, Iterator

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


def says(modules: Iterable[Module], text: str) -> bool:
    """Whether a text is written out in any module."""
    return any(
        isinstance(node, ast.Constant) and node.value == text
        for module in modules
        if text in module.text
        for node in ast.walk(module.tree)
    )


def mentions(modules: Iterable[Module], names: Iterable[str]) -> bool:
    """Whether any module uses one of these names; importing one is no use."""
    wanted = frozenset(names)
    return any(
        _name(node) in wanted
        for module in modules
        if any(name in module.text for name in wanted)
        for node in ast.walk(module.tree)
    )


def _name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None
