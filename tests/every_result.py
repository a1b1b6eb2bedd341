"""One of every public result, made once, for tests that hold all of them to something; and what is public,
found by looking."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from estimators import Centres
from matplotlib.figure import Figure

import tallymark as tm
from tallymark.evaluation.thresholds import read_rule
from tallymark.inference.covariance import Dependence, Sampling
from tallymark.input.results import Answer
from tallymark.summaries.samples import ScoredCases

# What is public
# -------------------------------------------------------------------------------------------------------


@cache
def modules() -> tuple[ModuleType, ...]:
    """Every module of the package; the compiled kernels may not be built here."""
    names = [found.name for found in pkgutil.walk_packages(tm.__path__, "tallymark.")]
    return tuple(
        importlib.import_module(name)
        for name in names
        if not re.search(r"__main__|\._native|_compiled", name)
    )


@cache
def classes() -> tuple[type, ...]:
    """Every class that the package defines."""
    every = [(module, value) for module in modules() for value in vars(module).values()]
    return tuple(
        value for module, value in every if inspect.isclass(value) and value.__module__ == module.__name__
    )


def exceptions() -> list[type[BaseException]]:
    """Every exception and warning of the package."""
    return [kind for kind in classes() if issubclass(kind, BaseException)]


def public_functions() -> dict[str, Callable]:
    """By name, every public function of the package and of its public modules."""
    found = {name: getattr(tm, name) for name in tm.__all__}
    for short, module in {"planning": tm.planning, "convert": tm.convert, "losses": tm.losses}.items():
        for name, value in vars(module).items():
            ours = getattr(value, "__module__", "").startswith(module.__name__)
            if ours and name in getattr(module, "__all__", [name]) and not name.startswith("_"):
                found[f"{short}.{name}"] = value
    return {name: value for name, value in found.items() if inspect.isfunction(value)}


@cache
def result_classes() -> frozenset[type]:
    """What a user may be handed: what has to_dict, is a public name, or is answered or held by what is
    public."""
    every = [
        kind
        for kind in classes()
        if not kind.__name__.startswith("_") and not issubclass(kind, BaseException)
        if not kind.__module__.startswith("tallymark.cli")  # which hands out none
    ]
    more = {
        kind
        for kind in every
        if hasattr(kind, "to_dict") or kind.__name__ in {*tm.__all__, *tm.planning.__all__}
    }
    answered = [(f.__module__, inspect.signature(f).return_annotation) for f in public_functions().values()]
    more |= _named_in(every, answered)
    public: set[type] = set()
    while more:
        public |= more
        held = [(kind.__module__, note) for kind in public for note in _held(kind)]
        more = _named_in(every, held) - public
    return frozenset(
        kind for kind in public if not (getattr(kind, "_is_protocol", False) or _is_a_base(kind))
    )


def _is_a_base(kind: type) -> bool:
    return (
        inspect.isabstract(kind)
        # bases, and what is within a table
        or kind.__name__ in ("Contrast", "Corners", "Evidence", "ScoreTable", "Summary", "Value")
        or kind.__module__ == Answer.__module__
        or (issubclass(kind, Answer) and not hasattr(kind, "ANSWER") and bool(kind.__subclasses__()))
    )


def _named_in(every: list[type], places: Iterable[tuple[str, Any]]) -> set[type]:
    """The classes that annotations name, each with the module in which it is written; one that is imported
    for its type only has no other."""
    words: dict[str, set[str]] = {}
    for module, annotation in places:
        for word in re.findall(r"\w+", str(annotation)):
            words.setdefault(word, set()).add(module)
    return {
        kind
        for kind in every
        for module in words.get(kind.__name__, ())
        if vars(sys.modules[module]).get(kind.__name__, kind) is kind
    }


def _held(kind: type) -> Iterator[Any]:
    """The annotations of its public fields, properties and methods."""
    yield from (note for name, note in inspect.get_annotations(kind).items() if not name.startswith("_"))
    for name, value in vars(kind).items():
        function = (
            getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
        )
        if inspect.isfunction(function) and not name.startswith("_"):
            yield function.__annotations__.get("return", "")


# The results
# ----------------------------------------------------------------------------------------------------------

N = 60
RNG = np.random.default_rng(5)
TRUTH = np.tile([0, 1, 1], N // 3)
SCORE = np.round(np.clip(0.3 * TRUTH + 0.7 * RNG.random(N), 0, 1), 2)
OTHER = np.round(np.clip(0.1 * TRUTH + 0.9 * RNG.random(N), 0, 1), 2)
CLASSES = np.tile(["a", "b", "c"], N // 3)
HALF = np.where(np.arange(N) % 2 == 0, TRUTH, np.nan)
PER_CLASS = RNG.dirichlet([1, 1, 1], N)
GROUPS = np.arange(N) // 4
FEATURES = np.stack([SCORE, OTHER], axis=1)
RULES = ("f1", "false_positive_rate", "sensitivity>=0.8", "precision>=0.5", "roc_slope")
SEVERAL = {
    "truth": np.stack([TRUTH, 1 - TRUTH], axis=1),
    "predicted": np.stack([SCORE > 0.5, OTHER > 0.5], axis=1).astype(int),
}


@cache
def results() -> dict[str, Any]:
    """By a description."""
    return {**_evaluations(), **_of_two_classes(), **_of_training(), **_plans(), **_summaries()}


def _amounts_in_an_engine():
    import polars

    frame = polars.LazyFrame({"t": np.tile(SCORE, 40), "p": np.tile(OTHER, 40)})
    return tm.evaluate(frame, truth="t", predicted="p", regression=True, bins=64)


def _accumulator() -> tm.Accumulator:
    accumulator = tm.Accumulator()
    accumulator.update(truth=TRUTH, score=SCORE)
    return accumulator


def _evaluations() -> dict[str, Any]:
    binary = tm.evaluate(truth=TRUTH, score=SCORE)
    grouped = tm.evaluate(truth=TRUTH, score=SCORE, clusters=GROUPS)
    many = tm.evaluate(truth=CLASSES, score=PER_CLASS)
    return {
        "two classes": binary,
        "lower is positive, logits, weights": tm.evaluate(
            truth=TRUTH, score=-SCORE, weight=SCORE + 0.1, higher_is_positive=False
        ),
        "logits": tm.evaluate(truth=TRUTH, score=SCORE, score_kind="logit"),
        "clusters": grouped,
        "models": (models := tm.evaluate(truth=TRUTH, score={"one": SCORE, "other": OTHER})),
        "crossings of two models": (crossings := models.crossings()),
        "a region between crossings": crossings.regions[0],
        "read back": tm.BinaryEvaluation.from_json(binary.to_json()),
        "models read back": tm.EvaluationTable.from_json(models.to_json()),
        "groups": (sites := tm.evaluate(truth=TRUTH, score=SCORE, by={"site": GROUPS % 3})),
        "groups read back": type(sites).from_json(sites.to_json()),
        "groups of models": (
            several := tm.evaluate(truth=TRUTH, score={"one": SCORE, "other": OTHER}, by={"site": GROUPS % 3})
        ),
        "groups of models read back": type(several).from_json(several.to_json()),
        "folds": (folds := tm.evaluate(truth=TRUTH, score=SCORE, fold=GROUPS % 3)),
        "folds read back": type(folds).from_json(folds.to_json()),
        "folds of models": (
            trained := tm.evaluate(truth=TRUTH, score={"one": SCORE, "other": OTHER}, fold=GROUPS % 3)
        ),
        "folds of models read back": type(trained).from_json(trained.to_json()),
        "difference over folds": trained.differences[0],
        "groups of cases": sites.groups,
        "differences of groups": sites.differences,
        "difference of a group": sites.differences[0],
        "fairness": (fair := sites.fairness),
        "a criterion of fairness": fair["equalised_odds"],
        "many classes": many,
        "several labels": tm.evaluate(**SEVERAL),
        "amounts": tm.evaluate(truth=SCORE, predicted=OTHER, regression=True),
        "estimates": binary.estimates,
        "classes": many.classes,
        "a class": many.classes["a"],
        "averages": many.averages,
        "macro averages": many.averages["macro"],
        "of every class": many.many,
        "cases in clusters": grouped.clusters,
        "clusters of many classes": _of_many_classes_in_groups().clusters,
        "estimate": binary["roc_auc"],
        "note": tm.evaluate(truth=TRUTH[:4], score=SCORE[:4])["roc_auc"].notes[0],
        "infinite": tm.estimate("positive_likelihood_ratio", tm.Counts(tp=5, fp=0, fn=1, tn=4)),
        "undefined": tm.estimate("precision", tm.Counts(tp=0, fp=0, fn=1, tn=4)),
        "two by two": binary.two_by_two,
        "operating points": binary.operating_points(),
        "pairs matrix": binary.pairs_matrix,
        "threshold": binary.threshold,
        "data": binary.data,
        "in full": binary.all,
        "settings": binary.settings,
        "rule of a threshold": binary.threshold.rule,
        "notice": next(iter(tm.evaluate(truth=TRUTH[:4], score=SCORE[:4]).notices)),
        "ranking": binary.ranking,
        "pairs": binary.ranking.pairs,
        "curve": binary.curve("roc"),
        "curve with a band": (banded := binary.curve("roc", band="pointwise")),
        "band": banded.about,
        "measure": tm.measures.f_beta,
        "interval of a measure": tm.measures.f_beta.interval,
        "headline of a measure": tm.measures.f1.headline,
        "sums that a measure needs": tm.measures.brier_miscalibration.needs,
        "display": (display := binary.plot("roc", band=None, ax=Figure().subplots())),
        "figure": display.figures[0],
        "series of a figure": display.figures[0].series[0],
        "axis": display.figures[0].x,
        "cells of a figure": binary.plot("confusion", ax=Figure().subplots()).figures[0].cells,
        "headline": many.headline,
        "figure of a headline": many.headline.least_certain,
        "classification report": (report := tm.classification_report(many)),
        "row of a classification report": report.rows[0],
        "model card": tm.model_card(binary, model="a", dataset="b"),
        "paragraph": (paragraph := tm.reporting_paragraph(binary)),
        "item of a guideline": paragraph.items[0],
    }


def _of_many_classes_in_groups() -> Any:
    models = {"a": np.roll(CLASSES, 7), "b": np.roll(CLASSES, 3)}
    compared = tm.compare(truth=CLASSES, predicted=models, clusters=GROUPS, measures="accuracy")
    return compared.evaluations["a"]


def _of_two_classes() -> dict[str, Any]:
    cases = {"truth": TRUTH, "score": SCORE}
    choice = tm.choose_threshold(**cases, replicates=100)
    several = {"truth": TRUTH, "score": {"a": SCORE, "b": OTHER}}
    compared = tm.compare(**several, non_inferior_by=0.1)
    resampled = tm.bootstrap(**cases, replicates=100, measures=["roc_auc", "f1"])
    verdict = tm.check(**cases, require=["roc_auc >= 0.5", "accuracy.low >= 0.99"])
    by_person = _of_persons()
    advice = tm.advise(tm.evaluate(**cases), need="ranking")
    calibration = tm.calibration(**cases)
    return {
        **{f"threshold by {rule}": tm.choose_threshold(**cases, rule=rule, replicates=100) for rule in RULES},
        "threshold choice": choice,
        "optimism of the choice": choice.evaluation.optimism_of_choice,
        "choice": choice.choice,
        "rule": choice.choice.rule,
        "comparison": compared,
        "headline of a comparison": compared.headline,
        "comparison by resampling": tm.compare(**several, method="bootstrap", replicates=100),
        "comparison by swapping": tm.compare(**several, method="permutation", replicates=100),
        "comparison of different cases": tm.compare(
            tm.evaluate(**cases), tm.evaluate(truth=TRUTH, score=OTHER), paired=False
        ),
        "comparison of the same labels": tm.compare(
            truth=TRUTH, predicted={"a": SCORE > 0.5, "b": SCORE > 0.5}
        ),
        "comparison in parts": tm.compare(
            **several, by=TRUTH, fold=np.arange(len(TRUTH)) % 2, measures="accuracy"
        ),
        "comparison of ratios": tm.compare(**several, scale="ratio", reference="best"),
        "difference": compared.differences[0],
        "decision": compared.differences[0].decision,
        "test": calibration.tests[0],
        "mcnemar": tm.mcnemar(first_only=3, second_only=11),
        "cochran q": tm.cochran_q(truth=TRUTH, predicted=[SCORE > 0.5, OTHER > 0.5, SCORE > 0.4]),
        "fisher exact": tm.fisher_exact(tm.Counts(tp=8, fp=2, fn=1, tn=9)),
        "mann whitney": tm.mann_whitney(truth=TRUTH, score=SCORE),
        "no information": tm.no_information_test(tm.Counts(tp=8, fp=2, fn=1, tn=9)),
        "reclassification": tm.reclassification(**several, cutoffs=[0.3, 0.6]),
        "agreement": compared.agreement[0],
        "verdict": verdict,
        "uses": verdict.of_uses,
        "explanation": (explained := verdict.explain()),
        "chance": explained.chances[0],
        "self-test": (self_test := tm.self_test(**cases, require="roc_auc >= 0.5", splits=10)),
        "requirement in a self-test": self_test.tested[0],
        "finding": verdict.findings[0],
        "calibration": calibration,
        "biometric": tm.biometric(genuine=SCORE, impostor=OTHER),
        "biometric of persons": by_person,
        "persons": by_person.persons,
        "units": by_person.persons.units,
        "bootstrap": resampled,
        "limit of a rule": read_rule("sensitivity>=0.9").limits[0],
        "cases one by one": resampled.cases,
        "draws": resampled.how,
        "unscored": tm.unscored(truth=TRUTH, score=SCORE, of_positives=0.1, of_negatives=0.2),
        "at prevalence": tm.at_prevalence(tm.Counts(tp=8, fp=2, fn=1, tn=9), prevalence=0.1),
        "share": tm.at_prevalence(tm.Counts(tp=8, fp=2, fn=1, tn=9), prevalence=(3, 40)).share,
        "class mix": tm.class_mix_sensitivity(tm.Counts(tp=8, fp=2, fn=1, tn=9)),
        "points in ROC space": (
            points := tm.roc_points({"one": binary_counts(8, 2), "other": binary_counts(6, 3)})
        ),
        "a point in ROC space": points["other"],
        "identification": tm.identification(
            truth=CLASSES, score=PER_CLASS[:, :2], classes=["a", "b"], threshold=0.4
        ),
        "judged": (judged := tm.with_judge(truth=HALF, judge=SCORE > 0.5, by=CLASSES)),
        "judged rate": judged.rates["a"],
        "advice": advice,
        "item": advice.items[0],
        "decisions": tm.convert.to_labels(SCORE),
        "propriety": tm.is_proper("brier_score"),
    }


def binary_counts(tp: int, fp: int) -> tm.Counts:
    """Of ten cases of each class."""
    return tm.Counts(tp=tp, fp=fp, fn=10 - tp, tn=10 - fp)


def _of_persons() -> Any:
    """Three comparisons of each of 20 persons, and as many with another person."""
    one = np.repeat(np.arange(20), 6)
    other = np.where(np.arange(120) % 2, (one + 1 + np.arange(120) % 6) % 20, one)
    score = np.random.default_rng(0).normal(size=120) + (one == other)
    return tm.biometric(truth=(one == other).astype(int), score=score, persons=(one, other))


def _of_training() -> dict[str, Any]:
    model, few = Centres(), {"measure": "roc_auc", "rng": 1}
    validated = tm.cross_validate(
        {"one": model, "other": Centres(2.0)}, FEATURES, TRUTH, folds=3, repeats=2, **few
    )
    return {
        "predictions": tm.Predictions({"case": np.arange(2), "fold": np.arange(2), "truth": np.arange(2)}, 2),
        "cross-validation": validated,
        "difference of estimators": validated.differences[0],
        "lost": validated.lost[0],
        "out of bag": tm.bootstrap_out_of_bag(model, FEATURES, TRUTH, replicates=20, **few),
        "permutation": tm.permutation_test(model, FEATURES, TRUTH, FEATURES, TRUTH, permutations=20, **few),
    }


def _plans() -> dict[str, Any]:
    present = tm.planning.present(tm.Counts(tp=40, fp=8, fn=9, tn=50), measures="sensitivity", width=0.1)
    external = tm.planning.external_validation(prevalence=0.2, auc=0.8)
    found = {
        "plan": tm.planning.roc_auc(expected=0.8, width=0.1),
        "present": present,
        "reach": present.reach[0],
    }
    return {**found, "external plan": external, "criterion": external.criteria[0]}


def _sampling() -> Sampling:
    weight = SCORE + 0.5
    return Sampling(weight, weight**2, TRUTH, units=Dependence.of_cases(GROUPS, weight, TRUTH))


def _summaries() -> dict[str, Any]:
    labels = {"truth": CLASSES, "predicted": np.roll(CLASSES, 7)}
    return {
        "counts": tm.Counts(tp=1, fp=2, fn=3, tn=4),
        "many counts": tm.Counts(tp=[1, 2], fp=2, fn=3, tn=[4, 5]),
        "confusion matrix": tm.ConfusionMatrix.from_arrays(**labels),
        "indicator table": tm.IndicatorTable.from_arrays(**SEVERAL),
        "ranking table": tm.RankingTable.from_arrays(truth=TRUTH, score=SCORE, weight=SCORE + 0.5),
        "squares": tm.RankingTable.from_arrays(truth=TRUTH, score=SCORE, weight=SCORE + 0.5).squares,
        "binned table": (
            binned := tm.BinnedTable.from_arrays(truth=TRUTH, score=SCORE, weight=SCORE + 0.5, bins=8)
        ),
        "sums of a loss": binned.losses["log_error"],
        "sampling": _sampling(),
        "dependence": _sampling().units,
        "accumulator": _accumulator(),
        "a release": tm.release(
            truth=TRUTH, score=SCORE, pair_by=np.arange(len(TRUTH)), key=bytes(range(65, 90))
        ),
        "logit table": tm.LogitTable.from_arrays(truth=TRUTH, score=SCORE),
        "class scores": tm.ClassScores.from_arrays(truth=CLASSES, score=PER_CLASS),
        "class logits": tm.ClassLogits.from_arrays(truth=CLASSES, score=PER_CLASS),
        "scored cases": ScoredCases(TRUTH, SCORE),
        "residuals": tm.Residuals.from_arrays(truth=SCORE, predicted=OTHER),
        "sums of amounts": tm.Residuals.from_arrays(truth=SCORE, predicted=OTHER).sums,
        "sums without each": tm.Residuals.from_arrays(truth=SCORE, predicted=OTHER).sums_without_each,
        "moments of residuals": _amounts_in_an_engine().residuals,
    }
