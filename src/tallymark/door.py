"""The front door: from cases, wherever they are, to a measured answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from . import adapters, casewise, columns, probabilities, validate
from .arguments import (
    NO_DIRECTION,
    PROBABILITIES,
    check_score_kind,
    checked_parameters,
    kind_of_table,
    only_two_classes,
    seed_of,
)
from .calls import public
from .evaluation import Evaluation, counts_at, in_unit_interval
from .facts import Data, kind_of_summary
from .labels import SOME, BinaryLabels, listed, named_classes, not_amounts, not_scores, positive_of
from .reading import Reader, facts_of
from .summaries import (
    ClassLogits,
    ClassScores,
    ConfusionMatrix,
    Counts,
    IndicatorTable,
    LogitTable,
    RankingTable,
    Residuals,
)
from .summaries.cases import POSITIVE_FROM
from .summaries.indicators import is_indicator
from .summaries.score_columns import ROLE, named, score_columns, several_columns
from .text import whole
from .thresholds import NEEDED, OF_GROUPS, Rule, Threshold, by_rule, default_threshold, read
from .uncertainty import Settings
from .uncertainty.clustered import Clusters
from .uncertainty.draws import check_design
from .uncertainty.effective import effective_rows


@public()
def evaluate(
    data: Any = None,
    /,
    *misplaced: Any,
    truth: Any = None,
    score: Any = None,
    predicted: Any = None,
    weight: Any = None,
    weight_kind: str | None = None,
    counts: Counts | None = None,
    threshold: float | None = None,
    positive: Any = None,
    higher_is_positive: bool = True,
    missing: str = "reject",
    level: float = 0.95,
    proportion: str = "wilson",
    bootstrap: str = "bayesian-bootstrap",
    auc: str = "delong-logit",
    design: str = "cohort",
    rng: int | np.random.Generator = 0,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    rule: str | None = None,
    score_kind: str | None = None,
    regression: bool = False,
    classes: Sequence | None = None,
    groups: Any = None,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Every measure that the data allow, each with its interval.

    Pass arrays (lists, arrays, series, tensors on the CPU) as truth and score, or as truth and predicted; or first a data frame or
    the path of a CSV, Parquet or JSON-lines file (or several), and the names of its columns; or counts; or any summary.

    truth: the real labels, two classes with score, two or more with predicted, or with predicted an array of 0 and 1 with a column
    per label, where a case may have several; score: a number per case, higher meaning more positive (else
    higher_is_positive=False), or for three and more classes a column per class; classes: the labels of these columns, in their
    order. By default columns with names are matched to the labels by name, alone or with the same text before or after each, as
    prob_cat and prob_dog, and those of an array stand for the labels of truth, sorted. With predicted= classes= lists all classes,
    also those that do not occur, and is needed where more numbers than half the cases occur, which look like amounts. predicted:
    labels; weight: what a case counts; weight_kind: "count", a case of weight 2 is two cases, or "importance", sampling or class
    weights, of which only the ratios matter; by default counts where all are whole.
    threshold: positive when score >= threshold; by default 0.5 where every score lies in [0, 1], 0 for logits and margins, else
    that of the largest Youden index. rule: how to choose one on these cases, as "youden", "equal_error", "f1" or
    "sensitivity>=0.95" (`choose_threshold` has more); intervals count the choice in. "sensitivity.low>=0.95" keeps the limit on
    other cases at the confidence level. score_kind: what the scores are: "probability" (refused where they are none),
    "logit" (real values of which 1 / (1 + exp(-z)), or softmax, gives the probabilities), "margin" (signed distances from a
    boundary) or "llr" (natural logarithms of likelihood ratios); by default probabilities where all lie in [0, 1]. regression: True
    where truth and predicted are amounts, not labels. positive: the positive label; {0, 1}, {False, True} and {-1, 1} are known
    without it.
    missing: "reject" (InputError) or "drop" (said in a notice). level: of the intervals. proportion: "wilson",
    "clopper-pearson", "jeffreys", "agresti-coull" or "wald". auc: "delong-logit", "delong", "hanley-mcneil" or "newcombe".
    bootstrap: "bayesian-bootstrap" or "bootstrap". rng: a seed or a NumPy Generator.
    design: "cohort", the class mix varies from sample to sample, or "case-control", the class sizes are fixed.
    groups: which cases belong together, as the patient or the site of each: whole groups are resampled for the intervals,
    so that proportion, auc and bootstrap have no say.
    parameters: of measures, by their names, as {"f_beta": {"beta": 0.5}}.
    progress: called with the number of rows after each batch that was read.

    Raises InputError, with one sentence that says what is wrong, where, and the way out.
    """
    if misplaced:
        raise validate.InputError("Pass arrays by name, as truth= and score=, so that they cannot be swapped.")
    validate.choice(missing, ("reject", "drop"), "missing")
    validate.flag(regression, "regression")
    validate.function(progress, "progress")
    validate.label_of(positive, "positive")
    check_score_kind(score_kind, higher_is_positive)
    settings = Settings(level, proportion, bootstrap, seed_of(rng), auc, design)
    checked = checked_parameters(parameters)
    asked = _Asked(settings, checked, _rule(rule, threshold, checked, settings.level), score_kind)
    said = {"threshold": threshold, "positive": positive, "rule": rule, "score_kind": score_kind}
    cases = {"truth": truth, "score": score, "predicted": predicted, "weight": weight}
    if counts is not None:
        validate.only(counts, data=data, **cases, weight_kind=weight_kind, groups=groups, **said)
        return _of_counts(counts, asked)
    if isinstance(data, (Counts, ConfusionMatrix, RankingTable, IndicatorTable, ClassScores, Residuals)):
        validate.only(data, **cases, weight_kind=weight_kind, groups=groups, classes=classes, regression=regression or None)
        return _of_summary(data, asked, rule, positive, threshold, higher_is_positive)
    validate.weight_kind(weight_kind, weight)
    if regression:
        _only_of_amounts(score, groups=groups, classes=classes, **said)
        amounts = adapters.read(data, cases, amounts=("truth", "predicted"))
        return _of_amounts(Reader(amounts, missing, progress, weight_kind=weight_kind), asked)
    if groups is not None:
        read_as = {"positive": positive, "higher_is_positive": higher_is_positive, "missing": missing, "progress": progress}
        return _of_groups(data, cases | {"groups": groups}, asked, threshold, classes, read_as | {"weight_kind": weight_kind})
    return _of_cases(data, cases, asked, missing, threshold, positive, higher_is_positive, classes, progress, weight_kind)


