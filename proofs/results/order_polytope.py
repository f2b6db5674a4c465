"""S7, vertices: the tails of monotone causal kernels fill an order polytope; its vertices are the monotone maps.

    1 = F(i, 1) >= F(i, 2) >= ... >= F(i, n) >= 0,   F(i, k) = 0 for k > i,   F(i, k) <= F(i + 1, k)

Kernels and such tables of tails correspond.  Every monotone kernel is a mixture of kernels of zeros and ones (S6),
that is, of nondecreasing maps f(i) <= i, and no kernel of zeros and ones is a mixture of two others: so these are the
vertices.  A tail of a product is affine in each layer, and what is affine in a block is least at a vertex of it; so
an inequality that is affine in each layer and each coefficient separately holds on the whole parameter space as soon
as it holds at the vertices. Identity and inequality; tight (a vertex).  Source: theory S7.

Exact here: everything.  Numeric here: nothing.  Not covered: one kernel shared by all layers, where only "if" holds.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import causal_kernels, monotone_kernels
from proofs.case import Case, Entries, Table, kernel
from proofs.draws import Kernel, sizes_within
from proofs.extreme_steps import extreme
from proofs.level_steps import covered, levels
from proofs.notation import causal, every, layer, monotone, n, product, tail, threshold_maps
from proofs.outline import causal_kernel
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Both,
    Identity,
    Instantiate,
    Nonnegative,
    Step,
    item,
    use,
)
from proofs.term import (
    And,
    Fn,
    Formula,
    Lambda,
    Range,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)
from proofs.twins import scale, turn

F, G, X, Y, R = (Symbol(name, 2) for name in ("F", "G", "X", "Y", "R"))
theta, c, u, mu, nu = Symbol("theta", 0), Symbol("c", 0), Symbol("u", 1), Symbol("mu", 1), Symbol("nu", 1)
U, L, V, h = Symbol("U", 2), Symbol("L", 2), Symbol("V", 3), Symbol("h", 2)
i, j, k, r, m = (index(name) for name in ("i", "j", "k", "r", "m"))


def entries(body: Formula) -> Formula:
    return every("i", 1, n, every("j", 1, n, body))


def equal(first: Fn, second: Fn) -> Formula:
    """The two kernels are the same."""
    return entries(Relation("=", first("i", "j"), second("i", "j")))


def table(tails: Fn) -> And:
    """The rows of a table of tails: whole, falling, nothing beyond the diagonal."""
    return And((
        ("whole", every("i", 1, n, Relation("=", tails("i", 1), as_term(1)))),
        ("falling", entries(Relation("<=", tails("i", j + 1), tails("i", "j")))),
        ("beyond", every("i", 1, n, every("j", i + 1, n + 1, Relation("=", tails("i", "j"), as_term(0))))),
    ))  # fmt: skip


def each_vertex(body: Formula) -> Formula:
    return every("r", 1, m, body)


of_tails = Lambda(("i", "j"), F("i", "j") - F("i", j + 1))
mixed = Lambda(("i", "j"), total("r", 1, m, mu("r") * V("r", "i", "j")))
cut = threshold_maps(u, R)
mixture = entries(Relation("=", R("i", "j"), total("r", 1, m, (u("r") - u(r - 1)) * cut("r", "i", "j"))))


def in_the_middle(middle: Fn) -> Term:
    """F of U * middle * L at (i, k)."""
    return tail(product(U, product(middle, L)))("i", "k")


def square(kernel_fn: Fn) -> Formula:
    """Entries are zeros and ones."""
    return entries(Relation("=", kernel_fn("i", "j") * kernel_fn("i", "j"), kernel_fn("i", "j")))


def average(weights: Fn) -> And:
    """Nonnegative weights that sum to 1."""
    return And((
        ("nonnegative", each_vertex(Relation("<=", as_term(0), weights("r")))),
        ("sum to 1", Relation("=", total("r", 1, m, weights("r")), as_term(1))),
    ))  # fmt: skip


claim = Claim(
    symbols=(F, G, X, Y, theta, R, u, U, L, V, mu, nu, c, h),
    indices=(Range("m", as_index(1), None),),
    hypotheses=(
        ("tails", table(F)),
        ("rising", every("i", 1, n - 1, every("k", 1, n, Relation("<=", F("i", "k"), F(i + 1, "k"))))),
        ("kernel", causal(R)),
        ("monotone", monotone(R)),
        ("levels", levels(u)),
        ("covered", covered(u, R)),
        ("zeros and ones", square(G)),
        ("first", causal(X)),
        ("second", causal(Y)),
        ("share", And((
            ("positive", Relation("<", as_term(0), theta())), ("less than 1", Relation("<", theta(), as_term(1))),
        ))),
        ("mixture of two", entries(Relation(
            "=", G("i", "j"), (as_term(1) - theta()) * X("i", "j") + theta() * Y("i", "j")
        ))),
        ("weights", average(mu)),
        ("other weights", average(nu)),
        ("at vertices", each_vertex(every("i", 1, n, every("k", 1, n, Relation(
            "<=", c(), in_the_middle(layer(V, "r"))
        ))))),
        ("at pairs of vertices", each_vertex(every("s", 1, m, Relation("<=", c(), h("r", "s"))))),
    ),
    parts=(
        Part("tails of a kernel", ("kernel",), table(tail(R))),
        Part("kernel of tails", ("tails",), causal(of_tails)),
        Part("its tails", ("tails",), every("i", 1, n, every("k", 1, n, Relation(
            "=", tail(of_tails)("i", "k"), F("i", "k")
        )))),
        Part("it is monotone", ("tails", "rising"), monotone(of_tails)),
        Part("mixture of vertices", ("levels", "kernel", "monotone", "covered"), And((
            ("mixture", mixture),
            ("causal maps", each_vertex(causal(layer(cut, "r")))),
            ("nondecreasing maps", each_vertex(monotone(layer(cut, "r")))),
            ("maps of zeros and ones", each_vertex(square(layer(cut, "r")))),
        ))),
        Part(
            "vertices are extreme", ("zeros and ones", "first", "second", "share", "mixture of two"), equal(X, G)
        ),
        Part("affine in a layer", (), every("i", 1, n, every("k", 1, n, Relation(
            "=", in_the_middle(mixed), total("r", 1, m, mu("r") * in_the_middle(layer(V, "r")))
        )))),
        Part("least at a vertex", ("weights", "at vertices"), every("i", 1, n, every("k", 1, n, Relation(
            "<=", c(), in_the_middle(mixed)
        )))),
        Part("least at a pair", ("weights", "other weights", "at pairs of vertices"), Relation(
            "<=", c(), total("r", 1, m, total("s", 1, m, mu("r") * nu("s") * h("r", "s")))
        )),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


def from_coupling(label: str, part: str, given: tuple[str, ...]) -> Step:
    """A part of S6 for the kernel R."""
    goal = dict(claim.part("mixture of vertices").asserts.parts)[label]  # type: ignore[attr-defined]
    return Step(label, goal, Instantiate(use(
        "S6", m, 0, parts=part, fns=(u, R, R, Lambda(("t", "i", "j"), as_term(0))), given=given
    )))  # fmt: skip


derivation = (
    claim.proof("tails of a kernel", *(
        Step("whole", table(tail(R)).parts[0][1], Identity((item(use("kernel", "i", parts="rows")),))),
        Step("falling", table(tail(R)).parts[1][1], Nonnegative((item(use("kernel", "i", "j", parts="nonnegative")),))),
        Step("beyond", table(tail(R)).parts[2][1], Identity((
            item(use("kernel", "i", "l", parts="mask"), over=(("l", j, n),)),
        ))),
        Step("table", table(tail(R)), Both(("whole", "falling", "beyond"))),
    )),
    claim.proof("kernel of tails", *causal_kernel(
        of_tails,
        Nonnegative((item(use("tails", "i", "j", parts="falling")),)),
        Identity((
            item(use("tails", "i", "j", parts="beyond")), item(use("tails", "i", j + 1, parts="beyond"), times=-1)
        )),
        Identity((item(use("tails", "i", parts="whole")), item(use("tails", "i", n + 1, parts="beyond"), times=-1))),
    )),
    claim.proof("its tails", Step("telescoped", claim.part("its tails").asserts, Identity((
        item(use("tails", "i", n + 1, parts="beyond"), times=-1),
    )))),
    claim.proof("it is monotone", Step("its tails rise", monotone(of_tails), Nonnegative(
        (item(use("rising", "i", "k")),),
        (
            item(use("tails", i + 1, n + 1, parts="beyond")),
            item(use("tails", "i", n + 1, parts="beyond"), times=-1),
        ),
    ))),
    claim.proof(
        "mixture of vertices",
        from_coupling("mixture", "mixture", ("levels", "kernel", "covered")),
        from_coupling("causal maps", "maps", ("levels", "kernel")),
        from_coupling("nondecreasing maps", "nondecreasing maps", ("levels", "monotone")),
        from_coupling("maps of zeros and ones", "zeros and ones", ("kernel",)),
        Step("all four", claim.part("mixture of vertices").asserts, Both(
            ("mixture", "causal maps", "nondecreasing maps", "maps of zeros and ones")
        )),
    ),
    claim.proof("vertices are extreme", *extreme(G, X, theta)),
    claim.proof("affine in a layer", Step("expanded", claim.part("affine in a layer").asserts, Identity())),
    claim.proof("least at a vertex", Step("averaged", claim.part("least at a vertex").asserts, Nonnegative(
        (item(use("weights", "r", parts="nonnegative"), use("at vertices", "r", "i", "k"), over=(("r", 1, m),)),),
        (item(use("weights", parts="sum to 1"), times=-c()),),
    ))),
    claim.proof("least at a pair", Step("averaged twice", claim.part("least at a pair").asserts, Nonnegative(
        (item(
            use("weights", "r", parts="nonnegative"), use("other weights", "s", parts="nonnegative"),
            use("at pairs of vertices", "r", "s"), over=(("r", 1, m), ("s", 1, m)),
        ),),
        (
            item(use("weights", parts="sum to 1"), times=-(c() * total("s", 1, m, nu("s")))),
            item(use("other weights", parts="sum to 1"), times=-c()),
        ),
    ))),
    claim.finish("order polytope"),
)  # fmt: skip
# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Tails of a kernel, monotone half of the time; levels that cover them; a vertex; kernels around a mixed layer."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, _ = size
        one = causal_kernels(positions)
        parts = st.tuples(
            st.one_of(monotone_kernels(positions), one), monotone_kernels(positions), one, one,
            st.lists(one, min_size=1, max_size=3),
            st.lists(st.integers(0, positions - 1), min_size=1, max_size=positions),
        )  # fmt: skip
        return parts.map(lambda d: _case_from(positions, d))

    return sizes_within(4).flatmap(draw)


def _case_from(positions: int, d: tuple[Any, ...]) -> Case:
    table_of, cut_at, upper, lower, family, reads = d
    found = sorted({Fraction(0), Fraction(1), *(x for row in _tails(cut_at) for x in row)})
    count = len(found) - 1
    steps = [b - a for a, b in pairwise(found)]
    vertex = _map_kernel(positions, reads)
    family = [family[t % len(family)] for t in range(count)]
    return Case.of(
        positions, {"m": count}, F=_tails(table_of), G=vertex, X=vertex, Y=vertex, theta=Fraction(1, 3), R=cut_at,
        u=Table(found, (0,)), U=upper, L=lower, V=family, mu=steps, nu=steps[::-1], c=0,
        h=[[a * b for b in steps] for a in steps],
    )  # fmt: skip


def _tails(rows: Kernel) -> list[list[Fraction]]:
    """F(i, k) for k = 1, ..., n + 1."""
    return [[sum(row[at:], Fraction(0)) for at in range(len(row) + 1)] for row in rows]


def _map_kernel(positions: int, reads: list[int]) -> Kernel:
    """The kernel of zeros and ones in which row i reads the given position, or its own where that is later."""
    chosen = [min(i, reads[i % len(reads)]) for i in range(positions)]
    return tuple(tuple(Fraction(j == at) for j in range(positions)) for at in chosen)


_one, _first, _dip = kernel([1], [0, 1]), kernel([1], [1, 0]), kernel([1], [0, 1], [1, 0, 0])
_tilted: Entries = ((1, 0), (2, -1))
_plain: dict[str, Entries] = {
    "F": _tails(_first), "G": _first, "X": _first, "Y": _first, "theta": Fraction(1, 2), "R": _first, "u": (0, 1),
    "U": _one, "L": _one, "V": [_one], "mu": [1], "nu": [1], "c": 0, "h": [[0]],
}  # fmt: skip


def _case(positions: int = 2, **changed: Entries) -> Case:
    values: dict[str, Any] = {**_plain, **changed}
    return Case.of(positions, {"m": 1}, **{**values, "u": Table(values["u"], (0,))})


def _three(**changed: Entries) -> Case:
    """The same at n = 3."""
    one, first = kernel([1], [0, 1], [0, 0, 1]), kernel([1], [1, 0], [1, 0, 0])
    larger: dict[str, Entries] = {
        "F": _tails(first), "G": first, "X": first, "Y": first, "R": first, "U": one, "L": one, "V": [one]
    }  # fmt: skip
    return _case(3, **{**larger, **changed})


needed = (
    Needed("tails", _case(F=((2, 0, 0), (1, 0, 0))), "F(1, 1) = 2: row 1 sums to 2"),
    Needed("rising", _three(F=_tails(_dip)), "row 2 reads token 2, row 3 reads token 1"),
    Needed("kernel", _case(R=((2, 0), (1, 0))), "a row that sums to 2"),
    Needed("monotone", _three(R=_dip), "row 2 reads token 2, row 3 reads token 1"),
    Needed("levels", _case(u=(0, Fraction(1, 2))), "the last level is 1/2: the mean of the maps is R / 2"),
    Needed("covered", _case(R=kernel([1], [Fraction(1, 2), Fraction(1, 2)])), "levels 0 and 1 do not see the tail 1/2"),
    Needed(
        "zeros and ones",
        _case(G=kernel([1], [Fraction(1, 2), Fraction(1, 2)]), X=_one, Y=_first),
        "half of the identity and half of everything on token 1",
    ),
    Needed("first", _case(X=_tilted, Y=_one), "X = (2, -1), Y = (0, 1)"),
    Needed("second", _case(X=_one, Y=_tilted), "X = (0, 1), Y = (2, -1)"),
    Needed("share", _case(X=_one, theta=1), "theta = 1: X plays no part"),
    Needed("mixture of two", _case(X=_one), "X is not G"),
    Needed("weights", _case(mu=[-2], c=-1), "a weight -2"),
    Needed("other weights", _case(nu=[-2], c=-1, h=[[1]]), "a weight -2"),
    Needed("at vertices", _case(c=2, h=[[2]]), "a bound 2 that the vertex does not keep"),
    Needed("at pairs of vertices", _case(c=0, h=[[-1]]), "a bound 0 that the pair does not keep"),
)

statement = Statement(
    id="S7",
    title="The vertices of the monotone kernels are monotone maps",
    source="theory S7",
    remark="What is affine in each layer and each coefficient needs checking at vertices only.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("it is monotone"), scale("its tails"), scale("affine in a layer"), turn("least at a vertex"),
        scale("vertices are extreme"), scale("mixture of vertices/mixture"), turn("least at a pair"),
    ),
)  # fmt: skip
