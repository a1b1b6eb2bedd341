"""Recompute the rows of scikit-learn, PyCM, statsmodels and SciPy in this folder's data files.

    python generate.py            rewrite these rows in place
    python generate.py --check    compare them with what is stored; exit 1 if any differs

Rows of all other tools (R, and Python tools without a recipe here) are recorded and kept as they stand.
"""

import argparse
import json
import math
import sys
import warnings
from pathlib import Path

import numpy as np
import pycm
import scipy
import sklearn
import statsmodels
from scipy.special import logit
from scipy.stats import ks_2samp, mannwhitneyu, somersd
from sklearn import metrics
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression
from statsmodels.discrete.discrete_model import Logit
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM
from statsmodels.stats.contingency_tables import Table2x2
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

HERE = Path(__file__).parent
TOOLS = {"scikit-learn": sklearn, "PyCM": pycm, "statsmodels": statsmodels, "scipy": scipy}

# --- Recipes: {(tool, key): the calls}. A row's `call` is the very expression that is evaluated, on the
# fields of its case: y, score, pred, weights; tp, fp, fn, tn; y, pred, matrix, labels; or x, n, level. In
# probability.json also t, w, rows: labels, weights and (1, logit) of the cases with a finite logit; and
# truth, scores, weights of many classes.


def blocks(score, y):
    """[share of positives, mean score] on each piece on which isotonic regression is constant, from the
    lowest."""
    fitted = IsotonicRegression().fit(score, y).predict(score)
    _, block, size = np.unique(fitted.round(12), return_inverse=True, return_counts=True)
    return [np.bincount(block, part) / size for part in (fitted, score)]


NAMES = vars(metrics) | {
    "ConfusionMatrix": pycm.ConfusionMatrix,
    "GLM": GLM,
    "Logit": Logit,
    "Table2x2": Table2x2,
    "blocks": blocks,
    "calibration_curve": calibration_curve,
    "cohens_kappa": cohens_kappa,
    "ks_2samp": ks_2samp,
    "logistic": Binomial(),
    "mannwhitneyu": mannwhitneyu,
    "proportion_confint": proportion_confint,
    "somersd": somersd,
    "where": np.where,
    "nan": math.nan,
}
RATIOS = {  # 0/0 follows zero_division
    "sensitivity": "recall_score(y, pred)",
    "specificity": "recall_score(y, pred, pos_label=0)",
    "precision": "precision_score(y, pred)",
    "negative_predictive_value": "precision_score(y, pred, pos_label=0)",
    "f1": "f1_score(y, pred)",
}
LABELS = RATIOS | {
    "accuracy": "accuracy_score(y, pred)",
    "error_rate": "zero_one_loss(y, pred)",
    "matthews_correlation": "matthews_corrcoef(y, pred)",
    "cohen_kappa": "cohen_kappa_score(y, pred)",
    "balanced_accuracy": "balanced_accuracy_score(y, pred)",
    "youden_j": "balanced_accuracy_score(y, pred, adjusted=True)",
}
SCORES = {
    "roc_auc": "roc_auc_score(y, score)",
    "average_precision": "average_precision_score(y, score)",
    "pr_area_trapezoid": "auc(*precision_recall_curve(y, score)[1::-1])",
    "brier_score": "brier_score_loss(y, score, labels=[0, 1])",
    "log_loss_clip_eps": "log_loss(y, score, labels=[0, 1])",
}
PYCM = {
    "accuracy": "ACC", "error_rate": "ERR", "sensitivity": "TPR", "specificity": "TNR",
    "false_positive_rate": "FPR", "false_negative_rate": "FNR", "precision": "PPV",
    "negative_predictive_value": "NPV", "f1": "F1", "false_discovery_rate": "FDR",
    "false_omission_rate": "FOR", "prevalence": "PRE", "matthews_correlation": "MCC", "cohen_kappa": "Kappa",
    "balanced_accuracy": "AUC", "youden_j": "BM",
}  # fmt: skip
MORE_PYCM = {
    "predicted_prevalence": "TOPR", "markedness": "MK", "jaccard": "J", "f_beta(beta=2)": "F2",
    "f_beta(beta=0.5)": "F_beta(0.5)", "adjusted_f": "AGF", "g_measure": "G", "geometric_mean": "GM",
    "adjusted_geometric_mean": "AGM", "optimization_precision": "OP", "lift": "LS",
    "positive_likelihood_ratio": "PLR", "negative_likelihood_ratio": "NLR", "diagnostic_odds_ratio": "DOR",
    "discriminant_power": "DP", "yule_q": "Q", "uncertainty_coefficient": "RCI",
    "net_benefit(threshold=0.2)": "NB(0.25)",
}  # fmt: skip
OF_THE_WHOLE = ("Kappa", "RCI")  # all others have a value for each class
BOUNDS = ("low", "high", "standard_error")
NOT_A_NUMBER = "zero_division=nan"
DEVIATES = {
    ("PyCM", "discriminant_power"): "by the common logarithm, where its scale is that of the natural one",
    ("PyCM", "adjusted_geometric_mean"): "from the share of the negatives, where Tharwat has their number",
}


