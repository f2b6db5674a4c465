"""I4, the sharp dichotomy: collapse exactly where what every row gives away has an infinite sum.

    A^(t)_ii > 0 for all t, i:   P^(T)_i1 -> 1 for every i   <=>   sum lambda_t (1 - A^(t)_ii) infinite for every i >= 2
    1 - A^(t)_ii >= epsilon > 0 for i >= 2 as well:          <=>   sum lambda_t infinite
    monotone layers:   P^(T)_n1 <= P^(T)_i1, so P^(T)_n1 -> 1 is collapse

A softmax has A_ii > 0; bounded logits give an epsilon.  Without one, "sum lambda_t infinite" does not suffice (I4b).
Hypotheses: causal kernels, coefficients in [0, 1].  Proof: I3; I2 for the converse, since P_i1 + P_ii <= 1 for i >= 2.
Source: the criterion is ours, the attention-only and constant cases are in arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: layers that change with the depth T.
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
from proofs.lemmas.limit_steps import A, P, R, every_kernel, every_mixing, hop, lam, rollouts, up_to
from proofs.lemmas.series_steps import HALF, below_one, partial_sum
from proofs.notation import (
    bounded_away,
    causal,
    every,
    layer,
    layers,
    mixing,
    monotone,
    n,
    some,
    summable,
    unbounded,
    vanishing,
)
from proofs.outline import monotone_rollouts, monotone_transitions
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Absurd,
    Cases,
    Chain,
    Either,
    Generalise,
    Instantiate,
    Invert,
    Nonnegative,
    Obtain,
    Step,
    Witness,
    item,
    use,
)
from proofs.term import (
    And,
    Implies,
    Index,
    Lambda,
    Range,
    Reciprocal,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
)
from proofs.twins import limit, scale, turn

epsilon, M, b = Symbol("epsilon", 0), Symbol("M", 0), Symbol("b", 0)
i, j, l, s, t, T, S, V, m, u = (index(name) for name in ("i", "j", "l", "s", "t", "T", "S", "V", "m", "u"))  # noqa: E741
ZERO, ONE = as_term(0), as_term(1)


def away(row: Index | str) -> Lambda:
    """T -> 1 - P^(T)_{row,1}."""
    return Lambda(("T",), ONE - P("T", row, 1))


collapse = every("i", 1, n, vanishing(away("i")))
rises = every("i", 1, n, Relation("<=", P("T", n, 1), P("T", "i", 1)))
parted = every("i", 2, n, Relation("<=", P("T", "i", 1) + P("T", "i", "i"), ONE))

claim = Claim(
    symbols=(lam, A, epsilon),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("kernels", layers(1, "T", causal(layer(A, "t")))),
        ("monotone", layers(1, "T", monotone(layer(A, "t")))),
        ("all mixing", every_mixing),
        ("all kernels", every_kernel),
        ("positive diagonal", every("t", 1, None, every("i", 1, n, Relation("<", ZERO, A("t", "i", "i"))))),
        ("infinite sums", every("i", 2, n, unbounded(hop("i")))),
        ("collapse", collapse),
        ("at least epsilon", And((
            ("positive", Relation("<", ZERO, epsilon())),
            ("given away", every("t", 1, None, every("i", 2, n, Relation("<=", epsilon(), ONE - A("t", "i", "i"))))),
        ))),
        ("infinite total", unbounded(lam)),
        ("all monotone", every("t", 1, None, monotone(layer(A, "t")))),
        ("last row", vanishing(away(n))),
    ),
    parts=(
        Part("two entries", ("mixing", "kernels"), parted),
        Part("last row least", ("mixing", "kernels", "monotone"), rises),
        Part("if", ("all mixing", "all kernels", "infinite sums"), collapse),
        Part("only if", ("all mixing", "all kernels", "positive diagonal", "collapse"), every(
            "i", 2, n, unbounded(hop("i"))
        )),
        Part("bounded logits, if", ("all mixing", "all kernels", "at least epsilon", "infinite total"), collapse),
        Part("bounded logits, only if", ("all mixing", "all kernels", "positive diagonal", "collapse"), every(
            "i", 2, n, unbounded(lam)
        )),
        Part("monotone layers", ("all mixing", "all kernels", "all monotone", "last row"), collapse),
    ),
)  # fmt: skip

# --- finite depth ---------------------------------------------------------------------------------

there = ("mixing there", "kernels there")


def two_entries(depth: Index, *facts: str) -> tuple[Step, ...]:
    """P_a1 + P_aa <= 1 for a >= 2: both are in a row that sums to 1."""
    a, entry = index("a"), use("rollouts", depth, "a", "j", parts="nonnegative")
    both = every("a", 2, n, Relation("<=", P(depth, a, 1) + P(depth, a, a), ONE))
    return (
        *rollouts(depth, *facts),
        Step("two entries of a row", both, Nonnegative(
            (item(entry, over=(("j", 2, a - 1),)), item(entry, over=(("j", a + 1, n),))),
            (item(use("rollouts", depth, "a", parts="rows")),),
        )),
    )  # fmt: skip


q = index("q")
least = Relation("<=", P("q", n, 1), P("q", "a", 1))
last_row_least = Step("P_n1 <= P_a1", every("q", 0, None, Implies(mixing(lam, "q"), Implies(
    layers(1, "q", causal(layer(A, "t"))), Implies(layers(1, "q", monotone(layer(A, "t"))), every("a", 1, n, least)),
))), Generalise(("q", "mixing", "kernels", "monotone"), (
    *rollouts(q),
    monotone_transitions("transitions monotone", R, q, "mixing", "monotone"),
    monotone_rollouts("rollouts monotone", R, q, "transitions", "transitions monotone"),
    Step("each row", every("a", 1, n, least), Generalise(("a",), (
        Step("by rows", least, Cases(as_index(2), n, (
            Step("several", least, Nonnegative(  # F(i, 2) rises with i
                (item(use("rollouts monotone", q, "l", 2), over=(("l", index("a"), n - 1),)),),
                (
                    item(use("rollouts", q, "a", parts="rows"), times=-1),
                    item(use("rollouts", q, n, parts="rows")),
                ),
            )),
        ), (Step("one", least, Nonnegative(())),))),
    ))),
)))  # fmt: skip

finite = (
    last_row_least,
    claim.proof("two entries", *two_entries(T, "mixing", "kernels")),
    claim.proof("last row least", Step("at T", rises, Chain((
        use("P_n1 <= P_a1", T, "i", given=("mixing", "kernels", "monotone")),
    )))),
)  # fmt: skip

# --- infinite depth -------------------------------------------------------------------------------

from_sums = Step("collapse", collapse, Instantiate(use(
    "I3", as_index(0), as_index(0), parts="collapse", fns=(lam, A, Lambda((), ZERO)),
    given=("all mixing", "all kernels", "infinite sums"),
)))  # fmt: skip
sufficient = claim.proof("if", from_sums)

entry = use("all kernels", "t", "i", "j", parts="nonnegative")
capped = Step("A_ii <= 1", every("t", 1, None, Relation("<=", A("t", "i", "i"), ONE)), Nonnegative(
    (item(entry, over=(("j", 1, i - 1),)), item(entry, over=(("j", i + 1, n),))),
    (item(use("all kernels", "t", "i", parts="rows")),),
))  # fmt: skip
give = use("all mixing", "t", parts="nonnegative")
x = hop("i")
kept = bounded_away(Lambda(("T",), P("T", "i", "i")))
bounded = Relation("<=", partial_sum(x, "V"), M())

# a finite sum would leave P_ii above some b > 0 at every depth, but P_ii <= 1 - P_i1 comes below b / 2
from_kept = (
    Step("half", Relation("<", ZERO, b() * HALF), Nonnegative((item(use("stays", parts="positive"), times=HALF),))),
    Step("near", some("S", 0, every("V", S, None, Relation("<=", ONE - P("V", "i", 1), b() * HALF))), Instantiate(
        use("collapse", "i", fns=(Lambda((), b() * HALF),), given=("half",))
    )),
    Step("absurd", unbounded(x), Obtain(use("near"), "S", "close", (
        *up_to(S),
        *two_entries(S, *there),
        Step("false", Relation("<", ZERO, ZERO), Nonnegative((
            item(use("stays", S, parts="bound")), item(use("two entries of a row", "i")), item(use("close", S)),
            item(use("stays", parts="positive"), times=HALF),
        ))),
        Step("so", unbounded(x), Absurd(use("false"), Fraction(0))),
    ))),
)  # fmt: skip
necessary = claim.proof(
    "only if",
    Step("either", unbounded(x), Either(unbounded(x), "case", (Step("is", unbounded(x), Instantiate(use("case"))),), (
        Step("finite sum", summable(x), Obtain(use("case"), "M", "below", (
            Step("bounded", every("V", 0, None, bounded), Nonnegative((item(use("below", V)),))),
            Step("witness", summable(x), Witness(Lambda((), M()), "bounded")),
        ))),
        capped,
        Step("factors", below_one(x), Nonnegative((  # 1 - x = A_ii + (1 - lambda) (1 - A_ii)
            item(use("positive diagonal", "t", "i")),
            item(use("all mixing", "t", parts="at most one"), use("A_ii <= 1", "t")),
        ))),
        Step("product stays", kept, Instantiate(use(
            "I2", "i", as_index(0), parts="no collapse", fns=(lam, A, Lambda(("j",), ZERO), Lambda((), ZERO)),
            given=("all mixing", "all kernels", "factors", "finite sum"),
        ))),
        Step("contradiction", unbounded(x), Obtain(use("product stays"), "b", "stays", from_kept)),
    ))),
    fix=("i",),
)  # fmt: skip
# --- bounded logits, monotone layers --------------------------------------------------------------

far = M() * Reciprocal(epsilon())
gives = Relation("<=", M(), partial_sum(x, "V"))
bounded_logits = claim.proof(
    "bounded logits, if",
    Step("inverse", Relation("=", epsilon() * Reciprocal(epsilon()), ONE), Invert(
        use("at least epsilon", parts="positive")
    )),
    Step("infinite sums", every("i", 2, n, unbounded(x)), Generalise(("i", "M"), (
        Step("deep", some("V", 0, Relation("<=", far, partial_sum(lam, "V"))), Instantiate(
            use("infinite total", fns=(Lambda((), far),))
        )),
        Step("deep enough", some("T", 0, Relation("<=", M(), partial_sum(x, "T"))), Obtain(use("deep"), "V", "enough", (
            Step("given away", gives, Nonnegative(
                (
                    item(use("enough"), use("at least epsilon", parts="positive")),
                    item(give, use("at least epsilon", "t", "i", parts="given away"), over=(("t", 1, V),)),
                ),
                (item(use("inverse"), times=-M()),),
            )),
            Step("witness", some("T", 0, Relation("<=", M(), partial_sum(x, "T"))), Witness(V, "given away")),
        ))),
    ))),
    from_sums,
)  # fmt: skip

more = some("T", 0, Relation("<=", M(), partial_sum(lam, "T")))
bounded_logits_necessary = claim.proof(
    "bounded logits, only if",
    Step("each sum", every("i", 2, n, unbounded(x)), Instantiate(
        use("only if", given=("all mixing", "all kernels", "positive diagonal", "collapse"))
    )),
    Step("total", every("i", 2, n, unbounded(lam)), Generalise(("i", "M"), (
        Step("deep", more, Obtain(use("each sum", "i", fns=(M,)), "V", "enough", (
            Step("at least that", Relation("<=", M(), partial_sum(lam, "V")), Nonnegative((
                item(use("enough")),
                item(give, use("all kernels", "t", "i", "i", parts="nonnegative"), over=(("t", 1, V),)),
            ))),
            Step("witness", more, Witness(V, "at least that")),
        ))),
    ))),
)  # fmt: skip

eta = Symbol("eta", 0)
tends = some("S", 0, every("V", S, None, Relation("<=", ONE - P("V", "i", 1), eta())))
monotone_layers = claim.proof(
    "monotone layers",
    Step("each row", collapse, Generalise(("i", "eta", "positive"), (
        Step("it tends", tends, Obtain(use("last row", fns=(eta,), given=("positive",)), "S", "close", (
            Step("this row", every("V", S, None, Relation("<=", ONE - P("V", "i", 1), eta())), Generalise(("V",), (
                *up_to(V),
                Step("monotone there", layers(1, V, monotone(layer(A, "t"))), Generalise(("t",), (
                    Step("layer", monotone(layer(A, "t")), Instantiate(use("all monotone", "t"))),
                ))),
                Step("so close", Relation("<=", ONE - P("V", "i", 1), eta()), Chain((
                    use("close", V), use("P_n1 <= P_a1", V, "i", given=(*there, "monotone there")),
                ))),
            ))),
            Step("witness", tends, Witness(S, "this row")),
        ))),
    ))),
)  # fmt: skip

derivation = (
    *finite, sufficient, necessary, bounded_logits, bounded_logits_necessary, monotone_layers,
    claim.finish("sharp dichotomy"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Monotone causal kernels, and any others; coefficients at both ends and between."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        kernels = st.one_of(families(positions, depth, monotone=True), families(positions, depth))
        return st.tuples(mixing_coefficients(depth), kernels).map(
            lambda d: Case.of(positions, {"T": depth}, lambda_=d[0], A=d[1], epsilon=0)
        )

    return for_each(sizes_within(), draw)


def endless(proper: bool) -> tuple[EndlessCase, ...]:
    """Layers without end."""
    return family(proper=proper, epsilon=Fraction(1, 2))


_read: dict[str, Any] = {"epsilon": Fraction(1, 2)}
needed = (
    Needed(
        "mixing",
        Case.of(3, {"T": 1}, lambda_=[-1], A=[kernel([1], [0, 1], [0, 1, 0])], epsilon=0),
        "lambda = -1: row 3 has 2 on itself and -1 on the second token",
    ),
    Needed(
        "kernels",
        Case.of(2, {"T": 1}, lambda_=[1], A=[kernel([1], [1, 1])], epsilon=0),
        "a row that sums to 2",
    ),
    Needed(
        "monotone",
        Case.of(3, {"T": 1}, lambda_=[1], A=[kernel([1], [0, 1], [1, 0, 0])], epsilon=0),
        "row 3 is all on the first token, row 2 is not",
    ),
    Needed("all mixing", star("2", ["1"], **_read), "lambda = 2: P_22 is 1 and -1 in turn"),
    Needed("all kernels", star("1", ["2"], **_read), "A_22 = -1: P_22 is 1 and -1 in turn"),
    Needed("positive diagonal", star("0", ["0"], first=(1, [1]), **_read), "a layer that moves all to the first token"),
    Needed("infinite sums", star("1", ["1/(t + 1)^2"], **_read), "sum 1/(t + 1)^2: P_22 tends to 1/2"),
    Needed("collapse", star("1", ["1/(t + 1)^2"], **_read), "no collapse, and a finite sum"),
    Needed("at least epsilon", star("1", ["1/(t + 1)^2"], **_read), "the bare dichotomy fails here (I4b)"),
    Needed("infinite total", star("1/(t + 1)^2", ["1"], **_read), "coefficients with a finite sum"),
    Needed(
        "all monotone",
        star("1", ["1/(t + 1)^2", "1/(t + 1)"], **_read),
        "the last row tends to the first token, row 2 does not",
    ),
    Needed("last row", star("1", ["1/(t + 1)^2"], **_read), "no row below the first tends to it"),
)

statement = Statement(
    id="I4",
    title="The sharp dichotomy of collapse",
    source="arXiv:2602.16837, sharpened",
    remark="The hypothesis that the paper leaves implicit is a bound on the logits, 1 - A_ii >= epsilon.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("last row least"), turn("two entries"), scale("two entries", Fraction(1, 2)),
        limit("if", "bounded away"), limit("only if", "summable"), limit("bounded logits, if", "bounded away"),
        limit("bounded logits, only if", "summable"), limit("monotone layers", "bounded away"),
    ),
    endless=endless,
)  # fmt: skip
