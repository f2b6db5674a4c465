"""The options of ``posbias compare``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_completion import names
from proofs.cli_options import Json
from proofs.output import Outcome

__all__ = ["compare"]


def compare(
    ctx: typer.Context,
    folders: Annotated[
        list[str] | None, typer.Argument(metavar="DIR", help="Folders that posbias measure has filled.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            metavar="prob|logprob|logit",
            help="Only those of DIR that were measured of it; all unless given.",
            autocompletion=names("prob", "logprob", "logit"),
        ),
    ] = None,
    draws: Annotated[
        str, typer.Option("--draws", metavar="N", help="Bootstrap draws of the samples, an integer in [40, 100000].")
    ] = "1000",
    seed: Annotated[
        str, typer.Option("--seed", metavar="N", help="Seed of the draws, an integer in [0, 2^63 - 1].")
    ] = "0",
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FOLDER", help="Draw into it: variants, what they miss, lambda by layer."),
    ] = None,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write all distances as CSV.")] = None,
    json: Json = False,
) -> Outcome:
    """Compare every theory with the measured influence of real models.

    DIR is what posbias measure has written, best with --kernels, and what posbias predict --out has put beside it. No
    model is loaded. Says how near each prediction is, with bootstrap intervals over samples, which is the nearest and
    whether it is told apart, what averaging kernels costs (X1), how far drift may fail (D8), and what the first token
    gets.

    \b
    Example:
    mkdir -p tiny
    echo '{"model_type": "bloom", "vocab_size": 64}' > tiny/config.json
    posbias measure tiny --random-init --random-tokens -n 8 --samples 2 --out run
    posbias compare run
    """
    from proofs.commands import compare as command
    from proofs.commands.options import Typed

    wanted = command.Wanted(tuple(folders or ()), target, draws, seed, plot, csv, json)
    return command.run(wanted, Typed(tuple(ctx.obj or ())))
