"""Bodies of emitted types: fields spelled as everywhere else, renames declared.

datamodel-code-generator decides which classes and aliases there are, their order, bases,
docstrings and rebuilds. The fields are spelled by the function that also spells signatures, because
JSON Schema cannot say `unique_by`, `truncate`, `secret`, `auto` or `python`, and so that a type
reads the same in every emitted module.
"""

import ast

from cardwright_generator.model.annotations import Types
from cardwright_generator.model.code import Code, Import, literal
from cardwright_generator.model.schema import properties
from cardwright_generator.spec.language import PropertySpec, TypeSpec

from .environment import docstring

_LOCAL = ".types"


class Bodies:
    """Rewrites classes and aliases one after another, in the order of the module."""

    def __init__(self, specs: dict[str, TypeSpec], types: Types) -> None:
        self._specs = specs
        self._types = types
        self._open = set(specs)
        """Names not yet defined where the next statement stands."""
        self.imports: set[Import] = set()

    def finish(self, node: ast.stmt) -> str:
        """The text of one statement of the module."""
        name = defined_name(node)
        if name is None:
            return ast.unparse(node)
        spec = self._specs[name]
        text = (
            self._class(node, spec)
            if isinstance(node, ast.ClassDef)
            else f"type {name} = {self._alias(spec)}"
        )
        self._open.discard(name)
        return text

    def _alias(self, spec: TypeSpec) -> str:
        described = None if spec.description is None else literal(spec.description.strip())
        return self._spelled(self._types.annotation(spec, described))

    def _class(self, node: ast.ClassDef, spec: TypeSpec) -> str:
        bases = [ast.unparse(base) for base in node.bases]
        if spec.base == "context":
            bases = [f'{base}["{node.name}"]' for base in bases]
        lines = [f"class {node.name}({', '.join(bases)}):"]
        if spec.description is not None:
            lines += [f"    {docstring(spec.description.strip())}", ""]
        lines += self._renames(spec)
        lines += [f"    {self._field(name, prop)}" for name, prop in properties(spec).items()]
        return "\n".join(lines if len(lines) > 1 else [*lines, "    pass"])

    def _renames(self, spec: TypeSpec) -> list[str]:
        renamed = {
            prop.renamed_from: name for name, prop in properties(spec).items() if prop.renamed_from
        }
        if not renamed:
            return []
        self.imports |= {Import("typing", "ClassVar"), Import("collections.abc", "Mapping")}
        return [f"    renamed_fields: ClassVar[Mapping[str, str]] = {literal(renamed)}", ""]

    def _field(self, name: str, prop: PropertySpec) -> str:
        described = None if prop.description is None else literal(prop.description.strip())
        types = self._types.before([Import(_LOCAL, other) for other in self._open])
        spelled = self._spelled(types.annotation(prop, described))
        default = self._types.default(prop)
        return (
            f"{name}: {spelled}"
            if default is None
            else f"{name}: {spelled} = {self._spelled(default)}"
        )

    def _spelled(self, code: Code) -> str:
        self.imports |= {entry for entry in code.imports if entry.module != _LOCAL}
        return code.text


def defined_name(node: ast.stmt) -> str | None:
    """The class or alias that a statement defines."""
    if isinstance(node, ast.ClassDef):
        return node.name
    return node.name.id if isinstance(node, ast.TypeAlias) else None


def in_spec_order(nodes: list[ast.stmt], order: list[str]) -> list[ast.stmt]:
    """Definitions in the order of the spec, each after those it uses; the rest behind them."""
    definitions = {name: node for node in nodes if (name := defined_name(node)) is not None}
    placed: dict[str, ast.stmt] = {}

    def place(name: str, above: frozenset[str]) -> None:
        if name in placed or name in above or name not in definitions:
            return
        for used in _names(definitions[name]):
            place(used, above | {name})
        placed[name] = definitions[name]

    for name in order:
        place(name, frozenset())
    return [*placed.values(), *(node for node in nodes if defined_name(node) is None)]


def _names(node: ast.stmt) -> list[str]:
    """Names that a definition mentions, quoted ones too, in reading order."""
    found: list[str] = []
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            found.append(part.id)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            found += part.value.replace("[", " ").replace("]", " ").split()
    return found
