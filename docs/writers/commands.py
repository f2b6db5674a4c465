"""The commands of `posbias` with all their options, as their own help tells them."""

from __future__ import annotations

from typing import Any

__all__ = ["command_page"]

_FRONT = """# Commands

What `posbias COMMAND --help` prints. Positions and layers count from 1, layer 1 being nearest the input. Results go to
standard output, everything else to standard error; the exit code is 0 if all held, 1 if a claim failed, 2 for bad
input.
"""


def command_page() -> str:
    """One section for each command, in the order of the front help."""
    import typer

    from proofs.cli import COMMANDS, app

    group: Any = typer.main.get_command(app)
    with group.make_context("posbias", [], resilient_parsing=True, terminal_width=100) as top:
        parts = [_FRONT, f"```text\n{top.get_help().rstrip()}\n```"]
        for name in COMMANDS:
            command = group.commands[name]
            with command.make_context(name, [], parent=top, resilient_parsing=True) as context:
                parts += [f"## posbias {name}", f"```text\n{command.get_help(context).rstrip()}\n```"]
    return "\n\n".join(parts) + "\n"
