"""What --help says is true: one sentence of purpose, each range as it is enforced, each default as it is taken."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
import typer

from proofs.cli import COMMANDS, app
from tests.models import MISSING, WHY

Posbias = Callable[..., Any]
Interval = tuple[str, str, str, str]
INTERVAL = re.compile(r"(?:integer|number|slope,) in ([\[(])([^\[\](),]+), ([^\[\](),]+)([\])])")
REFUSED = re.compile(r"must (?:be an integer|lie) in ([\[(])([^\[\](),]+), ([^\[\](),]+)([\])])")

MODEL = {"": "tiny", "--random-init": None, "--random-tokens": None, "-n": "8", "--samples": "2"}
# words with which each command gets as far as its ranges; under an option, what stands there instead of them
WORDS: dict[str, dict[str, str | None]] = {
    "verify": {"": "S2"},
    "profile": {"-T": "3", "--heads": "5", "--lam": "1/2"},
    "profile --slope": {"-T": "3", "--lam": "1/2"},
    "check": {"": "kernel.csv"},
    "derive": {"-n": "2", "-T": "2"},
    "derive --slope": {"-n": "2", "-T": "2", "--kernel": "alibi", "--lam": "1/2", "--digits": "5"},
    "derive --at": {"--continuous": None, "--depth": "2", "--digits": "5"},
    "derive --digits": {"-n": "2", "-T": "2", "--kernel": "uniform", "--lam": "1/2"},
    "derive --dots": {"-n": "2", "-T": "2", "--format": "latex"},
    "depth": {"--lam": "1"},
    "depth --window": {"--lam": "1", "--kernel": "uniform"},
    "depth --sink": {"--lam": "1", "--kernel": "uniform"},
    "phase": {},
    "phase --slope": {"--axes": "layers"},
    "export": {"--snippet": "S2"},
    "reproduce": {"": "out"},
    "audit": {"": "tiny", "--random-init": None},
    "bench": {"": "numeric"},
    "measure": {**MODEL, "--out": "out"},
    "measure --n-jobs": {"--jobs": "jobs.json"},
    "predict": MODEL,
    "compare": {"": "run"},
    "report": {"-T": "3", "--heads": "5", "--lam": "1/2", "-o": "page.html"},
    "report --slope": {"-T": "3", "--lam": "1/2", "-o": "page.html"},
}


@cache
def commands() -> dict[str, Any]:
    """Made once: that takes longer than any test here."""
    found: dict[str, Any] = cast(Any, typer.main.get_command(app)).commands
    return found


def command_of(name: str) -> Any:
    return commands()[name]


def options(name: str) -> list[Any]:
    return [param for param in command_of(name).params if param.param_type_name == "option"]


def ranged() -> Iterator[tuple[str, str, Interval]]:
    """(command, option, interval) of every range that a help states."""
    for name in COMMANDS:
        for option in options(name):
            found = INTERVAL.search(option.help)
            if found and found[3] != "N":  # of --entry, which is at most -n
                yield name, option.opts[-1], cast(Interval, found.groups())


def value(text: str) -> Fraction:
    """The number that is written as 10^15, 2^63 - 1, 0.5 or 7."""
    base, power, less = re.fullmatch(r"(-?[\d.]+)(?:\^(\d+))?(?: - (\d+))?", text).groups()  # type: ignore[union-attr]
    return Fraction(base) ** int(power or 1) - int(less or 0)


def outside(option_help: str, interval: Interval) -> list[Fraction]:
    """On either side the first integer beyond, or a number that is just beyond."""
    left, low, high, right = interval
    step = 1 if "integer" in option_help else Fraction(1, 10**6)
    return [value(low) - (step if left == "[" else 0), value(high) + (step if right == "]" else 0)]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kernel.csv").write_text("1,0\n1/2,1/2\n")
    (tmp_path / "jobs.json").write_text(json.dumps([{"model": "tiny"}]))
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "config.json").write_text('{"model_type": "bloom", "vocab_size": 64}')
    monkeypatch.chdir(tmp_path)


# --- ranges ---------------------------------------------------------------------------------------------------------


def test_there_are_ranges_to_test() -> None:
    assert len(list(ranged())) >= 30
    assert {name for name, _, _ in ranged()} <= set(WORDS)


@pytest.mark.parametrize(("command", "option", "interval"), list(ranged()), ids=lambda x: x if type(x) is str else "")
def test_the_range_of_the_help_is_the_one_enforced(
    posbias: Posbias, place: None, command: str, option: str, interval: Interval
) -> None:
    if command == "audit" and option == "--seed" and MISSING:
        pytest.skip(WHY)
    (known,) = [o for o in options(command) if option in o.opts]
    given = WORDS.get(f"{command} {option}", WORDS[command])
    words = [word for key, text in given.items() if key not in known.opts for word in (key, text) if word]
    for number in outside(known.help, interval):
        run = posbias(command, *words, f"{option}={number}")
        assert (run.code, run.out) == (2, ""), run
        assert f"'{option}'" in run.err
        if least := re.search(r"must be at least (\d+), not", run.err):  # so said where it is the library that refuses
            assert value(least[1]) == value(interval[1]) == number + 1
            continue
        found = REFUSED.search(run.err)
        assert found, run.err
        stated = (interval[0], value(interval[1]), value(interval[2]), interval[3])
        assert (found[1], value(found[2]), value(found[3]), found[4]) == stated


@pytest.mark.parametrize(
    ("words", "interval"),
    [
        (("--across", "0,1,2"), "(0, 700]"),
        (("--across", "1,701,2"), "[0, 700]"),
        (("--up", "1,25,2"), "[0, 24]"),
        (("--continuous", "--up", "1,601,2"), "[0, 600]"),
        (("--axes", "layers", "--across", "0,2,2"), "[1, 256]"),
        (("--axes", "layers", "--across", "1,257,2"), "[1, 256]"),
        (("--axes", "layers", "--up", "0,2,2"), "[0, 1]"),
        (("--continuum", "--depths", "0"), "(0, 24]"),
        (("--continuum", "--continuous", "--depths", "601"), "(0, 600]"),
    ],
)
def test_the_axes_of_a_phase_diagram(posbias: Posbias, words: tuple[str, ...], interval: str) -> None:
    run = posbias("phase", *words)
    assert run.code == 2 and interval in run.err
    (option,) = [o for o in options("phase") if words[-2] in o.opts]
    stated = interval.replace("24", "T") if "24" in interval else interval
    assert stated.strip("([") in option.help.replace("(0", "0").replace("[", "")


@pytest.mark.parametrize("cells", ["0", "121"])
def test_the_cells_of_a_phase_diagram(posbias: Posbias, cells: str) -> None:
    assert "must have 1 to 120 cells" in posbias("phase", "--across", f"1,2,{cells}").err
    assert all("CELLS is at most 120" in o.help for o in options("phase") if o.opts[0] in ("--across", "--up"))


@pytest.mark.parametrize(
    ("words", "least", "most"),
    [
        (("--kernel", "general", "-T", "1"), 1, 32),
        (("--kernel", "uniform", "-T", "1"), 1, 1000),
        (("--kernel", "uniform", "--lam", "1/2", "-T", "1"), 1, 100000),
    ],
)
def test_the_sizes_of_a_derivation(posbias: Posbias, words: tuple[str, ...], least: int, most: int) -> None:
    assert f"must be an integer in [{least}, {most}]" in posbias("derive", *words, "-n", most + 1).err
    assert re.search(rf"must be (an integer in \[|at least ){least}\b", posbias("derive", *words, "-n", least - 1).err)
    (option,) = [o for o in options("derive") if "-n" in o.opts]
    assert str(most) in option.help


# --- defaults -------------------------------------------------------------------------------------------------------

# options that do nothing where they are left out, or whose help says in other words what holds then
NOTHING = {
    "--plot", "--csv", "--save", "--prefix", "--against", "--latex", "--certificate", "--family", "--offload", "--jobs",
    "--window", "--sink", "--epsilon", "--measured", "--snippet", "--text", "--weights", "--e", "--at", "--digits",
    "--dots", "--depth", "--entry", "--lam", "--slope", "--heads",
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_default_is_shown(command: str) -> None:
    made = command_of(command)
    ctx = made.make_context(command, [], resilient_parsing=True)
    for option in made.params:
        shown = option.get_help_record(ctx)[1]
        if option.param_type_name == "argument" or getattr(option, "is_flag", False) or option.opts[-1] in NOTHING:
            continue
        if option.default is None:
            assert re.search(r"unless given|must be given|any\b", shown), (option.opts, shown)
        else:
            assert f"[default: {option.default}]" in shown, (option.opts, shown)


def test_the_defaults_in_words_are_those_taken() -> None:
    from numeric.benchmark import LENGTHS, Work
    from proofs.commands import depth, phase_setting, reproduce, setting

    def said(command: str, option: str) -> str:
        (text,) = [o.help for o in options(command) if option in o.opts]
        return str(re.sub(r".*; ", "", text.replace(" unless given.", "")))

    assert said("profile", "-n") == f"{setting.DEFAULT_LENGTH}, or those of a file,"
    assert said("depth", "--eta") == depth.DEFAULT_ETA
    assert said("depth", "-n").startswith(f"{setting.DEFAULT_LENGTH},")
    assert said("phase", "-n") == str(setting.DEFAULT_LENGTH)
    assert said("phase", "-T") == str(phase_setting.DEFAULT_LAYERS)
    assert said("phase", "--depths") == phase_setting.DEFAULT_DEPTHS
    assert said("bench", "-n") == "{}, {} and {}".format(*LENGTHS)
    assert (said("bench", "-T"), said("bench", "--heads")) == (str(Work.layers), str(Work.heads))
    assert (said("reproduce", "--scale"), said("reproduce", "--format")) == (reproduce.SCALES[0], reproduce.FORMATS[0])


@pytest.mark.skipif(bool(MISSING), reason=WHY)
def test_the_default_of_audit() -> None:
    from numeric.model.audit import DEFAULT_LENGTH

    assert f"{DEFAULT_LENGTH} unless given" in next(o.help for o in options("audit") if "-n" in o.opts)


def test_the_default_axes_of_a_phase_diagram() -> None:
    from proofs.commands.options import Typed
    from proofs.commands.phase_setting import Wanted, read_grid

    def grid(axes: str, continuous: bool) -> Any:
        wanted = Wanted(
            axes, None, None, continuous, None, None, None, None, None, False, None, None, None, False
        )  # fmt: skip
        return read_grid(wanted, Typed(()))

    depth, deep, layers = grid("depth", False), grid("depth", True), grid("layers", False)
    assert (depth.across[1], depth.across[-1], len(depth.across) - 1) == (1 / 2048, 2, 48)
    assert (depth.up[0], depth.up[-1], len(depth.up)) == (1 / 4, 24, 32)
    assert (deep.up[0], len(deep.up)) == (1 / 4, 32)
    assert deep.up[-1] == pytest.approx(512)  # by 31 equal ratios
    assert (layers.across[0], layers.across[-1], len(layers.across)) == (1, 70, 35)
    assert (layers.up[0], layers.up[-1], len(layers.up)) == (0, 1, 31)
    assert depth.bits == 512


# --- form -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", ["80", "100"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_the_console(posbias: Posbias, monkeypatch: pytest.MonkeyPatch, command: str, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    run = posbias(*command.split(), "--help")
    assert (run.code, run.err) == (0, "") and run.out.isascii()
    assert max(map(len, run.out.splitlines())) <= int(columns)
    usage, purpose, *rest = run.out.split("\n\n")
    assert re.fullmatch(r" {2}[A-Z][^.;]*\.", " ".join(purpose.split("\n  "))), purpose
    assert re.match(r"Examples?:\n  ", rest[-1]), rest[-1]
    assert "<" not in usage and "{" not in usage


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_says_something(command: str) -> None:
    assert [o.opts for o in command_of(command).params if not re.match(r"\S.+\.$", o.help or "")] == []


def test_no_summary_of_a_command_is_cut(posbias: Posbias) -> None:
    listed = posbias().out.split("Commands:\n")[1].split("\n\n")[0].splitlines()
    assert len(listed) == len(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("..") for line in listed)


# --- ways to ask for it ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "help profile",
        "help profile --help",
        "help -h profile",
        "profile --lenght 5 --help",
        "profile --lam 1 --lam 2 -h",
        "profile a b --help",
        "profile --help -n",
    ],
)
def test_who_asks_for_help_gets_it(posbias: Posbias, words: str) -> None:
    assert posbias(*words.split()) == posbias("profile", "--help")


@pytest.mark.parametrize("words", ["help", "help help", "help --help", "--nothing --help", "--help profil"])
def test_help_of_all(posbias: Posbias, words: str) -> None:
    assert posbias(*words.split()) == posbias("--help")


def test_help_behind_two_dashes_is_a_value(posbias: Posbias) -> None:
    run = posbias("profile", "--nothing", "--", "--help")
    assert run.code == 2 and "'--nothing' must be an option" in run.err


@pytest.mark.parametrize("words", ["-V", "--version", "-V profile"])
def test_version(posbias: Posbias, words: str) -> None:
    assert re.fullmatch(r"posbias (\d+\.\d+\.\d+|\(not installed\))\n", posbias(*words.split()).out)
