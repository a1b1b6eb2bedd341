"""H6: losses and conversions of Flemming and Berrar

Losses of one case as lines and of two cases as planes, the sigmoid function, and the softmax of two scores.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from side_by_side import show

import tallymark as tm

EPSILON = 0.5  # where the Huber loss turns straight, in the document's figure
CELLS, REACH, SCORES = 61, 2, 6  # of a plane: points per side, and how far differences and scores reach
HINGE = {-1: 2, 0: 1, 1: 0, 2: 0}  # Berrar's loss of a positive case, by its score
OF_DIFFERENCES = {
    "squared": tm.losses.squared,
    "absolute": tm.losses.absolute,
    "Huber": lambda **given: tm.losses.huber(**given, epsilon=EPSILON),
}

SAYS = {
    "losses": "Flemming, figures of the mean squared error, the mean absolute error and the Huber loss with "
    "epsilon 0.5, of one case; here in one picture.",
    "planes": "Flemming, figures of the same three for two cases, there as surfaces, here as levels. The "
    "document calls the mean squared error the Euclidean distance: that of differences 1 and 2 is 2.236, "
    "their mean squared error 2.5. The vertical axis of its second surface is misprinted, y>sub>2</sub>.",
    "hinge": "Berrar, Figure 7: the hinge loss and the 0-1 loss of a positive case against its score.",
    "sigmoid": "Flemming, the two figures of the sigmoid function: the probability of class A, and that of "
    "class B, which is one less it.",
    "softmax": "Flemming, figure of the softmax probabilities of two classes, there two surfaces over the "
    "scores, here a panel for each: the second is the first with the scores exchanged.",
    "difference": "Flemming, the exercise below that figure: all points of its first surface, against the "
    "difference of the two scores, lie on the sigmoid curve: only the difference matters.",
}


def lines() -> dict[str, tm.Curve]:
    """What is drawn as lines."""
    difference, score = np.linspace(-REACH, REACH, 401), np.linspace(-SCORES, SCORES, 241)
    margin = np.sort(np.append(difference, -1e-9))  # the jump of the 0-1 loss is from here to 0
    of_one = {
        f"{name} loss": loss(truth=0 * difference, predicted=difference, reduction="none")
        for name, loss in OF_DIFFERENCES.items()
    }
    hinge = tm.losses.hinge(truth=np.ones(len(margin)), score=margin, reduction="none")
    labels = tm.convert.to_labels(tm.convert.sigmoid(margin)).labels
    p, q = tm.convert.sigmoid(score), tm.convert.sigmoid(-score)
    return {
        "losses": drawn("losses", difference, "difference", of_one),
        "hinge": drawn(
            "hinge", margin, "score of a positive case", {"hinge loss": hinge, "0-1 loss": 1.0 - labels}
        ),
        "sigmoid": drawn("sigmoid", score, "score", {"class A: probability": p, "class B: probability": q}),
    }


def drawn(name: str, x: np.ndarray, x_name: str, heights: dict[str, np.ndarray]) -> tm.Curve:
    (first, y), *others = heights.items()
    return tm.Curve(name, x, y, x, x_name, first, others=dict(others))


def square(reach: float) -> np.ndarray:
    """Points of a plane: rows upward, columns to the right, and at each the two coordinates."""
    side = np.linspace(-reach, reach, CELLS)
    return np.stack(np.meshgrid(side, side), axis=-1)


def planes() -> dict[str, np.ndarray]:
    """The mean loss of two cases, and the softmax probability of each of two classes."""
    both, scores = square(REACH), square(SCORES)
    found = {
        f"mean {name} loss of two cases": loss(truth=0 * both, predicted=both, reduction="none").mean(axis=-1)
        for name, loss in OF_DIFFERENCES.items()
    }
    p = tm.convert.softmax(scores.reshape(-1, 2)).reshape(scores.shape)
    return found | {
        f"probability of the {name} class": p[..., i] for i, name in enumerate(("first", "second"))
    }


def numbers() -> dict[str, tuple]:
    zero, two = [0.0, 0.0], [1.0, 2.0]
    scores = square(SCORES)
    first, second = list(planes().values())[-2:]
    by_difference = tm.convert.sigmoid((scores[..., 0] - scores[..., 1]).ravel()).reshape(first.shape)
    z, y = np.array([-2.0, 0.5, 1.0, 6.0]), np.array([0, 1, 0, 1])
    by_cases = np.log1p(np.exp(np.where(y == 1, -z, z))).mean()
    squared, absolute, huber = (float(loss(truth=zero, predicted=two)) for loss in OF_DIFFERENCES.values())
    hinge = tm.losses.hinge(truth=np.ones(4), score=[*HINGE], reduction="none")
    log_loss = tm.losses.cross_entropy(truth=y, score=z)
    return {
        "hinge loss, score -1, 0, 1, 2": (hinge, [*HINGE.values()], 1e-12),
        "squared loss of 1 and 2": (squared, None, 1e-12, 2.5),
        "absolute loss of 1 and 2": (absolute, None, 1e-12, 1.5),
        "Huber loss of 1 and 2": (huber, None, 1e-12, (0.75 + 1.75) / 2),
        "sigmoid of 0": (tm.convert.sigmoid([0.0]), [0.5], 1e-12),
        "softmax: sum of both": ([(first + second).min(), (first + second).max()], [1, 1], 1e-12),
        "softmax less sigmoid": (np.abs(first - by_difference).max(), 0, 1e-12),
        "log loss of scores": (log_loss, None, 1e-12, by_cases),
    }


def figures() -> dict[str, Figure]:
    *of_cases, first, second = planes().items()
    return {
        **{name: curve.plot().figure_ for name, curve in lines().items()},
        "planes": levels(dict(of_cases), REACH, "difference", "of the first case", "of the second case"),
        "softmax": levels(
            dict([first, second]), SCORES, "score", "of the first class", "of the second class"
        ),
        "difference": difference(),
    }


def levels(of: dict[str, np.ndarray], reach: float, what: str, right: str, up: str) -> Figure:
    figure, axes = plt.subplots(1, len(of), figsize=(3.5 * len(of), 3), layout="constrained")
    side = np.linspace(-reach, reach, CELLS)
    for ax, (title, heights) in zip(axes, of.items(), strict=True):
        figure.colorbar(ax.contourf(side, side, heights, levels=10, cmap="Blues"), ax=ax)
        ax.set_title(title, size=9)
        ax.set(xlabel=f"{what} {right}", ylabel=f"{what} {up}", aspect="equal")
    return figure


def difference() -> Figure:
    """The probabilities of the first class against the difference of scores, with the sigmoid curve."""
    ax = lines()["sigmoid"].plot().ax_
    scores = square(SCORES / 2)
    p = tm.convert.softmax(scores.reshape(-1, 2))[:, 0]
    ax.plot((scores[..., 0] - scores[..., 1]).ravel(), p, "k.", markersize=3)
    ax.set_xlabel("score of the first class less that of the second")
    return ax.figure


def main(folder: Path) -> None:
    """Prints the numbers next to the printed ones, and saves the figures."""
    show(numbers(), figures(), folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
