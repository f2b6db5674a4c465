"""What a model does in its attention, read from the loaded modules, against what it declares.

    audited = audit(load("folder"), n=64)
    audited.mismatches              # where the configuration says one thing and the modules do another
    audited.kernels()               # one numeric kernel per layer: the attention of the model with Q = K = 0

Nothing is read of a configuration but what is called declared. Numeric here: slopes and scales, with what the reading
may be off by. Not covered: what depends on the content of a text, and windows wider than n.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numeric.kernel import Kernel
from numeric.model.declared import Declared, declared, longest
from numeric.model.layer import Layer, kernels
from numeric.model.mismatch import Mismatch, between, mismatches
from numeric.refuse import InputError, flag, integer, refusal

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["DEFAULT_LENGTH", "LEAST", "Audit", "Layer", "Mismatch", "NotCausal", "audit", "probed_length"]

DEFAULT_LENGTH = 64
LEAST = 4  # the fewest positions that tell a line from what is none


class NotCausal(InputError):
    """A position reads a later one: nothing that posbias says of a model holds of this one."""


@dataclass(frozen=True, eq=False)
class Audit:
    """A model as read at n positions.

    attention : how it computes attention, eager or sdpa. limit : the most positions its configuration allows, None
    for no limit. declared_layers, declared : of the configuration. mismatches : where the modules do otherwise. other :
    the other way of computing attention, where there is one and it was tried; differences : where that does otherwise.
    """

    model: str
    family: str
    attention: str
    n: int
    limit: int | None
    layers: tuple[Layer, ...]
    declared_layers: int | None
    declared: tuple[Declared, ...]
    mismatches: tuple[Mismatch, ...]
    other: str | None = None
    differences: tuple[Mismatch, ...] = ()

    def kernels(self) -> tuple[Kernel, ...]:
        """The attention of Q = K = 0, averaged over heads, one kernel per layer; layer 1 first.

        ALiBi: `Alibi` with the slopes read. Rotary, absolute or no positions: `Uniform`, content being 0. A window:
        `Window`. Another bias of the distance: `Distance`, for n positions only. Equal layers share one object.

        Raises InputError for a mask or a bias that none of these describes.
        """
        return kernels(self.layers)


def audit(loaded: Loaded, *, n: int | None = None, both: bool = False, name: str = "MODEL") -> Audit:
    """Reads a loaded model at n positions, 64 unless given or the model allows fewer.

    both : also the other way of computing attention (eager, sdpa), where the architecture has it.

    Raises InputError for n < 4 or beyond what the model allows, and for a model that is not causal.
    """
    n = probed_length(loaded.config, n)
    config, layers = loaded.config, _layers(loaded, n, name)
    said_layers, said = declared(config, str(config.model_type))
    other: str | None = None
    differences: tuple[Mismatch, ...] = ()
    if both and _has_both(loaded.model):
        with _other_attention(config) as other:
            differences = between(layers, _layers(loaded, n, name), n)
    return Audit(
        loaded.name, loaded.family.name, str(config._attn_implementation), n, longest(config), layers, said_layers,
        said, mismatches(layers, said_layers, said, n), other, differences,
    )  # fmt: skip


def _layers(loaded: Loaded, n: int, name: str) -> tuple[Layer, ...]:
    from numeric.model.attend import attend
    from numeric.model.plan import structure
    from numeric.model.probe import input_depends_on_position

    attends = attend(loaded, n)
    for block, found in zip(loaded.blocks, attends, strict=True):
        if (cell := found.mask.future) is not None:
            where = f"position {cell[0] + 1} reads position {cell[1] + 1}"
            raise NotCausal(str(flag(name, "be a causal model", f"one in which {where}", f"layer {block.number}")))
    absolute, plans = input_depends_on_position(loaded, n), structure(loaded, n)
    return tuple(
        Layer(block.number, block.heads, block.kv_heads, block.head_size, found, plan, absolute)
        for block, found, plan in zip(loaded.blocks, attends, plans, strict=True)
    )


def probed_length(config: Any, n: int | None, name: str = "n") -> int:
    """n, or what is usual, within what the configuration allows."""
    limit = longest(config)
    if n is None:
        n = DEFAULT_LENGTH if limit is None else min(DEFAULT_LENGTH, limit)
    n = integer(n, name, LEAST)
    if limit is not None and n > limit:
        raise refusal(name, f"be at most {limit}, the positions of the model", n)
    return n


def _has_both(model: Any) -> bool:
    return model.config._attn_implementation in ("eager", "sdpa") and bool(getattr(model, "_supports_sdpa", False))


@contextmanager
def _other_attention(config: Any) -> Iterator[str]:
    """The model computing attention the other way. Every layer looks it up in the configuration as it runs; Falcon's
    has no public way to be told.
    """
    before = config._attn_implementation
    other = "eager" if before == "sdpa" else "sdpa"
    config._attn_implementation_internal = other
    try:
        yield other
    finally:
        config._attn_implementation_internal = before
