"""Averages of prefix-kernel heads with content, mixed with the residual stream (U1).

The factor of the diagonal weight is 1 + min(e - 1, 0) + max(e - 1, 0).  The last part keeps the token, as the residual
stream does, and theta_{t,i} = 1 - lambda_t + lambda_t sum_h alpha_{t,h,i} max(e - 1, 0) w_i / Z_i.  By what is left,
row i reads position i for its weight at most as much as any other.
"""

from __future__ import annotations

from functools import reduce
from typing import cast

from proofs.lazy_layers import (
    entries_fall,
    keeping_falls,
    nonnegative_entries,
    nonnegative_keeping,
)
from proofs.notation import content, content_total, cumulative, every, layers, n, up_to_diagonal
from proofs.plain_heads import divisor_signs, weights_steps
from proofs.prefix_heads import each_head
from proofs.statement import Claim
from proofs.steps import (
    Both,
    Chain,
    Compared,
    Generalise,
    Invert,
    Item,
    Nonnegative,
    Step,
    Use,
    item,
    real_cases,
    use,
)
from proofs.term import (
    And,
    Compare,
    Formula,
    Implies,
    Index,
    Lambda,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
    total,
)

__all__ = ["ContentHeads"]

i, j, r, H = index("i"), index("j"), index("r"), index("H")
ZERO, ONE = as_term(0), as_term(1)
HEAD, HEADS = ("t", "h"), (("h", 1, H),)
_ASKED = "heads with content"
_HYPOTHESES = (
    "mixing", "head weights", "weights", "kept", "content", "content falls", "head weights fall", "W / w rises",
)  # fmt: skip