def option(call, text):
    """The call with one more argument, put after the others of its first closed bracket."""
    return call.replace(")", f", {text})", 1)


def both(call):
    """With 0/0 as the tool takes it, and as NaN."""
    return [call, option(call, NOT_A_NUMBER)]


def pycm_calls(keys):
    """Statistics of class 1, or of the whole matrix."""
    matrix = "ConfusionMatrix(matrix={0: {0: tn, 1: fp}, 1: {0: fn, 1: tp}})"
    attributes = {key: (PYCM | MORE_PYCM)[key] for key in keys}
    return {
        ("PyCM", key): [f"{matrix}.{name}{'[1]' * (name not in OF_THE_WHOLE)}"]
        for key, name in attributes.items()
    }


BINARY = pycm_calls(LABELS) | {("scikit-learn", k): [call] for k, call in (SCORES | LABELS).items()}
BINARY["scipy", "roc_auc"] = [
    "mannwhitneyu(score[y == 1], score[y == 0]).statistic / (y == 1).sum() / (y == 0).sum()"
]
WEIGHTED = {
    ("scikit-learn", f"{k}_weighted"): [option(call, "sample_weight=weights")]
    for k, call in (SCORES | LABELS).items()
}
HITS, MISSES = (
    "Table2x2([[tp, fn], [fp, tn]], shift_zeros=False)",
    "Table2x2([[fn, tp], [tn, fp]], shift_zeros=False)",
)
TABLES = pycm_calls(PYCM | MORE_PYCM) | {("scikit-learn", k): [call] for k, call in LABELS.items()}
TABLES |= {("scikit-learn", k): both(call) for k, call in RATIOS.items()}
TABLES |= {
    ("scikit-learn", f"f_beta(beta={beta})"): both(f"fbeta_score(y, pred, beta={beta})") for beta in (0.5, 2)
}
TABLES |= {
    ("scikit-learn", "jaccard"): ["jaccard_score(y, pred)"],
    ("scikit-learn", "positive_likelihood_ratio"): ["class_likelihood_ratios(y, pred, labels=[0, 1])[0]"],
    ("scikit-learn", "negative_likelihood_ratio"): ["class_likelihood_ratios(y, pred, labels=[0, 1])[1]"],
    ("scikit-learn", "uncertainty_coefficient"): ["homogeneity_score(y, pred)"],
    ("statsmodels", "cohen_kappa"): ["cohens_kappa([[tn, fp], [fn, tp]]).kappa"],
    ("statsmodels", "diagnostic_odds_ratio"): [f"{HITS}.oddsratio"],
    ("statsmodels", "positive_likelihood_ratio"): [f"{HITS}.riskratio"],
    ("statsmodels", "negative_likelihood_ratio"): [f"{MISSES}.riskratio"],
}
KAPPA_BOUNDS = "[cohens_kappa({})[name] for name in ('kappa_low', 'kappa_upp', 'std_kappa')]"
TABLE_INTERVALS = {  # low, high and perhaps the standard error, at 95 %
    ("statsmodels", "cohen_kappa"): KAPPA_BOUNDS.format("[[tn, fp], [fn, tp]]"),
    ("statsmodels", "diagnostic_odds_ratio"): f"{HITS}.oddsratio_confint()",
    ("statsmodels", "positive_likelihood_ratio"): f"{HITS}.riskratio_confint()",
    ("statsmodels", "negative_likelihood_ratio"): f"{MISSES}.riskratio_confint()",
    ("PyCM", "cohen_kappa"): pycm_calls(["cohen_kappa"])["PyCM", "cohen_kappa"][0] + "_CI",
}
DEVIANT_INTERVALS = {("PyCM", "cohen_kappa"): "Cohen's simple standard error of 1960, and z = 1.96"}

