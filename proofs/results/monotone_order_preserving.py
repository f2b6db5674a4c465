"""S3, monotone = order preserving.

    (A f)_{i+1} - (A f)_i = sum_{l >= 2} [F_A(i+1, l) - F_A(i, l)] (f_l - f_{l-1})

so a kernel is stochastically monotone if and only if A f is nondecreasing for every nondecreasing f (thresholds f =
[j >= k] suffice).  Hypothesis: A is a causal kernel; the converse needs none.  Identity and equivalence.  Source:
classical (Daley 1968).

Exact here: everything.  Numeric here: nothing.  Not covered: other orders than the stochastic one.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import causal_kernels, monotone_kernels
from proofs.case import Case, kernel
from proofs.draws import for_each, sizes_within, values
from proofs.notation import causal, every, image, monotone, n, nondecreasing, tail, zero_one
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Identity, Instantiate, Nonnegative, Step, item, use
from proofs.term import Bracket, ForAllFn, Implies, Lambda, Relation, Symbol, index, total
from proofs.twins import lose, scale, turn

A, f, g = Symbol("A", 2), Symbol("f", 1), Symbol("g", 1)
i, j, k, l = (index(x) for x in ("i", "j", "k", "l"))  # noqa: E741 - the letters of the formula
F = tail(A)

difference = Relation(
    "=",
    image(A, f)(i + 1) - image(A, f)("i"),
    total("l", 2, n, (F(i + 1, "l") - F("i", "l")) * (f("l") - f(l - 1))),
)

claim = Claim(
    symbols=(A, f),
    indices=(),
    hypotheses=(
        ("kernel", causal(A)),
        ("monotone", monotone(A)),
        ("nondecreasing", nondecreasing(f)),
        ("order preserving", ForAllFn(g, Implies(nondecreasing(g), nondecreasing(image(A, g))))),
    ),
    parts=(
        Part("difference", ("kernel",), every("i", 1, n - 1, difference)),
        Part("preserves", ("kernel", "monotone", "nondecreasing"), nondecreasing(image(A, f))),
        Part("conversely", ("order preserving",), monotone(A)),
    ),
)

# --- derivation -----------------------------------------------------------------------------------

rows_agree = (item(use("kernel", i + 1, parts="rows"), times=f(1)), item(use("kernel", "i", parts="rows"), times=-f(1)))
threshold = Lambda(("j",), Bracket(((k, j),)))

derivation = (
    claim.proof("difference", Step("by parts", every("i", 1, n - 1, difference), Identity(rows_agree))),
    claim.proof(
        "preserves",
        Step("image", Relation("<=", image(A, f)("i"), image(A, f)(i + 1)), Nonnegative(
            (item(use("monotone", "i", "l"), use("nondecreasing", l - 1), over=(("l", 2, n),)),),
            (item(use("difference", "i", given=("kernel",)), times=-1),),
        )),
        fix=("i",),
    ),
    claim.proof(
        "conversely",
        Step("threshold", nondecreasing(threshold), Nonnegative((item(times=zero_one(l + 1, "k")),))),
        Step("tails", Relation("<=", F("i", "k"), F(i + 1, "k")), Instantiate(
            use("order preserving", "i", fns=(threshold,), given=("threshold",))
        )),
        fix=("i", "k"),
    ),
    claim.finish("equivalence"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Kernels that are monotone and kernels that need not be; functions that are nondecreasing and that need not be."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, _ = size
        kernels = st.one_of(*[monotone_kernels(positions)] * 5, causal_kernels(positions))
        functions = st.one_of(*[values(positions).map(lambda x: tuple(sorted(x)))] * 4, values(positions))
        return st.tuples(kernels, functions).map(lambda d: Case.of(positions, {}, A=d[0], f=d[1]))

    return for_each(sizes_within(7), draw)


dip = kernel([1], [0, 1], [1, 0, 0])

statement = Statement(
    id="S3",
    title="Monotone means order preserving",
    source="classical",
    remark="Adjacent rows suffice; the converse needs thresholds only.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=(
        Needed("kernel", Case.of(2, {}, A=kernel([1], [1, 1]), f=[1, 1]), "a row that sums to 2: 2 - 1 is not 0"),
        Needed("monotone", Case.of(3, {}, A=dip, f=[0, 1, 1]), "row 2 reads token 2, row 3 reads token 1"),
        Needed("nondecreasing", Case.of(2, {}, A=kernel([1], [0, 1]), f=[1, 0]), "the identity and a decreasing f"),
        Needed("order preserving", Case.of(3, {}, A=dip, f=[0, 0, 0]), "row 2 reads token 2, row 3 reads token 1"),
    ),
    twins=(lose("difference"), scale("difference"), turn("preserves"), turn("conversely")),
)
