"""All about the profile of an architecture: its shape, the depth, the law of K, and the decomposition of U1.

Three arithmetics answer the same questions (arXiv:2602.16837; U1, U4, C1):

- float64, the default. Entries are compared only beyond a bound on their error: twice the roundings that each kernel
  documents, summed over the layers. What lies within is undecided, ties among it (λ = 0 everywhere has no rounding).
  certified: entries come with proven bounds (`numeric.error_bound`), some thousand times sharper, which decide instead.
- exact: kernels and λ are rationals; everything is decided.
- bits: kernels of any kind, balls at that precision; what they do not decide is undecided.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any, Literal

from numeric.ball import AnyKernel, ball_profile, ball_shares, precision
from numeric.ball_kernel import as_ball, to_ball
from numeric.decomposition import Column, Decomposition, Head, number_decomposition
from numeric.distance import Distance, LogDistance, Window, fft_layer_error
from numeric.exact import exact_profile, from_flint, to_flint
from numeric.extended_row import LARGEST_GROWTH, growth
from numeric.float_decomposition import float_decomposition
from numeric.hops import hop_law, poisson_binomial
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.once import once
from numeric.prefix import NotPrefix, as_exact, float_heads, number_heads
from numeric.prefix_lm import PrefixLM
from numeric.profile import profile
from numeric.refuse import positions, refusal
from numeric.schedule import Mixing, as_schedule, mixing_values
from numeric.shape import Shape, Sign, Value, exact_sign, shape_of_array, shape_of_numbers
from numeric.sweep import sweep_roundings
from numeric.within_bound import sign_within

__all__ = ["Description", "describe", "rounding_bound"]


@dataclass(frozen=True, eq=False)
class Description:
    """What `describe` says; numbers are floats, Fractions or balls, as ``arithmetic`` is.

    profile : p, (n,). shape : its `Shape`. effective_depth : S = Σ_t λ_t. hops : P(K = k), k = 0 … T, K the number of
    attending layers. decomposition : p as spike and envelopes, or None where a layer is no average of prefix kernels;
    then ``no_decomposition`` says which. undecided : why the shape or the position of the valley is undecided; None
    where both are known. reason : both, as far as there is one. bound : (n,) proven bounds on the error of the profile,
    where they were asked for.
    """

    arithmetic: Literal["float64", "rationals", "balls"]
    profile: Column
    shape: Shape
    effective_depth: Value
    hops: Column
    decomposition: Decomposition | None
    no_decomposition: str | None
    undecided: str | None
    bound: Column | None = None

    @property
    def reason(self) -> str | None:
        """What is missing and why; None where nothing is."""
        return "; ".join(filter(None, (self.undecided, self.no_decomposition))) or None


def describe(
    kernels: Sequence[AnyKernel],
    lam: Mixing,
    *,
    n: int,
    exact: bool = False,
    bits: int | None = None,
    envelopes: bool = True,
    certified: bool = False,
) -> Description:
    """The profile of an architecture, described; O(T H n) for prefix kernels, in each arithmetic.

    kernels : (T,), layer 1 first; for floats those of `numeric.kernel` and `numeric.distance`, for ``exact`` those with
    rational entries, for ``bits`` any. lam : one number, a schedule or (T,) numbers in [0, 1]. n : length, at least 1.
    exact : in rationals. bits : in balls of that precision. envelopes : False leaves the envelopes out of a float
    description, whose cost is then that of the profile. certified : the float profile with proven error bounds.
    Raises InputError.

    >>> from numeric.kernel import Prefix
    >>> found = describe([Prefix([1, 2, 4])] * 2, 1, n=3, exact=True)
    >>> found.shape.label, found.profile
    ('other', (Fraction(47, 147), Fraction(52, 147), Fraction(16, 49)))
    >>> found.decomposition.nonincreasing, found.decomposition.heads[0].envelope
    (True, (Fraction(47, 147), Fraction(26, 147), Fraction(4, 49)))
    """
    if not isinstance(exact, bool):
        raise refusal("exact", "be True or False", exact)
    if not isinstance(certified, bool):
        raise refusal("certified", "be True or False", certified)
    if exact and bits is not None:
        raise refusal("bits", "be left out beside exact=True", bits)
    if certified and (exact or bits is not None):
        raise refusal("certified", "be left out beside exact=True or bits, which need no bounds", certified)
    if isinstance(kernels, (str, bytes)) or not isinstance(kernels, (list, tuple)):
        raise refusal("kernels", "be a list with one kernel per layer", kernels)
    if exact:
        return _in_rationals(kernels, lam, n)
    return _in_floats(kernels, lam, n, envelopes, certified) if bits is None else _in_balls(kernels, lam, n, bits)


# --- float64 --------------------------------------------------------------------------------------------------------


def _in_floats(kernels: Sequence[Any], lam: Mixing, n: int, envelopes: bool, certified: bool) -> Description:
    p, bound, sign, why = (_with_bound if certified else _rounded)(kernels, lam, n)
    shares = mixing_values(lam, len(kernels))
    form = shape_of_array(p, sign)
    parts, reason = None, _no_prefix(kernels, lambda kernel: float_heads(kernel, n))
    if reason is None:
        parts = float_decomposition(kernels, shares, n, envelopes=envelopes)
    p.setflags(write=False)
    left_open = _left_open(p.tolist(), form, sign, f"within {why}; exact=True or bits=128 may tell")
    law = hop_law(shares, layers=len(kernels))
    return Description("float64", p, form, math.fsum(shares), law, parts, reason, left_open, bound)


def _rounded(kernels: Sequence[Any], lam: Mixing, n: int) -> tuple[Column, None, Sign, str]:
    """The profile, no bounds, the sign beyond documented roundings, and what leaves it open."""
    p = profile(kernels, lam, n=n)
    return p, None, _beyond(*rounding_bound(kernels, lam, n=n)), "what rounding may have done"


def _with_bound(kernels: Sequence[Any], lam: Mixing, n: int) -> tuple[Column, Column, Sign, str]:
    """The profile with its proven bounds, the sign beyond those, and what leaves it open."""
    p, bound = profile(kernels, lam, n=n, bound=True)
    bound.setflags(write=False)
    return p, bound, sign_within(p, bound), "the proven bounds on their error"


def rounding_bound(kernels: Sequence[Kernel], lam: Mixing, *, n: int) -> tuple[float, float]:
    """(ε, η) with |p̂_j − p_j| ≤ ε p_j + η for the float profile p̂ of these kernels and λ, head weights as they stand.

    ε is twice the documented roundings of every attending layer, each 2^−53, and ∞ where that exceeds ½. The factor
    covers their products and the rounding of a comparison. η covers what underflows: an error of at most n 2^−1074
    (for distance kernels of 10^131 times as much) per entry and layer; and what sums by FFT may be off by, √n times
    that in 1-norm. Later layers pass errors on: their 1-norm grows by the largest row sum of each, ∞ where that is too
    much for a float.
    """
    shares = mixing_values(lam, len(kernels)).tolist()
    attending = [k for k, share in zip(kernels, shares, strict=True) if share > 0]
    if not attending:
        return 0.0, 0.0
    by_sweep = sweep_roundings(kernels, shares, n)
    if by_sweep is not None:
        # n T shares below 1e−270 are set to 0, and as many sums, each of which would reach n positions: n² T 1e−270
        return (by_sweep * 2.0**-52 if by_sweep <= 2.0**51 else math.inf), 2.0**-800
    relative = math.fsum(count + 4 for count in once(lambda kernel: _roundings(kernel, n), attending)) * 2.0**-52
    absolute = 2.0 ** (-400 if any(map(_scaled, attending)) else -1000)
    by_fft = math.sqrt(n) * math.fsum(once(lambda kernel: _fft_error(kernel, n), attending))
    grown = growth(kernels, shares)
    passed_on = 2.0 ** (grown + 1) if grown <= LARGEST_GROWTH else math.inf  # doubled for its own roundings
    return (relative if relative <= 0.5 else math.inf), passed_on * (absolute + 2 * by_fft)


def _roundings(kernel: Kernel, n: int) -> float:
    """The relative error of `apply` in units of 2^−53, as the kernels' modules document it."""
    match kernel:
        case HeadAverage():
            return max(_roundings(k, n) for k in kernel.kernels) + len(kernel.kernels) + 2
        case Alibi():
            return 12 * math.log2(n) + 12 + kernel.slopes.size
        case Window():
            return 24 * math.log2(n) + 20
        case Distance() | LogDistance():
            return n + 760
        case Dense():
            return n + 1
        case PrefixLM():
            return _roundings(kernel.heads, n) + kernel.prefix + 760
        case Prefix() | Uniform():
            return 12 * math.log2(n) + 10
    return math.inf