@dataclass(frozen=True, slots=True)
class _Asked:
    """How everything is to be measured."""

    settings: Settings
    parameters: Mapping[str, Mapping[str, Any]]
    rule: Rule | None = None
    score_kind: str | None = None

    def evaluation(self, data: Data, threshold: Threshold | None = None, **summaries: Any) -> Evaluation:
        return Evaluation(data, self.settings, threshold, parameters=self.parameters, score_kind=self.score_kind, **summaries)


def _rule(rule, threshold, parameters, level):
    if rule is not None and threshold is not None:
        raise validate.InputError("rule: a threshold is given already; leave one of the two out.")
    if isinstance(rule, str) and rule in NEEDED:
        raise validate.InputError(
            f"rule: {rule!r} takes more than a name; choose_threshold (tallymark threshold) has the arguments."
        )
    return None if rule is None else read(rule, parameters, level)


def _of_cases(data, cases, asked, missing, threshold, positive, higher_is_positive, classes, progress, weight_kind):
    """By what the cases bear: several labels, a score per class, one score, or predicted labels."""
    truth, score = cases["truth"], cases["score"]
    kind = validate.one_of({"score": score, "predicted": cases["predicted"]})
    if truth is None:
        raise validate.InputError("truth: the real labels are missing; pass truth=.")
    if data is None and is_indicator(truth):
        others = {"threshold": threshold, "positive": positive, "classes": classes}
        return _of_several_labels(cases, asked, weight_kind, missing=missing, **others)
    if kind == "predicted" and not higher_is_positive:
        raise validate.InputError(NO_DIRECTION)
    if data is not None and isinstance(score, (list, tuple)) and len(score) == 2:
        raise validate.InputError("score: two columns; name that of the positive class, or of three and more classes one each.")
    if kind == "score" and several_columns(score, data is None):
        reader = Reader(_with_columns(data, cases), missing, progress, weight_kind=weight_kind)
        direction, other = None if higher_is_positive else False, None if asked.score_kind in PROBABILITIES else asked.score_kind
        _only_with_one_column(
            threshold=threshold, rule=asked.rule, positive=positive, score_kind=other, higher_is_positive=direction
        )
        summary = ClassLogits if asked.score_kind == "logit" else ClassScores
        batches = reader.sum(lambda batch: [batch])
        if asked.score_kind == "probability":
            roles = [role for role in batches[0] if role.startswith(ROLE)]
            probabilities.check_rows([columns.joined([batch[role] for batch in batches]) for role in roles])
        return _of_class_scores(summary.read(batches, classes), reader.data, asked)
    if classes is not None and kind == "score":
        raise validate.InputError("classes: they name the columns of a score per class; leave them out with a single score.")
    reader = Reader(adapters.read(data, cases), missing, progress, weight_kind=weight_kind)
    if kind == "score":
        return _of_scores(reader, asked, positive, threshold, higher_is_positive)
    _only_with_scores(threshold=threshold, rule=asked.rule, score_kind=asked.score_kind)
    return _of_labels(reader, asked, positive, classes)


