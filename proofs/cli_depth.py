"""The options of ``posbias depth``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_completion import names
from proofs.cli_options import Heads, Json, Lam, Slope, Slopes, layer_count, positions
from proofs.output import Outcome

__all__ = ["depth"]


def depth(
    ctx: typer.Context,
    lam: Lam = None,
    kernel: Annotated[
        str | None,
        typer.Option(
            "--kernel",
            metavar="uniform|FILE",
            help="One kernel for all layers: uniform, or a .csv or .npy file; any kernels unless given.",
            autocompletion=names("uniform"),
        ),
    ] = None,
    heads: Heads = None,
    slope: Slope = None,
    slopes: Slopes = None,
    renormalise: Annotated[
        bool, typer.Option("--renormalise", help="Divide each row of FILE by its sum, at most 1e-6 from 1.")
    ] = False,
    window: Annotated[
        str | None,
        typer.Option(
            "--window",
            metavar="W",
            help="Each row reads W positions, an integer in [1, 4096]; with --kernel uniform or --slope.",
        ),
    ] = None,
    sink: Annotated[
        str | None,
        typer.Option("--sink", metavar="S", help="Every row gives token 1 the share S besides, a number in (0, 1]."),
    ] = None,
    epsilon: Annotated[
        str | None,
        typer.Option(
            "--epsilon", metavar="E", help="All that is known: 1 - A_ii >= E for all i >= 2, a number in (0, 1]."
        ),
    ] = None,
    length: Annotated[
        str | None,
        positions("Positions, an integer in [1, 4096]; 256, or those of FILE, unless given."),
    ] = None,
    layers: Annotated[
        str | None,
        layer_count("Bound P_n1 at this depth, an integer in [0, 10^15]; its limit unless given."),
    ] = None,
    eta: Annotated[
        str | None,
        typer.Option(
            "--eta", metavar="H", help="Ask for a first token >= 1 - H, a number in (0, 1); 0.01 unless given."
        ),
    ] = None,
    json: Json = False,
) -> Outcome:
    """Tell whether infinite depth collapses onto the first token.

    For a rule for lambda, and a kernel, a bound E, or any kernels: the verdict with its reason, proven bounds on the
    limit of P_nn and on P_n1, and the smallest number of layers at which P_n1 >= 1 - H. In 'LIST then RULE' layers
    count on: in '0.9,0.8 then power:1/2,1' layer 3 has lambda 1/2 * 3^(-1). A list without a rule stays undecided.

    \b
    Example:
    posbias depth --lam "0.9,0.8 then power:1/2,1/2" --kernel uniform -n 16
    """
    from proofs.commands import depth as command
    from proofs.commands.options import Typed

    wanted = command.Wanted(
        lam, kernel, heads, slope, slopes, renormalise, window, sink, epsilon, length, layers, eta, json
    )
    return command.run(wanted, Typed(tuple(ctx.obj or ())))
