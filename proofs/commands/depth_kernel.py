"""The kernel that ``posbias depth`` is asked about: a file, uniform, ALiBi, a window, with a sink or without."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from numeric.nearest import nearest
from numeric.number import read_fraction
from numeric.refuse import flag, refusal, shown
from proofs.commands.options import Typed, renamed
from proofs.commands.setting import DEFAULT_LENGTH, Given, read_slopes
from proofs.output import printable

if TYPE_CHECKING:
    from numeric.shared_kernel import SharedKernel

__all__ = ["MOST_POSITIONS", "Wanted", "read_kernel"]

MOST_POSITIONS = 4096
MOST_HEAD_POSITIONS = 500_000  # n times H: a row of all heads must not take seconds
TOLERANCE = Fraction(1, 10**6)  # of a row sum, as in posbias check


@dataclass(frozen=True)
class Wanted:
    """The options as they were typed; None where they were left out."""

    lam: str | None
    kernel: str | None
    heads: str | None
    slope: str | None
    slopes: str | None
    renormalise: bool
    window: str | None
    sink: str | None
    epsilon: str | None
    length: str | None
    layers: str | None
    eta: str | None
    json: bool


def read_kernel(wanted: Wanted, typed: Typed, length: int | None) -> tuple[SharedKernel | None, str]:
    """The kernel that the options name, and how to call it; none where they name none."""
    kernel, about = _plain(wanted, typed, length)
    if wanted.sink is None:
        return kernel, about
    if kernel is None:
        raise flag("--sink", "come with a kernel (--kernel, --slope or --heads)", "without")
    from numeric.shared_window import SinkKernel

    share = read_fraction(wanted.sink, "--sink")
    with renamed(share="--sink"):
        return SinkKernel(kernel, share), f"{about}, and a sink of {share} on token 1"


def _plain(wanted: Wanted, typed: Typed, length: int | None) -> tuple[SharedKernel | None, str]:
    """The kernel before a sink is added."""
    _require_file(wanted)
    if wanted.window is not None:
        return _windowed(wanted, typed, length or DEFAULT_LENGTH)
    if wanted.kernel is None:
        if wanted.heads is None and wanted.slope is None:
            if wanted.slopes is not None:
                raise refusal("--slopes", "come with --heads", wanted.slopes)
            return None, ""
        return _alibi(wanted, typed, length or DEFAULT_LENGTH)
    for name in ("heads", "slope", "slopes"):
        value = getattr(wanted, name)
        if value is not None:
            raise refusal(f"--{name}", "be left out beside --kernel", value)
    if wanted.kernel == "uniform":
        from numeric.shared_kernel import SoftmaxKernel

        return SoftmaxKernel((0,), length or DEFAULT_LENGTH), "uniform"
    return _from_file(wanted.kernel, wanted.renormalise, length, typed), printable(wanted.kernel)


def _windowed(wanted: Wanted, typed: Typed, length: int) -> tuple[SharedKernel, str]:
    """A sliding window: uniform, or with one slope."""
    from numeric.shared_window import WindowKernel

    if (wanted.kernel == "uniform") == (wanted.slope is not None) or wanted.heads is not None:
        raise flag("--window", "come with --kernel uniform or with --slope, one of them", _beside_window(wanted))
    if wanted.slopes is not None:
        raise refusal("--slopes", "be left out beside --window", wanted.slopes)
    width = typed.whole(wanted.window, 1, MOST_POSITIONS, "--window")
    slope = Fraction(0) if wanted.slope is None else read_fraction(wanted.slope, "--slope")
    with renamed(slope="--slope"):
        kernel = WindowKernel(width or 1, slope, length)
    kind = "uniform" if wanted.slope is None else f"ALiBi, one head, m = {slope}"
    return kernel, f"{kind}, window of {width}"


def _beside_window(wanted: Wanted) -> str:
    given = {"--kernel": wanted.kernel, "--slope": wanted.slope, "--heads": wanted.heads}
    named = [name if name != "--kernel" else f"--kernel {shown(v)}" for name, v in given.items() if v is not None]
    return f"with {' and '.join(named)}" if named else "without"


def _require_file(wanted: Wanted) -> None:
    """--renormalise is for a file alone."""
    if wanted.renormalise and wanted.kernel in (None, "uniform"):
        found = "without" if wanted.kernel is None else "with --kernel uniform, whose rows sum to 1"
        raise flag("--renormalise", "come with --kernel FILE", found)


def _alibi(wanted: Wanted, typed: Typed, length: int) -> tuple[SharedKernel, str]:
    from numeric.shared_kernel import SoftmaxKernel

    if wanted.slopes not in (None, "paper", "model"):
        raise refusal("--slopes", "be 'paper' or 'model'", wanted.slopes, nearest(wanted.slopes, ("paper", "model")))
    given = Given(None, None, None, wanted.heads, wanted.slope, wanted.slopes, None)
    heads, slopes, _, text = read_slopes(given, typed)
    if heads * length > MOST_HEAD_POSITIONS:
        most = MOST_HEAD_POSITIONS // heads
        raise refusal(typed.name("-n", "--length"), f"be at most {most} for {heads} heads", length)
    exact = slopes if wanted.slope is None else [read_fraction(wanted.slope, "--slope")]  # not the float next to it
    with renamed(slopes="--slope"):
        return SoftmaxKernel(list(exact), length), f"ALiBi, {text}"


def _from_file(path: str, renormalise: bool, length: int | None, typed: Typed) -> SharedKernel:
    """One kernel from a file, exactly; -n takes its first positions, which form a causal kernel of their own."""
    from numeric.shared_kernel import RationalKernel
    from proofs.check_kernel import describe
    from proofs.kernel_file import read_kernel as read_file

    with renamed(KERNEL="--kernel"):
        file = read_file(path)
        if file.count > 1:
            raise flag("--kernel", "be one kernel, shared by all layers", f"{file.count} of them", printable(path))
        found = describe(file, TOLERANCE)
    size = file.size if length is None else length
    if size > file.size:
        raise refusal(typed.name("-n", "--length"), f"be at most {file.size}, the length of the kernel", size)
    if found.row_sum.defect and not renormalise:
        where = f"row {found.row_sum.row}, counted from 1; --renormalise divides each row by its sum"
        raise flag("--kernel", "have rows that sum to exactly 1", f"off by {float(found.row_sum.defect):.3g}", where)
    (layer,) = file.layers()
    rows = []
    for i in range(size):
        numbers = [int(x) for x in layer.row(i)]
        rows.append([Fraction(x, sum(numbers)) for x in numbers] + [Fraction(0)] * (size - 1 - i))
    return RationalKernel(rows)
