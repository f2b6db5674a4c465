"""What the page starts from, as its scripts understand it: a state, and the values that "given" means in it.

    state   {"length", "layers", "schedule": {"kind", …}, "slopes": {"kind", …}, "content": {"kind", …}}
    given   {"mark", "lam": [T] | None, "slopes": [[H] …] | None, "content": [[H] …] | None, "weights": [H] | None}

A rule that the page knows (λ by a number, a power, a geometric series; slopes of the paper or of BLOOM and MPT, or one;
one content for all) is named as such, so that its controls can move it; whatever else there is, is given: rows of
slopes and content are one for all layers, or one per layer. Numbers are the floats that `numeric` computes with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from numeric.once import once
from numeric.prefix import FloatHead, NotPrefix, float_heads
from numeric.published import bloom_slopes, paper_slopes
from numeric.refuse import flag
from numeric.schedule import Constant, Geometric, Power, Schedule

__all__ = ["LIMITS", "Sizes", "Start", "start"]

# those of state.js: the page answers a control in a fraction of a second
LIMITS = {"length": 1024, "layers": 256, "heads": 512, "work": 2**23, "slope": 700, "content": 400, "exponent": 1000}

Table = list[list[float]]


@dataclass(frozen=True)
class Sizes:
    """What refusals call n, T and H."""

    length: str
    layers: str
    heads: str


@dataclass(frozen=True)
class Start:
    """The first state of the page, and what is given in it."""

    state: dict[str, Any]
    given: dict[str, Any] | None


def start(kernels: Sequence[Kernel], lam: Any, n: int, rule: Schedule | None, names: Sizes) -> Start:
    """The state of checked kernels (T,) and λ (T,), layer 1 first. rule : the schedule that gave λ, if there is one.

    Raises InputError for sizes beyond `LIMITS`, and for layers that are not made of ALiBi or uniform heads with the
    same head weights.
    """
    heads = _heads(kernels, n, names)
    _require_sizes(n, len(kernels), len(heads[0]), names)
    slopes, content = (_rows([[getattr(head, name) for head in row] for row in heads]) for name in ("slope", "content"))
    weights = _weights(heads)
    kept: dict[str, Any] = {"lam": None, "slopes": None, "content": None, "weights": weights}
    plain = None if len(slopes) > 1 or weights is not None or _same(content) is None else _slope_rule(slopes[0])
    if plain is None:
        kept["slopes"] = slopes
    d = _same(content)
    if d is None:
        kept["content"] = content
    schedule = _schedule(lam.tolist(), rule)
    if schedule is None:
        kept["lam"] = lam.tolist()
    state = {
        "length": n,
        "layers": len(kernels),
        "schedule": {"kind": "given", "scale": 1} if schedule is None else schedule,
        "slopes": plain or {"kind": "given"},
        "content": {"kind": "given"} if d is None else {"kind": "number", "d": d},
    }
    return Start(state, None if schedule is not None and plain is not None else {"mark": _mark(kept), **kept})


def _heads(kernels: Sequence[Kernel], n: int, names: Sizes) -> list[list[FloatHead]]:
    """The heads of each layer, all of them ALiBi or uniform."""
    if not 1 <= len(kernels) <= LIMITS["layers"]:
        raise flag(names.layers, f"be in [1, {LIMITS['layers']}] for a report", str(len(kernels)))
    try:
        heads = once(lambda kernel: float_heads(kernel, n), kernels)
    except NotPrefix as kind:
        raise flag("SOURCE", "have ALiBi or uniform heads for a report", f"{kind}") from None
    for layer, row in enumerate(heads, start=1):
        if any(head.weights is not None for head in row):
            raise flag("SOURCE", "have ALiBi or uniform heads for a report", "Prefix", f"layer {layer}")
        if [head.share for head in row] != [head.share for head in heads[0]]:
            raise flag(
                "SOURCE", "have the heads and head weights of layer 1 in every layer", "others", f"layer {layer}"
            )
    return heads


def _require_sizes(n: int, layers: int, heads: int, names: Sizes) -> None:
    if heads > LIMITS["heads"]:
        raise flag(names.heads, f"be at most {LIMITS['heads']} for a report", str(heads))
    most = min(LIMITS["length"], LIMITS["work"] // (heads * layers))
    if n > most:
        raise flag(names.length, f"be at most {most} for a report of {layers} layers of {heads} heads", str(n))


def _rows(table: Table) -> Table:
    """One row where all layers agree."""
    return table[:1] if all(row == table[0] for row in table) else table


def _same(table: Table) -> float | None:
    """The number that every layer and head has, if there is one."""
    values = {value for row in table for value in row}
    return values.pop() if len(values) == 1 else None


def _weights(heads: Sequence[Sequence[FloatHead]]) -> list[float] | None:
    """Head weights, None for the plain average."""
    shares = [head.share for head in heads[0]]
    return None if all(share == 1 / len(shares) for share in shares) else shares


def _slope_rule(slopes: list[float]) -> dict[str, Any] | None:
    """The rule of the page that gives these slopes, exactly."""
    count = len(slopes)
    if count == 1:
        return {"kind": "one", "slope": slopes[0]}
    for kind, rule in (("paper", paper_slopes), ("model", bloom_slopes)):
        if np.array_equal(slopes, rule(count)):
            return {"kind": kind, "heads": count}
    return None


def _schedule(lam: list[float], rule: Schedule | None) -> dict[str, Any] | None:
    """λ as a schedule of the page, None where it is a list."""
    match rule:
        case Power() if abs(float(rule.beta)) <= LIMITS["exponent"]:
            return {"kind": "power", "c": float(rule.c), "beta": float(rule.beta)}
        case Geometric():
            return {"kind": "geometric", "c": float(rule.c), "r": float(rule.r)}
        case Constant():
            return {"kind": "constant", "c": float(rule.lam)}
    return {"kind": "constant", "c": lam[0]} if rule is None and len(set(lam)) == 1 else None


def _mark(kept: dict[str, Any]) -> str:
    """Eight digits that tell one page's given values from another's."""
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode("ascii")).hexdigest()[:8]
