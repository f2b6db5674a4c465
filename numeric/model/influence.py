"""q_j = ‖∂ target / ∂ e_j‖, e_j the input embedding of position j: one gradient norm per sample and position.

The target belongs to one token w at the last position: by default the token that the model holds most probable there.

    prob      p(w), as in the paper           p (1 − p) ∇g
    logprob   log p(w)                        (1 − p) ∇g
    logit     z(w), before the softmax        ∇z(w)

with g = z(w) − log Σ_{v≠w} e^{z(v)}, so that p = 1/(1 + e^−g). What is differentiated is g: the gradient of a softmax
in float32 drops ∇z(w) once p rounds to 1 and keeps the rest, a wrong direction and not a small one. The factors are
float64; they are 0 from g = 746 on, and such a sample has no profile for prob and logprob. For one sample the two give
the same profile; their means over samples weigh samples differently.

e_j is what the embedding module gives, before any norm or position is put on it; a factor that the module itself puts
on all of them (Gemma's √width) is in it, and cancels in profiles. Softmax, gradients and norms are in float32 (float64
for a model in it); a model with weights in half precision is refused. One backward pass serves a batch: samples share
no computation, so the gradient of the sum of their targets holds each one's own. Equal to those one by one up to
rounding (products of matrices of other shapes are added up in another order).
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
from numeric.nearest import nearest
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
        raise refusal("target", f"be one of {', '.join(TARGETS)}", target, nearest(target, TARGETS))
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
        differentiated = _logits_at(logits, wanted) if target == "logit" else _gaps(logits, wanted)
        (gradient,) = torch.autograd.grad(differentiated.sum(), embeddings)
    factors = _factors(differentiated.detach().double().cpu().numpy(), target)
    norms = factors[:, None] * gradient.double().norm(dim=-1).cpu().numpy()
    return Influence(norms, wanted.cpu().numpy(), target, _bad(norms), notes)


def _logits_at(logits: Any, tokens: Any) -> Any:
    """(B,), of logits (B, vocabulary)."""
    return logits.gather(-1, tokens[:, None])[:, 0]


def _gaps(logits: Any, tokens: Any) -> Any:
    """z(w) − log Σ_{v≠w} e^{z(v)}, (B,): the log odds of w."""
    others = logits.scatter(-1, tokens[:, None], float("-inf"))
    return _logits_at(logits, tokens) - others.logsumexp(dim=-1)


def _factors(gaps: NDArray[np.float64], target: str) -> NDArray[np.float64]:
    """∂ target / ∂ g, (B,)."""
    from scipy.special import expit

    miss = expit(-gaps)  # 1 − p without the cancellation
    factors = {"logit": np.ones_like(gaps), "logprob": miss, "prob": miss * expit(gaps)}[target]
    return np.asarray(factors)


def _bad(norms: NDArray[np.float64]) -> tuple[tuple[int, str], ...]:
    finite = np.asarray(np.isfinite(norms).all(axis=1))
    nothing = np.asarray(~norms.any(axis=1))  # NaN counts as something
    return tuple((int(i), ALL_ZERO if finite[i] else NOT_FINITE) for i in np.flatnonzero(nothing | ~finite))


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
