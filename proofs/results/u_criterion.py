"""U4, when a profile is a U: for uniform layers two comparisons decide.

    p_1 >= ... >= p_v <= ... <= p_n with p_1 > p_v < p_n for some v   <=>   p_1 > p_{n-1} < p_n

Labels, in this precedence: flat, primacy (nonincreasing), recency (nondecreasing), U (down to some valley v, then up,
both strictly somewhere), other.  Hypotheses: all weights are 1, 0 <= lambda_t <= 1.  Stated for every row i >= 3 of
the rollout, which is the profile of i tokens.  If p_1 > p_{i-1} < p_i, the valley is v = i - 1; if any v is a valley,
then so is i - 1.  Otherwise the row is primacy (p_i <= p_{i-1}) or recency (p_1 <= p_{i-1} <= p_i), so nothing is
"other".  It rests on U2: p_1 >= ... >= p_{i-1}.  Inequality.  Source: arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: which lambda give a U (U7); other weights, of
which some give a hump, some two valleys.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case
from proofs.draws import for_each, sizes_within
from proofs.lemmas.prefix_power_steps import lam, w
from proofs.lemmas.shapes import dips, down, ends, level, p, up, valley
from proofs.lemmas.uniform_steps import uniform
from proofs.notation import every, mixing, n
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Absurd, Both, Cases, Chain, Instantiate, Nonnegative, Step, Use, item, use
from proofs.term import Implies, Index, Lambda, Range, Relation, as_index, as_term, index
from proofs.twins import turn

i, j, v, T = (index(name) for name in ("i", "j", "v", "T"))
conditions = ("uniform", "mixing")

claim = Claim(
    symbols=(lam, w),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(
        ("uniform", uniform(w)),
        ("mixing", mixing(lam, "T")),
    ),
    parts=(
        Part("U", conditions, every("i", 3, n, Implies(dips, valley(i - 1)))),
        Part("U, conversely", conditions, every("i", 3, n, every("v", 1, i, Implies(valley(v), dips)))),
        Part("primacy", conditions, every("i", 3, n, Implies(Relation("<=", p(i), p(i - 1)), down(1, i)))),
        Part("recency", conditions, every("i", 3, n, Implies(level, up(1, i)))),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

NUMBER = Lambda((), as_term(0))  # the x of U2 plays no part in its order


def fall(at: Index | str) -> Use:
    """p_{at+1} <= p_at for at + 1 < i: U2."""
    return use("U2", T, "i", at, parts="order", fns=(lam, w, NUMBER), given=conditions)


is_u = claim.proof(
    "U",
    Step("down", down(1, i - 1), Chain((fall("j"),))),
    Step("up", up(i - 1, i), Chain((use("dips", parts="rises"),))),
    *(Step(name, formula, Instantiate(use("dips", parts=name))) for name, formula in ends(i - 1)),
    Step("valley", valley(i - 1), Both(("down", "up", "falls", "rises"))),
    fix=("i", "dips"),
)

only_u = claim.proof(
    "U, conversely",
    Step("dips", dips, Cases(
        v, i - 1,
        (
            Step("lowest but one", Relation("<=", p(i - 1), p(v)), Nonnegative((
                item(fall("j"), over=(("j", v, i - 2),)),
            ))),
            *(
                Step(name, formula, Chain((use("lowest but one"), use("valley", parts=name))))
                for name, formula in ends(i - 1)
            ),
            Step("both", dips, Both(("falls", "rises"))),
        ),
        (Step("no rise", dips, Absurd(use("valley", parts="rises"), Fraction(0))),),
    )),
    fix=("i", "v", "valley"),
)  # fmt: skip

_falling, _rising = Relation("<=", p(j + 1), p(j)), Relation("<=", p(j), p(j + 1))
primacy = claim.proof(
    "primacy",
    Step("each step", _falling, Cases(
        j, i - 2,
        (Step("before the last", _falling, Chain((fall("j"),))),),
        (Step("the last", _falling, Chain((use("falls last"),))),),
    )),
    fix=("i", "falls last", "j"),
)  # fmt: skip

recency = claim.proof(
    "recency",
    Step("each step", _rising, Cases(
        j, i - 2,
        (Step("level", _rising, Nonnegative((
            item(fall("l"), over=(("l", 1, j - 1),)),
            item(use("no lower", parts="level")),
            item(fall("l"), over=(("l", j + 1, i - 2),)),
        ))),),
        (Step("the last", _rising, Chain((use("no lower", parts="rises"),))),),
    )),
    fix=("i", "no lower", "j"),
)  # fmt: skip

derivation = (is_u, only_u, primacy, recency, claim.finish("shapes"))

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Weights 1, coefficients at both ends and between."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        drawn = mixing_coefficients(depth)
        return drawn.map(lambda d: Case.of(positions, {"T": depth}, lambda_=d, w=(1,) * positions))

    return for_each(sizes_within(), draw)


half = Fraction(1, 2)
needed = (
    Needed("uniform", Case.of(3, {"T": 2}, lambda_=[1, 1], w=[1, 2, 4]), "w = (1, 2, 4): (47, 52, 48) / 147, a hump"),
    Needed(
        "uniform",
        Case.of(8, {"T": 5}, lambda_=[half] * 5, w=[Fraction(3, 2) ** j for j in range(1, 9)]),
        "w_j = (3 / 2)^j, lambda = 1 / 2: two valleys, at 3 and 7",
    ),
    Needed("mixing", Case.of(3, {"T": 2}, lambda_=[2, -1], w=[1, 1, 1]), "last row (4, 10, -5) / 9"),
)

statement = Statement(
    id="U4",
    title="Two comparisons decide whether uniform layers give a U",
    source="arXiv:2602.16837",
    remark="Every profile of uniform layers is a U, falls throughout or rises throughout; other weights give humps.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(turn("U/down"), turn("U, conversely/falls"), turn("primacy"), turn("recency")),
)
