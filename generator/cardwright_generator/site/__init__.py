"""The reference site of a project: pages in Markdown from its specs, then HTML by Sphinx.

Pages are a pure function of specs and examples; Sphinx is loaded when a site is built.
"""

from .build import SiteError, build_site
from .examples import Example, Examples
from .pages import site_pages

__all__ = ["Example", "Examples", "SiteError", "build_site", "site_pages"]
