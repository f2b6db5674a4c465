"""The options of ``posbias reproduce``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_completion import names
from proofs.cli_options import Json
from proofs.output import Outcome

__all__ = ["reproduce"]


def reproduce(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="The folder to write to; made if need be.")],
    experiments: Annotated[
        str | None,
        typer.Option(
            "--experiments",
            metavar="DIR",
            help="A folder with the paper's experiment files, for content; no content unless given.",
        ),
    ] = None,
    measured: Annotated[
        list[str] | None,
        typer.Option(
            "--measured",
            metavar="[MODEL=]CSV",
            help="Measured influence of a model (of bloom-176b unless named): columns position (from 0) and influence. "
            "May be given for several models.",
        ),
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option(
            "--scale",
            metavar="log|linear",
            help="The scale of the shares; log unless given.",
            autocompletion=names("log", "linear"),
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="svg|png",
            help="The format of the figures; svg unless given.",
            autocompletion=names("svg", "png"),
        ),
    ] = None,
    json: Json = False,
) -> Outcome:
    """Redo the paper's figures and table.

    For the five published models, attention only and residual-aware, as in the paper's files and as the model does it;
    with --experiments also with content, as recorded and divided by sqrt(head_dim). Writes a figure for each model,
    table.csv and table.json to DIR and prints the table.

    \b
    Example:
    posbias reproduce figures --format png
    """
    from proofs.commands import reproduce as command

    return command.run(command.Wanted(directory, experiments, tuple(measured or ()), scale, form, json))
