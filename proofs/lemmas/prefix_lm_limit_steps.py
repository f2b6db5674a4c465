"""I2, I3 and the converse of I4 for kernels that are causal beyond b, from those of the lumped kernels.

Cited under the names given: 0 <= lambda_t <= 1 ("all mixing") and A_t causal beyond b ("all kernels") for every t >= 1.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.lemmas.limit_steps import A, P, hop, lam
from proofs.lemmas.prefix_lm_steps import lumped_layers, of_rollouts
from proofs.lemmas.series_steps import HALF, below_one, partial_sum
from proofs.notation import (
    bounded_away,
    causal,
    causal_beyond,
    every,
    layer,
    layers,
    mixing,
    n,
    rollout,
    some,
    summable,
    tail,
    transition,
    unbounded,
    vanishing,
)
from proofs.outline import NOTHING, causal_transitions
from proofs.steps import (
    Absurd,
    Both,
    Cases,
    Either,
    Generalise,
    Instantiate,
    Nonnegative,
    Obtain,
    Step,
    Witness,
    item,
    use,
)
from proofs.term import And, Index, Lambda, Relation, Symbol, as_index, as_term, index

__all__ = ["collapse", "kept_away", "lost", "must_diverge", "stays"]

b, i, j, r, t, S, V, T = (index(name) for name in ("b", "i", "j", "r", "t", "S", "V", "T"))
M, eta, d = Symbol("M", 0), Symbol("eta", 0), Symbol("d", 0)
ZERO, ONE = as_term(0), as_term(1)
LUMPED = lumped_layers(A)
LUMPED_ROLLOUT = rollout(transition(lam, LUMPED))
_nothing = Lambda((), ZERO)


def lost(row: Index | str) -> Lambda:
    """T -> F_P(row, b + 1): what the row has beyond the prefix."""
    return Lambda(("T",), tail(layer(P, "T"))(row, b + 1))


def stays(row: Index | str) -> Lambda:
    """T -> P^(T)_ii."""
    return Lambda(("T",), P("T", row, row))


def _hop(row: Index | str) -> Lambda:
    """lambda_t (1 - L(A_t)_ii)."""
    return Lambda(("t",), lam("t") * (ONE - LUMPED("t", row, row)))


def _all_lumped() -> Step:
    each = causal(layer(LUMPED, "t"))
    return Step("all lumped", every("t", 1, None, each), Generalise(("t",), (
        Step("layer", each, Instantiate(use("lumped kernels", fns=(layer(A, "t"),), given=(use("all kernels", "t"),)))),
    )))  # fmt: skip


def _kernels_there(depth: Index) -> Step:
    """Layers up to a depth are causal beyond b."""
    kernels = causal_beyond(layer(A, "t"), "b")
    return Step("kernels there", layers(1, depth, kernels), Generalise(("t",), (
        Step("kernel", kernels, Instantiate(use("all kernels", "t"))),
    )))  # fmt: skip


def _there(depth: Index) -> tuple[Step, ...]:
    """Rollouts of the lumped layers up to a depth are causal kernels."""
    lumped = causal(layer(LUMPED, "t"))
    low, high = layers(1, depth, Relation("<=", ZERO, lam("t"))), layers(1, depth, Relation("<=", lam("t"), ONE))
    return (
        Step("at least 0 there", low, Nonnegative((item(use("all mixing", "t", parts="nonnegative")),))),
        Step("at most 1 there", high, Nonnegative((item(use("all mixing", "t", parts="at most one")),))),
        Step("mixing there", mixing(lam, depth), Both(("at least 0 there", "at most 1 there"))),
        _kernels_there(depth),
        Step("lumped there", layers(1, depth, lumped), Generalise(("t",), (
            Step("kernel", lumped, Instantiate(use("all lumped", "t"))),
        ))),
        causal_transitions("transitions", lam, LUMPED, depth, "mixing there", "lumped there"),
        Step("rollouts", every("s", 0, depth, causal(layer(LUMPED_ROLLOUT, "s"))), Instantiate(use(
            "S1", depth, parts="rollouts", fns=(NOTHING, transition(lam, LUMPED), transition(lam, LUMPED), NOTHING),
            given=("transitions",),
        ))),
    )  # fmt: skip


# --- collapse -------------------------------------------------------------------------------------


def collapse() -> tuple[Step, ...]:
    """F_P(i, b + 1) -> 0 in every row, from sums that are infinite beyond b ("infinite sums"): I3."""
    goal = every("i", 1, n, vanishing(lost("i")))
    sums = every("i", 2, n, unbounded(_hop("i")))
    return (
        _all_lumped(),
        Step("lumped sums", sums, Generalise(("i",), (
            Step("this row", unbounded(_hop("i")), Cases(
                i, b,
                (Step("of the prefix", unbounded(_hop("i")), Generalise(("M",), _prefix_row())),),
                (Step("beyond it", unbounded(_hop("i")), Instantiate(use("infinite sums", "i"))),),
            )),
        ))),
        Step("lumped collapse", every("i", 1, n, vanishing(Lambda(("T",), ONE - LUMPED_ROLLOUT("T", "i", 1)))),
             Instantiate(use(
                 "I3", as_index(0), as_index(0), parts="collapse", fns=(lam, LUMPED, _nothing),
                 given=("all mixing", "all lumped", "lumped sums"),
             ))),
        Step("each row", goal, Generalise(("i", "eta", "positive"), _tends())),
    )  # fmt: skip


def _prefix_row() -> tuple[Step, ...]:
    """A row of the prefix gives all away: lambda_t, which is at least what row b + 1 gives away."""
    reached = some("T", 0, Relation("<=", M(), partial_sum(_hop("i"), "T")))
    given = item(
        use("all mixing", "t", parts="nonnegative"), use("all kernels", "t", b + 1, b + 1, parts="nonnegative"),
        over=(("t", 1, V),),
    )  # fmt: skip
    return (Step("deep", reached, Obtain(use("infinite sums", b + 1, fns=(M,)), "V", "far", (
        Step("far too", Relation("<=", M(), partial_sum(_hop("i"), "V")), Nonnegative((item(use("far")), given))),
        Step("witness", reached, Witness(V, "far too")),
    ))),)  # fmt: skip


def _tends() -> tuple[Step, ...]:
    """The tail beyond b is at most 1 - P~_i1."""
    small = every("V", S, None, Relation("<=", tail(layer(P, "V"))("i", b + 1), eta()))
    tends = some("S", 0, small)
    near = use("lumped collapse", "i", fns=(eta,), given=("positive",))
    entry = use("rollouts", V, "i", "j", parts="nonnegative")
    columns = of_rollouts(lam, A, V, "columns", "kernels there", "i", "j")
    return (Step("it tends", tends, Obtain(near, "S", "near", (
        Step("this row", small, Generalise(("V",), (
            *_there(V),
            Step("at V", Relation("<=", tail(layer(P, V))("i", b + 1), eta()), Nonnegative(
                (item(use("near", "V")), item(entry, over=(("j", 2, b),))),
                (
                    item(use("rollouts", V, "i", parts="rows")),
                    item(columns, times=-1, over=(("j", b + 1, n),)),
                ),
            )),
        ))),
        Step("witness", tends, Witness(S, "this row")),
    ))),)  # fmt: skip


# --- no collapse, and the converse ----------------------------------------------------------------


def kept_away(factors: str, finite: str) -> tuple[Step, ...]:
    """P^(T)_rr stays above a positive number, from the two facts on x_t = lambda_t (1 - A_rr): I2."""
    kept = Lambda(("T",), LUMPED_ROLLOUT("T", "r", "r"))
    above = every("T", 0, None, Relation("<=", d(), P("T", "r", "r")))
    return (
        _all_lumped(),
        Step("lumped stays", bounded_away(kept), Instantiate(use(
            "I2", "r", as_index(0), parts="no collapse", fns=(lam, LUMPED, Lambda(("j",), ZERO), _nothing),
            given=("all mixing", "all lumped", factors, finite),
        ))),
        Step("stays", bounded_away(stays("r")), Obtain(use("lumped stays"), "d", "least", (
            Step("positive", Relation("<", ZERO, d()), Instantiate(use("least", parts="positive"))),
            Step("bound", every("V", 0, None, Relation("<=", d(), P("V", "r", "r"))), Generalise(("V",), (
                _kernels_there(V),
                Step("at V", Relation("<=", d(), P("V", "r", "r")), Nonnegative(
                    (item(use("least", "V", parts="bound")),),
                    (item(of_rollouts(lam, A, V, "columns", "kernels there", "r", "r")),),
                )),
            ))),
            Step("both", And((("positive", Relation("<", ZERO, d())), ("bound", above))), Both(("positive", "bound"))),
            Step("witness", bounded_away(stays("r")), Witness(d, "both")),
        ))),
    )  # fmt: skip


def must_diverge() -> tuple[Step, ...]:
    """sum_t x_t is infinite, from A_rr > 0 ("positive diagonal") and F_P(r, b + 1) -> 0 ("collapse"): as in I4."""
    x = hop("r")
    goal, bounded = unbounded(x), Relation("<=", partial_sum(x, "V"), M())
    entry = use("all kernels", "t", "r", "j", parts="nonnegative")
    capped = Step("A_rr <= 1", every("t", 1, None, Relation("<=", A("t", "r", "r"), ONE)), Nonnegative(
        (item(entry, over=(("j", 1, r - 1),)), item(entry, over=(("j", r + 1, n),))),
        (item(use("all kernels", "t", "r", parts="rows")),),
    ))  # fmt: skip
    return (Step("either", goal, Either(goal, "case", (Step("is", goal, Instantiate(use("case"))),), (
        Step("finite sum", summable(x), Obtain(use("case"), "M", "below", (
            Step("bounded", every("V", 0, None, bounded), Nonnegative((item(use("below", "V")),))),
            Step("witness", summable(x), Witness(Lambda((), M()), "bounded")),
        ))),
        capped,
        Step("factors", below_one(x), Nonnegative((  # 1 - x = A_rr + (1 - lambda) (1 - A_rr)
            item(use("positive diagonal", "t")),
            item(use("all mixing", "t", parts="at most one"), use("A_rr <= 1", "t")),
        ))),
        *kept_away("factors", "finite sum"),
        Step("contradiction", goal, Obtain(use("stays"), "d", "above", _contradiction())),
    ))),)  # fmt: skip


def _contradiction() -> tuple[Step, ...]:
    """P_rr is above d > 0 at every depth and below d / 2 where the tail is."""
    goal, half = unbounded(hop("r")), d() * HALF
    entry = use("rollouts", S, "r", "j", parts="nonnegative")
    close = some("S", 0, every("V", S, None, Relation("<=", tail(layer(P, "V"))("r", b + 1), half)))
    columns = of_rollouts(lam, A, S, "columns", "kernels there", "r", "j")
    others = (("j", b + 1, r - 1),), (("j", r + 1, n),)
    return (
        Step("half", Relation("<", ZERO, half), Nonnegative((item(use("above", parts="positive"), times=HALF),))),
        Step("near", close, Instantiate(use("collapse", fns=(Lambda((), half),), given=("half",)))),
        Step("absurd", goal, Obtain(use("near"), "S", "close", (
            *_there(S),
            Step("false", Relation("<", ZERO, ZERO), Nonnegative(
                (
                    item(use("above", parts="positive"), times=HALF),
                    item(use("above", "S", parts="bound")), item(use("close", "S")),
                    *(item(entry, over=over) for over in others),
                ),
                tuple(item(columns, over=over) for over in others),
            )),
            Step("so", goal, Absurd(use("false"), Fraction(0))),
        ))),
    )  # fmt: skip
