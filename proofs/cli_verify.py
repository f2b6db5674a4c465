"""The options of ``posbias verify``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_completion import STATEMENTS, names
from proofs.cli_options import Json, Quick, Seed
from proofs.output import Outcome

__all__ = ["verify"]


def verify(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID",
            help="Statements of the ledger, such as D1; all if left out.",
            autocompletion=names(*STATEMENTS),
        ),
    ] = None,
    quick: Quick = False,
    seed: Seed = "0",
    drop: Annotated[bool, typer.Option("--drop", help="Search a counterexample without each hypothesis.")] = False,
    latex: Annotated[
        str | None, typer.Option("--latex", metavar="FILE", help="Write what --drop finds as LaTeX.")
    ] = None,
    certificate: Annotated[
        str | None,
        typer.Option(
            "--certificate",
            metavar="FILE",
            help="Write what was checked as data, for python -m proofs.recheck FILE.",
        ),
    ] = None,
    json: Json = False,
) -> Outcome:
    """Check the statements and their evidence.

    All of the ledger, or those named. The table gives the size of each kind of evidence: checked steps of the
    derivation, vertices (exhaustive), boxes (enclosure), random cases, counterexamples for needed hypotheses, false
    twins that were refused (control).

    \b
    Example:
    posbias verify D1 I1 --quick
    """
    from proofs.commands import verify as command
    from proofs.commands.options import Typed
    from proofs.commands.options import seed as read_seed

    seed_value = read_seed(Typed(()), seed)
    return command.run(
        ids or (), quick=quick, seed=seed_value, json=json, drop=drop, latex=latex, certificate=certificate
    )
