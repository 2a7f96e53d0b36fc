"""The same bytes whatever the machine: hash seed, working directory, line endings, file order."""

import json
import re
import shutil
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from random import Random
from subprocess import CompletedProcess

from cardwright_generator.build import build
from cardwright_generator.emit.generate import generate
from cardwright_generator.project import Project, find_project
from cardwright_generator.spec import Catalogue

type Run = Callable[..., CompletedProcess[str]]

MANIFEST = "generated/.cardwright.json"
GENERATE = """
import sys
from pathlib import Path
from cardwright_generator.build import build
from cardwright_generator.project import find_project
from cardwright_generator.writer import reconcile
project = find_project(Path(sys.argv[1]))
made = build(project)
print(reconcile(project, made))
"""


def tree(root: Path) -> dict[str, bytes]:
    """Every generated file, the manifest too."""
    files = (path for path in (root / "generated").rglob("*") if path.is_file())
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in files
        if "__pycache__" not in path.parts
    }


def test_hash_seed_working_directory_and_line_endings_do_not_matter(
    samples: Project, tmp_path: Path, python: Run
) -> None:
    root = tmp_path / "elsewhere"
    shutil.copytree(samples.root / "specs", root / "specs")
    shutil.copy(samples.root / "pyproject.toml", root)
    for path in (root / "specs").glob("*.yaml"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    # The settings of this pyproject.toml once leaked into the types through the working directory.
    settings = root / "pyproject.toml"
    settings.write_text(settings.read_text("utf-8") + "[tool.ruff]\nline-length = 40\n", "utf-8")
    done = python("-c", GENERATE, root, cwd=root, env={"PYTHONHASHSEED": "7"})
    assert done.returncode == 0, done.stderr
    found, expected = tree(root), tree(samples.root)
    manifests = [json.loads(files.pop(MANIFEST)) for files in (found, expected)]
    assert found == expected
    # The child may have read a newer generator than this process did.
    assert manifests[0]["sources"] == manifests[1]["sources"]
    assert manifests[0]["files"] == manifests[1]["files"]


def test_order_of_files_does_not_matter(catalogue: Catalogue, samples: Project) -> None:
    cards, commons = list(catalogue.cards), list(catalogue.commons)
    Random(3).shuffle(cards)
    shuffled = generate(Catalogue(tuple(cards), tuple(reversed(commons)), ()), samples)
    straight = generate(catalogue, samples)
    assert list(shuffled.items()) == list(straight.items())


def test_no_time_version_or_absolute_path(samples: Project) -> None:
    generated = {path: text.decode() for path, text in tree(samples.root).items()}
    for path, text in generated.items():
        assert str(samples.root) not in text, path
        assert version("datamodel-code-generator") not in text, path
        assert not re.search(r"20[1-9]\d-\d\d-\d\d", text) or path.endswith(".schema.json"), path


def test_the_pure_function_and_the_incremental_build_agree(
    samples: Project, catalogue: Catalogue
) -> None:
    on_disk = tree(samples.root)
    on_disk.pop(MANIFEST)
    pure = {path: text.encode() for path, text in generate(catalogue, samples).items()}
    assert pure == on_disk


def test_a_second_build_has_nothing_to_write(samples: Project) -> None:
    made = build(find_project(samples.root))
    assert dict(made.files) == {}
