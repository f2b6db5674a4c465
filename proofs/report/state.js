// The state of the page: what it may be, lambda, the effective depth, and the address fragment that names it.
//
// Whatever is out of range is refused with its name, its requirement and its value; nothing is repaired. Numbers in a
// fragment are decimals, read by one pattern. A fragment that speaks of given values names them by their mark, so that
// it is refused in a page with other data.

"use strict";

(function (posbias) {
  // T H n bounds the work: one profile takes about 5 ns for each.
  posbias.LIMITS = { length: 1024, layers: 256, heads: 512, work: 2 ** 23, slope: 700, content: 400, exponent: 1000 };

  posbias.InputError = class extends Error {};
  posbias.data = null;
  posbias.given = null;
  posbias.initial = null;

  const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
  const FORMS = { constant: ["c"], power: ["c", "beta"], geometric: ["c", "r"], given: ["scale"] };
  const KEYS = ["n", "T", "lam", "slopes", "content", "given"];

  const shown = (value) => (typeof value === "string" ? `'${value.slice(0, 60)}'` : String(JSON.stringify(value)));

  posbias.refusal = (name, requirement, value) =>
    new posbias.InputError(`Argument '${name}' must ${requirement}, not ${shown(value)}.`);

  posbias.load = function (data) {
    posbias.data = data;
    posbias.given = data.given;
    posbias.check(data.initial);
    posbias.initial = data.initial;
  };

  // --- what a state may be ------------------------------------------------------------------------------------------

  function within(value, name, low, high) {
    if (typeof value !== "number" || !(value >= low && value <= high)) {
      throw posbias.refusal(name, `lie in [${low}, ${high}]`, value);
    }
  }

  function whole(value, name, high) {
    if (!Number.isInteger(value) || value < 1 || value > high) {
      throw posbias.refusal(name, `be an integer in [1, ${high}]`, value);
    }
  }

  function oneOf(value, name, kinds) {
    if (value === null || typeof value !== "object" || !kinds.includes(value.kind)) {
      throw posbias.refusal(name, `be one of ${kinds.join(", ")}`, value?.kind ?? value);
    }
  }

  function requireGiven(name, there) {
    if (!there) throw posbias.refusal(name, "be something else than 'given', of which this page has none", "given");
  }

  // How many layers the given values of a state tell of: with fewer layers the first of them count. One row of slopes or
  // of content stands for any number of layers.
  posbias.layersGiven = function ({ schedule, slopes, content }) {
    const rows = [[slopes, "slopes"], [content, "content"]].flatMap(([value, name]) =>
      value.kind === "given" && posbias.given[name].length > 1 ? [posbias.given[name].length] : []);
    return Math.min(posbias.LIMITS.layers, ...rows, ...(schedule.kind === "given" ? [posbias.given.lam.length] : []));
  };

  function requireLayers(state) {
    const most = posbias.layersGiven(state);
    if (state.layers > most) {
      throw posbias.refusal("T", `be at most ${most}, the number of layers of the given values`, state.layers);
    }
  }

  function checkSchedule(state) {
    oneOf(state.schedule, "lam", Object.keys(FORMS));
    const { kind, c, beta, r, scale } = state.schedule;
    if (kind === "given") {
      requireGiven("lam", posbias.given?.lam);
      within(scale, "scale of lam", 0, 1 / Math.max(...posbias.given.lam, Number.MIN_VALUE));
      return;
    }
    within(c, "c of lam", 0, 1);
    if (kind === "power") within(beta, "beta of lam", -posbias.LIMITS.exponent, posbias.LIMITS.exponent);
    if (kind === "geometric") within(r, "r of lam", 0, 1);
  }

  function checkKernels(state) {
    oneOf(state.slopes, "slopes", ["paper", "model", "one", "given"]);
    oneOf(state.content, "content", ["number", "given"]);
    const { kind, heads, slope } = state.slopes, own = kind === "given";
    if (kind === "one") within(slope, "slope", 0, posbias.LIMITS.slope);
    else if (own) requireGiven("slopes", posbias.given?.slopes);
    else whole(heads, "heads", posbias.LIMITS.heads);
    if (state.content.kind === "number") within(state.content.d, "content", -posbias.LIMITS.content, posbias.LIMITS.content);
    else {
      requireGiven("content", posbias.given?.content);
      if (!own) throw posbias.refusal("content", "be a number beside slopes that are not given", "given");
    }
  }

  posbias.headsOfState = (state) =>
    state.slopes.kind === "given" ? posbias.given.slopes[0].length : state.slopes.heads ?? 1;

  posbias.check = function (state) {
    if (state === null || typeof state !== "object") throw posbias.refusal("state", "be an object", state);
    whole(state.length, "n", posbias.LIMITS.length);
    whole(state.layers, "T", posbias.LIMITS.layers);
    checkSchedule(state);
    checkKernels(state);
    requireLayers(state);
    const heads = posbias.headsOfState(state), most = Math.floor(posbias.LIMITS.work / (heads * state.layers));
    if (state.length > most) {
      throw posbias.refusal("n", `be at most ${most} for ${state.layers} layers of ${heads} heads`, state.length);
    }
  };

  // --- lambda -------------------------------------------------------------------------------------------------------

  // lambda_t of a schedule at t = 1, 2, …; 0 where c is, as 0 t^-beta is where the power is infinite.
  posbias.mixingAt = function ({ kind, c, beta, r, scale }, t) {
    if (kind === "given") return Math.min(1, scale * posbias.given.lam[t - 1]); // at most 1 but for a rounding
    if (kind === "constant" || c === 0) return c;
    return kind === "power" ? Math.min(1, c * t ** -beta) : c * r ** (t - 1);
  };

  posbias.mixing = (state) => Array.from({ length: state.layers }, (_, t) => posbias.mixingAt(state.schedule, t + 1));

  const scaled = ({ kind, ...rest }, x) => (kind === "given" ? { kind, scale: x } : { kind, ...rest, c: x });

  function largestScale(state) {
    return state.schedule.kind === "given" ? 1 / Math.max(...posbias.given.lam, Number.MIN_VALUE) : 1;
  }

  const depthAt = (state, x) => posbias.sum(posbias.mixing({ ...state, schedule: scaled(state.schedule, x) }));

  posbias.depthRange = (state) => ({ least: 0, most: depthAt(state, largestScale(state)) });

  // S rises with c, in a straight line until some lambda reaches 1 (beta < 0), so it is found by halving intervals.
  posbias.withDepth = function (state, depth) {
    const { most } = posbias.depthRange(state);
    within(depth, "effective depth", 0, most);
    let low = 0, high = largestScale(state);
    const straight = most > 0 ? (depth / most) * high : 0;
    if (state.schedule.kind !== "power" || state.schedule.beta >= 0) {
      return { ...state, schedule: scaled(state.schedule, straight) };
    }
    for (let middle = (low + high) / 2; depth < most && low < middle && middle < high; middle = (low + high) / 2) {
      if (depthAt(state, middle) < depth) low = middle;
      else high = middle;
    }
    return { ...state, schedule: scaled(state.schedule, high) };
  };

  // --- the address fragment -----------------------------------------------------------------------------------------

  posbias.fragment = function (state) {
    posbias.check(state);
    const { schedule, slopes, content } = state;
    const lam = schedule.kind === "constant" ? `${schedule.c}` : named(schedule, FORMS[schedule.kind]);
    const parts = [
      `n=${state.length}`, `T=${state.layers}`, `lam=${lam}`,
      `slopes=${slopes.kind === "given" ? "given" : named(slopes, [slopes.kind === "one" ? "slope" : "heads"])}`,
      `content=${content.kind === "given" ? "given" : content.d}`,
    ];
    return parts.join("&") + (speaksOfGiven(state) ? `&given=${posbias.given.mark}` : "");
  };

  const named = (value, fields) => `${value.kind}:${fields.map((field) => value[field]).join(",")}`;

  const speaksOfGiven = ({ schedule, slopes, content }) => [schedule, slopes, content].some((x) => x.kind === "given");

  posbias.parseFragment = function (text) {
    const found = split(text), state = { ...posbias.initial };
    if (found.has("n")) state.length = number(found.get("n"), "n");
    if (found.has("T")) state.layers = number(found.get("T"), "T");
    if (found.has("lam")) state.schedule = scheduleOf(found.get("lam"));
    if (found.has("slopes")) state.slopes = slopesOf(found.get("slopes"));
    if (found.has("content")) state.content = contentOf(found.get("content"));
    if (found.size > 0) checkMark(found.get("given"), state);
    posbias.check(state);
    return state;
  };

  // A fragment speaks of given values with their mark, and of none without.
  function checkMark(mark, state) {
    if (!speaksOfGiven(state)) {
      if (mark !== undefined) throw posbias.refusal("given", "be left out where no value is 'given'", mark);
    } else if (posbias.given !== null && mark !== posbias.given.mark) {
      const own = posbias.given.mark;
      throw posbias.refusal("given", `be ${own}, the mark of this page's data`, mark ?? "left out");
    }
  }

  function split(text) {
    const found = new Map(), body = text.replace(/^#/, "");
    for (const part of body === "" ? [] : body.split("&")) {
      const [key, ...rest] = part.split("=");
      if (!KEYS.includes(key)) throw posbias.refusal("fragment", `have ${KEYS.join(", ")} only`, key);
      if (found.has(key)) throw posbias.refusal("fragment", "name each value once", key);
      if (rest.length !== 1) throw posbias.refusal("fragment", "have the form name=value", part);
      found.set(key, decoded(rest[0]));
    }
    return found;
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      throw posbias.refusal("fragment", "be percent-encoded text", text);
    }
  }

  function number(text, name) {
    if (!NUMBER.test(text) || !Number.isFinite(Number(text))) throw posbias.refusal(name, "be a number", text);
    return Number(text);
  }

  function scheduleOf(text) {
    if (NUMBER.test(text)) return { kind: "constant", c: number(text, "lam") };
    const [kind, rest] = text.split(/:(.*)/s), fields = FORMS[kind], values = (rest ?? "").split(",");
    if (kind === "constant" || !Object.hasOwn(FORMS, kind) || values.length !== fields.length) {
      throw posbias.refusal("lam", "be a number, power:c,beta, geometric:c,r or given:scale", text);
    }
    return Object.fromEntries([["kind", kind], ...fields.map((name, k) => [name, number(values[k], `${name} of lam`)])]);
  }

  function slopesOf(text) {
    if (text === "given") return { kind: "given" };
    const [kind, rest] = text.split(/:(.*)/s);
    if (!["paper", "model", "one"].includes(kind) || rest === undefined) {
      throw posbias.refusal("slopes", "be paper:H, model:H, one:m or given", text);
    }
    return kind === "one" ? { kind, slope: number(rest, "slope") } : { kind, heads: number(rest, "heads") };
  }

  const contentOf = (text) => (text === "given" ? { kind: "given" } : { kind: "number", d: number(text, "content") });
})((globalThis.posbias ??= {}));
