"""Files that a card brings along."""

import base64
from collections.abc import Sequence

from cardwright_cards.workspace.types import Resource

from .files import Change, Overtaken, Publisher, Tree


def resource_bytes(resource: Resource) -> bytes:
    """What is stored of a resource.

    Raises:
        binascii.Error: An image is not base64.
    """
    if resource.file_type == "image":
        return base64.b64decode(resource.content, validate=True)
    return resource.content.encode()


def seed(tree: Tree, resources: Sequence[Resource]) -> None:
    """Put files into the tree; those that exist are left as they are.

    Raises:
        PathEscapeError: A name leads out of the tree; nothing is written then.
        binascii.Error: An image is not base64; as above.
        OSError: The system refuses.
    """
    wanted: list[tuple[str, bytes]] = []
    for resource in resources:
        with tree.place(resource.file_name) as place:
            if place.facts() is None:
                wanted.append((place.path, resource_bytes(resource)))
    if not wanted:
        return
    publisher = Publisher(tree)
    try:
        for path, data in wanted:
            _put(publisher, path, data)
    finally:
        publisher.close()


def _put(publisher: Publisher, path: str, data: bytes) -> None:
    try:
        publisher.publish([Change(path, None, data)])
    except Overtaken:
        return
