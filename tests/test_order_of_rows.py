"""A permutation of the rows changes no result, resamples included: the cases are drawn in an order of their
own. Sums over the cases may differ in their rounding."""

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses

from tallymark import bootstrap, check, choose_threshold, compare, evaluate

N = 60
random = np.random.default_rng(3)
Y = random.integers(0, 2, N)
A, B, C = (np.clip(random.normal(0.3 + 0.3 * Y, 0.3), 0, 1).round(digits) for digits in (1, 2, 15))
MIRRORED = A[::-1].copy()
WEIGHTS = {
    "no weights": {},
    "counts": {"weight": random.integers(0, 4, N)},
    "importance": {"weight": random.random(N).round(2)},
}
GROUPS = {
    "cases": {},
    "clusters": {"clusters": random.integers(0, 20, N)},
    "named clusters": {"clusters": random.choice(list("abcdefgh"), N)},
}
SITE = random.choice(["north", "south"], N)
FEW = {"replicates": 100}
METHODS = ("percentile", "basic", "bca", "studentised")


def taken(given, rows):
    """The same with the rows in another order; options stay as they are."""
    if isinstance(given, dict):
        return {name: taken(value, rows) for name, value in given.items()}
    return given[rows] if isinstance(given, np.ndarray) and len(given) == N else given


# Relative, as docs/decisions/sums-do-not-depend-on-the-order-of-rows.md states
ROUNDING = 1e-12
# Intervals and tests of differences of measures of counts (accuracy, specificity, f1) with weights or
# clusters use numerical derivatives by the counts: their relative step of 1e-5 turns the rounding of a
# value, 2e-16, into 2e-11 of a slope, and both models have one
OF_SLOPES = 4e-11
THROUGH_SLOPES = {"low", "high", "standard_error", "statistic", "p_value", "adjusted_p_value"}


def assert_no_order_matters(function, **given):
    rows = np.random.default_rng(5).permutation(N)
    assert_same(function(**given), function(**taken(given, rows)))


