"""The worked examples of the source documents on probabilities, losses and their conversions."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from refusals import refuses

import tallymark as tm
from tallymark.measures.families import probability as of

EXAMPLES = {
    example["id"]: example
    for example in tomllib.loads(
        (Path(__file__).parents[1] / "worked_examples.toml").read_text(encoding="utf-8")
    )["example"]
}
BERRAR, SCORES = EXAMPLES["berrar-figure-2"], EXAMPLES["flemming-binary-log-loss-from-scores"]


def test_information_scores_of_berrars_ten_cases():
    """In bits, one score each, so that a table of one case after the other keeps their order."""
    prior = np.mean(BERRAR["label"])
    terms = [
        float(
            of.information(
                tm.RankingTable.from_arrays(truth=[label], score=[score]).given.at_prior(prior), base=2
            )[0]
        )
        for label, score in zip(BERRAR["label"], BERRAR["score"], strict=True)
    ]
    np.testing.assert_allclose(
        terms, BERRAR["probabilistic"]["information_score_terms_in_rank_order"], rtol=0, atol=5.1e-4
    )
    table = tm.RankingTable.from_arrays(truth=BERRAR["label"], score=BERRAR["score"])
    assert tm.measures.information_score(table, base=2) == pytest.approx(np.mean(terms), rel=1e-14)
    # the entropy is one bit
    assert tm.measures.relative_information_score(table) == pytest.approx(np.mean(terms), rel=1e-14)


def test_information_scores_per_case_are_berrars_and_take_a_prior():
    data = {"truth": BERRAR["label"], "score": BERRAR["score"]}
    wanted = BERRAR["probabilistic"]["information_score_terms_in_rank_order"]
    np.testing.assert_allclose(tm.information_scores(**data, base=2), wanted, rtol=0, atol=5.1e-4)
    backwards = tm.information_scores(**{name: part[::-1] for name, part in data.items()}, base=2)
    assert backwards.tolist() == tm.information_scores(**data, base=2)[::-1].tolist()
    terms = tm.information_scores(**data, prior=0.2)
    # case 9, a positive at .8: log(.8 / .2); case 8, a negative at .75: log(.2 / .75), as .25 is below .8
    assert terms[1:3] == pytest.approx([np.log(4), np.log(0.2 / 0.75)])
    table = tm.RankingTable.from_arrays(**data)
    assert tm.measures.information_score(table, prior=0.2) == pytest.approx(terms.mean(), rel=1e-14)
    lift = tm.evaluate(**data, threshold=0.55, parameters={"lift": {"prior": 0.25}})["lift"]
    assert lift.value == 3 / 4 / 0.25
    assert lift.low < 3 < lift.high


def test_information_scores_refuse_what_is_no_probability():
    with refuses("invalid-value", "row 1", argument="score"):
        tm.information_scores(truth=[0, 1], score=[0.5, 2])
    with refuses("needed", "prior=", argument="prior"):
        tm.information_scores(truth=[1, 1], score=[0.5, 0.2], positive=1)


def test_the_weight_of_berrars_rare_class():
    example = EXAMPLES["berrar-balanced-cross-entropy-weight"]
    truth = np.repeat([1, 0], [example["positives"], example["negatives"]])
    score = np.linspace(0.95, 0.05, len(truth))
    ours, weighted = (
        tm.measures.balanced_cross_entropy(truth=truth, score=score, **how)
        for how in ({}, {"alpha": example["alpha"]})
    )
    assert ours == pytest.approx(weighted, rel=1e-14)


def test_berrars_cases_on_the_wrong_side():
    example = EXAMPLES["berrar-hinge"]
    for label, score, loss in zip(
        example["label"], example["score"], example["hinge_loss_terms"], strict=True
    ):
        assert tm.measures.hinge_loss(truth=[label, label], score=[score, score]) == loss
    assert tm.measures.hinge_loss(truth=example["label"], score=example["score"]) == np.mean(
        example["hinge_loss_terms"]
    )


def test_flemmings_log_loss_from_scores():
    table = tm.LogitTable.from_arrays(truth=SCORES["label"], score=SCORES["score"])
    terms = [
        tm.measures.log_loss(tm.LogitTable.from_arrays(truth=[label], score=[score]))
        for label, score in zip(SCORES["label"], SCORES["score"], strict=True)
    ]
    np.testing.assert_allclose(terms, SCORES["terms"], rtol=0, atol=5e-10)
    assert tm.measures.log_loss(table) == pytest.approx(np.mean(terms), rel=1e-14)
    assert tm.evaluate(truth=SCORES["label"], score=SCORES["score"], score_kind="logit")[
        "log_loss"
    ].value == tm.measures.log_loss(table)


def test_flemmings_forms_of_the_log_loss_agree():
    """By the true class, one-hot, and of two classes by one column."""
    random = np.random.default_rng(1)
    p = random.dirichlet(np.ones(4), 200)
    y = random.integers(0, 4, 200)
    one_hot = -np.mean(np.sum(np.eye(4)[y] * np.log(p), axis=1))
    assert tm.measures.log_loss(truth=y, score=p) == pytest.approx(one_hot, rel=1e-14)
    both = np.column_stack([1 - p[:, 0], p[:, 0]])
    table = tm.ClassScores.from_arrays(truth=y % 2, score=both, classes=(0, 1))
    assert tm.measures.log_loss(table) == pytest.approx(
        tm.measures.log_loss(truth=y % 2, score=p[:, 0]), rel=1e-12
    )


def test_flemmings_huber_loss():
    example = EXAMPLES["flemming-huber"]
    for z, wanted in zip(example["z"], example["huber"], strict=True):
        residual = tm.Residuals.from_arrays(truth=[0.0], predicted=[z])
        assert tm.measures.huber_loss(residual, epsilon=example["eps"]) == wanted


def test_accuracy_beside_classifiers_that_know_nothing():
    """Flemming's classifier that always answers C is as accurate as the largest class is large."""
    example = EXAMPLES["flemming-always-class-c"]
    for sizes, accuracy in zip(example["class_sizes"], example["accuracy"], strict=True):
        truth = np.repeat(["A", "B", "C"], sizes)
        found = tm.evaluate(truth=truth, predicted=np.full(sum(sizes), "C"))
        assert found["accuracy"].value == pytest.approx(accuracy, rel=1e-15)
        assert found.baselines == {"random": pytest.approx(1 / 3), "largest class": max(sizes) / 100}
