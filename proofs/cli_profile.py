"""The options of ``posbias profile``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_completion import MODELS, names
from proofs.cli_options import (
    Certified,
    FamilyFile,
    Heads,
    Json,
    Lam,
    Layers,
    Length,
    Plot,
    RandomInit,
    Slope,
    Slopes,
)
from proofs.output import Outcome

__all__ = ["profile"]


def profile(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="SOURCE",
            help="A published model, an experiment file, or a model as for audit.",
            autocompletion=names(*MODELS),
        ),
    ] = None,
    length: Length = None,
    layers: Layers = None,
    heads: Heads = None,
    slope: Slope = None,
    slopes: Slopes = None,
    lam: Lam = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="measured|CSV",
            help="Compare with a measured influence; a CSV has columns position (from 0) and influence.",
            autocompletion=names("measured"),
        ),
    ] = None,
    plot: Plot = None,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write the profile as CSV.")] = None,
    save: Annotated[
        str | None, typer.Option("--save", metavar="FILE", help="Write an experiment file that gives this profile.")
    ] = None,
    prefix: Annotated[
        str | None,
        typer.Option(
            "--prefix",
            metavar="B",
            help="Prefix-LM: the first B tokens see each other, an integer in [1, 1000000].",
        ),
    ] = None,
    order: Annotated[
        bool, typer.Option("--order", help="The most recent and most primacy-heavy order of these layers.")
    ] = False,
    certified: Certified = False,
    random_init: RandomInit = False,
    family: FamilyFile = None,
    json: Json = False,
) -> Outcome:
    """Compute a profile, its shape and its distance.

    SOURCE is a published model (bloom-176b, bloom-7b1, mpt-7b, mpt-30b, falcon-rw-7b), an experiment file, or a model
    to load: a folder, a .gguf file, a name on a hub, whose kernels are those that audit reads, and which needs --lam.
    Without SOURCE give --layers, --heads or --slope, and --lam. --lam overrides that of SOURCE.

    \b
    Examples:
    posbias profile bloom-176b --against measured
    posbias profile --layers 24 --heads 16 --lam power:1/2,1/2 -n 512
    """
    from proofs.commands import profile as command
    from proofs.commands.options import Typed
    from proofs.commands.setting import Given

    given = Given(source, length, layers, heads, slope, slopes, lam, prefix, random_init, family)
    typed = Typed(tuple(ctx.obj or ()))
    wanted = command.Wanted(against, plot, csv, save, order, certified, json)
    return command.run(given, typed, wanted)
