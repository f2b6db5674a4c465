"""Cases of second moments: gradients through signed permutation matrices of width 1 or 2, every outcome enumerated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from flint import fmpq_mat
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.case import Case, Entries, Table
from proofs.cases.moment_recursions import exact_matrix, exact_number, fractions_of, numbers
from proofs.draws import families, for_each

__all__ = ["COUNTEREXAMPLES", "second_moment_cases"]

Number = Fraction | int
Matrix = Sequence[Sequence[Number]]
Row = Sequence[Number]

_SIGNED = tuple(  # the signed permutation matrices of width 2, and those of width 1
    tuple(tuple(s * (column == (row ^ turned)) for column in (0, 1)) for row, s in enumerate(signs))
    for turned, signs in product((0, 1), product((1, -1), repeat=2))
)
_ONE = (((1,),), ((-1,),))


@dataclass(frozen=True)
class Step:
    """The maps of one step: their chances, for each outcome a multiple for each map, the matrix that it multiplies;
    and the weights with which map h reads k from i.
    """

    chances: Row
    multiples: Matrix  # [outcome][map]
    matrices: Sequence[Matrix]  # [map]
    weights: Sequence[Matrix]  # [map][k][i]

    def map(self, outcome: int, which: int) -> Matrix:
        """W, for an outcome."""
        return [[self.multiples[outcome][which] * x for x in row] for row in self.matrices[which]]

    def moments(self) -> list[list[Number]]:
        """C(h, r), of matrices that are orthogonal, those of two maps equal or the maps independent."""
        maps = range(len(self.matrices))
        by_outcome = tuple(zip(self.chances, self.multiples, strict=True))
        return [[sum((q * x[h] * x[r] for q, x in by_outcome), Fraction(0)) for r in maps] for h in maps]


def attention(scales: Row, matrices: Sequence[Matrix], kernels: Sequence[Matrix], rho: Row) -> Step:
    """Independent maps, each a scale times a sign times a matrix of its own; heads that average by the kernels."""
    signs = list(product((1, -1), repeat=sum(1 for x in scales if x)))
    positions = range(len(rho))
    multiples = [[next(drawn) * x if x else 0 for x in scales] for drawn in map(iter, signs)]
    weights = [[[kernel[k][i] * rho[i] for i in positions] for k in positions] for kernel in kernels]
    return Step([Fraction(1, len(signs))] * len(signs), multiples, matrices, weights)


def mlp(size: int, scales: Row, shares: Row, signs: Matrix, matrix: Matrix) -> Step:
    """A map for each of the first positions: m_i times a sign times one matrix.  The signs are a row of ``signs``, of
    the chance in ``shares``, or its opposite.
    """
    places = range(size)
    return Step(
        [Fraction(q) / 2 for q in shares for _ in (1, -1)],
        [[f * y * x for y, x in zip(row, scales, strict=True)] for row in signs for f in (1, -1)],
        [matrix] * len(scales),
        [[[int(h == k == i) for i in places] for k in places] for h in range(len(scales))],
    )


# --- the tree of histories ------------------------------------------------------------------------------------------


def _grown(size: int, gamma: Row, steps: Sequence[Step]) -> tuple[list[list[Number]], list[list[fmpq_mat]]]:
    """The chances and the gradients of the histories of each depth: g + sum_h A_h^T g W_h."""
    chances: list[list[Number]] = [[Fraction(1)]]
    states = [[exact_matrix([[x * (i == size - 1) for x in gamma] for i in range(size)])]]
    for step in steps:
        outcomes = range(len(step.chances))
        weights = [exact_matrix(rows).transpose() for rows in step.weights]
        maps = [[exact_matrix(step.map(k, h)) for h in range(len(weights))] for k in outcomes]
        chances.append([q * step.chances[k] for q in chances[-1] for k in outcomes])
        states.append([
            sum((a * g * w for a, w in zip(weights, maps[k], strict=True)), g) for g in states[-1] for k in outcomes
        ])  # fmt: skip
    return chances, states


def _inner(chances: Row, states: Sequence[fmpq_mat]) -> list[list[Fraction]]:
    """E <g_i, g_j>."""
    first, *others = [exact_number(q) * g * g.transpose() for q, g in zip(chances, states, strict=True)]
    return fractions_of(sum(others, first))


def _followed(step: Step, count: int, most: int) -> list[list[Number]]:
    """c: history w is followed by w K + k with the chance of the outcome k of K."""
    outcomes = len(step.chances)
    return [
        [step.chances[v % outcomes] if v // outcomes == w % count else 0 for v in range(most)] for w in range(most)
    ]  # fmt: skip


def tree_case(size: int, gamma: Row, steps: Sequence[Step], extra: dict[str, Entries], /, **changed: Entries) -> Case:
    """The case of these steps, of which there is at least one; ``extra`` describes the last, ``changed`` overrides.

    Histories of t steps are numbered from 0 in the tree; numbers beyond theirs repeat them, with chance 0.
    """
    chances, states = _grown(size, gamma, steps)
    most = len(chances[-1])
    gradients = [[fractions_of(at[w % len(at)]) for w in range(most)] for at in states]
    from_0: dict[str, Entries] = {
        "p": [[*at, *[0] * (most - len(at))] for at in chances], "g": gradients,
        "G": [_inner(*at) for at in zip(chances, states, strict=True)],
    }  # fmt: skip
    tables: dict[str, Entries] = {
        "c": [_followed(step, len(at), most) for step, at in zip(steps, chances, strict=False)],
        "W": [[[step.map(v % len(step.chances), h) for h in range(len(step.matrices))] for v in range(most)]
              for step in steps],
        "alpha": [step.weights for step in steps], "C": [step.moments() for step in steps], "gamma": gamma,
        "x": [(-1) ** i * (i + 1) for i in range(size)], **from_0, **extra, **changed,
    }  # fmt: skip
    indices = {"T": len(steps), "M": most, "d": len(gamma), "H": len(steps[0].matrices)}
    return Case.of(size, indices, **{x: Table(e, (0,)) if x in from_0 else e for x, e in tables.items()})


# --- drawn cases ----------------------------------------------------------------------------------------------------

_SIZES = ((2, 2), *((4, 2),) * 5, (1, 1), (3, 1))  # n and T
Drawn = tuple[Sequence[Matrix], Row, Sequence[int]]


def second_moment_cases() -> SearchStrategy[Case]:
    """One step of two independent heads or of correlated gates, or two of one head or of equal gates, in any order;
    no more than four outcomes, of width 2 where there are few positions.
    """

    def draw(chosen: tuple[tuple[int, int], Sequence[str]]) -> SearchStrategy[Case]:
        (size, depth), kinds = chosen
        steps = tuple(kind.removesuffix("s") for kind in kinds) if depth > 1 else kinds[:1]
        parts = [
            st.tuples(families(size, 2), numbers(4 * size), st.binary(min_size=size, max_size=size)) for _ in steps
        ]
        return st.tuples(st.tuples(*parts), numbers(2)).map(lambda d: _drawn(size, steps, *d))

    kind = st.sampled_from(("heads", "gates"))
    return for_each(st.tuples(st.sampled_from(_SIZES), st.tuples(kind, kind)), draw)


def _drawn(size: int, kinds: Sequence[str], drawn: Sequence[Drawn], gamma: Row) -> Case:
    width = 2 if size < 3 else 1
    made = [_step(size, kind, *parts, width) for kind, parts in zip(kinds, drawn, strict=True)]
    return tree_case(size, gamma[:width], [step for step, _ in made], made[-1][1])


def _step(
    size: int, kind: str, kernels: Sequence[Matrix], drawn: Row, choices: Sequence[int], width: int
) -> tuple[Step, dict[str, Entries]]:
    """A step, and what describes it if it is the last one."""
    pool, maps = _SIGNED if width == 2 else _ONE, min(size, 2)
    matrices = [pool[x % len(pool)] for x in choices[:maps]]
    scales, rho = drawn[:maps], drawn[size : 2 * size]
    if kind.startswith("head"):
        scales = scales if kind == "heads" else [*scales[:1], *[0] * (maps - 1)]
        return attention(scales, matrices, kernels[:maps], rho), of_attention(scales, kernels[:maps], rho)
    signs = [[1 - 2 * (x.numerator % 2) for x in drawn[at * size :][:maps]] for at in (2, 3)]
    shares = (Fraction(1, 3), Fraction(2, 3)) if kind == "gates" else (Fraction(1),)
    return mlp(size, scales, shares, signs[: len(shares)], matrices[0]), of_mlp(size, scales, shares, signs)


def of_attention(scales: Row, kernels: Sequence[Matrix], rho: Row) -> dict[str, Entries]:
    """The heads of an attention step, and no MLP."""
    maps = len(scales)
    return {"A": kernels, "rho": rho, "nu": [x * x for x in scales], "m": [0] * maps, "kappa": [[0] * maps] * maps}


def of_mlp(size: int, scales: Row, shares: Row, signs: Matrix) -> dict[str, Entries]:
    """The gates of an MLP, and no head."""
    maps = range(len(scales))
    kappa = [[sum(q * y[i] * y[j] for q, y in zip(shares, signs, strict=False)) for j in maps] for i in maps]
    return {
        "A": [[[0] * size] * size] * len(scales), "rho": [1] * size, "nu": [0] * len(scales), "m": scales,
        "kappa": kappa,
    }  # fmt: skip


# --- counterexamples ------------------------------------------------------------------------------------------------

_half = Fraction(1, 2)
_sign = attention([1], [_ONE[0]], [[[1]]], [1])  # one position, one head: the gradient 1 becomes 0 or 2
_of_sign = of_attention([1], [[[1]]], [1])


def _one(*steps: Step, **changed: Entries) -> Case:
    return tree_case(1, [1], steps, _of_sign, **changed)


_always = Step([1], [[1]], [_ONE[0]], [[[1]]])  # a map that is always 1: its mean is not 0
_wide = Step([_half, _half], [[1], [-1]], [((1, 0), (0, 0))], [[[1]]])  # moments diag(1, 0), of which C is the half
COUNTEREXAMPLES: tuple[tuple[str, Case, str], ...] = (
    ("histories", _one(_sign, p=[[1, 0], [1, 0]], G=[[[1]], [[4]]]), "the first outcome always: 2^2 = 4, not 1 + 1"),
    ("mass", _one(Step([_half], [[0]], [_ONE[0]], [[[1]]])), "half of the chances are lost"),
    ("gradient", _one(_sign, g=[[[[1]], [[1]]], [[[1]], [[1]]]], G=[[[1]], [[1]]]), "a gradient that no map changes"),
    ("mean zero", _one(_always), "W = 1 always: 2^2 = 4, not 1 + 1"),
    ("second moments", _one(_sign, C=[[[2]]]), "C = 2 where W^2 = 1"),
    ("inner products", _one(_sign, G=[[[1]], [[1]]]), "G stays 1"),
    ("attention", _one(_sign, nu=[2]), "s^2 = 2 where W^2 = 1"),
    ("MLP", _one(_sign, m=[1], kappa=[[2]]), "kappa = 2 where C = 1"),
    ("start", _one(_sign, gamma=[2]), "a gradient 1 where gamma = 2"),
    ("chances", _one(Step([2, -1], [[0], [1]], [_ONE[0]], [[[1]]])), "chances 2 and -1 of the gradients 1 and 2"),
)  # fmt: skip
