"""The page of figures: each kind with its code, and a file for each picture, made by that code.

python docs/gallery.py        # draws the pictures anew, which docs/make.py does not
"""

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FOLDER = HERE / "gallery"
DPI = 60

HEAD = """# Gallery of figures

Made by `python docs/make.py`; `python docs/gallery.py` draws the pictures. Figures need matplotlib:
`pip install 'tallymark[plot]'`. Each result has `plot(kind, ax=..., name=...)`, which returns a `Display`
with `ax_`, `axes_` and `figure_`, as the displays of scikit-learn, and `save("x.png")` (or .svg, .pdf).
Without a kind it is the usual figure of the result. `band=` is the confidence band ("pointwise" by default,
`None` for none); `measures=`, `classes=` and `bins=` are for the kinds that have them; any measure of
counts, as `ev.plot("f1")`, is drawn against the threshold. From a shell:

    tallymark plot roc scores.csv --truth y --model a=p --model b=q -o roc.png

Colours are those of Okabe and Ito, and line styles differ, so that a figure can be read in print and by
colour-blind people. `ev.plot(...).figures` has what is drawn as plain values.

On axes of one's own, as in `ev.plot("roc", ax=ax)`, the title has one line, the legend is short, as
"logreg (AUC 0.99)", the colours are the next ones of the axes' cycle, and nothing lies outside the axes: for
figures of several panels under tight or constrained layout. Overlays share their baseline, and the third and
further curves have no band. `title=`, `legend="short"`, `"full"` or `False`, `color=`, and of a matrix
`normalize=` and `colorbar=` set the rest.

The data of this page:

```python
{setup}
```
"""
SETUP = """import numpy as np
import tallymark as tm

random = np.random.default_rng(1)
ill = random.random(400) < 0.35
noise = random.normal(size=(3, 400))
odds = {"old": np.exp(1.2 * ill - 1 + noise[0]), "new": np.exp(2.2 * ill - 1.6 + noise[1])}
scores = {name: one / (1 + one) for name, one in odds.items()}
truth = np.where(ill, "ill", "well")

ev = tm.evaluate(truth=truth, score=scores["new"], positive="ill")
tenths = scores["new"].round(1)
tied = tm.evaluate(truth=truth, score=tenths, positive="ill")
few = tm.evaluate(truth=truth[:40], score=tenths[:40], positive="ill")
table = tm.evaluate(truth=truth, score=scores, positive="ill")
comparison = tm.compare(truth=truth, score=scores, positive="ill")
kinds = np.tile(["ash", "birch", "cedar"], 100)
shares = random.dirichlet([1, 1, 1], 300) + 0.3 * (kinds[:, None] == ["ash", "birch", "cedar"])
classes = tm.evaluate(truth=kinds, score=shares / 1.3)
topics = random.random((200, 3)) < [0.5, 0.3, 0.2]
wrong = random.random((200, 3)) < 0.15
names = ["art", "law", "sport"]
tags = tm.evaluate(tm.IndicatorTable.from_arrays(truth=topics, predicted=topics ^ wrong, labels=names))
site = random.choice(["east", "north", "south"], 400, p=[0.5, 0.3, 0.2])
groups = tm.evaluate(truth=truth, score=scores["new"], positive="ill", by=site)
fold = np.arange(400) % 5
folds = tm.evaluate(truth=truth, score=scores["new"], positive="ill", fold=fold)
size = random.normal(20, 5, 300)
amounts = tm.evaluate(truth=size, predicted=0.8 * size + 4 + random.normal(size=300), regression=True)
wide = np.where(ill, random.normal(1.5, 3, 400), random.normal(0, 1, 400))
crossed = tm.evaluate(truth=truth, score={"old": scores["old"], "wide": wide}, positive="ill")"""

