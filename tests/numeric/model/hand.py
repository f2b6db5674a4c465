"""A model small enough to follow by hand, described by a family of its own; layers called and answering as told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from numeric.model import Family

if TYPE_CHECKING:
    from numeric.model import Loaded

FAMILY = Family(
    name="hand", blocks="layers", embedding="table", attention="attention", norm="norm", query="query", key="key",
    value="value", output="output", layout="separate", mlp=".", mlp_norm="norm", up="up", down="up", final_norm="norm",
)  # fmt: skip


def hand_model(
    embedding: Any, added: Any, *, keyword: bool = False, bare: bool = False, softmaxes: int = 1, calls: int = 1
) -> Loaded:
    """Width 2, one head. embedding : (vocabulary, 2). added : (layers, 2), what attention adds, whatever is attended.

    keyword : layers are called with hidden_states=. bare : they return a tensor, not a tuple. softmaxes : how often
    attention calls softmax (0: it normalises itself). calls : how often a layer is passed.
    """
    import torch
    from torch import nn

    from numeric.model.block import blocks
    from numeric.model.loading import Loaded

    class Attention(nn.Module):  # type: ignore[misc]
        head_dim = 2

        def __init__(self, bias: Any) -> None:
            super().__init__()
            self.query, self.key, self.value, self.output = (nn.Linear(2, 2) for _ in range(4))
            with torch.no_grad():
                self.output.weight.zero_()
                self.output.bias.copy_(torch.as_tensor(bias))

        def forward(self, x: Any) -> Any:
            scores = (self.query(x) @ self.key(x).mT)[:, None]
            scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), torch.finfo(x.dtype).min)
            weights = scores.exp() / scores.exp().sum(-1, keepdim=True)
            for _ in range(softmaxes):
                weights = torch.softmax(scores, dim=-1)
            return self.output((weights @ self.value(x)[:, None])[:, 0]), weights

    class Layer(nn.Module):  # type: ignore[misc]
        def __init__(self, bias: Any) -> None:
            super().__init__()
            self.norm, self.attention, self.up = nn.LayerNorm(2), Attention(bias), nn.Identity()
            self.dropout = nn.Dropout(0.5)

        def forward(self, hidden_states: Any) -> Any:
            out = hidden_states + self.dropout(self.attention(self.norm(hidden_states))[0])
            return out if bare else (out, None)

    class Model(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Embedding.from_pretrained(torch.as_tensor(np.asarray(embedding, dtype=np.float32)))
            self.layers = nn.ModuleList(Layer(np.asarray(bias, dtype=np.float32)) for bias in added)
            self.norm = nn.Identity()

        def forward(self, input_ids: Any, use_cache: bool = True) -> Any:
            assert not use_cache
            x = self.table(input_ids)
            for layer in self.layers:
                for _ in range(calls):
                    out = layer(hidden_states=x) if keyword else layer(x)
                    x = out if bare else out[0]
            return type("Output", (), {"logits": x @ self.table.weight.T})

    torch.manual_seed(0)
    model = Model().eval()
    return Loaded("by hand", model, None, FAMILY, blocks(model, FAMILY))
