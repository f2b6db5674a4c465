"""The house as a picture: the parts of the code, and which of them imports from which."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs.writers.imports import LAYERS, PARTS, imports, part

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_house", "house_table"]

WIDE, HIGH = 6.6, 4.0  # inches
PLACES = {  # left, bottom, width, height, on a page of 12 by 8
    "command line": (0.2, 6.6, 11.6, 1.1),
    "proofs.results": (0.5, 4.0, 2.6, 1.1),
    "proofs.lemmas": (4.0, 4.0, 2.4, 1.1),
    "proofs": (7.3, 4.0, 2.7, 1.1),
    "numeric": (0.5, 0.5, 6.2, 1.1),
    "numeric.model": (8.2, 0.5, 3.3, 1.1),
}
BANDS = {2: (0.2, 6.6, 11.6, 1.1), 1: (0.2, 3.1, 10.1, 2.9), 0: (0.2, 0.3, 11.6, 1.5)}  # the layers
ABOUT = {
    "command line": "words in, results out",
    "proofs.results": "a statement a file",
    "proofs.lemmas": "steps they share",
    "proofs": "claims, checker, evidence",
    "numeric.model": "real models",
    "numeric": "kernels, λ, profiles, order, shape, balls",
}
DOWN = {(2, 1): 5.2, (2, 0): 11.1, (1, 0): 5.2}  # where the arrow between two layers stands, from left
COLOURS = {2: "#F5CF80", 1: "#7FCDB4", 0: "#A9D8F3"}  # Okabe and Ito's, made light


def house_table() -> tuple[list[str], list[list[Any]]]:
    """Which part imports from which other: no numbers, which every day changes."""
    between = {(part(module), part(other)) for module, other in imports()}
    return ["from", "imports from"], [[a, b] for a in PARTS for b in PARTS if a != b and (a, b) in between]


def draw_house(path: str | Path) -> None:
    """The picture, to a .png, .pdf or .svg file. Raises InputError for another."""
    from numeric.figure import output, rendered
    from numeric.files import write_atomically

    target, options = output(path, "path")
    write_atomically(target, rendered(_draw, options, WIDE, HIGH), "path")


def _draw(figure: Figure) -> None:
    axes = figure.add_subplot()
    axes.set(xlim=(0, 12), ylim=(0, 8))
    axes.axis("off")
    for layer, place in BANDS.items():
        _box(axes, place, COLOURS[layer], 0.4)
    for name, (left, bottom, width, height) in PLACES.items():
        _box(axes, (left, bottom, width, height), COLOURS[LAYERS[name]], 1.0)
        middle = (left + width / 2, bottom + height / 2)
        axes.text(*middle, f"{name}\n{ABOUT[name]}", ha="center", va="center", fontsize=7)
    between = [(upper, lower) for upper, lower in house_table()[1]]
    for upper, lower in between:
        if LAYERS[upper] == LAYERS[lower]:
            _within(axes, upper, lower)
    for upper_layer, lower_layer in sorted({(LAYERS[a], LAYERS[b]) for a, b in between if LAYERS[a] != LAYERS[b]}):
        _, bottom, _, height = BANDS[lower_layer]
        x = DOWN[upper_layer, lower_layer]  # a KeyError: an import upwards, which the house has no place for
        _arrow(axes, (x, BANDS[upper_layer][1]), (x, bottom + height), 0)


def _box(axes: Axes, place: tuple[float, float, float, float], colour: str, alpha: float) -> None:
    from matplotlib.patches import Rectangle

    left, bottom, width, height = place
    look: dict[str, Any] = {"facecolor": colour, "edgecolor": "#404040", "linewidth": 0.8, "alpha": alpha}
    axes.add_patch(Rectangle((left, bottom), width, height, **look))


def _within(axes: Axes, upper: str, lower: str) -> None:
    """Within a layer: sideways between neighbours, else over what lies between, and back under it."""
    (left, bottom, width, height), (other, _, breadth, _) = PLACES[upper], PLACES[lower]
    right = left < other
    near, far = (left + width, other) if right else (left, other + breadth)
    if abs(far - near) < 2:
        y = bottom + height * (0.65 if right else 0.35)
        _arrow(axes, (near, y), (far, y), 0)
    else:
        y = bottom + height * right
        _arrow(axes, (left + width / 2, y), (other + breadth / 2, y), -0.12)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], bent: float) -> None:
    look = {"arrowstyle": "-|>", "color": "#404040", "linewidth": 1, "connectionstyle": f"arc3,rad={bent}"}
    axes.annotate("", end, start, arrowprops={**look, "shrinkA": 0, "shrinkB": 0})
