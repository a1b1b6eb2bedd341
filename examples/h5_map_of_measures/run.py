"""H5: the map of the measures of Tharwat

Figure 3 of "Classification assessment methods" (Figure 4 in the text): from the four counts to the rates and
from these to all other measures. No line is drawn by hand: the catalogue finds the measures by the words of
the document, and each is computed on random tables. A rate has lines from the counts on which it depends,
another measure from two rates if it is the same in all tables with these rates, else from the counts.
"""

import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from matplotlib import patches, pyplot as plt
from side_by_side import show

import tallymark as tm

CELLS = ("tp", "fn", "fp", "tn")
RATES = ("TPR", "FNR", "PPV", "FDR", "NPV", "FOR", "FPR", "TNR")
# The other measures, with what section 2.9.1 prints for 100 and for 1000 negatives; None where it does not.
OTHERS = {
    "LR+": (3.5, 3.5), "LR-": (0.375, 0.375), "DOR": (9.33, 9.33), "Youden's index": (0.5, 0.5),
    "BCR": (0.75, 0.75), "HTER": None, "discriminant power": None, "geometric mean": None,
    "F-measure": (0.74, 0.378), "Jaccard": (0.583, 0.233), "markedness": None, "accuracy": (0.75, 0.79),
    "error rate": (0.25, 0.21), "MCC": None, "AGF": None, "AGM": None,
    "optimization precision": (0.683, 0.723),
}  # fmt: skip
PRINTED = {"TPR": (0.7, 0.7), "TNR": (0.8, 0.8), "FPR": (0.2, 0.2), "FNR": (0.3, 0.3), "PPV": (0.78, 0.26)}
PRINTED |= {"NPV": (0.73, 0.96)} | {word: both for word, both in OTHERS.items() if both}
EXAMPLES = (tm.Counts(tp=70, fn=30, fp=20, tn=80), tm.Counts(tp=70, fn=30, fp=200, tn=800))
SAYS = {
    "map": "Tharwat, Figure 3 (in the text Figure 4): all measures come from the confusion matrix, many"
    " through TPR and TNR. Here lines to the right lead from the counts to the rates and on to the measures"
    " that two rates determine; measures that need all four counts are on the left.",
    "circles": "Tharwat, Figure 3: the circle is the classifier, what is inside it is predicted positive;"
    " positives are on the left, green is correct and red wrong. Here the numerator of each rate is in full"
    " colour and the rest of its denominator is pale.",
}
GREEN, RED, PALE = "#009E73", "#D55E00", {"#009E73": "#bfe5da", "#D55E00": "#f6d6c2"}


def measured(word: str, counts: tm.Counts) -> np.ndarray:
    return getattr(tm.measures, tm.find(word)[0].name)(counts)


