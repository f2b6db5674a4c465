"""The page in a browser: every control gives the numbers of `numeric`, links restore, bad input is named."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numeric.profile import profile
from tests.browser import chromium, needs_browser
from tests.proofs.report.expected import layers_of
from tests.proofs.report.pages import Json, data, needs_library, settled, written
from tests.proofs.report.states import EDGES, GIVEN

pytestmark = [needs_browser, needs_library]

START: Json = {
    "length": 23, "layers": 5, "schedule": {"kind": "power", "c": 0.5, "beta": 1.0},
    "slopes": {"kind": "paper", "heads": 3}, "content": {"kind": "number", "d": 0.0},
}  # fmt: skip
MEASURED = {"source": "measured influence", "values": [1 / 23] * 23}
MINE = {**GIVEN, "lam": [0.5, 0.25, 1.0, 0.125, 0.5]}
MINE |= {"slopes": [[0.5, 0.0]], "content": [[1.0, -2.0]]}
Show = Callable[..., Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def driver(folder: Path) -> Iterator[Any]:
    with chromium(folder / "chromium") as found:
        found.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        yield found


@pytest.fixture(scope="module")
def address(folder: Path) -> str:
    return written(folder, data(START, MINE, MEASURED))


@pytest.fixture
def opened(driver: Any, address: str) -> Iterator[Show]:
    """Opens the page anew, at a fragment; afterwards the console must be empty."""

    def load(fragment: str = "") -> Any:
        driver.get("about:blank")
        driver.get(f"{address}{fragment}")
        settled(driver)
        return driver

    yield load
    assert driver.get_log("browser") == []


@pytest.fixture
def shown(driver: Any, address: str) -> Iterator[Any]:
    """The page with its source's setting, opened anew only where it is not: that takes the longest."""
    if driver.current_url.split("#")[0] != address:
        driver.get(address)
    settled(driver)
    driver.execute_script("document.getElementById('reset').click()")
    settled(driver)
    yield driver
    assert driver.get_log("browser") == []


def type_into(driver: Any, control: str, value: object) -> None:
    """What typing, choosing or dragging does: the value, and the event that tells of it."""
    driver.execute_script(
        "const x = document.getElementById(arguments[0]); x.value = arguments[1];"
        "x.dispatchEvent(new Event(x.tagName === 'SELECT' ? 'change' : 'input', {bubbles: true}))",
        control,
        str(value),
    )


def go_to(driver: Any, fragment: str) -> None:
    """Another address within the page, once it was told of."""
    driver.execute_async_script(
        "const [fragment, done] = arguments;"
        "addEventListener('hashchange', () => setTimeout(done), {once: true}); location.hash = fragment",
        fragment,
    )


def told(driver: Any, name: str) -> str:
    return str(driver.execute_script("return document.getElementById(arguments[0]).textContent", name))


def near(driver: Any) -> Json:
    """The state shown, whose profile is that of `numeric` to 1e−9."""
    found = settled(driver)
    kernels, lam = layers_of(found["state"], MINE)
    ours = profile(kernels, lam, n=found["state"]["length"])
    assert np.max(np.abs(ours - found["result"]["profile"])) < 1e-9
    state: Json = found["state"]
    return state


# --- controls -------------------------------------------------------------------------------------------------------

