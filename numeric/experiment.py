"""An experiment: length n, T layers of H ALiBi heads with content, and λ_1 … λ_T; read from a file or built by hand.

Layer t, head h: the softmax over j ≤ i of −m_{t,h} (i − j) + c_{t,h} + d_{t,h} [i = j]. The constant c cancels; d is a
file's ``diagonal_scores`` as they stand, not their difference to ``base_scores``: so read, the paper's BLOOM-176B file
gives the published distance W1/(n−1) = 0.0159, as a difference it would give 0.0175.

Source: the experiment files of arXiv:2602.16837, loaded as they are. Exact here: the numbers of a file, rounded once.
Not covered: windows, masks other than the causal one, temperatures other than 1; a file that asks for them is refused.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.kernel import Alibi
from numeric.refuse import InputError, flag, integer, numbers
from numeric.schedule import Mixing, mixing_values
from numeric.yaml_text import name_of, read_node, read_text

__all__ = ["Experiment", "experiment_of", "load_experiment"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, init=False, eq=False)
class Experiment:
    """n positions, T ≥ 0 layers of H heads. Arrays are float64 and read-only; layer 1 (row 0) is nearest the input.

    slopes : (T, H), or (1, H) for every layer. content, base : (T, H), (1, H), (T, 1) or (1, 1), an axis of 1 meaning
    every layer or every head. They are kept as (T, H).
    lam : number or (T,), in [0, 1]. head_weights : (H,) ≥ 0 of sum 1, or None for the plain average.
    Raises InputError for anything else; slopes and content outside their ranges are refused by ``kernels``.
    """

    length: int
    layers: int
    heads: int
    slopes: Floats
    lam: Floats
    content: Floats
    base: Floats
    head_weights: Floats | None
    source: str

    def __init__(
        self,
        length: int,
        layers: int,
        heads: int,
        *,
        slopes: ArrayLike,
        lam: ArrayLike,
        content: ArrayLike = ((0.0,),),
        base: ArrayLike = ((0.0,),),
        head_weights: ArrayLike | None = None,
        source: str = "",
    ) -> None:
        size = (integer(layers, "layers", 0), integer(heads, "heads", 1))
        values = {
            "length": integer(length, "length", 1),
            "layers": size[0],
            "heads": size[1],
            "slopes": _table(slopes, "slopes", "", size, one_head=False),
            "lam": numbers(mixing_values(lam, size[0]), "lam", 1),
            "content": _table(content, "content", "", size),
            "base": _table(base, "base", "", size),
            "head_weights": None
            if head_weights is None
            else Alibi(np.zeros(heads), head_weights=head_weights).head_weights,
            "source": source,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def kernels(self) -> list[Alibi]:
        """One kernel per layer, layer 1 first; layers that agree share one object."""
        made: dict[bytes, Alibi] = {}
        layers = []
        for slopes, content in zip(self.slopes, self.content, strict=True):
            key = slopes.tobytes() + content.tobytes()
            if key not in made:
                made[key] = Alibi(slopes, content, self.head_weights)
            layers.append(made[key])
        return layers

    def text(self) -> str:
        """The experiment in the paper's format; ``load_experiment`` gives the same values back, bit for bit."""
        weights = "null" if self.head_weights is None else _listed(self.head_weights)
        lines = [
            f"sequence_length: {self.length}",
            f"num_layers: {self.layers}",
            "mask_config:",
            '  mask_type: "causal"',
            "  window_size: null",
            "attention_config:",
            f"  num_heads: {self.heads}",
            f"  alibi_slopes: {_rows(self.slopes)}",
            f"  head_weights: {weights}",
            "  softmax_temperature: 1.0",
            "content_config:",
            f"  diagonal_scores: {_rows(self.content)}",
            f"  base_scores: {_rows(self.base)}",
            "lambda_schedule_config:",
            '  schedule_type: "custom"',
            f"  lambdas_custom: {_listed(self.lam)}",
        ]
        return "\n".join(lines) + "\n"


