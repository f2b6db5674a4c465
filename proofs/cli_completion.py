"""Completion in bash, zsh and fish: the names that options and arguments take, and the script for a shell.

The shell calls ``posbias`` with `VARIABLE` in its environment, and the command-line library answers. It must be quick,
so the names stand here as text; the tests hold them against what is enforced.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from numeric.nearest import one_of
from numeric.number import read_integer

__all__ = ["MODELS", "SHELLS", "STATEMENTS", "VARIABLE", "listed", "names", "prepare", "script"]

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_POSBIAS_COMPLETE"
MODELS = ("bloom-176b", "bloom-7b1", "mpt-7b", "mpt-30b", "falcon-rw-7b")
STATEMENTS = (
    "S1", "S2", "S3", "S4", "S5", "S6", "S7", "D1", "D2", "D3", "D4", "D5", "D7", "D8", "C0", "C1", "D6", "U1", "U2",
    "U3", "U4", "U6", "U5", "U7", "U8", "I1", "I2", "I3", "I4", "I4b", "I5", "I6", "I7", "I7b", "I8", "C2", "C3", "X1",
    "X1b", "Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "X2", "X2b", "L1",
)  # fmt: skip
_UNBROKEN = "1000"  # columns: the library would break what it says of a word where the terminal ends


def names(*known: str) -> Callable[[str], list[str]]:
    """The completion of a value that is one of ``known``; where none fits, the shell offers files."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in known if name.startswith(incomplete)]

    return complete


def listed(*known: str) -> Callable[[str], list[str]]:
    """The completion of the last name in a list with commas."""

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        given = before.split(",")
        return [f"{before}{comma}{name}" for name in known if name.startswith(last) and name not in given]

    return complete


def prepare() -> None:
    """Tells the library of the shells, and takes the environment as the shell left it.

    Raises InputError for another request than that of a shell's script.
    """
    from typer._completion_classes import completion_init

    asked = one_of(os.environ[VARIABLE], VARIABLE, [f"complete_{shell}" for shell in SHELLS])
    completion_init()
    os.environ["COLUMNS"] = _UNBROKEN
    if asked == "complete_bash":
        _join_words()


def _join_words() -> None:
    """bash breaks ``--kernel=uni`` into three words; the library knows an option and its value as two."""
    words = os.environ.get("COMP_WORDS", "").split("\n")
    at = read_integer(os.environ.get("COMP_CWORD", ""), "COMP_CWORD")
    joints = [i for i in range(2, len(words) - 1) if words[i] == "=" and words[i - 1].startswith("--")]
    gone = [i for i in joints if i < at]
    os.environ["COMP_WORDS"] = "\n".join(word for i, word in enumerate(words) if i not in gone)
    os.environ["COMP_CWORD"] = str(at - len(gone))


def script(shell: str) -> str:
    """What the shell has to run to complete ``posbias``. Raises InputError for a shell that is none of `SHELLS`."""
    from typer._completion_shared import get_completion_script

    one_of(shell, "--show-completion", SHELLS)
    return get_completion_script(prog_name="posbias", complete_var=VARIABLE, shell=shell)
