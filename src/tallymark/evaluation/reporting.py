"""What publications and model cards ask for, as values: a report of classes, metadata, guideline items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar, Literal, get_args

from ..inference import Estimate
from ..input import validate
from ..input.calls import public
from ..input.errors import InputError, option
from ..input.results import Result, Tabular, Writers
from ..input.sample import Task, conditions
from ..input.text import whole
from ..input.validate import shown
from ..measures import registry
from .class_measures import ManyClasses
from .headline import Figure
from .notices import Notice
from .results import BinaryEvaluation, ClasswiseEvaluation, Evaluation


def checked_evaluation(evaluation: Any, verb: str) -> Evaluation:
    """The evaluation. Raises InputError for anything else."""
    if isinstance(evaluation, Evaluation):
        return evaluation
    problem = f"{verb} takes an evaluation, not {shown(evaluation)}"
    raise InputError("invalid-value", "evaluation", problem, "as evaluate(truth=y, score=p)")


Kind = Literal["class", "accuracy", "average"]
MEASURES = {"precision": "precision", "recall": "sensitivity", "f1": "f1"}
MOST_DIGITS = 15


@dataclass(frozen=True, slots=True, repr=False)
class ReportRow(Result):
    """A row of a classification report.

    Attributes
    ----------
    label : object
        The class; of averages "micro", "macro" or "weighted", of the accuracy "accuracy".
    kind : {"class", "accuracy", "average"}
        What the row is of.
    estimates : mapping of str to Estimate
        "precision", "recall" and "f1"; of the accuracy "accuracy" alone.
    support : float
        The weight of the actual cases.
    """

    INFINITE = True  # a label

    label: Any
    kind: Kind
    estimates: Mapping[str, Estimate]
    support: float


@dataclass(frozen=True, eq=False, repr=False)
class ClassificationReport(Tabular):
    """Precision, recall and f1 of every class, with averages and the number of cases.

    Attributes
    ----------
    rows : tuple of ReportRow
        The classes, then the accuracy, or of several labels the micro average, and the macro and weighted
        averages.
    intervals : bool
        Whether the text shows intervals.
    digits : int
        Digits after the point of the text.
    design : {"cohort", "case-control"} or None
        What the intervals assume.
    weight_kind : {"count", "importance"} or None
        The kind of the weights; None without weights.
    notices : tuple of Notice
        On the data.
    """

    FORM = "evaluations.classification_report"
    WRITERS: ClassVar[Writers] = {**Tabular.WRITERS, ".txt": "text"}
    PLAIN = "notices? rows"

    rows: tuple[ReportRow, ...]
    intervals: bool = False
    digits: int = 2
    design: str | None = None
    weight_kind: str | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def conditions(self) -> str:
        """The design and the kind of the weights, as a line of text."""
        return conditions(self.design, self.weight_kind)

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per class and average, as plain values, each measure with the ends of its interval."""
        names = (*MEASURES, "accuracy")
        return [
            {"label": row.label, "kind": row.kind}
            | {key: value for name in names for key, value in _ends(name, row.estimates.get(name))}
            | {"support": row.support}
            for row in self.rows
        ]

    def __repr__(self) -> str:
        classes = sum(row.kind == "class" for row in self.rows)
        return f"<ClassificationReport of {classes} classes>"


def _ends(name: str, estimate: Estimate | None) -> Iterator[tuple[str, float | None]]:
    plain = {} if estimate is None else estimate.plain
    yield name, plain.get("value")
    for end in ("low", "high"):
        yield f"{name}_{end}", plain.get(end)


@public()
def classification_report(
    evaluation: Evaluation, /, *, intervals: bool = False, digits: int = 2
) -> ClassificationReport:
    """Precision, recall, f1 and number of cases of every class, with averages.

    Parameters
    ----------
    evaluation : BinaryEvaluation, MulticlassEvaluation or MultilabelEvaluation
        What `evaluate` returned.
    intervals : bool, default False
        Whether the text shows confidence intervals; `table` always has them.
    digits : int, default 2
        Digits after the point of the text.

    Returns
    -------
    ClassificationReport
        Its text has the rows and the columns of scikit-learn's function of this name.

    Raises
    ------
    InputError
        For predicted amounts, and for what is no evaluation.

    Notes
    -----
    Differs: scikit-learn shows 0 for a class that is never predicted; here its precision is undefined, shown
    as "-", as is an average over it. Of several labels there is no average over samples. At a threshold that
    was chosen on these cases, and with clusters, there are no intervals of single classes.

    Examples
    --------
    >>> import tallymark as tm
    >>> print(tm.classification_report(tm.evaluate(truth=[0, 1, 1, 1], predicted=[0, 1, 1, 0])))
    class         precision  recall  f1-score  support
    ------------  ---------  ------  --------  -------
    0                  0.50    1.00      0.67        1
    1                  1.00    0.67      0.80        3
    accuracy                             0.75        4
    macro avg          0.75    0.83      0.73        4
    weighted avg       0.88    0.75      0.77        4
    """
    e = checked_evaluation(evaluation, "classification_report")
    shown, places = validate.flag(intervals, "intervals"), validate.whole(digits, "digits", 1, MOST_DIGITS)
    if not isinstance(e, (ClasswiseEvaluation, BinaryEvaluation)):
        problem = "classification_report is for classes, and these are predicted amounts"
        raise InputError("unsupported", "evaluation", problem, "print the evaluation")
    many = e.many if isinstance(e, ClasswiseEvaluation) else e.both
    sizes = many.counts.positives.tolist()
    rows = [
        ReportRow(label, "class", {name: many.each(own)[i] for name, own in MEASURES.items()}, whole(size))
        for i, (label, size) in enumerate(zip(many.summary.labels, sizes, strict=True))
    ]
    found = (*rows, *_averages(e, many, sum(sizes)))
    return ClassificationReport(found, shown, places, e.design, e.data.weight_kind, e.notices_of_data)


