"""What a state of the page means to `numeric`: kernels and λ, and every number of a result that can be compared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.description import Description, describe
from numeric.kernel import Alibi
from numeric.once import once
from numeric.order import spearman, wasserstein
from numeric.profile import profile
from numeric.published import bloom_slopes, paper_slopes
from numeric.row_facts import row_facts
from numeric.schedule import Constant, Geometric, Power, Schedule
from numeric.speed import Speed, speed
from numeric.weight_and_envelope import WeightAndEnvelope, weight_and_envelope

__all__ = ["Expected", "agree", "compare", "distances", "expected", "layers_of", "rule_of"]

Json = dict[str, Any]

# A share may differ by T (4 n + 40 + H) 2^−52 of itself for the roundings of the page (rows.js), by about as much for
# those of numeric, and a slope by one unit in its last place, which moves no share by more than T 2^−52: for the
# sizes here less than 1e−10 altogether, of numbers that are at most 1 or taken relative to n.
SHARE = 1e-9


@dataclass(frozen=True)
class Expected:
    """The description of a profile, its weight and envelope, its bounds and its λ."""

    found: Description
    forces: WeightAndEnvelope | None
    fast: Speed
    lam: NDArray[np.float64]


def rule_of(schedule: Json) -> Schedule | None:
    """The schedule for every depth; None for given values."""
    match schedule["kind"]:
        case "constant":
            return Constant(schedule["c"])
        case "power":
            return Power(schedule["c"], schedule["beta"])
        case "geometric":
            return Geometric(schedule["c"], schedule["r"])
    return None


def layers_of(state: Json, given: Json | None) -> tuple[list[Alibi], NDArray[np.float64]]:
    """Kernels and λ, layer 1 first."""
    count, (rows, weights) = state["layers"], _slopes(state["slopes"], given)
    rule = rule_of(state["schedule"])
    lam = np.array(given["lam"][:count]) * state["schedule"]["scale"] if rule is None and given else None
    shares = rule.values(count) if rule is not None else lam
    assert shares is not None
    content = given["content"] if given and state["content"]["kind"] == "given" else [state["content"]["d"]]
    made: dict[tuple[int, int], Alibi] = {}
    for t in range(count):
        at = (t if len(rows) > 1 else 0, t if len(content) > 1 else 0)
        made.setdefault(at, Alibi(rows[at[0]], content[at[1]], weights))
    stack = [made[t if len(rows) > 1 else 0, t if len(content) > 1 else 0] for t in range(count)]
    return stack, np.minimum(shares, 1.0)


def _slopes(slopes: Json, given: Json | None) -> tuple[list[Any], Any]:
    match slopes["kind"]:
        case "paper":
            return [paper_slopes(slopes["heads"])], None
        case "model":
            return [bloom_slopes(slopes["heads"])], None
        case "one":
            return [[slopes["slope"]]], None
    assert given is not None
    return given["slopes"], given["weights"]


def expected(state: Json, given: Json | None) -> Expected:
    """All of it from `numeric`."""
    stack, lam = layers_of(state, given)
    found = describe(stack, lam, n=state["length"])
    assert found.decomposition is not None  # ALiBi heads
    forces = weight_and_envelope(found.decomposition)
    return Expected(found, forces, speed(stack, lam, n=state["length"]), lam)


def agree(page: Any, ours: Any, scale: float = 1.0) -> bool:
    """Whether numbers agree within `SHARE`, of shares as they are and of positions relative to ``scale``."""
    x, y = np.asarray(page, dtype=np.float64), np.asarray(ours, dtype=np.float64)
    return x.shape == y.shape and bool((np.abs(x - y) <= SHARE * scale).all())


def compare(result: Json, ours: Expected, state: Json, given: Json | None) -> list[str]:
    """The names of what differs."""
    n, found = state["length"], ours.found
    stack, _ = layers_of(state, given)
    by_depth = [profile(stack[: row["depth"]], ours.lam[: row["depth"]], n=n) for row in result["byDepth"]]
    assert found.decomposition is not None
    pairs: dict[str, bool] = {
        "lam": agree(result["lam"], ours.lam),
        "profile": agree(result["profile"], found.profile),
        "byDepth": agree([row["profile"] for row in result["byDepth"]], by_depth),
        "hops": agree(result["hops"], found.hops),
        "effectiveDepth": agree(result["effectiveDepth"], found.effective_depth, state["layers"]),
        "shape": "undecided" in (result["shape"], found.shape.label) or result["shape"] == found.shape.label,
        "valley": _valley(result["valley"], found.shape.valley),
        "spike": agree(result["spike"], found.shape.spike),
        "meanPosition": agree(result["meanPosition"], found.shape.mean_position + 1, n),
        "firstTenth": agree(result["firstTenth"], found.shape.first_tenth),
        "lastTenth": agree(result["lastTenth"], found.shape.last_tenth),
        "kept": agree(result["decomposition"]["spike"], found.decomposition.spike),
        "forces": _forces(result["decomposition"], ours),
        "bounds": _bounds(result["dichotomy"]["now"], ours.fast, n),
        "boundsByDepth": _bounds_by_depth(result["dichotomy"]["byDepth"], stack, ours.lam, n),
    }
    return [name for name, same in pairs.items() if not same]


def _valley(page: Json, ours: Any) -> bool:
    """Position, where both know it, value and depth."""
    place = page["position"] is None or ours.position is None or page["position"] == ours.position + 1
    return place and agree(page["value"], ours.value) and agree(page["depth"], ours.depth)


def _forces(page: Json, ours: Expected) -> bool:
    """Weight and envelope, each relative to its largest; times each other they are what the spike leaves."""
    if page["recency"] is None:
        return page["primacy"] is None and page["reason"] is not None
    w, g = np.array(page["recency"]), np.array(page["primacy"])
    assert ours.found.decomposition is not None
    rest = np.array(ours.found.profile)
    rest[-1] -= ours.found.decomposition.spike
    same = agree(w * g, rest)
    if ours.forces is None:  # numeric leaves out weights that span more than e^500
        return same
    return (
        same and agree(w / w.max(), ours.forces.recency / w.max()) and agree(g / g.max(), ours.forces.primacy / g.max())
    )


def _bounds(page: Json, ours: Speed, n: int) -> bool:
    token, mean, away = page["firstToken"], page["meanPosition"], ours.away
    return (
        agree(token["atLeast"], 1 - away[ours.upper].hi)
        and agree(token["atMost"], 1 - away[ours.lower].lo)
        and agree(mean["atLeast"], ours.mean_position.lo + 1, n)
        and agree(mean["atMost"], ours.mean_position.hi + 1, n)
    )


def _bounds_by_depth(page: list[Json], stack: list[Alibi], lam: NDArray[np.float64], n: int) -> bool:
    """Values and bounds after the first t layers, t = 0 … T: each profile and each bound anew, at every depth."""
    leave = once(lambda kernel: float(row_facts(kernel, n).leave[-1]), stack)
    moved = [float(share) * x for share, x in zip(lam, leave, strict=True)]
    return [row["depth"] for row in page] == [*range(len(stack) + 1)] and all(
        _bounds(row, speed(stack[:t], lam[:t], n=n), n) and _values(row, stack[:t], lam[:t], moved[:t], n)
        for t, row in enumerate(page)
    )


def _values(row: Json, stack: list[Alibi], lam: NDArray[np.float64], moved: list[float], n: int) -> bool:
    """P_n1, P_nn and E[pos] of the profile, and I2 for P_nn."""
    p, diagonal, most = profile(stack, lam, n=n), row["diagonal"], max(moved, default=0.0)
    kept = [float(np.prod(1 - lam)) if n > 1 else 1.0, math.exp(-sum(moved) / (1 - most)) if most < 1 else 0.0]
    return (
        agree(row["firstToken"]["value"], p[0])
        and agree(diagonal["value"], p[-1])
        and agree(row["meanPosition"]["value"], float(np.arange(1, n + 1) @ p), n)
        and agree([diagonal["atLeast"], diagonal["atMost"]], [max(kept), math.exp(-sum(moved))])
        and diagonal["atLeast"] - SHARE <= diagonal["value"] <= diagonal["atMost"] + SHARE
    )


def distances(page: Json, p: Any, measured: Any) -> bool:
    """W1 and Spearman's correlation beside a measurement."""
    n = len(measured)
    return (
        agree(page["wasserstein"], wasserstein(p, measured) / (n - 1))
        and agree(page["wassersteinPositions"], wasserstein(p, measured), n)
        and agree(page["spearman"], spearman(p, measured))
    )
