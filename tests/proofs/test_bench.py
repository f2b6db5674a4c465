"""``posbias bench``: ratios on the same work, rows compared, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from numeric import benchmark
from numeric.exact import exact_profile
from proofs import command_cost, row_benchmark, symbolic_benchmark
from proofs.command_cost import Cost

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


# --- symbolic -------------------------------------------------------------------------------------------------------


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The costs of the command without running it; the commands that were asked for."""
    asked: list[tuple[str, ...]] = []

    def cost(words: tuple[str, ...]) -> Cost:
        asked.append(words)
        return Cost(2.5, 3 << 20, 0)

    monkeypatch.setattr(command_cost, "cost", cost)
    return asked


def test_symbolic_json(posbias: Posbias, cheap: list[tuple[str, ...]]) -> None:
    run = posbias("bench", "symbolic", "--quick", "--json")
    assert (run.code, run.err) == (0, "")
    found = run.json()
    assert found["agrees"] is True
    assert [t["route"] for t in found["symbols"]] == ["sympy", "rings", "flint", "bytes", "derive"]
    first = found["symbols"][0]
    for t in found["symbols"]:
        assert (t["n"], t["T"], t["terms"], t["same"]) == (3, 3, 107, True)
        assert t["times_sympy"] == pytest.approx(first["seconds"] / t["seconds"])
    fraction, first, exact, iv, arb = found["rows"]
    assert first["against"] == "fraction" and first["times"] == pytest.approx(fraction["seconds"] / first["seconds"])
    assert exact["against"] == "fraction" and exact["times"] == pytest.approx(fraction["seconds"] / exact["seconds"])
    assert arb["against"] == "iv" and arb["times"] == pytest.approx(iv["seconds"] / arb["seconds"])
    assert fraction["times"] is None and iv["times"] is None
    assert [(c["format"], c["seconds"], c["bytes"]) for c in found["derive"]] == [
        ("text", 2.5, 3 << 20),
        ("json", 2.5, 3 << 20),
    ]
    assert cheap[0] == ("derive", "-n", "3", "-T", "3", "--format", "text")


def test_symbolic_sizes(posbias: Posbias, cheap: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Routes that would take too long are left out, and nothing is compared with them."""
    monkeypatch.setattr(symbolic_benchmark, "SIZES", ((3, 2), (4, 3)))
    monkeypatch.setattr(symbolic_benchmark, "MOST_TERMS", {"sympy": 50, "rings": 100})
    monkeypatch.setattr(row_benchmark, "SIZE", 5)
    run = posbias("bench", "symbolic")
    assert (run.code, run.err) == (0, "") and run.out.isascii()
    assert "posbias derive -n 8 -T 8: text 2.5 s and 3.0 MB, json 2.5 s and 3.0 MB" in run.out
    assert "terms    agree" in run.out and "values   agree" in run.out
    routes = [line.split()[2] for line in run.out.splitlines() if line[:4] in ("3, 2", "4, 3")]
    assert routes == ["sympy", "rings", "flint", "bytes", "derive", "flint", "bytes", "derive"]
    assert re.search(r"^4, 3  flint +[\d,]+ +[\d.]+ ms +- +- +x1$", run.out, re.M)


def test_symbolic_disagreements_are_a_failure(
    posbias: Posbias, cheap: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = symbolic_benchmark.ROUTES["rings"]
    with monkeypatch.context() as patch:
        patch.setitem(symbolic_benchmark.ROUTES, "rings", lambda n, T: [-p for p in right(n, T)])
        run = posbias("bench", "symbolic", "--quick")
        assert run.code == 1 and "terms    DIFFER" in run.out and "values   agree" in run.out
    with monkeypatch.context() as patch:
        patch.setattr(row_benchmark, "exact_profile", lambda *a, **k: exact_profile(*a, **k)[::-1])
        run = posbias("bench", "symbolic", "--quick")
        assert run.code == 1 and "terms    agree" in run.out and "values   DIFFER" in run.out
    monkeypatch.setattr(command_cost, "cost", lambda words: Cost(1.0, None, 1))
    run = posbias("bench", "symbolic", "--quick")
    assert run.code == 1 and "text FAILED, json FAILED" in run.out


# --- refused --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("bench", "Argument 'WHAT' must be given, not left out."),
        ("bench numerics", "Argument 'WHAT' must be 'numeric' or 'symbolic', not 'numerics' (nearest: numeric)."),
        ("bench symbolic -n 5", "Argument '-n' must be left out unless WHAT is numeric, not '5'."),
        ("bench symbolic --layers 5", "Argument '--layers' must be left out unless WHAT is numeric, not '5'."),
        ("bench symbolic --heads 5 --quick", "Argument '--heads' must be left out unless WHAT is numeric, not '5'."),
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
