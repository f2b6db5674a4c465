"""What a command costs in a process of its own."""

from __future__ import annotations

from proofs.command_cost import cost, peak


def test_the_exit_code_and_the_memory_of_the_command() -> None:
    done = cost(("derive", "-n", "2", "-T", "1"))
    assert done.code == 0 and done.seconds > 0
    assert done.memory is None or done.memory > 1 << 22  # an interpreter holds megabytes
    assert cost(("derive", "-n", "0", "-T", "1")).code == 2


def test_the_peak_grows_with_what_is_held() -> None:
    before = peak()
    held = b"x" * (1 << 28)
    after = peak()
    assert before is None or (after is not None and after >= len(held))