def _fft_error(kernel: Kernel, n: int) -> float:
    """The error in 2-norm, and so of any entry, of a layer whose sums are by FFT, for a row with sum 1."""
    match kernel:
        case HeadAverage():
            return math.fsum(_fft_error(k, n) for k in kernel.kernels)
        case Distance() | LogDistance():
            return fft_layer_error(kernel, n)
    return 0.0


def _scaled(kernel: Kernel) -> bool:
    """Whether weights far below the largest may count as 0 in `apply`."""
    inner = kernel.kernels if isinstance(kernel, HeadAverage) else (kernel,)
    return any(_scaled(k) if isinstance(k, HeadAverage) else isinstance(k, (Distance, LogDistance)) for k in inner)


def _beyond(relative: float, absolute: float) -> Sign:
    """The sign of x − y where it exceeds what rounding may have done; without rounding the sign itself."""
    if relative == 0:
        return exact_sign

    def sign(x: float, y: float) -> int | None:
        gap = relative * (x + y) + absolute
        return 1 if x - y > gap else -1 if y - x > gap else None

    return sign


# --- rationals and balls --------------------------------------------------------------------------------------------


def _in_rationals(kernels: Sequence[Any], lam: Mixing, n: int) -> Description:
    length = positions(n)
    layers = [as_exact(kernel, length, f"layer {t}") for t, kernel in enumerate(kernels, start=1)]
    p = exact_profile(layers, lam, n=length)
    zero, shares = to_flint(0), [to_flint(x) for x in as_schedule(lam).exact(len(layers))]
    form = shape_of_numbers([to_flint(x) for x in p], exact_sign, min, zero)
    parts, reason = _parts(layers, layers, shares, length, to_flint)
    depth, law = sum(shares, zero), poisson_binomial(shares, zero)
    form, depth, law, parts = (_fractions(x) for x in (form, depth, law, parts))
    return Description("rationals", p, form, depth, law, parts, reason, None)


