"""Means of a sequence c over a binomial number of successes, f(d, s) = E c_{s + Bin(d, 1 - rho)}, for every rho and c.

    binomial law       P(Bin(r + s, 1 - rho) = r) = C(r + s, r) (1 - rho)^r rho^s
    one trial more     f(d+1, s) = rho f(d, s) + (1 - rho) f(d, s+1)

An array with the last recursion, 0 <= rho <= 1, that starts log-concave, f(0, s), stays so in s, and then

    f(d+1, s)^2 - f(d, s) f(d+2, s) = (1 - rho)^2 (f(d, s+1)^2 - f(d, s) f(d, s+2)) >= 0:

it is log-concave in d.  If f(0, s) keeps falling once it falls, and rho < 1, then so does f(d, s), in s and in d.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.lemmas.log_concave_steps import falls_on, log_concave
from proofs.lemmas.poisson_steps import at_least_0
from proofs.lemmas.product_steps import for_all
from proofs.notation import IDENTITY, accumulated, binomial, every, hops
from proofs.steps import (
    Absurd,
    Chain,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Nonnegative,
    Step,
    Use,
    item,
    real_cases,
    use,
)
from proofs.substitute import apply
from proofs.term import Fn, Formula, Index, Lambda, Relation, Symbol, Term, as_index, as_term, index, total

__all__ = ["array_lemmas", "at_most_1", "binomial_weight", "mean", "mean_lemmas", "means", "one_more", "power"]

c, F, rho = Symbol("c*", 1), Symbol("F*", 2), Symbol("rho*", 0)  # starred, so that no claim uses the names
d, k, l, r, s = (index(name) for name in ("d", "k", "l", "r", "s"))  # noqa: E741 - the letters of the formulas
ONE = as_term(1)


def power(base: Term, exponent: Index | int | str) -> Term:
    """x^k."""
    return accumulated(Lambda(("t",), base))(exponent)


def _law(stays: Term) -> Fn:
    """(d, r) -> P(Bin(d, 1 - rho) = r)."""
    return hops(Lambda(("t",), ONE - stays))


def binomial_weight(stays: Term, trials: Index, successes: Index) -> Term:
    """C(d, r) (1 - rho)^r rho^{d-r}."""
    return binomial(trials, successes) * power(ONE - stays, successes) * power(stays, trials - successes)


def mean(sequence: Fn, stays: Term, trials: Index | int, start: Index | int) -> Term:
    """E c_{s + Bin(d, 1 - rho)}."""
    return total("r", 0, trials, _law(stays)(trials, "r") * apply(sequence, (as_index(start) + r,)))


def means(sequence: Fn, stays: Term) -> Lambda:
    """(d, s) -> E c_{s + Bin(d, 1 - rho)}."""
    return Lambda(("d", "s"), mean(sequence, stays, d, s))


def at_most_1(term: Term) -> Relation:
    """x <= 1."""
    return Relation("<=", term, ONE)


def one_more(array: Fn, stays: Term) -> Formula:
    """f(d+1, s) = rho f(d, s) + (1 - rho) f(d, s+1)."""
    after, here, following = (apply(array, at) for at in ((d + 1, s), (d, s), (d, s + 1)))
    return every("d", 0, None, every("s", 0, None, Relation("=", after, stays * here + (ONE - stays) * following)))


# --- the binomial law -------------------------------------------------------------------------------

_p, _q = rho(), ONE - rho()


def _support(side: str, trials: Index) -> Use:
    """P(Bin = -1) = 0 ("below"), P(Bin(d) = d + 1) = 0 ("above"): C1."""
    return use("C1", trials, 0, parts=f"support/{side}", fns=(Lambda(("t",), _q), IDENTITY))


def _known(failures: Index | int, successes: Index | int) -> Relation:
    trials = as_index(successes) + failures
    weight = binomial(trials, successes) * power(_q, successes) * power(_p, failures)
    return Relation("=", _law(_p)(trials, successes), weight)


def _of_failures(failures: Index | int) -> Formula:
    return every("r", 0, None, _known(failures, r))


_binomial_law = Step("binomial law", for_all((rho,), every("s", 0, None, _of_failures(s))), Generalise(("rho*",), (
    Step("every number of failures", every("s", 0, None, _of_failures(s)), Induction(
        "so far",
        base=(Step("no failure", _of_failures(0), Induction(
            "fewer",
            base=(Step("no trial", _known(0, 0), Identity()),),
            step=(Step("one more success", _known(0, r + 1), Identity((
                item(use("fewer"), times=_q),
                item(_support("above", r), times=_p),
                item(use("none beyond", r, 0), times=-power(_q, r + 1)),
            ))),),
        )),),
        step=(Step("one more failure", _of_failures(s + 1), Induction(
            "fewer",
            base=(Step("no success", _known(s + 1, 0), Identity((
                item(use("so far", 0), times=_p),
                item(_support("below", s), times=_q),
                item(use("none below", s, 0), times=-power(_p, s + 1)),
            ))),),
            step=(Step("one more success", _known(s + 1, r + 1), Identity((
                item(use("so far", r + 1), times=_p), item(use("fewer"), times=_q),
            ))),),
        )),),
    )),
)))  # fmt: skip

_grows = Step("one trial more", for_all((c, rho), one_more(means(c, _p), _p)), Generalise(("c*", "rho*"), (
    Step("mean", one_more(means(c, _p), _p), Identity((
        item(_support("above", d), times=_p * c(s + d + 1)), item(_support("below", d), times=_q * c(s)),
    ))),
)))  # fmt: skip


def mean_lemmas() -> tuple[Step, ...]:
    """The binomial law, and one trial more; after the lemmas on binomials of pascal_steps.py."""
    return _binomial_law, _grows


# --- arrays -----------------------------------------------------------------------------------------


def _row(trials: Index | int) -> Lambda:
    """s -> f(d, s)."""
    return Lambda(("k",), F(trials, "k"))


def _next(trials: Index, start: Index) -> Use:
    return use("one more", trials, start)


def _mixed(start: Index) -> Term:
    """rho f(d, s) + (1 - rho) f(d, s+1)."""
    return _p * F(d, start) + _q * F(d, start + 1)


_given = {"one more": one_more(F, _p), "rho >= 0": at_least_0(_p), "rho <= 1": at_most_1(_p)}
_share = Step("1 - rho >= 0", at_least_0(_q), Chain((use("rho <= 1"),)))
_log_concave_rows = every("d", 0, None, log_concave(_row(d)))
_rows = Step(
    "log-concave rows",
    for_all((F, rho), *_given.values(), log_concave(_row(0)), _log_concave_rows),
    Generalise(("F*", "rho*", *_given, "starts"), (
        _share,
        Step("every row", _log_concave_rows, Induction(
            "so far",
            base=(Step("first row", log_concave(_row(0)), Instantiate(use("starts"))),),
            step=(Step("next row", log_concave(_row(d + 1)), Nonnegative(
                (item(use("two neighbours", l, k, fns=(_row(d), rho, Lambda((), _q)), given=(
                    "rho >= 0", "1 - rho >= 0", "so far",
                )),),),
                (
                    item(_next(d, l + 1), times=-F(d + 1, k)),
                    item(_next(d, k), times=-_mixed(l + 1)),
                    item(_next(d, l), times=F(d + 1, k + 1)),
                    item(_next(d, k + 1), times=_mixed(l)),
                ),
            )),),
        )),
    )),
)  # fmt: skip

_squared = Relation("<=", F(d, s) * F(d + 2, s), F(d + 1, s) * F(d + 1, s))
_log_concave_columns = every("d", 0, None, every("s", 0, None, _squared))
_columns = Step(
    "log-concave columns",
    for_all((F, rho), *_given.values(), log_concave(_row(0)), _log_concave_columns),
    Generalise(("F*", "rho*", *_given, "starts"), (
        _share,
        Step("every column", _log_concave_columns, Nonnegative(
            (item(
                use("1 - rho >= 0"), use("1 - rho >= 0"),
                use("log-concave rows", d, s, s + 1, fns=(F, rho), given=(*_given, "starts")),
            ),),
            (
                item(_next(d + 1, s), times=F(d, s)),
                item(_next(d, s), times=-F(d + 1, s) - _q * F(d, s + 1)),
                item(_next(d, s + 1), times=_q * F(d, s)),
            ),
        )),
    )),
)  # fmt: skip

# --- falling ----------------------------------------------------------------------------------------


def _difference(trials: Index, start: Index) -> Relation:
    """f(d, s+1) <= f(d, s)."""
    return Relation("<=", F(trials, start + 1), F(trials, start))


def _falls(start: Index) -> Relation:
    return _difference(d, start)


_falling = _difference(d + 1, k + 1)
_here = (item(use("1 - rho > 0"), use("then falls")), item(use("rho >= 0"), use("either")))
_by_neighbours = (item(_next(d, k + 1), times=-1), item(_next(d, k + 2)))
_rises = Relation("<", F(d, k), F(d, k + 1))
_contradiction = Relation("<", as_term(0), as_term(0))
_falling_rows = every("d", 0, None, falls_on(_row(d)))
_falling_given = {
    "one more": _given["one more"], "rho >= 0": at_least_0(_p), "1 - rho > 0": Relation("<", as_term(0), _q)
}  # fmt: skip
_rows_fall = Step(
    "falling rows",
    for_all((F, rho), *_falling_given.values(), falls_on(_row(0)), _falling_rows),
    Generalise(("F*", "rho*", *_falling_given, "starts"), (
        Step("every row", _falling_rows, Induction(
            "so far",
            base=(Step("first row", falls_on(_row(0)), Instantiate(use("starts"))),),
            step=(Step("next row", falls_on(_row(d + 1)), Generalise(("k", "falls"), (
                Step("next", _falling, real_cases(
                    F(d, k + 2), F(d, k + 1), "either",
                    (
                        Step("then falls", _falls(k + 2), Instantiate(use("so far", k + 1, given=("either",)))),
                        Step("so it does", _falling, Nonnegative(_here, _by_neighbours)),
                    ),
                    (
                        Step("before", _rises, real_cases(
                            F(d, k + 1), F(d, k), "first",
                            (
                                Step("falls too", _falls(k + 1), Instantiate(use("so far", k, given=("first",)))),
                                Step("false", _contradiction, Chain((use("either"), use("falls too")))),
                                Step("never", _rises, Absurd(use("false"), Fraction(0))),
                            ),
                            (Step("so it is", _rises, Chain((use("first"),))),),
                        )),
                        Step("false", _contradiction, Nonnegative(
                            (
                                item(use("1 - rho > 0"), use("either")), item(use("rho >= 0"), use("before")),
                                item(use("falls")),
                            ),
                            (item(_next(d, k)), item(_next(d, k + 1), times=-1)),
                        )),
                        Step("never", _falling, Absurd(use("false"), Fraction(0))),
                    ),
                )),
            ))),),
        )),
    )),
)  # fmt: skip


def array_lemmas() -> tuple[Step, ...]:
    """Log-concave in s and in d, falling on in s; after those of log_concave_steps.py."""
    return _rows, _columns, _rows_fall
