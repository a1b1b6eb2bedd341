"""Comparisons of persons: variances by brute force over pairs of comparisons, what is stated of persons,
coverage, wrong input."""

from math import sqrt

import numpy as np
import pytest
from refusals import refuses
from scipy.stats import norm

import tallymark as tm
from tallymark import InputError, biometric
from tallymark.inference import Settings
from tallymark.inference.clustered import DependentCases
from tallymark.summaries.samples import ScoredCases


def all_against_all(persons, samples, seed, effect=0.6, mated=2.5):
    """Standard normal scores; comparisons of a person have a part in common, of the share `effect` of the
    variance."""
    random = np.random.default_rng(seed)
    person = np.repeat(np.arange(persons), samples)
    one, other = (person[end] for end in np.triu_indices(len(person), 1))
    same, own = one == other, random.normal(size=len(one))
    of_mated, of_other = random.normal(size=persons), random.normal(size=persons)
    shared = np.where(same, of_mated[one], (of_other[one] + of_other[other]) / sqrt(2))
    score = mated * same + sqrt(effect) * shared + sqrt(1 - effect) * own
    return {"truth": same.astype(int), "score": np.round(score, 4), "persons": (one, other)}


def linearised(given, limit):
    """Of the logit of the FMR at a threshold: the influence value of each comparison; and which comparisons
    share a person."""
    one, other = given["persons"]
    other_persons = given["truth"] == 0
    accepted = given["score"] >= limit
    rate = accepted[other_persons].mean()
    values = np.where(other_persons, (accepted - rate) / other_persons.sum(), 0.0) / (rate * (1 - rate))
    shares = np.array(
        [
            [a in (c, d) or b in (c, d) for c, d in zip(one, other, strict=True)]
            for a, b in zip(one, other, strict=True)
        ]
    )
    return rate, values, shares


def test_the_variance_by_brute_force_over_pairs_of_comparisons():
    """The sum over persons less that over pairs, against the sum over all pairs of comparisons that share a
    person; they differ by (P - 1) / P and by the leverage of a person."""
    given = all_against_all(14, 2, seed=1)
    rate, values, shares = linearised(given, 1.0)
    one, other = given["persons"]
    of_persons = [float(values[(one == p) | (other == p)].sum() ** 2) for p in range(14)]
    pair = [one * 100 + other == a * 100 + b for a in range(14) for b in range(a + 1, 14)]
    of_pairs = sum(float(values[some].sum() ** 2) for some in pair)
    # Aronow, Samii and Assenova (2015)
    assert sum(of_persons) - of_pairs == pytest.approx(float(values @ shares @ values))
    found = biometric(**given, threshold=1.0).at_threshold["FMR"]
    left_out = sqrt(13 / 14) / (1 - 2 / 14)  # a person is in 2 / P of the comparisons
    brute = rate * (1 - rate) * sqrt(values @ shares @ values)
    assert found.standard_error == pytest.approx(left_out * brute, rel=0.03)


def test_pairs_that_share_no_person_are_independent_comparisons():
    """Each person in one comparison only: the variance of independent comparisons, and Wilson's interval
    without an error."""
    random = np.random.default_rng(3)
    one = np.arange(400)
    other = np.where(one < 200, one, one + 400)
    truth, score = (one == other).astype(int), random.normal(size=400) + 1.5 * (one < 200)
    given = {"truth": truth, "score": score, "threshold": 1.0}
    by_persons, plain = biometric(**given, persons=(one, other)), biometric(**given)
    for name in ("roc_auc", "false_positive_rate", "false_negative_rate"):
        widths = [found[name].high - found[name].low for found in (by_persons, plain)]
        assert widths[0] == pytest.approx(widths[1], rel=0.12), name
    none = {**given, "threshold": 50.0}
    ours, theirs = (biometric(**none, **more).at_threshold["FMR"] for more in ({"persons": (one, other)}, {}))
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_no_false_match_is_bounded_by_persons():
    """All pairs of n persons hold n / 2 that share no person: as many as the bound of an FMR of 0 counts."""
    given = all_against_all(40, 3, seed=4)
    found = biometric(**given, threshold=99.0)
    bound = tm.estimate("accuracy", tm.Counts(tp=0, fp=20, fn=0, tn=0))
    assert found.at_threshold["FMR"].high == pytest.approx(bound.high)
    assert "20 independent comparisons" in found.at_threshold["FMR"].note
    said = " ".join(notice.text for notice in found.notices if notice.code == "rule-of-three")
    assert "7,020 non-mated comparisons of 40 persons count as 20 independent ones" in said
    assert "as high as 0.15" in said


