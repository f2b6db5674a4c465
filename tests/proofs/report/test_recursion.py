"""The page computes what `numeric` computes, to 1e−9: edges, random states, BLOOM-176B as it was measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from numeric.description import describe
from numeric.published import find, measured_influence
from tests.proofs.report.expected import compare, distances, expected, layers_of
from tests.proofs.report.states import EDGES, GIVEN, drawn

Evaluate = Callable[..., Any]
Load = Callable[[dict[str, Any]], None]


def data(initial: dict[str, Any], given: dict[str, Any] | None = GIVEN, measured: Any = None) -> dict[str, Any]:
    return {"initial": initial, "given": given, "measured": measured}


@pytest.mark.parametrize("name", EDGES)
def test_edges(evaluate: Evaluate, loaded: Load, name: str) -> None:
    state = EDGES[name]
    loaded(data(state))
    result = evaluate("return posbias.compute(x)", state)
    assert compare(result, expected(state, GIVEN), state, GIVEN) == []


@pytest.mark.parametrize("seed", range(24))
def test_random_states(evaluate: Evaluate, seed: int) -> None:
    state = drawn(seed)
    result = evaluate("return posbias.compute(x)", state)
    assert compare(result, expected(state, None), state, None) == []


def test_random_states_are_of_many_kinds() -> None:
    states = [drawn(seed) for seed in range(24)]
    assert {s["schedule"]["kind"] for s in states} == {"constant", "power", "geometric"}
    assert {s["slopes"]["kind"] for s in states} == {"paper", "model", "one"}
    assert {s["content"]["d"] > 0 for s in states} == {True, False}
    labels = {describe(*layers_of(s, None), n=s["length"], envelopes=False).shape.label for s in states}
    assert labels >= {"U", "primacy", "recency", "other"}


def test_what_differs_is_named(evaluate: Evaluate, loaded: Load) -> None:
    """A comparison that cannot fail would be none: another λ, another slope, another content."""
    state = EDGES["heads of BLOOM"]
    loaded(data(state))
    result = evaluate("return posbias.compute(x)", state)
    ours = expected(state, None)
    assert compare(result, ours, state, None) == []
    for name, value in (
        ("schedule", {"kind": "constant", "c": 0.5 + 1e-7}), ("slopes", {"kind": "paper", "heads": 11}),
        ("content", {"kind": "number", "d": 0.5 + 1e-6}), ("length", 59),
    ):  # fmt: skip
        other = evaluate("return posbias.compute(x)", {**state, name: value})
        assert "profile" in compare(other, ours, state, None), name


def test_bloom_as_measured(evaluate: Evaluate, loaded: Load) -> None:
    model, influence = find("bloom-176b"), measured_influence("bloom-176b")
    given = {"mark": "89abcdef", "lam": model.lam().tolist(), "slopes": None, "content": None, "weights": None}
    state = {
        "length": 256, "layers": 70, "schedule": {"kind": "given", "scale": 1},
        "slopes": {"kind": "paper", "heads": 112}, "content": {"kind": "number", "d": 0},
    }  # fmt: skip
    loaded(data(state, given, {"source": "measured", "values": influence.tolist()}))
    result = evaluate("return posbias.compute(x)", state)
    ours = expected(state, given)
    assert compare(result, ours, state, given) == []
    assert distances(result["against"], ours.found.profile, influence)
    assert round(result["against"]["wasserstein"], 4) == 0.0790  # README
    assert (result["shape"], result["valley"]["position"]) == ("U", 62)


def test_ranks_share_what_ties(evaluate: Evaluate, loaded: Load) -> None:
    from numeric.order import spearman

    p, q = [3.0, 1.0, 1.0, 2.0, 1.0, 5.0], [0.0, 2.0, 2.0, 2.0, 0.0, 7.0]
    assert evaluate("return posbias.spearman(x[0], x[1])", [p, q]) == pytest.approx(spearman(p, q), abs=1e-15)
    assert evaluate("return posbias.spearman(x[0], x[1])", [p, [1.0] * 6]) is None
    assert evaluate("return posbias.wasserstein(x[0], x[1])", [[1, 1, 0, 0], [0, 0, 1, 1]]) == 2


def test_the_envelope_falls_and_the_weight_of_one_slope_rises(evaluate: Evaluate) -> None:
    for seed in range(4):
        state = {**drawn(seed), "slopes": {"kind": "one", "slope": 0.25}}
        parts = evaluate("return posbias.compute(x).decomposition", state)
        n, slack = state["length"], 1e-10
        g, w = np.array(parts["primacy"]), np.array(parts["recency"])
        assert (np.diff(g) <= slack * g[:-1]).all()
        assert np.allclose(w / w[-1], np.exp(0.25 * (np.arange(n) - n + 1)), rtol=1e-9)
