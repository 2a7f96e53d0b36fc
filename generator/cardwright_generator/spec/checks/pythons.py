"""Python types in specs: where they are from, and whether they are types (CW415, CW435)."""

import sys
from collections.abc import Iterator

from cardwright_generator.spec import naming
from cardwright_generator.spec.python_types import verdict
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.words import within

_STANDARD = frozenset(sys.stdlib_module_names)
_OURS = frozenset({"cardwright.core"})
_PROBLEMS = {
    "anything": "says nothing about the value",
    "function": "is no class",
    "generic": "needs parameters, which a spec cannot write",
    "missing": "does not exist",
}


@rule("CW415")
def python_modules(subject: Subject) -> Iterator[Finding]:
    """Check that `python:` names a module that emitted code may import."""
    for node in subject.nodes:
        found = naming.OBJECT_PATH.match(node.schema.python or "")
        if found and not _importable(found["module"], subject.around.python_modules):
            message = f"'python' of {within(node.path)} may not import '{found['module']}'"
            hint = "list the module in `[tool.cardwright] python-modules`"
            yield Finding((*node.path, "python"), message, hint)


def _importable(module: str, listed: frozenset[str]) -> bool:
    root = module.partition(".")[0]
    return root in _STANDARD | {"pydantic"} or module in _OURS | listed


@rule("CW435")
def python_types(subject: Subject) -> Iterator[Finding]:
    """Check that `python:` names a class: looked up in the text of its module."""
    for node in subject.nodes:
        found = naming.OBJECT_PATH.match(node.schema.python or "")
        if not found or not _importable(found["module"], subject.around.python_modules):
            continue
        name = found["name"]
        problem = "missing" if naming.is_keyword(name) else _problem(found["module"], name, subject)
        if told := _PROBLEMS.get(problem):
            message = f"the Python type '{found.string}' of {within(node.path)} {told}"
            yield Finding((*node.path, "python"), message, "name a class, or an alias of a type")


def _problem(module: str, name: str, subject: Subject) -> str:
    return verdict(module, name, subject.around.roots)
