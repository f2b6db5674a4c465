"""Formulas for every n, T and j against the recursion: the object that is printed is the one that is evaluated here.

Layers: equality in Fractions with e_n R_T ⋯ R_1 for every kernel, from its matrices. Continuous depth: both sides in
balls, e^{S(A − I)} by C1, U6 (`numeric.decimal_form`); a sum without an end is cut at 60 terms, S ≤ 2, where
the rest, P(K > 60), is below 2^60/60! < 10^−63.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from proofs.every_form import Form
from proofs.every_term import Node, letters
from proofs.every_value import Setting, value

__all__ = ["CUT", "agrees_at_depth", "agrees_with_recursion", "failures", "positions_of", "setting_of"]

SIZES = ((1, 2), (2, 3), (3, 2), (5, 3), (4, 0))
CUT, BITS, NEAR = 60, 512, Fraction(1, 10**60)
WEIGHTS = tuple(Fraction(x) for x in (2, 2, 4, 5, Fraction(1, 2)))  # W_2/w_2 = W_3/w_3: a confluent node
LAM = (Fraction(2, 7), Fraction(1), Fraction(3, 5))
ONE_SHARE, Q, E, S = Fraction(3, 7), Fraction(3, 2), Fraction(5, 3), Fraction(7, 4)


def positions_of(form: Form, n: int) -> range:
    """The positions that a form is for."""
    return {"all": range(1, n + 1), "inner": range(1, n), "last": range(n, n + 1)}[form.case]


def setting_of(form: Form, numbers: Mapping[str, Any], lam: tuple[Fraction, ...], w: tuple[Fraction, ...]) -> Setting:
    """The letters as numbers, rationals throughout."""
    return Setting({"q": Q, "e": E, **numbers}, {"lambda": lam, "w": w}, form.meanings)


def agrees_with_recursion(kernel: str, form: Form, share: Node | None = None) -> bool:
    """Whether the form, letters n, T and j, gives e_n R_T ⋯ R_1 in Fractions; ``share``: λ of every layer."""
    from numeric.exact import exact_profile

    for n, T in SIZES:
        lam = LAM[:T]
        if share is not None:
            one = ONE_SHARE if letters(share) else value(share, Setting({}))
            lam = (Fraction(one),) * T
        p = exact_profile([_matrix(kernel, n)] * T, lam, n=n)
        numbers = {"n": n, "T": T, "lambda": ONE_SHARE}
        for j in positions_of(form, n):
            try:
                if value(form.body, setting_of(form, {**numbers, "j": j}, lam, WEIGHTS)) != p[j - 1]:
                    return False
            except ZeroDivisionError:
                return False
    return True


def _matrix(kernel: str, n: int) -> tuple[tuple[Fraction, ...], ...]:
    """A from its definition."""
    e = E if kernel == "content" else Fraction(1)
    w = {"prefix": WEIGHTS[:n], "alibi": [Q**k for k in range(n)]}.get(kernel, [Fraction(1)] * n)
    rows = []
    for i in range(n):
        masses = [*w[:i], e * w[i]]
        rows.append((*(m / sum(masses) for m in masses), *[Fraction(0)] * (n - i - 1)))
    return tuple(rows)


def agrees_at_depth(kernel: str, form: Form, depth: Fraction = S) -> bool:
    """Whether the form, letters n, j and S, gives e_n e^{S(A − I)} in balls, to 60 decimals."""
    from numeric.ball import precision
    from numeric.ball_kernel import to_ball
    from numeric.decimal_form import ball_entry
    from numeric.entry_law import Depth
    from numeric.prefix_form import PrefixRows

    for n in (1, 2, 5):
        weights = {"prefix": _distinct(n), "alibi": [Q**k for k in range(n)]}.get(kernel)
        rows = PrefixRows(weights, E if kernel == "content" else 1)
        for j in positions_of(form, n):
            wanted = ball_entry(rows, Depth(depth), n=n, j=j, prec=BITS)
            with precision(BITS):
                numbers = {"n": n, "j": j, "S": to_ball(depth), "q": to_ball(Q), "e": to_ball(E), "infinity": CUT}
                lists = {"w": [to_ball(x) for x in weights or ()]}
                found = value(form.body, Setting(numbers, lists, form.meanings, to_ball, _functions()))
                if not abs(found - wanted) < to_ball(NEAR):
                    return False
    return True


def _distinct(n: int) -> list[Fraction]:
    """Weights whose W_k/w_k differ: balls do not tell a confluent node."""
    return [Fraction(k * k + 1) for k in range(n)]


def _functions() -> dict[str, Any]:
    from numeric.ball_kernel import to_ball

    return {"exp": lambda x: to_ball(x).exp(), "ln": lambda x: to_ball(x).log(), "sqrt": lambda x: to_ball(x).sqrt()}


def failures(kernel: str, forms: tuple[Form, ...], share: Node | None, depth: bool) -> Iterator[Form]:
    """The forms that do not agree."""
    for form in forms:
        good = agrees_at_depth(kernel, form) if depth else agrees_with_recursion(kernel, form, share)
        if not good:
            yield form
