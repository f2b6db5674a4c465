// The figures of the page: for each its form in Vega-Lite, its rows, and the sentence said of what it shows.
//
// Every series differs from the others by dash, mark or letter as well as by colour: nothing is told by colour alone.
// Rows change with every setting, the form stays. A figure whose rows are null is not shown.

"use strict";

const figures = (() => {
  const INK = "#1b1b1b", QUIET = "#5a5a5a", LINE = "#cfcfca"; // page.css exchanges these on a dark screen
  const SERIES = [INK, "#2b7bba", "#d55e00", "#159a78", "#b0559c", "#8a6d00", "#6a51c7", "#c0392b"];
  const DASHES = [[1, 0], [8, 3], [2, 2], [10, 3, 2, 3], [4, 4], [14, 4], [6, 2, 2, 2, 2, 2], [1, 4]];
  const DEEPEST = 1e-6; // of the largest share: what lies below is not drawn, or a collapsed profile is all axis

  const text = { labelColor: INK, titleColor: INK, labelFontSize: 12, aria: false };
  const CONFIG = {
    background: "#ffffff", font: "system-ui, sans-serif", view: { stroke: null }, mark: { aria: false },
    axis: { ...text, titleFontSize: 12, titleFontWeight: "normal", gridColor: LINE, domainColor: QUIET,
      tickColor: QUIET, tickCount: 5, labelOverlap: true },
    legend: { ...text, title: null, orient: "top", columns: 2, symbolType: "stroke", symbolSize: 500,
      symbolStrokeWidth: 2, labelLimit: 240 },
  };

  const form = (height, layer) => ({
    width: "container", height, autosize: { type: "fit-x", contains: "padding" }, padding: 4, config: CONFIG, layer,
  });
  const axis = (field, title, scale = {}, rest = {}) => ({
    field, type: "quantitative", title, scale: { nice: false, ...scale }, ...rest,
  });
  const POSITION = axis("x", "position", { zero: false });
  const LOGARITHMIC = axis("y", "share", { type: "log" }, { axis: { format: "~g", grid: false } });

  // The names of the series come with the rows, in the order of the legend; the first is ink and solid.
  function lines(x, y) {
    const series = (range) => ({ field: "series", type: "nominal", sort: null, scale: { range } });
    const encoding = { x, y, color: series(SERIES), strokeDash: series(DASHES) };
    return { data: { name: "rows" }, mark: { type: "line", strokeWidth: 2 }, encoding };
  }

  const ring = { type: "point", shape: "circle", size: 130, strokeWidth: 2.5, color: INK, filled: false, opacity: 1 };

  // A ring and its name, on the side of the picture where there is room
  const marks = (x, y) => [
    { data: { name: "marks" }, mark: ring, encoding: { x, y } },
    { data: { name: "marks" }, encoding: { x, y, text: { field: "label" } },
      mark: { type: "text", fontSize: 12, color: INK, align: { expr: "datum.align" },
        dx: { expr: "datum.align == 'left' ? 10 : -10" }, dy: -12 } },
  ];
  const mark = (x, y, label, length) => ({ x, y, label, align: x > length / 2 ? "right" : "left" });

  // A stem and a head for each whole number
  const stems = (x, y) => [
    { data: { name: "rows" }, mark: { type: "rule", color: SERIES[1], strokeWidth: 2 },
      encoding: { x, y, y2: { datum: 0 } } },
    { data: { name: "rows" }, mark: { type: "point", color: SERIES[1], opacity: 1, filled: true, size: 36 },
      encoding: { x, y } },
  ];

  function seen(rows) {
    const floor = DEEPEST * rows.reduce((most, { y }) => Math.max(most, y), 0);
    return rows.filter(({ y }) => y > 0 && y >= floor);
  }
  const points = (values, series) => Array.from(values, (y, j) => ({ x: j + 1, y, series }));

  // --- one by one ---------------------------------------------------------------------------------------------------

  const profile = {
    form: () => form(300, [lines(POSITION, LOGARITHMIC), ...marks(POSITION, LOGARITHMIC)]),
    rows: ({ profile: p, against, valley, length }) => {
      const rows = seen([...points(p, "computed"), ...(against === null ? [] : points(against.measured, "measured"))]);
      const low = rows.find(({ x, series }) => x === valley.position && series === "computed");
      return { rows, marks: low === undefined ? [] : [mark(low.x, low.y, "smallest share", length)] };
    },
    said: ({ against }) => {
      if (against === null) return "";
      const rank = against.spearman === null ? "no value, since one is constant" : words.short(against.spearman);
      return `Beside it the ${against.source}, at a distance W1/(n − 1) of ${words.short(against.wasserstein)}, `
        + `with a correlation of ranks of ${rank}.`;
    },
  };

  const decomposition = {
    form: () => form(280, [lines(POSITION, LOGARITHMIC), ...marks(POSITION, LOGARITHMIC)]),
    rows: ({ profile: p, decomposition: { spike, recency, primacy }, length }) => ({
      rows: recency === null ? seen(points(p, "profile")) : ["profile", "recency weight", "primacy envelope"].flatMap(
        (name, k) => seen(points([p, recency, primacy][k], name))),
      marks: spike > 0 ? [mark(length, spike, "spike", length)] : [],
    }),
    said: ({ decomposition: { spike, reason } }) => `The spike is ${words.percent(spike)} of all.`
      + (reason === null ? "" : ` Weight and envelope are not drawn: ${reason}.`),
  };

  const named = (depth) => words.count(depth, "layer");

  const depth = {
    form: () => form(300, [lines(POSITION, LOGARITHMIC)]),
    rows: ({ byDepth }) => ({ rows: byDepth.flatMap(({ depth: t, profile: p }) => seen(points(p, named(t)))) }),
    said: ({ byDepth }) => {
      const [first, last] = [byDepth[0], byDepth[byDepth.length - 1]];
      return `The mean position is ${words.short(first.meanPosition)} after ${named(first.depth)} `
        + `and ${words.short(last.meanPosition)} after ${named(last.depth)}.`;
    },
  };

  function tails(p) {
    const found = new Array(p.length);
    for (let k = p.length - 1, sum = 0; k >= 0; k--) found[k] = sum += p[k];
    return found;
  }

  const drift = {
    form: () => form(300, [lines(POSITION, axis("y", "share of this position and all later", { domain: [0, 1] }))]),
    rows: ({ byDepth }) => ({ rows: byDepth.flatMap(({ depth: t, profile: p }) => points(tails(p), named(t))) }),
    csv: ({ byDepth }) => ["depth,position,tail", ...byDepth.flatMap(({ depth: t, profile: p }) =>
      tails(p).map((tail, k) => [t, k, tail].join()))].join("\n") + "\n",
  };

  const zero = (field, title) => axis(field, title, { zero: true, nice: true });

  const mixing = {
    form: () => form(200, stems(axis("x", "layer, from the input", { zero: false, padding: 6 }), zero("y", "λ"))),
    rows: ({ lam }) => ({ rows: Array.from(lam, (y, t) => ({ x: t + 1, y })) }),
    said: ({ effectiveDepth }) => `Their sum is the effective depth, ${words.short(effectiveDepth)}.`,
  };

  const hops = {
    form: () => form(200, stems(axis("x", "number of attending layers", { padding: 6 }), zero("y", "probability"))),
    rows: ({ hops: law }) => ({ rows: seen(law.map((y, x) => ({ x, y }))) }),
    said: ({ hops: law, effectiveDepth }) => `On average ${words.short(effectiveDepth)}; none with probability `
      + `${words.short(law[0])}.`,
  };

  // --- the phase diagram --------------------------------------------------------------------------------------------

  const LETTERS = { U: "U", primacy: "P", recency: "R", flat: "F", other: "O", undecided: "?" };
  const FILLS = {
    U: "#9ecae1", primacy: "#fdbf8a", recency: "#b7e0c2", flat: "#e0e0e0", other: "#e5c6e3", undecided: "#f7f7f7",
  };

  const cell = (field, title, sort) =>
    ({ field, type: "ordinal", title, sort, axis: { format: ".2~g", labelAngle: 0 } });

  function phaseForm() {
    const x = cell("slope", "slope m of one head", "ascending"), y = cell("depth", "effective depth S", "descending");
    const scale = { domain: Object.keys(FILLS), range: Object.values(FILLS) };
    const color = { field: "shape", type: "nominal", scale, legend: null }, text = { field: "letter" };
    const rows = { name: "rows" }, dark = "#1c1c1c"; // on cells that are light on every screen
    return form(300, [
      { data: rows, mark: { type: "rect", stroke: "#ffffff", opacity: 1 }, encoding: { x, y, color } },
      { data: rows, mark: { type: "text", fontSize: 11, color: dark }, encoding: { x, y, text } },
      { data: { name: "marks" }, mark: { ...ring, size: 330, color: dark }, encoding: { x, y } },
    ]);
  }

  const phase = {
    form: phaseForm,
    rows: ({ phase: { slopes, depths, shapes, here } }) => {
      const rows = depths.flatMap((row, i) => slopes.map((slope, j) =>
        ({ slope, depth: row, shape: shapes[i][j], letter: LETTERS[shapes[i][j]] })));
      const { row: up, column: across } = here.cell ?? {};
      return { rows, marks: here.cell === null ? [] : [{ slope: slopes[across], depth: depths[up] }] };
    },
    said: ({ phase: { here } }) => `The setting: m = ${words.short(here.slope)}, S = ${words.short(here.depth)}`
      + (here.shape === null ? ", beyond the diagram. " : `, where the diagram says ${here.shape}. `)
      + (here.exact ? "" : "Its heads, λ or content are not those of the diagram (one head, λ = S/T, content 0), m is "
        + `the geometric mean of its slopes, and its own profile is ${here.own}.`),
  };

  // --- bounds -------------------------------------------------------------------------------------------------------

  const ENDS = [["firstToken", "first", SERIES[0]], ["diagonal", "last", SERIES[1]]];

  // Curves over depth; beyond them, at the sign for infinity, bars for what the limits lie between
  function boundsForm() {
    const x = axis("x", "layers, from the input", { zero: true }, { axis: { format: "d", tickMinStep: 1 } });
    const y = axis("y", "share", { domain: [0, 1] }), low = { ...y, field: "low" }, high = { ...y, field: "high" };
    const bar = (type, rest, encoding) =>
      ({ data: { name: "limits" }, mark: { type, color: { expr: "datum.ink" }, opacity: 1, ...rest }, encoding });
    const tick = { orient: "horizontal", thickness: 2, size: 9 };
    return form(320, [
      lines(x, y),
      bar("rule", { strokeWidth: 3 }, { x, y: low, y2: { field: "high" } }),
      bar("tick", tick, { x, y: low }), bar("tick", tick, { x, y: high }),
      { data: { name: "marks" }, mark: { type: "text", fontSize: 14, color: INK, baseline: "top", dy: 6 },
        encoding: { x, y, text: { field: "label" } } },
    ]);
  }

  function boundsRows({ dichotomy: { byDepth, limit }, layers }) {
    const rows = [["value", ""], ["atLeast", ", at least"], ["atMost", ", at most"]].flatMap(([bound, what]) =>
      ENDS.flatMap(([key, name]) =>
        byDepth.map((row) => ({ x: row.depth, y: row[key][bound], series: `${name}${what}` }))));
    const limits = ENDS.map(([key, , ink], k) =>
      ({ x: layers * (1.06 + 0.04 * k), low: limit[key][0], high: limit[key][1], ink }));
    return { rows, limits, marks: [{ x: 1.08 * layers, y: 0, label: "∞" }] };
  }

  const bounds = {
    form: boundsForm,
    rows: boundsRows,
    said: ({ dichotomy: { now: { firstToken, diagonal }, limit } }) =>
      `Now the first position has ${words.percent(firstToken.value)}: at least ${words.percent(firstToken.atLeast)} by `
      + `${firstToken.atLeastBy}, at most ${words.percent(firstToken.atMost)} by ${firstToken.atMostBy}; the last has `
      + `${words.percent(diagonal.value)} (I1): at least ${words.percent(diagonal.atLeast)}, at most `
      + `${words.percent(diagonal.atMost)} by I2. At infinite depth: ${limit.verdict}, since ${limit.reason} `
      + `(${limit.statements.join(", ")}).${limit.needed === "" ? "" : ` To decide it one needs ${limit.needed}.`} `
      + `The first position ends ${between(limit.firstToken)}, the last ${between(limit.diagonal)}.`,
  };

  const between = ([low, high]) => (words.percent(low) === words.percent(high) ? `at ${words.percent(low)}`
    : `between ${words.percent(low)} and ${words.percent(high)}`);

  // --- theories beside a measured model: data of the page, which no control moves -----------------------------------

  const MEASURES = ["name", "wasserstein", "low", "high", "spearman", "spearman_low", "spearman_high", "left_out"];
  const quoted = (x) => (typeof x === "string" ? `"${x.replaceAll('"', '""')}"` : x ?? "");

  function comparisonForm() {
    const y = { field: "name", type: "nominal", sort: null, title: null, axis: { labelLimit: 220 } };
    const x = zero("wasserstein", "distance from what was measured, W1/(n − 1)");
    const span = { ...x, field: "low", title: x.title };
    return form(240, [
      { data: { name: "spans" }, mark: { type: "rule", strokeWidth: 3, color: SERIES[1] },
        encoding: { x: span, x2: { field: "high" }, y } },
      { data: { name: "rows" }, mark: ring, encoding: { x, y } },
    ]);
  }

  const comparison = {
    form: comparisonForm,
    rows: () => {
      if (!posbias.data.comparison) return null;
      const rows = posbias.data.comparison.variants.filter(({ wasserstein }) => wasserstein !== null);
      return { rows, spans: rows.filter(({ low }) => low !== null) };
    },
    csv: () => [MEASURES, ...posbias.data.comparison.variants.map((found) => MEASURES.map((key) => quoted(found[key])))]
      .map((row) => row.join()).join("\n") + "\n",
    said: () => words.nearest(posbias.data.comparison),
  };

  return { profile, decomposition, depth, drift, mixing, hops, phase, bounds, comparison };
})();
