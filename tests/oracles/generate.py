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
from scipy.stats import mannwhitneyu
from sklearn import metrics
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

HERE = Path(__file__).parent
TOOLS = {"scikit-learn": sklearn, "PyCM": pycm, "statsmodels": statsmodels, "scipy": scipy}

# --- Recipes: {(tool, key): the calls}. A row's `call` is the very expression that is evaluated, on the
# fields of its case: y, score, pred, weights; tp, fp, fn, tn; or x, n, level.

NAMES = vars(metrics) | {
    "ConfusionMatrix": pycm.ConfusionMatrix,
    "cohens_kappa": cohens_kappa,
    "mannwhitneyu": mannwhitneyu,
    "proportion_confint": proportion_confint,
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
    "accuracy": "ACC", "error_rate": "ERR", "sensitivity": "TPR", "specificity": "TNR", "false_positive_rate": "FPR",
    "false_negative_rate": "FNR", "precision": "PPV", "negative_predictive_value": "NPV", "f1": "F1",
    "false_discovery_rate": "FDR", "false_omission_rate": "FOR", "prevalence": "PRE", "matthews_correlation": "MCC",
    "cohen_kappa": "Kappa", "balanced_accuracy": "AUC", "youden_j": "BM",
}  # fmt: skip


def option(call, text):
    """The call with one more argument, put after the others of its first closed bracket."""
    return call.replace(")", f", {text})", 1)


def pycm_calls(keys):
    """Statistics of class 1; kappa belongs to the whole matrix."""
    matrix = "ConfusionMatrix(matrix={0: {0: tn, 1: fp}, 1: {0: fn, 1: tp}})"
    return {("PyCM", key): [f"{matrix}.{PYCM[key]}{'[1]' * (key != 'cohen_kappa')}"] for key in keys}


BINARY = pycm_calls(LABELS) | {("scikit-learn", k): [call] for k, call in (SCORES | LABELS).items()}
BINARY["scipy", "roc_auc"] = ["mannwhitneyu(score[y == 1], score[y == 0]).statistic / (y == 1).sum() / (y == 0).sum()"]
WEIGHTED = {("scikit-learn", f"{k}_weighted"): [option(call, "sample_weight=weights")] for k, call in (SCORES | LABELS).items()}
TABLES = pycm_calls(PYCM) | {("scikit-learn", k): [call] for k, call in LABELS.items()}
TABLES |= {("scikit-learn", k): [call, option(call, "zero_division=nan")] for k, call in RATIOS.items()}
TABLES["statsmodels", "cohen_kappa"] = ["cohens_kappa([[tn, fp], [fn, tp]]).kappa"]
INTERVALS = {
    ("statsmodels", "wilson"): "proportion_confint(x, n, alpha=1 - level, method='wilson')",
    ("statsmodels", "clopper-pearson"): "proportion_confint(x, n, alpha=1 - level, method='beta')",
}

# --- Cases, from the data held in the files.


def dataset_case(data):
    y, score = np.array(data["labels"]), np.array(data["scores"], dtype=float)
    pred = (score > data["threshold"]).astype(int)
    tn, fp, fn, tp = (int(n) for n in np.bincount(2 * y + pred, minlength=4))
    case = {"y": y, "score": score, "pred": pred, "weights": data.get("weights")}
    return case | {"tp": tp, "fp": fp, "fn": fn, "tn": tn}


def table_case(data):
    counts = {name: data[name] for name in ("tp", "fp", "fn", "tn")}
    y, pred = (np.repeat(ones, list(counts.values())) for ones in ([1, 0, 1, 0], [1, 1, 0, 0]))
    return counts | {"y": y, "pred": pred}


def evaluate(call, case):
    """The value of a call as JSON: not finite as text, PyCM's "None" as it is, a refusal as {"error"}."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = eval(call, NAMES, case)
        except ValueError as error:
            return {"error": f"{type(error).__name__}: {error}"[:120]}
    is_json = isinstance(value, (str, tuple))
    return value if is_json else float(value) if math.isfinite(value) else str(float(value))


# --- The three files.


def renew(rows, recipes, case, name):
    """The recorded rows of other tools and new ones of the recipes, in a fixed order."""
    rows = [row for row in rows if (row["tool"], row[name]) not in recipes]
    for (tool, key), calls in recipes.items():
        new = {name: key, "tool": tool, "version": TOOLS[tool].__version__}
        rows += [new | {"call": call, "value": evaluate(call, case)} for call in calls]
    return sorted(rows, key=lambda row: (row[name], row["tool"] in TOOLS, row["tool"], row["call"]))


def renew_binary(content):
    for data in content["datasets"].values():
        recipes = BINARY | WEIGHTED if "weights" in data else BINARY
        data["values"] = renew(data["values"], recipes, dataset_case(data), "key")


def renew_tables(content):
    for data in content["tables"].values():
        data["values"] = renew(data["values"], TABLES, table_case(data), "measure")


def renew_intervals(content):
    for row in content["intervals"]:
        tool = row["tool"]
        if call := INTERVALS.get((tool, row["method"])):
            low, high = evaluate(call, {name: row[name] for name in ("x", "n", "level")})
            row.update(version=TOOLS[tool].__version__, call=call, low=float(low), high=float(high))


FILES = {"binary.json": renew_binary, "tables.json": renew_tables, "proportions.json": renew_intervals}


def text(value, indent="\n"):
    """JSON with one row, and one list of numbers, per line."""
    deeper = indent + " "
    if isinstance(value, dict) and "tool" not in value:
        return "{" + ",".join(f"{deeper}{json.dumps(k)}: {text(v, deeper)}" for k, v in value.items()) + indent + "}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[" + ",".join(deeper + text(v, deeper) for v in value) + indent + "]"
    return json.dumps(value, separators=(",", ":") if isinstance(value, list) else None)


def differences(old, new, where=""):
    if isinstance(old, dict) and isinstance(new, dict):
        if "tool" in new:
            where = " ".join([where, *(str(v) for k, v in new.items() if k not in ("value", "low", "high"))])
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
