"""Make fairness.json: criteria of fairness between groups by fairlearn.

python generate_fairness.py            write it
python generate_fairness.py --check    compare with what is stored; exit 1 on a difference beyond 1e-12

It is not run before a merge, since the `test` extra leaves fairlearn out: pip install fairlearn
"""

import json
import sys
from pathlib import Path

import fairlearn
import numpy as np
from fairlearn import metrics
from sklearn.metrics import precision_score

PAGE = Path(__file__).parent / "fairness.json"


def datasets():
    """Truth, predicted labels and group by name."""
    rng = np.random.default_rng(23)
    found = {}
    for name, groups, size in (("two groups", 2, 200), ("four groups", 4, 400), ("nine groups", 9, 900)):
        group = rng.integers(0, groups, size)
        truth = (rng.random(size) < 0.3 + 0.4 * group / groups).astype(int)
        predicted = (rng.random(size) < 0.2 + 0.5 * truth + 0.2 * group / groups).astype(int)
        found[name] = (truth, predicted, group)
    group = np.repeat([0, 1], 40)
    truth = np.tile([0, 1], 40)
    found["never right in one"] = (truth, np.where(group == 1, 0, truth), group)
    return found


def values(truth, predicted, group):
    """By criterion the difference and the ratio; None where fairlearn has no number."""
    given = {"y_true": truth, "y_pred": predicted, "sensitive_features": group}
    frame = metrics.MetricFrame(
        metrics={"precision": lambda y, p: precision_score(y, p, zero_division=np.nan)}, **given
    )
    found = {
        "demographic_parity": (
            metrics.demographic_parity_difference(**given),
            metrics.demographic_parity_ratio(**given),
        ),
        "equalised_odds": (metrics.equalized_odds_difference(**given), metrics.equalized_odds_ratio(**given)),
        "equal_opportunity": (
            metrics.equal_opportunity_difference(**given),
            metrics.equal_opportunity_ratio(**given),
        ),
        "predictive_parity": (frame.difference()["precision"], frame.ratio()["precision"]),
    }
    return {
        name: [None if not np.isfinite(one) else float(one) for one in pair] for name, pair in found.items()
    }


def made():
    """Everything that the file holds."""
    rows = {
        name: {
            "truth": truth.tolist(),
            "predicted": predicted.tolist(),
            "group": group.tolist(),
            "values": values(truth, predicted, group),
        }
        for name, (truth, predicted, group) in datasets().items()
    }
    return {"tool": f"fairlearn {fairlearn.__version__}", "datasets": rows}


def differs(one, other):
    """Whether two numbers, or None, are not the same within 1e-12."""
    return (one is None) != (other is None) or (one is not None and abs(one - other) > 1e-12)


def check():
    """Exit with 1 where a value is another one now."""
    stored, now = json.loads(PAGE.read_text(encoding="utf-8")), made()
    wrong = [
        (name, criterion)
        for name, one in now["datasets"].items()
        for criterion, pair in one["values"].items()
        if any(map(differs, pair, stored["datasets"][name]["values"][criterion]))
    ]
    print(*wrong or ["all as stored"], sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    if "--check" in sys.argv:
        check()
    PAGE.write_text(json.dumps(made(), indent=None, separators=(",", ":")) + "\n", encoding="utf-8")
