"""The tables of docs/what-was-measured.md, from the files beside this one and the tables that posbias ships.

python docs/evidence/measured_tables.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TARGET = "logprob"
LINEAR = (
    "attention only", "half", "residual", "residual, by position", "residual, value-weighted",
    "residual, architectural",
)  # fmt: skip
FURTHER = ("untrained-n64", "untrained-seed1", "bloom-0.08-n1024", "smollm2-135m-n64", "smollm2-135m-seed1",
           "smollm2-135m-n512", "smollm2-135m-n1024")  # fmt: skip


def evidence(*names: str) -> list[tuple[str, dict[str, Any]]]:
    """(network, what was measured) of the files, in order."""
    return [pair for name in names for pair in json.loads((HERE / f"{name}.json").read_text("utf-8")).items()]


def benchmarks() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "benchmarks.json").read_text("utf-8"))
    return found


def tables() -> tuple[str, ...]:
    """Every table of the page, in its order."""
    numeric, symbolic = benchmarks()["numeric"], benchmarks()["symbolic"]
    return (
        published(),
        bloom(),
        networks(),
        further(),
        _markdown(numeric["columns"], numeric["ratios"]),
        _markdown(symbolic["columns"], symbolic["ratios"]),
    )


def published() -> str:
    """What the measured λ and the two readings of the slopes give for each published model."""
    from numeric.kernel import Alibi
    from numeric.profile import profile
    from numeric.published import PUBLISHED
    from numeric.shape import shape

    rows = []
    for model in PUBLISHED.values():
        told = []
        for kind in ("paper", "model"):
            found = shape(profile([Alibi(model.slopes(kind))] * model.layers, model.lam(), n=model.length))
            assert found.valley.position is not None  # floats are compared as they are
            told.append(f"{found.label}, {found.valley.position + 1}")
        rows.append([model.name, model.layers, model.heads, f"{sum(model.lam()):.3f}", *told])
    return _markdown(["model", "layers", "heads", "S", "slopes 2^(−8h/H)", "its own slopes"], rows)


def bloom() -> str:
    """W1/(n − 1) and ρ between the rollouts of BLOOM-176B without content and its measured influence."""
    from numeric.kernel import Alibi
    from numeric.profile import profile
    from numeric.published import find, measured_influence

    model, influence = find("bloom-176b"), measured_influence("bloom-176b")
    rows = []
    for name, lam in (("attention only, λ = 1", 1.0), ("measured λ", model.lam())):
        found = [
            profile([Alibi(model.slopes(kind))] * model.layers, lam, n=model.length) for kind in ("paper", "model")
        ]
        rows.append([name, *(_compared(row, influence) for row in found)])
    return _markdown(["BLOOM-176B", "slopes 2^(−8h/112)", "its own slopes"], rows)


def networks() -> str:
    """W1/(n − 1), its interval and ρ, network by network, of three linear rollouts and of second moments."""
    rows = []
    for name, one in evidence("untrained", "smollm2-135m"):
        gaps = one["gaps"][TARGET]
        nearest = min(LINEAR, key=lambda label: gaps[label]["wasserstein"])
        rows.append([
            name, _gap(gaps["attention only"]), _gap(gaps["residual"]), f"{_gap(gaps[nearest])} ({nearest})",
            _gap(gaps["second moments"]), _interval(gaps["second moments"]),
        ])  # fmt: skip
    heads = ["network", "attention only", "residual", "nearest linear", "second moments", "their interval"]
    return _markdown(heads, rows)


def further() -> str:
    """The same at other lengths, seeds and texts, second moments beside the nearest linear rollout."""
    rows = []
    for name, one in evidence(*FURTHER):
        gaps = one["gaps"][TARGET]
        nearest = min(gaps[label]["wasserstein"] for label in LINEAR if label in gaps)
        found = gaps["second moments"]
        rows.append([
            name, one["n"], one["seed"], one["samples"], f"{nearest:.3f}", f"{found['wasserstein']:.3f}",
            _interval(found) if one["samples"] > 1 else None,  # one sample has no spread
        ])  # fmt: skip
    return _markdown(["network", "n", "seed", "samples", "nearest linear", "second moments", "interval"], rows)


def _compared(row: Any, measured: Any) -> str:
    from numeric.order import spearman, wasserstein

    return f"{wasserstein(row, measured) / (len(row) - 1):.4f}, {spearman(row, measured):.4f}"


def _gap(found: dict[str, float]) -> str:
    return f"{found['wasserstein']:.3f}, {found['spearman']:.2f}"


def _interval(found: dict[str, float]) -> str:
    return f"{found['low']:.3f}–{found['high']:.3f}"


def _markdown(heads: list[str], rows: list[list[Any]]) -> str:
    lines = [heads, ["---"] * len(heads), *([_cell(cell) for cell in row] for row in rows)]
    return "\n".join(f"|{'|'.join(cells)}|" if cells[0] == "---" else f"| {' | '.join(cells)} |" for cells in lines)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else str(value)


if __name__ == "__main__":
    print("\n\n".join(tables()))
