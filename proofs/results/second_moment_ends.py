"""Q3, the two ends of second moments: MLPs that treat all positions alike, and MLPs that decorrelate them.

    attend(Y) = Y + sum_h nu_h alpha_h^T Y alpha_h;    a layer: first the MLP, then attention
    alike (kappa = 1, one m):     G_t = attend((1 + eta_t) G_{t-1}),  B_t = attend(B_{t-1}):  G_T = prod (1 + eta_t) B_T
    decorrelated (kappa = I):      E_t = attend(E_{t-1} o (1 + mu_t I))
    the diagonal's own recursion:  v_t(j) = (1 + mu_t(j)) v(j) + sum_h nu_h sum_k alpha_h(k, j)^2 (1 + mu_t(k)) v(k)
    v_T(j) <= E_T(j, j),    sum_j (E_T(j, j) - v_T(j))  <=  prod_t (1 + S_t) (1 + eta_t)  sum_t 1 / (1 + eta_t)
    squared prefix kernels:  A_ij^2 = w_j^2 / W_i^2 for j <= i

with mu = m^2, eta where it is one for all positions, S_t = sum_h nu_h.  So MLPs that treat positions alike cancel in
every ratio.  The diagonal alone is exact if each MLP erases what is off it.  MLPs that merely decorrelate leave that as
it is: it is small beside the diagonal where eta is large, since prod (1 + eta_t) <= v_T(n), but with eta fixed it does
not die out in depth, for each attention feeds it anew.  Start: e_n e_n^T.  A squared prefix
kernel has the squared weights, so v costs O(n) a head and ALiBi's slope is doubled.
Source: ours, beyond arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: kappa between the ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import prefix_weights
from proofs.case import Case, Entries, Table
from proofs.cases.moment_recursions import (
    Matrix,
    Row,
    after_attention,
    after_mlp,
    few_sizes,
    first_moments,
    numbers,
    sizes_of,
    uncorrelated,
)
from proofs.draws import families, for_each
from proofs.lemmas.second_moment_ends_steps import (
    E,
    attended,
    below,
    decoupled,
    diagonal,
    eta,
    lower_steps,
    mu,
    nu,
    of_position,
    spike,
    spike_steps,
    v,
)
from proofs.lemmas.second_moment_excess_steps import excess, upper_steps
from proofs.lemmas.second_moment_steps import G, H, T, alpha, at_least_0, entries, up_to
from proofs.notation import accumulated, cumulative, every, layers, n, prefix, up_to_diagonal, zero_one
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Chain, Identity, Induction, Step, item, use
from proofs.term import (
    Formula,
    Index,
    Lambda,
    Range,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)
from proofs.twins import scale, turn

B, Z, w = Symbol("B", 3), Symbol("Z", 3), Symbol("w", 1)
h, i, j, k, l, s, t = (index(name) for name in ("h", "i", "j", "k", "l", "s", "t"))  # noqa: E741
ONE = as_term(1)
now = s + 1
growth = accumulated(Lambda(("t",), ONE + eta("t")))


def attends(moved: Symbol, between: Term) -> Formula:
    """Each layer of a family is what attention makes of ``between``, at (k, l)."""
    return layers(1, "T", entries(Relation("=", moved("t", "i", "j"), attended("t", Lambda(("k", "l"), between)))))


def cancelled(depth: Index | int | str) -> Formula:
    """G = prod_t (1 + eta_t) B."""
    return entries(Relation("=", G(depth, "i", "j"), growth(depth) * B(depth, "i", "j")))


def alone(depth: Index | int | str) -> Formula:
    """Z(j, j) = v(j)."""
    return every("j", 1, n, Relation("=", Z(depth, "j", "j"), v(depth, "j")))


def of_maps(body: Formula) -> Formula:
    """For every layer and head."""
    return layers(1, "T", every("h", 1, H, body))


BOUNDED = (
    "start", "decoupled", "diagonal start", "diagonal", "moments nonnegative", "weights nonnegative",
    "gates nonnegative",
)  # fmt: skip
of_row = Reciprocal(cumulative(w)("i"))

claim = Claim(
    symbols=(nu, alpha, eta, G, B, mu, E, Z, v, w),
    indices=(Range("T", as_index(0), None), Range("H", as_index(1), None)),
    hypotheses=(
        ("same start", entries(Relation("=", G(0, "i", "j"), B(0, "i", "j")))),
        ("alike", attends(G, G(t - 1, "k", "l") * (ONE + eta("t")))),
        ("no MLP", attends(B, B(t - 1, "k", "l"))),
        ("erased start", every("j", 1, n, Relation("=", Z(0, "j", "j"), zero_one("j", n)))),
        ("erased", attends(Z, Z(t - 1, "k", "l") * zero_one("k", "l") * (ONE + mu("t", "k")))),
        ("start", entries(Relation("=", E(0, "i", "j"), zero_one("i", n) * zero_one("j", n)))),
        ("decoupled", decoupled(of_position)),
        ("diagonal start", every("j", 1, n, Relation("=", v(0, "j"), zero_one("j", n)))),
        ("diagonal", diagonal(of_position)),
        ("moments nonnegative", of_maps(at_least_0(nu("t", "h")))),
        ("weights nonnegative", of_maps(entries(at_least_0(alpha("t", "h", "i", "j"))))),
        ("gates nonnegative", layers(1, "T", every("j", 1, n, at_least_0(mu("t", "j"))))),
        ("equal gates", layers(1, "T", every("j", 1, n, Relation("=", mu("t", "j"), eta("t"))))),
        ("rows", of_maps(every("i", 1, n, Relation("<=", total("j", 1, n, alpha("t", "h", "i", "j")), ONE)))),
    ),
    parts=(
        Part("alike", ("same start", "alike", "no MLP"), cancelled("T")),
        Part("diagonal alone", ("erased start", "erased", "diagonal start", "diagonal"), alone("T")),
        Part("at least the diagonal", BOUNDED, below("T")),
        Part("little more", (*BOUNDED, "equal gates", "rows"), excess("T")),
        Part("spike", ("diagonal start", "diagonal", "moments nonnegative", "gates nonnegative"), spike("T")),
        Part("squared prefix kernel", (), entries(Relation(
            "=", prefix(w)("i", "j") * prefix(w)("i", "j"),
            up_to_diagonal("i", "j") * w("j") * w("j") * of_row * of_row,
        ))),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

through = alpha(now, "h", "k", "i") * alpha(now, "h", "l", "j") * nu(now, "h")
met = (("h", 1, H), ("k", 1, n), ("l", 1, n))
factor = ONE + eta(now)
own = alpha(now, "h", "k", "j") * alpha(now, "h", "k", "j") * nu(now, "h") * (ONE + mu(now, "k"))

derivation = (
    claim.proof(
        "alike",
        Step("every depth", up_to("T", cancelled("s")), Induction(
            "so far",
            base=(Step("no layer", cancelled(0), Chain((use("same start", "i", "j"),))),),
            step=(Step("one more", cancelled(now), Identity((
                item(use("alike", now, "i", "j")),
                item(use("so far", "i", "j"), times=factor),
                item(use("so far", "k", "l"), times=factor * through, over=met),
                item(use("no MLP", now, "i", "j"), times=-(growth("s") * factor)),
            ))),),
        )),
        Step("depth T", cancelled("T"), Chain((use("every depth", T, "i", "j"),))),
    ),
    claim.proof(
        "diagonal alone",
        Step("every depth", up_to("T", alone("s")), Induction(
            "so far",
            base=(Step("no layer", alone(0), Identity((
                item(use("erased start", "j")), item(use("diagonal start", "j"), times=-1),
            ))),),
            step=(Step("one more", alone(now), Identity((
                item(use("erased", now, "j", "j")),
                item(use("diagonal", now, "j"), times=-1),
                item(use("so far", "j"), times=ONE + mu(now, "j")),
                item(use("so far", "k"), times=own, over=(("h", 1, H), ("k", 1, n))),
            ))),),
        )),
        Step("depth T", alone("T"), Chain((use("every depth", T, "j"),))),
    ),
    claim.proof(
        "at least the diagonal", *lower_steps(), Step("depth T", below("T"), Chain((use("below", T, "j"),)))
    ),
    claim.proof("spike", *spike_steps()),
    claim.proof("little more", *lower_steps(), *upper_steps()),
    Step("squared prefix kernel", claim.part("squared prefix kernel").asserts, Identity()),
    claim.finish("two ends"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Kernels, m equal in each layer or not."""

    def draw(size: tuple[int, int, int]) -> SearchStrategy[Case]:
        positions, depth, heads = size
        parts = st.tuples(
            families(positions, 2 * depth),
            numbers(depth * (positions + 2)),
            prefix_weights(positions),
            st.sampled_from((True, True, False)),
        )
        return parts.map(lambda d: drawn(positions, depth, heads, *d))

    def drawn(size: int, depth: int, heads: int, kernels: Sequence[Matrix], x: Row, weights: Row, equal: bool) -> Case:
        gates = [sizes_of([x[t * size + (0 if equal else j)] for j in range(size)]) for t in range(depth)]
        moments = [sizes_of(x[depth * size :][2 * t : 2 * t + heads]) for t in range(depth)]
        return _case(size, [kernels[2 * t : 2 * t + heads] for t in range(depth)], moments, gates, w=weights)

    return for_each(few_sizes(), draw)