AVERAGED = {
    "sensitivity": "recall_score(y, pred, labels=labels, average='{}')",
    "precision": "precision_score(y, pred, labels=labels, average='{}')",
    "f1": "f1_score(y, pred, labels=labels, average='{}')",
}
MATRICES = {
    ("scikit-learn", "accuracy"): ["accuracy_score(y, pred)"],
    ("scikit-learn", "error_rate"): ["zero_one_loss(y, pred)"],
    ("scikit-learn", "balanced_accuracy"): ["balanced_accuracy_score(y, pred)"],
    ("scikit-learn", "cohen_kappa"): ["cohen_kappa_score(y, pred, labels=labels)"],
    ("scikit-learn", "linear_weighted_kappa"): [
        "cohen_kappa_score(y, pred, labels=labels, weights='linear')"
    ],
    ("scikit-learn", "quadratic_weighted_kappa"): [
        "cohen_kappa_score(y, pred, labels=labels, weights='quadratic')"
    ],
    ("scikit-learn", "matthews_correlation"): ["matthews_corrcoef(y, pred)"],
    ("scikit-learn", "mutual_information"): ["mutual_info_score(y, pred)"],
    ("scikit-learn", "uncertainty_coefficient"): ["homogeneity_score(y, pred)"],
    ("statsmodels", "cohen_kappa"): ["cohens_kappa(matrix).kappa"],
    ("statsmodels", "linear_weighted_kappa"): ["cohens_kappa(matrix, wt='linear').kappa"],
    ("statsmodels", "quadratic_weighted_kappa"): ["cohens_kappa(matrix, wt='quadratic').kappa"],
}
PYCM_MATRICES = {
    "accuracy": "Overall_ACC", "error_rate": "HammingLoss",
    "balanced_accuracy": "average('TPR', none_omit=True)", "cohen_kappa": "Kappa",
    "linear_weighted_kappa": "weighted_kappa({i: {j: abs(i - j) for j in labels} for i in labels})",
        "quadratic_weighted_kappa": "weighted_kappa({i: {j: (i - j) ** 2 for j in labels} for i in labels})",
            "matthews_correlation": "Overall_MCC", "mutual_information(base=2)": "MutualInformation",
            "uncertainty_coefficient": "RCI",
    "confusion_entropy": "Overall_CEN",
    "macro sensitivity": "TPR_Macro", "macro specificity": "TNR_Macro", "macro precision": "PPV_Macro",
    "macro negative_predictive_value": "NPV_Macro", "macro false_positive_rate": "FPR_Macro",
    "macro false_negative_rate": "FNR_Macro", "macro f1": "F1_Macro", "macro accuracy": "ACC_Macro",
    "micro sensitivity": "TPR_Micro", "micro specificity": "TNR_Micro", "micro precision": "PPV_Micro",
    "micro negative_predictive_value": "NPV_Micro", "micro false_positive_rate": "FPR_Micro",
    "micro false_negative_rate": "FNR_Micro", "micro f1": "F1_Micro",
}  # fmt: skip
PYCM_AVERAGED = {
    "sensitivity": "TPR", "specificity": "TNR", "precision": "PPV", "negative_predictive_value": "NPV",
    "f1": "F1", "jaccard": "J", "markedness": "MK", "youden_j": "BM", "lift": "LS",
    "matthews_correlation": "MCC", "geometric_mean": "GM", "balanced_accuracy": "AUC",
    "false_discovery_rate": "FDR", "positive_likelihood_ratio": "PLR",
}  # fmt: skip
for average in ("macro", "weighted", "micro"):
    MATRICES |= {
        ("scikit-learn", f"{average} {key}"): both(call.format(average)) for key, call in AVERAGED.items()
    }
    MATRICES["scikit-learn", f"{average} jaccard"] = [
        f"jaccard_score(y, pred, labels=labels, average='{average}')"
    ]
OF_MATRIX = "ConfusionMatrix(matrix={i: dict(enumerate(row)) for i, row in enumerate(matrix)})"
MATRICES |= {("PyCM", key): [f"{OF_MATRIX}.{name}"] for key, name in PYCM_MATRICES.items()}
for key, name in PYCM_AVERAGED.items():
    MATRICES.setdefault(("PyCM", f"macro {key}"), []).append(f"{OF_MATRIX}.average('{name}', none_omit=True)")
    MATRICES["PyCM", f"weighted {key}"] = [f"{OF_MATRIX}.weighted_average('{name}', none_omit=True)"]
