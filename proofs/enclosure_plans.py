"""Which parts of D3 and D4 are enclosed, and how ALiBi's exponentials enter them: q_t = e^{m_t}, z_t = e^{d_t}.

    prefix weights w_j = q^j       distance weights a_d = q^{-d}       scores s_ij = q^j, diagonal times z

Scores are e^{-m (i - j)} in ALiBi; q^j is that times the row factor q^i, which cancels (D4 (a)).  The functions are
given as tables over whatever q_t and z_t are: rational functions of variables, or rationals for a witness.  Nothing
here is trusted but that a table is what its name says; what the parts assert is read off the claim.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from proofs.batch import Cells, Tables

__all__ = ["PLANS", "Family", "Plan", "Setting"]

Value = Any  # a Ratio or a Fraction


@dataclass(frozen=True)
class Setting:
    """n positions; for each layer q_t, z_t and lambda_t (one layer where a part speaks of a single kernel)."""

    n: int
    q: tuple[Value, ...]
    z: tuple[Value, ...]
    lam: tuple[int, ...]

    def weights(self, t: int = 1) -> list[Value]:
        """q_t^j, j = 1..n."""
        return _powers(self.q[t - 1], self.n)

    def positions(self) -> range:
        return range(1, self.n + 1)

    def layers(self) -> range:
        return range(1, len(self.lam) + 1)


@dataclass(frozen=True)
class Family:
    """A part with the functions it reads; ``pairs``: (lower, upper) that the part compares, alike but for ``moved``.

    moved: "slope" or "content", the parameter that is larger in the upper functions; empty where there are none.
    layered: the part speaks of T layers with coefficients lambda_t, not of one kernel.
    """

    part: str
    tables: Callable[[Setting], Tables]
    moved: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    content: bool = False
    layered: bool = False


@dataclass(frozen=True)
class Plan:
    """The families, up to which n and T, and what the scope says besides."""

    families: tuple[Family, ...]
    max_n: int
    max_layers: int
    note: str


def _powers(x: Value, count: int) -> list[Value]:
    found = [x]
    while len(found) < count:
        found.append(found[-1] * x)
    return found[:count]


def _prefix(name: str) -> Callable[[Setting], Tables]:
    return lambda s: {name: {(j,): x for j, x in enumerate(s.weights(), start=1)}}


def _distance(name: str) -> Callable[[Setting], Tables]:
    return lambda s: {name: {(d,): x for d, x in enumerate([1, *_powers(1 / s.q[0], s.n)][: s.n])}}


def _heads(s: Setting) -> Tables:
    """One head per layer."""
    f: Cells = {(t, 1, j): x for t in s.layers() for j, x in enumerate(s.weights(t), start=1)}
    return {"f": f, "alpha": {(t, 1): 1 for t in s.layers()}, **_mixing(s)}


def _mixing(s: Setting) -> Tables:
    return {"lambda": {(t,): x for t, x in zip(s.layers(), s.lam, strict=True)}}


def _scores(s: Setting) -> Tables:
    rows: Cells = {(i, j): x for i in s.positions() for j, x in enumerate(s.weights(), start=1)}
    return {"s": rows, "x": {(i,): s.z[0] for i in s.positions()}}


def _layer_scores(s: Setting) -> Tables:
    rows: Cells = {(t, i, j): x for t in s.layers() for i in s.positions() for j, x in enumerate(s.weights(t), start=1)}
    return {"f": rows, "X": {(t, i): s.z[t - 1] for t in s.layers() for i in s.positions()}, **_mixing(s)}


PLANS: dict[str, Plan] = {
    "D3": Plan(
        (
            Family("a", _prefix("w")),
            Family("c, slope", lambda s: {"q": {(): s.q[0]}}, "slope", (("q", "q'"),)),
            Family("c, rollouts", _heads, "slope", (("f", "g"),), layered=True),
            Family("d", _distance("a")),
            Family("e", _distance("a"), "slope", (("a", "b"),)),
        ),
        6, 3, "one head per layer, ",
    ),
    "D4": Plan(
        (
            Family("b", _scores, "content", (("x", "y"),), content=True),
            Family("b, rollouts", _layer_scores, "content", (("X", "Y"),), content=True, layered=True),
            Family("c", lambda s: {**_prefix("w")(s), "c": {(): s.z[0]}}, content=True),
        ),
        4, 3, "one content per layer, ",
    ),
}  # fmt: skip
