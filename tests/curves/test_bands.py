"""Bands of curves: against a bootstrap written out, other tools and theory; what has none; how often they
hold the true curve."""

import json
import math
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from drawn_tables import alike, over, table_of
from hypothesis import given, settings, strategies as st
from looping import for_each, in_part
from scipy.special import ndtr, ndtri
from scipy.stats import beta, kstwo
from strategies import cases

import tallymark
from tallymark import InputError, RankingTable
from tallymark.curves import AXES, CURVES, REGULAR, curve, kinds_of
from tallymark.inference import Settings, estimate_each, resampled
from tallymark.input.messages import Note
from tallymark.measures.families.decomposition import isotonic

RESAMPLED = ("roc", "pr", "pr_interpolated", "gain", "det", "det_linear", "lift")
WITH = [(name, kind) for name in (*CURVES, "sensitivity", "specificity", "f1") for kind in kinds_of(name)]
PROBABILITIES = np.array([0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 0.9, 0.95, 0.99])
every_band = for_each(("name", "kind"), WITH)
of_regions = for_each("name", RESAMPLED)


@pytest.fixture(autouse=True)
def fewer(monkeypatch):
    """Resamples, for speed, where a test does not ask how many it takes."""
    monkeypatch.setattr(resampled, "OUTSIDE", 50)
    monkeypatch.setattr(resampled, "FEWEST", 1000)


@cache
def sample(cases=200, distance=1.2, seed=1, rounded=False):
    random, truth = np.random.default_rng(seed), np.arange(cases) % 2
    score = random.normal(distance * truth)
    return table_of(truth, ndtr(np.round(2 * score) / 2 if rounded else score))


def banded(name, table, kind="pointwise", level=0.95, seed=0, **more):
    return curve(name, table, band=kind, settings=Settings(level=level, seed=seed), **more)


# What every band is
# ---------------------------------------------------------------------------------------------------


def check(found, plain):
    """Around the curve, within the range of its heights, on points in the same order, and the old ones are
    all there."""
    low, high = found.band
    assert low.shape == high.shape == found.x.shape
    # around what it should be
    there = ~np.isnan(found.y) & ~np.isnan(low) & (found.name != "reliability_isotonic")
    assert (low[there] <= found.y[there]).all()
    assert (high[there] >= found.y[there]).all()
    if (
        plain.y_name.split()[-1] in ("rate", "precision", "recall", "sensitivity", "specificity")
        and "deviate" not in plain.y_name
    ):
        assert np.nanmin(low) >= 0
        assert np.nanmax(high) <= 1
    assert (np.diff(found.threshold) <= 0).all() or not (np.diff(plain.threshold) <= 0).all()
    old = {*zip(plain.x.tolist(), plain.y.round(9).tolist(), plain.threshold.tolist(), strict=True)}
    new = {*zip(found.x.tolist(), found.y.round(9).tolist(), found.threshold.tolist(), strict=True)}
    assert {one for one in old if not np.isnan(one).any()} <= new
    if found.name == "lift":  # straight are the lines of the gain, lift times cases
        gain = np.interp(found.x, np.append(0, plain.x), np.append(0, plain.x * plain.y))
        assert found.x * found.y == pytest.approx(gain, rel=1e-9)
    else:
        assert found.area == pytest.approx(
            plain.area, rel=1e-9, nan_ok=True
        )  # a band does not change the curve


@pytest.mark.full
@every_band
@settings(max_examples=8)
@given(data=st.data())
def test_a_band_lies_around_its_curve(name, kind, data):
    truth, score = data.draw(cases(scores=PROBABILITIES))
    table = table_of(truth, score)
    found, plain = banded(name, table, kind), curve(name, table)
    if found.band is None:
        assert found.about.note in ("no band: there are no positives", "no band: there are no negatives")
        assert alike(found, plain)
        return
    check(found, plain)


@in_part(4)
@every_band
@for_each("rounded", [False, True])
def test_an_evaluation_puts_the_same_band(name, kind, rounded):
    table = sample(rounded=rounded)
    truth = np.repeat(np.tile([1, 0], len(table)), np.stack([table.positive, table.negative], 1).ravel())
    ev = tallymark.evaluate(
        truth=truth, score=np.repeat(table.score, table.positive + table.negative), level=0.9, rng=3
    )
    found = ev.curve(name, band=kind)
    again = banded(name, table, kind, level=0.9, seed=3)
    assert alike([*found, *found.band], [*again, *again.band])
    assert found.about == again.about
    assert found.about.level == 0.9
    assert ev.curve(name, band=kind, level=0.8).about.level == 0.8
    check(found, ev.curve(name))


