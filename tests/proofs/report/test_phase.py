"""The page's phase diagram: the labels of `numeric.phase` wherever floats decide, and the place of a setting in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from numeric.phase import depth_phase
from tests.proofs.report.states import EDGES, GIVEN

Evaluate = Callable[..., Any]
Json = dict[str, Any]


def _phase(evaluate: Evaluate, state: Json) -> Json:
    evaluate("posbias.given = x; return true", GIVEN)
    found: Json = evaluate("return posbias.compute(x).phase", state)
    return found


@pytest.mark.parametrize(("length", "layers"), [(1, 3), (2, 1), (13, 5), (64, 24), (31, 2)])
def test_labels(evaluate: Evaluate, length: int, layers: int) -> None:
    """Floats leave to balls what lies within their rounding: the page calls that undecided, or says the same."""
    page = _phase(evaluate, {**EDGES["heads of BLOOM"], "length": length, "layers": layers})
    ours = depth_phase(page["slopes"], page["depths"], n=length, layers=layers)
    labels, by = ([[getattr(cell, name) for cell in row] for row in ours.answers] for name in ("label", "by"))
    for row, (found, true, how) in enumerate(zip(page["shapes"], labels, by, strict=True)):
        differs = [k for k, label in enumerate(found) if label != true[k] and (label, how[k]) != ("undecided", "balls")]
        assert differs == [], (row, found, true)


def test_nearly_every_cell_is_decided(evaluate: Evaluate) -> None:
    page = _phase(evaluate, {**EDGES["heads of BLOOM"], "length": 64, "layers": 24})
    cells = [label for row in page["shapes"] for label in row]
    assert (len(cells), set(cells)) == (12 * 17, {"U", "primacy", "recency", "other"})


def test_large_diagrams_do_not_overflow(evaluate: Evaluate) -> None:
    state = {**EDGES["uniform"], "length": 1024, "layers": 256}
    cells = [label for row in _phase(evaluate, state)["shapes"] for label in row]
    assert cells.count("undecided") <= len(cells) / 20


def test_the_place(evaluate: Evaluate) -> None:
    state = {**EDGES["uniform"], "slopes": {"kind": "paper", "heads": 8}}
    page = _phase(evaluate, state)
    here = page["here"]
    assert here["slope"] == pytest.approx(2**-4.5)  # the geometric mean of 2^−1 … 2^−8
    assert here["depth"] == pytest.approx(6.5)
    column = int(np.argmin([abs(np.log2(m) + 4.5) if m else np.inf for m in page["slopes"]]))
    row = int(np.argmin(np.abs(np.log(page["depths"]) - np.log(6.5))))
    assert here["cell"] == {"row": row, "column": column}
    assert here["shape"] == page["shapes"][row][column]
    assert here["exact"] is False
    assert here["own"] == evaluate("return posbias.compute(x).shape", state)


def test_a_setting_in_a_cell_has_its_label(evaluate: Evaluate) -> None:
    """One head and one λ: what the recursion says of the profile is what the sums over hops say of the cell."""
    grid = _phase(evaluate, EDGES["uniform"])
    cells = {label: (row, k) for row, labels in enumerate(grid["shapes"]) for k, label in enumerate(labels)}
    assert set(cells) >= {"U", "primacy", "recency", "other"}
    for row, column in [*cells.values(), (0, 3), (1, 16), (8, 5), (11, 0)]:
        schedule = {"kind": "constant", "c": grid["depths"][row] / EDGES["uniform"]["layers"]}
        slopes = {"kind": "one", "slope": grid["slopes"][column]}
        here = _phase(evaluate, {**EDGES["uniform"], "schedule": schedule, "slopes": slopes})["here"]
        assert here["exact"] is True
        assert here["own"] == here["shape"] == grid["shapes"][row][column]


def test_a_setting_that_lies_in_the_diagram(evaluate: Evaluate) -> None:
    assert _phase(evaluate, EDGES["uniform"])["here"]["exact"] is True
    assert _phase(evaluate, EDGES["uniform"])["here"]["slope"] == 0
    with_content = {**EDGES["uniform"], "content": {"kind": "number", "d": 1}}
    decaying = {**EDGES["uniform"], "schedule": {"kind": "power", "c": 1, "beta": 1}}
    for state in (with_content, decaying, EDGES["given"]):
        assert _phase(evaluate, state)["here"]["exact"] is False


def test_outside_the_diagram_is_no_cell(evaluate: Evaluate) -> None:
    """A cell reaches half a step to either side: the last one, at m = 2, from 2 to 2^(1 + 3/10)."""
    state = {**EDGES["uniform"], "slopes": {"kind": "one", "slope": 2**1.29}}
    page = _phase(evaluate, state)
    assert page["here"]["shape"] is not None
    outside = {**state, "slopes": {"kind": "one", "slope": 2**1.31}}
    assert _phase(evaluate, outside)["here"]["shape"] is None
    assert _phase(evaluate, EDGES["steepest"])["here"]["shape"] is None
    assert _phase(evaluate, EDGES["nothing attends"])["here"]["shape"] is None


def test_another_size_is_another_diagram(evaluate: Evaluate) -> None:
    """The grid is kept while n and T stay."""
    first = _phase(evaluate, EDGES["uniform"])
    assert _phase(evaluate, {**EDGES["uniform"], "layers": 5})["depths"] != first["depths"]
    assert _phase(evaluate, {**EDGES["uniform"], "length": 5})["shapes"] != first["shapes"]
    assert _phase(evaluate, EDGES["uniform"]) == first
