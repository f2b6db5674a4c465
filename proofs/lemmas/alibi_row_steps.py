"""Rows of one ALiBi kernel, w_j = rho w_{j+1}, against the kernel of an endless past: (1 - rho) rho^d at distance d.

    (1 - rho) rho^{i-l} = (1 - rho^i) A_il,     L_{s+1, d} = (1 - lambda) L_{s, d} + lambda sum_{e <= d} (1 - rho)
                                                rho^{d-e} L_{s, e}
    L_{T, i-j}  <=  P^(T)_ij  <=  L_{T, i-j} + rho^j (lambda_1 + ... + lambda_T),   j <= i

A row of A is that of the endless kernel given that it reads a position from 1 on, so P is the larger one; a layer adds
at most lambda rho^i to the difference, and rows i >= j alone matter.  For the symbols of the claim that uses them.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.laws import effective_depth
from proofs.lemmas.binomial_mean_steps import at_most_1, power
from proofs.lemmas.distance_law_steps import far, weighted
from proofs.lemmas.poisson_steps import at_least_0
from proofs.lemmas.prefix_power_steps import cells, lam, w
from proofs.lemmas.prefix_steps import inverse, prefix_lemmas, weight_sums
from proofs.notation import causal, cumulative, every, layer, layers, n, prefix, rollout, transition, zero_one
from proofs.outline import NOTHING, causal_transitions
from proofs.steps import (
    Both,
    Chain,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Item,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.term import And, Formula, Implies, Index, Lambda, Relation, Symbol, Term, as_term, index

__all__ = [
    "ROLLOUT",
    "L",
    "decay",
    "endless_kernel",
    "geometric",
    "order",
    "order_steps",
    "rho",
    "row_lemmas",
    "row_steps",
    "rows",
]

L, rho = Symbol("L", 2), Symbol("rho", 0)
d, e, i, j, k, l, D, s, T = (index(x) for x in "deijklDsT")  # noqa: E741 - the letters of the formulas
ONE = as_term(1)
A = prefix(w)
FAMILY = Lambda(("t", "a", "b"), A("a", "b"))  # letters that no formula uses for an index
LAYERS = transition(lam, FAMILY)
ROLLOUT = rollout(LAYERS)

geometric = every("j", 1, n - 1, Relation("=", w("j"), rho() * w(j + 1)))
decay = And((("at least 0", at_least_0(rho())), ("at most 1", at_most_1(rho()))))


def _layer(depth: Index) -> Term:
    """One layer more of the endless kernel."""
    here = Lambda(("d",), L(depth, "d"))
    return (ONE - lam(depth + 1)) * L(depth, "d") + lam(depth + 1) * weighted(here, rho(), d)


endless_kernel = And((
    ("start", far(Relation("=", L(0, "d"), zero_one("d", 0)))),
    ("layers", every("s", 0, T - 1, far(Relation("=", L(s + 1, "d"), _layer(s))))),
))  # fmt: skip


def _bounds(depth: Index | int) -> tuple[Relation, Relation]:
    entry, law = ROLLOUT(depth, "i", "j"), L(depth, i - j)
    return Relation("<=", law, entry), Relation("<=", entry, law + power(rho(), j) * effective_depth(lam, depth))


def _pairs(body: Formula) -> Formula:
    """For any two positions j and k, in the last row."""
    return every("j", 1, n, every("k", 1, n, body))


_longer, _larger = Relation("<=", L(T, n - j), L(T, n - k)), Relation("<=", ROLLOUT(T, n, j), ROLLOUT(T, n, k))
_clearly, _nearly = (
    Relation("<=", _longer.left + power(rho(), j) * effective_depth(lam, T), _longer.right),
    Relation("<=", _longer.left, _longer.right + power(rho(), k) * effective_depth(lam, T)),
)
order = And((("if", _pairs(Implies(_clearly, _larger))), ("only if", _pairs(Implies(_larger, _nearly)))))
rows = And(tuple((name, cells(bound)) for name, bound in zip(("below", "above"), _bounds(T), strict=True)))


# --- one row ----------------------------------------------------------------------------------------

q = ONE - rho()


def _power(at: Index | int | str) -> Term:
    return power(rho(), at)


def _sum(at: Index | int) -> Relation:
    """(1 - rho) W_i = (1 - rho^i) w_i."""
    return Relation("=", q * cumulative(w)(at), (ONE - _power(at)) * w(at))


def _relative(at: Index) -> Relation:
    """w_l = rho^{i-l} w_i."""
    return Relation("=", w("l"), _power(at - l) * w(at))


def _fall(at: Index) -> Relation:
    """rho^i <= rho^j."""
    return Relation("<=", _power(at), _power(j))


_low, _high = (use("slope", parts=part) for part in ("at least 0", "at most 1"))
_powers = (
    Step("powers", every("k", 0, None, at_least_0(_power("k"))), Induction(
        "so far",
        (Step("none", at_least_0(_power(0)), Nonnegative((item(),))),),
        (Step("one more", at_least_0(_power(k + 1)), Nonnegative((item(_low, use("so far")),))),),
    )),
    Step("next power", every("k", 0, None, Relation("<=", _power(k + 1), _power("k"))), Nonnegative((
        item(_high, use("powers", "k")),
    ))),
    Step("powers fall", every("j", 0, None, every("i", j, None, _fall(i))), Generalise(("j",), (
        Step("every later", every("i", j, None, _fall(i)), Induction(
            "so far",
            (Step("itself", _fall(j), Nonnegative(())),),
            (Step("one later", _fall(i + 1), Nonnegative((item(use("next power", i)), item(use("so far"))))),),
        )),
    ))),
)  # fmt: skip

_entries = (
    Step("relative weights", every("l", 1, n, every("i", l, n, _relative(i))), Generalise(("l",), (
        Step("every later", every("i", l, n, _relative(i)), Induction(
            "so far",
            (Step("itself", _relative(l), Identity()),),
            (Step("one later", _relative(i + 1), Identity((
                item(use("so far")), item(use("geometric weights", i), times=_power(i - l)),
            ))),),
        )),
    ))),
    Step("sums", every("i", 1, n, _sum(i)), Induction(
        "so far",
        (Step("one weight", _sum(1), Identity()),),
        (Step("one weight more", _sum(i + 1), Identity((
            item(use("so far")), item(use("geometric weights", i), times=ONE - _power(i)),
        ))),),
    )),
    Step("entries", every("i", 1, n, every("l", 1, i, Relation(
        "=", q * _power(i - l), (ONE - _power(i)) * A("i", "l")
    ))), Identity((
        item(use("relative weights", l, i), times=-((ONE - _power(i)) * inverse(w, "i"))),
        item(use("sums", i), times=inverse(w, "i") * _power(i - l)),
        item(use("W / W", "i"), times=-(q * _power(i - l))),
    ))),
)  # fmt: skip

# --- layers -----------------------------------------------------------------------------------------

_causal = (
    Step("kernels", layers(1, "T", causal(layer(FAMILY, "t"))), Generalise(("t",), (
        Step("one kernel", causal(layer(FAMILY, "t")), Instantiate(
            use("prefix kernels are causal", fns=(w,), given=("weights",))
        )),
    ))),
    causal_transitions("transitions", lam, FAMILY, "T", "mixing", "kernels"),
    Step("rollouts", every("s", 0, T, causal(layer(ROLLOUT, "s"))), Generalise(("s",), (
        Step("one rollout", causal(layer(ROLLOUT, "s")), Instantiate(use(
            "S1", T, s, parts="rollouts", fns=(NOTHING, LAYERS, LAYERS, NOTHING), given=("transitions",)
        ))),
    ))),
)  # fmt: skip

_rests, _attends = (use("mixing", s + 1, parts=part) for part in ("at most one", "nonnegative"))
_past = (("l", 1, j - 1),)
_span = (("l", j, i),)


def _entry(at: str) -> tuple[Use, Use]:
    """A_il >= 0, as w_l and 1 / W_i."""
    return use("weights", at), use("1 / W > 0", "i")


_law_at_least_0 = Step("law >= 0", every("s", 0, T, far(at_least_0(L("s", "d")))), Induction(
    "so far",
    (Step("no layer", far(at_least_0(L(0, "d"))), Nonnegative(
        (item(times=zero_one("d", 0)),), (item(use("endless kernel", d, parts="start"), times=-1),)
    )),),
    (Step("one more layer", far(at_least_0(L(s + 1, "d"))), Nonnegative(
        (
            item(_rests, use("so far", d)),
            item(_attends, _high, use("powers", d - e), use("so far", e), over=(("e", 0, d),)),
        ),
        (item(use("endless kernel", s, d, parts="layers"), times=-1),),
    )),),
))  # fmt: skip

_law = use("endless kernel", s, i - j, parts="layers")


def _by_layers(label: str, side: int, sign: int, products: tuple[Item, ...], more: tuple[Item, ...] = ()) -> Step:
    """A bound at every depth; ``sign`` is 1 if P is the larger side, and -1 if it is the smaller one."""
    start, here, after = (cells(_bounds(depth)[side]) for depth in (0, s, s + 1))
    return Step(label, every("s", 0, T, here), Induction(
        "so far",
        (Step("no layer", start, Nonnegative((), (item(use("endless kernel", i - j, parts="start"), times=sign),))),),
        (Step("one more layer", after, Nonnegative(
            (
                item(_rests, use("so far", i, j)),
                item(_attends, *_entry("l"), use("so far", "l", j), over=_span),
                *products,
            ),
            (
                item(use("endless kernel", s, i - j, parts="layers"), times=sign),
                item(use("rollouts", s, "l", j, parts="mask"), times=-sign * lam(s + 1) * A("i", "l"), over=_past),
                item(use("entries", i, "l"), times=sign * lam(s + 1) * L(s, l - j), over=_span),
                *more,
            ),
        )),),
    ))  # fmt: skip


_from_below = _by_layers("from below", 0, 1, (
    item(_attends, use("powers", i), *_entry("l"), use("law >= 0", s, l - j), over=_span),
))  # fmt: skip

_at_most_1 = Step("law <= 1", every("s", 0, T, cells(at_most_1(L(s, i - j)))), Nonnegative(
    (
        item(use("from below", s, i, j)),
        item(use("rollouts", s, i, "k", parts="nonnegative"), over=(("k", 1, j - 1),)),
        item(use("rollouts", s, i, "k", parts="nonnegative"), over=(("k", j + 1, n),)),
    ),
    (item(use("rollouts", s, i, parts="rows")),),
))  # fmt: skip

_depths = Step("depths", every("s", 0, T, at_least_0(effective_depth(lam, s))), Nonnegative((
    item(use("mixing", "t", parts="nonnegative"), over=(("t", 1, s),)),
)))  # fmt: skip

_from_above = _by_layers("from above", 1, -1, (
    item(_attends, use("powers", j), use("depths", s), *_entry("l"), over=_past),
    item(_attends, use("powers fall", j, i)),
    item(_attends, use("powers", i), *_entry("l"), over=_past),
    item(_attends, use("powers", i), *_entry("l"), use("law <= 1", s, "l", j), over=_span),
), (
    item(use("W / W", i), times=lam(s + 1) * (_power(j) * effective_depth(lam, s) + _power(i))),
))  # fmt: skip


def row_lemmas() -> tuple[Step, ...]:
    """That prefix kernels are causal."""
    return prefix_lemmas()[:1]


def row_steps() -> tuple[Step, ...]:
    """Both bounds, from the hypotheses "weights", "geometric weights", "slope", "mixing" and "endless kernel"."""
    below, above = (cells(bound) for bound in _bounds(T))
    return (
        *weight_sums("W", w, "weights"), *_powers, *_entries, *_causal,
        _law_at_least_0, _from_below, _at_most_1, _depths, _from_above,
        Step("below", below, Chain((use("from below", T, "i", "j"),))),
        Step("above", above, Chain((use("from above", T, "i", "j"),))),
        Step("rows", rows, Both(("below", "above"))),
    )  # fmt: skip


def order_steps(known: Callable[[str, Index], Use]) -> tuple[Step, ...]:
    """P_nj <= P_nk if L_{n-j} is clearly less than L_{n-k}, only if it is hardly more; from both bounds."""
    return (
        Step("if", order.parts[0][1], Generalise(("j", "k", "clearly"), (
            Step("larger", _larger, Chain((known("above", j), use("clearly"), known("below", k)))),
        ))),
        Step("only if", order.parts[1][1], Generalise(("j", "k", "larger"), (
            Step("nearly", _nearly, Chain((known("below", j), use("larger"), known("above", k)))),
        ))),
        Step("order", order, Both(("if", "only if"))),
    )  # fmt: skip
