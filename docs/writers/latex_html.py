r"""The LaTeX that `proofs.latex` writes of statements, as HTML whose formulas MathJax sets.

A small dialect and no more: prose with $...$, \emph and references, lists, displays, theorems, steps and branches of a
proof. Whatever else stands there is refused with ValueError, so that nothing is dropped in silence.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from proofs.bibliography import ENTRIES

__all__ = ["Converter", "Page", "home"]

_TOKEN = re.compile(
    r"\$[^$]*\$|\\begin\{[a-z]+\*?\}|\\end\{[a-z]+\*?\}|\\[A-Za-z]+|\\.|\n[ \t]*\n\s*|[{}~]|``|''|\n", re.DOTALL
)
_DISPLAYS = ("equation", "equation*", "gather*")
_BOXES = {"theorem": "Theorem", "counterexample": "Counterexample"}
_LETTERS = {"textasciicircum": "^", "textasciitilde": "~", "textbackslash": "\\"}
_INLINE = {"emph": "em", "textit": "em", "textup": "span"}
_BLOCK = {"posbiasstep": "step", "posbiasbranch": "branch"}
_ITEM = "\x00"
_SKIPPED = {"bigskip": 0, "noindent": 0, "raggedright": 0, "renewcommand": 2}


def home(label: str) -> str:
    """The page (without suffix) of a label such as D1, D1.H2, D1.N1 (the statement) or D1.2.1 (its derivation)."""
    statement, _, rest = label.partition(".")
    return statement if not rest or rest[0] in "HN" else f"{statement}-derivation"


@dataclass
class Page:
    """What was written, the anchors in it and the labels that it points to."""

    html: str = ""
    anchors: list[str] = field(default_factory=list)
    points_to: list[str] = field(default_factory=list)


class Converter:
    """Reads one text from its beginning to its end; ``name`` is the page that it becomes."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name, self.at = text, name, 0
        self.page = Page()
        self.number = ""  # of the next counterexample

    def convert(self) -> Page:
        """The whole text as paragraphs, lists and displays. Raises ValueError for what is not in the dialect."""
        self.page.html = _paragraphs(self._until(None))
        return self.page

    # --- reading ---

    def _until(self, end: str | None) -> str:
        """HTML up to the token ``end``, which is passed over; to the end of the text for None."""
        out = []
        while self.at < len(self.text):
            found = _TOKEN.search(self.text, self.at)
            stop = found.start() if found else len(self.text)
            out.append(html.escape(self.text[self.at : stop], quote=False))
            self.at = found.end() if found else stop
            if found and found[0] == end:
                return "".join(out)
            out.append(self._token(found[0]) if found else "")
        if end is not None:
            raise ValueError(f"{self.name}: {end} is missing")
        return "".join(out)

    def _token(self, token: str) -> str:
        if token.startswith("$"):
            return f'<span class="math notranslate nohighlight">\\({_formula(token[1:-1])}\\)</span>'
        if token.startswith(r"\begin"):
            return self._environment(token[7:-1])
        if token.startswith("\\") and token[1:].isalpha():
            return self._command(token[1:])
        if token.startswith("\\") and token[1] in "_{}&%#$":
            return html.escape(token[1])
        if token.isspace():
            return "\n\n" if token.count("\n") > 1 else "\n"
        known = {"~": "&nbsp;", "``": "“", "''": "”", "{": "", "}": ""}
        if token not in known:
            raise ValueError(f"{self.name}: nothing is known of {token!r}")
        return known[token]

    def _argument(self) -> str:
        """The text of the next argument in braces, as it stands."""
        self._skip()
        if self.text[self.at : self.at + 1] != "{":
            raise ValueError(f"{self.name}: an argument is missing at {self.text[self.at : self.at + 20]!r}")
        depth, start = 0, self.at + 1
        for brace in re.finditer(r"\\.|[{}]", self.text[self.at :], re.DOTALL):
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            if depth == 0:
                self.at += brace.end()
                return self.text[start : self.at - 1]
        raise ValueError(f"{self.name}: a brace is missing")

    def _skip(self) -> None:
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1

    def _inner(self, text: str) -> str:
        """A part of the text, read by the same rules."""
        outer, self.text, self.at = (self.text, self.at), text, 0
        read = self._until(None)
        self.text, self.at = outer
        return read

    # --- commands ---

    def _command(self, name: str) -> str:
        if name in _INLINE:
            return f"<{_INLINE[name]}>{self._inner(self._argument())}</{_INLINE[name]}>"
        if name in _BLOCK:
            end = "." if name == "posbiasstep" else ""
            return f'\n\n<span class="posbias-{_BLOCK[name]}">{self._inner(self._argument())}{end}</span> '
        if name in _LETTERS:
            self._argument()
            return _LETTERS[name]
        if name in _SKIPPED:
            arguments = [self._argument() for _ in range(_SKIPPED[name])]
            self.number = arguments[1] if arguments[:1] == [r"\thecounterexample"] else self.number
            return ""
        commands: dict[str, Callable[[], str]] = {
            "eqref": lambda: f"({self._link()})", "ref": self._link, "posbiasmark": self._mark,
            "cite": lambda: _works(self._argument()), "IfFileExists": self._without_file,
            "item": self._item,
        }  # fmt: skip
        if name not in commands:
            raise ValueError(f"{self.name}: nothing is known of \\{name}")
        return commands[name]()

    def _link(self) -> str:
        label = self._argument().removeprefix("posbias:")
        self.page.points_to.append(label)
        place = "" if home(label) == self.name else f"{home(label)}.html"
        shown = re.sub(r"^.*\.(?=H\d+$)", "", label)
        return f'<a href="{place}#{label}">{html.escape(shown)}</a>'

    def _anchor(self, label: str) -> str:
        label = label.removeprefix("posbias:")
        self.page.anchors.append(label)
        return f'id="{label}"'

    def _mark(self) -> str:
        anchor = self._anchor(self._argument())
        return f"<span {anchor}>({html.escape(self._argument())})</span>"

    def _without_file(self) -> str:
        _, _, other = (self._argument() for _ in range(3))
        return self._inner(other)

    # --- environments ---

    def _environment(self, name: str) -> str:
        if name in _DISPLAYS:
            end = self.text.index(f"\\end{{{name}}}", self.at)
            body, self.at = self.text[self.at : end], end + len(name) + 6
            return f"\n\n{self._display(name, body)}\n\n"
        if name == "itemize":
            return self._list()
        if name == "proof":
            return self._until(r"\end{proof}")
        if name in _BOXES:
            return f"\n\n{self._box(name)}\n\n"
        raise ValueError(f"{self.name}: nothing is known of the environment {name}")

    def _display(self, name: str, body: str) -> str:
        tag, anchor = re.match(r"\\tag\{([^}]*)\}\\label\{([^}]*)\}", body), ""
        if tag:
            body, anchor = body[tag.end() :], self._anchor(tag[2])
        words = re.fullmatch(r"\s*\\begin\{minipage\}\{[^}]*\}(.*)\\end\{minipage\}\s*", body, re.DOTALL)
        if words:
            number = f"({tag[1]})" if tag else ""
            return (
                f'<div class="posbias-words" {anchor}><span>{self._inner(words[1])}</span> <span>{number}</span></div>'
            )
        shown = _formula(body.strip())
        if name == "gather*":
            shown = f"\\begin{{gather*}}{shown}\\end{{gather*}}"
        else:
            number = f"\\tag{{{tag[1]}}}" if tag else ""
            shown = f"\\[{shown}{number}\\]"
        return f'<div class="math notranslate nohighlight" {anchor}>{shown}</div>'

    def _item(self) -> str:
        mark = self._inner(self._optional()) if self.text[self.at : self.at + 1] == "[" else ""
        return f"{_ITEM}{mark} "

    def _list(self) -> str:
        if self.text.startswith(r"\itemsep=4pt", self.at):
            self.at += len(r"\itemsep=4pt")
        before, *items = self._until(r"\end{itemize}").split(_ITEM)
        if before.strip():
            raise ValueError(f"{self.name}: a list begins with {before!r}")
        return f"\n\n<ul>{''.join(f'<li>{item.strip()}</li>' for item in items)}</ul>\n\n"

    def _optional(self) -> str:
        """The next argument in brackets, which has none within."""
        end = self.text.index("]", self.at)
        found, self.at = self.text[self.at + 1 : end], end + 1
        return found

    def _box(self, name: str) -> str:
        self.at += 1  # [
        title = self._inner(self._argument())
        self.at += len(r"]\label")
        label = self._argument()
        number = self.number if name == "counterexample" else label.removeprefix("posbias:")
        head = f"<p><strong>{_BOXES[name]} {number}</strong> ({title})</p>"
        body = _paragraphs(self._until(f"\\end{{{name}}}"))
        return f'<div class="posbias-box" {self._anchor(label)}>{head}\n{body}</div>'


