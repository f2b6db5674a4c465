"""The statements beside the figures of the page: claims as MathML, and what the checker says of them when it is made.

Claims are printed from the claim objects, as in the derivations document; of a long statement the parts that the figure
shows. The derivation of each, and of what it cites, is checked anew; the other kinds of evidence are left to
``posbias verify``, and the page says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from numeric.refuse import flag
from proofs.evidence import Checked, assumed, checked, derivation
from proofs.latex_math import LatexWriter, unmarked
from proofs.latex_notation import meanings
from proofs.ledger import LEDGER, resting_on, statements_before
from proofs.render_formula import Math, pieces
from proofs.render_parts import abbreviations
from proofs.statement import Evidence, Statement
from proofs.term import Fn, Formula

__all__ = ["PARTS", "Named", "Told", "require_mathml", "statements"]


# the parts of each statement that the page shows, in reading order; the others are left to the document
PARTS: dict[str, tuple[str, ...]] = {
    "D1": ("one more layer", "any depth"),
    "D2": ("rollouts", "attention only", "identity"),
    "D3": ("c, slopes and rollouts",),
    "D4": ("b, rollouts",),
    "C1": ("rollout", "mass", "nonnegative"),
    "D6": ("one layer more, crossing",),
    "U1": ("decomposition", "shape", "content, decomposition", "content, shape"),
    "U4": ("U", "primacy", "recency"),
    "U7": ("convex", "lowest", "last two"),
    "U8": ("hump", "spike"),
    "I1": ("diagonal",),
    "I2": ("bound", "upper", "lower", "for all kernels"),
    "I3": ("collapse",),
    "I4": ("if", "only if"),
    "I5": ("rate",),
    "I7": ("upper", "lower", "first token"),
    "I8": ("sink", "sink, no faster", "hops"),
    "L1": ("at least 0", "at most 1", "ratio"),
}
INSTALL = "python -m pip install 'posbias[report]'"


def require_mathml() -> None:
    """Raises InputError where the extra ``report`` is not installed."""
    try:
        import latex2mathml.converter  # noqa: F401
    except ImportError:
        raise flag("report", "be run with latex2mathml", "without it", INSTALL) from None


@dataclass(frozen=True)
class Named:
    """A formula with its name in the claim, as HTML with MathML; given : the hypotheses of a part, by name."""

    name: str
    html: str
    given: tuple[str, ...] = ()


@dataclass(frozen=True)
class Told:
    """A statement as the page tells it.

    where : what its abbreviations stand for, MathML. more : how many parts are not shown. verdict : proved or
    undecided. evidence : what that rests on, a sentence. assumes : classical facts taken from outside.
    """

    id: str
    title: str
    remark: str
    where: tuple[str, ...]
    hypotheses: tuple[Named, ...]
    parts: tuple[Named, ...]
    more: int
    verdict: str
    evidence: str
    assumes: tuple[str, ...]


def statements(parts: Mapping[str, Sequence[str]] | None = None) -> tuple[Told, ...]:
    """The statements named, with those parts of their claims, checked now; those of the page unless told."""
    shown = PARTS if parts is None else parts
    known = _checked(shown)
    return tuple(_told(LEDGER[name], shown[name], known) for name in shown)


def _checked(ids: Iterable[str]) -> dict[str, Checked]:
    """What the checker says of these statements and of all that they rest on."""
    return {name: checked(LEDGER[name], statements_before(name)) for name in resting_on(ids)}


def _told(statement: Statement, shown: Sequence[str], known: Mapping[str, Checked]) -> Told:
    claim, before = statement.claim, statements_before(statement.id)
    names = abbreviations(claim)
    writer = LatexWriter(names)
    parts = [claim.part(name) for name in shown]
    used = {label for part in parts for label in part.given}
    found = derivation(statement, before, known)
    return Told(
        statement.id,
        statement.title,
        statement.remark,
        tuple(_mathml(meaning) for meaning in _meanings(names)),
        tuple(Named(label, _html(formula, writer)) for label, formula in claim.hypotheses if label in used),
        tuple(Named(part.name, _html(part.asserts, writer), part.given) for part in parts),
        len(claim.parts) - len(parts),
        found.verdict,
        _evidence(found),
        assumed(statement, before),
    )


def _evidence(found: Evidence) -> str:
    """What the verdict rests on: a derivation alone, checked as the page was made."""
    if found.verdict == "proved":
        return f"a derivation of {found.size} steps for {found.detail}, checked when this page was made"
    return f"{found.detail}, when this page was made"


def _meanings(names: Mapping[Fn, str]) -> list[str]:
    """What each abbreviation stands for."""
    writer = LatexWriter(names)
    return [unmarked("".join(pieces(meaning, writer))) for meaning in meanings(names)]


def _html(formula: Formula, writer: LatexWriter) -> str:
    return "".join(
        _mathml(unmarked(piece)) if isinstance(piece, Math) else escape(piece) for piece in pieces(formula, writer)
    )


def _mathml(latex: str) -> str:
    """LaTeX as MathML, sums with their bounds above and below."""
    from latex2mathml.converter import convert

    shown: str = convert(latex, display="block").replace('display="block"', 'display="inline" displaystyle="true"', 1)
    return shown.replace("<mi>&#x02AAF;</mi>", "<mo>&#x02AAF;</mo>")  # ≼ is a relation and wants room on both sides
