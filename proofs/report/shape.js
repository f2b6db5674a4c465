// The shape of a profile and its distance from a measured one; positions in the answers count from 1.
//
// Neighbours are compared beyond a bound on what rounding may have done; what lies within is left open. Source: the
// package's numeric/shape.py and numeric/order.py (U4).

"use strict";

(function (posbias) {
  const AFTER_FALL = { flat: "primacy", primacy: "primacy", recency: "other", U: "other", other: "other" };
  const AFTER_RISE = { flat: "recency", primacy: "U", recency: "recency", U: "U", other: "other" };

  // The label that the signs of p_j - p_{j+1} give, null where one is open; "undecided" where they admit several.
  posbias.labelOf = function (steps) {
    let labels = new Set(["flat"]);
    for (const step of steps) {
      const falls = [...labels].map((label) => AFTER_FALL[label]), rises = [...labels].map((label) => AFTER_RISE[label]);
      if (step === null) labels = new Set([...labels, ...falls, ...rises]);
      else if (step !== 0) labels = new Set(step > 0 ? falls : rises);
    }
    return labels.size === 1 ? [...labels][0] : "undecided";
  };

  // The sign of x - y beyond a relative error of either and what underflows; exact where nothing was rounded.
  const signBeyond = (relative) =>
    function (x, y) {
      if (relative === 0) return Math.sign(x - y);
      const gap = relative * (x + y) + 2 ** -800;
      return x - y > gap ? 1 : y - x > gap ? -1 : null;
    };

  function valley(p, sign) {
    let low = 0;
    p.forEach((x, j) => {
      if (sign(p[low], x) === 1) low = j;
    });
    const known = p.every((x, j) => j === low || [0, 1].includes(sign(x, p[low])));
    const value = known ? p[low] : Math.min(...p), end = known && (low === 0 || low === p.length - 1);
    return { position: known ? low + 1 : null, value, depth: end ? 0 : Math.min(p[0], p[p.length - 1]) - value };
  }

  // The mean position from 1, of a profile relative to its sum.
  posbias.meanPosition = (p) => p.reduce((sum, x, j) => sum + j * x, 0) / posbias.sum(p) + 1;

  posbias.shape = function (p, relative) {
    const sign = signBeyond(relative), steps = Array.from(p.subarray(1), (y, j) => sign(p[j], y));
    const ends = Math.ceil(p.length / 10), total = posbias.sum(p);
    return {
      shape: posbias.labelOf(steps), valley: valley(p, sign), spike: p[p.length - 1], meanPosition: posbias.meanPosition(p),
      firstTenth: posbias.sum(p.subarray(0, ends)) / total, lastTenth: posbias.sum(p.subarray(p.length - ends)) / total,
    };
  };

  // --- beside a measurement -----------------------------------------------------------------------------------------

  // W1(p, q) = sum of |F_p - F_q| over positions, each relative to its own sum.
  posbias.wasserstein = function (p, q) {
    const all = posbias.sum(p), both = posbias.sum(q);
    let left = 0, distance = 0;
    for (let j = 0; j < p.length - 1; j++) {
      left += p[j] / all - q[j] / both;
      distance += Math.abs(left);
    }
    return distance;
  };

  // Ranks from 1; equal values share the mean of theirs.
  function ranks(values) {
    const order = Array.from(values, (_, j) => j).sort((i, j) => values[i] - values[j]), found = new Array(values.length);
    for (let first = 0, last; first < order.length; first = last) {
      for (last = first + 1; last < order.length && values[order[last]] === values[order[first]]; ) last++;
      order.slice(first, last).forEach((j) => (found[j] = (first + 1 + last) / 2));
    }
    return found;
  }

  // The correlation of ranks; null where one side is constant.
  posbias.spearman = function (p, q) {
    const middle = (p.length + 1) / 2, [x, y] = [ranks(p), ranks(q)].map((found) => found.map((rank) => rank - middle));
    const product = (u, v) => posbias.sum(u.map((a, j) => a * v[j])), scale = Math.sqrt(product(x, x) * product(y, y));
    return scale === 0 ? null : product(x, y) / scale;
  };

  posbias.against = function (p) {
    const found = posbias.data?.measured;
    if (!found || found.values.length !== p.length || p.length === 1) return null;
    const distance = posbias.wasserstein(p, found.values);
    return {
      source: found.source, measured: found.values, wassersteinPositions: distance,
      wasserstein: distance / (p.length - 1), spearman: posbias.spearman(p, found.values),
    };
  };
})((globalThis.posbias ??= {}));
