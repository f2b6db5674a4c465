"""The command as a shell starts it: an interrupt counts from the first moment, while the rest is still loading."""

from __future__ import annotations

__all__ = ["main"]


def main() -> int:
    """Runs ``posbias`` and returns the exit code, 130 if it was interrupted."""
    try:
        from proofs.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130
