"""The page for everybody: by keyboard, by ear, without colour, dark, on a phone, on paper; and closed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from itertools import pairwise
from typing import Any

import pytest

from tests.browser import chromium, needs_browser
from tests.proofs.report.pages import data, needs_library, settled, written
from tests.proofs.report.states import EDGES

pytestmark = [needs_browser, needs_library]
EVIL = "</script><script>window.evil = 1</script><img src=x onerror='window.evil = 1'>"
MEASURED = {"source": EVIL, "values": [1 / 53] * 53}
GAPS = {"low": None, "high": None, "spearman": None, "spearman_low": None, "spearman_high": None}
COMPARISON = {
    "nearest": "residual", "runner_up": EVIL, "margin": 0.125, "separated": True,
    "variants": [
        {"name": "residual", **GAPS, "wasserstein": 0.25, "low": 0.125, "high": 0.5, "left_out": None},
        {"name": EVIL, **GAPS, "wasserstein": 0.375, "left_out": None},
        {"name": "kernels, per head", **GAPS, "wasserstein": None, "left_out": 'not "measured"'},
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("page")
    shown = {**data(EDGES["uniform"], measured=MEASURED, name=EVIL), "comparison": COMPARISON}
    with chromium(folder / "chromium") as found:
        found.get(written(folder, shown))
        settled(found)
        yield found


@pytest.fixture
def emulated(driver: Any) -> Iterator[Any]:
    """The browser, whose screen and media a test may change."""
    yield driver
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def told(driver: Any, script: str, *values: Any) -> Any:
    return driver.execute_script(f"return {script}", *values)


# --- the network, and what may run ----------------------------------------------------------------------------------


def test_nothing_is_asked_for_and_nothing_complained_of(driver: Any) -> None:
    assert told(driver, "performance.getEntriesByType('resource').length") == 0
    assert driver.get_log("browser") == []


ADD = "document.body.append(Object.assign(document.createElement"
CLICK = "const p = document.createElement('p'); p.setAttribute('onclick', 'window.evil = 3'); p.click()"


@pytest.mark.parametrize(
    ("attempt", "directive"),
    [
        ("fetch('http://localhost:9/').catch(() => 0)", "connect-src"),
        ("new Image().src = 'http://localhost:9/x.png'", "img-src"),
        (ADD + "('script'), {text: 'window.evil = 2'}))", "script-src-elem"),
        (CLICK, "script-src-attr"),
        ("setTimeout('window.evil = 4')", "script-src"),  # text as code; a driver's own eval is let through
        (ADD + "('iframe'), {src: 'http://localhost:9/'}))", "frame-src"),
    ],
)
def test_the_policy_forbids(driver: Any, attempt: str, directive: str) -> None:
    found = driver.execute_async_script(
        "const done = arguments[0]; addEventListener('securitypolicyviolation',"
        " (event) => done(event.effectiveDirective), {once: true});" + attempt
    )
    driver.get_log("browser")  # the browser tells of what it forbids
    assert found == directive


def test_no_text_of_data_runs(driver: Any) -> None:
    assert told(driver, "typeof window.evil") == "undefined"
    assert told(driver, "document.querySelectorAll('script').length") == len(re.findall("<script", driver.page_source))
    assert told(driver, "document.querySelector('h1').textContent") == f"Position bias of {EVIL}"
    assert EVIL in told(driver, "document.getElementById('said-profile').textContent")


# --- ears and hands -------------------------------------------------------------------------------------------------


def test_every_control_and_picture_has_a_name(driver: Any) -> None:
    nodes = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles: dict[str, list[str]] = {}
    for node in nodes:
        if not node.get("ignored"):
            roles.setdefault(node["role"]["value"], []).append(node.get("name", {}).get("value", ""))
    for role in ("slider", "spinbutton", "combobox", "button", "image", "link", "heading", "region"):
        assert roles[role] and all(roles[role]), role
    assert len(roles["image"]) == 9
    assert len(set(roles["button"])) == len(roles["button"])  # each says of which figure it is
    assert {"main", "contentinfo", "banner", "complementary", "status"} <= set(roles)


def test_headings_leave_no_level_out(driver: Any) -> None:
    levels = told(driver, "[...document.querySelectorAll('h1, h2, h3')].map((x) => Number(x.tagName[1]))")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(y - x <= 1 for x, y in pairwise(levels))


def test_the_keyboard_moves_controls_and_skips_to_the_figures(driver: Any) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    driver.execute_script("document.activeElement.blur(); window.getSelection().removeAllRanges()")
    driver.execute_script("document.body.tabIndex = -1; document.body.focus()")
    driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    assert told(driver, "document.activeElement.className") == "skip"
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert told(driver, "document.activeElement.id") == "figures"
    driver.execute_async_script("setTimeout(arguments[0], 100)")  # behind what is told of a change of the address
    assert told(driver, "location.hash.startsWith('#n=53')")  # it stays the state's
    assert told(driver, "document.getElementById('refused').textContent") == ""
    slider = driver.find_element(By.ID, "slider-layers")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert settled(driver)["state"]["layers"] == EDGES["uniform"]["layers"] + 1
    slider.send_keys(Keys.ARROW_LEFT)
    assert settled(driver)["state"] == EDGES["uniform"]


def test_what_comes_out_is_announced_once_a_control_rests(driver: Any) -> None:
    result = settled(driver)["result"]
    heard = driver.execute_async_script(
        "const done = arguments[0], heard = [], place = document.getElementById('said');"
        "new MutationObserver(() => heard.push(place.textContent)).observe(place, {childList: true});"
        "const field = document.getElementById('control-content');"
        "const values = ['1', '2', '-3'];"  # one a frame, as a slider moves
        "(function move() { if (values.length === 0) return; field.value = values.shift();"
        " field.dispatchEvent(new Event('input')); requestAnimationFrame(() => requestAnimationFrame(move)); })();"
        "(function look() { heard.length ? setTimeout(() => done(heard), 800) : setTimeout(look, 10); })()"
    )
    found = settled(driver)["result"]
    assert len(heard) == 1
    assert heard[0].startswith("Shape a U" if found["shape"] == "U" else f"Shape {found['shape']}")
    assert f"is at position {found['valley']['position']} of 53" in heard[0]
    driver.execute_script("document.getElementById('reset').click()")
    assert settled(driver)["result"]["profile"] == result["profile"]


def test_a_comparison_is_shown_with_what_was_left_out(driver: Any) -> None:
    driver.execute_script("document.querySelector('details[data-figure=comparison]').open = true")
    driver.execute_async_script("setTimeout(arguments[0], 50)")
    rows = told(
        driver, "[...document.querySelectorAll('#comparison tr')].map((r) => [...r.cells].map((c) => c.textContent))"
    )
    assert [row[:4] for row in rows[1:]] == [
        ["residual", "0.25", "0.125", "0.5"], [EVIL, "0.375", "", ""], ["kernels, per head", "", "", ""],
    ]  # fmt: skip
    assert rows[-1][-1] == 'not "measured"'
    said = told(driver, "document.getElementById('said-comparison').textContent")
    assert said.startswith("Nearest is residual, by 0.125 before ")
    assert said.endswith('Left out: kernels, per head (not "measured").')


# --- eyes -----------------------------------------------------------------------------------------------------------


def test_lines_differ_by_more_than_colour(driver: Any) -> None:
    dashes = told(
        driver,
        "[...document.querySelectorAll('#plot-depth .mark-line path')].map(x => x.getAttribute('stroke-dasharray'))",
    )
    assert len(dashes) == len(settled(driver)["result"]["byDepth"]) == len(set(dashes)) > 4


def test_shapes_are_letters_beside_colours(driver: Any) -> None:
    letters = told(
        driver, "[...document.querySelectorAll('#plot-phase .mark-text.role-mark text')].map(x => x.textContent)"
    )
    assert len(letters) == 12 * 17
    first = {label: label[0].upper() for label in ("U", "primacy", "recency", "flat", "other")} | {"undecided": "?"}
    assert sorted(letters) == sorted(
        first[label] for row in settled(driver)["result"]["phase"]["shapes"] for label in row
    )
    assert told(driver, "document.querySelectorAll('#plot-phase .mark-symbol path').length") == 1  # the place


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_no_width_scrolls_sideways(emulated: Any, width: int) -> None:
    size = {"width": width, "height": 740, "deviceScaleFactor": 1, "mobile": width < 500}
    emulated.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    emulated.execute_async_script("setTimeout(arguments[0], 100)")
    assert told(emulated, "document.documentElement.scrollWidth") <= width
    assert (
        told(emulated, "Math.min(...[...document.querySelectorAll('.plot svg')].map(x => x.clientWidth))") > width / 4
    )


def test_paper_has_the_setting_and_no_controls(emulated: Any) -> None:
    emulated.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    seen = "document.querySelector(arguments[0]).checkVisibility()"
    assert [told(emulated, seen, x) for x in ("#controls", ".buttons", ".tables")] == [False] * 3
    assert [told(emulated, seen, x) for x in ("#setting", "#said", "#plot-profile svg", ".statement")] == [True] * 4
    assert "53 positions, 13 layers of 1 head" in told(emulated, "document.getElementById('setting').textContent")


def test_a_dark_screen_has_light_ink_and_a_saved_picture_dark_ink(emulated: Any) -> None:
    ink = "getComputedStyle(document.querySelector('#plot-profile .mark-line path')).stroke"
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    assert told(emulated, ink) == "rgb(27, 27, 27)" and told(emulated, paper) == "rgb(255, 255, 255)"
    emulated.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    assert told(emulated, ink) == "rgb(236, 236, 236)" and told(emulated, paper) == "rgb(22, 22, 22)"


def test_motion_is_left_out_where_it_is_not_wanted(emulated: Any) -> None:
    scroll = "getComputedStyle(document.documentElement).scrollBehavior"
    for value, expected in (("reduce", "auto"), ("no-preference", "smooth")):
        emulated.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": value}]}
        )
        assert told(emulated, scroll) == expected


def _luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it, of #rrggbb."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrasts() -> None:
    """WCAG 2: at least 4.5 for text, 3 for lines, on light and on dark paper."""
    read = {
        name: (resources.files("proofs.report") / name).read_text(encoding="utf-8")
        for name in ("page.css", "figures.js")
    }
    themes = [dict(re.findall(r"--(\w+): (#\w{6})", part)) for part in read["page.css"].split(":root")[1:3]]
    for theme in themes:
        for ink in ("ink", "quiet", "link", "bad"):
            assert min(_contrast(theme[ink], theme[on]) for on in ("paper", "panel")) >= 4.5, ink
    (series,) = re.findall(r"SERIES = \[INK, (.*)\];", read["figures.js"])
    for colour in re.findall(r"#\w{6}", series):
        assert min(_contrast(colour, theme["paper"]) for theme in themes) >= 3, colour
    assert len(re.findall(r"#\w{6}", series)) == 7
