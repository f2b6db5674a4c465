"""The mixing coefficients λ_1 … λ_T as value objects: constant, power decay, geometric, listed, and a list that a rule
continues; layer 1 is first.

λ_t lies in [0, 1] or is refused; nothing is clipped except where a rule says so (the power rule's min(1, ·)). Numbers
are kept as the rationals they are: a decimal read as text exactly, a float as the dyadic rational it stands for.
Source: arXiv:2602.16837 (mixing), I6 (the rules).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.number import is_number, read_fraction
from numeric.refuse import flag, integer, numbers, rational, refusal
from numeric.schedule_file import RULES, read_shares, share_of

__all__ = [
    "Constant",
    "Continued",
    "Geometric",
    "Listed",
    "Mixing",
    "Number",
    "Power",
    "Schedule",
    "as_schedule",
    "mixing_values",
    "read_schedule",
]

FORMS = {"power": "c,beta", "geometric": "c,r"}
FloatArray = NDArray[np.float64]
Number = int | float | Fraction


class Schedule(ABC):
    """A rule t ↦ λ_t for layers t = 1, 2, …"""

    @abstractmethod
    def exact(self, layers: int) -> tuple[Fraction, ...]:
        """(λ_1, …, λ_layers) as rationals; InputError where the rule is irrational."""

    def values(self, layers: int) -> FloatArray:
        """(λ_1, …, λ_layers), each correctly rounded to float64, as an array (layers,)."""
        return np.array([float(x) for x in self.exact(integer(layers, "layers", 0))], dtype=np.float64)


Mixing = Number | Schedule | Sequence[Number] | ArrayLike


@dataclass(frozen=True)
class Constant(Schedule):
    """λ_t = lam, in [0, 1]."""

    lam: Number

    def __post_init__(self) -> None:
        object.__setattr__(self, "lam", share_of(self.lam, "lam"))

    def exact(self, layers: int) -> tuple[Fraction, ...]:
        return (Fraction(self.lam),) * integer(layers, "layers", 0)


@dataclass(frozen=True)
class Power(Schedule):
    """λ_t = min(1, c t^−beta), c in [0, 1], beta any finite number; exact only for an integer beta."""

    c: Number
    beta: Number

    def __post_init__(self) -> None:
        object.__setattr__(self, "c", share_of(self.c, "c"))
        object.__setattr__(self, "beta", rational(self.beta, "beta"))

    def exact(self, layers: int) -> tuple[Fraction, ...]:
        beta = Fraction(self.beta)
        if beta.denominator != 1 or abs(beta) > 1000:
            raise refusal("beta", "be an integer of size at most 1000 for exact values", self.beta)
        steps = range(1, integer(layers, "layers", 0) + 1)
        return tuple(min(Fraction(1), Fraction(self.c) * Fraction(t) ** -beta.numerator) for t in steps)

    def values(self, layers: int) -> FloatArray:
        t = np.arange(1, integer(layers, "layers", 0) + 1, dtype=np.float64)
        if self.c == 0:  # 0 · ∞ below
            return np.zeros(t.size)
        with np.errstate(over="ignore"):  # t^−beta = ∞ means λ_t = 1
            return np.minimum(1.0, float(self.c) * t ** -float(self.beta))


@dataclass(frozen=True)
class Geometric(Schedule):
    """λ_t = c r^(t−1), c and r in [0, 1]; r = 0 gives c, 0, 0, …"""

    c: Number
    r: Number

    def __post_init__(self) -> None:
        object.__setattr__(self, "c", share_of(self.c, "c"))
        object.__setattr__(self, "r", share_of(self.r, "r"))

    def exact(self, layers: int) -> tuple[Fraction, ...]:
        return tuple(Fraction(self.c) * Fraction(self.r) ** t for t in range(integer(layers, "layers", 0)))

    def values(self, layers: int) -> FloatArray:
        t = np.arange(integer(layers, "layers", 0), dtype=np.float64)
        return np.asarray(float(self.c) * float(self.r) ** t)


@dataclass(frozen=True)
class Listed(Schedule):
    """λ_t = lam[t − 1]; asked for another number of layers than were listed, it refuses.

    lam : sequence of numbers in [0, 1], layer 1 first.
    """

    lam: Sequence[Number]

    def __post_init__(self) -> None:
        numbers(self.lam, "lam", 1)
        places = (f"layer {t}" for t in range(1, len(self.lam) + 1))
        object.__setattr__(self, "lam", tuple(share_of(x, "lam", at) for x, at in zip(self.lam, places, strict=True)))

    def exact(self, layers: int) -> tuple[Fraction, ...]:
        if integer(layers, "layers", 0) != len(self.lam):
            raise flag("lam", f"give one value per layer ({layers})", f"{len(self.lam)} of them")
        return tuple(Fraction(x) for x in self.lam)


@dataclass(frozen=True)
class Continued(Schedule):
    """λ_t = first[t − 1] for the layers listed, and what ``rule`` gives at t for every later layer t.

    The layers count on: after two values `Power` continues with c 3^−beta. first : a `Listed` or a sequence of numbers.
    """

    first: Listed | Sequence[Number]
    rule: Schedule

    def __post_init__(self) -> None:
        first = self.first if isinstance(self.first, Listed) else Listed(self.first)
        if not isinstance(self.rule, (Constant, Power, Geometric)):
            raise refusal("rule", "be a constant, a power or a geometric rule", self.rule)
        object.__setattr__(self, "first", first)

    @property
    def listed(self) -> tuple[Fraction, ...]:
        """The values listed."""
        assert isinstance(self.first, Listed)  # set by the constructor
        return tuple(Fraction(x) for x in self.first.lam)

    def exact(self, layers: int) -> tuple[Fraction, ...]:
        listed = self.listed[: integer(layers, "layers", 0)]
        return listed + self.rule.exact(layers)[len(listed) :]

    def values(self, layers: int) -> FloatArray:
        listed = [float(x) for x in self.listed[:layers]]
        return np.concatenate([listed, self.rule.values(layers)[len(listed) :]])


def mixing_values(lam: Mixing, layers: int) -> FloatArray:
    """(λ_1, …, λ_layers) from one number, a schedule or a sequence of that length, as float64 (layers,)."""
    plain = type(lam) is np.ndarray and lam.dtype == np.float64 and lam.shape == (layers,)  # a masked array is not
    if isinstance(lam, np.ndarray) and plain and bool(((lam >= 0) & (lam <= 1)).all()):
        return np.asarray(lam + 0.0)  # asked of all entries at once; what is refused, `Listed` refuses with its place
    return as_schedule(lam).values(layers)


def as_schedule(lam: Mixing) -> Schedule:
    """One number as `Constant`, a sequence or array as `Listed`, a schedule as it is."""
    if isinstance(lam, Schedule):
        return lam
    if isinstance(lam, np.ndarray) and lam.ndim:
        return Listed(numbers(lam, "lam", 1).tolist())
    if isinstance(lam, (list, tuple)):
        return Listed(lam)
    return Constant(rational(lam, "lam"))


def read_schedule(text: str) -> Schedule:
    """The schedule that ``text`` names: a rule (a number, p/q, power:c,beta or geometric:c,r), a list (values with
    commas between them, or the path of a CSV file), or ``LIST then RULE``, where layers count on.

    The file has one value per line, or a header with a column ``lambda`` (and perhaps ``layer``, then checked to count
    on by one). Raises InputError naming argument or file, line, requirement and value. The text is never executed.

    >>> read_schedule("1/3").exact(2)
    (Fraction(1, 3), Fraction(1, 3))
    >>> read_schedule("geometric:0.5,1/2").values(3)
    array([0.5  , 0.25 , 0.125])
    >>> read_schedule("0,1/3 then power:1,2").exact(4)
    (Fraction(0, 1), Fraction(1, 3), Fraction(1, 9), Fraction(1, 16))
    """
    if not isinstance(text, str):
        raise refusal("lam", "be text", text)
    listed, then, rest = text.rpartition(" then ")
    if not then:
        return _read_rule(text) or _read_list(text)
    rule = _read_rule(rest)
    if rule is None:
        raise refusal("lam", f"end in {RULES} after 'then'", text)
    return Continued(_read_list(listed.strip()), rule)


def _read_rule(text: str) -> Schedule | None:
    """A rule for every layer; None where the text has the form of none."""
    kind, colon, rest = text.strip().partition(":")
    if colon and kind in FORMS:
        form, parts = f"{kind}:{FORMS[kind]}", rest.split(",")
        if len(parts) != 2:
            raise refusal("lam", f"have the form {form}", text)
        places = [f"{name} of {form}" for name in FORMS[kind].split(",")]
        first, second = (read_fraction(part, "lam", at) for part, at in zip(parts, places, strict=True))
        share_of(first, "lam", places[0])
        return Power(first, second) if kind == "power" else Geometric(first, share_of(second, "lam", places[1]))
    return Constant(share_of(read_fraction(text, "lam"), "lam")) if is_number(text) else None


def _read_list(text: str) -> Listed:
    cells = text.split(",")
    if all(map(is_number, cells)):
        return Listed([read_fraction(cell, "lam", f"layer {t}") for t, cell in enumerate(cells, start=1)])
    return Listed(read_shares(text))
