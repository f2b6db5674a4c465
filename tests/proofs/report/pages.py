"""Pages for tests: small ones, written without checking a derivation, and what is needed to make and open them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from proofs.report.build import page
from proofs.report.statements import Named, Told

__all__ = ["BESIDE", "Json", "data", "needs_library", "settled", "text_of", "written"]

Json = dict[str, Any]

needs_library = pytest.mark.skipif(
    find_spec("vl_convert") is None, reason="the extra 'report' is not installed: no vl_convert"
)
MATHML = "<math><msub><mi>p</mi><mi>j</mi></msub></math>"
BESIDE = (
    Told("D1", "A & B", "x < y", (MATHML,), (Named("h", "a"),), (Named("p", MATHML, ("h",)),), 2, "proved", "seen", ()),
)


def data(initial: Json, given: Json | None = None, measured: Json | None = None, name: str = "a name") -> Json:
    source = {"name": name, "slopes": "from a file", "length": initial["length"]}
    return {"source": source, "initial": initial, "given": given, "measured": measured, "comparison": None}


def text_of(shown: Json, statements: Sequence[Told] = BESIDE) -> str:
    return page(shown, statements, title=f"Position bias of {shown['source']['name']}", version="1.2.3")


def written(folder: Path, shown: Json) -> str:
    """The address of a page."""
    path = folder / "page.html"
    path.write_text(text_of(shown), encoding="utf-8")
    return path.as_uri()


def settled(driver: Any) -> Json:
    """State and result of the page, once every figure is drawn; the driver's time for scripts limits the waiting."""
    found: Json = json.loads(driver.execute_async_script(_SETTLED))
    return found


_SETTLED = """
const done = arguments[0];
const tell = () => done(JSON.stringify({state: page.state, result: page.result}));
(function look() { typeof page !== 'undefined' && page.ready ? tell() : setTimeout(look, 10); })();
"""