MOVES: list[tuple[list[tuple[str, object]], Json]] = [
    ([("control-length", 31)], {"length": 31}),
    ([("slider-length", 47)], {"length": 47}),
    ([("control-layers", 7)], {"layers": 7}),
    ([("control-c", 0.75)], {"schedule": {"kind": "power", "c": 0.75, "beta": 1.0}}),
    ([("control-beta", -0.5)], {"schedule": {"kind": "power", "c": 0.5, "beta": -0.5}}),
    ([("control-rule", "constant"), ("control-c", "1e-1")], {"schedule": {"kind": "constant", "c": 0.1}}),
    ([("control-rule", "geometric"), ("control-r", 0.25)], {"schedule": {"kind": "geometric", "c": 0.5, "r": 0.25}}),
    ([("control-rule", "given"), ("slider-scale", 0.5)], {"schedule": {"kind": "given", "scale": 0.5}}),
    ([("control-layers", 9), ("control-rule", "given")], {"layers": 5, "schedule": {"kind": "given", "scale": 1}}),
    ([("control-rule", "given"), ("slider-layers", 2)], {"layers": 2, "schedule": {"kind": "given", "scale": 1}}),
    ([("control-heads", 5)], {"slopes": {"kind": "paper", "heads": 5}}),
    ([("control-slopes", "model")], {"slopes": {"kind": "model", "heads": 3}}),
    ([("control-slopes", "one"), ("control-slope", 0.5)], {"slopes": {"kind": "one", "slope": 0.5}}),
    ([("control-slopes", "given")], {"slopes": {"kind": "given"}}),
    (
        [("control-slopes", "given"), ("control-contents", "given")],
        {"slopes": {"kind": "given"}, "content": {"kind": "given"}},
    ),
    (
        [("control-slopes", "given"), ("control-contents", "given"), ("control-slopes", "paper")],
        {"slopes": {"kind": "paper", "heads": 2}},
    ),
    ([("control-content", -1.5)], {"content": {"kind": "number", "d": -1.5}}),
    ([("control-content", 300)], {"content": {"kind": "number", "d": 300}}),  # beyond the slider
]  # fmt: skip


@pytest.mark.parametrize(("moves", "changes"), MOVES, ids=lambda x: x[-1][0] if isinstance(x, list) else "")
def test_a_control_gives_the_numbers_of_numeric(shown: Any, moves: list[tuple[str, object]], changes: Json) -> None:
    for control, value in moves:
        type_into(shown, control, value)
        assert told(shown, "refused") == ""
    assert near(shown) == {**START, **changes}


def test_every_control_is_moved(shown: Any) -> None:
    names = shown.execute_script("return controls().map(({name}) => name)")
    moved = {control.split("-")[1] for moves, _ in MOVES for control, _ in moves}
    assert {*names} - moved == {"depth"}


def test_fewer_layers_than_were_given_are_the_first_of_them(shown: Any) -> None:
    type_into(shown, "control-rule", "given")
    assert shown.execute_script("return document.getElementById('slider-layers').max") == "5"
    assert "first of" not in told(shown, "setting")
    type_into(shown, "control-layers", 3)
    assert settled(shown)["result"]["lam"] == MINE["lam"][:3]
    assert ", 3 layers of 3 heads, the first of 5 given; " in told(shown, "setting")
    hint = "return document.querySelector('.hint:not([hidden])').textContent"
    assert shown.execute_script(hint) == "of 5 layers given, counted from the input"
    type_into(shown, "control-layers", 6)
    assert told(shown, "refused") == "Argument 'T' must be at most 5, the number of layers of the given values, not 6."


def test_bounds_are_drawn_at_every_depth_and_in_the_limit(shown: Any) -> None:
    """Lines by depth 0 … T, each of six, and two bars with two ends each; values between their bounds."""
    found = settled(shown)["result"]["dichotomy"]
    count = "return document.querySelectorAll(`#plot-bounds ${arguments[0]}`).length"
    assert shown.execute_script(count, ".mark-line path") == 6
    assert shown.execute_script(count, ".mark-rule.role-mark line") == 2
    assert [row["depth"] for row in found["byDepth"]] == [0, 1, 2, 3, 4, 5]
    assert found["now"] == found["byDepth"][-1]
    rows = shown.execute_script("return JSON.stringify(figures.bounds.rows(page.result))")
    drawn: dict[str, list[float]] = {name: [] for name in ("first", "first, at least", "first, at most")}
    for row in json.loads(rows)["rows"]:
        if row["series"] in drawn:
            drawn[row["series"]].append(row["y"])
    low, value, high = (drawn[name] for name in ("first, at least", "first", "first, at most"))
    assert all(x <= y <= z for x, y, z in zip(low, value, high, strict=True)) and low[-1] < value[-1] < high[-1]