def assert_same(one, other, rounding=ROUNDING, difference=False):
    """The same but for the rounding of numbers."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            slopes = name in THROUGH_SLOPES and (difference or "p_value" in one)
            assert_same(
                one[name], other[name], OF_SLOPES if slopes else ROUNDING, difference=name == "difference"
            )
    elif isinstance(one, (list, tuple)):
        assert len(one) == len(other)
        for parts in zip(one, other, strict=True):
            assert_same(*parts, rounding)
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=rounding, abs=0, nan_ok=True)
    else:
        assert one == other


def of_bootstrap(**given):
    found = bootstrap(**given, **FEW)
    values = [found.replicates(name).tolist() for name in found]
    return values, [found.by(method).to_dict() for method in METHODS]


def test_few():
    assert_no_order_matters(of_bootstrap, truth=Y, score=A, **GROUPS["clusters"])
    assert_no_order_matters(of_bootstrap, truth=Y, score=A, **WEIGHTS["importance"])
    assert_no_order_matters(of_compare, **MODELS["two"], method="bootstrap")
    assert_no_order_matters(of_compare, **MODELS["sample"], method="bootstrap")
    assert_no_order_matters(of_check, truth=Y, score=A, **GROUPS["clusters"])


@pytest.mark.full
@for_each("resampling", ["bootstrap", "poisson-bootstrap"])
@for_each("weight", WEIGHTS.values(), ids=WEIGHTS)
@for_each("clusters", GROUPS.values(), ids=GROUPS)
def test_bootstrap(resampling, weight, clusters):
    for score in (A, C):
        assert_no_order_matters(
            of_bootstrap, truth=Y, score=score, resampling=resampling, threshold=0.5, **weight, **clusters
        )


def test_bootstrap_of_lower_scores():
    assert_no_order_matters(of_bootstrap, truth=Y, score=np.append(-A[:5], A[5:]), higher_is_positive=False)


def of_compare(**given):
    found = compare(**given, **FEW)
    return found.to_dict(), [notice.to_dict() for notice in found.notices]


MODELS = {
    "two": {"truth": Y, "score": {"a": A, "b": B}},
    "three": {"truth": Y, "score": {"a": A, "b": B, "c": C}, "reference": "all"},
    "labels": {"truth": Y, "predicted": {"a": A >= 0.5, "b": B >= 0.5}, "positive": 1},
    "classes": {"truth": Y + (A > 0.7), "predicted": {"a": 2 * B // 1, "b": 2 * C // 1}},
    "sample": {"truth": Y, "score": A, "sample": SITE},
}
MODELS["labels"]["predicted"] = {
    name: answers.astype(int) for name, answers in MODELS["labels"]["predicted"].items()
}


@in_part(3)
@for_each("models", MODELS.values(), ids=MODELS)
@for_each("weight", WEIGHTS.values(), ids=WEIGHTS)
@for_each("clusters", GROUPS.values(), ids=GROUPS)
@for_each("method", ["auto", "bootstrap", "permutation"])
def test_compare(models, weight, clusters, method):
    # these have no other method
    without = models is MODELS["classes"]
    if models is MODELS["sample"] and clusters and method != "auto":  # these have cases in several samples
        with refuses("unsupported", argument="method"):
            compare(**models, **weight, **clusters, method=method)
    elif method == "auto" or not without:
        assert_no_order_matters(of_compare, **models, **weight, **clusters, method=method)


def test_compare_models_of_the_same_scores_in_another_order_of_the_cases():
    """They are the same by what their tables hold of all scores."""
    assert_no_order_matters(
        of_compare, truth=np.tile([0, 1], N // 2), score={"a": A, "b": MIRRORED}, method="bootstrap"
    )


def test_the_order_of_the_models_only_turns_the_difference_round():
    scores = {"a": A, "b": B}
    one, other = (
        compare(truth=Y, score={name: scores[name] for name in names}, method="bootstrap", **FEW)
        for names in ("ab", "ba")
    )
    for first, second in zip(one.differences, other.differences, strict=True):
        assert (first.low, first.high, first.p_value) == pytest.approx(
            (-second.high, -second.low, second.p_value), abs=1e-12
        )


def of_check(**given):
    return check(
        require=["roc_auc.low >= 0.5", "sensitivity.low >= 0.1 at specificity 0.5"], **given
    ).to_dict()


@in_part(3)
@for_each("weight", WEIGHTS.values(), ids=WEIGHTS)
@for_each("clusters", GROUPS.values(), ids=GROUPS)
def test_evaluate_and_check(weight, clusters):
    assert_no_order_matters(
        lambda **given: evaluate(**given).to_dict(), truth=Y, score=A, **weight, **clusters
    )
    assert_no_order_matters(of_check, truth=Y, score=A, **weight, **clusters)


@pytest.mark.full
@for_each("weight", WEIGHTS.values(), ids=WEIGHTS)
def test_bands_and_chosen_thresholds(weight):
    def of_choice(**given):
        found = choose_threshold(**given, rule="youden", replicates=50)
        return found.to_dict(), found.choice.thresholds.tolist()

    def of_bands(**given):
        found = [evaluate(**given).curve("roc", band=band) for band in ("pointwise", "simultaneous")]
        return [[np.asarray(limit).tolist() for limit in one.band] for one in found]

    assert_no_order_matters(of_choice, truth=Y, score=A, **weight)
    assert_no_order_matters(of_bands, truth=Y, score=A, **weight)


@for_each("kind", ["many scores", "ties", "skewed", "one score"])
def test_many_values_are_sorted_range_by_range(kind, monkeypatch):
    from tallymark.kernels import threads
    from tallymark.summaries import samples

    monkeypatch.setattr(threads, "processors", lambda: 5)
    monkeypatch.setattr(samples.kernels, "processors", lambda: 5)
    values = np.random.default_rng(4).normal(size=samples.FEWEST_IN_RANGES + 3)
    values = {"ties": values.round(1), "skewed": np.exp(30 * values), "one score": values * 0}.get(
        kind, values
    )
    order = samples.content_order(values, -np.arange(len(values)))
    np.testing.assert_array_equal(order, np.lexsort([-np.arange(len(values)), values]))
