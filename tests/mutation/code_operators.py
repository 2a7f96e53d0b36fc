"""Operators over generated Python: each yields the tree with one change, and where it is."""

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from zlib import crc32


@dataclass(frozen=True)
class CodeMutant:
    """A generated module with one change."""

    operator: str
    file: str
    line: int
    text: str

    @property
    def told(self) -> str:
        return f"{self.operator} at {self.file}:{self.line}"


type Change = Callable[[ast.AST], bool]
"""Changes a node of the copied tree in place; false if there is nothing to change."""

CODE_OPERATORS: dict[str, Change] = {}


def code_operator(change: Change) -> Change:
    """Register an operator under the name of its function."""
    CODE_OPERATORS[change.__name__] = change
    return change


def code_mutants(file: str, source: str, one_in: int = 1) -> Iterator[CodeMutant]:
    """Every mutant of a module, or a sample that is the same in every run."""
    tree = ast.parse(source)
    nodes = [(at, node) for at, node in enumerate(ast.walk(tree)) if isinstance(node, LOOKED_AT)]
    for name, change in CODE_OPERATORS.items():
        for at, node in nodes:
            if crc32(f"{name} {file} {at}".encode()) % one_in or not change(deepcopy(node)):
                continue
            copy = ast.parse(source)
            change(next(islice(ast.walk(copy), at, None)))
            line = getattr(node, "lineno", 1)
            yield CodeMutant(name, file, line, ast.unparse(ast.fix_missing_locations(copy)))


LOOKED_AT = (
    ast.AnnAssign,
    ast.Assign,
    ast.Attribute,
    ast.Call,
    ast.ClassDef,
    ast.FunctionDef,
    ast.If,
    ast.Subscript,
)


def _plain(node: ast.AST) -> ast.FunctionDef | None:
    return node if isinstance(node, ast.FunctionDef) and not node.name.startswith("__") else None


