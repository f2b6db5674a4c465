r"""What is displayed, read back by a reader that knows the notation and nothing of the writers, says what was meant.

Closed forms, the claims of the ledger and every displayed step of its derivations, each at exact random values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from random import Random

import pytest

from proofs import derive, latex_math
from proofs.closed_form import ClosedForm
from proofs.closed_form_ring import Letter
from proofs.latex import snippet
from proofs.latex_displays import Displays
from proofs.latex_math import LatexWriter, sentence
from proofs.ledger import LEDGER
from proofs.notation import DEFINITIONS, Definition
from proofs.term import Op, Relation, index
from tests.proofs.mutants import changed_relations
from tests.proofs.reading.operators import Call
from tests.proofs.reading.read import Unread, read
from tests.proofs.reading_back import AGREES, DIFFERS, UNREAD, Reader, outcomes, reader, without_tag

FLOOR = Fraction(95, 100)  # of all displayed steps; of those of one statement, four fifths


# --- closed forms ---------------------------------------------------------------------------------------------------

KERNELS = ("general", "uniform", "prefix", "alibi", "content")
FORMS = [
    pytest.param(n, T, kernel, shared, eliminate, id=f"{kernel}-{n}-{T}{'-shared' * shared}-{eliminate}")
    for kernel in KERNELS
    for n in range(1, 5)
    for T in range(3)
    for shared in (False, True)
    for eliminate in (("first", "diagonal") if kernel == "general" else ("first",))
    if not (shared and T < 2)
]


def values_of(form: ClosedForm, seed: int) -> dict[Letter, Fraction]:
    drawn = Random(seed)
    return {letter: Fraction(drawn.randint(1, 30), drawn.randint(1, 7)) for letter in form.letters}


def letters_of(values: dict[Letter, Fraction]) -> dict[str, Fraction | int | Call]:
    """For each name a function of its indices, or a number."""
    tables: dict[str, dict[tuple[int, ...], Fraction]] = {}
    for letter, x in values.items():
        tables.setdefault(letter.base, {})[letter.indices] = x
    return {base: (lambda *at, table=table: table[at]) for base, table in tables.items()}


def value_of(formula: str, values: dict[Letter, Fraction]) -> Fraction:
    """The value that the reader finds; e is a letter here, not Euler's number."""
    letters = letters_of(values)
    return read(formula, **({"e": 0} if any(not x.indices for x in values) else {})).value(letters)


def entries_of(latex: str) -> Iterator[tuple[int, str]]:
    """Position and formula of each entry of a display."""
    lines = latex.splitlines()
    assert (lines[1], lines[-1]) == (r"\begin{align*}", r"\end{align*}")
    for entry in re.split(r"(?m)^(?=  p_)", "\n".join(lines[2:-1]))[1:]:
        head, formula = entry.split("&=", 1)
        found = re.fullmatch(r"  p_\{(\d+)\}", head)
        assert found is not None
        yield int(found[1]), formula.strip().removesuffix(r"\\")


@pytest.mark.parametrize(("n", "T", "kernel", "shared", "eliminate"), FORMS)
def test_closed_forms_read_back(n: int, T: int, kernel: str, shared: bool, eliminate: str) -> None:
    form = derive(n, T, kernel=kernel, shared=shared, eliminate=eliminate)
    values = values_of(form, n + 5 * T)
    shown = list(entries_of(form.latex()))
    assert [position for position, _ in shown] == [entry.position for entry in form.entries]
    listed = [str(entry["latex"]) for entry in form.json()["entries"]]  # type: ignore[attr-defined]
    for entry, (_, formula), single in zip(form.entries, shown, listed, strict=True):
        expected = entry.value(form.letters, values)
        assert value_of(formula, values) == expected
        assert value_of(single, values) == expected


