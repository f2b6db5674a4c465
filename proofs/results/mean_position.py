"""I7, mean position: how fast the rows move to the first token, for any causal kernels.

    J_t(i) = sum_{j <= i} (i - j) A^(t)_ij,   gamma_t (i - 1) <= J_t(i) <= Gamma_t (i - 1)  for i <= r
    =>  (r - 1) prod_t (1 - lambda_t Gamma_t)  <=  E_r  <=  (r - 1) prod_t (1 - lambda_t gamma_t),
    E_r = sum_j (j - 1) P^(T)_rj, the mean position less 1;    1 - P^(T)_r1  <=  E_r  <=  (r - 1) (1 - P^(T)_r1)

Hence prod_t (1 - lambda_t Gamma_t) <= 1 - P_r1 <= (r - 1) prod_t (1 - lambda_t gamma_t), and 1 - P_r1 <= exp(-x) once
lambda_1 gamma_1 + ... + lambda_T gamma_T >= ln(r - 1) + x, for any real x.  For the uniform kernel J(i) = (i - 1) / 2:

    E_r = (r - 1) prod_t (1 - lambda_t / 2)  for all real lambda_t;  sum_t lambda_t >= 2 (ln(r - 1) + x) is enough.

Hypotheses: causal kernels, 0 <= lambda_t <= 1; from below lambda_t Gamma_t <= 1, which the least Gamma_t <= 1 has.
Equations and inequalities, tight for the uniform kernel.  Row 1 reads itself.  Source: ours, beyond
arXiv:2602.16837.  Proof: f_i = i - 1 shrinks by 1 - lambda_t J_t(i) / (i - 1) in layer t.

Exact here: everything; logarithms are enclosed in balls.  Numeric here: nothing.  Not covered: how many layers the
uniform kernel needs at least.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, log

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.case import Case, Entries, kernel
from proofs.cases.speed_cases import at_least, at_most, jump_share, stacks
from proofs.draws import Kernel, Row
from proofs.lemmas.logarithm_steps import exp_increases, numbers
from proofs.lemmas.position_steps import (
    counting,
    first_token,
    first_tokens,
    jump,
    jump_bounds,
    jump_steps,
    off_first,
    steps_back,
    uniform_causal,
    uniform_mean,
)
from proofs.lemmas.row_moment_steps import uniform
from proofs.lemmas.series_steps import left, partial_sum
from proofs.lemmas.speed_steps import at_most_one, deep_enough, implies, slowed, yardstick
from proofs.notation import causal, every, layer, layers, mixing, n, number, rollout, transition
from proofs.outline import causal_rollout, causal_transitions
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Chain,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    Exp,
    Fn,
    Formula,
    Index,
    Lambda,
    Log,
    Range,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)
from proofs.twins import scale, shift, turn

lam, A, x = Symbol("lambda", 1), Symbol("A", 3), Symbol("x", 0)
slow, fast = Symbol("gamma", 1), Symbol("Gamma", 1)
i, j, k, l, r, s, T = (index(name) for name in ("i", "j", "k", "l", "r", "s", "T"))  # noqa: E741
ONE, ZERO, HALF = as_term(1), as_term(0), as_term(Fraction(1, 2))
shared = Lambda(("t", "a", "b"), apply(uniform, (index("a"), index("b"))))  # letters that no formula uses
P, Q = rollout(transition(lam, A)), rollout(transition(lam, shared))
halved = Lambda(("t",), HALF * lam("t"))
slowest, fastest = slowed(lam, slow), slowed(lam, fast)
back = steps_back(layer(P, T), r)


def jumps(relation: Relation) -> Formula:
    """In every layer, for every row up to r."""
    return layers(1, "T", every("i", 1, r, relation))


def deep(factor: int, rates: Fn) -> Relation:
    """factor (ln(r - 1) + x) <= sum_t y_t."""
    needed = Log(number(r - 1)) + x()
    return Relation("<=", needed if factor == 1 else factor * needed, partial_sum(rates, "T"))


def mean(rates: Fn) -> Term:
    """(r - 1) prod_t (1 - x_t)."""
    return number(r - 1) * left(rates, "T")


def uniform_law(depth: Index | int | str) -> Formula:
    """sum_j (j - 1) P_ij = (i - 1) prod_t (1 - lambda_t / 2), for every row of the uniform kernel's rollout."""
    return every("i", 1, n, Relation("=", steps_back(layer(Q, depth), "i"), number(i - 1) * left(halved, depth)))


