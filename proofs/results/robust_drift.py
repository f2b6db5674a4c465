"""D8, robust drift, for measured kernels: what is monotone up to a small defect drifts up to a small error.

    F_A(i, k) - F_A(m, k) <= eta  for i <= m      (A has the defect eta; eta = 0 means that A is monotone)

    (1 - lambda) I + lambda A has the defect lambda eta;   R P has x + y, even x + y - x y if y <= 1;
    P^(T) has sum_t lambda_t eta_t, even 1 - prod_t (1 - lambda_t eta_t) if every eta_t <= 1;

    F_{P^(T+1)}(i, k) - F_{P^(T)}(i, k)    <=  lambda_{T+1} (1 - A_{T+1,ii}) sum_{t <= T} lambda_t eta_t
    F_{P(mu)}(i, k) - F_{P(lambda)}(i, k)  <=  sum_t (mu_t - lambda_t) delta_t sum_{s < t} lambda_s eta_s

for every row i and every k, where lambda <= mu and delta_t >= 1 - A_{t,ii} for all i.  A causal layer N inserted at any
depth moves a tail up by at most d y, where d >= 1 - N_jj and y is the defect of what lies below.  A monotone kernel has
no defect: then these are D1 and D2.  Hypotheses: for the defects the kernels may read the future; for the drift they
are causal where they are inserted or changed.  The bound of one more layer has the diagonal of its own row i, no
less than the least one; defects x and y of factors combine to 1 - (1 - x) (1 - y), which is at most their sum.
Inequality; tight.  Source: ours, beyond arXiv:2602.16837.

A function that falls by at most y lies within y above a nondecreasing one: its running maximum, less y.

Exact here: everything.  Numeric here: nothing.  Not covered: other measures of the defect than the largest fall.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs.case import Case, Entries, kernel, prefix, scaled_diagonal
from proofs.cases.robust_cases import robust_cases
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.defect_steps import defect, defect_lemmas, no_defect
from proofs.lemmas.robust_steps import (
    combined,
    drift,
    kept,
    layers_below,
    more_mixing,
    own_layer,
    rises_by,
    rollout_lemmas,
    shares,
    stochastic_layers,
    transition_defects,
    weighted,
)
from proofs.notation import (
    causal,
    every,
    layer,
    layers,
    mixing,
    monotone,
    n,
    product,
    rollout,
    stochastic,
    transition,
)
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Chain, Instantiate, Nonnegative, Step, item, use
from proofs.term import Fn, ForAll, Range, Relation, Symbol, Term, as_index, as_term, index
from proofs.twins import scale, turn

lam, mu, A, eta, delta = (Symbol(*s) for s in (("lambda", 1), ("mu", 1), ("A", 3), ("eta", 1), ("delta", 1)))
R, P, N = Symbol("R", 2), Symbol("P", 2), Symbol("N", 2)
x, y, d = Symbol("x", 0), Symbol("y", 0), Symbol("d", 0)
i, t, T = index("i"), index("t"), index("T")
C, D = transition(lam, A), transition(mu, A)
layered, one = (lam, A, eta), as_term(1)


def deep(family: Fn, depth: Any = "T") -> Fn:
    """P^(T) of a family of layers."""
    return layer(rollout(family), depth)


def off_diagonal(kernel_fn: Fn, bound: Term) -> ForAll:
    """1 - A_ii <= bound in every row."""
    return every("i", 1, n, Relation("<=", one - kernel_fn("i", "i"), bound))


def nearly_monotone(top: Any) -> ForAll:
    """A_t has the defect eta_t, for t up to ``top``."""
    return layers(1, top, defect(layer(A, "t"), eta("t")))


claim = Claim(
    symbols=(lam, mu, A, eta, delta, R, P, N, x, y, d),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("more mixing", mixing(mu, "T")),
        ("ordered", layers(1, "T", Relation("<=", lam("t"), mu("t")))),
        ("top mixing", Relation("<=", as_term(0), lam(T + 1))),
        ("kernels", layers(1, "T", stochastic(layer(A, "t")))),
        ("causal kernels", layers(1, "T", causal(layer(A, "t")))),
        ("top kernel", causal(layer(A, T + 1))),
        ("nearly monotone", nearly_monotone("T")),
        ("nearly monotone below", nearly_monotone(T - 1)),
        ("at most 1", layers(1, "T", Relation("<=", eta("t"), one))),
        ("off the diagonal", layers(1, "T", off_diagonal(layer(A, "t"), delta("t")))),
        ("upper kernel", stochastic(R)),
        ("lower kernel", stochastic(P)),
        ("upper defect", defect(R, x())),
        ("lower defect", defect(P, y())),
        ("lower at most 1", Relation("<=", y(), one)),
        ("inserted kernel", causal(N)),
        ("inserted off the diagonal", off_diagonal(N, d())),
        ("lower monotone", monotone(P)),
    ),
    parts=(
        Part("layers", ("mixing", "nearly monotone"), layers(1, "T", defect(layer(C, "t"), lam("t") * eta("t")))),
        Part(
            "product", ("upper kernel", "lower kernel", "upper defect", "lower defect"),
            defect(product(R, P), x() + y()),
        ),
        Part(
            "product, sharper", ("upper kernel", "lower kernel", "upper defect", "lower defect", "lower at most 1"),
            defect(product(R, P), x() + y() - x() * y()),
        ),
        Part("rollout", ("mixing", "kernels", "nearly monotone"), defect(deep(C), weighted(lam, eta, "T"))),
        Part(
            "rollout, sharper", ("mixing", "kernels", "nearly monotone", "at most 1"),
            defect(deep(C), one - kept(shares(lam, eta), "T")),
        ),
        Part(
            "inserted layer", ("upper kernel", "inserted kernel", "inserted off the diagonal", "lower defect"),
            rises_by(product(R, product(N, P)), product(R, P), d() * y()),
        ),
        Part(
            "top layer", ("mixing", "kernels", "nearly monotone", "top mixing", "top kernel"),
            rises_by(
                deep(C, T + 1), deep(C),
                lam(T + 1) * (one - A(T + 1, "i", "i")) * weighted(lam, eta, "T"),
            ),
        ),
        Part(
            "more mixing",
            ("mixing", "more mixing", "ordered", "causal kernels", "nearly monotone below", "off the diagonal"),
            rises_by(deep(D), deep(C), drift(lam, mu, eta, delta, "T")),
        ),
        Part("no defect", ("lower monotone",), defect(P, as_term(0))),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


def product_defect(label: str, part: str, cap: Term, bounded: Step, enough: Step) -> tuple[Step, ...]:
    """The defect of R P is at most y + c x."""
    source = use(
        "defect of a product", "i", "m", "k", fns=(R, P, x, y, value(cap)),
        given=("upper kernel", "lower kernel", "upper defect", "lower defect", bounded.label, enough.label),
    )  # fmt: skip
    return bounded, enough, Step(label, claim.part(part).asserts, Chain((source,)))


some_defect = Step("y >= 0", Relation("<=", as_term(0), y()), Nonnegative((item(use("lower defect", 1, 1, 1)),)))


derivation = (
    *defect_lemmas(),
    *rollout_lemmas(),
    claim.proof("layers", transition_defects(lam, A, eta, "T", "nearly monotone")),
    claim.proof("product", *product_defect(
        "by the lemma", "product", one,
        Step("cap", Relation("<=", as_term(0), one), Nonnegative((item(times=1),))),
        Step("enough", Relation("<=", one, one + y()), Nonnegative((item(use("lower defect", 1, 1, 1)),))),
    )),
    claim.proof("product, sharper", *product_defect(
        "by the lemma", "product, sharper", one - y(),
        Step("cap", Relation("<=", as_term(0), one - y()), Nonnegative((item(use("lower at most 1")),))),
        Step("enough", Relation("<=", one, one - y() + y()), Nonnegative(())),
    )),
    claim.proof(
        "rollout", *layers_below(*layered, T, "nearly monotone"),
        Step("this depth", claim.part("rollout").asserts, Instantiate(use("rollout defects", T))),
    ),
    claim.proof(
        "rollout, sharper", *combined(*layered, "nearly monotone", "at most 1")
    ),
    claim.proof(
        "inserted layer",
        some_defect,
        Step("moved up", claim.part("inserted layer").asserts, Nonnegative(
            (
                item(
                    use("upper kernel", "i", "j", parts="nonnegative"),
                    use("causal layer", "j", "k", fns=(N, P, y), given=("inserted kernel", "lower defect")),
                    over=(("j", 1, n),),
                ),
                item(
                    use("upper kernel", "i", "j", parts="nonnegative"), use("inserted off the diagonal", "j"),
                    use("y >= 0"), over=(("j", 1, n),),
                ),
            ),
            (item(use("upper kernel", "i", parts="rows"), times=d() * y()),),
        )),
    ),
    claim.proof(
        "top layer", *layers_below(*layered, T, "nearly monotone"),
        Step("top", claim.part("top layer").asserts, Nonnegative((
            item(use("top mixing"), own_layer(*layered, T, use("top kernel"))),
        ))),
    ),
    claim.proof(
        "more mixing",
        stochastic_layers(A, "causal kernels"),
        *layers_below(*layered, T - 1, "nearly monotone below"),
        more_mixing(lam, mu, A, eta, delta),
        Step("this depth", claim.part("more mixing").asserts, Instantiate(use("every depth", T))),
    ),
    claim.proof("no defect", no_defect("row by row", P, "lower monotone")),
    claim.finish("robust drift"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------

_one = kernel([1], [0, 1], [0, 0, 1])
_dip = kernel([1], [0, 1], [1, 0, 0])  # row 2 reads token 2, row 3 token 1: the defect 1
_first = kernel([1], [1, 0], [1, 0, 0])
_future = ((1, 0, 0), (0, 0, 1), (0, 0, 1))
_half = kernel([1], [Fraction(1, 2), Fraction(1, 2)], [1, 0, 0])  # the defect 1/2
_signed: Entries = ((1, 0, 0), (-1, 2, 0), (-1, 0, 2))  # rows sum to 1, no defect
_tilted = scaled_diagonal(prefix(8, 4, 1), 2)  # w = (1, 1/2, 1/8), e = 2: the defect 1/14
_top = prefix(1, 7, 1)
_small = Fraction(1, 14)
_plain: dict[str, Entries] = {
    "lambda_": [1, 1, 1], "mu": [1, 1], "A": [_one] * 3, "eta": [0, 0], "delta": [1, 1], "R": _one, "P": _one,
    "N": _one, "x": 0, "y": 0, "d": 1,
}  # fmt: skip


def _case(depth: int = 1, **changed: Entries) -> Case:
    return Case.of(3, {"T": depth}, **{**_plain, **changed})


needed = (
    Needed("mixing", _case(lambda_=[-1, 0], A=[prefix(1, 1, 1), _one]), "lambda = -1: F(2, 2) = 3/2, F(3, 2) = 4/3"),
    Needed("more mixing", _case(2, mu=[2, 2], A=[_first, _first, _one]), "mu = 2 twice: (-1)(-1) = 1 > 0"),
    Needed("ordered", _case(mu=[0], A=[_first, _one]), "coefficients turned"),
    Needed("top mixing", _case(lambda_=[1, -1], A=[_one, _first]), "lambda = -1 at the top moves away from the past"),
    Needed(
        "kernels",
        _case(2, A=[_half, _signed, _one], eta=[Fraction(1, 2), 0]),
        "row 2 = (-1, 2) above the defect 1/2: F(2, 2) = 1, F(3, 2) = 0",
    ),
    Needed("causal kernels", _case(lambda_=[0, 1], A=[_future, _one]), "a kernel that reads the future"),
    Needed("top kernel", _case(A=[_one, _future]), "a top layer that reads the future"),
    Needed("nearly monotone", _case(A=[_tilted, _top]), "D1's example, whose defect is 1/14: 54/126 rises to 55/126"),
    Needed(
        "nearly monotone below",
        _case(2, lambda_=[1, 0, 1], A=[_tilted, _top, _one]),
        "D1's example with the top lambda from 0 to 1: 54/126 rises to 55/126",
    ),
    Needed("at most 1", _case(2, A=[_dip, _dip, _one], eta=[2, 2]), "eta = 2 twice: 1 - (-1)(-1) = 0 against 1"),
    Needed(
        "off the diagonal",
        _case(2, lambda_=[1, 0, 1], A=[_tilted, _top, _one], eta=[_small, 0], delta=[1, 0]),
        "delta = 0 at the top of D1's example",
    ),
    Needed("upper kernel", _case(R=_signed, P=_half, y=Fraction(1, 2)), "row 2 = (-1, 2) above the defect 1/2"),
    Needed("lower kernel", _case(R=_dip, P=((2, 0, 0), (0, 2, 0), (0, 0, 2)), x=1), "P = 2 I: a tail falls by 2"),
    Needed("upper defect", _case(R=_dip), "x = 0 is too small"),
    Needed("lower defect", _case(P=_dip), "y = 0 is too small"),
    Needed("lower at most 1", _case(R=_dip, P=_dip, x=2, y=2), "x = y = 2: 2 + 2 - 4 = 0 against 1"),
    Needed("inserted kernel", _case(N=_future), "a layer that reads the future"),
    Needed("inserted off the diagonal", _case(P=_tilted, y=_small, N=_top, d=0), "d = 0 in D1's example"),
    Needed("lower monotone", _case(P=_dip), "row 2 reads token 2, row 3 token 1"),
)

statement = Statement(
    id="D8",
    title="Nearly monotone kernels nearly drift",
    source="ours, beyond arXiv:2602.16837",
    remark="The defect of a measured kernel bounds by how much a profile may drift the other way.",
    claim=claim,
    derivation=derivation,
    cases=robust_cases,
    needed=needed,
    twins=(
        scale("layers", Fraction(1, 2)),
        scale("product", Fraction(1, 2)),
        scale("product, sharper", Fraction(1, 2)),
        scale("rollout", Fraction(1, 2)),
        scale("rollout, sharper", Fraction(1, 2)),
        turn("inserted layer"),
        scale("inserted layer", 0),
        turn("top layer"),
        scale("top layer", 0),
        turn("more mixing"),
        turn("no defect"),
    ),
)
