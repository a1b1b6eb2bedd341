"""Every combination of models, groups, folds, units and weights that docs/combinations.md lists."""

import sys
from pathlib import Path

import numpy as np
import pytest
from looping import for_each

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))

from combinations import MEASURE, Combination, cases, combinations

ROWS = {" ".join(map(str, one)): one for one in combinations()}
FAST = ["two True False clusters importance", "three False False cases counts", "one False True cases none"]


def numbers(answer, row: Combination):
    """Values, ends of intervals and p-values, of all rows of an answer."""
    if row.models == "one":
        found = [answer.means[MEASURE]] if row.folds else []
        found += [answer.choose(MEASURE).differences[0].estimate] if row.groups and not row.folds else []
        found += [] if row.folds else [(answer.whole if row.groups else answer)[MEASURE]]
        return np.array([(one.value, one.low, one.high) for one in found])
    every = [*answer.differences, *answer.in_groups, *answer.in_folds]
    return np.array([(one.value, one.low, one.high, one.p_value, one.adjusted) for one in every])


def holds(row: Combination):
    data = cases()
    known = numbers(row.call(data), row)
    assert np.isfinite(known).all()
    order = np.random.default_rng(1).permutation(len(data["y"]))
    changed = {name: column[order] for name, column in data.items()}
    others = {"the order of the rows": row.call(changed)}
    if row.weights == "importance":
        others["the unit of the weights"] = row.call({**data, "weight": 2.5 * data["weight"]})
    if row.weights == "counts":
        repeated = {name: np.repeat(column, data["times"]) for name, column in data.items()}
        others["rows in place of counts"] = row._replace(weights="none").call(repeated)
    for what, answer in others.items():
        # of all pairs together, the draws follow from a covariance that is the same but for rounding
        close = 2e-3 if row.models == "three" else 1e-8
        assert numbers(answer, row) == pytest.approx(known, rel=close, abs=close), what


@for_each("name", FAST)
def test_what_does_not_matter(name):
    holds(ROWS[name])


@pytest.mark.full
@for_each("name", [name for name in ROWS if name not in FAST])
def test_what_does_not_matter_in_any(name):
    holds(ROWS[name])


def test_there_are_all():
    assert len(ROWS) == 3 * 2 * 2 * 3 * 3
