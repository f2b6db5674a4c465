"""U7, the shape of the profile of uniform layers, exactly: completely monotone up to its spike, and so convex.

    D^d (A^{u+1})_ij >= 0,  D^d e_ij >= 0  for j + d <= i      with D x_j = x_j - x_{j+1},  e_ij = P^(T)_ij - a [j = i]
    i P_ii = h(i),   i P_{i,i-1} = i h(i - 1) - (i - 1) h(i),   P_ii - P_{i,i-1} = h(i) - h(i - 1)
    row i >= 3 is a U  <=>  P(K >= 2) > 0 and h(i - 1) < h(i)    with h(q) = q prod_t (1 - lambda_t + lambda_t / q)
    P(K >= 2) <= i (P_i1 - P_i2),    P(K = 1) <= i P_{i,i-1} <= P(K = 1) + 2 P(K >= 2) / (i - 1)

for every row i of the rollout, which is the profile of i tokens.  K is the number of layers that attend, a = P(K = 0);
P(K >= 2) > 0 says that lambda_t > 0 in two layers ("two layers").  U is meant as in U4; a convex row that rises once
rises to its end, so none is "other", and the lowest entry before the last is the last but one.  For every q >= 1:

    sum_t lambda_t / (1 - lambda_t) <= q,  lambda_t < 1          =>  h(q + 1) - h(q) >= a / (q + 1) > 0
    R = sum_t lambda_t / (lambda_t + q (1 - lambda_t)) < 1       =>  h(q + 1) > h(q)  =>  R < (q + 1) / q
    q (h(q + 1) - h(q))  <=  (q + 2) (h(q + 2) - h(q + 1))       q h(q) is convex: once a U, it stays one as i grows

Continuous depth, G = exp(S (A - I)) as the limit of its series, S >= 0: row i >= 3 is a U iff 0 < S < i (i - 1)
ln(i / (i - 1)), for q exp(-S (1 - 1/q)) grows from q to q + 1 iff S < q (q + 1) ln((q + 1) / q) ("continuous growth").
At S = 0 the row is (0, ..., 0, 1), no U; at S < 0 entries are negative and there may be a valley.

Hypotheses: the uniform kernel in every layer, coefficients in [0, 1].  Identities and inequalities; those by P(K >= 2)
are equations at T = 2, those for P_{i,i-1} at T = 1.  Source: ours, beyond arXiv:2602.16837.  The differences
come from U6, whose h_k(1/j, ..., 1/i) satisfy j D^{d+1} h_{k+1}(j) = D^d h_k(j) + d D^d h_{k+1}(j + 1), the last two
entries from U2, what is said of h by induction on the layers, and G from C0.

Exact here: everything; cases decide exp and ln in balls, and pass over "continuous depth".  Numeric here: nothing.
Not covered: that i P_{i,i-1} tends to P(K = 1) as a formula of its own, since n is one number throughout.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case
from proofs.draws import for_each, sizes_within, values
from proofs.lemmas.binomial_steps import recursive_differences
from proofs.lemmas.complete_monotone_steps import monotone_lemmas
from proofs.lemmas.complete_steps import complete_lemmas
from proofs.lemmas.continuous_row_steps import continuous_criterion, continuous_steps
from proofs.lemmas.continuous_shape_steps import G
from proofs.lemmas.growth_criteria_steps import continuous_lemmas, criteria
from proofs.lemmas.hops_at_least_steps import at_least_two, hop_bounds
from proofs.lemmas.kept_share_steps import kept_lemmas, reciprocal_lemmas
from proofs.lemmas.logarithm_steps import ln_steps, numbers
from proofs.lemmas.poisson_steps import exp_lemmas, term_lemmas
from proofs.lemmas.prefix_power_steps import lam, w
from proofs.lemmas.product_steps import numbers_not_negative
from proofs.lemmas.shapes import dips, ends, p, valley
from proofs.lemmas.threshold_steps import below_one, growth_lemmas
from proofs.lemmas.uniform_row_steps import uniform_rows
from proofs.lemmas.uniform_shape_parts import BOTH, UNIFORM, attending_parts, row_parts
from proofs.lemmas.uniform_shape_steps import differences_of, envelope, powers_of, shape_steps
from proofs.lemmas.uniform_shape_terms import (
    S,
    a_u,
    continuous,
    enough,
    from_row,
    grows,
    last_two,
    less,
    most,
    one_attends,
    rises,
    sharper,
    sharper_conversely,
    some_pair,
    two_layers,
)
from proofs.lemmas.uniform_steps import uniform
from proofs.lemmas.vanishing_steps import limit_lemma
from proofs.notation import every, mixing, n, number
from proofs.outline import used_only
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Absurd,
    Both,
    Instantiate,
    Nonnegative,
    Step,
    item,
    real_cases,
    use,
)
from proofs.term import Implies, Range, as_index, as_term, index
from proofs.twins import scale, turn

d, i, j, k, l, q, r, t, u, v, T = (index(name) for name in "dijklqrtuvT")  # noqa: E741 - the letters of the formulas
ZERO, ONE = as_term(0), as_term(1)

claim = Claim(
    symbols=(w, lam, S, G),
    indices=(*(Range(name, as_index(0), None) for name in ("T", "d", "u")), Range("q", as_index(1), None)),
    hypotheses=(("uniform weights", uniform(w)), ("mixing", mixing(lam, "T")), ("below one", below_one())),
    parts=(
        Part("powers", UNIFORM, differences_of(powers_of(u + 1), d)),
        Part("envelope", BOTH, differences_of(envelope, d)),
        Part("convex", BOTH, from_row(1, every("j", 1, i - 2, most(2 * p(j + 1), p(j) + p(j + 2))))),
        Part("rises to the end", BOTH, from_row(1, every("j", 1, i - 1, Implies(
            most(p(j), p(j + 1)), every("l", j, i - 1, most(p(l), p(l + 1)))
        )))),
        Part("lowest", BOTH, from_row(1, every("j", 1, i - 1, most(p(i - 1), p(j))))),
        Part("last two", UNIFORM, from_row(2, last_two)),
        Part("two layers", ("mixing",), two_layers),
        Part("start", BOTH, from_row(3, most(at_least_two(T), number("i") * (p(1) - p(2))))),
        Part("U", BOTH, from_row(3, Implies(some_pair, Implies(rises, valley(i - 1))))),
        Part("U, conversely", BOTH, from_row(3, every("v", 1, i, Implies(valley(v), a_u)))),
        Part("growth", ("mixing",), grows(q)),
        Part("stays a U", BOTH, every("i", 3, n - 1, every("v", 1, i, Implies(valley(v), valley(i, i + 1))))),
        Part("enough positions", ("mixing", "below one"), enough(q)),
        Part("sharper", ("mixing",), sharper(q)),
        Part("sharper, conversely", ("mixing",), sharper_conversely(q)),
        Part("one attends", BOTH, from_row(2, one_attends)),
        Part("continuous growth", (), continuous(q)),
        Part("continuous depth", UNIFORM, continuous_criterion()),
    ),
)  # fmt: skip

# --- derivation: when a row is a U ---------------------------------------------------------------------

falls_last, rises_last = (formula for _, formula in ends(i - 1))
a_u_if = claim.proof(
    "U",
    Step("falls", falls_last, Nonnegative(
        (
            item(use("lowest", i, 2, given=BOTH)),
            item(use("1 / k > 0", i), use("start", i, given=BOTH)), item(use("1 / k > 0", i), use("two attend")),
        ),
        (item(use("k / k", i), times=p(1) - p(2)),),
    )),
    Step("rises", rises_last, Nonnegative(
        (item(use("h rises")),), (item(use("last two", i, parts="rise", given=UNIFORM), times=-ONE),)
    )),
    Step("dips", dips, Both(("falls", "rises"))),
    Step("valley", valley(i - 1), Instantiate(use("U4", T, i, parts="U", fns=(lam, w), given=(*BOTH, "dips")))),
    fix=("i", "two attend", "h rises"),
)  # fmt: skip
contradiction = less(ZERO, ZERO)
a_u_only_if = claim.proof(
    "U, conversely",
    Step("dips", dips, Instantiate(use("U4", T, i, v, parts="U, conversely", fns=(lam, w), given=(*BOTH, "valley")))),
    Step("rises", rises, Nonnegative(
        (item(use("dips", parts="rises")),), (item(use("last two", i, parts="rise", given=UNIFORM)),)
    )),
    Step("some pair", some_pair, real_cases(
        at_least_two(T), ZERO, "case",
        (
            Step("level", contradiction, Nonnegative(
                (item(use("dips", parts="falls")),),
                (item(use("rows are level", i, given=(*BOTH, "case"))),),
            )),
            Step("impossible", some_pair, Absurd(use("level"), Fraction(0))),
        ),
        (Step("some", some_pair, Instantiate(use("case"))),),
    )),
    Step("both", a_u, Both(("some pair", "rises"))),
    fix=("i", "v", "valley"),
)  # fmt: skip
stays = claim.proof(
    "stays a U",
    Step("a U", a_u, Instantiate(use("U, conversely", i, v, given=(*BOTH, "valley")))),
    Step("next", valley(i, i + 1), Instantiate(use("U", i + 1, given=(
        *BOTH, use("a U", parts="two layers"),
        use("h grows faster", i - 1, parts="on", given=("mixing", use("a U", parts="rises"))),
    )))),
    fix=("i", "v", "valley"),
)  # fmt: skip

# --- derivation ---------------------------------------------------------------------------------------


def on_h(part: str, lemma: str, given: tuple[str, ...]) -> Step:
    """What is known of h for every m."""
    return claim.proof(part, Step("at q", claim.part(part).asserts, Instantiate(use(lemma, q, given=given))))


derivation = used_only((
    *numbers,
    numbers_not_negative,
    *ln_steps,
    *complete_lemmas(),
    *recursive_differences(),
    uniform_rows,
    *monotone_lemmas(),
    *hop_bounds(),
    *shape_steps(),
    *reciprocal_lemmas(),
    *kept_lemmas(),
    *growth_lemmas(),
    *criteria(),
    *continuous_lemmas(),
    *exp_lemmas(),
    *term_lemmas(),
    limit_lemma(),
    *row_parts(claim),
    *attending_parts(claim),
    a_u_if,
    a_u_only_if,
    on_h("growth", "h grows faster", ("mixing",)),
    stays,
    on_h("enough positions", "enough positions, for h", ("mixing", "below one")),
    on_h("sharper", "sharper, for h", ("mixing",)),
    on_h("sharper, conversely", "sharper, conversely, for h", ("mixing",)),
    on_h("continuous growth", "continuous depth, for h", ()),
    claim.proof("continuous depth", *continuous_steps(), fix=("time", "limit")),
    claim.finish("shape"),
))  # fmt: skip

# --- cases --------------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Weights 1; coefficients at both ends and between, in half of the cases below 1."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        ints = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 5))
        drawn = st.tuples(mixing_coefficients(depth), st.sampled_from((Fraction(1), Fraction(3, 4))), ints, values(1))
        return drawn.map(lambda d: _case(positions, [x * d[1] for x in d[0]], *d[2], S=d[3][0]))

    return for_each(sizes_within(), draw)


def _case(
    positions: int,
    coefficients: list[Fraction] | list[int],
    d: int = 0,
    u: int = 0,
    q: int = 1,
    S: Fraction | int = 0,
    w: list[int] | None = None,
) -> Case:
    ints = {"T": len(coefficients), "d": d, "u": u, "q": q}
    zeros = [[0] * positions] * positions  # what is said of G is a limit, which no case decides
    return Case.of(positions, ints, w=w or [1] * positions, lambda_=coefficients, S=S, G=zeros)


half = Fraction(1, 2)
needed = (
    Needed("uniform weights", _case(3, [1, 1], w=[1, 2, 4]), "w = (1, 2, 4): (47, 52, 48) / 147, a hump"),
    Needed("mixing", _case(3, [2, -1]), "lambda = (2, -1): last row (4, 10, -5) / 9, a hump"),
    Needed("below one", _case(1, [1]), "lambda = 1: the sum is 0 as 1 / 0 is 0, and h = 1 throughout"),
)

statement = Statement(
    id="U7",
    title="The shape of the profile of uniform layers",
    source="ours, beyond arXiv:2602.16837",
    remark="It is convex: falling, rising, or a U, and once a U it stays one as tokens are added.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("powers"), turn("envelope"), turn("convex"), turn("rises to the end"), turn("lowest"),
        scale("last two/last"), scale("last two/before"), scale("last two/rise"),
        scale("two layers/lower", half), scale("two layers/upper", half), scale("start", half),
        turn("U/down"), turn("U/rises"), turn("U, conversely/rises"), turn("growth/faster"), turn("growth/on"),
        turn("stays a U/rises"), turn("enough positions/margin"), turn("enough positions/rises"), turn("sharper"),
        turn("sharper, conversely"), turn("one attends/lower"), turn("one attends/upper"),
        turn("continuous growth/if"), turn("continuous growth/only if"),
    ),
)  # fmt: skip
