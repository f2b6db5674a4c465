"""The sections of the page: one for each figure of figures.js, with its caption and the statements that explain it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

__all__ = ["SECTIONS", "Section", "sections"]


class Section(NamedTuple):
    """figure : its name in figures.js. caption : what the picture shows, whatever the setting; the page adds a sentence
    on what it shows now.
    """

    figure: str
    heading: str
    caption: str


SECTIONS = (
    Section(
        "profile",
        "The profile",
        "The share of every position in what the last one holds after all layers. The scale is logarithmic; shares below "
        "a millionth of the largest are not drawn.",
    ),
    Section(
        "decomposition",
        "Spike, recency and primacy",
        "The profile is a recency weight, which rises toward the end, times a primacy envelope, which falls, and beside "
        "them a spike at the last position, which the residual stream keeps there. On this scale the heights of weight "
        "and envelope add up to that of their product.",
    ),
    Section("depth", "The profile by depth", "The profile after fewer layers, counted from the input."),
    Section(
        "drift",
        "The drift toward the first position",
        "The share of a position together with all later ones. Each further layer lowers this curve and nowhere raises "
        "it: the causal mask draws the profile toward the first position.",
    ),
    Section(
        "mixing",
        "Mixing coefficients",
        "λ of every layer: how much of its output attention writes, beside what the residual stream carries.",
    ),
    Section(
        "hops",
        "How often a path attends",
        "The probability that a path from the last position down to the input attends in so many layers, and stays in the "
        "residual stream in all others.",
    ),
    Section(
        "phase",
        "The phase diagram",
        "The shape of the profile of one head, over its slope and the effective depth. U: both ends have more than the "
        "middle; P: primacy, falling; R: recency, rising; F: flat; O: another; ?: undecided. The ring is the place of "
        "the setting.",
    ),
    Section(
        "bounds",
        "Toward infinite depth",
        "Bounds on the shares of the first and of the last position, now and as depth grows without end. Bars are what "
        "the bounds leave open, rings the values. Collapse is the first position taking all.",
    ),
)


def sections(statements: Sequence[Mapping[str, Any]]) -> str:
    """Every section as HTML. statements : as `proofs.report.statements` makes them, each beside its figure."""
    told: dict[str, list[str]] = {section.figure: [] for section in SECTIONS}
    for statement in statements:
        told[statement["figure"]].append(_statement(statement))
    return "\n".join(_section(section, "\n".join(told[section.figure])) for section in SECTIONS)


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


def _statement(told: Mapping[str, Any]) -> str:
    """Id, title and verdict at sight; claim, remark and evidence below. Formulas are HTML already, with MathML."""
    where = "".join(f'<div class="formula">{mathml}</div>' for mathml in told["where"])
    parts = "".join(_part(part) for part in told["parts"])
    more = f"<p>{told['more']} further parts: posbias verify {escape(told['id'])}.</p>" if told["more"] else ""
    assumes = f"<p>Taken from elsewhere: {escape(', '.join(told['assumes']))}.</p>" if told["assumes"] else ""
    remark = f"<p>{escape(told['remark'])}</p>" if told["remark"] else ""
    hypotheses = "".join(
        f'<li><em>{escape(found["name"])}</em>: <span class="formula">{found["html"]}</span></li>'
        for found in told["hypotheses"]
    )
    return f"""<div class="statement"><p><strong>{escape(told["id"])} {escape(told["title"])}</strong>:
<span class="verdict">{escape(told["verdict"])}</span></p>
<details><summary>Claim and evidence of {escape(told["id"])}</summary>
{f"<p>Where</p>{where}" if where else ""}
{f"<p>Under the hypotheses</p><ul>{hypotheses}</ul>" if hypotheses else ""}
<p>{"Then" if hypotheses else "It says"}</p><ul>{parts}</ul>
{more}{remark}{assumes}
<p class="verdict">Evidence: {escape(told["evidence"])}.</p></details></div>"""


def _part(part: Mapping[str, Any]) -> str:
    given = f" (under {escape(', '.join(part['given']))})" if part["given"] else ""
    return f'<li><em>{escape(part["name"])}</em>{given}: <span class="formula">{part["html"]}</span></li>'
