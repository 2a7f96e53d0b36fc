# Generated from specs/workspace.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Types of `WorkspaceTool`."""

from typing import Annotated, Literal

from pydantic import Field

from cardwright.core import Data

type ResourceType = Annotated[
    Literal["text", "image"], Field(description="How the content of a resource is written.")
]


class Resource(Data):
    """A file to put into the tree."""

    file_name: Annotated[str, Field(description="Path in the tree.")]
    file_type: Annotated[
        ResourceType, Field(description="text is stored as UTF-8, image is base64.")
    ] = "text"
    content: Annotated[str, Field(description="The text, or base64.")]


class DocumentReader(Data):
    """How documents become text."""

    llm_client: Annotated[
        Literal["openai"] | None,
        Field(
            description="Client that describes scans and images which hold no text; null for none."
        ),
    ] = "openai"
    llm_model: Annotated[str, Field(description="Model of that client.")] = "gpt-5.4-mini"


class EditItem(Data):
    """One replacement in one file."""

    path: Annotated[str, Field(description="File to change.")]
    old_string: Annotated[
        str,
        Field(
            description="Text to replace, with enough context to occur once.",
            min_length=1,
            max_length=2000000,
        ),
    ]
    new_string: Annotated[str, Field(description="Text to put there.", max_length=2000000)]
    replace_all: Annotated[bool, Field(description="Replace every occurrence.")] = False