MATRIX_INTERVALS = {
    ("statsmodels", "cohen_kappa"): KAPPA_BOUNDS.format("matrix"),
    ("statsmodels", "linear_weighted_kappa"): KAPPA_BOUNDS.format("matrix, wt='linear'"),
    ("statsmodels", "quadratic_weighted_kappa"): KAPPA_BOUNDS.format("matrix, wt='quadratic'"),
    ("PyCM", "cohen_kappa"): f"{OF_MATRIX}.Kappa_CI",
}
INTERVALS = {
    ("statsmodels", "wilson"): "proportion_confint(x, n, alpha=1 - level, method='wilson')",
    ("statsmodels", "clopper-pearson"): "proportion_confint(x, n, alpha=1 - level, method='beta')",
    ("statsmodels", "jeffreys"): "proportion_confint(x, n, alpha=1 - level, method='jeffreys')",
    ("statsmodels", "agresti-coull"): "proportion_confint(x, n, alpha=1 - level, method='agresti_coull')",
    ("statsmodels", "wald"): "proportion_confint(x, n, alpha=1 - level, method='normal')",
}
RANKING = {  # on the data sets of binary.json, as the curves are
    ("scikit-learn", "partial_auc_standardised"): "roc_auc_score(y, score, max_fpr=0.1)",
    ("scikit-learn", "partial_auc_standardised(high=0.25)"): "roc_auc_score(y, score, max_fpr=0.25)",
    ("scipy", "gini"): "somersd(y, score).statistic",
    ("scipy", "kolmogorov_smirnov"): "ks_2samp(score[y == 1], score[y == 0], method='asymp').statistic",
    ("scipy", "pairs_won"): "mannwhitneyu(score[y == 1], score[y == 0]).statistic",
}
WEIGHTED_RANKING = {
    (tool, f"{key}_weighted"): option(call, "sample_weight=weights")
    for (tool, key), call in RANKING.items()
    if tool == "scikit-learn"
}
DEVIANT_RANKING = {("scipy", "gini"): {"all_tied": "one_score"}}  # the reasons stand in ranking.json
CURVES = {
    "roc": (
        ["false_positive_rate", "sensitivity", "threshold"],
        "roc_curve(y, score, drop_intermediate=False)",
    ),
    "pr": (["precision", "recall", "threshold"], "precision_recall_curve(y, score)"),
    "det": (["false_positive_rate", "false_negative_rate", "threshold"], "det_curve(y, score)"),
    "counts": (["tn", "fp", "fn", "tp", "threshold"], "confusion_matrix_at_thresholds(y, score)"),
}
WITH_CURVES = ("tiny10", "one_pos", "perfect", "inverted_perfect", "all_tied", "ties_heavy")
WITH_WEIGHTED_CURVES = ("weighted300",)

# how a tool takes weights
WEIGHTS, FREQUENCIES, REPEATED = "sample_weight=weights", "freq_weights=w", "repeated"
GLM_FIT = "fit(tol=1e-13, tol_criterion='params', maxiter=100)"
LINE, LINE_TOO = f"GLM(t, rows, logistic).{GLM_FIT}", "Logit(t, rows).fit(tol=1e-13, maxiter=100, disp=0)"
SHIFT = f"GLM(t, rows[:, :1], logistic, offset=rows[:, 1]).{GLM_FIT}"
BALANCED = (
    "2 * y.mean() * (1 - y.mean()) * log_loss(y, score, sample_weight=where(y, 1 - y.mean(), y.mean()))"
)
PROBABILITY = [  # part, key, tool, call, weights
    ("values", "mean_absolute_error", "scikit-learn", "mean_absolute_error(y, score)", WEIGHTS),
    ("values", "root_mean_squared_error", "scikit-learn", "root_mean_squared_error(y, score)", WEIGHTS),
    ("values", "brier_skill_score", "scikit-learn", "d2_brier_score(y, score, labels=[0, 1])", WEIGHTS),
    ("values", "log_loss_skill_score", "scikit-learn", "d2_log_loss_score(y, score, labels=[0, 1])", WEIGHTS),
    ("values", "hinge_loss", "scikit-learn", "hinge_loss(y, 4 * score - 2, labels=[0, 1])", WEIGHTS),
    ("values", "balanced_cross_entropy", "scikit-learn", BALANCED, None),
    ("curves", "reliability", "scikit-learn", "calibration_curve(y, score, n_bins=10)", REPEATED),
    (
        "curves",
        "reliability_equal_mass",
        "scikit-learn",
        "calibration_curve(y, score, n_bins=10, strategy='quantile')",
        REPEATED,
    ),
    ("curves", "reliability_isotonic", "scikit-learn", "blocks(score, y)", REPEATED),
]
for part, found in (("values", "params"), ("standard_errors", "bse")):
    PROBABILITY += [
        (part, "calibration_intercept", "statsmodels", f"{LINE}.{found}[0]", FREQUENCIES),
        (part, "calibration_slope", "statsmodels", f"{LINE}.{found}[1]", FREQUENCIES),
        (part, "calibration_in_the_large", "statsmodels", f"{SHIFT}.{found}[0]", FREQUENCIES),
        (part, "calibration_intercept", "statsmodels", f"{LINE_TOO}.{found}[0]", None),
        (part, "calibration_slope", "statsmodels", f"{LINE_TOO}.{found}[1]", None),
    ]
