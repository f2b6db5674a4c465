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

Source of the objects: arXiv:2602.16837.
"""

from __future__ import annotations

from dataclasses import dataclass

from proofs.term import (
    Apply,
    Bracket,
    Fn,
    Index,
    Lambda,
    Op,
    Reciprocal,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = [
    "DEFINITIONS",
    "IDENTITY",
    "Definition",
    "accumulated",
    "arity",
    "attention",
    "attention_total",
    "average",
    "blend",
    "content",
    "content_total",
    "cumulative",
    "distance",
    "distance_sum",
    "image",
    "last_position",
    "layer",
    "n",
    "prefix",
    "prefix_heads",
    "product",
    "rollout",
    "row_recursion",
    "row_step",
    "scaled_diagonal",
    "tail",
    "token_transition",
    "transition",
    "up_to_diagonal",
    "zero_one",
]


n = index("n")


@dataclass(frozen=True)
class Definition:
    """What an operator means: ``body`` at its indices; ``base`` makes it recursive in the first of them."""

    name: str
    fns: tuple[Symbol, ...]
    params: tuple[str, ...]
    body: Term
    base: Term | None = None


def zero_one(left: Index | int | str, right: Index | int | str) -> Bracket:
    """The bracket [left = right]."""
    a, b = as_index(left), as_index(right)
    return Bracket(((a, b), (b, a)))


# --- operators ------------------------------------------------------------------------------------

_i, _j, _k, _l, _t, _h, _T = (index(v) for v in ("i", "j", "k", "l", "t", "h", "T"))
_A, _R, _P = Symbol("A", 2), Symbol("R", 2), Symbol("P", 2)
_layers = Symbol("R", 3)
_w, _e, _a, _s = Symbol("w", 1), Symbol("e", 1), Symbol("a", 1), Symbol("s", 2)
_alpha, _wh = Symbol("alpha", 2), Symbol("w", 3)
_family, _lam = Symbol("A", 3), Symbol("lambda", 1)
_v, _f, _x, _c = (Symbol(name, 1) for name in ("v", "f", "x", "c"))


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


def layer(family: Fn, t: Index | int | str) -> Lambda:
    """The kernel of a family at ``t``: A_t, R_t, P^(T)."""
    return Lambda(("i", "j"), Apply(family, (as_index(t), _i, _j)))


def row_step(vector: Fn, layers: Fn, t: Index) -> Lambda:
    """The row vector v R_t."""
    return Lambda(("j",), total("l", 1, n, vector("l") * layers(t, "l", "j")))


last_position = Lambda(("i",), zero_one("i", n))

DEFINITIONS: dict[str, Definition] = {
    d.name: d
    for d in (
        Definition("identity", (), ("i", "j"), zero_one("i", "j")),
        Definition(
            "transition", (_lam, _family), ("t", "i", "j"),
            (as_term(1) - _lam("t")) * zero_one("i", "j") + _lam("t") * _family("t", "i", "j"),
        ),
        Definition(
            "token transition", (_lam, _A), ("i", "j"),
            (as_term(1) - _lam("i")) * zero_one("i", "j") + _lam("i") * _A("i", "j"),
        ),
        Definition("product", (_R, _P), ("i", "j"), total("l", 1, n, _R("i", "l") * _P("l", "j"))),
        Definition(
            "rollout", (_layers,), ("T", "i", "j"),
            total("l", 1, n, _layers(_T + 1, "i", "l") * rollout(_layers)("T", "l", "j")), base=zero_one("i", "j"),
        ),
        Definition("tail", (_A,), ("i", "k"), total("j", _k, n, _A("i", "j"))),
        Definition(
            "row recursion", (_v, _layers), ("T", "j"),
            row_recursion(row_step(_v, _layers, _T + 1), _layers)("T", "j"), base=_v("j"),
        ),
        Definition("image", (_A, _f), ("i",), total("j", 1, n, _A("i", "j") * _f("j"))),
        Definition(
            "average", (Symbol("alpha", 1), _family), ("H", "i", "j"),
            total("h", 1, "H", Symbol("alpha", 1)("h") * _family("h", "i", "j")),
        ),
        Definition(
            "blend", (_c, _layers, Symbol("S", 3)), ("t", "i", "j"),
            (as_term(1) - _c("t")) * _layers("t", "i", "j") + _c("t") * Symbol("S", 3)("t", "i", "j"),
        ),
        Definition("cumulative", (_w,), ("i",), total("l", 1, _i, _w("l"))),
        Definition("prefix", (_w,), ("i", "j"), up_to_diagonal("i", "j") * _w("j") * Reciprocal(cumulative(_w)("i"))),
        Definition("content total", (_w, _e), ("i",), total("l", 1, _i - 1, _w("l")) + _e("i") * _w("i")),
        Definition(
            "content", (_w, _e), ("i", "j"),
            up_to_diagonal("i", "j") * _w("j") * (as_term(1) + zero_one("i", "j") * (_e("i") - 1))
            * Reciprocal(content_total(_w, _e)("i")),
        ),
        Definition("distance sum", (_a,), ("r",), total("d", 0, index("r") - 1, _a("d"))),
        Definition(
            "distance", (_a,), ("i", "j"),
            up_to_diagonal("i", "j") * _a(_i - _j) * Reciprocal(distance_sum(_a)("i")),
        ),
        Definition("attention total", (_s,), ("i",), total("l", 1, _i, _s("i", "l"))),
        Definition(
            "attention", (_s,), ("i", "j"),
            up_to_diagonal("i", "j") * _s("i", "j") * Reciprocal(attention_total(_s)("i")),
        ),
        Definition(
            "scaled diagonal", (_s, _e), ("i", "j"),
            _s("i", "j") * (as_term(1) + zero_one("i", "j") * (_e("i") - 1)),
        ),
        Definition(
            "prefix heads", (_alpha, _wh), ("H", "t", "i", "j"),
            total("h", 1, "H", _alpha("t", "h") * prefix(Lambda(("j",), _wh("t", "h", "j")))("i", "j")),
        ),
        Definition("accumulated", (_x,), ("T",), _x(_T + 1) * accumulated(_x)("T"), base=as_term(1)),
    )
}  # fmt: skip


def arity(fn: Fn) -> int:
    """The number of indices a function takes."""
    match fn:
        case Symbol():
            return fn.arity
        case Lambda():
            return len(fn.params)
        case Op():
            return len(DEFINITIONS[fn.name].params)
    raise TypeError(f"Argument 'fn' must be a function of indices, not {fn!r}.")
