"""H4: seven samples of Flemming

The rates at each threshold, the ROC curve, the pairs behind its area, and regions for a threshold.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from side_by_side import show

import tallymark as tm

SCORE = [0.1, 0.25, 0.3, 0.5, 0.6, 0.85, 0.95]  # of samples 1 to 7
LABEL = ["negative", "positive", "negative", "negative", "positive", "negative", "positive"]
THRESHOLDS = [0.0, *SCORE, 1.0]
PRINTED_FPR = [4, 3, 3, 2, 1, 1, 0, 0, 0]  # in quarters
PRINTED_TPR = [3, 3, 2, 2, 2, 1, 1, 0, 0]  # in thirds
ROWS, COLUMNS = (2, 5, 7), (1, 3, 4, 6)  # samples of the printed grid: upward, and to the right
REGIONS = {"A": (0.17, 0.85), "B": (0.7, 1.0), "C": (0.0, 0.3)}  # as printed
# of thresholds, each with one of them and the place of the text
INTERVALS = {
    "(0, 0.1)": (0.05, (0.7, 0.88)),
    "[0.6, 0.85)": (0.6, (0.3, 0.25)),
    "[0.95, 1)": (0.95, (0.1, 0.06)),
}

SAYS = {
    "rates": "Flemming, first figure of the section on AUC: the false and the true positive rate against t "
    "with a sample positive if p > t. The black dots and dotted lines are the document's rule, the blue "
    "lines the library's p >= t: a step of one begins where that of the other ends.",
    "roc": "Flemming, second figure of that section: the ROC curve with the thresholds of three points; the "
    "area is 2/3. The band is the library's.",
    "grid": "Flemming, the grid that explains the area: each box is a pair of a positive and a negative, and "
    "8 of 12 boxes, those below the curve, are in the right order. The document has the samples of both axes "
    "in the reverse order, against its own proof.",
    "regions": "Flemming, figure on the choice of a threshold: y = (1 - (x - 1)^4)^(1/4) with A where the "
    "slope is 1, B where the curve is steep and C where it is flat. The document draws B and C at each "
    "other's place, against its own text.",
}


def evaluation() -> tm.BinaryEvaluation:
    return tm.evaluate(truth=LABEL, score=SCORE, positive="positive", threshold=0.5)


def above(threshold: float) -> tm.BinaryEvaluation:
    """A sample is positive if p > t in the document, and if p >= t in the library."""
    return evaluation().at(np.nextafter(threshold, np.inf))


def grid_order() -> tuple[list[int], list[int]]:
    """The samples as the ROC curve passes them, the highest score first: positives upward, negatives to the
    right."""
    pairs = evaluation().pairs_matrix
    up, right = pairs.positives, pairs.negatives[::-1]
    return [SCORE.index(p) + 1 for p in up], [SCORE.index(p) + 1 for p in right]


def slope(x: float, y: float) -> float:
    """Of the curve y^4 + (1 - x)^4 = 1."""
    with np.errstate(divide="ignore"):
        return float(np.divide((1 - x) ** 3, y**3))


def numbers() -> dict[str, tuple]:
    ev = evaluation()
    found: dict[str, tuple] = {
        "area under the ROC curve": (ev["roc_auc"].value, 2 / 3, 1e-12),
        "boxes below the curve": (ev.pairs_matrix.cells.sum(), 8, 0),
        "boxes": (ev.pairs_matrix.cells.size, 12, 0),
    }
    rates = {"false_positive_rate": PRINTED_FPR, "sensitivity": PRINTED_TPR}
    for measure, printed in rates.items():
        values = np.array([above(t)[measure].value for t in THRESHOLDS])
        found[f"{measure} above each t, times {max(printed)}"] = (max(printed) * values, printed, 1e-12)
    for name, order, said in zip(("rows", "columns"), grid_order(), (ROWS, COLUMNS), strict=True):
        found[f"grid, samples of the {name}"] = (order, said, 0, sorted(said, reverse=True))
    steep = max(("B", "C"), key=lambda region: slope(*REGIONS[region]))
    flat = min(("B", "C"), key=lambda region: slope(*REGIONS[region]))
    found["region B (steep), x"] = (REGIONS[steep][0], REGIONS["B"][0], 0, 0.0)
    found["region C (flat), x"] = (REGIONS[flat][0], REGIONS["C"][0], 0, 0.7)
    return found


def figures() -> dict[str, Figure]:
    return {"rates": rates(), "roc": roc(), "grid": grid(), "regions": regions()}


def rates() -> Figure:
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.8), layout="constrained")
    signs = ["", *("+" if label == "positive" else "-" for label in LABEL), ""]
    for ax, measure in zip(axes, ("false_positive_rate", "sensitivity"), strict=True):
        evaluation().plot(measure, ax=ax, band=None)
        rate = [above(t)[measure].value for t in THRESHOLDS]
        ax.step(THRESHOLDS, rate, "ko:", where="post", markersize=4, label="p > t")
        ax.set_xticks(THRESHOLDS, [f"{t:g} {sign}" for t, sign in zip(THRESHOLDS, signs, strict=True)])
        ax.tick_params(axis="x", rotation=90)
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="threshold t, and the class of each sample")
    return figure


def roc() -> Figure:
    ax = evaluation().plot("roc").ax_
    for interval, (threshold, place) in INTERVALS.items():
        at = above(threshold)
        point = at["false_positive_rate"].value, at["sensitivity"].value
        ax.annotate(f"t in {interval}", point, place, arrowprops={"arrowstyle": "->"})
    return ax.figure


def grid() -> Figure:
    """The curve in thirds and quarters, with the pairs in the right order in colour."""
    ax = evaluation().plot("roc", band=None).ax_
    cells = evaluation().pairs_matrix.cells[:, ::-1]  # rows upward, columns to the right
    ax.pcolormesh(np.linspace(0, 1, 5), np.linspace(0, 1, 4), cells, cmap="Greens", vmax=3, zorder=0)
    for axis, order in zip((ax.yaxis, ax.xaxis), grid_order(), strict=True):
        n = len(order)
        axis.set_ticks(np.arange(n + 1) / n, [f"{i}/{n}" for i in range(n + 1)])
        axis.set_ticks((np.arange(n) + 0.5) / n, [f"sample {one}" for one in order], minor=True, size=8)
        axis.set_tick_params(which="minor", length=0)
        axis.grid(which="major", color="grey")
    return ax.figure


def regions() -> Figure:
    x = np.linspace(0, 1, 400)
    y = (1 - (1 - x) ** 4) ** 0.25
    ax = tm.Curve("roc", x, y, 1 - x, "false positive rate", "true positive rate", (0, 1)).plot().ax_
    places = dict(zip("ABC", (REGIONS["A"], REGIONS["C"], REGIONS["B"]), strict=True))
    for name, (right, up) in places.items():
        text = f"{name}: slope {slope(right, up):.2g}"
        ax.annotate(text, (right, up), (right + 0.09, up - 0.12), arrowprops={"arrowstyle": "->"})
    return ax.figure


def main(folder: Path) -> None:
    """Prints the numbers next to the printed ones, and saves the figures."""
    show(numbers(), figures(), folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
