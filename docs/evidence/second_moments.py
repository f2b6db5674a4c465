"""Second moments against gradients: six untrained networks, or a model of yours. Writes JSON, a table and a figure.

    python docs/evidence/second_moments.py untrained --out FOLDER
    python docs/evidence/second_moments.py MODEL --text FILE --out FOLDER
    python docs/evidence/second_moments.py random:FOLDER --out FOLDER      a configuration, with random weights

The untrained networks are BLOOM, MPT and Falcon of 24 layers, 8 heads and width 256, with initializer ranges 0.02 and
0.08, shown random tokens; positions are 256 unless -n says otherwise. Needs the extra ``models``.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

UNTRAINED: dict[str, dict[str, Any]] = {
    "bloom": {"n_layer": 24, "n_head": 8, "hidden_size": 256, "vocab_size": 4096},
    "mpt": {"n_layers": 24, "n_heads": 8, "d_model": 256, "vocab_size": 4096, "max_seq_len": 2048},
    "falcon": {
        "num_hidden_layers": 24, "num_attention_heads": 8, "hidden_size": 256, "vocab_size": 4096, "alibi": True,
        "multi_query": False, "new_decoder_architecture": False, "parallel_attn": False, "bias": True,
        "bos_token_id": 1, "eos_token_id": 2,
    },
}  # fmt: skip
RANGES = (0.02, 0.08)
SHOWN = "logprob"
LINES = ("second moments", "residual", "residual, by position")


def main() -> None:
    from numeric.refuse import InputError

    wanted = options()
    try:
        measure(wanted)
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None


def measure(wanted: argparse.Namespace) -> None:
    from numeric.refuse import flag

    if wanted.out.exists() and not wanted.out.is_dir():
        raise flag("--out", "be a folder", "a file")
    import torch

    torch.set_num_threads(wanted.threads)
    if wanted.model == "untrained":
        chosen = [(kind, spread) for kind in UNTRAINED for spread in RANGES]
        found = {f"{kind} {spread}": untrained(kind, spread, wanted) for kind, spread in chosen}
    else:
        from numeric.model import load

        place = wanted.model.removeprefix("random:")
        loaded = load(place, random_init=place != wanted.model, seed=wanted.seed)
        found = {Path(place).name: of_model(loaded, wanted)}
    wanted.out.mkdir(parents=True, exist_ok=True)
    name = "untrained" if wanted.model == "untrained" else next(iter(found))
    write(found, wanted.out, name)
    sys.stdout.write(markdown(found))


def write(found: dict[str, Any], folder: Path, name: str) -> None:
    """NAME.json without the profiles, NAME.md, and NAME.svg with them."""
    from numeric.small_multiples import draw_small_multiples

    panels = {
        title: (one["measured"][SHOWN], {label: one["predicted"][label] for label in LINES})
        for title, one in found.items()
    }
    draw_small_multiples(folder / f"{name}.svg", panels, measured_label="gradient")
    kept = {
        title: {key: one[key] for key in one if key not in ("measured", "predicted")} for title, one in found.items()
    }
    (folder / f"{name}.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    (folder / f"{name}.md").write_text(markdown(found), encoding="utf-8")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="'untrained', or a folder or GGUF file")
    parser.add_argument("--text", type=Path, help="samples of this text; random tokens without it")
    parser.add_argument("-n", type=int, default=256)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--ablation", action="store_true", help="with parts left out as well")
    parser.add_argument("--exact", action="store_true", help="exact products of gates as well (slow)")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def untrained(kind: str, spread: float, wanted: argparse.Namespace) -> dict[str, Any]:
    from numeric.model import load

    with tempfile.TemporaryDirectory() as folder:
        config = {"model_type": kind, **UNTRAINED[kind], "initializer_range": spread}
        (Path(folder) / "config.json").write_text(json.dumps(config), encoding="utf-8")
        return of_model(load(folder, random_init=True, seed=wanted.seed), wanted)


def of_model(loaded: Any, wanted: argparse.Namespace) -> dict[str, Any]:
    from numeric.model.audit import audit
    from numeric.model.evidence import compared
    from numeric.model.predicting import single_heads
    from numeric.model.text import samples_of

    samples = samples_of(loaded, wanted.text, length=wanted.n, count=wanted.samples, seed=wanted.seed)
    averages = audit(loaded, n=min(wanted.n, 256)).kernels()  # enough to read slopes from
    found = compared(
        loaded, samples.batch(0, samples.count), targets=("prob", "logprob", "logit"), averages=averages,
        kernels=single_heads(loaded, averages), ablation=wanted.ablation, exact=wanted.exact,
        progress=lambda told: print(f"{loaded.name}: {told}", file=sys.stderr, flush=True),
    )  # fmt: skip
    tables = {target: {name: asdict(gap) for name, gap in found.table(target).items()} for target in found.measured}
    return {
        "n": wanted.n, "samples": samples.count, "seed": wanted.seed, "input": samples.facts["kind"],
        "seconds": found.seconds, "gaps": tables,
        "measured": {target: rows.mean(axis=0).tolist() for target, rows in found.measured.items()},
        "predicted": {name: rows.mean(axis=0).tolist() for name, rows in found.predicted.items()},
    }  # fmt: skip


def markdown(found: dict[str, Any], target: str = SHOWN) -> str:
    """W1/(n − 1) and Spearman's ρ of each prediction, a column per model."""
    names = list(next(iter(found.values()))["gaps"][target])
    lines = [f"| {target} | {' | '.join(found)} |", f"|---|{'---|' * len(found)}"]
    for name in names:
        cells = []
        for one in found.values():
            gap = one["gaps"][target].get(name)
            spread = "" if gap is None else f"{gap['low']:.3f}–{gap['high']:.3f}"
            cells.append("–" if gap is None else f"{gap['wasserstein']:.3f} ({spread}), {gap['spearman']:.2f}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
