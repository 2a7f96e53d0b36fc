"""Pages in Markdown become a folder of HTML that needs neither scripts nor a network."""

import re
import shutil
import tempfile
import warnings
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any, Final

MARK: Final = ".cardwright-site"
"""File that says that a folder is a site of ours, which may be replaced."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_STYLE: Final = Path(__file__).with_name("site.css")


class SiteError(RuntimeError):
    """The site cannot be built; says what to change."""


def build_site(pages: Mapping[str, str], title: str, output: Path | None) -> list[str]:
    """Build the site; what it replaces is a former one.

    Args:
        pages: Path -> Markdown.
        title: Name of the project.
        output: The folder; `None` builds and throws away.

    Returns:
        Warnings, such as a link that leads nowhere.

    Raises:
        SiteError: The folder holds something else.
        ImportError: The extra `site` is not installed.
    """
    if output is not None:
        _refuse_foreign(output)
    with tempfile.TemporaryDirectory(prefix="cardwright-site-") as work:
        source, made = Path(work, "source"), Path(work, "site")
        _write(source, pages)
        told = _sphinx(source, made, Path(work, "doctrees"), title)
        if output is not None:
            _replace(made, output)
    return told


def _write(source: Path, pages: Mapping[str, str]) -> None:
    for path, text in pages.items():
        target = source / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    static = source / "_static"
    static.mkdir()
    shutil.copy(_STYLE, static)


def _sphinx(source: Path, made: Path, doctrees: Path, title: str) -> list[str]:
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    told = StringIO()
    with patch_docutils(None), docutils_namespace(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Sphinx about its own extensions
        app = Sphinx(
            srcdir=source,
            confdir=None,
            outdir=made,
            doctreedir=doctrees,
            buildername="html",
            confoverrides=_settings(title),
            status=None,
            warning=told,
            freshenv=True,
        )
        app.build(force_all=True)
    for name in (".nojekyll", MARK):
        (made / name).touch()
    (made / ".buildinfo").unlink(missing_ok=True)
    shutil.rmtree(made / "_sources", ignore_errors=True)
    lines = _COLOUR.sub("", told.getvalue()).replace(f"{source}/", "").splitlines()
    return [line for line in lines if line.strip()]


def _settings(title: str) -> dict[str, Any]:
    return {
        "project": title,
        "extensions": ["myst_parser"],
        "myst_enable_extensions": ["attrs_inline"],
        "myst_disable_syntax": ["html_inline", "html_block"],  # a text of a spec is no page of HTML
        "html_theme": "furo",
        "html_title": title,
        "html_css_files": [_STYLE.name],
        "html_static_path": ["_static"],
        "html_copy_source": False,
        "html_show_sourcelink": False,
        "html_show_copyright": False,
        "html_show_sphinx": False,
        "html_use_index": False,
        "html_domain_indices": False,
        "html_sidebars": {
            "**": [
                "sidebar/brand.html",
                "sidebar/search.html",
                "sidebar/scroll-start.html",
                "sidebar/navigation.html",
                "sidebar/scroll-end.html",
            ]
        },
        "highlight_language": "text",
        "pygments_style": "default",
        "smartquotes": False,
    }


def _refuse_foreign(output: Path) -> None:
    if (
        output.exists()
        and not (output / MARK).exists()
        and (not output.is_dir() or any(output.iterdir()))
    ):
        raise SiteError(f"{output} is no site of `cardwright docs`: choose another --output")


def _replace(made: Path, output: Path) -> None:
    if output.exists():
        shutil.rmtree(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(made, output)
