"""Q4, heads in quadrature, and one head alone: where second moments are more recent than their rollout, and where less.

    (sum_h a_h x_h)^2  <=  (sum_h a_h) (sum_h a_h x_h^2),    a_h >= 0
    one layer, one head, x_j = s A_nj:    p_j = [j = n] + x_j,    q_j^2 = [j = n] + x_j^2
    q ≼ p:    sum_{j >= k} q_j / sum_j q_j  <=  sum_{j >= k} p_j / sum_j p_j   for every k

Cauchy-Schwarz: with a_h = 1 it reads (sum_h x_h)^2 <= H sum_h x_h^2, so heads that disagree weigh more in quadrature,
and heads that agree in full do not.  One head alone is the same before the last token, and there the residual stream
and what attention brings add up less: one layer makes second moments *less* recent than the rollout, for every kernel
and every s >= 0.  With more layers or heads there is no order: docs/second-moments.md has rational examples both ways.
So second moments are not in general the more recent ones.  Source: ours, beyond arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.case import Case, Entries
from proofs.cases.moment_recursions import Row, numbers, sizes_of
from proofs.draws import for_each, sizes_within
from proofs.lemmas.root_steps import at_least_0, root, root_lemmas
from proofs.lemmas.second_moment_steps import H, square_of, squared
from proofs.notation import every, n, zero_one
from proofs.outline import used_only
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Chain, Generalise, Nonnegative, Step, item, use
from proofs.term import Range, Relation, Symbol, Term, as_index, as_term, index, total
from proofs.twins import scale, turn

a, X, x, q = Symbol("a", 1), Symbol("X", 1), Symbol("x", 1), Symbol("q", 1)
h, j, k, r = (index(name) for name in ("h", "j", "k", "r"))
HALF = as_term(Fraction(1, 2))


def over_heads(body: Term) -> Term:
    """The sum over heads."""
    return total("h", 1, H, body)


def p(at: str) -> Term:
    """[j = n] + x_j."""
    return zero_one(at, n) + x(at)


tail_q, tail_p = total("j", "k", n, q("j")), total("j", "k", n, p("j"))
all_q, all_p = total("j", 1, n, q("j")), total("j", 1, n, p("j"))
mean = over_heads(a("h") * X("h"))

claim = Claim(
    symbols=(a, X, x, q),
    indices=(Range("H", as_index(1), None),),
    hypotheses=(
        ("head weights", every("h", 1, H, at_least_0(a("h")))),
        ("attention", every("j", 1, n, at_least_0(x("j")))),
        ("roots", every("j", 1, n, at_least_0(q("j")))),
        ("squares", every("j", 1, n, Relation("=", q("j") * q("j"), zero_one("j", n) + x("j") * x("j")))),
    ),
    parts=(
        Part("Cauchy-Schwarz", ("head weights",), Relation(
            "<=", mean * mean, over_heads(a("h")) * over_heads(a("h") * X("h") * X("h"))
        )),
        Part("one layer, one head", ("attention", "roots", "squares"), every("k", 1, n, Relation(
            "<=", tail_q * all_p, tail_p * all_q
        ))),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

top = as_term(1) + x(n)
one_head = claim.proof(
    "one layer, one head",
    Step("before", every("j", 1, n - 1, Relation("=", q("j"), x("j"))), Generalise(("j",), (
        Step("same square", Relation("=", q("j") * q("j"), x("j") * x("j")), Chain((use("squares", "j"),))),
        Step("same", Relation("=", q("j"), x("j")), Chain((
            root("equal roots", q("j"), x("j"), use("roots", "j"), use("attention", "j"), "same square"),
        ))),
    ))),
    Step("not negative", at_least_0(top), Nonnegative((item(), item(use("attention", n))))),
    Step("larger square", Relation("<=", q(n) * q(n), top * top), Nonnegative(
        (item(use("attention", n), times=2),), (item(use("squares", n)),)
    )),
    Step("last", Relation("<=", q(n), top), Chain((
        root("roots rise", q(n), top, use("roots", n), "not negative", "larger square"),
    ))),
    Step("tails", claim.part("one layer, one head").asserts, Nonnegative(
        (item(use("attention", "j"), use("last"), over=(("j", 1, k - 1),)),),
        (
            item(use("before", "j"), times=-tail_p, over=(("j", 1, n - 1),)),
            item(use("before", "j"), times=all_p, over=(("j", k, n - 1),)),
        ),
    )),
)  # fmt: skip

derivation = used_only((
    squared(),
    *root_lemmas(),
    claim.proof("Cauchy-Schwarz", Step("differences", claim.part("Cauchy-Schwarz").asserts, Nonnegative((
        item(
            use("head weights", "h"), use("head weights", "r"), square_of(X("h") - X("r")), times=HALF,
            over=(("h", 1, H), ("r", 1, H)),
        ),
    )))),
    one_head,
    claim.finish("heads"),
))  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Any heads; x_n with a rational root of 1 + x_n^2."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, heads = size[0], size[1] + 1
        return st.tuples(numbers(positions + 2 * heads), st.integers(1, 6), st.integers(1, 6)).map(
            lambda d: _drawn(positions, heads, *d)
        )

    return for_each(sizes_within(), draw)


def _drawn(size: int, heads: int, drawn: Row, first: int, second: int) -> Case:
    ratio = Fraction(max(first, second), min(first, second))
    weights, brought = sizes_of(drawn[:heads]), drawn[heads : 2 * heads]
    x = sizes_of(drawn[2 * heads :][: size - 1])
    return _case(size, weights, brought, [*x, (ratio - 1 / ratio) / 2], last=(ratio + 1 / ratio) / 2)


def _case(size: int, weights: Row, brought: Row, x: Row, last: Fraction | int, **changed: Entries) -> Case:
    """The case with q from x before the last position, and ``last`` there."""
    tables: dict[str, Entries] = {"a": weights, "X": brought, "x": x, "q": [*x[:-1], last], **changed}
    return Case.of(size, {"H": len(weights)}, **tables)


needed = (
    Needed("head weights", _case(1, [2, -1], [0, 1], [0], 1), "a = (2, -1), x = (0, 1): 1 is above 1 * (-1)"),
    Needed("attention", _case(3, [1], [1], [1, -1, 0], 1, q=[1, 1, 1]), "x_2 = -1: q_2 = 1"),
    Needed("roots", _case(2, [1], [1], [1, 0], 1, q=[-1, 1]), "q_1 = -1"),
    Needed("squares", _case(2, [1], [1], [1, 0], 1, q=[0, 1]), "q_1 = 0 where x_1 = 1"),
)

statement = Statement(
    id="Q4",
    title="Heads in quadrature; one head alone is less recent",
    source="ours, beyond arXiv:2602.16837",
    remark="With two layers or two heads second moments can be more recent than their rollout, or less.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("Cauchy-Schwarz"), scale("Cauchy-Schwarz", Fraction(9, 10)), turn("one layer, one head"),
        scale("one layer, one head", Fraction(9, 10)),
    ),
)  # fmt: skip
