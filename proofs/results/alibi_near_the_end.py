"""U8, ALiBi near the end: one head of slope m in every layer, rho = exp(-m), at a fixed distance d from the last token.

    L_d  <=  P^(T)_{i, i-d}  <=  L_d + rho^{i-d} (lambda_1 + ... + lambda_T)        in every row i, the last one, n, too
    L_0 = c_0,   L_d = (1 - rho) E c_{1 + Bin(d - 1, 1 - rho)} for d >= 1;   c_k = P(K = k) for chances rho lambda_t

So the profile tends to L_d as n grows, and what L says of its shape it says of long profiles: p_{n-d} <= p_{n-e} if
L_d + rho^{n-d} S <= L_e, and only if L_d <= L_e + rho^{n-e} S, with S = lambda_1 + ... + lambda_T.

L is the law of the distance that the kernel of an endless past, (1 - rho) rho^d at distance d, reaches in T layers.
From d = 1 on it is log-concave, hence unimodal:

    L_{d+1} - L_d = (1 - rho)^2 E (c_{2 + Bin(d - 1, 1 - rho)} - c_{1 + Bin(d - 1, 1 - rho)})
    L_d L_{d+2} <= L_{d+1}^2;   L_{d+1} <= L_d  =>  L_{d+2} <= L_{d+1}
    no hump, that is L falls from d = 1 on,  <=>  c_2 <= c_1
    the spike shows, L_1 <= L_0,  <=>  (1 - rho) c_1 <= c_0

Continuous depth, c_k = exp(-rho S) (rho S)^k / k!: L differs from its law exp(-rho S) M by at most rho^2 sum
lambda_t^2; no hump iff rho S <= 2; the spike shows iff (1 - rho) rho S <= 1.  Hypotheses: 0 <= rho <= 1
(m >= 0), 0 <= lambda_t <= 1; that there is no hump tells of c only if m > 0, since L_d = 0 for d >= 1 if m = 0.  The
bounds are tight for T = 1 in the first row.  Source: ours, beyond arXiv:2602.16837.

Exact here: everything, but that cases compare exp in balls.  Numeric here: nothing.  Not covered: the limits as
formulas of their own, since n is one number throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case, Entries, Table
from proofs.draws import for_each, sizes_within
from proofs.laws import effective_depth
from proofs.lemmas.alibi_law_steps import count_facts, counts, law, law_steps, thinned
from proofs.lemmas.alibi_poisson_steps import (
    M,
    S,
    close_steps,
    close_to_poisson,
    hump_steps,
    series,
    shape_steps,
    spent,
    spike_steps,
)
from proofs.lemmas.alibi_row_steps import (
    L,
    decay,
    endless_kernel,
    geometric,
    order,
    order_steps,
    rho,
    row_lemmas,
    row_steps,
    rows,
)
from proofs.lemmas.binomial_mean_steps import array_lemmas, mean_lemmas
from proofs.lemmas.distance_law_steps import falls, far, law_lemmas, shape_lemmas
from proofs.lemmas.law_shape_steps import hump, law_shape_lemmas, shape, slopes, spike
from proofs.lemmas.log_concave_steps import log_concave_lemmas, log_concave_series
from proofs.lemmas.pascal_steps import binomial_lemmas
from proofs.lemmas.poisson_distance_steps import close_lemmas
from proofs.lemmas.poisson_steps import at_least_0, exp_lemmas, term_lemmas
from proofs.lemmas.prefix_power_steps import lam, w
from proofs.lemmas.shift_steps import shift_lemmas
from proofs.notation import every, mixing, positive
from proofs.outline import used_only
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Chain, Generalise, Instantiate, Step, Use, use
from proofs.substitute import apply
from proofs.term import Formula, Implies, Lambda, Range, Relation, as_index, as_term, index
from proofs.twins import lose, scale, turn

d, D, T = (index(name) for name in ("d", "D", "T"))
ONE = as_term(1)
c, here = counts(T), Lambda(("d",), L(T, "d"))


def near(body: Formula) -> Formula:
    """For every distance up to D."""
    return every("d", 0, D, body)


c_0, c_1 = (apply(c, (as_index(count),)) for count in (0, 1))
steep = Relation("<", rho(), ONE)
OF_COUNTS = ("slope", "mixing", "endless kernel")
OF_ROWS = ("weights", "geometric weights", *OF_COUNTS)
claim = Claim(
    symbols=(w, lam, rho, L, S, M),
    indices=(Range("T", as_index(0), None), Range("D", as_index(0), None)),
    hypotheses=(
        ("weights", positive(w)),
        ("geometric weights", geometric),
        ("slope", decay),
        ("positive slope", steep),
        ("mixing", mixing(lam, "T")),
        ("endless kernel", endless_kernel),
        ("time", at_least_0(S())),
        ("effective depth", Relation("=", S(), effective_depth(lam))),
        ("Poisson law", far(Relation("=", M("d"), law(series, d)))),
    ),
    parts=(
        Part("law", ("endless kernel",), near(Relation("=", L(T, "d"), law(c, d)))),
        Part("rows", OF_ROWS, rows),
        Part("order", OF_ROWS, order),
        Part("slopes", ("endless kernel",), slopes(here, c, rho())),
        Part("shape", OF_COUNTS, shape(here, falls(c, 1))),
        Part("hump", ("positive slope", "endless kernel"), hump(here, falls(c, 1))),
        Part("spike", ("endless kernel",), spike(here, Relation("<=", (ONE - rho()) * c_1, c_0))),
        Part("continuous depth", (*OF_COUNTS, "effective depth", "Poisson law"), close_to_poisson()),
        Part("shape, continuous depth", ("slope", "time", "Poisson law"), shape(M, Relation("<=", spent, as_term(2)))),
        Part("hump, continuous depth", ("positive slope", "Poisson law"), hump(M, Relation("<=", spent, as_term(2)))),
        Part("spike, continuous depth", ("Poisson law",), spike(M, Relation("<=", (ONE - rho()) * spent, ONE))),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


def of_laws(lemma: str, *given: Use | str) -> Instantiate:
    """A lemma on laws of distances, for the hops in T layers."""
    known = use("endless law", given=("endless kernel",))
    return Instantiate(use(lemma, fns=(here, c, rho), given=(known, *given)))


derivation = used_only((
    *exp_lemmas(),
    *term_lemmas(),
    *shift_lemmas(),
    log_concave_series,
    *log_concave_lemmas(),
    close_lemmas()[0],
    *binomial_lemmas(),
    *mean_lemmas(),
    *law_lemmas(),
    close_lemmas()[1],
    *array_lemmas(),
    *shape_lemmas(),
    *law_shape_lemmas(),
    *row_lemmas(),
    Step("endless law", Implies(endless_kernel, far(Relation("=", L(T, "d"), law(c, d)))), Generalise(
        ("endless kernel",), law_steps()
    )),
    claim.proof("law", Step("this distance", claim.part("law").asserts, Chain((
        use("endless law", d, given=("endless kernel",)),
    )))),
    claim.proof("rows", *row_steps()),
    claim.proof("order", *order_steps(lambda side, at: use("rows", "n", at, parts=side, given=OF_ROWS))),
    claim.proof("slopes", Step("by counts", claim.part("slopes").asserts, of_laws("slopes of laws"))),
    claim.proof("shape", *count_facts(), Step("by counts", claim.part("shape").asserts, of_laws(
        "shape of laws", use("slope", parts="at least 0"), use("slope", parts="at most 1"), "counts >= 0",
        "log-concave counts", "starts",
    ))),
    claim.proof("hump", Step("by counts", claim.part("hump").asserts, of_laws("hump of laws", "positive slope"))),
    claim.proof("spike", Step("by counts", claim.part("spike").asserts, of_laws("spike of laws"))),
    claim.proof("continuous depth", *thinned, *close_steps()),
    claim.proof("shape, continuous depth", *shape_steps()),
    claim.proof("hump, continuous depth", *hump_steps()),
    claim.proof("spike, continuous depth", *spike_steps()),
    claim.finish("near the end"),
))  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------

Row = tuple[Fraction, ...]


def cases() -> SearchStrategy[Case]:
    """Slopes from none to steep, coefficients at both ends and between; S is their sum in half of the cases."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        drawn = st.tuples(mixing_coefficients(depth), st.binary(min_size=3, max_size=3))
        return drawn.map(lambda x: chosen(positions, x[0], *x[1]))

    def chosen(positions: int, mixed: Row, decay: int, further: int, time: int) -> Case:
        depth = Fraction(time % 13, 2) if time % 2 else None
        return _case(positions, mixed, Fraction(1 + decay % 12, 12), further % 3 + 1, depth)

    return for_each(sizes_within(4, 4), draw)