# statsmodels is not asked for these
NO_LINE = ("all_tied", "inverted_perfect", "only_negatives", "only_positives", "perfect")
WHOLE = ("weighted_int",)  # data sets whose weights are whole
HEAD = {"values": "key", "standard_errors": "key", "curves": "curve"}
ONE_CLASS = dict.fromkeys(("only_negatives", "only_positives"), "one_class")
DEVIANT_PROBABILITY = {
    ("scikit-learn", "brier_skill_score"): ONE_CLASS,
    ("scikit-learn", "log_loss_skill_score"): ONE_CLASS,
    ("scikit-learn", "hinge_loss"): {"only_positives": "taken_for_negative"},
}
CLASS_SCORES = {
    ("scikit-learn", "log_loss"): ["log_loss(truth, scores)"],
    ("scikit-learn", "brier_score"): ["brier_score_loss(truth, scores)"],
    ("scikit-learn", "log_loss_skill_score"): ["d2_log_loss_score(truth, scores)"],
    ("scikit-learn", "brier_skill_score"): ["d2_brier_score(truth, scores)"],
}
CLASS_SCORES |= {
    (tool, f"{key}_weighted"): [option(call, WEIGHTS)] for (tool, key), (call,) in CLASS_SCORES.items()
}

# --- Cases, from the data held in the files.


def dataset_case(data):
    y, score = np.array(data["labels"]), np.array(data["scores"], dtype=float)
    pred = (score > data["threshold"]).astype(int)
    tn, fp, fn, tp = (int(n) for n in np.bincount(2 * y + pred, minlength=4))
    case = {"y": y, "score": score, "pred": pred, "weights": data.get("weights")}
    return case | {"tp": tp, "fp": fp, "fn": fn, "tn": tn}


def probability_case(data):
    case = dataset_case(data)
    inner = (case["score"] > 0) & (case["score"] < 1)
    rows = np.stack([np.ones(inner.sum()), logit(case["score"][inner])], axis=1)
    return case | {
        "t": case["y"][inner],
        "rows": rows,
        "w": np.array(case["weights"])[inner] if case["weights"] else None,
    }


def repeated(case):
    """Every case as often as its weight says."""
    return {name: np.repeat(case[name], case["weights"]) for name in ("y", "score")}


def class_case(data):
    return {
        "truth": np.array(data["truth"]),
        "scores": np.array(data["scores"]).T,
        "weights": np.array(data["weights"]),
    }


def table_case(data):
    counts = {name: data[name] for name in ("tp", "fp", "fn", "tn")}
    y, pred = (np.repeat(ones, list(counts.values())) for ones in ([1, 0, 1, 0], [1, 1, 0, 0]))
    return counts | {"y": y, "pred": pred}


def matrix_case(data):
    matrix, labels = data["matrix"], list(range(len(data["matrix"])))
    y, pred = (np.repeat(side.ravel(), np.ravel(matrix)) for side in np.indices(np.shape(matrix)))
    return {"matrix": matrix, "labels": labels, "y": y, "pred": pred}


