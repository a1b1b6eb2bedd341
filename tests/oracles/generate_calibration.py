"""Recompute the rows of torchmetrics, netcal, uncertainty-calibration and model-diagnostics in
probability.json.

    pip install torchmetrics==1.9.0 netcal==1.4.0 uncertainty-calibration==0.1.4 model-diagnostics==1.5.0
    python generate_calibration.py            rewrite these rows in place
    python generate_calibration.py --check    compare them with what is stored; exit 1 if any differs

They bring in torch, for which reason they are not part of the `test` extra, and this is not run before a
merge.
"""

import json
import sys
from importlib.metadata import version
from types import SimpleNamespace

import generate
import numpy as np
import torch
from calibration.utils import (
    bin as binned,
    get_equal_bins,
    get_equal_prob_bins,
    lower_bound_scaling_ce,
    normal_debiased_ce,
)
from generate import REPEATED
from model_diagnostics.scoring import LogLoss, SquaredError, decompose
from netcal.metrics import ACE, ECE, MCE
from torchmetrics.functional.classification import binary_calibration_error, multiclass_calibration_error

TOOLS = ("torchmetrics", "netcal", "uncertainty-calibration", "model-diagnostics")
DATASETS = json.loads((generate.HERE / "binary.json").read_text())["datasets"]
RESAMPLES = 1_000_000  # where get_calibration_error takes 1000


def parts(y, score, weights=None, *, of):
    """The CORP decomposition as a dictionary."""
    return decompose(y, score, weights=weights, scoring_function=of()).to_dicts()[0]


def debiased(score, y):
    """2 * error - its mean over resamples, in 10 bins of equal width, each with its upper edge."""
    np.random.seed(1)
    return normal_debiased_ce(
        binned(list(zip(score, y, strict=True)), get_equal_prob_bins(score, 10)), 1, RESAMPLES
    )


generate.TOOLS |= {name: SimpleNamespace(__version__=version(name)) for name in TOOLS}
generate.NAMES |= {
    "ACE": ACE,
    "ECE": ECE,
    "LogLoss": LogLoss,
    "MCE": MCE,
    "SquaredError": SquaredError,
    "binary_calibration_error": binary_calibration_error,
    "debiased": debiased,
    "get_equal_bins": get_equal_bins,
    "get_equal_prob_bins": get_equal_prob_bins,
    "lower_bound_scaling_ce": lower_bound_scaling_ce,
    "multiclass_calibration_error": multiclass_calibration_error,
    "parts": parts,
    "stack": np.stack,
    "tensor": torch.tensor,
}

NORMS = {"l1": "expected_", "l2": "root_mean_squared_", "max": "maximum_"}  # torchmetrics' and ours
BINARY = "binary_calibration_error(tensor(score), tensor(y), n_bins={}, norm='{}').item()"
MANY = "multiclass_calibration_error(tensor(scores), tensor(truth), 3, n_bins={}, norm='{}').item()"
KUMAR = "lower_bound_scaling_ce({}, p={}, debias={}, num_bins=10, binning_scheme={})"
OF_KUMAR = {
    "expected_calibration_error": (1, False, "get_equal_prob_bins"),
    "root_mean_squared_calibration_error": (2, False, "get_equal_prob_bins"),
    "adaptive_calibration_error": (1, False, "get_equal_bins"),
    "debiased_root_mean_squared_calibration_error": (2, True, "get_equal_prob_bins"),
}
# the positive class first, which wins where both are 0.5
OF_ANSWERS = "stack([score, 1 - score], axis=1), 1 - y"
ANSWERS = KUMAR.format(OF_ANSWERS, "{}", False, "get_equal_prob_bins")[:-1] + ", mode='top-label')"
RECIPES = [
    ("values", f"{key}(bins=10)", "uncertainty-calibration", KUMAR.format("score, y", *given), REPEATED)
    for key, given in OF_KUMAR.items()
]
RECIPES += [
    (
        "values",
        "debiased_calibration_error(bins=10)",
        "uncertainty-calibration",
        "debiased(score, y)",
        REPEATED,
    ),
    (
        "values",
        "adaptive_calibration_error(bins=10)",
        "netcal",
        "ECE(10, equal_intervals=False).measure(score, y)",
        REPEATED,
    ),
    (
        "values",
        "top_label_calibration_error(bins=10)",
        "uncertainty-calibration",
        ANSWERS.format(1),
        REPEATED,
    ),
    (
        "values",
        "top_label_root_mean_squared_calibration_error(bins=10)",
        "uncertainty-calibration",
        ANSWERS.format(2),
        REPEATED,
    ),
    ("values", "average_calibration_error(bins=10)", "netcal", "ACE(10).measure(score, y)", None),
]
for bins in (7, 10):  # no score is on an edge of the seven, but 0 and 1
    RECIPES += [
        (
            "values",
            f"{name}calibration_error(bins={bins})",
            "torchmetrics",
            BINARY.format(bins, norm),
            REPEATED,
        )
        for norm, name in NORMS.items()
    ]
    RECIPES += [
        (
            "values",
            f"{name}calibration_error(bins={bins})",
            "netcal",
            f"{letter}CE({bins}).measure(score, y)",
            REPEATED,
        )
        for letter, name in (("E", "expected_"), ("M", "maximum_"))
    ]