@pytest.mark.full
@of_regions
@for_each("kind", ["pointwise", "simultaneous"])
def test_a_higher_level_a_wider_band_and_a_seed_the_same_band(name, kind):
    wide, narrow, again = (banded(name, sample(), kind, level) for level in (0.95, 0.7, 0.7))
    assert (wide.band[0] <= narrow.band[0]).all()
    assert (wide.band[1] >= narrow.band[1]).all()
    assert alike(again.band, narrow.band)
    assert not alike(banded(name, sample(), kind, 0.7, seed=1).band, narrow.band)


@in_part(6, ("fast", "full"))
@of_regions
def test_a_simultaneous_band_is_wider_than_a_pointwise_one_and_narrower_than_by_theory(name):
    kinds = kinds_of(name)
    width = {
        kind: np.subtract(*(np.clip(bound, -3, None) for bound in banded(name, sample(), kind).band[::-1]))
        for kind in kinds
    }
    assert (width["simultaneous"] >= width["pointwise"] - 1e-12).all()
    if name == "roc":
        assert width["kolmogorov-smirnov"].mean() > 1.2 * width["simultaneous"].mean()


@pytest.mark.full
@pytest.mark.parametrize("kind", ["pointwise", "simultaneous", "kolmogorov-smirnov"])
def test_det_is_roc_in_deviates_and_lift_is_gain_over_the_share_taken(kind):
    table = sample()
    roc, det = banded("roc", table, kind), banded("det", table, kind)
    for one, other in zip([roc.x, roc.y, *roc.band[::-1]], [det.x, det.y, *det.band], strict=True):
        rate = one if one is roc.x else 1 - one
        assert ndtr(other) == pytest.approx(rate, abs=1e-12)
    linear = banded("det_linear", table, kind)
    for one, other in zip([roc.y, *roc.band[::-1]], [linear.y, *linear.band], strict=True):
        assert other == pytest.approx(1 - one, abs=1e-12)
    assert linear.x.tolist() == roc.x.tolist()
    if kind in kinds_of("lift"):
        gain, lift = banded("gain", table, kind), banded("lift", table, kind)
        later = gain.x >= lift.x[0]
        factor = table.total / table.positives / gain.x[later]
        assert lift.x.tolist() == gain.x[later].tolist()
        at = np.isin(lift.x, table.sweep().tp + table.sweep().fp)  # a straight line between thresholds
        for one, other in zip([gain.y, *gain.band], [lift.y, *lift.band], strict=True):
            assert other[at] == pytest.approx((one[later] * factor)[at])


# Resampled bands
# ------------------------------------------------------------------------------------------------------


def by_hand(truth, score, x, replicates=4000):
    """Tpr where fpr = x in a Bayesian bootstrap case by case, with half a case of each class on either side,
    not sorted by us."""
    random, curves = np.random.default_rng(99), []
    truth, score = np.append(truth, [1, 1, 0, 0]), np.append(score, [99.0, -99.0] * 2)
    order = np.argsort(-score, kind="stable")
    ends = np.append(np.diff(score[order]) != 0, True)
    for _ in range(replicates):
        weight = np.array([random.gamma(0.5 if abs(at) == 99 else 1.0) for at in score])[order]
        tpr, fpr = (np.cumsum(weight * (truth[order] == label))[ends] for label in (1, 0))
        curves.append(np.interp(x, np.append(0, fpr / fpr[-1]), np.append(0, tpr / tpr[-1])))
    return np.array(curves)


@pytest.mark.full
@pytest.mark.parametrize("rounded", [False, True])
def test_a_bootstrap_written_out_gives_the_same(rounded, monkeypatch):
    """Inside the range, where the ends play no part: 2.5 % of its curves lie beyond a bound, +-0.35 % by
    chance of both."""
    monkeypatch.setattr(resampled, "FEWEST", 4000)
    random, x = np.random.default_rng(5), np.linspace(0.25, 0.65, 9)
    truth = np.arange(60) % 2
    score = random.normal(0.8 * truth)
    score = np.round(score) if rounded else score
    curves, found = by_hand(truth, score, x), banded("roc", table_of(truth, score))
    low, high = (np.interp(x, found.x, bound) for bound in found.band)
    assert (curves < low).mean(0) == pytest.approx(0.025, abs=0.012)
    assert (curves > high).mean(0) == pytest.approx(0.025, abs=0.012)


