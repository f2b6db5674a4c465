"""Options that several commands of ``posbias`` share: one spelling and one meaning everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = [
    "Attention", "Bos", "Certified", "DeviceMap", "Dtype", "FamilyFile", "Heads", "Json", "Lam", "Layers", "Length",
    "Model", "Offload", "Quick", "RandomInit", "RandomTokens", "SampleSeed", "Samples", "Seed", "Slope", "Slopes",
    "Text", "WeightSeed",
]  # fmt: skip

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

# --- a real model, how it is loaded, and what it is shown -----------------------------------------------------------

Model = Annotated[
    str, typer.Argument(metavar="MODEL", help="A folder, a .gguf file, or a name on a hub (owner/model).")
]
RandomInit = Annotated[bool, typer.Option("--random-init", help="Draw the weights: the configuration alone is needed.")]
WeightSeed = Annotated[str, typer.Option("--seed", metavar="N", help="Seed of the weights that are drawn.")]
SampleSeed = Annotated[
    str, typer.Option("--seed", metavar="N", help="Seed of samples, random tokens and random weights.")
]
Attention = Annotated[
    str | None,
    typer.Option("--attention", metavar="eager|sdpa", help="How attention is computed; as the model prefers."),
]
Dtype = Annotated[
    str, typer.Option("--dtype", metavar="TYPE", help="float32, float64, bfloat16 or float16: of the weights.")
]
FamilyFile = Annotated[
    str | None, typer.Option("--family", metavar="FILE", help="Where another architecture keeps its modules, as JSON.")
]
DeviceMap = Annotated[
    str | None,
    typer.Option(
        "--device-map", metavar="MAP", help="auto, balanced, sequential, a device, or FILE.json: module to device."
    ),
]
Offload = Annotated[
    str | None, typer.Option("--offload", metavar="DIR", help="For weights that find no room with --device-map.")
]
Text = Annotated[str | None, typer.Option("--text", metavar="FILE", help="Samples of this text, in UTF-8.")]
RandomTokens = Annotated[
    bool, typer.Option("--random-tokens", help="Samples of random tokens instead; needs no tokenizer.")
]
Samples = Annotated[str | None, typer.Option("--samples", metavar="K", help="Samples of N tokens each.")]
Bos = Annotated[
    str, typer.Option("--bos", metavar="tokenizer|yes|no", help="BOS at position 1: as the tokenizer does, or not so.")
]
