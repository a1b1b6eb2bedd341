"""`in_part`: both tests that it makes have the marks above it."""

import pytest
from looping import OTHERS, for_each, in_part

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
