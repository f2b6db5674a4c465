"""Lemmas on kernels that are totally positive of order 2, A_il A_kj <= A_ij A_kl for i < k and j < l.

    A B         by Cauchy-Binet: its 2 x 2 minors are sums over u < v of a minor of A times a minor of B
    A^k         by induction
    A^{m+d}     precedes A^m in the likelihood ratio, in every row that reads no later one (the last, or any of a causal
                A): A^{m+d} = A^d A^m averages rows u <= i of A^m, each of which is row i or precedes it

p precedes q in the likelihood ratio if p_l q_j <= p_j q_l for j < l: nothing is divided, so zeros do no harm.
"""

from __future__ import annotations

from proofs.notation import causal, every, layer, n, power, product, totally_positive, zero_one
from proofs.steps import Generalise, Identity, Induction, Instantiate, Nonnegative, Step, item, use
from proofs.substitute import substitute
from proofs.term import (
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
    total,
)

__all__ = ["likelihood", "longer", "nonnegative", "power_lemmas", "reads_no_later", "row_order"]

X, Y = Symbol("X*", 2), Symbol("Y*", 2)  # starred, so that no claim uses the names
i, j, d, m = (index(x) for x in ("i", "j", "d", "m"))
B = power(X)


def row_order(lower: Fn, upper: Fn, row: Index | str) -> ForAll:
    """p_l q_j <= p_j q_l for j < l, p and q that row of two kernels: the ratio p / q falls."""
    return every("j", 1, n, every("l", j + 1, n, Relation(
        "<=", lower(row, "l") * upper(row, "j"), lower(row, "j") * upper(row, "l")
    )))  # fmt: skip


def likelihood(lower: Fn, upper: Fn) -> ForAll:
    """Every row of the lower kernel precedes that of the upper one in the likelihood ratio."""
    return every("i", 1, n, row_order(lower, upper, "i"))


_cauchy_binet = Step(
    "products are totally positive",
    ForAllFn(X, ForAllFn(Y, Implies(
        totally_positive(X), Implies(totally_positive(Y), totally_positive(product(X, Y)))
    ))),
    Generalise(("X*", "Y*", "upper minors", "lower minors"), (
        Step("minors", totally_positive(product(X, Y)), Nonnegative((item(
            use("upper minors", "i", "k", "u", "v"), use("lower minors", "u", "v", "j", "l"),
            over=(("u", 1, n), ("v", index("u") + 1, n)),
        ),))),
    )),
)  # fmt: skip


def nonnegative(kernel: Fn) -> ForAll:
    """A_ij >= 0."""
    return _cells(Relation("<=", as_term(0), kernel("i", "j")))


def _masked(kernel: Fn, row: Index | str) -> ForAll:
    """A_ij = 0 for j > i, in row i."""
    return every("j", as_index(row) + 1, n, Relation("=", kernel(row, "j"), as_term(0)))


def _cells(body: Formula) -> ForAll:
    """For all i and j."""
    return every("i", 1, n, every("j", 1, n, body))


_rest = Y("u", "l") * Y("i", "j") - Y("u", "j") * Y("i", "l")
_on_top = Step(  # sum_{u < i} X_iu (Y_uj Y_il - Y_ul Y_ij), since row i averages earlier rows
    "what is put on top precedes",
    ForAllFn(X, ForAllFn(Y, Implies(nonnegative(X), Implies(totally_positive(Y), every("i", 1, n, Implies(
        _masked(X, "i"), row_order(product(X, Y), Y, "i")
    )))))),
    Generalise(("X*", "Y*", "entries", "minors", "i", "mask"), (
        Step("row", row_order(product(X, Y), Y, "i"), Nonnegative(
            (item(use("entries", "i", "u"), use("minors", "u", "i", "j", "l"), over=(("u", 1, i - 1),)),),
            (item(use("mask", "u"), times=_rest, over=(("u", i + 1, n),)),),
        )),
    )),
)  # fmt: skip


# --- powers of one kernel -------------------------------------------------------------------------


def _added(at: Index | int) -> Formula:
    """A^{at + m} = A^at A^m."""
    split = total("u", 1, n, B(at, "i", "u") * B("m", "u", "j"))
    return every("m", 0, None, _cells(Relation("=", B(at + m, "i", "j"), split)))