@pytest.mark.parametrize(
    ("n", "T", "kernel", "position"),
    [(3, 1, "general", 3), (2, 2, "uniform", 2), (2, 1, "alibi", 2)],
)
def test_closed_forms_read_back_by_a_reader_that_is_not_ours(n: int, T: int, kernel: str, position: int) -> None:
    """latex2sympy2_extended, which takes a second for a few terms, reads e as Euler's number and knows no \\bigl."""
    sympy, reader = pytest.importorskip("sympy"), pytest.importorskip("latex2sympy2_extended.latex2sympy2")
    form = derive(n, T, kernel=kernel)
    entry, shown = form.entries[position - 1], form.json()["entries"][position - 1]["latex"]  # type: ignore[index]
    as_written = reader.ConversionConfig(interpret_as_mixed_fractions=False, lowercase_symbols=False)
    found = reader.latex2sympy(shown, normalization_config=None, conversion_config=as_written)
    values = values_of(form, 3)
    at = {symbol_of(letter): sympy.Rational(x.numerator, x.denominator) for letter, x in values.items()}
    assert {str(x) for x in found.free_symbols} <= set(at)
    expected = entry.value(form.letters, values)
    assert found.subs({x: at[str(x)] for x in found.free_symbols}) == sympy.Rational(*expected.as_integer_ratio())


def symbol_of(letter: Letter) -> str:
    """What that reader calls a letter: lambda_1, A_{1,2,2}."""
    index = ",".join(map(str, letter.indices))
    braces = "{%s}" if len(letter.indices) > 1 else "%s"
    return f"{letter.base}_{braces % index}" if index else letter.base


@pytest.mark.parametrize("kernel", ["general", "alibi"])
def test_a_closed_form_with_one_thing_wrong_does_not_read_back(kernel: str) -> None:
    form = derive(3, 2, kernel=kernel)
    values = values_of(form, 1)
    (_, formula), *_ = entries_of(form.latex())
    expected = form.entries[0].value(form.letters, values)
    for old, new in (("+", "-"), ("-", "+"), (r"\lambda_{1}", r"\lambda_{2}"), ("2,", "3,"), ("^{2}", "^{3}")):
        if old in formula:
            try:
                found = value_of(formula.replace(old, new, 1), values)
            except KeyError:  # there is no such letter
                continue
            assert found != expected, (old, new)


def test_dots_stand_for_what_is_left_out_and_only_on_request() -> None:
    form = derive(3, 2)
    assert r"\cdots" not in form.latex()
    short = form.latex(dots=2)
    for entry, (_, whole), (_, shown) in zip(form.entries, entries_of(form.latex()), entries_of(short), strict=True):
        first, _, last = shown.partition(r"+\cdots ")
        assert len(entry.numerator) > 3
        assert whole.replace("\\\\\n  &\\qquad{}", "").replace(" ", "").startswith(first.replace(" ", ""))
        assert whole.endswith(last)
        with pytest.raises(Unread):
            read(shown)
    assert form.latex(dots=1000) == form.latex()
    with pytest.raises(ValueError, match="'dots' must be at least 1, not 0"):
        form.latex(dots=0)


# --- statements -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEDGER)
def test_a_claim_reads_back(name: str) -> None:
    """Hypotheses and parts as the theorem displays them."""
    for label, formula, latex in reader(name).shown.claim:
        outcome = reader(name).compare(formula, latex, 1)
        assert outcome.found == AGREES, (label, outcome.why, latex)


@pytest.mark.parametrize("name", LEDGER)
def test_displayed_steps_read_back(name: str) -> None:
    found = outcomes(name)
    wrong = [(latex, outcome.why) for latex, outcome in found if outcome.found == DIFFERS]
    assert not wrong
    unread = [(outcome.why, latex) for latex, outcome in found if outcome.found == UNREAD]
    assert len(unread) <= len(found) / 5, unread


def test_nearly_all_displayed_steps_read_back() -> None:
    found = [outcome for name in LEDGER for _, outcome in outcomes(name)]
    reasons = Counter(outcome.why for outcome in found if outcome.found != AGREES)
    assert sum(outcome.found == AGREES for outcome in found) >= FLOOR * len(found), reasons.most_common()
    assert sum(outcome.compared for outcome in found) >= FLOOR * len(found)
    assert len(found) > 3000


