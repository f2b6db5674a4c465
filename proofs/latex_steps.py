r"""A derivation in LaTeX: every step a display with a number, and the reason as the checker was given it.

    under the product.
    (D1.2)    F_{NP}(i,k) <= F_P(i,k)
          The right side minus the left side is a sum of terms, each with the facts that make it nonnegative or zero.

Numbers are paths (D1.2.1 is the first step inside D1.2), so they are unique in a document and stable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from proofs.cited import Assumed, Fixed, cited, item_value, named, opened, relation_of
from proofs.latex_lines import equation
from proofs.latex_math import LatexWriter, displayed, escaped, inline, latex, sentence
from proofs.outside import OUTSIDE
from proofs.render_formula import kind
from proofs.sameness import opposite
from proofs.steps import (
    Absurd,
    Antisymmetry,
    Archimedes,
    Both,
    Cases,
    Chain,
    Compared,
    Either,
    Exponential,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Invert,
    Item,
    Nonnegative,
    Obtain,
    Outside,
    Step,
    Use,
    Witness,
)
from proofs.term import And, Exists, ExistsFn, Fn, ForAll, ForAllFn, Formula, Holds, Implies, Num, Range, Relation

__all__ = ["Fact", "Proof", "joined", "mark", "point"]


@dataclass(frozen=True)
class Fact:
    """A formula that may be cited, and the LaTeX that refers to it."""

    formula: Formula
    reference: str


Facts = Mapping[str, Fact]


def mark(label: str, number: str) -> str:
    """A number in brackets that `point` can refer to."""
    return f"\\posbiasmark{{{label}}}{{{number}}}"


def point(label: str) -> str:
    """A reference to an equation or a mark."""
    return f"\\eqref{{{label}}}"


def joined(parts: Sequence[str]) -> str:
    """a, b and c."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


