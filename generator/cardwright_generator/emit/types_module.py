"""`types.py`: models by datamodel-code-generator, then the words JSON Schema lacks."""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from cardwright_generator.model.annotations import Types
from cardwright_generator.model.code import Import
from cardwright_generator.model.schema import is_object, references
from cardwright_generator.spec.language import TypeSpec

from .class_bodies import Bodies, defined_name, in_spec_order
from .environment import render
from .json_schema import Json, json_schema, outline

if TYPE_CHECKING:
    from datamodel_code_generator import GenerateConfig

_BASES = {"data": "Data", "plain": "PlainData", "context": "ContextState"}


def python_name(name: str, spec: TypeSpec) -> str:
    """The emitted class of a type: `<Name>Base` where a subclass is written by hand."""
    return f"{name}Base" if spec.class_ is not None else name


def render_types(
    types: Mapping[str, TypeSpec], spec_path: str, resolved: Types, *, about: str
) -> str:
    """The text of the module, not yet formatted.

    Args:
        types: The named types of one spec.
        spec_path: Named in the header.
        resolved: What `$ref` means in that spec.
        about: The module's docstring.
    """
    body = _Body(types, resolved)
    return render(
        "types.py.jinja",
        spec_path=spec_path,
        about=about,
        imports=sorted(body.imports),
        body=body.text,
    )


class _Body:
    """The classes and aliases of one module, with the imports they need."""

    def __init__(self, types: Mapping[str, TypeSpec], resolved: Types) -> None:
        self._types = {python_name(name, spec): spec for name, spec in types.items()}
        self._resolved = resolved
        tree = ast.parse(_generate(self._definitions()))
        bodies = Bodies(self._types, resolved)
        imports = {entry for node in tree.body for entry in _imported(node)}
        kept = in_spec_order([node for node in tree.body if self._belongs(node)], list(self._types))
        self.text = "\n\n".join(bodies.finish(node) for node in kept)
        self.imports = imports | bodies.imports

    def _definitions(self) -> Json:
        found = {name: self._definition(spec) for name, spec in self._types.items()}
        # Types of other modules take part as empty objects, so that references to them resolve.
        return {**{name: {"type": "object"} for name in self._foreign()}, **found}

    def _definition(self, spec: TypeSpec) -> Json:
        base = {"customBasePath": f"cardwright.core.{_BASES[spec.base]}"} if is_object(spec) else {}
        return {**json_schema(outline(spec), self._pointer), **base}

    def _pointer(self, ref: str) -> str:
        return f"#/$defs/{self._resolved.resolve(ref).text}"

    def _foreign(self) -> list[str]:
        used = {ref for spec in self._types.values() for ref in references(spec)}
        return sorted({self._resolved.resolve(ref).text for ref in used} - self._types.keys())

    def _belongs(self, node: ast.stmt) -> bool:
        # Beside definitions only `X.model_rebuild()` stays, not the stray docstrings of aliases.
        is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        return is_call or defined_name(node) in self._types


def _imported(node: ast.stmt) -> set[Import]:
    if not isinstance(node, ast.ImportFrom):
        return set()
    return {Import(node.module or "", alias.name) for alias in node.names}


def _generate(definitions: Json) -> str:
    if not definitions:
        return ""
    from datamodel_code_generator import generate

    text = generate({"$defs": definitions}, config=_config())
    if not isinstance(text, str):
        message = f"one module expected from datamodel-code-generator, got {type(text).__name__}"
        raise TypeError(message)
    return text


@cache
def _empty_folder() -> TemporaryDirectory[str]:
    """A folder that lasts as long as the process."""
    return TemporaryDirectory(prefix="cardwright-")


@cache
def _config() -> "GenerateConfig":
    from datamodel_code_generator import GenerateConfig, InputFileType, LiteralType, PythonVersion
    from datamodel_code_generator.enums import DataModelType, NamingStrategy

    return GenerateConfig(
        input_file_type=InputFileType.JsonSchema,
        schema_version="2020-12",
        output_model_type=DataModelType.PydanticV2BaseModel,
        target_python_version=PythonVersion.PY_312,
        formatters=[],
        # An empty folder: otherwise the line length of the pyproject.toml above leaks in.
        settings_path=Path(_empty_folder().name),
        disable_timestamp=True,
        custom_file_header="#",
        disable_future_imports=True,
        base_class="cardwright.core.Data",
        skip_root_model=True,
        naming_strategy=NamingStrategy.FullPath,
        keep_model_order=True,
        use_title_as_name=False,
        use_annotated=True,
        field_constraints=True,
        use_standard_collections=True,
        use_union_operator=True,
        use_double_quotes=True,
        strict_nullable=True,
        use_type_alias=True,
        keep_field_defaults_off_branch_roots=True,
        omit_redundant_constraints=True,
        enum_field_as_literal=LiteralType.All,
        use_schema_description=True,
        use_single_line_docstring=True,
        allow_remote_refs=False,
        strict_refs=True,
    )
