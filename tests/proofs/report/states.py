"""States of the page: named edges, and random ones whose sizes are primes, so that a swapped axis fails."""

from __future__ import annotations

from random import Random
from typing import Any

__all__ = ["EDGES", "GIVEN", "drawn"]

Json = dict[str, Any]

# three layers of two heads with slopes, content and head weights of their own
GIVEN: Json = {
    "mark": "0123abcd",
    "lam": [0.25, 1.0, 0.125],
    "slopes": [[0.5, 0.0], [0.0, 1.5], [0.03125, 0.5]],
    "content": [[1.0, -2.0], [0.0, 3.0], [-0.5, 0.25]],
    "weights": [0.75, 0.25],
}


def _state(length: int, layers: int, schedule: Json, slopes: Json, content: float = 0.0) -> Json:
    d = {"kind": "number", "d": content}
    return {"length": length, "layers": layers, "schedule": schedule, "slopes": slopes, "content": d}


HALF, ONE, NONE = ({"kind": "constant", "c": c} for c in (0.5, 1.0, 0.0))
UNIFORM, LOCAL, STEEP = ({"kind": "one", "slope": m} for m in (0.0, 0.25, 700.0))

EDGES: dict[str, Json] = {
    "one position": _state(1, 3, HALF, LOCAL),
    "two positions": _state(2, 1, ONE, UNIFORM),
    "flat": _state(7, 1, ONE, UNIFORM),
    "nothing attends": _state(7, 3, NONE, LOCAL, 1.0),
    "attention only": _state(31, 5, ONE, {"kind": "paper", "heads": 8}),
    "uniform": _state(53, 13, HALF, UNIFORM),
    "steepest": _state(29, 3, HALF, STEEP),
    "largest content": _state(11, 3, HALF, LOCAL, 400.0),
    "least content": _state(11, 3, HALF, LOCAL, -400.0),
    # one step at a time: I5 is sharp; and no float tells from 0 what is three steps away, so that I8's hops count
    "steps": _state(6, 13, HALF, {"kind": "one", "slope": 300.0}, -400.0),
    "tiny slope": _state(31, 5, HALF, {"kind": "one", "slope": 1e-17}),
    "heads of BLOOM": _state(61, 5, HALF, {"kind": "model", "heads": 11}, 0.5),
    "rising lambda": _state(23, 7, {"kind": "power", "c": 0.25, "beta": -1.0}, LOCAL),
    "nothing by a power": _state(5, 3, {"kind": "power", "c": 0.0, "beta": -1000.0}, LOCAL),
    "first layer only": _state(23, 7, {"kind": "geometric", "c": 1.0, "r": 0.0}, LOCAL, -1.0),
    "given": {
        "length": 37, "layers": 3, "schedule": {"kind": "given", "scale": 1}, "slopes": {"kind": "given"},
        "content": {"kind": "given"},
    },
    "the first layers given": {
        "length": 19, "layers": 2, "schedule": {"kind": "given", "scale": 0.75}, "slopes": {"kind": "given"},
        "content": {"kind": "given"},
    },
    "given slopes": {
        "length": 5, "layers": 3, "schedule": {"kind": "power", "c": 1.0, "beta": 0.5}, "slopes": {"kind": "given"},
        "content": {"kind": "number", "d": 0.5},
    },
    "given lambda": {
        "length": 41, "layers": 3, "schedule": {"kind": "given", "scale": 0.5}, "slopes": {"kind": "paper", "heads": 3},
        "content": {"kind": "number", "d": 0.0},
    },
}  # fmt: skip


def drawn(seed: int) -> Json:
    """A state of moderate size, in which something attends."""
    draw = Random(seed)
    schedule = draw.choice(
        [
            {"kind": "constant", "c": draw.uniform(0.01, 1)},
            {"kind": "power", "c": draw.uniform(0.1, 1), "beta": draw.uniform(-0.5, 2)},
            {"kind": "geometric", "c": draw.uniform(0.1, 1), "r": draw.uniform(0.2, 1)},
        ]
    )
    slopes = draw.choice(
        [
            {"kind": "paper", "heads": draw.choice([2, 3, 7, 8])},
            {"kind": "model", "heads": draw.choice([2, 3, 7, 8])},
            {"kind": "one", "slope": draw.uniform(0, 2)},
        ]
    )
    length, layers = draw.choice([5, 13, 43, 89, 127]), draw.choice([2, 3, 11, 19])
    return _state(length, layers, schedule, slopes, draw.choice([0.0, draw.uniform(-3, 3)]))
