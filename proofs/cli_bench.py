"""The options of ``posbias bench``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_options import Heads, Json, Layers
from proofs.output import Outcome

__all__ = ["bench"]


def bench(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(metavar="WHAT", help="What to time: numeric, the profile in floats.")],
    length: Annotated[
        str | None,
        typer.Option("-n", "--length", metavar="N", help="This length only; 256, 4096 and 131072 unless given."),
    ] = None,
    layers: Layers = None,
    heads: Heads = None,
    quick: Annotated[bool, typer.Option("--quick", help="n = 256 only (or that of -n), with fewer repeats.")] = False,
    json: Json = False,
) -> Outcome:
    """Time the profile against other ways to compute it.

    On the same work and in one run: matrices (plain), one filter of SciPy per layer and head (lfilter), one sweep in
    NumPy (numpy), and the function that posbias uses (profile). Rows are compared: exit code 1 if they differ by more
    than 1e-12. Without -T and --heads the work has the shape of BLOOM-176B, 70 layers of 112 ALiBi heads, and takes
    about a minute.
    """
    from proofs.commands import bench as command
    from proofs.commands.options import Typed

    wanted = command.Wanted(what, length, layers, heads, quick, json)
    return command.run(wanted, Typed(tuple(ctx.obj or ())))
