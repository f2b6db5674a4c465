"""Substitution: free names only, all at once, and no name is ever captured by a binder."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.notation import every, product, rollout, tail
from proofs.substitute import apply, free_indices, free_names, fresh, new_name, substitute
from proofs.term import (
    And,
    Bracket,
    ForAll,
    ForAllFn,
    Holds,
    Implies,
    Index,
    Lambda,
    Range,
    Reciprocal,
    Relation,
    Sum,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)
from tests.proofs.plain import noise, value

i, j, k, n = (index(v) for v in ("i", "j", "k", "n"))
f, g, A = Symbol("f", 1), Symbol("g", 1), Symbol("A", 2)


def test_a_free_index_is_replaced_everywhere() -> None:
    term = f("i") * total("j", "i", i + 1, A("i", "j")) + Bracket(((i, j),)) + Reciprocal(f("i"))
    expected = f(k + 1) * total("j", k + 1, k + 2, A(k + 1, "j")) + Bracket(((k + 1, j),)) + Reciprocal(f(k + 1))
    assert substitute(term, {"i": k + 1}, {}) == expected


def test_replacement_is_simultaneous() -> None:
    assert substitute(A("i", "j"), {"i": j, "j": i}, {}) == A("j", "i")
    assert substitute(f("i") * g("i"), {}, {"f": g, "g": f}) == g("i") * f("i")


def test_an_index_in_a_linear_form_keeps_its_coefficient() -> None:
    assert substitute(i + i + 1, {"i": j + 2}, {}) == Index((("j", 2),), 5)
    assert substitute(f(i + j), {"i": -j}, {}) == f(0)


@pytest.mark.parametrize(
    "bound",
    [
        total("i", 1, n, f("i")),
        every("i", 1, n, Relation("=", f("i"), g(1))),
        ForAllFn(f, Relation("=", f(1), f(2))),
    ],
    ids=["sum", "for all", "for all functions"],
)
def test_a_bound_name_is_left_alone(bound: Term) -> None:
    assert substitute(bound, {"i": k}, {"f": g} if isinstance(bound, ForAllFn) else {}) == bound


def test_the_ends_of_a_range_lie_outside_its_binder() -> None:
    assert substitute(total("i", "i", i + 2, f("i")), {"i": k}, {}) == total("i", "k", k + 2, f("i"))


def test_a_sum_does_not_capture_the_index_put_into_it() -> None:
    put = substitute(total("j", 1, n, A("i", "j")), {"i": j}, {})
    assert put == total("j'", 1, n, A("j", "j'"))


def test_a_quantifier_does_not_capture_the_index_put_into_it() -> None:
    put = substitute(every("j", 1, n, Relation("=", A("i", "j"), f("j"))), {"i": j + 1}, {})
    assert put == every("j'", 1, n, Relation("=", A(j + 1, "j'"), f("j'")))


def test_an_abstraction_does_not_capture_the_index_put_into_it() -> None:
    put = substitute(tail(Lambda(("x", "j"), A("x", "i") * f("j"))), {"i": j}, {})
    assert put == tail(Lambda(("x", "j'"), A("x", "j") * f("j'")))


def test_a_function_put_under_a_sum_keeps_its_own_index() -> None:
    put = substitute(total("j", 1, n, f("j")), {}, {"f": Lambda(("x",), A("x", "j"))})
    assert put == total("j'", 1, n, A("j'", "j"))


def test_a_function_quantifier_does_not_capture_the_function_put_into_it() -> None:
    put = substitute(ForAllFn(g, Relation("=", f(1), g(1))), {}, {"f": g})
    renamed = Symbol("g'", 1)
    assert put == ForAllFn(renamed, Relation("=", g(1), renamed(1)))


def test_a_function_quantifier_hides_an_index_of_its_name() -> None:
    hidden = ForAllFn(f, Relation("=", g("f"), as_term(0)))
    assert substitute(hidden, {"f": i}, {}) == hidden


def test_a_new_name_for_a_binder_avoids_the_names_in_its_body() -> None:
    put = substitute(total("j", 1, n, A("i", "j") * f("j'")), {"i": j}, {})
    assert put == total("j''", 1, n, A("j", "j''") * f("j'"))


def test_a_renamed_binder_is_not_captured_by_an_inner_one() -> None:
    inner = total("j'", 1, n, A("j", "j'") * f("i"))
    put = substitute(total("j", 1, n, inner), {"i": j}, {})
    assert put == total("j'", 1, n, total("j''", 1, n, A("j'", "j''") * f("j")))


def test_an_abstraction_is_applied_where_it_arrives() -> None:
    assert substitute(f(k + 1), {}, {"f": Lambda(("x",), g("x") + g(1))}) == g(k + 1) + g(1)
    assert apply(Lambda(("x", "y"), A("y", "x")), (i, j)) == A("j", "i")
    with pytest.raises(ValueError, match="must have length 2, not 1"):
        apply(Lambda(("x", "y"), A("y", "x")), (i,))


def test_an_application_does_not_capture_its_argument() -> None:
    assert apply(Lambda(("x",), total("j", 1, "x", A("x", "j"))), (j,)) == total("j'", 1, "j", A("j", "j'"))


def test_formulas_are_replaced_in_every_part() -> None:
    def formula(h: Symbol, at: Index) -> Implies:
        both = And((("one", Relation("<=", h(at), g(at))), ("two", Holds("nondecreasing", (h,)))))
        return Implies(Holds("mixing", (h,), (at,)), both)

    assert substitute(formula(f, i), {"i": k}, {"f": g}) == formula(g, k)


def test_a_range_without_an_upper_end_stays_without() -> None:
    endless = ForAll(Range("t", i, None), Relation("=", f("t"), f("i")))
    assert substitute(endless, {"i": k}, {}) == ForAll(Range("t", k, None), Relation("=", f("t"), f("k")))


def test_free_names() -> None:
    term = total("j", "i", n, A("j", "k")) + rollout(Lambda(("t", "x", "y"), f("t") * A("x", "z")))("T", 1, 1)
    assert free_names(term) == {"i", "n", "A", "k", "f", "z", "T"}
    assert free_names(ForAllFn(f, every("i", 1, index("m"), Relation("=", f("i"), g(1))))) == {"m", "g"}
    assert free_names(Range("i", i, as_index("m"))) == {"i", "m"}
    assert free_names(Range("i", as_index(1), None)) == frozenset()


def test_free_indices_leave_functions_out() -> None:
    assert free_indices(product(A, Lambda(("x", "y"), f("x") * g("i")))) == {"i"}


def test_fresh_and_new_names() -> None:
    assert fresh("j", ["i"]) == "j"
    assert fresh("j", ["j", "j'"]) == "j''"
    assert new_name() != new_name()


# --- substitution and meaning ---------------------------------------------------------------------

names = st.sampled_from(["i", "j", "k", "i'", "j'"])
indices = st.builds(lambda v, c: index(v) + c, names, st.integers(-1, 1))


def _terms() -> st.SearchStrategy[Term]:
    leaves = st.one_of(st.builds(f, indices), st.builds(A, indices, indices))
    grown: st.SearchStrategy[Term] = st.recursive(leaves, _grown, max_leaves=5)
    return grown


def _grown(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    ranges = st.builds(Range, names, indices, indices)
    return st.one_of(
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(Sum, ranges, inner),
        st.builds(lambda v, w, body, at: tail(Lambda((v, w + '"'), body))(at, "k"), names, names, inner, indices),
    )


@settings(max_examples=150)
@given(_terms(), names, indices, _terms(), names)
def test_the_value_after_substitution_is_the_value_at_the_images(
    term: Term, name: str, image: Index, body: Term, param: str
) -> None:
    """The semantics of substitution: evaluate with the images, or substitute and evaluate, and get the same."""
    ints = {"i": 1, "j": 2, "k": 0, "i'": 3, "j'": 1, "n": 2}
    functions = {"f": noise("f", 1), "A": noise("A", 1)}
    at_image = image.const + sum(c * ints[v] for v, c in image.terms)
    replaced = {**functions, "f": lambda x: value(body, {**ints, param: x}, functions)}
    expected = value(term, {**ints, name: at_image}, replaced)
    assert value(substitute(term, {name: image}, {"f": Lambda((param,), body)}), ints, functions) == expected
