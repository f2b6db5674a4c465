"""All arrangements of layers are compared with the layers in their order (D7).

If R_s R_t ≼ R_t R_s for s < t, then Q_T ... Q_1 ≼ R_T ... R_1 for every arrangement: the last layer, moved to the top,
makes the product more recent, and the others are arranged by induction.  Or ≽ for ≼, by the sign of e.
"""

from __future__ import annotations

from dataclasses import replace

from proofs.lemmas.moved_layer_steps import EITHER, e, for_all, implied, in_place, moved, past
from proofs.lemmas.permutation_steps import (
    IS_OTHERS,
    LAST,
    OTHERS,
    REST,
    TOP,
    WHOLE,
    M,
    R,
    arranged,
    m,
    permutation,
    permutation_lemmas,
)
from proofs.notation import causal, every, layer, layers, monotone, n, product, rollout
from proofs.steps import (
    Generalise,
    Induction,
    Instantiate,
    Nonnegative,
    Obtain,
    Step,
    item,
    use,
)
from proofs.term import (
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Index,
    as_index,
)

__all__ = ["arrangement_lemmas"]

# --- all arrangements -----------------------------------------------------------------------------


def _specialised(label: str, goal: ForAll, fact: str, *fix: str) -> Step:
    """What is known up to a depth, up to a smaller one."""
    inner: Formula = goal
    for _ in fix:
        assert isinstance(inner, ForAll)
        inner = inner.body
    return Step(label, goal, Generalise(fix, (Step("one", inner, Instantiate(use(fact, *fix))),)))


def _last_moved() -> tuple[Step, ...]:
    """The last layer moved from its place to the top, and then the others arranged."""
    before, placed, above = in_place(WHOLE, OTHERS, TOP)
    rest = use("without the last layer", "m", "p", fns=(M,), given=("permutation", "found"))
    facts = tuple(replace(rest, parts=(part,)) for part in ("column", "row", "pivot"))

    def place(label: str, goal: Formula) -> Step:
        return Step(label, goal, Instantiate(use("places", "m", "p", parts=label, fns=(M, R), given=facts)))

    def every_layer(label: str, lemma: str, goal: Formula, fact: str) -> Step:
        return Step(label, goal, Instantiate(use(lemma, "m", fns=(REST, R), given=("others", fact))))

    return (
        Step("others", IS_OTHERS, Instantiate(replace(rest, parts=("others",)))),
        place("below", before), place("placed", placed), place("above", above),
        every_layer("others causal", "arranged layers are causal", layers(1, "m", causal(layer(OTHERS, "t"))),
                    "causal below"),
        every_layer("others monotone", "arranged layers are monotone", layers(1, "m", monotone(layer(OTHERS, "t"))),
                    "R monotone"),
        Step("past others", past(OTHERS, TOP, m), Instantiate(use(
            "past arranged layers", "m", fns=(e, REST, R, TOP), given=("others", "past")
        ))),
        Step("moved", EITHER(layer(rollout(WHOLE), LAST), product(TOP, layer(rollout(OTHERS), "m"))), Instantiate(use(
            "moved to the top", "m", "p", fns=(e, WHOLE, OTHERS, TOP),
            given=("top", "others causal", "others monotone", "past others", "below", "placed", "above"),
        ))),
        Step("others arranged", EITHER(layer(rollout(OTHERS), "m"), layer(rollout(R), "m")), Instantiate(use(
            "so far", fns=(REST,), given=("causal below", "monotone below", "ordered below", "others")
        ))),
        Step("compared", EITHER(layer(rollout(WHOLE), LAST), layer(rollout(R), LAST)), Nonnegative((
            item(use("moved", "i", "k")),
            item(use("top", "i", "l", parts="nonnegative"), use("others arranged", "l", "k"), over=(("l", 1, n),)),
        ))),
    )  # fmt: skip


def _all_arrangements() -> Step:
    """Every arrangement of layers is less (or more) recent than the layers in their order."""

    def goal(depth: Index | int) -> Formula:
        whole = EITHER(layer(rollout(arranged(M, R, depth)), depth), layer(rollout(R), depth))
        premises = (
            layers(1, depth, causal(layer(R, "t"))), layers(1, as_index(depth) - 1, monotone(layer(R, "t"))),
            EITHER.pairs(R, as_index(depth)),
        )  # fmt: skip
        return implied(premises, ForAllFn(M, Implies(permutation(M, depth), whole)))

    whole = EITHER(layer(rollout(WHOLE), LAST), layer(rollout(R), LAST))
    empty = EITHER(layer(rollout(arranged(M, R, 0)), 0), layer(rollout(R), 0))
    names = ("R causal", "R monotone", "R ordered", "M*", "permutation")
    one_more = (
        _specialised("causal below", layers(1, m, causal(layer(R, "t"))), "R causal", "t"),
        _specialised("monotone below", layers(1, m - 1, monotone(layer(R, "t"))), "R monotone", "t"),
        _specialised("ordered below", EITHER.pairs(R, m), "R ordered", "t", "s"),
        Step("past", past(R, TOP, m), Generalise(("t",), (
            Step("one", EITHER(product(layer(R, "t"), TOP), product(TOP, layer(R, "t"))),
                 Instantiate(use("R ordered", LAST, "t"))),
        ))),
        Step("top", causal(TOP), Instantiate(use("R causal", LAST))),
        Step("last", whole, Obtain(
            use("last layer", "m", fns=(M,), given=("permutation",)), "p", "found", _last_moved()
        )),
    )  # fmt: skip
    return Step("arrangements", for_all((e, R), every("m", 0, None, goal(m))), Generalise(("e*", "R*"), (
        Step("every depth", every("m", 0, None, goal(m)), Induction(
            "so far",
            base=(Step("no layer", goal(0), Generalise(names, (Step("nothing", empty, Nonnegative(())),))),),
            step=(Step("one more layer", goal(LAST), Generalise(names, one_more)),),
        )),
    )))  # fmt: skip


def arrangement_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return moved(), *permutation_lemmas(), _all_arrangements()