@code_operator
def drop_decorator(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
        return False
    if ast.unparse(node.decorator_list[0]) in {"override", "property"}:
        return False  # the type checker's, and one that has no default
    node.decorator_list.pop()
    return True


@code_operator
def swap_channel(node: ast.AST) -> bool:
    if not isinstance(node, ast.Attribute) or ast.unparse(node.value) != "Channels":
        return False
    node.attr = "SYSTEM_PROMPT" if node.attr != "SYSTEM_PROMPT" else "COMMAND"
    return True


@code_operator
def change_default(node: ast.AST) -> bool:
    value = node.value if isinstance(node, ast.AnnAssign) else None
    if not isinstance(value, ast.Constant) or isinstance(value.value, type(...)):
        return False
    value.value = _other(value.value)
    return True


def _other(value: object) -> str | int | float | bool:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return f"{value}x" if isinstance(value, str) else 0


@code_operator
def change_default_of_parameter(node: ast.AST) -> bool:
    found = _plain(node)
    if found is None or not found.args.defaults:
        return False
    last = found.args.defaults[-1]
    if isinstance(last, ast.Constant):
        found.args.defaults[-1] = ast.Constant(_other(last.value))
    else:
        found.args.defaults[-1] = ast.Constant(7)
    return True


@code_operator
def drop_default_of_parameter(node: ast.AST) -> bool:
    found = _plain(node)
    if found is None or not found.args.defaults:
        return False
    found.args.defaults.pop(0)
    return True


@code_operator
def rename_parameter(node: ast.AST) -> bool:
    found = _plain(node)
    named = [] if found is None else [*found.args.args, *found.args.kwonlyargs]
    named = [one for one in named if one.arg not in {"self", "config"}]
    if found is None or not named:
        return False
    old, named[0].arg = named[0].arg, "renamed"
    for inner in ast.walk(found):
        if isinstance(inner, ast.Name) and inner.id == old and isinstance(inner.ctx, ast.Load):
            inner.id = "renamed"
    return True


@code_operator
def drop_parameter(node: ast.AST) -> bool:
    found = _plain(node)
    if found is None or not found.args.kwonlyargs:
        return False
    found.args.kwonlyargs.pop()
    found.args.kw_defaults.pop()
    return True


@code_operator
def swap_arguments_of_call(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or len(node.keywords) < 2:
        return False
    if not ast.unparse(node.func).startswith("self.logic."):
        return False
    first, second = node.keywords[:2]
    first.value, second.value = second.value, first.value
    return True


@code_operator
def rename_function(node: ast.AST) -> bool:
    found = _plain(node)
    if found is None or found.name == "logic" or found.name.startswith("get_"):
        return False
    found.name = f"{found.name}_other"
    return True


@code_operator
def drop_field(node: ast.AST) -> bool:
    if not isinstance(node, ast.ClassDef):
        return False
    fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
    if not fields:
        return False
    node.body.remove(fields[-1])
    node.body = node.body or [ast.Pass()]
    return True


@code_operator
def drop_first_field(node: ast.AST) -> bool:
    if not isinstance(node, ast.ClassDef):
        return False
    fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
    if len(fields) < 2:
        return False
    node.body.remove(fields[0])
    return True


@code_operator
def drop_method(node: ast.AST) -> bool:
    if not isinstance(node, ast.ClassDef):
        return False
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    if not methods:
        return False
    node.body.remove(methods[-1])
    node.body = node.body or [ast.Pass()]
    return True


@code_operator
def change_base(node: ast.AST) -> bool:
    if not isinstance(node, ast.ClassDef) or not node.bases:
        return False
    base = ast.unparse(node.bases[0])
    other = {"Data": "PlainData", "PlainData": "Data", "BaseToolParam": "object"}.get(base)
    if other is None:
        return False
    node.bases[0] = ast.Name(other, ast.Load())
    return True


@code_operator
def invert_condition(node: ast.AST) -> bool:
    if not isinstance(node, ast.If) or ast.unparse(node.test) == "TYPE_CHECKING":
        return False
    node.test = ast.UnaryOp(ast.Not(), node.test)
    return True


@code_operator
def serve_nothing(node: ast.AST) -> bool:
    if not isinstance(node, ast.If) or ast.unparse(node.test) == "TYPE_CHECKING":
        return False
    node.body = [ast.Pass()]
    return True


@code_operator
def change_description(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "Field":
        return False
    for keyword in node.keywords:
        if keyword.arg == "description" and isinstance(keyword.value, ast.Constant):
            keyword.value.value = "Something else."
            return True
    return False


@code_operator
def change_bound(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or ast.unparse(node.func) not in {"Field", "Truncate"}:
        return False
    if not node.keywords and node.args and isinstance(node.args[0], ast.Constant):
        node.args[0] = ast.Constant(7)
        return True
    for keyword in node.keywords:
        if keyword.arg in {"ge", "le", "gt", "lt", "max_length", "min_length"}:
            keyword.value = ast.Constant(7)
            return True
        if keyword.arg == "pattern":
            keyword.value = ast.Constant("^x$")
            return True
    return False


@code_operator
def drop_choice(node: ast.AST) -> bool:
    if not isinstance(node, ast.Subscript) or ast.unparse(node.value) != "Literal":
        return False
    if not isinstance(node.slice, ast.Tuple):
        return False
    node.slice.elts.pop()
    return True


@code_operator
def change_policy(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "ToolPolicy":
        return False
    node.keywords = node.keywords[1:]
    return True


@code_operator
def change_docstring(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.ClassDef) or not ast.get_docstring(node):
        return False
    node.body[0] = ast.Expr(ast.Constant("Something else."))
    return True


@code_operator
def change_table(node: ast.AST) -> bool:
    """Old names, migrations and places of logic are dictionaries and texts of the class."""
    if not isinstance(node, ast.AnnAssign) or "ClassVar" not in ast.unparse(node.annotation):
        return False
    if isinstance(node.value, ast.Dict):
        node.value = ast.Dict([], [])
        return True
    return False


@code_operator
def rename_actor(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith(".tool_actor"):
        return False
    node.args[0] = ast.Constant("#Other")
    return True


@code_operator
def drop_from_table_of_names(node: ast.AST) -> bool:
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    if ast.unparse(target) not in {"__all__", "CARDS", "TYPES"}:
        return False
    if isinstance(node.value, ast.List) and node.value.elts:
        node.value.elts.pop(0)
        return True
    if isinstance(node.value, ast.Dict) and node.value.keys:
        node.value.keys.pop(0)
        node.value.values.pop(0)
        return True
    return False