here = jump(A, "t", "i")
GENERAL, UPPER = ("mixing", "kernels"), ("mixing", "kernels", "at least gamma")
LOWER = ("mixing", "kernels", "at most Gamma", "lambda Gamma")
claim = Claim(
    symbols=(lam, A, slow, fast, x),
    indices=(Range("r", as_index(2), n), Range("T", as_index(0), None)),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("kernels", layers(1, "T", causal(layer(A, "t")))),
        ("at least gamma", jumps(Relation("<=", slow("t") * number(i - 1), here))),
        ("at most Gamma", jumps(Relation("<=", here, fast("t") * number(i - 1)))),
        ("lambda Gamma", at_most_one(fastest)),
        ("deep", deep(1, slowest)),
        ("deep, uniform", deep(2, lam)),
    ),
    parts=(
        Part("jumps", ("kernels",), jump_bounds(A)),
        Part("upper", UPPER, Relation("<=", back, mean(slowest))),
        Part("lower", LOWER, Relation("<=", mean(fastest), back)),
        Part("first token", GENERAL, first_token(layer(P, T), r)),
        Part("collapse", UPPER, Relation("<=", off_first(layer(P, T), r), mean(slowest))),
        Part("no faster", LOWER, Relation("<=", left(fastest, "T"), off_first(layer(P, T), r))),
        Part("deep enough", (*UPPER, "deep"), Relation("<=", off_first(layer(P, T), r), Exp(-x()))),
        Part("uniform", (), uniform_law("T")),
        Part("uniform, jumps", (), every("i", 1, n, Relation(
            "=", total("j", 1, i, number(i - j) * apply(uniform, (i, j))), HALF * number(i - 1)
        ))),
        Part("uniform, deep enough", ("mixing", "deep, uniform"), Relation(
            "<=", off_first(layer(Q, T), r), Exp(-x())
        )),
    ),
)  # fmt: skip

# --- means ----------------------------------------------------------------------------------------

known = dict(claim.hypotheses)
low, high = (use("mixing", "t", parts=part) for part in ("nonnegative", "at most one"))


def of_jump(part: str, *at: Index | int | str) -> Use:
    """A fact on the mean jump."""
    return use("jumps", *at, parts=part, given=("kernels",))


def causal_rows(kernels: Fn, fact: str) -> tuple[Step, ...]:
    """P^(T) is a causal kernel, known as "rollouts"."""
    return (
        causal_transitions("transitions", lam, kernels, "T", "mixing", fact),
        causal_rollout("rollouts", transition(lam, kernels), "T", "transitions"),
    )


def by_yardstick(sign: int, rates: Fn, fact: Use, relation: Formula, *factors: Step, given: str) -> tuple[Step, ...]:
    """f_i = i - 1 or -(i - 1) as a yardstick."""
    f = Lambda(("j",), sign * number(j - 1))
    shrinks = jumps(Relation(
        "<=", total("j", 1, n, A("t", "i", "j") * f.body), (ONE - rates("t")) * (sign * number(i - 1))
    ))  # fmt: skip
    cited = use("yardstick", "r", fns=(f, rates), given=("mixing", "kernels", given, "shrinks"))
    return (
        *factors,
        Step("shrinks", shrinks, Nonnegative((item(fact),), (item(of_jump("mean", "t", "i"), times=sign),))),
        Step("depth T", relation, Chain((cited,))),
    )