def _case(size: int, kernels: Sequence[Sequence[Matrix]], moments: Matrix, gates: Matrix, **changed: Entries) -> Case:
    """The case with every family by its recursion; eta is the first gate of a layer."""
    places = range(size)

    def stacked(factor: Callable[[int, int, int], Fraction | int]) -> list[list[list[Fraction]]]:
        moved = [first_moments(size)]
        for t, (layer, second) in enumerate(zip(kernels, moments, strict=True)):
            met = after_mlp(moved[-1], [[factor(t, i, j) for j in places] for i in places])
            moved.append(after_attention(met, layer, uncorrelated(second)))
        return moved

    erased = stacked(lambda t, i, j: (i == j) * (1 + gates[t][i]))
    from_0: dict[str, Entries] = {
        "G": stacked(lambda t, i, j: 1 + gates[t][0]), "B": stacked(lambda t, i, j: 1), "Z": erased,
        "E": stacked(lambda t, i, j: 1 + (i == j) * gates[t][i]), "v": [[x[i][i] for i in places] for x in erased],
    }  # fmt: skip
    eta = [row[0] for row in gates]
    tables: dict[str, Entries] = {
        "nu": moments, "alpha": kernels, "eta": eta, "mu": gates, "w": [1] * size, **from_0, **changed
    }  # fmt: skip
    indices = {"T": len(kernels), "H": max((len(layer) for layer in kernels), default=1)}
    return Case.of(size, indices, **{x: Table(e, (0,)) if x in from_0 else e for x, e in tables.items()})


