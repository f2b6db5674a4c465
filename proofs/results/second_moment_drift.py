"""Q6, D1 and D2 in quadrature: a further layer may move second moments toward the last token.

    row i of layer 1 reads token 1,  row i of layer 2 reads token max(1, i - 1);    s_1 = x > 0,  s_2 = y > 0
    q_t(j)^2 = G_t(j, j):    sum_{j >= k} q_1(j) / sum_j q_1(j)  <  sum_{j >= k} q_2(j) / sum_j q_2(j),    1 < k < n

Both kernels are causal and monotone, so that in the linear rollout every further layer (D1), and every larger s (D2,
with layer 2 from s_2 = 0 on), moves no tail up.  Here tails go up: token 1 gains the factor sqrt(1 + y^2), since
what reached it directly and by layer 2 adds up in quadrature, while the tail gains 1 + y, since there the two stay
apart; and sqrt(1 + y^2) < 1 + y.  For n = 3, k = 2, x = 1, y = 3/4 the tail goes from 1/2 to 7/12.  Neither D1 nor D2
has an analogue for second moments.  Source: ours, beyond arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: what does imply drift of second moments, which is open.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.case import Case, Entries
from proofs.draws import sizes_within
from proofs.lemmas.root_steps import at_least_0, root, root_lemmas
from proofs.lemmas.second_moment_steps import through_head
from proofs.notation import causal, every, monotone, n, zero_one
from proofs.outline import causal_kernel, used_only
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Both, Chain, Generalise, Identity, Item, Nonnegative, Step, item, use
from proofs.substitute import apply
from proofs.term import And, Bracket, Index, Lambda, Relation, Symbol, Term, as_index, as_term, index, total
from proofs.twins import scale, turn

x, y, q, r = Symbol("x", 0), Symbol("y", 0), Symbol("q", 1), Symbol("r", 1)
i, j, k = (index(name) for name in ("i", "j", "k"))
ZERO, ONE = as_term(0), as_term(1)

to_first, one_back, stays = zero_one("j", 1), zero_one(j + 1, "i"), zero_one("i", 1) * zero_one("j", 1)
first, second = Lambda(("i", "j"), to_first), Lambda(("i", "j"), one_back + stays)


def stepped(before: Lambda, scale_of: Symbol, kernel: Lambda) -> Lambda:
    """G + s^2 A^T G A."""
    return Lambda(("i", "j"), apply(before, (i, j)) + scale_of() * scale_of() * through_head(before, kernel))


once = stepped(Lambda(("i", "j"), zero_one("i", n) * zero_one("j", n)), x, first)
twice = stepped(once, y, second)
kernels = And((
    ("first", causal(first)), ("first monotone", monotone(first)),
    ("second", causal(second)), ("second monotone", monotone(second)),
))  # fmt: skip


def tail(of: Symbol, start: Index | int | str) -> Term:
    """sum_{j >= start} q_j."""
    return total("j", start, n, of("j"))


claim = Claim(
    symbols=(x, y, q, r),
    indices=(),
    hypotheses=(
        ("first scale", Relation("<", ZERO, x())),
        ("second scale", Relation("<", ZERO, y())),
        ("roots", every("j", 1, n, at_least_0(q("j")))),
        ("one layer", every("j", 1, n, Relation("=", q("j") * q("j"), apply(once, (j, j))))),
        ("further roots", every("j", 1, n, at_least_0(r("j")))),
        ("two layers", every("j", 1, n, Relation("=", r("j") * r("j"), apply(twice, (j, j))))),
    ),
    parts=(
        Part("kernels", (), kernels),
        Part("drift", (
            "first scale", "second scale", "roots", "one layer", "further roots", "two layers"
        ), every("k", 2, n - 1, Relation("<", tail(q, k) * tail(r, 1), tail(r, k) * tail(q, 1)))),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


def kernel_steps(name: str, kernel: Lambda, *entries: Term) -> Step:
    """That a kernel is causal, whose entries are sums of brackets."""
    brackets = Nonnegative(tuple(item(times=bracket) for bracket in entries))
    steps = causal_kernel(kernel, brackets, Identity(), Identity())
    return Step(name, causal(kernel), Generalise((), steps))


later = Bracket(((as_index(2), i),)) * zero_one("k", "i")
kernels_known = (
    kernel_steps("first", first, to_first),
    Step("first monotone", monotone(first), Nonnegative(())),
    kernel_steps("second", second, one_back, stays),
    Step("second monotone", monotone(second), Nonnegative((item(times=later),))),
    Step("kernels", kernels, Both(("first", "first monotone", "second", "second monotone"))),
)  # fmt: skip


def known(label: str, of: Symbol, at: Index | int, root_of: Term, not_negative: str) -> tuple[Step, Step]:
    """A root, from its square."""
    signs, squares = ("roots", "one layer") if of == q else ("further roots", "two layers")
    return (
        Step(f"{label} squared", Relation("=", of(at) * of(at), root_of * root_of), Identity((
            item(use(squares, at)),
        ))),
        Step(label, Relation("=", of(at), root_of), Chain((
            root("equal roots", of(at), root_of, use(signs, at), not_negative, f"{label} squared"),
        ))),
    )  # fmt: skip


def nothing(label: str, of: Symbol, last: Index) -> Step:
    """Positions that nothing reaches."""
    return Step(label, every("j", 2, last, Relation("=", of("j"), ZERO)), Generalise(("j",), known(
        "none", of, j, ZERO, "0 <= 0"
    )))  # fmt: skip


def summed(label: str, of: Symbol, start: Index | int | str, amount: Term, *parts: Item) -> Step:
    """A sum, from its entries."""
    return Step(label, Relation("=", tail(of, start), amount), Identity(parts))


def between(label: str, start: Index | int, last: Index) -> Item:
    """The entries of a sum that are 0."""
    return item(use(label, "j"), over=(("j", start, last),))


most = x() + x() * y()  # what r_1 falls short of
drift = claim.proof(
    "drift",
    Step("0 <= 0", at_least_0(ZERO), Nonnegative(())),
    Step("0 <= 1", at_least_0(ONE), Nonnegative((item(),))),
    Step("x >= 0", at_least_0(x()), Chain((use("first scale"),))),
    Step("y >= 0", at_least_0(y()), Chain((use("second scale"),))),
    Step("most >= 0", at_least_0(most), Nonnegative((item(use("x >= 0")), item(use("x >= 0"), use("y >= 0"))))),
    *known("q_1", q, 1, x(), "x >= 0"),
    nothing("q between", q, n - 1),
    *known("q_n", q, n, ONE, "0 <= 1"),
    nothing("r between", r, n - 2),
    *known("r_{n-1}", r, n - 1, y(), "y >= 0"),
    *known("r_n", r, n, ONE, "0 <= 1"),
    Step("smaller square", Relation("<", r(1) * r(1), most * most), Nonnegative(
        (item(use("first scale"), use("first scale"), use("second scale"), times=2),), (item(use("two layers", 1)),)
    )),
    Step("r_1", Relation("<", r(1), most), Chain((
        root("roots rise strictly", r(1), most, use("further roots", 1), "most >= 0", "smaller square"),
    ))),
    summed("tail of q", q, "k", ONE, between("q between", k, n - 1), item(use("q_n"))),
    summed("all of q", q, 1, ONE + x(), item(use("q_1")), between("q between", 2, n - 1), item(use("q_n"))),
    summed("tail of r", r, "k", ONE + y(), between("r between", k, n - 2), item(use("r_{n-1}")), item(use("r_n"))),
    summed(
        "all of r", r, 1, ONE + y() + r(1), between("r between", 2, n - 2), item(use("r_{n-1}")), item(use("r_n")),
    ),
    Step("more recent", Relation("<", tail(q, "k") * tail(r, 1), tail(r, "k") * tail(q, 1)), Nonnegative(
        (item(use("r_1")),),
        (
            item(use("tail of r"), times=-tail(q, 1)), item(use("all of q"), times=-(ONE + y())),
            item(use("tail of q"), times=tail(r, 1)), item(use("all of r")),
        ),
    )),
    fix=("k",),
)  # fmt: skip

derivation = used_only((*root_lemmas(), *kernels_known, drift, claim.finish("drift of second moments")))

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """y with a rational root of 1 + y^2."""
    drawn = st.tuples(sizes_within(6, 2), st.tuples(*[st.integers(1, 12)] * 4))
    return drawn.map(lambda d: _drawn(max(d[0][0], 3), *d[1]))


def _drawn(size: int, above: int, below: int, first: int, second: int) -> Case:
    ratio = Fraction(max(first, second) + 1, min(first, second))
    return _case(size, Fraction(above, below), (ratio - 1 / ratio) / 2, (ratio + 1 / ratio) / 2)


def _case(size: int, x: Fraction | int, y: Fraction | int, growth: Fraction | int, **changed: Entries) -> Case:
    """The case with q and r from x, y and sqrt(1 + y^2)."""
    tables: dict[str, Entries] = {
        "x": x, "y": y, "q": [x, *[0] * (size - 2), 1], "r": [x * growth, *[0] * (size - 3), y, 1], **changed,
    }  # fmt: skip
    return Case.of(size, {}, **tables)


_y, _growth = Fraction(3, 4), Fraction(5, 4)
needed = (
    Needed("first scale", _case(3, 0, _y, _growth), "x = 0: nothing but the tail"),
    Needed("second scale", _case(3, 1, 0, 1), "y = 0: no second layer"),
    Needed("roots", _case(3, 1, _y, _growth, q=[-1, 0, 1]), "q_1 = -1"),
    Needed("one layer", _case(3, 1, _y, _growth, q=[0, 0, 1]), "q_1 = 0 where x = 1"),
    Needed("further roots", _case(3, 1, _y, _growth, r=[_growth, -_y, 1]), "r_2 = -3/4"),
    Needed("two layers", _case(3, 1, _y, _growth, r=[1, 0, 1]), "r = q"),
)

statement = Statement(
    id="Q6",
    title="Second moments may drift the other way",
    source="ours, beyond arXiv:2602.16837",
    remark="What spreads over several tokens gains more in quadrature than what comes together on one.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("kernels/second monotone"), turn("kernels/second/nonnegative"), turn("drift"),
        scale("drift", Fraction(9, 10)),
    ),
)  # fmt: skip
