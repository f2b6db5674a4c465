"""Bad input: one line on standard error with argument, requirement and value; nothing printed, nothing written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from proofs.cli import COMMANDS

Posbias = Callable[..., Any]
PROFILE = {"-T": "3", "--heads": "5", "--lam": "0.5", "-n": "7"}
MODELS = r"bloom-176b, bloom-7b1, mpt-7b, mpt-30b, falcon-rw-7b"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An own working folder, which must look the same after the test."""
    (tmp_path / "empty").write_text("")
    (tmp_path / "blank.csv").write_text("\n \n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x01")
    (tmp_path / "words").write_text("no experiment at all")
    (tmp_path / "unclosed.yaml").write_text("a: [1, 2")
    (tmp_path / "unknown.yaml").write_text("sequence_length: 4\nsurprise: 1\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "lam.csv").write_text("lambda\n0.5\n1.5\n0.5\n")
    (tmp_path / "short.csv").write_text("0.5\n0.5\n")
    (tmp_path / "seen.csv").write_text("position,influence\n" + "".join(f"{j},1\n" for j in range(7)))
    (tmp_path / "influence.csv").write_text("position,influence\n0,1\n1,1\n")
    monkeypatch.chdir(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    yield tmp_path
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def refused(posbias: Posbias, words: list[str], message: str) -> None:
    run = posbias(*words)
    assert (run.code, run.out) == (2, "")
    assert run.err.endswith("\n")
    assert run.err.count("\n") == 1, run.err
    assert re.search(message, run.err), run.err
    assert re.match(r"Argument '[^']+' must .+, not .+\.$", run.err), run.err


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"--lam": "1.2"}, r"'--lam' must lie in \[0, 1\], not "),
        ({"--lam": "-0.1"}, r"'--lam' must lie in \[0, 1\]"),
        ({"--lam": "nan"}, r"'--lam' must be a number, a fraction p/q, .* not 'nan'"),
        ({"--lam": "inf"}, "'--lam' must be a number"),
        ({"--lam": "1/0"}, "'--lam' must have a denominator other than 0"),
        ({"--lam": "__import__('os').mkdir('pwned')"}, "'--lam' must be a number"),
        ({"--lam": "power:2,1"}, r"'--lam' must lie in \[0, 1\]"),
        ({"--lam": "power:1"}, "'--lam' must have the form power:c,beta"),
        ({"--lam": "geometric:0.5,3"}, r"'--lam' must lie in \[0, 1\]"),
        ({"--lam": "missing.csv"}, "'--lam' must be .* not 'missing.csv'"),
        ({"--lam": "folder"}, "'--lam' must be"),
        ({"--lam": "binary"}, "'--lam' must be a CSV file in UTF-8"),
        ({"--lam": "empty"}, "'--lam' must have at least one value, not an empty file"),
        ({"--lam": "lam.csv"}, r"'--lam' must lie in \[0, 1\], not .*\(lam.csv, line 3\)"),
        ({"--lam": "short.csv"}, r"'--lam' must give one value per layer \(3\), not 2 of them"),
        ({"--lam": ""}, "'--lam' must be"),
        ({"-n": "0"}, r"'-n' must be an integer in \[1, 1000000\], not 0"),
        ({"-n": "-3"}, r"'-n' must be an integer in \[1, 1000000\], not -3"),
        ({"-n": "2.5"}, "'-n' must be an integer, not '2.5'"),
        ({"-n": "999999999999"}, "'-n' must be an integer in"),
        ({"-n": "__import__('os').mkdir('pwned')"}, "'-n' must be an integer"),
        ({"-T": "-1"}, r"'-T' must be an integer in \[0, 100000\], not -1"),
        ({"--heads": "0"}, r"'--heads' must be an integer in \[1, 10000\], not 0"),
        ({"--heads": "many"}, "'--heads' must be an integer, not 'many'"),
        ({"--slope": "0.5"}, "'--slope' must be left out beside --heads"),
        ({"--slopes": "bloom"}, "'--slopes' must be 'paper' or 'model', not 'bloom'"),
        ({"--against": "measured"}, r"'--against' must be a CSV file unless \(n, T, H\) = \(256, 70, 112\)"),
        ({"--against": "missing.csv"}, "'--against' must be an existing file, not 'missing.csv'"),
        ({"--against": "folder"}, r"'--against' must be a file, not a folder \(folder\)"),
        ({"--against": "empty"}, "'--against' must have content, not an empty file"),
        ({"--against": "blank.csv"}, "'--against' must have content"),
        ({"--against": "binary"}, "'--against' must be text in UTF-8, not a binary file"),
        ({"--against": "words"}, "'--against' must have a header with position and influence"),
        ({"--against": "influence.csv"}, r"'--against' must have one row per position \(7\), not 2 rows"),
        ({"--against": "influence.csv", "-n": "1"}, "'--against' must be left out for one position"),
        ({"--plot": "figure.jpg"}, r"'--plot' must end in \.pdf, \.png, \.svg, not 'figure.jpg'"),
        ({"--plot": "nowhere/figure.png"}, "'--plot' must lie in a folder that exists"),
        ({"--plot": "empty/figure.png"}, "'--plot' must"),
        ({"--plot": "folder"}, "'--plot' must be a file, not a folder"),
        ({"--plot": ""}, "'--plot' must be a path"),
        ({"--csv": "nowhere/p.csv"}, "'--csv' must lie in a folder that exists"),
        ({"--csv": "lam.csv"}, r"'--csv' must be a new file or a profile, .*, not another file \(lam\.csv\)"),
        ({"--csv": "./seen.csv", "--against": "seen.csv"}, "'--csv' must be another file than --against"),
        ({"--csv": "figure.png", "--plot": "figure.png"}, "'--csv' must be another file than --plot"),
        ({"--save": "nowhere/e.yaml"}, "'--save' must lie in a folder that exists"),
        ({"--save": "words"}, r"'--save' must be a new file or a saved experiment, .*, not another file \(words\)"),
        ({"--save": "new", "--csv": "./new"}, "'--save' must be another file than --csv"),
        ({"--save": "./seen.csv", "--against": "seen.csv"}, "'--save' must be another file than --against"),
        ({"--save": "new", "--prefix": "2"}, "'--save' must be left out beside --prefix"),
        (
            {"--save": "new", "-T": "10001", "--lam": "0"},
            "'--save' must be left out beyond 10000 layers, .*, not 10001",
        ),
    ],
)
def test_profile_options(posbias: Posbias, folder: Path, changed: dict[str, str], message: str) -> None:
    options = {**PROFILE, **changed}
    refused(posbias, ["profile", *(word for pair in options.items() for word in pair)], message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "blom-176b",
            rf"'SOURCE' must be an experiment file, a model folder, or one of {MODELS}, not 'blom-176b' "
            r"\(nearest: bloom-176b",
        ),
        ("[/red]", r"'SOURCE' must be .* not '\[/red\]'"),
        ("two\nlines", r"'SOURCE' must be .* not 'two\\nlines'"),
        ("null\0byte", "'SOURCE' must be"),
        ("x" * 5000, "'SOURCE' must be"),
        ("folder", r"'SOURCE' must be a file, not a folder \(folder\)"),
        ("empty", r"'SOURCE' must hold an experiment, not empty \(empty\)"),
        ("binary", r"'SOURCE' must be text in UTF-8, not binary \(binary\)"),
        ("words", "'SOURCE' must hold named fields"),
        ("unclosed.yaml", r"\(unclosed.yaml, line \d+\)"),
        ("unknown.yaml", r"\(unknown.yaml, line \d\)"),
        ("bloom-176b --heads 3", "'--heads' must be left out beside a SOURCE, which has its own, not '3'"),
        ("bloom-176b --slope 0.5", "'--slope' must be left out beside a SOURCE"),
        ("bloom-176b -T 3", "'-T' must be 70, the number of layers measured, unless --lam is given, not 3"),
        ("bloom-176b --layers 3", "'--layers' must be 70"),
        ("mpt-7b --against measured", r"not 'measured' with \(256, 32, 32\)"),
        ("bloom-176b -n 128 --against measured", r"not 'measured' with \(128, 70, 112\)"),
        ("words --slopes model", "'--slopes' must be left out for an experiment file"),
        ("words --layers 3", "'--layers' must be left out for an experiment file"),
    ],
)
def test_profile_source(posbias: Posbias, folder: Path, words: str, message: str) -> None:
    refused(posbias, ["profile", *(words.split(" "))], message)


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("-T", "'--layers' must be given where SOURCE is left out"),
        ("--heads", r"'--heads' must be given \(or --slope\) where SOURCE is left out"),
        ("--lam", "'--lam' must be given where SOURCE is left out"),
    ],
)
def test_profile_without_source(posbias: Posbias, folder: Path, missing: str, message: str) -> None:
    refused(posbias, ["profile", *(w for pair in PROFILE.items() if pair[0] != missing for w in pair)], message)