def _one(**changed: Entries) -> Case:
    """One position, one layer, nu = alpha = eta = 1: G and E go from 1 to 4, B to 2."""
    return _case(1, [[[[1]]]], [[1]], [[1]], **changed)


def _two(first: Matrix, second: Matrix, moments: Row, gates: Row, **changed: Entries) -> Case:
    """Two positions; the identity after two layers."""
    depth = len(moments)
    kernels: list[list[Matrix]] = [[first], [second], [((1, 0), (0, 1))]]
    return _case(2, kernels[:depth], [[x] for x in moments], [[x] * 2 for x in gates], **changed)


_uniform = ((1, 0), (Fraction(1, 2), Fraction(1, 2)))
needed = (
    Needed("same start", _one(G=[[[2]], [[8]]]), "G starts at 2, B at 1"),
    Needed("alike", _one(G=[[[1]], [[1]]]), "G stays 1"),
    Needed("no MLP", _one(B=[[[1]], [[1]]]), "B stays 1"),
    Needed("erased start", _one(Z=[[[2]], [[8]]]), "Z starts at 2"),
    Needed("erased", _one(Z=[[[1]], [[1]]]), "Z stays 1"),
    Needed("start", _one(E=[[[0]], [[0]]]), "E starts at 0"),
    Needed("decoupled", _one(E=[[[1]], [[1]]]), "E stays 1 where v is 4"),
    Needed("diagonal start", _one(v=[[2], [8]]), "v starts at 2"),
    Needed("diagonal", _one(v=[[1], [5]]), "v goes to 5"),
    Needed("moments nonnegative", _two(_uniform, _uniform, [1, -1], [0, 0]), "s^2 = 1, then -1"),
    Needed("weights nonnegative", _two(_uniform, ((-1, 0), (1, 0)), [1, 1], [0, 0]), "row 1 reads with weight -1"),
    Needed("gates nonnegative", _two(_uniform, _uniform, [1, 1, 0], [0, 0, -3]), "m^2 = -3: 1 + m^2 is -2"),
    Needed("equal gates", _two(_uniform, _uniform, [1, 1], [0, 0], eta=[-1, -1]), "eta = -1 where m^2 is 0"),
    Needed("rows", _two(((1, 0), (3, 3)), ((1, 0), (3, 3)), [1, 1], [0, 0]), "a row that sums to 6"),
)

statement = Statement(
    id="Q3",
    title="Gates alike cancel, gates apart leave the diagonal",
    source="ours, beyond arXiv:2602.16837",
    remark="With m fixed, what is off the diagonal stays a share of it at every depth.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        scale("alike"), scale("diagonal alone"), turn("at least the diagonal"), turn("little more"),
        scale("little more", 0), turn("spike"), scale("squared prefix kernel"),
    ),
)  # fmt: skip
