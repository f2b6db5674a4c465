// What the page says in words: of a number, a setting, a profile. For the live region, captions and print.

"use strict";

const words = (() => {
  const short = (x) => String(Number(x.toPrecision(4))).replace("-", "−");
  const percent = (x) => `${Number((100 * x).toPrecision(3))} %`;
  const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;

  const RULES = {
    constant: ({ c }) => `λ = ${short(c)} in every layer`,
    power: ({ c, beta }) => `λ_t = min(1, ${short(c)} t^−(${short(beta)}))`,
    geometric: ({ c, r }) => `λ_t = ${short(c)} · ${short(r)}^(t−1)`,
    given: ({ scale }) => (scale === 1 ? "λ as given" : `λ as given, times ${short(scale)}`),
  };
  const SLOPES = {
    paper: ({ heads }) => `slopes 2^(−8h/${heads})`,
    model: ({ heads }) => `slopes of ${count(heads, "head")} as BLOOM and MPT have them`,
    one: ({ slope }) => `slope m = ${short(slope)}`,
    given: () => `slopes as given (${posbias.data.source.slopes})`,
  };
  const SHAPES = {
    U: "a U: both ends have more than the middle",
    primacy: "primacy: it falls from the first position to the last",
    recency: "recency: it rises from the first position to the last",
    flat: "flat: every position has the same share",
    other: "none of primacy, recency and U",
    undecided: "undecided: rounding may hide it",
  };

  function setting(state, { heads, effectiveDepth }) {
    const { length, layers, schedule, slopes, content } = state, given = posbias.layersGiven(state);
    const inner = content.kind === "given" ? "content as given" : `content ${short(content.d)}`;
    return `${count(length, "position")}, ${count(layers, "layer")} of ${count(heads, "head")}`
      + `${layers < given && given < posbias.LIMITS.layers ? `, the first of ${given} given` : ""}; `
      + `${RULES[schedule.kind](schedule)}; ${SLOPES[slopes.kind](slopes)}; ${inner}. `
      + `Effective depth S = Σ λ_t = ${short(effectiveDepth)}.`;
  }

  function shape({ shape: label, valley, spike, meanPosition, firstTenth, lastTenth, length }) {
    const where = valley.position === null ? "where rounding leaves it open" : `at position ${valley.position}`;
    return `Shape ${SHAPES[label]}. The smallest share, ${percent(valley.value)}, is ${where} of ${length}. `
      + `The first tenth of the positions has ${percent(firstTenth)}, the last tenth ${percent(lastTenth)}; `
      + `the last position alone ${percent(spike)}. Mean position ${short(meanPosition)}.`;
  }

  // Which theory is nearest to a measurement, and whether sampling could have it otherwise
  function nearest({ nearest: name, runner_up: next, margin, separated, variants }) {
    const out = variants.filter((found) => found.left_out !== null).map((found) => `${found.name} (${found.left_out})`);
    const sure = separated === null ? "too few samples tell whether by chance" : separated
      ? "which other samples would not change" : "which other samples may change";
    return `Nearest is ${name}${margin === null ? "" : `, by ${short(margin)} before ${next}, ${sure}`}.`
      + (out.length === 0 ? "" : ` Left out: ${out.join(", ")}.`);
  }

  return { short, percent, count, setting, shape, nearest };
})();
