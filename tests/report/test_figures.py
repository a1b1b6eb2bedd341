"""Figures by their data and labels: what matplotlib's axes hold, not how the pixels look."""

import sys
from functools import cache
from itertools import combinations
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark import InputError
from tallymark.curves import CAPTIONS, CURVES
from tallymark.curves.curve import mark_of
from tallymark.report.documents import document
from tallymark.report.figures import KINDS, figures, kinds_for
from tallymark.report.plots import COLOURS, DASHES, SHAPES

mpl.use("Agg")
from matplotlib import pyplot as plt

N = 90
RNG = np.random.default_rng(7)
TRUTH = np.where(np.arange(N) % 3 == 0, "ill", "well")
ILL = TRUTH == "ill"
SCORE = np.round(np.clip(0.35 * ILL + 0.65 * RNG.random(N), 0, 1), 2)
OTHER = np.round(np.clip(0.15 * ILL + 0.85 * RNG.random(N), 0, 1), 2)
THIRD = np.round(np.clip(0.25 * ILL + 0.75 * RNG.random(N), 0, 1), 2)
CLASSES = np.tile(["a", "b", "c"], N // 3)
PER_CLASS = RNG.dirichlet([1, 1, 1], N) * 0.5 + 0.5 * (CLASSES[:, None] == np.array(["a", "b", "c"]))


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@cache
def one():
    return tm.evaluate(truth=TRUTH, score=SCORE, positive="ill")


@cache
def models():
    return tm.evaluate(truth=TRUTH, score={"old": OTHER, "new": SCORE, "third": THIRD}, positive="ill")


@cache
def classes():
    return tm.evaluate(truth=CLASSES, score=PER_CLASS)


@cache
def amounts():
    return tm.evaluate(truth=SCORE * 10, predicted=OTHER * 10, regression=True)


@cache
def compared():
    return tm.compare(truth=TRUTH, score={"old": OTHER, "new": SCORE}, positive="ill", non_inferior_by=0.1)


@cache
def several():
    return tm.compare(
        truth=TRUTH, score={"old": OTHER, "new": SCORE, "third": THIRD}, positive="ill", measures="roc_auc"
    )


@cache
def results():
    """One of each that has figures."""
    return {
        "two classes": one(),
        "labels": tm.evaluate(truth=TRUTH, predicted=np.where(SCORE > 0.5, "ill", "well"), positive="ill"),
        "models": models(),
        "classes": classes(),
        "labels of classes": tm.evaluate(truth=CLASSES, predicted=np.roll(CLASSES, 4)),
        "several labels": tm.evaluate(
            truth=np.stack([ILL, ~ILL], 1).astype(int), predicted=np.stack([SCORE > 0.5] * 2, 1).astype(int)
        ),
        "amounts": amounts(),
        "comparison": compared(),
        "calibration": tm.calibration(one()),
        "calibration of classes": tm.calibration(classes()),
        "threshold": tm.choose_threshold(truth=TRUTH, score=SCORE, positive="ill", replicates=50),
    }


def lines_of(ax, *names):
    """By label the lines of these labels, or all that have one."""
    found = {line.get_label(): line for line in ax.get_lines() if not line.get_label().startswith("_")}
    return {name: line for name, line in found.items() if not names or any(name.startswith(n) for n in names)}


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def figure(result, kind=None, **options):
    """The first figure of this kind."""
    return figures(result, kind, **options)[0]


def series_of(shown, kind="line"):
    """The lines of the first series."""
    return [one for one in shown.of(kind) if one.look == 0]


def crosses(shown):
    """The marks of crossings."""
    return [one for one in shown.series if one.shape == "X"]


def data_of(line):
    return [np.asarray(part, float).tolist() for part in line.get_data()]


# Curves
# --------------------------------------------------------------------------------------------------


def test_roc_shows_curve_band_area_cases_and_threshold_without_being_asked():
    display = one().plot("roc", band="pointwise")
    ax, curve = display.ax_, one().curve("roc", band="pointwise").simplify()
    assert legend_of(ax)[::2] == ["guessing", "95% pointwise band"]
    area = one()["roc_auc"]
    assert legend_of(ax)[1] == f"ROC AUC {area.value:.3f} ~[{area.low:.3f}, {area.high:.3f}]".replace(
        "~" * (not any(note.kind == "approximate" for note in area.notes)), ""
    )
    assert data_of(lines_of(ax, "ROC AUC").popitem()[1]) == [curve.x.tolist(), curve.y.tolist()]
    assert ax.get_xlabel() == "false positive rate"
    assert ax.get_ylabel() == "true positive rate"
    assert ax.get_title("left") == (
        "ROC curve\n90 cases: 30 positive (ill)\n95% intervals; dot: threshold 0.5"
    )
    corners = ax.collections[0].get_paths()[0].vertices
    assert corners[:, 1].min() == pytest.approx(curve.band[0].min())
    assert corners[:, 1].max() == pytest.approx(curve.band[1].max())
    assert display.figures[0].square


def test_the_level_of_intervals_is_said_where_there_are_intervals():
    for band in (None, "pointwise"):
        assert "95% intervals; dot: threshold 0.5" in one().plot("roc", band=band).figures[0].facts
        assert one().plot("f1", band=band).figures[0].facts == ("90 cases: 30 positive (ill)",)
    assert one().plot("decision", band=None).figures[0].facts == ("90 cases: 30 positive (ill)",)


def test_models_on_groups_are_counted_apart():
    site = np.where(np.arange(N) % 2, "north", "south")
    found = tm.evaluate(truth=ILL, score={"old": OTHER, "new": SCORE, "third": THIRD}, by=site)
    assert found.plot("forest", measures="f1").figures[0].facts[0] == "3 models, 2 groups"


def test_overlapping_bands_have_edges_in_the_style_of_their_line():
    both = tm.evaluate(truth=TRUTH, score={"old": OTHER, "new": SCORE}, positive="ill")
    edges = [line for line in both.plot("roc").ax_.get_lines() if line.get_linewidth() == 0.7]
    assert len(edges) == 4
    assert len({(line.get_color(), str(line._dash_pattern)) for line in edges}) == 2
    assert not [line for line in one().plot("roc").ax_.get_lines() if line.get_linewidth() == 0.7]


def test_the_dot_is_the_threshold():
    e = one()
    for name, point in {
        "roc": (1 - e["specificity"].value, e["sensitivity"].value),
        "pr": (e["sensitivity"].value, e["precision"].value),
    }.items():
        dot = one().plot(name, band=None).figures[0].of("points")[0]
        assert (dot.x[0], dot.y[0]) == pytest.approx(point)


@for_each("name", sorted(CURVES))
def test_every_curve_has_a_caption_and_a_figure_with_its_lines(name):
    assert CAPTIONS[name].title
    shown = figure(one(), name, **({} if "bins" in KINDS[name][0].takes else {"band": None}))
    assert shown.title == CAPTIONS[name].title
    own = one().curve(name)
    assert shown.series
    if name != "density":
        labels = " ".join(getattr(layer, "label", "") for layer in shown.series)
        assert all(other in labels for other in own.others)
    assert all(CAPTIONS[name].references[i] in own.others for i in range(len(CAPTIONS[name].references)))


def test_a_step_curve_is_drawn_as_steps():
    for name, step in {"pr": "pre", "roc": "", "gain": "", "f1": "post", "tpr_fpr": "post"}.items():
        display = one().plot(name, band=None)
        assert {line.step for line in series_of(display.figures[0])} == {step}
        drawn = [line for line in display.ax_.get_lines() if line.get_color() == COLOURS[0]]
        styles = {line.get_drawstyle() for line in drawn if len(line.get_xdata()) > 1}
        assert styles == {f"steps-{step}" if step else "default"}


def test_baselines_are_named():
    assert "prevalence 0.333" in legend_of(one().plot("pr", band=None).ax_)
    assert legend_of(one().plot("decision", band=None).ax_) == [
        "everybody positive", "nobody positive", "model", "threshold 0.5"
    ]  # fmt: skip
    assert "one answer for all" in legend_of(one().plot("cost", band=None).ax_)
    assert "one answer for all" in legend_of(models().plot("cost", band=None).ax_)


def test_lines_of_one_series_differ_and_the_facts_have_the_measure():
    display = one().plot("tpr_fpr")
    *lines, distance = legend_of(display.ax_)
    assert lines == ["true positive rate", "false positive rate", "threshold 0.5"]
    assert distance.startswith(f"KS distance {one()['kolmogorov_smirnov'].value:.3f} ")
    first, second = series_of(display.figures[0])
    assert first.dash != second.dash
    both = models().plot("far_frr").ax_
    assert sum("EER 0." in label for label in legend_of(both)) == 3
    assert "new, false non-match rate" in legend_of(both)


def test_measures_are_marked_on_the_lines_that_show_them():
    shown, t = figure(one(), "tpr_fpr"), one().curve("tpr_fpr")
    (span,) = shown.of("span")
    assert span.high - span.low == one()["kolmogorov_smirnov"].value
    there = one().at(span.x)
    rates = there["false_positive_rate"].value, there["sensitivity"].value
    assert (span.low, span.high) == rates
    assert f"at {span.x:.4g}" in span.label
    (dot,) = figure(one(), "far_frr").of("points")
    assert dot.y[0] == one()["equal_error_rate"].value
    above, at = (one().at(limit) for limit in (np.nextafter(dot.x[0], 1), dot.x[0]))
    for name in ("false_positive_rate", "false_negative_rate"):  # the dot is on both risers, or treads
        assert min(above[name].value, at[name].value) <= dot.y[0] <= max(above[name].value, at[name].value)
    assert mark_of(t.simplify()) == mark_of(t)
    flat = tm.evaluate(truth=ILL, score=np.full(N, 0.5))
    assert mark_of(flat.curve("far_frr")).low == pytest.approx(flat["equal_error_rate"].value)
    assert not figure(flat, "tpr_fpr").of("span")


def test_marks_where_a_lower_score_is_positive():
    turned = tm.evaluate(truth=TRUTH, score=-SCORE, positive="ill", higher_is_positive=False)
    for name in ("tpr_fpr", "far_frr"):
        there, here = (mark_of(e.curve(name)) for e in (one(), turned))
        assert here == (-there.x, there.low, there.high)


def test_baselines_of_groups_differ():
    by = tm.evaluate(
        truth=TRUTH,
        score=SCORE,
        positive="ill",
        by=np.where((ILL & (np.arange(N) % 2 == 0)) | (np.arange(N) % 5 == 0), "a", "b"),
    )
    shown = figure(by, "pr", band=None)
    shares = [e["prevalence"].value for e in by.values()]
    levels = [layer for layer in shown.series if getattr(layer, "look", 0) is None]
    assert [layer.y[0] for layer in levels] == pytest.approx(shares)
    assert levels[0].label == f"prevalence {min(shares):.3g} to {max(shares):.3g}"
    assert not levels[1].label
    assert shown.facts[0] == "2 groups"


def test_folds_have_curves_and_a_forest_with_their_means():
    folds = tm.evaluate(truth=TRUTH, score=SCORE, positive="ill", fold=np.arange(N) // 2 % 4)
    curves = figure(folds, "roc")
    assert curves.facts[0] == f"4 folds of {N} cases: {ILL.sum()} positive (ill)"
    assert not [line for line in curves.of("line") if line.low is not None]
    labels = legend_of(folds.plot("roc").ax_)
    assert [one for one in labels if one.startswith("fold 2: ROC AUC")]
    forest = figure(folds, "forest", measures="roc_auc")
    assert forest.rows == ("fold 0", "fold 1", "fold 2", "fold 3", "mean", "pooled")
    (dots,) = forest.of("points")
    assert dots.x[4:].tolist() == [folds.means["roc_auc"].value, folds.pooled["roc_auc"].value]
    assert dots.low[4] == folds.means["roc_auc"].low


def test_names_that_are_shortened_stay_distinct():
    long = {
        f"a model with a very long name, number {i}, of this year and of others": s
        for i, s in enumerate((SCORE, OTHER))
    }
    both = tm.evaluate(truth=TRUTH, score=long, positive="ill")
    assert len(set(legend_of(both.plot("roc", band=None).ax_))) == 3
    titles = [ax.get_title("left") for ax in both.plot("confusion").axes_]
    assert len(set(titles)) == 2
    assert max(map(len, titles)) <= 32


def test_a_legend_is_inside_where_there_is_room():
    many = tm.evaluate(
        truth=TRUTH, score={f"model {i}": np.roll(SCORE, 3 * i) for i in range(5)}, positive="ill"
    )
    tops = []
    for result, kind in ((one(), "roc"), (many, "roc"), (many, "tpr_fpr")):
        ax = result.plot(kind, band=None).ax_
        ax.figure.draw_without_rendering()
        frame, legend = ax.get_window_extent(), ax.get_legend().get_window_extent()
        tops.append((legend.y1 < frame.y1, legend.y1 <= frame.y0, legend.x0 >= frame.x1))
    assert tops == [(True, False, False), (True, True, False), (tops[2][0], False, True)]


def test_a_measure_of_counts_is_a_kind_by_any_of_its_names():
    display = one().plot("f1_score", band=None)
    curve = one().curve("f1")
    assert display.figures[0].title == "F1"
    assert display.ax_.get_ylabel() == "F1"
    line = display.figures[0].series[0]
    assert np.interp([0.3, 0.6], line.x[::-1], line.y[::-1]).tolist() == pytest.approx(
        np.interp([0.3, 0.6], curve.x[::-1], curve.y[::-1]).tolist()
    )


def test_a_curve_without_a_point_says_so():
    perfect = tm.evaluate(truth=ILL, score=np.where(ILL, 0.9, 0.1))
    assert figure(perfect, "det").facts[-1] == "no threshold has both error rates between 0 and 1"
    assert "no threshold" not in figure(one(), "det").heading
    linear = perfect.plot("det_linear", band=None).ax_.get_lines()[-2].get_xydata().tolist()
    assert linear == [[0, 1], [0, 0], [1, 0]]  # along the axes


def test_a_single_point_is_visible():
    flat = tm.evaluate(truth=ILL, score=np.full(N, 0.5))
    (line,) = [line for line in flat.plot("lift", band=None).ax_.get_lines() if len(line.get_xdata()) == 1][
        :1
    ]
    assert line.get_marker() == "o"


def test_a_curve_draws_itself_with_the_facts_of_its_evaluation():
    ax = plt.figure().subplots()
    display = one().curve("pr").plot(ax, name="logreg")
    assert display.ax_ is ax
    assert legend_of(ax) == [f"logreg (AP {one()['average_precision'].value:.2f})"]
    assert ax.get_title() == "Precision-recall curve"
    table = tm.RankingTable.from_arrays(truth=ILL, score=SCORE)
    alone = tm.curves.curve("pr", table).plot() if hasattr(tm, "curves") else None
    assert alone is None or alone.ax_.get_title("left") == "Precision-recall curve"


def test_lines_whose_names_share_no_word_are_on_the_axis_of_the_first():
    found = tm.unscored(truth=ILL, score=SCORE, share=0.2).curve.plot()
    assert found.ax_.get_ylabel() == "ROC AUC"
    assert legend_of(found.ax_) == ["roc_auc", "scored cases alone"]


def test_large_curves_are_thinned_within_a_three_thousandth():
    random = np.random.default_rng(0)
    truth = random.random(200_000) < 0.5
    e = tm.evaluate(truth=truth, score=truth + random.normal(size=200_000))
    line = series_of(figure(e, "roc", band=None))[0]
    curve = e.curve("roc")
    assert len(line.x) < 20_000
    inside = curve.x > 0  # an upright part has several heights
    assert np.abs(np.interp(curve.x, line.x, line.y) - curve.y)[inside].max() < 3 / 3000


@pytest.mark.full
def test_no_figure_of_many_cases_has_many_vertices():
    random = np.random.default_rng(0)
    truth = random.random(10**6) < 0.3
    e = tm.evaluate(truth=truth, score=1 / (1 + np.exp(random.normal(size=10**6) - truth)))
    for kind in {*kinds_for(e), "f1"} - {"pairs"}:
        panel = figure(e, kind)
        every = [getattr(layer, "x", ()) for layer in panel.series]
        assert sum(map(np.size, every)) < 100_000, kind


def test_where_a_lower_score_is_positive():
    e = tm.evaluate(truth=TRUTH, score=-SCORE, positive="ill", higher_is_positive=False, threshold=-0.5)
    for name in ("roc", "pr"):
        there, here = (figure(each, name, band=None).of("points")[0] for each in (one(), e))
        assert (here.x[0], here.y[0]) == (there.x[0], there.y[0])
    bars = figure(e, "density").series[0]
    assert bars.x[0] < bars.x[-1]
    assert (bars.y * np.diff(bars.x)).sum() == pytest.approx(1)


# Several models, several classes
# --------------------------------------------------------------------------------------------------


def test_models_are_overlaid_with_intervals_in_the_legend():
    ax = models().plot("roc", band=None).ax_
    found = lines_of(ax, "old", "new", "third")
    assert len({(line.get_color(), line.get_linestyle()) for line in found.values()}) == 3
    assert len({line.get_color() for line in found.values()}) == 3
    for name, label in zip(models(), found, strict=True):
        area = models()[name]["roc_auc"]
        assert label.startswith(f"{name}: ROC AUC {area.value:.3f} ")
        assert f"[{area.low:.3f}, {area.high:.3f}]" in label
        curve = models()[name].curve("roc").simplify()
        assert data_of(found[label]) == [curve.x.tolist(), curve.y.tolist()]


def test_two_models_have_bands_and_three_have_none():
    two = tm.evaluate(truth=TRUTH, score={"old": OTHER, "new": SCORE}, positive="ill")
    assert [line.look for line in figure(two, "roc").of("line") if line.low is not None] == [0, 1]
    assert legend_of(two.plot("roc").ax_)[-1] == "95% pointwise band"
    assert not [line for line in figure(models(), "roc").of("line") if line.low is not None]
    assert (
        len([line for line in figure(models(), "roc", band="pointwise").of("line") if line.low is not None])
        == 3
    )


def test_the_classes_of_a_model_are_in_one_picture():
    display = classes().plot("roc", band=None)
    labels = legend_of(display.ax_)[1:]
    for label, said in zip("abc", labels, strict=True):
        assert said.startswith(f"{label}: ROC AUC {classes().one_vs_rest(label)['roc_auc'].value:.3f}")
    assert "90 cases, each class against the others" in display.figures[0].heading
    assert len(legend_of(classes().plot("roc", band=None, classes=["a", "c"]).ax_)) == 3
    assert len(classes().plot("density").axes_) == 3


def test_models_with_classes_need_one_class():
    both = tm.evaluate(truth=CLASSES, score={"x": PER_CLASS, "y": PER_CLASS[::-1]})
    with refuses("needed", "classes='a'", argument="classes"):
        both.plot("roc")
    assert len(lines_of(both.plot("roc", classes="b", band=None).ax_, "x", "y")) == 2


def test_the_crossings_of_two_models_are_shown():
    truth = np.array([1, 1, 0, 0, 1, 1, 0, 0, 1, 0])
    first = np.array([10, 9, 8, 7, 3, 2, 6, 5, 4, 1.0])
    both = tm.evaluate(truth=truth, score={"a": first, "b": np.array([9, 4, 10, 1, 8, 7, 3, 2, 6, 5.0])})
    dots = crosses(figure(both, "roc", band=None))
    a, b = (both[name].curve("roc") for name in "ab")
    assert len(dots) == 1
    for curve in (a, b):
        along = np.interp(dots[0].x + dots[0].y, curve.x + curve.y, curve.x)
        assert along.tolist() == pytest.approx(dots[0].x.tolist())
    assert dots[0].label.startswith(f"{len(dots[0].x)} crossing")
    assert not crosses(figure(models(), "roc", band=None))


def test_the_regions_where_each_of_two_models_is_higher_are_shaded():
    truth = np.array([1, 1, 0, 0, 1, 1, 0, 0, 1, 0])
    scores = {
        "a": np.array([10, 9, 8, 7, 3, 2, 6, 5, 4, 1.0]),
        "b": np.array([9, 4, 10, 1, 8, 7, 3, 2, 6, 5.0]),
    }
    both = tm.evaluate(truth=truth, score=scores)
    areas = {one.look: one for one in figure(both, "roc", band=None).of("area")}
    assert not figure(both, "roc", band="pointwise").of("area")  # bands, and no regions
    regions = both.crossings().regions
    assert (regions[0].low, regions[-1].high) == (0, 1)
    for look, name in enumerate("ab"):
        shaded = areas[look]
        wide = np.diff(shaded.x) > 1e-9
        middle = ((shaded.x[1:] + shaded.x[:-1]) / 2)[wide]
        gap = shaded.high - shaded.low
        higher = (gap[1:] + gap[:-1])[wide] > 1e-12
        own = [one for one in regions if one.better == name]
        within = np.any([(middle > one.low) & (middle < one.high) for one in own], axis=0)
        assert higher.any()
        assert not (higher & ~within).any()
    one, other = (np.trapezoid(areas[look].high - areas[look].low, areas[look].x) for look in (0, 1))
    assert one - other == pytest.approx(both["a"]["roc_auc"].value - both["b"]["roc_auc"].value)
    three = tm.evaluate(truth=truth, score={**scores, "c": scores["a"]})
    with refuses("needed", argument="first"):
        three.crossings()
    assert three.crossings("b", "a").x.tolist() == both.crossings().x.tolist()


def test_tied_scores_have_the_area_of_their_orders():
    truth, score = np.array([1, 0, 1, 1, 0, 0, 1, 0]), np.array([4, 3, 3, 3, 2, 1, 1, 1.0])
    found = tm.evaluate(truth=truth, score=score)
    (area,) = figure(found, "roc", ties=True).of("area")
    best, worst = (found[f"roc_auc_{order}"].value for order in ("optimistic", "pessimistic"))
    assert np.trapezoid(area.high, area.x) == pytest.approx(best)
    assert np.trapezoid(area.low, area.x) == pytest.approx(worst)
    assert f"{worst:.3f} to {best:.3f}" in area.label
    with refuses("conflict", "'pr'", argument="ties"):
        found.plot("pr", ties=True)


def test_pairs_are_drawn():
    truth, score = np.array([1, 0, 1, 1, 0]), np.array([4, 3, 3, 1, 2.0])
    found = tm.evaluate(truth=truth, score=score)
    for shown in (figure(found, "pairs"), figure(found.pairs_matrix)):
        assert shown.cells.shares.tolist() == [[1, 1], [1, 0.5], [0, 0]]
        assert (shown.cells.rows, shown.cells.columns) == (("4", "3", "1"), ("2", "3"))
    display = found.pairs_matrix.plot()
    assert [one.get_text() for one in display.ax_.get_xticklabels()] == ["2", "3"]


def test_different_cases_have_their_numbers_in_the_legend():
    parts = tm.evaluate(truth=TRUTH[:60], score=SCORE[:60], positive="ill"), one()
    groups = type(models())(dict(zip(("north", "south"), parts, strict=True)))
    labels = legend_of(groups.plot("roc", band=None).ax_)
    assert any(label.startswith("north (n = 60): ROC AUC") for label in labels)
    assert any(label.startswith("south (n = 90): ROC AUC") for label in labels)


def test_styles_differ_for_28_series_also_without_colour_for_six():
    many = tm.evaluate(
        truth=TRUTH,
        score={f"m{i}": np.roll(SCORE, 3 * i) for i in range(28)},
        positive="ill",
        measures="roc_auc",
    )
    looks = looks_of(many.plot("roc").ax_)[-28:]
    assert len({*looks}) == 28
    assert len({dashes for _, dashes, _ in looks[:6]}) == len(DASHES) == 6
    assert len({*SHAPES}) == len({*COLOURS}) == 7


def looks_of(ax):
    """The colour and the dashes of every line that the legend names."""
    named = [line for line in ax.lines if not line.get_label().startswith("_")]
    return [(line.get_color(), str(line._dash_pattern), line.get_marker()) for line in named]


@pytest.mark.parametrize("others", [1, 2, 5])
def test_the_lines_of_one_curve_look_different(others):
    x = np.linspace(0, 1, 5)
    more = {f"line {power}": x**power for power in range(2, 2 + others)}
    looks = looks_of(tm.Curve("line 1", x, x, x, "x", "y", others=more).plot().ax_)
    assert len(looks) == len({*looks}) == 1 + others


@pytest.mark.full
def test_no_two_lines_of_a_figure_of_the_gallery_look_alike(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs"))
    import gallery

    known = {}
    exec(gallery.SETUP, known)
    for _, name, code in gallery.FIGURES:
        for ax in gallery.drawn(code, known).figure_.axes:
            assert len(looks_of(ax)) == len({*looks_of(ax)}), name
        plt.close("all")


# Matrices, reliability, distributions, thresholds
# --------------------------------------------------------------------------------------------------


def test_the_confusion_matrix_has_counts_and_shares_of_the_rows():
    display, c = one().plot("confusion"), one().counts
    cells = display.figures[0].cells
    assert cells.rows == cells.columns == ("ill", "well")
    assert cells.shares.ravel().tolist() == pytest.approx(
        [c.tp / (c.fn + c.tp), c.fn / (c.fn + c.tp), c.fp / (c.tn + c.fp), c.tn / (c.tn + c.fp)]
    )
    texts = [text.get_text() for text in display.ax_.texts]
    assert texts[0] == f"{c.tp:g}\n{100 * c.tp / (c.fn + c.tp):.1f}%"
    assert np.asarray(display.ax_.images[0].get_array()).tolist() == cells.shares.tolist()
    assert display.ax_.get_ylabel() == "actual"
    assert display.ax_.get_xlabel() == "predicted (threshold 0.5)"
    assert len(display.figure_.axes) == 2  # with the colour bar


def test_the_matrix_of_many_classes_has_no_texts_and_of_no_cases_no_colour():
    labels = np.arange(25).astype(str)
    many = tm.evaluate(truth=np.repeat(labels, 2), predicted=np.tile(labels, 2))
    assert not many.plot("confusion").ax_.texts
    fifteen = np.arange(15).astype(str)
    assert tm.evaluate(truth=fifteen, predicted=fifteen).plot("confusion").ax_.texts
    known = tm.evaluate(truth=list("aabb"), predicted=list("abcc"), classes=["a", "b", "c"])
    cells = figure(known, "confusion").cells
    assert np.isnan(cells.shares[2]).all()
    assert [cells.text(2, column) for column in range(3)] == ["", "", ""]


@pytest.mark.parametrize(("normalize", "axis"), [("true", 1), ("pred", 0), ("all", None), (None, None)])
def test_the_shares_of_a_matrix_are_those_of_scikit_learn(normalize, axis):
    drawn, c = one().plot("confusion", normalize=normalize), one().counts
    weights = np.array([[c.tp, c.fn], [c.fp, c.tn]])
    whole = weights.max() if normalize is None else weights.sum(axis=axis, keepdims=True)
    assert np.asarray(drawn.ax_.images[0].get_array()) == pytest.approx(weights / whole)
    assert ("%" in drawn.ax_.texts[0].get_text()) == (normalize is not None)


def test_labels_have_a_matrix_each():
    e = results()["several labels"]
    shown = figures(e, "confusion")
    assert [one.panel for one in shown] == [str(label) for label in e.classes]
    for one_label, c in zip(shown, e.class_counts.values(), strict=True):
        cells = one_label.cells
        assert cells.shares[0].tolist() == [c.tp / (c.fn + c.tp), c.fn / (c.fn + c.tp)]
        assert cells.rows == ("with", "without")
        assert cells.text(1, 0).startswith(f"{c.fp:g}\n")
    second = list(e.classes)[1]
    assert figure(e, "confusion", classes=second).title == f"Confusion matrix of {second}"
    with refuses("unknown-name", "'x'", argument="classes"):
        e.plot("confusion", classes="x")


def test_text_page_and_picture_have_one_orientation():
    """Rows actual, columns predicted, the positive class first."""
    e = one()
    rows = [line.split() for line in str(e.two_by_two).splitlines()[2:4]]
    cells = e.plot("confusion").figures[0].cells
    drawn = cells.numbers.astype(int).tolist()
    assert [[int(cell) for cell in row[2:4]] for row in rows] == drawn
    assert [tuple(row[:2]) for row in rows] == [("actual", label) for label in cells.rows]
    html = e.two_by_two._repr_html_()
    assert html.index("predicted ill") < html.index("predicted well") < html.index("actual ill")
    assert html.index("actual ill") < html.index("actual well")


def test_models_have_a_panel_each_where_they_cannot_be_overlaid():
    display = models().plot("confusion")
    assert [ax.get_title("left") for ax in display.axes_] == ["old", "new", "third"]
    assert len(display.figure_.axes) == 3


def test_reliability_has_bins_a_smooth_curve_and_a_histogram():
    display = one().plot("reliability", bins=5)
    panel, curve = display.figures[0], one().curve("reliability", bins=5)
    (dots,) = panel.of("points")
    assert [dots.x.tolist(), dots.y.tolist()] == [curve.x.tolist(), curve.y.tolist()]
    assert [dots.low.tolist(), dots.high.tolist()] == [one.tolist() for one in curve.band]
    up, down = panel.below.of("bars")
    assert (up.y.sum(), down.y.sum()) == (30, -60)
    assert legend_of(display.ax_) == [
        "calibrated", "smooth curve (local lines)", f"{len(curve)} bins with 95% intervals",
        "positive (n = 30)", "negative (n = 60)",
    ]  # fmt: skip
    assert f"ECE {one()['expected_calibration_error'].value:.3f}" in (display.figures[0].heading)


def test_a_calibration_draws_its_bins_and_of_classes_the_highest_probabilities():
    found = tm.calibration(one(), bins=4)
    (dots,) = found.plot().figures[0].of("points")
    assert dots.x.tolist() == found.curve().x.tolist()
    of_classes = tm.calibration(classes()).plot()
    assert of_classes.figures[0].title == "Reliability of the highest probabilities"
    assert "Top-label ECE" in of_classes.figures[0].heading


def test_distributions_have_area_one_and_the_threshold():
    display = one().plot("density", bins=12)
    positive, negative, rule = display.figures[0].series
    for bars in (positive, negative):
        assert len(bars.y) == 12
        assert (bars.y * np.diff(bars.x)).sum() == pytest.approx(1)
    assert rule.x == 0.5
    assert legend_of(display.ax_) == ["positive (ill), n = 30", "negative (well), n = 60", "threshold 0.5"]
    counted = np.histogram(SCORE[ILL], positive.x)[0] / 30 / np.diff(positive.x)
    assert positive.y.tolist() == pytest.approx(counted.tolist())


@for_each("at", [0.2, 0.45, 0.5, 0.777])
def test_measures_against_the_threshold_are_those_at_each_threshold(at):
    display = one().plot("thresholds")
    shown = lines_of(display.ax_)
    there = one().at(at)
    values = {
        "Precision": "precision",
        "Sensitivity": "sensitivity",
        "Specificity": "specificity",
        "F1": "f1",
    }
    for label, name in {**values, "Share predicted positive": "predicted_prevalence"}.items():
        x, y = (np.asarray(part) for part in shown[label].get_data())
        assert shown[label].get_drawstyle() == "steps-post"
        held = y[np.flatnonzero(x >= at)[-1]]  # thresholds fall, and each holds down to the next
        assert held == pytest.approx(there[name].value)


def test_a_chosen_threshold_shows_its_interval():
    found = results()["threshold"]
    stretch = found.plot().figures[0].series[0]
    assert (stretch.low, stretch.high) == found.interval
    assert found.plot().figures[0].facts[1] == f"threshold by {found.rule.text}"


# Forests
# --------------------------------------------------------------------------------------------------


def ranges(panel):
    dots = next(one for one in panel.of("points") if one.across)
    return [part.tolist() for part in (dots.x, dots.low, dots.high)]


def estimates(found):
    return [[getattr(one, end) for one in found] for end in ("value", "low", "high")]


def test_a_forest_of_measures():
    display = one().plot("forest", measures=["f1", "roc_auc"])
    assert ranges(display.figures[0]) == estimates([one()["f1"], one()["roc_auc"]])
    assert display.figures[0].rows == ("F1", "ROC AUC")
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == ["F1", "ROC AUC"]
    assert display.ax_.texts[1].get_text().startswith(f"{one()['roc_auc'].value:.3f} ")
    assert "Calibration slope" not in figure(one(), "forest").rows


def test_a_forest_of_models_has_a_panel_for_each_measure():
    display = models().plot("forest", measures=["roc_auc", "f1"])
    for panel, name in zip(display.figures, ("roc_auc", "f1"), strict=True):
        assert panel.rows == ("old", "new", "third")
        assert ranges(panel) == estimates([e[name] for e in models().values()])
    assert [ax.get_xlabel() for ax in display.axes_] == ["ROC AUC", "F1"]


def test_a_forest_of_classes():
    display = classes().plot("forest", classes=["c", "a"])
    assert display.figures[0].rows == ("c (n = 30)", "a (n = 30)")
    found = [classes().classes[label]["sensitivity"] for label in "ca"]
    assert ranges(display.figures[0]) == estimates(found)
    with refuses("unknown-name", "'x'", argument="classes"):
        classes().plot("forest", classes=["x"])


def test_the_lowest_of_many_classes_are_shown():
    labels = np.arange(60).astype(str)
    truth = np.repeat(labels, 3)
    guessed = np.where(np.arange(180) < 60, np.roll(truth, 1), truth)
    shown = figure(tm.evaluate(truth=truth, predicted=guessed), "forest")
    assert len(shown.rows) == 40
    assert "the 40 lowest of 60 classes" in shown.facts


# Comparisons and amounts
# --------------------------------------------------------------------------------------------------


def test_differences_have_intervals_p_values_and_the_margin():
    display = compared().plot()
    panel = display.figures[0]
    assert display.figures[0].title == "Differences: new - old"
    assert ranges(panel) == estimates(compared().differences)
    assert sorted(one.x for one in panel.of("upright")) == [-0.1, 0.0, 0.1]
    assert legend_of(display.ax_) == ["margin 0.1"]
    assert all(text.get_text().startswith("p ") for text in display.ax_.texts)


def test_pairs_of_models_are_rows():
    panel = several().plot().figures[0]
    assert panel.rows == ("new - old", "third - old")
    assert panel.x.title == "difference of ROC AUC"


def test_confidence_curves():
    display = compared().plot("confidence", measures="roc_auc")
    curve = compared().confidence_curve("roc_auc").simplify()
    (line,) = series_of(display.figures[0])
    assert [line.x.tolist(), line.y.tolist()] == [curve.x.tolist(), curve.y.tolist()]
    assert display.ax_.get_xlabel() == "difference of ROC AUC, new - old"
    assert display.figures[0].of("upright")[0].x == 0
    assert display.figures[0].of("level")[0].y == pytest.approx(0.05)
    assert len(lines_of(several().plot("confidence").ax_, "new - old", "third - old")) == 2


def test_the_difference_of_decision_curves():
    display = compared().plot("decision_difference", band=None)
    line = series_of(display.figures[0])[0]
    assert line.label == "new - old"
    for place, at in enumerate(line.x):
        just_above = place + 1 < len(line.x) and line.x[place + 1] == at  # a jump: at it comes after
        called = [one > at if just_above else one >= at for one in (SCORE, OTHER)]
        new, old = (np.mean(ILL & one) - np.mean(~ILL & one) * at / (1 - at) for one in called)
        assert line.y[place] == pytest.approx(new - old, abs=1e-9), at
    curve = compared().curve("decision", band="pointwise")
    fine = curve.joined()
    for side in (0, 1):
        low = dict(zip(fine.x.tolist(), fine.band[side].tolist(), strict=True))
        assert [low[x] for x in curve.x.tolist()] == pytest.approx(curve.band[side])
    with refuses("unsupported", argument="band"):
        compared().plot("decision_difference", band="kolmogorov-smirnov")


def test_a_comparison_overlays_the_curves_of_its_models():
    assert len(lines_of(compared().plot("roc", band=None).ax_, "old", "new")) == 2


def test_amounts_are_drawn_against_each_other_and_as_residuals():
    e = amounts()
    points = e.plot().figures[0].series[1]
    pairs = np.unique(np.stack([OTHER, SCORE], axis=1).round(5), axis=0)
    drawn = np.unique((np.stack([points.x, points.y], axis=1) / 10).round(5), axis=0)
    assert drawn == pytest.approx(pairs)
    assert "R2" in points.label
    assert "Root mean squared error" in points.label
    display = e.plot("residuals")
    rest, zero, mean, low, high = display.figures[0].series
    assert rest.y.tolist() == e.residuals.error.tolist()
    assert (zero.y, mean.y) == (0.0, e["mean_error"].value)
    inside = (e.residuals.error >= low.y) & (e.residuals.error <= high.y)
    assert e.residuals.weight[inside].sum() / N == pytest.approx(0.95, abs=0.03)
    assert display.ax_.get_ylabel() == "predicted - actual"


def test_many_amounts_are_counted_on_a_grid():
    random = np.random.default_rng(1)
    truth, guessed = random.random(6000), random.random(6000)
    e = tm.evaluate(truth=truth, predicted=guessed, regression=True)
    for kind, height in (("predicted", truth), ("residuals", guessed - truth)):
        (tiles,) = figure(e, kind).of("grid")
        counted = np.histogram2d(guessed, height, [tiles.x, tiles.y])[0]
        assert tiles.low.tolist() == counted.tolist()
        assert tiles.low.sum() == 6000
        mesh = e.plot(kind).ax_.collections[0]
        assert np.nansum(np.ma.filled(mesh.get_array(), 0)) == 6000


# What is drawn of what, and what is not
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each("name", results)
def test_every_kind_of_every_result_is_drawn_or_needs_scores(name):
    result = results()[name]
    kinds = list(kinds_for(result))
    assert kinds
    for kind in kinds:
        if name in ("labels", "labels of classes") and kind not in ("confusion", "forest"):
            with refuses("unsupported", "score"):
                result.plot(kind)
            continue
        if kind == "pairs":  # of few cases
            with refuses("unsupported", "40", argument="pairs"):
                result.plot(kind)
            continue
        display = result.plot(kind)
        display.figure_.canvas.draw()
        assert display.ax_ is display.axes_[0]
        assert display.figures[0].name == kind
        plt.close("all")


@for_each("name", results)
def test_every_result_has_a_usual_figure(name):
    usual = {
        "two classes": "roc", "labels": "confusion", "models": "roc", "classes": "confusion",
        "labels of classes": "confusion", "several labels": "forest", "amounts": "predicted",
        "comparison": "differences", "calibration": "reliability", "calibration of classes": "reliability",
        "threshold": "thresholds",
    }  # fmt: skip
    assert figure(results()[name]).name == usual[name]


REFUSED = {
    "a misspelling": (lambda: one().plot("rok"), "'rok' is not a figure (did you mean 'roc'?)"),
    "no name": (lambda: one().plot(3), "kind: 3 is not a figure"),
    "of amounts": (
        lambda: one().plot("residuals"),
        "'residuals' is a figure of amounts; here is an evaluation of two classes; there are roc",
    ),
    "of scores": (lambda: results()["labels"].plot("roc"), "'roc' needs scores; there are only labels"),
    "of two classes": (
        lambda: amounts().plot("roc"),
        "here is an evaluation of amounts; there are forest, predicted, residuals",
    ),
    "of probabilities": (lambda: nine_times().plot("reliability"), "needs probabilities"),
    "an option of others": (
        lambda: one().plot("roc", bins=3),
        "bins: the figure 'roc' takes no such option; it takes band, classes, level, ties",
    ),
    "several panels": (lambda: models().plot("density", ax=3), "'density' has 3 panels here"),
    "no axes": (lambda: one().plot("roc", ax=3, band=None), "it is not an Axes of matplotlib"),
    "not compared": (lambda: compared().plot(measures="mcc"), "'mcc' is not compared here"),
    "a wrong argument": (lambda: one().plot("roc", axes=3), "no argument of this name"),
    "a wrong ending": (
        lambda: one().plot("roc", band=None).save("x.jpg"),
        "must end in .png, .svg or .pdf",
    ),
}


def nine_times():
    return tm.evaluate(truth=ILL, score=SCORE * 9)


@for_each("name", REFUSED)
def test_what_cannot_be_drawn_is_refused(name):
    call, said = REFUSED[name]
    with pytest.raises(InputError) as refused:
        call()
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with refuses("not-installed", "'tallymark[plot]'", argument="plot"):
        one().plot("roc", band=None)


@pytest.mark.full
def test_a_figure_is_saved_the_same_each_time(tmp_path):
    for ending in ("svg", "png", "pdf"):
        paths = [tmp_path / f"{i}.{ending}" for i in range(2)]
        for path in paths:
            one().plot("roc", band=None).save(path)
        assert paths[0].read_bytes() == paths[1].read_bytes()
        assert paths[0].stat().st_size > 1000


def test_the_display_is_drawn_on_given_axes():
    figure, axes = plt.subplots(1, 2)
    display = one().plot("roc", ax=axes[1], band=None, name="mine")
    assert (display.ax_, display.axes_, display.figure_) == (axes[1], (axes[1],), figure)
    assert legend_of(axes[1]) == [f"mine (AUC {one()['roc_auc'].value:.2f})"]
    assert repr(display) == "<Display of roc: 1 panel>"
    assert not axes[0].lines


# Given axes
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["tight", "constrained"])
@pytest.mark.parametrize(("shape", "size"), [((2, 3), (12, 7.5)), ((1, 3), (10, 3.4))])
def test_several_figures_stand_side_by_side(layout, shape, size):
    shown, axes = plt.subplots(*shape, figsize=size, layout=layout)
    kinds = ["roc", "reliability", "confusion", "pr", "decision", "density"]
    for ax, kind in zip(axes.flat, kinds, strict=False):
        one().plot(kind, ax=ax)
        assert "\n" not in ax.get_title()
        assert not ax.get_title("left")
        assert len(shown.axes) == axes.size  # no colour bar, no strip
    shown.draw_without_rendering()
    reach = [ax.get_tightbbox() for ax in axes.flat]  # with titles and legends
    assert not any(one.overlaps(other) for one, other in combinations(reach, 2))
    for ax in axes.flat:
        frame, legend = ax.get_window_extent(), ax.get_legend()
        assert legend is None or frame.padded(1).fully_containsx(legend.get_window_extent().x0)
        assert legend is None or frame.padded(1).fully_containsx(legend.get_window_extent().x1)
        assert min(frame.width, frame.height) > 150
    reliability = axes.flat[1].child_axes[0]
    assert reliability.patches[0].get_data().values.sum() == N


def test_overlaid_models_cycle_colours_and_share_the_baseline():
    _, ax = plt.subplots()
    for name, e in models().items():
        e.plot("roc", ax=ax, name=name)
    lines = lines_of(ax)
    assert [*lines] == legend_of(ax) == [f"{n} (AUC {e['roc_auc'].value:.2f})" for n, e in models().items()]
    cycle = plt.rcParams["axes.prop_cycle"].by_key()["color"]
    assert [line.get_color() for line in lines.values()] == cycle[:3]
    diagonal = [line for line in ax.get_lines() if data_of(line) == [[0, 1], [0, 1]]]
    assert len(diagonal) == 1
    assert sum(one.get_label() == "_band" for one in ax.collections) == 2  # none from the third on


def test_the_title_the_legend_and_the_colour_can_be_set():
    _, ax = plt.subplots()
    one().plot("roc", ax=ax, title="Mine", legend=False, color="crimson")
    assert (ax.get_title(), ax.get_legend()) == ("Mine", None)
    assert "crimson" in [line.get_color() for line in ax.get_lines()]
    one().plot("roc", ax=plt.subplots()[1], title="", legend="full")
    assert plt.gca().get_title() == ""
    assert legend_of(plt.gca())[0] == "guessing"
    colours = [
        line.get_color() for line in lines_of(models().plot("roc", color=["r", "g", "b"]).ax_).values()
    ]
    assert colours[-3:] == ["r", "g", "b"]
    assert len(one().plot("confusion", colorbar=False).figure_.axes) == 1
    _, ax = plt.subplots()
    one().plot("confusion", ax=ax, colorbar=True)
    assert len(ax.figure.axes) == 2


def test_a_comparison_of_five_models_is_drawn_on_given_axes():
    score = {f"m{i}": np.clip(SCORE + i * 0.1 * RNG.random(N), 0, 1) for i in range(5)}
    found = tm.compare(truth=TRUTH, score=score, positive="ill", measures=["roc_auc", "brier_score"])
    _, ax = plt.subplots()
    found.plot(ax=ax)
    assert ax.get_xlabel() == "difference of ROC AUC"
    assert len(ax.get_yticklabels()) == 4
    assert not ax.texts  # p-values would lie outside


def test_a_bootstrap_draws_its_resamples():
    found = tm.bootstrap(truth=ILL, score=SCORE, measures=["roc_auc", "brier_score"], replicates=200)
    for shown, name in zip(found.plot().figures, found, strict=True):
        (bars,) = shown.of("bars")
        assert bars.y.sum() == np.isfinite(found.replicates(name)).sum() == 200
        one_estimate = found[name]
        ends = [rule.x for rule in shown.of("upright")]
        assert ends == [one_estimate.value, one_estimate.low, one_estimate.high]


# Pages
# --------------------------------------------------------------------------------------------------


def on_page(result, *only):
    return [one.name for one in document(result).figures(only)]


def test_documents_have_the_figures_that_the_data_allow():
    found = results()
    assert on_page(found["labels"]) == []  # a table shows the matrix
    assert on_page(found["classes"]) == ["roc"]  # tables show the matrix and the classes
    assert on_page(found["amounts"]) == ["predicted", "residuals"]
    assert on_page(found["threshold"]) == ["rule", "thresholds"]
    assert on_page(found["calibration"]) == ["reliability"]
    assert on_page(one(), "roc", "decision") == ["roc", "decision"]
    assert on_page(nine_times(), "pr", "reliability_equal_mass") == ["pr"]
    assert on_page(tm.evaluate(truth=np.ones(9, int), score=SCORE[:9])) == []


def test_pages_overlay_the_best_eight_models_and_the_worst_classes():
    score = {f"m{i}": np.where(np.arange(N) < 6 * i, 0.5, SCORE) for i in range(10)}
    many = tm.evaluate(truth=ILL, score=score)
    (shown,) = document(many).figures(["roc"])
    best = sorted(many, key=lambda name: -many[name]["roc_auc"].value)[:8]
    assert [line.name for line in shown.of("line") if line.look is not None] == sorted(best)
    ten = RNG.integers(0, 10, 300).astype(str)
    scores = RNG.dirichlet(np.ones(10), 300) + np.linspace(0, 1, 10) * (
        ten[:, None] == np.arange(10).astype(str)
    )
    e = tm.evaluate(
        truth=ten, score=scores / scores.sum(axis=1, keepdims=True), classes=[*map(str, range(10))]
    )
    (shown,) = document(e).figures(["roc"])
    area = {str(i): e.one_vs_rest(str(i))["roc_auc"].value for i in range(10)}
    names = [line.name.split(" (n")[0] for line in shown.of("line") if line.look is not None]
    assert {*names} == {*sorted(area, key=area.get)[:8]}


def test_the_rule_is_drawn_with_its_threshold():
    found = tm.choose_threshold(
        truth=TRUTH, score=SCORE, positive="ill", rule="cost", cost_fp=1, cost_fn=3, replicates=50
    )
    shown = figure(found, "rule")
    (line,), (dot,) = shown.of("line"), shown.of("points")
    assert line.y.min() == pytest.approx(dot.y[0])
    assert dot.x[0] == found.threshold
    assert dot.y[0] == pytest.approx(found.evaluation["expected_cost"].value)


def test_of_many_groups_the_lowest_and_the_highest_are_shown():
    site = np.repeat([f"s{i:02}" for i in range(45)], 2)
    by = tm.evaluate(truth=np.tile([1, 0], 45), score=SCORE, by=site)
    (shown,) = by.plot("forest", measures="accuracy").figures
    values = shown.of("points")[0].x
    assert len(values) == 30
    assert "the 20 lowest and the 10 highest of 45" in shown.facts
    every = sorted(e["accuracy"].value for e in by.values())
    assert values.tolist() == [*every[:20], *every[-10:]]
    assert by.whole["accuracy"].value in [rule.x for rule in shown.of("upright")]
