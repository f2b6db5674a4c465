"""The options of ``posbias audit``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_options import (
    Attention,
    DeviceMap,
    Dtype,
    FamilyFile,
    Json,
    Model,
    Offload,
    RandomInit,
    WeightSeed,
    positions,
)
from proofs.output import Outcome

__all__ = ["audit"]


def audit(
    ctx: typer.Context,
    model: Model,
    length: Annotated[
        str | None,
        positions("Positions to read at, an integer in [4, 1000000]; 64 unless given."),
    ] = None,
    random_init: RandomInit = False,
    seed: WeightSeed = "0",
    attention: Attention = None,
    dtype: Dtype = "float32",
    family: FamilyFile = None,
    device_map: DeviceMap = None,
    offload: Offload = None,
    json: Json = False,
) -> Outcome:
    """Read what a model's attention does from its loaded modules.

    Layers, heads, mask, window, positions, slopes, scale, norms and residual, found by setting queries, keys and
    values by hand; beside them what the configuration declares. A mismatch is marked, and the exit code is 1 then.
    Where there are two ways of computing attention, the other is read too, unless --attention chooses one.

    \b
    Example:
    mkdir -p tiny
    echo '{"model_type": "bloom", "vocab_size": 64}' > tiny/config.json
    posbias audit tiny --random-init
    """
    from proofs.commands import audit as command
    from proofs.commands.model import Chosen
    from proofs.commands.options import Typed

    chosen = Chosen(model, random_init, seed, attention, dtype, family, device_map, offload)
    return command.run(chosen, length, Typed(tuple(ctx.obj or ())), json=json)
