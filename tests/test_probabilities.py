"""Scores as probabilities: logits beside them, what is refused, what is said, and tests of calibration."""

import copy
import json
import math
import pickle
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each
from refusals import refuses
from scipy import stats
from scipy.special import expit, log_softmax, logit, softmax
from strategies import class_scores, measures_of, name, same

import tallymark as tm
from tallymark import (
    ClassLogits,
    ClassScores,
    InputError,
    LogitTable,
    RankingTable,
    Settings,
    estimate,
    evaluate,
    measures,
)
from tallymark.inference.hypothesis import hosmer_lemeshow, spiegelhalter
from tallymark.inference.interval import Scale
from tallymark.measures.registry import get

OF_TABLES = [entry for entry in measures_of(RankingTable) if entry.needs_probabilities]
OF_CLASSES = [entry for entry in measures_of(ClassScores) if entry.needs_probabilities]
each_of_tables = for_each("entry", OF_TABLES, ids=name)
each_of_classes = for_each("entry", OF_CLASSES, ids=name)
RANDOM = np.random.default_rng(7)
# of which many occur twice, but none is 0 or another one negated
LOGITS = np.round(RANDOM.normal(0.3, 2, 300), 1) + 0.03
TRUTH = (RANDOM.random(300) < expit(LOGITS)).astype(int)
WEIGHT = RANDOM.choice([0.3, 1.0, 2.5], 300)
OF_THREE = RANDOM.normal(0, 2, (200, 3))
THREE = (RANDOM.random((200, 1)) > softmax(OF_THREE, axis=1).cumsum(1)).sum(1)
WEIGHT_OF_THREE = RANDOM.choice([0.3, 1.0, 2.5], 200)


def notice(result, code):
    """The text of a notice, None where it is not said."""
    return next((one.text for one in result.notices if one.code == code), None)