def _averages(e: Evaluation, many: ManyClasses, total: float) -> Iterator[ReportRow]:
    several = e.task == "multilabel"
    if not several:
        yield ReportRow("accuracy", "accuracy", {"accuracy": e.estimates["accuracy"]}, whole(total))
    for kind in (*(["micro"] if several else []), "macro", "weighted"):
        of_kind = many.averages[kind]
        measured = {name: of_kind[registry.get(own).name] for name, own in MEASURES.items()}
        yield ReportRow(kind, "average", measured, whole(total))


Guideline = Literal["stard", "tripod+ai"]
GUIDELINES: tuple[Guideline, ...] = get_args(Guideline)
ACCURACY = (
    "sensitivity", "specificity", "precision", "negative_predictive_value", "positive_likelihood_ratio",
    "negative_likelihood_ratio", "roc_auc",
)  # fmt: skip
PERFORMANCE = ("roc_auc", "calibration_slope", "calibration_in_the_large", "brier_score")
AT_THRESHOLD = ("sensitivity", "specificity", "net_benefit")
# The items by guideline: their number, their topic, and the measures of their figures.
ITEMS: dict[Guideline, tuple[tuple[str, str, tuple[str, ...]], ...]] = {
    "stard": (
        ("12a", "cut-off", ()),
        ("14", "methods", ACCURACY),
        ("15", "indeterminate", ()),
        ("16", "missing", ()),
        ("19", "participants", ()),
        ("23", "cross-tabulation", ()),
        ("24", "accuracy", ACCURACY),
    ),
    "tripod+ai": (
        ("11", "missing", ()),
        ("12e", "methods", (*PERFORMANCE, *AT_THRESHOLD)),
        ("15", "cut-off", ()),
        ("20a", "analysed", ()),
        ("21", "events", ()),
        ("23a", "performance", PERFORMANCE),
        ("23a", "at threshold", AT_THRESHOLD),
    ),
}
UNITS = "unit groups of_groups"
FACTS = {  # the names of the facts by topic; without the first there is no such item
    "cut-off": f"threshold side rule chosen {UNITS}",
    "methods": f"level design weight_kind {UNITS}",
    "indeterminate": "share",
    "missing": f"dropped {UNITS}",
    "cross-tabulation": f"tp fp fn tn label weighted {UNITS}",
    "at threshold": f"threshold side rule chosen {UNITS} level",
    **dict.fromkeys(
        ("participants", "analysed", "events"), f"cases positives of label weighted design {UNITS}"
    ),
    **dict.fromkeys(("accuracy", "performance"), "level"),
}
# Items that the data of an evaluation do not show, by guideline.
OTHERS: dict[Guideline, tuple[str, ...]] = {
    "stard": ("1-11", "12b", "13a-13b", "15", "17-18", "20-22", "25-30"),
    "tripod+ai": ("1-10", "12a-12d", "12f-12g", "13-14", "16-19", "20b-20c", "22", "23b", "24-27"),
}


@dataclass(frozen=True, slots=True, repr=False)
class ReportingItem(Result):
    """An item of a reporting guideline.

    Attributes
    ----------
    number : str
        The number of the item in the checklist, as "24".
    topic : str
        What it is about; the sentence is made of it.
    facts : mapping of str to number, text or None
        The figures of the sentence that are no estimates.
    figures : tuple of Figure
        The estimates.
    """

    FORM = "reporting.reporting_item"
    INFINITE = True  # a label

    number: str
    topic: str
    facts: Mapping[str, Any]
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class ReportingParagraph(Result):
    """A paragraph on the results of a study, with the items of a guideline that it reports.

    Attributes
    ----------
    guideline : {"stard", "tripod+ai"}
        The guideline.
    items : tuple of ReportingItem
        Those that the evaluation has the figures for; `str` of each is its sentence.
    """

    FORM = "reporting.reporting_paragraph"
    WRITERS: ClassVar[Writers] = {**Result.WRITERS, ".md": "markdown", ".txt": "text"}
    PLAIN = "guideline items others"

    guideline: Guideline
    items: tuple[ReportingItem, ...]

    @property
    def others(self) -> tuple[str, ...]:
        """The items that the authors have to report, since no data show them."""
        reported = {item.number for item in self.items}
        return tuple(number for number in OTHERS[self.guideline] if number not in reported)


