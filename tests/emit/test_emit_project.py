"""`[tool.cardwright]`: what it may say, and what it is told when it says something else."""

from pathlib import Path

import pytest

from cardwright_generator.project import Project, ProjectError, find_project, project_from


def table(tmp_path: Path, text: str) -> Path:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    return tmp_path


def test_an_empty_table_is_all_defaults(tmp_path: Path) -> None:
    assert find_project(table(tmp_path, "[tool.cardwright]\n")) == Project(root=tmp_path)


def test_the_nearest_table_above_counts(tmp_path: Path) -> None:
    table(tmp_path, '[tool.cardwright]\npackage = "mine"\n')
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'other'\n", "utf-8")
    project = find_project(inner)
    assert (project.root, project.package) == (tmp_path, "mine")


def test_every_key(tmp_path: Path) -> None:
    project = project_from(
        {
            "specs": "contracts",
            "output": "made",
            "package": "my_cards",
            "tests": "made/checks",
            "logic": ["src", "lib"],
            "python-modules": ["acme.types"],
            "catalogues": ["other_cards"],
        },
        tmp_path,
    )
    assert project.package_path == "made/my_cards"
    assert project.manifest == tmp_path / "made/.cardwright.json"
    assert (project.logic, project.python_modules) == (("src", "lib"), ("acme.types",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.cardwright]\npakage = 'x'\n", "no key 'pakage'; did you mean 'package'?"),
        ("[tool.cardwright]\nzzz = 'x'\n", "no key 'zzz'; known keys: specs, output"),
        ("[tool.cardwright]\nspecs = 1\n", "specs: give a string"),
        ("[tool.cardwright]\nspecs = '../x'\n", "'../x' must lie below the pyproject.toml"),
        ("[tool.cardwright]\noutput = '/x'\n", "'/x' must lie below the pyproject.toml"),
        ("[tool.cardwright]\nlogic = [1]\n", "logic: give a list of strings"),
        ("[tool.cardwright]\npackage = 'my-cards'\n", "'my-cards' is no Python package name"),
        ("[tool.cardwright]\nspecs = 'generated'\n", "output: 'generated' and the specs in"),
        ("[tool.cardwright]\nspecs = 'generated/x'\n", "output: 'generated' and the specs in"),
        ("[tool.cardwright]\nspecs = '.'\n", "output: 'generated' and the specs in '.'"),
        ("[tool.cardwright]\noutput = '.'\n", "output: '.' and the specs in 'specs' must be apart"),
        ("[tool.cardwright]\noutput = 'specs/x'\n", "output: 'specs/x' and the specs in"),
        ("[tool.cardwright]\ntests = '.'\n", "tests: '.' and the specs in 'specs' must be apart"),
        ("[tool.cardwright]\ntests = 'runtime'\n", "tests: 'runtime' would hold the handwritten"),
        ("[tool.cardwright]\nlogic = ['generated/cardwright_cards/x']\n", "logic: 'generated/"),
        ("[tool.cardwright]\nlogic = ['/etc']\n", "logic: '/etc' must lie below"),
        ("[tool.cardwright]\nlogic = ['..']\n", "logic: '..' must lie below"),
        ('[tool.cardwright]\noutput = "a\\u0000b"\n', "output: 'a\\x00b' holds a backslash or"),
        ('[tool.cardwright]\noutput = "a\\nb"\n', "output: 'a\\nb' holds a backslash or"),
        ("[tool.cardwright]\npackage = 'class'\n", "package: 'class' is no Python package name"),
        ("[tool.cardwright]\npackage = 'os'\n", "package: 'os' would hide the module"),
        ("[tool.cardwright]\npackage = 'cardwright'\n", "package: 'cardwright' would hide"),
        ("[tool.cardwright]\npackage = 'pydantic'\n", "would hide the one of pydantic"),
        ("[tool.cardwright]\npackage = 'typing_extensions'\n", "the one of typing_extensions"),
        ("[tool.cardwright]\ncatalogues = ['os;x']\n", "catalogues: 'os;x' is no Python"),
        ("[tool.cardwright]\npython-modules = ['no such']\n", "python-modules: 'no such' is no"),
        ("[tool]\ncardwright = 1\n", "must be a table"),
        ("[tool.cardwright\n", "pyproject.toml"),
    ],
)
def test_a_wrong_table_says_what_to_change(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ProjectError) as raised:
        find_project(table(tmp_path, text))
    assert message in str(raised.value)


def test_the_package_of_the_project_itself_may_be_installed(tmp_path: Path) -> None:
    text = "[project]\nname = 'Pydantic'\n[tool.cardwright]\npackage = 'pydantic'\n"
    assert find_project(table(tmp_path, text)).package == "pydantic"


def test_no_table_names_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="cardwright init"):
        find_project(tmp_path)


def test_spec_files_are_sorted_whatever_the_system_lists(tmp_path: Path) -> None:
    table(tmp_path, "[tool.cardwright]\n")
    for name in ("b.yaml", "a.yml", "deep/c.yaml", "notes.txt"):
        path = tmp_path / "specs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    project = find_project(tmp_path)
    found = [project.relative(path) for path in project.spec_files()]
    assert found == ["specs/a.yml", "specs/b.yaml", "specs/deep/c.yaml"]