# Logits
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@each_of_tables
@for_each("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_logits_give_what_their_probabilities_give(entry, weight):
    logits = LogitTable.from_arrays(truth=TRUTH, score=LOGITS, weight=weight)
    plain = RankingTable.from_arrays(truth=TRUTH, score=expit(LOGITS), weight=weight)
    assert same(entry(logits), entry(plain), 1e-12)
    one, other = estimate(entry, logits), estimate(entry, plain)
    assert same((one.low, one.high), (other.low, other.high), 1e-9)
    assert (one.method, one.note) == (other.method, other.note)


@each_of_classes
@for_each("weight", [None, WEIGHT_OF_THREE], ids=["plain", "weighted"])
def test_logits_of_classes_give_what_their_probabilities_give(entry, weight):
    logits = ClassLogits.from_arrays(truth=THREE, score=OF_THREE, weight=weight)
    plain = ClassScores.from_arrays(truth=THREE, score=softmax(OF_THREE, axis=1), weight=weight)
    assert same(entry(logits), entry(plain), 1e-12)
    one, other = estimate(entry, logits), estimate(entry, plain)
    assert same((one.low, one.high), (other.low, other.high), 1e-9)
    shifted = ClassLogits.from_arrays(
        truth=THREE, score=OF_THREE + RANDOM.normal(size=(200, 1)), weight=weight
    )
    # softmax does not see what a case's logits have in common
    assert same(entry(shifted), entry(logits), 1e-12)


@pytest.mark.full
def test_evaluating_logits_is_evaluating_their_probabilities():
    logits, plain = (
        evaluate(truth=TRUTH, score=LOGITS, score_kind="logit"),
        evaluate(truth=TRUTH, score=expit(LOGITS)),
    )
    assert list(logits) == list(plain)
    assert (logits.threshold.value, plain.threshold.value) == (0.0, 0.5)
    assert logits.counts == plain.counts
    for one in plain:
        if one != "decidability":  # of the scores, not of what they say of the class
            assert same(logits[one].value, plain[one].value, 1e-12), one
    assert [one.code for one in logits.notices] == [one.code for one in plain.notices]
    assert evaluate(LogitTable.from_arrays(truth=TRUTH, score=LOGITS)).score_kind == "logit"
    of_three = evaluate(truth=THREE, score=OF_THREE, score_kind="logit")
    plain = evaluate(truth=THREE, score=softmax(OF_THREE, axis=1))
    for one in plain:
        assert same(of_three[one].value, plain[one].value, 1e-12), one
    far = ClassLogits.from_arrays(truth=THREE, score=100 * OF_THREE)  # of which nothing is clipped
    said = {one.code for one in evaluate(far).notices}
    assert said == {
        one.code for one in evaluate(truth=THREE, score=100 * OF_THREE, score_kind="logit").notices
    }
    rest = of_three.one_vs_rest(1)
    assert isinstance(rest.ranking, LogitTable)
    assert same(rest["brier_score"].value, plain.one_vs_rest(1)["brier_score"].value)


@pytest.mark.full
def test_logits_of_a_thousand_lose_nothing():
    """log(1 + exp(-margin)) of margins 2, 0.5, -1 and 1000."""
    truth, score = [0, 1, 0, 1], [-2, 0.5, 1, 1000]
    terms = [0.126928011, 0.474076984, 1.313261688, 0.0]
    table = LogitTable.from_arrays(truth=truth, score=score)
    assert measures.log_loss(table) == pytest.approx(sum(terms) / 4, abs=1e-9)
    assert sorted((-table.given.log()).round(9).tolist()) == sorted(terms)
    wrong = LogitTable.from_arrays(truth=[0, 1], score=[1000.0, -1000.0])
    assert measures.log_loss(wrong) == 1000
    assert measures.log_loss(wrong, clip=1e-3) == pytest.approx(-math.log(1e-3), rel=1e-14)
    assert measures.brier_score(wrong) == 1
    of_classes = ClassLogits.from_arrays(
        truth=[0, 1], score=[[0.0, 1000.0, 0.0], [0.0, 1000.0, 0.0]], classes=[0, 1, 2]
    )
    assert measures.log_loss(of_classes) == 500
    assert measures.log_loss(of_classes, clip=1e-3) == pytest.approx(-math.log(1e-3) / 2, rel=1e-14)
    for kind in (np.float32, np.float64):
        found = evaluate(truth=truth, score=np.array(score, kind), score_kind="logit")
        assert found["log_loss"].value == pytest.approx(sum(terms) / 4, abs=1e-9)
        json.loads(found.to_json(), parse_constant=pytest.fail)
        assert str(found)


def test_single_precision_is_computed_in_double():
    score = LOGITS.astype(np.float32)
    logits = LogitTable.from_arrays(truth=TRUTH, score=score)
    assert measures.log_loss(logits) == pytest.approx(
        np.logaddexp(0, np.where(TRUTH, -1.0, 1.0) * score.astype(float)).mean(), rel=1e-14
    )
    p = expit(LOGITS).astype(np.float32)
    plain = RankingTable.from_arrays(truth=TRUTH, score=p)
    assert plain.score.dtype == np.float32
    assert measures.brier_score(plain) == pytest.approx(np.square(TRUTH - p.astype(float)).mean(), rel=1e-14)


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_tables_of_logits_obey_the_laws_of_tables(weight):
    whole = LogitTable.from_arrays(truth=TRUTH, score=LOGITS, weight=weight)
    parts = [
        LogitTable.from_arrays(
            truth=TRUTH[rows], score=LOGITS[rows], weight=None if weight is None else weight[rows]
        )
        for rows in (slice(90), slice(90, None))
    ]
    merged = sum(parts)
    assert type(merged) is LogitTable
    assert same(merged.positive, whole.positive)
    assert np.array_equal(merged.score, whole.score)
    assert parts[0] + parts[1] == parts[1] + parts[0]
    for again in (
        pickle.loads(pickle.dumps(whole)),
        copy.deepcopy(whole),
        LogitTable.from_json(whole.to_json()),
        whole * 1.0,
    ):
        assert type(again) is LogitTable
        assert measures.log_loss(again) == measures.log_loss(whole)
    assert LogitTable.empty() + whole == whole
    assert whole != RankingTable(whole.score, whole.positive, whole.negative)
    assert repr(whole).startswith(f"LogitTable({len(whole)} scores")
    assert isinstance(whole.turned(), LogitTable)
    as_probabilities = whole.as_probabilities()
    assert type(as_probabilities) is RankingTable
    assert same(measures.brier_score(as_probabilities), measures.brier_score(whole))
    with refuses("mismatch", argument="score"):
        whole + as_probabilities
    with pytest.raises(AttributeError):
        whole.score = 3


@given(one=class_scores(), other=class_scores())
def test_logits_of_classes_obey_the_laws_of_class_scores(one, other):
    made = [
        ClassLogits.from_arrays(
            truth=some.truth, score=3 * some.score, weight=some.weight, classes=some.labels
        )
        for some in (one, other)
    ]
    if one.labels == other.labels:
        merged = made[0] + made[1]
        assert type(merged) is ClassLogits
        total = made[0].total + made[1].total
        mean = sum(part.total * measures.log_loss(part) for part in made) / total
        assert same(measures.log_loss(merged), mean)
    for again in (
        pickle.loads(pickle.dumps(made[0])),
        ClassLogits.from_json(made[0].to_json()),
        made[0] * 1.0,
    ):
        assert again == made[0]
        assert measures.log_loss(again) == measures.log_loss(made[0])
    logits = log_softmax(3 * one.score, axis=1)
    assert np.allclose(np.sort(made[0].score, axis=0), np.sort(logits, axis=0))
    assert made[0] != ClassScores(
        made[0].labels, *(part.copy() for part in (made[0].truth, made[0].score, made[0].weight))
    )


def test_class_scores_and_logits_are_not_added():
    logits, plain = (
        kind.from_arrays(truth=THREE, score=softmax(OF_THREE, axis=1)) for kind in (ClassLogits, ClassScores)
    )
    for one, other in ((logits, plain), (plain, logits)):
        with refuses("mismatch", "logits", argument="score"):
            one + other


def test_averages_over_the_classes_rank_logits_as_each_class_does():
    """Also where the probabilities are all but 1, and their logarithms all but 0."""
    score = np.array([[50.0, 0, 0], [40, 0, 0], [45, 0, 0], [0, 60, 1], [1, 0, 55], [42, 0, 3]])
    some = ClassLogits.from_arrays(truth=[0, 0, 1, 1, 2, 2], score=score)
    each = [measures.roc_auc(some.one_vs_rest(label)) for label in (0, 1, 2)]
    assert measures.macro_roc_auc(some) == pytest.approx(np.mean(each), rel=1e-12)


@pytest.mark.parametrize("score", [[[np.inf, 0.0, 0.0]] * 3, [[-np.inf] * 3] * 3], ids=["inf", "all -inf"])
def test_logits_of_classes_that_give_no_probabilities_are_refused(score):
    with refuses("invalid-value", argument="score"):
        evaluate(truth=[0, 1, 2], score=score, score_kind="logit")


# What is not a probability
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_rounding_brings_beyond_0_or_1_counts_as_0_or_1(dtype):
    epsilon = np.finfo(dtype).eps
    score = np.array([1 + epsilon, 0.7, 0.4, -epsilon], dtype)
    plain = np.array([1, 0.7, 0.4, 0], dtype)
    truth = [1, 0, 1, 0]
    beyond, within = (evaluate(truth=truth, score=one) for one in (score, plain))
    for one in within:
        if one != "decidability":  # of the scores as they are
            assert same(beyond[one].value, within[one].value, 1e-12), one
    assert notice(beyond, "probabilities-clipped").startswith(
        f"2 cases have scores outside [0, 1] by rounding, as {1 + float(epsilon)}:"
    )
    assert notice(within, "probabilities-clipped") is None
    assert measures.log_loss(truth=truth, score=score) == measures.log_loss(truth=truth, score=plain)
    assert same(
        evaluate(truth=truth, score=score, score_kind="probability")["brier_score"].value,
        within["brier"].value,
    )


def test_what_is_beyond_is_refused_with_the_first_row(tmp_path):
    truth, score = [0, 1, 1, 0], [0.2, 0.7, 1.5, -3.0]
    said = (
        r"score: 1.5 in row 2 \(counted from 0\) is not a probability; turn scores into .*"
        r" \(tallymark.convert.sigmoid\), or pass "
    )
    for call in (
        partial(evaluate, score_kind="probability"),
        measures.log_loss,
        measures.expected_calibration_error,
        tm.calibration,
    ):
        with pytest.raises(InputError, match=said + "score_kind='logit'"):
            call(truth=truth, score=score)
    path = tmp_path / "x.csv"
    path.write_text("y,p\n" + "\n".join(f"{y},{p}" for y, p in zip(truth, score, strict=True)) + "\n")
    with refuses("invalid-value", "'p'", "1.5", "line 4", argument="score"):
        evaluate(path, truth="y", score="p", score_kind="probability")
    table = RankingTable.from_arrays(truth=truth, score=score)
    with refuses("unsupported", "log_loss", "1.5"):
        measures.log_loss(table)
    with refuses("conflict", "1.5", argument="score_kind"):
        evaluate(table, score_kind="probability")
    with refuses("unsupported", argument="score_kind"):
        evaluate(table, score_kind="logit")
    with refuses("missing-value", argument="score"):
        evaluate(truth=truth, score=[0.2, np.nan, 0.3, 7], score_kind="probability")
    with refuses("conflict", argument="higher_is_positive"):
        evaluate(truth=truth, score=[0.1] * 4, score_kind="probability", higher_is_positive=False)


def test_without_a_word_scores_beyond_are_ranked_and_said_to_be_no_probabilities():
    found = evaluate(truth=[0, 1, 1, 0], score=[0.2, 0.7, 1.5, -3.0])
    text = notice(found, "scores-outside-unit-interval")
    assert "log loss, Brier score, calibration and all else that needs probabilities are left out" in text
    assert {entry.name for entry in OF_TABLES}.isdisjoint(found)
    with refuses("unsupported", "score_kind='logit'"):
        found["ece"]
    margins = evaluate(truth=[0, 1, 1, 0], score=[0.2, 0.7, 1.5, -3.0], score_kind="margin")
    assert set(margins) == {*found, "hinge_loss"}
    assert margins["hinge_loss"].value == pytest.approx((1.2 + 0.3) / 4)
    assert (margins.threshold.value, margins.threshold.rule.code) == (0.0, "default")
    assert notice(margins, "scores-outside-unit-interval").startswith("The scores are margins, not probab")
    assert {entry.name for entry in OF_TABLES}.isdisjoint(
        evaluate(truth=[0, 1], score=[0.2, 0.7], score_kind="margin")
    )


@pytest.mark.full
@pytest.mark.parametrize("truth", [["a", "b", "c", "a"], [0, 1, 2, 0]], ids=["text", "numbers"])
def test_rows_of_class_probabilities_that_do_not_add_up(truth, tmp_path):
    score = np.array([[0.5, 0.3, 0.2], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8], [0.6, 0.2, 0.2]])
    near, off, beyond = score.copy(), score.copy(), score.copy()
    near[2, 1] += 0.9e-6
    off[2, 1] += 2e-6
    beyond[1] = [1.2, -0.3, 0.1]
    assert evaluate(truth=truth, score=near, score_kind="probability").probabilities
    for wrong, said, advice in (
        (
            off,
            r"in row 2 \(counted from 0\) the scores of a case add up to 1.000002, not 1",
            r"divide each row by its sum\.$",
        ),
        (beyond, r"in row 1 \(counted from 0\) a score is 1.2", ".*softmax"),
    ):
        for call in (
            partial(evaluate, score_kind="probability"),
            measures.log_loss,
            measures.top_label_ece,
            tm.calibration,
        ):
            with pytest.raises(InputError, match=f"score: {said}, so they are not probabilities; {advice}"):
                call(truth=truth, score=wrong)
        found = evaluate(truth=truth, score=wrong)
        assert {entry.name for entry in OF_CLASSES}.isdisjoint(found)
        assert "The scores are not probabilities of the classes" in notice(found, "no-class-probabilities")
        found.to_dict()
        with refuses("unsupported", "log_loss"):
            found["log_loss"]
        with refuses("unsupported", "brier_score"):
            measures.brier_score(ClassScores.from_arrays(truth=truth, score=wrong))
    path = tmp_path / "k.csv"
    rows = [f"{label},{','.join(map(str, row))}" for label, row in zip(truth, off.tolist(), strict=True)]
    path.write_text("\n".join(["y,a,b,c", *rows]) + "\n")
    with refuses("invalid-value", "line 4", "1.000002", argument="score"):
        evaluate(path, truth="y", score=["a", "b", "c"], score_kind="probability")