under_upper = implies(*(known[label] for label in UPPER), at_most_one(slowest))
factors = Step("factors of gamma", under_upper, Generalise(UPPER, (
    Step("gamma <= 1, by row 2", layers(1, "T", Relation("<=", slow("t"), ONE)), Nonnegative((
        item(use("at least gamma", "t", 2)), item(of_jump("at most i - 1", "t", 2)),
    ))),
    Step("lambda gamma <= 1", at_most_one(slowest), Nonnegative((
        item(high), item(low, use("gamma <= 1, by row 2", "t")),
    ))),
)))  # fmt: skip
lambda_gamma = Step("lambda gamma", at_most_one(slowest), Instantiate(use("factors of gamma", given=UPPER)))

upper = claim.proof("upper", *by_yardstick(
    1, slow, use("at least gamma", "t", "i"), claim.part("upper").asserts, lambda_gamma, given="lambda gamma"
))  # fmt: skip
lower = claim.proof("lower", *by_yardstick(
    -1, fast, use("at most Gamma", "t", "i"), claim.part("lower").asserts, given="lambda Gamma"
))  # fmt: skip
first = claim.proof("first token", *causal_rows(A, "kernels"), Step(
    "row r", claim.part("first token").asserts, Instantiate(
        use("first token of any", r, fns=(layer(P, T),), given=("rollouts",))
    ),
))  # fmt: skip
off = {part: use("first token", parts=part, given=GENERAL) for part in ("at least", "at most")}
collapse = claim.proof("collapse", Step("together", claim.part("collapse").asserts, Chain((
    off["at least"], use("upper", given=UPPER),
))))  # fmt: skip
inverse, positive = use("k / k", r - 1), use("1 / k > 0", r - 1)
no_faster = claim.proof("no faster", Step("divided by r - 1", claim.part("no faster").asserts, Nonnegative(
    (item(positive, use("lower", given=LOWER)), item(positive, off["at most"])),
    (item(inverse, times=off_first(layer(P, T), r) - left(fastest, "T")),),
)))  # fmt: skip


def enough(rates: Fn, factors_fact: str, deep_fact: str) -> Use:
    """(r - 1) prod_t (1 - y_t) <= exp(-x)."""
    return use("deep enough for any", r - 1, fns=(rates, x), given=(factors_fact, deep_fact))


deeply = claim.proof("deep enough", lambda_gamma, Step("at T", claim.part("deep enough").asserts, Chain((
    use("collapse", given=UPPER), enough(slowest, "lambda gamma", "deep"),
))))  # fmt: skip

# --- the uniform kernel ---------------------------------------------------------------------------

top = lam(s + 1)
uniform_means = claim.proof(
    "uniform",
    Step("every depth", every("s", 0, T, uniform_law("s")), Induction(
        "so far",
        (Step("no layer", uniform_law(0), Identity()),),
        (Step("one more layer", uniform_law(s + 1), Identity((
            item(use("so far", "i"), times=ONE - top),
            item(use("so far", "l"), times=top * uniform("i", "l"), over=(("l", 1, n),)),
            item(use("mean of numbers", "i"), times=HALF * top * left(halved, "s")),
        ))),),
    )),
    Step("depth T", uniform_law("T"), Instantiate(use("every depth", T))),
)  # fmt: skip
uniform_jumps = claim.proof("uniform, jumps", Step("each row", claim.part("uniform, jumps").asserts, Identity((
    item(use("mean of numbers", "i"), times=HALF),
))))  # fmt: skip
uniform_deep = claim.proof(
    "uniform, deep enough",
    Step("every layer", layers(1, "T", causal(uniform)), Generalise(("t",), (
        Step("this layer", causal(uniform), Instantiate(use("uniform kernel"))),
    ))),
    *causal_rows(shared, "every layer"),
    Step("halves", at_most_one(halved), Nonnegative((item(high, times=HALF), item(times=HALF)))),
    Step("half as deep", deep(1, halved), Nonnegative((
        item(use("deep, uniform"), times=HALF),
    ))),
    Step("at T", claim.part("uniform, deep enough").asserts, Chain((
        use("first token of any", r, fns=(layer(Q, T),), parts="at least", given=("rollouts",)),
        use("uniform", r), enough(halved, "halves", "half as deep"),
    ))),
)  # fmt: skip

