"""Which theory is nearest to which model: measures, predicts and compares; the runs of docs/where-each-theory-fits.md.

    python docs/evidence/training.py bloom --out MODELS/bloom      and so mpt, gpt2, llama
    python docs/evidence/fits.py RUNS --models MODELS --smollm2 SmolLM2-135M-Instruct.Q4_1.gguf
    python docs/evidence/fits.py RUNS --only untrained

RUNS gets a folder for each run, as ``posbias measure --kernels --out`` and ``posbias predict --out`` fill it; what is
there is gone on with, so an interrupted call is repeated. Groups: ``untrained`` (BLOOM, MPT and Falcon of 24 layers, 8
heads and width 256, shown random tokens), ``trained`` (small models before and after training, shown text that was held
out), ``sink`` (SmolLM2-135M) and ``robust`` (other lengths, texts, seeds and targets; what second_moments.py has of
these is not measured again). A group whose models are not
given is left out, and that is said. One thread. Needs the extra ``models``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import texts
from second_moments import UNTRAINED

GROUPS = ("untrained", "trained", "sink", "robust")
TRAINED = ("bloom", "mpt", "gpt2", "llama")
SHOWN = ("reference", "sources", "licences")


@dataclass(frozen=True)
class Run:
    """One model, shown ``samples`` times n tokens of a text (None: random tokens)."""

    group: str
    model: str
    text: str | None = None
    n: int = 256
    samples: int = 8
    seed: int = 0
    target: str = "logprob"

    @property
    def name(self) -> str:
        """The name of its folder."""
        return "-".join(map(str, (self.model.replace("/", "-"), self.text or "random", self.n, self.seed, self.target)))


def runs(shrunk: tuple[int, int] | None = None) -> Iterator[Run]:
    """Every run; shrunk : all of so many positions and samples, those that then are the same taken once."""
    if shrunk is None:
        yield from _runs()
        return
    n, samples = shrunk
    small = (replace(run, n=n, samples=samples, text=run.text and SHOWN[0]) for run in _runs())
    yield from {run.name: run for run in reversed(list(small))}.values()


def _runs() -> Iterator[Run]:
    yield from (Run("untrained", f"untrained/{kind}") for kind in UNTRAINED)
    for kind in TRAINED:
        yield from (Run("trained", f"{kind}/{when}", "reference", samples=16) for when in ("before", "after"))
    yield Run("sink", "smollm2", "reference", samples=4)
    base = Run("robust", "bloom/after", "reference")
    yield from (replace(base, seed=seed) for seed in (1, 2))
    yield from (replace(base, target=target) for target in ("prob", "logit"))
    yield from (replace(base, text=text) for text in (*SHOWN[1:], None))
    yield from (replace(base, n=n, samples=samples) for n, samples in ((64, 16), (512, 4), (1024, 2)))
    yield replace(base, model="smollm2", text="sources", samples=4)
    large = replace(base, model="untrained/bloom", text=None)
    yield from (replace(large, n=n, samples=samples) for n, samples in ((512, 4), (1024, 2)))


def main() -> None:
    from numeric.refuse import InputError

    wanted = options()
    try:
        work(wanted)
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="RUNS")
    parser.add_argument("--models", type=Path, help="where training.py has put its folders, by kind")
    parser.add_argument("--smollm2", type=Path, help="the GGUF file, or a folder")
    parser.add_argument("--only", choices=GROUPS, action="append", help="a group; may be repeated")
    parser.add_argument("--shrink", type=int, nargs=2, metavar=("N", "K"), help="N positions and K samples in each")
    parser.add_argument("--tiny", action="store_true", help="two layers in untrained models: to see that it runs")
    return parser.parse_args()


def work(wanted: argparse.Namespace) -> None:
    """Measures and predicts whatever is wanted and can be."""
    from numeric.refuse import flag

    if wanted.out.exists() and not wanted.out.is_dir():
        raise flag("RUNS", "be a folder", "a file")
    import torch

    torch.set_num_threads(1)
    wanted.out.mkdir(parents=True, exist_ok=True)
    for run in runs(wanted.shrink and tuple(wanted.shrink)):
        if wanted.only and run.group not in wanted.only:
            continue
        place = place_of(run, wanted)
        if place is None:
            sys.stderr.write(f"{run.name}: left out, its model is not given\n")
            continue
        measure(run, place, wanted.out)


def place_of(run: Run, wanted: argparse.Namespace) -> Path | None:
    """The model of a run, None where it is not given; untrained ones are configurations, written beside the runs."""
    kind, _, one = run.model.partition("/")
    if kind == "smollm2":
        return None if wanted.smollm2 is None else Path(wanted.smollm2)
    if kind != "untrained":
        found = None if wanted.models is None else Path(wanted.models / run.model)
        return found if found is not None and found.is_dir() else None
    place = Path(wanted.out / "models" / run.model)
    place.mkdir(parents=True, exist_ok=True)
    config = {"model_type": one, **UNTRAINED[one], **(TINY[one] if wanted.tiny else {})}
    (place / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return place


TINY: dict[str, dict[str, Any]] = {
    "bloom": {"n_layer": 2, "hidden_size": 32}, "mpt": {"n_layers": 2, "d_model": 32},
    "falcon": {"num_hidden_layers": 2, "hidden_size": 32},
}  # fmt: skip


def measure(run: Run, place: Path, out: Path) -> None:
    """Fills the folder of a run, or goes on with it; a prediction that is there stays."""
    from numeric.model import Job
    from numeric.model import measure as measured
    from numeric.model.predicting import Prediction, predict, write_prediction

    folder, text = out / run.name, None
    if run.text is not None:
        text = out / f"{run.text}.txt"
        if not text.is_file():
            text.write_text(texts.held_out(run.text), encoding="utf-8")
    shared: dict[str, Any] = {
        "model": str(place), "length": run.n, "samples": run.samples, "seed": run.seed,
        "text": None if text is None else str(text), "random_init": run.model.startswith("untrained"),
    }  # fmt: skip
    sys.stderr.write(f"{run.name}\n")
    measured(Job(**shared, out=str(folder), target=run.target, kernels=True))
    if not (folder / "prediction.json").is_file():
        write_prediction(predict(Prediction(**shared), folder=str(folder)), folder)


if __name__ == "__main__":
    main()
