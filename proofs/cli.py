"""The command ``posbias``: options in, one result out. Thin: what it computes lives in proofs/commands and below.

Exit codes: 0 all held, 1 a claim failed, 2 bad input (one line on standard error, nothing on standard output),
130 interrupted. Heavy libraries load in the command that uses them, so ``--help`` is quick.
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from proofs.cli_audit import audit
from proofs.cli_bench import bench
from proofs.cli_compare import compare
from proofs.cli_depth import depth
from proofs.cli_derive import derive
from proofs.cli_export import export
from proofs.cli_measure import measure
from proofs.cli_options import (
    Certified,
    FamilyFile,
    Heads,
    Json,
    Lam,
    Layers,
    Length,
    Quick,
    RandomInit,
    Seed,
    Slope,
    Slopes,
)
from proofs.cli_phase import phase
from proofs.cli_predict import predict
from proofs.cli_reproduce import reproduce
from proofs.cli_usage import OnceEach, usage, usage_error
from proofs.output import Outcome, write_stream

__all__ = ["app", "main"]

app = typer.Typer(
    name="posbias",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

COMMANDS = (
    "verify", "profile", "check", "derive", "depth", "phase", "export", "reproduce", "audit", "bench", "measure",
    "predict", "compare",
)  # fmt: skip
BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 2, 130, 141
TOO_LARGE = "Argument 'size' must fit into memory, not exceed it."


@app.callback(invoke_without_command=True)
def posbias(
    ctx: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> Outcome | None:
    """Position bias in Transformers: statements with checked proofs, and the profiles they describe.

    Positions and layers count from 1, layer 1 being nearest the input. Exit code 0: all held; 1: a claim failed;
    2: bad input.
    """
    if version:
        raise _Done(Outcome(f"posbias {_version()}"))
    if ctx.invoked_subcommand is None:
        raise _Done(Outcome(ctx.get_help()))
    return None


@app.command(cls=OnceEach)
def verify(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Statements; all if left out.")] = None,
    quick: Quick = False,
    seed: Seed = "0",
    drop: Annotated[bool, typer.Option("--drop", help="Search a counterexample without each hypothesis.")] = False,
    latex: Annotated[str | None, typer.Option("--latex", metavar="FILE", help="Write what --drop finds.")] = None,
    certificate: Annotated[
        str | None,
        typer.Option("--certificate", metavar="FILE", help="Write it as data: python -m proofs.recheck FILE."),
    ] = None,
    json: Json = False,
) -> Outcome:
    """Check the statements and their evidence.

    All of the ledger, or those named. The table gives the size of each kind of evidence: checked steps of the
    derivation, vertices (exhaustive), boxes (enclosure), random cases, counterexamples for needed hypotheses, false
    twins that were refused (control).
    """
    from proofs.commands import verify as command
    from proofs.commands.options import Typed
    from proofs.commands.options import seed as read_seed

    seed_value = read_seed(Typed(()), seed)
    return command.run(
        ids or (), quick=quick, seed=seed_value, json=json, drop=drop, latex=latex, certificate=certificate
    )


@app.command(cls=OnceEach)
def profile(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(metavar="SOURCE", help="A published model, an experiment file, or a model as for audit."),
    ] = None,
    length: Length = None,
    layers: Layers = None,
    heads: Heads = None,
    slope: Slope = None,
    slopes: Slopes = None,
    lam: Lam = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="measured|CSV",
            help="Compare with a measured influence; a CSV has columns position (from 0) and influence.",
        ),
    ] = None,
    plot: Annotated[str | None, typer.Option("--plot", metavar="FILE", help="Draw to .png, .pdf or .svg.")] = None,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write the profile as CSV.")] = None,
    save: Annotated[
        str | None, typer.Option("--save", metavar="FILE", help="Write an experiment file that gives this profile.")
    ] = None,
    prefix: Annotated[
        str | None, typer.Option("--prefix", metavar="B", help="Prefix-LM: the first B tokens see each other.")
    ] = None,
    order: Annotated[
        bool, typer.Option("--order", help="The most recent and most primacy-heavy order of these layers.")
    ] = False,
    certified: Certified = False,
    random_init: RandomInit = False,
    family: FamilyFile = None,
    json: Json = False,
) -> Outcome:
    """Compute a profile, its shape and its distance.

    SOURCE is a published model (bloom-176b, bloom-7b1, mpt-7b, mpt-30b, falcon-rw-7b), an experiment file, or a model
    to load: a folder, a .gguf file, a name on a hub, whose kernels are those that audit reads, and which needs --lam.
    Without SOURCE give --layers, --heads or --slope, and --lam; -n is 256 unless given. --lam overrides that of SOURCE.
    """
    from proofs.commands import profile as command
    from proofs.commands.options import Typed
    from proofs.commands.setting import Given

    given = Given(source, length, layers, heads, slope, slopes, lam, prefix, random_init, family)
    typed = Typed(tuple(ctx.obj or ()))
    wanted = command.Wanted(against, plot, csv, save, order, certified, json)
    return command.run(given, typed, wanted)


@app.command(cls=OnceEach)
def check(
    kernel: Annotated[str, typer.Argument(metavar="KERNEL", help="A .csv or .npy file: n by n, or T of them.")],
    lam: Lam = None,
    tolerance: Annotated[
        str, typer.Option("--tolerance", metavar="E", help="How far a row sum may be from 1.")
    ] = "1e-6",
    renormalise: Annotated[
        bool, typer.Option("--renormalise", help="Divide each row by its sum, within --tolerance of 1.")
    ] = False,
    json: Json = False,
) -> Outcome:
    """Describe a kernel of your own.

    Is it causal, do its rows sum to 1, is it monotone, which statements apply to it, what are its profile and shape.
    A CSV file holds n rows of n numbers; T kernels are T such blocks, the first nearest the input.
    """
    from proofs.commands import check as command

    return command.run(kernel, lam=lam, tolerance=tolerance, renormalise=renormalise, json=json)


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

# --- running --------------------------------------------------------------------------------------------------------


class _Done(Exception):
    """A result before any command ran: the version, the help."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs ``posbias`` with the words of the command line and returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
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
    from numeric.refuse import InputError, shown

    command = next((word for word in words if not word.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        near = difflib.get_close_matches(command.lower(), COMMANDS, n=2)
        hint = f" (nearest: {', '.join(near)})" if near else ""
        return f"Argument 'COMMAND' must be one of {', '.join(COMMANDS)}, not {shown(command)}{hint}."
    try:
        result = app(args=words, standalone_mode=False, prog_name="posbias", obj=words)
        return result if isinstance(result, Outcome) else Outcome("", int(result or 0))
    except _Done as done:
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
