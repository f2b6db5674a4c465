"""The parts of U7 that speak of rows: their convexity, their last two entries, and what follows from that and h (U4).

Each function takes the claim and proves the part of that name from the lemmas of uniform_shape_steps.py.
"""

from __future__ import annotations

from proofs.lemmas.kept_share_steps import kept
from proofs.lemmas.prefix_power_steps import lam, shares, w
from proofs.lemmas.prefix_steps import inverse
from proofs.lemmas.shapes import p
from proofs.lemmas.uniform_row_steps import OF_U6
from proofs.lemmas.uniform_shape_terms import last_two, most, one_attends, two_layers
from proofs.notation import binomial, complete, every, number, sign
from proofs.statement import Claim
from proofs.steps import Both, Chain, Identity, Induction, Nonnegative, Step, Use, item, use
from proofs.term import Index, Lambda, as_term, index

__all__ = ["BOTH", "UNIFORM", "attending_parts", "row_parts"]

d, i, j, k, l, r, t, u, T = (index(name) for name in "dijklrtuT")  # noqa: E741 - the letters of the formulas
ZERO, ONE = as_term(0), as_term(1)
UNIFORM, BOTH = ("uniform weights",), ("uniform weights", "mixing")
NOTHING = Lambda((), ZERO)  # the x of U2 plays no part here


def _of_rows(label: str, *at: Index | int | str) -> Use:
    """A lemma on weights 1 and coefficients in [0, 1]."""
    return use(label, *at, given=BOTH)


def _cited(claim: Claim, part: str, fact: Use) -> Step:
    return claim.proof(part, Step("each row", claim.part(part).asserts, Chain((fact,))))


def row_parts(claim: Claim) -> tuple[Step, ...]:
    """Differences, convexity, where the lowest entry is, the last two entries and the first two."""
    return (
        _powers(claim),
        _cited(claim, "envelope", _of_rows("every order of differences", d, i, j)),
        _cited(claim, "convex", _of_rows("rows are convex", i, j)),
        _rises(claim),
        claim.proof("lowest", Step("each row", claim.part("lowest").asserts, Nonnegative((
            item(use("U2", T, i, l, parts="order", fns=(lam, w, NOTHING), given=BOTH), over=(("l", j, i - 2),)),
        )))),
        _last_two(claim),
        _cited(claim, "start", _of_rows("rows start to fall", i)),
    )  # fmt: skip


def _powers(claim: Claim) -> Step:
    """A^{u+1}_ij = (1 / i) h_u(1/j, ..., 1/i)."""
    signed, of_shares, each = sign(k) * binomial(d, k), complete(shares)(u, j + k, i), (("k", 0, d),)
    return claim.proof("powers", Step("differences of the powers", claim.part("powers").asserts, Nonnegative(
        (item(use("1 / k > 0", i), use("completely monotone", i, d, u, j, given=UNIFORM)),),
        (
            item(use("U6", T, u, i, j + k, parts="powers", fns=OF_U6), times=-signed, over=each),
            item(use("uniform weights", j + k), times=-(signed * inverse(w, i) * of_shares), over=each),
            item(use("uniform rows", i, parts="sums", given=UNIFORM), times=-(signed * of_shares), over=each),
        ),
    )))  # fmt: skip


def _rises(claim: Claim) -> Step:
    """From one step to the next: the steps of a convex row grow."""
    return claim.proof(
        "rises to the end",
        Step("from there on", every("l", j, i - 1, most(p(l), p(l + 1))), Induction(
            "so far",
            (Step("there", most(p(j), p(j + 1)), Chain((use("rises there"),))),),
            (Step("one more", most(p(l + 1), p(l + 2)), Nonnegative((
                item(use("so far")), item(_of_rows("rows are convex", i, l)),
            ))),),
        )),
        fix=("i", "j", "rises there"),
    )  # fmt: skip


def _last_two(claim: Claim) -> Step:
    """P_ii = f(i) and P_i,i-1 = (i - 1) (f(i - 1) - f(i)), with h(m) = m f(m)."""
    last, before = (use(f"last entry{which}", i, given=UNIFORM) for which in ("", " but one"))
    one_more = item(use("next number", i - 1), times=-kept(T, i))
    items = (
        (item(last, times=number("i")),),
        (item(before, times=number("i")),),
        (item(last), item(before, times=-ONE), one_more),
    )
    return claim.proof(
        "last two",
        *(Step(name, formula, Identity(cited)) for (name, formula), cited in zip(last_two.parts, items, strict=True)),
        Step("all", last_two, Both(("last", "before", "rise"))),
        fix=("i",),
    )


def attending_parts(claim: Claim) -> tuple[Step, ...]:
    """Bounds by the number of layers that attend: P(K >= 2), and i P_i,i-1 near P(K = 1)."""
    lower, upper = (formula for _, formula in two_layers.parts)
    return (
        claim.proof(
            "two layers",
            Step("lower", lower, Chain((use("two layers attend", t - 1, r, T, given=("mixing",)),))),
            Step("upper", upper, Chain((use("two layers attend, at most", T, given=("mixing",)),))),
            Step("both", two_layers, Both(("lower", "upper"))),
        ),
        claim.proof(
            "one attends",
            *(
                Step(name, formula, Nonnegative(
                    (item(use(f"last but one, {side}", T, i - 1, given=("mixing",))),),
                    (item(use("last two", i, parts="before", given=UNIFORM), times=times),),
                ))
                for (name, formula), side, times in zip(
                    one_attends.parts, ("below", "above"), (-ONE, ONE), strict=True
                )
            ),
            Step("both", one_attends, Both(("lower", "upper"))),
            fix=("i",),
        ),
    )  # fmt: skip
