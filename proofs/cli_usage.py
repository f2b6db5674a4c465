"""What the command-line library would let pass, say in its own words or print itself: options given twice, errors of
usage, help. Help is a result like any other, with the example at its end.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn, cast

import typer
from typer.core import TyperCommand, TyperGroup

from numeric.nearest import near_names, nearest
from numeric.refuse import InputError, flag, refusal, shown
from proofs.output import Outcome, printable

__all__ = ["Commands", "Done", "OnceEach", "usage", "usage_error"]

HELP = ("-h", "--help")
_SHORT = 70  # characters of an explanation beside a completed word


class Done(Exception):
    """A result before any command ran: the version, the help, a script."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


class _Readable:
    """Help as a result. The paragraph of the docstring that begins with "Example" ends it, behind the options."""

    help: str | None

    def get_help_option(self, ctx: Any) -> Any:
        return _with_result(cast(Any, super()).get_help_option(ctx))

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(self._parts()[0])

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            params = [p for p in cast(Any, self).get_params(ctx) if p.param_type_name == kind]
            # an argument's name comes with a Python type, which says nothing here
            records = filter(None, (p.get_help_record(ctx) for p in params))
            rows = [(name.partition(" <")[0], said) for name, said in records]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        title, *lines = self._parts()[1].splitlines() or [""]
        if lines:
            with formatter.section(title.rstrip(":")):
                for line in lines:  # as they are: they are there to be pasted
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")

    def get_short_help_str(self, limit: int = 0) -> str:
        """The first sentence, whole."""
        return " ".join((self.help or "").partition("\n\n")[0].split())

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        return _shortened(cast(Any, super()).shell_complete(ctx, incomplete))

    def _parts(self) -> tuple[str, str]:
        """The text, and the paragraph of the example."""
        text, _, example = (self.help or "").partition("\n\n\b\nExample")
        return text, f"Example{example}" if example else ""


class OnceEach(_Readable, TyperCommand):
    """A command whose options with a value are given once, but for those that collect several: the library would keep
    the last of them in silence. Whoever asks for help gets it, whatever else is wrong.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:  # a shell completes what is not written yet
            return super().parse_args(ctx, args)
        words = list(args)
        try:
            _require_once(self, ctx, words)
            return super().parse_args(ctx, args)
        except (InputError, usage_error()):
            _help_if_asked(ctx, words)
            raise

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


class Commands(_Readable, TyperGroup):
    """The commands: ``help`` before one of them is ``--help`` behind it; a mistyped name gets the nearest."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except usage_error():
            _help_if_asked(ctx, words)
            raise

    def format_options(self, ctx: Any, formatter: Any) -> None:
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, *rest = args
        if name == "help":
            return (None, None, []) if ctx.resilient_parsing else self._helped(ctx, rest)
        if name not in self.commands and not ctx.resilient_parsing:
            self._refuse(name)
        return name, self.commands.get(name), rest

    def _helped(self, ctx: Any, words: Sequence[str]) -> NoReturn:
        name, *more = [word for word in words if word not in HELP] or ["help"]
        if name not in (*self.commands, "help"):
            self._refuse(name)
        if more:
            raise refusal("COMMAND", "be one command", " ".join((name, *more)))
        if name == "help":
            raise Done(Outcome(ctx.get_help()))
        with self.commands[name].make_context(name, [], parent=ctx, resilient_parsing=True) as inner:
            raise Done(Outcome(inner.get_help()))

    def _refuse(self, name: str) -> NoReturn:
        raise refusal("COMMAND", f"be one of {', '.join(self.commands)}", name, nearest(name, (*self.commands, "help")))


def _with_result(option: Any) -> Any:
    """The option ``--help``, whose text is a result: the library would print it, to wherever it can."""

    def show(ctx: Any, param: Any, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            raise Done(Outcome(ctx.get_help()))

    if option is not None:
        option.callback = show
    return option


def _help_if_asked(ctx: Any, words: Sequence[str]) -> None:
    own = words[: words.index("--")] if "--" in words else words
    if any(word in HELP for word in own):
        raise Done(Outcome(ctx.get_help())) from None


def _shortened(items: list[Any]) -> list[Any]:
    """Completed words with the beginning of what is said of each, on one line."""
    for item in items:
        if item.help:
            first = " ".join(item.help.split()).partition(";")[0].partition(". ")[0].rstrip(".")
            item.help = first if len(first) <= _SHORT else f"{first[: _SHORT - 3]}..."
    return items


# --- options given twice --------------------------------------------------------------------------------------------


def _require_once(command: TyperCommand, ctx: Any, words: list[str]) -> None:
    """InputError for an option that is given more than once, found by a parser that collects all values."""
    collecting, options = copy.copy(command), [copy.copy(param) for param in command.params]
    valued = [o for o in options if o.param_type_name == "option" and not cast(Any, o).is_flag]
    single = [o for o in valued if not cast(Any, o).multiple]
    for option in single:
        cast(Any, option).multiple = True
    collecting.params = options
    values = TyperCommand.make_parser(collecting, ctx).parse_args(args=list(words))[0]
    for option in single:
        given = values.get(option.name) or ()
        if isinstance(given, list) and len(given) > 1:
            from proofs.commands.options import Typed

            name = Typed(tuple(ctx.obj or ())).name(*option.opts)
            raise flag(name, "be given once", f"as {' and '.join(map(shown, given))}")


# --- errors of usage ------------------------------------------------------------------------------------------------


def usage_error() -> type[Exception]:
    """The library's own class of usage errors: typer carries its click along or takes the installed one."""
    return cast(type[Exception], typer.BadParameter.__mro__[2])


def usage(error: Any) -> str:
    """A usage error of the library, on one line in our grammar."""
    kind, name = type(error).__name__, getattr(error, "option_name", None)
    if kind == "NoSuchOption":
        return _no_such_option(error, str(name))
    if kind == "MissingParameter":
        return f"Argument {error.param.metavar or error.param.name!r} must be given, not left out."
    name = name or (error.ctx.info_name if error.ctx else "posbias")
    reason = " ".join(str(error.format_message()).split()).rstrip(".")
    return f"Argument {printable(str(name))!r} must be used as --help says, not otherwise ({reason})."


def _no_such_option(error: Any, name: str) -> str:
    """The word as it was typed: of ``-lam`` the library names ``-l`` alone."""
    typed = error.ctx.find_root().obj or () if error.ctx else ()
    word = name if name.startswith("--") else next((w for w in typed if w.startswith(name)), name)
    near = near_names(word.lstrip("-"), _long_options(error.ctx)) if len(word) > 2 else []
    hint = f" (nearest: {', '.join(f'--{option}' for option in near)})" if near else ""
    return f"Argument {printable(word)!r} must be an option that --help lists, not another{hint}."


def _long_options(ctx: Any) -> Iterator[str]:
    for param in ctx.command.get_params(ctx) if ctx else ():
        yield from (spelled[2:] for spelled in param.opts if spelled.startswith("--"))
