"""H1: losses and retraining with the cases of Berrar

The parts of "Performance Measures for Binary Classification" that need signed distances or a model: the hinge
loss of Figures 7 and 8, the permutation test of section 5.1 and the bootstrap of section 5.4, each with
k = 10,000. The document names no model and no training set: here the model puts the boundary half way between
the class means of the score, and is trained and tested on the ten cases. With one feature half of the
permuted models have the right direction by chance, so that p is near 0.5. What is not printed is compared
with all 252 ways to permute the labels, and with a second simulation.
"""

import sys
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from matplotlib import pyplot as plt
from side_by_side import show

import tallymark as tm

LABEL = np.array([1, 1, 0, 1, 1, 0, 0, 1, 0, 0])
SCORE = np.array([0.95, 0.80, 0.75, 0.60, 0.50, 0.45, 0.30, 0.25, 0.20, 0.10])  # cases 10 to 1
DISTANCE = 4 * (SCORE - 0.5)  # Figure 8: case 8, at 0.75, has the distance 1
HEIGHT = [0.6, 0.3, 0.8, 0.5, 0.7, 0.2, 0.6, 0.4, 0.8, 0.3]  # invented; none is printed
K = 10_000

SAYS = {
    "figure_7": "Berrar, Figure 7: hinge loss and 0-1 loss of a positive case against its score.",
    "figure_8": "Berrar, Figure 8: the cases by signed distance from the boundary, and the hinge loss of"
    " each in rank order. Cases 8 and 3 are on the wrong side, at the same distance, and have the loss 2.",
    "retraining": "Not in Berrar: sensitivity of models trained on permuted labels (section 5.1), with that"
    " of the actual labels as a line, and accuracy on the cases outside each bootstrap set (Definition 38).",
}


class HalfWay:
    """The boundary half way between the class means; positives are on the side of theirs."""

    def fit(self, X, y):
        X, y = np.ravel(X), np.asarray(y)
        if len(set(y)) < 2:
            raise ValueError("a class has no cases")
        self.means_ = X[y == 0].mean(), X[y == 1].mean()
        return self

    def predict(self, X):
        negative, positive = self.means_
        return (np.sign(np.ravel(X) - (negative + positive) / 2) * (positive - negative) > 0).astype(int)


def permuted() -> tm.PermutationResult:
    cases = SCORE[:, None], LABEL
    options = {"measure": "sensitivity", "permutations": K, "counting": "permuted-only", "progress": False}
    return tm.permutation_test(HalfWay(), *cases, *cases, **options)


def out_of_bag() -> tm.OutOfBag:
    options = {"measure": "accuracy", "replicates": K, "stratified": False, "progress": False}
    return tm.bootstrap_out_of_bag(HalfWay(), SCORE[:, None], LABEL, **options)


def every_permutation() -> np.ndarray:
    """The sensitivity after each of the 252 permutations."""
    orders = (np.isin(range(10), chosen).astype(int) for chosen in combinations(range(10), 5))
    return np.array([HalfWay().fit(SCORE, y).predict(SCORE)[LABEL == 1].mean() for y in orders])


def simulated() -> np.ndarray:
    """The accuracy outside of bootstrap sets with both classes, drawn again."""
    random, found = np.random.default_rng(1), []
    for drawn in random.integers(10, size=(K, 10)):
        out = np.setdiff1d(range(10), drawn)
        if len(out) and len(set(LABEL[drawn])) == 2:
            found.append(np.mean(HalfWay().fit(SCORE[drawn], LABEL[drawn]).predict(SCORE[out]) == LABEL[out]))
    return np.array(found)


def numbers() -> dict[str, tuple]:
    hinge = tm.losses.hinge(truth=LABEL, score=DISTANCE, reduction="none")
    margins = tm.evaluate(truth=LABEL, score=DISTANCE, threshold=0, score_kind="margin")
    example = np.r_[np.full(300, 0.8), np.full(K - 300, 0.7)]
    theirs = tm.PermutationResult("sensitivity", "higher", 0.8, example, counting="permuted-only")
    test, bootstrap, again = permuted(), out_of_bag().out_of_bag, simulated()
    share = np.mean(every_permutation() > test.value - 1e-9)
    return {
        "hinge loss, cases 8, 3": (hinge[[2, 7]], [2, 2], 0),
        "hinge loss, ten cases": (hinge, None, 0, [0, 0, 2, 0.6, 1, 0.8, 0.2, 2, 0, 0]),
        "hinge loss, mean": (margins["hinge_loss"].value, None, 0, 0.66),
        "p, 300 of 10,000": (theirs.p_value, 0.03, 0),
        "sensitivity": (test.value, None, 0, HalfWay().fit(SCORE, LABEL).predict(SCORE)[LABEL == 1].mean()),
        "permutation test, p": (test.p_value, None, 0.02, share),
        "out-of-bag accuracy": (bootstrap.value, None, 0.015, again.mean()),
        "2.5 and 97.5 percentile": (
            [bootstrap.low, bootstrap.high], None, 0, np.quantile(again, [0.025, 0.975])
        ),
    }  # fmt: skip


def figures() -> dict[str, plt.Figure]:
    return dict(zip(SAYS, (losses(), distances(), retraining()), strict=True))


def losses() -> plt.Figure:
    figure, ax = plt.subplots(figsize=(4.5, 3.2))
    score = np.linspace(-2, 2, 401)
    ax.plot(score, tm.losses.hinge(truth=np.ones(401), score=score, reduction="none"), label="hinge loss")
    ax.step(score, score < 0, "--", label="0-1 loss")
    ax.set(xlabel="score of a positive case", ylabel="loss")
    ax.legend()
    return figure


def distances() -> plt.Figure:
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3))
    for case, y, *place in zip(range(10, 0, -1), LABEL, DISTANCE, HEIGHT, strict=True):
        left.plot(*place, "so"[y], color=("#D55E00", "#0072B2")[y], markersize=8)
        left.annotate(f"{case}", place, xytext=(0, 8), textcoords="offset points", ha="center")
    left.axvline(0, color="black")
    left.set(xlabel="signed distance", ylim=(0, 1), yticks=[])
    loss = tm.losses.hinge(truth=LABEL, score=DISTANCE, reduction="none")
    right.bar([f"{case}" for case in range(10, 0, -1)], loss)
    right.set(xlabel="case, by falling score", ylabel="hinge loss")
    return figure


def retraining() -> plt.Figure:
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3))
    test = permuted()
    left.hist(test.permuted, np.linspace(-0.1, 1.1, 7), rwidth=0.8)
    left.axvline(test.value, color="#D55E00", linestyle="--")
    left.set(xlabel="sensitivity, permuted labels", ylabel="permutations")
    right.hist(out_of_bag().values, np.linspace(-0.025, 1.025, 22), rwidth=0.8)
    right.set(xlabel="accuracy, out of the bag", ylabel="bootstrap sets")
    return figure


def main(folder: Path) -> None:
    show(numbers(), figures(), folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
