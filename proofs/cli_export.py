"""The options of ``posbias export``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_completion import STATEMENTS, listed, names
from proofs.cli_options import Json, Quick, Seed
from proofs.output import Outcome

__all__ = ["export"]


def export(
    directory: Annotated[
        str | None, typer.Argument(metavar="DIR", help="The folder to write to; made if need be.")
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            metavar="ID,ID",
            help="These statements only, such as D1,D2; all unless given.",
            autocompletion=listed(*STATEMENTS),
        ),
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="Run LaTeX as well.")] = False,
    figures: Annotated[bool, typer.Option("--figures", help="Draw the pictures of the forces as well.")] = False,
    snippet: Annotated[
        str | None,
        typer.Option(
            "--snippet",
            metavar="ID",
            help="Print one statement instead; no DIR then.",
            autocompletion=names(*STATEMENTS),
        ),
    ] = None,
    quick: Quick = False,
    seed: Seed = "0",
    json: Json = False,
) -> Outcome:
    """Write the derivations document in LaTeX.

    What was verified and with which versions, notation, every statement with its hypotheses, every checked step and
    the counterexamples, the evidence, closed forms, and the literature (as .bib beside it, too).

    \b
    Examples:
    posbias export --snippet D2 --quick
    posbias export derivations --only S2 --quick
    """
    from proofs.commands import export as command
    from proofs.commands.options import Typed
    from proofs.commands.options import seed as read_seed

    return command.run(command.Wanted(directory, only, snippet, pdf, figures, quick, read_seed(Typed(()), seed), json))
