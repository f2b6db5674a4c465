"""C1, random number of hops: one kernel in every layer, raised to the number of layers that attend.

    P^(T) = E A^K = sum_{m=0}^T P(K_T = m) A^m

K_T is the number of successes of T independent trials with chances lambda_1, ..., lambda_T (the Poisson-binomial law):
P(K_T = m) sums to 1, is 0 unless 0 <= m <= T, and is nonnegative where 0 <= lambda_t <= 1.  Nothing is asked of the
matrix A, and of the coefficients only for the sign.  Identity.  Source: ours, beyond arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: kernels that differ from layer to layer.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case
from proofs.draws import for_each, sizes_within, values
from proofs.notation import every, hops, mixing, n, power, rollout, transition, zero_one
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Both, Chain, Identity, Induction, Nonnegative, Reason, Step, item, use
from proofs.term import And, Bracket, Formula, Index, Lambda, Range, Relation, Symbol, as_index, as_term, index, total
from proofs.twins import Twin, lose, scale, shift, turn

lam, A = Symbol("lambda", 1), Symbol("A", 2)
k, s, m, T = (index(x) for x in ("k", "s", "m", "T"))
law, powers = hops(lam), power(A)
P = rollout(transition(lam, Lambda(("t", "i", "j"), A("i", "j"))))


def expanded(depth: Index | int) -> Formula:
    """P^(depth) = sum_m P(K = m) A^m, entry by entry."""
    right = total("m", 0, depth, law(depth, "m") * powers("m", "i", "j"))
    return every("i", 1, n, every("j", 1, n, Relation("=", P(depth, "i", "j"), right)))


def mass(depth: Index | int) -> Formula:
    """sum_m P(K = m) = 1."""
    return Relation("=", total("m", 0, depth, law(depth, "m")), as_term(1))


def none_at(depth: Index | int, count: Index) -> Formula:
    """P(K = count) = 0."""
    return Relation("=", law(depth, count), as_term(0))


def at_least_zero(depth: Index | int, count: Index) -> Formula:
    """P(K = count) >= 0."""
    return Relation("<=", as_term(0), law(depth, count))


claim = Claim(
    symbols=(lam, A),
    indices=(Range("T", as_index(0), None), Range("k", as_index(0), None)),
    hypotheses=(("mixing", mixing(lam, "T")),),
    parts=(
        Part("rollout", (), expanded(T)),
        Part("mass", (), mass(T)),
        Part("support", (), And((("above", none_at(T, T + k + 1)), ("below", none_at(T, -k - 1))))),
        Part("nonnegative", ("mixing",), at_least_zero(T, k)),
    ),
)

# --- derivation -----------------------------------------------------------------------------------

attends, rests = lam(s + 1), as_term(1) - lam(s + 1)


def by_depth(label: str, stated: Sequence[Formula], base: Reason, step: Reason) -> Step:
    """What is stated at depth 0, s and s + 1, for every depth up to T."""
    start, here, after = stated
    return Step(label, every("s", 0, T, here), Induction(
        "so far",
        base=(Step("no layer", start, base),),
        step=(Step("one more layer", after, step),),
    ))  # fmt: skip


def for_counts(relation: Formula) -> Formula:
    """For every m >= 0."""
    return every("m", 0, None, relation)


def factors(count: Index | int) -> Formula:
    """A^0 = I and A^count = A A^{count - 1}, in one formula."""
    more = total("l", 1, n, A("i", "l") * powers(as_index(count) - 1, "l", "j"))
    right = zero_one(count, 0) * zero_one("i", "j") + Bracket(((as_index(1), as_index(count)),)) * more
    return every("i", 1, n, every("j", 1, n, Relation("=", powers(count, "i", "j"), right)))


above = by_depth(
    "none above",
    (for_counts(none_at(0, m + 1)), for_counts(none_at(s, s + m + 1)), for_counts(none_at(s + 1, s + m + 2))),
    Identity(),
    Identity((item(use("so far", m + 1), times=rests), item(use("so far", "m"), times=attends))),
)
below = by_depth(
    "none below",
    (for_counts(none_at(0, -m - 1)), for_counts(none_at(s, -m - 1)), for_counts(none_at(s + 1, -m - 1))),
    Identity(),
    Identity((item(use("so far", "m"), times=rests), item(use("so far", m + 1), times=attends))),
)
edges = (use("none above", "s", 0), use("none below", "s", 0))  # P(K_s = s + 1) = P(K_s = -1) = 0

derivation = (
    above,
    below,
    Step("factors", every("m", 0, None, factors(m)), Induction(
        "so far", base=(Step("none", factors(0), Identity()),), step=(Step("one more", factors(m + 1), Identity()),)
    )),
    by_depth(
        "every depth", (expanded(0), expanded(s), expanded(s + 1)),
        Identity((item(use("factors", "m", "i", "j"), times=-1, over=(("m", 0, 0),)),)),
        Identity((
            item(use("so far", "i", "j"), times=rests),
            item(use("so far", "l", "j"), times=attends * A("i", "l"), over=(("l", 1, n),)),
            item(use("factors", "m", "i", "j"), times=-attends * law("s", m - 1), over=(("m", 0, s + 1),)),
            item(edges[0], times=-rests * powers("m", "i", "j"), over=(("m", s + 1, s + 1),)),
            item(edges[1], times=-attends * zero_one("i", "j")),
        )),
    ),
    Step("rollout", expanded(T), Chain((use("every depth", T, "i", "j"),))),
    by_depth(
        "every mass", (mass(0), mass(s), mass(s + 1)), Identity(),
        Identity((item(use("so far")), item(edges[0], times=rests), item(edges[1], times=attends))),
    ),
    Step("mass", mass(T), Chain((use("every mass", T),))),
    Step("above", none_at(T, T + k + 1), Chain((use("none above", T, k),))),
    Step("below", none_at(T, -k - 1), Chain((use("none below", T, k),))),
    Step("support", claim.part("support").asserts, Both(("above", "below"))),
    claim.proof(
        "nonnegative",
        by_depth(
            "every chance", [for_counts(at_least_zero(depth, m)) for depth in (0, s, s + 1)],
            Nonnegative((item(times=zero_one("m", 0)),)),
            Nonnegative(
                (
                    item(use("mixing", s + 1, parts="at most one"), use("so far", "m")),
                    item(
                        use("mixing", s + 1, parts="nonnegative"), use("so far", "r"), times=zero_one("r", m - 1),
                        over=(("r", 0, m - 1),),
                    ),
                ),
                (item(edges[1], times=-attends * zero_one("m", 0)),),
            ),
        ),
        Step("this depth", at_least_zero(T, k), Chain((use("every chance", T, k),))),
    ),
    claim.finish("hops"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Matrices of either sign, coefficients at both ends and between, counts inside and outside 0..T."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        drawn = st.tuples(mixing_coefficients(depth), values(positions * positions), st.integers(0, depth + 1))
        return drawn.map(lambda d: Case.of(
            positions, {"T": depth, "k": d[2]}, lambda_=d[0],
            A=[d[1][row * positions : (row + 1) * positions] for row in range(positions)],
        ))  # fmt: skip

    return for_each(sizes_within(max_layers=4), draw)


def _closer(path: str, count: Index) -> Twin:
    """The last impossible count replaced by a possible one."""
    return Twin(("support", path), "one closer", lambda r: Relation("=", law(T, count), r.right))


statement = Statement(
    id="C1",
    title="A shared kernel is raised to a random power",
    source="ours, beyond arXiv:2602.16837",
    remark="The exponent is the number of layers that attend: a sum of independent Bernoulli variables.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=(
        Needed("mixing", Case.of(1, {"T": 1, "k": 0}, lambda_=[2], A=[[1]]), "lambda = 2: P(K = 0) = 1 - 2 = -1"),
    ),
    twins=(
        scale("rollout"), lose("rollout"), shift("rollout", "hops", 1, -1), scale("mass"), _closer("above", T + k),
        _closer("below", -k), turn("nonnegative"),
    ),
)  # fmt: skip