@dataclass
class Proof:
    """Writes the derivation of one statement; ``lines`` is what has been written, ``shown`` each displayed formula with
    the LaTeX that displays it.
    """

    id: str
    writer: LatexWriter
    hypotheses: Mapping[str, Fact]
    conclusion: Formula
    lines: list[str] = field(default_factory=list)
    shown: list[tuple[Formula, str]] = field(default_factory=list)

    def label(self, number: str) -> str:
        """The LaTeX label of a numbered thing."""
        return f"posbias:{number}"

    def steps(
        self, steps: tuple[Step, ...], path: str, facts: Facts, first: int = 1, goal: Fact | None = None
    ) -> Facts:
        """The steps in order; each is known to those after it.  ``goal`` is displayed already where they begin."""
        for number, step in enumerate(steps, start=first):
            facts = {**facts, step.label: self._step(step, f"{path}.{number}", facts, goal)}
        return facts

    def _step(self, step: Step, number: str, facts: Facts, goal: Fact | None) -> Fact:
        self.lines.append(f"\n\\posbiasstep{{{escaped(step.label)}}}")
        under, formula = self._under(step.formula)
        if step.formula == self.conclusion:
            self.lines.append(f"{mark(self.label(number), number)} The theorem.")
        elif goal is not None and step.formula == goal.formula:
            self.lines.append(f"{mark(self.label(number), number)} The goal {goal.reference}.")
        else:
            self.lines += [f"Under {joined(under)}:"] if under else []
            self.lines.append(self._display(formula, number))
        self._reason(step, number, facts)
        return Fact(step.formula, point(self.label(number)))

    def _under(self, formula: Formula) -> tuple[list[str], Formula]:
        """The hypotheses of the theorem that a step assumes, by reference, and what it states under them."""
        known = {fact.formula: fact.reference for fact in self.hypotheses.values()}
        references = []
        while isinstance(formula, Implies) and formula.hypothesis in known:
            references.append(known[formula.hypothesis])
            formula = formula.body
        return references, formula

    def _display(self, formula: Formula, number: str) -> str:
        core = formula
        while isinstance(core, ForAll):
            core = core.body
        if isinstance(
            core, (And, Implies, ForAllFn, Exists, ExistsFn)
        ):  # prose with formulas in it: a paragraph that has a number
            prose = sentence(formula, self.writer)
            body = f"\\begin{{minipage}}{{0.82\\linewidth}}\\raggedright {prose}\\end{{minipage}}"
        else:
            body = displayed(formula, self.writer)
        display = equation(body, number, self.label(number))
        self.shown.append((formula, display))
        return display

    # --- reasons ----------------------------------------------------------------------------------------------------

    def _reason(self, step: Step, number: str, facts: Facts) -> None:
        match step.reason:
            case Identity(modulo):
                self._certificate(step.formula, (), modulo, facts)
            case Nonnegative(products, modulo):
                self._certificate(step.formula, products, modulo, facts)
            case Invert(positive):
                self.lines.append(f"The divisor is positive by {self._citation(positive, facts)}.")
            case Antisymmetry(upper, lower):
                cited = joined([self._citation(upper, facts), self._citation(lower, facts)])
                self.lines.append(f"Each side is at most the other, by {cited}.")
            case Absurd(source):
                self.lines.append(f"This case does not occur: {self._citation(source, facts)} is false.")
            case Compared(source):
                self.lines.append(f"The two values compare by {self._citation(source, facts)}.")
            case Chain(links):
                self._chain(links, facts)
            case Instantiate(source):
                self.lines.append(f"It is {self._citation(source, facts)}.")
            case Both(labels):
                self.lines.append(f"Part by part, it is {joined([self._reference(x, facts) for x in labels])}.")
            case Generalise(fix, steps):
                self._generalise(step.formula, fix, steps, number, facts)
            case Cases(left, right, at_most, greater):
                low, high = latex(left, self.writer), latex(right, self.writer)
                self._branch(f"Case ${low}\\le {high}$.", at_most, number, facts, 1)
                self._branch(f"Case ${low}>{high}$.", greater, number, facts, 1 + len(at_most))
            case Either(claim, name, if_true, if_false):
                self._real_branch(name, claim, "a", if_true, number, facts, 1)
                self._real_branch(name, opposite(claim), "b", if_false, number, facts, 1 + len(if_true))
            case Exponential(modulo, positive):
                known = f", with a positive argument by {self._citation(positive, facts)}" if positive else ""
                self._exponential(f"By the definition of $\\exp$ and $\\ln$ {known}".rstrip(), modulo, facts)
            case Archimedes():
                self.lines.append("Some natural number is at least as large.")
            case Outside(name):
                self.lines.append(f"A classical fact: {escaped(name)}; {escaped(OUTSIDE[name].source)}.")
            case Witness(at, label):
                self.lines.append(f"{inline(latex(at, self.writer))} is one, by {self._reference(label, facts)}.")
            case Obtain():
                self._obtain(step.reason, number, facts)
            case Induction(hypothesis, base, steps):
                self._induction(step.formula, hypothesis, base, steps, number, facts)

    def _branch(self, head: str, steps: tuple[Step, ...], number: str, facts: Facts, first: int) -> None:
        self.lines.append(f"\n\\posbiasbranch{{{head}}}")
        if steps:
            self.steps(steps, number, facts, first)
        else:
            self.lines.append("This case does not occur.")

    def _real_branch(
        self,
        name: str,
        fact: Formula | None,
        which: str,
        steps: tuple[Step, ...],
        number: str,
        facts: Facts,
        first: int,
    ) -> None:
        assert fact is not None
        own = f"{number}{which}"
        known = {**facts, name: Fact(fact, point(self.label(own)))}
        self._branch(f"Case {mark(self.label(own), own)}: {sentence(fact, self.writer)}.", steps, number, known, first)

    def _exponential(self, head: str, modulo: tuple[Item, ...], facts: Facts) -> None:
        terms = joined([self._item(i, facts, "is $0$") for i in modulo])
        self.lines.append(f"{head}; the exponents differ by {terms}." if modulo else f"{head}.")

    def _obtain(self, reason: Obtain, number: str, facts: Facts) -> None:
        found = cited(reason.source, {label: fact.formula for label, fact in facts.items()})[0]
        own, name = f"{number}o", inline(self.writer.name(reason.name))
        known = named(found, reason.name)
        if known is None:
            return
        states = sentence(known, self.writer)
        self.lines.append(
            f"By {self._citation(reason.source, facts)} there is such a {name}; "
            f"{mark(self.label(own), own)} it satisfies {states}."
        )
        self.steps(reason.steps, number, {**facts, reason.label: Fact(known, point(self.label(own)))})

    def _certificate(
        self, formula: Formula, products: tuple[Item, ...], modulo: tuple[Item, ...], facts: Facts
    ) -> None:
        ranges, relation = relation_of(formula)
        if isinstance(formula, Holds) or _inner_holds(formula):
            self.lines.append(f"That is: {self._quantified(ranges, relation)}.")
        if not products and not modulo:
            self.lines.append("Both sides expand, by their definitions, to the same finite sum.")
            return
        strict = isinstance(relation, Relation) and relation.op == "<"
        items = [self._item(i, facts, self._sign(i, facts, strict)) for i in products]
        items += [self._item(i, facts, "is $0$") for i in modulo]
        head = "The right side minus the left side is "
        if len(items) == 1:
            self.lines.append(f"{head}{items[0]}.")
            return
        body = [f"  \\item {i}{';' if i is not items[-1] else '.'}" for i in items]
        self.lines += [f"{head}the sum of", r"\begin{itemize}\itemsep=4pt", *body, r"\end{itemize}"]

    def _quantified(self, ranges: list[Range], formula: Formula) -> str:
        shown = sentence(formula, self.writer)
        return f"{shown} for {inline(self.writer.ranges(ranges))}" if ranges else shown

    def _item(self, item: Item, facts: Facts, sign: str) -> str:
        value = item_value(item, {label: fact.formula for label, fact in facts.items()})
        shown = inline(f"\\displaystyle {self.writer.term(value)}") if value is not None else "a term"
        reasons = joined([self._citation(u, facts) for u in item.uses])
        return f"{shown}, which {sign} {f'by {reasons}' if reasons else 'by its form'}"

    def _sign(self, item: Item, facts: Facts, strict: bool) -> str:
        """What a product is known to be; positive where that is needed and everything cited for it is strict."""
        known = {label: fact.formula for label, fact in facts.items()}
        cites = [relation_of(found)[1] if (found := cited(u, known)[0]) is not None else None for u in item.uses]
        positive = strict and not item.over and all(isinstance(c, Relation) and c.op == "<" for c in cites)
        return "is $>0$" if positive and isinstance(item.times, Num) else "is $\\ge 0$"

    def _chain(self, links: tuple[Use, ...], facts: Facts) -> None:
        known = {label: fact.formula for label, fact in facts.items()}
        shown = []
        for link in links:
            formula = cited(link, known)[0]
            ranges, relation = relation_of(formula) if formula is not None else ([], None)
            states = f"{self._quantified(ranges, relation)}, " if isinstance(relation, Relation) else ""
            shown.append(f"{states}{self._citation(link, facts)}")
        if len(links) == 1:
            self.lines.append(f"It is {self._citation(links[0], facts)}.")
        else:
            self.lines.append(f"Add up {'; '.join(shown)}.")

    def _reference(self, label: str, facts: Facts) -> str:
        return facts[label].reference if label in facts else escaped(label)

    def _citation(self, use: Use, facts: Facts) -> str:
        """The cited fact by reference: which part of it, with what filled in, and by what its hypotheses hold."""
        shown = self._reference(use.fact, facts)
        if use.parts:
            shown = f"\\emph{{{escaped(', '.join(use.parts))}}} of {shown}"
        _, filled = cited(use, {label: f.formula for label, f in facts.items()})
        given = [(self.writer.name(f.name), self.writer.fn(f.value)) for f in filled if isinstance(f.value, Fn)]
        functions = [inline(f"{name}:={value}") for name, value in given if name != value]
        functions += [inline(self.writer.fn(fn)) for fn in use.fns[len(given) :]]  # of a fact that is not known here
        if functions:
            shown += f" with {joined(functions)}"
        if use.at:
            shown += f" at {inline(self.writer.comma.join(self.writer.ix(a) for a in use.at))}"
        if use.given:
            shown += f", whose hypotheses hold by {joined([self._citation(g, facts) for g in use.given])}"
        return shown

    # --- skeleton ---------------------------------------------------------------------------------------------------

    def _generalise(
        self, formula: Formula, fix: tuple[str, ...], steps: tuple[Step, ...], number: str, facts: Facts
    ) -> None:
        introduced, remains = opened(formula, fix)
        fixed = [self._fixed(x) for x in introduced if isinstance(x, Fixed)]
        assumed, letters = [], iter("abcdefghijklmnopqrstuvwxyz")
        for hypothesis in introduced:
            if not isinstance(hypothesis, Assumed):
                continue
            known = self.hypotheses.get(hypothesis.label)
            if known is None or known.formula != hypothesis.formula:
                own = f"{number}{next(letters)}"
                known = Fact(hypothesis.formula, point(self.label(own)))
                states = sentence(hypothesis.formula, self.writer)
                assumed.append(f"{mark(self.label(own), own)} that {states}")
            facts = {**facts, hypothesis.label: known}
        parts = [f"Fix {joined(fixed)}"] if fixed else []
        parts += [f"{'a' if fixed else 'A'}ssume {joined(assumed)}"] if assumed else []
        self.lines += [f"{joined(parts)}."] if parts else []
        self.steps(steps, number, facts, goal=None if parts else Fact(remains, point(self.label(number))))

    def _fixed(self, fixed: Fixed) -> str:
        if isinstance(fixed.what, Range):
            return inline(self.writer.range(fixed.what))
        return f"a {kind(fixed.what.arity)} {inline(self.writer.name(fixed.what.name))}"

    def _induction(
        self,
        formula: Formula,
        hypothesis: str,
        base: tuple[Step, ...],
        steps: tuple[Step, ...],
        number: str,
        facts: Facts,
    ) -> None:
        (rng, *_), _ = relation_of(formula)
        body = formula.body if isinstance(formula, ForAll) else formula
        var = self.writer.name(rng.var)
        self._branch(f"Induction on ${var}$, base: ${var}={latex(rng.low, self.writer)}$.", base, number, facts, 1)
        own = f"{number}h"
        below = Range(rng.var, rng.low, None if rng.high is None else rng.high - 1)
        known = {**facts, hypothesis: Fact(body, point(self.label(own)))}
        states = sentence(body, self.writer)
        head = f"Induction step, for {inline(self.writer.range(below))}."
        self.lines.append(f"\n\\posbiasbranch{{{head}}} Assume {mark(self.label(own), own)} that {states}.")
        self.steps(steps, number, known, 1 + len(base))


def _inner_holds(formula: Formula) -> bool:
    while isinstance(formula, ForAll):
        formula = formula.body
    return isinstance(formula, Holds)
