"""The objects of the theory, defined down to kernel entries.

Each operator is one definition: the value at its indices, in the language of term.py.  A recursive one gives its
value at 0 and its value at T + 1 in terms of its value at T.  The checker unfolds these definitions and nothing
else, so a claim means what is written here.  ``n`` (the number of positions, at least
1) is the one global index.

    identity            I_ij = [i = j]
    transition          R_t = (1 - lambda_t) I + lambda_t A_t
    product             (R P)_ij = sum_l R_il P_lj
    rollout             P^(0) = I,  P^(T+1) = R_{T+1} P^(T)
    tail                F_A(i, k) = sum_{j >= k} A_ij
    row recursion       v^(0) = v,  then v <- v R_t for t = T, ..., 1
    image               (A f)_i = sum_j A_ij f_j
    average             sum_h alpha_h A_h
    accumulated product prod_{t <= T} x_t
    prefix              A_ij = w_j / W_i for j <= i,  W_i = w_1 + ... + w_i
    content             the prefix kernel with the diagonal weight of row i multiplied by e_i
    distance            A_ij = a_{i-j} / B_i for j <= i,  B_r = a_0 + ... + a_{r-1}
    attention           A_ij = s_ij / (s_i1 + ... + s_ii) for j <= i
    power               A^0 = I,  A^{k+1} = A A^k
    hops                P(K_T = k), where K_T counts successes of independent trials with chances lambda_1..lambda_T
    complete            h_m(u_j, ..., u_i), the complete homogeneous symmetric polynomial of degree m
    divided difference  g[z_j, ..., z_i] of g(z) = prod_{t <= T} (1 - lambda_t + lambda_t / z), by the Leibniz rule
    divided product     [theta_j, ..., theta_i] prod_{r <= m} (x_r + y_r z)
    number, sign        k and (-1)^k, as values
    binomial            C(m, k), by Pascal's rule

Source of the objects: arXiv:2602.16837.
"""

from __future__ import annotations

from proofs.substitute import apply
from proofs.term import (
    Apply,
    Bracket,
    Fn,
    Index,
    Lambda,
    Op,
    as_index,
    index,
    total,
)

__all__ = [
    "IDENTITY",
    "accumulated",
    "attention",
    "attention_total",
    "average",
    "binomial",
    "blend",
    "complete",
    "content",
    "content_total",
    "cumulative",
    "distance",
    "distance_sum",
    "divided_difference",
    "divided_product",
    "hops",
    "image",
    "last_position",
    "layer",
    "n",
    "number",
    "power",
    "prefix",
    "prefix_heads",
    "product",
    "product_between",
    "rollout",
    "row_recursion",
    "row_step",
    "scaled_diagonal",
    "sign",
    "tail",
    "threshold_maps",
    "token_transition",
    "transition",
    "up_to_diagonal",
    "zero_one",
]

_i, _j = index("i"), index("j")


n = index("n")


def zero_one(left: Index | int | str, right: Index | int | str) -> Bracket:
    """The bracket [left = right]."""
    a, b = as_index(left), as_index(right)
    return Bracket(((a, b), (b, a)))


# --- operators ------------------------------------------------------------------------------------


def cumulative(weights: Fn) -> Op:
    """W_i = w_1 + ... + w_i."""
    return Op("cumulative", (weights,))


def prefix(weights: Fn) -> Op:
    """The prefix kernel A_ij = w_j / W_i for j <= i."""
    return Op("prefix", (weights,))


def content(weights: Fn, factors: Fn) -> Op:
    """The prefix kernel with diagonal weights multiplied by e_i: w_j / Z_i, and e_i w_i / Z_i on the diagonal."""
    return Op("content", (weights, factors))


def content_total(weights: Fn, factors: Fn) -> Op:
    """Z_i = w_1 + ... + w_{i-1} + e_i w_i."""
    return Op("content total", (weights, factors))


def distance(weights: Fn) -> Op:
    """The distance kernel A_ij = a_{i-j} / B_i for j <= i."""
    return Op("distance", (weights,))


def distance_sum(weights: Fn) -> Op:
    """B_r = a_0 + ... + a_{r-1}."""
    return Op("distance sum", (weights,))


def attention(scores: Fn) -> Op:
    """The kernel A_ij = s_ij / (s_i1 + ... + s_ii) for j <= i."""
    return Op("attention", (scores,))


def attention_total(scores: Fn) -> Op:
    """The row total s_i1 + ... + s_ii."""
    return Op("attention total", (scores,))


def scaled_diagonal(scores: Fn, factors: Fn) -> Op:
    """The scores with the diagonal multiplied by e_i."""
    return Op("scaled diagonal", (scores, factors))


def threshold_maps(levels: Fn, kernel: Fn) -> Op:
    """[u_r <= F_A(i, j)] - [u_r <= F_A(i, j + 1)]: row i reads the last j whose tail reaches u_r; indices (r, i, j)."""
    return Op("threshold maps", (levels, kernel))


