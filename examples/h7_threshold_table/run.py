"""H7: Table 1 of Tharwat

Twenty samples, ten of each class, as Figure 6 and Table 1 of "Classification assessment methods" list them.
A sample is positive where its score is at least the threshold, as in the library. The table has a row for
each threshold from infinity to the lowest score; the curves of Figures 7, 10, 11 and 12 are its columns.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from matplotlib import pyplot as plt
from side_by_side import show

import tallymark as tm

SCORE = [0.82, 0.80, 0.75, 0.70, 0.62, 0.60, 0.54, 0.50, 0.49, 0.45]
SCORE += [0.40, 0.39, 0.37, 0.32, 0.30, 0.26, 0.23, 0.21, 0.19, 0.10]
LABEL = [1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0]
# Table 1, from the top; FN, TN and FNR follow. PPV is not defined at the threshold infinity ("-").
TP = [0, 1, 2, 2, 3, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 8, 8, 9, 9, 10, 10]
FP = [0, 0, 0, 1, 1, 1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 9, 9, 10]
PPV = [1, 1, 0.67, 0.75, 0.8, 0.83, 0.71, 0.63, 0.67, 0.6]
PPV += [0.64, 0.58, 0.62, 0.57, 0.53, 0.5, 0.53, 0.5, 0.53, 0.5]
ACCURACY = [50, 55, 60, 55, 60, 65, 70, 65, 60, 65, 60, 65, 60, 65, 60, 55, 50, 55, 50, 55, 50]
PANELS = {"a": 0.9, "b": 0.80, "c": 0.54, "d": 0.45, "e": 0.37, "f": 0.19}
AREAS = {"TP": "#0072B2", "FN": "#56B4E9", "FP": "#D55E00", "TN": "#E69F00"}
GREEN = {"color": "#009E73", "linewidth": 2, "label": "perfect classifier"}

SAYS = {
    "figure_6": "Tharwat, Figure 6, lists the samples by their score; here each is a mark, with the classes"
    " in two rows and the thresholds of Figure 8.",
    "figure_7": "Tharwat, Figure 7: the ROC curve with the thresholds t1 to t21. Each positive is a step up,"
    " each negative a step to the right; the accuracy is best, 70 %, at t7 (0.6), the dot at (0.1, 0.5).",
    "figure_8": "Tharwat, Figure 8: the scores of the two classes with the threshold at t1, t3, t8, t11, t14"
    " and t20, as smooth densities. Here the samples are counted in five bins, the positives upwards and the"
    " negatives downwards, with the areas of the four counts; t1, infinity in the table, is drawn at 0.9.",
    "figure_10": "Tharwat, Figure 10: the precision-recall curve, whose first point is drawn level with the"
    " second, with the line of a random classifier at P / (P + N) = 0.5 and the perfect curve in green. The"
    " document ends the perfect curve at (1, 0), which is wrong: it ends at (1, 0.5). It joins the points by"
    " straight lines, in orange; the interpolation of Davis and Goadrich (its Eq. 18), in blue, differs by at"
    " most 0.006 here.",
    "figure_11": "Tharwat, Figure 11: FAR and FRR against the threshold. They are equal, 0.4, at 0.45 (t11).",
    "figure_12": "Tharwat, Figure 12: the DET curve on linear axes, with the perfect curve in green. FAR is"
    " on the horizontal axis, as usual; in the text of section 6 FRR is, so that its corner (0, 1), with"
    " 100 % FAR and 0 % FRR, is (1, 0) here.",
}


def evaluated(threshold: float = 0.6) -> tm.BinaryEvaluation:
    return tm.evaluate(truth=LABEL, score=SCORE, positive=1, threshold=threshold)


def numbers() -> dict[str, tuple]:
    ev, best = evaluated(), tm.choose_threshold(truth=LABEL, score=SCORE, positive=1, rule="accuracy")
    roc, pr, errors = ev.curve("roc"), ev.curve("pr"), ev.curve("far_frr")
    half_way = ev.curve("pr_interpolated", per_positive=2)
    equal = np.flatnonzero(errors.y == errors.others["false non-match rate"])
    return {
        "threshold": (roc.threshold[1:], SCORE, 0),
        "TPR": (roc.y, np.divide(TP, 10), 0),
        "FPR": (roc.x, np.divide(FP, 10), 0),
        "FNR": (errors.others["false non-match rate"], 1 - np.divide(TP, 10), 0),
        "PPV, from 0.82 on": (pr.y[1:], PPV, 0.005),
        "accuracy in %": (100 * ev.curve("accuracy").y, ACCURACY, 0),
        "best threshold": (best.threshold, 0.6, 0),
        "best accuracy in %": (100 * best["accuracy"].value, 70, 0),
        "TPR there": (best["sensitivity"].value, 0.5, 0),
        "FPR there": (best["false_positive_rate"].value, 0.1, 0),
        "AUC (from the table)": (ev["roc_auc"].value, None, 0, 0.68),
        "threshold of the EER": (errors.threshold[equal], [0.45], 0),
        "FAR and FRR there": (errors.y[equal], [0.4], 0),
        "equal error rate": (ev["equal_error_rate"].value, 0.4, 0),
        "first point, precision": (pr.y[pr.x == 0][0], 1, 0),
        "last point, precision": (pr.y[-1], 0.5, 0),
        "Eq. 18 at recall 0.35": (half_way.y[half_way.x == 0.35], [0.778], 0.0005),
        "straight line at 0.35": (np.mean(pr.y[[4, 5]]), 0.775, 0),
    }


def figures() -> dict[str, plt.Figure]:
    return {
        "figure_6": samples(),
        "figure_7": roc(),
        "figure_8": densities(),
        "figure_10": precision_recall(),
        "figure_11": evaluated(0.45).plot("far_frr").figure_,
        "figure_12": det(),
    }


def samples() -> plt.Figure:
    figure, ax = plt.subplots(figsize=(7, 2.2))
    for label, style in enumerate((("s", "#D55E00"), ("o", "#0072B2"))):
        here = np.extract(np.equal(LABEL, label), SCORE)
        ax.plot(here, np.full(len(here), label), style[0], color=style[1])
    for at, (name, threshold) in enumerate(PANELS.items()):
        ax.axvline(threshold, color="#5c6878", linestyle=":")
        ax.text(threshold, (1.55, 1.8)[at % 2], f"({name})", ha="center")
    ax.set(xlabel="score", ylim=(-0.5, 1.5), yticks=[0, 1], yticklabels=["negative", "positive"])
    return figure


def roc() -> plt.Figure:
    display, points = evaluated().plot("roc", band=None), evaluated().curve("roc")
    display.ax_.plot(points.x, points.y, ".", color="#0072B2")
    for number, place in enumerate(zip(points.x, points.y, strict=True), 1):
        display.ax_.annotate(f"t{number}", place, xytext=(3, -9), textcoords="offset points", fontsize=7)
    return display.figure_


def densities() -> plt.Figure:
    figure, axes = plt.subplots(2, 3, figsize=(12, 6.5), layout="constrained", sharex=True, sharey=True)
    for (letter, threshold), ax in zip(PANELS.items(), axes.flat, strict=True):
        ev = evaluated(threshold)
        curve = ev.curve("density", bins=5)
        edges = np.unique([*curve.x, threshold])
        middle = (edges[1:] + edges[:-1]) / 2
        at = np.searchsorted(-curve.x, -middle)
        for name, color in AREAS.items():
            positive, right = name in ("TP", "FN"), name in ("TP", "FP")
            height = np.append(curve.y if positive else -curve.others["density of the negatives"], 0)[at]
            here = (middle >= threshold) == right
            ax.bar(middle[here], height[here], np.diff(edges)[here], color=color)
        ax.axvline(threshold, color="black", linestyle="--")
        ax.set_title(f"({letter}) threshold {threshold:g}", loc="left", fontsize=9)
        ax.legend(
            [plt.Rectangle((0, 0), 1, 1, color=color) for color in AREAS.values()],
            [f"{name} {getattr(ev.counts, name.lower()):g}" for name in AREAS],
            fontsize=8,
            ncols=2,
        )
    figure.supxlabel("score")
    figure.supylabel("density of the negatives, of the positives")
    return figure


def precision_recall() -> plt.Figure:
    points, ax = evaluated().curve("pr"), evaluated().plot("pr_interpolated", band=None).ax_
    ax.plot(points.x, points.y, ".--", color="#D55E00", linewidth=1, label="straight lines")
    ax.plot([0, 1, 1], [1, 1, 0.5], **GREEN)
    ax.legend(loc="lower left", fontsize=7)
    return ax.figure


def det() -> plt.Figure:
    errors = evaluated().curve("far_frr")
    figure, ax = plt.subplots(figsize=(4.5, 4.5))
    ax.plot(errors.y, errors.others["false non-match rate"], ".-", color="#0072B2", label="Table 1")
    ax.plot([0, 0, 1], [1, 0, 0], **GREEN)
    ax.plot([0, 1], [0, 1], ":", color="#5c6878", label="FAR = FRR")
    ax.set(xlabel="FAR", ylabel="FRR", title="DET curve, linear axes", aspect="equal")
    ax.legend()
    return figure


def main(folder: Path) -> None:
    show(numbers(), figures(), folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
