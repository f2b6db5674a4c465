"""``posbias bench numeric``: ratios on the same work, rows compared, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from numeric import benchmark

Posbias = Callable[..., Any]
SMALL = ("bench", "numeric", "-n", "29", "-T", "3", "--heads", "5", "--quick")


def test_json_has_ratios_beside_every_time(posbias: Posbias) -> None:
    run = posbias(*SMALL, "--json")
    assert (run.code, run.err) == (0, "")
    found = run.json()
    assert (found["layers"], found["heads"], found["threads"], found["agrees"]) == (3, 5, 1, True)
    assert [t["route"] for t in found["timings"]] == ["plain", "lfilter", "numpy", "profile"]
    first = found["timings"][0]
    for t in found["timings"]:
        assert t["n"] == 29 and t["difference"] <= found["tolerance"]
        assert t["times_plain"] == pytest.approx(first["seconds"] / t["seconds"])
    assert found["timings"][1]["times_lfilter"] == 1
    assert found["growth"] == [] and found["exponent"] is None  # one length has no growth
    assert found["memory"]["bytes"] - found["memory"]["beyond_the_row"] == 8 * 29


def test_the_table_says_what_was_timed(posbias: Posbias) -> None:
    run = posbias(*SMALL)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("work     3 layers of 5 ALiBi heads")
    assert "rows     agree within 1e-12" in run.out
    assert run.out.isascii()


def test_growth_is_measured_over_the_lengths(posbias: Posbias, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "LENGTHS", (7, 11))
    monkeypatch.setattr(benchmark, "GROWTH", (7, 11, 13))
    found = posbias("bench", "numeric", "-T", "3", "--heads", "5", "--json").json()
    assert [t["n"] for t in found["timings"]] == [7] * 4 + [11] * 4
    assert [g["n"] for g in found["growth"]] == [7, 11, 13]
    assert found["growth"][0]["times_first"] == 1 and isinstance(found["exponent"], float)
    assert found["memory"]["n"] == 13


def test_rows_that_differ_are_a_failure(posbias: Posbias, monkeypatch: pytest.MonkeyPatch) -> None:
    right = benchmark.by_filters
    monkeypatch.setattr(benchmark, "by_filters", lambda work, n: right(work, n) * (1 + 1e-9))
    run = posbias(*SMALL)
    assert run.code == 1 and "DIFFER" in run.out
    monkeypatch.setattr(benchmark, "by_filters", lambda work, n: right(work, n) * float("nan"))
    assert posbias(*SMALL).code == 1


def test_without_numba_the_table_says_so(posbias: Posbias, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numeric.sweep.compiled", lambda: None)
    run = posbias("bench", "numeric", "-n", "64", "-T", "30", "--heads", "112", "--quick")
    assert run.code == 0
    assert "not installed (extra: fast)" in run.out and "(compiled sweep)" not in run.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("bench", "Argument 'WHAT' must be given, not left out."),
        ("bench numerics", "Argument 'WHAT' must be 'numeric', not 'numerics'."),
        ("bench numeric -n 0", "Argument '-n' must be an integer in [1, 1048576], not 0."),
        ("bench numeric --length 2e3", "Argument '--length' must be an integer, not '2e3'."),
        ("bench numeric -T 0", "Argument '-T' must be an integer in [1, 1000], not 0."),
        ("bench numeric --heads x", "Argument '--heads' must be an integer, not 'x'."),
        ("bench numeric -n 5 -n 7", "Argument '-n' must be given once, not as '5' and '7'."),
    ],
)
def test_bad_input_is_refused(posbias: Posbias, words: str, message: str) -> None:
    run = posbias(*words.split())
    assert (run.code, run.out, run.err) == (2, "", message + "\n")
