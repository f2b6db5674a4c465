"""What a whole command costs, in a process of its own: seconds from start to end, and the most memory it held.

The output goes nowhere. Memory is the peak of the resident set as the system counts it, the interpreter and its
libraries included; None where the system does not say.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Cost", "cost", "peak"]

_CHILD = """
import json, sys
from proofs.cli import main
from proofs.command_cost import peak
code = main(sys.argv[1:])
sys.stderr.write("\\n" + json.dumps([code, peak()]))
"""


@dataclass(frozen=True)
class Cost:
    """seconds : of the process. memory : bytes. code : the exit code."""

    seconds: float
    memory: int | None
    code: int


def cost(words: Sequence[str]) -> Cost:
    """Runs ``posbias`` with those words."""
    folder = str(Path(__file__).resolve().parent.parent)  # where this very proofs lies, installed or not
    path = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, *words],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}, check=False,
    )  # fmt: skip
    seconds = time.perf_counter() - start
    try:
        code, memory = json.loads(done.stderr.splitlines()[-1])
    except (ValueError, IndexError):  # it did not come to its end
        return Cost(seconds, None, done.returncode or 1)
    return Cost(seconds, memory, code)


def peak() -> int | None:
    """The most memory that this process held, in bytes."""
    try:  # resource counts what the process was before it became this program, too
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        pass
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