@pytest.mark.parametrize(
    ("slope", "message"),
    [("-1", r"'--slope' must lie in \[0, 700\]"), ("nan", "'--slope' must be a number"), ("1e9", "'--slope' must lie")],
)
def test_slope(posbias: Posbias, folder: Path, slope: str, message: str) -> None:
    refused(posbias, ["profile", "-T", "3", "--lam", "0.5", "--slope", slope], message)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["0,1", "1,nan", "2,1"], r"'influence' must be a number .* not 'nan' \(i.csv, line 3\)"),
        (["0,1", "1,-0.5", "2,1"], r"'influence' must be nonnegative, not '-0.5' \(i.csv, line 3\)"),
        (["0,0", "1,0", "2,0"], r"'--against' must have a positive sum, not 0 \(i.csv\)"),
        (["1,1", "2,1", "3,1"], r"'position' must count from 0 by one, here 0, not '1' \(i.csv, line 2\)"),
        (["0,1", "2,1", "1,1"], r"'position' must count from 0 by one, here 1"),
        (["0,1", "1", "2,1"], r"'--against' must have 2 columns, not 1 \(i.csv, line 3\)"),
        (["0,1", '1,"1', "2,1"], r"'--against' must be a CSV file.*\(i.csv, line 3\)"),
        (["0,1e399", "1,1", "2,1"], r"'influence' must be a finite number"),
        ([], r"'--against' must have one row per position \(3\), not 0 rows"),
    ],
)
def test_influence_file(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "i.csv").write_text("\n".join(["position,influence", *rows]))
    refused(posbias, ["profile", "-T", "2", "--slope", "1", "--lam", "1/2", "-n", "3", "--against", "i.csv"], message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("verify D9", r"'ID' must be a statement of the ledger, not 'D9' \(nearest: .*D\d.*\)\.$"),
        ("verify i1", r"'ID' must be a statement of the ledger, not 'i1' \(nearest: I1\)\.$"),
        ("verify i4B", r"not 'i4B' \(nearest: I4b\)\.$"),
        ("verify S1 nothing", r"'ID' must be a statement of the ledger \(S1, S2, .*, L1\), not 'nothing'"),
        ("export --snippet d2", r"'--snippet' must be a statement .* not 'd2' \(nearest: D2\)"),
        ("export out --only D1,d2", r"'--only' must be a statement .* not 'd2' \(nearest: D2\)"),
        ("verify S2 --quick --certificate words", r"'--certificate' must be a new file or a certificate, .* \(words\)"),
        ("verify S2 --quick --certificate binary", "'--certificate' must be a new file or a certificate, which is"),
        (
            "verify S2 --quick --drop --latex words",
            "'--latex' must be a new file or what --latex wrote, which is replaced",
        ),
        ("verify S2 --drop --latex new --certificate ./new", "'--certificate' must be another file than --latex"),
        ("verify --seed x", "'--seed' must be an integer, not 'x'"),
        ("verify --seed -1", "'--seed' must be an integer in"),
        ("reproduce empty/below", "'DIR' must be a folder that can be written, not 'empty/below'"),
        ("reproduce empty", "'DIR' must be a folder"),
        ("reproduce out --scale root", "'--scale' must be log or linear, not 'root'"),
        ("reproduce out --format pdf", "'--format' must be svg or png, not 'pdf'"),
        ("reproduce out --experiments nowhere", "'--experiments' must be a folder that exists, not missing"),
        ("reproduce out --experiments words", r"'--experiments' must be a folder that exists, not a file \(words\)"),
        ("reproduce out --experiments folder", r"'--experiments' must hold some of bloom\.yaml, .* \(folder\)"),
        ("reproduce out --measured missing.csv", "'--measured' must be an existing file, not 'missing.csv'"),
        ("reproduce out --measured folder", "'--measured' must be a file, not a folder"),
        ("reproduce out --measured lam.csv", "'--measured' must have a header with position and influence"),
        ("reproduce out --measured seen.csv", r"'--measured' must have one row per position \(256\), not 7 rows"),
        ("reproduce out --measured mpt-7b=", r"'--measured' must be CSV or MODEL=CSV .* not 'mpt-7b='"),
        ("reproduce out --measured mpt7b=seen.csv", r"not 'mpt7b=seen\.csv' \(nearest: mpt-7b"),
        ("reproduce out --measured mpt-7b=a --measured mpt-7b=b", "'--measured' must be given once for a model"),
        ("reproduce out --measured a --measured bloom-176b=b", "given once for a model, not twice for bloom-176b"),
        ("reproduce out --scale log --scale log", "'--scale' must be given once, not as 'log' and 'log'"),
        ("reproduce", "'DIR' must be given, not left out"),
        ("export empty/below", "'DIR' must be a folder that can be written, not 'empty/below'"),
        ("export empty", "'DIR' must be a folder"),
        ("export out --seed x", "'--seed' must be an integer"),
        ("check empty", r"'KERNEL' must be a file that ends in \.csv or \.npy"),
        ("check missing.csv", "'KERNEL' must be an existing file, not 'missing.csv'"),
        ("check missing.npy", "'KERNEL' must be an existing file"),
        ("check blank.csv", "'KERNEL' must have content"),
        ("check blank.csv --tolerance 2", r"'--tolerance' must lie in \[0, 1\), not '2'"),
        ("check blank.csv --tolerance abc", "'--tolerance' must be a number"),
        ("check blank.csv --lam 7", r"'--lam' must lie in \[0, 1\]"),
        # what the command-line library itself would answer in a box of several lines
        ("nothing", f"'COMMAND' must be one of {', '.join(COMMANDS)}, not 'nothing'"),
        ("profil", r"not 'profil' \(nearest: profile\)"),
        ("profile --slop 1", r"'--slop' must be an option that --help lists, not another \(nearest: .*--slope"),
        ("--nothing", "'--nothing' must be an option"),
        ("profile -n", "'-n' must be used as --help says"),
        ("profile a b", "'profile' must be used as --help says, .*unexpected"),
        ("profile --json=3", "'--json' must be used as --help says"),
        ("check", "'KERNEL' must be given, not left out"),
        ("export", "'DIR' must be given, not left out"),
    ],
)
def test_other_commands(posbias: Posbias, folder: Path, words: str, message: str) -> None:
    refused(posbias, words.split(" "), message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("depth --kernel a --lam 1 --kernel b", "'--kernel' must be given once, not as 'a' and 'b'"),
        ("depth --lam 0 --lam=1", "'--lam' must be given once, not as '0' and '1'"),
        ("depth --lam 1 --lam 1", "'--lam' must be given once, not as '1' and '1'"),
        ("profile bloom-176b --lam 0 --lam 1 --lam 1/2", "'--lam' must be given once, not as '0' and '1' and '1/2'"),
        ("profile bloom-176b -n 5 --length 7", "'-n' must be given once, not as '5' and '7'"),
        ("profile bloom-176b --csv a.csv --csv b.csv", "'--csv' must be given once"),
        ("derive -T 2 -T3 -n 2", "'-T' must be given once, not as '2' and '3'"),
        ("check binary --tolerance 0 --tolerance 0.1", "'--tolerance' must be given once"),
        ("verify S2 --seed 1 --seed 2", "'--seed' must be given once, not as '1' and '2'"),
        ("export out --only D1 --only D2", "'--only' must be given once, not as 'D1' and 'D2'"),
        ("depth --lam 1 --lam", "'--lam' must be used as --help says"),
    ],
)
def test_an_option_given_twice(posbias: Posbias, folder: Path, words: str, message: str) -> None:
    refused(posbias, words.split(" "), message)


def test_options_given_once_and_flags_given_twice_pass(posbias: Posbias) -> None:
    assert posbias("depth", "--lam", "--json", "--kernel", "uniform").code == 2  # --json is a value here
    assert posbias("depth", "--lam", "1", "-n", "1", "--json", "--json").json()["lam"] == "1"


def test_nothing_is_written_where_another_output_is_refused(posbias: Posbias, folder: Path) -> None:
    words = ["profile", "mpt-7b", "--csv", "p.csv", "--plot", "nowhere/p.png"]
    refused(posbias, words, "'--plot' must lie in a folder that exists")
