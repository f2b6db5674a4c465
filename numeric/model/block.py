"""One layer of a loaded model: its modules, and which output channels of its projections are queries, keys and values.

Whatever is said here is read off the modules themselves, not off the configuration: the number of query heads and of
key-value heads follows from the projections' widths and the head size, which is the one number that modules have to
tell by an attribute (`_SIZES`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.family import Family
from numeric.refuse import flag

__all__ = ["Block", "Channels", "blocks", "find", "weight"]

Indices = NDArray[np.int64]
_SIZES = ("head_dim", "head_size", "attention_head_size")


@dataclass(frozen=True)
class Channels:
    """Some output channels of a linear module: ``index`` (heads, head size) says which, head by head."""

    module: Any
    index: Indices

    @property
    def heads(self) -> int:
        return int(self.index.shape[0])

    def matrix(self) -> Any:
        """Their rows of the module's weight, (heads, head size, inputs): the map from a normalised state to a head."""
        return weight(self.module)[self.index.reshape(-1)].reshape(*self.index.shape, -1)


@dataclass(frozen=True)
class Block:
    """One layer. whole : the layer's module, whose input is the raw residual stream. norm, mlp_norm : what is applied
    before attention and MLP (the same module where both share it). output : W_O, whose result is what attention adds to
    the stream. up, gate, down : of the MLP, gate None where it has none.
    """

    number: int
    whole: Any
    attention: Any
    norm: Any
    query: Channels
    key: Channels
    value: Channels
    output: Any
    mlp: Any
    mlp_norm: Any
    up: Any
    gate: Any
    down: Any

    @property
    def heads(self) -> int:
        return self.query.heads

    @property
    def kv_heads(self) -> int:
        return self.key.heads

    @property
    def head_size(self) -> int:
        return int(self.query.index.shape[1])


def weight(module: Any) -> Any:
    """The weight as (outputs, inputs), whichever way the module stores it: GPT-2's Conv1D has it transposed."""
    return module.weight.T if type(module).__name__ == "Conv1D" else module.weight


def find(root: Any, path: str) -> Any:
    """The module at a dotted path; of several, with "|" between, the first that is there; None where none is."""
    for one in path.split("|"):
        found = root
        for name in [] if one == "." else one.split("."):
            found = getattr(found, name, None)
        if found is not None:
            return found
    return None


def blocks(model: Any, family: Family) -> tuple[Block, ...]:
    """Every layer of a model of that family, layer 1 first.

    Raises InputError that names the first module that is not where the family says.
    """
    layers = _required(model, family.blocks, "blocks", family)
    if not len(layers):
        raise flag("MODEL", "have at least one layer", "none", f"family {family.name}")
    return tuple(_block(layer, number, family) for number, layer in enumerate(layers, start=1))


def _block(layer: Any, number: int, family: Family) -> Block:
    attention = _required(layer, family.attention, "attention", family)
    mlp = _required(layer, family.mlp, "mlp", family)
    query, key, value = _channels(attention, family)
    return Block(
        number, layer, attention, _required(layer, family.norm, "norm", family), query, key, value,
        # W_O may lie beside the attention, in the layer
        find(attention, family.output) or _required(layer, family.output, "output", family), mlp,
        _required(layer, family.mlp_norm, "mlp_norm", family), _required(mlp, family.up, "up", family),
        _required(mlp, family.gate, "gate", family) if family.gate else None,
        _required(mlp, family.down, "down", family),
    )  # fmt: skip


def _required(root: Any, path: str, key: str, family: Family) -> Any:
    found = find(root, path)
    if found is None:
        raise flag(
            "MODEL", f"have its {key} at {path!r}", f"a {type(root).__name__} without it", f"family {family.name}"
        )
    return found


def _channels(attention: Any, family: Family) -> Iterator[Channels]:
    """Query, key and value of one attention module."""
    modules = [_required(attention, getattr(family, part), part, family) for part in ("query", "key", "value")]
    size = next((int(getattr(attention, name)) for name in _SIZES if hasattr(attention, name)), 0)
    if size < 1:
        raise flag("MODEL", f"tell its head size ({', '.join(_SIZES)})", f"a {type(attention).__name__} without one")
    widths = [int(weight(module).shape[0]) for module in modules]
    if any(width % size for width in widths):
        raise flag("MODEL", f"have projections of whole heads of {size}", f"widths {widths}", f"family {family.name}")
    if family.layout == "separate":
        index = [np.arange(width).reshape(-1, size) for width in widths]
    else:
        index = list(_fused(widths[0] // size, size, _kv_heads(attention, widths[0] // size), family.layout))
    return map(Channels, modules, index)


def _kv_heads(attention: Any, slots: int) -> int:
    """Key-value heads of a fused projection with room for so many heads in all: H + 2 G = slots."""
    heads = next((int(getattr(attention, x)) for x in ("num_heads", "n_heads") if hasattr(attention, x)), slots // 3)
    return (slots - heads) // 2


def _fused(slots: int, size: int, kv_heads: int, layout: str) -> Iterator[Indices]:
    """Channel numbers, (heads, head size), of queries, keys and values in one module."""
    heads = slots - 2 * kv_heads
    number = np.arange(slots * size).reshape(slots, size)
    if layout == "stacked":
        yield from np.split(number, [heads, heads + kv_heads])
        return
    grouped = number.reshape(kv_heads, heads // kv_heads + 2, size)
    yield grouped[:, :-2].reshape(heads, size)
    yield grouped[:, -2]
    yield grouped[:, -1]
