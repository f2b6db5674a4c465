"""The plan of a layer: where it normalises, and what attention's output is added to.

What attention and MLP add is overwritten, and the stream reset after each layer to what it was before; then it is seen
which module reads what. Two sequences go side by side that differ in what attention adds alone: 0 and a known δ. One
forward pass; no attribute and no configuration is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numeric.model.block import weight
from numeric.model.probe import after, before, probed, reached, tokens
from numeric.refuse import flag

if TYPE_CHECKING:
    from numeric.model.block import Block
    from numeric.model.loading import Loaded

__all__ = ["Structure", "structure"]


@dataclass(frozen=True)
class Structure:
    """One layer's plan. norm : "pre", "post" or "other". parallel : the MLP does not see what attention adds. raw : it
    is added to the layer's input itself. plain : what is added is W_O's output as it is.
    """

    norm: str
    parallel: bool
    raw: bool
    plain: bool


def structure(loaded: Loaded, n: int) -> tuple[Structure, ...]:
    """The plan of every layer: where it normalises, and what attention's output is added to."""
    import torch

    width = int(weight(loaded.blocks[0].output).shape[0])
    added = torch.randn((n, width), generator=torch.Generator().manual_seed(0))
    seen: dict[int, dict[str, Any]] = {block.number: {} for block in loaded.blocks}
    with probed(loaded) as run, ExitStack() as hooks:
        for block in loaded.blocks:
            for hook in _watched(block, seen[block.number], added):
                hooks.enter_context(hook)
        run(tokens(loaded, 2, n, same=False))
    return tuple(_structure(reached(seen, block), block, added) for block in loaded.blocks)


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

    yield before(block.whole, keep("in"))
    yield before(block.norm, keep("norm in"))
    yield after(block.norm, keep("norm out"))
    yield before(block.query.module, keep("query in"))
    yield before(block.mlp_norm, keep("mlp norm in"))
    yield before(block.up, keep("up in"))
    yield after(block.output, attention)
    yield after(block.down, torch.zeros_like)
    yield after(block.whole, reset)


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