@pytest.mark.parametrize("depth", [0.0, 0.5, 1.0])
def test_effective_depth_keeps_the_form_of_the_rule(shown: Any, depth: float) -> None:
    type_into(shown, "control-depth", depth)
    state = near(shown)
    assert state["schedule"]["beta"] == 1.0
    assert sum(state["schedule"]["c"] / t for t in range(1, 6)) == pytest.approx(
        depth, abs=1e-12
    )  # 5 sums, 5 quotients
    assert told(shown, "setting").endswith(f"Effective depth S = Σ λ_t = {depth:g}.")


def test_the_largest_of_every_slider_is_taken(shown: Any) -> None:
    for name in shown.execute_script("return controls().filter(c => !c.choices).map(({name}) => name)"):
        slider = f"slider-{name}"
        if shown.execute_script("return document.getElementById(arguments[0]).checkVisibility()", slider):
            shown.execute_script("document.getElementById('reset').click()")
            most = shown.execute_script("return document.getElementById(arguments[0]).max", slider)
            type_into(shown, slider, most)
            assert told(shown, "refused") == "", name
            near(shown)


def test_the_end_of_the_depth_slider_is_taken_whatever_its_digits(shown: Any) -> None:
    """A browser rounds the value of a slider to its steps in decimals, which may lie beyond the most there is."""
    type_into(shown, "control-beta", 0.75)
    for layers in range(2, 42):
        type_into(shown, "control-layers", layers)
        most = shown.execute_script("return document.getElementById('slider-depth').max")
        type_into(shown, "slider-depth", most)
        assert told(shown, "refused") == "", layers
    found = settled(shown)
    assert found["state"]["schedule"]["c"] == pytest.approx(1, rel=1e-14)  # the quotient of two sums


def test_the_state_that_is_typed_stays_as_typed(shown: Any) -> None:
    type_into(shown, "control-depth", "0.50")
    settled(shown)
    assert shown.execute_script("return document.getElementById('control-depth').value") == "0.50"


@pytest.mark.parametrize(
    ("control", "value", "message"),
    [
        ("control-length", "0", "Argument 'n' must be an integer in [1, 1024], not 0."),
        ("control-length", "2.5", "Argument 'n' must be an integer in [1, 1024], not 2.5."),
        ("control-layers", "", "Argument 'Layers T' must be a number, not ''."),
        ("control-c", "1.25", "Argument 'c of lam' must lie in [0, 1], not 1.25."),
        ("control-depth", "9", "Argument 'effective depth' must lie in [0, "),
        ("control-content", "-401", "Argument 'content' must lie in [-400, 400], not -401."),
    ],
)
def test_what_cannot_be_taken_is_named_and_nothing_moves(shown: Any, control: str, value: str, message: str) -> None:
    type_into(shown, control, value)
    assert told(shown, "refused").startswith(message)
    assert shown.execute_script("return document.getElementById(arguments[0]).ariaInvalid", control) == "true"
    assert near(shown) == START
    type_into(shown, "control-length", 29)
    assert told(shown, "refused") == ""
    assert shown.execute_script("return document.querySelectorAll('[aria-invalid]').length") == 0


def test_the_source_comes_back(shown: Any) -> None:
    type_into(shown, "control-length", 31)
    shown.execute_script("document.getElementById('reset').click()")
    assert near(shown) == START


# --- the address ----------------------------------------------------------------------------------------------------


def test_a_link_gives_the_state_again(opened: Show) -> None:
    shown = opened()
    type_into(shown, "control-rule", "given")
    type_into(shown, "control-slopes", "given")
    type_into(shown, "control-content", 0.1)
    state = near(shown)
    link = shown.execute_script("return document.getElementById('link').hash")
    assert shown.current_url.endswith(link)
    assert near(opened(link)) == state != START


def test_a_change_of_the_address_is_followed(shown: Any) -> None:
    go_to(shown, "n=7&T=2")
    assert near(shown) == {**START, "length": 7, "layers": 2}


