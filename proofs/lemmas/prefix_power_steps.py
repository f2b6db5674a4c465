"""Powers of one prefix kernel, A^{k+1}_ij = (w_j / W_i) h_k(u_j, ..., u_i), and the chance that no layer attends.

For the symbols w and lambda of the claim that uses them.
"""

from __future__ import annotations

from proofs.lemmas.complete_steps import nonnegative_values
from proofs.lemmas.prefix_steps import inverse, weight_sums
from proofs.notation import accumulated, complete, every, hops, n, positive, power, prefix, zero_one
from proofs.steps import Generalise, Identity, Induction, Nonnegative, Step, Use, item, use
from proofs.substitute import substitute
from proofs.term import Bracket, Formula, Implies, Index, Lambda, Relation, Symbol, Term, as_index, as_term, index

__all__ = [
    "OF_HOPS",
    "A",
    "cells",
    "entry",
    "h",
    "hop_steps",
    "lam",
    "law",
    "of_power",
    "over_sum",
    "power_steps",
    "shares",
    "sign_steps",
    "stay",
    "w",
]

w, lam = Symbol("w", 1), Symbol("lambda", 1)
i, j, m, s, T = (index(x) for x in ("i", "j", "m", "s", "T"))
A, shares = prefix(w), Lambda(("l",), w("l") * inverse(w, "l"))
law, h, stay = hops(lam), complete(shares), accumulated(Lambda(("t",), as_term(1) - lam("t")))


def cells(body: Formula) -> Formula:
    """For all j <= i."""
    return every("i", 1, n, every("j", 1, i, body))


def entry(count: Index | int) -> Term:
    """(w_j / W_i) h_k(u_j, ..., u_i), the entry of A^{k+1}."""
    return w("j") * inverse(w, i) * h(count, "j", "i")


def of_power(count: Index | int) -> Formula:
    """A^{k+1}_ij is that entry."""
    return cells(Relation("=", power(A)(count + 1, "i", "j"), entry(count)))


mask = every("i", 1, n, every("j", i + 1, n, Relation("=", power(A)("m", "i", "j"), as_term(0))))


def every_power(body: Formula) -> Formula:
    """For every m >= 0."""
    return every("m", 0, None, body)


def none_or_some(count: Index | int) -> Formula:
    """A^count, whether count is 0 or not."""
    some = Bracket(((as_index(1), as_index(count)),)) * entry(as_index(count) - 1)
    right = zero_one(count, 0) * zero_one("i", "j") + some
    return cells(Relation("=", power(A)(count, "i", "j"), right))


def stays(depth: Index | int) -> Formula:
    """P(K = 0) = prod (1 - lambda_t)."""
    return Relation("=", law(depth, 0), stay(depth))


OF_HOPS = (lam, A)
power_steps = (
    Step("powers read no later position", every_power(mask), Induction(
        "so far",
        base=(Step("no factor", substitute(mask, {"m": as_index(0)}, {}), Identity()),),
        step=(Step("one more factor", substitute(mask, {"m": m + 1}, {}), Identity((
            item(use("so far", "l", "j"), times=A("i", "l"), over=(("l", 1, i),)),
        ))),),
    )),
    Step("every power", every_power(of_power(m)), Induction(
        "so far",
        base=(Step("one factor", of_power(0), Identity()),),
        step=(Step("one more factor", of_power(m + 1), Identity((
            item(use("so far", "l", "j"), times=A("i", "l"), over=(("l", j, i),)),
            item(use("powers read no later position", m + 1, "l", "j"), times=A("i", "l"), over=(("l", 1, j - 1),)),
        ))),),
    )),
)  # fmt: skip

hop_steps = (
    Step("no factor or some", every_power(none_or_some(m)), Induction(
        "so far",
        base=(Step("none", none_or_some(0), Identity()),),
        step=(Step("some", none_or_some(m + 1), Identity((item(use("every power", "m", "i", "j")),))),),
    )),
    Step("no hop", every("s", 0, T, stays(s)), Induction(
        "so far",
        base=(Step("no layer", stays(0), Identity()),),
        step=(Step("one more layer", stays(s + 1), Identity((
            item(use("so far"), times=as_term(1) - lam(s + 1)),
            item(use("C1", "s", 0, parts="support/below", fns=OF_HOPS), times=lam(s + 1)),
        ))),),
    )),
)  # fmt: skip

sums = weight_sums("W", w, "weights")
positive_inverse = every("r", 1, n, Relation("<", as_term(0), inverse(w, "r")))


def over_sum(at: Index | str) -> Use:
    """1 / W_at > 0."""
    return use("weights sum to more than 0", at, given=("weights",))


sign_steps = (
    Step("weights sum to more than 0", Implies(positive(w), positive_inverse), Generalise(
        ("weights",), (sums[0], sums[2])
    )),
    Step("shares are nonnegative", Implies(positive(w), nonnegative_values(shares)), Generalise(("weights",), (
        Step("values", nonnegative_values(shares), Nonnegative((item(use("weights", "l"), over_sum("l")),))),
    ))),
)  # fmt: skip