@public()
def reporting_paragraph(
    evaluation: Evaluation, /, *, guideline: Guideline = "stard", unit: str | None = None
) -> ReportingParagraph:
    """Write the results of an evaluation as a reporting guideline asks for them.

    Parameters
    ----------
    evaluation : BinaryEvaluation
        What `evaluate` returned for two classes; for TRIPOD+AI of probabilities.
    guideline : {"stard", "tripod+ai"}, default "stard"
        STARD 2015 is for studies of diagnostic accuracy, TRIPOD+AI for prediction models.
    unit : str, optional
        What a case is, in the plural, as "lesions": the clusters are then the participants. By default cases
        are participants, and cases in clusters are called cases.

    Returns
    -------
    ReportingParagraph
        `print` shows the paragraph with the numbers of the items, and the items that remain.

    Raises
    ------
    InputError
        For several classes, amounts, and what is no evaluation; for TRIPOD+AI without probabilities; for a
        unit without clusters.

    Notes
    -----
    In a case-control design there is no figure that depends on the class mix, such as a predictive value,
    since it has no meaning without a prevalence; `at_prevalence` has these. Weighted cases are counted as
    rows, and of the classes there are shares.

    Examples
    --------
    >>> import tallymark as tm
    >>> result = tm.reporting_paragraph(tm.evaluate(counts=tm.Counts(tp=90, fp=20, fn=10, tn=180)))
    >>> [item.number for item in result.items]
    ['14', '16', '19', '23', '24']
    """
    e = checked_evaluation(evaluation, "reporting_paragraph")
    validate.choice(guideline, GUIDELINES, "guideline")
    if not isinstance(e, BinaryEvaluation):
        problem = f"this evaluation is {e.task}, and the guidelines are followed here for two classes"
        raise InputError("unsupported", "evaluation", problem, "take one class against the rest")
    if unit is not None and (not isinstance(unit, str) or e.units is None):
        problem = "it is the word for the cases of a participant, where the participants are the clusters"
        raise InputError("conflict", "unit", problem, f"pass a text, and evaluate with {option('clusters')}")
    if guideline == "tripod+ai" and not e.probabilities:
        problem = "TRIPOD+AI asks for calibration, and there are no probabilities"
        raise InputError("unsupported", "guideline", problem, "evaluate probabilities")
    return ReportingParagraph(guideline, tuple(_items(e, guideline, unit)))


def _items(e: BinaryEvaluation, guideline: Guideline, unit: str | None) -> Iterator[ReportingItem]:
    """The items of the guideline for which the evaluation has facts."""
    # the number of cases, of weighted ones the rows, and the total weights of the classes
    positives, negatives = e.data.positives or 0.0, e.data.negatives or 0.0
    of = whole(positives + negatives)
    known = {
        "unit": "participants",
        "level": e.settings.level,
        "design": e.design,
        "weight_kind": e.data.weight_kind,
        "dropped": e.data.dropped,
        "cases": of if e.data.counted else e.data.rows - e.data.weightless,
        "positives": whole(positives),
        "of": of,
        "label": e.labels[1],
        "weighted": not e.data.counted,
        **{name: whole(float(getattr(e.counts, name))) for name in ("tp", "fp", "fn", "tn")},
    }
    if e.units is not None:
        what, groups = e.units
        of_groups = what if unit is None else "participants"
        known |= {"unit": unit or "cases", "groups": groups, "of_groups": of_groups}
    if e.threshold is not None and e.limit is not None:
        side, rule = ">=" if e.higher_is_positive else "<=", e.threshold.rule
        known |= {"threshold": e.limit, "side": side, "rule": str(rule), "chosen": e.threshold.chosen}
    if e.unanswered is not None:
        known["share"] = e.unanswered.value
    for number, topic, measures in ITEMS[guideline]:
        first, *others = FACTS[topic].split()
        if first in known:
            facts = {name: known[name] for name in (first, *others) if name in known}
            yield ReportingItem(number, topic, facts, _figures(e, measures))


