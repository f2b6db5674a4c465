"""The options of ``posbias audit``, and those that say which model and how it is loaded."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_options import Json
from proofs.output import Outcome

__all__ = ["Attention", "DeviceMap", "Dtype", "FamilyFile", "Model", "Offload", "RandomInit", "WeightSeed", "audit"]

Model = Annotated[
    str, typer.Argument(metavar="MODEL", help="A folder, a .gguf file, or a name on a hub (owner/model).")
]
RandomInit = Annotated[bool, typer.Option("--random-init", help="Draw the weights: the configuration alone is needed.")]
WeightSeed = Annotated[str, typer.Option("--seed", metavar="N", help="Seed of the weights that are drawn.")]
Attention = Annotated[
    str | None,
    typer.Option("--attention", metavar="eager|sdpa", help="How attention is computed; as the model prefers."),
]
Dtype = Annotated[
    str, typer.Option("--dtype", metavar="TYPE", help="float32, float64, bfloat16 or float16: of the weights.")
]
FamilyFile = Annotated[
    str | None, typer.Option("--family", metavar="FILE", help="Where another architecture keeps its modules, as JSON.")
]
DeviceMap = Annotated[
    str | None, typer.Option("--device-map", metavar="MAP", help="Of accelerate: auto, balanced, sequential, cpu, ...")
]
Offload = Annotated[
    str | None, typer.Option("--offload", metavar="DIR", help="For weights that find no room with --device-map.")
]


def audit(
    ctx: typer.Context,
    model: Model,
    length: Annotated[
        str | None, typer.Option("-n", "--length", metavar="N", help="Positions to read at; 64 unless given.")
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
    posbias audit folder --random-init
    """
    from proofs.commands import audit as command
    from proofs.commands.model import Chosen
    from proofs.commands.options import Typed

    chosen = Chosen(model, random_init, seed, attention, dtype, family, device_map, offload)
    return command.run(chosen, length, Typed(tuple(ctx.obj or ())), json=json)
