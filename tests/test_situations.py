"""Situations with the advice that the literature gives, and the reason: the codes of the rules."""

from dataclasses import dataclass

import numpy as np
import pytest
from looping import for_each, in_part

from tallymark import ConfusionMatrix, Counts, advise, evaluate

R = np.random.default_rng(2024)
CALIBRATION = ("expected_calibration_error", "adaptive_calibration_error", "calibration_slope")
FOR_IMBALANCE = ("balanced_cross_entropy", "focal_loss", "relative_information_score")


def calibrated(share, n=1000):
    """Well-specified probabilities with about this share of positives."""
    p = 1 / (1 + np.exp(-(1.5 * R.normal(size=n) + np.log(share / (1 - share)))))
    return {"truth": (R.random(n) < p).astype(int), "score": p}


def classes(k, n=300):
    """Well-specified probabilities of k named classes."""
    p = R.dirichlet(np.ones(k), n)
    return {"truth": np.array([f"class {R.choice(k, p=row)}" for row in p]), "score": p}


def raw(share):
    cases = calibrated(share)
    return {"truth": cases["truth"], "score": 100 * cases["score"]}


@dataclass(frozen=True)
class Expected:
    """use, avoid, within_mix: at least these; never: not to be avoided; why: the rules that say so."""

    use: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    within_mix: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    why: tuple[str, ...] = ()


BALANCED, TENFOLD = Counts(tp=70, fp=20, fn=30, tn=80), Counts(tp=70, fp=200, fn=30, tn=800)
MAJORITY = Counts(tp=0, fp=0, fn=100, tn=900)
ALWAYS_C = ConfusionMatrix(("A", "B", "C"), np.array([[0, 0, 5], [0, 0, 10], [0, 0, 85]]))
GRADES = {"truth": np.arange(400) % 4, "score": R.dirichlet([1, 1, 1, 1], 400)}
AMOUNTS = {"truth": R.normal(size=80), "predicted": R.normal(size=80), "regression": True}