# What is said
# --------------------------------------------------------------------------------------------------


def test_over_and_under_confident_by_the_interval_of_the_slope():
    """Of 1,000 cases at .9 and .1 this many right: the slope is logit(share right) / logit(.9); at 99 % known
    to about .12."""
    for right, code in (
        (800, "over-confident"),
        (860, "over-confident"),
        (880, None),
        (910, None),
        (990, "under-confident"),
    ):
        truth, score = (
            np.r_[np.ones(500), np.zeros(500)].astype(int),
            np.r_[np.full(500, 0.9), np.full(500, 0.1)],
        )
        wrong = (1000 - right) // 2
        truth[:wrong], truth[500 : 500 + wrong] = 0, 1
        for found in (
            evaluate(truth=truth, score=score),
            evaluate(truth=truth, score=logit(score), score_kind="logit"),
        ):
            assert {one.code for one in found.notices} - {"heavy-ties"} == ({code} if code else set()), right
            if code:
                slope = found["calibration_slope"]
                assert slope.value == pytest.approx(logit(right / 1000) / logit(0.9))
                assert (
                    f"calibration slope is {slope.value:.3f} [{slope.low:.3f}, {slope.high:.3f}], "
                    in notice(found, code)
                )


def test_over_confident_with_a_score_per_class():
    of_classes = evaluate(truth=THREE, score=softmax(3 * OF_THREE, axis=1))
    assert "probability of" in notice(of_classes, "over-confident")
    assert not notice(evaluate(truth=THREE, score=OF_THREE, score_kind="logit"), "over-confident")


