"""The profile p_1 … p_n over position, beside what was measured: a small figure for a paper, PNG, PDF or SVG.

The scale of the shares is logarithmic, so that the valley of the U is seen beside its ends. Predicted is a line,
measured are points, in colours told apart by every kind of colour vision. The same input gives the same bytes: no
date, no random name. Numeric here: both profiles are divided by their sums. More than two profiles: see
`numeric.picture`, which shares `output`, `rendered` and the scales.
"""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.files import require_writable, write_atomically
from numeric.refuse import flag, refusal, vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Scale", "as_shares", "draw_profile", "output", "rendered", "require_printable", "scale_shares"]

Floats = NDArray[np.float64]
Scale = Literal["log", "linear"]

FORMATS: dict[str, dict[str, Any]] = {
    ".png": {"format": "png", "dpi": 300, "metadata": {"Software": None}},
    ".pdf": {"format": "pdf", "metadata": {"Creator": None, "Producer": None, "CreationDate": None}},
    ".svg": {"format": "svg", "metadata": {"Creator": None, "Date": None}},
}
STYLE: dict[Any, Any] = {
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.unicode_minus": False,
    "pdf.fonttype": 42,
    "svg.hashsalt": "posbias",
}
WIDTH, HEIGHT = 3.4, 2.5  # inches: one column
LINE = 42  # characters of a title that fit its width
PREDICTED, MEASURED, QUIET = "#0072B2", "#D55E00", "#666666"  # Okabe and Ito's blue and vermilion; grey
DEEPEST = 1e-6  # of the largest share: what lies below is cut off, or a collapsed profile would be all axis


def draw_profile(
    path: str | Path,
    predicted: ArrayLike,
    *,
    measured: ArrayLike | None = None,
    title: str = "",
    predicted_label: str = "predicted",
    measured_label: str = "measured",
    name: str = "plot",
) -> None:
    """Draw predicted (and measured) shares, each (n,), nonnegative with a positive sum, to a .png, .pdf or .svg file.

    The valley of a predicted U is marked with its position, counted from 1. Labels and title are plain text: nothing
    in them is markup. Raises InputError (argument ``name`` for the path) before anything is written.
    """
    target, options = output(path, name)
    for argument, text in (("title", title), ("predicted_label", predicted_label), ("measured_label", measured_label)):
        require_printable(text, argument)
    curves = [(as_shares(predicted, "predicted"), predicted_label)]
    if measured is not None:
        curves.append((as_shares(measured, "measured"), measured_label))
        if curves[1][0].size != curves[0][0].size:
            raise flag("measured", f"have the length {curves[0][0].size} of predicted", str(curves[1][0].size))

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        _draw(axes, curves)
        # broken into lines here: matplotlib's own wrapping would take $ for mathematics
        axes.set_title("\n".join(textwrap.wrap(title, LINE)), fontsize=8, loc="left", parse_math=False)

    write_atomically(target, rendered(draw, options), name)


def output(path: str | Path, name: str = "plot") -> tuple[Path, dict[str, Any]]:
    """The path, if a picture can be written there, and the options its suffix (.png, .pdf, .svg) stands for."""
    target = require_writable(path, name)
    options = FORMATS.get(target.suffix.lower())
    if options is None:
        raise flag(name, "end in .png, .pdf or .svg", repr(target.suffix or target.name))
    return target, options


def require_printable(text: str, name: str) -> None:
    """Raises InputError for text with line breaks or control characters."""
    if not text.isprintable():
        raise refusal(name, "be printable text on one line", text)


def as_shares(profile: ArrayLike, name: str) -> Floats:
    """A profile (n,), nonnegative with a positive sum, divided by that sum."""
    p = vector(profile, name)
    if p.min() < 0:
        raise refusal(name, "be nonnegative", p.min(), f"position {int(np.argmin(p)) + 1}, counted from 1")
    if p.max() == 0:
        raise flag(name, "have a positive sum", "0")
    p = p / p.max()  # a sum of huge shares must not overflow
    return np.asarray(p / p.sum())


