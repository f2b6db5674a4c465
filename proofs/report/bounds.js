// What bounds say of the last row after each number of layers, from none to all.
//
//   posbias.boundsByDepth(layers, lam, n)  ->  at depth t = 0 … T, of R_t … R_1, a row
//     {depth, diagonal: {value, atLeast, atMost}, firstToken: {value, atLeast, atLeastBy, atMost, atMostBy},
//      meanPosition: {value, atLeast, atMost}}
//
// diagonal P_nn by I1, its bounds by I2; firstToken P_n1, its bounds by I5, I7, I8; meanPosition E[pos], its bounds by
// I7. The bounds look at single rows of the kernels. They are evaluated in floats, not rounded outward (the commands
// `posbias profile` and `posbias depth` do that). Theory I1 to I8; the package's speed.py.

"use strict";

(function (posbias) {
  // Of rows 2 … n of a layer, the least and the most of 1 - A_ii, A_i1 and J(i)/(i - 1), J the mean jump; the reach; and
  // last: 1 - A_nn.
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
    return { leave: ends(leave), first: ends(first), jump: ends(jump), reach, last: Math.min(1, leave[n - 1]) };
  }

  // Π (1 - rate_s lambda_s) over s <= t, for t = 0 … T.
  function products(lam, rates) {
    const found = [1];
    lam.forEach((share, t) => found.push(found[t] * (1 - share * rates[t])));
    return found;
  }

  // P(K < hops) for layers that hop with probability rate_t lambda_t.
  const below = (lam, rates, hops) =>
    Math.min(1, posbias.sum(posbias.hopLaw(lam.map((share, t) => share * rates[t])).slice(0, hops)));

  // P_nn after t layers and its bounds: with x_t = lambda_t (1 - A_nn) <= c, it is at least Π (1 - lambda_t) and
  // exp(-Σx/(1 - c)), and at most exp(-Σx).
  function diagonals(lam, rows) {
    const last = rows.map((row) => row.last), kept = products(lam, last), untouched = products(lam, lam.map(() => 1));
    let all = 0, most = 0;
    return kept.map((value, t) => {
      if (t > 0) {
        all += lam[t - 1] * last[t - 1];
        most = Math.max(most, lam[t - 1] * last[t - 1]);
      }
      const apart = most < 1 ? Math.exp(-all / (1 - most)) : 0;
      return { value, atLeast: Math.max(untouched[t], apart), atMost: Math.exp(-all) };
    });
  }

  // Bounds on 1 - P_n1 after t layers, by statement: [from below, from above].
  function away(lam, rows, n) {
    const all = (name, end) => rows.map((row) => row[name][end]);
    const jump = products(lam, all("jump", 0)), most = products(lam, all("first", 1)), least = products(lam, all("first", 0));
    return jump.map((left, t) => {
      const share = lam.slice(0, t), lower = rows.slice(0, t), reach = Math.max(0, ...lower.map((row) => row.reach));
      const hops = reach === 0 ? n - 1 : Math.ceil((n - 1) / reach);
      const slowest = Math.min(...lower.map((row) => row.leave[0]));
      return {
        I5: [0, below(share, lower.map(() => slowest), n - 1)],
        I7: [0, Math.min(1, (n - 1) * left)],
        I8: [Math.max(most[t], below(share, lower.map((row) => row.leave[1]), hops)), least[t]],
      };
    });
  }

  function sharpest(bounds) {
    const names = Object.keys(bounds);
    const low = names.reduce((x, y) => (bounds[y][0] > bounds[x][0] ? y : x));
    const high = names.reduce((x, y) => (bounds[y][1] < bounds[x][1] ? y : x));
    return { atLeast: 1 - bounds[high][1], atLeastBy: high, atMost: 1 - bounds[low][0], atMostBy: low };
  }

  // (P^(t) f)_n for t = 0 … T: a column goes up through the layers, so that one pass serves every depth.
  function atLastRow(layers, lam, column) {
    const found = [column[column.length - 1]];
    layers.forEach((layer, t) => {
      column = posbias.mixedColumn(column, layer, lam[t]);
      found.push(column[column.length - 1]);
    });
    return found;
  }

  const ALONE = {
    diagonal: { value: 1, atLeast: 1, atMost: 1 }, meanPosition: { value: 1, atLeast: 1, atMost: 1 },
    firstToken: { value: 1, atLeast: 1, atLeastBy: "I5", atMost: 1, atMostBy: "I5" },
  };

  posbias.boundsByDepth = function (layers, lam, n) {
    if (n === 1) return [0, ...lam].map((_, depth) => ({ depth, ...ALONE }));
    const found = new Map([...new Set(layers)].map((layer) => [layer, extremes(layer, n)]));
    const rows = layers.map((layer) => found.get(layer)), diagonal = diagonals(lam, rows), bounds = away(lam, rows, n);
    const first = atLastRow(layers, lam, Float64Array.from({ length: n }, (_, i) => (i === 0 ? 1 : 0)));
    const mean = atLastRow(layers, lam, Float64Array.from({ length: n }, (_, i) => i));
    const [low, high] = [1, 0].map((end) => products(lam, rows.map((row) => row.jump[end])));
    return bounds.map((bound, depth) => ({
      depth, diagonal: diagonal[depth], firstToken: { value: first[depth], ...sharpest(bound) },
      meanPosition: { value: 1 + mean[depth], atLeast: 1 + (n - 1) * low[depth], atMost: Math.min(n, 1 + (n - 1) * high[depth]) },
    }));
  };
})((globalThis.posbias ??= {}));
