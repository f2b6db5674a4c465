"""Formulas of ``posbias derive`` for every n, T and j as text, LaTeX, Python and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numeric.refuse import flag
from proofs.every_form import Definition, Form, Mixture
from proofs.every_term import Node, letters, node
from proofs.every_write import LatexStyle, Style, TextStyle

__all__ = ["J", "N", "Question", "as_data", "as_function", "as_latex", "as_text"]

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
    latex = isinstance(style, LatexStyle)
    if form.case in ("density", "atom", "moment"):
        moment = r"E\left(X^{r}\right)" if latex else "E X^r"
        return {"density": "f(x)" if not latex else r"f\left(x\right)", "atom": "a", "moment": moment}[form.case]
    shown = style.show(_position(asked, form))
    return f"p_{{{shown}}}" if latex else f"p_{shown}"


def _defined(d: Definition, style: Style) -> str:
    latex = isinstance(style, LatexStyle)
    letter = style.show(node(d.name))
    if d.called:
        return (rf"{letter}\left({d.letter}\right)" if latex else f"{letter}({d.letter})") + f" = {style.show(d.body)}"
    index = f"_{{{d.letter}}}" if latex else f"_{d.letter}"
    return f"{letter}{index if d.letter else ''} = {style.show(d.body)}"


def _meanings(asked: Question, forms: tuple[Form, ...], style: Style) -> list[str]:
    """What letters and functions stand for, each once."""
    latex = isinstance(style, LatexStyle)
    found = list(dict.fromkeys(_defined(d, style) for form in forms for d in form.definitions))
    names = frozenset[str]().union(*(letters(form.body) for form in forms))
    if "hops" in names:
        product = style.show(Mixture(None, None, asked.T).phi("x"))
        found.append(rf"P\left(K=k\right) = [x^{{k}}] {product}" if latex else f"P(K = k) = [x^k] {product}")
    if "complete" in names:
        found.append(
            r"h_{d}\left(u_{j},\ldots,u_{n}\right) = "
            r"\sum_{j\le i_{1}\le\cdots\le i_{d}\le n} u_{i_{1}}\cdots u_{i_{d}}"
            if latex
            else "h_d(u_j, ..., u_n) = sum of u_{i_1} ... u_{i_d} over j <= i_1 <= ... <= i_d <= n"
        )
    if "divided" in names:
        found.append(
            r"g\left[z_{j},\ldots,z_{n}\right] = \text{the divided difference, confluent where nodes coincide}"
            if latex
            else "g[z_j, ..., z_n] = divided difference of g, confluent where nodes coincide"
        )
    if "bessel" in names:
        found.append(r"I_{1} = \text{the modified Bessel function}" if latex else "I_1 = the modified Bessel function")
    return found


def as_text(asked: Question, forms: tuple[Form, ...], limit: bool) -> str:
    style = TextStyle()
    lines = [_headline(asked, limit), *_about(asked), ""]
    for form in forms:
        lines.append(f"{form.source}, {_where(asked, form)}:")
        lines.append(f"    {_name(asked, form, style)} = {style.show(form.body)}")
    meanings = _meanings(asked, forms, style)
    if meanings:
        lines += ["where", *(f"    {line}" for line in meanings)]
    return "\n".join(lines)


def as_latex(asked: Question, forms: tuple[Form, ...], limit: bool) -> str:
    style = LatexStyle()
    notes = [f"% {line.replace('λ', 'lambda')}" for line in (_headline(asked, limit), *_about(asked))]
    rows = []
    for form in forms:
        where = _where(asked, form).replace("<=", r"\le").replace(">=", r"\ge")
        where = f"{where}" if form.case in ("all", "inner", "last") else rf"\text{{{where.split(',')[0]}}}"
        rows.append(rf"  {_name(asked, form, style)}&={style.show(form.body)} && {where}\quad\text{{({form.source})}}")
    for line in _meanings(asked, forms, style):
        left, _, right = line.partition(" = ")
        rows.append(f"  {left}&={right}")
    return "\n".join([*notes, r"\begin{align*}", " \\\\\n".join(rows), r"\end{align*}"])


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
    text, latex = TextStyle(), LatexStyle()
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
                "latex": latex.show(form.body),
                "terms": None,
                "meanings": [
                    {"text": x, "latex": y}
                    for x, y in zip(_meanings(asked, (form,), text), _meanings(asked, (form,), latex), strict=True)
                ],
            }
            for form in forms
        ],
    }


def _plain(tree: Node) -> int | str:
    shown = TextStyle().show(tree)
    return int(shown) if shown.isdecimal() else shown
