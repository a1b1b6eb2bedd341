"""Ratios of two models: relative sensitivity, predictive values, likelihood ratios, losses."""

import numpy as np
import pytest
from scipy.stats import norm

import tallymark as tm

# cases by label and the answers of two tests: the example data of R's DTComPair
TABLE = {
    (0, 0, 0): 155, (0, 0, 1): 22, (0, 1, 0): 53, (0, 1, 1): 31,
    (1, 0, 0): 32, (1, 0, 1): 22, (1, 1, 0): 78, (1, 1, 1): 319,
}  # fmt: skip
MEASURES = (
    "sensitivity", "specificity", "false_positive_rate", "precision", "negative_predictive_value",
    "positive_likelihood_ratio", "negative_likelihood_ratio",
)  # fmt: skip


def paired(times=1):
    truth, one, two = np.repeat(np.array([*TABLE]), [times * n for n in TABLE.values()], axis=0).T
    return {"truth": truth, "predicted": {"y1": one, "y2": two}}


def ratio(name, n):
    """Of a measure of y2 to that of y1, from the numbers of cases in the cells of TABLE."""
    cells = np.array([*TABLE])
    values = []
    for test in (2, 1):
        of = {(d, y): n[(cells[:, 0] == d) & (cells[:, test] == y)].sum() for d in (0, 1) for y in (0, 1)}
        tpr, fpr = of[1, 1] / (of[1, 1] + of[1, 0]), of[0, 1] / (of[0, 1] + of[0, 0])
        values.append(
            {
                "sensitivity": tpr, "specificity": 1 - fpr, "false_positive_rate": fpr,
                "precision": of[1, 1] / (of[1, 1] + of[0, 1]),
                "negative_predictive_value": of[0, 0] / (of[0, 0] + of[1, 0]),
                "positive_likelihood_ratio": tpr / fpr,
                "negative_likelihood_ratio": (1 - tpr) / (1 - fpr),
            }[name]
        )  # fmt: skip
    return values[0] / values[1]


def test_relative_predictive_values_are_those_of_moskowitz_and_pepe():
    # R, DTComPair::pv.rpv(tab.paired(d, y1, y2, Paired1)): its documentation
    published = {
        "precision": (1.04860694, 0.01991247, 1.00847050, 1.09034078),
        "negative_predictive_value": (0.8536403, 0.03783679, 0.7926258, 0.9193516),
    }
    found = tm.compare(**paired(), scale="ratio", measures=list(published))
    for name, (value, error, low, high) in published.items():
        one = found[name]
        assert one.value == pytest.approx(value, rel=1e-6)
        assert (one.low, one.high) == pytest.approx((low, high), abs=0.002)
        assert one.statistic == pytest.approx(np.log(value) / error, rel=0.02)


@pytest.mark.parametrize("name", MEASURES)
def test_intervals_are_those_of_the_delta_method_on_the_logarithm(name):
    n = np.array([*TABLE.values()]) * 10.0
    step = 1e-4
    gradient = [
        (np.log(ratio(name, n + step * e)) - np.log(ratio(name, n - step * e))) / (2 * step)
        for e in np.eye(8)
    ]
    error = np.sqrt(gradient @ np.diag(n) @ gradient)  # ratios do not depend on the total
    value = ratio(name, n)
    one = tm.compare(**paired(10), scale="ratio", measures=name)[name]
    assert one.value == pytest.approx(value)
    assert np.log([one.low, one.high]) == pytest.approx(
        np.log(value) + norm.ppf([0.025, 0.975]) * error, rel=0.02
    )
    assert one.standard_error is None
    assert one.null == 1


def test_other_cases_add_the_variances_of_the_logarithms():
    given = paired(10)
    c = tm.compare(
        truth=[given["truth"]] * 2, predicted=given["predicted"], paired=False, scale="ratio",
        measures="positive_likelihood_ratio",
    )  # fmt: skip
    one = c["positive_likelihood_ratio"]
    alone = [e["positive_likelihood_ratio"] for e in c.evaluations.values()]
    widths = [np.log(e.high / e.low) for e in alone]
    assert np.log(one.high / one.low) == pytest.approx(np.hypot(*widths), rel=1e-3)
    assert one.value == pytest.approx(alone[1].value / alone[0].value)


