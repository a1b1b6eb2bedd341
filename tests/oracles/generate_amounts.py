"""Make amounts.json: measures of predicted amounts by scikit-learn, SciPy and statsmodels.

python generate_amounts.py            write it
python generate_amounts.py --check    compare with what is stored; exit 1 on a difference beyond 1e-12
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
import statsmodels.api as sm
from scipy import stats
from sklearn import metrics
from statsmodels.stats.weightstats import DescrStatsW

PAGE = Path(__file__).parent / "amounts.json"


def datasets():
    """Truth, predicted and weight by name."""
    rng = np.random.default_rng(17)
    normal, skewed = rng.normal(50, 10, 40), rng.gamma(2.0, 3.0, 61)
    found = {
        "normal": (normal, normal + rng.normal(1, 4, 40), rng.integers(1, 4, 40)),
        "skewed": (skewed, skewed * rng.lognormal(0, 0.4, 61), rng.integers(1, 6, 61)),
        "rounded": (np.round(skewed), np.round(skewed * rng.lognormal(0, 0.4, 61)), rng.integers(1, 3, 61)),
        "inverted": (normal, 100 - normal + rng.normal(0, 1, 40), rng.integers(1, 4, 40)),
        "far from 0": (1e6 + normal, 1e6 + normal + rng.normal(0, 2, 40), rng.integers(1, 4, 40)),
        "hardly better than nothing": (
            normal,
            np.full(40, normal.mean()) + rng.normal(0, 1, 40),
            np.ones(40),
        ),
    }
    return {
        name: {"truth": truth.tolist(), "predicted": predicted.tolist(), "weight": weight.tolist()}
        for name, (truth, predicted, weight) in found.items()
    }


def _skill(t, p, w=None):
    mean = np.full(len(t), np.average(t, weights=w))
    errors = [metrics.mean_absolute_error(t, one, sample_weight=w) for one in (p, mean)]
    return 1 - errors[0] / errors[1]


SKLEARN = {
    "mean_squared_error": metrics.mean_squared_error,
    "root_mean_squared_error": metrics.root_mean_squared_error,
    "mean_absolute_error": metrics.mean_absolute_error,
    "median_absolute_error": metrics.median_absolute_error,
    "r2": metrics.r2_score,
    "explained_variance": metrics.explained_variance_score,
}


def values(truth, predicted, weight):
    """By tool and measure; keys with `_weighted` use the weights, as numbers of cases."""
    t, p, w = map(np.array, (truth, predicted, weight))
    e, rows = p - t, np.repeat(np.arange(len(t)), w.astype(int))
    own, both = DescrStatsW(e, weights=w), DescrStatsW(np.column_stack([t, p]), weights=w)
    sklearn = {name: one(t, p) for name, one in SKLEARN.items()}
    sklearn |= {f"{name}_weighted": one(t, p, sample_weight=w) for name, one in SKLEARN.items()}
    sklearn |= {"largest_error": metrics.max_error(t, p), "absolute_error_skill_score": _skill(t, p)}
    sklearn |= {"absolute_error_skill_score_weighted": _skill(t, p, w)}
    medians = stats.quantile_test(np.abs(e), p=0.5).confidence_interval()
    means = stats.ttest_1samp(e, 0).confidence_interval()
    scipy = {
        "correlation": stats.pearsonr(t, p).statistic,
        "mean_error": stats.tmean(e),
        "median_absolute_error": np.median(np.abs(e)),
        "median_absolute_error_weighted": np.median(np.abs(e[rows])),
        "largest_error": stats.tmax(np.abs(e)),
        "interval of median_absolute_error": list(medians),
        "t interval of mean_error": list(means),
    }
    statsmodels = {
        "mean_error_weighted": own.mean,
        "correlation_weighted": both.corrcoef[0, 1],
        "explained_variance_weighted": 1 - own.var / both.var[0],
        "squared correlation": sm.OLS(t, sm.add_constant(p)).fit().rsquared,
        "r2_weighted": 1 - (own.var + own.mean**2) / both.var[0],
    }
    tools = {"scikit-learn": sklearn, "scipy": scipy, "statsmodels": statsmodels}
    return {
        tool: {key: np.asarray(one).tolist() for key, one in found.items()} for tool, found in tools.items()
    }


def made():
    """What the file holds."""
    sets = datasets()
    return {"datasets": sets, "values": {name: values(**one) for name, one in sets.items()}}


def differences(new, old, where=""):
    """Where two trees of numbers differ."""
    if isinstance(new, dict):
        if new.keys() != old.keys():
            return [where]
        return [place for key in new for place in differences(new[key], old[key], f"{where}/{key}")]
    if isinstance(new, list):
        return [place for one in zip(new, old, strict=True) for place in differences(*one, where)]
    return [] if math.isclose(new, old, rel_tol=1e-12, abs_tol=1e-12) else [where]


if __name__ == "__main__":
    if "--check" in sys.argv:
        found = differences(made(), json.loads(PAGE.read_text()))
        print("\n".join(found))
        sys.exit(bool(found))
    PAGE.write_text(json.dumps(made(), indent=1) + "\n")
