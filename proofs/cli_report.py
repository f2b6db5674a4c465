"""The options of ``posbias report``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_options import FamilyFile, Heads, Json, Lam, Layers, Length, RandomInit, Slope, Slopes
from proofs.output import Outcome

__all__ = ["report"]


def report(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(metavar="SOURCE", help="As for profile, or a folder that measure has filled."),
    ] = None,
    out: Annotated[str | None, typer.Option("-o", "--out", metavar="FILE", help="The .html file to write.")] = None,
    length: Length = None,
    layers: Layers = None,
    heads: Heads = None,
    slope: Slope = None,
    slopes: Slopes = None,
    lam: Lam = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="measured|CSV", help="Show a measured influence beside it, as for profile."),
    ] = None,
    random_init: RandomInit = False,
    family: FamilyFile = None,
    json: Json = False,
) -> Outcome:
    """Write a page that shows an architecture or a measured model, and recomputes it.

    One HTML file, which needs neither a network nor a server: profile, decomposition, drift with depth, number of hops,
    phase diagram, bounds, each with its statements, and controls that move them. SOURCE and the options that replace it
    are those of profile; a folder of posbias measure brings its own lambda and influence.

    \b
    Example:
    posbias report bloom-176b -o bloom.html
    """
    from proofs.commands import report as command
    from proofs.commands.options import Typed
    from proofs.commands.setting import Given

    given = Given(source, length, layers, heads, slope, slopes, lam, None, random_init, family)
    return command.run(given, Typed(tuple(ctx.obj or ())), command.Wanted(against, out, json))
