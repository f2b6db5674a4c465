"""Q2, paths in quadrature: what a second moment is made of, for attention alone.

    one kernel A in all heads and steps:    G_T = prod_t (1 + nu_t) sum_{m=0}^T P(K_T = m) a_m a_m^T,    a_m = e_n A^m
    K_T counts successes of chances theta_t = nu_t / (1 + nu_t);    prod_t (1 + nu_t) P(K_T = m) = e_m(nu_1, ..., nu_T)
    uncorrelated heads:    sum_q c_q u_q u_q^T    becomes    sum_q c_q (u_q u_q^T + sum_h s_h^2 (u_q A_h) (u_q A_h)^T)

Here nu_t is the sum of the second moments of step t, s^2 for one head.  So G(j, j) sums, over choices of steps and
heads, a product of second moments times the square of the sum of the paths through these, which add up coherently.  In
the linear rollout with lambda_t = s_t / (1 + s_t) the same powers have the chances lambda_t for theta_t (C1).  All
entries of G are nonnegative where moments and weights are.  G_0 = e_n e_n^T.  Identities ask nothing of A or nu_t.
Source: ours, beyond arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: MLPs between kernels that differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.case import Case, Entries, Table
from proofs.cases.moment_recursions import (
    Matrix,
    Row,
    after_attention,
    few_sizes,
    first_moments,
    numbers,
    sizes_of,
    uncorrelated,
)
from proofs.draws import families, for_each
from proofs.lemmas.second_moment_steps import (
    C,
    G,
    H,
    T,
    alpha,
    at_least_0,
    behind,
    entries,
    start,
    steps_recur,
    through_head,
    up_to,
)
from proofs.notation import accumulated, every, hops, layers, n, power, zero_one
from proofs.outline import used_only
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Chain, Identity, Induction, Nonnegative, Step, item, use
from proofs.term import And, Formula, Index, Lambda, Range, Relation, Symbol, Term, as_index, as_term, index, total
from proofs.twins import lose, scale, shift, turn

A, nu, theta, mu = Symbol("A", 2), Symbol("nu", 1), Symbol("theta", 1), Symbol("mu", 1)
c, u = Symbol("c", 1), Symbol("u", 2)
h, i, j, k, l, m, q, r, s, t, N = (index(name) for name in ("h", "i", "j", "k", "l", "m", "q", "r", "s", "t", "N"))  # noqa: E741
ONE = as_term(1)
growth, law, powers = accumulated(Lambda(("t",), ONE + nu("t"))), hops(theta), power(A)


def of_maps(*names: str, body: Formula) -> Formula:
    """For all of the maps that are named."""
    for name in reversed(names):
        body = every(name, 1, H, body)
    return body


def rows(count: Index | str, left: str = "i", right: str = "j") -> Term:
    """(e_n A^m)_i (e_n A^m)_j."""
    return powers(count, n, left) * powers(count, n, right)


def mixture(depth: Index | int | str, left: str = "i", right: str = "j") -> Term:
    """prod_t (1 + nu_t) sum_m P(K = m) (e_n A^m)_i (e_n A^m)_j."""
    return growth(depth) * total("m", 0, depth, law(depth, "m") * rows("m", left, right))


def quadrature(depth: Index | int | str) -> Formula:
    """G is this mixture."""
    return entries(Relation("=", G(depth, "i", "j"), mixture(depth)))


def over_paths(body: Term) -> Term:
    """The sum over what was chosen so far."""
    return total("q", 1, N, c("q") * body)


def continued(position: str) -> Term:
    """(u_q alpha_h)_i: the path sum q continued by map h of the last step."""
    return total("k", 1, n, u("q", "k") * alpha(T, "h", "k", position))


claim = Claim(
    symbols=(C, alpha, G, A, nu, theta, mu, c, u),
    indices=(Range("T", as_index(1), None), Range("H", as_index(1), None), Range("N", as_index(1), None)),
    hypotheses=(
        ("start", start()),
        ("recursion", steps_recur()),
        ("one kernel", And((
            ("weights", layers(1, "T", of_maps("h", body=entries(Relation(
                "=", alpha("t", "h", "i", "j"), A("i", "j")
            ))))),
            ("moments", layers(1, "T", Relation(
                "=", total("h", 1, H, total("r", 1, H, C("t", "h", "r"))), nu("t")
            ))),
        ))),
        ("hop chances", layers(1, "T", Relation("=", theta("t") * (ONE + nu("t")), nu("t")))),
        ("moments nonnegative", layers(1, "T", of_maps("h", "r", body=at_least_0(C("t", "h", "r"))))),
        ("weights nonnegative", layers(1, "T", of_maps("h", body=entries(at_least_0(alpha("t", "h", "i", "j")))))),
        ("uncorrelated", of_maps("h", "r", body=Relation("=", C("T", "h", "r"), zero_one("h", "r") * mu("h")))),
        ("paths", entries(Relation("=", G(T - 1, "i", "j"), over_paths(u("q", "i") * u("q", "j"))))),
    ),
    parts=(
        Part("one kernel", ("start", "recursion", "one kernel", "hop chances"), quadrature("T")),
        Part("one more step", ("recursion", "uncorrelated", "paths"), entries(Relation(
            "=", G("T", "i", "j"),
            over_paths(u("q", "i") * u("q", "j") + total("h", 1, H, mu("h") * continued("i") * continued("j"))),
        ))),
        Part("nonnegative", ("start", "recursion", "moments nonnegative", "weights nonnegative"), entries(
            at_least_0(G("T", "i", "j"))
        )),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

now = s + 1
pairs = (("h", 1, H), ("r", 1, H), ("k", 1, n), ("l", 1, n))
left, right = alpha(now, "h", "k", "i"), alpha(now, "r", "l", "j")
reached = through_head(Lambda(("k", "l"), mixture("s", "k", "l")), A)
mixed = Lambda(("k", "l"), mixture("s", "k", "l"))("k", "l")


def hop(shifted: int) -> Term:
    """growth_s sum_m P(K_s = m - shifted) a_m a_m^T."""
    return growth("s") * total("m", 0, now, law("s", m - shifted) * rows("m"))


one_more_layer = Identity((
    item(use("recursion", now, "i", "j")),
    item(use("so far", "i", "j")),
    item(use("so far", "k", "l"), times=C(now, "h", "r") * left * right, over=pairs),
    item(use("one kernel", now, "r", "l", "j", parts="weights"), times=C(now, "h", "r") * left * mixed, over=pairs),
    item(
        use("one kernel", now, "h", "k", "i", parts="weights"), times=C(now, "h", "r") * A("l", "j") * mixed, over=pairs
    ),
    item(use("one kernel", now, parts="moments"), times=reached),
    item(
        use("factor behind", "m", n, "i"), over=(("m", 1, now), ("l", 1, n)),
        times=nu(now) * growth("s") * law("s", m - 1) * powers(m - 1, n, "l") * A("l", "j"),
    ),
    item(
        use("factor behind", "m", n, "j"), over=(("m", 1, now),),
        times=nu(now) * growth("s") * law("s", m - 1) * powers("m", n, "i"),
    ),
    item(use("hop chances", now), times=hop(0) - hop(1)),
    item(
        use("C1", "s", 0, parts="support/above", fns=(theta, A)), times=-growth("s") * rows("m"),
        over=(("m", now, now),),
    ),
    item(
        use("C1", "s", 0, parts="support/below", fns=(theta, A)), times=-nu(now) * growth("s") * rows("m"),
        over=(("m", 0, 0),),
    ),
))  # fmt: skip


def through_recursion(depth: Index | int) -> Formula:
    """All entries are nonnegative."""
    return entries(at_least_0(G(depth, "i", "j")))


derivation = used_only((
    *behind(A),
    claim.proof(
        "one kernel",
        Step("every depth", up_to("T", quadrature("s")), Induction(
            "so far",
            base=(Step("no step", quadrature(0), Identity((
                item(use("start", "i", "j")),
                item(
                    use("no factor", "m", n, "i"), times=-(law(0, "m") * powers("m", n, "j")), over=(("m", 0, 0),)
                ),
                item(use("no factor", "m", n, "j"), times=-law(0, "m") * zero_one("i", n), over=(("m", 0, 0),)),
            ))),),
            step=(Step("one more", quadrature(now), one_more_layer),),
        )),
        Step("depth T", quadrature("T"), Chain((use("every depth", T, "i", "j"),))),
    ),
    claim.proof("one more step", Step("continued", claim.part("one more step").asserts, Identity((
        item(use("recursion", T, "i", "j")),
        item(use("paths", "i", "j")),
        item(
            use("paths", "k", "l"), over=pairs,
            times=C("T", "h", "r") * alpha("T", "h", "k", "i") * alpha("T", "r", "l", "j"),
        ),
        item(
            use("uncorrelated", "h", "r"), over=pairs,
            times=alpha("T", "h", "k", "i") * alpha("T", "r", "l", "j") * over_paths(u("q", "k") * u("q", "l")),
        ),
    )))),
    claim.proof(
        "nonnegative",
        Step("every depth", up_to("T", through_recursion(s)), Induction(
            "so far",
            base=(Step("no step", through_recursion(0), Nonnegative(
                (item(times=zero_one("i", n) * zero_one("j", n)),), (item(use("start", "i", "j"), times=-1),)
            )),),
            step=(Step("one more", through_recursion(now), Nonnegative(
                (
                    item(use("so far", "i", "j")),
                    item(
                        use("moments nonnegative", now, "h", "r"), use("weights nonnegative", now, "h", "k", "i"),
                        use("weights nonnegative", now, "r", "l", "j"), use("so far", "k", "l"), over=pairs,
                    ),
                ),
                (item(use("recursion", now, "i", "j"), times=-1),),
            )),),
        )),
        Step("depth T", through_recursion(T), Chain((use("every depth", T, "i", "j"),))),
    ),
    claim.finish("paths"),
))  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """One kernel or several, signed or not; heads that are uncorrelated or not."""

    def draw(chosen: tuple[tuple[int, int, int], str]) -> SearchStrategy[Case]:
        (size, steps, heads), kind = chosen
        parts = st.tuples(families(size, 2 * steps), numbers(4 * steps), numbers(2 * steps * size * size))
        return parts.map(lambda d: _drawn(size, steps, heads, kind, *d))

    kinds = st.sampled_from(("one kernel", "one kernel, correlated", "kernels", "signed"))
    return for_each(st.tuples(few_sizes(), kinds), draw)


def _drawn(size: int, depth: int, heads: int, kind: str, kernels: Sequence[Matrix], squares: Row, cells: Row) -> Case:
    shared = kind.startswith("one")
    if kind == "signed":
        kernels = [[cells[size * (size * at + row) :][:size] for row in range(size)] for at in range(2 * depth)]
    alphas = [[kernels[0 if shared else 2 * t + which] for which in range(heads)] for t in range(depth)]
    drawn = [sizes_of(squares[4 * t : 4 * t + 4]) for t in range(depth)]
    moments = [uncorrelated(x[:heads]) for x in drawn]
    if kind.endswith("correlated"):
        moments = [[x[2 * h :][:heads] for h in range(heads)] for x in drawn]
    return _case(size, alphas, moments, kernels[0])


def _case(
    size: int, alphas: Sequence[Sequence[Matrix]], moments: Sequence[Matrix], kernel: Matrix, **changed: Entries
) -> Case:
    """The case with G by the recursion, what paths there are before the last step, and hop chances."""
    places, heads = range(size), range(len(moments[0]))
    moved, paths = [first_moments(size)], [(Fraction(1), first_moments(size)[-1])]
    for weights, second in zip(alphas, moments, strict=True):
        moved.append(after_attention(moved[-1], weights, second))
    for weights, second in list(zip(alphas, moments, strict=True))[:-1]:
        paths += [
            (c * Fraction(second[h][h]), [sum((u[k] * weights[h][k][i] for k in places), Fraction(0)) for i in places])
            for (c, u), h in product(tuple(paths), heads)
        ]
    growth = [sum((Fraction(x) for row in second for x in row), Fraction(0)) for second in moments]
    tables: dict[str, Entries] = {
        "C": moments, "alpha": alphas, "G": moved, "A": kernel, "nu": growth, "theta": [x / (1 + x) for x in growth],
        "mu": [moments[-1][h][h] for h in heads], "c": [c for c, _ in paths], "u": [u for _, u in paths], **changed,
    }  # fmt: skip
    indices = {"T": len(alphas), "H": len(heads), "N": len(paths)}
    return Case.of(size, indices, **{x: Table(e, (0,)) if x == "G" else e for x, e in tables.items()})


def _one(weight: int, moment: int, **changed: Entries) -> Case:
    """One position, one head, one step."""
    return _case(1, [[[[weight]]]], [[[moment]]], [[weight]], **changed)


needed = (
    Needed("start", _one(1, 1, G=[[[2]], [[4]]]), "twice the gradient's square at the start"),
    Needed("recursion", _one(1, 1, G=[[[1]], [[1]]]), "G stays 1"),
    Needed("one kernel", _one(1, 1, A=[[2]]), "alpha = 1 where A = 2"),
    Needed("hop chances", _one(2, 1, theta=[0]), "no chance of a hop where s^2 = 1"),
    Needed("moments nonnegative", _one(1, -2, theta=[2]), "s^2 = -2"),
    Needed(
        "weights nonnegative", _case(2, [[((1, 0), (-1, 1))]], [[[1]]], ((1, 0), (-1, 1))), "G(1, 2) = -1"
    ),
    Needed("uncorrelated", _one(1, 1, mu=[2]), "mu = 2 where s^2 = 1"),
    Needed("paths", _one(1, 1, u=[[2]]), "a path sum 2 where the gradient is 1"),
)  # fmt: skip

statement = Statement(
    id="Q2",
    title="Second moments add up paths in quadrature",
    source="ours, beyond arXiv:2602.16837",
    remark="Only paths through the same steps and heads add up before they are squared.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        scale("one kernel"), lose("one kernel"), shift("one kernel", "hops", 1, -1), scale("one more step"),
        lose("one more step"), turn("nonnegative"),
    ),
)  # fmt: skip
