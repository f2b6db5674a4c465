"""``posbias derive`` where n, T, the entry or the depth is a letter: formulas for every n, T and j, or for n → ∞."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from numeric.number import is_number, read_fraction, read_integer
from numeric.refuse import flag, refusal
from proofs.commands.derive_options import Wanted
from proofs.commands.options import Typed
from proofs.every_form import KERNELS, Definition, Form, Mixture, closed_forms, limit_forms
from proofs.every_term import Node, letters, node
from proofs.every_write import LatexStyle, Style, TextStyle
from proofs.output import Outcome, as_json, write_stream

__all__ = ["refuse_beside_limit", "run"]

LENGTH, LAYERS = ("-n", "--length"), ("-T", "--layers")
MOST = 10**9  # a number put in for a letter
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


def run(wanted: Wanted, typed: Typed, form_of: str) -> Outcome:
    """The formulas in the format wanted; on standard error, what they were compared with."""
    asked = _limit_question(wanted, typed) if wanted.continuous else _question(wanted, typed)
    forms = limit_forms(asked.mixture) if wanted.continuous else _confirmed(asked)
    if form_of == "python":
        return Outcome(_python(asked, forms, wanted.continuous))
    chosen = forms if wanted.continuous else _chosen(asked, forms)
    if form_of == "json":
        return Outcome(as_json(_json(asked, chosen, wanted.continuous)))
    if not wanted.continuous:
        where = "e^(S(A - I)) in balls" if asked.mixture.depth is not None else "the recursion in rationals"
        write_stream(sys.stderr, f"formulas: equal to {where} at n up to 5, checked")
    return Outcome((_text if form_of == "text" else _latex)(asked, chosen, wanted.continuous))


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
        raise refusal("--kernel", f"be one of {', '.join(KERNELS)} where n, T or j is a letter", wanted.kernel)
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


# --- text, LaTeX, Python, JSON --------------------------------------------------------------------------------------


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


def _text(asked: Question, forms: tuple[Form, ...], limit: bool) -> str:
    style = TextStyle()
    lines = [_headline(asked, limit), *_about(asked), ""]
    for form in forms:
        lines.append(f"{form.source}, {_where(asked, form)}:")
        lines.append(f"    {_name(asked, form, style)} = {style.show(form.body)}")
    meanings = _meanings(asked, forms, style)
    if meanings:
        lines += ["where", *(f"    {line}" for line in meanings)]
    return "\n".join(lines)


def _latex(asked: Question, forms: tuple[Form, ...], limit: bool) -> str:
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


def _python(asked: Question, forms: tuple[Form, ...], limit: bool) -> str:
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


def _json(asked: Question, forms: tuple[Form, ...], limit: bool) -> dict[str, Any]:
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
