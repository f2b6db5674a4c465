"""D1, D2 and I5 for kernels that are causal beyond b: the lumped kernels are causal, and tails k > b are theirs.

Cited under the names given: U, N, B are causal beyond b ("upper", "inserted", "lower"); A_t are ("kernels").
"""

from __future__ import annotations

from proofs.lemmas.hops_steps import none_below
from proofs.lemmas.prefix_lm_steps import lump, lumped_layers, of_rollouts
from proofs.lemmas.shared_steps import constant
from proofs.notation import (
    IDENTITY,
    below,
    causal,
    every,
    hops,
    layer,
    layers,
    monotone,
    n,
    product,
    rollout,
    tail,
    transition,
    zero_one,
)
from proofs.outline import NOTHING
from proofs.steps import Chain, Generalise, Induction, Instantiate, Item, Nonnegative, Step, Use, item, use
from proofs.term import Fn, Formula, Index, Lambda, Relation, Term, as_index, as_term, index, total

__all__ = ["moved_down", "moved_up", "rate_by_layer", "tails_compared"]

b, i, j, k, l, m, q, r, s, T = (index(name) for name in ("b", "i", "j", "k", "l", "m", "q", "r", "s", "T"))  # noqa: E741
NO_KERNEL = Lambda(("i", "j"), as_term(0))


def tails_compared(lower: Fn, upper: Fn) -> Formula:
    """F_lower(i, k) <= F_upper(i, k) in every row, for k > b."""
    relation = Relation("<=", tail(lower)("i", "k"), tail(upper)("i", "k"))
    return every("i", 1, n, every("k", b + 1, n, relation))


def _lumped(label: str, kernel: Fn, fact: str) -> Step:
    return Step(label, causal(lump(kernel)), Instantiate(use("lumped kernels", fns=(kernel,), given=(fact,))))


def _one_layer(label: str, kernel: Fn, fact: str) -> Step:
    """The lumped kernel as the only layer of a stack."""
    stack = layers(1, as_index(1), causal(layer(constant(lump(kernel)), "t")))
    return Step(label, stack, Generalise(("t",), (
        Step("the layer", causal(layer(constant(lump(kernel)), "t")), Instantiate(use(fact))),
    )))  # fmt: skip


def _prefix(kernel: Fn, row: Index | int | str) -> Term:
    """A_i1 + ... + A_ib."""
    return total("m", 1, b, kernel(row, "m"))


# --- D1 -------------------------------------------------------------------------------------------


def moved_down(U: Fn, N: Fn, B: Fn) -> tuple[Step, ...]:
    """F_UNB(i, k) <= F_UB(i, k) for k > b, if the tails of B beyond b rise ("rises"): D1 for the lumped kernels."""
    stack, one = constant(lump(B)), as_index(1)
    above = constant(lump(U))
    lower, upper = layer(rollout(stack), one), layer(rollout(above), one)
    moved = below(product(upper, product(lump(N), lower)), product(upper, lower))
    at = ("j", k, n)
    prefix, beyond = ("l", 1, b), ("l", b + 1, n)
    first = use("lower", "j", 1, parts="mask")
    return (
        _lumped("lumped upper", U, "upper"),
        _lumped("lumped inserted", N, "inserted"),
        _one_layer("above", U, "lumped upper"),
        Step("monotone", monotone(lump(B)), Instantiate(use("lumped monotone", fns=(B,), given=("lower", "rises")))),
        Step("monotone below", monotone(lower), Chain((use("monotone", "i", "k"),))),
        Step("lumped", moved, Instantiate(use(
            "D1", one, one, as_index(0), parts="any depth", fns=(stack, above, lump(N), NO_KERNEL, NOTHING, stack),
            given=("above", "lumped inserted", "monotone below"),
        ))),
        Step("tails", tails_compared(product(U, product(N, B)), product(U, B)), Nonnegative(
            (item(use("lumped", "i", "k")),),
            (
                item(use("lower", "j", "l", parts="mask"), times=-U("i", "l"), over=(at, prefix)),
                item(first, times=_prefix(U, "i"), over=(at,)),
                item(
                    use("lower", "j", "m", parts="mask"), times=U("i", "l") * N("l", "m"),
                    over=(at, ("l", 1, n), ("m", 1, b)),
                ),
                item(
                    use("inserted", "m", "l", parts="mask"), times=U("i", "l") * B("m", "j"),
                    over=(at, prefix, ("m", b + 1, n)),
                ),
                item(first, times=-(_prefix(U, "i") * _prefix(N, 1)), over=(at,)),
                item(first, times=-(U("i", "l") * _prefix(N, "l")), over=(at, beyond)),
                item(
                    use("inserted", "m", 1, parts="mask"), times=-(_prefix(U, "i") * B("m", "j")),
                    over=(at, ("m", b + 1, n)),
                ),
            ),
        )),
    )  # fmt: skip


# --- D2 -------------------------------------------------------------------------------------------


