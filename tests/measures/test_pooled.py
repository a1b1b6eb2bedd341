"""Measures of all classes together against scikit-learn, and their standard errors against the jackknife."""

import numpy as np
import pytest
from looping import for_each
from sklearn.metrics import average_precision_score, roc_auc_score, top_k_accuracy_score

from tallymark import ClassScores, estimate, measures
from tallymark.measures.registry import get

R = np.random.default_rng(3)


def cases(n, k, places=None):
    score = R.dirichlet(np.ones(k), n)
    truth = np.array([R.choice(k, p=row) for row in score])
    return truth, score if places is None else np.round(score, places)


@for_each("places", [None, 1])
@for_each("k", [2, 3, 7])
def test_micro_averages_are_those_of_scikit_learn(k, places):
    truth, score = cases(200, k, places)
    own = (truth[:, None] == np.arange(k)).astype(int)
    given = {"truth": truth, "score": score, "classes": range(k)}
    assert measures.micro_roc_auc(**given) == pytest.approx(roc_auc_score(own.ravel(), score.ravel()))
    assert measures.micro_roc_auc(**given) == pytest.approx(roc_auc_score(own, score, average="micro"))
    wanted = average_precision_score(own, score, average="micro")
    assert measures.micro_average_precision(**given) == pytest.approx(wanted)


@for_each("k", [1, 2, 3, 6])
def test_top_k_accuracy_is_that_of_scikit_learn_without_ties(k):
    truth, score = cases(300, 7)
    found = measures.top_k_accuracy(truth=truth, score=score, classes=range(7), k=k)
    assert found == pytest.approx(top_k_accuracy_score(truth, score, k=k, labels=range(7)))


def test_top_1_is_accuracy():
    truth, score = cases(300, 5)
    found = measures.top_k_accuracy(truth=truth, score=score, classes=range(5), k=1)
    assert found == pytest.approx(np.mean(score.argmax(1) == truth))


@pytest.mark.full
@for_each("name", ["micro_roc_auc", "micro_average_precision", "top_k_accuracy"])
def test_the_standard_error_is_that_of_the_jackknife(name):
    truth, score = cases(150, 4, 2)
    found = estimate(name, ClassScores.from_arrays(truth=truth, score=score, classes=range(4)))
    entry = get(name)
    left_out = [
        entry(truth=np.delete(truth, i), score=np.delete(score, i, 0), classes=range(4)) for i in range(150)
    ]
    jackknife = np.sqrt(149 / 150 * np.sum((np.array(left_out) - np.mean(left_out)) ** 2))
    assert found.standard_error == pytest.approx(jackknife, rel=0.03)


def test_nagelkerke_is_that_of_the_likelihoods():
    """As R's fmsb::NagelkerkeR2 computes it from the deviances."""
    p = R.random(80)
    y = (R.random(80) < p).astype(int)
    deviance = -2 * np.sum(np.log(np.where(y, p, 1 - p)))
    null = -2 * np.sum(np.log(np.where(y, y.mean(), 1 - y.mean())))
    wanted = (1 - np.exp((deviance - null) / 80)) / (1 - np.exp(-null / 80))
    assert measures.nagelkerke_r2(truth=y, score=p) == pytest.approx(wanted)


@pytest.mark.full
def test_nagelkerke_of_a_fitted_model_is_that_of_statsmodels():
    sm = pytest.importorskip("statsmodels.api")
    x = R.normal(size=200)
    y = (R.random(200) < 1 / (1 + np.exp(-x))).astype(int)
    fitted = sm.Logit(y, sm.add_constant(x)).fit(disp=0)
    cox_snell = 1 - np.exp(2 * (fitted.llnull - fitted.llf) / 200)
    p = fitted.predict()
    assert measures.cox_snell_r2(truth=y, score=p) == pytest.approx(cox_snell)
    wanted = cox_snell / (1 - np.exp(2 * fitted.llnull / 200))
    assert measures.nagelkerke_r2(truth=y, score=p) == pytest.approx(wanted)
