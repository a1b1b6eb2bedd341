"""H1: the ten cases of Berrar

The example of "Performance Measures for Binary Classification": ten cases, scored by their place on the
horizontal axis of Figure 1, whose heights are not printed and are invented here; t5, the threshold of most
examples, lies between 0.6 and 0.5. The upper limit of Wald's interval, 1.0294, is no misprint: the document
says that it exceeds 1 and does not cut it, which the library does. Figures 7 and 8 and the two procedures
that retrain a model are in h1_losses_and_retraining.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from matplotlib import pyplot as plt
from side_by_side import show

import tallymark as tm

LABEL = np.array([1, 1, 0, 1, 1, 0, 0, 1, 0, 0])
SCORE = np.array([0.95, 0.80, 0.75, 0.60, 0.50, 0.45, 0.30, 0.25, 0.20, 0.10])  # cases 10 to 1
HEIGHT = [0.6, 0.3, 0.8, 0.5, 0.7, 0.2, 0.6, 0.4, 0.8, 0.3]
BITS = {"log_loss": {"base": 2}, "information_score": {"base": 2}}
PRECISION = [1, 1, 2 / 3, 3 / 4, 4 / 5, 4 / 6, 4 / 7, 5 / 8, 5 / 9, 5 / 10]
CASES = np.column_stack([LABEL, SCORE])
TERMS = [0.926, 0.678, -0.585, 0.263, 0, 0.138, 0.485, -0.585, 0.678, 0.848]
# As printed, with half a unit of the last digit; where the document is wrong, also the correct value.
MEASURES = {
    "accuracy": (0.7, 0), "error_rate": (0.3, 0), "sensitivity": (0.6, 0), "specificity": (0.8, 0),
    "precision": (0.75, 0), "negative_predictive_value": (0.67, 0.005), "false_discovery_rate": (0.25, 0),
    "positive_likelihood_ratio": (3, 0), "negative_likelihood_ratio": (0.5, 0), "balanced_accuracy": (0.7, 0),
    "f1": (0.67, 0.005), "g_measure": (0.671, 5e-4), "matthews_correlation": (0.408, 5e-4), "lift": (1.5, 0),
    "cohen_kappa": (0.5, 0, 0.4), "youden_j_max": (0.6, 0), "mean_absolute_error": (0.37, 0),
    "brier_score": (0.192, 5e-4), "root_mean_squared_error": (0.438, 5e-4), "log_loss": (0.798, 5e-4),
    "relative_information_score": (0.2846, 5e-5), "average_gain": (0.75, 0), "average_lift": (1.427, 5e-4),
    "roc_auc": (0.8, 0), "gini": (0.6, 0), "auch": (0.88, 0), "kolmogorov_smirnov": (0.2, 0, 0.6),
    "truncated_average_ks": (0.33, 0.005), "average_precision": (0.835, 0), "mean_precision": (0.714, 5e-4),
    "auc_pr_min": (0.6476, 5e-5),
}  # fmt: skip

SAYS = {
    "figure_1": "Berrar, Figure 1: the cases and the decision boundary at 0.5; circles are positives.",
    "figure_2": "Berrar, Figure 2: the ranking table, with thresholds t1 to t11; the dotted line is t5.",
    "figure_3": "Berrar, Figure 3: the confusion matrix with margins, (a) in symbols and (b) at t5.",
    "figure_4": "Berrar, Figure 4: gain chart and lift chart, with the line of a random guesser.",
    "figure_5": "Berrar, Figure 5: (a) ROC curve with the convex hull, (b) TPR-FPR plot, (c) precision-recall"
    " plot; the dots are at t5. The text reads KS = 0.8 - 0.6 = 0.2 from (b); at t6 it is 0.8 - 0.2 = 0.6.",
    "figure_6": "Berrar, Figure 6: AUC 0.8, Gini index 0.6, AUCH 0.88; AUCPR_min 0.6476, from (0, 0) on.",
}


def evaluated(proportion: str = "wilson") -> tm.BinaryEvaluation:
    options = {"parameters": BITS, "proportion": proportion}
    return tm.evaluate(truth=LABEL, score=SCORE, positive=1, threshold=0.55, **options)


def numbers() -> dict[str, tuple]:
    ev, wald, exact = (evaluated(name) for name in ("wilson", "wald", "clopper-pearson"))
    wald, exact = wald["sensitivity"], exact["sensitivity"]
    roc, pr, counts = ev.curve("roc"), ev.curve("pr"), ev.counts
    terms = tm.information_scores(truth=LABEL, score=SCORE, base=2)
    return {
        "TPR, t2 to t11": (roc.y[1:], np.divide([1, 2, 2, 3, 4, 4, 4, 5, 5, 5], 5), 0),
        "FPR, t2 to t11": (roc.x[1:], np.divide([0, 0, 1, 1, 1, 2, 3, 3, 4, 5], 5), 0),
        "precision, t2 to t11": (pr.y[1:], PRECISION, 0),
        "cumulative class": (ev.curve("gain").y[1:], [1, 2, 2, 3, 4, 4, 4, 5, 5, 5], 0),
        "lift, t2 to t11": (ev.curve("lift").y, np.multiply(2, PRECISION), 0),
        "TP, FP, FN, TN at t5": ([counts.tp, counts.fp, counts.fn, counts.tn], [3, 1, 2, 4], 0),
        "threshold of J_max (t6)": (tm.choose_threshold(ev, rule="youden").threshold, 0.5, 0),
        **{name.replace("_", " "): (ev[name].value, *row) for name, row in MEASURES.items()},
        "information, terms": (terms, TERMS, 5e-4),
        "Wald, lower": (wald.low, 0.1706, 5e-5),
        "Wald, upper, not cut": (2 * wald.value - wald.low, 1.0294, 5e-5),
        "Clopper-Pearson": ([exact.low, exact.high], [0.1466, 0.9473], 5e-5),
    }


def figures() -> dict[str, plt.Figure]:
    return dict(
        zip(SAYS, (cases(), table(), matrices(), charts("gain", "lift"), curves(), areas()), strict=True)
    )


def cases() -> plt.Figure:
    figure, ax = plt.subplots(figsize=(5, 3))
    for case, y, *place in zip(range(10, 0, -1), LABEL, SCORE, HEIGHT, strict=True):
        ax.plot(*place, "so"[y], color=("#D55E00", "#0072B2")[y], markersize=8)
        ax.annotate(f"{case}", place, xytext=(0, 8), textcoords="offset points", ha="center")
    ax.axvline(0.5, color="black")
    ax.set(xlabel="score", ylim=(0, 1), yticks=[])
    return figure


def table() -> plt.Figure:
    figure, ax = plt.subplots(figsize=(7, 3.2))
    ax.axis("off")
    found = zip(range(10, 0, -1), *CASES.T, evaluated().operating_points().table[1:], strict=True)
    names = ("sensitivity", "false_positive_rate", "precision", "tp", "lift")
    cells = [[case, int(y), p, *(f"{row[name]:.3g}" for name in names)] for case, y, p, row in found]
    head = ["case", "class", "score", "TPR", "FPR", "precision", "cumulative", "lift"]
    drawn = ax.table(cells, colLabels=head, rowLabels=[f"t{k}" for k in range(2, 12)], bbox=[0, 0, 1, 1])
    ax.axhline(6 / 11, color="#D55E00", linestyle=":", linewidth=3, zorder=drawn.zorder + 1)
    return figure


def matrices() -> plt.Figure:
    n = evaluated().counts
    inner = np.array([[n.tp, n.fp], [n.fn, n.tn]], int)
    values = np.block([[inner, inner.sum(1, keepdims=True)], [inner.sum(0), inner.sum()]])
    symbols = [["TP", "FP", "TP + FP"], ["FN", "TN", "FN + TN"], ["TP + FN", "FP + TN", "n"]]
    figure, axes = plt.subplots(1, 2, figsize=(10, 2), layout="constrained")
    for ax, cells, letter in zip(axes, (symbols, values), "ab", strict=True):
        ax.axis("off")
        columns = [f"({letter}) positive", "negative", ""]
        ax.table(cells, bbox=[0.2, 0, 0.8, 1], colLabels=columns, rowLabels=["pred. pos.", "neg.", ""])
    return figure


def charts(*kinds: str) -> plt.Figure:
    figure, axes = plt.subplots(1, len(kinds), figsize=(5 * len(kinds), 5), layout="constrained")
    for kind, ax in zip(kinds, axes, strict=True):
        evaluated().plot(kind, ax=ax, band=None)
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), fontsize=8)
    return figure


def curves() -> plt.Figure:
    figure = charts("roc", "tpr_fpr", "pr")
    hull = evaluated().curve("roc_hull")
    figure.axes[0].plot(hull.x, hull.y, ":", color="#D55E00", linewidth=2)
    return figure


def areas() -> plt.Figure:
    ev = evaluated()
    roc, hull, pr = (ev.curve(name) for name in ("roc", "roc_hull", "pr"))
    recall = np.unique(pr.x)
    lowest = [0, *(pr.y[pr.x == one].min() for one in recall[1:])]
    filled = {
        "roc_auc": (roc.x, roc.y, 0),
        "gini": (roc.x, roc.y, roc.x),
        "auch": (hull.x, hull.y, 0),
        "auc_pr_min": (recall, lowest, 0),
    }
    figure, axes = plt.subplots(1, 4, figsize=(14, 4), layout="constrained")
    titles = ("(a) AUC", "(b) twice the area: Gini index", "(c) AUCH", "(d) AUCPR_min")
    for title, ax, (name, area) in zip(titles, axes, filled.items(), strict=True):
        ax.fill_between(*area, color="#CC79A7", alpha=0.4)
        ax.plot(*area[:2], ".-", color="#0072B2")
        axis = pr if ax is axes[-1] else roc
        ax.set(xlabel=axis.x_name, ylabel=axis.y_name, aspect="equal")
        ax.set_title(f"{title} {ev[name].value:.4g}", fontsize=10)
    return figure


def main(folder: Path) -> None:
    show(numbers(), figures(), folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
