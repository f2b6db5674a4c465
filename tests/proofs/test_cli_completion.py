"""Completion, as a shell asks for it: commands, options, and the names that are closed lists."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
import typer

from proofs.cli import COMMANDS, app
from proofs.cli_completion import MODELS, SHELLS, STATEMENTS, VARIABLE

Posbias = Callable[..., Any]
REPOSITORY = Path(__file__).resolve().parents[2]
START = f'exec "{sys.executable}" -m proofs.cli "$@"'
ENVIRONMENT = {
    name: text for name, text in os.environ.items() if not name.startswith(("COMP_", "_TYPER", VARIABLE))
}  # fmt: skip


def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], **asked: str) -> str:
    """What the program answers with that environment; everything that it changes there is put back."""
    from proofs.cli import main

    monkeypatch.setenv("COLUMNS", "80")
    for name, text in asked.items():
        monkeypatch.setenv(name, text)
    with pytest.raises(SystemExit) as left:
        main([])
    assert left.value.code == 0
    return capsys.readouterr().out


@pytest.fixture
def bash(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """``bash("verify", "D")``: the completions of the last word."""

    def complete(*words: str) -> list[str]:
        asked = {VARIABLE: "complete_bash", "COMP_WORDS": "\n".join(("posbias", *words)), "COMP_CWORD": str(len(words))}
        return ask(monkeypatch, capsys, **asked).split()

    return complete


@pytest.fixture
def fish(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """``fish("verify D")``: a line for each completion."""

    def complete(line: str) -> list[str]:
        asked = {"_TYPER_COMPLETE_ARGS": f"posbias {line}", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
        return ask(monkeypatch, capsys, **{VARIABLE: "complete_fish"}, **asked).splitlines()

    return complete


# --- the names are those enforced -----------------------------------------------------------------------------------


def test_names_are_complete() -> None:
    from numeric.published import PUBLISHED
    from proofs.ledger import LEDGER

    assert list(MODELS) == list(PUBLISHED)
    assert list(STATEMENTS) == list(LEDGER)


def choices() -> list[tuple[str, str, str]]:
    """(command, option, its choices) where the metavar lists them all."""
    commands = cast(Any, typer.main.get_command(app)).commands
    return [
        (name, param.opts[-1], param.metavar)
        for name in COMMANDS
        for param in commands[name].params
        if "|" in (param.metavar or "") and param.metavar.islower()
    ]


@pytest.mark.parametrize(("command", "option", "metavar"), choices())
def test_the_choices_of_an_option(bash: Callable[..., list[str]], command: str, option: str, metavar: str) -> None:
    assert bash(command, option, "") == metavar.split("|")


def test_choices_that_have_no_place_in_a_metavar(bash: Callable[..., list[str]]) -> None:
    from numeric.model.loading import DTYPES
    from proofs.closed_form import KERNELS
    from proofs.commands.derive_options import FORMATS
    from proofs.commands.model import DEVICES, MAPS

    assert bash("derive", "--kernel", "") == list(KERNELS)
    assert bash("derive", "--format", "") == list(FORMATS)
    assert bash("audit", "--dtype", "") == list(DTYPES)
    assert bash("audit", "--device-map", "") == [*MAPS, *DEVICES]
    assert bash("bench", "") == ["numeric", "symbolic"]
    assert bash("profile", "mpt-7b", "--against", "") == ["measured"]


# --- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("",), list(COMMANDS)),
        (("pr",), ["profile", "predict"]),
        (("help", "pr"), ["profile", "predict"]),
        (("--ver",), ["--version"]),
        (("--show-completion", ""), list(SHELLS)),
        (("verify", "I4"), ["I4", "I4b"]),
        (("verify", "D1", "I4"), ["I4", "I4b"]),
        (("verify", "D1", "--qu"), ["--quick"]),
        (("profile", "bl"), ["bloom-176b", "bloom-7b1"]),
        (("profile", "--le"), ["--length"]),
        (("derive", "--kernel", "un"), ["uniform"]),
        (("derive", "--kernel", "=", "un"), ["uniform"]),
        (("derive", "-n", "3", "--kernel", "="), ["general", "uniform", "prefix", "alibi", "content"]),
        (("derive", "--kernel", "un", "--form"), ["--format"]),
        (("export", "--only", "D1,I4"), ["D1,I4", "D1,I4b"]),
        (("export", "--only", "I4,I4"), ["I4,I4b"]),
        (("profile", "--no", "--no", "m"), ["mpt-7b", "mpt-30b"]),
        (("profile", "--csv", "m"), []),
        (("profil", ""), list(COMMANDS)),
        (("check", ""), []),
    ],
)
def test_words(bash: Callable[..., list[str]], words: tuple[str, ...], expected: list[str]) -> None:
    assert bash(*words) == expected


def test_options_that_were_given_twice_do_not_stop_completion(bash: Callable[..., list[str]]) -> None:
    assert bash("derive", "--lam", "1", "--lam", "2", "--sh") == ["--shared"]


def test_every_word_comes_with_one_line(fish: Callable[..., list[str]]) -> None:
    for line in ("", *(f"{command} --" for command in COMMANDS)):
        found = fish(line)
        assert len(found) > 2
        assert all(len(row.split("\t")) == 2 and row.split("\t")[1] for row in found), found


def test_options_of_a_command_are_all_there(fish: Callable[..., list[str]]) -> None:
    commands = cast(Any, typer.main.get_command(app)).commands
    for name in COMMANDS:
        long = {o for param in commands[name].params for o in param.opts if o.startswith("--")}
        assert {row.split("\t")[0] for row in fish(f"{name} --")} == {*long, "--help"}


def test_zsh(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked = {VARIABLE: "complete_zsh", "_TYPER_COMPLETE_ARGS": "posbias verify I4"}
    assert ask(monkeypatch, capsys, **asked) == '_arguments \'*: :(("I4"\n"I4b"))\'\n'


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({VARIABLE: "complete_bsh"}, f"'{VARIABLE}' must be one of complete_bash, .* \\(nearest: complete_bash"),
        ({VARIABLE: "1"}, f"'{VARIABLE}' must be one of"),
        ({VARIABLE: "complete_bash"}, "'COMP_CWORD' must be an integer, not ''"),
        ({VARIABLE: "complete_bash", "COMP_CWORD": "x"}, "'COMP_CWORD' must be an integer, not 'x'"),
    ],
)
def test_requests_that_no_script_makes(
    posbias: Posbias, monkeypatch: pytest.MonkeyPatch, asked: dict[str, str], message: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for name, text in asked.items():
        monkeypatch.setenv(name, text)
    run = posbias("verify", "S2")
    assert (run.code, run.out) == (2, "") and run.err.count("\n") == 1
    assert re.search(message, run.err), run.err


def test_an_empty_request_is_none(posbias: Posbias, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    assert posbias("--version").code == 0


# --- the script -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", SHELLS)
def test_script(posbias: Posbias, shell: str) -> None:
    run = posbias("--show-completion", shell)
    assert (run.code, run.err) == (0, "")
    assert f"{VARIABLE}=complete_{shell}" in run.out


@pytest.mark.parametrize("shell", SHELLS)
def test_script_is_read_by_its_shell(posbias: Posbias, tmp_path: Path, shell: str) -> None:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"no {shell} on this system")
    (tmp_path / "script").write_text(posbias("--show-completion", shell).out)
    subprocess.run([found, "-n", tmp_path / "script"], check=True, timeout=60)


def in_shell(folder: Path, *command: str) -> tuple[str, str]:
    """What a shell writes, with ``posbias`` on its path."""
    program = folder / "posbias"
    program.write_text(f"#!/bin/sh\n{START}\n")
    program.chmod(0o755)
    path = f"{folder}{os.pathsep}{ENVIRONMENT['PATH']}"
    environment = {**ENVIRONMENT, "PATH": path, "PYTHONPATH": str(REPOSITORY), "HOME": str(folder)}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    return run.stdout, run.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash on this system")
def test_in_bash(tmp_path: Path) -> None:
    script = """
        eval "$(posbias --show-completion bash)"
        COMP_WORDS=(posbias derive --kernel = un) COMP_CWORD=4
        "$(complete -p posbias | sed 's/.*-F \\([^ ]*\\).*/\\1/')" posbias
        echo "${COMPREPLY[@]}"
    """
    assert in_shell(tmp_path, "bash", "--norc", "--noprofile", "-c", script) == ("uniform\n", "")


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish on this system")
def test_in_fish(tmp_path: Path) -> None:
    script = "posbias --show-completion fish | source; complete -C 'posbias verify I4'"
    assert in_shell(tmp_path, "fish", "--no-config", "-c", script) == ("I4\nI4b\n", "")


def test_completion_is_light() -> None:
    heavy = ("torch", "transformers", "sympy", "scipy", "matplotlib", "flint", "hypothesis", "proofs.ledger")
    code = (
        "import sys, proofs.cli\n"
        "try:\n    proofs.cli.main()\n"
        f"finally:\n    print([name for name in {heavy} if name in sys.modules], file=sys.stderr)"
    )
    asked = {VARIABLE: "complete_bash", "COMP_WORDS": "posbias\nverify\nX1", "COMP_CWORD": "2"}
    environment = {**ENVIRONMENT, **asked, "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "X1\nX1b\n", "[]\n")
