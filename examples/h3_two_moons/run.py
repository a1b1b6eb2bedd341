"""H3: two moons of QuData

Logistic regression and a support vector machine on scikit-learn's two moons, the pairs behind the area under
the ROC curve, and what a constant for cases without a score costs. The document prints the matrix of logistic
regression; where it prints nothing, the numbers are checked against its code and its formulas. `SVC` with
probabilities is deprecated in scikit-learn; CalibratedClassifierCV without ensemble does the same.
"""

import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from side_by_side import show
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import tallymark as tm

X, y = make_moons(n_samples=1000, noise=0.2, random_state=42)
X = StandardScaler().fit_transform(X)
SHARE = 0.2  # of the cases, whose scores cannot be used: lambda of the document, which leaves it open
PRINTED = [435, 65, 64, 436]  # tn, fp, fn, tp of logistic regression; of the SVM none are printed
# scores with area 0.8 and the rates of the document's ROC figure at 0.5: tnr 0.8, tpr 0.7
LEVELS = [0.2] * 5 + [0.4] * 3 + [0.6] * 2, [0.1, 0.3, 0.3] + [0.9] * 7  # of negatives, of positives

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
    """The models, and their evaluation on the training data."""
    fitted = {
        "logistic": LogisticRegression(C=1, class_weight="balanced").fit(X, y),
        "SVM": CalibratedClassifierCV(SVC(), ensemble=False).fit(X, y),
    }
    scores = {name: one.predict_proba(X)[:, 1] for name, one in fitted.items()}
    return fitted, tm.evaluate(truth=y, score=scores, threshold=0.5)


def area_by_pairs(score: np.ndarray) -> float:
    """The document's function auc()."""
    low, high = score[y == 0][:, None], score[y == 1]
    return float((low < high).mean() + (low == high).mean() / 2)


def by_its_code(name: str) -> np.ndarray:
    """The document's matrix; p > 0.5 as in its code, where its text has p >= 0.5."""
    return confusion_matrix(y, models()[0][name].predict_proba(X)[:, 1] > 0.5).ravel()


def cells(one: tm.BinaryEvaluation) -> list[float]:
    return [one.counts.tn, one.counts.fp, one.counts.fn, one.counts.tp]


def replaced(auc: float, a: float, b: float) -> float:
    """The document's area where the share of cases without a score gets one constant."""
    return (1 - SHARE) ** 2 * auc + SHARE * (1 - SHARE) * (a + b) + SHARE**2 / 2


def numbers() -> dict[str, tuple]:
    fitted, table = models()
    ev = table["logistic"]
    found: dict[str, tuple] = {
        "negatives per positive (npr)": (ev["npr"].value, 1.0, 0),
        "logistic: tn, fp, fn, tp": (cells(ev), PRINTED, 0),
        "SVM: tn, fp, fn, tp": (cells(table["SVM"]), None, 0, by_its_code("SVM")),
    }
    for name, one in table.items():
        area = area_by_pairs(fitted[name].predict_proba(X)[:, 1])
        found[f"{name}: area under the curve"] = (one["roc_auc"].value, None, 1e-12, area)
        right = by_its_code(name)[[0, 3]].sum() / len(y)
        found[f"{name}: accuracy"] = (one["accuracy"].value, None, 1e-12, right)
    a, b = ev["specificity"].value, ev["sensitivity"].value
    area, rest = ev["roc_auc"].value, tm.unscored(ev, share=SHARE)
    found["logistic, 0.5 for a share of 0.2"] = (rest.at(0.5), None, 1e-12, replaced(area, a, b))
    found["logistic, 0 for a share of 0.2"] = (rest.at(0.0), None, 1e-12, replaced(area, 0, 1))
    rest = tm.unscored(truth=np.repeat([1, 0], 10), score=[*LEVELS[1], *LEVELS[0]], share=SHARE)
    found["area 0.8, tnr 0.8, tpr 0.7: 0.5 for 0.2"] = (rest.at(0.5), None, 1e-12, replaced(0.8, 0.8, 0.7))
    found["area 0.8, tnr 0.8, tpr 0.7: 0 for 0.2"] = (rest.at(0.0), None, 1e-12, replaced(0.8, 0, 1))
    return found


def figures() -> dict[str, Figure]:
    _, table = models()
    unscored = tm.unscored(table["logistic"], share=SHARE).curve.plot()
    unscored.ax_.set_ylim(0.7, 1)
    return {
        "boundary": boundary(),
        "roc": table.plot("roc").figure_,
        "densities": table.plot("density").figure_,
        "pairs": pairs(),
        "unscored": unscored.figure_,
    }


def boundary() -> Figure:
    fitted, _ = models()
    figure, axes = plt.subplots(1, 2, figsize=(7, 3), layout="constrained", sharey=True)
    right, up = np.meshgrid(*(np.linspace(x.min() - 0.2, x.max() + 0.2, 120) for x in X.T))
    for ax, (name, model) in zip(axes, fitted.items(), strict=True):
        p = model.predict_proba(np.column_stack([right.ravel(), up.ravel()]))[:, 1].reshape(right.shape)
        ax.contourf(right, up, p, levels=np.linspace(0, 1, 6), cmap="RdBu", alpha=0.6)
        ax.contour(right, up, p, levels=[0.5], colors="black")
        for label, colour in ((0, "firebrick"), (1, "navy")):
            ax.plot(*X[y == label].T, ".", color=colour, markersize=1.2)
        ax.set(title=name, xlabel="first feature", ylabel="second feature" if ax is axes[0] else "")
    return figure


def pairs() -> Figure:
    """Every 25th case of each class: rows are positives, the highest score first; columns are negatives."""
    fitted, _ = models()
    score = fitted["logistic"].predict_proba(X)[:, 1]
    order = np.argsort(score)
    some = np.concatenate([order[y[order] == label][12::25] for label in (0, 1)])
    matrix = tm.evaluate(truth=y[some], score=score[some]).pairs_matrix
    ax = plt.figure(figsize=(5, 4.6)).subplots()
    ax.pcolormesh(matrix.cells[::-1], cmap="Greens", vmax=2, edgecolors="white")
    ax.set(xlabel="negatives, by score", ylabel="positives, by score", aspect="equal")
    ax.set_title(f"pairs in the right order: {matrix.cells.mean():.3f}")
    return ax.figure


def main(folder: Path) -> None:
    """Prints the numbers next to the printed ones, and saves the figures."""
    show(numbers(), figures(), folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
