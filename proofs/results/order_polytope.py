"""S7, vertices: the tails of monotone causal kernels fill an order polytope; its vertices are the monotone maps.

    1 = F(i, 1) >= F(i, 2) >= ... >= F(i, n) >= 0,   F(i, k) = 0 for k > i,   F(i, k) <= F(i + 1, k)

Kernels and such tables of tails correspond.  Every monotone kernel is a mixture of kernels of zeros and ones (S6),
that is, of nondecreasing maps f(i) <= i, every ordered pair one of ordered pairs of maps, and no kernel of zeros and
ones is a mixture of two others: so these are the vertices.  A tail of a product U R L is affine in the layer R and in
its mixing coefficient, whatever U and L are, and what is affine in a block is least at a vertex of it.  So what is
affine in each of N blocks is least at a product of vertices: y_b is its value with the first b blocks at the vertices
chosen one after another, z_br the value with block b at vertex r instead.  An inequality between tails of rollouts,
affine in each layer and each coefficient, thus holds on the whole parameter space as soon as it holds at the
vertices. Identity and inequality; tight (a vertex).  Source: ours, beyond arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: one kernel shared by all layers, where only
"if" holds; that a given inequality is affine in each block, which is a hypothesis here.
"""

from __future__ import annotations

from proofs.cases.polytope_cases import cases, needed
from proofs.lemmas.extreme_steps import entries, extreme
from proofs.lemmas.level_steps import covered, levels
from proofs.notation import IDENTITY, below, causal, every, layer, monotone, n, product, tail, threshold_maps, zero_one
from proofs.outline import causal_kernel
from proofs.statement import Claim, Part, Statement
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

F, G, X, Y, R, B = (Symbol(name, 2) for name in ("F", "G", "X", "Y", "R", "B"))
theta, c, u, mu, y = Symbol("theta", 0), Symbol("c", 0), Symbol("u", 1), Symbol("mu", 1), Symbol("y", 1)
U, L, V, z, rho = Symbol("U", 2), Symbol("L", 2), Symbol("V", 3), Symbol("z", 2), Symbol("rho", 2)
i, j, k, r, m, b, N = (index(name) for name in ("i", "j", "k", "r", "m", "b", "N"))


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


def each_block(body: Formula) -> Formula:
    return every("b", 1, N, body)


of_tails = Lambda(("i", "j"), F("i", "j") - F("i", j + 1))
mixed = Lambda(("i", "j"), total("r", 1, m, mu("r") * V("r", "i", "j")))
cut = threshold_maps(u, R)
residual = Lambda(("i", "j"), (as_term(1) - theta()) * zero_one("i", "j") + theta() * R("i", "j"))