def drawn(word: str, factors: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """The values in random tables, and after some counts are multiplied."""
    cells = dict(zip(CELLS, np.random.default_rng(5).uniform(5, 100, (4, 50)), strict=True))
    others = {name: values * factors.get(name, 1) for name, values in cells.items()}
    return measured(word, tm.Counts(**cells)), measured(word, tm.Counts(**others))


def effect(word: str, cell: str) -> float:
    """1 where the measure rises with this count, 0 where it does not depend on it, else -1 (or a mixture)."""
    before, after = drawn(word, {cell: 2})
    return 0 if np.allclose(before, after) else np.sign(after - before).mean()


def cells_of(word: str) -> set[str]:
    return {cell for cell in CELLS if effect(word, cell)}


def is_function_of(word: str, rates: tuple[str, str]) -> bool:
    """Whether multiplying the counts so that both rates stay the same leaves the measure the same."""
    first, second = map(cells_of, rates)
    linked = [first | second] if first & second else [first, second]
    factors = {cell: 2 + at for at, group in enumerate(linked) for cell in group}
    return np.allclose(*drawn(word, {cell: factors.get(cell, 5) for cell in CELLS}))


def sources() -> dict[str, tuple[str, ...]]:
    """By measure the two rates it is computed from; else the counts."""
    pairs = list(combinations(("TPR", "TNR", "PPV", "NPV"), 2))
    found = {word: [pair for pair in pairs if is_function_of(word, pair)] for word in OTHERS}
    return {word: (some[0] if some else tuple(sorted(cells_of(word)))) for word, some in found.items()}


def numbers() -> dict[str, tuple]:
    sizes = Counter(" and ".join(some) if len(some) == 2 else "the counts" for some in sources().values())
    expected = {"TPR and TNR": 8, "TPR and PPV": 2, "PPV and NPV": 1, "the counts": 6}
    values = {}
    for word, both in PRINTED.items():
        tolerance = 0.005 if any(len(f"{one:g}") == 4 for one in both) else 0.0005
        correct = ((0.683, 0.7242),) if word == "optimization precision" else ()
        values[word] = ([float(measured(word, one)) for one in EXAMPLES], both, tolerance, *correct)
    return values | {f"from {name}": (sizes[name], None, 0, right) for name, right in expected.items()}


def figures() -> dict[str, plt.Figure]:
    return {"map": chart(), "circles": circles()}


def chart() -> plt.Figure:
    figure, ax = plt.subplots(figsize=(9, 6.5))
    ax.axis("off")
    above = sources()
    left = [word for word, from_ in above.items() if len(from_) > 2]
    right = [word for word in above if word not in left]
    lines = [(cell, word) for word in (*RATES, *left) for cell in cells_of(word)]
    lines += [(rate, word) for word in right for rate in above[word]]
    places = {}
    for x, words in enumerate((left, CELLS, RATES, right)):
        heights = np.linspace(1, 0, len(words) + 2)[1:-1]
        places |= {word: (x, y) for word, y in zip(words, heights, strict=True)}
    for start, end in lines:
        colour = f"C{[*CELLS, *RATES].index(start) % 10}"
        ax.annotate("", places[end], places[start], arrowprops={"arrowstyle": "-", "color": colour})
    for word, place in places.items():
        text = word.upper() if word in CELLS else word
        ax.text(*place, text, ha="center", va="center", bbox={"boxstyle": "round", "facecolor": "white"})
    ax.set(xlim=(-0.4, 3.4), ylim=(0, 1))
    return figure


def circles() -> plt.Figure:
    """In full colour the counts with which a rate rises, in pale colour the others that it depends on."""
    figure, axes = plt.subplots(3, 3, figsize=(7, 7), layout="constrained")
    for word, ax in zip(("all", *RATES), axes.flat, strict=True):
        for cell, colour in zip(CELLS, (GREEN, RED, RED, GREEN), strict=True):
            weight = 1 if word == "all" else effect(word, cell)
            region(ax, cell, colour if weight > 0 else PALE[colour] if weight else "white", word == "all")
        ax.set(title=word, xlim=(-2, 2), ylim=(-1.5, 1.5), aspect="equal", xticks=[], yticks=[])
    return figure


def region(ax: plt.Axes, cell: str, colour: str, named: bool) -> None:
    """Positives are on the left; what is inside the circle is predicted positive."""
    side = -1 if cell in ("tp", "fn") else 1
    inside = cell in ("tp", "fp")
    if inside:
        shape = patches.Wedge((0, 0), 1, *((90, 270) if side < 0 else (-90, 90)), zorder=3)
    else:
        shape = patches.Rectangle((min(0, 2 * side), -1.5), 2, 3)
    shape.set(facecolor=colour, edgecolor="black")
    ax.add_patch(shape)
    if named:
        ax.text(side * (0.5 if inside else 1.5), 0 if inside else 1.1, cell.upper(), ha="center", zorder=4)


def main(folder: Path) -> None:
    show(numbers(), figures(), folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
