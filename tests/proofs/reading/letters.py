r"""The name that a letter in LaTeX stands for: ``\lambda`` for lambda, ``{g^{*}}`` for g*, ``{w_{1}}`` for w1."""

from __future__ import annotations

import re

from tests.proofs.reading.tokens import Unread

__all__ = ["GREEK", "of_text"]

GREEK = frozenset((
    r"\alpha", r"\beta", r"\gamma", r"\delta", r"\epsilon", r"\zeta", r"\eta", r"\theta", r"\iota", r"\kappa",
    r"\lambda", r"\mu", r"\nu", r"\xi", r"\pi", r"\rho", r"\sigma", r"\tau", r"\upsilon", r"\phi", r"\chi",
    r"\psi", r"\omega", r"\Gamma",
))  # fmt: skip

_PRINTED = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textvisiblespace{}": " ",
    "$<$": "<", "$>$": ">", r"\{": "{", r"\}": "}", r"\%": "%", r"\&": "&", r"\#": "#", r"\$": "$", r"\_": "_",
}  # fmt: skip
_PIECE = re.compile(
    r"\\textsf\{U([0-9A-F]+)\}|\\text[a-z]+\{\}|\\[{}%&#$_]|\$[<>]\$|([-'`,?!])\{\}|([^\\{}$])", re.DOTALL
)


def of_text(inner: str) -> str:
    r"""What ``\text{...}`` shows, character by character; anything not written there by intent is an error."""
    name, at = "", 0
    while at < len(inner):
        found = _PIECE.match(inner, at)
        if found is None:
            raise Unread(f"the name {inner!r}")
        name += chr(int(found[1], 16)) if found[1] else found[2] or found[3] or _PRINTED.get(found[0], "")
        at = found.end()
    return name
