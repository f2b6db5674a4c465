"""The objects of the theory, defined down to kernel entries, and the properties that hypotheses speak of.

Each operator is one definition: the value at its indices, in the language of term.py.  A recursive one gives its
value at 0 and its value at T + 1 in terms of its value at T.  Each property is one formula.  The checker unfolds
these definitions and nothing else, so a claim means what is written here.  ``n`` (the number of positions, at least
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

Source of the objects: arXiv:2602.16837.
"""

from __future__ import annotations

from dataclasses import dataclass

from proofs.substitute import substitute
from proofs.term import (
    And,
    Apply,
    Bracket,
    Fn,
    ForAll,
    Formula,
    Holds,
    Index,
    Lambda,
    Op,
    Range,
    Relation,
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
    "PROPERTIES",
    "Definition",
    "Property",
    "accumulated",
    "arity",
    "average",
    "below",
    "blend",
    "causal",
    "every",
    "image",
    "last_position",
    "layer",
    "layers",
    "mixing",
    "monotone",
    "n",
    "nondecreasing",
    "product",
    "rollout",
    "row_recursion",
    "row_step",
    "stochastic",
    "tail",
    "token_transition",
    "transition",
    "unfold_property",
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


@dataclass(frozen=True)
class Property:
    """What a property of functions means, and how it reads."""

    name: str
    fns: tuple[Symbol, ...]
    params: tuple[str, ...]
    body: Formula
    reads: str


def zero_one(left: Index | int | str, right: Index | int | str) -> Bracket:
    """The bracket [left = right]."""
    a, b = as_index(left), as_index(right)
    return Bracket(((a, b), (b, a)))


def every(var: str, low: Index | int, high: Index | int | None, body: Formula) -> ForAll:
    """For every ``low <= var <= high``."""
    return ForAll(Range(var, as_index(low), None if high is None else as_index(high)), body)


# --- operators ------------------------------------------------------------------------------------

_i, _j, _k, _l, _t, _h, _T = (index(v) for v in ("i", "j", "k", "l", "t", "h", "T"))
_A, _R, _P = Symbol("A", 2), Symbol("R", 2), Symbol("P", 2)
_layers = Symbol("R", 3)
_family, _lam = Symbol("A", 3), Symbol("lambda", 1)
_v, _f, _x, _c = (Symbol(name, 1) for name in ("v", "f", "x", "c"))

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


# --- properties -----------------------------------------------------------------------------------


def causal(kernel: Fn) -> Holds:
    """A is a causal kernel: entries nonnegative, zero above the diagonal, rows summing to 1."""
    return Holds("causal", (kernel,))


def stochastic(kernel: Fn) -> Holds:
    """A is a kernel that may read the future: entries nonnegative, rows summing to 1."""
    return Holds("stochastic", (kernel,))


def monotone(kernel: Fn) -> Holds:
    """A is stochastically monotone: F_A(i, k) <= F_A(i + 1, k)."""
    return Holds("monotone", (kernel,))


def below(lower: Fn, upper: Fn) -> Holds:
    """A ≼ B: every tail of every row of A is at most that of B ("B is more recent")."""
    return Holds("below", (lower, upper))


def nondecreasing(function: Fn) -> Holds:
    """f_l <= f_{l + 1}."""
    return Holds("nondecreasing", (function,))


def mixing(lam: Fn, layers: Index | int | str) -> Holds:
    """0 <= lambda_t <= 1 for t = 1, ..., layers."""
    return Holds("mixing", (lam,), (as_index(layers),))


def layers(low: Index | int, high: Index | int | str, body: Formula) -> ForAll:
    """For every layer t from ``low`` to ``high``."""
    return every("t", low, as_index(high), body)


_nonnegative = every("i", 1, n, every("j", 1, n, Relation("<=", as_term(0), _A("i", "j"))))
_rows = every("i", 1, n, Relation("=", total("j", 1, n, _A("i", "j")), as_term(1)))
_mask = every("i", 1, n, every("j", _i + 1, n, Relation("=", _A("i", "j"), as_term(0))))
_unit = every("t", 1, index("T"), Relation("<=", as_term(0), _lam("t")))
_upper = every("t", 1, index("T"), Relation("<=", _lam("t"), as_term(1)))

PROPERTIES: dict[str, Property] = {
    p.name: p
    for p in (
        Property(
            "causal", (_A,), (), And((("nonnegative", _nonnegative), ("mask", _mask), ("rows", _rows))),
            "{} is a causal kernel",
        ),
        Property("stochastic", (_A,), (), And((("nonnegative", _nonnegative), ("rows", _rows))), "{} is a kernel"),
        Property(
            "monotone", (_A,), (),
            every("i", 1, n - 1, every("k", 1, n, Relation("<=", tail(_A)("i", "k"), tail(_A)(_i + 1, "k")))),
            "{} is stochastically monotone",
        ),
        Property(
            "below", (_A, Symbol("B", 2)), (),
            every("i", 1, n, every("k", 1, n, Relation("<=", tail(_A)("i", "k"), tail(Symbol("B", 2))("i", "k")))),
            "{} precedes {}",
        ),
        Property(
            "nondecreasing", (_f,), (), every("l", 1, n - 1, Relation("<=", _f("l"), _f(_l + 1))),
            "{} is nondecreasing",
        ),
        Property(
            "mixing", (_lam,), ("T",), And((("nonnegative", _unit), ("at most one", _upper))),
            "0 <= {} <= 1 up to layer {}",
        ),
    )
}  # fmt: skip


def unfold_property(formula: Formula) -> Formula:
    """The formula with a property at its head replaced by what it means."""
    while isinstance(formula, Holds):
        meaning = PROPERTIES[formula.name]
        fns = {s.name: f for s, f in zip(meaning.fns, formula.fns, strict=True)}
        formula = substitute(meaning.body, dict(zip(meaning.params, formula.args, strict=True)), fns)
    return formula