def _case(
    positions: int, mixed: Sequence[Fraction | int], decay: Fraction, further: int, time: Fraction | None = None,
    **changed: Entries | Table,
) -> Case:  # fmt: skip
    """Weights decay^(-j); L by its recursion, M by its sum."""
    last = positions + further + 1
    depth = sum(map(Fraction, mixed), Fraction(0)) if time is None else time
    tables: dict[str, Entries | Table] = {
        "w": [1 / decay**at for at in range(positions)], "lambda_": mixed, "rho": decay, "S": depth,
        "L": Table(_endless(mixed, decay, last), (0, 0)), "M": Table(_poisson(decay, depth, last), (0,)),
    }  # fmt: skip
    return Case.of(positions, {"T": len(mixed), "D": further}, **{**tables, **changed})


def _endless(mixed: Sequence[Fraction | int], decay: Fraction, last: int) -> list[Row]:
    """L_{s, d} for s = 0, ..., T and d = 0, ..., last."""
    rows = [tuple(Fraction(d == 0) for d in range(last + 1))]
    for coefficient in mixed:
        hop = Fraction(0)
        following = []
        for here in rows[-1]:
            hop = decay * hop + (1 - decay) * here
            following.append((1 - coefficient) * here + coefficient * hop)
        rows.append(tuple(following))
    return rows