def prefix_heads(head_weights: Fn, weights: Fn) -> Op:
    """sum_{h=1}^H alpha_{t,h} A_{w_{t,h}}, the average of the heads of layer t: indices (H, t, i, j)."""
    return Op("prefix heads", (head_weights, weights))


def up_to_diagonal(i: Index | int | str, j: Index | int | str) -> Bracket:
    """The bracket [j <= i]."""
    return Bracket(((as_index(j), as_index(i)),))


IDENTITY = Op("identity", ())


def transition(lam: Fn, kernels: Fn) -> Op:
    """R_t = (1 - lambda_t) I + lambda_t A_t, as a family of kernels: indices (t, i, j)."""
    return Op("transition", (lam, kernels))


def token_transition(lam: Fn, kernel: Fn) -> Op:
    """R_ij = (1 - lambda_i) [i = j] + lambda_i A_ij: a coefficient for each token."""
    return Op("token transition", (lam, kernel))


def product(upper: Fn, lower: Fn) -> Op:
    """The kernel R P: first P (nearer the input), then R."""
    return Op("product", (upper, lower))


def rollout(layers: Fn) -> Op:
    """P^(T) = R_T ... R_1 of a family of transitions: indices (T, i, j)."""
    return Op("rollout", (layers,))


def tail(kernel: Fn) -> Op:
    """F_A(i, k), the mass that row i puts on positions k, k + 1, ..., n."""
    return Op("tail", (kernel,))


def row_recursion(vector: Fn, layers: Fn) -> Op:
    """v R_T ... R_1, one vector-kernel product at a time from the top: indices (T, j)."""
    return Op("row recursion", (vector, layers))


def image(kernel: Fn, function: Fn) -> Op:
    """A f, the function i -> sum_j A_ij f_j."""
    return Op("image", (kernel, function))


def average(weights: Fn, kernels: Fn) -> Op:
    """sum_{h=1}^H alpha_h A_h of a family of kernels: indices (H, i, j)."""
    return Op("average", (weights, kernels))


def blend(weights: Fn, first: Fn, second: Fn) -> Op:
    """(1 - c_t) R_t + c_t S_t, a family between two families: indices (t, i, j)."""
    return Op("blend", (weights, first, second))


def accumulated(factors: Fn) -> Op:
    """prod_{t=1}^T x_t: index T."""
    return Op("accumulated", (factors,))


def power(kernel: Fn) -> Op:
    """A^k = A ... A of one kernel: indices (k, i, j)."""
    return Op("power", (kernel,))


def hops(lam: Fn) -> Op:
    """P(K_T = k), K_T the number of successes of T independent trials with chances lambda_t (the Poisson-binomial
    law): indices (T, k).
    """
    return Op("hops", (lam,))


def complete(values: Fn) -> Op:
    """h_m(u_j, ..., u_i), the complete homogeneous symmetric polynomial: h_0 = 1, h_{m+1}(u_j, ..., u_i) =
    sum_{l=j}^i u_l h_m(u_j, ..., u_l); indices (m, j, i).
    """
    return Op("complete", (values,))


def divided_difference(lam: Fn, nodes: Fn) -> Op:
    """g[z_j, ..., z_i] of g(z) = prod_{t<=T} (1 - lambda_t + lambda_t / z), by the Leibniz rule, factor by factor: the
    nodes may coincide; indices (T, j, i).
    """
    return Op("divided difference", (lam, nodes))


def product_between(factors: Fn, low: Index | int | str, high: Index | int | str) -> Apply:
    """x_low ... x_high; 1 where high = low - 1."""
    first = as_index(low)
    shifted = Lambda(("r",), apply(factors, (first + index("r") - 1,)))
    return accumulated(shifted)(as_index(high) - first + 1)


def divided_product(nodes: Fn, constants: Fn, slopes: Fn) -> Op:
    """The divided difference [theta_j, ..., theta_i] of prod_{r=1}^m (x_r + y_r z), nodes that coincide included,
    by the Leibniz rule for one factor more; indices (m, j, i).
    """
    return Op("divided product", (nodes, constants, slopes))


def number(k: Index | int | str) -> Apply:
    """The value of an index k >= 0."""
    return Op("number", ())(k)


def sign(k: Index | int | str) -> Apply:
    """(-1)^k, for an index k >= 0."""
    return Op("sign", ())(k)


def binomial(m: Index | int | str, k: Index | int | str) -> Apply:
    """C(m, k), for m >= 0; 0 unless 0 <= k <= m."""
    return Op("binomial", ())(m, k)


def layer(family: Fn, t: Index | int | str) -> Lambda:
    """The kernel of a family at ``t``: A_t, R_t, P^(T)."""
    return Lambda(("i", "j"), Apply(family, (as_index(t), _i, _j)))


def row_step(vector: Fn, layers: Fn, t: Index) -> Lambda:
    """The row vector v R_t."""
    return Lambda(("j",), total("l", 1, n, vector("l") * layers(t, "l", "j")))


last_position = Lambda(("i",), zero_one("i", n))