def _of_groups(data, cases, asked, threshold, classes, told):
    """Cases of two classes that are kept one by one, since those of a group belong together."""
    for name in ("proportion", "auc", "bootstrap"):
        if getattr(asked.settings, name) != getattr(Settings(), name):
            raise validate.InputError(f"{name}: intervals of groups come from resampled groups; leave {name} out.")
    check_design(asked.settings.design, cases["groups"])
    if asked.rule is not None and asked.rule.of_bound:
        raise validate.InputError(f"rule: {asked.rule.text!r} {OF_GROUPS}.")
    kind = validate.one_of({"score": cases["score"], "predicted": cases["predicted"]})
    if cases["truth"] is None:
        raise validate.InputError("truth: the real labels are missing; pass truth=.")
    scores = [cases["score"]] if kind == "score" else []
    only_two_classes("an evaluation with groups=", cases["truth"], scores, data is not None, "leave groups out")
    if classes is not None:
        raise validate.InputError("classes: they name columns of a score per class, which groups= does not support; leave it out.")
    if kind == "predicted":
        _only_with_scores(threshold=threshold, rule=asked.rule, score_kind=asked.score_kind)
        if not told["higher_is_positive"]:
            raise validate.InputError(NO_DIRECTION)
    found = casewise.read(data, score_kind=asked.score_kind, **cases, **told)
    assert found.groups is not None
    model, clusters = found.model, Clusters(found.model, found.groups)
    if kind == "predicted":
        counts = model.table.counts_at(POSITIVE_FROM)
        return asked.evaluation(found.data, Threshold(None, "predicted"), counts=counts, labels=found.labels, clusters=clusters)
    limit = None if threshold is None else validate.threshold(threshold)
    done = _of_ranking(model.table, found.data, asked, limit, found.labels, told["higher_is_positive"])
    return replace(done, clusters=clusters)


def _with_columns(data, cases):
    """The batches of the cases, with a score per class."""
    apart = score_columns(cases["score"], data is None)
    if data is None:
        apart = {role: named(values, role) for role, values in apart.items()}
    return adapters.read(data, {**cases, "score": None, **apart})


def _only_with_scores(**others):
    for name, value in others.items():
        if value is not None:
            raise validate.InputError(f"{name}: it needs scores; predicted labels are positive or negative already.")


