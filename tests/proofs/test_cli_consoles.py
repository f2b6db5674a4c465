"""``posbias`` as a process of its own: consoles without Greek, pipes, an interrupt, two hash seeds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
# what a console says of itself; without PYTHONCOERCECLOCALE=0 Python turns the C locale into UTF-8
CONSOLES = {
    "utf-8": {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"},
    "c": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "ascii": {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    "cp1252": {"LC_ALL": "C", "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
}
Result = subprocess.CompletedProcess[bytes]


def posbias(*words: str, console: str = "utf-8", cwd: Path | None = None, **environment: str) -> Result:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))}
    full = {**kept, "PYTHONPATH": str(REPOSITORY), **CONSOLES[console], **environment}
    command = [sys.executable, "-m", "proofs.cli", *words]
    return subprocess.run(command, capture_output=True, env=full, cwd=cwd, check=False, timeout=120)


@pytest.mark.parametrize("console", CONSOLES)
def test_verify_on_every_console(console: str) -> None:
    run = posbias("verify", "S2", "--quick", console=console)
    assert (run.returncode, run.stderr) == (0, b"")
    assert b"S2  Summation by parts" in run.stdout
    run.stdout.decode(CONSOLES[console].get("PYTHONIOENCODING", "ascii"))


@pytest.mark.parametrize("console", CONSOLES)
def test_greek_in_a_file_name(console: str, tmp_path: Path) -> None:
    (tmp_path / "λ.csv").write_text("1,0\n1/2,1/2\n", encoding="utf-8")
    run = posbias("check", "λ.csv", console=console, cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, b"")
    first = run.stdout.splitlines()[0]
    if console == "utf-8":
        assert first == "kernel           λ.csv".encode()
    else:
        assert first.isascii()


@pytest.mark.parametrize("console", CONSOLES)
def test_refusal_on_every_console(console: str, tmp_path: Path) -> None:
    run = posbias("profile", "λ≼[/red]", console=console, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, b"")
    assert run.stderr.count(b"\n") == 1
    assert b"[/red]" in run.stderr
    assert b"Traceback" not in run.stderr


@pytest.mark.parametrize("console", CONSOLES)
def test_help_on_every_console(console: str) -> None:
    run = posbias("profile", "--help", console=console)
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.isascii()


@pytest.mark.parametrize("console", CONSOLES)
def test_depth_on_every_console(console: str) -> None:
    run = posbias("depth", "--lam", "1", console=console)
    assert (run.returncode, run.stderr) == (0, b"")
    encoding = CONSOLES[console].get("PYTHONIOENCODING", "ascii")
    text = run.stdout.decode(encoding)
    assert ("Σ λ_t = ∞" in text) if console == "utf-8" else ("Sum lambda_t = infinity" in text and text.isascii())


def test_import_is_light() -> None:
    heavy = ("scipy", "sympy", "matplotlib", "flint", "hypothesis", "pydantic", "rich")
    code = f"import sys, proofs.cli; print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=REPOSITORY, check=True, timeout=60)
    assert run.stdout.strip() == b"[]"


def test_hash_seed_changes_nothing() -> None:
    words = ("profile", "bloom-7b1", "--json")
    first, second = (posbias(*words, PYTHONHASHSEED=seed).stdout for seed in ("1", "2"))
    assert first == second
    assert first


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    command = [sys.executable, "-m", "proofs.cli", "profile", "bloom-7b1"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # long before the first byte is written
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_one_line() -> None:
    command = [sys.executable, "-m", "proofs.cli", "profile", "bloom-7b1"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with open("/dev/full", "w") as full:
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment, check=False, timeout=60)
    assert run.returncode == 2
    assert run.stderr.count(b"\n") == 1
    assert b"Traceback" not in run.stderr


@pytest.mark.skipif(os.name == "nt", reason="descriptors of POSIX")
@pytest.mark.parametrize("words", [["profile", "bloom-7b1", "--csv", "p.csv"], ["--help"], ["--version"]])
def test_a_closed_output_is_one_line(words: list[str], tmp_path: Path) -> None:
    script = 'exec "$@" >&-'
    command = ["sh", "-c", script, "sh", sys.executable, "-m", "proofs.cli", *words]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    run = subprocess.run(command, capture_output=True, env=environment, cwd=tmp_path, check=False, timeout=60)
    assert (run.returncode, run.stdout) == (2, b"")
    assert run.stderr == b"Argument 'stdout' must be open, not closed.\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_interrupt() -> None:
    # the signal arrives in the middle of a command: the first statement interrupts the process itself
    code = (
        "import os, signal, sys, proofs.verification, proofs.cli\n"
        "proofs.verification.checked = lambda *a, **k: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.exit(proofs.cli.main(['verify', 'S1']))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=REPOSITORY, check=False, timeout=60)
    assert run.returncode == 130
    assert run.stdout == b""
    assert b"Traceback" not in run.stderr
