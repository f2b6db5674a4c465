"""What the command-line library would let pass or say in its own words: options given twice, and errors of usage."""

from __future__ import annotations

import copy
from typing import Any, cast

import typer
from typer.core import TyperCommand

from proofs.output import printable

__all__ = ["OnceEach", "usage", "usage_error"]


class OnceEach(TyperCommand):
    """A command whose options with a value are given once, but for those that collect several: the library would keep
    the last of them in silence.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _require_once(self, ctx, list(args))
        return super().parse_args(ctx, args)


def _require_once(command: TyperCommand, ctx: Any, words: list[str]) -> None:
    """InputError for an option that is given more than once, found by a parser that collects all values."""
    from numeric.refuse import flag, shown
    from proofs.commands.options import Typed

    collecting, options = copy.copy(command), [copy.copy(param) for param in command.params]
    valued = [o for o in options if o.param_type_name == "option" and not cast(Any, o).is_flag]
    single = [o for o in valued if not cast(Any, o).multiple]
    for option in single:
        cast(Any, option).multiple = True
    collecting.params = options
    values = TyperCommand.make_parser(collecting, ctx).parse_args(args=words)[0]
    for option in single:
        given = values.get(option.name) or ()
        if isinstance(given, list) and len(given) > 1:
            name = Typed(tuple(ctx.obj or ())).name(*option.opts)
            raise flag(name, "be given once", f"as {' and '.join(map(shown, given))}")


def usage_error() -> type[Exception]:
    """The library's own class of usage errors: typer carries its click along or takes the installed one."""
    return cast(type[Exception], typer.BadParameter.__mro__[2])


def usage(error: Any) -> str:
    """A usage error of the library, on one line in our grammar."""
    kind, name = type(error).__name__, getattr(error, "option_name", None)
    if kind == "NoSuchOption":
        near = sorted(error.possibilities or ())
        hint = f" (nearest: {', '.join(near)})" if near else ""
        return f"Argument {printable(str(name))!r} must be an option that --help lists, not another{hint}."
    if kind == "MissingParameter":
        return f"Argument {error.param.metavar or error.param.name!r} must be given, not left out."
    name = name or (error.ctx.info_name if error.ctx else "posbias")
    reason = " ".join(str(error.format_message()).split()).rstrip(".")
    return f"Argument {printable(str(name))!r} must be used as --help says, not otherwise ({reason})."
