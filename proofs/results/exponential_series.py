"""C0, continuous time: exp is the sum of its series, and the limits of exponential series of a kernel are kernels.

    1 - x x^m / m! <= exp(-x) sum_{k <= m} x^k / k! <= 1        x >= 0
    G = lim exp(-x) sum_{k <= m} x^k / k! B^k = exp(x (B - I))  has rows of sum 1 and is above every partial sum

Hypotheses: x >= 0; B is a kernel, causal or not.  The limit is in half the 1-norm of each row.  Inequality.  Source:
classical; C2 and C3 need it of exp(x (B - I)); no more of exp is used than exp(x + y) = exp x exp y and 1 + x
<= exp x.  Exact here: everything, but that cases compare exp in balls.  Not covered: that the limit exists.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import causal_kernels
from proofs.case import Case, Entries
from proofs.draws import for_each, sizes_within
from proofs.laws import partial_mass, term_of_series
from proofs.lemmas.absolute_steps import absolute_lemmas
from proofs.lemmas.exponential_steps import series_lemmas
from proofs.lemmas.poisson_steps import exp_lemmas, term_lemmas
from proofs.lemmas.semigroup_steps import converges, exponential_limit, first_terms, partial_kernel
from proofs.lemmas.shift_steps import shift_lemmas
from proofs.lemmas.vanishing_steps import series_ends, terms_vanish
from proofs.lemmas.variation_steps import norm_lemmas
from proofs.notation import every, n, stochastic, vanishing, zero_one
from proofs.outline import used_only
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Both, Instantiate, Step, use
from proofs.substitute import apply
from proofs.term import And, Exp, Formula, Implies, Lambda, Range, Relation, Symbol, as_index, as_term, index, total
from proofs.twins import scale, turn

B, G, x = Symbol("B", 2), Symbol("G", 2), Symbol("x", 0)
X, last = x(), index("N")
here = partial_mass(X, last)
below, missing = Relation("<=", here, as_term(1)), Relation("<=", as_term(1), here + X * term_of_series(X)(last))


def entries(relation: Formula) -> Formula:
    """For every entry."""
    return every("i", 1, n, every("j", 1, n, relation))


at = (index("m"), index("i"), index("j"))
goals = (
    ("above", every("m", 0, None, entries(Relation("<=", apply(partial_kernel(X, B), at), G("i", "j"))))),
    ("rows", every("i", 1, n, Relation("=", total("j", 1, n, G("i", "j")), as_term(1)))),
    ("first terms", entries(Relation("<=", Exp(-X) * (zero_one("i", "j") + X * B("i", "j")), G("i", "j")))),
)

claim = Claim(
    symbols=(B, G, x),
    indices=(Range("N", as_index(0), None),),
    hypotheses=(("time", Relation("<=", as_term(0), X)),),
    parts=(
        Part("below", ("time",), below),
        Part("missing", ("time",), missing),
        Part("series", ("time",), vanishing(Lambda(("m",), as_term(1) - partial_mass(X, "m")))),
        Part("limit", ("time",), Implies(stochastic(B), Implies(converges(X, B, G), And(goals)))),
    ),
)

# --- derivation -----------------------------------------------------------------------------------

derivation = used_only((
    *norm_lemmas(),
    *exp_lemmas(),
    *term_lemmas(),
    *shift_lemmas(),
    *series_lemmas(),
    claim.proof("below", Step("mass", below, Instantiate(use("Poisson mass", last, fns=(x,), given=("time",))))),
    claim.proof("missing", Step("tail", missing, Instantiate(use("Poisson tail", last, fns=(x,), given=("time",))))),
    *absolute_lemmas(),
    *terms_vanish(),
    claim.proof("series", series_ends(X)),
    claim.proof(
        "limit",
        *exponential_limit(X, B, G, goals[:2]),
        Step("first terms", goals[2][1], first_terms(X, B, "above")),
        Step("all", And(goals), Both(("above", "rows", "first terms"))),
        fix=("shared kernel", "limit"),
    ),
    claim.finish("all parts"),
))  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Times up to 4 and up to 6 terms; the kernels play no part where a case decides."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        drawn = st.tuples(st.fractions(0, 4, max_denominator=6), st.integers(0, 6), causal_kernels(size[0]))
        return drawn.map(lambda d: Case.of(size[0], {"N": d[1]}, x=d[0], B=d[2], G=d[2]))

    return for_each(sizes_within(5), draw)


_alone: dict[str, Entries] = {"B": [[1]], "G": [[1]]}

statement = Statement(
    id="C0",
    title="The exponential series and its kernels",
    source="classical",
    remark="What continuous depth is made of: a Poisson number of steps of one kernel.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=(Needed("time", Case.of(1, {"N": 0}, x=-1, **_alone), "x = -1: exp(1) > 1"),),
    twins=(turn("below"), scale("below", Fraction(1, 2)), scale("missing", Fraction(1, 2))),
)