def test_over_and_underestimation_by_the_interval_of_the_calibration_in_the_large():
    """Of 1,000 cases with probabilities of .2: 200 expected, with a standard deviation of 12.6, of which
    2.576 are 33."""
    for there, code in ((200, None), (230, None), (240, "underestimation"), (160, "overestimation")):
        found = evaluate(truth=np.arange(1000) < there, score=np.full(1000, 0.2))
        said = {one.code for one in found.notices} & {"overestimation", "underestimation"}
        assert said == ({code} if code else set())
        if code:
            assert f"the probabilities add up to 200.0 positives where there are {there}" in notice(
                found, code
            )
    one_class = evaluate(truth=np.ones(100), score=np.full(100, 0.2))
    assert [one.code for one in one_class.notices] == ["one-class"]


@pytest.mark.full
def test_the_accuracy_of_those_who_know_nothing():
    found = evaluate(truth=np.arange(100) < 30, score=np.linspace(0, 1, 100))
    assert found.baselines == {"random": 0.5, "largest class": 0.7}
    assert "baseline accuracy: 0.5 (random), 0.7 (majority class)" in str(found.all)
    assert json.loads(found.to_json())["baselines"] == found.baselines
    three = evaluate(truth=[0, 0, 0, 1, 1, 2], predicted=[0, 0, 1, 1, 1, 3])
    assert three.baselines == {"random": pytest.approx(1 / 3), "largest class": 0.5}  # nobody is a 3
    assert evaluate(truth=[1, 1], score=[0.2, 0.3]).baselines == {}
    assert evaluate(truth=[0, 1, 1], predicted=[0, 0, 1], weight=[3, 1, 2]).baselines["largest class"] == 0.5


