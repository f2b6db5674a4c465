"""The options of ``posbias report``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_completion import MODELS, names
from proofs.cli_options import FamilyFile, Json, Lam, RandomInit, Slope, Slopes, layer_count, positions
from proofs.output import Outcome

__all__ = ["report"]


def report(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="SOURCE",
            help="As for profile, or a folder that measure has filled.",
            autocompletion=names(*MODELS),
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option("-o", "--out", metavar="FILE", help="The .html file to write; it must be given.")
    ] = None,
    length: Annotated[
        str | None,
        positions("Positions, an integer in [1, 1024]; 256, or those of a file, unless given."),
    ] = None,
    layers: Annotated[
        str | None,
        layer_count("Layers, an integer in [1, 256]; those of SOURCE unless given."),
    ] = None,
    heads: Annotated[
        str | None, typer.Option("--heads", metavar="H", help="ALiBi heads per layer, an integer in [1, 512].")
    ] = None,
    slope: Slope = None,
    slopes: Slopes = None,
    lam: Lam = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="measured|CSV",
            help="Show a measured influence beside it, as for profile.",
            autocompletion=names("measured"),
        ),
    ] = None,
    random_init: RandomInit = False,
    family: FamilyFile = None,
    json: Json = False,
) -> Outcome:
    """Write a page to play with: one model, recomputed.

    One HTML file, which needs neither a network nor a server: profile, decomposition, drift with depth, number of hops,
    phase diagram, bounds, each with its statements, and controls that move them. SOURCE and the options that replace it
    are those of profile; a folder of posbias measure brings its own lambda and influence.

    \b
    Examples:
    posbias report bloom-176b -o bloom.html
    posbias report --layers 24 --heads 16 --lam power:1/2,1/2 -n 512 -o page.html
    """
    from proofs.commands import report as command
    from proofs.commands.options import Typed
    from proofs.commands.setting import Given

    given = Given(source, length, layers, heads, slope, slopes, lam, None, random_init, family)
    return command.run(given, Typed(tuple(ctx.obj or ())), command.Wanted(against, out, json))
