"""I3, divergent mixing: collapse.

    1 - P^(T)_i1  <=  M + (1 - P^(s)_i1 - M) prod_{s < t <= T} (1 - x_t),   x_t = lambda_t (1 - A^(t)_ii),
                      if 1 - P^(r)_j1 <= M for the rows j < i at every depth s <= r < T
    sum_t lambda_t (1 - A^(t)_ii) infinite for every i >= 2   =>   P^(T)_i1 -> 1 for every row i

Hypotheses: causal kernels, coefficients in [0, 1].  Proof: the bound unrolls one layer at a time; the limit is an
induction over the rows, with a depth given for every distance from 1: the product is at most 1 / (1 + sum x_t).
Source: arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: the rate (I5).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case, kernel
from proofs.draws import families, for_each, sizes_within
from proofs.endless_case import EndlessCase, family, star
from proofs.lemmas.limit_steps import A, P, every_kernel, every_mixing, hop, lam, rollouts, up_to
from proofs.lemmas.series_steps import (
    HALF,
    at_least_zero,
    at_most_one,
    left,
    partial_sum,
    product_below,
    product_nonnegative,
    shifted,
)
from proofs.notation import causal, every, layer, layers, mixing, n, some, unbounded, vanishing
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Cases,
    Chain,
    Generalise,
    Induction,
    Instantiate,
    Invert,
    Nonnegative,
    Obtain,
    Step,
    Use,
    Witness,
    item,
    use,
)
from proofs.term import (
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Range,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
)
from proofs.twins import limit, scale, turn

M, eta = Symbol("M", 0), Symbol("eta", 0)
a, i, j, l, s, r, T, S, V, m = (index(name) for name in ("a", "i", "j", "l", "s", "r", "T", "S", "V", "m"))  # noqa: E741
ZERO, ONE = as_term(0), as_term(1)


def away(depth: Index | int | str, row: Index | str) -> Term:
    """1 - P^(depth)_{row,1}: what the row does not have on the first token."""
    return ONE - P(depth, row, 1)


def unrolled(low: Index, high: Index, row: Index, most: Fn = M) -> Formula:
    """The bound from depth ``low`` to ``high``."""
    kept = left(shifted(hop(row), low), high - low)
    return Relation("<=", away(high, row), most() + (away(low, row) - most()) * kept)


def others(low: Index, high: Index, row: Index, most: Fn = M) -> Formula:
    """The rows above have at most M away from the first token, at the depths from ``low`` to before ``high``."""
    return every("r", low, high - 1, every("j", 1, row - 1, Relation("<=", away("r", "j"), most())))


collapse = every("i", 1, n, vanishing(Lambda(("T",), away("T", "i"))))
claim = Claim(
    symbols=(lam, A, M),
    indices=(Range("T", as_index(0), None), Range("s", as_index(0), T)),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("kernels", layers(1, "T", causal(layer(A, "t")))),
        ("all mixing", every_mixing),
        ("all kernels", every_kernel),
        ("infinite sums", every("i", 2, n, unbounded(hop("i")))),
    ),
    parts=(
        Part("bound", ("mixing", "kernels"), every("i", 1, n, Implies(others(s, T, i), unrolled(s, T, i)))),
        Part("collapse", ("all mixing", "all kernels", "infinite sums"), collapse),
    ),
)

# --- the bound ------------------------------------------------------------------------------------

top, p, q = m + 1, index("p"), index("q")
given = Symbol("M*", 0)
low, high = (use("mixing", top, parts=part) for part in ("nonnegative", "at most one"))


def stack(body: Formula) -> Formula:
    """For every depth q with coefficients in [0, 1] and causal kernels up to there."""
    return every("q", 0, None, Implies(mixing(lam, "q"), Implies(layers(1, "q", causal(layer(A, "t"))), body)))


unroll = Step("bound so far", stack(every("p", 0, q, every("i", 1, n, ForAllFn(M, Implies(
    others(p, q, i), unrolled(p, q, i),
))))), Generalise(("q", "mixing", "kernels", "p", "i", "M*", "others"), (
    Step("each depth", every("m", p, q, unrolled(p, m, i, given)), Induction(
        "so far",
        base=(Step("nothing more", unrolled(p, p, i, given), Nonnegative(())),),
        # (1 - x) times the bound so far, and lambda A_il times that of the rows above
        step=(Step("one more layer", unrolled(p, top, i, given), Nonnegative(
            (
                item(high, use("so far")),
                item(low, use("kernels", top, "i", "i", parts="nonnegative"), use("so far")),
                item(
                    low, use("kernels", top, "i", "l", parts="nonnegative"), use("others", m, "l"),
                    over=(("l", 1, i - 1),),
                ),
            ),
            (
                item(use("kernels", top, "i", parts="rows"), times=lam(top) * (given() - 1)),
                item(
                    use("kernels", top, "i", "l", parts="mask"),
                    times=-(lam(top) * (given() - away("m", "l"))), over=(("l", i + 1, n),),
                ),
            ),
        )),),
    )),
    Step("at q", unrolled(p, q, i, given), Chain((use("each depth", q),))),
)))  # fmt: skip

bound = claim.proof("bound", Step("from s to T", claim.part("bound").asserts, Generalise(("i", "others"), (
    Step("at T", unrolled(s, T, i), Chain((
        use("bound so far", T, s, "i", fns=(M,), given=("mixing", "kernels", "others")),
    ))),
))))  # fmt: skip

# --- the limit ------------------------------------------------------------------------------------

h, D = index("h"), index("D")
half_eta = Lambda((), HALF * eta())
rise = hop(h + 1)
rest = shifted(rise, S)
level = partial_sum(rise, S) + 2 * Reciprocal(eta())
product = left(rest, V - S)


def close(start: Index, height: Index, most: Fn) -> Formula:
    """From depth ``start`` on, the rows up to ``height`` have at most ``most`` away from the first token."""
    return every("V", start, None, every("a", 1, height, Relation("<=", away("V", "a"), most())))


def closes(height: Index, most: Fn) -> Formula:
    return some("S", 0, close(S, height, most))


def uniform(height: Index) -> Formula:
    """The rows up to ``height`` tend to the first token, together."""
    return ForAllFn(eta, Implies(Relation("<", ZERO, eta()), closes(height, eta)))


there = ("mixing there", "kernels there")
first_row = Step("first row", close(as_index(0), as_index(1), eta), Generalise(("V", "a"), (
    *up_to(V), *rollouts(V, *there),
    Step("at V", Relation("<=", away("V", "a"), eta()), Nonnegative(
        (item(use("positive")),),
        (
            item(use("rollouts", V, "a", parts="rows"), times=-1),
            item(use("rollouts", V, "a", "j", parts="mask"), over=(("j", a + 1, n),)),
        ),
    )),
)))  # fmt: skip

give = use("all mixing", "t", parts="nonnegative")
entry = use("all kernels", "t", h + 1, "j", parts="nonnegative")
cap = Relation("<=", A("t", h + 1, h + 1), ONE)
sequence = (
    Step("A_ii <= 1", every("t", 1, None, cap), Nonnegative(
        (item(entry, over=(("j", 1, h),)), item(entry, over=(("j", h + 2, n),))),
        (item(use("all kernels", "t", h + 1, parts="rows")),),
    )),
    Step("x at least 0", at_least_zero(rise), Nonnegative((item(give, use("A_ii <= 1", "t")),))),
    Step("x at most 1", at_most_one(rise), Nonnegative((
        item(use("all mixing", "t", parts="at most one")),
        item(give, use("all kernels", "t", h + 1, h + 1, parts="nonnegative")),
    ))),
    Step("rest at least 0", at_least_zero(rest), Chain((use("x at least 0", S + index("t")),))),
    Step("rest at most 1", at_most_one(rest), Chain((use("x at most 1", S + index("t")),))),
)  # fmt: skip


def of_rest(label: str) -> Use:
    """A lemma on products for the layers from S to V."""
    return use(label, V - S, fns=(rest,), given=("rest at least 0", "rest at most 1"))


new_row = (
    *up_to(V), *rollouts(V, *there),
    Step("others", others(S, V, h + 1, half_eta), Chain((use("above", "r", "j"),))),
    Step("unrolled", unrolled(S, V, h + 1, half_eta), Instantiate(
        use("bound so far", V, S, h + 1, fns=(half_eta,), given=(*there, "others"))
    )),
    Step("long enough", Relation("<=", 2 * Reciprocal(eta()), partial_sum(rest, V - S)), Nonnegative((
        item(use("far")), item(use("x at least 0", "t"), over=(("t", D + 1, V),)),
    ))),
    Step("product >= 0 there", Relation("<=", ZERO, product), Instantiate(of_rest("product >= 0"))),
    Step("small product", Relation("<=", product, half_eta.body), Nonnegative(
        (
            item(use("half"), of_rest("product (1 + sum) <= 1")),
            item(use("half"), use("product >= 0 there"), use("long enough")),
            item(use("half"), use("product >= 0 there")),
        ),
        (item(use("inverse"), times=-product),),
    )),
    Step("new row", Relation("<=", away(V, h + 1), eta()), Nonnegative((
        item(use("unrolled")), item(use("small product")), item(use("half"), use("product >= 0 there")),
        item(use("rollouts", S, h + 1, 1, parts="nonnegative"), use("product >= 0 there")),
    ))),
)  # fmt: skip

one_more_row = (
    Step("half", Relation("<", ZERO, half_eta.body), Nonnegative((item(use("positive"), times=HALF),))),
    Step("inverse", Relation("=", eta() * Reciprocal(eta()), ONE), Invert(use("positive"))),
    Step("rows above", closes(h, half_eta), Instantiate(use("so far", fns=(half_eta,), given=("half",)))),
    Step("with them", closes(h + 1, eta), Obtain(use("rows above"), "S", "above", (
        *sequence,
        Step("deep", some("D", 0, Relation("<=", level, partial_sum(rise, "D"))), Instantiate(
            use("infinite sums", h + 1, fns=(Lambda((), level),))
        )),
        Step("and deep", closes(h + 1, eta), Obtain(use("deep"), "D", "far", (
            Step("near", close(S + D, h + 1, eta), Generalise(("V", "a"), (
                Step("each row", Relation("<=", away("V", "a"), eta()), Cases(a, h, (
                    Step("as before", Relation("<=", away("V", "a"), eta()), Nonnegative((
                        item(use("above", V, "a")), item(use("half")),
                    ))),
                ), new_row)),
            ))),
            Step("witness", closes(h + 1, eta), Witness(S + D, "near")),
        ))),
    ))),
)  # fmt: skip

rows_together = Step("rows together", every("h", 1, n, uniform(h)), Induction(
    "so far",
    base=(Step("one row", uniform(as_index(1)), Generalise(("eta", "positive"), (
        first_row, Step("witness", closes(as_index(1), eta), Witness(as_index(0), "first row")),
    ))),),
    step=(Step("one more row", uniform(h + 1), Generalise(("eta", "positive"), one_more_row)),),
))  # fmt: skip

near = Relation("<=", away("V", "i"), eta())
tends = some("S", 0, every("V", S, None, near))
collapses = claim.proof(
    "collapse",
    rows_together,
    Step("each row", collapse, Generalise(("i", "eta", "positive"), (
    Step("close", closes(n, eta), Instantiate(use("rows together", n, fns=(eta,), given=("positive",)))),
    Step("it tends", tends, Obtain(use("close"), "S", "all rows", (
        Step("this row", every("V", S, None, near), Chain((use("all rows", "V", "i"),))),
        Step("witness", tends, Witness(S, "this row")),
    ))),
    ))),
)  # fmt: skip

derivation = (
    product_nonnegative,
    product_below,
    unroll,
    bound,
    collapses,
    claim.finish("collapse of divergent mixing"),
)

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Causal kernels, coefficients at both ends and between; M from a few values up to 1, where it always holds."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        drawn = st.tuples(
            mixing_coefficients(depth), families(positions, depth), st.integers(0, depth),
            st.sampled_from([Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(1)]),
        )  # fmt: skip
        return drawn.map(lambda d: Case.of(positions, {"T": depth, "s": d[2]}, lambda_=d[0], A=d[1], M=d[3]))

    return for_each(sizes_within(), draw)


def endless(proper: bool) -> tuple[EndlessCase, ...]:
    """Layers without end."""
    return family(proper=proper, indices={"s": 0}, M=0)


_read: dict[str, Any] = {"indices": {"s": 0}, "M": 0}
needed = (
    Needed(
        "mixing",
        Case.of(2, {"T": 2, "s": 0}, lambda_=[3, 3], A=[kernel([1], [1, 0])] * 2, M=1),
        "lambda = 3 twice: row 2 has 4 away from the first token",
    ),
    Needed(
        "kernels",
        Case.of(2, {"T": 1, "s": 0}, lambda_=[1], A=[kernel([1], [0, 0])], M=0),
        "a row of zeros: nothing reaches the first token",
    ),
    Needed("all mixing", star("2", ["1"], **_read), "lambda = 2: P_22 is 1 and -1 in turn"),
    Needed("all kernels", star("1", ["2"], **_read), "A_22 = -1: P_22 is 1 and -1 in turn"),
    Needed("infinite sums", star("1", ["1/(t + 1)^2"], **_read), "sum 1/(t + 1)^2: P_22 tends to 1/2"),
)

statement = Statement(
    id="I3",
    title="Divergent mixing collapses",
    source="arXiv:2602.16837",
    remark="Every row ends on the first token if what it gives away, layer by layer, has an infinite sum.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(turn("bound"), scale("bound", Fraction(1, 2)), limit("collapse", "bounded away")),
    endless=endless,
)