class ContentHeads:
    """The heads of all layers: lambda_t, alpha_{t,h,i}, w^{t,h}_j, the factors e_{t,h,i} and theta_{t,i}, for U1."""

    def __init__(self, lam: Symbol, alpha: Symbol, weights: Symbol, factors: Symbol, keeping: Symbol) -> None:
        self.lam, self.alpha, self.w, self.e, self.keeping = lam, alpha, weights, factors, keeping
        # p, which no formula here binds, so that nothing is renamed when a lemma is specialised
        self.of_head = tuple(Lambda(("p",), x("t", "h", "p")) for x in (weights, factors))

    # --- values of head h of layer t at row ``at`` ---

    def total(self, at: Index | str) -> Term:
        """Z_i = w_1 + ... + w_{i-1} + e_i w_i."""
        weights, factors = self.of_head
        return content_total(weights, factors)(at)

    def more(self, at: Index | str) -> Term:
        """e_i - 1."""
        return self.e("t", "h", at) - 1

    def at_most_one(self, at: Index | str) -> Term:
        """[e_i <= 1]."""
        return Compare(self.e("t", "h", at), ONE)

    def lacking(self, at: Index | str) -> Term:
        """min(e_i - 1, 0)."""
        return self.at_most_one(at) * self.more(at)

    def exceeding(self, at: Index | str) -> Term:
        """max(e_i - 1, 0)."""
        return (ONE - self.at_most_one(at)) * self.more(at)

    def share(self, at: Index | str, of: Term) -> Term:
        """alpha_i ``of`` w_i / Z_i."""
        return self.alpha("t", "h", at) * of * self.w("t", "h", at) * Reciprocal(self.total(at))

    # --- layers ---

    @property
    def family(self) -> Lambda:
        """A_t(i, j) = sum_h alpha_{t,h,i} A_{w,e}(i, j)."""
        weights, factors = self.of_head
        kernel = content(weights, factors)
        return Lambda(("t", "i", "j"), total("h", 1, H, self.alpha("t", "h", "i") * kernel("i", "j")))

    @property
    def entries(self) -> Lambda:
        """b^{t,h}_ij = lambda_t alpha_{t,h,i} (1 + [i <= j] min(e - 1, 0)) / Z_i, for j <= i."""
        own = ONE + up_to_diagonal("j", "i") * self.lacking("i")
        return Lambda(
            ("t", "h", "i", "j"), self.lam("t") * self.alpha("t", "h", "i") * own * Reciprocal(self.total("i"))
        )

    # --- hypotheses ---

    @property
    def kept(self) -> Formula:
        """theta_{t,i} = 1 - lambda_t + lambda_t sum_h alpha_{t,h,i} max(e - 1, 0) w_i / Z_i."""
        by_heads = total("h", 1, H, self.share("i", self.exceeding("i")))
        meaning = ONE - self.lam("t") + self.lam("t") * by_heads
        return layers(1, "T", every("i", 1, n, Relation("=", self.keeping("t", "i"), meaning)))

    def _where_above_one(self, low: Term, high: Term) -> Formula:
        above = Relation("<", ONE, self.e("t", "h", i + 1))
        return each_head(every("i", 1, n - 1, Implies(above, Relation("<=", low, high))))

    @property
    def factors_fall(self) -> Formula:
        """e_{i+1} <= e_i where e_{i+1} > 1."""
        return self._where_above_one(self.e("t", "h", i + 1), self.e("t", "h", "i"))

    @property
    def shares_fall(self) -> Formula:
        """alpha_{i+1} <= alpha_i where e_{i+1} > 1."""
        return self._where_above_one(self.alpha("t", "h", i + 1), self.alpha("t", "h", "i"))

    @property
    def sums_rise(self) -> Formula:
        """W_i / w_i <= W_{i+1} / w_{i+1} where e_{i+1} > 1, without dividing."""
        here, after = (cumulative(self.of_head[0])(x) for x in (i, i + 1))
        return self._where_above_one(here * self.w("t", "h", i + 1), after * self.w("t", "h", "i"))

    # --- steps ---

    def step(self, claim: Claim) -> Step:
        """What the lemma on envelopes asks of these layers, from the hypotheses that U1 names so."""
        known = dict(claim.hypotheses)
        steps = self._asked()
        meaning = And(tuple((step.label, step.formula) for step in steps))
        closed = reduce(lambda inner, name: Implies(known[name], inner), reversed(_HYPOTHESES), cast(Formula, meaning))
        signs = divisor_signs("Z", self.total("r"), item(use("content", *HEAD, "r"), use("weights", *HEAD, "r")))
        divided = Relation("=", self.total("r") * Reciprocal(self.total("r")), ONE)
        return Step(_ASKED, closed, Generalise(_HYPOTHESES, (
            *signs,
            Step("Z / Z", each_head(every("r", 1, n, divided)), Invert(use("Z > 0", *HEAD, "r"))),
            self._signs(),
            self._kept_falls(),
            *steps,
            Step("all of it", meaning, Both(tuple(step.label for step in steps))),
        )))  # fmt: skip

    @property
    def facts(self) -> tuple[Use, ...]:
        """The same, one by one, as the lemma asks for it."""
        return tuple(use(_ASKED, parts=step.label, given=_HYPOTHESES) for step in self._asked())

    def _asked(self) -> tuple[Step, ...]:
        lam = use("mixing", "t", parts="nonnegative")
        alpha, below = (use(fact, *HEAD, "i") for fact in ("head weights", "1 / Z > 0"))
        own, less = (use("content or none", *HEAD, "i", parts=part) for part in ("own", "lacking"))
        return (
            weights_steps(self.w),
            Step("keeping", nonnegative_keeping(self.keeping), Nonnegative(
                (item(use("mixing", "t", parts="at most one")), item(lam, *self._kept("i"), over=HEADS)),
                (item(use("kept", "t", "i"), times=-1),),
            )),
            Step("keeping falls", keeping_falls(self.keeping), Nonnegative(
                (item(lam, use("kept share falls", *HEAD, "i"), over=HEADS),),
                (item(use("kept", "t", "i"), times=-1), item(use("kept", "t", i + 1))),
            )),
            Step("entries", nonnegative_entries(self.entries), Nonnegative((
                item(lam, alpha, below, times=up_to_diagonal(i - 1, "j")),
                item(lam, alpha, own, below, times=up_to_diagonal("j", "i")),
            ))),
            Step("entries fall", entries_fall(self.entries), Nonnegative((
                item(lam, alpha, less, below, times=up_to_diagonal(j + 1, "i")),
            ))),
        )  # fmt: skip

    def _kept(self, at: Index | str) -> tuple[Use, ...]:
        """The factors of the share that head h keeps: alpha_i, max(e_i - 1, 0), w_i, 1 / Z_i."""
        return (
            use("head weights", *HEAD, at), use("content or none", *HEAD, at, parts="exceeding"),
            use("weights", *HEAD, at), use("1 / Z > 0", *HEAD, at),
        )  # fmt: skip

    def _signs(self) -> Step:
        """1 + min(e - 1, 0) >= 0, min(e - 1, 0) <= 0 and max(e - 1, 0) >= 0."""
        parts = (
            ("own", Relation("<=", ZERO, ONE + self.lacking("i"))),
            ("lacking", Relation("<=", self.lacking("i"), ZERO)),
            ("exceeding", Relation("<=", ZERO, self.exceeding("i"))),
        )
        more = self.more("i")
        case, positive = item(use("case")), item(use("content", *HEAD, "i"))

        def branch(value: int, *products: tuple[Item, ...]) -> tuple[Step, ...]:
            proofs = (
                Step(name, formula, Nonnegative(product, (item(use("value"), times=times),)))
                for (name, formula), product, times in zip(parts, products, (-more, more, more), strict=True)
            )
            known = Step("value", Relation("=", self.at_most_one("i"), as_term(value)), Compared(use("case")))
            return known, *proofs, Step("all", And(parts), Both(tuple(name for name, _ in parts)))

        cases = real_cases(
            self.e("t", "h", "i"), ONE, "case", branch(1, (positive,), (case,), ()), branch(0, (item(),), (), (case,))
        )
        return Step("content or none", each_head(every("i", 1, n, And(parts))), Generalise((*HEAD, "i"), (
            Step("by cases", And(parts), cases),
        )))  # fmt: skip

    def _kept_falls(self) -> Step:
        """alpha_i max(e_i - 1, 0) w_i / Z_i does not rise."""
        here, after = (self.share(x, self.exceeding(x)) for x in (i, i + 1))
        goal = Relation("<=", after, here)
        none = (
            Step("one", Relation("=", self.at_most_one(i + 1), ONE), Compared(use("case"))),
            Step("nothing kept after", goal, Nonnegative(
                (item(*self._kept("i")),), (item(use("one"), times=-self.share(i + 1, self.more(i + 1))),)
            )),
        )  # fmt: skip
        return Step("kept share falls", each_head(every("i", 1, n - 1, goal)), Generalise((*HEAD, "i"), (
            Step("by cases", goal, real_cases(self.e("t", "h", i + 1), ONE, "case", none, self._both_keep(goal))),
        )))  # fmt: skip

    def _both_keep(self, goal: Relation) -> tuple[Step, ...]:
        """``goal`` where 1 < e_{i+1}; with E = e - 1 and E', w', W', Z' at i + 1 the cross product E w Z' - E' w' Z is
        (E - E') w W' + E' (W' w - W w').
        """
        factor, share, sums = (
            use(fact, *HEAD, "i", given=("case",)) for fact in ("content falls", "head weights fall", "W / w rises")
        )
        weight, over, over_next = (
            use("weights", *HEAD, "i"),
            use("1 / Z > 0", *HEAD, "i"),
            use("1 / Z > 0", *HEAD, i + 1),
        )
        here, after = (self.more(x) * self.w("t", "h", x) for x in (i, i + 1))
        Z, Z_next = self.total("i"), self.total(i + 1)
        return (
            Step("above one", Relation("<", ONE, self.e("t", "h", "i")), Chain((use("case"), factor))),
            Step("none", Relation("=", self.at_most_one("i"), ZERO), Compared(use("above one"))),
            Step("none after", Relation("=", self.at_most_one(i + 1), ZERO), Compared(use("case"))),
            Step("cross product", Relation("<=", after * Z, here * Z_next), Nonnegative((
                item(factor, weight, use("weights", *HEAD, "l"), over=(("l", 1, i + 1),)),
                item(use("case"), sums),
            ))),
            Step("part of the row", Relation("<=", after * Reciprocal(Z_next), here * Reciprocal(Z)), Nonnegative(
                (item(use("cross product"), over, over_next),),
                (
                    item(use("Z / Z", *HEAD, i + 1), times=here * Reciprocal(Z)),
                    item(use("Z / Z", *HEAD, "i"), times=-(after * Reciprocal(Z_next))),
                ),
            )),
            Step("less kept after", goal, Nonnegative(
                (
                    item(share, use("above one"), weight, over),
                    item(use("head weights", *HEAD, i + 1), use("part of the row")),
                ),
                (
                    item(use("none"), times=self.share("i", self.more("i"))),
                    item(use("none after"), times=-self.share(i + 1, self.more(i + 1))),
                ),
            )),
        )  # fmt: skip
