"""Options that several commands of ``posbias`` share: one spelling and one meaning everywhere."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from proofs.cli_completion import names

__all__ = [
    "Attention", "Bos", "Certified", "DeviceMap", "Dtype", "FamilyFile", "Heads", "Json", "Lam", "Layers", "Length",
    "Model", "Offload", "Plot", "Quick", "RandomInit", "RandomTokens", "SampleLength", "SampleSeed", "Samples", "Seed",
    "Slope", "Slopes", "Text", "WeightSeed", "layer_count", "positions",
]  # fmt: skip


def positions(told: str) -> Any:
    """How every command spells a number of positions; ``told`` is the help, with range and default."""
    return typer.Option("-n", "--length", metavar="N", help=told)


def layer_count(told: str) -> Any:
    """How every command spells a number of layers."""
    return typer.Option("-T", "--layers", metavar="T", help=told)


Length = Annotated[
    str | None,
    positions("Positions, an integer in [1, 1000000]; 256, or those of a file, unless given."),
]
Layers = Annotated[
    str | None,
    layer_count("Layers, an integer in [0, 100000]; those of SOURCE unless given."),
]
Json = Annotated[bool, typer.Option("--json", help="JSON for machines instead of text.")]
Quick = Annotated[bool, typer.Option("--quick", help="Fewer random cases, twins, vertices and boxes.")]
Seed = Annotated[
    str, typer.Option("--seed", metavar="N", help="Seed of the random cases, an integer in [0, 2^63 - 1].")
]
Certified = Annotated[
    bool, typer.Option("--certified", help="Prove an error bound for every number; slower, and as sharp as float64.")
]
Heads = Annotated[
    str | None, typer.Option("--heads", metavar="H", help="ALiBi heads per layer, an integer in [1, 10000].")
]
Slope = Annotated[
    str | None, typer.Option("--slope", metavar="M", help="One ALiBi head of this slope, a number in [0, 700].")
]
Slopes = Annotated[
    str | None,
    typer.Option(
        "--slopes",
        metavar="paper|model",
        help="Slopes as in the paper's files, or as the models do it; paper unless given.",
        autocompletion=names("paper", "model"),
    ),
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
Plot = Annotated[
    str | None, typer.Option("--plot", metavar="FILE", help="Draw to FILE, which ends in .png, .pdf or .svg.")
]

# --- a real model, how it is loaded, and what it is shown -----------------------------------------------------------

Model = Annotated[
    str, typer.Argument(metavar="MODEL", help="A folder, a .gguf file, or a name on a hub (owner/model).")
]
RandomInit = Annotated[bool, typer.Option("--random-init", help="Draw the weights: the configuration alone is needed.")]
WeightSeed = Annotated[
    str, typer.Option("--seed", metavar="N", help="Seed of the weights that are drawn, an integer in [0, 2^63 - 1].")
]
SampleSeed = Annotated[
    str,
    typer.Option(
        "--seed",
        metavar="N",
        help="Seed of samples, random tokens and random weights, an integer in [0, 2^63 - 1].",
    ),
]
Attention = Annotated[
    str | None,
    typer.Option(
        "--attention",
        metavar="eager|sdpa",
        help="How attention is computed; as the model prefers unless given.",
        autocompletion=names("eager", "sdpa"),
    ),
]
Dtype = Annotated[
    str,
    typer.Option(
        "--dtype",
        metavar="TYPE",
        help="Type of the weights: float32, float64, bfloat16 or float16.",
        autocompletion=names("float32", "float64", "bfloat16", "float16"),
    ),
]
FamilyFile = Annotated[
    str | None, typer.Option("--family", metavar="FILE", help="Where another architecture keeps its modules, as JSON.")
]
DeviceMap = Annotated[
    str | None,
    typer.Option(
        "--device-map",
        metavar="MAP",
        help="Where the weights go: auto, balanced, balanced_low_0, sequential, a device (cpu, cuda, mps, xpu, "
        "cuda:1, ...), or FILE.json, module to device. One device, the usual one, unless given.",
        autocompletion=names("auto", "balanced", "balanced_low_0", "sequential", "cpu", "cuda", "mps", "xpu"),
    ),
]
Offload = Annotated[
    str | None,
    typer.Option("--offload", metavar="DIR", help="Folder for weights that find no room; beside --device-map only."),
]
Text = Annotated[
    str | None, typer.Option("--text", metavar="FILE", help="Samples of this text, in UTF-8, of at most 64 MiB.")
]
RandomTokens = Annotated[
    bool, typer.Option("--random-tokens", help="Samples of random tokens instead; needs no tokenizer.")
]
SampleLength = Annotated[
    str | None,
    positions("Positions of a sample, an integer in [2, 1000000]; must be given."),
]
Samples = Annotated[
    str | None,
    typer.Option(
        "--samples", metavar="K", help="Samples of N tokens each, an integer in [1, 10000000]; must be given."
    ),
]
Bos = Annotated[
    str,
    typer.Option(
        "--bos",
        metavar="tokenizer|yes|no",
        help="BOS at position 1: as the tokenizer does, or with it, or without.",
        autocompletion=names("tokenizer", "yes", "no"),
    ),
]
