"""The entries of the profile p^(T) = e_n R_T ⋯ R_1 in closed form, for small n and T.

    v ← (1 − λ_t) v + λ_t v A_t, t = T … 1, from v = e_n

in a polynomial ring (closed_form_ring.py), for the kernels of closed_form_kernels.py; λ_t are symbols or rationals.
Where like terms never meet, general kernels with a kernel and a λ_t per layer, by path_terms.py instead.
That the entries sum to 1 is checked on what is returned, never assumed. Theory S1, D3, D4; arXiv:2602.16837.

Exact here: everything. Not covered: any n and T at once (U2, U3, U6), several heads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from numeric.nearest import nearest, one_of
from numeric.refuse import flag, integer, refusal
from numeric.schedule import Mixing, as_schedule
from proofs.closed_form_kernels import KERNELS, Row, kernel_letters, kernel_rows
from proofs.closed_form_ring import Letter, Poly, Quotient, Ring, Terms, evaluated
from proofs.closed_form_size import Plan, predicted

__all__ = [
    "ELIMINATE",
    "KERNELS",
    "MOST_DIGITS",
    "MOST_GENERAL",
    "MOST_PATHS",
    "MOST_TERMS",
    "ClosedForm",
    "Entry",
    "derive",
]

ELIMINATE = ("first", "diagonal")
MOST_TERMS = 250_000
MOST_GENERAL, MOST_PATHS = 400_000, 2_000_000  # of general kernels, whose terms are counted exactly; by paths
MOST_DIGITS = 2_000_000  # of coefficients, where λ or a uniform kernel brings long rationals
MOST_SYMBOLIC, MOST_UNIFORM = 32, 1000  # positions, layers
ONE = "lambda"


@dataclass(frozen=True)
class Entry:
    """p_position = numerator / Π factor^exponent, in lowest terms; positions count from 1.

    numerator : a sequence of (coefficient, monomial), whose items are made when asked for where rows are long
    (path_terms.py). Where there is a denominator the numerator's coefficients are integers, and a number may be among
    the factors.
    """

    position: int
    numerator: Terms
    denominator: tuple[tuple[Terms, int], ...] = ()

    def value(self, letters: tuple[Letter, ...], values: Mapping[Letter, Fraction]) -> Fraction:
        """The entry at rational values of the letters; ZeroDivisionError where a denominator vanishes."""
        result = evaluated(self.numerator, letters, values)
        for factor, exponent in self.denominator:
            result /= evaluated(factor, letters, values) ** exponent
        return result


@dataclass(frozen=True)
class ClosedForm:
    """The entries of the last row, or one of them.

    plan : what was derived. letters : the symbols, in the order in which terms number them. entries : by position.
    sums_to_one : True, checked exactly on the entries; None where one entry was derived because the row is too long.
    """

    plan: Plan
    letters: tuple[Letter, ...]
    entries: tuple[Entry, ...]
    sums_to_one: bool | None

    def text(self) -> str:
        """One formula per line, λ and ≤ as they are."""
        from proofs.closed_form_text import as_text

        return as_text(self)

    def latex(self, dots: int | None = None) -> str:
        """A display, with lines broken at sums; ``dots``: the terms of a sum to show before dots and its last one."""
        from proofs.closed_form_latex import as_latex

        return as_latex(self, dots)

    def python(self) -> str:
        """The source of a function that is exact for Fractions."""
        from proofs.closed_form_python import as_python

        return as_python(self)

    def json(self) -> dict[str, object]:
        """{"n", "T", "kernel", …, "sum", "entries": [{"position", "text", "latex", "terms"}]}."""
        from proofs.closed_form_text import as_data

        return as_data(self)


def derive(
    n: int,
    T: int,
    *,
    kernel: str = "general",
    shared: bool = False,
    lam: Mixing | str | None = None,
    eliminate: str = "first",
    entry: int | None = None,
) -> ClosedForm:
    """p_j = (e_n R_T ⋯ R_1)_j, R_t = (1 − λ_t) I + λ_t A_t, as polynomials or as quotients in lowest terms.

    n : positions, at least 1. T : layers, at least 0; T = 0 gives e_n. At most 32 each, for uniform kernels 1000.
    kernel : general (A_ij), uniform (A_ij = 1/i), prefix (u_i = w_i/W_i), alibi (q = e^m) or content (e = e^d times the
    diagonal weight of the uniform kernel). shared : one kernel for all layers instead of one per layer.
    lam : None (symbols λ_t), "lambda" (one symbol λ), or numbers in [0, 1] as for `profile`: one, a schedule or T of
    them, layer 1 first; a float counts as the dyadic rational it is.
    eliminate : general kernels only: the entry of each row that is 1 minus the others, first or diagonal.
    entry : a position from 1 to n, to derive that entry alone.

    Raises InputError for what is outside these ranges, and before any work where too many terms are to be expected,
    more than 250,000 (general kernels: 400,000, or 2,000,000 with a kernel and a λ_t per layer), or coefficients longer
    than 2,000,000 digits in all.

    >>> print(derive(2, 1, kernel="uniform").text().splitlines()[-1])
    p_2 = 1 - (1/2) λ_1
    """
    plan = _plan(n, T, kernel, shared, lam, eliminate)
    if entry is not None and not 1 <= integer(entry, "entry", 1) <= plan.n:
        raise refusal("entry", f"lie in 1..{plan.n}", entry)
    whole = entry is None or _excess(plan, None) is None
    if not whole or entry is None:
        _refuse_excess(plan, entry)
    return _derived(plan, entry, whole)


def _plan(n: int, T: int, kernel: str, shared: bool, lam: Mixing | str | None, eliminate: str) -> Plan:
    one_of(kernel, "kernel", KERNELS)
    if eliminate not in ELIMINATE:
        raise refusal("eliminate", "be first or diagonal", eliminate, nearest(eliminate, ELIMINATE))
    if kernel != "general" and eliminate != "first":
        raise refusal("eliminate", "be left out unless the kernel is general", eliminate)
    if not isinstance(shared, bool):
        raise refusal("shared", "be True or False", shared)
    most = MOST_UNIFORM if kernel == "uniform" else MOST_SYMBOLIC
    for name, value, least in (("n", n, 1), ("T", T, 0)):
        if not integer(value, name, least) <= most:
            raise refusal(name, f"be an integer in [{least}, {most}] for {kernel} kernels", value)
    if isinstance(lam, str) and lam != ONE:
        raise refusal("lam", f"be numbers or the word {ONE}", lam)
    mixing = {None: "each", ONE: "one"}[lam] if lam is None or isinstance(lam, str) else as_schedule(lam).exact(T)
    return Plan(int(n), int(T), kernel, shared or kernel == "uniform", mixing, eliminate)


# --- size -----------------------------------------------------------------------------------------------------------


def _excess(plan: Plan, entry: int | None) -> str | None:
    """What is too large about the row, or about one entry; None where nothing is."""
    size = predicted(plan, entry)
    at_most = "" if size.exact else "up to "
    if size.terms > _most_terms(plan):
        return f"{at_most}{_counted(size.terms)} terms{'' if size.exact else ', an upper bound'}"
    # an entry of a uniform kernel costs as much as the row
    digits = plan.digits() * (predicted(plan, None) if plan.kernel == "uniform" else size).terms
    return f"up to {_counted(digits)} digits, an upper bound" if digits > MOST_DIGITS else None


def _most_terms(plan: Plan) -> int:
    return MOST_PATHS if plan.by_paths else MOST_GENERAL if plan.kernel == "general" else MOST_TERMS


def _counted(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"more than 10^{len(str(number)) - 1}"


def _refuse_excess(plan: Plan, entry: int | None) -> None:
    excess = _excess(plan, entry)
    if excess is not None:
        what = "the row" if entry is None else f"entry {entry}"
        limit = f"{MOST_DIGITS:,} digits" if "digits" in excess else f"{_most_terms(plan):,} terms"
        raise flag("T", f"keep {what} within {limit}", f"{plan.T}", f"n = {plan.n}: {excess}")


# --- the recursion --------------------------------------------------------------------------------------------------


def _derived(plan: Plan, entry: int | None, whole: bool) -> ClosedForm:
    if plan.by_paths:
        return _from_paths(plan, entry, whole)
    layers = _layers(plan)
    ring = Ring([*_mixing_letters(plan), *kernel_letters(plan.kernel, plan.n, layers, plan.eliminate)])
    first = 1 if whole or entry is None else entry
    row = [x.reduced() for x in _row(ring, plan, layers, first)]
    if whole and not _total(row).is_one():
        raise ArithmeticError("The entries do not sum to 1, so the closed form is wrong.")
    wanted = range(1, plan.n + 1) if entry is None else [entry]
    return ClosedForm(plan, ring.letters, tuple(_entry(j, row[j - 1]) for j in wanted), True if whole else None)


def _from_paths(plan: Plan, entry: int | None, whole: bool) -> ClosedForm:
    """The same by `path_terms`, where like terms never meet."""
    from proofs.path_terms import Alphabet, checked, last_row

    alphabet = Alphabet(plan.n, plan.T, plan.eliminate)
    letters = *_mixing_letters(plan), *kernel_letters(plan.kernel, plan.n, _layers(plan), plan.eliminate)
    first = 1 if whole or entry is None else entry
    row = last_row(alphabet, first)
    row = checked(row) if whole else [terms.ordered() for terms in row[:1]]
    wanted = range(1, plan.n + 1) if entry is None else [entry]
    return ClosedForm(plan, letters, tuple(Entry(j, row[j - first]) for j in wanted), True if whole else None)


def _layers(plan: Plan) -> tuple[tuple[int, ...], ...]:
    """The index of each kernel's letters."""
    if plan.shared:
        return ((),) if plan.T else ()
    return tuple((t,) for t in range(1, plan.T + 1))