SITUATIONS = {
    "probabilities, 1 % positive (Van Calster and others 2025; Berrar, section 1)": (
        {**calibrated(0.01), "need": "probabilities"},
        Expected(
            use=(
                "brier_score",
                "log_loss",
                "calibration_slope",
                "calibration_in_the_large",
                "net_benefit",
                "roc_auc",
            ),
            avoid=("accuracy", *FOR_IMBALANCE),
            never=CALIBRATION,
            why=("losses-for-imbalance", "probabilities-needed"),
        ),
    ),
    "probabilities, 5 % positive": (
        {**calibrated(0.05), "need": "probabilities"},
        Expected(
            use=("log_loss", "calibration_slope", "roc_auc"),
            avoid=FOR_IMBALANCE,
            never=CALIBRATION,
            why=("losses-for-imbalance",),
        ),
    ),
    "probabilities, 10 % positive": (
        {**calibrated(0.1), "need": "probabilities"},
        Expected(
            use=("log_loss", "calibration_slope", "roc_auc"),
            avoid=FOR_IMBALANCE,
            never=CALIBRATION,
            why=("losses-for-imbalance",),
        ),
    ),
    "ranking, 10 % positive (Berrar, section 6; Tharwat, section 5)": (
        {**calibrated(0.1), "need": "ranking"},
        Expected(use=("roc_auc", "average_precision"), why=("fewer-positives", "order-needed")),
    ),
    "ranking, 12 % positive: the same advice": (
        {**calibrated(0.12), "need": "ranking"},
        Expected(use=("roc_auc", "average_precision"), why=("fewer-positives",)),
    ),
    "ranking, 30 % positive: the same advice": (
        {**calibrated(0.3), "need": "ranking"},
        Expected(use=("roc_auc", "average_precision"), why=("fewer-positives",)),
    ),
    "the distance of two curves (Berrar, section 4)": (
        {**calibrated(0.5), "need": "ranking"},
        Expected(
            use=("truncated_average_ks",), avoid=("kolmogorov_smirnov",), why=("largest-distance-is-noisy",)
        ),
    ),
    "when ROC curves can be compared (Tharwat, section 3)": (
        {**raw(0.4), "need": "ranking"},
        Expected(use=("roc_auc",), avoid=("accuracy", "error_rate"), why=("comparable-curves",)),
    ),
    "drug discovery: the top of the ranking (Berrar, section 6)": (
        {**raw(0.02), "need": "early_retrieval"},
        Expected(
            use=("average_precision", "precision_at_k", "enrichment_factor", "partial_auc_standardised"),
            avoid=("roc_auc", "accuracy"),
            why=("early-retrieval",),
        ),
    ),
    "a tenfold negative class (Tharwat, section 2.9.1)": (
        {"counts": TENFOLD, "need": "decision"},
        Expected(
            use=("sensitivity", "specificity", "youden_j", "balanced_accuracy", "geometric_mean"),
            within_mix=("precision", "negative_predictive_value", "f1", "jaccard", "optimization_precision"),
            why=("class-mix", "both-kinds-of-error"),
        ),
    ),
    "balanced classes: nothing depends on the mix (Tharwat, section 2.9.1)": (
        {"counts": BALANCED, "need": "decision"},
        Expected(
            use=("sensitivity", "specificity"),
            never=("accuracy", "precision", "negative_predictive_value", "f1"),
            why=("both-kinds-of-error", "another-population"),
        ),
    ),
    "a majority voter at 9 to 1 (Berrar, section 6)": (
        {"counts": MAJORITY, "need": "decision"},
        Expected(
            use=("balanced_accuracy",),
            avoid=("accuracy", "error_rate"),
            why=("accuracy-close-to-guessing",),
        ),
    ),
    "always class C (Flemming, Correct Classification Rate)": (
        {"data": ALWAYS_C},
        Expected(
            use=("balanced_accuracy", "matthews_correlation"),
            avoid=("accuracy", "error_rate"),
            why=("accuracy-close-to-guessing", "many-classes"),
        ),
    ),
    "one number of a diagnostic test (Wikipedia, Single metrics)": (
        {"counts": BALANCED, "need": "decision"},
        Expected(use=("diagnostic_odds_ratio",), why=("odds-ratio",)),
    ),
    "another prevalence (Wikipedia, Impact of prevalence)": (
        {"counts": Counts(tp=990, fp=10, fn=10, tn=990), "need": "decision"},
        Expected(use=("positive_likelihood_ratio", "negative_likelihood_ratio"), why=("another-population",)),
    ),
    "F1 beaten by always positive (Wikipedia, Alternative metrics)": (
        {"counts": Counts(tp=800, fp=90, fn=100, tn=10), "need": "decision"},
        Expected(
            use=("matthews_correlation", "cohen_kappa", "youden_j"),
            avoid=("f1", "f_beta", "jaccard", "g_measure"),
            why=("true-negatives-ignored",),
        ),
    ),
    "known costs (Flemming, Choosing a Threshold)": (
        {"counts": BALANCED, "cost_fp": 1, "cost_fn": 20},
        Expected(
            use=("expected_cost", "net_benefit"), avoid=("accuracy", "error_rate"), why=("costs-known",)
        ),
    ),
    "a decision from scores (Flemming, Choosing a Threshold)": (
        {**calibrated(0.4), "need": "decision"},
        Expected(avoid=("roc_auc", "average_precision"), why=("order-is-no-decision",)),
    ),
    "scores, no need stated (Berrar, section 6)": (
        calibrated(0.5),
        Expected(
            use=("roc_auc", "brier_score", "log_loss", "calibration_slope"),
            why=("scores-say-more", "several-measures"),
        ),
    ),
    "ten classes, probabilities needed (Flemming, Log Loss)": (
        {**classes(10), "need": "probabilities"},
        Expected(
            use=("brier_score", "log_loss", "top_label_ece", "macro_roc_auc"),
            avoid=("accuracy",),
            why=("probabilities-needed", "scores-of-many-classes"),
        ),
    ),
    "ten classes, no need stated (Tharwat, section 4; Berrar, after Def. 33)": (
        classes(10),
        Expected(
            use=(
                "macro_roc_auc",
                "pairwise_roc_auc",
                "mean_average_precision",
                "balanced_accuracy",
                "log_loss",
            ),
            why=("scores-of-many-classes", "many-classes"),
        ),
    ),
    "grades (Berrar, after Def. 18)": (
        {**GRADES, "need": "probabilities"},
        Expected(use=("brier_score",), why=("classes-in-order",)),
    ),
    "positives only (Berrar, Defs. 3 and 27)": (
        {"counts": Counts(tp=30, fp=0, fn=10, tn=0)},
        Expected(use=("sensitivity",), avoid=("precision",), why=("one-class",)),
    ),
    "few cases (Berrar, Defs. 36 and 37)": (
        {"counts": Counts(tp=3, fp=1, fn=2, tn=4)},
        Expected(use=("sensitivity", "specificity"), why=("few-cases",)),
    ),
    "amounts (Flemming, regression)": (
        AMOUNTS,
        Expected(
            use=("root_mean_squared_error", "mean_absolute_error", "huber_loss"), why=("size-of-errors",)
        ),
    ),
    "a model is to be trained (Berrar, section 6)": (
        {**calibrated(0.3), "need": "ranking"},
        Expected(why=("same-measure-in-training",)),
    ),
}


