"""The second-moment model of a loaded network: every parameter from weights and one forward pass, none fitted.

    MomentReader(loaded).statistics(ids)   one sequence: kernels per head, σ, c, the MLPs' m and κ, of every layer
    moment_model(statistics, …)            the same as layers of `numeric.second_moment`, with the parts of an ablation
    predicted(statistics, …)               q (n,), the prediction of ‖∂ target / ∂ e_j‖ up to a factor

What stands before layer 1 matters where it depends on the position: a norm on the embeddings divides by their σ_j.
Whether a block is parallel is seen from what its MLP's norm is given. Not covered: gradients through the softmax, the
norm's projection along the state, maps that are no independent draws from layer to layer. Theory Q1 and §8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.kernel import Kernel
from numeric.model.attention import LayerAttention, attention_of
from numeric.model.block import Block, find
from numeric.model.gates import Gates, exact_products, gate_products, lengths
from numeric.model.maps import Norm, head_products, norm_of
from numeric.model.passes import first, hooked
from numeric.moment_layer import LARGEST, SMALLEST_NORM, MomentLayer
from numeric.nearest import nearest
from numeric.refuse import flag, refusal
from numeric.second_moment import second_moment

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["LayerStatistics", "MomentReader", "MomentStatistics", "moment_model", "predicted"]

FloatArray = NDArray[np.float64]
MLPS, HEADS, SCALES = ("gates", "exact", "none"), ("shared", "independent"), ("position", "mean")
ROWS = 1e-4  # what rows of attention may miss 1 by; float32 needs n + 2 roundings of 2^−24, more from n = 1,676 on


@dataclass(frozen=True, eq=False)
class LayerStatistics:
    """kernels : (heads, n, n), float32, as the model attends. heads : c (heads, heads). norm : σ before attention (n,).

    mlp : m mᵀ ∘ κ (n, n), or None where it was left out. parallel : of the block. clipped : the share of values at
    which the model clips them (MPT's clip_qkv); such a value has no derivative, which the model here does not follow.
    """

    kernels: NDArray[np.float32]
    heads: FloatArray
    norm: FloatArray
    mlp: FloatArray | None
    parallel: bool
    clipped: float = 0.0


@dataclass(frozen=True, eq=False)
class MomentStatistics:
    """layers : layer 1 first. front : 1/σ_j of a norm on the embeddings, ones where there is none."""

    layers: tuple[LayerStatistics, ...]
    front: FloatArray


# --- from a model -----------------------------------------------------------------------------------------------------


class MomentReader:
    """Reads statistics off a loaded model, sequence by sequence; what weights alone say is read once.

    mlp : "gates" or "exact", the two readings of `numeric.model.gates`, or "none". kernels : (layers, heads), used in
    place of the model's own attention.
    """

    def __init__(
        self, loaded: Loaded, *, mlp: str = "gates", kernels: Sequence[Sequence[Kernel]] | None = None
    ) -> None:
        if mlp not in MLPS:
            raise refusal("mlp", f"be one of {', '.join(MLPS)}", mlp, nearest(mlp, MLPS))
        self.loaded, self.mlp, self.kernels = loaded, mlp, kernels
        width = int(loaded.embedding.weight.shape[-1])
        self.weights = [_Weights.of(block, width, mlp) for block in loaded.blocks]

    def statistics(self, ids: Any) -> MomentStatistics:
        """Of one sequence, ids (n,) integers: one pass forward, no gradient. Memory: the kernels, 4 bytes each, and
        n × n numbers per layer.

        Raises InputError for a block that is not normalised before attention and MLP, or is not followed otherwise, and
        for rows of attention that do not sum to 1, as in half precision, and gains, norms or MLPs that `MomentLayer`
        would not take: infinite, NaN, or too large to go on with.
        """
        sequence = np.asarray(ids)
        if sequence.ndim != 1:
            raise flag("ids", "have one axis, positions", f"{sequence.ndim}")
        watched = [_Watched(block) for block in self.loaded.blocks]
        embedded: list[Any] = []
        seen: dict[int, NDArray[np.float32]] = {}
        clipped: dict[int, float] = {}

        def visit(layer: LayerAttention) -> None:
            clipped[layer.layer] = _clipped(layer)
            if self.kernels is None:
                seen[layer.layer] = _rows(np.asarray(layer.heads[0], dtype=np.float32), layer.layer)

        handles = [handle for layer in watched for handle in layer.hooks()]
        handles.append(self.loaded.embedding.register_forward_hook(lambda _, __, out: embedded.append(out)))
        with hooked(handles):
            attention_of(self.loaded, sequence[None], visit, content=False)
        if self.kernels is not None:
            seen = {t: _given(heads, len(sequence)) for t, heads in enumerate(self.kernels, start=1)}
        layers = (
            layer.statistics(seen[layer.block.number], known, self.mlp, clipped[layer.block.number])
            for layer, known in zip(watched, self.weights, strict=True)
        )
        return MomentStatistics(tuple(layers), _front(self.loaded, embedded[0]))


def _off(n: int) -> float:
    """What a row of n positions may miss 1 by."""
    return max(ROWS, (n + 2) * 2.0**-24)


def _rows(heads: NDArray[np.float32], layer: int) -> NDArray[np.float32]:
    """heads (H, n, n), if they are kernels; named by layer, head and row where one does not sum to 1, or is NaN."""
    if np.triu(heads, 1).any():
        raise flag("MODEL", "read no later position", "one that does", f"layer {layer}")
    sums = heads.sum(axis=-1, dtype=np.float64)
    limit = _off(heads.shape[-1])
    wrong = ~(np.abs(sums - 1) <= limit) | (heads < 0).any(axis=-1)
    if wrong.any():
        h, i = (int(c) for c in np.argwhere(wrong)[0])
        place = f"layer {layer}, head {h + 1}, row {i + 1}"
        raise flag(
            "MODEL", f"attend in rows that sum to 1 within {limit:.3g}, as in float32", f"{sums[h, i]:.6g}", place
        )
    return heads


def _clipped(layer: LayerAttention) -> float:
    clip = getattr(layer.block.attention, "clip_qkv", None)
    return float((layer.values.abs() >= clip).double().mean()) if clip else 0.0


def _given(heads: Sequence[Kernel], n: int) -> NDArray[np.float32]:
    return np.array([head.matrix(n) for head in heads], dtype=np.float32)


@dataclass(frozen=True, eq=False)
class _Weights:
    """What one layer's weights say by themselves: its norms, c, and the lengths of the MLP's rows."""

    norm: Norm
    mlp_norm: Norm
    heads: FloatArray
    rows: dict[str, Any]

    @staticmethod
    def of(block: Block, width: int, mlp: str) -> _Weights:
        before, mlp_before = norm_of(block.norm, width), norm_of(block.mlp_norm, width)
        rows = lengths(block, mlp_before) if mlp == "gates" else {}
        return _Weights(before, mlp_before, head_products(block, before), rows)


class _Watched:
    """What one layer hands to its norms, and its gates."""

    def __init__(self, block: Block) -> None:
        self.block, self.gates = block, Gates(block)
        self.states: dict[str, Any] = {}

    def hooks(self) -> list[Any]:
        block = self.block
        return [
            block.whole.register_forward_pre_hook(self._enters, with_kwargs=True),
            block.norm.register_forward_pre_hook(lambda _, given: self._sees("norm", given)),
            block.mlp_norm.register_forward_pre_hook(lambda _, given: self._sees("mlp_norm", given)),
            *self.gates.hooks(),
        ]

    def _enters(self, _: Any, given: Any, keywords: dict[str, Any]) -> None:
        self.states["stream"] = first(given, keywords)[0]

    def _sees(self, name: str, given: Any) -> None:
        state = first(given)
        self.states[name] = state.reshape(-1, state.shape[-1])

    def statistics(self, kernels: NDArray[np.float32], known: _Weights, mlp: str, clipped: float) -> LayerStatistics:
        import torch

        states = self.states
        if not torch.equal(states["norm"], states["stream"]):
            raise flag("MODEL", "normalise the stream before attention", "after it", f"layer {self.block.number}")
        products = None
        if mlp != "none":
            found = (
                exact_products(self.gates, known.mlp_norm) if mlp == "exact" else gate_products(self.gates, known.rows)
            )
            inverse = 1 / known.mlp_norm.scale(states["mlp_norm"])
            products = np.outer(inverse, inverse) * found  # the outer product first: symmetric to the last bit
        sigma = known.norm.scale(states["norm"])
        self._require_ranges(np.diag(known.heads), sigma, None if products is None else np.diag(products))
        return LayerStatistics(
            kernels, known.heads, sigma, products,
            parallel=torch.equal(states["mlp_norm"], states["stream"]), clipped=clipped,
        )  # fmt: skip

    def _require_ranges(self, gains: FloatArray, sigma: FloatArray, strengths: FloatArray | None) -> None:
        """What `MomentLayer` refuses, in the words of a model; NaN is in no range."""
        found = [("gains s^2", gains, 0.0, LARGEST), ("norms sigma", sigma, SMALLEST_NORM, LARGEST)]
        for what, values, low, high in [
            *found,
            *([] if strengths is None else [("MLPs m^2", strengths, 0.0, LARGEST)]),
        ]:
            outside = ~((values >= low) & (values <= high))
            if outside.any():
                wrong = f"{values[int(np.argmax(outside))]:.3g}"
                raise flag("MODEL", f"have {what} in [{low:g}, {high:g}]", wrong, f"layer {self.block.number}")


def _front(loaded: Loaded, embedded: Any) -> FloatArray:
    """1/σ_j of the norm that a family puts on its embeddings."""
    path = loaded.family.embedding_norm
    module = find(loaded.model, path) if path else None
    if module is None:
        return np.ones(embedded.shape[-2])
    return 1 / norm_of(module, embedded.shape[-1]).scale(embedded[0])


# --- to a prediction --------------------------------------------------------------------------------------------------


def moment_model(
    statistics: MomentStatistics,
    *,
    strength: float = 1.0,
    coherence: float | None = None,
    heads: str = "shared",
    scale: str = "position",
) -> list[MomentLayer]:
    """The layers of `numeric.second_moment`, layer 1 first.

    strength : a factor of every m; 0 leaves MLPs out. coherence : κ of all pairs instead of the model's. heads :
    "shared" for c as the weights have it, "independent" for its diagonal alone. scale : "position" for σ_j, "mean" for
    one σ per layer. Raises InputError for anything else.
    """
    for name, value, known in (("heads", heads, HEADS), ("scale", scale, SCALES)):
        if value not in known:
            raise refusal(name, f"be one of {', '.join(known)}", value, nearest(value, known))
    return [_layer(layer, strength, coherence, heads, scale) for layer in statistics.layers]


def _layer(layer: LayerStatistics, strength: float, coherence: float | None, heads: str, scale: str) -> MomentLayer:
    own, kappa = _split(layer.mlp, len(layer.norm))
    return MomentLayer(
        [_Attended(a) for a in layer.kernels],
        layer.heads if heads == "shared" else np.diag(layer.heads).copy(),
        norm=layer.norm if scale == "position" else float(layer.norm.mean()),
        mlp=strength * own,
        coherence=kappa if coherence is None else coherence,
        parallel=layer.parallel,
    )


class _Attended(Kernel):
    """One head's attention, checked when it was read: in its single precision, and in double while a layer is used:
    all layers' at once would be most of the memory of a prediction.
    """

    def __init__(self, weights: NDArray[np.float32]) -> None:
        self.weights = weights

    @property
    def size(self) -> int:
        return len(self.weights)

    def _row(self, v: FloatArray) -> FloatArray:
        return np.asarray(v @ self._dense(v.size))

    def _dense(self, n: int) -> FloatArray:
        return self.weights.astype(np.float64)


def _split(products: FloatArray | None, n: int) -> tuple[FloatArray, FloatArray]:
    """m (n,) and κ (n, n)."""
    if products is None:
        return np.zeros(n), np.eye(n)
    strength = np.sqrt(np.maximum(np.diag(products), 0.0))
    own = np.where(strength > 0, strength, 1.0)
    kappa = np.clip(products / np.outer(own, own), -1.0, 1.0)  # rounding may take a cosine past 1
    np.fill_diagonal(kappa, 1.0)
    return strength, kappa


def predicted(statistics: MomentStatistics, **parts: Any) -> FloatArray:
    """q (n,) with sum 1; ``parts`` as for `moment_model`."""
    n = len(statistics.front)
    roots = np.sqrt(second_moment(moment_model(statistics, **parts), n=n).squares) * statistics.front
    return np.asarray(roots / roots.sum())
