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


def started(*words: str, console: str = "utf-8", cwd: Path | None = None, **environment: str) -> Result:
    """A new interpreter with these words."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))}
    full = {**kept, "PYTHONPATH": str(REPOSITORY), **CONSOLES[console], **environment}
    return subprocess.run([sys.executable, *words], capture_output=True, env=full, cwd=cwd, check=False, timeout=120)


# --- consoles -------------------------------------------------------------------------------------------------------

COMMANDS = {
    "verify": ("verify", "S2", "--quick"), "check": ("check", "λ.csv"), "refusal": ("profile", "λ≼[/red]"),
    "help": ("profile", "--help"), "depth": ("depth", "--lam", "1"),
}  # fmt: skip
# one after another, between ";" of the command line: most of the time of a process goes into what it imports
PROGRAM = """
import sys
from proofs.cli import main
words = []
for word in sys.argv[1:]:
    if word != ";":
        words.append(word)
        continue
    sys.stderr.write(f"\\x1e{main(words)}\\x1e")
    sys.stdout.write("\\x1e")
    sys.stdout.flush()
    words = []
"""
Said = tuple[int, bytes, bytes]  # exit code, and what was written to both streams


@pytest.fixture(scope="module", params=CONSOLES)
def console(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def said(console: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Said]:
    """What each of COMMANDS says on the console, where λ.csv lies."""
    folder = tmp_path_factory.mktemp(console)
    (folder / "λ.csv").write_text("1,0\n1/2,1/2\n", encoding="utf-8")
    words = [word for command in COMMANDS.values() for word in (*command, ";")]
    run = started("-c", PROGRAM, *words, console=console, cwd=folder)
    outs, errs = run.stdout.split(b"\x1e"), run.stderr.split(b"\x1e")
    assert (run.returncode, outs.pop(), errs.pop()) == (0, b"", b""), run.stderr
    return {name: (int(c), o, e) for name, o, e, c in zip(COMMANDS, outs, errs[::2], errs[1::2], strict=True)}


def test_verify_on_every_console(said: dict[str, Said], console: str) -> None:
    code, out, err = said["verify"]
    assert (code, err) == (0, b"")
    assert b"S2  Summation by parts" in out
    out.decode(CONSOLES[console].get("PYTHONIOENCODING", "ascii"))


def test_greek_in_a_file_name(said: dict[str, Said], console: str) -> None:
    code, out, err = said["check"]
    assert (code, err) == (0, b"")
    first = out.splitlines()[0]
    if console == "utf-8":
        assert first == "kernel           λ.csv".encode()
    else:
        assert first.isascii()


def test_refusal_on_every_console(said: dict[str, Said]) -> None:
    code, out, err = said["refusal"]
    assert (code, out) == (2, b"")
    assert err.count(b"\n") == 1
    assert b"[/red]" in err
    assert b"Traceback" not in err


def test_help_on_every_console(said: dict[str, Said]) -> None:
    code, out, err = said["help"]
    assert (code, err) == (0, b"")
    assert out.isascii()


def test_depth_on_every_console(said: dict[str, Said], console: str) -> None:
    code, out, err = said["depth"]
    assert (code, err) == (0, b"")
    text = out.decode(CONSOLES[console].get("PYTHONIOENCODING", "ascii"))
    assert ("Σ λ_t = ∞" in text) if console == "utf-8" else ("Sum lambda_t = infinity" in text and text.isascii())


# --- processes ------------------------------------------------------------------------------------------------------


def test_import_is_light() -> None:
    heavy = ("scipy", "sympy", "matplotlib", "flint", "hypothesis", "pydantic", "rich")
    code = f"import sys, proofs.cli; print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=REPOSITORY, check=True, timeout=60)
    assert run.stdout.strip() == b"[]"


def test_hash_seed_changes_nothing() -> None:
    words = ("-m", "proofs.cli", "profile", "bloom-7b1", "--json")
    first, second = (started(*words, PYTHONHASHSEED=seed).stdout for seed in ("1", "2"))
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