def test_an_improper_loss_prefers_the_wrong_probabilities():
    """Why they are not recommended: with true probabilities and the same logits times 1.6, or plus 1."""
    random = np.random.default_rng(1)
    logit = -3.2 + 1.5 * random.normal(size=200_000)
    true = 1 / (1 + np.exp(-logit))
    truth = random.random(200_000) < true
    names = ["log_loss", "brier_score", *FOR_IMBALANCE]
    found = evaluate(truth=truth, score=true)[names]
    extreme = evaluate(truth=truth, score=1 / (1 + np.exp(-1.6 * logit)))[names]
    raised = evaluate(truth=truth, score=1 / (1 + np.exp(-logit - 1)))[names]
    for name in ("log_loss", "brier_score"):
        assert found[name].value < min(extreme[name].value, raised[name].value)
    assert extreme["relative_information_score"].value > found["relative_information_score"].value
    for name in ("balanced_cross_entropy", "focal_loss"):
        assert raised[name].value < found[name].value


def test_there_are_twenty_situations_or_more():
    assert len(SITUATIONS) >= 20


@in_part(3, ("fast", "full"))
@for_each(("situation", "expected"), SITUATIONS.values(), ids=SITUATIONS)
def test_the_advice_and_its_reason(situation, expected):
    given = dict(situation)
    advice = advise(given.pop("data", None), **given)
    assert set(expected.use) <= set(advice.use)
    assert set(expected.avoid) <= set(advice.avoid)
    assert set(expected.within_mix) <= set(advice.within_mix)
    assert not set(expected.never) & {*advice.avoid, *advice.within_mix}
    assert set(expected.why) <= {item.code for item in advice.items}


@pytest.mark.full
def test_no_verdict_flips_as_positives_become_rarer():
    """The verdicts on a ranking, and on probabilities, are the same at any share below a half."""
    for need in ("ranking", "probabilities"):
        found = [advise(**calibrated(share), need=need) for share in (0.04, 0.08, 0.1, 0.12, 0.2, 0.3)]
        assert len({frozenset(one.use) for one in found}) == 1
        assert len({frozenset(one.avoid) for one in found}) == 1


def test_disagreements_are_part_of_the_text():
    advice = advise(**calibrated(0.1), need="ranking")
    found = [item for item in advice.items if item.disagreement]
    assert {item.code for item in found} >= {"comparable-curves", "fewer-positives"}
    text = " ".join(str(advice.all).split())
    assert all(f"Sources disagree: {item.disagreement}" in text for item in found)
