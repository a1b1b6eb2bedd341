"""One row per curve, with points worked out by hand. A new curve gets a row here; a test below asks for
it."""

from math import inf
from statistics import NormalDist

import pytest
from looping import for_each

from tallymark import RankingTable
from tallymark.curves import CURVES, curve

# Scores .9 .8 .8 .8 .4 .1 with labels + + + - - +: 4 positives, 2 negatives. From the highest threshold down:
#   threshold   inf   .9   .8   .4   .1
#   tp            0    1    3    3    4
#   fp            0    0    1    2    2
TABLE = RankingTable.from_arrays(truth=[1, 1, 1, 0, 0, 1], score=[0.9, 0.8, 0.8, 0.8, 0.4, 0.1])
SCORES = [0.9, 0.8, 0.4, 0.1]
LIMITS = [inf, *SCORES]
TPR, FPR, FNR = [0, 1 / 4, 3 / 4, 3 / 4, 1], [0, 0, 1 / 2, 1, 1], [1, 3 / 4, 1 / 4, 1 / 4, 0]
QUARTILE = NormalDist().inv_cdf(3 / 4)

# By name: x, y and threshold; the further lines by their names; the parameters that the points are of.
VALUES = {
    "roc": {"x": FPR, "y": TPR, "threshold": LIMITS},
    # slopes of infinity, 1 and 1/2: the point at .4 lies below
    "roc_hull": {"x": [0, 0, 1 / 2, 1], "y": [0, 1 / 4, 3 / 4, 1], "threshold": [inf, 0.9, 0.8, 0.1]},
    "det": {
        "x": [-inf, -inf, 0, inf, inf],
        "y": [inf, QUARTILE, -QUARTILE, -QUARTILE, -inf],
        "threshold": LIMITS,
    },
    "det_linear": {"x": FPR, "y": FNR, "threshold": LIMITS},
    "tpr_fpr": {"x": LIMITS, "y": TPR, "threshold": LIMITS, "others": {"false positive rate": FPR}},
    "far_frr": {"x": LIMITS, "y": FPR, "threshold": LIMITS, "others": {"false non-match rate": FNR}},
    # from .5 up 3 of 4 positives and 1 of 2 negatives, and as many again below .5 but for .4 of a score as
    # width
    "density": {
        "parameters": {"bins": 2},
        "x": [0.9, 0.5, 0.1],
        "y": [0, 3 / 4 / 0.4, 1 / 4 / 0.4],
        "threshold": [0.9, 0.5, 0.1],
        "others": {"density of the negatives": [0, 1 / 2 / 0.4, 1 / 2 / 0.4]},
    },
    "pr": {"x": TPR, "y": [1, 1, 3 / 4, 3 / 5, 4 / 6], "threshold": LIMITS},
    # the two positives at .8 come one after the other, each with half of the negative
    "pr_interpolated": {
        "x": [0, 1 / 4, 2 / 4, 3 / 4, 3 / 4, 1],
        "y": [1, 1, 2 / 2.5, 3 / 4, 3 / 5, 4 / 6],
        "threshold": [inf, 0.9, 0.8, 0.8, 0.4, 0.1],
    },
    "gain": {"x": [0, 1, 4, 5, 6], "y": [0, 1, 3, 3, 4], "threshold": LIMITS},
    # precision of 1, 3/4, 3/5 and 4/6 over 4/6
    "lift": {"x": [1, 4, 5, 6], "y": [3 / 2, 9 / 8, 9 / 10, 1], "threshold": SCORES},
    # x fnr + (1 - x) fpr: 3/4 x at .9, 1/2 - x/4 at .8, 1 - x at .1; they cross at 1/2 and at 2/3
    "cost": {
        "x": [0, 1 / 2, 2 / 3, 1],
        "y": [0, 3 / 8, 1 / 3, 0],
        "threshold": [inf, 0.9, 0.8, 0.1],
        "others": {"one answer for all": [0, 1 / 2, 1 / 3, 0]},
    },
    # a false positive counts 9, 4, 2/3 and 1/9 true ones
    "decision": {
        "x": SCORES,
        "y": [1 / 6, (3 - 4) / 6, (3 - 2 * 2 / 3) / 6, (4 - 2 / 9) / 6],
        "threshold": SCORES,
        "others": {
            "everybody positive": [(4 - 18) / 6, (4 - 8) / 6, (4 - 4 / 3) / 6, (4 - 2 / 9) / 6],
            "nobody positive": [0] * 4,
        },
    },
    # .9 and three times .8; .4 and .1
    "reliability": {
        "parameters": {"bins": 2},
        "x": [0.5 / 2, 3.3 / 4],
        "y": [1 / 2, 3 / 4],
        "threshold": [0.5, 1],
    },
    # the median is .8: .9 alone, and the other five
    "reliability_equal_mass": {
        "parameters": {"bins": 2},
        "x": [2.9 / 5, 0.9],
        "y": [3 / 5, 1],
        "threshold": [0.8, 0.9],
    },
    # 1 at .9, 2/3 at .8; the positive at .1 and the negative at .4 make one block
    "reliability_isotonic": {"x": SCORES[::-1], "y": [1 / 2, 1 / 2, 2 / 3, 1], "threshold": SCORES[::-1]},
}


@for_each("name", VALUES)
def test_points(name):
    row = VALUES[name]
    found = curve(name, TABLE, **row.get("parameters", {}))
    lines = {"x": found.x, "y": found.y, "threshold": found.threshold, **found.others}
    wanted = {"x": row["x"], "y": row["y"], "threshold": row["threshold"], **row.get("others", {})}
    assert list(lines) == list(wanted)
    for line, values in lines.items():
        assert values.tolist() == pytest.approx(wanted[line], rel=1e-12, abs=1e-12), line
    assert found.name == name


def test_every_curve_has_a_row():
    missing = [name for name in CURVES if name not in VALUES]
    assert not missing, (
        "add a row with points worked out by hand to VALUES in tests/curves/test_curve_values.py for:"
        f" {missing}"
    )
    assert not VALUES.keys() - CURVES, (
        f"no curve has the name of these rows: {sorted(VALUES.keys() - CURVES)}"
    )
    silent = [name for name, drawn in CURVES.items() if not drawn.__doc__]
    assert not silent, f"add a docstring (docs/names.md shows it) to: {silent}"
