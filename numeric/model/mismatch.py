"""Where modules do something else than declared, and where another way of computing attention does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from numeric.model.declared import Declared
from numeric.model.layer import Layer

__all__ = ["Mismatch", "between", "layer_numbers", "mismatches"]

Difference = tuple[str, str, str]  # what, declared, read
_PLAIN = ("heads", "kv_heads", "head_size", "mask", "positions", "norm", "order", "residual")
_WORDS = {"kv_heads": "key-value heads", "head_size": "head size"}


@dataclass(frozen=True)
class Mismatch:
    """Layers, from 1, in which the modules do something else than declared; none for the model as a whole."""

    layers: tuple[int, ...]
    what: str
    declared: str
    read: str

    def told(self, left: str = "declared", right: str = "read") -> str:
        """One line; ``left`` and ``right`` name the two sides."""
        where = f", {layer_numbers(self.layers)}" if self.layers else ""
        return f"{self.what}{where}: {left} {self.declared}, {right} {self.read}"


def layer_numbers(numbers: tuple[int, ...]) -> str:
    """Layers from 1, runs of them as first-last.

    >>> layer_numbers((1, 2, 3, 5))
    'layers 1-3, 5'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    text = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
    return f"layer{'s' if len(numbers) > 1 else ''} {text}"


def mismatches(
    layers: Sequence[Layer], said_layers: int | None, said: Sequence[Declared], n: int
) -> tuple[Mismatch, ...]:
    """What was read at n positions against the configuration, equal mismatches of several layers as one."""
    whole = []
    if said_layers not in (None, len(layers)):
        whole = [Mismatch((), "layers", str(said_layers), str(len(layers)))]
    pairs = zip(layers, said, strict=False)
    return (*whole, *_gathered((layer.number, _declared(layer, one, n)) for layer, one in pairs))


def between(layers: Sequence[Layer], others: Sequence[Layer], n: int) -> tuple[Mismatch, ...]:
    """What another way of computing attention (``others``) does that ``layers`` do not."""
    pairs = zip(layers, others, strict=True)
    return _gathered((one.number, _attention(one, other, n)) for one, other in pairs)


def _gathered(found: Iterable[tuple[int, Iterable[Difference]]]) -> tuple[Mismatch, ...]:
    layers: dict[Difference, list[int]] = {}
    for number, differences in found:
        for difference in differences:
            layers.setdefault(difference, []).append(number)
    return tuple(Mismatch(tuple(numbers), *difference) for difference, numbers in layers.items())


def _declared(layer: Layer, said: Declared, n: int) -> Iterator[Difference]:
    for key in _PLAIN:
        told, read = getattr(said, key), getattr(layer, key)
        if told is not None and told != read:
            yield _WORDS.get(key, key), str(told), str(read)
    if layer.window != (None if said.window is None or said.window >= n else said.window):
        yield "window", _window(said.window), _window(layer.window, n)
    if said.scale is not None:
        # the declared scale is rounded once where it is stored
        yield from _scale(layer, np.full(layer.heads, said.scale), 2.0**-23 * said.scale)
    if said.slopes is not None and layer.slopes is not None and len(said.slopes) == layer.heads:
        yield from _slopes(layer, said.slopes, said.slope_rounding * said.slopes)


def _attention(one: Layer, other: Layer, n: int) -> Iterator[Difference]:
    for key in ("mask", "positions"):
        if getattr(one, key) != getattr(other, key):
            yield key, getattr(one, key), getattr(other, key)
    if one.window != other.window:
        yield "window", _window(one.window, n), _window(other.window, n)
    yield from _scale(other, one.attends.scales, one.attends.scale_errors)
    if one.slopes is not None and other.slopes is not None:
        yield from _slopes(other, np.asarray(one.slopes), one.attends.bias.slope_errors)


def _window(window: int | None, n: int | None = None) -> str:
    return str(window) if window is not None else "none" if n is None else f"none within {n}"


def _scale(layer: Layer, expected: Any, error: Any) -> Iterator[Difference]:
    """Heads that multiply q·k by something else; none where the second row reads one position only."""
    if not layer.attends.linear:
        yield "scale", _several(expected), "scores not linear in q.k"
        return
    scales = layer.attends.scales
    off = np.abs(scales - expected) > layer.attends.scale_errors + error
    if off.any():
        yield _of_heads("scale", off), _several(expected[off]), _several(scales[off])


def _slopes(layer: Layer, expected: Any, error: Any) -> Iterator[Difference]:
    """Heads whose slope is another than expected."""
    bias = layer.attends.bias
    # of a slope so small that its bias is lost in noise, 0 was read
    off = np.abs(bias.slopes - expected) > bias.slope_errors + error
    if off.any():
        yield _of_heads("slopes", off), _several(expected[off]), _several(bias.slopes[off])


def _of_heads(what: str, off: Any) -> str:
    """ "slopes", or which of them."""
    heads = [str(head) for head in np.flatnonzero(off) + 1]
    if off.all():
        return what
    several = ", ".join(heads[:4]) + (", ..." if len(heads) > 4 else "")
    return f"{what} of head{'s' if len(heads) > 1 else ''} {several}"


def _several(values: Any) -> str:
    """At most four numbers; one where all are alike."""
    texts = [f"{value:.6g}" for value in values]
    texts = texts[:1] if len(set(texts)) == 1 else texts
    return " ".join(texts[:4]) + (" ..." if len(texts) > 4 else "")
