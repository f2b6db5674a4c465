"""p^(T) = e_n R_T ⋯ R_1 as proven enclosures, and p ≼ q as yes, no or undecided (flint's arb).

Kernels may have real slopes and contents, e^{mj} and all: each entry is a ball that contains the true number, and an
order is answered only where the balls decide it. Where they do not, `decide_precedes` doubles the precision up to a
stated cap and then says undecided, as it must for profiles that are equal but not dyadic. Theory S1, section 0;
arXiv:2602.16837.

Exact here: nothing is rounded uncounted; numbers are taken as the rationals they are. flint's precision is global: it
is put back whatever happens. A ball prints wider than it is, and x == x is False unless its radius is 0. Not covered:
monotonicity over boxes of parameters; see `numeric.ball_box`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from numeric.ball_kernel import Ball, BallKernel, as_ball, to_ball
from numeric.endless import share_range
from numeric.exact import ExactKernel, Rows
from numeric.kernel import Kernel
from numeric.refuse import flag, integer, positions, refusal
from numeric.schedule import Mixing, as_schedule

__all__ = ["Decision", "ball_profile", "ball_shares", "ball_tails", "decide_precedes", "precedes_ball", "precision"]

AnyKernel = BallKernel | Kernel | ExactKernel | Rows
Architecture = tuple[Sequence[AnyKernel], Mixing]

MOST_BITS = 1 << 20  # beyond this one entry takes longer than anybody waits


@contextmanager
def precision(bits: int, name: str = "prec") -> Iterator[None]:
    """flint's global precision set to ``bits`` inside `with`, and put back on leaving, by an exception too.

    A number of bits that is none is refused under ``name``.
    """
    import flint

    wanted = integer(bits, name, 2)
    if wanted > MOST_BITS:
        raise refusal(name, f"be at most {MOST_BITS}", bits)
    before = flint.ctx.prec
    try:
        flint.ctx.prec = wanted
        yield
    finally:
        flint.ctx.prec = before


def ball_profile(kernels: Sequence[AnyKernel], lam: Mixing, *, n: int, prec: int = 128) -> tuple[Ball, ...]:
    """p_j = (R_T ⋯ R_1)_{nj} as n balls, by T row recursions at ``prec`` bits.

    kernels : (T,), layer 1 first: kernel objects of any kind, or square tuples of rationals. lam : one number, a
    schedule or (T,) numbers in [0, 1]; a float slope or λ means exactly that float. n : length, at least 1. T = 0
    gives e_n, λ_t = 0 skips its layer. At n = 256 the radii measured 32 T 2^−prec of the
    entries. Raises InputError.

    >>> from numeric.kernel import Uniform
    >>> ball_profile([Uniform()], 1, n=2)[0].contains(0.5)
    True
    """
    if isinstance(kernels, (BallKernel, Kernel, ExactKernel)) or not isinstance(kernels, (list, tuple)):
        raise refusal("kernels", "be a list with one kernel per layer", kernels)
    length = positions(n)
    with precision(prec):
        layers = [as_ball(kernel, length) for kernel in kernels]
        shares = ball_shares(lam, len(layers))
        v = [to_ball(0)] * (length - 1) + [to_ball(1)]
        for kernel, share in zip(reversed(layers), reversed(shares), strict=True):
            if not share.is_zero():
                v = [(1 - share) * x + share * y for x, y in zip(v, kernel.row(v), strict=True)]
    return tuple(v)


def ball_tails(p: Sequence[Ball], *, prec: int = 128) -> tuple[Ball, ...]:
    """F(k) = Σ_{j≥k} p_j, k = 1 … n, as balls, added at ``prec`` bits. p : (n,) balls or rationals."""
    if not isinstance(p, (list, tuple)) or not p:
        raise refusal("p", "be a sequence with at least one entry", p)
    with precision(prec):
        return tuple(accumulate(to_ball(x, "p") for x in reversed(p)))[::-1]


def precedes_ball(p: Sequence[Ball], q: Sequence[Ball], *, strict: bool = False, prec: int = 128) -> bool | None:
    """p ≼ q: True where every tail of p is certainly ≤ that of q, False where one is certainly larger, else None.

    p, q : (n,) balls or rationals, distributions: F(1) = 1 is not compared. strict : ask for p ≼ q and p ≠ q; then
    True needs one tail certainly smaller, and tails that are certainly all equal give False.

    >>> from fractions import Fraction
    >>> third = Fraction(1, 3)
    >>> precedes_ball([0.5, 0.5], [third, 1 - third]), precedes_ball([third, 1 - third], [third, 1 - third])
    (True, None)
    """
    if len(p) != len(q):
        raise flag("q", f"have the length {len(p)} of p", f"{len(q)}")
    pairs = list(zip(ball_tails(p, prec=prec)[1:], ball_tails(q, prec=prec)[1:], strict=True))
    if any(a > b for a, b in pairs):
        return False
    if strict and all(a == b for a, b in pairs):  # true of balls only where both are single numbers
        return False
    if all(a <= b for a, b in pairs) and (not strict or any(a < b for a, b in pairs)):
        return True
    return None


@dataclass(frozen=True)
class Decision:
    """answer : yes, no or undecided. prec : the bits at which it was decided, or the largest that were tried."""

    answer: Literal["yes", "no", "undecided"]
    prec: int


def decide_precedes(
    first: Architecture, second: Architecture, *, n: int, strict: bool = False, start: int = 64, cap: int = 4096
) -> Decision:
    """Whether the profile of ``first`` ≼ that of ``second``, at start, 2 start, 4 start, … bits, at most cap.

    first, second : (kernels, lam) as for `ball_profile`. Kernels with ball parameters of positive radius stay
    undecided where the radius is what blurs them. Raises InputError.

    >>> from numeric.kernel import Alibi
    >>> decide_precedes(([Alibi(0.5)] * 3, 0.5), ([Alibi(0.75)] * 3, 0.5), n=7)
    Decision(answer='yes', prec=64)
    """
    bits = integer(start, "start", 2)
    if integer(cap, "cap", 2) < bits:
        raise refusal("cap", f"be at least start, {bits}", cap)
    while True:
        p, q = (ball_profile(kernels, lam, n=n, prec=bits) for kernels, lam in (first, second))
        found = precedes_ball(p, q, strict=strict, prec=bits)
        if found is not None:
            return Decision("yes" if found else "no", bits)
        if bits == cap:
            return Decision("undecided", bits)
        bits = min(2 * bits, cap)


def ball_shares(lam: Mixing, layers: int) -> list[Ball]:
    """λ_1 … λ_T as balls: exactly where the rule is rational, c t^−β enclosed where it is not."""
    return share_range(as_schedule(lam), 1, layers)
