"""The literature that the statements rest on, as data: BibTeX for the document, keys for who cites what.

An entry has the facts that find the work again.  Statements and classical facts name keys in ``cites``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = ["ENTRIES", "PAPER", "Work", "bibtex", "cite"]

PAPER = "herasimchyk2026"


@dataclass(frozen=True)
class Work:
    """A BibTeX entry: its type, and its fields as pure ASCII, with accents as LaTeX has them."""

    kind: str
    fields: Mapping[str, str]


def _preprint(author: str, title: str, year: int, number: str) -> Work:
    """A work that arXiv has under ``number``."""
    fields = {"author": author, "title": title, "year": str(year), "eprint": number, "archiveprefix": "arXiv"}
    return Work("misc", {**fields, "note": f"arXiv:{number}"})


def _printed(kind: str, author: str, title: str, year: int, doi: str = "", **fields: str) -> Work:
    """A work that a journal or the proceedings of a conference have; styles that know no ``doi`` print the note."""
    known = {"doi": doi, "note": f"doi:{doi}"} if doi else {}
    return Work(kind, {"author": author, "title": title, **fields, "year": str(year), **known})


ENTRIES: Mapping[str, Work] = {
    PAPER: _preprint(
        r"Hanna Herasimchyk and Robin Labryga and Tomislav Prusina and S{\"o}ren Laue",
        "A Structural Theory of Position Bias in {Transformers}", 2026, "2602.16837",
    ),
    "wu2025": _printed(
        "inproceedings", "Xinyi Wu and Yifei Wang and Stefanie Jegelka and Ali Jadbabaie",
        "On the Emergence of Position Bias in {Transformers}", 2025,
        booktitle="International Conference on Machine Learning", eprint="2502.01951", archiveprefix="arXiv",
        note="arXiv:2502.01951",
    ),
    "abnar2020": _printed(
        "inproceedings", "Samira Abnar and Willem Zuidema", "Quantifying Attention Flow in {Transformers}", 2020,
        "10.18653/v1/2020.acl-main.385", pages="4190--4197",
        booktitle="Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics",
    ),
    "press2022": _printed(
        "inproceedings", "Ofir Press and Noah A. Smith and Mike Lewis",
        "Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation", 2022,
        booktitle="International Conference on Learning Representations", eprint="2108.12409", archiveprefix="arXiv",
        note="arXiv:2108.12409",
    ),
    "chowdhury2026": _preprint(
        "Borun D. Chowdhury", "Lost in the Middle at Birth: An Exact Theory of {Transformer} Position Bias", 2026,
        "2603.10123",
    ),
    "duerinckx2026": _preprint(
        "Mitia Duerinckx and Borjan Geshkovski and Stefano Rossi",
        "Kinetic theory for {Transformers} and the lost-in-the-middle phenomenon", 2026, "2605.09213",
    ),
    "lecam1960": _printed(
        "article", "Lucien {Le Cam}", "An approximation theorem for the {Poisson} binomial distribution", 1960,
        "10.2140/pjm.1960.10.1181", journal="Pacific Journal of Mathematics", volume="10", pages="1181--1197",
    ),
    "barbour1984": _printed(
        "article", "A. D. Barbour and Peter Hall", "On the rate of {Poisson} convergence", 1984,
        "10.1017/S0305004100061806", volume="95", pages="473--480",
        journal="Mathematical Proceedings of the Cambridge Philosophical Society",
    ),
    "opitz1964": _printed(
        "article", "G. Opitz", "{Steigungsmatrizen}", 1964, "10.1002/zamm.19640441321", volume="44", pages="T52--T54",
        journal=r"Zeitschrift f{\"u}r Angewandte Mathematik und Mechanik",
    ),
    "weierstrass1885": _printed(
        "article", "Karl Weierstrass", year=1885, pages="633--639, 789--805",
        title=r"{\"U}ber die analytische {Darstellbarkeit sogenannter willk{\"u}rlicher Functionen einer reellen "
        r"Ver{\"a}nderlichen}",
        journal=r"Sitzungsberichte der K{\"o}niglich Preu{\ss}ischen Akademie der Wissenschaften zu Berlin",
    ),
    "bernstein1912": _printed(
        "article", "S. Bernstein", year=1912, volume="13", pages="1--2",
        title=r"D{\'e}monstration du th{\'e}or{\`e}me de {Weierstrass} fond{\'e}e sur le calcul des probabilit{\'e}s",
        journal=r"Communications de la Soci{\'e}t{\'e} math{\'e}matique de {Kharkow}",
    ),
}  # fmt: skip


def bibtex(keys: Iterable[str] = ENTRIES) -> str:
    r"""The works as a .bib file.

    Raises `KeyError` for a key that is not in ``ENTRIES``.

    >>> print(bibtex(["opitz1964"]).splitlines()[0])
    @article{opitz1964,
    """
    return "\n".join(_entry(key, ENTRIES[key]) for key in keys)


def _entry(key: str, work: Work) -> str:
    fields = ",\n".join(f"  {name} = {{{value}}}" for name, value in work.fields.items())
    return f"@{work.kind}{{{key},\n{fields}\n}}\n"


def cite(keys: Iterable[str]) -> str:
    r"""The LaTeX that cites works, each once; the empty text for none.

    Raises `KeyError` for a key that is not in ``ENTRIES``.

    >>> cite(["opitz1964", "wu2025", "opitz1964"])
    '\\cite{opitz1964,wu2025}'
    """
    wanted = list(dict.fromkeys(keys))
    for key in wanted:
        ENTRIES[key]
    return f"\\cite{{{','.join(wanted)}}}" if wanted else ""
