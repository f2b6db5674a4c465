r"""The appendix of closed forms: the last row of the rollout at every n and T, and written out for n ≤ 4 and T ≤ 3.

    p_j = (e_n R_T ⋯ R_1)_j,  R_t = (1 − λ_t) I + λ_t A_t

General kernels are free in every layer; prefix, ALiBi and content kernels are shared by the layers, whose coefficients
are free: one per layer each would fill pages (282 lines for ALiBi at n = 4, T = 3). At every n and T one kernel is
shared by the layers: U2, U3, U6, each formula compared with the recursion.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from proofs import every_form
from proofs.closed_form import derive
from proofs.every_check import failures
from proofs.every_display import N, Question, rows
from proofs.every_form import Mixture
from proofs.every_term import node

__all__ = ["LAYERS", "POSITIONS", "closed_forms", "every_size"]

POSITIONS, LAYERS = (2, 3, 4), (1, 2, 3)

_KERNELS = {  # what the letters are, by kernel
    "general": r"""General kernels, one per layer.  The entries $A_{t,i,j}$ with $2\le j\le i$ are free; the first of
each row is $A_{t,i,1}=1-A_{t,i,2}-\cdots -A_{t,i,i}$.""",
    "uniform": r"""The uniform kernel, $A_{ij}=1/i$ for $j\le i$.""",
    "prefix": r"""One prefix kernel in all layers: $A_{ij}=w_{j}/(w_{1}+\cdots +w_{i})$ for $j\le i$, through the shares
$u_{i}=w_{i}/(w_{1}+\cdots +w_{i})$, which are free in $(0,1)$ for $i\ge 2$.""",
    "alibi": r"""One ALiBi kernel in all layers: $A_{ij}=q^{j-1}/(1+q+\cdots +q^{i-1})$ for $j\le i$, $q=e^{m}$ with the
slope $m$.""",
    "content": r"""Uniform weights with content on the diagonal, one kernel in all layers: $A_{ii}=e/(i-1+e)$ and
$A_{ij}=1/(i-1+e)$ for $j<i$, where $e=\exp(d)$ with the content $d$.""",
}

_EVERY = {  # what the letters are, by kernel
    "uniform": _KERNELS["uniform"],
    "prefix": r"""A prefix kernel, $A_{ij}=w_{j}/W_{i}$ for $j\le i$; ALiBi with $w_{i}=q^{i-1}$, $q=e^{m}$.""",
    "content": r"""Uniform weights with content on the diagonal, $A_{ii}=e/(i-1+e)$ and $A_{ij}=1/(i-1+e)$ for $j<i$,
where $e=\exp(d)$.""",
}

_EVERY_HEAD = r"""One kernel $A$ in all layers, any $n$ positions and $T$ layers; $\lambda_{1},\dots ,\lambda_{T}$
are free.  A statement is named beside its formula.  Each formula was compared with the recursion in rationals at
$n\le 5$."""

_HEAD = r"""The last row $p=(p_{1},\dots ,p_{n})$ of the rollout of $R_{t}=(1-\lambda_{t})I+\lambda_{t}A_{t}$, for
$n\le 4$ positions and $T\le 3$ layers.  For one position $p_{1}=1$, and without layers $p_{n}=1$.  In every row the
entries were checked to have the sum $1$."""


@cache
def closed_forms() -> str:
    """The appendix; raises `ArithmeticError` if a row does not have the sum 1."""
    sections = [part for kernel in _KERNELS for part in _kernel(kernel)]
    head = [r"\appendix", r"\section{Closed forms}\label{posbias:closed-forms}"]
    small = r"\subsection*{Written out at small sizes}"
    return "\n\n".join([*head, *every_size(), small, _HEAD, *sections])


def every_size() -> Iterator[str]:
    """The formulas at every n and T; raises `ArithmeticError` if one contradicts the recursion."""
    yield r"\subsection*{At every size}"
    yield _EVERY_HEAD
    for kernel, letters in _EVERY.items():
        forms = every_form.closed_forms(kernel)
        wrong = next(failures(kernel, forms, None, depth=False), None)
        if wrong is not None:
            raise ArithmeticError(f"{wrong.source} contradicts the recursion with the {kernel} kernel")
        shown = rows(Question(kernel, Mixture(), N, None, node("T")), forms)
        yield f"\\noindent {letters}\n\\begin{{align*}}\n{shown}\n\\end{{align*}}"


def _kernel(kernel: str) -> Iterator[str]:
    """A kernel: what its letters are, and every size."""
    yield f"\\subsection*{{{'ALiBi' if kernel == 'alibi' else kernel.capitalize()}}}"
    yield _KERNELS[kernel]
    shared = kernel in ("prefix", "alibi", "content")
    for n in POSITIONS:
        for T in LAYERS:
            form = derive(n, T, kernel=kernel, shared=shared)
            if form.sums_to_one is not True:
                raise ArithmeticError(f"the entries of the {kernel} kernel at n = {n}, T = {T} have another sum than 1")
            yield f"\\noindent $n={n}$, $T={T}$:\n{form.latex()}"