def _in_balls(kernels: Sequence[Any], lam: Mixing, n: int, bits: int) -> Description:
    with precision(bits, "bits"):
        p = ball_profile(kernels, lam, n=n, prec=bits)
        shares, zero = ball_shares(lam, len(kernels)), to_ball(0)
        form = shape_of_numbers(p, _ball_sign, lambda x, y: x.min(y), zero)
        parts, reason = _parts(kernels, [as_ball(kernel, n) for kernel in kernels], shares, n, to_ball)
        depth, law = sum(shares, zero), poisson_binomial(shares, zero)
        left_open = _left_open(p, form, _ball_sign, f"not told apart by {bits} bits; more, or exact=True, may tell")
    return Description("balls", p, form, depth, law, parts, reason, left_open)


def _left_open(p: Sequence[Value], form: Shape, sign: Sign, why: str) -> str | None:
    """Why the label or the valley of a shape is undecided, or None; entries are counted from 0."""
    if form.label == "undecided":
        at = next(j for j, (x, y) in enumerate(pairwise(p)) if sign(x, y) is None)
        return f"the shape is undecided: entries {at} and {at + 1} of the profile are {why}"
    if form.valley.position is None:
        return f"the position of the valley is undecided: the smallest entries of the profile are {why}"
    return None


def _parts(
    given: Sequence[Any], layers: Sequence[Any], shares: Sequence[Value], n: int, number: Any
) -> tuple[Any, Any]:
    """(decomposition, None) or (None, reason); ``given`` knows what a kernel is, ``layers`` its rows."""
    reason = _no_prefix(given, lambda kernel: number_heads(kernel, n))
    if reason is not None:
        return None, reason
    heads = once(lambda kernel: number_heads(kernel, n), given)
    return number_decomposition(list(zip(layers, heads, strict=True)), shares, n, number), None


def _no_prefix(kernels: Sequence[Any], heads: Any) -> str | None:
    """Which layer is no average of prefix kernels; None if all are."""
    first = {id(kernel): (layer, kernel) for layer, kernel in reversed(list(enumerate(kernels, start=1)))}
    for layer, kernel in sorted(first.values(), key=lambda found: found[0]):
        try:
            heads(kernel)
        except NotPrefix as kind:
            return f"layer {layer} is not known to average prefix kernels: {kind}"
    return None


def _ball_sign(x: Value, y: Value) -> int | None:
    return 1 if x > y else -1 if x < y else 0 if x == y else None


def _fractions(value: Any) -> Any:
    """Every flint rational inside as a Fraction."""
    if isinstance(value, tuple):
        inner = [_fractions(x) for x in value]
        return type(value)(*inner) if hasattr(value, "_fields") else tuple(inner)
    if isinstance(value, list):
        return tuple(_fractions(x) for x in value)
    if isinstance(value, (Shape, Decomposition, Head)):
        return replace(value, **{field.name: _fractions(getattr(value, field.name)) for field in fields(value)})
    return from_flint(value) if isinstance(value, type(to_flint(0))) else value
