"""Tharwat's experiment: Iris, two principal components, a support vector machine. Needs scikit-learn.

The document states neither kernel, penalty, scaling nor split. Tried were 32 settings, each on the training
data (resubstitution) and in 10-fold cross-validation; `search` has those that give the printed values of the
first class, with the other two classes as positive, as the document has it. Standardised features and a
sigmoid kernel with C=1, on the training data, are the simplest of them: it is a guess, no more.

Run: python examples/h2_iris/run.py [folder]
"""

import sys
from functools import cache
from itertools import product
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import tallymark as tm

X, target = load_iris(return_X_y=True)
NAMES = load_iris().target_names
truth = NAMES[target]
KERNELS, PENALTIES = ("linear", "poly", "rbf", "sigmoid"), (0.1, 1, 10, 100)
PRINTED = {  # of the first class, in per cent; the correct value where it is another one
    "accuracy": (99.33,),
    "sensitivity": (100, 98.0),
    "specificity": (98.0, 100),
    "precision": (99.01, 100),
    "negative_predictive_value": (100, 99.01),
}

SAYS = {
    "roc": "Tharwat, Fig. 13a: the ROC curve of each class against the others, on the training data; the "
    "first class has the largest area, as the document says.",
    "pr": "Tharwat, Fig. 13b: the precision-recall curve of each class, of the same model.",
    "matrices": "Tharwat, Fig. 14: the confusion matrix of each class. The printed values of the first class "
    "have the other two classes as positive: its sensitivity is 98 %, not 100 %.",
    "kernels": "Not in the document: the matrix of the sigmoid and of an RBF kernel, on the training data "
    "(resubstitution) and in 10-fold cross-validation.",
    "accuracy": "Not in the document: the accuracy of these four. Resubstitution tests on the cases it was "
    "trained on, so that its value is not one for new cases; here the two are close.",
}


def model(kernel: str = "sigmoid", penalty: float = 1, scaled: bool = True) -> Pipeline:
    steps = [StandardScaler()] if scaled else []
    return make_pipeline(*steps, PCA(n_components=2), SVC(kernel=kernel, C=penalty))


@cache
def evaluation() -> tm.MulticlassEvaluation:
    """The classes with their decision functions, on the training data."""
    fitted = model().fit(X, truth)
    return tm.evaluate(truth=truth, score=fitted.decision_function(X), classes=list(fitted.classes_))


@cache
def predictions() -> dict[str, np.ndarray]:
    """The predicted classes of two kernels, on the training data and in cross-validation."""
    found = {}
    for kernel in ("sigmoid", "rbf"):
        found[f"{kernel}, resubstitution"] = model(kernel).fit(X, truth).predict(X)
        found[f"{kernel}, cross-validation"] = cross_val_predict(model(kernel), X, truth, cv=10)
    return found


def first_class(predicted: np.ndarray) -> tm.Counts:
    return tm.evaluate(truth=truth == NAMES[0], predicted=predicted == NAMES[0]).counts


def search() -> list[str]:
    """The settings whose counts of the first class are those that are printed."""
    wanted = first_class(predictions()["sigmoid, resubstitution"])
    found = []
    for scaled, kernel, penalty in product((True, False), KERNELS, PENALTIES):
        one = model(kernel, penalty, scaled)
        ways = {
            "resubstitution": one.fit(X, truth).predict(X),
            "cross-validation": cross_val_predict(one, X, truth, cv=10),
        }
        features = "standardised" if scaled else "as they are"
        found += [
            f"{kernel}, C={penalty}, features {features}, {way}"
            for way, predicted in ways.items()
            if first_class(predicted) == wanted
        ]
    return found


def numbers() -> dict[str, tuple]:
    predicted = predictions()["sigmoid, resubstitution"]
    first = tm.evaluate(truth=truth == NAMES[0], predicted=predicted == NAMES[0])
    others = tm.evaluate(truth=truth != NAMES[0], predicted=predicted != NAMES[0])
    found: dict[str, tuple] = {}
    for name, (printed, *correct) in PRINTED.items():
        found[f"first class: {name}"] = (100 * first[name].value, printed, 0.005, *correct)
        found[f"other two: {name}"] = (100 * others[name].value, printed, 0.005)
    return found


def figures() -> dict[str, Figure]:
    ev, table = evaluation(), tm.evaluate(truth=truth, predicted=predictions())
    return {
        "roc": ev.plot("roc").figure_,
        "pr": ev.plot("pr").figure_,
        "matrices": matrices(),
        "kernels": table.plot("confusion").figure_,
        "accuracy": table.plot("forest", measures=["accuracy"]).figure_,
    }


def matrices() -> Figure:
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
    figure.get_layout_engine().set(wspace=0.08)
    predicted = predictions()["sigmoid, resubstitution"]
    for ax, name in zip(axes, NAMES, strict=True):
        said = {True: name, False: "other"}
        labels = ([said[bool(one)] for one in found == name] for found in (truth, predicted))
        one = tm.evaluate(truth=next(labels), predicted=next(labels), positive=str(name))
        one.plot("confusion", ax=ax)
    return figure


def main(folder: Path) -> None:
    """Prints the numbers next to the printed ones, and draws the figures."""
    print(f"{'Tharwat, Iris (per cent)':<46}{'found':>10}{'printed':>10}{'correct':>10}")
    for name, (found, printed, _, *correct) in numbers().items():
        print(f"{name:<46}" + "".join(f"{value:>10.2f}" for value in (found, printed, *correct)))
    print("Settings with these values, of 32 and 2 ways:", *search(), sep="\n  ")
    for name, figure in figures().items():
        figure.savefig(folder / f"h2_{name}.png", dpi=60)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
