"""HTML with MathML as a reader hears it: the words and signs one after another."""

from __future__ import annotations

from xml.etree import ElementTree

__all__ = ["words_of"]


def words_of(text: str) -> str:
    """The text of all elements, with one blank between two.

    >>> words_of("<math><msub><mi>x</mi><mn>1</mn></msub></math> is 0")
    'x 1 is 0'
    """
    return " ".join(" ".join(ElementTree.fromstring(f"<p>{text}</p>").itertext()).split())