for loss, rule in (("brier", "SquaredError"), ("log_loss", "LogLoss")):
    RECIPES += [
        (
            "values",
            f"{loss}_{name}",
            "model-diagnostics",
            f"parts(y, score, of={rule})['{name}']",
            "weights=weights",
        )
        for name in ("miscalibration", "discrimination", "uncertainty")
    ]

CLASS_SCORES = {
    ("torchmetrics", f"top_label_{'' if norm == 'l1' else name}calibration_error(bins={bins})"): [
        MANY.format(bins, norm)
    ]
    for norm, name in NORMS.items()
    for bins in (7, 10, 15)
}
CLASS_SCORES["netcal", "top_label_calibration_error(bins=10)"] = ["ECE(10).measure(scores, truth)"]
CLASS_SCORES["netcal", "top_label_maximum_calibration_error(bins=10)"] = ["MCE(10).measure(scores, truth)"]
for key, given in OF_KUMAR.items():
    call = KUMAR.format("scores, truth", *given)[:-1] + ", mode='top-label')"
    CLASS_SCORES["uncertainty-calibration", f"top_label_{key.removeprefix('expected_')}(bins=10)"] = [call]

EDGES = {  # data sets where it matters which bin has an edge
    (
        "torchmetrics",
        "expected_calibration_error(bins=10)",
    ): "below_chance ties_heavy tiny10 weighted300 weighted_int",
    ("torchmetrics", "root_mean_squared_calibration_error(bins=7)"): "miscalibrated ties_heavy",
    ("torchmetrics", "root_mean_squared_calibration_error(bins=10)"): (
        "below_chance miscalibrated one_pos only_negatives only_positives ties_heavy tiny10 weighted300"
        " weighted_int"
    ),
    ("torchmetrics", "root_mean_squared_calibration_error(bins=10)_weighted"): "weighted_int",
    ("torchmetrics", "maximum_calibration_error(bins=7)"): "miscalibrated",
    (
        "torchmetrics",
        "maximum_calibration_error(bins=10)",
    ): "below_chance miscalibrated only_positives tiny10 weighted300 weighted_int",
    ("netcal", "expected_calibration_error(bins=10)"): "below_chance ties_heavy tiny10",
    ("netcal", "maximum_calibration_error(bins=10)"): "below_chance only_positives tiny10",
}
ALONE = "imbalance_10_9990 one_pos only_negatives only_positives tiny10"
DEVIANT = {where: dict.fromkeys(names.split(), "lower_edge") for where, names in EDGES.items()}
DEVIANT["netcal", "adaptive_calibration_error(bins=10)_weighted"] = {"weighted_int": "lower_quantile_edge"}
DEVIANT["uncertainty-calibration", "debiased_root_mean_squared_calibration_error(bins=10)"] = dict.fromkeys(
    ALONE.split(), "bin_of_one"
)
DEVIANT["netcal", "average_calibration_error(bins=10)"] = dict.fromkeys(DATASETS, "mean_of_bins")
DEVIANT["model-diagnostics", "log_loss_miscalibration"] = dict.fromkeys(
    ("miscalibrated", "ties_heavy"), "unclipped"
)
for loss in ("brier", "log_loss"):
    for part in ("miscalibration", "discrimination"):
        DEVIANT["model-diagnostics", f"{loss}_{part}_weighted"] = {"weighted_int": "weight_of_0"}
SIMULATED, PRECISION = "debiased_calibration_error", 1e-4  # five standard errors of the mean
SINGLE = 1e-7  # the precision in which torchmetrics takes scores of many classes


def renew(content):
    generate.renew_probability(content, TOOLS, RECIPES, DEVIANT, CLASS_SCORES)
    for row in content["values"]:
        if row["key"].startswith(SIMULATED):
            row["within"] = PRECISION
    for row in content["multiclass"]["values"]:
        if row["tool"] == "torchmetrics":
            row["within"] = SINGLE


if __name__ == "__main__":
    generate.FILES = {"probability.json": renew}
    sys.exit(generate.main())
