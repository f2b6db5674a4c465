// The numbers of each figure as CSV. As in every CSV file of the package, the column `position` counts from 0; layers
// and depths count from 1.

"use strict";

(function (posbias) {
  const table = (header, rows) => [header, ...rows].map((row) => row.map((x) => (x === null ? "" : x)).join(",")).join("\n") + "\n";

  const TABLES = {
    profile: ({ profile, against }) =>
      against === null
        ? table(["position", "profile"], profile.map((x, j) => [j, x]))
        : table(["position", "profile", "influence"], profile.map((x, j) => [j, x, against.measured[j]])),
    decomposition: ({ profile, decomposition: { spike, recency, primacy } }) =>
      table(
        ["position", "profile", "spike", "recency", "primacy"],
        profile.map((x, j) => [j, x, j === profile.length - 1 ? spike : 0, recency?.[j] ?? null, primacy?.[j] ?? null]),
      ),
    depth: ({ byDepth }) =>
      table(
        ["depth", "position", "profile"],
        byDepth.flatMap(({ depth, profile }) => profile.map((x, j) => [depth, j, x])),
      ),
    mixing: ({ lam }) => table(["layer", "lambda"], lam.map((x, t) => [t + 1, x])),
    hops: ({ hops }) => table(["hops", "probability"], hops.map((p, k) => [k, p])),
    phase: ({ phase: { slopes, depths, shapes } }) =>
      table(
        ["slope", "depth", "shape"],
        depths.flatMap((depth, row) => slopes.map((slope, column) => [slope, depth, shapes[row][column]])),
      ),
    // the last row, of depth inf, holds the bounds in the limit
    bounds: ({ dichotomy: { byDepth, limit } }) =>
      table(
        ["depth", ...["first", "last", "mean_position"].flatMap((name) => [`${name}_at_least`, name, `${name}_at_most`])],
        [
          ...byDepth.map(({ depth, firstToken, diagonal, meanPosition }) => [
            depth, ...[firstToken, diagonal, meanPosition].flatMap((x) => [x.atLeast, x.value, x.atMost]),
          ]),
          ["inf", ...[limit.firstToken, limit.diagonal].flatMap(([low, high]) => [low, null, high]), null, null, null],
        ],
      ),
  };

  posbias.FIGURES = Object.keys(TABLES);

  posbias.csv = function (figure, result) {
    if (!Object.hasOwn(TABLES, figure)) throw posbias.refusal("figure", `be one of ${posbias.FIGURES.join(", ")}`, figure);
    return TABLES[figure](result);
  };
})((globalThis.posbias ??= {}));
