"""The command ``posbias``: options in, one result out. Thin: what it computes lives in proofs/commands and below.

Exit codes: 0 all held, 1 a claim failed, 2 bad input (one line on standard error, nothing on standard output),
130 interrupted. Heavy libraries load in the command that uses them, so ``--help`` is quick.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from numeric.refuse import InputError
from proofs.cli_audit import audit
from proofs.cli_bench import bench
from proofs.cli_check import check
from proofs.cli_compare import compare
from proofs.cli_completion import SHELLS, VARIABLE, names, prepare, script
from proofs.cli_depth import depth
from proofs.cli_derive import derive
from proofs.cli_export import export
from proofs.cli_measure import measure
from proofs.cli_phase import phase
from proofs.cli_predict import predict
from proofs.cli_profile import profile
from proofs.cli_report import report
from proofs.cli_reproduce import reproduce
from proofs.cli_usage import Commands, Done, OnceEach, usage, usage_error
from proofs.cli_verify import verify
from proofs.output import Outcome, write_stream

__all__ = ["app", "main"]

app = typer.Typer(
    name="posbias",
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

COMMANDS = (
    "verify", "profile", "check", "derive", "depth", "phase", "export", "reproduce", "audit", "bench", "measure",
    "predict", "compare", "report",
)  # fmt: skip
BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 2, 130, 141
TOO_LARGE = "Argument 'size' must fit into memory, not exceed it."


@app.callback(invoke_without_command=True)
def posbias(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("-V", "--version", help="Print the version.")] = False,
    show_completion: Annotated[
        str | None,
        typer.Option(
            "--show-completion",
            metavar="bash|zsh|fish",
            help="Print the script that completes posbias in that shell.",
            autocompletion=names(*SHELLS),
        ),
    ] = None,
) -> Outcome | None:
    """Position bias in Transformers: statements with checked proofs, and the profiles they describe.

    Positions and layers count from 1, layer 1 being nearest the input. Exit code 0: all held; 1: a claim failed;
    2: bad input. What a command does and takes: posbias help COMMAND.

    \b
    Example:
    posbias profile bloom-176b --against measured
    """
    if version:
        raise Done(Outcome(f"posbias {_version()}"))
    if show_completion is not None:
        raise Done(Outcome(script(show_completion)))
    if ctx.invoked_subcommand is None:
        raise Done(Outcome(ctx.get_help()))
    return None


app.command(cls=OnceEach)(verify)
app.command(cls=OnceEach)(profile)
app.command(cls=OnceEach)(check)
app.command(cls=OnceEach)(derive)
app.command(cls=OnceEach)(depth)
app.command(cls=OnceEach)(phase)
app.command(cls=OnceEach)(export)
app.command(cls=OnceEach)(reproduce)
app.command(cls=OnceEach)(audit)
app.command(cls=OnceEach)(bench)
app.command(cls=OnceEach)(measure)
app.command(cls=OnceEach)(predict)
app.command(cls=OnceEach)(compare)
app.command(cls=OnceEach)(report)

# --- running --------------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs ``posbias`` with the words of the command line and returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stdout is None:  # closed by the shell: the result would go nowhere
        write_stream(sys.stderr, "Argument 'stdout' must be open, not closed.")
        return BAD_INPUT
    try:
        outcome = _run(words)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        place = ascii(str(error.filename or "a file"))
        write_stream(sys.stderr, f"Argument {place} must be a place to read or write ({error.strerror}).")
        return BAD_INPUT
    try:
        return _finish(outcome)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        # the interpreter's own last flush must not complain either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # whoever read us has gone
            return BROKEN_PIPE
        write_stream(sys.stderr, f"Argument 'stdout' must take what is written, not refuse it ({error.strerror}).")
        return BAD_INPUT


def _run(words: list[str]) -> Outcome | str:
    """What there is to print, or the one line of a refusal."""
    try:
        if os.environ.get(VARIABLE):
            prepare()
        result = app(args=words, standalone_mode=False, prog_name="posbias", obj=words)
        return result if isinstance(result, Outcome) else Outcome("", int(result or 0))
    except Done as done:
        return done.outcome
    except InputError as error:
        return str(error)
    except MemoryError:
        return TOO_LARGE
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        if isinstance(error, usage_error()):
            return usage(error)
        # torch's, which has no class of its own for it
        if isinstance(error, RuntimeError) and any(x in str(error) for x in ("allocate memory", "out of memory")):
            return TOO_LARGE
        raise


def _finish(result: Outcome | str) -> int:
    if isinstance(result, str):
        write_stream(sys.stderr, result)
        return BAD_INPUT
    if result.text:
        write_stream(sys.stdout, result.text)
    if result.error:
        write_stream(sys.stderr, result.error)
    return result.code


def _version() -> str:
    from proofs.versions import installed

    return installed("posbias")


if __name__ == "__main__":
    sys.exit(main())
