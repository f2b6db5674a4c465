"""Folders as `posbias measure` writes them, of kernels and λ that are drawn here: no model, and rollouts by products of
matrices, so that what is compared is known.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.store import ROLLOUTS, Store, record_type

FloatArray = NDArray[np.float64]
SLOPES = [0.8, 0.3, 0.05]  # no model's: neither the paper's nor those that a model computes for three heads
NAMES = dict(zip(("residual", "attention only", "half", "residual, by position", "residual, value-weighted"),
                 ROLLOUTS, strict=True))  # fmt: skip


def kernels(rng: np.random.Generator, *shape: int) -> FloatArray:
    """Causal kernels, positive below the diagonal."""
    weights = np.tril(rng.random(shape) + 0.05)
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def last_row(matrices: FloatArray, mixing: FloatArray) -> FloatArray:
    """Of R_T ⋯ R_1; matrices (T, n, n), mixing (T, n)."""
    product = np.eye(mixing.shape[1])
    for a, share in zip(matrices, mixing, strict=True):
        product = (np.diag(1 - share) + share[:, None] * a) @ product
    return np.asarray(product[-1])


@dataclass
class Planted:
    """K samples of n positions in T layers with H heads; whatever is changed before `write` is in the folder."""

    n: int = 7
    layers: int = 2
    heads: int = 3
    samples: int = 5
    seed: int = 0
    measured: FloatArray = field(init=False)  # (K, T, n, n)
    weighted: FloatArray = field(init=False)
    mixing: FloatArray = field(init=False)  # (K, T, n)
    content: FloatArray = field(init=False)  # (K, T, H, 2)
    influence: FloatArray = field(init=False)  # (K, n)
    rollouts: dict[str, FloatArray] = field(init=False)
    prediction: FloatArray | None = field(init=False)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        size = (self.samples, self.layers, self.n, self.n)
        self.measured, self.weighted = kernels(rng, *size), kernels(rng, *size)
        self.mixing = rng.uniform(0.1, 0.9, size[:3])
        self.content = rng.normal(size=(self.samples, self.layers, self.heads, 2))
        self.influence = rng.random((self.samples, self.n)) + 0.01
        self.prediction = rng.dirichlet(np.ones(self.n), self.samples)
        self.roll()

    def roll(self) -> None:
        """Rollouts anew, from kernels and λ."""
        flat = np.repeat(self.mixing.mean(axis=2)[..., None], self.n, axis=2)
        wanted = {
            "rollout": (self.measured, flat), "attention_only": (self.measured, np.ones_like(flat)),
            "half": (self.measured, np.full_like(flat, 0.5)), "by_position": (self.measured, self.mixing),
            "value_weighted": (self.weighted, flat),
        }  # fmt: skip
        self.rollouts = {
            name: np.array([last_row(a, lam) for a, lam in zip(stack, shares, strict=True)])
            for name, (stack, shares) in wanted.items()
        }

    @property
    def mean(self) -> FloatArray:
        return np.asarray(self.measured.mean(axis=0))

    def write(self, folder: Path, *, until: int | None = None, changes: dict[str, Any] | None = None,
              with_kernels: bool = True, version: int = 2, told: Any = "alibi") -> Path:  # fmt: skip
        """until : samples that are there, all unless given. changes : of the manifest. told : the architecture, None
        for a report without one.
        """
        count = self.samples if until is None else until
        manifest = self._manifest(with_kernels, version) | (changes or {})
        kind = record_type(self.layers, self.n, self.heads if with_kernels else None, version)
        with Store(folder, manifest, kind, summing=False) as store:
            store.append(iter(self._record(s, kind) for s in range(count)), 0)
        if with_kernels:
            sums = {"kernels": self.measured[:count].sum(axis=0), "counts": np.full(self.layers, float(count))}
            np.savez(folder / "sums.npz", count=np.int64(count), value_weighted=sums["kernels"], **sums)
        if count == self.samples:
            self._finish(folder, with_kernels, told)
        return folder

    def _record(self, s: int, kind: Any) -> dict[str, Any]:
        fields = {"tokens": np.arange(self.n), "target": 0, "mixing": self.mixing[s], "influence": self.influence[s]}
        fields |= {"content": self.content[s], **{name: rows[s] for name, rows in self.rollouts.items()}}
        return {name: value for name, value in fields.items() if name in kind.names}

    def _manifest(self, with_kernels: bool, version: int) -> dict[str, Any]:
        return {
            "format": version, "length": self.n, "samples": self.samples, "target": "logprob", "kernels": with_kernels,
            "model": {"source": "planted", "family": "bloom", "layers": self.layers, "heads": self.heads,
                      "random_init": None, "dtype": "float32", "config_sha256": "c", "weights_sha256": "w"},
            "input": {"kind": "random tokens", "ids_sha256": "ids"},
        }  # fmt: skip

    def _finish(self, folder: Path, with_kernels: bool, told: Any) -> None:
        report: dict[str, Any] = {"remarks": []}
        if told == "alibi":
            told = [{"kind": "alibi", "slopes": SLOPES}] * self.layers
        if told is not None:
            position = "alibi" if told[0]["kind"] == "alibi" else "rotary"
            report["architecture"] = {"positions": [position] * self.layers, "kernels": told, "why": None}
        (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
        if with_kernels:
            np.save(folder / "kernels.npy", self.mean)
            np.save(folder / "deviations.npy", np.abs(self.measured - self.mean).sum(axis=3).max(axis=2))
        if self.prediction is not None:
            np.save(folder / "prediction.npy", self.prediction)
            facts = {key: value for key, value in self._manifest(True, 2).items() if key in ("model", "input")}
            (folder / "prediction.json").write_text(json.dumps({**facts, "kernels": "measured"}), encoding="utf-8")
