// The shape of one ALiBi head's profile over its slope m and the effective depth S, T layers of lambda = S/T.
//
//   p_j = P(K = 0) [j = n] + (w_j / W_n) g_j,  g_j = sum over k of P(K = k) h_{k-1}(u_j, …, u_n),  u_i = w_i / W_i
//   h_k(u_j, …, u_n) = sum over i >= j of u_i h_{k-1}(u_i, …, u_n)
//
// Neighbours are compared as g_j with e^m g_{j+1} (in the last place g_n + P(K = 0)/u_n), beyond a bound on rounding; what
// lies within is undecided (the command `posbias phase` goes on in balls). Theory U6; the package's hop_mixture.py.
//
//   phase  {slopes: 0 and 16 in equal ratios, depths: 12 in equal ratios, shapes: [depth][slope],
//     here: {slope, depth}: the geometric mean of the slopes, S; cell: {row, column} of the nearest, and shape: its
//           label, both null outside the grid; own: the profile's label; exact: whether the setting is one head without
//           content, with the same lambda in every layer}

"use strict";

(function (posbias) {
  const ratios = (low, high, count) =>
    Array.from({ length: count }, (_, k) => (k === count - 1 ? high : low * (high / low) ** (k / (count - 1))));

  const sharesOf = (slope, n) => posbias.geometricSums(slope, n).map((sum) => 1 / (1 + Math.exp(-slope) * sum));

  // h_0, …, h_{T-1}, each a row over j.
  function levelsOf(u, count) {
    const levels = [new Float64Array(u.length).fill(1)];
    while (levels.length < count) {
      const before = levels[levels.length - 1], level = new Float64Array(u.length);
      for (let j = u.length - 1, sum = 0; j >= 0; j--) level[j] = sum += u[j] * before[j];
      levels.push(level);
    }
    return levels;
  }

  function envelope(law, levels, n) {
    const g = new Float64Array(n);
    levels.forEach((level, k) => {
      if (law[k + 1] > 0) for (let j = 0; j < n; j++) g[j] += law[k + 1] * level[j];
    });
    return g;
  }

  // In roundings: a level takes n for its sum and 25 for its product and u; 5 for the law and the sum at each of T terms;
  // 48 in all for e^m, 1/u_n and the comparison. Doubled, which covers the products of these.
  function labelAt(slope, law, levels, u) {
    const n = u.length, g = envelope(law, levels, n), rise = Math.exp(slope);
    const relative = (levels.length * (n + 30) + 48) * 2 ** -52;
    if (relative > 0.25 || !g.every((x) => x > 2 ** -900 && x < Infinity)) return n > 1 ? "undecided" : "flat";
    const steps = [];
    for (let j = 0; j < n - 1; j++) {
      const right = rise * (j === n - 2 ? g[n - 1] + law[0] / u[n - 1] : g[j + 1]), gap = relative * (g[j] + right);
      steps.push(g[j] - right > gap ? 1 : right - g[j] > gap ? -1 : null);
    }
    return posbias.labelOf(steps);
  }

  function grid(n, layers) {
    const slopes = [0, ...ratios(1 / 256, 2, 16)], depths = ratios(Math.min(0.25, layers / 4), layers, 12);
    const laws = depths.map((depth) => posbias.hopLaw(new Array(layers).fill(depth / layers)));
    const columns = slopes.map((slope) => {
      const u = sharesOf(slope, n), levels = levelsOf(u, layers);
      return laws.map((law) => labelAt(slope, law, levels, u));
    });
    return { slopes, depths, shapes: depths.map((_, row) => columns.map((column) => column[row])) };
  }

  let kept = { n: 0, layers: 0, grid: null }; // it depends on n and T alone, which most controls leave as they are

  // The cell that holds x: each reaches half a step to either side, in ratios; 0 has its own.
  function nearest(values, x) {
    const first = values[0] > 0 ? 0 : 1, last = values.length - 1, half = Math.sqrt(values[last] / values[last - 1]);
    if (!(x >= values[first] / half && x <= values[last] * half)) return x === values[0] ? 0 : null;
    const gaps = values.map((value) => Math.abs(Math.log(value) - Math.log(x)));
    return gaps.indexOf(Math.min(...gaps));
  }

  posbias.phase = function (state, layers, result) {
    if (kept.n !== state.length || kept.layers !== state.layers) {
      kept = { n: state.length, layers: state.layers, grid: grid(state.length, state.layers) };
    }
    const heads = layers.flat(), { slopes, depths, shapes } = kept.grid;
    const slope = Math.exp(posbias.sum(heads.map((head) => Math.log(head.slope))) / heads.length);
    const depth = result.effectiveDepth, column = nearest(slopes, slope), row = nearest(depths, depth);
    const exact = new Set(heads.map((head) => `${head.slope} ${head.content}`)).size === 1 && heads[0].content === 0;
    const cell = column === null || row === null ? null : { row, column };
    return {
      ...kept.grid,
      here: {
        slope, depth, cell, own: result.shape, exact: exact && new Set(result.lam).size === 1,
        shape: cell === null ? null : shapes[row][column],
      },
    };
  };
})((globalThis.posbias ??= {}));