def _figures(e: BinaryEvaluation, names: tuple[str, ...]) -> tuple[Figure, ...]:
    """The measures that are there and have a value.

    Without those that depend on the numbers of cases and controls, where the design fixes these.
    """
    fixed = e.design == "case-control" and not e.mix_fixed_by_weights
    figures = [Figure(name, e.estimates[name]) for name in names if name in e.estimates]
    return tuple(
        figure
        for figure in figures
        if not figure.estimate.undefined
        and not (fixed and any(note.code == "given-mix" for note in figure.estimate.notes))
    )


TASKS: dict[Task, str] = {
    "binary": "tabular-classification",
    "multiclass": "tabular-classification",
    "multilabel": "tabular-classification",
    "regression": "tabular-regression",
}
# ids of the Hub, where they are not our names
IDS = {
    "sensitivity": "recall",
    "mean_absolute_error": "mae",
    "mean_squared_error": "mse",
    "r2": "r_squared",
    "correlation": "pearsonr",
    "exact_match": "exact_match",
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ModelCard(Result):
    """The metadata of a model card: what was evaluated, on what, with which results.

    Attributes
    ----------
    model : str
        The name of the model.
    task : str
        The task of the Hub, as "tabular-classification".
    dataset : str
        The name of the data set, for readers.
    dataset_id : str
        Its id on the Hub.
    config, split, revision : str or None
        Its configuration, its split and its revision.
    figures : tuple of Figure
        The measures with their estimates.
    """

    FORM = "reporting.model_card"
    WRITERS: ClassVar[Writers] = {
        **Result.WRITERS,
        ".yaml": "yaml",
        ".yml": "yaml",
        ".md": "model card",
        ".txt": "text",
    }

    model: str
    task: str
    dataset: str
    dataset_id: str
    config: str | None = None
    split: str | None = None
    revision: str | None = None
    figures: tuple[Figure, ...] = ()

    @property
    def metric_ids(self) -> dict[str, str]:
        """By measure the id that the Hub has for it."""
        return {one.measure: IDS.get(one.measure, one.measure) for one in self.figures}


@public()
def model_card(
    evaluation: Evaluation,
    /,
    *,
    model: str,
    dataset: str,
    dataset_id: str | None = None,
    config: str | None = None,
    split: str | None = None,
    revision: str | None = None,
    task: str | None = None,
) -> ModelCard:
    """Metadata for the model card of the Hugging Face Hub, with the measures of the first screen.

    Parameters
    ----------
    evaluation : Evaluation
        What `evaluate` returned; `ev[["roc_auc", "f1"]]` selects measures.
    model : str
        The name of the model.
    dataset : str
        The name of the data set, for readers.
    dataset_id : str, optional
        Its id on the Hub; by default its name.
    config, split, revision : str, optional
        Its configuration, its split, as "test", and its revision.
    task : str, optional
        The task of the Hub; by default "tabular-classification", of amounts "tabular-regression".

    Returns
    -------
    ModelCard
        Its text is YAML with the key `model-index`; `save("card.yaml")` writes it, `save("README.md")` a
        model card that has nothing else.

    Raises
    ------
    InputError
        For what is no evaluation, and for names that are no text.

    Examples
    --------
    >>> import tallymark as tm
    >>> ev = tm.evaluate(truth=[0, 1, 1, 0], predicted=[0, 1, 1, 1], measures="accuracy")
    >>> print(tm.model_card(ev, model="forest", dataset="wards", split="test"))
    forest on wards: Accuracy 0.750 [0.301, 0.954].
    <BLANKLINE>
    Task: tabular-classification. Data: wards, split test.
    <BLANKLINE>
    measure   estimate [95% interval]
    --------  -----------------------
    Accuracy  0.750 [0.301, 0.954]
    """
    e = checked_evaluation(evaluation, "model_card")
    given = {"model": model, "dataset": dataset, "dataset_id": dataset_id or dataset}
    given |= {"task": task or TASKS[e.task]}
    more = {"config": config, "split": split, "revision": revision}
    for name, value in (given | {name: one for name, one in more.items() if one is not None}).items():
        if not isinstance(value, str) or not value.strip():
            raise InputError("invalid-value", name, f"{shown(value)} is no name", "pass a text", value=value)
    return ModelCard(
        model=model, task=given["task"], dataset=dataset, dataset_id=given["dataset_id"], config=config,
        split=split, revision=revision, figures=tuple(_of_first_screen(e)),
    )  # fmt: skip


def _of_first_screen(e: Evaluation) -> list[Figure]:
    """The measures that were chosen, or those with a headline, as far as they have a value."""
    labels_only = getattr(e, "ranking", None) is None
    heads = {name: e.entry(name).headline for name in e.estimates}
    names = e.selected or [
        name
        for name, head in heads.items()
        if head is not None and head.place is not None and (labels_only or not head.labels_only)
    ]
    figures = [Figure(name, e.estimates[name]) for name in names]
    return [figure for figure in figures if isfinite(figure.estimate.value)]