def test_no_notice_contradicts_the_interval_of_persons():
    """With false matches the spread of the persons shows the rate; the rule of three is for rates without."""
    given = all_against_all(60, 3, seed=6)
    found = biometric(**given, fmr=[0.01, 0.001, 0.0])
    by_code = {one.code: one for one in found.notices}
    for rate, (_, limit) in found.fnmr_at.items():
        fmr = found.evaluation.at(limit)["false_positive_rate"]
        shown = fmr.value > 0
        assert (rate in by_code["rule-of-three"]["rates"]) is not shown, rate
    assert by_code["rule-of-three"]["rates"] == (0.0,)
    few = by_code["rule-of-30"]
    assert few["rates"] == (0.001,)
    assert few["errors"][0] < 30
    assert "assuming uncorrelated comparisons" in few.text


def test_the_answer_says_whether_persons_are_known():
    given = all_against_all(12, 2, seed=5)
    known, unknown = biometric(**given), biometric(truth=given["truth"], score=given["score"])
    assert known.to_dict()["comparisons"]["persons"] == 12
    assert ", of 12 persons" in str(known)
    assert "persons" not in unknown.to_dict()["comparisons"]
    assert [any(one.code == "dependent-comparisons" for one in ev.notices) for ev in (known, unknown)] == [
        False,
        True,
    ]
    assert "persons=(id1, id2)" in str(unknown.all).replace("\n  ", " ")
    for name, found in known.estimates.items():
        assert found.value == unknown[name].value
        assert not found.has_interval or found.method.startswith("person"), name
    assert known["roc_auc"].notes


def test_ways_in():
    """Arrays, names of columns, text, two lists of scores, distances, and rows in another order: the same
    answer."""
    given = all_against_all(12, 2, seed=6)
    truth, score, (one, other) = given["truth"], given["score"], given["persons"]
    wanted = biometric(**given, fmr=0.1).to_dict()
    frame = {"t": truth, "s": score, "a": one, "b": other}
    assert biometric(frame, truth="t", score="s", persons=("a", "b"), fmr=0.1).to_dict() == wanted
    assert (
        biometric(truth=truth, score=score, persons=np.stack([one, other], axis=1), fmr=0.1).to_dict()
        == wanted
    )
    order = np.argsort(1 - truth, kind="stable")
    two_lists = {
        "genuine": score[truth == 1],
        "impostor": score[truth == 0],
        "persons": (one[order], other[order]),
    }
    assert biometric(**two_lists, fmr=0.1).to_dict() == wanted
    swapped = biometric(truth=truth, score=score, persons=(other, one), fmr=0.1)
    assert swapped["roc_auc"] == biometric(**given)["roc_auc"]
    turned = biometric(truth=truth, score=-score, persons=(one, other), similarity=False, fmr=0.1)
    assert list(turned.estimates.values()) == list(biometric(**given).estimates.values())


def test_weights_of_two_are_rows_twice():
    given = all_against_all(12, 2, seed=7)
    twice = {name: np.repeat(given[name], 2) for name in ("truth", "score")} | {
        "persons": tuple(np.repeat(p, 2) for p in given["persons"])
    }
    one, other = (
        biometric(**given, weight=np.full(len(given["truth"]), 2), threshold=1.0),
        biometric(**twice, threshold=1.0),
    )
    for name in ("roc_auc", "equal_error_rate", "false_positive_rate"):
        assert (one[name].low, one[name].high) == pytest.approx((other[name].low, other[name].high)), name


