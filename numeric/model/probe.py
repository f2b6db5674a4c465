"""What a loaded model does, found by setting its inner states by hand and reading what comes of them.

`attend` overwrites queries, keys and values on the output of their projections, in every layer at once. With values
that are 1 in channel c at one key and 0 elsewhere, channel c of what enters W_O *is* that key's attention weight:
products with 1 and sums of zeros are exact. So weights are read from any attention, fused or not, whatever it returns.

`structure` overwrites what attention and MLP add, resets the stream after each layer to what it was before, and sees
which module reads what. Two sequences go side by side that differ in what attention adds: 0 and a known δ.

One forward pass each, a batch of a few sequences, without a gradient. No attribute and no configuration is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.block import weight
from numeric.model.reading import Bias, Mask, read_bias, read_mask, read_scale, rotates
from numeric.refuse import flag, refusal

if TYPE_CHECKING:
    from numeric.model.block import Block
    from numeric.model.loading import Loaded

__all__ = ["Attends", "Structure", "attend", "first", "input_depends_on_position", "structure", "weights_of"]

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


@dataclass(frozen=True)
class Structure:
    """One layer's plan. norm : "pre", "post" or "other". parallel : the MLP does not see what attention adds. raw : it
    is added to the layer's input itself. plain : what is added is W_O's output as it is.
    """

    norm: str
    parallel: bool
    raw: bool
    plain: bool


# --- attention ------------------------------------------------------------------------------------------------------


def attend(loaded: Loaded, n: int) -> tuple[Attends, ...]:
    """How every layer attends, over n positions. Raises InputError where that would not fit into memory."""
    _require_room(loaded, n)
    found: dict[int, Attends] = {}

    def take(block: Block, mixed: Any) -> None:
        found[block.number] = _attends(block, mixed.detach().cpu(), n)

    with _probed(loaded) as run, ExitStack() as hooks:
        for block in loaded.blocks:
            hooks.enter_context(_states(block, *_plan(block.head_size, n)))
            hooks.enter_context(_before(block.output, partial(take, block)))
        run(_tokens(loaded, _rows(loaded, n), n, same=True))
    return tuple(_reached(found, block) for block in loaded.blocks)


def weights_of(loaded: Loaded, n: int) -> tuple[Floats, ...]:
    """The attention weights of Q = K = 0, per layer (heads, n, n), by the same reading."""
    found: dict[int, Floats] = {}

    def take(block: Block, mixed: Any) -> None:
        found[block.number] = _columns(mixed.detach().cpu(), block, n)[: block.heads]

    with _probed(loaded) as run, ExitStack() as hooks:
        for block in loaded.blocks:
            hooks.enter_context(_states(block, *(x[: _chunks(block.head_size, n)] for x in _plan(block.head_size, n))))
            hooks.enter_context(_before(block.output, partial(take, block)))
        run(_tokens(loaded, max(_chunks(b.head_size, n) for b in loaded.blocks), n, same=True))
    return tuple(_reached(found, block) for block in loaded.blocks)


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
            hooks.enter_context(_after(module, partial(_written, several)))
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


# --- the plan of a layer --------------------------------------------------------------------------------------------


def structure(loaded: Loaded, n: int) -> tuple[Structure, ...]:
    """The plan of every layer: where it normalises, and what attention's output is added to."""
    import torch

    width = int(weight(loaded.blocks[0].output).shape[0])
    added = torch.randn((n, width), generator=torch.Generator().manual_seed(0))
    seen: dict[int, dict[str, Any]] = {block.number: {} for block in loaded.blocks}
    with _probed(loaded) as run, ExitStack() as hooks:
        for block in loaded.blocks:
            for hook in _watched(block, seen[block.number], added):
                hooks.enter_context(hook)
        run(_tokens(loaded, 2, n, same=False))
    return tuple(_structure(_reached(seen, block), block, added) for block in loaded.blocks)


def _watched(block: Block, seen: dict[str, Any], added: Any) -> Iterator[Any]:
    """Attention adds 0 to the first sequence and ``added`` to the second; the MLP adds nothing; the stream stays."""
    import torch

    def keep(name: str) -> Callable[[Any], None]:
        def act(given: Any) -> None:
            seen.setdefault(name, given.detach().clone())

        return act

    def attention(out: Any) -> Any:
        new = torch.zeros_like(out)
        new[1] = added.to(new)
        return new

    def reset(out: Any) -> Any:
        keep("out")(out)
        return seen["in"].to(out)

    yield _before(block.whole, keep("in"))
    yield _before(block.norm, keep("norm in"))
    yield _after(block.norm, keep("norm out"))
    yield _before(block.query.module, keep("query in"))
    yield _before(block.mlp_norm, keep("mlp norm in"))
    yield _before(block.up, keep("up in"))
    yield _after(block.output, attention)
    yield _after(block.down, torch.zeros_like)
    yield _after(block.whole, reset)


