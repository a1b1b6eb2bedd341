"""Every measure on resamples is that measure on the cases repeated as often as they were drawn."""

import numpy as np
import pytest
from looping import for_each, in_part
from strategies import measures_of, name

from tallymark import Counts, RankingTable
from tallymark.inference import replicates as module
from tallymark.inference.interval import delong_variance
from tallymark.inference.replicates import Draws, Resampled, draws, replicates, standard_errors
from tallymark.measures.registry import get
from tallymark.summaries import LogitTable
from tallymark.summaries.samples import ScoredCases

ENTRIES = measures_of(RankingTable, Counts)
RANDOM = np.random.default_rng(1)
TRUTH = RANDOM.random(70) < 0.4
LOGIT = RANDOM.normal(size=70) + 1.5 * TRUTH - 0.7
SMOOTH = 1 / (1 + np.exp(-LOGIT))
WEIGHT = RANDOM.random(70) * 3
ENDS = np.clip(np.round(4 * SMOOTH - 0.5) / 3, 0, 1)  # few values, 0 and 1 among them


def cases_of(score, weight=None, kind=RankingTable, truth=TRUTH):
    return ScoredCases(truth, score, weight, kind)


DATA = {
    "no ties": (cases_of(SMOOTH), 0.5),
    "in order": (cases_of(np.sort(SMOOTH)[::-1].copy(), truth=TRUTH[np.argsort(-SMOOTH)]), 0.5),
    "ties": (cases_of(np.round(SMOOTH, 1)), 0.5),
    "ties at the ends": (cases_of(ENDS), 0.5),
    "single precision": (cases_of(np.round(SMOOTH, 1).astype(np.float32)), 0.7),
    "fractional weights": (cases_of(np.round(SMOOTH, 2), WEIGHT), 0.5),
    "fractional weights, no ties": (cases_of(SMOOTH, WEIGHT), 0.5),
    "logits": (cases_of(LOGIT, kind=LogitTable), 0.0),
    "logits far out": (cases_of(40 * np.round(LOGIT, 1), kind=LogitTable), 0.0),
    "logits, weighted": (cases_of(np.round(LOGIT, 1), WEIGHT, LogitTable), 0.0),
    "likelihood ratios": (cases_of(LOGIT), 0.0),
    "lower is positive": (cases_of(0.0 - np.round(LOGIT, 1), truth=~TRUTH), -0.1),
    "three cases": (cases_of(np.array([0.8, 0.3, 0.3]), truth=np.array([True, False, True])), 0.5),
    "one positive": (cases_of(np.round(SMOOTH, 1), truth=np.arange(70) == 3), 0.5),
}
each_case = for_each("case", DATA)


def fits(entry, cases):
    """Scores that are said to be something else serve as well: it is the same arithmetic."""
    return not entry.needs_probabilities or cases.table.in_unit_interval


