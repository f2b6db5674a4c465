"""The entries of the last row at every n, T and j as formulas: U2, U3, U5, U6, C3; one kernel in all layers.

    uniform   U2  p_j = C(n−1, j−1) Σ_k (−1)^k C(n−j, k) φ(1/(j+k))
    prefix    U3  p_j = (−1)^{n−j} Π_{k=j+1}^n (W_{k−1}/w_k) g[z_j, …, z_n]
    both      U6  p_j = (w_j/W_n) Σ_{k≥1} P(K = k) h_{k−1}(u_j, …, u_n), j < n;   p_n = φ(u_n)
    content   U6  p_j = β_n [θ_j, …, θ_n] φ(z) Π_{i=j+1}^{n−1} (z − η_i), written out: its nodes are distinct
    n → ∞     U5  n p_j → Σ_{k≥1} P(K = k) (−ln x)^{k−1}/(k−1)!; C3 at continuous depth; atom and moments

φ(z) = Π_t (1 − λ_t + λ_t z) and K ~ Poisson-binomial(λ_1 … λ_T), or at continuous depth S φ(z) = e^{−S(1 − z)} and
K ~ Poisson(S); g(z) = φ(1/z). arXiv:2602.16837. Exact here: every formula is an object, evaluated by every_value.py.
Not covered: several heads, a kernel per layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from proofs.every_term import (
    INFINITY,
    Binomial,
    Call,
    Factorial,
    Letter,
    Like,
    Node,
    Number,
    Over,
    Power,
    Series,
    at,
    letters,
    minus,
    node,
    over,
    plus,
    put,
    times,
)

__all__ = ["KERNELS", "Definition", "Form", "Mixture", "closed_forms", "limit_forms"]

KERNELS = ("uniform", "prefix", "alibi", "content")
Case = Literal["all", "inner", "last", "density", "atom", "moment"]


LAYERS = Letter("T")


@dataclass(frozen=True)
class Mixture:
    """The law of K. share : λ of every layer, None for λ_t. depth : S, then there are no layers. layers : T."""

    share: Node | None = None
    depth: Node | None = None
    layers: Node = LAYERS

    @property
    def most(self) -> Node:
        """The largest K."""
        return self.layers if self.depth is None else INFINITY

    def phi(self, z: Like) -> Node:
        """E z^K."""
        if self.depth is not None:
            return Call("exp", (times(self.depth, plus(z, -1)) if z != node(0) else minus(self.depth),))
        if self.share is not None:
            return Power(_mixed(self.share, z), self.layers)
        return Series("product", "t", node(1), self.layers, _mixed(at("lambda", "t"), z))

    def hops(self, k: Like) -> Node:
        """P(K = k)."""
        if self.depth is not None:
            return times(over(Power(self.depth, node(k)), Factorial(node(k))), Call("exp", (minus(self.depth),)))
        if self.share is not None:
            stay = Power(plus(1, minus(self.share)), plus(self.layers, minus(k)))
            return times(Binomial(self.layers, node(k)), Power(self.share, node(k)), stay)
        return Call("hops", (node(k),))


def _mixed(share: Node, z: Like) -> Node:
    """1 − λ + λ z."""
    moved = node(z)
    part = over(share, moved.below) if isinstance(moved, Over) and moved.above == node(1) else times(share, moved)
    return plus(1, minus(share), part)


@dataclass(frozen=True)
class Definition:
    """name_letter = body, or name(letter) = body for a function; a function with a ``letter`` of numbers is called."""

    name: str
    letter: str
    body: Node

    @property
    def called(self) -> bool:
        """Whether it is written with brackets instead of an index."""
        return self.name in ("g", "phi")


@dataclass(frozen=True)
class Form:
    """source : the label in the theory. case : which positions. body : the entry. definitions : what is used in it."""

    source: str
    case: Case
    body: Node
    definitions: tuple[Definition, ...] = ()

    def at(self, values: Mapping[str, Node]) -> Form:
        """The same with letters replaced."""
        rest = tuple(Definition(d.name, d.letter, put(d.body, values)) for d in self.definitions)
        return Form(self.source, self.case, put(self.body, values), rest)

    @property
    def meanings(self) -> dict[str, tuple[str, Node]]:
        """The definitions as `every_value.Setting` takes them."""
        return {d.name: (d.letter, d.body) for d in self.definitions}


def closed_forms(kernel: str, mixture: Mixture = Mixture()) -> tuple[Form, ...]:
    """The forms of a kernel, letters n, T and j throughout.

    >>> [(form.source, form.case) for form in closed_forms("uniform")]
    [('U2', 'all'), ('U6', 'inner'), ('U6', 'last')]
    """
    if kernel == "content":
        return _content(mixture)
    families = _families(kernel)
    last = Form("U6", "last", mixture.phi(_own_last(kernel)), _used(mixture.phi(_own_last(kernel)), families))
    positive = _positive(kernel, mixture)
    first = _hausdorff(mixture) if kernel == "uniform" else _divided(mixture, families)
    return (first, Form("U6", "inner", positive, _used(positive, families)), last)


def _families(kernel: str) -> tuple[Definition, ...]:
    """w, W, z and u as far as the kernel has them."""
    if kernel == "uniform":
        return (Definition("u", "i", over(1, "i")),)
    own = (Definition("w", "i", Power(node("q"), plus("i", -1))),) if kernel == "alibi" else ()
    total = Series("sum", "l", node(1), node("i"), at("w", "l"))
    ratio, share = over(at("W", "i"), at("w", "i")), over(at("w", "i"), at("W", "i"))
    return (*own, Definition("W", "i", total), Definition("z", "i", ratio), Definition("u", "i", share))


def _used(body: Node, families: tuple[Definition, ...]) -> tuple[Definition, ...]:
    """Those of the definitions that a formula needs, in their order."""
    names = letters(body)
    hidden = {"complete": "u", "divided": "z"}
    wanted = set(names) | {hidden[x] for x in names & set(hidden)}
    for d in reversed(families):
        if d.name in wanted:
            wanted |= letters(d.body)
    return tuple(d for d in families if d.name in wanted)


def _own_last(kernel: str) -> Node:
    return over(1, "n") if kernel == "uniform" else at("u", "n")


def _hausdorff(mixture: Mixture) -> Form:
    k, above = node("k"), plus("n", minus("j"))
    signed = times(Power(Number(Fraction(-1)), k), Binomial(above, k), mixture.phi(over(1, plus("j", "k"))))
    lead = Binomial(plus("n", -1), plus("j", -1))
    return Form("U2", "all", times(lead, Series("sum", "k", node(0), above, signed)))


def _divided(mixture: Mixture, families: tuple[Definition, ...]) -> Form:
    ratio = over(at("W", plus("k", -1)), at("w", "k"))
    product = Series("product", "k", plus("j", 1), node("n"), ratio)
    sign = Power(Number(Fraction(-1)), plus("n", minus("j")))
    body = times(sign, Call("divided", (node("j"), node("n"))), product)
    g = Definition("g", "z", mixture.phi(over(1, "z")))
    return Form("U3", "all", body, (*(d for d in families if d.name != "u"), g))


def _positive(kernel: str, mixture: Mixture) -> Node:
    reach = over(1, "n") if kernel == "uniform" else over(at("w", "j"), at("W", "n"))
    terms = times(mixture.hops("k"), Call("complete", (plus("k", -1), node("j"), node("n"))))
    return times(reach, Series("sum", "k", node(1), mixture.most, terms))


def _content(mixture: Mixture) -> tuple[Form, ...]:
    row = plus("i", -1, "e")
    theta = Definition("theta", "i", over("e", row))
    eta = Definition("eta", "i", over(plus("e", -1), row))
    here = at("theta", "l")
    apart = plus(here, minus(at("theta", "i")))
    above = Series("product", "i", plus("j", 1), plus("n", -1), plus(here, minus(at("eta", "i"))))
    before = Series("product", "i", node("j"), plus("l", -1), apart)
    after = Series("product", "i", plus("l", 1), node("n"), apart)
    terms = times(over(above, times(before, after)), mixture.phi(here))
    inner = times(over(1, plus("n", -1, "e")), Series("sum", "l", node("j"), node("n"), terms))
    return (
        Form("U6", "inner", inner, (theta, eta)),
        Form("U6", "last", mixture.phi(at("theta", "n")), (theta,)),
    )


# --- the continuum --------------------------------------------------------------------------------------------------


def limit_forms(mixture: Mixture = Mixture()) -> tuple[Form, ...]:
    """n → ∞, x = j/n fixed, uniform kernel: the density on 0 < x < 1, the atom at x = 1, the moments E X^r.

    >>> [(form.source, form.case) for form in limit_forms()]
    [('U5', 'density'), ('U5', 'atom'), ('U5', 'moment')]
    """
    source = "U5" if mixture.depth is None else "C3"
    moment = mixture.phi(over(1, plus("r", 1)))
    atom = mixture.phi(node(0))
    return (_density(mixture), Form(source, "atom", atom), Form(source, "moment", moment))


def _density(mixture: Mixture) -> Form:
    L = Definition("L", "", minus(Call("ln", (node("x"),))))
    if mixture.depth is None:
        k = plus("k", -1)
        term = times(mixture.hops("k"), over(Power(minus(Call("ln", (node("x"),))), k), Factorial(k)))
        return Form("U5", "density", Series("sum", "k", node(1), mixture.most, term))
    S = mixture.depth
    root, inner = Call("sqrt", (over(S, "L"),)), times(2, Call("sqrt", (times(S, "L"),)))
    body = times(Call("exp", (minus(S),)), root, Call("bessel", (inner,)))
    return Form("C3", "density", body, (L,))
