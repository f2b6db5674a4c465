"""``posbias derive`` where n, T, the entry or the depth is a letter: formulas for every n, T and j, or for n → ∞."""

from __future__ import annotations

import sys

from numeric.nearest import nearest
from numeric.number import is_number, read_fraction, read_integer
from numeric.refuse import flag, refusal
from proofs.commands.derive_options import Wanted
from proofs.commands.options import Typed
from proofs.every_display import N, Question, as_data, as_function, as_latex, as_text
from proofs.every_form import KERNELS, Form, Mixture, closed_forms, limit_forms
from proofs.every_term import Node, letters, node
from proofs.output import Outcome, as_json, write_stream

__all__ = ["refuse_beside_limit", "run"]

LENGTH, LAYERS = ("-n", "--length"), ("-T", "--layers")
MOST = 10**9  # a number put in for a letter


def run(wanted: Wanted, typed: Typed, form_of: str) -> Outcome:
    """The formulas in the format wanted; on standard error, what they were compared with."""
    asked = _limit_question(wanted, typed) if wanted.continuous else _question(wanted, typed)
    forms = limit_forms(asked.mixture) if wanted.continuous else _confirmed(asked)
    if form_of == "python":
        return Outcome(as_function(asked, forms, wanted.continuous))
    chosen = forms if wanted.continuous else _chosen(asked, forms)
    if form_of == "json":
        return Outcome(as_json(as_data(asked, chosen, wanted.continuous)))
    if not wanted.continuous:
        where = "e^(S(A - I)) in balls" if asked.mixture.depth is not None else "the recursion in rationals"
        write_stream(sys.stderr, f"formulas: equal to {where} at n up to 5, checked")
    return Outcome((as_text if form_of == "text" else as_latex)(asked, chosen, wanted.continuous))


def _confirmed(asked: Question) -> tuple[Form, ...]:
    """The forms with letters throughout, each compared with the recursion; then with the numbers that were given."""
    from proofs.every_check import failures

    at_depth = asked.mixture.depth is not None
    plain = Mixture(asked.mixture.share, node("S") if at_depth else None)
    wrong = next(failures(asked.kernel, closed_forms(asked.kernel, plain), plain.share, at_depth), None)
    if wrong is not None:
        raise ArithmeticError(f"{wrong.source} contradicts the recursion, so one of them is wrong.")
    return closed_forms(asked.kernel, asked.mixture)


# --- the question ---------------------------------------------------------------------------------------------------


def _question(wanted: Wanted, typed: Typed) -> Question:
    if wanted.kernel not in KERNELS:
        requirement = f"be one of {', '.join(KERNELS)} where n, T or j is a letter"
        raise refusal("--kernel", requirement, wanted.kernel, nearest(wanted.kernel, KERNELS))
    for name in ("weights", "slope", "e", "digits"):
        value = getattr(wanted.numbers, name)
        if value is not None:
            raise refusal(f"--{name}", "be left out where n, T, j or S is a letter", value)
    n = _letter_or_number(wanted.length, "n", 1, typed.name(*LENGTH))
    mixture, T = _mixture(wanted, typed)
    j = None if wanted.entry is None else _entry(wanted.entry, n)
    if not letters(n) and j == N:
        j = n
    return Question(wanted.kernel, mixture, n, j, T)


def _limit_question(wanted: Wanted, typed: Typed) -> Question:
    refuse_beside_limit(wanted, typed)
    mixture, T = _mixture(wanted, typed)
    return Question("uniform", mixture, N, None, T)


def refuse_beside_limit(wanted: Wanted, typed: Typed) -> None:
    """What has no meaning as n → ∞."""
    if wanted.kernel not in ("general", "uniform"):
        raise refusal("--kernel", "be uniform or left out beside --continuous", wanted.kernel)
    left = {typed.name(*LENGTH): wanted.length, "--entry": wanted.entry}
    for name in ("weights", "slope", "e"):
        left[f"--{name}"] = getattr(wanted.numbers, name)
    for name, value in left.items():
        if value is not None:
            raise refusal(name, "be left out beside --continuous", value)


def _letter_or_number(text: str | None, letter: str, least: int, name: str) -> Node:
    if text is None:
        raise flag(name, "be given", "left out")
    if text.strip() == letter:
        return node(letter)
    if not is_number(text):
        raise refusal(name, f"be an integer or the letter {letter}", text)
    value = read_integer(text, name)
    if not least <= value <= MOST:
        raise refusal(name, f"be the letter {letter} or an integer in [{least}, {MOST}]", value)
    return node(value)


def _entry(text: str, n: Node) -> Node:
    if text.strip() in ("j", "n"):
        return node(text.strip())
    if not is_number(text):
        raise refusal("--entry", "be an integer or one of the letters j and n", text)
    value = read_integer(text, "--entry")
    most = int(n.value) if not letters(n) else MOST  # type: ignore[union-attr]
    if not 1 <= value <= most:
        raise refusal("--entry", f"lie in 1..{most}", value)
    return node(value)


def _mixture(wanted: Wanted, typed: Typed) -> tuple[Mixture, Node]:
    """The law of K, and T."""
    name, depth = typed.name(*LAYERS), wanted.numbers.depth
    if depth is not None:
        for other, value in ((name, wanted.layers), ("--lam", wanted.lam)):
            if value is not None:
                raise refusal(other, "be left out beside --depth", value)
        if depth.strip() == "S":
            return Mixture(depth=node("S")), node("T")
        if not is_number(depth):
            raise refusal("--depth", "be a number or the letter S", depth)
        S = read_fraction(depth, "--depth")
        if S < 0:
            raise refusal("--depth", "be at least 0", S)
        return Mixture(depth=node(S)), node("T")
    T = _letter_or_number(wanted.layers, "T", 0, name)
    return Mixture(_share(wanted.lam), None, T), T


def _share(lam: str | None) -> Node | None:
    if lam is None:
        return None
    if lam.strip() == "lambda":
        return node("lambda")
    if not is_number(lam):
        raise refusal("--lam", "be one number, the word lambda or left out where n, T or j is a letter", lam)
    share = read_fraction(lam, "--lam")
    if not 0 <= share <= 1:
        raise refusal("--lam", "lie in [0, 1]", share)
    return node(share)


# --- which forms ----------------------------------------------------------------------------------------------------


def _chosen(asked: Question, forms: tuple[Form, ...]) -> tuple[Form, ...]:
    """The forms for the positions that were asked for, numbers put in."""
    cases = {"all", "inner", "last"}
    if asked.j == N or (asked.j is not None and asked.j == asked.n):
        cases = {"last"}
    elif asked.n == node(1):
        cases = {"all", "last"}
    elif asked.j is not None and not letters(asked.j) and not letters(asked.n):
        cases = {"all", "inner"}
    values = asked.fixed
    return tuple(form.at(values) for form in forms if form.case in cases)
