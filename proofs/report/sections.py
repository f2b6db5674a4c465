"""The sections of the page: one for each figure of figures.js, with its caption and the statements that explain it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from proofs.report.statements import Named, Told

__all__ = ["SECTIONS", "Section", "sections"]


class Section(NamedTuple):
    """figure : its name in figures.js. caption : what the picture shows, whatever the setting; the page adds a sentence
    on what it shows now. statements : the ids of those that explain it.
    """

    figure: str
    heading: str
    caption: str
    statements: tuple[str, ...]


SECTIONS = (
    Section(
        "profile",
        "The profile",
        "The share of every position in what the last one holds after all layers. The scale is logarithmic; shares "
        "below a millionth of the largest are not drawn.",
        ("D3", "D4", "U4"),
    ),
    Section(
        "decomposition",
        "Spike, recency and primacy",
        "The profile is a recency weight times a primacy envelope, which never rises, and beside them a spike at the "
        "last position, which the residual stream keeps there. The weight of one head is e^(mj); with several it is a "
        "mean of theirs. On this scale the heights of weight and envelope add up to that of their product.",
        ("U1",),
    ),
    Section(
        "depth",
        "The profile by depth",
        "The profile after fewer layers, counted from the input.",
        ("D6",),
    ),
    Section(
        "drift",
        "The drift toward the first position",
        "The share of a position together with all later ones. Each further layer lowers this curve and nowhere raises "
        "it: the causal mask draws the profile toward the first position.",
        ("D1",),
    ),
    Section(
        "mixing",
        "Mixing coefficients",
        "λ of every layer: how much of its output attention writes, beside what the residual stream carries.",
        ("D2", "L1"),
    ),
    Section(
        "hops",
        "How often a path attends",
        "The probability that a path from the last position down to the input attends in so many layers, and stays in "
        "the residual stream in all others.",
        ("C1",),
    ),
    Section(
        "phase",
        "The phase diagram",
        "The shape of the profile of one head, over its slope and the effective depth. U: both ends have more than the "
        "middle; P: primacy, falling; R: recency, rising; F: flat; O: another; ?: undecided. The ring is the place of "
        "the setting.",
        ("U7", "U8"),
    ),
    Section(
        "bounds",
        "Toward infinite depth",
        "The shares of the first and of the last position after each number of layers, from none to all, between "
        "bounds that look at single rows of the kernels. The bars at the sign for infinity, the left one for the first "
        "position, are what bounds leave open as depth grows without end. Collapse is the first position taking all.",
        ("I1", "I2", "I3", "I4", "I5", "I7", "I8"),
    ),
    Section(
        "comparison",
        "Theories beside what was measured",
        "How far each theory is from the influence that was measured, as the source was measured: the controls do not "
        "move it. Rings are distances, bars their intervals over samples.",
        (),
    ),
)


def sections(statements: Sequence[Told]) -> str:
    """Every section as HTML, each with those of its statements that are given."""
    told = {found.id: _statement(found) for found in statements}
    return "\n".join(
        _section(section, "\n".join(told[name] for name in section.statements if name in told)) for section in SECTIONS
    )


def _section(section: Section, statements: str) -> str:
    """Heading, picture, caption, downloads, table, statements; page.js fills the picture and what starts with said-."""
    name, heading = section.figure, escape(section.heading)
    saves = "".join(
        f'<button type="button" data-save="{kind}" data-figure="{name}">{kind.upper()}'
        f'<span class="hidden"> of {heading}</span></button>\n'
        for kind in ("svg", "csv")
    )
    return f"""<section id="{name}" aria-labelledby="{name}-title">
<h2 id="{name}-title">{heading}</h2>
<figure>
<div class="plot" id="plot-{name}" role="img" aria-label="{heading}"></div>
<figcaption>{escape(section.caption)} <span id="said-{name}"></span></figcaption>
</figure>
<p class="buttons">{saves}</p>
<details class="tables" data-figure="{name}"><summary>The numbers as a table</summary>
<div class="scroll" tabindex="0" role="region" aria-label="{heading}: numbers"></div></details>
{statements}
</section>"""


def _statement(told: Told) -> str:
    """Id, title and verdict at sight; claim, remark and evidence below. Formulas are HTML already, with MathML."""
    where = "".join(f'<div class="formula">{mathml}</div>' for mathml in told.where)
    more = f"<p>It has {told.more} more: posbias verify {escape(told.id)} checks them all.</p>" if told.more else ""
    assumes = f"<p>Taken as known: {escape(', '.join(told.assumes))}.</p>" if told.assumes else ""
    return f"""<div class="statement"><p><strong>{escape(told.id)}. {escape(told.title)}.</strong>
<span class="verdict">{escape(told.verdict)}</span></p>
<details><summary>Claim and evidence of {escape(told.id)}</summary>
{f"<p>Write</p>{where}" if where else ""}
{f"<p>Hypotheses:</p><ul>{_items(told.hypotheses)}</ul>" if told.hypotheses else ""}
<p>{"What it says" if told.more == 0 else "Of what it says"}:</p><ul>{_items(told.parts)}</ul>
{more}{f"<p>{escape(told.remark)}</p>" if told.remark else ""}{assumes}
<p class="verdict">Evidence: {escape(told.evidence)}. For other kinds of evidence: posbias verify {escape(told.id)}.</p>
</details></div>"""


def _items(formulas: Sequence[Named]) -> str:
    return "".join(_item(formula) for formula in formulas)


def _item(formula: Named) -> str:
    given = f", given {escape('; '.join(formula.given))}" if formula.given else ""
    return f'<li><em>{escape(formula.name)}</em>{given}: <span class="formula">{formula.html}</span></li>'
