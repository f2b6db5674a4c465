"""What has to be said beside the measurement of a model: where it does otherwise than λ and its configuration suppose.

    remarks(load("folder"))         # () where there is nothing to say

λ is measured of the raw residual stream. Where attention is added to something else, or changed before, it is not what
the layer mixes; where a way of computing attention does otherwise than another or than declared (Falcon's plain one
adds its ALiBi bias twice), all that is measured is of the way that was taken. An audit of a few positions sees both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from numeric.model.audit import LEAST, Audit, NotCausal, audit
from numeric.model.mismatch import layer_numbers
from numeric.refuse import InputError

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["remarks"]

PROBED = 8  # positions: twice what tells a line from what is none


def remarks(loaded: Loaded) -> tuple[str, ...]:
    """One line each, in ASCII. A model that cannot be audited is measured all the same, and that is said.

    Raises NotCausal, an InputError, for a model in which a position reads a later one.
    """
    n = PROBED if loaded.limit is None else min(PROBED, loaded.limit)
    if n < LEAST:
        return (f"not audited: of {n} positions nothing can be read",)
    try:
        return tuple(_remarks(audit(loaded, n=n, both=True)))
    except NotCausal:
        raise
    except InputError as error:  # such as a token whose embedding is NaN; samples without it can be measured
        return (f"not audited: {error}",)


def _remarks(found: Audit) -> Iterator[str]:
    plans: dict[str, list[int]] = {}
    for layer in found.layers:
        plans.setdefault(layer.residual, []).append(layer.number)
    for residual, numbers in plans.items():
        if residual != "raw":
            what = "is added to a normalised stream" if residual == "normalised" else "is changed before it is added"
            where = layer_numbers(tuple(numbers))
            yield f"lambda is not what is mixed in {where}: what it is measured of {what}"
    for one in found.mismatches:
        if one.what != "residual":  # told above
            yield f"not as declared: {one.told()}"
    for one in found.differences:
        yield f"{found.other} attention does otherwise: {one.told(found.attention, str(found.other))}"
