"""S2, summation by parts.

    sum_{j=1}^n a_j f_j = sum_{l=1}^n (sum_{j >= l} a_j) (f_l - f_{l-1}),   f_0 = 0

Hypothesis: f_0 = 0.  Identity, for every n and all real a, f.  Source: classical.

Exact here: everything.  Numeric here: nothing.  Not covered: infinite sums.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.case import Case, Table
from proofs.draws import for_each, sizes_within, values
from proofs.notation import n
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Identity, Step, item, use
from proofs.term import Relation, Symbol, as_term, index, total
from proofs.twins import lose, shift

a, f = Symbol("a", 1), Symbol("f", 1)
l = index("l")  # noqa: E741 - the letter of the formula

by_parts = Relation(
    "=",
    total("j", 1, n, a("j") * f("j")),
    total("l", 1, n, total("j", l, n, a("j")) * (f("l") - f(l - 1))),
)

claim = Claim(
    symbols=(a, f),
    indices=(),
    hypotheses=(("start", Relation("=", f(0), as_term(0))),),
    parts=(Part("by parts", ("start",), by_parts),),
)

derivation = (
    claim.proof(
        "by parts", Step("telescoped", by_parts, Identity((item(use("start"), times=total("j", 1, n, a("j"))),)))
    ),
    claim.finish("identity"),
)


def cases() -> SearchStrategy[Case]:
    """Values of either sign."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, _ = size
        drawn = st.tuples(values(positions), values(positions))
        return drawn.map(lambda d: Case.of(positions, {}, a=d[0], f=Table((0, *d[1]), (0,))))

    return for_each(sizes_within(9), draw)


statement = Statement(
    id="S2",
    title="Summation by parts",
    source="classical",
    remark="The telescoping sum is an equality of normal forms, so no induction is needed.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=(Needed("start", Case.of(1, {}, a=[1], f=Table((1, 1), (0,))), "f = 1 everywhere: 1 is not 0"),),
    twins=(lose("by parts"), shift("by parts", "f", 0, 1)),
)