def scores(n=300, seed=3):
    random = np.random.default_rng(seed)
    truth = random.random(n) < 0.3
    common = random.standard_normal(n) + 1.2 * truth - 1
    return truth, {name: 1 / (1 + np.exp(-common - random.standard_normal(n))) for name in "abc"}


def test_ratios_of_measures_of_scores_agree_with_the_bootstrap():
    truth, score = scores()
    given = {"truth": truth, "score": {name: score[name] for name in "ab"}, "scale": "ratio"}
    measures = ["roc_auc", "average_precision", "brier_score", "log_loss"]
    found, drawn = (tm.compare(**given, measures=measures, method=m) for m in ("auto", "bootstrap"))
    for name in measures:
        width = np.log(found[name].high / found[name].low)
        assert np.log(found[name].low / drawn[name].low) == pytest.approx(0, abs=0.15 * width)
        assert np.log(found[name].high / drawn[name].high) == pytest.approx(0, abs=0.15 * width)


def test_the_p_value_is_below_one_minus_the_level_where_the_interval_excludes_1():
    truth, score = scores()
    for one in tm.compare(truth=truth, score=score, scale="ratio", clusters=np.arange(300) // 3).differences:
        assert one.excludes_zero == (one.p_value < 0.05)
        assert one.p_at(one.low) == pytest.approx(0.05)
        x, p = one.curve.x, one.curve.y
        assert x[p.argmax()] == pytest.approx(one.value)


def test_the_best_of_several_by_ratios():
    truth, score = scores()
    found = tm.compare(truth=truth, score=score, scale="ratio", reference="best", measures="brier_score")
    assert all(one.value >= 1 and one.test.endswith("log-all-pairs") for one in found.differences)
    assert set(found.not_worse()) <= set("abc")


def test_a_value_of_0_has_no_ratio():
    truth = np.repeat([0, 1], 50)
    wrong = np.where(np.arange(100) % 10 == 0, 1 - truth, truth)
    given = {"truth": truth, "predicted": {"a": truth, "b": wrong}, "scale": "ratio"}
    found = tm.compare(**given, measures=["false_positive_rate", "positive_likelihood_ratio"])
    rate, likelihood = found.differences
    assert np.isnan(rate.value)
    assert rate.estimate.undefined.code == "no-ratio"
    assert "value of a is 0" in rate.estimate.undefined.text
    assert np.isnan(likelihood.value)
    assert "is inf" in likelihood.estimate.undefined.text


def test_the_same_column_has_the_ratio_1():
    truth, score = scores()
    a = score["a"]
    one = tm.compare(truth=truth, score={"a": a, "b": a}, scale="ratio", measures="roc_auc")["roc_auc"]
    assert (one.value, one.low, one.high, one.p_value) == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"measures": "cohen_kappa"}, "starts? at -1"),
        ({"method": "delong"}, "of differences"),
        ({"non_inferior_by": 0.1}, "margin"),
        ({"scale": "odds"}, "scale"),
    ],
)
def test_what_has_no_ratios_is_refused(options, words):
    truth, score = scores()
    with pytest.raises(tm.InputError, match=words):
        tm.compare(truth=truth, score=score, **{"scale": "ratio", **options})


def test_results_name_the_scale():
    truth, score = scores()
    found = tm.compare(truth=truth, score=score, scale="ratio", measures="sensitivity")
    assert [row["scale"] for row in found.table] == ["ratio", "ratio"]
    assert found.to_dict()["scale"] == found.to_dict()["differences"][0]["scale"] == found.scale == "ratio"
    text = str(tm.compare(truth=truth, score={"a": score["a"], "b": score["b"]}, scale="ratio"))
    assert text.startswith("ROC AUC, b / a")
    assert "scale" not in tm.compare(truth=truth, score=score).table[0]
