"""The options of ``posbias measure``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_options import Json, Length
from proofs.output import Outcome

__all__ = ["measure"]


def measure(
    ctx: typer.Context,
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A folder, a .gguf file, or a name on the hub (owner/model).")
    ],
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="The folder to measure into, or to go on in.")
    ] = None,
    text: Annotated[str | None, typer.Option("--text", metavar="FILE", help="Samples of this text, in UTF-8.")] = None,
    random_tokens: Annotated[
        bool, typer.Option("--random-tokens", help="Samples of random tokens instead; needs no tokenizer.")
    ] = False,
    length: Length = None,
    samples: Annotated[str | None, typer.Option("--samples", metavar="K", help="Samples of N tokens each.")] = None,
    batch: Annotated[
        str | None, typer.Option("--batch", metavar="B", help="Samples that are computed together; 1 unless given.")
    ] = None,
    seed: Annotated[
        str, typer.Option("--seed", metavar="N", help="Seed of samples, random tokens and random weights.")
    ] = "0",
    target: Annotated[
        str, typer.Option("--target", metavar="prob|logprob|logit", help="Of the next token: what influence is on.")
    ] = "prob",
    kernels: Annotated[
        bool, typer.Option("--kernels", help="Measure attention kernels and content as well; slower.")
    ] = False,
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
    dtype: Annotated[str, typer.Option("--dtype", metavar="float32|float64", help="Type of the weights.")] = "float32",
    family: Annotated[
        str | None, typer.Option("--family", metavar="FILE", help="Describes an architecture that is not known.")
    ] = None,
    device_map: Annotated[
        str | None,
        typer.Option(
            "--device-map", metavar="MAP", help="auto, balanced, sequential, a device, or FILE.json: module to device."
        ),
    ] = None,
    offload: Annotated[
        str | None, typer.Option("--offload", metavar="DIR", help="The folder for modules that are put on disk.")
    ] = None,
    checkpointing: Annotated[
        bool, typer.Option("--checkpointing", help="Compute activations anew instead of keeping them.")
    ] = False,
    json: Json = False,
) -> Outcome:
    """Measure a real model: mixing coefficients, influence of each position, attention kernels.

    Each sample is kept in DIR as soon as it is measured. The same command goes on where an interrupted one ended, and
    writes the same bytes as if it had not been. DIR/lambda.csv is for --lam, DIR/influence.csv for --against, and
    DIR/kernels.npy for posbias check.

    \b
    Example:
    posbias measure MODEL --text book.txt -n 256 --samples 100 --out measured
    """
    from proofs.commands import measure as command
    from proofs.commands.options import Typed

    wanted = command.Wanted(
        model, out, text, random_tokens, length, samples, batch, seed, target, kernels, bos, random_init, attention,
        dtype, family, device_map, offload, checkpointing, json,
    )  # fmt: skip
    return command.run(wanted, Typed(tuple(ctx.obj or ())))
