"""The options of ``posbias predict``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_options import (
    Attention,
    Bos,
    Dtype,
    FamilyFile,
    Json,
    Length,
    Model,
    RandomInit,
    RandomTokens,
    Samples,
    SampleSeed,
    Text,
)
from proofs.output import Outcome

__all__ = ["predict"]


def predict(
    ctx: typer.Context,
    model: Model,
    text: Text = None,
    random_tokens: RandomTokens = False,
    length: Length = None,
    samples: Samples = None,
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
    seed: SampleSeed = "0",
    bos: Bos = "tokenizer",
    random_init: RandomInit = False,
    attention: Attention = None,
    dtype: Dtype = "float32",
    family: FamilyFile = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="Where to write it: new, or a measured run of the same.")
    ] = None,
    beside_gradient: Annotated[
        bool, typer.Option("--beside-gradient", help="Also time a gradient, and say what memory each takes.")
    ] = False,
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
        family, out, beside_gradient, json,
    )  # fmt: skip
    return command.run(wanted, Typed(tuple(ctx.obj or ())))
