"""q_j = ‖∂ target / ∂ e_j‖, e_j the input embedding of position j: one gradient norm per sample and position.

The target belongs to one token w at the last position: by default the token that the model holds most probable there.

    prob      p(w), as in the paper: its gradient is p(w) times that of logprob, and all zero once p(w) rounds to 1
    logprob   log p(w)
    logit     the number before the softmax

e_j is what the embedding's table gives, before any norm, scale or position is put on it. Softmax, gradients and norms
are in float32 (float64 for a model in it); a model with weights in half precision is refused. One backward pass serves
a batch: samples share no computation, so the gradient of the sum of their targets holds each one's own. Equal to those
one by one up to rounding (products of matrices of other shapes are added up in another order).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.passes import evaluated, hooked, run, token_ids
from numeric.refuse import flag, refusal

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["TARGETS", "Influence", "influence_of"]

TARGETS = ("prob", "logprob", "logit")
NOT_FINITE = "gradient norms that are not finite"
ALL_ZERO = "gradient norms that are all zero"


@dataclass(frozen=True, eq=False)
class Influence:
    """Of one batch. norms : (B, n), as they came, those of bad samples included. tokens : (B,), whose target it is.

    target : one of `TARGETS`. bad : (sample, counted from 0, and what is wrong with it), where norms are not finite or
    all zero: they have no profile. notes : what was switched off for the pass.
    """

    norms: NDArray[np.float64]
    tokens: NDArray[np.int64]
    target: str
    bad: tuple[tuple[int, str], ...]
    notes: tuple[str, ...]


def influence_of(
    loaded: Loaded, ids: Any, *, target: str = "prob", checkpointing: bool = False, tokens: Any = None
) -> Influence:
    """Gradient norms (B, n) of ``target`` with respect to the input embeddings.

    ids : (B, n) integers. tokens : (B,), the tokens whose target it is; None means the most probable next one.
    checkpointing : a layer's activations are computed again in the backward pass and not held, so that memory holds one
    layer's and a state per layer; the same operations, so the same numbers.

    Raises InputError for an unknown target, ids or tokens outside the vocabulary, and weights in half precision.
    """
    import torch

    if target not in TARGETS:
        raise refusal("target", f"be one of {', '.join(TARGETS)}", target)
    given = token_ids(loaded, ids)
    wanted = None if tokens is None else token_ids(loaded, tokens, "tokens", 1)
    if wanted is not None and len(wanted) != len(given):
        raise flag("tokens", f"be one for each sample ({len(given)})", f"{len(wanted)} of them")
    _require_precision(loaded.model)
    with ExitStack() as stack:
        notes = stack.enter_context(evaluated(loaded))
        stack.enter_context(torch.inference_mode(False))
        stack.enter_context(torch.enable_grad())
        embeddings = stack.enter_context(_leaves(loaded))
        if checkpointing:
            stack.enter_context(_checkpointed(loaded))
        logits = run(loaded, given)
        wanted = logits.argmax(dim=-1) if wanted is None else wanted.to(logits.device)
        total = _targets(logits, wanted, target).sum()
        (gradient,) = torch.autograd.grad(total, embeddings)
    norms = gradient.double().norm(dim=-1).cpu().numpy()
    return Influence(norms, wanted.cpu().numpy(), target, _bad(norms), notes)


def _targets(logits: Any, tokens: Any, target: str) -> Any:
    """(B,), of logits (B, vocabulary)."""
    import torch

    # log p − and not log of a softmax − keeps its gradient where p rounds to 1
    values = {"logit": lambda x: x, "logprob": torch.log_softmax, "prob": torch.softmax}[target]
    taken = values(logits) if target == "logit" else values(logits, dim=-1)
    return taken.gather(-1, tokens[:, None])[:, 0]


def _bad(norms: NDArray[np.float64]) -> tuple[tuple[int, str], ...]:
    finite = np.isfinite(norms).all(axis=1)
    nothing = (norms == 0).all(axis=1)
    named = ((i, ALL_ZERO if finite[i] else NOT_FINITE) for i in range(len(norms)) if nothing[i] or not finite[i])
    return tuple(named)


def _require_precision(model: Any) -> None:
    for name, parameter in model.named_parameters():
        if parameter.is_floating_point() and parameter.element_size() < 4:
            kind = str(parameter.dtype).removeprefix("torch.")
            raise flag("dtype", "be float32 or float64 for gradients", kind, name)


@contextmanager
def _leaves(loaded: Loaded) -> Iterator[list[Any]]:
    """The embeddings of the pass inside, as leaves of its graph: nothing before them is differentiated."""
    found: list[Any] = []

    def leaf(_: Any, __: Any, out: Any) -> Any:
        found.append(out.detach().requires_grad_())
        return found[-1]

    with hooked([loaded.embedding.register_forward_hook(leaf)]):
        yield found


@contextmanager
def _checkpointed(loaded: Loaded) -> Iterator[None]:
    """Layers whose activations are computed again when they are needed.

    The library's own way asks for training mode, which would turn dropout on; this one replaces each layer's forward,
    with whatever accelerate has put there inside, so that offloaded weights are fetched again too.
    """
    from torch.utils.checkpoint import checkpoint

    wholes = [block.whole for block in loaded.blocks]
    own = [whole.__dict__.get("forward") for whole in wholes]
    for whole in wholes:
        whole.forward = partial(checkpoint, whole.forward, use_reentrant=False, preserve_rng_state=False)
    try:
        yield
    finally:
        for whole, forward in zip(wholes, own, strict=True):
            del whole.forward
            if forward is not None:
                whole.forward = forward
