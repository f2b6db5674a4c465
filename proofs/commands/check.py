"""``posbias check``: a kernel of the user's own, described, with the statements that apply to it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from numeric.number import read_fraction
from numeric.refuse import refusal
from proofs.applies import Applies, Layers, applying
from proofs.commands.bounds import drift_json, drift_rows, speed_json, speed_row
from proofs.commands.options import renamed
from proofs.commands.profile import shape_json, shape_rows
from proofs.output import Outcome, as_json, printable, table

if TYPE_CHECKING:
    from numeric.drift_bound import DriftBound
    from numeric.kernel import Dense
    from numeric.shape import Shape
    from numeric.speed import Speed
    from proofs.check_kernel import Description

__all__ = ["run"]

ATTENTION_ONLY = "1"


def run(path: str, *, lam: str | None, tolerance: str, renormalise: bool, json: bool) -> Outcome:
    """The description as text or JSON."""
    from numeric.schedule import read_schedule
    from proofs.check_kernel import describe
    from proofs.kernel_file import read_kernel
    from proofs.ledger import LEDGER

    limit = _tolerance(tolerance)
    with renamed(lam="--lam", c="--lam", r="--lam", beta="--lam", layer="--lam"):
        schedule = read_schedule(ATTENTION_ONLY if lam is None else lam)
    file = read_kernel(path)
    with renamed(lam="--lam"):
        mixing = schedule.values(file.count)
    found = describe(file, limit, renormalise=renormalise)
    answers = applying(LEDGER, _layers(found))
    rollout = _rollout(found, mixing, limit)
    if json:
        return Outcome(as_json({**_json(found, answers, renormalise), "lam": mixing.tolist(), **rollout.json()}))
    rows = [("kernel", printable(path)), *_rows(found, renormalise), ("lambda", _mixing_text(lam)), *rollout.rows()]
    return Outcome(table(rows) + "\n\n" + _statements(answers))


@dataclass(frozen=True)
class Rollout:
    """The profile of the file's layers, its shape and depth, and its bounds; whether the layers are one kernel."""

    profile: Any
    shape: Shape
    effective_depth: float
    speed: Speed
    drift: DriftBound
    alike: bool

    def json(self) -> dict[str, Any]:
        """The profile, and after it the bounds."""
        drift = {"one_kernel": self.alike, **drift_json(self.drift)}
        return {**shape_json(self.profile, self.shape), "drift": drift, **speed_json(self.profile, self.speed)}

    def rows(self) -> list[tuple[str, str]]:
        """The same as text."""
        return [
            ("effective depth", f"{self.effective_depth:.3f}"),
            *shape_rows(self.profile, self.shape, self.speed),
            speed_row(self.profile, self.speed),
            *drift_rows(self.drift, alike=self.alike),
        ]


def _rollout(found: Description, mixing: Any, limit: Fraction) -> Rollout:
    from numeric.drift_bound import drift_bound
    from numeric.profile import profile
    from numeric.shape import effective_depth, shape
    from numeric.speed import speed

    kernels, monotone = _kernels(found, limit), found.layers_monotone
    p, defect = profile(kernels, mixing, n=found.size), _defect(found)
    stack = [_divided(kernel) for kernel in kernels] if defect else kernels  # the bounds are for rows that sum to 1
    bounds = speed(stack, mixing, n=found.size)
    drift = drift_bound([k.values for k in stack], mixing, monotone=None if defect else monotone)
    if defect:
        bounds, drift = bounds.loosened(defect, len(stack)), drift.loosened(defect)
    return Rollout(p, shape(p), effective_depth(mixing), bounds, drift, found.alike)


def _defect(found: Description) -> float:
    """How far the row sums are from 1, if further than the rounding of n quotients explains."""
    worst = found.row_sum.defect
    return float(worst) if worst > Fraction(found.size, 2**53) else 0.0


def _divided(kernel: Dense) -> Dense:
    from numeric.kernel import Dense

    return Dense(kernel.values / kernel.values.sum(axis=1, keepdims=True))