# pROC 1.18.0, set.seed(42); ci.se(roc, specificities=c(.5,.8,.9), boot.n=2000): 2.5 % and 97.5 % at those
# false positive rates.
PROC = {
    "calib1000": {0.5: (0.69786, 0.81818), 0.2: (0.44913, 0.59626), 0.1: (0.26738, 0.39305)},
    "below_chance": {0.5: (0.30645, 0.50538), 0.2: (0.07526, 0.20968), 0.1: (0.01613, 0.10215)},
}
DATA = json.loads((Path(__file__).parents[1] / "oracles" / "binary.json").read_text(encoding="utf-8"))[
    "datasets"
]


@pytest.mark.full
@pytest.mark.parametrize("name", PROC)
def test_proc_puts_the_same_bounds_around_a_sensitivity(name, monkeypatch):
    """A plain bootstrap of so many cases; bounds of 2,000 resamples are known to some hundredths of the width
    of .1 to .2."""
    monkeypatch.setattr(resampled, "FEWEST", 4000)
    found = banded("roc", table_of(np.array(DATA[name]["labels"]), np.array(DATA[name]["scores"])))
    for x, wanted in PROC[name].items():
        assert [np.interp(x, found.x, bound) for bound in found.band] == pytest.approx(wanted, abs=0.018)


def test_the_envelope_cuts_off_as_many_at_each_place_and_as_much_as_it_may():
    random = np.random.default_rng(0)
    low = np.cumsum(random.normal(size=(2000, 30)), axis=1)
    high = low + random.random((2000, 1))
    below, above, note = resampled.envelope(low, high, 0.9)
    assert note is None
    (beyond,) = {*(low < below).sum(0).tolist(), *(high > above).sum(0).tolist()}
    ordered = np.sort(low, 0), np.sort(high, 0)
    touching, more = (
        ((low <= ordered[0][cut]) | (high >= ordered[1][-1 - cut])).any(1).mean()
        for cut in (beyond, beyond + 1)
    )
    assert touching <= 0.1 < more
    assert beyond > 1


def test_a_column_of_one_value_makes_no_curve_extreme():
    lines = np.column_stack([np.zeros(200), np.arange(200.0), np.ones(200)])
    low, high, note = resampled.envelope(lines, lines, 0.9)
    assert (low.tolist(), high.tolist(), note) == ([0, 9, 1], [0, 190, 1], None)


@pytest.mark.parametrize("band", [resampled.pointwise, resampled.envelope])
def test_too_few_resamples_say_so(band):
    lines = np.random.default_rng(0).normal(size=(100, 5))
    assert band(lines, lines, 0.5)[2] is None
    assert (
        band(lines, lines, 0.999)[2].text
        == "perhaps too narrow: 100 resamples are too few for so high a level"
    )
    assert alike(band(lines, lines, 0.999)[:2], [lines.min(0), lines.max(0)]) or band is resampled.pointwise


def test_a_high_level_has_more_resamples(monkeypatch):
    monkeypatch.undo()
    assert [resampled.replicates(level) for level in (0.5, 0.9, 0.95, 0.99, 0.9999)] == [
        2000,
        2000,
        2000,
        10000,
        20000,
    ]


@pytest.mark.full
def test_many_scores_are_thinned_and_their_band_is_nearly_the_same(monkeypatch):
    table = sample(6000, seed=4)
    thinned = banded("roc", table)
    assert len(resampled.few_scores(table)) < 600 < len(table)
    monkeypatch.setattr(resampled, "MOST_SCORES", 10_000)
    whole = banded("roc", table)
    for x in (0.01, 0.1, 0.3, 0.7):
        of_thinned, of_whole = (
            [np.interp(x, found.x, bound) for bound in found.band] for found in (thinned, whole)
        )
        # chance: some 5 % each
        assert of_thinned == pytest.approx(of_whole, abs=0.15 * (of_whole[1] - of_whole[0]))