def test_the_scale_of_importance_weights_has_no_effect():
    given = all_against_all(40, 2, seed=8)
    weight = np.random.default_rng(9).random(len(given["truth"])) + 0.5
    one, other = (
        biometric(**given, weight=weight * times, weight_kind="importance", threshold=1.0)
        for times in (1.0, 100.5)
    )
    for name in ("roc_auc", "equal_error_rate", "false_positive_rate", "false_negative_rate"):
        assert (one[name].low, one[name].high) == pytest.approx(
            (other[name].low, other[name].high), rel=1e-9
        ), name


GIVEN = {"truth": [1, 1, 0, 0, 0], "score": [3.0, 2.0, 1.0, 0.5, 2.5]}
ONE, OTHER = ["a", "b", "a", "a", "b"], ["a", "b", "b", "c", "c"]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"persons": (ONE[:4], OTHER)}, r"persons\[0\] has 4"),
        ({"persons": "a"}, r"persons: 'a' is not understood; give two columns"),
        ({"persons": (ONE, OTHER, ONE)}, "give two columns or two arrays"),
        (
            {"persons": (["a", "c", *ONE[2:]], OTHER)},
            r"row 1 \(counted from 0\) is a mated comparison, but of two persons, 'c' and 'b'; correct",
        ),
        (
            {"persons": (ONE, [*OTHER[:3], "a", "b"])},
            (
                r"row 3 \(counted from 0\) is a non-mated comparison, but of 'a' with itself \(2 such rows in"
                r" all\)"
            ),
        ),
        ({"persons": (ONE, [1, 2.5, 3, 4, 5])}, "numbers that are not whole.* .astype"),
        ({"persons": ([None, *ONE[1:]], OTHER)}, r"persons\[0\]: 1 value is missing"),
        ({"clusters": ONE}, r"pass persons=\(id1, id2\)"),
    ],
)
def test_wrong_input(more, sentence):
    with pytest.raises(InputError, match=sentence):
        biometric(**GIVEN, **more)


def test_whole_numbers_among_texts_are_texts_as_in_files(tmp_path):
    import pandas as pd

    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 12, 300), rng.integers(0, 12, 300)
    score = np.where(first == second, 0.2, 0) + rng.random(300)
    cases = {"truth": (first == second).astype(int), "score": score}
    as_text = first.astype(str).tolist()
    wanted = tm.biometric(**cases, persons=(first, second))["eer"]
    found = tm.biometric(**cases, persons=(as_text, second))["eer"]
    assert (found.low, found.high) == (wanted.low, wanted.high)
    table = pd.DataFrame({"y": cases["truth"], "p": score, "a": first, "b": second}).astype({"b": str})
    table.loc[~(first == second) & (second == 3), "b"] = "x3"
    table.to_csv(tmp_path / "a.csv", index=False)
    assert tm.biometric(tmp_path / "a.csv", truth="y", score="p", persons=("a", "b"))["eer"].low is not None


def test_a_table_holds_no_persons():
    with refuses("conflict", argument="persons"):
        biometric(tm.RankingTable.from_arrays(**GIVEN), persons=(ONE, OTHER))


