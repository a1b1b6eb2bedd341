"""The frozen answers of `golden.json` hold, by the rules of `golden`; and the rules see what differs."""

import json

import golden
import pytest

FROZEN = json.loads(golden.FROZEN.read_text(encoding="utf-8"))


@pytest.mark.full
def test_answers_are_those_that_are_frozen():
    assert golden.changes(FROZEN, dict(golden.answers())).failures() == []


@pytest.mark.parametrize(("at", "by"), [(0, 1 + 1e-8), (1, None), (2, 2.0)])
def test_what_differs_is_seen(at, by):
    """A value, an interval that went, ends that moved."""

    def changed(numbers):
        return [one if i != at or one is None else by and one * by for i, one in enumerate(numbers)]

    now = {
        setting: {place: changed(one) for place, one in numbers.items()}
        for setting, numbers in FROZEN.items()
    }
    assert golden.changes(FROZEN, FROZEN).failures() == []
    assert golden.changes(FROZEN, now).failures()
