"""A loaded model run by hand: one forward pass whose inner states are looked at or overwritten on the way.

Without dropout, gradient, cache and head; what is hooked is unhooked again, whatever happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from numeric.model.passes import first
from numeric.refuse import flag

if TYPE_CHECKING:
    from numeric.model.block import Block
    from numeric.model.loading import Loaded

__all__ = ["after", "before", "input_depends_on_position", "probed", "reached", "tokens"]


def input_depends_on_position(loaded: Loaded, n: int) -> bool:
    """Whether the first layer's input differs between positions that hold the same token."""
    seen: list[Any] = []
    with probed(loaded) as run, before(loaded.blocks[0].whole, seen.append):
        run(tokens(loaded, 1, n, same=True))
    return bool((seen[0] != seen[0][:, :1]).any())


@contextmanager
def probed(loaded: Loaded) -> Iterator[Callable[[Any], Any]]:
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


def tokens(loaded: Loaded, rows: int, n: int, *, same: bool) -> Any:
    """Token numbers (rows, n), every row alike: one token everywhere, or all different as far as there are."""
    import torch

    vocabulary = int(loaded.embedding.weight.shape[0])
    ids = torch.full((n,), vocabulary // 2) if same else torch.arange(n) % vocabulary
    return ids.expand(rows, n).contiguous()


def reached(found: dict[int, Any], block: Block) -> Any:
    if block.number not in found:
        raise flag("MODEL", "call W_O of every layer", "never that of one", f"layer {block.number}")
    return found[block.number]


@contextmanager
def before(module: Any, act: Callable[[Any], Any]) -> Iterator[None]:
    """``act`` on the states that enter the module, given by position or by name."""

    def hook(_: Any, args: Any, kwargs: dict[str, Any]) -> None:
        act(first(args, kwargs))

    handle = module.register_forward_pre_hook(hook, with_kwargs=True)
    try:
        yield
    finally:
        handle.remove()


@contextmanager
def after(module: Any, act: Callable[[Any], Any]) -> Iterator[None]:
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
