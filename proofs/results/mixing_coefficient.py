"""L1, mixing coefficient: which share of a token's new state comes from attention.

    lambda = a / (a + x),   a = |Attn(X)|,  x = |X|                       (defined where a + x > 0)

    0 <= lambda <= 1        lambda = 0  <=>  a = 0        lambda = 1  <=>  x = 0        lambda = 1/2  <=>  a = x
    lambda(s a, s x) = lambda(a, x) for s > 0             lambda = r / (1 + r), r = a / x, for x > 0
    lambda(a, x) < lambda(b, y)  <=>  a y < b x, which is a / x < b / y without dividing: increasing in r

The two norms are given as numbers; that they are nonnegative is asked only where it is used, and that a norm is 0 only
for the vector 0 is no part of the claim.  Where both vanish there is no coefficient.  Identities, equivalences and
strict inequalities; tight.  Source: arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: the norms of a model's states.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import prefix_weights
from proofs.case import Case
from proofs.draws import sizes_within
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Identity, Invert, Nonnegative, Step, item, use
from proofs.term import Reciprocal, Relation, Symbol, Term, as_term
from proofs.twins import add, scale, turn

attention, stream, other_attention, other_stream, factor = (Symbol(name, 0) for name in ("a", "x", "b", "y", "s"))
a, x, b, y, s = attention(), stream(), other_attention(), other_stream(), factor()
zero, one, half = as_term(0), as_term(1), as_term(Fraction(1, 2))


def mixing_coefficient(of_attention: Term, of_stream: Term) -> Term:
    """a / (a + x)."""
    return of_attention * Reciprocal(of_attention + of_stream)


lam, other, scaled = mixing_coefficient(a, x), mixing_coefficient(b, y), mixing_coefficient(s * a, s * x)
ratio = a * Reciprocal(x)
cross = Relation("<", a * y, b * x)
larger = Relation("<", lam, other)

claim = Claim(
    symbols=(attention, stream, other_attention, other_stream, factor),
    indices=(),
    hypotheses=(
        ("attention", Relation("<=", zero, a)),
        ("stream", Relation("<=", zero, x)),
        ("defined", Relation("<", zero, a + x)),
        ("no attention", Relation("=", a, zero)),
        ("coefficient 0", Relation("=", lam, zero)),
        ("no stream", Relation("=", x, zero)),
        ("coefficient 1", Relation("=", lam, one)),
        ("equal norms", Relation("=", a, x)),
        ("coefficient 1/2", Relation("=", lam, half)),
        ("factor", Relation("<", zero, s)),
        ("some stream", Relation("<", zero, x)),
        ("other defined", Relation("<", zero, b + y)),
        ("larger ratio", cross),
        ("larger coefficient", larger),
    ),
    parts=(
        Part("at least 0", ("attention", "defined"), Relation("<=", zero, lam)),
        Part("at most 1", ("stream", "defined"), Relation("<=", lam, one)),
        Part("zero", ("no attention",), Relation("=", lam, zero)),
        Part("zero, conversely", ("defined", "coefficient 0"), Relation("=", a, zero)),
        Part("one", ("defined", "no stream"), Relation("=", lam, one)),
        Part("one, conversely", ("defined", "coefficient 1"), Relation("=", x, zero)),
        Part("half", ("defined", "equal norms"), Relation("=", lam, half)),
        Part("half, conversely", ("defined", "coefficient 1/2"), Relation("=", a, x)),
        Part("scaling", ("defined", "factor"), Relation("=", scaled, lam)),
        Part("ratio", ("defined", "some stream"), Relation("=", lam, ratio * Reciprocal(one + ratio))),
        Part("increasing", ("defined", "other defined", "larger ratio"), larger),
        Part("increasing, conversely", ("defined", "other defined", "larger coefficient"), cross),
    ),
)

# --- derivation -----------------------------------------------------------------------------------


def quotient(name: str, divisor: Term, positive: str) -> Step:
    """D (1 / D) = 1, from D > 0."""
    return Step(name, Relation("=", divisor * Reciprocal(divisor), one), Invert(use(positive)))


def inverse(name: str, divisor: Term, positive: str) -> Step:
    """0 < 1 / D, from D > 0."""
    return Step(name, Relation("<", zero, Reciprocal(divisor)), Invert(use(positive)))


def asserted(name: str, *steps: Step, because: Identity | Nonnegative) -> Step:
    """A part whose last step is the assertion itself."""
    return claim.proof(name, *steps, Step("coefficient", claim.part(name).asserts, because))


D, E = a + x, b + y
divided, inverted = quotient("D / D", D, "defined"), inverse("1 / D > 0", D, "defined")
divided_other, inverted_other = quotient("E / E", E, "other defined"), inverse("1 / E > 0", E, "other defined")

scaled_positive = Step(
    "s D > 0", Relation("<", zero, s * a + s * x), Nonnegative((item(use("factor"), use("defined")),))
)
one_plus_ratio = Step(
    "1 + r > 0",
    Relation("<", zero, one + ratio),
    Nonnegative((item(use("1 / x > 0"), use("defined")),), (item(use("x / x")),)),
)

derivation = (
    asserted("at least 0", inverted, because=Nonnegative((item(use("attention"), use("1 / D > 0")),))),
    asserted("at most 1", divided, inverted, because=Nonnegative(
        (item(use("stream"), use("1 / D > 0")),), (item(use("D / D")),)
    )),
    asserted("zero", because=Identity((item(use("no attention"), times=Reciprocal(D)),))),
    asserted("zero, conversely", divided, because=Identity((
        item(use("coefficient 0"), times=D), item(use("D / D"), times=-a),
    ))),
    asserted("one", divided, because=Identity((item(use("D / D")), item(use("no stream"), times=-Reciprocal(D))))),
    asserted("one, conversely", divided, because=Identity((
        item(use("coefficient 1"), times=-D), item(use("D / D"), times=a),
    ))),
    asserted("half", divided, because=Identity((
        item(use("D / D"), times=half), item(use("equal norms"), times=half * Reciprocal(D)),
    ))),
    asserted("half, conversely", divided, because=Identity((
        item(use("coefficient 1/2"), times=2 * D), item(use("D / D"), times=-2 * a),
    ))),
    asserted("scaling", divided, scaled_positive, quotient("s D / s D", s * a + s * x, "s D > 0"), because=Identity((
        item(use("s D / s D"), times=lam), item(use("D / D"), times=-scaled),
    ))),
    asserted(
        "ratio",
        divided,
        quotient("x / x", x, "some stream"),
        inverse("1 / x > 0", x, "some stream"),
        one_plus_ratio,
        quotient("(1 + r) / (1 + r)", one + ratio, "1 + r > 0"),
        because=Identity((
            item(use("D / D"), times=ratio * Reciprocal(one + ratio)),
            item(use("(1 + r) / (1 + r)"), times=-lam),
            item(use("x / x"), times=-(lam * Reciprocal(one + ratio))),
        )),
    ),
    asserted("increasing", divided, inverted, divided_other, inverted_other, because=Nonnegative(
        (item(use("larger ratio"), use("1 / D > 0"), use("1 / E > 0")),),
        (item(use("D / D"), times=other), item(use("E / E"), times=-lam)),
    )),
    asserted("increasing, conversely", divided, divided_other, because=Nonnegative(
        (item(use("larger coefficient"), use("defined"), use("other defined")),),
        (item(use("E / E"), times=b * D), item(use("D / D"), times=-(a * E))),
    )),
    claim.finish("coefficient"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Norms, one of them often 0, both often equal; a second pair, in either order of the ratios."""
    drawn = st.tuples(sizes_within(), prefix_weights(5), st.sampled_from(["a = 0", "x = 0", "a = x"] * 3 + ["free"]))
    return drawn.map(lambda d: _case_from(d[0][0], d[1], d[2]))


