"""The options of ``posbias phase``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_completion import names
from proofs.cli_options import Json, Plot, Slopes, layer_count, positions
from proofs.output import Outcome

__all__ = ["phase"]


def phase(
    ctx: typer.Context,
    axes: Annotated[
        str,
        typer.Option(
            "--axes",
            metavar="depth|layers",
            help="Slope m and depth S, or T and lambda.",
            autocompletion=names("depth", "layers"),
        ),
    ] = "depth",
    length: Annotated[
        str | None,
        positions("Positions, an integer in [1, 2048]; 256 unless given."),
    ] = None,
    layers: Annotated[
        str | None,
        layer_count("T layers of lambda = S/T, an integer in [1, 256]; 24 unless given."),
    ] = None,
    continuous: Annotated[
        bool, typer.Option("--continuous", help="Continuous depth S instead: the limit of many layers.")
    ] = False,
    slope: Annotated[
        str | None,
        typer.Option("--slope", metavar="M", help="The slope for --axes layers, a number in [0, 700]; 0 unless given."),
    ] = None,
    slopes: Slopes = None,
    across: Annotated[
        str | None,
        typer.Option(
            "--across",
            metavar="LO,HI,CELLS",
            help="Slopes in equal ratios, besides 0, in (0, 700]; or layers, in [1, 256]. CELLS is at most 120. "
            "1/2048,2,48 unless given; or 1,70,35.",
        ),
    ] = None,
    up: Annotated[
        str | None,
        typer.Option(
            "--up",
            metavar="LO,HI,CELLS",
            help="Depths in equal ratios, in (0, T], or (0, 600] with --continuous; or lambda in equal steps, in "
            "[0, 1]. CELLS is at most 120. 1/4,T,32 unless given, or 1/4,512,32; or 0,1,31.",
        ),
    ] = None,
    bits: Annotated[
        str | None,
        typer.Option("--bits", metavar="B", help="The most bits of balls, an integer in [2, 4096]; 512 unless given."),
    ] = None,
    continuum: Annotated[
        bool, typer.Option("--continuum", help="The uniform kernel's n p_j beside its limit (U5, C3) instead.")
    ] = False,
    depths: Annotated[
        str | None,
        typer.Option(
            "--depths",
            metavar="S,S",
            help="For --continuum, at most 5 that increase, in (0, T], or (0, 600] with --continuous; "
            "1,4,16 unless given.",
        ),
    ] = None,
    plot: Plot = None,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write all cells as CSV.")] = None,
    json: Json = False,
) -> Outcome:
    """Tell where a profile is a U: its shape over depth and slope.

    For one ALiBi head, the same in all layers: a grid of slopes m and effective depths S, or of layers and lambda. Each
    cell is decided, in floats beyond their proven rounding or in balls, or called undecided. Boundaries of U7 and U8
    and the published models are in the figure; --slopes says which slopes of theirs.

    \b
    Example:
    posbias phase --across 1/64,1,13 --up 1/2,16,11 -n 64
    """
    from proofs.commands import phase as command
    from proofs.commands.options import Typed

    wanted = command.Wanted(
        axes, length, layers, continuous, slope, slopes, across, up, bits, continuum, depths, plot, csv, json
    )
    return command.run(wanted, Typed(tuple(ctx.obj or ())))