@pytest.mark.full
def test_a_very_large_table_is_thinned_to_a_number_of_scores():
    score = np.arange(3_000_000.0)[::-1]
    ones = np.ones(len(score), np.int64)
    assert (
        len(resampled.few_scores(RankingTable.of(score, ones, ones))) <= 1.1 * resampled.MOST_SCORES_OF_BANDS
    )


# By theory
# ------------------------------------------------------------------------------------------------------------


# Miller (1956), Table 1: the largest distance that 5 % of samples exceed.
@pytest.mark.parametrize(
    ("cases", "distance"), [(5, 0.56328), (10, 0.40925), (20, 0.29408), (40, 0.21012), (100, 0.13403)]
)
def test_kolmogorov_against_a_printed_table(cases, distance):
    assert resampled.kolmogorov(cases, 0.95) == pytest.approx(distance, abs=6e-6)
    assert kstwo.cdf(resampled.kolmogorov(cases, 0.95), cases) == pytest.approx(0.95)


def test_the_kolmogorov_smirnov_band_is_what_boxes_sweep():
    """Campbell's definition, threshold by threshold; on a table without ties the sides of the boxes are those
    of the band."""
    table, level = sample(60), 0.9
    found = banded("roc", table, "kolmogorov-smirnov", level)
    plain, (right, up) = (
        curve("roc", table),
        (kstwo.ppf(level**0.5, size) for size in (table.negatives, table.positives)),
    )
    for x in (0.0, 0.013, 0.25, 0.5, 0.77, 1.0):
        high = max([y + up for fpr, y in zip(plain.x, plain.y, strict=True) if fpr - right <= x], default=1.0)
        low = min([y - up for fpr, y in zip(plain.x, plain.y, strict=True) if fpr + right >= x], default=0.0)
        at = np.flatnonzero(found.x == x) if x in found.x else []
        bounds = (
            [np.interp(x, found.x, bound) for bound in found.band]
            if not len(at)
            else [bound[at[0]] for bound in found.band]
        )
        assert bounds[0] <= max(low, 0.0) + 0.02  # between the points that are drawn, straight lines
        assert bounds[0] == pytest.approx(max(low, 0.0), abs=0.04)
        assert bounds[1] == pytest.approx(min(high, 1.0), abs=0.04)


@pytest.mark.parametrize("name", ["sensitivity", "false_positive_rate"])
def test_a_rate_against_the_threshold_has_kolmogorovs_band(name):
    table = sample(80)
    found = banded(name, table, "simultaneous")
    cases = table.positives if name == "sensitivity" else table.negatives
    reach = kstwo.ppf(0.95, cases)
    assert found.band[0] == pytest.approx(np.maximum(found.y - reach, 0))
    assert found.band[1] == pytest.approx(np.minimum(found.y + reach, 1))
    assert found.about.method == "kolmogorov-smirnov"


def test_a_measure_against_the_threshold_has_its_own_interval_at_each():
    table = sample(50)
    found = banded("f1", table, level=0.9)
    for i, one in enumerate(estimate_each("f1", table.sweep(), Settings(level=0.9))):
        if one.has_interval:
            assert (found.band[0][i], found.band[1][i]) == pytest.approx((one.low, one.high))


def test_a_simultaneous_reliability_band_is_exact_and_sidaks():
    table = sample(300)
    found = banded("reliability", table, "simultaneous")
    bins = len(found)
    tail = (1 - 0.95 ** (1 / bins)) / 2
    sizes = np.array(
        [
            ((table.score > edge - 0.1) & (table.score <= edge)) @ (table.positive + table.negative)
            for edge in found.threshold
        ]
    )
    positives = found.y * sizes
    assert sizes.sum() == pytest.approx(300)
    assert found.band[0] == pytest.approx(np.nan_to_num(beta.ppf(tail, positives, sizes - positives + 1)))
    assert found.band[1] == pytest.approx(
        np.nan_to_num(beta.ppf(1 - tail, positives + 1, sizes - positives), nan=1.0)
    )
    assert (
        found.about.note == f"each of {bins} bins has an interval of level {0.95 ** (1 / bins):.6g} (Sidak)"
    )


