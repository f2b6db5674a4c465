// The page: controls make a state, posbias.compute makes numbers of it, figures.js says how they are drawn.
//
// The state stands in the address, so that a link gives it again. Nothing typed is mended: what cannot be taken is
// named beside the controls, and the figures stay as they were. `page` tells what is shown: state, result, and whether
// every figure is drawn.

"use strict";

const page = (() => {
  const find = (id) => document.getElementById(id);
  const make = (tag, fields = {}, ...inner) => {
    const made = Object.assign(document.createElement(tag), fields);
    made.append(...inner);
    return made;
  };
  posbias.load(JSON.parse(find("data").textContent));
  const shown = { state: posbias.initial, result: null, ready: false };
  const built = [], views = new Map();

  // --- controls -----------------------------------------------------------------------------------------------------

  function refuse(message) {
    find("refused").textContent = message;
    find("refused").hidden = message === "";
  }

  // The state that a control makes, if it is one; else a message, and the control says that it is wrong.
  function take(control, input, value) {
    try {
      if (Number.isNaN(value)) throw posbias.refusal(control.label, "be a number", input.value);
      const state = control.set(shown.state, value);
      posbias.check(state);
      change(state, input);
    } catch (error) {
      if (!(error instanceof posbias.InputError)) throw error;
      input.setAttribute("aria-invalid", "true");
      refuse(error.message);
    }
  }

  const labelled = (control, input) => [make("label", { htmlFor: input.id, textContent: control.label }), input];

  // A number to type and a slider for the same value: the field holds every digit, the slider the nearest of its steps.
  function numberControl(control) {
    const field = make("input", { type: "number", id: `control-${control.name}`, step: control.whole ? "1" : "any" });
    const slider = make("input", { type: "range", id: `slider-${control.name}`, tabIndex: 0 });
    slider.setAttribute("aria-label", `${control.label}, slider`);
    field.addEventListener("input", () => take(control, field, field.value === "" ? NaN : Number(field.value)));
    // the last step may lie beyond the end, by the decimals to which a browser rounds steps
    slider.addEventListener("input", () => take(control, slider, Math.min(Number(slider.value), Number(slider.max))));
    for (const input of [field, slider]) input.setAttribute("aria-describedby", "refused");
    // what is refused stays in the field, to be mended, but not in the slider, which shows what holds
    slider.addEventListener("change", () => show(shown.state, field));
    field.addEventListener("change", () => { if (!field.hasAttribute("aria-invalid")) show(shown.state); });
    const hint = make("span", { className: "hint", hidden: true });
    const row = make("div", { className: "control" }, ...labelled(control, field), slider, hint);
    return { row, show: (value, state, from) => showNumber(control, { field, slider, hint }, value, state, from) };
  }

  // `from`: the field in which it was typed keeps its text, 0.50 or 5e-1.
  function showNumber(control, { field, slider, hint }, value, state, from) {
    const { least, most } = control.range ? control.range(state) : control;
    const step = control.whole ? 1 : (most - least) / 1000 || 1;
    Object.assign(slider, { min: least, max: most, step, value });
    slider.setAttribute("aria-valuetext", words.short(value)); // it may lie beyond the slider's range
    if (field !== from) field.value = String(value);
    for (const input of [field, slider]) input.removeAttribute("aria-invalid");
    hint.textContent = control.hint?.(state) ?? "";
    hint.hidden = hint.textContent === "";
  }

  function choiceControl(control) {
    const select = make("select", { id: `control-${control.name}` });
    for (const [value, text] of control.choices) select.add(new Option(text, value));
    select.addEventListener("change", () => take(control, select, select.value));
    const row = make("div", { className: "control" }, ...labelled(control, select));
    return { row, show: (value) => { select.value = value; } };
  }

  function build() {
    const groups = new Map();
    for (const control of controls()) {
      if (!groups.has(control.group)) {
        groups.set(control.group, make("fieldset", {}, make("legend", { textContent: control.group })));
        find("controls").append(groups.get(control.group));
      }
      const part = control.choices ? choiceControl(control) : numberControl(control);
      groups.get(control.group).append(part.row);
      built.push({ ...control, ...part });
    }
  }

  function show(state, from) {
    for (const control of built) {
      const value = control.get(state);
      control.row.hidden = value === undefined; // it does not belong to the rule chosen
      if (value !== undefined) control.show(value, state, from);
    }
  }

  // --- from state to figures ----------------------------------------------------------------------------------------

  let waiting = 0;

  function change(state, from) {
    Object.assign(shown, { state, ready: false });
    refuse("");
    show(state, from);
    cancelAnimationFrame(waiting); // of several changes within a frame the last one counts
    waiting = requestAnimationFrame(update);
  }

  async function update() {
    const result = posbias.compute(shown.state);
    shown.result = result;
    history.replaceState(null, "", `#${posbias.fragment(shown.state)}`);
    find("link").href = location.hash;
    find("setting").textContent = words.setting(shown.state, result);
    say(words.shape(result));
    for (const name of byNeed(Object.keys(figures))) {
      await draw(name, result);
      await new Promise((done) => setTimeout(done)); // a control that is being dragged is heard in between
      if (shown.state !== result.state) return;
    }
    shown.ready = true;
  }

  // What is seen now comes first.
  function byNeed(names) {
    const seen = (name) => {
      const { top, bottom } = find(name).getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    };
    return [...names.filter(seen), ...names.filter((name) => !seen(name))];
  }

  async function draw(name, result) {
    const figure = figures[name], rows = figure.rows(result);
    find(name).hidden = rows === null; // it shows what this page has not
    if (rows === null) return;
    const told = figure.said?.(result) ?? "";
    find(`said-${name}`).textContent = told;
    find(`plot-${name}`).setAttribute("aria-label", `${find(`${name}-title`).textContent}. ${told}`);
    if (views.has(name)) {
      const view = views.get(name);
      for (const [key, values] of Object.entries(rows)) view.data(key, values);
      await view.runAsync();
    } else {
      views.set(name, await embed(name, { ...figure.form(), datasets: rows }));
    }
    const details = document.querySelector(`details[data-figure="${name}"]`);
    if (details.open) fillTable(details);
  }

  // Expressions are interpreted (ast), not compiled: the page's policy lets no text become code.
  async function embed(name, spec) {
    const inner = make("div");
    inner.setAttribute("aria-hidden", "true"); // the picture around it has its words
    find(`plot-${name}`).replaceChildren(inner);
    const logLevel = 1; // errors: a layer without rows is no reason to warn
    const options = { ast: true, logLevel, renderer: "svg", actions: false, tooltip: false, defaultStyle: false };
    return (await vegaEmbed(inner, spec, options)).view;
  }

  // A screen reader would speak at every step of a slider: it is told where the slider comes to rest.
  let speaking = 0;
  function say(text) {
    clearTimeout(speaking);
    speaking = setTimeout(() => { find("said").textContent = text; }, find("said").textContent === "" ? 0 : 400);
  }

  // --- tables and downloads -----------------------------------------------------------------------------------------

  const csvOf = (name) => (figures[name].csv ?? ((result) => posbias.csv(name, result)))(shown.result);
  const short = (cell) => (cell === "" || isNaN(cell) ? cell : String(Number(Number(cell).toPrecision(6))));

  // The cells of a line of CSV, quoted or not
  const cellsOf = (line) => Array.from(`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g),
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);

  // The figure's CSV as a table: six digits of every number, positions from 1 as everywhere in text.
  function fillTable(details) {
    const [names, ...rows] = csvOf(details.dataset.figure).trim().split("\n").map(cellsOf);
    const text = (cell, at) => (names[at] === "position" ? String(Number(cell) + 1) : short(cell));
    const line = (cells) => make("tr", {}, ...cells);
    const head = line(names.map((name) => make("th", { scope: "col", textContent: name.replaceAll("_", " ") })));
    const body = rows.map((row) => line(row.map((cell, at) => make("td", { textContent: text(cell, at) }))));
    const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
    details.querySelector(".scroll").replaceChildren(table);
  }

  function save(text, type, name) {
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  async function download({ figure, save: kind }) {
    if (kind === "csv") save(csvOf(figure), "text/csv", `posbias-${figure}.csv`);
    else save(await views.get(figure).toSVG(), "image/svg+xml", `posbias-${figure}.svg`);
  }

  // --- the address --------------------------------------------------------------------------------------------------

  // A fragment that cannot be read is named, and the source's setting is shown.
  function fromAddress() {
    try {
      change(posbias.parseFragment(location.hash));
    } catch (error) {
      if (!(error instanceof posbias.InputError)) throw error;
      change(posbias.initial);
      refuse(`${error.message} The address could not be read; the source's setting is shown.`);
    }
  }

  function listen() {
    for (const button of document.querySelectorAll("button[data-save]")) {
      button.addEventListener("click", () => download(button.dataset));
    }
    for (const details of document.querySelectorAll("details.tables")) {
      details.addEventListener("toggle", () => { if (details.open) fillTable(details); });
    }
    find("controls").addEventListener("submit", (event) => event.preventDefault());
    find("reset").addEventListener("click", () => change(posbias.initial));
    addEventListener("hashchange", fromAddress);
    document.querySelector(".skip").addEventListener("click", (event) => {
      event.preventDefault(); // the fragment belongs to the state
      find("figures").focus();
    });
  }

  build();
  listen();
  fromAddress();
  return shown;
})();
