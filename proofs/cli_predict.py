"""The options of ``posbias predict``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_completion import names
from proofs.cli_options import (
    Attention,
    Bos,
    Dtype,
    FamilyFile,
    Json,
    Model,
    RandomInit,
    RandomTokens,
    SampleLength,
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
    length: SampleLength = None,
    samples: Annotated[
        str | None,
        typer.Option(
            "--samples", metavar="K", help="Samples of N tokens each, an integer in [1, 10000]; must be given."
        ),
    ] = None,
    kernels: Annotated[
        str,
        typer.Option(
            "--kernels",
            metavar="measured|architectural",
            help="Attention as it is, or with queries and keys 0.",
            autocompletion=names("measured", "architectural"),
        ),
    ] = "measured",
    mlp: Annotated[
        str,
        typer.Option(
            "--mlp",
            metavar="gates|exact|none",
            help="How MLPs count; exact needs their Gram matrices.",
            autocompletion=names("gates", "exact", "none"),
        ),
    ] = "gates",
    heads: Annotated[
        str,
        typer.Option(
            "--heads",
            metavar="shared|independent",
            help="Whether heads may share directions.",
            autocompletion=names("shared", "independent"),
        ),
    ] = "shared",
    seed: SampleSeed = "0",
    bos: Bos = "tokenizer",
    random_init: RandomInit = False,
    attention: Attention = None,
    dtype: Dtype = "float32",
    family: FamilyFile = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Where to write it: new, or a measured run of the same; nothing is written unless given.",
        ),
    ] = None,
    beside_gradient: Annotated[
        bool, typer.Option("--beside-gradient", help="Also time a gradient, and say what memory each takes.")
    ] = False,
    json: Json = False,
) -> Outcome:
    """Predict a model's influence by second moments, without gradient.

    Value-output maps of different layers and heads are nearly orthogonal, so paths through them add up in quadrature.
    Their strengths, those of the MLPs and the norms' scales are read off weights and one forward pass; none is fitted.
    Give --text or --random-tokens; --kernels architectural needs neither.

    \b
    Example:
    mkdir -p tiny
    echo '{"model_type": "bloom", "vocab_size": 64}' > tiny/config.json
    posbias predict tiny --random-init --random-tokens -n 8 --samples 2
    """
    from proofs.commands import predict as command
    from proofs.commands.options import Typed

    wanted = command.Wanted(
        model, text, random_tokens, length, samples, kernels, mlp, heads, seed, bos, random_init, attention, dtype,
        family, out, beside_gradient, json,
    )  # fmt: skip
    return command.run(wanted, Typed(tuple(ctx.obj or ())))