def _layers(found: Description) -> Layers:
    known = (found.diagonals, found.alike, found.positive, found.rising, found.falling)
    return Layers(found.layers_monotone, not found.stacked, *known)


def _tolerance(text: str) -> Fraction:
    value = read_fraction(text, "--tolerance")
    if not 0 <= value < 1:
        raise refusal("--tolerance", "lie in [0, 1)", text)
    return value


def _kernels(found: Description, tolerance: Fraction) -> list[Dense]:
    from numeric.kernel import Dense

    # the file's sums were judged exactly; a float sum of them may miss the same limit by its own rounding
    limit = float(tolerance) + found.size * 2.0**-50
    return [Dense(matrix, tolerance=limit) for matrix in found.matrices]


def _json(found: Description, answers: tuple[Applies, ...], renormalised: bool) -> dict[str, Any]:
    worst, sums = found.worst, found.row_sum
    return {
        "length": found.size,
        "layers": len(found.matrices),
        "causal": True,
        "stochastic": True,
        "row_sum": {"layer": sums.layer, "row": sums.row, "defect": float(sums.defect), "renormalised": renormalised},
        "monotone": found.monotone,
        "defect": 0.0 if worst is None else worst.defect,
        "worst": None if worst is None else {"layer": worst.layer, "i": worst.i, "k": worst.k},
        "explained": None if worst is None else worst.explained,
        "applies": [a.id for a in answers if a.applies],
        "applies_in_part": [
            {"id": a.id, "parts": [part.name for part in a.with_answer(True)]}
            for a in answers
            if not a.applies and a.with_answer(True)
        ],
        "fails": _blocked(answers, False),
        "undecided": _blocked(answers, None),
        "other": [a.id for a in answers if not a.parts],
    }


def _rows(found: Description, renormalised: bool) -> list[tuple[str, str]]:
    layers = "1, the same at every depth" if not found.stacked else str(len(found.matrices))
    return [
        ("length", str(found.size)),
        ("layers", layers),
        ("causal", "yes"),
        ("row sums", _sums(found, renormalised)),
        ("monotone", _monotone(found)),
    ]


def _sums(found: Description, renormalised: bool) -> str:
    sums = found.row_sum
    if sums.defect == 0:
        return "exactly 1"
    where = f", layer {sums.layer}" if found.stacked else ""
    text = f"1 within {float(sums.defect):.3g} (row {sums.row}{where})"
    return f"{text}, each row divided by its sum" if renormalised else text


def _monotone(found: Description) -> str:
    worst = found.worst
    if worst is None:
        return "yes"
    where = f", layer {worst.layer}" if found.stacked else ""
    what = f"F({worst.i},{worst.k}) exceeds F({worst.i + 1},{worst.k}) by {worst.defect:.6g}{where}"
    if worst.beyond_rounding:
        return f"no, {what}"
    return f"undecided, {what}; rounding explains up to {worst.explained:.3g}"


def _mixing_text(lam: str | None) -> str:
    return "1, attention only (--lam for another)" if lam is None else printable(lam)


def _blocked(answers: tuple[Applies, ...], answer: bool | None) -> list[dict[str, str]]:
    """The parts that do not apply (False) or are undecided (None), and the hypothesis that is to blame."""
    parts = ((a.id, part) for a in answers for part in a.with_answer(answer))
    return [{"id": id_, "part": part.name, "hypothesis": part.hypothesis} for id_, part in parts]


def _statements(answers: tuple[Applies, ...]) -> str:
    """One line per statement: applies, in part, or which hypothesis fails."""
    return table([(a.id, a.title, _answer(a)) for a in answers])


def _answer(answer: Applies) -> str:
    if not answer.parts:
        return "about no given kernel"
    if answer.applies:
        return "applies"
    clauses = []
    if held := answer.with_answer(True):
        clauses.append("applies in part: " + " / ".join(part.name for part in held))
    for verdict, words in ((False, "hypothesis fails: "), (None, "undecided: ")):
        labels = dict.fromkeys(part.hypothesis for part in answer.with_answer(verdict))
        clauses += [words + " / ".join(labels)] if labels else []
    return "; ".join(clauses)
