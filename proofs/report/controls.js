// The controls: what each is called, its range, which part of the state it reads, and the state that it makes.
//
// get gives undefined where a control does not belong to the state: it is hidden then. The slider may have a narrower
// range than the field beside it; what the field may hold is decided by posbias.check alone.

"use strict";

const controls = (() => {
  const own = (part, key) => ({
    get: (state) => state[part][key],
    set: (state, value) => ({ ...state, [part]: { ...state[part], [key]: value } }),
  });
  const plain = (key) => ({ get: (state) => state[key], set: (state, value) => ({ ...state, [key]: value }) });

  // What a rule starts from where the setting before it had none of its numbers
  const RULES = {
    constant: ({ c = 0.5 }) => ({ kind: "constant", c }),
    power: ({ c = 0.5, beta = 1 }) => ({ kind: "power", c, beta }),
    geometric: ({ c = 0.5, r = 0.9 }) => ({ kind: "geometric", c, r }),
    given: ({ scale = 1 }) => ({ kind: "given", scale }),
  };

  // Where given values are chosen, all their layers are; fewer are the first of them.
  const withLayers = (state, rows) => (rows > 1 ? { ...state, layers: rows } : state);

  const layerRange = (state) => ({ least: 1, most: Math.min(128, posbias.layersGiven(state)) });

  function layerHint(state) {
    const most = posbias.layersGiven(state);
    return most < posbias.LIMITS.layers ? `of ${words.count(most, "layer")} given, counted from the input` : "";
  }

  const setRule = (state, kind) =>
    withLayers({ ...state, schedule: RULES[kind](state.schedule) }, kind === "given" ? posbias.given.lam.length : 1);

  // Content that was given belongs to the slopes that were given.
  function setSlopes(state, kind) {
    const heads = state.slopes.heads ?? (posbias.given?.slopes ? posbias.given.slopes[0].length : 8);
    if (kind === "given") return withLayers({ ...state, slopes: { kind } }, posbias.given.slopes.length);
    const slopes = kind === "one" ? { kind, slope: state.slopes.slope ?? 0.1 } : { kind, heads };
    return { ...state, slopes, content: state.content.kind === "given" ? { kind: "number", d: 0 } : state.content };
  }

  const setContent = (state, kind) =>
    kind === "given" ? withLayers({ ...state, content: { kind } }, posbias.given.content.length)
      : { ...state, content: { kind, d: state.content.d ?? 0 } };

  const rules = () => [
    ["constant", "constant c"], ["power", "power c t^−β"], ["geometric", "geometric c r^(t−1)"],
    ...(posbias.given?.lam ? [["given", "as given"]] : []),
  ];
  const slopes = () => [
    ["paper", "2^(−8h/H)"], ["model", "as in BLOOM, MPT"], ["one", "one head"],
    ...(posbias.given?.slopes ? [["given", "as given"]] : []),
  ];
  const contents = () => [["number", "one number"], ["given", "as given"]];

  const scaleRange = () => ({ least: 0, most: posbias.given?.lam ? 1 / Math.max(...posbias.given.lam, 0.01) : 1 });

  const MIXING = "Mixing coefficients λ";

  return () => [
    { name: "length", label: "Positions n", group: "Size", whole: true, least: 1, most: 512, ...plain("length") },
    { name: "layers", label: "Layers T", group: "Size", whole: true, range: layerRange, ...plain("layers"),
      hint: layerHint },
    { name: "depth", label: "Effective depth S", group: MIXING, range: posbias.depthRange,
      get: (state) => posbias.sum(posbias.mixing(state)), set: posbias.withDepth },
    { name: "rule", label: "Rule for λ", group: MIXING, choices: rules(), set: setRule,
      get: (state) => state.schedule.kind },
    { name: "c", label: "λ of layer 1, c", group: MIXING, least: 0, most: 1, ...own("schedule", "c") },
    { name: "beta", label: "Exponent β", group: MIXING, least: 0, most: 3, ...own("schedule", "beta") },
    { name: "r", label: "Ratio r", group: MIXING, least: 0, most: 1, ...own("schedule", "r") },
    { name: "scale", label: "Times", group: MIXING, range: scaleRange, ...own("schedule", "scale") },
    { name: "slopes", label: "Slopes", group: "Heads", choices: slopes(), set: setSlopes,
      get: (state) => state.slopes.kind },
    { name: "heads", label: "Heads H", group: "Heads", whole: true, least: 1, most: 128, ...own("slopes", "heads") },
    { name: "slope", label: "Slope m", group: "Heads", least: 0, most: 2, ...own("slopes", "slope") },
    { name: "contents", label: "Content", group: "Heads", choices: contents(), set: setContent,
      get: (state) => (posbias.given?.content && state.slopes.kind === "given" ? state.content.kind : undefined) },
    { name: "content", label: "Content d", group: "Heads", least: -5, most: 5, ...own("content", "d") },
  ];
})();
