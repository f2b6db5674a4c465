"""The options of ``posbias derive``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_completion import names
from proofs.cli_options import Json, Lam, layer_count, positions
from proofs.output import Outcome

__all__ = ["derive"]


def derive(
    ctx: typer.Context,
    length: Annotated[
        str | None,
        positions("Positions, an integer in [1, 32] (uniform: 1000; numbers: 100000), or the letter n for any."),
    ] = None,
    layers: Annotated[
        str | None,
        layer_count("Layers, an integer in [0, 32] (uniform: 1000; numbers: 100000), or the letter T for any."),
    ] = None,
    entry: Annotated[
        str | None,
        typer.Option(
            "--entry", metavar="J", help="One position only, an integer in [1, N], or j for any, n for the last."
        ),
    ] = None,
    kernel: Annotated[
        str,
        typer.Option(
            "--kernel",
            metavar="KIND",
            help="general, uniform, prefix, alibi (q = e^m) or content (e).",
            autocompletion=names("general", "uniform", "prefix", "alibi", "content"),
        ),
    ] = "general",
    shared: Annotated[bool, typer.Option("--shared", help="One kernel for all layers.")] = False,
    lam: Lam = None,
    eliminate: Annotated[
        str | None,
        typer.Option(
            "--eliminate",
            metavar="first|diagonal",
            help="Which entry of a row is 1 minus the others, of general kernels; first unless given.",
            autocompletion=names("first", "diagonal"),
        ),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            "--weights", metavar="W", help="prefix, in numbers > 0: w_1,w_2,... or a CSV file, a value a line."
        ),
    ] = None,
    slope: Annotated[
        str | None,
        typer.Option("--slope", metavar="M", help="alibi, in numbers, with --digits: the slope, in [-700, 700]."),
    ] = None,
    e: Annotated[str | None, typer.Option("--e", metavar="E", help="content, in numbers: E = e^d > 0.")] = None,
    depth: Annotated[
        str | None,
        typer.Option(
            "--depth",
            metavar="S",
            help="Continuous depth instead of layers, e^(S(A - I)): a number >= 0, or the letter S for any.",
        ),
    ] = None,
    continuous: Annotated[
        bool, typer.Option("--continuous", help="The limit n to infinity at x = j/n of the uniform kernel.")
    ] = False,
    at: Annotated[
        str | None,
        typer.Option(
            "--at", metavar="X", help="Beside --continuous: the density at X, a number in (0, 1), with --digits."
        ),
    ] = None,
    digits: Annotated[
        str | None,
        typer.Option(
            "--digits", metavar="D", help="Decimals to D digits, each proven right; an integer in [1, 10000]."
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="text, latex, python or json; text unless given.",
            autocompletion=names("text", "latex", "python", "json"),
        ),
    ] = None,
    dots: Annotated[
        str | None,
        typer.Option(
            "--dots",
            metavar="K",
            help="Beside --format latex: K terms of a long sum, dots, the last one; an integer in [1, 10^9].",
        ),
    ] = None,
    json: Json = False,
) -> Outcome:
    """Write the last row's entries in closed form.

    In symbols for small n and T, exactly: without --lam each layer has its own, --lam lambda is one for all. For one
    uniform, prefix, alibi or content kernel in all layers also at every n and T: as formulas where n, T or j is the
    letter itself, and as numbers, rationals or proven decimals. What would be too long is refused before any work.

    \b
    Examples:
    posbias derive -n n -T T --kernel uniform
    posbias derive -n 256 -T 70 --kernel uniform --lam 1/3 --entry 1 --digits 50
    posbias derive -n 3 -T 20 --kernel prefix --weights 1,2,4 --lam 1/3
    posbias derive --continuous --depth S
    posbias derive --continuous --depth 2 --at 1/2 --digits 30
    """
    from proofs.commands import derive as command
    from proofs.commands.options import Typed

    numbers = command.Numbers(weights, slope, e, depth, digits, at)
    asked = command.Wanted(length, layers, entry, kernel, shared, lam, eliminate, form, json, continuous, numbers, dots)
    return command.run(asked, Typed(tuple(ctx.obj or ())))