def _poisson(decay: Fraction, depth: Fraction, last: int) -> Row:
    """M_d for d = 0, ..., last."""
    terms = [Fraction(1)]
    for count in range(1, last + 1):
        terms.append(terms[-1] * decay * depth / count)

    def at(d: int) -> Fraction:
        weights = (comb(d - 1, k) * (1 - decay) ** k * decay ** (d - 1 - k) for k in range(d))
        return (1 - decay) * sum((x * term for x, term in zip(weights, terms[1:], strict=False)), Fraction(0))

    return (Fraction(1), *(at(d) for d in range(1, last + 1)))


_half = Fraction(1, 2)
needed = (
    Needed("weights", _case(1, [1], _half, 0, w=[0]), "w_1 = 0: P_11 = 0 (1 / 0 = 0), but L_0 = 1/2"),
    Needed("geometric weights", _case(2, [1], _half, 0, w=[2, 1]), "w = (2, 1): P_22 = 1/3, but L_0 = 1/2"),
    Needed("slope", _case(1, [1], Fraction(-1), 0), "rho = -1: P_11 = 1, but L_0 = 2"),
    Needed(
        "positive slope", _case(1, [1, 1], Fraction(1), 0),
        "rho = 1, two layers with lambda = 1: L_2 = L_1 = 0, but c_2 = 1 > c_1 = 0",
    ),
    Needed("mixing", _case(1, [Fraction(-1)], _half, 0), "lambda = -1: P_11 = 1, but L_0 = 3/2"),
    Needed(
        "endless kernel", _case(1, [1], _half, 0, L=Table([[1] * 3] * 2, (0, 0))), "L = 1 everywhere, but c_0 = 1/2"
    ),
    Needed(
        "time", _case(1, [], _half, 1, Fraction(-1)), "S = -1: rho S = -1/2 <= 2, but M_2 = -3/32 > M_1 = -1/4"
    ),
    Needed(
        "effective depth", _case(1, [], _half, 0, Fraction(1)), "no layer, but S = 1: L_0 = 1 > exp(-1/2) M_0"
    ),
    Needed("Poisson law", _case(1, [], _half, 0, M=Table([0] * 3, (0,))), "M = 0, but L_0 = 1"),
)  # fmt: skip

statement = Statement(
    id="U8",
    title="ALiBi near the end: the law of the distance",
    source="ours, beyond arXiv:2602.16837",
    remark="A spike, then one hump or none, decided by the first three chances of the number of hops.",
    cites=("press2022",),
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        scale("law"), lose("law"), turn("rows/below"), turn("rows/above"), scale("rows/above", _half), turn("order/if"),
        turn("order/only if"), scale("slopes"),
        turn("shape/log-concave"), turn("shape/unimodal"), turn("shape/no hump"), turn("hump"), turn("spike/if"),
        turn("spike/only if"), turn("continuous depth/above"), scale("continuous depth/above", _half),
        scale("continuous depth/below", _half), turn("shape, continuous depth/log-concave"),
        turn("shape, continuous depth/unimodal"), turn("shape, continuous depth/no hump"),
        scale("hump, continuous depth", _half), turn("spike, continuous depth/if"),
        scale("spike, continuous depth/only if", _half),
    ),
)  # fmt: skip
