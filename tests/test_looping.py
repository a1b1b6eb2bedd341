"""`in_part`: both tests that it makes have the marks above it. What the report of failing cases says."""

import pytest
from hypothesis import given, settings, strategies as st
from looping import OTHERS, RULES, for_each, holds, in_part

ABOVE = {"other": [1, 2]}


@pytest.mark.parametrize("other", ABOVE["other"])
@in_part(2, ("fast", "fast"))
@for_each("case", range(6))
def test_with_a_mark_above(case, other):
    assert case in range(6)
    assert other in ABOVE["other"]


@pytest.mark.skipif(True, reason="to see that the mark counts")
@in_part(2, ("fast", "fast"))
@for_each("case", range(6))
def test_that_is_skipped(case):
    raise AssertionError


@for_each("name, mark", [("test_with_a_mark_above", "parametrize"), ("test_that_is_skipped", "skipif")])
def test_both_parts_have_the_marks_above(name, mark):
    both = [globals()[f"{name}{part}"] for part in ("", OTHERS)]
    assert [[one.name for one in test.pytestmark] for test in both] == [[mark], [mark]]


@for_each("case", ["one", "other"])
@holds("x/0")
@settings(database=None)
@given(number=st.integers(0, 3))
def fails(case, number):
    assert case == "one" or number < 2, "too large"


def test_a_report_names_the_case_what_was_drawn_and_the_rule():
    with pytest.raises(AssertionError) as caught:
        fails()
    first, case, rule = str(caught.value).splitlines()
    assert first == "1 of 2 cases fail:"
    assert case.startswith("  other: too large")
    assert case.endswith("; with number=2,")
    assert rule == f"  CONTRIBUTING.md, what holds for every measure: x/0: {RULES['x/0']}"


def test_only_rules_of_the_page_can_be_named():
    with pytest.raises(AssertionError, match="has no rule 'x/1' of every measure; it has 0/0, x/0, range"):
        holds("x/1")
