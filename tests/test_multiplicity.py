"""Adjusted p-values."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from refusals import refuses
from statsmodels.stats.multitest import multipletests

from tallymark.inference.hypothesis import adjusted

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)
THERE = {"holm": "holm", "benjamini-hochberg": "fdr_bh"}


@pytest.mark.full
@pytest.mark.parametrize(("ours", "theirs"), THERE.items())
@given(given_=p_values)
def test_by_statsmodels(ours, theirs, given_):
    assert adjusted(given_, ours) == pytest.approx(
        multipletests(given_, method=theirs)[1], rel=1e-9, abs=1e-12
    )


def test_by_hand():
    """Of .01, .04, .03: times 3, then times 2 but no less, then times 1 but no less."""
    assert adjusted([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert adjusted([0.01, 0.04, 0.03], "benjamini-hochberg") == pytest.approx([0.03, 0.04, 0.04])
    assert adjusted([0.01, 0.04], "none").tolist() == [0.01, 0.04]


@pytest.mark.parametrize("how", ["holm", "benjamini-hochberg", "none"])
def test_what_is_missing_is_no_test(how):
    found = adjusted([0.02, np.nan, 0.01], how)
    assert np.isnan(found[1])
    assert found[[0, 2]] == pytest.approx(adjusted([0.02, 0.01], how))
    assert np.isnan(adjusted([np.nan], how)).all()
    assert len(adjusted([], how)) == 0


def test_what_goes_wrong():
    with refuses("invalid-value", "1.5", argument="p_values"):
        adjusted([0.5, 1.5])
    with refuses("unknown-name", "'bonferroni'", argument="adjust"):
        adjusted([0.5], "bonferroni")
