"""What goes through softmax, or through scaled_dot_product_attention, while the attention of one layer is computed."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from numeric.refuse import flag

__all__ = ["Seen", "Watch"]


@dataclass(frozen=True, eq=False)
class Seen:
    """weights : (B, H, n, n). attended : the unmasked cells, broadcastable to it. scores : (B, H, n, n) or None: the
    softmax's argument if ``biased``, else scaled q·k alone. exponent : a bound of the rounding in each exponent of
    weights that were computed here, 0 for weights that the model computed.
    """

    weights: Any
    attended: Any
    scores: Any
    biased: bool
    exponent: float


class Watch:
    """Between `start` and `stop` the calls with an (n, n) result are kept; `stop` gives the one that there must be.

    n : positions. kind : the model's floating type, whose most negative number is what masks hold. A context manager:
    outside of it nothing is watched.
    """

    def __init__(self, n: int, kind: Any) -> None:
        self.n, self.kind = n, kind
        self._found: list[Seen] | None = None
        self._keep_scores = False
        self._stack = ExitStack()

    def __enter__(self) -> Watch:
        self._stack.enter_context(_mode(self._called))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def start(self, *, keep_scores: bool) -> None:
        self._found, self._keep_scores = [], keep_scores

    def stop(self, place: str) -> Seen:
        found, self._found = self._found, None
        if not found or len(found) > 1:
            times = f"{len(found or [])} such calls"
            raise flag("MODEL", "attend through one softmax or scaled_dot_product_attention a layer", times, place)
        return found[0]

    def _called(self, name: str, given: tuple[Any, ...], keywords: dict[str, Any], out: Any) -> None:
        if self._found is None:
            return
        if name == "softmax":
            if out.ndim == 4 and out.shape[-2:] == (self.n, self.n):
                self._found.append(self._softmax(given[0] if given else keywords["input"], out))
        else:
            self._found.append(self._fused(*given, **keywords))

    def _softmax(self, scores: Any, weights: Any) -> Seen:
        import torch

        attended = scores > torch.finfo(self.kind).min / 2
        return Seen(weights, attended, scores if self._keep_scores else None, True, 0.0)

    def _fused(
        self, query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0,
        is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
    ) -> Seen:  # fmt: skip
        """softmax(scale · q kᵀ + mask), as scaled_dot_product_attention is documented, in float32 or float64."""
        import torch

        size, single = query.shape[-1], torch.promote_types(query.dtype, torch.float32)
        factor = size**-0.5 if scale is None else float(scale)
        shared = query.shape[1] // key.shape[1]
        q, k = query.to(single), key.to(single).repeat_interleave(shared, dim=1)
        scores = factor * (q @ k.transpose(-1, -2))
        attended, bias = _mask(attn_mask, is_causal, scores, self.kind)
        weights = torch.softmax((scores if bias is None else scores + bias).masked_fill(~attended, -torch.inf), dim=-1)
        reach = abs(factor) * float(q.norm(dim=-1).max() * k.norm(dim=-1).max())
        shift = 0.0 if bias is None else float(bias.masked_fill(~attended, 0.0).abs().max())
        # a dot product of ``size`` terms, its scaling and the bias's addition: each exponent errs by at most so much
        exponent = torch.finfo(query.dtype).eps / 2 * ((size + 2) * reach + shift)
        return Seen(weights, attended, scores if self._keep_scores else None, False, exponent)


def _mask(given: Any, is_causal: bool, scores: Any, kind: Any) -> tuple[Any, Any]:
    """Which cells are open, and what is added to their scores (None for nothing)."""
    import torch

    if given is None:
        cells = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device)
        return (cells.tril() if is_causal else cells)[None, None], None
    if given.dtype == torch.bool:
        return given, None
    return given > torch.finfo(kind).min / 2, given.to(scores.dtype)


def _mode(called: Any) -> Any:
    """A mode of torch that reports every outermost softmax and scaled_dot_product_attention with its result."""
    import torch
    from torch.overrides import TorchFunctionMode

    functional = torch.nn.functional
    names = {
        functional.softmax: "softmax", torch.softmax: "softmax", torch.Tensor.softmax: "softmax",
        functional.scaled_dot_product_attention: "fused",
    }  # fmt: skip

    class Reporting(TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            keywords = kwargs or {}
            out = func(*args, **keywords)
            if func in names:
                called(names[func], args, keywords, out)
            return out

    return Reporting()
