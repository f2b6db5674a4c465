"""Options that several commands of ``posbias`` share: one spelling and one meaning everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["Certified", "Heads", "Json", "Lam", "Layers", "Length", "Quick", "Seed", "Slope", "Slopes"]

Length = Annotated[str | None, typer.Option("-n", "--length", metavar="N", help="Positions.")]
Layers = Annotated[str | None, typer.Option("-T", "--layers", metavar="T", help="Layers.")]
Json = Annotated[bool, typer.Option("--json", help="JSON for machines instead of text.")]
Quick = Annotated[bool, typer.Option("--quick", help="Fewer random cases, twins, vertices and boxes.")]
Seed = Annotated[str, typer.Option("--seed", metavar="N", help="Seed of the random cases.")]
Certified = Annotated[
    bool, typer.Option("--certified", help="Prove an error bound for every number; slower, and as sharp as float64.")
]
Heads = Annotated[str | None, typer.Option("--heads", metavar="H", help="ALiBi heads per layer.")]
Slope = Annotated[str | None, typer.Option("--slope", metavar="M", help="One head of this slope.")]
Slopes = Annotated[
    str | None,
    typer.Option("--slopes", metavar="paper|model", help="As in the paper's files, or as the models do it."),
]
Lam = Annotated[
    str | None,
    typer.Option(
        "--lam",
        metavar="L",
        help="Mixing coefficients in [0, 1]: a number, p/q, power:c,beta (layer t has c t^(-beta), at most 1), "
        "geometric:c,r (layer t has c r^(t-1)), or a list: values with commas, or a CSV file, a value a line or a "
        "column lambda. 'LIST then RULE' goes on by the rule.",
    ),
]
