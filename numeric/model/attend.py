"""How every layer of a loaded model attends, found by setting queries, keys and values by hand.

They are overwritten on the output of their projections, in every layer at once. With values that are 1 in channel c at
one key and 0 elsewhere, channel c of what enters W_O *is* that key's attention weight: products with 1 and sums of
zeros are exact. So weights are read from any attention, fused or not, whatever it returns, in one forward pass of a
batch of a few sequences. No attribute and no configuration is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.probe import after, before, probed, reached, tokens
from numeric.model.reading import Bias, Mask, read_bias, read_mask, read_scale, rotates
from numeric.refuse import flag, refusal

if TYPE_CHECKING:
    from numeric.model.block import Block
    from numeric.model.loading import Loaded

__all__ = ["Attends", "attend", "weights_of"]

Floats = NDArray[np.float64]
MOST_CELLS = 2**29  # 2 GB in float32
STRENGTHS = np.array([1.0, 2.0])  # q·k in units of √(head size): scores of order 1 under the usual scale


@dataclass(frozen=True)
class Attends:
    """One layer's attention. scales, scale_errors : (heads,), what multiplies q·k. linear : whether scores are linear
    in q·k. rotary : whether scores of equal queries and keys depend on their positions.
    """

    mask: Mask
    bias: Bias
    scales: Floats
    scale_errors: Floats
    linear: bool
    rotary: bool


def attend(loaded: Loaded, n: int) -> tuple[Attends, ...]:
    """How every layer attends, over n positions. Raises InputError where that would not fit into memory."""
    _require_room(loaded, n)
    found: dict[int, Attends] = {}

    def take(block: Block, mixed: Any) -> None:
        found[block.number] = _attends(block, mixed.detach().cpu(), n)

    with probed(loaded) as run, ExitStack() as hooks:
        for block in loaded.blocks:
            hooks.enter_context(_states(block, *_plan(block.head_size, n)))
            hooks.enter_context(before(block.output, partial(take, block)))
        run(tokens(loaded, _rows(loaded, n), n, same=True))
    return tuple(reached(found, block) for block in loaded.blocks)


def weights_of(loaded: Loaded, n: int) -> tuple[Floats, ...]:
    """The attention weights of Q = K = 0, per layer (heads, n, n), by the same reading."""
    found: dict[int, Floats] = {}

    def take(block: Block, mixed: Any) -> None:
        found[block.number] = _columns(mixed.detach().cpu(), block, n)[: block.heads]

    with probed(loaded) as run, ExitStack() as hooks:
        for block in loaded.blocks:
            hooks.enter_context(_states(block, *(x[: _chunks(block.head_size, n)] for x in _plan(block.head_size, n))))
            hooks.enter_context(before(block.output, partial(take, block)))
        run(tokens(loaded, max(_chunks(b.head_size, n) for b in loaded.blocks), n, same=True))
    return tuple(reached(found, block) for block in loaded.blocks)


def _require_room(loaded: Loaded, n: int) -> None:
    cells = _rows(loaded, n) * max(block.heads for block in loaded.blocks) * n * n
    if cells > MOST_CELLS:
        raise refusal("n", f"ask for at most {MOST_CELLS:.0e} attention weights of a layer, {cells:.0e} here", n)


def _chunks(size: int, n: int) -> int:
    """How many sequences it takes to read n columns, size at a time."""
    return -(-n // size)


def _rows(loaded: Loaded, n: int) -> int:
    """The batch: columns of Q = K = 0, columns of equal q and k, and one scored key of each strength."""
    return max(2 * _chunks(b.head_size, n) + len(STRENGTHS) * _chunks(b.head_size, 2) for b in loaded.blocks)


def _plan(size: int, n: int) -> tuple[Floats, Floats, Floats]:
    """Queries, keys and values, each (batch, n, head size): every head gets the same."""
    all_, two = _chunks(size, n), _chunks(size, 2)
    parts = [(all_, 0.0, np.zeros(n)), (all_, 1.0, np.ones(n))]
    parts += [(two, 1.0, strength * (np.arange(n) == 1)) for strength in STRENGTHS]
    query = np.concatenate([np.full((rows, n, size), q * size**-0.25) for rows, q, _ in parts])
    key = np.concatenate([np.tile(k[None, :, None] * size**-0.25, (rows, 1, size)) for rows, _, k in parts])
    value = np.concatenate([_one_hot(rows, size, n) for rows, *_ in parts])
    return query, key, value


def _one_hot(rows: int, size: int, n: int) -> Floats:
    """Channel c of sequence r is 1 at position r · size + c."""
    flat = np.zeros((rows * size, n))
    flat[np.arange(min(rows * size, n)), np.arange(min(rows * size, n))] = 1.0
    return flat.reshape(rows, size, n).transpose(0, 2, 1)


def _columns(mixed: Any, block: Block, n: int) -> Floats:
    """(heads, n, keys) from what enters W_O: (batch, n, heads · head size)."""
    split = mixed.double().numpy().reshape(len(mixed), n, block.heads, block.head_size)
    return np.ascontiguousarray(split.transpose(2, 1, 0, 3).reshape(block.heads, n, -1)[..., :n])


def _attends(block: Block, mixed: Any, n: int) -> Attends:
    size, unit = block.head_size, _unit(mixed.dtype)
    all_, two = _chunks(size, n), _chunks(size, 2)
    zero, equal = (_columns(mixed[at : at + all_], block, n) for at in (0, all_))
    starts = [2 * all_ + two * k for k in range(len(STRENGTHS))]
    scored = np.stack([_columns(mixed[at : at + two], block, n)[:, 1, :2] for at in starts])
    if not all(np.isfinite(x).all() for x in (zero, equal, scored)):
        raise flag("MODEL", "have finite attention weights", "NaN in some", f"layer {block.number}")
    products = STRENGTHS * size**0.5
    scales, errors, linear = read_scale(zero[:, 1, :2], scored, products, unit, size)
    score = float(np.nanmax(np.abs(scales), initial=0.0)) * size**0.5
    bias = read_bias(zero, unit)
    return Attends(read_mask(zero), bias, scales, errors, linear, rotates(zero, equal, unit, size, score))


def _unit(dtype: Any) -> float:
    """Unit roundoff of attention weights: several models take the softmax in float32 whatever they compute in."""
    import torch

    return max(float(torch.finfo(dtype).eps) / 2, 2.0**-24)


@contextmanager
def _states(block: Block, query: Floats, key: Floats, value: Floats) -> Iterator[None]:
    """Those states in every head of the block; of a longer batch, zeros after them."""
    parts: dict[int, tuple[Any, list[tuple[Any, Floats]]]] = {}
    for channels, states in ((block.query, query), (block.key, key), (block.value, value)):
        parts.setdefault(id(channels.module), (channels.module, []))[1].append((channels.index, states))
    with ExitStack() as hooks:
        for module, several in parts.values():
            hooks.enter_context(after(module, partial(_written, several)))
        yield


def _written(parts: Sequence[tuple[Any, Floats]], out: Any) -> Any:
    import torch

    new = out.clone()
    for index, states in parts:
        chosen = torch.from_numpy(index).to(out.device)
        full = torch.zeros((*out.shape[:2], 1, index.shape[1]), dtype=out.dtype, device=out.device)
        full[: len(states), :, 0] = torch.from_numpy(states).to(full)
        new[..., chosen] = full.expand(-1, -1, index.shape[0], -1)
    return new