def _of_scores(reader, asked, positive, threshold, higher_is_positive):
    labels = BinaryLabels(positive)
    limit = None if threshold is None else validate.threshold(threshold)
    kind = LogitTable if asked.score_kind == "logit" else RankingTable
    ranking = reader.sum(
        lambda batch: kind.from_columns(labels, **_checked_scores(batch, asked, higher_is_positive)), labels.forget
    )
    labels.judge(reader.truth)
    data = reader.data(ranking.positives, ranking.negatives)
    return _of_ranking(ranking, data, asked, limit, labels.pair(), higher_is_positive)


def _checked_scores(batch, asked, higher_is_positive):
    if asked.score_kind == "probability":
        validate.no_gaps(batch["score"])
        probabilities.check(batch["score"])
    return _turned(batch, higher_is_positive)


def _only_of_amounts(score, **others):
    if score is not None:
        raise validate.InputError("regression: predicted amounts are passed as predicted=, not as score=.")
    for name, value in others.items():
        if value is not None:
            raise validate.InputError(f"{name}: it is for classes, and regression compares amounts; leave one of the two out.")


def _of_amounts(reader, asked):
    residuals = reader.sum(lambda batch: Residuals.from_columns(**batch))
    return asked.evaluation(reader.data(None, None), residuals=residuals)


def _of_ranking(ranking, data, asked, limit, labels, higher_is_positive):
    chosen = Threshold(limit, "given") if limit is not None else _chosen(ranking, asked, higher_is_positive)
    assert chosen.value is not None
    counts = counts_at(ranking, chosen.value, higher_is_positive)
    return asked.evaluation(data, chosen, ranking=ranking, counts=counts, labels=labels, higher_is_positive=higher_is_positive)


def _only_with_one_column(**others):
    for name, value in others.items():
        if value is not None:
            raise validate.InputError(f"{name}: it is for one score per case, not for one per class; leave it out.")


def _of_class_scores(scores, data, asked):
    return asked.evaluation(data(None, None), Threshold(None, "highest score"), scores=scores, matrix=scores.confusion())


def _of_labels(reader, asked, positive, classes):
    matrix = reader.sum(_matrix_of)
    matrix = matrix.without_squares() if reader.counts else matrix
    if classes is None:
        not_amounts(reader.truth, matrix.labels, reader.rows - reader.weightless)
        not_scores("predicted", [label for label, weight in zip(matrix.labels, matrix.weights.sum(0), strict=True) if weight])
    else:
        named = named_classes(classes, "truth, predicted", matrix.labels)
        matrix = matrix + ConfusionMatrix(tuple(named), np.zeros(2 * [len(named)]))
    return _of_matrix(matrix, reader.data, asked, positive)


def _matrix_of(batch):
    not_scores(batch["predicted"], batch["predicted"].values[:SOME])  # before a matrix of all scores is made
    return ConfusionMatrix.from_columns(**batch)


def _of_matrix(matrix, data, asked, positive):
    if len(matrix) > 2:
        if positive is not None:
            raise validate.InputError(
                f"positive: there are {len(matrix)} classes ({listed(matrix.labels)}), not two; leave it out or correct the labels."
            )
        return asked.evaluation(data(None, None), Threshold(None, "predicted"), matrix=matrix)
    counts, chosen = matrix.counts(positive), positive_of(matrix.labels, positive)
    others = [label for label in matrix.labels if label != chosen] or ["negative"]
    data = data(counts.positives, counts.negatives)
    return asked.evaluation(data, Threshold(None, "predicted"), counts=counts, matrix=matrix, labels=(others[0], chosen))


