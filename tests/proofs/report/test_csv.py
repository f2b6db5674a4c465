"""Every figure's numbers as CSV: what the result holds, digit for digit, positions from 0."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest

from tests.proofs.report.states import EDGES, GIVEN

Evaluate = Callable[..., Any]
Json = dict[str, Any]

FIGURES = ["profile", "decomposition", "depth", "mixing", "hops", "phase", "bounds"]


@pytest.fixture
def tables(evaluate: Evaluate, loaded: Callable[[Json], None]) -> tuple[Json, dict[str, list[dict[str, str]]]]:
    """A result, and the rows of every figure."""
    measured = {"source": "m", "values": [1.0] + [0.0] * 36}
    loaded({"given": GIVEN, "initial": EDGES["given"], "measured": measured})
    result = evaluate("return posbias.compute(posbias.initial)")
    texts = {name: evaluate("return posbias.csv(x[0], x[1])", [name, result]) for name in FIGURES}
    return result, {name: list(csv.DictReader(io.StringIO(text), strict=True)) for name, text in texts.items()}


def _numbers(rows: list[dict[str, str]], column: str) -> list[float]:
    return [float(row[column]) for row in rows]


def test_the_figures(evaluate: Evaluate) -> None:
    assert evaluate("return posbias.FIGURES") == FIGURES
    message = evaluate("return posbias.csv('toString', {})")
    assert message == f"Argument 'figure' must be one of {', '.join(FIGURES)}, not 'toString'."


def test_rows_are_the_result(tables: tuple[Json, dict[str, list[dict[str, str]]]]) -> None:
    result, rows = tables
    parts = result["decomposition"]
    assert _numbers(rows["profile"], "position") == list(range(37))
    assert _numbers(rows["profile"], "profile") == result["profile"]
    assert _numbers(rows["profile"], "influence") == [1.0] + [0.0] * 36
    assert _numbers(rows["decomposition"], "spike") == [0.0] * 36 + [parts["spike"]]
    assert _numbers(rows["decomposition"], "recency") == parts["recency"]
    assert _numbers(rows["decomposition"], "primacy") == parts["primacy"]
    assert _numbers(rows["depth"], "profile") == [x for row in result["byDepth"] for x in row["profile"]]
    assert _numbers(rows["depth"], "depth")[::37] == [row["depth"] for row in result["byDepth"]] == [1, 2, 3]
    assert _numbers(rows["mixing"], "lambda") == result["lam"]
    assert _numbers(rows["mixing"], "layer") == [1, 2, 3]
    assert _numbers(rows["hops"], "probability") == result["hops"]
    assert [row["shape"] for row in rows["phase"]] == [label for row in result["phase"]["shapes"] for label in row]
    assert _numbers(rows["phase"], "slope")[:17] == result["phase"]["slopes"]
    bounds, dichotomy = rows["bounds"], result["dichotomy"]
    assert [row["depth"] for row in bounds] == ["0", "1", "2", "3", "inf"]
    for name, key in (("first", "firstToken"), ("last", "diagonal"), ("mean_position", "meanPosition")):
        for column, field in ((f"{name}_at_least", "atLeast"), (name, "value"), (f"{name}_at_most", "atMost")):
            assert _numbers(bounds[:-1], column) == [row[key][field] for row in dichotomy["byDepth"]]
    ends = [[float(bounds[-1][f"{name}_at_{side}"]) for side in ("least", "most")] for name in ("first", "last")]
    assert ends == [dichotomy["limit"]["firstToken"], dichotomy["limit"]["diagonal"]]
    assert bounds[-1]["first"] == bounds[-1]["mean_position_at_most"] == ""


def test_what_there_is_not_is_left_empty(evaluate: Evaluate, loaded: Callable[[Json], None]) -> None:
    loaded({"given": None, "initial": EDGES["nothing attends"]})
    text = evaluate("return posbias.csv('decomposition', posbias.compute(posbias.initial))")
    assert text.splitlines()[1] == "0,0,0,,"
    assert evaluate("return posbias.csv('profile', posbias.compute(posbias.initial))").startswith("position,profile\n")
