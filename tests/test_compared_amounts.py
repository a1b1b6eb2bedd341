"""Models of predicted amounts on the same cases: Student's t of the differences of their losses."""

import json

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses
from scipy import stats

from tallymark import InputError, compare, evaluate
from tallymark.cli import main
from tallymark.measures.registry import find, get
from tallymark.summaries import Residuals

pd = pytest.importorskip("pandas")

RANDOM = np.random.default_rng(4)
N = 300
TRUTH = RANDOM.gamma(2.0, size=N).round(2)
ONE, OTHER = (np.round(TRUTH + RANDOM.normal(0, spread, N), 2) for spread in (0.5, 0.6))
MEASURES = [entry.name for entry in find(Residuals) if entry.name != "largest_error"]  # no interval
LOSSES = {
    "mean_squared_error": np.square,
    "mean_absolute_error": np.abs,
    "huber_loss": lambda error: np.where(np.abs(error) <= 1.35, error**2, 1.35 * (2 * np.abs(error) - 1.35)),
}


def compared(one=ONE, other=OTHER, truth=TRUTH, **given):
    return compare(
        truth=truth, predicted={"one": one, "other": other}, regression=True, **{"measures": MEASURES} | given
    )


def figures(found, measure):
    one = found[measure]
    return one.value, one.low, one.high, one.p_value, one.statistic, one.df


def test_the_usual_measures():
    found = compared(measures=None)
    assert (found.paired, found.models, found.measures) == (
        True,
        ("one", "other"),
        ("mean_squared_error", "mean_absolute_error"),
    )
    assert (found.tests, found.agreement) == ((), ())
    assert "design" not in found.to_dict()


@for_each("measure", LOSSES)
def test_the_standard_error_is_that_of_the_mean_of_the_differences(measure):
    apart = LOSSES[measure](OTHER - TRUTH) - LOSSES[measure](ONE - TRUTH)
    found = compared()[measure]
    assert found.value == pytest.approx(apart.mean(), rel=1e-9)
    assert found.standard_error == pytest.approx(stats.sem(apart), rel=1e-9)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(found.statistic), found.df), rel=1e-9)
    assert found.df < N - 1
    assert found.p_value > stats.ttest_1samp(apart, 0.0).pvalue
    assert found.models == tuple(
        evaluate(truth=TRUTH, predicted=one, regression=True)[measure] for one in (OTHER, ONE)
    )


@pytest.mark.full
@for_each("measure", MEASURES)
def test_intervals_are_those_of_a_bootstrap_of_cases(measure):
    rows = np.random.default_rng(0).integers(0, N, (1500, N))
    entry = get(measure, Residuals)
    values = [
        np.subtract(
            *(
                entry.function(Residuals.from_arrays(truth=TRUTH[row], predicted=one[row]))
                for one in (OTHER, ONE)
            )
        )
        for row in rows
    ]
    found = compared()[measure]
    assert found.standard_error == pytest.approx(np.std(values), rel=0.08)
    assert [found.low, found.high] == pytest.approx(
        np.quantile(values, [0.025, 0.975]), abs=0.15 * (found.high - found.low)
    )


@in_part(3, ("fast", "full"))
@for_each("measure", MEASURES)
def test_neither_the_order_of_rows_nor_that_of_models_matters(measure):
    order = RANDOM.permutation(N)
    turned = compare(
        truth=TRUTH[order],
        predicted={"other": OTHER[order], "one": ONE[order]},
        reference="one",
        regression=True,
        measures=MEASURES,
    )
    assert figures(turned, measure) == pytest.approx(figures(compared(), measure), rel=1e-12)


@in_part(3, ("fast", "full"))
@for_each("measure", MEASURES)
def test_a_count_of_two_is_the_row_twice(measure):
    count = np.arange(N) % 3
    rows = np.repeat(np.arange(N), count)
    assert figures(compared(weight=count, weight_kind="count"), measure) == figures(
        compared(ONE[rows], OTHER[rows], TRUTH[rows]), measure
    )


@in_part(3, ("fast", "full"))
@for_each("measure", MEASURES)
def test_the_scale_of_importance_weights_has_no_effect(measure):
    weight = np.random.default_rng(4).lognormal(size=N)
    found, scaled = (compared(weight=times * weight, weight_kind="importance") for times in (1.0, 4.0))
    assert figures(scaled, measure) == pytest.approx(figures(found, measure), rel=1e-9)
    assert found[measure].standard_error > compared()[measure].standard_error


