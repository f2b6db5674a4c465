"""A rule for λ at every depth: collapse or not, bounds on the diagonal and on the first token, layers needed.

What is known of the kernels is one of: a kernel shared by all layers; a bound 1 − A^(t)_ii ≥ ε > 0 for every layer and
every row i ≥ 2; nothing. The bounds enclose every value that is possible then:

                 lim P_nn                            P^(T)_{n1}, or its limit
  a kernel       Π (1 − λ_t δ_n)            (I1)     E a_K                                                    (C1)
  ε              [Π (1 − λ_t), Π (1 − ε λ_t)] (I1)   [P[PB(ε λ_1..ε λ_T) ≥ n − 1], 1 − Π (1 − λ_t)]       (I5, I2)
  nothing        [Π (1 − λ_t), 1]           (I1)     [0, 1 − Π (1 − λ_t)]                                     (I2)

Theory section 4; arXiv:2602.16837. Floats here are rounded outward from proven enclosures (flint's arb).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from numeric.ball import precision
from numeric.ball_kernel import Ball, to_ball
from numeric.dichotomy import Dichotomy, decide_collapse
from numeric.endless import Endless, endless
from numeric.first_token import DEEPEST, Mass, Search, Staircase, smallest_depth
from numeric.guarantee import Guarantee, guarantees, narrowed
from numeric.infinite_product import infinite_product
from numeric.outward import above, below
from numeric.refuse import flag, integer, positions, rational, refusal
from numeric.schedule import Mixing
from numeric.shared_kernel import SharedKernel

__all__ = ["Depth", "Interval", "depth"]

Known = SharedKernel | Fraction | None
PRECISIONS = (128, 2048)  # the second where the first leaves the answer wide


@dataclass(frozen=True)
class Interval:
    """lo ≤ the true value ≤ hi, floats in [0, 1] rounded outward."""

    lo: float
    hi: float


@dataclass(frozen=True)
class Depth:
    """What `depth` found. by : what ``needed`` rests on: the kernel itself, the bound of I5, that of I2 where it keeps
    P^(T)_{n1} from the goal whatever the kernels, or nothing. guarantees : of a known kernel, what bounds on single
    rows say of ``needed``, which has used them.
    """

    dichotomy: Dichotomy
    diagonal: Interval
    first_token: Interval
    needed: Search | None
    by: Literal["kernel", "I5", "I2"] | None
    guarantees: tuple[Guarantee, ...] = ()


def depth(
    lam: Mixing,
    *,
    n: int,
    kernel: SharedKernel | None = None,
    epsilon: object = None,
    layers: int | None = None,
    eta: object = Fraction(1, 100),
) -> Depth:
    """The dichotomy for λ_1, λ_2, …, and certified bounds for row n.

    lam : a number, a rule, a list, or `Continued`; a list alone says nothing of later layers. kernel : of n positions,
    shared by all layers; or epsilon in (0, 1]; or neither. layers : T of the bound on P^(T)_{n1}, None for its limit.
    eta : in (0, 1); ``needed`` is the smallest T with P^(T)_{n1} ≥ 1 − eta, guaranteed by I5 where only ε is known,
    and "never" where I2 keeps every kernel from it.
    Raises InputError.

    >>> found = depth(Fraction(1, 2), n=2, epsilon=Fraction(1, 2), eta=Fraction(1, 10))
    >>> found.dichotomy.verdict, found.needed.layers  # (3/4)^T ≤ 1/10
    ('collapse', 9)
    """
    rule, length, known = endless(lam), positions(n), _known(kernel, epsilon, n)
    goal = 1 - _inside(eta, "eta", closed=False)
    if layers is not None:
        _require_layers(integer(layers, "layers", 0), rule)
    mass = _mass(rule, length, known)
    token = _first_token(rule, length, mass, layers, certain=kernel is not None)
    needed, by = _needed(rule, length, mass, goal, certain=kernel is not None)
    rows = () if kernel is None or length == 1 else guarantees(rule, kernel, 1 - goal)
    found = needed if needed is None else narrowed(needed, rows)
    return Depth(decide_collapse(rule, length, known), _diagonal(rule, length, known), token, found, by, rows)


def _needed(
    rule: Endless, n: int, mass: Mass | None, goal: Fraction, *, certain: bool
) -> tuple[Search | None, Literal["kernel", "I5", "I2"] | None]:
    """The smallest depth and what it rests on; with one position all the mass is on token 1 at T = 0 already."""
    if n > 1 and not certain and _first_token(rule, n, None, None, certain=False).hi < goal:
        return Search(None, "never", DEEPEST), "I2"
    if mass is None:
        return (Search(0, "found", -1, 0) if n == 1 else None), None
    return smallest_depth(mass, goal), "kernel" if certain else "I5"


def _known(kernel: SharedKernel | None, epsilon: object, n: int) -> Known:
    if kernel is None:
        return None if epsilon is None else _inside(epsilon, "epsilon", closed=True)
    if epsilon is not None:
        raise refusal("epsilon", "be left out beside a kernel, which has its own", epsilon)
    if kernel.size != n:
        raise refusal("n", f"be {kernel.size}, the length of the kernel", n)
    return kernel


def _inside(value: object, name: str, *, closed: bool) -> Fraction:
    share = rational(value, name)
    if not (0 < share < 1 or (closed and share == 1)):
        raise refusal(name, f"lie in (0, 1{']' if closed else ')'}", value)
    return share


def _require_layers(layers: int, rule: Endless) -> None:
    if layers > DEEPEST:
        raise refusal("layers", f"be at most {DEEPEST}", layers)
    if rule.rule is None and layers > len(rule.head):
        raise flag("layers", f"be at most {len(rule.head)}, the layers that the list gives", str(layers))


def _mass(rule: Endless, n: int, known: Known) -> Mass | None:
    if isinstance(known, SharedKernel):
        return Mass(rule, known)
    return None if known is None else Mass(rule, Staircase(n), known)


# --- bounds ---------------------------------------------------------------------------------------------------------


def _diagonal(rule: Endless, n: int, known: Known) -> Interval:
    def bounds() -> tuple[Ball, Ball]:
        if n == 1:
            return to_ball(1), to_ball(1)
        least = known.leave() if isinstance(known, SharedKernel) else to_ball(known or 0)
        if rule.rule is None:  # any λ_t may follow; where the row never moves, none of them matters
            high = infinite_product(rule, least, len(rule.head))
            return (high if least.is_zero() and isinstance(known, SharedKernel) else to_ball(0)), high
        high = infinite_product(rule, least, None)
        return (high if isinstance(known, SharedKernel) else infinite_product(rule, 1, None)), high

    return _refined(bounds, rule.guard)


def _first_token(rule: Endless, n: int, mass: Mass | None, layers: int | None, *, certain: bool) -> Interval:
    def bounds() -> tuple[Ball, Ball]:
        if n == 1:
            return to_ball(1), to_ball(1)
        if mass is not None and certain:
            return mass.bounds(layers)
        upper = to_ball(1) if layers is None and rule.rule is None else 1 - infinite_product(rule, 1, layers)
        return (to_ball(0) if mass is None else mass.bounds(layers)[0]), upper

    return _refined(bounds, rule.guard)


def _refined(bounds: Callable[[], tuple[Ball, Ball]], guard: int) -> Interval:
    """The enclosure at the first precision that leaves little between the bounds, or at the last."""
    best = Interval(0.0, 1.0)
    for prec in PRECISIONS:
        with precision(prec + guard):
            low, high = bounds()
            best = Interval(max(best.lo, below(low)), min(best.hi, above(high)))
            if max(low.rad(), high.rad()) < to_ball(2) ** -60:
                break
    return best
