"""U5, the continuum of the uniform kernel: at every finite n within explicit bounds, L = ln(i/j), in every row i > j.

    sum_{k=1}^T P(K = k) prod_{r<k} L/r  <=  i P^(T)_ij  <=  sum_{k=1}^T P(K = k) prod_{r<k} (L/r + 1/j)
    i P^(T)_ij  <=  sum_{k=1}^T P(K = k) L^{k-1} / (k-1)!  +  (1/j) (lambda_1 + ... + lambda_T) prod_t (1 + lambda_t L)
    a  <=  P^(T)_ii  <=  a + P(K >= 1) / i,        a = (1 - lambda_1) ... (1 - lambda_T) = P(K = 0)

with prod_{r<k} L/r = L^{k-1} / (k-1)! and K = K_T the number of layers that attend.  The last row, i = n, is the
profile.  For j = x n the first sum is a density at x in (0, 1), and n p_j exceeds it by at most
S prod_t (1 - lambda_t ln x) / (x n), S the effective depth: so n p_j tends to it as n grows.  The atom at x = 1 is a.
Hypotheses: the uniform kernel in every layer, coefficients in [0, 1].  Proof: U6, where h_{k-1}(1/j, ..., 1/i) lies
between the two products.  Source: ours, beyond arXiv:2602.16837.

Exact here: everything; cases decide logarithms in balls.  Numeric here: nothing.  Not covered: the limit as a formula
of its own, since n is one number throughout; whether the constants are best.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case
from proofs.draws import for_each, sizes_within
from proofs.laws import effective_depth, term_of_series
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.harmonic_steps import harmonic_lemmas, log_ratio
from proofs.lemmas.hop_mean_steps import hop_lemmas, product_of_layers
from proofs.lemmas.logarithm_steps import ln_steps, numbers, one_over
from proofs.lemmas.prefix_power_steps import OF_HOPS, h, lam, law, shares, stay, w
from proofs.lemmas.product_steps import product_lemmas, shifted
from proofs.lemmas.uniform_row_steps import P, by_hops, of_uniform, rows, uniform_rows
from proofs.lemmas.uniform_steps import uniform
from proofs.notation import every, mixing, n, number
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Both, Induction, Item, Nonnegative, Step, Use, item, use
from proofs.term import (
    And,
    Formula,
    Index,
    Range,
    Relation,
    Term,
    as_index,
    as_term,
    index,
    total,
)
from proofs.twins import lose, scale, shift, turn

i, j, k, m, T = (index(x) for x in ("i", "j", "k", "m", "T"))
ONE = as_term(1)
L = log_ratio(i, j)


def before_diagonal(low: Term, high: Term) -> Formula:
    """For all j < i."""
    return every("i", 1, n, every("j", 1, i - 1, Relation("<=", low, high)))


scaled = number("i") * P(T, "i", "j")
density = by_hops(term_of_series(L)(k - 1))
lower = before_diagonal(density, scaled)
upper = before_diagonal(scaled, by_hops(shifted(L, one_over("j"))(k - 1)))
bound = one_over("j") * (effective_depth(lam, T) * product_of_layers(lam, L)(T))
error = before_diagonal(scaled, density + bound)
spike = Relation("<=", stay(T), P(T, "i", "i"))
little_more = Relation("<=", P(T, "i", "i"), stay(T) + one_over("i") * total("k", 1, T, law(T, "k")))
atom = And((("lower", spike), ("upper", little_more)))

HYPOTHESES = ("uniform weights", "mixing")
claim = Claim(
    symbols=(w, lam),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(("uniform weights", uniform(w)), ("mixing", mixing(lam, "T"))),
    parts=(
        Part("lower", HYPOTHESES, lower),
        Part("upper", HYPOTHESES, upper),
        Part("error", HYPOTHESES, error),
        Part("atom", HYPOTHESES, every("i", 1, n, atom)),
    ),
)

# --- one value -----------------------------------------------------------------------------------------


def chance(count: Index | str) -> Use:
    """P(K_T = count) >= 0."""
    return use("C1", T, count, parts="nonnegative", fns=OF_HOPS, given=("mixing",))


def of_shares(side: str, last: str, first: str) -> Use:
    """h_{k-1}(u_first, ..., u_last) and a product of logarithms."""
    return use(f"complete polynomials, {side}", k - 1, first, last, fns=(shares,), given=(rows("values"),))


def one_value(degree: Index | int) -> Formula:
    """h_degree(1 / i) <= 1."""
    return every("i", 1, n, Relation("<=", h(degree, "i", "i"), ONE))


at_most_one = of_uniform("one value", every("m", 0, None, one_value(m)), Step(
    "every degree", every("m", 0, None, one_value(m)), Induction(
        "so far",
        base=(Step("degree 0", one_value(0), Nonnegative(())),),
        step=(Step("one degree more", one_value(m + 1), Nonnegative(
            (item(use("1/j <= 1", "i")), item(use("1 / k > 0", "i"), use("so far", "i"))),
            (item(rows("values", "l"), times=h(m, "i", "l"), over=(("l", i, i),)),),
        )),),
    ),
))  # fmt: skip

# --- derivation -------------------------------------------------------------------------------------

counts, paths = (("k", 1, T),), by_hops(h(k - 1, "j", "i"))
of_log, of_next, of_step = (value(x) for x in (L, log_ratio(i + 1, j), one_over("j")))
logs = use("ln(l/j) >= 0", "j", "i")


def row_scaled(sign: int) -> tuple[Item, Item]:
    """i P_ij is the sum over the paths, for j < i."""
    scale = as_term(sign)
    return item(rows("rows", "i", "j"), times=scale * number("i")), item(use("k / k", "i"), times=scale * paths)


derivation = (
    *numbers,
    *ln_steps,
    *product_lemmas(),
    *harmonic_lemmas(),
    *hop_lemmas(lam),
    uniform_rows,
    Step("1/j <= 1", every("j", 1, None, Relation("<=", one_over("j"), ONE)), Nonnegative(
        (item(use("1 / l falls", 1, "j")),), (item(use("k / k", 1)),)
    )),
    at_most_one,
    claim.proof("lower", Step("hop by hop", lower, Nonnegative(
        (
            item(chance("k"), of_shares("below", "i", "j"), over=counts),
            item(
                chance("k"),
                use("x^m / m! rises", k - 1, fns=(of_log, of_next), given=(logs, use("ln l rises", "j", "i"))),
                over=counts,
            ),
        ),
        row_scaled(-1),
    ))),
    claim.proof("upper", Step("hop by hop", upper, Nonnegative(
        (item(chance("k"), of_shares("above", "i", "j"), over=counts),), row_scaled(1)
    ))),
    claim.proof("error", Step("hop by hop", error, Nonnegative((
        item(use("upper", "i", "j", given=HYPOTHESES)),
        item(
            chance(k + 1),
            use("products are close", k, fns=(of_log, of_step), given=(
                logs, use("1/j >= 0", "j"), use("1/j <= 1", "j"),
            )),
            over=(("k", 0, T - 1),),
        ),
        item(use("1 / k > 0", "j"), use("mean slope", T, fns=(of_log,), given=("mixing", logs))),
    )))),
    claim.proof(
        "atom",
        Step("from below", spike, Nonnegative(
            (
                item(use("1 / k > 0", "i"), chance("k"), of_shares("below", "i", "i"), over=counts),
                item(
                    use("1 / k > 0", "i"), chance("k"),
                    use("x^m / m! >= 0", k - 1, fns=(value(log_ratio(i + 1, i)),), given=(
                        use("ln(l/j) >= 0", "i", i + 1),
                    )),
                    over=counts,
                ),
            ),
            (item(rows("rows", "i", "i"), times=-1),),
        )),
        Step("from above", little_more, Nonnegative(
            (item(
                use("1 / k > 0", "i"), chance("k"), use("one value", k - 1, "i", given=("uniform weights",)),
                over=counts,
            ),),
            (item(rows("rows", "i", "i")),),
        )),
        Step("both", atom, Both(("from below", "from above"))),
        fix=("i",),
    ),
    claim.finish("continuum"),
)  # fmt: skip

# --- cases ------------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """The uniform kernel, coefficients at both ends and between."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, layers = size
        return mixing_coefficients(layers).map(lambda drawn: _case(positions, *drawn))

    return for_each(sizes_within(6, 4), draw)


def _case(positions: int, *coefficients: Fraction) -> Case:
    return Case.of(positions, {"T": len(coefficients)}, w=[1] * positions, lambda_=coefficients)


needed = (
    Needed(
        "uniform weights", Case.of(2, {"T": 1}, w=[1, 2], lambda_=[1]), "w = (1, 2): 2 P_21 = 2/3, but P(K = 1) = 1"
    ),
    Needed("mixing", _case(1, Fraction(-1)), "lambda = -1: P_11 = 1, but the atom is 2"),
)

statement = Statement(
    id="U5",
    title="The uniform kernel and its continuum, at every n",
    source="ours, beyond arXiv:2602.16837",
    remark="As n grows the scaled profile tends to a mixture of powers of -ln x, and a spike stays at the end.",
    cites=("chowdhury2026",),
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("lower"), scale("lower", Fraction(1, 2)), turn("upper"), scale("upper", Fraction(1, 2)), lose("upper"),
        shift("upper", "hops", 1, 1), turn("error"), scale("error", Fraction(1, 2)),
        turn("atom/lower"), turn("atom/upper"), lose("atom/upper"),
    ),
)  # fmt: skip
