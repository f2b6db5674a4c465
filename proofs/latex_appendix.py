r"""The appendix of closed forms: the last row of the rollout for n ≤ 4 and T ≤ 3.

    p_j = (e_n R_T ⋯ R_1)_j,  R_t = (1 − λ_t) I + λ_t A_t

General kernels are free in every layer; prefix, ALiBi and content kernels are shared by the layers, whose coefficients
are free: one per layer each would fill pages (282 lines for ALiBi at n = 4, T = 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from proofs.closed_form import derive

__all__ = ["LAYERS", "POSITIONS", "closed_forms"]

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

_HEAD = r"""The last row $p=(p_{1},\dots ,p_{n})$ of the rollout of $R_{t}=(1-\lambda_{t})I+\lambda_{t}A_{t}$, for
$n\le 4$ positions and $T\le 3$ layers.  For one position $p_{1}=1$, and without layers $p_{n}=1$.  In every row the
entries were checked to have the sum $1$."""


@cache
def closed_forms() -> str:
    """The appendix; raises `ArithmeticError` if a row does not have the sum 1."""
    sections = [part for kernel in _KERNELS for part in _kernel(kernel)]
    return "\n\n".join([r"\appendix", r"\section{Closed forms}\label{posbias:closed-forms}", _HEAD, *sections])


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
