"""The kernels of an architecture, told as JSON and read back, with content head by head."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from numeric.distance import Distance, Window
from numeric.kernel import Alibi, HeadAverage, Kernel, Uniform
from numeric.model.architecture import architecture, kernel_from
from numeric.model.audit import audit

if TYPE_CHECKING:
    from numeric.model import Loaded

N = 11
CONTENT = [0.5, -0.25]
KERNELS: list[tuple[Kernel, list[Kernel]]] = [  # and what two heads with content are
    (Uniform(), [Uniform(0.5), Uniform(-0.25)]),
    (Alibi([0.5, 0.125]), [Alibi(0.5, 0.5), Alibi(0.125, -0.25)]),
    (Window(3, 0.5), [Window(3, 0.5, 0.5), Window(3, 0.5, -0.25)]),
    (Distance(-np.sqrt(np.arange(N))), [Distance(-np.sqrt(np.arange(N)), d) for d in CONTENT]),
    (HeadAverage([Window(3), Window(5)]), [Window(3, 0, 0.5), Window(5, 0, -0.25)]),
]


@pytest.mark.parametrize(("kernel", "heads"), KERNELS, ids=lambda x: type(x).__name__)
def test_a_kernel_reads_back(kernel: Kernel, heads: list[Kernel]) -> None:
    from numeric.model.architecture import _told

    told = json.loads(json.dumps(_told(kernel)))
    assert kernel_from(told) == kernel
    with_content = kernel_from(told, CONTENT).matrix(N)
    expected = np.mean([head.matrix(N) for head in heads], axis=0)
    assert with_content == pytest.approx(expected, abs=1e-15 * N)


@pytest.mark.parametrize("kind", ["bloom", "mpt", "falcon", "gpt2", "llama", "mistral"])
def test_an_architecture_is_what_an_audit_reads(tiny: Callable[..., Loaded], kind: str) -> None:
    loaded = tiny(kind)
    told = json.loads(json.dumps(architecture(loaded, N)))
    assert [kernel_from(one) for one in told["kernels"]] == list(audit(loaded, n=N).kernels())
    assert told["positions"] == [layer.positions for layer in audit(loaded, n=N).layers] and told["why"] is None


def test_content_for_another_number_of_heads_is_refused() -> None:
    for told in (
        {"kind": "alibi", "slopes": [0.5, 0.25, 0.125]},
        {"kind": "heads", "heads": [{"kind": "uniform"}] * 3},
    ):
        with pytest.raises(ValueError):
            kernel_from(told, CONTENT)
