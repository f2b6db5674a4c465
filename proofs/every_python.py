"""Formulas for every n, T and j as one function of Python: nothing to install, Fractions in, Fractions out.

    def entry(n, lam, j): ...         lam[t-1]; one λ: entry(n, T, lam, j); prefix: w last; alibi: q; content: e
    def entry(n, S, j): ...           continuous depth of the uniform kernel: an mpf at mpmath's precision

The alternating sum U2 loses up to log₂ 3 bits a position; at continuous depth the function works with 2n + 16 more.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofs.every_form import Definition, Form, Mixture
from proofs.every_term import Node, letters, plus
from proofs.every_write import PythonStyle

__all__ = ["as_python"]

_MEANING = {
    "n": "n: the number of positions",
    "T": "T: the number of layers",
    "S": "S: the depth",
    "lam": "lam[t-1] = lambda_t",
    "j": "j: the position, from 1 to n",
    "w": "w[j-1]: the weight of position j",
    "q": "q = exp(slope)",
    "e": "e = exp(content)",
}
_OWN = {"prefix": "w", "alibi": "q", "content": "e"}
_COMPLETE = """\
    @cache
    def row(low, high):
        h = [Fraction(1)] + [Fraction(0)]*(T - 1)
        for i in range(low, high + 1):
            for d in range(1, T):
                h[d] += u(i)*h[d - 1]
        return h

    def complete(degree, low, high):
        return row(low, high)[degree]
"""
_HOPS = """\
    law = [Fraction(1)]
    for x in lam:
        law = [(1 - x)*a + x*b for a, b in zip([*law, 0], [0, *law])]
    hops = law.__getitem__
"""


def as_python(headline: str, kernel: str, forms: Sequence[Form], mixture: Mixture, fixed: dict[str, Node]) -> str:
    """The source of ``entry``. forms : one for all positions, or one for j < n and one for j = n."""
    style = PythonStyle("Fraction" if mixture.depth is None else "mpf")
    free = _arguments(kernel, mixture, fixed)
    told = [f"    {_meaning(x, mixture)}" for x in free]
    exact = "Exact for Fractions." if mixture.depth is None else "An mpf at mpmath's precision."
    lines = [f"def entry({', '.join(free)}):", f'    """{headline}', "", *told, f"    {exact}", '    """']
    body = _exact_body(style, forms, mixture, fixed) if mixture.depth is None else _depth_body(style, forms[0])
    return "\n".join(lines + body)


def _arguments(kernel: str, mixture: Mixture, fixed: dict[str, Node]) -> list[str]:
    names = ["n"]
    if mixture.depth is not None:
        names += ["S"] if letters(mixture.depth) else []
    elif mixture.share is None:
        names.append("lam")
    else:
        names += ["T", *(["lam"] if letters(mixture.share) else [])]
    return [x for x in (*names, "j", *filter(None, [_OWN.get(kernel)])) if x not in fixed]


def _meaning(name: str, mixture: Mixture) -> str:
    return "lam: lambda, the same for every layer" if name == "lam" and mixture.share is not None else _MEANING[name]


def _exact_body(style: PythonStyle, forms: Sequence[Form], mixture: Mixture, fixed: dict[str, Node]) -> list[str]:
    cached = "    from functools import cache"
    lines = ["    from fractions import Fraction", cached, f"    from math import {', '.join(_imports(forms))}", ""]
    lines += _layers(style, mixture, fixed)
    definitions = {d.name: d for form in forms for d in form.definitions if d.name not in ("z", "g")}
    if "w" in definitions:  # weights that are a formula: a list like those that are given
        lines += [f"    w = [{style.show(_weight(definitions.pop('w')))} for j in range(1, {_last(style, fixed)})]"]
    for d in definitions.values():
        lines += ["", "    @cache", f"    def {d.name}({d.letter}):", f"        return {style.show(d.body)}"]
    names = set().union(*(letters(form.body) for form in forms))
    if "complete" in names:
        lines += ["", _COMPLETE.rstrip()]
    if "hops" in names:
        lines += ["", _HOPS.rstrip()]
    lines.append("")
    at, end = style.show(fixed.get("j", _J)), style.show(fixed.get("n", _N))
    lines.append(f"    if not 1 <= {at} <= {end}:")
    lines.append("        raise ValueError('j must lie in 1..n')")
    for form in forms:
        if form.case == "last" and len(forms) > 1:
            lines += [f"    if {at} == {end}:", f"        return Fraction({style.show(form.body)})"]
    first = next(form for form in forms if form.case != "last" or len(forms) == 1)
    return [*lines, f"    return Fraction({style.show(first.body)})"]


_J, _N = plus("j"), plus("n")


def _imports(forms: Sequence[Form]) -> list[str]:
    from proofs.every_write import TextStyle

    shown = " ".join(TextStyle().show(form.body) for form in forms)
    return (["comb"] if "binom" in shown else []) + ["prod"]


def _layers(style: PythonStyle, mixture: Mixture, fixed: dict[str, Node]) -> list[str]:
    """T, and whether λ is given for each layer."""
    if "T" not in fixed:
        return ["    T = len(lam)"] if mixture.share is None else []
    lines = [f"    T = {style.show(fixed['T'])}"]
    if mixture.share is None:
        lines += ["    if len(lam) != T:", "        raise ValueError('lam must have T entries')"]
    return lines


def _last(style: PythonStyle, fixed: dict[str, Node]) -> str:
    return style.show(plus(fixed.get("n", _N), 1))


def _weight(own: Definition) -> Node:
    from proofs.every_term import put

    return put(own.body, {own.letter: _J})


def _depth_body(style: PythonStyle, form: Form) -> list[str]:
    return [
        "    from math import comb",
        "",
        "    from mpmath import exp, mp, mpf, workprec",
        "",
        "    if not 1 <= j <= n:",
        "        raise ValueError('j must lie in 1..n')",
        "    with workprec(mp.prec + 2*n + 16):",
        f"        p = {style.show(form.body)}",
        "    return +p",
    ]
