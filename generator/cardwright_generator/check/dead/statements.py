"""What the statements of one function do with the values that are followed."""

import ast
from collections.abc import Iterable

from .code import Body
from .expressions import Values
from .flow import Flow
from .tokens import NOTHING, Tokens


class Walk(ast.NodeVisitor):
    """One pass over one function; functions inside it share its variables."""

    def __init__(self, flow: Flow, body: Body) -> None:
        self._flow = flow
        self._body = body
        self._values = Values(flow, body)
        self._inside: list[str] = []

    def run(self) -> None:
        """Walk the body once."""
        for statement in self._body.node.body:
            self.visit(statement)

    def visit(self, node: ast.AST) -> None:
        """Evaluate expressions; handle statements by kind."""
        if isinstance(node, ast.expr):
            self._values.of(node)
        else:
            super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Walk a function inside: it runs when its name is called."""
        self._nested(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """As `visit_FunctionDef`."""
        self._nested(node)

    def _nested(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._values.defaults(node.args)
        self._values.nested[node.name] = node
        self._inside.append(node.name)
        for statement in node.body:
            self.visit(statement)
        self._inside.pop()

    def visit_Return(self, node: ast.Return) -> None:
        """What a function returns is what calls of it are."""
        held = NOTHING if node.value is None else self._values.of(node.value)
        if self._inside:
            self._flow.ledger.hold((self._body.key, self._inside[-1]), held)
        elif self._is_endpoint:
            self._flow.ledger.escape(held)
        else:
            self._flow.ledger.hold((self._body.key, "return"), held)

    @property
    def _is_endpoint(self) -> bool:
        owner = self._body.owner
        return (
            owner is not None
            and owner.path == self._flow.logic.path
            and (not self._body.node.name.startswith("_"))
        )

    def visit_Assign(self, node: ast.Assign) -> None:
        """Targets hold what the value is."""
        held = self._values.of(node.value)
        for target in node.targets:
            self._values.bind(target, held)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """As an assignment; the annotation may say more."""
        held = self._flow.annotated(self._body.module, node.annotation)
        if node.value is not None:
            held |= self._values.of(node.value)
        self._values.bind(node.target, held)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """As an assignment."""
        self._values.bind(node.target, self._values.of(node.value))

    def visit_For(self, node: ast.For) -> None:
        """Items hold what the sequence does."""
        self._loop(node.target, node.iter, (*node.body, *node.orelse))

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        """As `visit_For`."""
        self._loop(node.target, node.iter, (*node.body, *node.orelse))

    def _loop(self, target: ast.expr, source: ast.expr, body: Iterable[ast.stmt]) -> None:
        self._values.bind(target, self._values.items(source))
        for statement in body:
            self.visit(statement)

    def visit_withitem(self, node: ast.withitem) -> None:
        """What a context manager of a value gives is taken for the value."""
        held = self._values.of(node.context_expr)
        if node.optional_vars is not None:
            self._values.bind(node.optional_vars, held)

    def visit_Match(self, node: ast.Match) -> None:
        """Patterns read fields and bind names."""
        subject = self._values.of(node.subject)
        for case in node.cases:
            self._pattern(case.pattern, subject)
            for inner in filter(None, [case.guard, *case.body]):
                self.visit(inner)

    def _pattern(self, pattern: ast.pattern, subject: Tokens) -> None:
        inner = subject
        if isinstance(pattern, ast.MatchClass):
            for name, one in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
                self._pattern(one, self._values.attribute(subject, name))
            if pattern.patterns:
                self._flow.ledger.escape(subject)
            return
        if isinstance(pattern, ast.MatchAs | ast.MatchStar) and pattern.name is not None:
            self._values.bind(ast.Name(pattern.name, ast.Store()), subject)
        if isinstance(pattern, ast.MatchValue):
            self.visit(pattern.value)
        for child in ast.iter_child_nodes(pattern):
            if isinstance(child, ast.pattern):
                self._pattern(child, inner)
