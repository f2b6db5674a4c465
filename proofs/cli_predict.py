"""The options of ``posbias predict``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_options import Json, Length
from proofs.output import Outcome

__all__ = ["predict"]


def predict(
    ctx: typer.Context,
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A folder, a .gguf file, or a name on the hub (owner/model).")
    ],
    text: Annotated[str | None, typer.Option("--text", metavar="FILE", help="Samples of this text, in UTF-8.")] = None,
    random_tokens: Annotated[bool, typer.Option("--random-tokens", help="Samples of random tokens instead.")] = False,
    length: Length = None,
    samples: Annotated[str | None, typer.Option("--samples", metavar="K", help="Samples of N tokens each.")] = None,
    kernels: Annotated[
        str,
        typer.Option(
            "--kernels", metavar="measured|architectural", help="Attention as it is, or with queries and keys 0."
        ),
    ] = "measured",
    mlp: Annotated[
        str,
        typer.Option("--mlp", metavar="gates|exact|none", help="How MLPs count; exact needs their Gram matrices."),
    ] = "gates",
    heads: Annotated[
        str, typer.Option("--heads", metavar="shared|independent", help="Whether heads may share directions.")
    ] = "shared",
    seed: Annotated[
        str, typer.Option("--seed", metavar="N", help="Seed of samples, random tokens and random weights.")
    ] = "0",
    bos: Annotated[
        str,
        typer.Option("--bos", metavar="tokenizer|yes|no", help="BOS at position 1: as the tokenizer does, or not so."),
    ] = "tokenizer",
    random_init: Annotated[
        bool, typer.Option("--random-init", help="Draw the weights; MODEL needs a configuration only.")
    ] = False,
    attention: Annotated[
        str | None, typer.Option("--attention", metavar="eager|sdpa", help="How the model computes attention.")
    ] = None,
    dtype: Annotated[str, typer.Option("--dtype", metavar="TYPE", help="Of the weights: float32, bfloat16, ...")] = (
        "float32"
    ),
    family: Annotated[
        str | None, typer.Option("--family", metavar="FILE", help="Describes an architecture that is not known.")
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="Where to write it: new, or a measured run of the same.")
    ] = None,
    json: Json = False,
) -> Outcome:
    """Predict a model's influence by second moments, without a gradient.

    Value-output maps of different layers and heads are nearly orthogonal, so paths through them add up in quadrature.
    Their strengths, those of the MLPs and the norms' scales are read off weights and one forward pass; none is fitted.
    Give --text or --random-tokens; --kernels architectural needs neither.

    \b
    Example:
    posbias predict MODEL --random-tokens -n 256 --samples 8
    """
    from proofs.commands import predict as command
    from proofs.commands.options import Typed

    wanted = command.Wanted(
        model, text, random_tokens, length, samples, kernels, mlp, heads, seed, bos, random_init, attention, dtype,
        family, out, json,
    )  # fmt: skip
    return command.run(wanted, Typed(tuple(ctx.obj or ())))