def test_models_that_predict_alike():
    same = compared(other=ONE)["mean_squared_error"]
    assert (same.value, same.low, same.high, same.p_value) == (0, 0, 0, 1)
    equal = compared(other=ONE.copy())["mean_squared_error"]
    assert (equal.value, equal.p_value) == (0, 1)
    assert equal.low < 0 < equal.high
    assert [note.code for note in equal.estimate.notes] == ["few-differ"]
    turned = compared(other=2 * TRUTH - ONE)["mean_absolute_error"]  # as far off, on the other side
    assert turned.value == pytest.approx(0.0, abs=1e-12)
    assert turned.low < 0 < turned.high
    without = compared(one=TRUTH)["root_mean_squared_error"]
    assert without.low > 0


def test_from_frames_files_and_the_command_line(tmp_path, capsys):
    frame = pd.DataFrame({"price": TRUTH, "one": ONE, "other": OTHER})
    frame.to_csv(tmp_path / "x.csv", index=False)
    for data in (frame, str(tmp_path / "x.csv")):
        found = compare(data, truth="price", predicted=["one", "other"], regression=True, measures=MEASURES)
        assert all(figures(found, measure) == figures(compared(), measure) for measure in MEASURES)
    main(
        [
            "compare",
            str(tmp_path / "x.csv"),
            "--truth",
            "price",
            "--predicted",
            "one",
            "--predicted",
            "other",
            "--regression",
            "--json",
        ]
    )
    rows = json.loads(capsys.readouterr().out)["differences"]
    assert [row["value"] for row in rows] == [compared()[row["measure"]].value for row in rows]


def test_different_cases():
    half = N // 2
    lists = {"truth": [TRUTH[:half], TRUTH[half:]], "predicted": [ONE[:half], OTHER[half:]]}
    found = compare(**lists, paired=False, regression=True)
    kept = [
        evaluate(truth=truth, predicted=one, regression=True)
        for truth, one in zip(lists["truth"], lists["predicted"], strict=True)
    ]
    by_summary = compare(*kept, paired=False)
    site = np.repeat(["a", "b"], [half, N - half])
    by_column = compare(truth=TRUTH, predicted=np.r_[ONE[:half], OTHER[half:]], sample=site, regression=True)
    for measure in found.measures:
        assert figures(found, measure) == figures(by_summary, measure) == figures(by_column, measure)
    assert not found.paired


REFUSED = {
    "design": "case-control", "method": "bootstrap", "positive": 1,
    "threshold": 0.5,
    "classes": [0, 1], "score_kind": "logit", "higher_is_positive": False,
}  # fmt: skip


@for_each("argument", REFUSED)
def test_what_is_for_classes_is_refused(argument):
    with pytest.raises(InputError, match=f"^{argument}: .*leave (it|one of the two) out"):
        compared(**{argument: REFUSED[argument]})


def test_bad_input_is_refused():
    with refuses("conflict", "predicted=", "score=", argument="regression"):
        compare(truth=TRUTH, score=[ONE, OTHER], regression=True)
    with refuses("missing-value", "row 3", argument="predicted other"):
        compared(other=np.where(np.arange(N) == 3, np.nan, OTHER))
    with refuses("invalid-value", argument="predicted other"):
        compared(other=np.where(np.arange(N) == 3, np.inf, OTHER))
    with refuses("unsupported", "f1"):
        compared(measures=["f1"])
    with refuses("unsupported", argument="curve"):
        compared().curve("decision")


def test_few_cases_have_few_degrees_of_freedom():
    found = compared(ONE[:40], OTHER[:40], TRUTH[:40])["mean_squared_error"]
    assert found.df <= 39
    skewed = compared(ONE, np.where(np.arange(N) < 2, OTHER + 9, OTHER))["mean_squared_error"]
    assert skewed.df < 5


def test_amounts_are_not_compared_with_classes():
    amounts = evaluate(truth=[1.0, 2.0, 3.5], predicted=[1.5, 2.0, 3.0], regression=True)
    classes = evaluate(truth=[0, 1, 0, 1], score=[0.1, 0.9, 0.6, 0.4])
    with refuses("unsupported", argument="data"):
        compare(amounts, classes)