def test_isotonic_fits_of_true_probabilities_lie_within_their_consistency_band():
    """Fits of other classes, drawn with the probabilities themselves, at 400 scores of which the band was
    made at 150."""
    random = np.random.default_rng(2)
    probability = np.sort(random.random(400))[::-1]
    table = RankingTable.from_arrays(truth=random.random(400) < probability, score=probability, positive=True)
    low, high = banded("reliability_isotonic", table, "simultaneous", level=0.9).band
    drawn = (random.random((1000, 400)) < probability).astype(float)
    fits = isotonic(table.of(table.score, drawn, 1 - drawn))
    fits = fits[:, ::-1]  # the curve is from the lowest score to the highest
    assert 0.87 < ((low <= fits) & (fits <= high)).all(1).mean() < 0.97
    assert ((np.diff(low) >= 0) & (np.diff(high) >= 0)).all()


# Where little is known
# ------------------------------------------------------------------------------------------------

PERFECT = table_of([1] * 20 + [0] * 20, np.arange(40)[::-1])
ONE_POSITIVE = table_of([0, 1, 0, 0, 0, 0], np.arange(6)[::-1])
CONSTANT = table_of([1] * 10 + [0] * 20, np.full(30, 0.5))


@pytest.mark.full
@for_each(("name", "kind"), [both for both in WITH if both[0] in RESAMPLED])
@for_each("table", [PERFECT, ONE_POSITIVE, CONSTANT], ids=["perfect", "one positive", "constant"])
def test_no_band_is_without_width(name, kind, table):
    found = banded(name, table, kind)
    width = (
        np.subtract(*(np.clip(bound, -5, 5) for bound in found.band[::-1]))
        if name == "det"
        else found.band[1] - found.band[0]
    )
    share = ndtr(found.x) if name == "det" else found.x / found.x[-1]
    inside = (share > 0.02) & (share < 0.98)
    assert (width[inside] > 0).all()


def test_perfect_separation_is_not_taken_for_certain(monkeypatch):
    """With none of 20 positives below a threshold, Jeffreys' bound of their share above is .883: 2.5 % of
    Beta(20.5, .5)."""
    monkeypatch.setattr(resampled, "FEWEST", 10_000)
    found = banded("roc", PERFECT.turned().turned())  # a table that keeps no band yet
    assert found.band[1].min() == 1.0
    assert beta.cdf(np.interp(0.5, found.x, found.band[0]), 20.5, 0.5) == pytest.approx(0.025, abs=0.005)


@for_each("label", [0, 1])
@for_each("name", [*RESAMPLED, "sensitivity"])
def test_one_class_has_no_band_but_a_reason(name, label):
    found = tallymark.evaluate(truth=[label] * 4, score=[0.1, 0.2, 0.3, 0.4], positive=1).curve(
        name, band="simultaneous"
    )
    missing = ["positives", "negatives"][label]
    assert found.band is None
    assert found.about.note == f"no band: there are no {missing}"
    facts = {"kind": "simultaneous", "level": 0.95, "method": None, "note": found.about.note}
    notes = [Note("no-cases-of-a-class", missing=missing).to_dict()]
    assert found.to_dict()["band"] == facts | {"design": "cohort", "weight_kind": None, "notes": notes}
    assert found.about.note in found._repr_svg_()


def test_weights_count_as_the_effective_number_of_cases():
    random = np.random.default_rng(3)
    truth, score, weight = random.integers(0, 2, 300), random.random(300), random.exponential(size=300)
    ev = tallymark.evaluate(truth=truth, score=score, weight=weight)
    plain = tallymark.evaluate(truth=truth, score=score)
    found, equal = (one.curve("gain", band="pointwise") for one in (ev, plain))
    sizes = [part.sum() ** 2 / (part**2).sum() for part in (weight[truth == 1], weight[truth == 0])]
    assert (
        found.about.note
        == "the weights count as {:.4g} positives and {:.4g} negatives of one weight".format(*sizes)
    )
    assert found.x[-1] == pytest.approx(weight.sum())
    width, other = (
        np.interp(0.5, one.x / one.x[-1], (one.band[1] - one.band[0]) / one.y[-1]) for one in (found, equal)
    )
    assert width / other == pytest.approx(math.sqrt(300 / ev.data.effective_rows), rel=0.12)


def test_few_cases_are_said_to_be():
    assert banded("roc", PERFECT).about.note == "wider than necessary: fewer than 30 cases in a class"
    assert banded("roc", sample()).about.note is None
    assert banded("roc", PERFECT, "kolmogorov-smirnov").about.note is None