def _of_several_labels(cases, asked, weight_kind, *, missing, **others):
    """Of arrays with one column per label."""
    if cases["score"] is not None:
        raise validate.InputError("score: several labels per case need predicted=, 0 or 1 for each; threshold the scores first.")
    if missing == "drop":
        raise validate.InputError("missing='drop' is for one label per case; leave out the rows with a missing indicator before.")
    for name, value in others.items():
        if value is not None:
            raise validate.InputError(f"{name}: it is for one column of scores or labels, not for several; leave it out.")
    weight = columns.read_weights(cases["weight"], weight_kind)
    table = IndicatorTable.from_arrays(truth=cases["truth"], predicted=cases["predicted"], weight=weight)
    return _of_indicators(table, asked, **facts_of(weight, len(cases["truth"])))


def _of_indicators(table, asked, **about):
    rows, weighted = about.get("rows", int(table.total)), about.get("weighted", False)
    data = Data(rows, None, None, weighted, about.get("source", "IndicatorTable"))
    facts = {"weightless": about.get("weightless", 0), "taken_as_counts": about.get("taken_as_counts", False)}
    facts |= {"effective_rows": about.get("effective"), "weight_kind": about.get("weight_kind", kind_of_summary(data.weighted))}
    return asked.evaluation(replace(data, **facts), Threshold(None, "predicted"), indicators=table)


def _of_counts(counts, asked):
    if np.ndim(counts.tp):
        raise validate.InputError("counts: these hold arrays; evaluate one table of four numbers at a time, as counts[0].")
    return asked.evaluation(_data_of(counts, "counts", counts.positives, counts.negatives), counts=counts)


def _data_of(summary, source, positives, negatives):
    effective = effective_rows(summary)
    weighted = getattr(summary, "weighted", effective is not None)
    rows, kind = whole(summary.total), kind_of_summary(weighted)
    return Data(rows, positives, negatives, weighted, source, effective_rows=effective, weight_kind=kind)


def _of_summary(summary, asked, rule, positive, threshold, higher_is_positive):
    """Parts that were summarised apart and added."""
    if not isinstance(summary, RankingTable):
        validate.only(summary, rule=rule, score_kind=asked.score_kind)
    asked = replace(asked, score_kind=kind_of_table(summary, asked.score_kind, higher_is_positive))
    if isinstance(summary, Counts):
        validate.only(summary, positive=positive, threshold=threshold)
        return _of_counts(summary, asked)

    data = partial(_data_of, summary, type(summary).__name__)
    if isinstance(summary, ConfusionMatrix):
        validate.only(summary, threshold=threshold)
        validate.some_rows(bool(summary.total))
        return _of_matrix(summary, data, asked, positive)
    if isinstance(summary, Residuals):
        validate.only(summary, positive=positive, threshold=threshold)
        validate.some_rows(bool(summary.total))
        return asked.evaluation(data(None, None), residuals=summary)
    if isinstance(summary, ClassScores):
        validate.only(summary, positive=positive, threshold=threshold)
        validate.some_rows(bool(summary.total))
        return _of_class_scores(summary, data, asked)
    if isinstance(summary, IndicatorTable):
        validate.only(summary, positive=positive, threshold=threshold)
        validate.some_rows(bool(summary.total))
        return _of_indicators(summary, asked, effective=effective_rows(summary), weighted=summary.squares is not None)
    validate.only(summary, positive=positive)
    validate.some_rows(bool(summary.total))
    limit = None if threshold is None else validate.threshold(threshold)
    ranking = summary if higher_is_positive else summary.turned()
    about = data(summary.positives, summary.negatives)
    return _of_ranking(ranking, about, asked, limit, ("negative", "positive"), higher_is_positive)


def _chosen(ranking, asked, higher_is_positive):
    default = default_threshold(ranking, in_unit_interval(ranking, higher_is_positive), asked.score_kind)
    chosen = default if asked.rule is None else by_rule(ranking, asked.rule)
    if higher_is_positive or chosen.rule == "default" or chosen.value is None:
        return chosen
    return replace(chosen, value=0.0 - chosen.value)


def _turned(batch, higher_is_positive):
    """The batch with its scores negated where a lower score means positive."""
    if higher_is_positive:
        return batch
    return {**batch, "score": replace(batch["score"], values=-validate.scores(batch["score"]))}
