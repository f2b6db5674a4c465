r"""Formulas for every n, T and j as they are displayed, in text, LaTeX, Python and JSON.

p_{j}=\binom{n-1}{j-1}\,\sum_{k=0}^{n-j} …  for 1 \le j \le n, and what its letters stand for
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numeric.refuse import flag
from proofs.every_form import Definition, Form, Mixture
from proofs.every_latex import LatexStyle, aligned, latex
from proofs.every_term import Call, Node, Power, at, letters, node
from proofs.every_write import Style, TextStyle
from proofs.latex_math import unmarked

__all__ = ["J", "N", "Question", "as_data", "as_function", "as_latex", "as_text", "rows"]

J, N = node("j"), node("n")


@dataclass(frozen=True)
class Question:
    """What was asked: numbers put in for letters, and the law of K."""

    kernel: str
    mixture: Mixture
    n: Node
    j: Node | None  # None: every position
    T: Node

    @property
    def fixed(self) -> dict[str, Node]:
        """The letters that are numbers."""
        given = {"n": self.n, "T": self.T, "j": J if self.j is None or self.j == N else self.j}
        return {name: x for name, x in given.items() if not letters(x)}


def _position(asked: Question, form: Form) -> Node:
    if form.case == "last":
        return asked.n
    return asked.fixed.get("j", J)


def _where(asked: Question, form: Form) -> str:
    """For which positions a form is."""
    n, j = (TextStyle().show(x) for x in (asked.n, asked.fixed.get("j", J)))
    if form.case in ("density", "atom", "moment"):
        return {"density": "density, 0 < x < 1", "atom": "atom at x = 1", "moment": "moment r, the atom included"}[
            form.case
        ]
    if form.case == "last":
        return f"j = {n}"
    sign = "<=" if form.case == "all" else "<"
    if not j.isdecimal():
        return f"1 <= j {sign} {n}"
    return f"j = {j}" if n.isdecimal() else f"n {'>=' if sign == '<=' else '>'} {j}"


def _headline(asked: Question, limit: bool) -> str:
    size = [f"n = {TextStyle().show(asked.n)}"] if not letters(asked.n) else ["every n"]
    mixture = asked.mixture
    if mixture.depth is not None:
        S = TextStyle().show(mixture.depth)
        size.append("every S" if S == "S" else f"S = {S}")
        what = "last row p of exp(S (A - I))"
    else:
        T = TextStyle().show(asked.T)
        size.append("every T" if T == "T" else f"T = {T}")
        what = "last row p of R_T ... R_1, R_t = (1 - λ_t) I + λ_t A_t"
    if limit:
        return f"limit n -> infinity of n p_j at x = j/n, {what}; {size[1]}; uniform kernel"
    shared = "" if asked.kernel == "uniform" else ", shared by the layers"
    return f"{what}; {', '.join(size)}; {asked.kernel} kernel{shared}"


def _about(asked: Question) -> list[str]:
    about = {
        "uniform": "A[i, j] = 1/i",
        "prefix": "A[i, j] = w_j/(w_1 + ... + w_i)",
        "alibi": "A[i, j] = q^(j-1)/(1 + q + ... + q^(i-1)), q = exp(m), m the slope",
        "content": "A[i, i] = e/(i-1+e), A[i, j] = 1/(i-1+e) for j < i, e = exp(d), d the content",
    }
    share = asked.mixture.share
    return [about[asked.kernel], *([] if share is None else [f"λ_t = {TextStyle().show(share)} for every layer"])]


def _name(asked: Question, form: Form, style: Style) -> str:
    match form.case:
        case "density":
            return _shown(style, Call("f", (node("x"),)))
        case "atom":
            return _shown(style, node("a"))
        case "moment":
            return r"E(X^{r})" if isinstance(style, LatexStyle) else "E X^r"
    return _shown(style, at("p", _position(asked, form)))


def _shown(style: Style, tree: Node) -> str:
    return latex(tree) if isinstance(style, LatexStyle) else style.show(tree)


def _meanings(asked: Question, forms: tuple[Form, ...], style: Style) -> list[tuple[str, str]]:
    """What letters and functions stand for, each once: the left and the right side; the right one may carry marks."""
    pairs = [(_defined(d), style.show(d.body)) for form in forms for d in form.definitions]
    names = frozenset[str]().union(*(letters(form.body) for form in forms))
    if "hops" in names:
        law = style.joined([_coefficient(style), style.show(Mixture(None, None, asked.T).phi("x"))])
        pairs.append((Call("hops", (node("k"),)), law))
    if "complete" in names:
        pairs.append((Call("complete", (node("d"), J, N)), style.several))
    if "divided" in names:
        pairs.append((Call("divided", (J, N)), style.divided))
    if "bessel" in names:
        pairs.append((node("bessel"), style.modified))
    return list(dict.fromkeys((_shown(style, left), right) for left, right in pairs))


def _defined(d: Definition) -> Node:
    """What is defined: g(z), u_i or L."""
    if d.called:
        return Call(d.name, (node(d.letter),))
    return at(d.name, d.letter) if d.letter else node(d.name)


def _coefficient(style: Style) -> str:
    return f"[{_shown(style, Power(node('x'), node('k')))}]"


def as_text(asked: Question, forms: tuple[Form, ...], limit: bool) -> str:
    style = TextStyle()
    lines = [_headline(asked, limit), *_about(asked), ""]
    for form in forms:
        lines.append(f"{form.source}, {_where(asked, form)}:")
        lines.append(f"    {_name(asked, form, style)} = {style.show(form.body)}")
    meanings = _meanings(asked, forms, style)
    if meanings:
        lines += ["where", *(f"    {left} = {right}" for left, right in meanings)]
    return "\n".join(lines)


def as_latex(asked: Question, forms: tuple[Form, ...], limit: bool) -> str:
    """A display; the first lines are comments that say what it is."""
    notes = [f"% {line.replace('λ', 'lambda')}" for line in (_headline(asked, limit), *_about(asked))]
    return "\n".join([*notes, r"\begin{align*}", rows(asked, forms), r"\end{align*}"])


def rows(asked: Question, forms: tuple[Form, ...]) -> str:
    """The rows of an align* environment: each form, then what its letters stand for."""
    style = LatexStyle()
    shown = [
        aligned(_name(asked, form, style), style.show(form.body), _place(asked, form), form.source) for form in forms
    ]
    shown += [aligned(left, right) for left, right in _meanings(asked, forms, style)]
    return " \\\\\n".join(shown)


def _place(asked: Question, form: Form) -> str:
    """For which positions, where the name of the entry does not say it."""
    if form.case in ("density", "atom", "moment"):
        named = {"density": r"\text{for }0<x<1", "atom": r"\text{(the atom)}", "moment": r"\text{(the moments)}"}
        return named[form.case]
    where = _where(asked, form).replace(" ", "").replace("<=", r"\le ").replace(">=", r"\ge ")
    return "" if where.startswith("j=") else rf"\text{{for }}{where}"


def as_function(asked: Question, forms: tuple[Form, ...], limit: bool) -> str:
    from proofs.every_python import as_python

    if limit or (asked.mixture.depth is not None and asked.kernel != "uniform"):
        what = "a limit" if limit else f"continuous depth of the {asked.kernel} kernel"
        raise flag("--format", "be text, latex or json here", "python", what)
    if asked.mixture.depth is None:
        wanted = tuple(form for form in forms if form.case != "all")
        if asked.j == N:
            wanted = tuple(form for form in wanted if form.case == "last")
    else:
        wanted = tuple(form for form in forms if form.case == "all")
    fixed = asked.fixed | ({"j": asked.n} if asked.j == N else {})
    exact = asked.mixture.depth is None
    values = {name: x for name, x in fixed.items() if exact and letters(x) == frozenset()}
    headline = _headline(asked, limit).replace("λ", "lambda")
    return as_python(
        headline, asked.kernel, [form.at(values) for form in wanted], asked.mixture, fixed if exact else {}
    )


def as_data(asked: Question, forms: tuple[Form, ...], limit: bool) -> dict[str, Any]:
    text, marked = TextStyle(), LatexStyle()
    share, depth = asked.mixture.share, asked.mixture.depth
    lam = None if depth is not None else "lambda_t" if share is None else text.show(share).replace("λ", "lambda")
    return {
        "n": "infinity" if limit else _plain(asked.n),
        "T": None if depth is not None else _plain(asked.T),
        "kernel": asked.kernel,
        "shared": True,
        "eliminate": None,
        "lam": lam,
        "depth": None if depth is None else text.show(depth),
        "sum": None,
        "entries": [
            {
                "position": form.case if limit else _plain(_position(asked, form)),
                "where": _where(asked, form),
                "statement": form.source,
                "text": text.show(form.body),
                "latex": latex(form.body),
                "terms": None,
                "meanings": [
                    {"text": " = ".join(x), "latex": unmarked(" = ".join(y))}
                    for x, y in zip(_meanings(asked, (form,), text), _meanings(asked, (form,), marked), strict=True)
                ],
            }
            for form in forms
        ],
    }


def _plain(tree: Node) -> int | str:
    shown = TextStyle().show(tree)
    return int(shown) if shown.isdecimal() else shown
