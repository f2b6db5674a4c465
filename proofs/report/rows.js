// ALiBi heads and one layer of the row recursion: v <- (1 - lambda) v + lambda v A, O(H n) without a matrix.
//
// A head of slope m and content d has, positions i counted from 0,
//   A_ii = a/z_i,  A_ij = q^(i-j)/z_i (j < i),  z_i = a + q S_i,  a = e^d,  q = e^-m,  S_i = 1 + q + … + q^(i-1),
// so that (vA)_j = a v_j/z_j + q u_j with u_j = v_{j+1}/z_{j+1} + q u_{j+1}; and columns A f likewise. Source: the package's numeric/recurrence.py.

"use strict";

(function (posbias) {
  // S_0 … S_{n-1} of a slope; below 2^-54 it is i to the last bit.
  posbias.geometricSums = function (slope, n) {
    const sums = new Float64Array(n), flat = slope * n < 2 ** -54, below = Math.expm1(-slope);
    for (let i = 0; i < n; i++) sums[i] = flat ? i : Math.expm1(-slope * i) / below;
    return sums;
  };

  // 2^(-8h/H), h = 1 … H: the slopes of the paper's experiment files.
  posbias.paperSlopes = (heads) => Array.from({ length: heads }, (_, h) => 2 ** ((-8 * (h + 1)) / heads));

  // The slopes as BLOOM and MPT compute them: the series of the nearest power of two below, then every other of the next.
  posbias.modelSlopes = function (heads) {
    const lower = 2 ** Math.floor(Math.log2(heads));
    const finer = posbias.paperSlopes(2 * lower).filter((_, h) => h % 2 === 0);
    return [...posbias.paperSlopes(lower), ...finer.slice(0, heads - lower)];
  };

  // One head per slope: {slope, content, weight, own: a, keep: q, sums: S}; `tables` keeps S for slopes that come again.
  function headsOf(slopes, content, weights, n, tables) {
    return slopes.map((slope, h) => {
      if (!tables.has(slope)) tables.set(slope, posbias.geometricSums(slope, n));
      const own = Math.exp(content[h]), keep = Math.exp(-slope);
      return { slope, content: content[h], weight: weights[h], own, keep, sums: tables.get(slope) };
    });
  }

  // The T layers of a state that was checked, layer 1 first; layers that are alike are one object.
  posbias.layersOf = function (state) {
    const n = state.length, tables = new Map(), given = posbias.given, own = state.slopes.kind === "given";
    const slopes = own ? given.slopes : [slopesOf(state.slopes)];
    const heads = slopes[0].length;
    const plain = new Array(heads).fill(1 / heads), weights = own ? given.weights ?? plain : plain;
    const content = state.content.kind === "given" ? given.content : [new Array(heads).fill(state.content.d)];
    const made = new Map();
    return Array.from({ length: state.layers }, (_, t) => {
      const row = slopes.length > 1 ? t : 0, column = content.length > 1 ? t : 0, key = `${row} ${column}`;
      if (!made.has(key)) made.set(key, headsOf(slopes[row], content[column], weights, n, tables));
      return made.get(key);
    });
  };

  function slopesOf(slopes) {
    if (slopes.kind === "one") return [slopes.slope];
    return slopes.kind === "paper" ? posbias.paperSlopes(slopes.heads) : posbias.modelSlopes(slopes.heads);
  }

  // z_i
  posbias.total = (head, i) => head.own + head.keep * head.sums[i];

  posbias.mixedRow = function (v, layer, share) {
    const row = v.map((x) => (1 - share) * x);
    for (const { weight, own, keep, sums } of layer) {
      const rate = share * weight;
      let u = 0;
      for (let i = v.length - 1; i >= 0; i--) {
        const x = v[i] / (own + keep * sums[i]);
        row[i] += rate * (own * x + keep * u);
        u = keep * u + x;
      }
    }
    return row;
  };

  // (1 - lambda) f + lambda A f: (A f)_i = (a f_i + q s_i)/z_i with s_i = f_{i-1} + q s_{i-1}.
  posbias.mixedColumn = function (f, layer, share) {
    const column = f.map((x) => (1 - share) * x);
    for (const { weight, own, keep, sums } of layer) {
      const rate = share * weight;
      let s = 0;
      for (let i = 0; i < f.length; i++) {
        column[i] += (rate * (own * f[i] + keep * s)) / (own + keep * sums[i]);
        s = keep * s + f[i];
      }
    }
    return column;
  };

  posbias.sum = (values) => values.reduce((x, y) => x + y, 0);

  // How far a row of this file may be off, relatively. A layer, in units of 2^-53: 4 n for u (q within 2, and a product
  // and a sum at each step), 40 for z, its exponentials and the products, one for each head. Doubled, which covers the
  // products of these.
  posbias.roundings = function (layers, lam, n) {
    return posbias.sum(lam.map((share, t) => (share > 0 ? 4 * n + 40 + layers[t].length : 0))) * 2 ** -52;
  };
})((globalThis.posbias ??= {}));
