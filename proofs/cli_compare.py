"""The options of ``posbias compare``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_options import Json
from proofs.output import Outcome

__all__ = ["compare"]


def compare(
    ctx: typer.Context,
    folders: Annotated[
        list[str] | None, typer.Argument(metavar="DIR...", help="Folders that posbias measure has filled.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="prob|logprob|logit", help="Only those of DIR that were measured of it."),
    ] = None,
    draws: Annotated[str, typer.Option("--draws", metavar="N", help="Bootstrap draws of the samples.")] = "1000",
    seed: Annotated[str, typer.Option("--seed", metavar="N", help="Seed of the draws.")] = "0",
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FOLDER", help="Draw into it: variants, what they miss, lambda.")
    ] = None,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write all distances as CSV.")] = None,
    json: Json = False,
) -> Outcome:
    """Hold every theory against the measured influence of real models.

    DIR is what posbias measure has written, best with --kernels, and what posbias predict --out has put beside it. No
    model is loaded. Says how near each prediction is, with bootstrap intervals over samples, which is the nearest and
    whether it is told apart, what averaging kernels costs (X1), how far drift may fail (D8), and what sinks do.

    \b
    Example:
    posbias measure MODEL --random-tokens -n 64 --samples 20 --kernels --out measured
    posbias compare measured
    """
    from proofs.commands import compare as command
    from proofs.commands.options import Typed

    wanted = command.Wanted(tuple(folders or ()), target, draws, seed, plot, csv, json)
    return command.run(wanted, Typed(tuple(ctx.obj or ())))