derivation = (
    *numbers, *counting(), exp_increases,
    claim.proof("jumps", *jump_steps(A)),
    yardstick(lam, A), factors, upper, lower, first_tokens(), first, collapse, no_faster, deep_enough(), deeply,
    *uniform_mean(), uniform_causal(), uniform_means, uniform_jumps, uniform_deep,
    claim.finish("mean position"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Rates that the rows up to r have exactly, or with room; x below and above what the depth is enough for."""
    spare = st.sampled_from([Fraction(1, 64), Fraction(1, 4), Fraction(-1)])
    return stacks(lambda _: spare).map(lambda drawn: _drawn(*drawn))


def _drawn(
    positions: int, coefficients: Row, kernels: tuple[Kernel, ...], at: int, room: Fraction, spare: Fraction
) -> Case:
    slowly, quickly = at_least(jump_share, kernels, at, room), at_most(jump_share, kernels, at, room)
    slowest_depth = sum((z * g for z, g in zip(coefficients, slowly, strict=True)), Fraction(0))
    depth = min(slowest_depth, sum(coefficients, Fraction(0)) / 2)
    return Case.of(
        positions, {"T": len(kernels), "r": at}, lambda_=coefficients, A=kernels, gamma=slowly, Gamma=quickly,
        x=depth - Fraction(ceil(16 * log(at - 1)), 16) - spare,
    )  # fmt: skip


def _case(depth: int, share: Fraction | int, rows: Sequence[Sequence[Fraction | int]], **tables: Entries) -> Case:
    plain: dict[str, Entries] = {"gamma": [0] * depth, "Gamma": [1] * depth, "x": -1}
    tables = {**plain, "lambda_": [share] * depth, "A": [rows] * depth, **tables}
    return Case.of(len(rows), {"T": depth, "r": len(rows)}, **tables)


_same, _first = kernel([1], [0, 1]), kernel([1], [1, 0])
_half = Fraction(1, 2)
needed = (
    Needed("mixing", _case(1, -1, _first, gamma=[_half]), "lambda = -1: row 2 is (-1, 2), and 2 is not at most 3/2"),
    Needed("kernels", _case(1, 1, ((1, 0), (-1, 2)), gamma=[-1]), "row 2 is (-1, 2): J(2) = -1"),
    Needed("at least gamma", _case(1, 1, _same, gamma=[1]), "A = I, gamma = 1: 1 is not at most 0"),
    Needed("at most Gamma", _case(1, 1, _first, Gamma=[0]), "A_21 = 1, Gamma = 0: 1 is not at most 0"),
    Needed("lambda Gamma", _case(2, 1, _same, Gamma=[3, 3]), "A = I, Gamma = 3, T = 2: the product is 4"),
    Needed("deep", _case(0, 1, _same, x=1), "T = 0, x = 1"),
    Needed("deep, uniform", _case(0, 1, _same, x=1), "T = 0, x = 1"),
)  # fmt: skip

statement = Statement(
    id="I7",
    title="How fast the mean position moves to the first token",
    source="ours, beyond arXiv:2602.16837",
    remark="Layers of order ln n are enough where every row reads a share of the way back; I5 needs order n.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("jumps/at least 0"), turn("jumps/at most i - 1"), scale("jumps/mean"), turn("upper"),
        scale("upper", Fraction(1, 2)), turn("lower"), scale("lower", Fraction(1, 2)),
        turn("first token/at least"), scale("first token/at most", Fraction(1, 2)), turn("collapse"),
        turn("no faster"), scale("no faster", Fraction(1, 2)), turn("deep enough"), scale("uniform"),
        shift("uniform", "accumulated", 0, -1), scale("uniform, jumps"), turn("uniform, deep enough"),
    ),
)  # fmt: skip