def mixture(kernel: Symbol) -> Formula:
    """The kernel is the mean of its maps, one for each level."""
    mean = total("r", 1, m, (u("r") - u(r - 1)) * threshold_maps(u, kernel)("r", "i", "j"))
    return entries(Relation("=", kernel("i", "j"), mean))


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
    symbols=(F, G, X, Y, theta, R, B, u, U, L, V, mu, c, y, z, rho),
    indices=(Range("m", as_index(1), None), Range("N", as_index(0), None)),
    hypotheses=(
        ("tails", table(F)),
        ("rising", every("i", 1, n - 1, every("k", 1, n, Relation("<=", F("i", "k"), F(i + 1, "k"))))),
        ("kernel", causal(R)),
        ("monotone", monotone(R)),
        ("levels", levels(u)),
        ("covered", covered(u, R)),
        ("upper kernel", causal(B)),
        ("upper covered", covered(u, B)),
        ("ordered", below(R, B)),
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
        ("at vertices", each_vertex(every("i", 1, n, every("k", 1, n, Relation(
            "<=", c(), in_the_middle(layer(V, "r"))
        ))))),
        ("block weights", each_block(average(Lambda(("r",), rho("b", "r"))))),
        ("affine in each block", each_block(Relation(
            "=", y(b - 1), total("r", 1, m, rho("b", "r") * z("b", "r"))
        ))),
        ("least vertex chosen", each_block(each_vertex(Relation("<=", y("b"), z("b", "r"))))),
    ),
    parts=(
        Part("tails of a kernel", ("kernel",), table(tail(R))),
        Part("kernel of tails", ("tails",), causal(of_tails)),
        Part("its tails", ("tails",), every("i", 1, n, every("k", 1, n, Relation(
            "=", tail(of_tails)("i", "k"), F("i", "k")
        )))),
        Part("it is monotone", ("tails", "rising"), monotone(of_tails)),
        Part("mixture of vertices", ("levels", "kernel", "monotone", "covered"), And((
            ("mixture", mixture(R)),
            ("causal maps", each_vertex(causal(layer(cut, "r")))),
            ("nondecreasing maps", each_vertex(monotone(layer(cut, "r")))),
            ("maps of zeros and ones", each_vertex(square(layer(cut, "r")))),
        ))),
        Part(
            "mixture of pairs", ("levels", "kernel", "covered", "upper kernel", "upper covered", "ordered"),
            And((
                ("lower", mixture(R)),
                ("upper", mixture(B)),
                ("ordered maps", each_vertex(below(layer(cut, "r"), layer(threshold_maps(u, B), "r")))),
            )),
        ),
        Part(
            "vertices are extreme", ("zeros and ones", "first", "second", "share", "mixture of two"), equal(X, G)
        ),
        Part("affine in a layer", (), every("i", 1, n, every("k", 1, n, Relation(
            "=", in_the_middle(mixed), total("r", 1, m, mu("r") * in_the_middle(layer(V, "r")))
        )))),
        Part("affine in a coefficient", (), every("i", 1, n, every("k", 1, n, Relation(
            "=",
            in_the_middle(residual),
            (as_term(1) - theta()) * in_the_middle(IDENTITY) + theta() * in_the_middle(R),
        )))),
        Part("least at a vertex", ("weights", "at vertices"), every("i", 1, n, every("k", 1, n, Relation(
            "<=", c(), in_the_middle(mixed)
        )))),
        Part(
            "least at a product of vertices", ("block weights", "affine in each block", "least vertex chosen"),
            Relation("<=", y("N"), y(0)),
        ),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


def from_coupling(label: str, goal: Formula, part: str, given: tuple[str, ...], kernel: Symbol = R) -> Step:
    """A part of S6 for the kernel, or for the pair R ≼ B."""
    no_family, nothing = Lambda(("t", "i", "j"), as_term(0)), Lambda(("t",), as_term(0))
    fns = (u, kernel, B, no_family, nothing, no_family)
    return Step(label, goal, Instantiate(use("S6", m, 0, parts=part, fns=fns, given=given)))


def part_of(name: str, label: str) -> Formula:
    """One conjunct of a part."""
    asserts = claim.part(name).asserts
    assert isinstance(asserts, And)
    return dict(asserts.parts)[label]


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
        *(from_coupling(label, part_of("mixture of vertices", label), part, given) for label, part, given in (
            ("mixture", "mixture", ("levels", "kernel", "covered")),
            ("causal maps", "maps", ("levels", "kernel")),
            ("nondecreasing maps", "nondecreasing maps", ("levels", "monotone")),
            ("maps of zeros and ones", "zeros and ones", ("kernel",)),
        )),
        Step("all four", claim.part("mixture of vertices").asserts, Both(
            ("mixture", "causal maps", "nondecreasing maps", "maps of zeros and ones")
        )),
    ),
    claim.proof(
        "mixture of pairs",
        from_coupling("lower", part_of("mixture of pairs", "lower"), "mixture", ("levels", "kernel", "covered")),
        from_coupling(
            "upper", part_of("mixture of pairs", "upper"), "mixture", ("levels", "upper kernel", "upper covered"), B
        ),
        from_coupling(
            "ordered maps", part_of("mixture of pairs", "ordered maps"), "maps compared", ("levels", "ordered")
        ),
        Step("all three", claim.part("mixture of pairs").asserts, Both(("lower", "upper", "ordered maps"))),
    ),
    claim.proof("vertices are extreme", *extreme(G, X, theta)),
    claim.proof("affine in a layer", Step("expanded", claim.part("affine in a layer").asserts, Identity())),
    claim.proof("affine in a coefficient", Step(
        "expanded", claim.part("affine in a coefficient").asserts, Identity()
    )),
    claim.proof("least at a vertex", Step("averaged", claim.part("least at a vertex").asserts, Nonnegative(
        (item(use("weights", "r", parts="nonnegative"), use("at vertices", "r", "i", "k"), over=(("r", 1, m),)),),
        (item(use("weights", parts="sum to 1"), times=-c()),),
    ))),
    claim.proof(
        "least at a product of vertices",
        Step("each block", each_block(Relation("<=", y("b"), y(b - 1))), Nonnegative(
            (item(
                use("block weights", "b", "r", parts="nonnegative"), use("least vertex chosen", "b", "r"),
                over=(("r", 1, m),),
            ),),
            (
                item(use("affine in each block", "b"), times=-1),
                item(use("block weights", "b", parts="sum to 1"), times=-y("b")),
            ),
        )),
        Step("all blocks", Relation("<=", y("N"), y(0)), Nonnegative((
            item(use("each block", "b"), over=(("b", 1, N),)),
        ))),
    ),
    claim.finish("order polytope"),
)  # fmt: skip
statement = Statement(
    id="S7",
    title="The vertices of the monotone kernels are monotone maps",
    source="ours, beyond arXiv:2602.16837",
    remark="What is affine in each layer and each coefficient needs checking at vertices only.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("it is monotone"), scale("its tails"), scale("affine in a layer"), turn("least at a vertex"),
        scale("vertices are extreme"), scale("mixture of vertices/mixture"), turn("least at a product of vertices"),
    ),
)  # fmt: skip
