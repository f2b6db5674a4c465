"""The options of ``posbias check``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_options import Json, Lam
from proofs.output import Outcome

__all__ = ["check"]


def check(
    kernel: Annotated[str, typer.Argument(metavar="KERNEL", help="A .csv or .npy file: n by n, or T of them.")],
    lam: Lam = None,
    tolerance: Annotated[
        str,
        typer.Option("--tolerance", metavar="E", help="How far a row sum may be from 1, a number in [0, 1)."),
    ] = "1e-6",
    renormalise: Annotated[
        bool, typer.Option("--renormalise", help="Divide each row by its sum, within --tolerance of 1.")
    ] = False,
    json: Json = False,
) -> Outcome:
    """Describe a kernel of your own.

    Is it causal, do its rows sum to 1, is it monotone, which statements apply to it, what are its profile and shape.
    A CSV file holds n rows of n numbers; T kernels are T such blocks, the first nearest the input. Without --lam, it
    is 1: attention alone.

    \b
    Example:
    printf '1,0\\n0.3,0.7\\n' > kernel.csv
    posbias check kernel.csv --lam 1/2
    """
    from proofs.commands import check as command

    return command.run(kernel, lam=lam, tolerance=tolerance, renormalise=renormalise, json=json)