def rendered(
    draw: Callable[[Figure], None], options: dict[str, Any], width: float = WIDTH, height: float = HEIGHT
) -> bytes:
    """The bytes of a figure that ``draw`` fills, width by height in inches, whatever the user's matplotlib settings.

    The same input gives the same bytes; pyplot and its global state are not touched.
    """
    import matplotlib
    from matplotlib.figure import Figure

    out = io.BytesIO()
    with matplotlib.rc_context(), warnings.catch_warnings():
        # a title in a script the font lacks is drawn with boxes; that is no reason to refuse it
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure)
        figure.savefig(out, **options)
    return out.getvalue()


def _draw(axes: Axes, curves: list[tuple[Floats, str]]) -> None:
    p = curves[0][0]
    n = p.size
    position = np.arange(1, n + 1)
    marker = "o" if n <= 32 else ""
    if len(curves) > 1:
        size = 2.0 if n > 64 else 3.0
        axes.plot(position, curves[1][0], "o", color=MEASURED, markersize=size, markeredgewidth=0, alpha=0.8)
    axes.plot(position, p, color=PREDICTED, linewidth=1.3, marker=marker, markersize=3)
    scale_shares(axes, [shares for shares, _ in curves])
    _name_curves(axes, curves)
    _mark_valley(axes, p)
    axes.set_xlabel("position of the token")
    axes.set_ylabel("share of the last output")


def scale_shares(axes: Axes, profiles: list[Floats], scale: Scale = "log") -> None:
    """Shares, logarithmic with room for labels or linear from 0; positions from 1 to n with both ends named."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    n = profiles[0].size
    top = max(float(p.max()) for p in profiles)
    if scale == "log":
        bottom = min(float(p[p > top * DEEPEST].min()) for p in profiles)
        axes.set_yscale("log", nonpositive="clip")
        axes.set_ylim(bottom / 2.2, top * 1.5)
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0,) if top / bottom > 300 else (1.0, 3.0)))
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_ylim(0, top * 1.05)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{share:.4g}"))
    axes.set_xlim(1 - 0.02 * n, n + 0.02 * n)
    axes.set_xticks(sorted({1, n, *(round(k * n / 4) for k in (1, 2, 3) if n >= 8)}))


def _name_curves(axes: Axes, curves: list[tuple[Floats, str]]) -> None:
    """Each label beside its curve, where the two lie farthest apart in the middle half; the upper one's above."""
    n = curves[0][0].size
    heights = [np.log(np.maximum(p, p.max() * DEEPEST)) for p, _ in curves]
    gap = heights[0] - (heights[1] if len(curves) > 1 else heights[0].min())
    around = max(1, n // 16)  # measured curves are rough: their slope is taken over a stretch
    middle = np.arange(n // 4, max(n // 4 + 1, n - n // 4))
    at = int(middle[np.argmax(np.abs(gap[middle]))])
    above_first = bool(gap[at] >= 0)
    for (p, label), height, colour, above in zip(
        curves, heights, (PREDICTED, MEASURED), (above_first, not above_first), strict=False
    ):
        # a profile on a few positions only has nothing to be named in its middle: name its peak
        where = at if p[at] > p.max() * DEEPEST else int(np.argmax(p))
        rise = height[min(where + around, n - 1)] - height[max(where - around, 0)]
        axes.annotate(
            label,
            (where + 1, float(p[where])),
            xytext=(0, 4 if above else -4),
            textcoords="offset points",
            ha=_side(float(rise) if above else -float(rise), where, n),
            va="bottom" if above else "top",
            color=colour,
            parse_math=False,
        )


def _side(rise: float, at: int, n: int) -> str:
    """Where a label above a curve stands so that the curve does not run through it, and within the figure."""
    if at < n / 5 or at > 4 * n / 5:
        return "left" if at < n / 5 else "right"
    return "center" if abs(rise) < 1e-3 else "right" if rise > 0 else "left"


def _mark_valley(axes: Axes, p: Floats) -> None:
    """A ring at the lowest point of a U, with its position above the axis."""
    from numeric.shape import shape

    found = shape(p)
    at, low = found.valley.position, found.valley.value
    if found.label != "U" or at is None:
        return
    floor = axes.get_ylim()[0]
    axes.plot([at + 1, at + 1], [floor, low], ":", color=QUIET, linewidth=0.8)
    axes.plot([at + 1], [low], "o", markersize=4.5, markerfacecolor="white", markeredgecolor=PREDICTED)
    axes.annotate(
        f"valley at {at + 1}",
        (at + 1, floor),
        xytext=(3, 3),
        textcoords="offset points",
        color=QUIET,
        fontsize=7,
    )