@pytest.mark.parametrize(
    ("fragment", "message"),
    [
        ("#n=0", "Argument 'n' must be an integer in [1, 1024], not 0."),
        ("#n=7&n=8", "Argument 'fragment' must name each value once, not 'n'."),
        ("#<img src=x onerror=alert(1)>", "Argument 'fragment' must have n, T, lam, slopes, content, given only, not "),
        ("#lam=given:1&given=00000000", "Argument 'given' must be 0123abcd, the mark of this page's data, not "),
    ],
)  # fmt: skip
def test_a_bad_address_is_named_and_the_source_is_shown(opened: Show, fragment: str, message: str) -> None:
    shown = opened(fragment)
    assert told(shown, "refused").startswith(message)
    assert told(shown, "refused").endswith("the source's setting is shown.")
    assert near(shown) == START
    assert shown.execute_script("return document.images.length") == 0


# --- edges ----------------------------------------------------------------------------------------------------------


GENERAL = [name for name, state in EDGES.items() if "given" not in (state["schedule"]["kind"], state["slopes"]["kind"])]


@pytest.mark.parametrize("name", GENERAL)
def test_edges_are_drawn_without_a_complaint(shown: Any, name: str) -> None:
    go_to(shown, shown.execute_script("return posbias.fragment(arguments[0])", EDGES[name]))
    assert near(shown) == EDGES[name]
    assert shown.execute_script("return document.querySelectorAll('.plot svg').length") == 8  # all but the comparison


# --- downloads and tables -------------------------------------------------------------------------------------------


def saved(shown: Any, folder: Path, figure: str, kind: str) -> str:
    """What the button writes; the page is asked, so that no test waits for a disk."""
    text = shown.execute_async_script(
        "const done = arguments[2], make = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => { blob.text().then(done); URL.createObjectURL = make; return make(blob); };"
        "document.querySelector(`[data-figure=${arguments[0]}][data-save=${arguments[1]}]`).click()",
        figure,
        kind,
    )
    return str(text)


def test_every_figure_is_saved_as_svg_and_csv(shown: Any, folder: Path) -> None:
    from xml.etree import ElementTree

    for name in shown.execute_script("return Object.keys(figures).filter((name) => name !== 'comparison')"):
        picture = ElementTree.fromstring(saved(shown, folder, name, "svg"))
        assert picture.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(list(picture.iter("{http://www.w3.org/2000/svg}path"))) > 3, name
        rows = list(csv.reader(saved(shown, folder, name, "csv").splitlines()))
        assert len({len(row) for row in rows}) == 1 and len(rows) > 3, name


def test_the_csv_holds_every_digit_and_counts_from_0(shown: Any, folder: Path) -> None:
    result = settled(shown)["result"]
    rows = list(csv.DictReader(saved(shown, folder, "profile", "csv").splitlines()))
    assert [int(row["position"]) for row in rows] == list(range(23))
    assert [float(row["profile"]) for row in rows] == result["profile"]
    assert [float(row["influence"]) for row in rows] == MEASURED["values"]


def test_tails_are_sums_of_shares(shown: Any, folder: Path) -> None:
    by_depth = settled(shown)["result"]["byDepth"]
    rows = list(csv.DictReader(saved(shown, folder, "drift", "csv").splitlines()))
    for found in by_depth:
        tails = [float(row["tail"]) for row in rows if int(row["depth"]) == found["depth"]]
        exact = np.cumsum(found["profile"][::-1])[::-1]
        assert np.max(np.abs(exact - tails)) <= 23 * 2**-53 * 2  # 22 sums of numbers within 1, on either side
    assert {int(row["depth"]) for row in rows} == {found["depth"] for found in by_depth}


def test_tables_follow_the_setting_and_count_from_1(shown: Any) -> None:
    shown.execute_script("document.querySelector('details.tables[data-figure=profile]').open = true")
    shown.execute_async_script("setTimeout(arguments[0], 50)")
    type_into(shown, "control-length", 3)
    result = settled(shown)["result"]
    cells = json.loads(
        shown.execute_script(
            "return JSON.stringify([...document.querySelectorAll('#profile table tr')]"
            ".map(row => [...row.cells].map(cell => cell.textContent)))"
        )
    )
    assert cells[0] == ["position", "profile"]
    assert [row[0] for row in cells[1:]] == ["1", "2", "3"]
    assert [float(row[1]) for row in cells[1:]] == pytest.approx(result["profile"], rel=5e-6)  # six digits
