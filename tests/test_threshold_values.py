"""One row per rule for a threshold, with what it takes of one table, worked out by hand. A test below asks
for a row of each."""

from math import inf

from looping import for_each

from tallymark import RankingTable
from tallymark.evaluation.thresholds import NAMED, by_rule, read_rule

# 10 positives and 20 negatives. From the highest threshold down:
#   threshold   inf    .7    .6    .5    .4    .3    .2    .1
#   tp            0     1     3     5     5     8     9    10
#   fp            0     3     6     9    11    14    18    20
#   tpr           0    .1    .3    .5    .5    .8    .9     1
#   fpr           0   .15    .3   .45   .55    .7    .9     1
# No rule takes .4, which .5 dominates.
TABLE = RankingTable(
    [0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1], positive=[1, 2, 2, 0, 3, 1, 1], negative=[3, 3, 3, 2, 3, 4, 2]
)

# By name: options, and the threshold.
VALUES = {
    # tpr - fpr: 0, -.05, 0, .05, -.05, .1, 0, 0
    "youden": ({}, 0.3),
    # fpr^2 + fnr^2: 1, .8325, .58, .4525, .5525, .53, .82, 1
    "closest_to_corner": ({}, 0.5),
    # tpr - 2 fpr: 0, -.2, -.3, -.4, -.6, -.6, -.9, -1
    "roc_slope": ({"slope": 2}, inf),
    # |fpr - fnr|: 1, .75, .4, .05, .05, .5, .8, 1
    "equal_error": ({}, 0.5),
    # 4 fn + fp: 40, 39, 34, 29, 31, 22, 22, 20
    "cost": ({"cost_fp": 1, "cost_fn": 4}, 0.1),
    # tp + fp: 0, 4, 9, 14, 16, 22, 27, 30, for 10 positives
    "prevalence_matched": ({}, 0.6),
    "top_k": ({"k": 8}, 0.7),
}


@for_each("name", VALUES)
def test_threshold(name):
    options, threshold = VALUES[name]
    assert by_rule(TABLE, read_rule(name, **options)).value == threshold


def test_every_rule_has_a_row():
    missing = [name for name in NAMED if name not in VALUES]
    assert not missing, (
        "add a row with a threshold worked out by hand to VALUES in tests/test_threshold_values.py for:"
        f" {missing}"
    )
    assert not VALUES.keys() - NAMED, f"no rule has the name of these rows: {sorted(VALUES.keys() - NAMED)}"
    silent = [name for name, rule in NAMED.items() if not rule.function.__doc__]
    assert not silent, f"add a docstring (docs/names.md shows it) to: {silent}"
