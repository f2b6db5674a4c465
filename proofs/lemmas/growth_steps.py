"""Growth of x^k / k!, of its partial sums and of D_m(x) = exp(-x) sum_{k <= m} x^k / k! from x to z = x + y, x, y >= 0.

x^{k+1} / (k+1)! + y x^k / k! <= z^{k+1} / (k+1)! <= x^{k+1} / (k+1)! + y z^k / k!
(1 - y^2) D_m(z) <= D_m(x) <= D_m(z) + y^2 + y z^m / m!
"""

from __future__ import annotations

from proofs.laws import partial_mass, partial_sum, term_of_series
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.poisson_steps import at_least_0, for_reals
from proofs.notation import every, number
from proofs.steps import (
    Exponential,
    Generalise,
    Identity,
    Induction,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.term import (
    Exp,
    Formula,
    Implies,
    Index,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
)

__all__ = [
    "BEYOND",
    "FIXED",
    "cited",
    "growth_lemmas",
    "induction",
    "last_of",
    "step_back",
    "term_at",
]

x, y, z = (Symbol(f"{v}*", 0) for v in "xyz")
X, Y, Z = x(), y(), z()
k, m = index("k"), index("m")
p, q = term_of_series(Z), term_of_series(X)
ONE = as_term(1)


before, after = partial_mass(X, m), partial_mass(Z, m)
FIXED = ("x*", "y*", "z*", "x at least 0", "y at least 0", "sum")


def stepped(label: str, var: str, goal: Formula, *steps: Step) -> Step:
    """``goal`` for all x, y >= 0 with z = x + y, and every ``var`` >= 0."""
    claim = every(var, 0, None, goal)
    given = Implies(at_least_0(X), Implies(at_least_0(Y), Implies(Relation("=", Z, X + Y), claim)))
    return Step(label, for_reals(given, x, y, z), Generalise(FIXED, steps))


def induction(label: str, var: str, goal: Formula, base: Step, step: Step) -> Step:
    return Step(label, every(var, 0, None, goal), Induction("so far", (base,), (step,)))


def cited(label: str, *at: Index | str) -> Use:
    """A lemma of this kind for the same x, y, z."""
    return use(label, *at, fns=(x, y, z), given=("x at least 0", "y at least 0", "sum"))


def term_at(argument: Symbol, at: Index | str, source: str) -> Use:
    return use("terms", at, fns=(argument,), given=(source,))


BEYOND = Step("z at least 0", at_least_0(Z), Nonnegative(
    (item(use("x at least 0")), item(use("y at least 0"))), (item(use("sum"), times=-1),)
))  # fmt: skip


# --- one term -------------------------------------------------------------------------------------


def _terms_rise() -> Step:
    def rises(at: Index | int) -> Relation:
        return Relation("<=", q(at), p(at))

    last = use("inverse positive", "k")
    return stepped(
        "terms rise", "k", rises(k), BEYOND,
        induction(
            "every term", "k", rises(k),
            Step("none", rises(0), Identity()),
            Step("one more", rises(k + 1), Nonnegative(
                (
                    item(last, use("x at least 0"), use("so far")),
                    item(last, use("y at least 0"), term_at(z, "k", "z at least 0")),
                ),
                (item(use("sum"), times=-Reciprocal(number(k + 1)) * p(k)),),
            )),
        ),
    )  # fmt: skip


def _terms_bounded() -> Step:
    def bounded(at: Index | int) -> Relation:
        return Relation("<=", p(at + 1), q(at + 1) + Y * p(at))

    last, power = Reciprocal(number(k + 2)), use("inverse positive", k + 1)
    return stepped(
        "terms bounded", "k", bounded(k), BEYOND,
        induction(
            "every term", "k", bounded(k),
            Step("linear term", bounded(0), Nonnegative((), (
                item(use("sum"), times=Reciprocal(number(1))), item(use("inverse", 0), times=Y),
            ))),
            Step("one more", bounded(k + 1), Nonnegative(
                (
                    item(use("so far"), use("x at least 0"), power),
                    item(use("y at least 0"), use("y at least 0"), power, term_at(z, "k", "z at least 0")),
                ),
                (
                    item(use("sum"), times=last * (p(k + 1) - Y * p(k))),
                    item(use("inverse", "k"), times=-last * Y * Z * p(k)),
                    item(use("inverse", k + 1), times=Y * p(k + 1)),
                ),
            )),
        ),
    )  # fmt: skip


# --- partial sums ---------------------------------------------------------------------------------


def last_of(argument: Term) -> Use:
    """The last term of a partial sum to m + 1, apart."""
    return use("last apart", m, fns=(term_of_series(argument),))


def _sums(label: str, goal: Formula, start: Formula, then: Formula, source: str, sign: int) -> Step:
    """An inequality between the partial sums at x and z, by induction from the one between their terms."""
    only = [use("only term", fns=(fn,)) for fn in (q, p)]
    third, longer = (1, Z) if sign < 0 else (0, X)
    return stepped(label, "m", goal, induction(
        "every sum", "m", goal,
        Step("one term", start, Nonnegative((), (
            item(only[0], times=sign), item(only[1], times=-sign), item(only[third], times=sign * Y),
        ))),
        Step("one more", then, Nonnegative((item(use("so far")), item(cited(source, "m"))), (
            item(last_of(X), times=sign), item(last_of(Z), times=-sign), item(last_of(longer), times=sign * Y),
        ))),
    ))  # fmt: skip


def _sums_bounded() -> Step:
    def bounded(at: Index | int) -> Relation:
        return Relation("<=", partial_sum(Z, at) + Y * p(at), partial_sum(X, at) + Y * partial_sum(Z, at))

    return _sums("sums bounded", bounded(m), bounded(0), bounded(m + 1), "terms bounded", -1)


def _sums_grow() -> Step:
    def grows(at: Index | int) -> Relation:
        return Relation("<=", partial_sum(X, at) + Y * partial_sum(X, at), partial_sum(Z, at) + Y * q(at))

    return _sums("sums grow", grows(m), grows(0), grows(m + 1), "terms grow", 1)


# --- one step of time -----------------------------------------------------------------------------


def _step_forward() -> Step:
    """(1 - y^2) D_m(z) <= D_m(x): exp y >= 1 + y, and the sum grows at most by the factor 1 / (1 - y)."""
    goal = Relation("<=", after - Y * Y * after, before)
    stays = use("exp positive", fns=(value(-Z),))
    terms = ("k", 0, m)
    return stepped(
        "step forward", "m", goal, BEYOND,
        Step("growth", Relation("<=", ONE + Y, Exp(Y)), Exponential()),
        Step("shorter", Relation("=", Exp(-Z) * Exp(Y), Exp(-X)), Exponential((item(use("sum"), times=-1),))),
        Step("each sum", every("m", 0, None, goal), Nonnegative(
            (
                item(stays, use("growth"), term_at(x, "k", "x at least 0"), over=(terms,)),
                item(stays, cited("sums bounded", "m")),
                item(stays, use("y at least 0"), cited("sums bounded", "m")),
                item(stays, use("y at least 0"), term_at(z, "m", "z at least 0")),
                item(stays, use("y at least 0"), use("y at least 0"), term_at(z, "m", "z at least 0")),
            ),
            (item(use("shorter"), times=partial_sum(X, "m")),),
        )),
    )  # fmt: skip


def step_back() -> Step:
    """D_m(x) <= D_m(z) + y^2 + y z^m / m!: exp(-y) >= 1 - y, and the sum grows at least by the factor 1 + y, but for
    the last term.
    """
    goal = Relation("<=", before, after + Y * Y + Y * p(m))
    here, stays = use("exp positive", fns=(value(-X),)), use("exp positive", fns=(value(-Z),))
    slow, terms = use("exp below", fns=(y,)), ("k", 0, m)
    return stepped(
        "step back", "m", goal, BEYOND,
        Step("longer", Relation("=", Exp(-X) * Exp(-Y), Exp(-Z)), Exponential((item(use("sum")),))),
        Step("each sum", every("m", 0, None, goal), Nonnegative(
            (
                item(stays, cited("sums grow", "m")),
                item(here, slow, term_at(x, "k", "x at least 0"), over=(terms,)),
                item(here, slow, use("y at least 0"), term_at(x, "k", "x at least 0"), over=(terms,)),
                item(
                    use("y at least 0"), use("y at least 0"),
                    use("Poisson mass", "m", fns=(x,), given=("x at least 0",)),
                ),
                item(use("y at least 0"), cited("terms rise", "m")),
                item(
                    use("y at least 0"), term_at(x, "m", "x at least 0"),
                    use("decay", fns=(z,), given=("z at least 0",)),
                ),
            ),
            (item(use("longer"), times=partial_sum(X, "m") + Y * partial_sum(X, "m")),),
        )),
    )  # fmt: skip


def growth_lemmas() -> tuple[Step, ...]:
    """Terms and partial sums grow as they should, and one step forward."""
    return _terms_rise(), _terms_bounded(), _sums_bounded(), _sums_grow(), _step_forward()
