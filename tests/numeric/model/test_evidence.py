"""Linear rollouts against products of matrices; gaps against their definition; the script that writes the tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import numpy as np
import pytest

from numeric.kernel import Alibi
from numeric.model.evidence import ABLATION, compared, gap
from numeric.model.linear_rollouts import VARIANTS, linear_rollouts, row_of
from numeric.model.mixing import mixing_of
from numeric.order import wasserstein
from numeric.profile import profile
from numeric.refuse import InputError
from tests.numeric.model.tiny import write_config

if TYPE_CHECKING:
    from numeric.model import Loaded

IDS = np.arange(3, 14)
N = len(IDS)


def product(kernels: list[np.ndarray], shares: np.ndarray) -> np.ndarray:
    """The last row of R_T ⋯ R_1, matrices and all."""
    total = np.eye(N)
    for kernel, share in zip(kernels, shares, strict=True):
        total = (np.diag(1 - share) + np.diag(share) @ kernel) @ total
    return np.asarray(total[-1])


@pytest.mark.parametrize("kind", ["bloom", "llama", "falcon-new"])
def test_rollouts_are_products_of_transitions(tiny: Callable[..., Loaded], kind: str) -> None:
    import torch

    loaded = tiny(kind, attention="eager")
    with torch.no_grad():
        attentions = loaded.model(torch.as_tensor(IDS)[None], use_cache=False, output_attentions=True).attentions
    means = [a[0].double().mean(dim=0).numpy() for a in attentions]
    by_position = mixing_of(loaded, IDS[None])[0]
    flat = np.repeat(by_position.mean(axis=1)[:, None], N, axis=1)
    averages = [Alibi(0.5)] * 2
    found = linear_rollouts(loaded, IDS, kernels=averages)
    assert set(found) == set(VARIANTS)
    for name, shares in (("attention only", np.ones((2, N))), ("half", np.full((2, N), 0.5)), ("residual", flat),
                         ("residual, by position", by_position)):  # fmt: skip
        # weights in single precision, summed over at most 6 heads and two layers
        assert found[name] == pytest.approx(product(means, shares), abs=1e-6)
        assert np.abs(found[name] - product(means, 0.7 * shares)).max() > 1e-5
    assert found["residual, architectural"] == pytest.approx(profile(averages, flat[:, 0], n=N), abs=1e-15)
    for row in found.values():
        assert row.sum() == pytest.approx(1, abs=1e-5)


def test_a_row_needs_no_matrix() -> None:
    draw = np.random.default_rng(2)
    kernels = [Alibi(slope).matrix(N) for slope in (0.1, 0.7, 0.0)]
    shares = draw.random((3, N))
    assert row_of(kernels, shares) == pytest.approx(product(kernels, shares), abs=1e-15 * N)


def test_gaps_are_those_of_means() -> None:
    draw = np.random.default_rng(1)
    p, q = (x / x.sum(axis=1, keepdims=True) for x in draw.random((2, 7, N)))
    found = gap(p, q, draws=400)
    assert found.wasserstein == pytest.approx(wasserstein(p.mean(axis=0), q.mean(axis=0)) / (N - 1))
    chosen = np.random.default_rng(0).integers(7, size=(400, 7))
    drawn = [wasserstein(p[c].mean(axis=0), q[c].mean(axis=0)) / (N - 1) for c in chosen]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, (0.025, 0.975))))
    with pytest.raises(InputError, match="shape of measured"):
        gap(p, q[:, 1:])


def test_everything_is_compared_with_everything(tiny: Callable[..., Loaded]) -> None:
    loaded = tiny("bloom")
    draw = np.random.default_rng(0)
    heads = [Alibi(0.1 * h) for h in range(6)]
    found = compared(
        loaded, draw.integers(3, 61, (3, N)), targets=("prob", "logprob"), kernels=[heads] * 2,
        averages=[Alibi([0.1 * h for h in range(6)])] * 2, ablation=True, exact=True,
    )  # fmt: skip
    assert {name: rows.shape for name, rows in found.measured.items()} == {"prob": (3, N), "logprob": (3, N)}
    names = {*VARIANTS, "second moments", "second moments, exact MLP", "second moments, architectural"}
    assert set(found.predicted) == names | {f"second moments, {told}" for told in ABLATION}
    for rows in found.predicted.values():
        assert rows.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert set(found.table("prob")) == set(found.predicted)
    assert set(found.seconds) == {
        "gradient", "second moments", "second moments, exact MLP", "second moments, architectural"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("second_moments.py", "untrained", "--out", "file"), "'--out' must be a folder"),
        (("second_moments.py", "nowhere", "--out", "found"), "'MODEL' must be a folder that exists"),
        (("second_moments.py", "random:tiny", "-n", "1", "--out", "found"), "'--length' must be at least 2"),
        (("gradient_valley.py", "picture.txt"), "'plot' must end in"),
    ],
)
def test_scripts_refuse_in_one_line(
    script: Callable[..., CompletedProcess[str]], tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    (tmp_path / "file").write_text("")
    write_config(tmp_path / "tiny", "bloom")
    run = script(*words)
    assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (2, "", 1) and says in run.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "tiny"]


def test_the_script_writes_its_tables(script: Callable[..., CompletedProcess[str]], tmp_path: Path) -> None:
    write_config(tmp_path / "tiny", "bloom")
    run = script("second_moments.py", "random:tiny", "-n", "8", "--samples", "2", "--out", "found")
    assert run.returncode == 0, run.stderr
    told = json.loads((tmp_path / "found" / "tiny.json").read_text(encoding="utf-8"))["tiny"]
    assert set(told["gaps"]) == {"prob", "logprob", "logit"}
    assert (tmp_path / "found" / "tiny.md").read_text(encoding="utf-8") == run.stdout
    assert (tmp_path / "found" / "tiny.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert "| second moments |" in run.stdout
