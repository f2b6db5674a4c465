"""What the order of the layers (D7) and the mask (X2) make of a profile, as text and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numeric.layer_order import Arrangement, LayerOrder

__all__ = ["order_json", "order_rows", "prefix_json", "prefix_row"]


def order_rows(found: LayerOrder) -> list[tuple[str, str]]:
    """The most recent and the most primacy-heavy order, and how far each is from the present one."""
    if found.most_recent is None or found.most_primacy is None:
        return [("order", f"D7 says nothing: {found.reason}")]
    if found.same:
        return [("order", "any: all layers read alike, so they commute (D7)")]
    return [
        ("most recent", _arranged(found.most_recent)),
        ("most primacy", _arranged(found.most_primacy)),
    ]


def _arranged(end: Arrangement) -> str:
    mean = float(sum(at * x for at, x in enumerate(end.profile.tolist(), start=1)))
    if end.distance < 1e-9:
        return f"the present order, mean position {mean:.3f} (D7)"
    return f"layers {_ranges(end.layers)} from below, mean position {mean:.3f}, {end.distance:.3f} away (D7)"


def _ranges(layers: tuple[int, ...]) -> str:
    """Layers 1, 2, 3, 7, 6, 5 as 1-3, 7-5."""
    runs: list[list[int]] = []
    for t in layers:
        if runs and t - runs[-1][-1] in ((-1, 1) if len(runs[-1]) == 1 else (runs[-1][1] - runs[-1][0],)):
            runs[-1].append(t)
        else:
            runs.append([t])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def order_json(found: LayerOrder) -> dict[str, Any]:
    """The same as JSON; layers from 1, the lowest first."""
    return {
        "most_recent": _end_json(found.most_recent),
        "most_primacy": _end_json(found.most_primacy),
        "same": found.same,
        "reason": found.reason or None,
    }


def _end_json(end: Arrangement | None) -> dict[str, Any] | None:
    if end is None:
        return None
    return {"layers": list(end.layers), "profile": end.profile.tolist(), "wasserstein_positions": end.distance}


def prefix_row(p: Any, prefix: int) -> tuple[str, str]:
    """The share of the tokens that see each other."""
    if prefix == 1:
        return "prefix", "token 1 alone: the kernels are causal"
    share = float(p[:prefix].sum())
    return "prefix", f"tokens 1-{prefix} see each other, share {share:.6g}; beyond it as if causal (X2)"


def prefix_json(p: Any, prefix: int) -> dict[str, Any]:
    """The same as JSON."""
    return {"prefix": {"length": prefix, "share": float(p[:prefix].sum())}}