def moved_up(lam: Fn, mu: Fn, A: Fn, U: Fn) -> tuple[Step, ...]:
    """F_{U P(mu)}(i, k) <= F_{U P(lambda)}(i, k) for k > b and lambda_t <= mu_t: D2 for the lumped kernels."""
    lumped, one = lumped_layers(A), as_index(1)
    above = constant(lump(U))
    less, more = (layer(rollout(transition(x, A)), "T") for x in (lam, mu))
    upper, *rolled = layer(rollout(above), one), *(layer(rollout(transition(x, lumped)), "T") for x in (mu, lam))
    each = layers(1, "T", causal(layer(lumped, "t")))
    rising = layers(1, T - 1, monotone(layer(lumped, "t")))
    return (
        _lumped("lumped upper", U, "upper"),
        _one_layer("above", U, "lumped upper"),
        Step("lumped layers", each, Generalise(("t",), (Step("layer", causal(layer(lumped, "t")), Instantiate(
            use("lumped kernels", fns=(layer(A, "t"),), given=(use("kernels", "t"),))
        )),))),
        Step("lumped rise", rising, Generalise(("t",), (Step("layer", monotone(layer(lumped, "t")), Instantiate(
            use("lumped monotone", fns=(layer(A, "t"),), given=(use("kernels", "t"), use("kernels rise", "t")))
        )),))),
        Step("lumped", below(product(upper, rolled[0]), product(upper, rolled[1])), Instantiate(use(
            "D2", T, one, parts="rollouts", fns=(lam, mu, lumped, above, NOTHING, NO_KERNEL),
            given=("mixing", "more mixing", "ordered", "lumped layers", "lumped rise", "above"),
        ))),
        Step("tails", tails_compared(product(U, more), product(U, less)), Nonnegative(
            (item(use("lumped", "i", "k")),), (*_unlumped(lam, A, U, 1), *_unlumped(mu, A, U, -1)),
        )),
    )  # fmt: skip


def _unlumped(lam: Fn, A: Fn, U: Fn, sign: int) -> tuple[Item, ...]:
    """Tails of U P from those of the lumped product."""
    at, read = ("j", k, n), _prefix(U, "i")
    return (
        item(of_rollouts(lam, A, T, "mask", "kernels", "j", "l"), times=-sign * U("i", "l"), over=(at, ("l", 1, b))),
        item(of_rollouts(lam, A, T, "mask", "kernels", "j", 1), times=sign * read, over=(at,)),
        item(of_rollouts(lam, A, T, "columns", "kernels", 1, "j"), times=sign * read, over=(at,)),
        item(
            of_rollouts(lam, A, T, "columns", "kernels", "l", "j"), times=sign * U("i", "l"),
            over=(at, ("l", b + 1, n)),
        ),
    )  # fmt: skip


# --- I5 -------------------------------------------------------------------------------------------


def rate(law: Fn, row: Index, depth: Index | int) -> Term:
    """P(K <= row - b - 1)."""
    return total("k", 0, row - b - 1, law(depth, "k"))


def rate_by_layer(eps: Fn, lam: Fn, A: Fn) -> tuple[Step, ...]:
    """F_P(q, b + 1) <= P(K <= q - b - 1) for the rows b < q <= r, at every depth, by one layer more.

    Cites "transitions" (causal beyond b), "slowed" (chances epsilon lambda_t in [0, 1]), "mixing", "epsilon", "off the
    diagonal".
    """
    slowed = Lambda(("t",), eps() * lam("t"))
    law, P = hops(slowed), rollout(transition(lam, A))
    x = eps() * lam(s + 1)

    def stated(depth: Index | int) -> Formula:
        lost = tail(layer(P, depth))("q", b + 1)
        return every("q", b + 1, r, Relation("<=", lost, rate(law, q, depth)))

    def chance(count: Index | str) -> Use:
        return use("C1", s, count, parts="nonnegative", fns=(slowed, IDENTITY), given=(use("slowed", s),))

    def reads(to: Index | str) -> Use:
        return use("transitions", s + 1, "q", to, parts="nonnegative")

    return (Step("every depth", every("s", 0, T, stated(s)), Induction(
        "so far",
        base=(Step("no layer", stated(0), Nonnegative(())),),
        step=(Step("one more layer", stated(s + 1), Nonnegative(
            (
                item(reads("l"), use("so far", "l"), over=(("l", b + 1, q),)),
                item(reads("l"), chance("k"), over=(("l", b + 1, q - 1), ("k", l - b, q - b - 2))),
                item(reads("l"), chance("k"), over=(("l", 1, b), ("k", 0, q - b - 2))),
                item(
                    use("mixing", s + 1, parts="nonnegative"), use("off the diagonal", s + 1, "m"),
                    chance(m - b - 1), times=zero_one("m", q), over=(("m", b + 1, q),),
                ),
            ),
            (
                item(use("transitions", s + 1, "q", parts="rows"), times=rate(law, q - 1, s)),
                item(
                    use("transitions", s + 1, "l", "q", parts="mask"),
                    times=tail(layer(P, s))("l", b + 1) - rate(law, q - 1, s), over=(("l", q + 1, n),),
                ),
                item(
                    of_rollouts(lam, A, T, "mask", "kernels", "j", "l", below=s),
                    times=transition(lam, A)(s + 1, "q", "l"), over=(("l", 1, b), ("j", b + 1, n)),
                ),
                item(none_below(slowed, s), times=-x),
            ),
        )),),
    )),)  # fmt: skip
