"""The site: python -m sphinx -W --keep-going -b html docs OUT, with the extra `docs`; no network is needed.

Sphinx reads docstrings, MyST keeps the pages in the Markdown that a repository shows, furo is readable on a phone and
on paper, and MathJax comes with the pages. What the program knows is written from it before each build, into
docs/_generated: the statements, the commands, the reference.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # the packages of this folder, installed or not

from docs.writers.contents import toctrees  # noqa: E402
from docs.writers.pages import write_generated  # noqa: E402
from docs.writers.reference import as_rst, type_aliases  # noqa: E402
from proofs.versions import installed  # noqa: E402

project = "posbias"
author = "posbias authors"
project_copyright = "2026, posbias authors"
release = version = installed("posbias")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx-mathjax-offline"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["README.md", "evidence/*.md"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_type_aliases = type_aliases()

html_theme = "furo"
html_title = "posbias"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False


def write_pages(_: Any) -> None:
    """What is generated, before Sphinx looks for pages."""
    write_generated(HERE / "_generated")


def fill_contents(_: Any, docname: str, source: list[str]) -> None:
    """The front page's list of the pages that there are."""
    if docname == "index":
        source[0] = source[0].replace("<!-- contents -->", toctrees(HERE))


def set_docstring(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Docstrings are plain text; autodoc takes them for markup."""
    lines[:] = as_rst(lines)


def set_signature(
    _app: Any, _what: str, _name: str, _object: Any, _options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Names of types within others come from autodoc with how it holds them; the name alone is meant."""
    shown = [text and re.sub(r"TypeAliasForwardRef\('(\w+)'\)", r"\1", text) for text in (signature, returned)]
    return shown[0], shown[1]


def setup(app: Any) -> None:
    app.set_html_assets_policy("always")  # statements are HTML already, in which Sphinx sees no formulas
    app.connect("autodoc-process-docstring", set_docstring)
    app.connect("autodoc-process-signature", set_signature)
    app.connect("builder-inited", write_pages)
    app.connect("source-read", fill_contents)