def experiment_of(kernels: Sequence[Alibi], lam: Mixing, *, n: int, heads: int) -> Experiment:
    """The experiment of ALiBi layers, layer 1 first, all of ``heads`` heads and with the same head weights.

    The experiment's kernels are equal to those given, λ is the same to the last bit; what cancels, ``base``, is 0.

    >>> experiment_of([Alibi([0.5, 0.25], 1.0)] * 3, 0.5, n=7, heads=2).content.shape
    (3, 2)
    """
    stack = list(kernels)
    weights = {kernel.head_weights.tobytes(): kernel.head_weights for kernel in stack}
    if len(weights) > 1:
        raise flag("kernels", "have the same head weights in every layer", "several")
    plain = Alibi(np.zeros(heads)).head_weights
    own = next(iter(weights.values()), plain)
    return Experiment(
        n,
        len(stack),
        heads,
        slopes=[kernel.slopes for kernel in stack] or np.zeros((1, heads)),
        content=[kernel.content for kernel in stack] or np.zeros((1, heads)),
        lam=mixing_values(lam, len(stack)),
        head_weights=None if np.array_equal(own, plain) else own,
    )


def load_experiment(path: str | Path, *, libyaml: bool | None = None) -> Experiment:
    """The experiment in a file of the paper's format. ``libyaml``: parse with it or without; None means if it is there.

    Raises InputError, one line with file, line, field, requirement and value, for whatever is no such file.
    """
    from numeric.experiment_format import checked, locate

    place = name_of(Path(path))
    node = read_node(read_text(Path(path)), place, libyaml=libyaml)
    file = checked(node, place)
    size = (file.num_layers, file.attention_config.num_heads)

    def placed(*field: str) -> tuple[str, str]:
        name, line, _ = locate(node, field)
        return name, f"{place}, line {line}"

    attention, content, schedule = file.attention_config, file.content_config, file.lambda_schedule_config
    return Experiment(
        file.sequence_length,
        *size,
        slopes=_table(attention.alibi_slopes, *placed("attention_config", "alibi_slopes"), size, one_head=False),
        lam=schedule.lambda_const
        if schedule.schedule_type == "constant"
        else _per_layer(schedule.lambdas_custom, *placed("lambda_schedule_config", "lambdas_custom"), size[0]),
        content=_table(content.diagonal_scores, *placed("content_config", "diagonal_scores"), size),
        base=_table(content.base_scores, *placed("content_config", "base_scores"), size),
        head_weights=_weights(attention.head_weights, *placed("attention_config", "head_weights"), size[1]),
        source=place,
    )


def _table(values: ArrayLike, name: str, place: str, size: tuple[int, int], *, one_head: bool = True) -> Floats:
    """``values`` as (T, H), read-only: one row means every layer; where ``one_head``, one column means every head."""
    layers, heads = size
    try:
        given = numbers(values, name, 2)
    except InputError:
        if not place:
            raise
        # every entry of a file was checked before: what is left is the form
        raise flag(name, "be rows of numbers", "no rows or rows of different lengths", place) from None
    allowed = sorted({1, heads}) if one_head else [heads]
    if given.shape[0] not in (1, layers) or given.shape[1] not in allowed:
        rows = " or ".join(str(k) for k in sorted({1, layers}))
        requirement = f"be {rows} rows (layers) of {' or '.join(map(str, allowed))} numbers (heads)"
        raise flag(name, requirement, f"{given.shape[0]} of {given.shape[1]}", place)
    return np.broadcast_to(given, size)


def _per_layer(lam: Sequence[float], name: str, place: str, layers: int) -> Sequence[float]:
    if len(lam) != layers:
        raise flag(name, f"be one number per layer ({layers})", f"{len(lam)} of them", place)
    return lam


def _weights(weights: Sequence[float] | None, name: str, place: str, heads: int) -> Floats | None:
    """Head weights as the kernel takes them: (H,), nonnegative, of sum 1."""
    if weights is None:
        return None
    try:
        return Alibi(np.zeros(heads), head_weights=weights).head_weights
    except InputError:
        found = f"{len(weights)} with sum {math.fsum(weights):g}"
        raise flag(name, f"be one weight per head ({heads}), none negative, with sum 1", found, place) from None


def _rows(table: Floats) -> str:
    """A (T, H) table in flow style; layers that all agree are written once, and zero layers as a row of zeros."""
    if len(table) == 0:
        table = np.zeros((1, table.shape[1]))
    rows = table[:1] if (table == table[0]).all() else table
    return "[" + ", ".join(_listed(row) for row in rows) + "]"


def _listed(values: Floats) -> str:
    return "[" + ", ".join(repr(value) for value in values.tolist()) + "]"
