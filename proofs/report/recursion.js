// The profile of a Transformer and what explains it, computed in the page by the recursions of the package `numeric`.
//
// The scripts of this folder are plain scripts for a browser or for node, without dependencies. In this order they fill
// one object, `posbias`: rows.js, recursion.js, state.js, shape.js, bounds.js, limits.js, phase.js,
// csv.js.
//
//   state   {length, layers, schedule, slopes, content}          positions n and layers T, layer 1 nearest the input
//     schedule  {kind: "constant", c} | {kind: "power", c, beta} | {kind: "geometric", c, r}: lambda_t is c,
//               min(1, c t^-beta), c r^(t-1) | {kind: "given", scale}: scale times the lambda of the page's data, its
//               first T where the state has fewer layers
//     slopes    {kind: "paper" | "model", heads} | {kind: "one", slope} | {kind: "given"}
//     content   {kind: "number", d}, added to every diagonal logit | {kind: "given"}, beside given slopes only
//
//   posbias.load(data)              once, with the JSON of the page: what "given" means, the first state, posbias.data
//   posbias.compute(state)      ->  result, as below; throws posbias.InputError for what check refuses
//   posbias.check(state)            throws posbias.InputError: "Argument 'n' must be …, not ….", else nothing
//   posbias.mixing(state)       ->  [lambda_1 … lambda_T]
//   posbias.depthRange(state)   ->  {least, most} of the effective depth S, the schedule's form being kept
//   posbias.withDepth(state, S) ->  the state with c (or scale) such that S = sum of lambda; throws beyond the range
//   posbias.fragment(state)     ->  "n=256&T=12&lam=power:0.5,0.5&slopes=paper:8&content=0"
//   posbias.parseFragment(text) ->  the state; what is left out is as in the first state; throws for anything unknown
//   posbias.csv(figure, result) ->  CSV text; figure is one of posbias.FIGURES
//
//   result  {state, length, layers, heads, lam: [T], effectiveDepth, profile: [n],
//     byDepth: [{depth, profile, meanPosition}]      the last rows of R_t … R_1 for some t up to T (D1)
//     decomposition: {spike, recency, primacy, parts: [{slope, share: [n]}], reason}
//                    p_j = spike [j = n] + recency_j primacy_j (U1); both [n], or null with a reason
//     hops: [T + 1]  P(K = k)
//     shape, valley: {position, value, depth}, spike, meanPosition, firstTenth, lastTenth       shape may be "undecided"
//     dichotomy: {byDepth: [...], now: {...}, limit: {...}}           see bounds.js, limits.js
//     phase: {slopes, depths, shapes: [depth][slope], here: {slope, depth, shape, own, exact}}       see phase.js
//     against: null | {source, measured: [n], wasserstein, wassersteinPositions, spearman}}
//
//   data    {source: {name, slopes, length}, initial: state, given: null or {mark, lam, slopes, content, weights}, each null
//     or lists (rows of slopes and content: one for all layers, or one per layer), measured: null or {source, values: [n]},
//     comparison: null or the table of a measured model}
//
// With one slope recency is e^{mj} up to a factor, with several their mean, which need not rise; primacy never rises (U1).
// Positions in the result count from 1 where they are named (valley.position, meanPosition), arrays from 0.

"use strict";