# Of the classes
# --------------------------------------------------------------------------------------------------


def test_two_classes_of_scores_are_as_one_column():
    """Brier's score counts both columns."""
    score = expit(LOGITS)
    both = ClassScores.from_arrays(truth=TRUTH, score=np.stack([1 - score, score], axis=1), weight=WEIGHT)
    one = RankingTable.from_arrays(truth=TRUTH, score=score, weight=WEIGHT)
    for entry in OF_CLASSES:
        if entry.name == "ranked_probability_score":
            assert same(entry(both), measures.brier_score(one))
        else:
            assert same(
                entry(both), (1 + (entry.name == "brier_score")) * get(entry.name, RankingTable)(one)
            ), entry.name


@pytest.mark.parametrize("entry", [entry for entry in OF_CLASSES if not entry.ordered], ids=name)
def test_the_order_of_the_columns_of_probabilities_is_irrelevant(entry):
    """But for classes in an order, and for the answer of a case that gives two classes the same."""
    order = [2, 0, 1]
    score = softmax(OF_THREE, axis=1)
    turned = ClassScores.from_arrays(truth=THREE, score=score[:, order], classes=order)
    assert same(entry(turned), entry(ClassScores.from_arrays(truth=THREE, score=score)), 1e-14)


@each_of_classes
def test_a_class_without_cases_keeps_its_probabilities(entry):
    """They were wasted on it; without any, its column changes nothing."""
    score = softmax(OF_THREE[:, :2], axis=1)
    truth = np.minimum(THREE, 1)
    two = ClassScores.from_arrays(truth=truth, score=score, classes=[0, 1])
    none = ClassScores.from_arrays(truth=truth, score=np.c_[score, np.zeros(200)], classes=[0, 1, 2])
    if entry.name == "ranked_probability_score":
        assert same(entry(none), entry(two) / 2)  # of two steps the second is never wrong
    else:
        assert same(entry(none), entry(two))