@pytest.mark.parametrize("ties", ["optimistic", "pessimistic"])
def test_ties_broken_have_a_band_of_their_own(ties):
    table = sample(rounded=True)
    check(banded("roc", table, ties=ties), curve("roc", table, ties=ties))


def test_where_lower_means_positive_the_band_is_the_same():
    truth, score = np.arange(60) % 2, np.random.default_rng(1).random(60)
    one = tallymark.evaluate(truth=truth, score=score).curve("roc", band="pointwise")
    other = tallymark.evaluate(truth=truth, score=-score, higher_is_positive=False).curve(
        "roc", band="pointwise"
    )
    assert alike(one.band, other.band)
    assert other.threshold.tolist() == (0 - one.threshold).tolist()


# What a curve says of it
# ----------------------------------------------------------------------------------------------


def test_a_curve_says_what_its_band_is(tmp_path):
    plain = curve("roc", sample())
    found = banded("roc", sample(), "simultaneous", 0.9)
    facts = {"kind": "simultaneous", "level": 0.9, "method": "bayesian-bootstrap envelope", "note": None}
    facts |= {"design": "cohort", "weight_kind": None, "notes": []}
    assert repr(found).endswith(f"{len(found)} points, 90% simultaneous band)")
    assert found.to_dict()["band"] == facts
    found.save(tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["band"] == facts
    assert [*found.columns] == [*plain.columns, "low", "high"]
    assert "band" not in plain.to_dict()
    assert plain.about is plain.band is None


@pytest.mark.full
@every_band
def test_a_picture_names_the_band(name, kind):
    found = banded(name, sample(), kind)
    shown = found._repr_svg_()
    what = "consistency band" if name == "reliability_isotonic" else "band"
    assert f">95% {'pointwise' if kind == 'pointwise' else 'simultaneous'} {what}<" in shown
    assert shown.count('class="whisk' if found.dots else 'class="band') == 1
    assert 'class="band' not in curve(name, sample())._repr_svg_() or name.startswith("reliability")


@of_regions
def test_simplified_it_has_the_same_area_and_band(name):
    found = banded(name, sample(rounded=True))
    simple = found.simplify()
    assert len(simple) <= len(found)
    for one, other in zip(found.band, simple.band, strict=True):
        finite = np.isfinite(found.x) & np.isfinite(one)
        few = np.isfinite(simple.x) & np.isfinite(other)
        # where a line is vertical there are several heights
        new = np.append(True, found.x[1:] > found.x[:-1]) & finite
        last = np.append(simple.x[1:] > simple.x[:-1], True) & few
        assert np.interp(found.x[new], simple.x[last], other[last]) == pytest.approx(one[new], abs=1e-9)
    assert simple.about == found.about


ROC = "band: the curve 'cost' has no pointwise band; "


@for_each(
    ("name", "asked", "said"),
    [
        (
            "roc",
            {"band": "sidak"},
            "band: 'sidak' is not known; choose from pointwise, simultaneous, kolmogorov-smirnov.",
        ),
        ("roc", {"band": "simultanous"}, "did you mean 'simultaneous'?"),
        ("roc", {"band": True}, "band: True is not known"),
        (
            "cost",
            {"band": "pointwise"},
            "roc, det, det_linear, pr, pr_interpolated, gain, lift, decision, reliability, ",
        ),
        ("cost", {"band": "pointwise"}, "and any other measure of counts have one."),
        ("f1", {"band": "kolmogorov-smirnov"}, "band: the curve 'f1' has no kolmogorov-smirnov band; "),
        (
            "pr",
            {"band": "kolmogorov-smirnov"},
            "band: the curve 'pr' has no kolmogorov-smirnov band; roc, det, ",
        ),
        (
            "roc",
            {"band": "pointwise", "level": 1},
            "level: 1 does not lie between 0 and 1; for 95 % pass 0.95.",
        ),
        (
            "roc",
            {"band": "pointwise", "level": 1e-300},
            "level: 1e-300 is too near 0 for an interval; for 95 % pass 0.95.",
        ),
        ("reliability", {"band": "pointwise", "level": 95}, "level: 95 does not lie between 0 and 1"),
        ("roc", {"level": 0.9}, "level: the curve 'roc' has no such parameter"),
    ],
)
def test_what_cannot_be_asked_for(name, asked, said):
    ev = tallymark.evaluate(truth=[0, 1, 1, 0], score=[0.1, 0.3, 0.8, 0.4])
    with pytest.raises(InputError) as wrong:
        ev.curve(name, **asked)
    assert said in str(wrong.value)
    assert str(wrong.value).count(". ") == 0


# Coverage: more of it is in docs/coverage_bands.py
# ---------------------------------------------------------------------

SAMPLES, PLACES = 150, REGULAR[1:-1:2]  # a share of 95 % is known to 1.8 %, one of 98 % to 1.1 %
READ = [partial(AXES[name].read, PLACES) for name in ("roc", "pr", "gain")]


def heights(prior, distance):
    """ROC, precision-recall and gain of two normal groups."""
    limit = np.linspace(-9, 9 + distance, 20_001)[::-1]
    tpr, fpr = ndtr(distance - limit), ndtr(-limit)
    precision = over(prior * PLACES, prior * PLACES + (1 - prior) * np.interp(PLACES, tpr, fpr))
    return np.array(
        [ndtr(distance + ndtri(PLACES)), precision, np.interp(PLACES, prior * tpr + (1 - prior) * fpr, tpr)]
    )


def samples(size, prior, distance):
    random = np.random.default_rng(7)
    for _ in range(SAMPLES):
        truth = random.random(size) < prior
        yield table_of(truth.astype(int), random.normal(distance * truth))


def held(bounds, true):
    low, high, *_ = bounds
    return (low <= true) & (true <= high)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "prior", "distance"), [(80, 0.5, 1.2), (400, 0.1, 2.3)])