def _case_from(positions: int, norms: tuple[Fraction, ...], kind: str) -> Case:
    p, q, r, t, by = norms
    pair = {"a = 0": (Fraction(0), q), "x = 0": (p, Fraction(0)), "a = x": (p, p), "free": (p, q)}[kind]
    return Case.of(positions, {}, a=pair[0], x=pair[1], b=r, y=t, s=by)


def _case(**changed: Fraction | int) -> Case:
    return Case.of(1, {}, **{**dict.fromkeys("abxys", 1), **changed})


_three_halves = Fraction(3, 2)
needed = (
    Needed("attention", _case(a=-1, x=2), "a = -1, x = 2: lambda = -1"),
    Needed("stream", _case(a=2, x=-1), "a = 2, x = -1: lambda = 2"),
    Needed("defined", _case(a=0, x=0), "both vanish: lambda is not 1 though x = 0"),
    Needed("no attention", _case(), "a = x = 1: lambda = 1/2"),
    Needed("coefficient 0", _case(), "a = x = 1: a is not 0"),
    Needed("no stream", _case(), "a = x = 1: lambda = 1/2"),
    Needed("coefficient 1", _case(), "a = x = 1: x is not 0"),
    Needed("equal norms", _case(a=0), "a = 0, x = 1: lambda = 0"),
    Needed("coefficient 1/2", _case(a=0), "a = 0, x = 1: not equal"),
    Needed("factor", _case(s=0), "s = 0: both norms become 0"),
    Needed("some stream", _case(x=0), "a = 1, x = 0: lambda = 1, and there is no ratio"),
    Needed(
        "other defined", _case(a=-1, x=2, b=1, y=-_three_halves),
        "(a, x) = (-1, 2), (b, y) = (1, -3/2): 3/2 < 2, but lambda = -1 against -2",
    ),
    Needed("larger ratio", _case(), "the same norms twice: no increase"),
    Needed("larger coefficient", _case(), "the same norms twice: no larger ratio"),
)  # fmt: skip

statement = Statement(
    id="L1",
    title="The mixing coefficient",
    source="arXiv:2602.16837",
    remark="Norms of (3, 4) and (6, 8), 5 and 10, give 2/3.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("at least 0"), turn("at most 1"), add("zero"), add("zero, conversely"), scale("one"),
        add("one, conversely"), scale("half"), scale("half, conversely"), scale("scaling"), scale("ratio"),
        turn("increasing"), turn("increasing, conversely"),
    ),
)  # fmt: skip