@pytest.mark.parametrize(
    "entry", [entry for entry in OF_CLASSES if entry.interval.kind in ("mean", "skill")], ids=name
)
def test_the_interval_is_that_of_the_influences(entry):
    """By differences to both sides of the weight of each case, which change the shares of the classes,
    too."""
    some = ClassScores.from_arrays(truth=THREE[:60], score=softmax(OF_THREE[:60], axis=1))

    def at(case, step):
        weight = np.ones(60)
        weight[case] += step
        return entry(ClassScores(some.labels, some.truth.copy(), some.score.copy(), weight))

    pulls = np.array([(at(case, 1e-5) - at(case, -1e-5)) / 2e-5 for case in range(60)])
    scale, found = Scale(entry.range), estimate(entry, some, Settings(level=0.9))
    df = 2 / ((pulls**4).sum() / (pulls**2).sum() ** 2 - 1 / 60)
    low, high = scale.around(found.value, math.sqrt(float(pulls @ pulls) * 60 / 59), 0.9, df)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-4)
    assert found.method.endswith("-t")


# Tests of calibration
# --------------------------------------------------------------------------------------------------


def test_spiegelhalters_z_by_hand():
    """Three at .8 of which two are positive and two at .4 of which one is."""
    table = RankingTable([0.8, 0.4], [2, 1], [1, 1])
    above = (2 - 2.4) * (1 - 1.6) + (1 - 0.8) * (1 - 0.8)
    spread = 3 * 0.6**2 * 0.16 + 2 * 0.2**2 * 0.24
    found = spiegelhalter(table)
    assert found.statistic == pytest.approx(above / math.sqrt(spread), rel=1e-14)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(above / math.sqrt(spread)), rel=1e-12)
    assert (found.df, found.note) == (None, None)
    assert spiegelhalter(table * 4).statistic == pytest.approx(2 * found.statistic)
    for p in ([1.0, 0.5, 0.0], [0.5]):
        nothing = spiegelhalter(RankingTable(p, np.ones(len(p)), np.ones(len(p))))
        assert math.isnan(nothing.statistic)
        assert nothing.note
        assert nothing.to_dict()["p_value"] is None


def test_hosmer_and_lemeshows_chi_square_by_hand():
    """A hundred each at .2, .5 and .9, of which 40, 50 and 80 are positive: off by 20, 0 and -10."""
    few = RankingTable([0.9, 0.5, 0.2], [8, 5, 4], [2, 5, 6])
    table = few * 10
    chi = 20**2 / (100 * 0.2 * 0.8) + 10**2 / (100 * 0.9 * 0.1)
    found = hosmer_lemeshow(table, 3)
    assert found.statistic == pytest.approx(chi, rel=1e-12)
    assert (found.df, found.p_value) == (3, pytest.approx(stats.chi2.sf(chi, 3), rel=1e-12))
    assert found.note is None
    fitted = hosmer_lemeshow(table, 3, fitted=True)
    assert (fitted.df, fitted.p_value) == (1, pytest.approx(stats.chi2.sf(chi, 1), rel=1e-12))
    two = hosmer_lemeshow(table, 2)  # .2 and .5 in one group: 90 observed, 70 expected of 200
    assert two.statistic == pytest.approx(20**2 / (70 * 130 / 200) + 10**2 / 9, rel=1e-12)
    assert hosmer_lemeshow(table, 10).df == 3  # ties leave fewer
    assert hosmer_lemeshow(few, 3).df < 3  # groups with few expected are joined
    assert math.isnan(hosmer_lemeshow(table, 2, fitted=True).p_value)
    certain = hosmer_lemeshow(RankingTable([1.0, 0.5], [3, 2], [1, 2]), 2)
    assert (certain.statistic, certain.p_value) == (math.inf, 0)
    assert "has cases of the other class" in certain.note
    assert certain.to_dict()["statistic"] is None
    assert hosmer_lemeshow(RankingTable([1.0, 0.5], [3, 2], [0, 2]), 2).statistic == 0
    for groups in (1, 2.5, "3"):
        with refuses("invalid-value", "groups", argument="hl_groups"):
            hosmer_lemeshow(table, groups)


