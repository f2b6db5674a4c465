"""The second opinion on a certificate of ``posbias verify --certificate FILE``, by the standard library alone.

    python -m proofs.recheck FILE     0: every entry holds; 1: one fails, and is named; 2: the file is no certificate

Nothing of the checker is used, no digest.  An entry states a formula in a scope of indices, a leaf also says why.  Both
are read at small sizes (n, and what an index without end is unless its least value is larger): an index is an integer,
a function a Python function, a value a polynomial in symbols such as A[1,2,1].  "right - left = sum of multiples" of
earlier entries is multiplied out, and stored at one size.  The layers of S7 and what they compose to are counted.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial, reduce
from itertools import product
from typing import Any

FORMAT, MOST_BYTES, MOST_WORK, LISTED, MOST_POSITIONS = "posbias certificate 1", 1 << 26, 1 << 25, 3, 6
USUAL, SIZES = ("least", "small", "large"), {"least": (1, 0), "small": (2, 2), "large": (3, 2), "deep": (2, 3)}
RULES = ("sum", "same", "both", "inverse", "compared", "between", "absurd")  # what lies beyond is declared, and named
MALFORMED = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
VERTICES = {  # of a part: the layers that are composed, and what is asserted of every composite
    "S4/identity": ("none", "rising"), "S4/product": ("monotone", "rising"), "S4/average": ("monotone", "rising"),
    "S4/transitions": ("monotone", "rising"), "S4/rollouts": ("monotone", "rising"),
    "S5/rollouts": ("ordered", "earlier"), "D1/any depth": ("monotone", "earlier"), "D1/bottom": ("none", "earlier"),
    "D1/top, last row": ("monotone", "top row"), "D1/one more layer": ("monotone", "earlier"),
    "D2/rollouts": ("mixed", "earlier"), "D2/attention only": ("attention", "earlier"), "D2/identity": ("any", "rows"),
}  # fmt: skip
Poly = dict[tuple[str, ...], Any]  # sorted symbols -> rational coefficient, never 0
Env = dict[str, Any]  # what names stand for: integers, or functions of integers; or formulas that are known
work, ONE, MINUS = [0], Poly({(): 1}), Poly({(): -1})


def require(holds: bool, why: str) -> None:
    if not holds:
        raise ValueError(why)


def add(*values: Poly) -> Poly:
    work[0] += len(values) + sum(map(len, values))
    require(work[0] < MOST_WORK, "it takes more work than any certificate needs")
    out = dict(values[0]) if values else {}
    for value in values[1:]:
        for m, c in value.items():
            out[m] = out.get(m, 0) + c
    return {m: c for m, c in out.items() if c} if len(values) > 1 else out


def times(first: Poly, second: Poly) -> Poly:
    if first.keys() == ONE.keys():  # a number
        return second if first == ONE else {m: first[()] * c for m, c in second.items()}
    return add({}, *({tuple(sorted(m + k)): c * d for k, d in second.items()} for m, c in first.items()))


def symbol(name: str, *at: Any) -> Poly:
    """A function at its indices; or, of a polynomial written as its monomials in order, what nothing is known of."""
    texts = (str(x) if isinstance(x, int) else " + ".join(f"{c} {m}" for m, c in written(x)) for x in at)
    return {(f"{name}[{','.join(texts)}]",): 1}


def written(p: Poly) -> list[tuple[str, str]]:
    return sorted(("*".join(m), str(c)) for m, c in p.items())


def index(node: Any, env: Env) -> Any:
    """An integer, a name, or [constant, [name, factor], ...]."""
    if isinstance(node, list):
        return node[0] + sum([factor * env[name] for name, factor in node[1:]])
    return env[node] if isinstance(node, str) else node


class Reader:
    """What nodes mean at one setting; a node is a list that begins with its kind."""

    def __init__(self, definitions: dict[str, Any], n: int, above: int) -> None:
        self.definitions, self.n, self.above, self.functions = definitions, n, above, dict[Any, Any]()

    def places(self, ranges: list[Any], env: Env) -> Iterator[Env]:
        """The names at every place of the ranges; one without a name asks for low <= high and notes the difference."""
        if not ranges:
            yield env
            return
        (var, low, high), *rest = ranges
        first = max(index(low, env), self.above if high is None else index(low, env))
        last = first if high is None else index(high, env)
        work[0] += 1 + max(0, last - first)
        require(work[0] < MOST_WORK, "it takes more work than any certificate needs")
        for x in range(first, last + 1) if var else [last - first][: last >= first]:
            yield from self.places(rest, env | {var or f"?{len(env)}": x})

    def value(self, node: Any, env: Env) -> Poly:
        match node:
            case int() | str():
                number = node if isinstance(node, int) else Fraction(*map(int, node.split("/")))
                return {(): number} if number else {}
            case ["at", fn, *at]:
                value: Poly = self.function(fn, env)(*[index(x, env) for x in at])
                return value
            case ["*", *parts]:  # what comes after a 0 is not looked at
                return reduce(lambda found, part: found and times(found, self.value(part, env)), parts, ONE)
            case ["+", *parts]:
                return add(*[self.value(part, env) for part in parts])
            case ["[]", *pairs]:
                return ONE if all(index(low, env) <= index(high, env) for low, high in pairs) else {}
            case ["sum", rng, body]:
                return add(*[self.value(body, inner) for inner in self.places([rng], env)])
            case ["0 <=" | "1 /" | "exp" | "log" as kind, body]:
                return symbol(kind, self.value(body, env))
        raise NotImplementedError(node[0])

    def function(self, node: Any, env: Env) -> Any:
        """A name, ["fn", free names, names, value] or ["op", name, functions...]; each remembers its values."""
        if isinstance(node, str):
            return env.get(node) or self.functions.setdefault(node, partial(symbol, node))
        if node[0] == "fn":
            inner, rest = {name: env[name] for name in node[1] if name in env}, [*node[2:], None]
            key: Any = (id(node), *inner.values())
        else:
            fns, (names, *rest) = [self.function(fn, env) for fn in node[2:]], self.definitions[node[1]]
            key, inner = (node[1], *fns), {"n": self.n} | dict(zip(names, fns, strict=True))
        return self.functions.get(key) or self.functions.setdefault(key, cache(partial(self.defined, inner, *rest)))

    def defined(self, env: Env, names: list[str], body: Any, base: Any, *at: int) -> Poly:
        """The value at ``names``; in a recursion ``base`` at 0, and ``body`` at one more than the first of them."""
        if base is not None and at[0] < 0:
            return symbol("below 0", *at)
        if base is not None:
            body, at = (body, (at[0] - 1, *at[1:])) if at[0] else (base, at)
        return self.value(body, env | dict(zip(names, at, strict=True)))

    def gap(self, node: Any, env: Env) -> Poly:
        return add(self.value(node[2], env), times(MINUS, self.value(node[1], env)))

    def meaning(self, node: Any, env: Env, depth: int = 0) -> Any:
        """What a formula amounts to, at each place and in each part of it."""
        match node:
            case ["=" | "<=" | "<" as op, _, _]:
                return [op, dict(written(self.gap(node, env)))]
            case ["all" | "some" as kind, [var, low, _] as r, body]:
                return [kind, index(low, env), *([e[var], self.meaning(body, e, depth)] for e in self.places([r], env))]
            case ["all fn" | "some fn" as kind, name, arity, body]:
                return [kind, arity, self.meaning(body, env | {name: partial(symbol, f"?{depth}")}, depth + 1)]
            case ["and" | "if", *parts]:
                return [[name, self.meaning(part, env, depth)] for name, part in parts]
        raise NotImplementedError(node[0])

    def fact(self, use: Any, env: Env, facts: Env) -> tuple[Any, Env]:
        """The fact [label, filling, ...] with indices, functions, parts and hypotheses filled in, in its order."""
        node, inner = facts[use[0]]["says"], env
        for filling in use[1:]:
            match node:
                case ["all", [var, low, high], node]:
                    x = index(filling, env)
                    require(x >= index(low, inner) and (high is None or x <= index(high, inner)), "out of range")
                    inner = inner | {var: x}
                case ["all fn", name, _, node]:
                    inner = inner | {name: self.function(filling, env)}
                case ["and", *parts]:
                    node = dict(parts)[filling]
                case ["if", [_, given], [_, node]]:
                    require(self.meaning(*self.fact(filling, env, facts)) == self.meaning(given, inner), "not given")
        return node, inner

    def item(self, item: Any, signed: bool, env: Env, facts: Env) -> Poly:
        """[ranges, factor, uses]: a sum of products of cited differences, all >= 0 if ``signed``, or else one 0."""
        found: list[Poly] = []
        for e in self.places(item[0], env):
            known, factor = [self.fact(use, e, facts) for use in item[2]], self.value(item[1], e)
            plain = all(c > 0 and all(s[0] == "0" or m.count(s) % 2 == 0 for s in m) for m, c in factor.items())
            require(plain if signed else any(node[0] == "=" for node, _ in known), "nothing gives a multiple its sign")
            found.append(reduce(times, (self.gap(*relation) for relation in known), factor))
        return add(*found)

    def leaf(self, node: Any, env: Env, by: Any, facts: Env) -> Any:
        """The multiples, or cited differences, from which an equation or inequality follows; raises if it does not."""
        if by[0] in ("same", "both"):
            stated, said = self.meaning(node, env), [self.meaning(*self.fact(use, env, facts)) for use in by[1:]]
            require(said == ([stated] if by[0] == "same" else [part for _, part in stated]), "it says something else")
            return []
        if node[0] == "all":
            return [self.leaf(node[2], e, by, facts) for e in self.places([node[1]], env)]
        gap, op = (self.gap(node, env), node[0]) if by[0] != "absurd" else ({}, "=")
        if by[0] == "sum":
            items = [self.item(i, n == 1 and op != "=", env, facts) for n in (1, 2) for i in by[n]]
            plain = [uses for over, factor, uses in by[1] if not over and str(factor)[0] in "123456789"]
            firm = op != "<" or any(all(self.fact(u, env, facts)[0][0] == "<" for u in uses) for uses in plain)
            holds = firm and gap == add(*items)
        else:
            known = [self.fact(use, env, facts) for use in by[1:]]
            items, sign = [self.gap(*relation) for relation in known], known[0][0][0]
            d, e = items[0], times(MINUS, items[-1])
            one, inverse = (add(ONE, times(MINUS, x)) for x in (symbol("0 <=", d), times(d, symbol("1 /", d))))
            holds = {
                "inverse": sign == "<" and gap == {"=": inverse, "<": symbol("1 /", d)}.get(op),
                "compared": op == "=" and (gap == one or (sign == "<" and gap == times(MINUS, symbol("0 <=", e)))),
                "between": op == "=" and gap == d == e,
                "absurd": sign != "=" and (sign == "<" if not d else list(d) == [()] and d[()] < 0),
            }[by[0]]
        require(holds, "right minus left is not what is cited for it")
        return [dict(written(item)) for item in items]


def layers(kind: str, n: int) -> list[Any]:
    """The layers f(i) <= i that products are made of, positions from 0; pairs, the lower of two architectures first."""
    still, causal = tuple(range(n)), list(product(*(range(i + 1) for i in range(n))))
    monotone = {f for f in causal if sorted(f) == list(f)}
    if kind == "ordered":  # one of the two monotone
        return [(f, g) for f in causal for g in causal if tuple(map(min, f, g)) == f and {f, g} & monotone]
    seconds = {"none": "", "monotone": "f", "any": "0", "mixed": "f0", "attention": "f0"}[kind]
    pairs = {(f, f if s == "f" else still) for f in (causal if kind == "any" else monotone) for s in seconds}
    return sorted(pairs | {(still, still)})


def vertices(kind: str, asserted: str, n: int) -> list[int]:
    """n, how many layers, products of them, inequalities, and strict ones; raises if an inequality fails."""
    maps = sorted({f for pair in layers(kind, n) for f in pair})
    place = {f: x for x, f in enumerate(maps)}
    after = [[place[tuple(p[x] for x in f)] for f in maps] for p in maps]
    below = [(place[f], place[g]) for f, g in layers(kind, n)]
    found = new = {(place[tuple(range(n))],) * 2}
    while new:  # one more layer on what is new: f in the lower architecture, g in the upper
        new = {(p[f], q[g]) for p, q in ((after[p], after[q]) for p, q in new) for f, g in below} - found
        found = found | new
    rows = {  # row i of the lower product precedes row j of the upper; "earlier": with one more layer, which reads them
        (i, j) for i in range(n) for j in range(n)
        if {"rising": j == i + 1, "rows": i == j, "earlier": i <= j, "top row": j == n - 1}[asserted]
    }  # fmt: skip
    pairs = [(maps[p][i], maps[q][j]) for p, q in found for i, j in rows]
    require(all(low <= high for low, high in pairs), f"an inequality fails at n = {n}")
    return [n, len(below), len(found), len(pairs), sum(low < high for low, high in pairs)]


def recheck(certificate: Any, statement: Any, known: Env, beyond: list[str]) -> Iterator[str]:
    """Names each entry of a statement, then rechecks it; raises at one that fails."""
    readers = {name: Reader(certificate["definitions"], *at) for name, at in SIZES.items()}
    yield (name := statement["id"])
    claim, last = statement["entries"][-2:]
    require([claim["label"], last["label"], *last["facts"]] == [name, f"{name}/closed", name], "no claim at the end")
    require(len(statement["entries"]) == statement["count"], "entries are missing")
    labels = [label for label in VERTICES if label.split("/")[0] == name in certificate["claims"]]
    require(list(statement["vertices"]) == labels, "other parts have vertices")
    for place, entry in enumerate(statement["entries"], start=1):
        yield f"{name}, entry {place}"
        yield (label := entry["label"])
        require(label.split("/")[0] == name and label not in known, "no label for an entry here")
        scope, facts = entry["scope"], {name: known[fact] for name, fact in entry["facts"].items()}
        require(all(fact["scope"] == scope[: len(fact["scope"])] for fact in facts.values()), "a fact of another scope")
        known[label], found, rule = entry, list[Any](), entry.get("by", [""])[0]
        require(rule in ("", *RULES, *certificate["beyond"]), f"nothing is known here of {rule}")
        for size, reader in readers.items():
            for env in reader.places(scope, {"n": reader.n}) if size in (*USUAL, entry["size"]) else ():
                because = [reader.leaf(entry["says"], env, entry["by"], facts)] if rule in RULES else []
                lows, stored = [index(low, env) for _, low, _ in scope], size == entry["size"]
                found += [[env, lows, reader.meaning(entry["says"], env), *because]] if stored else []
        require(found == entry["amounts"], "it does not amount to what is stored")
        beyond += [] if rule in ("", *RULES) else [f"{label} ({rule})"]
    for label, entry in statement["vertices"].items():
        yield label
        found = [vertices(*VERTICES[label], n) for n in range(1, min(entry["up to"], MOST_POSITIONS) + 1)]
        listed = [[[x + 1 for x in f] for f in pair] for pair in layers(VERTICES[label][0], LISTED)]
        require(entry["sizes"] == found and entry["layers"] == listed, "other vertices are enumerated here")


def main(arguments: list[str]) -> int:
    """Rechecks the file up to the first entry that fails, prints that or a summary, and returns the exit code."""
    started, known, beyond, label, work[0] = time.perf_counter(), dict[str, Any](), list[str](), "", 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("Argument 'FILE' must be one path, not otherwise (python -m proofs.recheck FILE).", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], mode="rb") as file:
            certificate = json.loads(file.read(MOST_BYTES), parse_float=int, parse_constant=int)
        require(certificate["format"] == FORMAT, f"its format is not '{FORMAT}'")
        certificate = {key: certificate[key] for key in ("claims", "beyond", "definitions", "statements")}
        ids, claims = {s["id"] for s in certificate["statements"]}, set(certificate["claims"])
        require(ids >= claims > set(), "statements are missing")
        for statement in certificate["statements"]:
            for place in recheck(certificate, statement, known, beyond):
                label = place
    except (OSError, *MALFORMED) as why:
        if label:
            print(f"{label!a} fails: {why!a}")
            return 1
        told = {KeyError: f"no {why}", ValueError: f"{why}"}.get(type(why)) or getattr(why, "strerror", "another kind")
        print(f"Argument 'FILE' must be a certificate, not another file ({arguments[0]!a}: {told}).", file=sys.stderr)
        return 2
    print(*(f"not rechecked: {name}" for name in beyond), sep="\n", end="\n" * bool(beyond))
    print(f"{len(known)} entries hold, {len(beyond)} are not rechecked; {time.perf_counter() - started:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
