"""Operators that have a notation of their own where they stand with all their indices.

number, sign        k, (-1)^k
binomial            C(m, k)
hops                P_lambda(K_T = k)
complete            h_m(u_j, ..., u_i)
accumulated         x^k, where every factor is the same; x^k / k!, where they are x / 1, ..., x / k
divided difference  g_lambda^(T)[z_j, ..., z_i]
divided product     [theta_j, ..., theta_i] prod_r (x_r + y_r z)

A product of x_{j + 1}, x_{j + 2}, ... is written from j + 1 on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from proofs.render_parts import Level, Shape
from proofs.substitute import apply, free_names, fresh, substitute
from proofs.term import Apply, Fn, Index, Lambda, Op, Range, Reciprocal, Symbol, Term, Times, as_index, index

if TYPE_CHECKING:
    from proofs.render import Writer

__all__ = ["base_of", "constant", "factors_between", "special"]


def special(writer: Writer, fn: Op, args: tuple[Index, ...]) -> tuple[str, Level] | None:
    """The value as it is written, and how tightly it holds together; None for an operator without such a notation."""
    match fn.name, args:
        case "number", (k,):
            return writer.ix(k), _level(k)
        case "sign", (k,):
            return writer.raised(writer.brackets("-1"), writer.ix(k)), Level.ATOM
        case "binomial", (m, k):
            return writer.binomial(writer.ix(m), writer.ix(k)), Level.ATOM
        case "hops", (depth, k):
            below = writer.lowered("K", writer.ix(depth))
            return f"{writer.lowered('P', writer.fn(fn.fns[0]))}({below}{writer.equal}{writer.ix(k)})", Level.ATOM
        case "accumulated", (k,) if isinstance(fn.fns[0], Lambda) and constant(fn.fns[0]):
            return writer.raised(base_of(writer, fn.fns[0].body), writer.ix(k)), Level.ATOM
        case "accumulated", (k,) if (base := _over_each(fn.fns[0])) is not None:
            last = writer.ix(k) if _level(k) is Level.ATOM else writer.brackets(writer.ix(k))
            return writer.over_factorial(writer.raised(base_of(writer, base), writer.ix(k)), last)
        case "complete", (m, j, i):
            return f"{writer.lowered('h', writer.ix(m))}({_listed(writer, fn.fns[0], j, i)})", Level.ATOM
        case "divided difference", (depth, j, i):
            g = writer.shape(Shape(writer.lowered("g", writer.fn(fn.fns[0])), depth=writer.ix(depth)))
            return f"{g}[{_listed(writer, fn.fns[1], j, i)}]", Level.ATOM
        case "divided product", (m, j, i):
            nodes, constants, slopes = fn.fns
            taken = free_names(fn) | free_names(m)
            r, z = fresh("r", taken), fresh("z", taken)
            factor = apply(constants, (index(r),)) + apply(slopes, (index(r),)) * Symbol(z, 0)()
            shown = f"{writer.big('prod', writer.name(r), '1', writer.ix(m))}{writer.brackets(writer.term(factor))}"
            return f"[{_listed(writer, nodes, j, i)}]{writer.gap}{shown}", Level.BIG
    return None


def constant(factors: Lambda) -> bool:
    """Whether every factor is the same."""
    return free_names(factors.body).isdisjoint(factors.params)


def _listed(writer: Writer, values: Fn, first: Index, last: Index) -> str:
    """x_j, ..., x_i."""
    ends = (writer.term(apply(values, (at,))) for at in (first, last))
    return f"{writer.comma}{writer.dots}{writer.comma}".join(ends)


def base_of(writer: Writer, body: Term) -> str:
    """A value that is raised to a power."""
    plain = isinstance(body, Apply) and not (isinstance(body.fn, Op) and body.fn.name == "number")  # m + 1 is a sum
    return writer.term(body) if plain else writer.brackets(writer.term(body))


def _over_each(factors: Fn) -> Term | None:
    """x, where the r-th factor is 1 / r times x; None for other factors."""
    match factors:
        case Lambda((var,), Times((Reciprocal(Apply(Op("number"), (r,))), x))) if var not in free_names(x):
            return x if r == index(var) else None
    return None


def factors_between(product: Op, length: Index) -> tuple[Range, Term]:
    """The range and the factor of an accumulated product: from 1, or from d + 1 where the factors are x_{d + r}."""
    (factors,) = product.fns
    if not isinstance(factors, Lambda) or factors.params[0] in free_names(length):
        var = fresh("t", {*free_names(product), *free_names(length)})
        return Range(var, as_index(1), length), apply(factors, (index(var),))
    var = factors.params[0]
    offsets = {ix - index(var) for ix in _indices(factors.body) if (var, 1) in ix.terms}
    d = max(offsets, key=lambda offset: offset.const, default=as_index(0))
    if not d.terms or {offset.terms for offset in offsets} != {d.terms}:
        d = as_index(0)
    return Range(var, d + 1, length + d), substitute(factors.body, {var: index(var) - d}, {})


def _indices(node: object) -> Iterator[Index]:
    """Every index in a term, wherever it stands."""
    if isinstance(node, Index):
        yield node
    elif isinstance(node, tuple):
        yield from (found for inner in node for found in _indices(inner))
    elif is_dataclass(node):
        yield from (found for f in fields(node) for found in _indices(getattr(node, f.name)))


def _level(k: Index) -> Level:
    """How tightly an index holds together as a value."""
    if not k.terms:
        return Level.ATOM if k.const >= 0 else Level.SUM
    if k.const or len(k.terms) > 1 or k.terms[0][1] < 0:
        return Level.SUM
    return Level.ATOM if k.terms[0][1] == 1 else Level.PRODUCT
