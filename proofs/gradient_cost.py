"""What a prediction takes beside a gradient: one sample each, in processes of their own, seconds and the most memory.

    seconds    from the loaded model to a profile: what weights say by themselves, pass, rollout; or pass and gradient
    memory     the peak of the resident set as the system counts it, with the interpreter, its libraries and the model
    loaded     that peak before the sample: what the model alone takes, or took while it was loaded

In one process the second would run in what the first has left allocated, and torch's memory is in no count of Python's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proofs.command_cost import peak

if TYPE_CHECKING:
    from numeric.model.predicting import Prediction

__all__ = ["WAYS", "beside", "one"]

WAYS = ("prediction", "gradient")
_CHILD = """
import json, sys
from proofs.gradient_cost import one
sys.stdout.write("\\n" + json.dumps(one(sys.argv[1], json.loads(sys.argv[2]))))
"""


def beside(job: Prediction) -> dict[str, dict[str, Any] | None]:
    """{"prediction": {"seconds", "memory", "loaded"}, "gradient": …}, in bytes; None for one that ended early."""
    return {way: _in_a_process(way, job) for way in WAYS}


def _in_a_process(way: str, job: Prediction) -> dict[str, Any] | None:
    folder = str(Path(__file__).resolve().parent.parent)  # where this very proofs lies, installed or not
    path = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, way, json.dumps(asdict(job))],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, "PYTHONPATH": path},
        check=False,
    )  # fmt: skip
    if done.returncode:
        return None
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def one(way: str, options: dict[str, Any]) -> dict[str, Any]:
    """What the first sample takes in this process; ``options`` are the fields of a `Prediction`."""
    from numeric.model.influence import influence_of
    from numeric.model.predicting import Prediction, prepared, reader_of
    from numeric.model.second_moments import predicted

    job = Prediction(**options)
    loaded, samples = prepared(job)
    ids = samples.draw(0)
    before, start = peak(), time.perf_counter()
    if way == "gradient":
        influence_of(loaded, ids[None], target="logprob")
    else:
        predicted(reader_of(job, loaded).statistics(ids), heads=job.heads)
    return {"seconds": time.perf_counter() - start, "memory": peak(), "loaded": before}
