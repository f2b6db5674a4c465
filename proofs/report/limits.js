// What the dichotomy says of every row at infinite depth, beside the bounds at each depth up to this one.
//
//   byDepth  see bounds.js; now is the last of them
//   limit    {verdict: "collapse" | "no collapse" | "undecided", statements, reason, needed, diagonal: [lo, hi],
//            firstToken: [lo, hi]}
//
// Theory I1 to I8; the package's dichotomy.py.

"use strict";

(function (posbias) {
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
    const diagonal = rest.map((x) => now.diagonal.value * x);
    return { diagonal, firstToken: [now.firstToken.value, 1 - diagonal[0]] };
  }

  posbias.dichotomy = function (state, layers, lam) {
    const n = state.length, byDepth = posbias.boundsByDepth(layers, lam, n), now = byDepth[lam.length];
    const shared = new Set(layers).size === 1;
    const found = verdict(state.schedule, n, shared), top = layers[0];
    const leave = posbias.sum(top.map((head) => (head.weight * head.keep * head.sums[n - 1]) / posbias.total(head, n - 1)));
    return { byDepth, now, limit: { ...found, ...limits(found, state, now, leave, shared) } };
  };
})((globalThis.posbias ??= {}));
