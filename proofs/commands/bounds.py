"""What bounds say beside a profile: how fast the first token takes over (I5, I7, I8), how far drift can fail (D8).

Text shows them to the nearest digit, as it does all numbers; JSON has the proven ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numeric.drift_bound import DriftBound
    from numeric.speed import Bounds, Speed

__all__ = ["drift_json", "drift_rows", "mean_text", "speed_json", "speed_row"]


def mean_text(found: Speed) -> str:
    """The bounds of I7, positions from 1."""
    return f"between {found.mean_position.lo + 1:.3f} and {found.mean_position.hi + 1:.3f} by I7"


def speed_row(p: Any, found: Speed) -> tuple[str, str]:
    """The mass on the first token with its sharpest bounds."""
    upper, lower = found.away[found.upper], found.away[found.lower]
    least = f"at least {1 - upper.hi:.6g} ({found.upper})" if upper.hi < 1 else "no bound from below"
    most = f"at most {max(1 - lower.lo, 0.0):.6g} ({found.lower})" if lower.lo > 0 else "none from above"
    return "first token", f"{float(p[0]):.6g}, {least}, {most}"


def speed_json(p: Any, found: Speed) -> dict[str, Any]:
    """The bounds of each statement on P_n1; the sharpest on either side is named."""
    return {
        "mean_position_bounds": [found.mean_position.lo + 1, found.mean_position.hi + 1],
        "first_token": {
            "value": float(p[0]),
            "bounds": {name: _turned(bounds) for name, bounds in found.away.items()},
            "sharpest": {"below": found.upper, "above": found.lower},
        },
    }


def _turned(away: Bounds) -> list[float]:
    """Bounds of P_n1 from those of 1 − P_n1."""
    return [max(0.0, 1 - away.hi), 1 - away.lo]


def drift_rows(found: DriftBound, *, alike: bool) -> list[tuple[str, str]]:
    """How far a tail of the profile can go the wrong way. alike: whether all layers are one kernel."""
    if not any(found.gaps):
        return [("drift", "one-sided: every layer is monotone (D1, D2)")]
    gap = max(found.gaps)
    if alike:
        return [
            ("drift", "one-sided while every layer has this kernel (D5)"),
            ("", f"another on top raises no tail by more than {found.on_top:.6g} (D8); its gap is {gap:.6g}"),
        ]
    return [
        ("drift", f"one more layer raises no tail by more than {found.on_top:.6g} (D8)"),
        ("", f"lambda raised to 1 raises none by more than {found.raised:.6g}; largest gap of a layer {gap:.6g}"),
    ]


def drift_json(found: DriftBound) -> dict[str, Any]:
    """The same as JSON."""
    return {"gaps": list(found.gaps), "layer_on_top": found.on_top, "lambda_raised_to_one": found.raised}
