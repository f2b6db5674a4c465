"""Random layers on finitely many outcomes, against their means: the objects of X1 and its exact identities.

    E x = sum_omega p_omega x_omega,    N_t = E R_t,    D_t = R_t - N_t,    P = R_T ... R_1,    Q = N_T ... N_1
    P^(T) - Q^(T)    =  sum_s R_T ... R_{s+1} D_s Q^(s-1)                      outcome by outcome
    E P^(T) - Q^(T)  =  sum_t N_T ... N_{t+1} E[D_t P^(t-1)]
                     =  sum_t N_T ... N_{t+1} E[D_t (P^(t-1) - Q^(t-1))]       if N = E R

All three solve a recursion Z_0 = 0, Z_{s+1} = F_{s+1} Z_s + C_{s+1}: Z_s = sum_{t <= s} F_s ... F_{t+1} C_t.
"""

from __future__ import annotations

from proofs.notation import every, layers, n, product, rollout, zero_one
from proofs.steps import Chain, Generalise, Identity, Induction, Instantiate, Item, Step, item, use
from proofs.substitute import apply, substitute
from proofs.term import (
    Bracket,
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = [
    "D",
    "M",
    "N",
    "P",
    "Q",
    "R",
    "are_deviations",
    "are_means",
    "by_covariances",
    "covariances",
    "entries",
    "every_outcome",
    "expected",
    "for_outcome",
    "of_second_order",
    "outcome",
    "p",
    "solved_by_covariances",
    "solved_by_outcome",
    "solved_of_second_order",
    "unrolled",
]

p, R, N, D = Symbol("p", 1), Symbol("R", 4), Symbol("N", 3), Symbol("D", 4)
F, Z, C = Symbol("F*", 3), Symbol("Z*", 3), Symbol("C*", 3)
M, T, d, i, j, l, s, t, v = (index(name) for name in ("M", "T", "d", "i", "j", "l", "s", "t", "v"))  # noqa: E741


def expected(body: Term) -> Term:
    """E x = sum_omega p_omega x_omega."""
    return total("omega", 1, M, p("omega") * body)


def every_outcome(body: Formula) -> Formula:
    """For every outcome."""
    return every("omega", 1, M, body)


def entries(relation: Formula) -> Formula:
    """For all positions i and j."""
    return every("i", 1, n, every("j", 1, n, relation))


def for_outcome(layers_of: Fn) -> Lambda:
    """The layers of the outcome omega."""
    return Lambda(("r", "a", "b"), layers_of("omega", "r", "a", "b"))  # letters that no formula uses for an index


def _at(family: Fn, t: Index) -> Lambda:
    """The matrix of a family at ``t``, with an abstraction applied at once."""
    return Lambda(("i", "j"), apply(family, (t, i, j)))


P, Q = rollout(for_outcome(R)), rollout(N)
_deviation = Lambda(("i", "j"), D("omega", "t", "i", "j"))


def are_means() -> Formula:
    """N_t = E R_t."""
    return layers(1, "T", entries(Relation("=", N("t", "i", "j"), expected(R("omega", "t", "i", "j")))))


def are_deviations() -> Formula:
    """D_t = R_t - N_t for every outcome."""
    difference = R("omega", "t", "i", "j") - N("t", "i", "j")
    return every_outcome(layers(1, "T", entries(Relation("=", D("omega", "t", "i", "j"), difference))))


# --- products of the layers above -----------------------------------------------------------------


def _above(family: Fn, start: Index) -> Fn:
    """d -> F_{start+d} ... F_{start+1}."""
    return rollout(Lambda(("r", "i", "j"), apply(family, (start + index("r"), i, j))))


def _unrolled_sum(family: Fn, added: Fn, depth: Index, var: str = "t", low: int = 1) -> Term:
    """sum_{low <= t <= depth} (F_depth ... F_{t+1} C_t)_ij."""
    upper = _at(_above(family, index(var)), depth - index(var))
    return total(var, low, depth, product(upper, _at(added, index(var)))("i", "j"))


def _solved(depth: Index) -> Formula:
    return entries(Relation("=", Z(depth, "i", "j"), _unrolled_sum(F, C, depth)))


def unrolled() -> Step:
    """The solution of Z_0 = 0, Z_{s+1} = F_{s+1} Z_s + C_{s+1}, at every depth s <= T."""
    starts = entries(Relation("=", Z(0, "i", "j"), as_term(0)))
    next_one = total("l", 1, n, F(s + 1, "i", "l") * Z("s", "l", "j")) + C(s + 1, "i", "j")
    follows = every("s", 0, T - 1, entries(Relation("=", Z(s + 1, "i", "j"), next_one)))
    claim: Formula = Implies(starts, Implies(follows, every("s", 0, T, _solved(s))))
    for symbol in (C, Z, F):
        claim = ForAllFn(symbol, claim)
    return Step("unrolled", claim, Generalise(("F*", "Z*", "C*", "starts", "follows"), (
        *_products_above(),
        Step("from the depth before", every("v", 1, T, Implies(_solved(v - 1), _solved(v))), Generalise(
            ("v", "before"),
            (Step("one more layer", _solved(v), Identity((
                item(use("follows", v - 1, "i", "j")),
                item(use("before", "l", "j"), times=F("v", "i", "l"), over=(("l", 1, n),)),
                item(
                    use("one more above", "t", v - t - 1, "i", "a"), times=-C("t", "a", "j"),
                    over=(("t", 1, v - 1), ("a", 1, n)),
                ),
                item(
                    use("none above", "t", v - t, "i", "a"), times=-C("t", "a", "j"),
                    over=(("t", v, v), ("a", 1, n)),
                ),
            ))),),
        )),
        Step("every depth", every("s", 0, T, _solved(s)), Induction(
            "so far",
            base=(Step("no layer", _solved(as_index(0)), Identity((item(use("starts", "i", "j")),))),),
            step=(Step("one more", _solved(s + 1), Chain((
                use("from the depth before", s + 1, "i", "j", given=("so far",)),
            ))),),
        )),
    )))  # fmt: skip


def _products_above() -> tuple[Step, ...]:
    """Products above layer t: none is I, one more is one factor more.  With a depth that is not spelt out as r + 1."""
    upper, at_top = _above(F, t), Bracket(((d, as_index(0)),))

    def empty(depth: Index) -> Formula:
        top = substitute(at_top, {"d": depth}, {})
        return entries(Relation("=", top * upper(depth, "i", "j"), top * zero_one("i", "j")))

    more = total("l", 1, n, F(t + d + 1, "i", "l") * upper("d", "l", "j"))
    return (
        Step("none above", every("t", 1, None, every("d", 0, None, empty(d))), Generalise(("t",), (
            Step("depth 0", every("d", 0, None, empty(d)), Induction(
                "so far",
                base=(Step("no layer", empty(as_index(0)), Identity()),),
                step=(Step("one more", empty(d + 1), Identity()),),
            )),
        ))),
        Step(
            "one more above",
            every("t", 1, None, every("d", 0, None, entries(Relation("=", upper(d + 1, "i", "j"), more)))),
            Identity(),
        ),
    )  # fmt: skip


# --- the identities -------------------------------------------------------------------------------


def _family(var: str, body: Term) -> Lambda:
    """A matrix for each layer, from its entry at i, j."""
    return Lambda((var, "i", "j"), body)


covariances = _family("t", expected(product(_deviation, _at(P, t - 1))("i", "j")))  # E[D_t P^(t-1)]
_moved = _family("s", product(substitute(_deviation, {"t": s}, {}), _at(Q, s - 1))("i", "j"))  # D_s Q^(s-1)
_moves = Lambda(("i", "j"), _unrolled_sum(for_outcome(R), _moved, t - 1, "s"))
_twice = _family("t", expected(product(_deviation, _moves)("i", "j")))


def _gap(depth: Index | str) -> Term:
    return expected(P(depth, "i", "j")) - Q(depth, "i", "j")


def outcome(depth: Index) -> Formula:
    """P^(depth) - Q^(depth) = sum_s R_depth ... R_{s+1} D_s Q^(s-1), for one outcome."""
    difference = P(depth, "i", "j") - Q(depth, "i", "j")
    return entries(Relation("=", difference, _unrolled_sum(for_outcome(R), _moved, depth, "s")))


def by_covariances() -> Formula:
    """E P^(T) - Q^(T) as a sum over one layer."""
    return entries(Relation("=", _gap("T"), _unrolled_sum(N, covariances, T)))


def of_second_order() -> Formula:
    """E P^(T) - Q^(T) as a sum over two layers; there is none below the first."""
    return entries(Relation("=", _gap("T"), _unrolled_sum(N, _twice, T, low=2)))


def _by_recursion(
    goal: Formula, layers_of: Fn, found: Fn, added: Fn, depth: Index, start: tuple[Item, ...], step: tuple[Item, ...]
) -> tuple[Step, ...]:
    """``goal``: Z_depth = sum_t F_depth ... F_{t+1} C_t, since Z_0 = 0 and Z_{s+1} = F_{s+1} Z_s + C_{s+1}."""
    first, here, after = (apply(found, (at, i, j)) for at in (as_index(0), s, s + 1))
    further = total("l", 1, n, apply(layers_of, (s + 1, i, l)) * substitute(here, {"i": l}, {}))
    next_one = Relation("=", after, further + apply(added, (s + 1, i, j)))
    source = use("unrolled", depth, fns=(layers_of, found, added), given=("no layer", "next layer"))
    return (
        Step("no layer", entries(Relation("=", first, as_term(0))), Identity(start)),
        Step("next layer", every("s", 0, T - 1, entries(next_one)), Identity(step)),
        Step("depth", goal, Instantiate(source)),
    )


_unit_mass = item(use("mass"), times=zero_one("i", "j"))
_outcomes = (("omega", 1, M), ("l", 1, n))


def solved_by_covariances() -> tuple[Step, ...]:
    """The first sum, from chances of sum 1 ("mass") and D = R - N ("deviations")."""
    differs = item(
        use("deviations", "omega", s + 1, "i", "l"), times=-(p("omega") * P("s", "l", "j")), over=_outcomes
    )  # fmt: skip
    return _by_recursion(by_covariances(), N, _family("v", _gap("v")), covariances, T, (_unit_mass,), (differs,))


def solved_by_outcome(depth: Index) -> tuple[Step, ...]:
    """The sum for the outcome omega at ``depth`` <= T, from D = R - N ("deviations")."""
    differences = _family("v", P("v", "i", "j") - Q("v", "i", "j"))
    differs = item(use("deviations", "omega", s + 1, "i", "l"), times=-Q("s", "l", "j"), over=(("l", 1, n),))
    return _by_recursion(outcome(depth), for_outcome(R), differences, _moved, depth, (), (differs,))


def solved_of_second_order() -> tuple[Step, ...]:
    """The sum over two layers, from "mass", "deviations" and N = E R ("means"): E D P = E D (P - Q), since E D = 0."""
    below = P("s", "l", "j") - Q("s", "l", "j")
    further = (
        item(use("outcomes", "omega", s, "l", "j"), times=p("omega") * D("omega", s + 1, "i", "l"), over=_outcomes),
        item(use("deviations", "omega", s + 1, "i", "l"), times=-(p("omega") * below), over=_outcomes),
        item(use("mass"), times=-(N(s + 1, "i", "l") * Q("s", "l", "j")), over=(("l", 1, n),)),
        item(use("means", s + 1, "i", "l"), times=-Q("s", "l", "j"), over=(("l", 1, n),)),
    )  # fmt: skip
    every_depth = every_outcome(every("v", 0, T, outcome(v)))
    return (
        Step("outcomes", every_depth, Generalise(("omega", "v"), solved_by_outcome(v))),
        *_by_recursion(of_second_order(), N, _family("v", _gap("v")), _twice, T, (_unit_mass,), further),
    )  # fmt: skip