@pytest.mark.parametrize("name", ["D1", "U6", "X1b"])
def test_what_is_read_is_what_the_document_shows(name: str) -> None:
    shown, written = reader(name).shown, snippet(LEDGER[name])
    assert all(latex in written for _, latex in shown.steps)
    assert all(latex in written for latex in shown.meanings)
    known = [(label, latex) for label, _, latex in shown.claim]
    assert all(latex.replace(r"\displaystyle ", "") in written.replace(r"\displaystyle ", "") for _, latex in known)


def equations_of(definition: Definition) -> list[Relation]:
    """An operator at its indices; a recursive one at 0 and one step further, as in the notation section."""
    op, (first, *rest) = Op(definition.name, definition.fns), definition.params
    if definition.base is None:
        return [Relation("=", op(first, *rest), definition.body)]
    return [Relation("=", op(0, *rest), definition.base), Relation("=", op(index(first) + 1, *rest), definition.body)]


@pytest.mark.parametrize("definition", [d for d in DEFINITIONS.values() if d.params], ids=lambda d: d.name)
def test_definitions_read_back(definition: Definition) -> None:
    """So the reader, whose operators are textbook formulas, means by them what the notation section says."""
    for equation in equations_of(definition):
        outcome = Reader(Displays({}, (), (), ())).compare(equation, latex_math.latex(equation), 100)
        assert outcome.found == AGREES and outcome.compared, outcome.why


# --- controls -------------------------------------------------------------------------------------------------------


def _index(latex: str) -> str:
    """The last index of the first letter that has one, one further."""
    return re.sub(r"(?<!sum)(?<!prod)_\{([^{}=]*)\}(?!\^)", r"_{\1+1}", latex, count=1)


PERTURBED: dict[str, Callable[[str], str]] = {
    "sign": lambda latex: re.sub(
        r"(?<=[})a-z])([+-])(?=[\\A-Za-z\d(])", lambda m: "+-"["-+".index(m[0])], latex, count=1
    ),
    "index": _index,
    "relation": lambda latex: re.sub(r"\\le |=|<", lambda m: "=" if m[0] != "=" else r"\le ", latex, count=1),
    "bracket": lambda latex: latex.replace("(", "", 1),
}


@pytest.mark.parametrize("what", PERTURBED)
def test_latex_with_one_thing_wrong_does_not_read_back(what: str) -> None:
    """Three displays of each statement; nearly all, since 0 hides a wrong factor, and (-1)^{2k-2} is 1 as well."""
    tried, passed = 0, []
    for name in LEDGER:
        compared = [latex for latex, outcome in outcomes(name) if outcome.compared]
        formulas = {latex: formula for formula, latex in reader(name).shown.steps}
        chosen = ((latex, PERTURBED[what](without_tag(latex))) for latex in compared)
        for latex, wrong in islice(((a, b) for a, b in chosen if b != without_tag(a)), 3):
            tried += 1
            if reader(name).compare(formulas[latex], wrong, 100).found == AGREES:
                passed.append((name, wrong))
    assert tried > 60
    assert len(passed) <= tried / 10, passed


def test_the_latex_of_a_changed_step_does_not_say_what_the_step_says() -> None:
    tried, passed = 0, []
    for name in LEDGER:
        writer = LatexWriter(reader(name).shown.names)
        compared = {latex for latex, outcome in outcomes(name) if outcome.compared}
        steps = [formula for formula, latex in reader(name).shown.steps if latex in compared]
        for formula in steps[:: max(1, len(steps) // 2)]:
            for what, changed in islice(changed_relations(formula), 4):
                tried += 1
                if reader(name).compare(formula, sentence(changed, writer), 100).found == AGREES:
                    passed.append((name, what, sentence(formula, writer)))
    assert tried > 200
    assert len(passed) <= tried / 20, passed  # [i <= n] says of positions what [i <= n + 1] says
