"""Rollouts of a measured run's architecture: kernels of queries and keys 0, with the λ and content that were measured.

    predict = architectural(run, left_out)          # {"residual, architectural": record -> (n,), …}

The kernels are what an audit read when the run was measured (`numeric.model.architecture`). Content d of a head is the
mean of scaled q·k on the diagonal less the mean below it: a constant in all of a row does not matter to its softmax.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.kernel import Alibi, Kernel
from numeric.model.architecture import kernel_from
from numeric.model.run_folder import NO_KERNELS, OLDER, RunFolder
from numeric.profile import profile
from numeric.published import paper_slopes

__all__ = ["ARCHITECTURAL", "UNMIXED", "Predict", "architectural", "first_share"]

FloatArray = NDArray[np.float64]
Predict = Callable[[Any], FloatArray]
UNMIXED = {"attention only, architectural": 1.0, "half, architectural": 0.5}  # λ; one profile for all samples
PAPER, PLAIN, BY_POSITION, CONTENT = (
    "residual, paper slopes", "residual, architectural", "residual, architectural, by position", "residual, content",
)  # fmt: skip
ARCHITECTURAL = (*UNMIXED, PAPER, PLAIN, BY_POSITION, CONTENT)
UNTOLD = "the run is not finished: what its architecture attends is not in the folder yet"


def architectural(run: RunFolder, left_out: dict[str, str]) -> dict[str, Predict]:
    """Each variant as a function of a record; ``left_out`` is told of those that there are not, and why.

    Raises InputError (argument DIR) for an architecture that no audit has told.
    """
    told = _told(run)
    if isinstance(told, str):
        left_out.update(dict.fromkeys(ARCHITECTURAL, told))
        return {}
    try:
        kernels = [kernel_from(one) for one in told["kernels"]]
        positions, n = list(told["positions"]), run.length
        if (len(kernels), len(positions)) != (run.layers,) * 2:
            raise ValueError
        made = {name: _always(profile(kernels, lam, n=n)) for name, lam in UNMIXED.items()}
    except (ValueError, KeyError, TypeError):  # InputError among them
        raise run.damaged("report.json") from None
    made[PLAIN] = lambda record: profile(kernels, record["mixing"].mean(axis=1), n=n)
    made[BY_POSITION] = lambda record: _by_position(kernels, record["mixing"])
    if all("alibi" in str(one) for one in positions):
        paper: list[Kernel] = [Alibi(paper_slopes(run.heads))] * run.layers
        made[PAPER] = lambda record: profile(paper, record["mixing"].mean(axis=1), n=n)
    else:
        left_out[PAPER] = "no ALiBi model: there are no slopes"
    if run.kernels:
        made[CONTENT] = lambda record: _with_content(told["kernels"], record, n)
    else:
        left_out[CONTENT] = NO_KERNELS
    return made


def first_share(run: RunFolder) -> float | None:
    """What positions 2 … n give to position 1 where queries and keys are 0, the mean over them and layers; None where
    the architecture is not known. A sink is what takes much more.
    """
    told = _told(run)
    if isinstance(told, str):
        return None
    kernels = [kernel_from(one) for one in told["kernels"]]
    shares = {kernel: float(kernel.matrix(run.length)[1:, 0].mean()) for kernel in dict.fromkeys(kernels)}
    return float(np.mean([shares[kernel] for kernel in kernels]))


def _always(row: FloatArray) -> Predict:
    return lambda _: row


def _told(run: RunFolder) -> dict[str, Any] | str:
    """What an audit said of the model's architecture, or why it is not known."""
    report = run.json("report.json")
    if report is None:
        return UNTOLD
    if "architecture" not in report:
        return OLDER
    found = report["architecture"]
    if not isinstance(found, dict):
        raise run.damaged("report.json")
    if found.get("kernels") is None:
        return f"the architecture is described by no kernels: {found.get('why')}"
    return found


def _by_position(kernels: Sequence[Kernel], mixing: FloatArray) -> FloatArray:
    """e_n R_T ⋯ R_1 with R_t = diag(1 − λ_t) + diag(λ_t) A_t; mixing : (T, n)."""
    row = np.zeros(mixing.shape[1])
    row[-1] = 1.0
    for kernel, share in zip(reversed(kernels), mixing[::-1], strict=True):
        row = (1 - share) * row + kernel.apply(share * row)
    return row


def _with_content(told: Sequence[Any], record: Any, n: int) -> FloatArray:
    kernels = []
    for one, content in zip(told, record["content"], strict=True):
        heads = content[~np.isnan(content).all(axis=1)]  # a layer may have fewer heads than another
        kernels.append(kernel_from(one, (heads[:, 0] - heads[:, 1]).tolist()))
    return profile(kernels, record["mixing"].mean(axis=1), n=n)
