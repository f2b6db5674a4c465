"""Runs the evidence for statements of the ledger and reports verdicts."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.queues import SimpleQueue
from threading import current_thread, main_thread
from time import sleep
from typing import Any

from numeric.nearest import nearest
from numeric.refuse import refusal
from proofs.ball_boxes import ball_enclosure
from proofs.draws import sizes_at_most
from proofs.enclosure import enclosure
from proofs.evidence import Checked, assumed, checked, derivation, needed
from proofs.exhaustive import exhaustive
from proofs.ledger import LEDGER, resting_on, statements_before
from proofs.random_evidence import random_and_control
from proofs.statement import Report, Statement
from proofs.steps import count_steps
from proofs.twins import Twin

__all__ = ["CASES", "QUICK_CASES", "verify", "verify_all"]

Task = tuple[str, str]  # what to do, and for which statement
Do = Callable[[Task], Any]
CASES, QUICK_CASES = 300, 12
SIZES, QUICK_SIZES = (9, 3), (4, 2)  # positions and layers of random cases, at most
QUICK_TWINS = 6  # of a statement, at most


def verify(statement: str | Statement, *, quick: bool = False, seed: int = 0) -> Report:
    """The report on one statement.

    statement: an id of the ledger, or a statement of your own, which may cite all of the ledger and whose id is new.
    quick: 12 random cases with n <= 4 and T <= 2 instead of 300, six twins at most, no derivation tried without a
    hypothesis, vertices for n <= 4, boxes for n <= 3 and T <= 2; more cases while a false twin stands.
    seed: an integer; the same seed draws the same cases.
    Raises `InputError` for an id that is not in the ledger, and for a statement of your own whose id is.
    """
    if isinstance(statement, Statement):
        return _of_your_own(statement, quick=quick, seed=seed)
    (report,) = verify_all([statement], quick=quick, seed=seed)
    return report


def verify_all(
    ids: Sequence[str] | None = None,
    *,
    quick: bool = False,
    seed: int = 0,
    progress: Callable[[Report], None] | None = None,
    processes: int = 1,
    known: dict[str, Checked] | None = None,
) -> tuple[Report, ...]:
    """The reports on the named statements, or on all, in reading order; ``progress`` is told each as it is done.

    processes: how many to use, this one included; the others start as new interpreters, so a script that asks for them
    needs the usual ``if __name__ == "__main__"``.  The reports do not depend on it.
    known: what the checker said of derivations, by id; those are not checked again, and what it says is added.
    """
    wanted = [_known(name) for name in ids] if ids else list(LEDGER)
    named = [name for name in LEDGER if name in wanted]
    found: dict[str, Report] = {}
    derived = {} if known is None else known
    for report in _reports(named, derived, quick=quick, seed=seed, processes=min(processes, len(named))):
        found[report.id] = report
        if progress is not None:
            progress(report)
    return tuple(found[name] for name in named)


# --- one statement ----------------------------------------------------------------------------------


def _do(task: Task, *, quick: bool, seed: int) -> Any:
    """Check a derivation, or gather the other evidence for a statement."""
    kind, name = task
    if kind == "derivation":
        return checked(LEDGER[name], statements_before(name))
    return _besides(LEDGER[name], statements_before(name), quick=quick, seed=seed)


def _of_your_own(statement: Statement, *, quick: bool, seed: int) -> Report:
    """The report on a statement that stands behind all of the ledger; plans of vertices and boxes go by the id."""
    if statement.id in LEDGER:
        raise refusal("statement.id", "be new, and not one of the ledger", statement.id)
    before = tuple(LEDGER.values())
    report = _besides(statement, before, quick=quick, seed=seed)
    return replace(report, evidence=(derivation(statement, before), *report.evidence))


def _besides(statement: Statement, before: tuple[Statement, ...], *, quick: bool, seed: int) -> Report:
    """The report without the derivation."""
    earlier = {lower.id: lower.claim.closed() for lower in before}
    count, largest = (QUICK_CASES, QUICK_SIZES) if quick else (CASES, SIZES)
    tried = replace(statement, twins=_some(statement.twins)) if quick else statement
    with sizes_at_most(*largest):
        random, control = random_and_control(tried, earlier, count=count, seed_value=seed, deep=not quick)
    kinds = (exhaustive, enclosure, ball_enclosure)
    limited = [e for kind in kinds if (e := kind(statement, quick=quick)) is not None]
    side = needed(statement, earlier, derivations=not quick), control
    found = (*(evidence for evidence, _ in limited), random, *side)
    scope = "; ".join(f"{evidence.kind}: {scope}" for evidence, scope in limited if scope)
    return Report(statement.id, statement.title, found, scope=scope, assumes=assumed(statement, before))


def _some(twins: tuple[Twin, ...]) -> tuple[Twin, ...]:
    """Six of them, spread over the parts."""
    return twins[:: max(1, -(-len(twins) // QUICK_TWINS))]


def _whole(report: Report, known: Mapping[str, Checked]) -> Report:
    """The report with its derivation."""
    found = derivation(LEDGER[report.id], statements_before(report.id), known)
    return replace(report, evidence=(found, *report.evidence))


# --- many -------------------------------------------------------------------------------------------


def _reports(
    names: Sequence[str], known: dict[str, Checked], *, quick: bool, seed: int, processes: int
) -> Iterator[Report]:
    """The reports as they are done: each when all derivations that it rests on were checked, and each of those once."""
    waiting: dict[str, Report] = {}
    resting = {name: resting_on([name]) for name in names}
    for (kind, name), result in _results(partial(_do, quick=quick, seed=seed), _tasks(names, known), processes):
        if kind == "derivation":
            known[name] = result
        else:
            waiting[name] = result
        ready = [other for other in waiting if all(lower in known for lower in resting[other])]
        yield from (_whole(waiting.pop(other), known) for other in ready)


def _tasks(names: Sequence[str], known: Container[str]) -> list[Task]:
    """Derivations that are not known first, those with most steps before others: nothing long is left for the end."""
    longest = partial(sorted, key=lambda name: -count_steps(LEDGER[name].derivation))
    unknown = [name for name in resting_on(names) if name not in known]
    return [*(("derivation", x) for x in longest(unknown)), *(("besides", x) for x in longest(names))]


def _results(do: Do, tasks: Sequence[Task], processes: int) -> Iterator[tuple[Task, Any]]:
    """What every task gives, as it is done."""
    if processes < 2:
        yield from ((task, do(task)) for task in tasks)
        return
    context = get_context("spawn")
    waiting, done = context.SimpleQueue(), context.SimpleQueue()
    with _interrupts_ignored():  # workers inherit that from their first moment: interrupts are for the parent
        workers = [context.Process(target=_work, args=(do, waiting, done)) for _ in range(processes - 1)]
        for worker in workers:
            worker.start()
    try:
        for task in (*tasks, *[None] * processes):
            waiting.put(task)
        yield from _shared(do, waiting, done, len(tasks), workers)
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def _shared(
    do: Do, waiting: SimpleQueue[Any], done: SimpleQueue[Any], count: int, workers: Sequence[BaseProcess]
) -> Iterator[tuple[Task, Any]]:
    """This process takes tasks as the workers do, and hands on what they have done."""
    while (task := waiting.get()) is not None:
        with _statements_kept():
            result = do(task)
        yield task, result
        count -= 1
        while not done.empty():
            yield _result(done, workers)
            count -= 1
    for _ in range(count):
        yield _result(done, workers)


@contextmanager
def _statements_kept() -> Iterator[None]:
    """Statements live as long as the process: looking through them for garbage, again and again, costs a tenth."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _work(do: Do, tasks: SimpleQueue[Any], results: SimpleQueue[Any]) -> None:
    """What a worker does until there is no further task; an exception goes to the parent."""
    with _statements_kept():
        while (task := tasks.get()) is not None:
            try:
                results.put((task, do(task)))
            except Exception as why:  # raised again by the parent
                results.put(why)
                return


def _result(results: SimpleQueue[Any], workers: Sequence[BaseProcess]) -> tuple[Task, Any]:
    while results.empty():
        if not any(worker.is_alive() for worker in workers) and results.empty():
            raise RuntimeError("a process that checks statements ended without a result")
        sleep(0.01)
    found = results.get()
    if isinstance(found, Exception):
        raise found
    task, result = found
    return task, result


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
    near = nearest(statement_id, LEDGER, most=3)
    listed = "" if near else f" ({', '.join(LEDGER)})"
    raise refusal("ID", f"be a statement of the ledger{listed}", statement_id, near)
