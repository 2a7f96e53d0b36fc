"""Images: types, sizes, damage, bounds, and those that prompts name."""

import io
import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from tests.workspace.reading.workspace_documents import image

from cardwright.core import MediaContent
from cardwright.workspace.files import Tree
from cardwright.workspace.reading import expand_media_refs, images, render_view
from cardwright.workspace.refusals import Refusal

type Put = Callable[..., Path]


def absent(_: str) -> None:
    """As if nothing could be imported."""


def size_of(media: MediaContent) -> tuple[int, int]:
    return Image.open(io.BytesIO(media.data)).size


def refused(tree: Tree, path: str, longest: int = 100) -> Refusal:
    with pytest.raises(Refusal) as caught:
        render_view(tree, path, max_dimension=longest)
    return caught.value


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_a_large_image_is_scaled_in_its_own_format(tree: Tree, put: Put, form: str) -> None:
    put(f"a.{form.lower()}", image(form, (400, 100)))
    media, seen = render_view(tree, f"a.{form.lower()}", max_dimension=200)
    assert size_of(media) == (200, 50)
    assert media.media_type == f"image/{form.lower()}"
    assert Image.open(io.BytesIO(media.data)).format == form
    assert seen.full


def test_small_images_and_no_limit_give_the_bytes_themselves(tree: Tree, put: Put) -> None:
    data = image("PNG", (40, 20))
    put("a.png", data)
    for longest in (40, 0):
        assert render_view(tree, "a.png", max_dimension=longest)[0].data == data


def test_t14_scaled_images_are_kept_outside_the_tree_by_content(
    tree: Tree, root: Path, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("a.png", image("PNG", (400, 100)))
    first = render_view(tree, "a.png", max_dimension=200)[0]
    assert [item.name for item in root.iterdir()] == ["a.png"]
    with monkeypatch.context() as patch:
        patch.setattr(images, "_scaled", None)
        assert render_view(tree, "a.png", max_dimension=200)[0] == first
    put("a.png", image("PNG", (100, 400)))
    assert size_of(render_view(tree, "a.png", max_dimension=200)[0]) == (50, 200)


def test_a_photograph_is_turned_upright(tree: Tree, put: Put) -> None:
    buffer, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (400, 100)).save(buffer, format="JPEG", exif=exif)
    put("a.jpg", buffer.getvalue())
    assert size_of(render_view(tree, "a.jpg", max_dimension=200)[0]) == (50, 200)


def test_t12_what_is_no_image_is_a_refusal(
    tree: Tree, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("a.txt", "x")
    put("text.png", "x")
    put("cut.png", image("PNG", (400, 400))[:60])
    put("d/x")
    assert "workspace_read" in str(refused(tree, "a.txt"))
    for path in ("a.txt", "text.png", "cut.png", "d"):
        assert refused(tree, path).failure == "unsuitable"
    assert refused(tree, "none.png").failure == "not_found"
    assert refused(tree, "../a.png").failure == "outside"
    put("many.png", image("PNG", (200, 200)))
    monkeypatch.setattr(images, "MOST_PIXELS", 10_000)
    assert "200 × 200" in str(refused(tree, "many.png"))
    monkeypatch.setattr(images, "LARGEST", 50)
    assert "larger than 50" in str(refused(tree, "many.png"))


def test_57_without_pillow_images_keep_their_size_and_one_warning_is_given(
    tree: Tree, put: Put, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("cardwright.workspace.reading.extras.find_spec", absent)
    monkeypatch.setattr(images._told, "done", False)
    data = image("PNG", (400, 100))
    put("a.png", data)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert render_view(tree, "a.png", max_dimension=200)[0].data == data
    assert len(caplog.records) == 1
    assert "cardwright[vision]" in caplog.records[0].getMessage()
    assert not tree.private.exists()


def test_18_named_images_come_sorted_and_the_tail_is_empty(tree: Tree, put: Put) -> None:
    small, other = image("PNG", (4, 4)), image("JPEG", (4, 4))
    put("b.png", small)
    put("a.png", small)
    put("my pics/c d.jpg", other)
    put("e.pdf", "x")
    png = MediaContent(data=small, media_type="image/png")
    jpeg = MediaContent(data=other, media_type="image/jpeg")
    assert expand_media_refs(tree, "see !!*.png") == ["see ", png, png, ""]
    prompt = '!!"my pics/c d.jpg" and !!a.png !'
    assert expand_media_refs(tree, prompt) == [jpeg, " and ", png, " !"]
    assert expand_media_refs(tree, "!!*.{png,pdf}") == [png, png, ""]
    assert expand_media_refs(tree, "wow!!! no!!a.png") == ["wow!!! no!!a.png"]
    assert expand_media_refs(tree, "") == [""]


def test_documents_and_misses_become_markers(tree: Tree, put: Put) -> None:
    put("d/plan.pdf", "x")
    put("bad.png", "x")
    put("notes.txt", "x")
    assert expand_media_refs(tree, "!!d/* ok") == [
        "!!plan.pdf[=> Use workspace_read tool]",
        " ok",
    ]
    for pattern in ("none*", "notes.txt"):
        assert expand_media_refs(tree, f"!!{pattern}") == [
            f"!!{pattern}[Error: no image matched in the workspace]",
            "",
        ]
    (marker, _) = expand_media_refs(tree, "!!bad.png")
    assert str(marker).startswith("!!bad.png[Error: bad.png is damaged")


def test_t13_prompts_name_nothing_outside(tree: Tree, root: Path) -> None:
    (root.parent / "secret.png").write_bytes(image())
    (root / "link.png").symlink_to(root.parent / "secret.png")
    (root / "up").symlink_to(root.parent)
    for pattern in ("../*.png", "/etc/*", "link.png", "up/*.png", "{..,x}/*.png"):
        pieces = expand_media_refs(tree, f"!!{pattern}")
        assert [type(piece) for piece in pieces] == [str, str]
        assert str(pieces[0]).startswith(f"!!{pattern}[Error: ")