def _formula(latex: str) -> str:
    """A formula as MathJax takes it: the breaks of a page's lines left out, columns of arrays spelt."""
    spelt = re.sub(r"\*\{(\d+)\}\{(\w)\}", lambda m: m[2] * int(m[1]), latex.replace(r"\allowbreak ", ""))
    return html.escape(spelt.replace(r"\allowbreak", ""), quote=False)


def _paragraphs(text: str) -> str:
    """Blocks between empty lines: prose in paragraphs, what is a block of its own as it stands."""
    blocks = [block.strip() for block in re.split(r"\n\s*\n", text)]
    shown = [b if re.match(r"<(div|ul|section)\b", b) else f"<p>{b}</p>" for b in blocks if b]
    return "\n".join(shown)


def _works(keys: str) -> str:
    """Whom \\cite names, each with a link to the work."""
    return ", ".join(_work(key) for key in keys.split(","))


def _work(key: str) -> str:
    fields = ENTRIES[key].fields
    authors = fields["author"].split(" and ")
    braced = re.search(r"\{([^}]*)\}$", authors[0])
    name = braced[1] if braced else authors[0].split()[-1]
    shown = f"{name}{' et al.' if len(authors) > 2 else ''} ({fields['year']})"
    if "doi" in fields:
        return f'<a href="https://doi.org/{fields["doi"]}">{shown}</a>'
    return f'<a href="https://arxiv.org/abs/{fields["eprint"]}">{shown}</a>' if "eprint" in fields else shown