@pytest.mark.full
@pytest.mark.parametrize("test", [spiegelhalter, hosmer_lemeshow])
def test_p_values_of_calibrated_probabilities_are_uniform(test):
    """Of 2,000 samples of 300 cases whose probabilities are true."""
    random = np.random.default_rng(11)
    found = []
    for _ in range(2000):
        p = random.uniform(0.1, 0.9, 300)
        found.append(
            test(
                RankingTable.from_arrays(truth=(random.random(300) < p).astype(int), score=p, positive=1)
            ).p_value
        )
    assert 0.03 < np.mean(np.array(found) < 0.05) < 0.07
    assert stats.kstest(found, "uniform").statistic < 0.05


# The logistic line
# --------------------------------------------------------------------------------------------------


@given(
    positive=st.lists(st.integers(0, 5), min_size=4, max_size=4),
    negative=st.lists(st.integers(0, 5), min_size=4, max_size=4),
)
def test_the_line_solves_its_equations(positive, negative):
    """Sums of what is left over, plain and times the logit, are 0; and so is that of the shift alone."""
    z = np.array([3.0, 0.5, -0.2, -2.0])
    table = LogitTable(z, positive, negative)
    total, there = np.add(positive, negative), (table.logit_overlap, min(sum(positive), sum(negative)))
    if there[0]:
        a, b = measures.calibration_intercept(table), measures.calibration_slope(table)
        left = np.array(positive) - total * expit(a + b * z)
        assert np.abs([left.sum(), left @ z]).max() < 1e-8
    if there[1]:
        shift = measures.calibration_in_the_large(table)
        assert abs((np.array(positive) - total * expit(shift + z)).sum()) < 1e-10


def test_shifting_and_stretching_logits_moves_the_line():
    table = LogitTable.from_arrays(truth=TRUTH, score=LOGITS)
    a, b = measures.calibration_intercept(table), measures.calibration_slope(table)
    other = LogitTable.from_arrays(truth=TRUTH, score=2 * LOGITS + 1)
    assert measures.calibration_slope(other) == pytest.approx(b / 2, rel=1e-9)
    assert measures.calibration_intercept(other) == pytest.approx(a - b / 2, rel=1e-9)
    shifted = LogitTable.from_arrays(truth=TRUTH, score=LOGITS + 0.7)
    assert measures.calibration_in_the_large(shifted) == pytest.approx(
        measures.calibration_in_the_large(table) - 0.7, abs=1e-9
    )


def test_certain_cases_are_left_out_of_the_line():
    table = RankingTable.from_arrays(truth=TRUTH, score=expit(LOGITS))
    more = RankingTable.from_arrays(truth=[*TRUTH, 0, 1, 1], score=[*expit(LOGITS), 1.0, 1.0, 0.0])
    for one in ("calibration_slope", "calibration_intercept", "calibration_in_the_large"):
        assert get(one)(more) == pytest.approx(get(one)(table), rel=1e-12)
    with pytest.warns(tm.UndefinedMeasureWarning, match=r"classes that do not overlap, between 0 and 1"):
        measures.calibration_slope(truth=[0, 0, 1, 1], score=[0.1, 0.2, 0.7, 0.8])


def test_bins_are_closed_above():
    """.3 belongs to (.2, .3]; with .25 in the same bin it is one of two."""
    errors = [
        measures.maximum_calibration_error(truth=[1, 0], score=[0.25, edge])
        for edge in (0.3, np.nextafter(0.3, 1))
    ]
    assert errors == pytest.approx([0.5 - 0.275, 0.75])
    assert measures.expected_calibration_error(truth=[0, 1], score=[0.0, 1.0]) == 0
    by_bins = [
        measures.expected_calibration_error(truth=TRUTH, score=expit(LOGITS), bins=bins)
        for bins in (1, 3, 15, 300)
    ]
    assert all(one <= other + 1e-12 for one, other in pairwise(sorted(by_bins)))
    assert by_bins[0] == pytest.approx(abs(TRUTH.mean() - expit(LOGITS).mean()))