_positive_powers = Step(
    "powers are totally positive",
    ForAllFn(X, Implies(totally_positive(X), every("m", 0, None, totally_positive(layer(B, "m"))))),
    Generalise(("X*", "minors"), (
        Step("every power", every("m", 0, None, totally_positive(layer(B, "m"))), Induction(
            "so far",
            base=(Step("none", totally_positive(layer(B, 0)), Nonnegative((
                item(times=zero_one("i", "j") * zero_one("k", "l")),
            ))),),
            step=(Step("one more", totally_positive(layer(B, m + 1)), Instantiate(use(
                "products are totally positive", fns=(X, layer(B, "m")), given=("minors", "so far")
            ))),),
        )),
    )),
)  # fmt: skip


def reads_no_later(kernel: Fn, row: Index | str) -> ForAll:
    """No power of A reads from that row a later position: so it is in the last row, and in all of a causal A."""
    return every("d", 0, None, _masked(layer(power(kernel), "d"), row))


def longer(kernel: Fn) -> ForAll:
    """The rows of A^{m+d} that read nothing later precede those of A^m."""
    powers = layer(power(kernel), m + d), layer(power(kernel), "m")
    return every("i", 1, n, Implies(reads_no_later(kernel, "i"), every("m", 0, None, every(
        "d", 0, None, row_order(*powers, "i")
    ))))  # fmt: skip


_two = layer(B, "d"), layer(B, "m")
_longer = Step(
    "more factors precede fewer",
    ForAllFn(X, Implies(nonnegative(X), Implies(totally_positive(X), longer(X)))),
    Generalise(("X*", "kernel", "minors"), (
        Step("entries", every("d", 0, None, nonnegative(layer(B, "d"))), Induction(
            "so far",
            base=(Step("none", nonnegative(layer(B, 0)), Nonnegative((item(times=zero_one("i", "j")),))),),
            step=(Step("one more", nonnegative(layer(B, d + 1)), Nonnegative((
                item(use("kernel", "i", "u"), use("so far", "u", "j"), over=(("u", 1, n),)),
            ))),),
        )),
        Step("added", every("d", 0, None, _added(d)), Induction(
            "so far",
            base=(Step("none", _added(0), Identity()),),
            step=(Step("one more", _added(d + 1), Identity((
                item(use("so far", "m", "v", "j"), times=X("i", "v"), over=(("v", 1, n),)),
            ))),),
        )),
        Step("every row", longer(X), Generalise(("i", "mask", "m", "d"), (
            Step("power minors", totally_positive(layer(B, "m")), Instantiate(use(
                "powers are totally positive", "m", fns=(X,), given=("minors",)
            ))),
            Step("one after the other", row_order(product(*_two), layer(B, "m"), "i"), Instantiate(use(
                "what is put on top precedes", "i", fns=_two,
                given=(use("entries", "d"), "power minors", use("mask", "d")),
            ))),
            Step("together", row_order(layer(B, m + d), layer(B, "m"), "i"), Nonnegative(
                (item(use("one after the other", "j", "l")),),
                (
                    item(use("added", "d", "m", "i", "j"), times=-B("m", "i", "l")),
                    item(use("added", "d", "m", "i", "l"), times=B("m", "i", "j")),
                ),
            )),
        ))),
    )),
)  # fmt: skip

_every_mask = every("d", 0, None, every("i", 1, n, _masked(layer(B, "d"), "i")))
_causal = Step(
    "powers of a causal kernel read nothing later",
    ForAllFn(X, Implies(causal(X), every("i", 1, n, reads_no_later(X, "i")))),
    Generalise(("X*", "kernel"), (
        Step("every power", _every_mask, Induction(
            "so far",
            base=(Step("none", substitute(_every_mask.body, {"d": as_index(0)}, {}), Identity()),),
            step=(Step("one more", substitute(_every_mask.body, {"d": d + 1}, {}), Identity((
                item(use("so far", "u", "j"), times=X("i", "u"), over=(("u", 1, i),)),
                item(use("kernel", "i", "u", parts="mask"), times=B("d", "u", "j"), over=(("u", i + 1, n),)),
            ))),),
        )),
        Step("every row", every("i", 1, n, reads_no_later(X, "i")), Identity((
            item(use("every power", "d", "i", "j"), times=1),
        ))),
    )),
)  # fmt: skip


def power_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return _cauchy_binet, _positive_powers, _on_top, _longer, _causal
