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


def test_both_parts_have_the_marks_above(request):
    names = {item.name for item in request.session.items if item.path == request.path}
    assert len(names) > 1, "run the whole file"
    assert {f"test_with_a_mark_above{part}[{other}]" for part in ("", OTHERS) for other in ABOVE["other"]} <= names
    both = [globals()[f"test_that_is_skipped{part}"] for part in ("", OTHERS)]
    assert [[mark.name for mark in test.pytestmark] for test in both] == [["skipif"], ["skipif"]]