# Title, name of the file, code
FIGURES = (
    ("ROC curve of a model", "roc", 'ev.plot("roc")'),
    ("Several models, with the crossings of two", "roc_models", 'table.plot("roc")'),
    ("Where each of two models is higher", "roc_regions", 'crossed.plot("roc", band=None)'),
    ("Tied scores in other orders", "roc_ties", 'tied.plot("roc", ties=True)'),
    ("The classes of a model", "roc_classes", 'classes.plot("roc")'),
    ("The groups of the cases", "roc_groups", 'groups.plot("roc")'),
    ("The folds of a cross-validation", "roc_folds", 'folds.plot("roc")'),
    ("Pairs of positives and negatives", "pairs", 'few.plot("pairs")'),
    ("Convex hull of the ROC curve", "roc_hull", 'ev.plot("roc_hull")'),
    ("Precision-recall curve", "pr", 'ev.curve("pr", band="pointwise").plot(name="new")'),
    ("Interpolated precision-recall curve", "pr_interpolated", 'ev.plot("pr_interpolated")'),
    ("DET curve", "det", 'table.plot("det")'),
    ("DET curve on linear axes", "det_linear", 'ev.plot("det_linear")'),
    ("Rates against the threshold", "tpr_fpr", 'ev.plot("tpr_fpr")'),
    ("Errors of verification", "far_frr", 'ev.plot("far_frr")'),
    ("Gain", "gain", 'ev.plot("gain")'),
    ("Lift", "lift", 'ev.plot("lift")'),
    ("Classifiers in ROC space", "roc_points", "tm.roc_points(table).plot()"),
    ("Cost curve", "cost", 'table.plot("cost")'),
    ("Decision curve", "decision", 'table.plot("decision")'),
    ("Confusion matrix", "confusion", 'ev.plot("confusion")'),
    ("Confusion matrix of several classes", "confusion_classes", 'classes.plot("confusion")'),
    ("Confusion matrix of each of several labels", "confusion_labels", 'tags.plot("confusion")'),
    ("Reliability", "reliability", 'ev.plot("reliability")'),
    ("Reliability of several models", "reliability_models", 'table.plot("reliability")'),
    ("Reliability of the highest probabilities", "reliability_top", "tm.calibration(classes).plot()"),
    ("Reliability in bins of equal mass", "reliability_equal_mass", 'ev.plot("reliability_equal_mass")'),
    ("Reliability without bins", "reliability_isotonic", 'ev.plot("reliability_isotonic")'),
    ("Distribution of the scores", "density", 'ev.plot("density")'),
    ("Measures against the threshold", "thresholds", 'ev.plot("thresholds")'),
    (
        "A chosen threshold with its interval",
        "threshold_choice",
        'tm.choose_threshold(truth=truth, score=scores["new"], positive="ill", rule="f1").plot()',
    ),
    (
        "The cost at each threshold",
        "rule",
        "chosen = tm.choose_threshold(\n"
        '    truth=truth, score=scores["new"], positive="ill", rule="cost", cost_fp=1, cost_fn=3\n'
        ")\n"
        'chosen.plot("rule")',
    ),
    (
        "Values on the resamples of a bootstrap",
        "resamples",
        'tm.bootstrap(truth=truth, score=scores["new"], positive="ill", measures=["roc_auc"]).plot()',
    ),
    ("Forest of measures", "forest", 'ev.plot("forest")'),
    ("Forest of models", "forest_models", 'table.plot("forest")'),
    ("Forest of groups", "forest_groups", 'groups.plot("forest")'),
    ("Forest of folds", "forest_folds", 'folds.plot("forest")'),
    ("Forest of classes", "forest_classes", 'classes.plot("forest")'),
    ("Differences of two models", "differences", "comparison.plot()"),
    ("Confidence curve", "confidence", 'comparison.plot("confidence", measures="roc_auc")'),
    ("Difference of net benefit", "decision_difference", 'comparison.plot("decision_difference")'),
    ("A measure against the threshold", "f1", 'table.plot("f1")'),
    ("Actual against predicted amounts", "predicted", "amounts.plot()"),
    ("Residuals", "residuals", 'amounts.plot("residuals")'),
)


def page() -> str:
    """Each figure with its code. A kind without a figure, and a file that is missing, are errors."""
    from tallymark.report.figures import KINDS

    names = {name for _, name, _ in FIGURES}
    assert names >= KINDS.keys(), f"add to docs/gallery.py: {sorted(KINDS.keys() - names)}"
    there = {path.stem for path in FOLDER.glob("*.png")}
    assert there == names, f"run: python docs/gallery.py ({sorted(there ^ names)})"
    parts = [
        f"## {title}\n\n```python\n{code}\n```\n\n![{title}](gallery/{name}.png)\n"
        for title, name, code in FIGURES
    ]
    return "\n".join([HEAD.format(setup=SETUP), *parts])


def drawn(code: str, known: dict[str, Any]) -> Any:
    """What the last line of the code answers."""
    *before, last = code.splitlines()
    exec("\n".join(before), known)
    return eval(last, known)


def main() -> int:
    """Draws the pictures, with the code that the page shows."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    FOLDER.mkdir(exist_ok=True)
    known: dict[str, Any] = {}
    exec(SETUP, known)
    for _, name, code in FIGURES:
        drawn(code, known).save(FOLDER / f"{name}.png", dpi=DPI)
        plt.close("all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
