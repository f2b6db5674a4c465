"""The kernels of a model's architecture, queries and keys 0, as JSON that is kept beside what was measured of it.

    told = architecture(load("folder"), 256)         # {"positions": ["alibi"], "kernels": [{"kind": "alibi", …}, …]}
    kernel_from(told["kernels"][0], content=[…])     # that kernel, with a diagonal content for each head

What is read is the audit's, at the length that is measured: `numeric.model.audit`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from numeric.distance import Distance, Window
from numeric.kernel import Alibi, HeadAverage, Kernel, Uniform
from numeric.refuse import InputError

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["architecture", "kernel_from"]


def architecture(loaded: Loaded, n: int) -> dict[str, Any]:
    """positions : of every layer, as an audit calls them. kernels : one per layer, None where there is none that
    describes it, and why not.

    Raises NotCausal, an InputError, for a model in which a position reads a later one.
    """
    from numeric.model.audit import LEAST, NotCausal, audit

    try:
        found = audit(loaded, n=max(n, LEAST))
    except NotCausal:
        raise
    except InputError as error:  # such as a token whose embedding is NaN
        return {"positions": None, "kernels": None, "why": str(error)}
    positions = [layer.positions for layer in found.layers]
    try:
        return {"positions": positions, "kernels": [_told(kernel) for kernel in found.kernels()], "why": None}
    except InputError as error:
        return {"positions": positions, "kernels": None, "why": str(error)}


def _told(kernel: Kernel) -> dict[str, Any]:
    match kernel:
        case Uniform():
            return {"kind": "uniform"}
        case Alibi():
            return {"kind": "alibi", "slopes": kernel.slopes.tolist()}
        case Window():
            return {"kind": "window", "width": kernel.width, "slope": kernel.slope}
        case Distance():
            return {"kind": "distance", "bias": kernel.bias.tolist()}
        case HeadAverage():
            return {"kind": "heads", "heads": [_told(head) for head in kernel.kernels]}
    raise TypeError(f"an audit has no {type(kernel).__name__}")


def kernel_from(told: Mapping[str, Any], content: Sequence[float] | None = None) -> Kernel:
    """The kernel that was told. content : for each head, e^d more weight on the diagonal; then a kernel that all heads
    share becomes an average of as many.

    Raises InputError, KeyError, TypeError or ValueError for what no audit has told.
    """
    kind = told["kind"]
    if content is None:
        if kind == "heads":
            return HeadAverage([kernel_from(head) for head in told["heads"]])
        return _one(told, 0.0)
    if kind == "alibi":
        return Alibi(told["slopes"], content)
    if kind == "uniform":
        return Alibi(np.zeros(len(content)), content)
    heads = told["heads"] if kind == "heads" else [told] * len(content)
    return HeadAverage([_one(head, d) for head, d in zip(heads, content, strict=True)])


def _one(told: Mapping[str, Any], content: float) -> Kernel:
    match told["kind"]:
        case "uniform":
            return Uniform(content)
        case "alibi":
            return Alibi(told["slopes"], content)
        case "window":
            return Window(told["width"], told["slope"], content)
        case "distance":
            return Distance(told["bias"], content)
    raise ValueError(told["kind"])