def test_coverage(size, prior, distance):
    true, pointwise, whole = heights(prior, distance), [], []
    for table in samples(size, prior, distance):
        lines = resampled.resampled(
            table, lambda *rates: np.stack([read(*rates) for read in READ], 1), 1000, 0
        )
        each = [[part[:, i] for part in lines] for i in range(len(READ))]
        pointwise.append([held(resampled.pointwise(*one, 0.95), true[i]) for i, one in enumerate(each)])
        whole.append([held(resampled.envelope(*one, 0.95), true[i]).all() for i, one in enumerate(each)])
    inner = (PLACES > 0.05) & (PLACES < 0.95)
    for one, other in zip(np.mean(pointwise, 0)[:, inner].mean(1), np.mean(whole, 0), strict=True):
        assert 0.93 < one < 0.99  # conservative, as docs/intervals.md says
        assert other > 0.93


@pytest.mark.full
def test_coverage_by_theory():
    true, read = heights(0.5, 1.2)[0], READ[0]
    inside = [
        held(resampled.kolmogorov_smirnov(table, read, 0.8), true).all() for table in samples(80, 0.5, 1.2)
    ]
    assert np.mean(inside) > 0.85


@for_each("name", ["f1", "precision", "accuracy", "sensitivity", "net_benefit"])
@for_each("grouped", [False, True])
def test_every_measure_has_a_simultaneous_band_around_its_pointwise_one(name, grouped):
    """With clusters, too, where it is not refused; at a threshold it is as wide as the interval there."""
    random = np.random.default_rng(4)
    truth = (np.arange(300) % 3 == 0).astype(int)
    score = 1 / (1 + np.exp(-random.normal(size=300) - 1.5 * truth))
    clusters = {"clusters": np.arange(300) // 3} if grouped else {}
    ev = tallymark.evaluate(truth=truth, score=score, threshold=0.6, **clusters)
    inner, outer = (ev.curve(name, band=kind) for kind in ("pointwise", "simultaneous"))
    widths = [np.nanmean(found.band[1] - found.band[0]) for found in (inner, outer)]
    assert 1.2 * widths[0] < widths[1] < 3 * widths[0]
    for found in (inner, outer):
        there = np.isfinite(found.y) & np.isfinite(found.band[0])
        assert (found.band[0] <= found.y + 1e-12)[there].all()
        assert (found.y <= found.band[1] + 1e-12)[there].all()
    one, at = ev[name], np.abs(inner.x - 0.6).argmin()
    if name != "net_benefit":
        width = inner.band[1][at] - inner.band[0][at]
        assert width == pytest.approx(one.high - one.low, rel=0.35)