@pytest.mark.full
def test_person_effects_are_covered():
    """40 persons x 3 samples, all against all, 100 samples: FMR at a threshold, EER and AUC within 2.5
    standard errors of 95 %; intervals of independent comparisons hold the FMR in fewer than half."""
    true = {
        "false_positive_rate": norm.sf(1.6),
        "equal_error_rate": norm.cdf(-1.25),
        "roc_auc": norm.cdf(2.5 / sqrt(2)),
    }
    held, plain = dict.fromkeys(true, 0), 0
    for seed in range(100):
        given = all_against_all(40, 3, seed=1000 + seed)
        persons = DependentCases(ScoredCases(given["truth"], given["score"]), np.stack(given["persons"]))
        table = persons.cases.table
        for name, value in true.items():
            entry = getattr(tm.measures, name)
            summary = table.counts_at(1.6) if entry.summary is tm.Counts else table
            found = persons.estimate(entry, summary, Settings(), {}, 1.6)
            held[name] += found.low <= value <= found.high
        alone = tm.estimate("false_positive_rate", table.counts_at(1.6))
        plain += alone.low <= true["false_positive_rate"] <= alone.high
    assert all(number >= 90 for number in held.values()), held
    assert plain < 50


@pytest.mark.full
def test_maxima_by_persons_have_the_method_for_their_bias():
    """With the effective class sizes of the persons, wider than as independent comparisons."""
    random, persons = np.random.default_rng(6), 40
    first, second = (np.append(one, np.repeat(np.arange(persons), 2)) for one in np.triu_indices(persons, 1))
    of_person = random.normal(size=persons) / 2
    score = of_person[first] + of_person[second] + random.normal(size=len(first)) + 2 * (first == second)
    found = tm.biometric(truth=(first == second).astype(int), score=score, persons=(first, second)).evaluation
    plain = tm.evaluate(truth=(first == second).astype(int), score=score)
    for name in ("kolmogorov_smirnov", "min_cllr", "auch", "youden_j_max"):
        alone = plain[name]
        assert found[name].method.endswith("inverted-bootstrap"), name
        assert found[name].high - found[name].low > alone.high - alone.low, name
    assert not found["roc_auc"].note


# In every verb
# -------------------------------------------------------------------------------------------------------


def related(n=400, persons=40, seed=0, effect=0.7):
    """Cases of two different persons, whose class and scores depend on both; and a second model."""
    random = np.random.default_rng(seed)
    one = random.integers(0, persons, n)
    other = (one + random.integers(1, persons, n)) % persons
    of_class, of_score = random.normal(size=(2, persons)) * effect
    truth = (random.random(n) < 1 / (1 + np.exp(-of_class[one] - of_class[other]))).astype(int)
    base = truth + 0.8 * (of_score[one] + of_score[other]) + random.normal(size=n)
    a, b = (1 / (1 + np.exp(-1.2 * x + 0.6)) for x in (base, base + random.normal(size=n)))
    return {"truth": truth, "a": a, "b": b, "one": one, "other": other, "w": random.uniform(0.5, 2, n)}


CASES = related()
PERSONS = {"persons": ("one", "other")}
SCORED = {"truth": "truth", "score": "a", "threshold": 0.5}


@pytest.mark.full
def test_values_are_those_of_independent_cases_and_intervals_wider():
    for weight in ({}, {"weight": "w"}):
        ours, plain = (tm.evaluate(CASES, **SCORED, **weight, **more) for more in (PERSONS, {}))
        wider = []
        for name in ours.estimates:
            assert ours[name].value == pytest.approx(plain[name].value, nan_ok=True), name
            if ours[name].has_interval and plain[name].has_interval:
                wider.append(ours[name].high - ours[name].low > plain[name].high - plain[name].low)
        assert len(wider) > 60
        assert np.mean(wider) > 0.9


def test_the_intervals_of_biometric_are_those_of_evaluate():
    given = all_against_all(20, 3, seed=2)
    found, plain = biometric(**given, threshold=1.0), tm.evaluate(**given, threshold=1.0)
    for ours, theirs in (("FMR", "false_positive_rate"), ("FNMR", "false_negative_rate")):
        assert found.at_threshold[ours] == plain[theirs]
    assert found["roc_auc"] == plain["roc_auc"]