def evaluate(call, case):
    """The value of a call as JSON: not finite as text, PyCM's "None" as it is, a refusal as {"error"}."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return plain(eval(call, NAMES | case))
        except ValueError as error:
            return {"error": f"{type(error).__name__}: {error}"[:120]}


def plain(value):
    if isinstance(value, (tuple, list, np.ndarray)):
        return [plain(one) for one in value]
    return value if isinstance(value, str) else float(value) if math.isfinite(value) else str(float(value))


# --- The six files.


def renew(rows, recipes, case, name):
    """The recorded rows of other tools and new ones of the recipes, in a fixed order."""
    rows = [row for row in rows if (row["tool"], row[name]) not in recipes]
    for (tool, key), calls in recipes.items():
        new = {name: key, "tool": tool, "version": TOOLS[tool].__version__}
        why = {"deviates": DEVIATES[tool, key]} if (tool, key) in DEVIATES else {}
        found = [evaluate(call, case) for call in calls]
        rows += [new | {"call": call, "value": value} | why for call, value in zip(calls, found, strict=True)]
        if len(set(map(str, found))) == 2 and NOT_A_NUMBER in calls[1] and found[1] != "nan":
            rows[-2]["deviates"] = "it takes 0 for the classes for which it is undefined"
    return sorted(rows, key=in_order(name))


def in_order(name):
    return lambda row: (row[name], row["tool"] in TOOLS, row["tool"], row["call"])


def renew_bounds(rows, recipes, case):
    """The same for rows with the bounds of an interval, and perhaps its standard error, in place of a
    value."""
    rows = [row for row in rows if (row["tool"], row["measure"]) not in recipes]
    for (tool, key), call in recipes.items():
        new = {"measure": key, "tool": tool, "version": TOOLS[tool].__version__, "call": call}
        found = evaluate(call, case)
        new |= {"value": found} if isinstance(found, str) else dict(zip(BOUNDS, found, strict=False))
        rows.append(
            new | ({"deviates": DEVIANT_INTERVALS[tool, key]} if (tool, key) in DEVIANT_INTERVALS else {})
        )
    return sorted(rows, key=in_order("measure"))


def renew_binary(content):
    for data in content["datasets"].values():
        recipes = BINARY | WEIGHTED if "weights" in data else BINARY
        data["values"] = renew(data["values"], recipes, dataset_case(data), "key")


def renew_tables(content):
    for data in content["tables"].values():
        data["values"] = renew(data["values"], TABLES, table_case(data), "measure")
        data["intervals"] = renew_bounds(data["intervals"], TABLE_INTERVALS, table_case(data))


def renew_matrices(content):
    for data in content["matrices"].values():
        data["values"] = renew(data["values"], MATRICES, matrix_case(data), "measure")
        data["intervals"] = renew_bounds(data["intervals"], MATRIX_INTERVALS, matrix_case(data))


def renew_intervals(content):
    for row in content["intervals"]:
        tool = row["tool"]
        if call := INTERVALS.get((tool, row["method"])):
            low, high = evaluate(call, {name: row[name] for name in ("x", "n", "level")})
            row.update(version=TOOLS[tool].__version__, call=call, low=float(low), high=float(high))


def renew_ranking(content):
    """Rows over all data sets, so that the tool and its call stand once."""
    datasets = json.loads((HERE / "binary.json").read_text())["datasets"]
    cases = {name: dataset_case(data) for name, data in datasets.items()}
    weighted = {name: case for name, case in cases.items() if case["weights"]}
    rows = [row for row in content["values"] if (row["tool"], row["key"]) not in RANKING | WEIGHTED_RANKING]
    for recipes, chosen in ((RANKING, cases), (WEIGHTED_RANKING, weighted)):
        for (tool, key), call in recipes.items():
            rows += by_reason({"key": key} | over(tool, call, chosen), DEVIANT_RANKING.get((tool, key), {}))
    content["values"] = sorted(rows, key=in_order("key"))
    content["curves"] = [row for row in content["curves"] if row["tool"] not in TOOLS] + [
        {"curve": name, "columns": columns}
        | over("scikit-learn", call, {case: cases[case] for case in chosen})
        for name, columns, call, chosen in curves()
    ]


def over(tool, call, cases):
    """The part of a row that says what a tool answers for these cases, those left out that it refuses."""
    found = {name: evaluate(call, case) for name, case in cases.items()}
    answers = {name: value for name, value in found.items() if not isinstance(value, dict)}
    return {"tool": tool, "version": TOOLS[tool].__version__, "call": call, "values": answers}


def by_reason(row, reasons):
    """The row, and one for each reason with what deviates for it."""
    values = row.pop("values")
    yield row | {"values": {name: value for name, value in values.items() if name not in reasons}}
    for reason in dict.fromkeys(reasons.values()):
        yield row | {
            "deviates": reason,
            "values": {name: values[name] for name in reasons if reasons[name] == reason},
        }


def curves():
    """(name, columns, call, data sets): with weights where there are some."""
    for name, (columns, call) in CURVES.items():
        yield name, columns, call, WITH_CURVES
        yield f"{name}_weighted", columns, option(call, "sample_weight=weights"), WITH_WEIGHTED_CURVES


def renew_probability(
    content, tools=tuple(TOOLS), recipes=PROBABILITY, deviant=DEVIANT_PROBABILITY, of_classes=CLASS_SCORES
):
    """As renew_ranking; rows of other tools than these are kept."""
    datasets = json.loads((HERE / "binary.json").read_text())["datasets"]
    cases = {name: probability_case(data) for name, data in datasets.items()}
    for part in HEAD:
        content[part] = [row for row in content[part] if row["tool"] not in tools]
    for part, row in probability_rows(recipes, cases):
        content[part] += by_reason(row, deviant.get((row["tool"], row[HEAD[part]]), {}))
    for part, head in HEAD.items():
        content[part].sort(key=lambda row: (row[head], row["tool"], row["call"], row.get("deviates", "")))
    many = content["multiclass"]
    many["values"] = renew(many["values"], of_classes, class_case(many), "key")
    many["values"].sort(key=lambda row: (row["key"], row["tool"], row["call"]))


def probability_rows(recipes, cases):
    """(part, row) of each recipe, and of its weighted form."""
    for part, key, tool, call, weights in recipes:
        chosen = {name: case for name, case in cases.items() if tool != "statsmodels" or name not in NO_LINE}
        columns = {"columns": ["y", "x"]} if part == "curves" else {}
        yield part, {HEAD[part]: key} | columns | over(tool, call, chosen)
        if weights == REPEATED:
            whole = {name: repeated(case) for name, case in chosen.items() if name in WHOLE}
            yield part, {HEAD[part]: f"{key}_weighted"} | columns | over(tool, call, whole)
        elif weights:
            heavy = {name: case for name, case in chosen.items() if case["weights"]}
            yield part, {HEAD[part]: f"{key}_weighted"} | over(tool, option(call, weights), heavy)


FILES = {
    "binary.json": renew_binary,
    "tables.json": renew_tables,
    "multiclass.json": renew_matrices,
    "proportions.json": renew_intervals,
    "ranking.json": renew_ranking,
    "probability.json": renew_probability,
}


def text(value, indent="\n"):
    """JSON with one row, and one list of numbers, per line."""
    deeper = indent + " "
    if isinstance(value, dict) and "tool" not in value:
        return (
            "{"
            + ",".join(f"{deeper}{json.dumps(k)}: {text(v, deeper)}" for k, v in value.items())
            + indent
            + "}"
        )
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[" + ",".join(deeper + text(v, deeper) for v in value) + indent + "]"
    return json.dumps(value, separators=(",", ":") if isinstance(value, list) else None)


def differences(old, new, where=""):
    if isinstance(old, dict) and isinstance(new, dict):
        if "tool" in new:
            where = " ".join(
                [where, *(str(v) for k, v in new.items() if k not in ("value", "values", *BOUNDS))]
            )
        for key in (old | new).keys() - {"version"}:
            yield from differences(old.get(key), new.get(key), f"{where} {key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for a, b in zip(old, new, strict=True):
            yield from differences(a, b, where)
    elif isinstance(old, (int, float)) and isinstance(new, (int, float)):
        if not math.isclose(old, new, rel_tol=1e-12, abs_tol=1e-15):
            yield f"{where}: stored {old}, now {new}"
    elif old != new:
        yield f"{where}: stored {str(old)[:80]}, now {str(new)[:80]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 if a value differs")
    check, total = parser.parse_args().check, 0
    for name, renew_file in FILES.items():
        stored, content = (json.loads((HERE / name).read_text()) for _ in range(2))
        renew_file(content)
        if check:
            found = sorted(differences(stored, content))
            total += len(found)
            print(f"{name}: {len(found)} differences", *found, sep="\n  ")
        else:
            (HERE / name).write_text(text(content) + "\n")
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main())
