"""The reference site: links lead somewhere, nothing comes from outside, no script is needed."""

import shutil
from pathlib import Path

import pytest
from tests.site.site_reading import Page, faults_of, pages_of

from cardwright.cli.app import run
from cardwright.cli.made_up import made_up
from cardwright_generator.project import find_project
from cardwright_generator.site import Example, SiteError, build_site, site_pages
from cardwright_generator.site.links import Linker, anchored
from cardwright_generator.spec import load_specs

type Output = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def ours(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this repository's cards."""
    site = tmp_path_factory.mktemp("ours") / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        assert run(["docs", "--output", str(site)]) == 0
    return site


@pytest.fixture(scope="module")
def strange(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of specs that use every word of the language, with texts that Markdown would read."""
    folder = tmp_path_factory.mktemp("strange")
    shutil.copytree(root / "tests/emit/data/specs", folder / "specs")
    (folder / "pyproject.toml").write_text('[tool.cardwright]\npackage = "sample_cards"\n', "utf-8")
    spec = folder / "specs/everything.yaml"
    text = spec.read_text("utf-8").replace(
        "Uses every word of the spec language.",
        "'<b>Uses</b> {role}`x` | every [word] *of* the <script>alert(1)</script>.'",
    )
    spec.write_text(text, "utf-8")
    project = find_project(folder)
    loaded = load_specs(
        {project.relative(p): p.read_bytes() for p in project.spec_files()}, project
    )
    assert not [one for one in loaded.diagnostics if one.severity == "error"]
    examples = {"EverythingTool": [Example("hints", "system prompt", "````\n# no heading\n````")]}
    site = folder / "site"
    warnings = build_site(site_pages(loaded, "sample_cards", "Samples", examples), "Samples", site)
    assert "\n".join(warnings) == ""
    return site


def test_our_site_has_no_fault(ours: Path) -> None:
    assert faults_of(ours) == []


def test_a_strange_site_has_no_fault(strange: Path) -> None:
    assert faults_of(strange) == []


def test_there_is_a_page_for_each_card_and_one_for_all(ours: Path, root: Path) -> None:
    specs = {path.stem for path in (root / "specs").glob("*.yaml")} - {"common"}
    assert {path.stem for path in (ours / "cards").glob("*.html")} == specs
    index = Page(ours / "index.html")
    assert {f"cards/{name}.html" for name in specs} <= set(index.links)
    assert "Deprecated: ExecTool, use WorkspaceTool(workspace_exec=True)." in index.words


def test_a_page_says_everything_without_scripts(ours: Path) -> None:
    page = Page(ours / "cards/planning.html")
    for words in (
        "Shared task board of a team.",
        "Look up one task of the board with all its details",
        "rejected_items",
        "#PlanningTool",
        "Team task board: 1 task",
        '"additionalProperties": false',
        "Progress of a task.",
    ):
        assert words in page.words, words


def test_a_page_is_linked_to_what_it_names(ours: Path, strange: Path) -> None:
    planning = Page(ours / "cards/planning.html").links
    assert {
        "#planningtool-type-updateplan",
        "#planningtool-failure-too-late",
        "#planningtool-type-taskstatus",
    } <= set(planning)
    names = Page(ours / "names.html").links
    assert {
        "cards/planning.html#planningtool-actor-plan",
        "cards/search.html#searchtool-environment-tavily-api-key",
    } <= {*names}
    everything = Page(strange / "cards/everything.html").links
    assert {
        "vector_store.html",
        "team.html",
        "../types/common.html#specs-common-yaml-type-collectionconfig",
    } <= {*everything}


def test_texts_of_specs_are_shown_and_not_run(strange: Path) -> None:
    page = Page(strange / "cards/everything.html")
    assert "# no heading" in page.words
    raw = page.path.read_text("utf-8")
    assert "<script>alert" not in raw
    assert "<b>Uses" not in raw


def test_a_stranger_s_project_has_a_site_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    folder = tmp_path / "stranger"
    assert run(["init", str(folder)]) == 0
    monkeypatch.chdir(folder)
    assert run(["new", "LedgerTool", "--with", "actor,context"]) == 0
    assert run(["generate"]) == 0
    capsys.readouterr()
    assert run(["docs"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("done: 4 pages in site")
    assert told.err == ""
    assert faults_of(folder / "site") == []
    assert {path.stem for path in pages_of(folder / "site")} >= {"hello", "ledger", "index"}
    page = Page(folder / "site/cards/ledger.html")
    assert "What the model reads" in page.words
    assert "Not shown" not in page.words
    (folder / "notes").mkdir()
    (folder / "notes/mine.txt").write_text("mine")
    capsys.readouterr()
    assert run(["docs", "--output", "notes"]) == 2
    assert "notes is no site of `cardwright docs`" in capsys.readouterr().err
    assert (folder / "notes/mine.txt").read_text() == "mine"


def test_check_writes_nothing_and_names_a_broken_link(tmp_path: Path) -> None:
    pages = {"index.md": "# One\n\n[two](two.md) and [there](#nowhere)\n"}
    warnings = build_site(pages, "T", None)
    assert len(warnings) == 2
    assert all(one.startswith("index.md:3: WARNING: ") for one in warnings)
    site = tmp_path / "site"
    for _ in range(2):  # a former site is replaced
        build_site(pages, "T", site)
    assert (site / "index.html").exists()
    (tmp_path / "file").write_text("x")
    with pytest.raises(SiteError, match="choose another --output"):
        build_site(pages, "T", tmp_path / "file")


def test_a_project_with_faults_has_no_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["docs"]) == 2
    assert "cardwright init" in capsys.readouterr().err
    (tmp_path / "pyproject.toml").write_text("[tool.cardwright]\n")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/x.yaml").write_text("card: XTool\n")
    assert run(["docs"]) == 2
    assert "specs/x.yaml:1: " in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_the_linker_leaves_code_and_headings_alone() -> None:
    linker = Linker({"whole": "#w"}, {"Part": "#p"})
    text = "# `whole`\n`whole` `wholes` `list[Part]`\n```\n`whole`\n```\n"
    text += "~~~~\n```\n`Part`\n~~~~\n`Part`"
    assert linker.linked(text).split("\n") == [
        "# `whole`",
        "[`whole`](#w) `wholes` [`list[Part]`](#p)",
        "```",
        "`whole`",
        "```",
        "~~~~",
        "```",
        "`Part`",
        "~~~~",
        "[`Part`](#p)",
    ]
    rows = ["## Failures", "| id | when |", "| `too_late` | late |", "## Other", "| `x` | y |"]
    assert anchored(rows, "Failures", "PlanTool", "failure")[2:] == [
        "| [`too_late`]{#plantool-failure-too-late} | late |",
        "## Other",
        "| `x` | y |",
    ]


def test_made_up_values_fit_and_change() -> None:
    schema = {
        "type": "object",
        "required": ["name", "day"],
        "properties": {
            "name": {"type": "string", "maxLength": 3},
            "day": {"anyOf": [{"type": "null"}, {"type": "string", "format": "date"}]},
            "count": {"type": "integer", "minimum": 5, "maximum": 5},
            "half": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
            "kind": {"enum": ["a", "b"]},
            "rows": {"type": "array", "items": {"$ref": "#/$defs/Row"}, "minItems": 2},
        },
        "$defs": {"Row": {"type": "object", "properties": {"cell_name": {"type": "string"}}}},
    }
    assert made_up(schema) == {
        "name": "nam",
        "day": "2026-01-01",
        "count": 5,
        "half": 1.0,
        "kind": "a",
        "rows": [{"cell_name": "cell name"}, {"cell_name": "cell name 2"}],
    }
    assert made_up(schema, turn=2)["kind"] == "b"