@pytest.mark.full
def test_one_person_in_both_columns_is_his_cluster():
    """With the same design effects, also of several classes, several labels, and amounts."""
    random = np.random.default_rng(3)
    n, group = 300, np.arange(300) // 5
    labels = random.integers(0, 3, n)
    scores = random.dirichlet([1, 1, 1], n)
    tasks = [
        {"truth": CASES["truth"][:n], "score": CASES["a"][:n]},
        {"truth": labels, "score": scores},
        {"truth": labels, "predicted": np.where(random.random(n) < 0.7, labels, 0)},
        {"truth": random.integers(0, 2, (n, 3)), "predicted": random.integers(0, 2, (n, 3))},
        {"truth": random.normal(size=n), "predicted": random.normal(size=n), "regression": True},
    ]
    for task in tasks:
        by_cluster, by_person = (
            tm.evaluate(**task, clusters=group),
            tm.evaluate(**task, persons=(group, group)),
        )
        for name, found in by_person.estimates.items():
            other = by_cluster[name]
            if other.method in ("cluster-wilson", None) or "chi-square" in other.method:
                continue  # which take the number of units in another way
            ends = pytest.approx((other.low, other.high), abs=0.02 * (other.high - other.low))
            assert (found.low, found.high) == ends, (name, found, other)


@pytest.mark.parametrize("weight", [{}, {"weight": "w"}])
@pytest.mark.parametrize("design", ["cohort", "case-control"])
@pytest.mark.full
def test_every_verb_takes_persons(weight, design):
    given = {**SCORED, **PERSONS, **weight, "design": design}
    plain = {**SCORED, **weight, "design": design}
    models = {**given, "score": {"a": "a", "b": "b"}}
    names = ["accuracy", "roc_auc", "brier_score", "f1"]
    compared = tm.compare(CASES, **models, measures=names)
    alone = tm.compare(CASES, **{**models, "persons": None}, measures=names)
    for ours, theirs in zip(compared.differences, alone.differences, strict=True):
        assert ours.value == pytest.approx(theirs.value)
        assert ours.low < ours.value < ours.high
    assert "persons independent" in compared.assumes
    assert compared.curve("decision", band="simultaneous").band is not None
    group = np.random.default_rng(5).integers(0, 2, len(CASES["truth"]))
    by = tm.evaluate(CASES | {"g": group}, **given, by="g", measures=names)
    assert {one.estimate.method for one in by.pairs} == {"mover-correlated"}
    if design == "cohort":
        folds = tm.evaluate(CASES | {"g": group}, **given, fold="g")
        crossing = {one.code: one for one in folds.notices}["clusters-in-several-folds"]
        assert "40 persons have cases in several folds" in crossing.text
    assert tm.check(CASES, require="accuracy.low >= 0.2", **given).passed
    assert tm.check(CASES, require="roc_auc.high < 0.2", **given).passed is False
    calibrated = tm.calibration(CASES, **{name: one for name, one in given.items() if name != "threshold"})
    assert calibrated["calibration_slope"].method.startswith("person")
    assert all(np.isnan(test.statistic) for test in calibrated.tests)
    chosen = tm.choose_threshold(
        CASES, **{name: one for name, one in given.items() if name != "threshold"}, replicates=100
    )
    assert chosen.interval[0] < chosen.interval[1]
    ours, theirs = (tm.evaluate(CASES, **one) for one in (given, plain))
    moved, as_moved = (tm.at_prevalence(one, prevalence=0.1)["precision"] for one in (ours, theirs))
    assert moved.value == pytest.approx(as_moved.value)
    assert (moved.method, as_moved.method) == ("person-wilson", "wilson")
    assert moved.high - moved.low > as_moved.high - as_moved.low
    band, narrow = (one.curve("roc", band="simultaneous").band for one in (ours, theirs))
    assert np.mean(band[1] - band[0]) > np.mean(narrow[1] - narrow[0])


