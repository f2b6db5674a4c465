"""The options of ``posbias bench``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_completion import names
from proofs.cli_options import Json, layer_count, positions
from proofs.output import Outcome

__all__ = ["bench"]


def bench(
    ctx: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="What to time: numeric, the profile in floats; symbolic, closed forms.",
            autocompletion=names("numeric", "symbolic"),
        ),
    ],
    length: Annotated[
        str | None,
        positions("This length only, an integer in [1, 1048576]; 256, 4096 and 131072 unless given."),
    ] = None,
    layers: Annotated[
        str | None,
        layer_count("Layers, an integer in [1, 1000]; 70 unless given."),
    ] = None,
    heads: Annotated[
        str | None,
        typer.Option("--heads", metavar="H", help="ALiBi heads per layer, an integer in [1, 10000]; 112 unless given."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="The smallest size only (or that of -n), fewer repeats.")
    ] = False,
    json: Json = False,
) -> Outcome:
    """Time what posbias computes against other ways to compute it.

    On the same work and in one run. numeric: the profile by matrices (plain), by one filter of SciPy per layer and
    head (lfilter), by one sweep in NumPy (numpy), and by the function that posbias uses (profile). Exit code 1 if rows
    differ by more than 1e-12. Without -T and --heads the work has the shape of BLOOM-176B, 70 layers of 112 ALiBi
    heads, and takes about a minute.

    symbolic: closed forms by SymPy's matrices, by its polynomial rings, by flint and by the bytes that derive uses;
    rows of rationals by Fraction and over one denominator; enclosures by mpmath and by flint. Exit code 1 if two
    differ in a term, or an enclosure misses. It takes about a minute, and takes no other options than --quick.

    \b
    Example:
    posbias bench numeric --quick -n 64 -T 4 --heads 4
    """
    from proofs.commands import bench as command
    from proofs.commands.options import Typed

    wanted = command.Wanted(what, length, layers, heads, quick, json)
    return command.run(wanted, Typed(tuple(ctx.obj or ())))
