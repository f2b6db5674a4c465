// What bounds say of the last row at this depth, and of every row at infinite depth.
//
//   now    {diagonal, untouched, firstToken: {value, atLeast, by, atMost, by}, meanPosition: {value, atLeast, atMost}}
//          diagonal: P_nn (I1); untouched: P(K = 0), at most P_nn (I2); bounds by I5, I7, I8
//   limit  {verdict: "collapse" | "no collapse" | "undecided", statements, reason, needed, diagonal: [lo, hi],
//          firstToken: [lo, hi]}
//
// The bounds at this depth look at single rows of the kernels; they are evaluated in floats, not rounded outward (the
// commands `posbias profile` and `posbias depth` do that). Theory I1 to I8; the package's speed.py and dichotomy.py.

"use strict";

(function (posbias) {
  // Of rows 2 … n of a layer, the least and the most of 1 - A_ii, A_i1 and J(i)/(i - 1), J the mean jump; and the reach.
  function extremes(layer, n) {
    const leave = new Float64Array(n), first = new Float64Array(n), jump = new Float64Array(n);
    let reach = 0;
    for (const head of layer) {
      let moved = 0, far = 0;
      for (let i = 1; i < n; i++) {
        const weight = Math.exp(-head.slope * i), total = posbias.total(head, i);
        if (weight > 0 && head.weight > 0) reach = Math.max(reach, i);
        moved += weight;
        far += i * weight;
        leave[i] += (head.weight * moved) / total;
        first[i] += (head.weight * weight) / total;
        jump[i] += (head.weight * far) / total / i;
      }
    }
    const ends = (values) => [Math.min(...values.subarray(1)), Math.min(1, Math.max(...values.subarray(1)))];
    return { leave: ends(leave), first: ends(first), jump: ends(jump), reach };
  }

  const product = (lam, rates) => lam.reduce((left, share, t) => left * (1 - share * rates[t]), 1);

  // P(K < hops) for layers that hop with probability rate_t lambda_t.
  const below = (lam, rates, hops) =>
    Math.min(1, posbias.sum(posbias.hopLaw(lam.map((share, t) => share * rates[t])).slice(0, hops)));

  // Bounds on 1 - P_n1, by statement: [from below, from above].
  function away(lam, rows, n) {
    const all = (name, end) => rows.map((row) => row[name][end]);
    const reach = Math.max(...rows.map((row) => row.reach)), hops = reach === 0 ? n - 1 : Math.ceil((n - 1) / reach);
    const least = Math.min(...all("leave", 0));
    return {
      I5: [0, below(lam, rows.map(() => least), n - 1)],
      I7: [0, Math.min(1, (n - 1) * product(lam, all("jump", 0)))],
      I8: [Math.max(product(lam, all("first", 1)), below(lam, all("leave", 1), hops)), product(lam, all("first", 0))],
    };
  }

  function sharpest(bounds) {
    const names = Object.keys(bounds);
    const low = names.reduce((x, y) => (bounds[y][0] > bounds[x][0] ? y : x));
    const high = names.reduce((x, y) => (bounds[y][1] < bounds[x][1] ? y : x));
    return { atLeast: 1 - bounds[high][1], atLeastBy: high, atMost: 1 - bounds[low][0], atMostBy: low };
  }

  function atThisDepth(layers, lam, profile) {
    const n = profile.length, untouched = product(lam, lam.map(() => 1));
    if (n === 1) {
      const alone = { value: 1, atLeast: 1, atLeastBy: "I5", atMost: 1, atMostBy: "I5" };
      return { diagonal: 1, untouched, firstToken: alone, meanPosition: { value: 1, atLeast: 1, atMost: 1 } };
    }
    const found = new Map(layers.map((layer) => [layer, null]));
    for (const layer of found.keys()) found.set(layer, extremes(layer, n));
    const rows = layers.map((layer) => found.get(layer));
    const mean = [1, 0].map((end) => 1 + (n - 1) * product(lam, rows.map((row) => row.jump[end])));
    return {
      diagonal: profile[n - 1], untouched,
      firstToken: { value: profile[0], ...sharpest(away(lam, rows, n)) },
      meanPosition: { value: posbias.meanPosition(profile), atLeast: mean[0], atMost: Math.min(n, mean[1]) },
    };
  }

  // --- infinite depth -----------------------------------------------------------------------------------------------

  const answer = (verdict, statements, reason, needed = "") => ({ verdict, statements, reason, needed });

  // Whether the sum of lambda over all layers is finite; null where nothing is known of later layers.
  function summable({ kind, c, beta, r }) {
    if (kind === "given") return null;
    if (c === 0) return true;
    return kind === "power" ? beta > 1 : kind === "geometric" ? r < 1 : false;
  }

  // `shared`: one kernel in all layers, later ones too; those of ALiBi heads have 0 < A_ii < 1 from row 2 on.
  function verdict(schedule, n, shared) {
    const finite = summable(schedule);
    if (n === 1) return answer("collapse", ["I1"], "one position: P_11 = 1 at every depth");
    if (finite === null) {
      return answer("undecided", ["I2", "I3"], "the list of λ_t ends, and what follows decides", "a rule for λ");
    }
    if (finite) return answer("no collapse", ["I2"], finiteReason(schedule));
    if (shared) return answer("collapse", ["I3", "I4"], "Σ λ_t = ∞, and 1 − A_ii > 0 for every row i ≥ 2 of the kernel");
    const reason = "Σ λ_t = ∞, but nothing is known of 1 − A_ii in later layers, and Σ λ_t = ∞ alone gives no collapse";
    return answer("undecided", ["I4"], reason, "one kernel for all layers");
  }

  const finiteReason = ({ c }) =>
    c < 1
      ? "Σ λ_t < ∞ and every λ_t < 1: P_ii ≥ Π (1 − λ_t) > 0 for all kernels"
      : "Σ λ_t < ∞, and no factor 1 − λ_t (1 − A_ii) vanishes, since A_11 … A_nn > 0 in layer 1, where λ_t = 1";

  const TAKEN = 4096; // layers that are multiplied one by one before the rest is bounded

  // [lo, hi] around Π over t > T of (1 - rate lambda_t), for a rule with a finite sum: with x_t = rate lambda_t of the
  // layers beyond, exp(-Σx/(1 - x)) <= Π (1 - x_t) <= exp(-Σx) (I2), and Σx is known or lies between two integrals.
  function endless(schedule, rate, layers) {
    const last = layers + TAKEN, next = rate * posbias.mixingAt(schedule, last + 1);
    let left = 1;
    for (let t = layers + 1; t <= last; t++) left *= 1 - rate * posbias.mixingAt(schedule, t);
    const integral = (from) => (rate * schedule.c * from ** (1 - schedule.beta)) / (schedule.beta - 1);
    const geometric = next === 0 ? 0 : next / (1 - schedule.r);
    const rest = schedule.kind === "power" ? [integral(last + 1), integral(last)] : [geometric, geometric];
    return [left * Math.exp(-rest[1] / (1 - next)), left * Math.exp(-rest[0])];
  }

  // P_nn goes on as a product (I1), between Π (1 - lambda_t) and 1 of itself where later kernels are not known. P_n1 does
  // not fall, whatever comes on top: ALiBi heads are monotone with any content (D1, D4); and P_n1 + P_nn <= 1.
  function limits(found, state, now, leave, shared) {
    if (found.verdict === "collapse") return { diagonal: state.length === 1 ? [1, 1] : [0, 0], firstToken: [1, 1] };
    let rest = [0, 1];
    if (summable(state.schedule) === true) {
      const [low, high] = endless(state.schedule, shared ? leave : 1, state.layers);
      rest = [low, shared ? high : 1];
    }
    const diagonal = rest.map((x) => now.diagonal * x);
    return { diagonal, firstToken: [now.firstToken.value, 1 - diagonal[0]] };
  }

  posbias.dichotomy = function (state, layers, lam, profile) {
    const n = profile.length, now = atThisDepth(layers, lam, profile), shared = new Set(layers).size === 1;
    const found = verdict(state.schedule, n, shared), top = layers[0];
    const leave = posbias.sum(top.map((head) => (head.weight * head.keep * head.sums[n - 1]) / posbias.total(head, n - 1)));
    return { now, limit: { ...found, ...limits(found, state, now, leave, shared) } };
  };
})((globalThis.posbias ??= {}));