def _structure(seen: dict[str, Any], block: Block, added: Any) -> Structure:
    import torch

    missing = [name for name in ("in", "norm in", "query in", "up in", "out") if name not in seen]
    if missing:
        raise flag("MODEL", "call every module that its family names", f"never the one with {missing[0]!r}",
                   f"layer {block.number}")  # fmt: skip
    stream = seen["in"]
    if not torch.isfinite(stream).all():
        raise flag("MODEL", "have finite weights", "NaN or infinity in what enters a layer", f"layer {block.number}")
    pre = torch.equal(seen["norm in"], stream) and torch.equal(seen["query in"], seen["norm out"])
    post = not pre and torch.equal(seen["query in"], stream)
    # OPT keeps positions and channels in one axis before its MLP
    up = seen["up in"].reshape(2, -1)
    parallel = torch.equal(up[0], up[1])
    total = seen["out"] if parallel else seen["norm in"] if post else seen.get("mlp norm in", seen["out"])
    total = total.reshape(stream.shape)
    base, moved = total[0], total[1]
    unit = float(torch.finfo(total.dtype).eps)
    close = (moved - base - added.to(base)).abs() <= unit * (base.abs() + added.to(base).abs() + moved.abs())
    norm = "pre" if pre else "post" if post else "other"
    return Structure(norm, parallel, torch.equal(base, stream[0]), bool(close.all()))


def input_depends_on_position(loaded: Loaded, n: int) -> bool:
    """Whether the first layer's input differs between positions that hold the same token."""
    seen: list[Any] = []
    with _probed(loaded) as run, _before(loaded.blocks[0].whole, seen.append):
        run(_tokens(loaded, 1, n, same=True))
    return bool((seen[0] != seen[0][:, :1]).any())


# --- running --------------------------------------------------------------------------------------------------------


@contextmanager
def _probed(loaded: Loaded) -> Iterator[Callable[[Any], Any]]:
    """A forward pass without dropout, gradient, cache or head."""
    import torch

    model, training = loaded.model, loaded.model.training
    model.eval()
    try:
        with torch.no_grad():
            # with a mask that hides nothing: BLOOM asks its module for slopes only then
            yield lambda ids: model.base_model(ids, attention_mask=torch.ones_like(ids), use_cache=False)
    finally:
        model.train(training)


def _tokens(loaded: Loaded, rows: int, n: int, *, same: bool) -> Any:
    """Token numbers (rows, n), every row alike: one token everywhere, or all different as far as there are."""
    import torch

    vocabulary = int(loaded.embedding.weight.shape[0])
    ids = torch.full((n,), vocabulary // 2) if same else torch.arange(n) % vocabulary
    return ids.expand(rows, n).contiguous()


def _reached(found: dict[int, Any], block: Block) -> Any:
    if block.number not in found:
        raise flag("MODEL", "call W_O of every layer", "never that of one", f"layer {block.number}")
    return found[block.number]


def first(value: Any) -> Any:
    """The states in what a module takes or gives: a tensor, or the first entry of a tuple."""
    return value[0] if isinstance(value, tuple) else value


@contextmanager
def _before(module: Any, act: Callable[[Any], Any]) -> Iterator[None]:
    """``act`` on the states that enter the module, given by position or by name."""

    def hook(_: Any, args: Any, kwargs: dict[str, Any]) -> None:
        act(args[0] if args else kwargs["hidden_states"])

    handle = module.register_forward_pre_hook(hook, with_kwargs=True)
    try:
        yield
    finally:
        handle.remove()


@contextmanager
def _after(module: Any, act: Callable[[Any], Any]) -> Iterator[None]:
    """The states that leave the module replaced by ``act`` of them, unless that is None."""

    def hook(_: Any, __: Any, out: Any) -> Any:
        new = act(first(out))
        if new is None:
            return None
        return (new, *out[1:]) if isinstance(out, tuple) else new

    handle = module.register_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()
