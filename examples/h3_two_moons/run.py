"""QuData's two moons: logistic regression and a support vector machine, the pairs behind the area under the
ROC curve, and what a constant for cases without a score costs. Needs scikit-learn.

Run: python examples/h3_two_moons/run.py [folder]
"""

import sys
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import tallymark as tm

X, y = make_moons(n_samples=1000, noise=0.2, random_state=42)
X = StandardScaler().fit_transform(X)
SHARE = 0.2  # of the cases, whose scores cannot be used: lambda of the document, which leaves it open
PRINTED = {"tn": 435, "fp": 65, "fn": 64, "tp": 436}  # of logistic regression; of the SVM none are printed
# scores with area 0.8 and the rates of the document's ROC figure at 0.5: tnr 0.8, tpr 0.7
LEVELS = {"score": [0.1, 0.2, 0.3, 0.4, 0.6, 0.9], "tp": [1, 0, 2, 0, 0, 7], "fp": [0, 5, 0, 3, 2, 0]}

SAYS = {
    "boundary": "QuData, first diagram of the example: the cases (here positives in blue, as there) with the "
    "boundary and the shading of the probability; the second panel is its SVM.",
    "roc": "QuData, second diagram: the ROC curve, its area and the point of the threshold 0.5, of both "
    "models. The document names the vertical axis tnr; it is tpr.",
    "densities": "QuData, third diagram: n0(p) and n1(p), the densities of the scores of each class, whose "
    "areas right of the threshold are fpr and tpr.",
    "pairs": "QuData, first figure on the interpretation of the area: a cell is 1 where the positive has the "
    "higher score, and the share of these cells is the area. Every 25th case of each class is drawn.",
    "unscored": "QuData, second figure there: a share of 0.2 of the cases gets one constant. The document "
    "compares 0.5 with 0; the curve has every constant, with the best near 0.5 for this model.",
}


@cache
def models() -> tuple[dict, tm.EvaluationTable]:
    """The models, and their evaluation on the training data, as in the document."""
    fitted = {
        "logistic": LogisticRegression(C=1, class_weight="balanced").fit(X, y),
        # what SVC(probability=True) of the document does; scikit-learn has deprecated that
        "SVM": CalibratedClassifierCV(SVC(), ensemble=False).fit(X, y),
    }
    scores = {name: one.predict_proba(X)[:, 1] for name, one in fitted.items()}
    return fitted, tm.evaluate(truth=y, score=scores, threshold=0.5)


def area_by_pairs(score: np.ndarray) -> float:
    """The document's function auc()."""
    low, high = score[y == 0][:, None], score[y == 1]
    return float((low < high).mean() + (low == high).mean() / 2)


def replaced(auc: float, a: float, b: float) -> float:
    """The document's area where the share of cases without a score gets one constant."""
    return (1 - SHARE) ** 2 * auc + SHARE * (1 - SHARE) * (a + b) + SHARE**2 / 2


def numbers() -> dict[str, tuple]:
    fitted, table = models()
    ev = table["logistic"]
    found: dict[str, tuple] = {"negatives per positive (npr)": (ev["npr"].value, 1.0, 0)}
    for cell, printed in PRINTED.items():
        found[f"logistic: {cell}"] = (getattr(ev.counts, cell), printed, 0)
    for name, one in table.items():
        score = fitted[name].predict_proba(X)[:, 1]
        accuracy = np.mean((score > 0.5) == y)  # the rule of its code; p >= 0.5 in its text
        found[f"{name}: accuracy, by its code"] = (one["accuracy"].value, accuracy, 1e-12)
        found[f"{name}: area, by its code"] = (one["roc_auc"].value, area_by_pairs(score), 1e-12)
    a, b = ev["specificity"].value, ev["sensitivity"].value
    area, rest = ev["roc_auc"].value, tm.unscored(ev, share=SHARE)
    found["logistic: 0.5 for 20 %, by its formula"] = (rest.at(0.5), replaced(area, a, b), 1e-12)
    found["logistic: 0 for 20 %, by its formula"] = (rest.at(0.0), replaced(area, 0, 1), 1e-12)
    score, positive, negative = (np.array(LEVELS[name]) for name in ("score", "tp", "fp"))
    cases = {"truth": np.repeat([1, 0], 10), "score": np.repeat([*score, *score], [*positive, *negative])}
    rest = tm.unscored(**cases, share=SHARE)
    found["tnr 0.8, tpr 0.7: 0.5, by its formula"] = (rest.at(0.5), replaced(0.8, 0.8, 0.7), 1e-12)
    found["tnr 0.8, tpr 0.7: 0, by its formula"] = (rest.at(0.0), replaced(0.8, 0, 1), 1e-12)
    return found


def figures() -> dict[str, Figure]:
    _, table = models()
    ax = plt.figure(figsize=(6, 4)).subplots()
    tm.unscored(table["logistic"], share=SHARE).curve.plot(ax)
    ax.set_ylim(0.7, 1)
    return {
        "boundary": boundary(),
        "roc": table.plot("roc").figure_,
        "densities": table.plot("density").figure_,
        "pairs": pairs(),
        "unscored": ax.figure,
    }


def boundary() -> Figure:
    fitted, _ = models()
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained", sharey=True)
    right, up = np.meshgrid(*(np.linspace(x.min() - 0.2, x.max() + 0.2, 120) for x in X.T))
    for ax, (name, model) in zip(axes, fitted.items(), strict=True):
        p = model.predict_proba(np.column_stack([right.ravel(), up.ravel()]))[:, 1].reshape(right.shape)
        ax.contourf(right, up, p, levels=np.linspace(0, 1, 6), cmap="RdBu", alpha=0.6)
        ax.contour(right, up, p, levels=[0.5], colors="black")
        for label, colour in ((0, "firebrick"), (1, "navy")):
            ax.plot(*X[y == label].T, ".", color=colour, markersize=1.5)
        ax.set(title=name, xlabel="first feature", ylabel="second feature" if ax is axes[0] else "")
    return figure


def pairs() -> Figure:
    """Every 25th case of each class: rows are positives, the highest score first; columns are negatives."""
    fitted, _ = models()
    score = fitted["logistic"].predict_proba(X)[:, 1]
    some = np.concatenate(
        [np.flatnonzero(y == label)[np.argsort(score[y == label])][12::25] for label in (0, 1)]
    )
    matrix = tm.evaluate(truth=y[some], score=score[some]).pairs_matrix
    ax = plt.figure(figsize=(5, 4.6)).subplots()
    ax.pcolormesh(matrix.cells[::-1], cmap="Greens", vmax=2, edgecolors="white")
    ax.set(xlabel="negatives, by score", ylabel="positives, by score", aspect="equal")
    ax.set_title(f"pairs in the right order: {matrix.cells.mean():.3f}")
    return ax.figure


def main(folder: Path) -> None:
    """Prints the numbers next to the printed ones, and draws the figures."""
    print(f"{'QuData, two moons':<46}{'found':>10}{'printed':>10}")
    for name, (found, printed, *_) in numbers().items():
        print(f"{name:<46}{found:>10.6g}{printed:>10.6g}")
    for name, figure in figures().items():
        figure.savefig(folder / f"h3_{name}.png", dpi=60)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