(function (posbias) {
  // Last rows e_n R_T … R_1 by v <- (1 - lambda) v + lambda v A, from the top layer down; S1.
  function lastRow(layers, lam, n) {
    let v = new Float64Array(n);
    v[n - 1] = 1;
    for (let t = lam.length - 1; t >= 0; t--) {
      if (lam[t] > 0) v = posbias.mixedRow(v, layers[t], lam[t]);
    }
    return v;
  }

  // At most 8 depths from 1 to T in about equal ratios, both ends included.
  function someDepths(layers) {
    const found = new Set();
    for (let k = 0; k < 8; k++) found.add(Math.round(layers ** (k / 7)));
    return [...found];
  }

  function profilesByDepth(layers, lam, n, profile) {
    return someDepths(lam.length).map((depth) => {
      const row = depth === lam.length ? profile : lastRow(layers.slice(0, depth), lam.slice(0, depth), n);
      return { depth, profile: Array.from(row), meanPosition: posbias.meanPosition(row) };
    });
  }

  // (P(K = 0), …, P(K = T)), K the number of attending layers: Poisson-binomial; C1.
  posbias.hopLaw = function (lam) {
    let law = [1];
    for (const share of lam) {
      const longer = new Array(law.length + 1).fill(0);
      law.forEach((p, k) => {
        longer[k] += (1 - share) * p;
        longer[k + 1] += share * p;
      });
      law = longer;
    }
    return law;
  };

  // --- the decomposition of U1 --------------------------------------------------------------------------------

  // theta_j of one layer: what stays of token j without a hop, the diagonal part of heads with content above 0 included.
  function staying(layer, share, n) {
    const theta = new Float64Array(n).fill(1 - share);
    for (const head of layer) {
      if (head.content > 0) {
        const pull = share * head.weight * Math.expm1(head.content);
        for (let j = 0; j < n; j++) theta[j] += pull / posbias.total(head, j);
      }
    }
    return theta;
  }

  // The paths whose lowest attending layer is this one, by the slope of the head they take there: added to `parts`.
  function addParts(parts, layer, share, v, stays) {
    for (const head of layer) {
      const own = Math.min(head.own, 1), rate = share * head.weight;
      if (!parts.has(head.slope)) parts.set(head.slope, new Float64Array(v.length));
      const part = parts.get(head.slope);
      let u = 0;
      for (let j = v.length - 1; j >= 0; j--) {
        const x = v[j] / posbias.total(head, j);
        part[j] += rate * stays[j] * (own * x + head.keep * u);
        u = head.keep * u + x;
      }
    }
  }

  function decompose(layers, lam, n) {
    const stays = [new Float64Array(n).fill(1)], parts = new Map();
    lam.forEach((share, t) => {
      const theta = staying(layers[t], share, n);
      stays.push(stays[t].map((x, j) => x * theta[j]));
    });
    let v = new Float64Array(n);
    v[n - 1] = 1;
    for (let t = lam.length - 1; t >= 0; t--) {
      if (lam[t] > 0) {
        addParts(parts, layers[t], lam[t], v, stays[t]);
        v = posbias.mixedRow(v, layers[t], lam[t]);
      }
    }
    return { spike: stays[lam.length][n - 1], ...weightAndEnvelope(parts, n), parts: listed(parts) };
  }

  function listed(parts) {
    const slopes = [...parts.keys()].sort((x, y) => x - y);
    return slopes.map((slope) => ({ slope, share: Array.from(parts.get(slope)) }));
  }

  // One weight and one envelope for all heads: a part is w g with w_j = e^{mj}; its envelope is taken as its whole share
  // at token 1, and those of all slopes are added up. That sum does not rise, and weight times envelope is their share.
  function weightAndEnvelope(parts, n) {
    const primacy = new Array(n).fill(0), shares = new Array(n).fill(0);
    for (const [slope, part] of parts) {
      const mass = part.reduce((x, y) => x + y, 0);
      for (let j = 0; mass > 0 && j < n; j++) {
        primacy[j] += mass * (part[j] / part[0]) * Math.exp(-slope * j);
        shares[j] += part[j];
      }
    }
    if (parts.size === 0) return { recency: null, primacy: null, reason: "no layer attends" };
    if (!primacy.every((x) => x > 0 && x < Infinity)) {
      return { recency: null, primacy: null, reason: "the weights span more than floats can hold" };
    }
    return { recency: shares.map((x, j) => x / primacy[j]), primacy, reason: null };
  }

  // --- everything ---------------------------------------------------------------------------------------------------

  posbias.compute = function (state) {
    posbias.check(state);
    const n = state.length, lam = posbias.mixing(state), layers = posbias.layersOf(state);
    const profile = lastRow(layers, lam, n);
    const form = posbias.shape(profile, posbias.roundings(layers, lam, n));
    const result = {
      state, length: n, layers: state.layers, heads: layers[0].length, lam,
      effectiveDepth: posbias.sum(lam),
      profile: Array.from(profile),
      byDepth: profilesByDepth(layers, lam, n, profile),
      decomposition: decompose(layers, lam, n),
      hops: posbias.hopLaw(lam),
      ...form,
    };
    result.dichotomy = posbias.dichotomy(state, layers, lam);
    result.phase = posbias.phase(state, layers, result);
    result.against = posbias.against(profile);
    return result;
  };
})((globalThis.posbias ??= {}));
