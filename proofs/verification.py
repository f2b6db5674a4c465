"""Runs the evidence for statements of the ledger and reports verdicts."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.queues import SimpleQueue
from threading import current_thread, main_thread
from time import sleep
from typing import Any

from numeric.refuse import refusal
from proofs.ball_boxes import ball_enclosure
from proofs.draws import sizes_at_most
from proofs.enclosure import enclosure
from proofs.evidence import assumed, derivation, needed
from proofs.exhaustive import exhaustive
from proofs.ledger import LEDGER, earlier_claims, statements_before
from proofs.random_evidence import random_and_control
from proofs.statement import Report
from proofs.steps import count_steps

__all__ = ["CASES", "QUICK_CASES", "verify", "verify_all"]

Check = Callable[[str], Report]
CASES, QUICK_CASES = 300, 12
SIZES, QUICK_SIZES = (9, 3), (4, 2)  # positions and layers of random cases, at most


def verify(statement_id: str, *, quick: bool = False, seed: int = 0) -> Report:
    """The report on one statement.

    quick: 12 random cases with n <= 4 and T <= 2 instead of 300, vertices for n <= 4, boxes for n <= 3 and T <= 2; more
    cases while a false twin stands.
    seed: an integer; the same seed draws the same cases.
    Raises `InputError` for a statement that is not in the ledger.
    """
    statement = LEDGER[_known(statement_id)]
    before, earlier = statements_before(statement.id), earlier_claims(statement.id)
    count, largest = (QUICK_CASES, QUICK_SIZES) if quick else (CASES, SIZES)
    with sizes_at_most(*largest):
        random, control = random_and_control(statement, earlier, count=count, seed_value=seed, deep=not quick)
    kinds = (exhaustive, enclosure, ball_enclosure)
    limited = [e for kind in kinds if (e := kind(statement, quick=quick)) is not None]
    found = (
        derivation(statement, before),
        *(evidence for evidence, _ in limited),
        random,
        needed(statement, earlier),
        control,
    )
    scope = "; ".join(f"{evidence.kind}: {scope}" for evidence, scope in limited if scope)
    return Report(statement.id, statement.title, found, scope=scope, assumes=assumed(statement, before))


def verify_all(
    ids: Sequence[str] | None = None,
    *,
    quick: bool = False,
    seed: int = 0,
    progress: Callable[[Report], None] | None = None,
    processes: int = 1,
) -> tuple[Report, ...]:
    """The reports on the named statements, or on all, in reading order; ``progress`` is told each as it is done.

    processes: how many to use, this one included; the others start as new interpreters, so a script that asks for them
    needs the usual ``if __name__ == "__main__"``.  The reports do not depend on it.
    """
    wanted = [_known(name) for name in ids] if ids else list(LEDGER)
    named = [name for name in LEDGER if name in wanted]
    found: dict[str, Report] = {}
    for report in _reports(named, quick=quick, seed=seed, processes=min(processes, len(named))):
        found[report.id] = report
        if progress is not None:
            progress(report)
    return tuple(found[name] for name in named)


def _reports(names: Sequence[str], *, quick: bool, seed: int, processes: int) -> Iterator[Report]:
    """The reports as they are done."""
    check_one = partial(verify, quick=quick, seed=seed)
    if processes < 2:
        yield from map(check_one, names)
        return
    context = get_context("spawn")
    tasks, results = context.SimpleQueue(), context.SimpleQueue()
    with _interrupts_ignored():  # workers inherit that from their first moment: interrupts are for the parent
        workers = [context.Process(target=_work, args=(check_one, tasks, results)) for _ in range(processes - 1)]
        for worker in workers:
            worker.start()
    try:
        for name in sorted(names, key=lambda name: -count_steps(LEDGER[name].derivation)):
            tasks.put(name)
        for _ in range(processes):
            tasks.put(None)
        yield from _shared(check_one, tasks, results, len(names), workers)
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def _shared(
    check_one: Check, tasks: SimpleQueue[Any], results: SimpleQueue[Any], count: int, workers: Sequence[BaseProcess]
) -> Iterator[Report]:
    """This process takes tasks as the workers do, longest first, and hands on what they have done."""
    done = 0
    while (name := tasks.get()) is not None:
        yield check_one(name)
        done += 1
        while not results.empty():
            yield _result(results, workers)
            done += 1
    for _ in range(count - done):
        yield _result(results, workers)


def _work(check_one: Check, tasks: SimpleQueue[Any], results: SimpleQueue[Any]) -> None:
    """What a worker does until there is no further task; an exception goes to the parent."""
    gc.freeze()  # statements live as long as the process: looking through them again and again costs a tenth
    gc.set_threshold(100_000, 50, 50)
    while (name := tasks.get()) is not None:
        try:
            results.put(check_one(name))
        except Exception as why:  # raised again by the parent
            results.put(why)
            return


def _result(results: SimpleQueue[Any], workers: Sequence[BaseProcess]) -> Report:
    while results.empty():
        if not any(worker.is_alive() for worker in workers) and results.empty():
            raise RuntimeError("a process that checks statements ended without a result")
        sleep(0.01)
    found = results.get()
    if isinstance(found, Exception):
        raise found
    assert isinstance(found, Report)
    return found


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    if current_thread() is not main_thread():  # only the main thread may say so
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _known(statement_id: str) -> str:
    if statement_id in LEDGER:
        return statement_id
    named = str(statement_id).upper()
    near = [id_ for id_ in LEDGER if id_.upper() == named] or get_close_matches(named, LEDGER, n=3, cutoff=0.4)
    if not near:
        raise refusal("ID", f"be a statement of the ledger ({', '.join(LEDGER)})", statement_id)
    raise refusal("ID", "be a statement of the ledger", statement_id, f"nearest: {', '.join(near)}")
