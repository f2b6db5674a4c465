"""The forces as pictures: profiles that only move one way as depth, λ, slope or content grows, and paths that drift.

Left the shares p_j, on a logarithmic scale; right the tails F(k) = p_k + … + p_n. Profiles in the order ≼ have tails
that never cross, which is what D1 (a layer added), D2 (more λ), D3 (more slope) and D4 (more content) say; the
paths of S6 show why: with the same uniforms, more mixing is never later. The same input gives the same bytes.

Exact here: nothing. Numeric here: profiles and paths in floats, tails of profiles divided by their sums. Not covered:
pictures of measured models; see `numeric.figure`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.coupling import coupled_paths
from numeric.figure import MEASURED, PREDICTED, as_shares, output, rendered, require_printable, scale_shares
from numeric.files import write_atomically
from numeric.kernel import Alibi, Kernel, Uniform
from numeric.order import tails
from numeric.profile import profile
from numeric.refuse import flag, positions, refusal, several

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

__all__ = [
    "Force",
    "draw_force",
    "draw_paths",
    "draw_profiles",
    "draw_together",
    "force_profiles",
    "together_profiles",
]

Floats = NDArray[np.float64]
Force = Literal["mask", "residual", "slope", "content"]

WIDE, LOW = 6.6, 2.5  # inches: two columns
COLOURS = ["#440154", "#3E4A89", "#26828E", "#35B779", "#B5A800"]  # dark to light: told apart in grey as well
LAYERS = 6  # of the default architectures, but for the force of the mask
DEPTHS = (1, 2, 4, 8, 16)
MIXING = (0.1, 0.3, 0.5, 0.75, 1.0)
SLOPES = (0.0, 0.02, 0.05, 0.1, 0.3)
CONTENTS = (-4.0, 0.0, 1.0, 2.0, 4.0)
LEGEND = {"mask": "layers", "residual": "mixing λ", "slope": "slope m", "content": "content d"}


def force_profiles(force: Force, *, n: int = 64) -> list[tuple[str, Floats]]:
    """Five labelled profiles (n,) of small architectures that differ in one thing, as `draw_force` draws them.

    mask : T = 1, 2, 4, 8, 16 uniform layers, λ = 0.3. residual : 6 uniform layers, λ = 0.1 to 1. slope : 6 ALiBi
    layers, λ = 0.5, m = 0 to 0.3. content : 6 ALiBi layers with m = 0.05, λ = 0.5, d = −4 to 4.
    """
    length = positions(n)
    if force not in get_args(Force):
        raise refusal("force", f"be one of {', '.join(get_args(Force))}", force)
    if force == "mask":
        return [(f"{t}", profile([Uniform()] * t, 0.3, n=length)) for t in DEPTHS]
    if force == "residual":
        return [(f"{lam:g}", profile([Uniform()] * LAYERS, lam, n=length)) for lam in MIXING]
    if force == "slope":
        return [(f"{m:g}", profile([Alibi(m)] * LAYERS, 0.5, n=length)) for m in SLOPES]
    return [(f"{d:g}", profile([Alibi(0.05, d)] * LAYERS, 0.5, n=length)) for d in CONTENTS]


def draw_force(path: str | Path, force: Force, *, n: int = 64, name: str = "plot") -> None:
    """The profiles of `force_profiles` and their tails, to a .png, .pdf or .svg file. Raises InputError."""
    curves = force_profiles(force, n=n)
    draw_profiles(path, [p for _, p in curves], [label for label, _ in curves], legend=LEGEND[force], name=name)


def together_profiles(*, n: int = 64) -> list[tuple[str, Floats]]:
    """Four labelled profiles (n,) of 12 layers, a force added each time; each is at least as recent as that before.

    mask : uniform layers, λ = 1. residual : λ = 0.25 (D2). slopes : 8 ALiBi heads of slopes 2^−h as well (D3).
    content : and d = 1 on every diagonal (D4).
    """
    length, heads = positions(n), 2.0 ** -np.arange(1, 9)
    stacks: list[tuple[str, Kernel, float]] = [
        ("mask", Uniform(), 1.0),
        ("+ residual", Uniform(), 0.25),
        ("+ slopes", Alibi(heads), 0.25),
        ("+ content", Alibi(heads, 1.0), 0.25),
    ]
    return [(label, profile([kernel] * 12, lam, n=length)) for label, kernel, lam in stacks]


def draw_together(path: str | Path, *, n: int = 64, name: str = "plot") -> None:
    """The profiles of `together_profiles` and their tails, to a .png, .pdf or .svg file. Raises InputError."""
    curves = together_profiles(n=n)
    draw_profiles(path, [p for _, p in curves], [label for label, _ in curves], legend="forces", name=name)


def draw_profiles(
    path: str | Path,
    profiles: Sequence[ArrayLike],
    labels: Sequence[str],
    *,
    legend: str = "",
    name: str = "plot",
) -> None:
    """One to five profiles, each (n,), nonnegative with a positive sum, and their tails beside them.

    labels : one per profile, legend : their title, plain text. Raises InputError (argument ``name`` for the path)
    before anything is written.
    """
    target, options = output(path, name)
    if not several(profiles) or not 1 <= len(profiles) <= len(COLOURS):
        raise refusal("profiles", f"be a list of 1 to {len(COLOURS)} profiles", profiles)
    shares = [as_shares(p, "profiles") for p in profiles]
    sizes = sorted({p.size for p in shares})
    if len(sizes) > 1:
        raise flag("profiles", "have one common length", f"{sizes[0]} and {sizes[-1]}")
    _require_labels(labels, len(shares), legend)

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2)
        lines: list[Line2D] = []
        for p, colour in zip(shares, COLOURS, strict=False):
            lines += left.plot(np.arange(1, p.size + 1), p, color=colour, linewidth=1.3)
            right.plot(np.arange(1, p.size + 1), tails(p), color=colour, linewidth=1.3)
        scale_shares(left, shares)
        _scale_tails(right, left)
        left.set(xlabel="position j of the token", ylabel="its share of the last output")
        right.set(xlabel="position k", ylabel="share of the tokens from k on")
        _add_legend(figure, lines, labels, legend)

    write_atomically(target, rendered(draw, options, WIDE, LOW), name)


def draw_paths(
    path: str | Path,
    paths: Sequence[NDArray[np.int64]] | None = None,
    labels: Sequence[str] = ("λ = 0.1", "λ = 0.3"),
    *,
    n: int = 64,
    name: str = "plot",
) -> None:
    """One or two families of coupled paths, each (paths, T + 1) as `coupled_paths` gives them, from the top layer down.

    Left out, 12 paths through 24 uniform layers of n positions are drawn, with λ = 0.1 and, by the same uniforms,
    λ = 0.3. Positions are counted from 1. labels : one per family, plain text. Raises InputError.
    """
    target, options = output(path, name)
    length = positions(n)
    if paths is None:
        stack = [Uniform()] * 24
        paths = coupled_paths([(stack, 0.1), (stack, 0.3)], n=length, paths=12, seed=4)
    families = _families(paths, length)
    _require_labels(labels, len(families), "")

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        means: list[Line2D] = []
        for family, colour in zip(families, (MEASURED, PREDICTED), strict=False):
            passed = np.arange(family.shape[1])
            axes.plot(passed, family.T + 1, color=colour, linewidth=0.7, alpha=0.55, drawstyle="steps-post")
            means += axes.plot(passed, family.mean(axis=0) + 1, color=colour, linewidth=2)
        axes.set(xlabel="layers passed, from the output down", ylabel="position reached")
        axes.set_xlim(0, max(1, *(family.shape[1] - 1 for family in families)))  # no layers: still an axis
        axes.set_ylim(1 - 0.03 * length, length * 1.03)
        axes.set_yticks(sorted({1, length, *(round(k * length / 4) for k in (1, 2, 3) if length >= 8)}))
        _add_legend(figure, means, [f"{label}, mean" for label in labels], "")

    write_atomically(target, rendered(draw, options, WIDE, LOW), name)


def _families(paths: Sequence[NDArray[np.int64]], n: int) -> list[NDArray[np.int64]]:
    if not several(paths) or not 1 <= len(paths) <= 2:
        raise refusal("paths", "be a list of one or two arrays", paths)
    for family in paths:
        if not isinstance(family, np.ndarray) or family.ndim != 2 or family.dtype.kind != "i" or family.size == 0:
            raise refusal("paths", "be integer arrays with 2 axes", family)
        if family.min() < 0 or family.max() >= n:
            raise flag("paths", f"lie in 0 … {n - 1}", f"from {family.min()} to {family.max()}")
    return list(paths)


def _require_labels(labels: Sequence[str], count: int, legend: str) -> None:
    if not several(labels) or len(labels) < count:
        raise refusal("labels", f"be a list of {count}, one per curve", labels)
    for text in labels:
        if not isinstance(text, str):
            raise refusal("labels", "be text", text)
        require_printable(text, "labels")
    require_printable(legend, "legend")


def _scale_tails(axes: Axes, beside: Axes) -> None:
    """From 0 to 1, over the same positions as the picture beside it."""
    axes.set_xlim(beside.get_xlim())
    axes.set_xticks(beside.get_xticks())
    axes.set_ylim(-0.02, 1.02)


def _add_legend(figure: Figure, lines: Sequence[Line2D], labels: Sequence[str], title: str) -> None:
    """Beside the axes, in the order of the curves; text stays text, whatever it holds."""
    # labels are handed over here: as properties of the lines those that begin with an underscore would be left out
    shown = figure.legend(
        lines, labels[: len(lines)], loc="outside right upper", frameon=False, title=title or None, title_fontsize=8
    )
    for text in (*shown.get_texts(), shown.get_title()):
        text.set_parse_math(False)
