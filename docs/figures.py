"""Every figure of README and docs, with the data that it shows: one command draws them all.

    python docs/figures.py                 all, into docs/images and docs/images/data
    python docs/figures.py phase force-mask    these

Drawn elsewhere, because they need models and hours: docs/evidence/untrained.svg and smollm2-135m.svg, by
docs/evidence/second_moments.py, with their data beside them as JSON. The tests draw the others again and compare.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # the packages of this folder, installed or not

from docs.writers.house import draw_house, house_table  # noqa: E402
from numeric import (  # noqa: E402
    Alibi,
    Uniform,
    coupled_paths,
    draw_force,
    draw_paths,
    draw_profile,
    draw_profiles,
    draw_together,
    force_profiles,
    measured_influence,
    profile,
    together_profiles,
)
from numeric.files import write_atomically  # noqa: E402
from numeric.lesson import Lesson, draw_lesson, lesson_profiles  # noqa: E402
from numeric.picture import Force  # noqa: E402
from numeric.published import find  # noqa: E402
from numeric.refuse import refusal  # noqa: E402

__all__ = ["ELSEWHERE", "FIGURES", "IMAGES", "PHOTOGRAPHED", "VERSIONS", "Figure", "as_csv", "data_file", "main"]

IMAGES = HERE / "images"
VERSIONS = IMAGES / "data" / "drawn-with.json"  # of what decides how a figure is set
ELSEWHERE = (
    "evidence/untrained.svg", "evidence/smollm2-135m.svg",
    "evidence/fits-variants.svg", "evidence/fits-residuals.svg", "evidence/fits-mixing.svg",
)  # fmt: skip
PHOTOGRAPHED = ("report.png",)  # of a page in a browser, whose numbers are tested in the page

Table = tuple[Sequence[str], Sequence[Sequence[Any]]]  # names of the columns, rows


@dataclass(frozen=True)
class Figure:
    """How a figure is drawn to a file, and the data that it shows."""

    draw: Callable[[Path], None]
    table: Callable[[], Table]


def _columns(curves: Sequence[tuple[str, Any]]) -> Table:
    """Curves over positions, which count from 0 as in every CSV file of posbias."""
    rows = [
        [position, *map(float, values)] for position, values in enumerate(zip(*(p for _, p in curves), strict=True))
    ]
    return ["position", *(label for label, _ in curves)], rows


# --- the share of each position in BLOOM-176B -------------------------------------------------------------------------


def _bloom() -> tuple[Any, Any]:
    model, influence = find("bloom-176b"), measured_influence("bloom-176b")
    kernels = [Alibi(model.slopes("paper"))] * model.layers
    predicted = profile(kernels, model.lam(), n=influence.size)
    return predicted, influence / influence.sum()


def _draw_bloom(path: Path) -> None:
    predicted, measured = _bloom()
    draw_profile(path, predicted, measured=measured, title=f"bloom-176b, n = {predicted.size}")


def _bloom_table() -> Table:
    return _columns(list(zip(("predicted", "measured"), _bloom(), strict=True)))


# --- forces, lessons, paths, gradients --------------------------------------------------------------------------------


def _force_table(force: Force) -> Table:
    return _columns(force_profiles(force))


def _together_table() -> Table:
    return _columns(together_profiles())


def _lesson_table(lesson: Lesson) -> Table:
    return _columns(lesson_profiles(lesson))


def _path_table() -> Table:
    """The paths that `draw_paths` draws of itself: position after each layer, from the output down."""
    stack = [Uniform()] * 24
    families = coupled_paths([(stack, 0.1), (stack, 0.3)], n=64, paths=12, seed=4)
    names = [f"lambda {lam}, path {k}" for lam in (0.1, 0.3) for k in range(1, 13)]
    columns = [path for family in families for path in family]
    return ["layers passed", *names], [[t, *map(int, row)] for t, row in enumerate(zip(*columns, strict=True))]


def _gradients() -> list[tuple[str, Any]]:
    from docs.evidence import gradient_valley as valley

    return [(name, valley.profile(**valley.ROWS[name])) for name in valley.PICTURE]


def _gradient_table() -> Table:
    return _columns(_gradients())


def _draw_gradients(path: Path) -> None:
    draw_profiles(path, [q for _, q in _gradients()], ("0", "1/2", "1"), legend="coherence")


# --- the phase diagram ------------------------------------------------------------------------------------------------


def _draw_phase(path: Path) -> None:
    _quietly("phase", "--plot", str(path))


def _phase_table() -> Table:
    with TemporaryDirectory() as folder:
        _quietly("phase", "--csv", f"{folder}/phase.csv")
        head, *rows = csv.reader(Path(folder, "phase.csv").read_text(encoding="utf-8").splitlines())
    return head, rows


def _quietly(*words: str) -> None:
    """A command of posbias, without what it prints."""
    from proofs.cli import main as run

    with contextlib.redirect_stdout(io.StringIO()):
        code = run(words)
    if code != 0:
        raise SystemExit(f"posbias {' '.join(words)} failed")


FIGURES: Mapping[str, Figure] = {
    "bloom-176b": Figure(_draw_bloom, _bloom_table),
    **{
        f"force-{name}": Figure(partial(draw_force, force=name), partial(_force_table, name))
        for name in get_args(Force)
    },
    "forces-together": Figure(draw_together, _together_table),
    "coupling-paths": Figure(draw_paths, _path_table),
    **{f"lesson-{x}": Figure(partial(draw_lesson, lesson=x), partial(_lesson_table, x)) for x in get_args(Lesson)},
    "gradient-valley": Figure(_draw_gradients, _gradient_table),
    "phase": Figure(_draw_phase, _phase_table),
    "how-it-is-built": Figure(draw_house, house_table),
}


def data_file(name: str) -> Path:
    """Where the data of a figure are."""
    return IMAGES / "data" / f"{name}.csv"


def as_csv(table: Table) -> str:
    """A table as CSV; floats with the digits that give them back."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([table[0], *table[1]])
    return out.getvalue()


def main() -> None:
    """Draws the figures that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(FIGURES)}")
    names = parser.parse_args().names or list(FIGURES)
    for name in names:
        if name not in FIGURES:
            sys.stderr.write(f"{refusal('NAME', 'be one of ' + ', '.join(FIGURES), name)}\n")
            raise SystemExit(2)
    for name in names:
        FIGURES[name].draw(IMAGES / f"{name}.svg")
        write_atomically(data_file(name), as_csv(FIGURES[name].table()).encode(), "docs")
        print(f"docs/images/{name}.svg")
    write_atomically(VERSIONS, (json.dumps({"matplotlib": version("matplotlib")}) + "\n").encode(), "docs")


if __name__ == "__main__":
    main()
