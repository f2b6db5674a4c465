"""What the operators mean, each by one definition in the language of term.py; the checker unfolds nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from proofs.operators import (
    accumulated,
    attention_total,
    binomial,
    complete,
    content_total,
    cumulative,
    distance_sum,
    divided_difference,
    divided_product,
    hops,
    n,
    number,
    power,
    prefix,
    product_between,
    rollout,
    row_recursion,
    row_step,
    sign,
    tail,
    up_to_diagonal,
    zero_one,
)
from proofs.term import (
    Bracket,
    Compare,
    Fn,
    Lambda,
    Op,
    Reciprocal,
    Symbol,
    Term,
    as_term,
    index,
    total,
)

__all__ = ["DEFINITIONS", "Definition", "arity"]

_i, _j, _k, _l, _m, _t, _h, _T = (index(v) for v in ("i", "j", "k", "l", "m", "t", "h", "T"))
_A, _R, _P = Symbol("A", 2), Symbol("R", 2), Symbol("P", 2)
_layers = Symbol("R", 3)
_w, _e, _a, _s = Symbol("w", 1), Symbol("e", 1), Symbol("a", 1), Symbol("s", 2)
_alpha, _wh = Symbol("alpha", 2), Symbol("w", 3)
_family, _lam = Symbol("A", 3), Symbol("lambda", 1)
_u, _z, _theta, _y = (Symbol(name, 1) for name in ("u", "z", "theta", "y"))
_v, _f, _x, _c = (Symbol(name, 1) for name in ("v", "f", "x", "c"))
_reciprocal = Lambda(("k",), Reciprocal(_z("k")))


@dataclass(frozen=True)
class Definition:
    """What an operator means: ``body`` at its indices; ``base`` makes it recursive in the first of them."""

    name: str
    fns: tuple[Symbol, ...]
    params: tuple[str, ...]
    body: Term
    base: Term | None = None


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
            "threshold maps", (_u, _A), ("r", "i", "j"),
            Compare(_u("r"), tail(_A)("i", "j")) - Compare(_u("r"), tail(_A)("i", _j + 1)),
        ),
        Definition(
            "prefix heads", (_alpha, _wh), ("H", "t", "i", "j"),
            total("h", 1, "H", _alpha("t", "h") * prefix(Lambda(("j",), _wh("t", "h", "j")))("i", "j")),
        ),
        Definition("accumulated", (_x,), ("T",), _x(_T + 1) * accumulated(_x)("T"), base=as_term(1)),
        Definition(
            "power", (_A,), ("k", "i", "j"), total("l", 1, n, _A("i", "l") * power(_A)("k", "l", "j")),
            base=zero_one("i", "j"),
        ),
        Definition(
            "hops", (_lam,), ("T", "k"),
            (as_term(1) - _lam(_T + 1)) * hops(_lam)("T", "k") + _lam(_T + 1) * hops(_lam)("T", _k - 1),
            base=zero_one("k", 0),
        ),
        Definition(
            "complete", (_u,), ("m", "j", "i"), total("l", _j, _i, _u("l") * complete(_u)("m", "j", "l")),
            base=as_term(1),
        ),
        Definition(  # (-1)^{i-l} / (z_l ... z_i) is the divided difference of 1 / z
            "divided difference", (_lam, _z), ("T", "j", "i"),
            total("l", _j, _i, divided_difference(_lam, _z)("T", "j", "l") * (
                (as_term(1) - _lam(_T + 1)) * zero_one("l", "i")
                + _lam(_T + 1) * sign(_i - _l) * product_between(_reciprocal, _l, _i)
            )),
            base=zero_one("j", "i"),
        ),
        Definition(
            "divided product", (_theta, _x, _y), ("m", "j", "i"),
            (_x(_m + 1) + _y(_m + 1) * _theta("i")) * divided_product(_theta, _x, _y)("m", "j", "i")
            + _y(_m + 1) * Bracket(((_j + 1, _i),)) * divided_product(_theta, _x, _y)("m", "j", _i - 1),
            base=zero_one("i", "j"),
        ),
        Definition("number", (), ("k",), number("k") + 1, base=as_term(0)),
        Definition("sign", (), ("k",), -sign("k"), base=as_term(1)),
        Definition("binomial", (), ("m", "k"), binomial("m", "k") + binomial("m", _k - 1), base=zero_one("k", 0)),
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
