"""The properties that hypotheses and conclusions speak of, each one formula."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from proofs.operators import n, tail
from proofs.substitute import substitute
from proofs.term import (
    And,
    Exists,
    ExistsFn,
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Holds,
    Implies,
    Index,
    Range,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
    total,
)

__all__ = [
    "PROPERTIES",
    "Property",
    "below",
    "bounded_away",
    "causal",
    "causal_beyond",
    "distance_weights",
    "every",
    "layers",
    "mixing",
    "monotone",
    "nondecreasing",
    "positive",
    "scores",
    "settling",
    "some",
    "stochastic",
    "summable",
    "totally_positive",
    "unbounded",
    "unfold_property",
    "vanishing",
]

_A = Symbol("A", 2)
_a = Symbol("a", 1)
_f = Symbol("f", 1)
_i = index("i")
_j = index("j")
_l = index("l")
_lam = Symbol("lambda", 1)
_w = Symbol("w", 1)
_s = Symbol("s", 2)


@dataclass(frozen=True)
class Property:
    """What a property of functions means, and how it reads."""

    name: str
    fns: tuple[Symbol, ...]
    params: tuple[str, ...]
    body: Formula
    reads: str


def every(var: str, low: Index | int, high: Index | int | None, body: Formula) -> ForAll:
    """For every ``low <= var <= high``."""
    return ForAll(Range(var, as_index(low), None if high is None else as_index(high)), body)


# --- properties -----------------------------------------------------------------------------------


def causal(kernel: Fn) -> Holds:
    """A is a causal kernel: entries nonnegative, zero above the diagonal, rows summing to 1."""
    return Holds("causal", (kernel,))


def stochastic(kernel: Fn) -> Holds:
    """A is a kernel that may read the future: entries nonnegative, rows summing to 1."""
    return Holds("stochastic", (kernel,))


def causal_beyond(kernel: Fn, prefix: Index | int | str) -> Holds:
    """A is a kernel that reads no position beyond ``prefix`` before its turn: A_ij = 0 for j > max(i, prefix)."""
    return Holds("causal beyond", (kernel,), (as_index(prefix),))


def monotone(kernel: Fn) -> Holds:
    """A is stochastically monotone: F_A(i, k) <= F_A(i + 1, k)."""
    return Holds("monotone", (kernel,))


def totally_positive(kernel: Fn) -> Holds:
    """A is totally positive of order 2: A_il A_kj <= A_ij A_kl for i < k and j < l."""
    return Holds("totally positive", (kernel,))


def below(lower: Fn, upper: Fn) -> Holds:
    """A ≼ B: every tail of every row of A is at most that of B ("B is more recent")."""
    return Holds("below", (lower, upper))


def nondecreasing(function: Fn) -> Holds:
    """f_l <= f_{l + 1}."""
    return Holds("nondecreasing", (function,))


def positive(weights: Fn) -> Holds:
    """w_j > 0 for every position."""
    return Holds("positive", (weights,))


def scores(values: Fn) -> Holds:
    """s_ii > 0 and s_ij >= 0 for j <= i."""
    return Holds("scores", (values,))


def distance_weights(weights: Fn) -> Holds:
    """a_0 > 0 and a_d >= 0 for every distance."""
    return Holds("distance weights", (weights,))


def mixing(lam: Fn, layers: Index | int | str) -> Holds:
    """0 <= lambda_t <= 1 for t = 1, ..., layers."""
    return Holds("mixing", (lam,), (as_index(layers),))


def some(var: str, low: Index | int, body: Formula) -> Exists:
    """For some ``var >= low``."""
    return Exists(Range(var, as_index(low), None), body)


def vanishing(sequence: Fn) -> Holds:
    """For every eta > 0 some S >= 0 with x_T <= eta for all T >= S: nonnegative x_T tend to 0."""
    return Holds("vanishing", (sequence,))


def summable(sequence: Fn) -> Holds:
    """Some M with x_1 + ... + x_T <= M for every T: sum_t x_t is finite, for nonnegative x_t."""
    return Holds("summable", (sequence,))


def unbounded(sequence: Fn) -> Holds:
    """For every M some T >= 0 with M <= x_1 + ... + x_T: sum_t x_t is infinite, for nonnegative x_t."""
    return Holds("unbounded", (sequence,))


def settling(sequence: Fn) -> Holds:
    """For every eta > 0 some S >= 0 with x_{S+u} - x_S <= eta for all u >= 0: if -x settles too, x is Cauchy."""
    return Holds("settling", (sequence,))


def bounded_away(sequence: Fn) -> Holds:
    """Some c > 0 with c <= x_T for all T >= 0."""
    return Holds("bounded away", (sequence,))


def layers(low: Index | int, high: Index | int | str, body: Formula) -> ForAll:
    """For every layer t from ``low`` to ``high``."""
    return every("t", low, as_index(high), body)


_x = Symbol("x", 1)
_eta, _bound, _c = Symbol("eta", 0), Symbol("M", 0), Symbol("c", 0)
_nonnegative = every("i", 1, n, every("j", 1, n, Relation("<=", as_term(0), _A("i", "j"))))
_rows = every("i", 1, n, Relation("=", total("j", 1, n, _A("i", "j")), as_term(1)))
_mask = every("i", 1, n, every("j", _i + 1, n, Relation("=", _A("i", "j"), as_term(0))))
_b_mask = every("j", index("b") + 1, n, every("i", 1, _j - 1, Relation("=", _A("i", "j"), as_term(0))))
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
            "causal beyond", (_A,), ("b",), And((("nonnegative", _nonnegative), ("mask", _b_mask), ("rows", _rows))),
            "{} is a kernel, causal beyond position {}",
        ),
        Property(
            "monotone", (_A,), (),
            every("i", 1, n - 1, every("k", 1, n, Relation("<=", tail(_A)("i", "k"), tail(_A)(_i + 1, "k")))),
            "{} is stochastically monotone",
        ),
        Property(
            "totally positive", (_A,), (),
            every("i", 1, n, every("k", _i + 1, n, every("j", 1, n, every("l", index("j") + 1, n, Relation(
                "<=", _A("i", "l") * _A("k", "j"), _A("i", "j") * _A("k", "l")
            ))))),
            "{} is totally positive of order 2",
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
            "positive", (_w,), (), every("j", 1, n, Relation("<", as_term(0), _w("j"))), "{} is positive",
        ),
        Property(
            "scores", (_s,), (),
            And((
                ("diagonal", every("i", 1, n, Relation("<", as_term(0), _s("i", "i")))),
                ("nonnegative", every("i", 1, n, every("j", 1, _i, Relation("<=", as_term(0), _s("i", "j"))))),
            )),
            "{} is nonnegative and positive on the diagonal",
        ),
        Property(
            "distance weights", (_a,), (),
            And((
                ("start", Relation("<", as_term(0), _a(0))),
                ("nonnegative", every("d", 0, n - 1, Relation("<=", as_term(0), _a("d")))),
            )),
            "{} is nonnegative and positive at distance 0",
        ),
        Property(
            "vanishing", (_x,), (),
            ForAllFn(_eta, Implies(
                Relation("<", as_term(0), _eta()),
                some("S", 0, every("T", index("S"), None, Relation("<=", _x("T"), _eta()))),
            )),
            "{} tends to 0",
        ),
        Property(
            "unbounded", (_x,), (),
            ForAllFn(_bound, some("T", 0, Relation("<=", _bound(), total("t", 1, "T", _x("t"))))),
            "{} has an infinite sum",
        ),
        Property(
            "settling", (_x,), (),
            ForAllFn(_eta, Implies(
                Relation("<", as_term(0), _eta()),
                some("S", 0, every("u", 0, None, Relation("<=", _x(index("S") + index("u")) - _x("S"), _eta()))),
            )),
            "{} settles from above",
        ),
        Property(
            "summable", (_x,), (),
            ExistsFn(_bound, every("T", 0, None, Relation("<=", total("t", 1, "T", _x("t")), _bound()))),
            "{} has a finite sum",
        ),
        Property(
            "bounded away", (_x,), (),
            ExistsFn(_c, And((
                ("positive", Relation("<", as_term(0), _c())),
                ("bound", every("T", 0, None, Relation("<=", _c(), _x("T")))),
            ))),
            "{} stays above a positive number",
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
        formula = _meaning(formula)
    return formula


@lru_cache(maxsize=4096)
def _meaning(formula: Holds) -> Formula:
    meaning = PROPERTIES[formula.name]
    fns = {s.name: f for s, f in zip(meaning.fns, formula.fns, strict=True)}
    return substitute(meaning.body, dict(zip(meaning.params, formula.args, strict=True)), fns)
