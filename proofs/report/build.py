"""One HTML file from data, statements, the page's scripts and the plotting library, with nothing left to fetch.

Vega is embedded as `vl_convert` ships it (the extra ``report``). A Content-Security-Policy forbids every connection and
every script but those written here, which it knows by their SHA-256: text that comes with data cannot run, whatever it
is. Besides, text is escaped where it becomes HTML, and data are JSON in which no tag can begin or end.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any

from numeric.refuse import flag
from proofs.report.sections import sections

if TYPE_CHECKING:
    from proofs.report.statements import Told

__all__ = ["BEGINS", "SCRIPTS", "page", "require_library"]

BEGINS = "<!doctype html>\n<!-- posbias report -->\n"  # of every page, by which one is known
RECURSIONS = ("rows", "recursion", "state", "shape", "bounds", "limits", "phase", "csv")
SCRIPTS = tuple(f"{name}.js" for name in (*RECURSIONS, "words", "controls", "figures", "page"))  # in this order
INSTALL = "python -m pip install 'posbias[report]'"
POLICY = (
    "default-src 'none'; script-src {digests}; style-src 'unsafe-inline'; img-src data:; "  # Vega styles its SVG
    "base-uri 'none'; form-action 'none'"
)


def page(data: Mapping[str, Any], statements: Sequence[Told], *, title: str, version: str) -> str:
    """The page that shows ``data``, which recursion.js describes, with statements beside its figures.

    Raises InputError where the plotting library is missing.
    """
    scripts = [_script(text) for text in (_library(), *map(_file, SCRIPTS))]
    return BEGINS + Template(_file("page.html")).substitute(
        policy=escape(POLICY.format(digests=" ".join(_digests(scripts)))),
        title=escape(title),
        version=escape(version),
        style=_file("page.css"),
        sections=sections(statements),
        data=_json(data),
        scripts="\n".join(f"<script>{text}</script>" for text in scripts),
    )


def require_library() -> None:
    """Raises InputError, with what to install, where the plotting library is missing."""
    try:
        import vl_convert  # noqa: F401
    except ImportError:
        raise flag("report", "be run with vl-convert-python", "without it", INSTALL) from None


@cache
def _library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, which attaches ``vegaEmbed`` to the window."""
    require_library()
    import vl_convert

    text: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return text


def _json(data: Mapping[str, Any]) -> str:
    """JSON in ASCII that no text in it can end: within a script the one thing that counts is ``<``."""
    return json.dumps(data, allow_nan=False).replace("<", "\\u003c")


def _script(text: str) -> str:
    if "</script" in text.lower() or "<!--" in text:
        raise AssertionError("A script of the page must hold neither the end of a script nor a comment of HTML.")
    return text


def _digests(scripts: Iterable[str]) -> list[str]:
    """What the policy calls each script: the SHA-256 of its bytes."""
    return [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in scripts]


def _file(name: str) -> str:
    return (resources.files("proofs.report") / name).read_text(encoding="utf-8")