def repeated(entry, cases, threshold, times, parameters=None, keeps_classes=False):
    """The measure of the rows themselves, each as often as it was drawn: NaN without cases.

    keeps_classes: the rows of each class are weighted so that they weigh as much as all cases of it.
    """
    truth, score = np.repeat(cases.positive, times), np.repeat(cases.score, times)
    weight = np.repeat(cases.weight, times)
    if keeps_classes and (cases.weight != 1).any():
        for one in (truth, ~truth):
            weight[one] *= cases.weight[cases.positive == truth[one][0]].sum() / weight[one].sum()
    table = (
        cases.kind.empty()
        if not len(truth)
        else cases.kind.from_arrays(truth=truth, score=score, weight=weight)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        one = table.counts_at(threshold) if entry.summary is Counts else table
        return float(entry.function(one, **(parameters or {})))


def close(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-11, equal_nan=True)


# Every measure
# ------------------------------------------------------------------------------------------------------


@in_part(3)
@each_case
def test_every_measure_is_that_of_the_repeated_rows(case):
    """Case-control resamples, in which each class keeps its weight, and resamples that may lose a class."""
    cases, threshold = DATA[case]
    entries = [entry for entry in ENTRIES if fits(entry, cases)]
    assert len(entries) > 60
    for how in (
        Draws(4, "case-control", seed=1),
        Draws(4, seed=2),
        Draws(3, resampling="poisson-bootstrap", seed=3),
    ):
        found = replicates([(entry, {}) for entry in entries], [cases], how, thresholds=[threshold])[0]
        times = np.concatenate(list(draws(how, cases.positive)))
        for entry, values in zip(entries, found, strict=True):
            wanted = [
                repeated(entry, cases, threshold, row, keeps_classes=how.keeps_classes) for row in times
            ]
            try:
                close(values, wanted)
            except AssertionError as wrong:
                raise AssertionError(f"{entry.name}, {how}: {wrong}") from None


SET = {
    "f_beta": {"beta": 0.5},
    "log_loss": {"base": 2.0, "clip": 0.01},
    "focal_loss": {"gamma": 1.0},
    "partial_auc": {"high": 0.4},
}
SET |= {
    "precision_at_k": {"k": 20},
    "expected_calibration_error": {"bins": 4},
    "sensitivity_at_specificity": {"specificity": 0.8},
}


@pytest.mark.parametrize("case", ["no ties", "ties", "fractional weights", "logits"])
def test_parameters_are_passed_on(case):
    cases, threshold = DATA[case]
    asked = [(get(measure), given) for measure, given in SET.items()]
    found = replicates(asked, [cases], Draws(5), thresholds=[threshold])[0]
    times = np.concatenate(list(draws(Draws(5), cases.positive)))
    for (entry, given), values in zip(asked, found, strict=True):
        close(values, [repeated(entry, cases, threshold, row, given) for row in times])
        usual = [repeated(entry, cases, threshold, row) for row in times]
        assert (np.abs(values - usual) > 1e-6).any(), entry.name


@for_each("entry", ENTRIES, ids=name)
def test_once_each_is_the_measure_itself(entry):
    cases, threshold = DATA["ties"]
    (found,) = Resampled(cases, [(entry, {})], threshold).measure(np.ones((1, 70), np.uint8))
    close(found, [repeated(entry, cases, threshold, np.ones(70, int))])


@for_each("entry", ENTRIES, ids=name)
def test_cases_never_drawn_leave_no_trace(entry):
    """The first and the last scores, and some between: as if they had not been there."""
    cases, threshold = DATA["ties at the ends"]
    times = np.ones((3, 70), np.uint8)
    times[0, cases.score == 1], times[1, cases.score == 0], times[2, ::3] = 0, 0, 0
    (found,) = Resampled(cases, [(entry, {})], threshold).measure(times)
    close(found, [repeated(entry, cases, threshold, row) for row in times])


@for_each("entry", ENTRIES, ids=name)
def test_a_lost_class_is_no_number_where_the_measure_needs_it(entry):
    cases, threshold = DATA["no ties"]
    times = np.stack([TRUTH, ~TRUTH, np.zeros(70, bool)]).astype(np.uint8)
    (found,) = Resampled(cases, [(entry, {})], threshold).measure(times)
    close(found, [repeated(entry, cases, threshold, row) for row in times])
    if entry.name in (
        "roc_auc",
        "kolmogorov_smirnov",
        "matthews_correlation",
        "equal_error_rate",
        "brier_skill_score",
    ):
        assert np.isnan(found).all()
    if entry.name in ("average_precision", "sensitivity"):
        assert np.isnan(found[1:]).all()
    assert np.isnan(found[2])


def test_large_data_are_measured_in_blocks_and_parts(monkeypatch):
    """More cases than a block and a part hold, with ties over their borders."""
    random = np.random.default_rng(2)
    truth = random.random(9000) < 0.3
    score = np.clip(np.round(random.normal(0.4 + 0.2 * truth, 0.2), 2), 0, 1)
    names = [
        "roc_auc",
        "average_precision",
        "kolmogorov_smirnov",
        "youden_j_max",
        "brier_score",
        "log_loss",
        "f1",
        "auch",
    ]
    asked = [(get(one), {}) for one in names]
    for given in (score, score + np.linspace(0, 1e-9, 9000)):
        cases = cases_of(np.clip(given, 0, 1), truth=truth)
        found = replicates(asked, [cases], Draws(3), thresholds=[0.5])[0]
        times = np.concatenate(list(draws(Draws(3), truth)))
        for (entry, _), values in zip(asked, found, strict=True):
            close(values, [repeated(entry, cases, 0.5, row) for row in times])
        with monkeypatch.context() as patched:
            patched.setattr(module, "CELLS_AT_ONCE", 2 * 9000)
            patched.setattr(module, "CASES_AT_ONCE", 1001)
            np.testing.assert_array_equal(replicates(asked, [cases], Draws(3), thresholds=[0.5])[0], found)


# Models in common draws
# ---------------------------------------------------------------------------------------------


def test_models_are_measured_on_the_same_draws():
    """So that the difference of a model from itself is 0 in every resample, and each is as it is alone."""
    one, other = cases_of(SMOOTH), cases_of(np.round(SMOOTH[::-1], 1))
    asked = [(get(measure), {}) for measure in ("roc_auc", "brier_score", "f1", "auch")]
    found = replicates(asked, [one, other, one], Draws(20), thresholds=[0.5, 0.3, 0.5])
    assert found.shape == (3, 4, 20)
    np.testing.assert_array_equal(found[0], found[2])
    for model, threshold, values in ((one, 0.5, found[0]), (other, 0.3, found[1])):
        np.testing.assert_array_equal(
            values, replicates(asked, [model], Draws(20), thresholds=[threshold])[0]
        )


def test_groups_and_threads():
    cases, groups = cases_of(np.round(SMOOTH, 1)), np.arange(70) // 5
    asked = [(get(measure), {}) for measure in ("roc_auc", "log_loss", "precision")]
    found = replicates(asked, [cases], Draws(10), thresholds=[0.5], clusters=groups)[0]
    times = np.concatenate(list(draws(Draws(10), TRUTH, groups)))
    assert (times.reshape(10, 14, 5) == times[:, ::5, None]).all()
    for (entry, _), values in zip(asked, found, strict=True):
        close(values, [repeated(entry, cases, 0.5, row) for row in times])
    other = replicates(asked, [cases], Draws(10, threads=3), thresholds=[0.5], clusters=groups)[0]
    np.testing.assert_array_equal(other, found)


# Standard errors and influences
# -------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["no ties", "ties", "single precision", "logits"])
def test_standard_errors_are_those_of_the_repeated_rows(case):
    cases, threshold = DATA[case]
    asked = [
        (get(measure), {}) for measure in ("roc_auc", "brier_score", "sensitivity", "precision", "f1", "auch")
    ]
    found = standard_errors(asked, cases, Draws(6), threshold)
    assert found.shape == (6, 7)
    assert np.isnan(found[4:]).all()
    times = np.concatenate([np.ones((1, 70), np.uint8), *draws(Draws(6), cases.positive)])
    for i, row in enumerate(times):
        truth, score = np.repeat(cases.positive, row), np.repeat(cases.score, row)
        assert found[0, i] == pytest.approx(
            delong_variance(RankingTable.from_arrays(truth=truth, score=score)) ** 0.5, rel=1e-9
        )
        p = 1 / (1 + np.exp(-score)) if cases.kind is LogitTable else score.astype(float)
        assert found[1, i] == pytest.approx(np.std((p - truth) ** 2, ddof=1) / 70**0.5, rel=1e-9)
        for j, (some, right) in (
            (2, (truth, score >= score.dtype.type(threshold))),
            (3, (score >= threshold, truth)),
        ):
            share = right[some].mean()
            assert found[j, i] == pytest.approx((share * (1 - share) / some.sum()) ** 0.5, rel=1e-9)


def test_no_standard_error_is_known_of_groups():
    cases = cases_of(SMOOTH)
    found = standard_errors([(get("roc_auc"), {})], cases, Draws(6), 0.5, np.arange(70) // 5)
    assert found.shape == (1, 7)
    assert np.isnan(found).all()
