"""Names in figures are data: no character of them is formatting, and none is left out."""

from functools import cache

import matplotlib as mpl
import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark import InputError
from tallymark.report.figures import kinds_for

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.text import Text

pytestmark = pytest.mark.full

NAMES = ("$a^{$", "_x", r"$\frac{1}{0}$", "50 % \\$5 & #1", "<b>{}</b>\n\x07")
N = 60
RNG = np.random.default_rng(3)
FIRST = np.arange(N) % 3 == 0
TRUTH = np.where(FIRST, NAMES[0], NAMES[1])
SCORES = {name: np.clip(0.3 * FIRST + 0.7 * RNG.random(N), 0, 1) for name in NAMES}
SCORE = SCORES[NAMES[0]]
SITE = np.resize(NAMES, N)
CLASSES = np.resize(NAMES[:3], N)
SHARES = RNG.dirichlet([1, 1, 1], N)


@cache
def results():
    two = {"truth": TRUTH, "positive": NAMES[0]}
    one = tm.evaluate(**two, score=SCORE)
    pair = {name: SCORES[name] for name in NAMES[:2]}
    tags = tm.IndicatorTable.from_arrays(truth=SHARES > 0.3, predicted=SHARES > 0.4, labels=list(NAMES[:3]))
    return {
        "two classes": one,
        "models": tm.evaluate(**two, score=SCORES),
        "groups": tm.evaluate(**two, score=SCORE, by=SITE),
        "groups of models": tm.evaluate(**two, score=pair, by=NAMES[0] == SITE),
        "folds": tm.evaluate(**two, score=SCORE, fold=np.resize(NAMES, N)),
        "classes": tm.evaluate(truth=CLASSES, score=SHARES),
        "models of classes": tm.evaluate(truth=CLASSES, score={name: SHARES for name in NAMES[:2]}),
        "labels": tm.evaluate(tags),
        "amounts": tm.evaluate(truth=SCORE, predicted={n: SCORES[n] for n in NAMES[:2]}, regression=True),
        "comparison": tm.compare(**two, score=pair, non_inferior_by=0.1),
        "calibration": tm.calibration(one),
        "threshold": tm.choose_threshold(**two, score=SCORE, replicates=50),
    }


def texts_of(figure):
    """The texts with a character that matplotlib may read as mathematics, but for those of numbers."""
    every = figure.findobj(Text)
    return [one for one in every if "$" in one.get_text() and "mathdefault" not in one.get_text()]


def drawn(result, kind):
    """The display; of models with several classes that of one class."""
    try:
        return result.plot(kind)
    except InputError as error:
        if error.code != "needed":
            raise
        return result.plot(kind, classes=NAMES[0])


@for_each("name", results)
def test_no_name_is_read_as_mathematics_in_any_figure(name):
    result = results()[name]
    before = dict(mpl.rcParams)
    for kind in kinds_for(result):
        with plt.rc_context({"text.parse_math": True}):
            display = drawn(result, kind)
        assert dict(mpl.rcParams) == before
        display.figure_.set_layout_engine("none")  # which draws everything twice
        display.figure_.draw_without_rendering()
        found = texts_of(display.figure_)
        assert not [one.get_text() for one in found if one.get_parse_math() or one.get_usetex()]
        plt.close("all")


def test_each_name_is_in_the_legend_as_it_is():
    display = results()["models"].plot("roc")
    labels = "\n".join(one.get_text() for one in display.ax_.get_legend().get_texts())
    for name in NAMES[:4]:
        assert f"{name}: ROC AUC" in labels
    plt.close("all")
    rows = results()["groups"].plot("forest", measures="f1").ax_.get_yticklabels()
    assert {*NAMES[:4]} <= {one.get_text().split(" (n =")[0] for one in rows}


def test_a_curve_with_a_name():
    display = results()["two classes"].curve("roc").plot(name=NAMES[0])
    display.figure_.canvas.draw()
    assert [one.get_text() for one in texts_of(display.figure_)]