def _mixing_letters(plan: Plan) -> Iterator[Letter]:
    if plan.lam == "each":
        yield from (Letter("lambda", (t,)) for t in range(1, plan.T + 1))
    elif plan.lam == "one" and plan.T:
        yield Letter("lambda")


def _row(ring: Ring, plan: Plan, layers: tuple[tuple[int, ...], ...], first: int) -> Row:
    """The entries first … n; those before are left 0."""
    steps = [kernel_rows(ring, plan.kernel, plan.n, t, plan.eliminate) for t in layers]
    v = [ring.quotient(ring.constant(int(j == plan.n))) for j in range(1, plan.n + 1)]
    for t in range(plan.T, 0, -1):
        share = _share(ring, plan, t)
        if share != 0:
            moved = steps[0 if plan.shared else t - 1](v, first)
            v = [x.scaled(1 - share) + y.scaled(share) for x, y in zip(v, moved, strict=True)]
    return v


def _share(ring: Ring, plan: Plan, t: int) -> Poly:
    if isinstance(plan.lam, str):
        return ring.letter("lambda", *((t,) if plan.lam == "each" else ()))
    return ring.constant(plan.lam[t - 1])


def _total(row: Row) -> Quotient:
    total = row[0]
    for x in row[1:]:
        total = total + x
    return total


def _entry(position: int, x: Quotient) -> Entry:
    ring, above = x.ring, x.ring.terms(x.above)
    below = [(ring.terms(ring.factors[number]), exponent) for number, exponent in sorted(x.below.items())]
    common = lcm(*(coefficient.denominator for coefficient, _ in above))
    if below and common > 1:
        above = tuple((coefficient * common, monomial) for coefficient, monomial in above)
        below.insert(0, (((Fraction(common), ()),), 1))
    return Entry(position, above, tuple(below))
