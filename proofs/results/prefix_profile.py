"""U3, any prefix kernel in closed form: an entry of the rollout is a divided difference.

    z_k = W_k / w_k,   g(z) = prod_{t <= T} (1 - lambda_t + lambda_t / z)

    P^(T)_ij = (-1)^{i-j} (prod_{k=j+1}^i W_{k-1} / w_k) g[z_j, ..., z_i]        for j <= i;  the profile is row i = n

The same weights w > 0 in all layers; nothing is asked of the coefficients.  Identity, for every n, T and row.

g[z_j, ..., z_i] is defined by the Leibniz rule over the factors of g (see "divided difference"), so the nodes may
coincide.  That it is the divided difference of g is proved beside it, for any positive nodes z:

    g[z_i] = g(z_i)        (z_i - z_j) g[z_j, ..., z_i] = g[z_{j+1}, ..., z_i] - g[z_j, ..., z_{i-1}]    for j < i

For nodes that differ these two are the usual recursive definition.  What the Leibniz rule makes is a polynomial in the
1 / z_k, so continuous in positive nodes; hence where nodes coincide it is the limit, the confluent divided difference.

Source: ours, beyond arXiv:2602.16837.  Exact here: everything.  Numeric here: nothing.  Not covered: averages of heads,
weights that differ between layers, content.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from numeric.strategies import prefix_weights
from proofs.case import Case
from proofs.draws import for_each, sizes_within
from proofs.lemmas.difference_steps import (
    equal_ends,
    one_node,
    recursion,
    recursion_at_every_depth,
    scaled_rollout,
    values_at_one_node,
)
from proofs.lemmas.prefix_difference_steps import (
    DIFFERENCE,
    ROLLOUT,
    lam,
    products_between,
    ratios,
    rollout_at_every_depth,
    w,
)
from proofs.notation import (
    divided_difference,
    every,
    layer,
    n,
    positive,
    product_between,
    sign,
)
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Identity, Item, Step, item, use
from proofs.term import (
    Range,
    Relation,
    Symbol,
    as_index,
    index,
)
from proofs.twins import add, scale, shift

z = Symbol("z", 1)
i, j, T = index("i"), index("j"), index("T")
product = product_between(ratios, j + 1, i)
closed_form = Relation("=", ROLLOUT("T", "i", "j"), sign(i - j) * product * DIFFERENCE("T", "j", "i"))

claim = Claim(
    symbols=(w, lam, z),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(("weights", positive(w)), ("nodes", positive(z))),
    parts=(
        Part("rollout", ("weights",), every("j", 1, n, every("i", j, n, closed_form))),
        Part("one node", (), one_node(lam, z, T)),
        Part("several nodes", ("nodes",), recursion(layer(divided_difference(lam, z), "T"), z)),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


def at_depth_T(part: str, *cited: Item) -> Step:  # noqa: N802 - T is the depth
    """The part from what is known at every depth."""
    return claim.proof(part, Step("depth T", claim.part(part).asserts, Identity(cited)))


derivation = (
    *products_between(),
    equal_ends,
    scaled_rollout(),
    rollout_at_every_depth(),
    values_at_one_node(lam, z),
    recursion_at_every_depth("several nodes, every depth", lam, z),
    at_depth_T(
        "rollout",
        item(use("rollout, every depth", T, "i", "j", given=("weights",))),
        item(use("signs", "j", "i"), times=DIFFERENCE("T", "j", "i")),
    ),
    at_depth_T("one node", item(use("one node, every depth", T, "i"))),
    at_depth_T("several nodes", item(use("several nodes, every depth", T, "j", "i", given=("nodes",)))),
    claim.finish("profile"),
)

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Positive weights and nodes, half of the time such that many nodes coincide."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        parts = st.tuples(
            prefix_weights(positions), prefix_weights(positions), mixing_coefficients(depth), st.booleans()
        )
        return parts.map(lambda d: _case_from(positions, depth, d))

    return for_each(sizes_within(5, 4), draw)


def _case_from(positions: int, depth: int, d: tuple[Any, ...]) -> Case:
    weights, values, coefficients, coincident = d
    if coincident:  # z_k in {2, 3} for k >= 2: w_k = W_{k-1} / (z_k - 1)
        few = [1 + (x > 1) for x in weights[1:]]
        sums = list(accumulate(few, lambda total, gap: total * (1 + Fraction(1, gap)), initial=weights[0]))
        weights = (weights[0], *(total / gap for total, gap in zip(sums, few, strict=False)))
        values = tuple(1 + (x > 1) for x in values)
    return Case.of(positions, {"T": depth}, w=weights, lambda_=coefficients, z=values)


needed = (
    Needed(
        "weights", Case.of(2, {"T": 1}, w=[1, 0], lambda_=[1], z=[1, 1]),
        "w = (1, 0): row 2 reads token 1 alone, and the ratio W_1 / w_2 is lost",
    ),
    Needed(
        "nodes", Case.of(2, {"T": 1}, w=[1, 1], lambda_=[1], z=[0, 1]),
        "z = (0, 1), where 1 / z is not defined",
    ),
)  # fmt: skip

statement = Statement(
    id="U3",
    title="Rollouts of prefix kernels are divided differences",
    source="ours, beyond arXiv:2602.16837",
    remark="Nodes coincide for weights such as (1, 1, 2, 4), whose W_k / w_k are 1, 2, 2, 2.",
    cites=("opitz1964",),
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        scale("rollout"), shift("rollout", "sign", 0, 1), shift("rollout", "divided difference", 1, 1),
        scale("one node"), shift("one node", "accumulated", 0, -1),
        scale("several nodes"), add("several nodes"),
    ),
)  # fmt: skip
