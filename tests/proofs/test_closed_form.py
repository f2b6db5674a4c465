"""Closed forms against a plain recursion in Fractions, as objects and as Python source; mutated twins are noticed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from numeric.refuse import InputError
from proofs import closed_form_kernels
from proofs.closed_form import ClosedForm, Entry, derive
from proofs.closed_form_ring import Letter
from proofs.closed_form_size import predicted

KERNELS = ("general", "uniform", "prefix", "alibi", "content")
SIZES = ((1, 0), (1, 2), (2, 0), (2, 3), (3, 2), (5, 2), (4, 3))
ONE = Fraction(1)
Matrix = list[list[Fraction]]


# --- the oracle: kernels from their definitions, the recursion in Fractions ------------------------------------------


@dataclass(frozen=True)
class Draw:
    """Rational values of everything, as matrices, as letters, and as the arguments of the Python function."""

    matrices: list[Matrix]
    lam: list[Fraction]
    letters: dict[Letter, Fraction]
    arguments: dict[str, Any]


def share(rng: random.Random) -> Fraction:
    below = rng.randint(1, 9)
    return Fraction(rng.randint(0, below), below)


def positive(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(1, 9), rng.randint(1, 9))


def causal(n: int, rng: random.Random) -> Matrix:
    rows = []
    for i in range(1, n + 1):
        masses = [Fraction(rng.randint(1, 7)) for _ in range(i)]
        rows.append([m / sum(masses) for m in masses] + [Fraction(0)] * (n - i))
    return rows


def weighted(n: int, weights: list[Fraction], e: Fraction) -> Matrix:
    """A_ij ∝ w_j, the diagonal weight times e."""
    rows = []
    for i in range(n):
        masses = [*weights[:i], e * weights[i]]
        rows.append([m / sum(masses) for m in masses] + [Fraction(0)] * (n - i - 1))
    return rows


def drawn(form: ClosedForm, rng: random.Random) -> Draw:
    plan = form.plan
    n, T, kernel = plan.n, plan.T, plan.kernel
    made: dict[str, Callable[[], Any]] = {
        "general": lambda: causal(n, rng),
        "uniform": lambda: None,
        "prefix": lambda: [positive(rng) for _ in range(n)],
        "alibi": lambda: positive(rng),
        "content": lambda: positive(rng),
    }
    own = [made[kernel]() for _ in range(1 if plan.shared else T)]
    lam = [share(rng)] * T if plan.lam == "one" else [share(rng) for _ in range(T)]
    if not isinstance(plan.lam, str):
        lam = list(plan.lam)
    layers = own * T if plan.shared else own
    matrices = [matrix(kernel, n, x) for x in layers]
    letters = {Letter("lambda", (t,)): x for t, x in enumerate(lam, 1)} | {Letter("lambda"): lam[0] if lam else ONE}
    for t, x in enumerate(own, 1):
        letters |= lettered(kernel, n, () if plan.shared else (t,), x)
    name = {"general": "A", "prefix": "w", "alibi": "q", "content": "e"}.get(kernel)
    arguments: dict[str, Any] = {"lam": letters[Letter("lambda")] if plan.lam == "one" else lam}
    return Draw(matrices, lam, letters, arguments | ({name: own[0] if plan.shared else own} if name else {}))


def matrix(kernel: str, n: int, value: Any) -> Matrix:
    if kernel == "general":
        return [list(row) for row in value]
    if kernel == "prefix":
        return weighted(n, value, ONE)
    if kernel == "alibi":
        return weighted(n, [value**j for j in range(1, n + 1)], ONE)
    return weighted(n, [ONE] * n, value if kernel == "content" else ONE)


def lettered(kernel: str, n: int, t: tuple[int, ...], value: Any) -> Iterator[tuple[Letter, Fraction]]:
    if kernel == "general":
        yield from ((Letter("A", (*t, i, j)), value[i - 1][j - 1]) for i in range(1, n + 1) for j in range(1, i + 1))
    elif kernel == "prefix":
        yield from ((Letter("u", (*t, i)), value[i - 1] / sum(value[:i])) for i in range(1, n + 1))
    elif kernel != "uniform":
        yield Letter({"alibi": "q", "content": "e"}[kernel], t), value


def last_row(n: int, draw: Draw) -> list[Fraction]:
    v = [Fraction(int(j == n - 1)) for j in range(n)]
    for lam, A in zip(reversed(draw.lam), reversed(draw.matrices), strict=True):
        v = [(1 - lam) * v[j] + lam * sum((v[i] * A[i][j] for i in range(n)), Fraction(0)) for j in range(n)]
    return v


def agrees(form: ClosedForm, seed: int = 0, times: int = 3) -> bool:
    """Whether every entry has the value of the recursion at random rationals."""
    rng = random.Random(seed)
    for _ in range(times):
        draw = drawn(form, rng)
        p = last_row(form.plan.n, draw)
        if any(entry.value(form.letters, draw.letters) != p[entry.position - 1] for entry in form.entries):
            return False
    return True


def executed(form: ClosedForm) -> Callable[..., Any]:
    space: dict[str, Any] = {}
    exec(compile(form.python(), "derived", "exec"), space)
    functions = [x for name, x in space.items() if name != "__builtins__"]
    assert len(functions) == 1
    found: Callable[..., Any] = functions[0]
    return found


def mixings(T: int) -> list[Any]:
    """λ as symbols, as one symbol, one number, and numbers with 0 and 1 among them."""
    return [None, "lambda", Fraction(2, 5), *([[0, 1, Fraction(1, 3)][:T]] if T else [])]


def every_form(sizes: tuple[tuple[int, int], ...]) -> Iterator[ClosedForm]:
    for (n, T), kernel, shared in product(sizes, KERNELS, (False, True)):
        for lam, eliminate in product(mixings(T), ("first", "diagonal") if kernel == "general" else ("first",)):
            yield derive(n, T, kernel=kernel, shared=shared, lam=lam, eliminate=eliminate)


# --- every kernel ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "T"), SIZES)
def test_value_sum_and_size(n: int, T: int) -> None:
    for form in every_form(((n, T),)):
        assert agrees(form), form.plan
        assert form.sums_to_one
        counts = [len(entry.numerator) for entry in form.entries]
        for entry in (None, *range(1, n + 1)):
            size = predicted(form.plan, entry)
            found = sum(counts) if entry is None else counts[entry - 1]
            assert size.exact == (form.plan.kernel == "general" or n == 1)
            assert found == size.terms if size.exact else found <= size.terms, (form.plan, entry)


@pytest.mark.parametrize(("n", "T"), SIZES)
def test_python_is_exact(n: int, T: int) -> None:
    rng = random.Random(1)
    for form in every_form(((n, T),)):
        draw = drawn(form, rng)
        function = executed(form)
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        found = function(**{name: draw.arguments[name] for name in names})
        assert list(found) == last_row(n, draw), form.plan
        assert names or all(type(x) is Fraction for x in found)


def test_long_sums_compile() -> None:
    form = derive(5, 5)
    draw = drawn(form, random.Random(3))
    assert list(executed(form)(**draw.arguments)) == last_row(5, draw)


@pytest.mark.parametrize(("kernel", "shared"), list(product(KERNELS, (False, True))))
def test_mutated_twins_are_noticed(kernel: str, shared: bool) -> None:
    form = derive(3, 2, kernel=kernel, shared=shared)
    assert agrees(form)
    for at, entry in enumerate(form.entries):
        for twin in twins(entry):
            entries = (*form.entries[:at], twin, *form.entries[at + 1 :])
            assert not agrees(replace(form, entries=entries), times=5), (entry.position, twin)


def twins(entry: Entry) -> Iterator[Entry]:
    """A coefficient, an exponent, a letter, a term or a power of the denominator changed."""
    (coefficient, monomial), *others = entry.numerator[::-1]
    (letter, power), *rest = monomial
    yield replace(entry, numerator=((coefficient + 1, monomial), *others))
    yield replace(entry, numerator=((-coefficient, monomial), *others))
    yield replace(entry, numerator=((coefficient, ((letter, power + 1), *rest)), *others))
    yield replace(entry, numerator=((coefficient, tuple(rest)), *others))
    yield replace(entry, numerator=tuple(others))
    if entry.denominator:
        (factor, exponent), *more = entry.denominator
        yield replace(entry, denominator=((factor, exponent + 1), *more))
        yield replace(entry, denominator=tuple(more))


@pytest.mark.parametrize("kernel", KERNELS)
def test_one_entry_is_that_of_the_row(kernel: str) -> None:
    row = derive(4, 2, kernel=kernel)
    for j in range(1, 5):
        assert derive(4, 2, kernel=kernel, entry=j).entries == (row.entries[j - 1],)


@pytest.mark.parametrize(
    ("kernel", "eliminate", "n", "T", "entry"),
    [("general", "first", 9, 8, 9), ("prefix", "first", 6, 6, 6), ("alibi", "first", 5, 4, 5)],
)
def test_one_entry_where_the_row_is_too_long(kernel: str, eliminate: str, n: int, T: int, entry: int) -> None:
    form = derive(n, T, kernel=kernel, eliminate=eliminate, entry=entry)
    assert form.sums_to_one is None
    assert agrees(form, times=1)
    with pytest.raises(InputError, match=r"the row within [\d,]+ terms"):
        derive(n, T, kernel=kernel, eliminate=eliminate)


def test_a_kernel_whose_rows_do_not_sum_to_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = closed_form_kernels._uniform

    def wrong(ring: Any, n: int, t: tuple[int, ...]) -> Any:
        kernel = real(ring, n, t)
        return replace(kernel, weights=[2 * w for w in kernel.weights])

    monkeypatch.setitem(closed_form_kernels._WEIGHTED, "uniform", wrong)
    with pytest.raises(ArithmeticError, match="do not sum to 1"):
        derive(3, 2, kernel="uniform")
