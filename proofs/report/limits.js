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

  // `shared`: one kernel in all layers, later ones too; those of ALiBi heads have every 0 < A_ii < 1 from row 2 on.
  function verdict(schedule, n, shared) {
    const finite = summable(schedule), all = schedule.c < 1 || schedule.kind === "given";
    if (n === 1) return answer("collapse", ["I1"], "one position: P_11 = 1 at every depth");
    if (finite === null) {
      return answer("undecided", ["I4"], "a list says nothing of λ in later layers", "a rule for λ");
    }
    if (finite && (all || shared)) return answer("no collapse", ["I2"], finiteReason(all));
    if (!finite && shared) {
      return answer("collapse", ["I3", "I4"], "Σ λ_t = ∞, and 1 − A_ii > 0 for every row i ≥ 2 of the kernel");
    }
    const reason = finite ? "a layer with λ_t = 1 may carry all rows to token 1" : "Σ λ_t = ∞ alone gives no collapse";
    return answer("undecided", ["I4"], reason, "one kernel for all layers");
  }

  const finiteReason = (all) =>
    all
      ? "Σ λ_t < ∞ and every λ_t < 1: P_ii ≥ Π (1 − λ_t) > 0 for all kernels"
      : "Σ λ_t < ∞, and no factor 1 − λ_t (1 − A_ii) vanishes, since A_ii > 0";

  const TAKEN = 4096; // layers that are multiplied one by one before the rest is bounded

  // [lo, hi] around Π over all t of (1 - rate lambda_t), for a rule with a finite sum: with x_t = rate lambda_t of the
  // layers beyond, exp(-Σx/(1 - x)) <= Π (1 - x_t) <= exp(-Σx) (I2), and Σx lies between two integrals.
  function endless(schedule, rate) {
    let left = 1;
    for (let t = 1; t <= TAKEN; t++) left *= 1 - rate * posbias.mixingAt(schedule, t);
    const { kind, c, beta, r } = schedule, next = rate * posbias.mixingAt(schedule, TAKEN + 1);
    const integral = (from) => (rate * c * from ** (1 - beta)) / (beta - 1);
    const rest = kind !== "power" || c === 0 ? [0, 0].fill(next === 0 ? 0 : next / (1 - r))
      : [integral(TAKEN + 1), integral(TAKEN)];
    return [left * Math.exp(-rest[1] / (1 - next)), left * Math.exp(-rest[0])];
  }

  function limits(found, schedule, now, leave, shared) {
    if (found.verdict === "collapse") return { diagonal: now.alone ? [1, 1] : [0, 0], firstToken: [1, 1] };
    const first = shared ? now.firstToken.value : 0; // one kernel: it does not fall with depth (I4, C1)
    if (summable(schedule) !== true) return { diagonal: [0, shared ? now.diagonal : 1], firstToken: [first, 1] };
    const untouched = endless(schedule, 1), diagonal = shared ? endless(schedule, leave) : [untouched[0], 1];
    return { diagonal, firstToken: [first, 1 - (shared ? diagonal[0] : untouched[0])] };
  }

  posbias.dichotomy = function (state, layers, lam, profile) {
    const n = profile.length, now = atThisDepth(layers, lam, profile), shared = new Set(layers).size === 1;
    const found = verdict(state.schedule, n, shared), top = layers[0];
    const leave = posbias.sum(top.map((head) => (head.weight * head.keep * head.sums[n - 1]) / posbias.total(head, n - 1)));
    return { now, limit: { ...found, ...limits(found, state.schedule, { ...now, alone: n === 1 }, leave, shared) } };
  };
})((globalThis.posbias ??= {}));