def test_bins_of_a_reliability_curve_are_of_persons():
    given = {"truth": "truth", "score": "a"}
    ours, plain = (tm.evaluate(CASES, **given, **more).curve("reliability") for more in (PERSONS, {}))
    assert ours.about.method == "person-wilson"
    np.testing.assert_array_equal(ours.y, plain.y)
    assert np.mean(ours.band[1] - ours.band[0] > plain.band[1] - plain.band[0]) > 0.5


def test_what_persons_do_not_have_is_said_with_its_reason():
    models = {**SCORED, **PERSONS, "score": {"a": "a", "b": "b"}}
    with refuses("unsupported", argument="persons") as refused:
        tm.compare(CASES, **models, method="permutation")
    assert (refused.value.code, refused.value.argument) == ("unsupported", "persons")
    with refuses("conflict", argument="clusters, persons"):
        tm.evaluate(CASES, **SCORED, **PERSONS, clusters="one")
    with refuses("unsupported", argument="rule"):
        tm.choose_threshold(CASES, truth="truth", score="a", **PERSONS, rule="sensitivity.low>=0.5")
    samples = {"truth": "truth", "score": "a", "sample": "sample"}
    with refuses("unsupported", argument="method"):
        data = CASES | {"sample": np.arange(len(CASES["truth"])) % 2}
        tm.compare(data, **samples, **PERSONS, method="bootstrap")
    for test in (tm.mann_whitney, tm.no_information_test, tm.fisher_exact):
        for units in (PERSONS, {"clusters": "one"}):
            with refuses("unsupported") as refused:
                test(CASES, truth="truth", score="a", **units)
            assert refused.value.argument == next(iter(units))
    with refuses("unknown-name", "'ones'", "'one'", argument="persons[0]") as unknown:
        tm.evaluate(CASES, **SCORED, persons=("ones", "other"))
    assert unknown.value.argument == "persons[0]"


def test_one_pair_of_persons_and_one_column_for_both():
    """Cases that all share their persons show no spread; one column for both is one person for each case."""
    truth, score = np.arange(200) % 2, (np.arange(200) * 37 % 100) / 100
    same = tm.evaluate(truth=truth, score=score, persons=(np.zeros(200, int), np.ones(200, int)))
    for name in ("roc_auc", "brier_score", "sensitivity", "f1"):
        assert same[name].low != same[name].low
        assert "too few persons" in same[name].note
    frame = {"truth": truth, "score": score, "id": np.arange(200) % 20}
    with refuses("conflict", argument="persons"):
        tm.evaluate(frame, truth="truth", score="score", persons=("id", "id"))


def test_persons_of_two_files():
    given = all_against_all(20, 2, seed=5)
    frame = {"y": given["truth"], "p": given["score"], "a": given["persons"][0], "b": given["persons"][1]}
    pair = {"truth": "y", "score": "p", "persons": ("a", "b"), "paired": False, "measures": "roc_auc"}
    found = tm.compare(frame, frame, **pair, threshold=0.0)
    assert found["roc_auc"].value == 0
    assert found.evaluations["model 1"]["roc_auc"].has_interval


@pytest.mark.parametrize(("seed", "measure"), [(7, "precision"), (231, "roc_auc")])
def test_groups_have_differences_where_persons_vary_less_than_pairs(seed, measure):
    """The variance is then that of independent pairs, and so is the covariance of two groups."""
    rng, n = np.random.default_rng(seed), 360
    first = rng.integers(0, 30, n)
    second = (first + 1 + rng.integers(0, 29, n)) % 30
    effect = rng.normal(0, 0.8, 30)
    of_pair = effect[first] + effect[second]
    group = np.where(rng.random(n) < 0.5, "a", "b")
    truth = (rng.random(n) < 0.4).astype(int)
    score = 1 / (1 + np.exp(-(of_pair + 1.3 * truth + rng.normal(0, 1, n) - 0.6)))
    table = tm.evaluate(
        truth=truth, score=score, by={"g": group}, measures=[measure], persons=(first, second)
    )
    for one in (*table.differences, *table.pairs):
        assert one.low < one.value < one.high, one
