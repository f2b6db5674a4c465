"""The measured quantities once more, one sample at a time and by other means: the oracle of what is fast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numeric.model import Loaded


def mixing(loaded: Loaded, ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """(T, n) of one sample: the stream from the library's own list of hidden states, not by hooks."""
    import torch

    added: list[Any] = []
    handles = [b.output.register_forward_hook(lambda _, __, out: added.append(out)) for b in loaded.blocks]
    with torch.no_grad():
        stream = loaded.model(torch.tensor(ids)[None], use_cache=False, output_hidden_states=True).hidden_states
    for handle in handles:
        handle.remove()
    x = torch.stack([state[0].double().norm(dim=-1) for state in stream[: len(added)]])
    a = torch.stack([out.reshape(1, len(ids), -1)[0].double().norm(dim=-1) for out in added])
    return np.asarray((a / (x + a)).numpy())


def influence(loaded: Loaded, ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n,) of one sample, target prob, with the embeddings handed in by the library's own argument."""
    import torch

    embedded = loaded.embedding(torch.tensor(ids)[None]).detach().requires_grad_()
    logits = loaded.model(inputs_embeds=embedded, use_cache=False).logits[0, -1]
    (gradient,) = torch.autograd.grad(logits.softmax(-1).max(), embedded)
    return np.asarray(gradient[0].double().norm(dim=-1).numpy())


def kernels(loaded: Loaded, ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """(T, n, n) of one sample: head averages of the library's own list of attentions, eager."""
    import torch

    with torch.no_grad():
        found = loaded.model(torch.tensor(ids)[None], use_cache=False, output_attentions=True).attentions
    return np.stack([one[0].double().mean(dim=0).numpy() for one in found])
