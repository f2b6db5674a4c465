"""The options of ``posbias measure``."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs.cli_completion import names
from proofs.cli_options import (
    Attention,
    Bos,
    DeviceMap,
    FamilyFile,
    Json,
    Offload,
    RandomInit,
    RandomTokens,
    SampleLength,
    Samples,
    SampleSeed,
    Text,
)
from proofs.output import Outcome

__all__ = ["measure"]

MaybeModel = Annotated[
    str | None,
    typer.Argument(
        metavar="MODEL", help="A folder, a .gguf file, or a name on a hub (owner/model); left out with --jobs."
    ),
]


def measure(
    ctx: typer.Context,
    model: MaybeModel = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="The folder to measure into, or to go on in; must be given."),
    ] = None,
    text: Text = None,
    random_tokens: RandomTokens = False,
    length: SampleLength = None,
    samples: Samples = None,
    batch: Annotated[
        str | None,
        typer.Option(
            "--batch",
            metavar="B",
            help="Samples that are computed together, an integer in [1, 10000000]; 1 unless given.",
        ),
    ] = None,
    seed: SampleSeed = "0",
    target: Annotated[
        str,
        typer.Option(
            "--target",
            metavar="prob|logprob|logit",
            help="Of the next token: what influence is on.",
            autocompletion=names("prob", "logprob", "logit"),
        ),
    ] = "prob",
    kernels: Annotated[
        bool, typer.Option("--kernels", help="Measure attention kernels and content as well; slower.")
    ] = False,
    bos: Bos = "tokenizer",
    random_init: RandomInit = False,
    attention: Attention = None,
    dtype: Annotated[
        str,
        typer.Option(
            "--dtype",
            metavar="float32|float64",
            help="Type of the weights.",
            autocompletion=names("float32", "float64"),
        ),
    ] = "float32",
    family: FamilyFile = None,
    device_map: DeviceMap = None,
    offload: Offload = None,
    checkpointing: Annotated[
        bool, typer.Option("--checkpointing", help="Compute activations anew instead of keeping them.")
    ] = False,
    jobs: Annotated[
        str | None, typer.Option("--jobs", metavar="FILE", help="Several measurements: a JSON list of these options.")
    ] = None,
    n_jobs: Annotated[
        str | None,
        typer.Option(
            "-j", "--n-jobs", metavar="N", help="How many of --jobs at a time, an integer in [1, 1000]; 1 unless given."
        ),
    ] = None,
    backend: Annotated[
        str | None,
        typer.Option(
            "--backend",
            metavar="NAME",
            help="Of joblib, for --jobs: loky, multiprocessing, sequential, threading, or a registered one; "
            "loky unless given.",
            autocompletion=names("loky", "multiprocessing", "sequential", "threading"),
        ),
    ] = None,
    json: Json = False,
) -> Outcome:
    """Measure a real model: mixing coefficients, influence, kernels.

    Influence is that of each position on the next token. Give --text or --random-tokens. Each sample is kept in DIR
    as soon as it is measured. The same command goes on where an interrupted one ended, and writes the same bytes as
    if it had not been. DIR/lambda.csv is for --lam, DIR/influence.csv for --against, and DIR/kernels.npy for
    posbias check.

    \b
    Example:
    mkdir -p tiny
    echo '{"model_type": "bloom", "vocab_size": 64}' > tiny/config.json
    posbias measure tiny --random-init --random-tokens -n 8 --samples 2 --out run
    """
    from proofs.commands import measure as command
    from proofs.commands.options import Typed

    typed = Typed(tuple(ctx.obj or ()))
    wanted = command.Wanted(
        model, out, text, random_tokens, length, samples, batch, seed, target, kernels, bos, random_init, attention,
        dtype, family, device_map, offload, checkpointing, json,
    )  # fmt: skip
    if jobs is None:
        return command.run_alone(wanted, n_jobs, backend, typed)
    from proofs.commands import measure_jobs

    return measure_jobs.run(jobs, wanted, n_jobs, backend, typed)
