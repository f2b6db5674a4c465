"""What fills the valley of a profile and what does not, as pictures of small architectures: D6 to X2.

All have n = 64 positions; the pictures show the profiles and their tails, as `numeric.picture` draws them.

    crossing    ALiBi m = 0.05, λ = 0.25, T = 2, 4, 8, 16: each layer more moves mass across one pivot       (D6)
    slopes      12 ALiBi layers, λ = 0.25, one head of slope 0.02, 0.1, 0.5, and eight heads 2^−h            (U8)
    order       12 ALiBi layers, λ = 0.5, slopes from 0.5 to 0.02: local on top, in the middle, below        (D7)
    sink        12 layers, λ = 0.25, ALiBi heads 2^−h, and the shares 0, 0.05, 0.1, 0.2 on token 1 besides   (I8)
    window      12 layers, λ = 0.5, sliding windows of 4, 8, 16, 32 positions                                (I8)
    prefix      12 layers, λ = 0.25, ALiBi heads 2^−h, the first 1, 16, 32, 48 tokens see each other         (X2)
    averaging   8 uniform layers, λ = 0.1 or 0.7 in all of them alike, or in each by itself                  (X1)

Exact here: nothing. Numeric here: profiles in floats. Not covered: measured models.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from numeric.distance import Window
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Uniform
from numeric.picture import draw_profiles
from numeric.prefix_lm import PrefixLM
from numeric.profile import profile
from numeric.refuse import refusal

__all__ = ["Lesson", "draw_lesson", "lesson_profiles"]

Floats = NDArray[np.float64]
Lesson = Literal["crossing", "slopes", "order", "sink", "window", "prefix", "averaging"]
Curves = list[tuple[str, Floats]]

N, LAYERS = 64, 12
HEADS = 2.0 ** -np.arange(1, 9)
LEGEND: dict[Lesson, str] = {
    "crossing": "layers",
    "slopes": "slope m",
    "order": "steep slopes",
    "sink": "share of the sink",
    "window": "window",
    "prefix": "prefix",
    "averaging": "λ of the layers",
}


def lesson_profiles(lesson: Lesson) -> Curves:
    """The labelled profiles (64,) of a lesson. Raises InputError for another name."""
    if lesson not in get_args(Lesson):
        raise refusal("lesson", f"be one of {', '.join(get_args(Lesson))}", lesson)
    if lesson == "crossing":
        return [(f"{t}", profile([Alibi(0.05)] * t, 0.25, n=N)) for t in (2, 4, 8, 16)]
    if lesson == "order":
        return _orders()
    if lesson == "averaging":
        return _averages()
    lam, kernels = _stacks(lesson)
    return [(label, profile([kernel] * LAYERS, lam, n=N)) for label, kernel in kernels]


def _stacks(lesson: Lesson) -> tuple[float, list[tuple[str, Kernel]]]:
    """λ and the kernels that all layers share."""
    if lesson == "slopes":
        return 0.25, [*((f"{m:g}", Alibi(m)) for m in (0.02, 0.1, 0.5)), ("1/2 … 1/256", Alibi(HEADS))]
    if lesson == "window":
        return 0.5, [(f"{width}", Window(width)) for width in (4, 8, 16, 32)]
    if lesson == "prefix":
        return 0.25, [(f"{b}", PrefixLM(b, HEADS)) for b in (1, 16, 32, 48)]
    first = np.zeros((N, N))
    first[:, 0] = 1
    shares = (0.0, 0.05, 0.1, 0.2)
    return 0.25, [(f"{s:g}", HeadAverage([Alibi(HEADS), Dense(first)], [1 - s, s])) for s in shares]


def _orders() -> Curves:
    """The same twelve layers, the steep ones on top, in the middle, or below."""
    slopes = np.linspace(0.02, 0.5, LAYERS)
    middle = np.concatenate([slopes[::2], slopes[1::2][::-1]])
    orders = (("on top", slopes), ("in the middle", middle), ("below", slopes[::-1]))
    return [(label, profile([Alibi(m) for m in order], 0.5, n=N)) for label, order in orders]


def _averages() -> Curves:
    """λ_t is 0.1 or 0.7, each with chance ½: the same in all layers, or independent, which is the mean 0.4."""
    stack = [Uniform()] * 8
    alike = (profile(stack, 0.1, n=N) + profile(stack, 0.7, n=N)) / 2
    return [("0.1 or 0.7, alike", alike), ("0.1 or 0.7, by itself", profile(stack, 0.4, n=N))]


def draw_lesson(path: str | Path, lesson: Lesson, *, name: str = "plot") -> None:
    """The profiles of `lesson_profiles` and their tails, to a .png, .pdf or .svg file. Raises InputError."""
    curves = lesson_profiles(lesson)
    draw_profiles(path, [p for _, p in curves], [label for label, _ in curves], legend=LEGEND[lesson], name=name)
