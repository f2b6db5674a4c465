"""A rollout with one kernel A in all T layers is a mixture of its powers: P^(s) = sum_r P(K_s = r) A^r, s <= T.

The layers are a family that is constant by hypothesis: A_t = A_1.  Then the order of two such laws is the order of
rows of the rollouts: by the basic composition formula.
"""

from __future__ import annotations

from proofs.lemmas.crossing_steps import mixture
from proofs.lemmas.shared_steps import constant
from proofs.lemmas.total_positivity_steps import row_order
from proofs.notation import every, hops, layer, layers, n, power, rollout, transition
from proofs.steps import Generalise, Identity, Induction, Instantiate, Nonnegative, Step, Use, item, use
from proofs.term import Fn, ForAll, ForAllFn, Formula, Implies, Index, Lambda, Relation, Symbol, index

__all__ = ["Rollout", "one_kernel", "one_kernel_lemmas", "row_ordered"]

i, j, s, T = (index(x) for x in ("i", "j", "s", "T"))
c, K = Symbol("c*", 1), Symbol("K*", 3)  # starred, so that no claim uses the names
P, R, G, F = (Symbol(name, 2) for name in ("P*", "R*", "G*", "F*"))
first = layer(K, 1)


def one_kernel(family: Fn) -> ForAll:
    """A_t = A_1 in every layer."""
    return layers(1, T, _cells(Relation("=", family("t", "i", "j"), family(1, "i", "j"))))


def law(chances: Fn, depth: Index) -> Lambda:
    """r -> P(K_depth = r)."""
    return Lambda(("r",), hops(chances)(depth, "r"))


def _cells(body: Formula) -> ForAll:
    """For all i and j."""
    return every("i", 1, n, every("j", 1, n, body))


def _equal(first: Fn, second: Fn) -> ForAll:
    """G = P, entry by entry."""
    return _cells(Relation("=", first("i", "j"), second("i", "j")))


# --- mixtures of powers ---------------------------------------------------------------------------

own, shared = rollout(transition(c, K)), rollout(transition(c, constant(first)))


def _same(depth: Index | int) -> Formula:
    """P^(depth) is the rollout of A_1 in every layer."""
    return _equal(layer(own, depth), layer(shared, depth))


_every_depth = every("s", 0, T, _equal(mixture(law(c, s), first), layer(own, s)))
_mixed = Step(
    "rollouts are mixtures of powers",
    ForAllFn(c, ForAllFn(K, Implies(one_kernel(K), _every_depth))),
    Generalise(("c*", "K*", "one kernel"), (
        Step("rollout of the first", every("s", 0, T, _same(s)), Induction(
            "so far",
            base=(Step("no layer", _same(0), Identity()),),
            step=(Step("one more layer", _same(s + 1), Identity((
                item(use("so far", "l", "j"), times=transition(c, K)(s + 1, "i", "l"), over=(("l", 1, n),)),
                item(use("one kernel", s + 1, "i", "l"), times=c(s + 1) * shared("s", "l", "j"), over=(("l", 1, n),)),
            ))),),
        )),
        Step("every depth", _every_depth, Identity((
            item(use("rollout of the first", "s", "i", "j"), times=-1),
            item(use("C1", "s", 0, "i", "j", parts="rollout", fns=(c, first)), times=-1),
            item(
                use("C1", "s", index("r") - s - 1, parts="support/above", fns=(c, first)),
                times=power(first)("r", "i", "j"), over=(("r", s + 1, T),),
            ),
        ))),
    )),
)  # fmt: skip

# --- order of rows --------------------------------------------------------------------------------

_of_row = every("i", 1, n, Implies(row_order(G, F, "i"), row_order(P, R, "i")))
_equals = Step(
    "equal rows",
    ForAllFn(P, ForAllFn(R, ForAllFn(G, ForAllFn(F, Implies(_equal(G, P), Implies(_equal(F, R), _of_row)))))),
    Generalise(("P*", "R*", "G*", "F*", "G = P", "F = R", "i", "order"), (
        Step("row", row_order(P, R, "i"), Nonnegative(
            (item(use("order", "j", "l")),),
            (
                item(use("G = P", "i", "j"), times=R("i", "l")), item(use("F = R", "i", "l"), times=G("i", "j")),
                item(use("G = P", "i", "l"), times=-R("i", "j")), item(use("F = R", "i", "j"), times=-G("i", "l")),
            ),
        )),
    )),
)  # fmt: skip

Rollout = tuple[Fn, Index]  # chances and depth


def row_ordered(
    label: str, family: Fn, row: Index, lower: Rollout, upper: Rollout, facts: tuple[str, str, str, str]
) -> tuple[Step, Step]:
    """That row of one rollout precedes that of another, from A_1 >= 0, its minors, the order of the laws, and the row
    reading no later one; the kernels are the same by "one kernel".
    """
    weights = law(*upper), law(*lower)
    mixed = mixture(weights[1], layer(family, 1)), mixture(weights[0], layer(family, 1))
    whole = _rollout(lower, family), _rollout(upper, family)
    return (
        Step("mixtures", row_order(*mixed, row), Instantiate(use(
            "basic composition", row, fns=(layer(family, 1), *weights), given=facts
        ))),
        Step(label, row_order(*whole, row), Instantiate(use(
            "equal rows", row, fns=(*whole, *mixed),
            given=(_mixture(lower, family), _mixture(upper, family), "mixtures"),
        ))),
    )  # fmt: skip


def _rollout(of: Rollout, family: Fn) -> Lambda:
    """P^(depth)."""
    return layer(rollout(transition(of[0], family)), of[1])


def _mixture(of: Rollout, family: Fn) -> Use:
    """sum_r P(K = r) A_1^r = P^(depth)."""
    return use("rollouts are mixtures of powers", of[1], fns=(of[0], family), given=("one kernel",))


def one_kernel_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved; basic composition comes before."""
    return _mixed, _equals
