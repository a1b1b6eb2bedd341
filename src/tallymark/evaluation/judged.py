"""`with_judge`: the rate or mean of labels that few cases have, with the labels of a judge on all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import inf, isnan
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..inference import Estimate, Settings
from ..inference.contrast import ENDS, independent
from ..inference.covariance import Dependence, Sampling, covariance
from ..inference.prediction_powered import Powered, of_mean, of_proportion, rogan_gladen
from ..input import CaseSpec, read, validate
from ..input.arguments import Missing, WeightKind
from ..input.calls import public
from ..input.columns import Column
from ..input.errors import InputError, LabelError, option
from ..input.labels import BOTH, brief, distinct, with_actual
from ..input.messages import Note, joined
from ..input.names import listed as entered
from ..input.results import Answer, ByName, Entry, Result, Tabular
from ..input.sample import BY, DataInfo, Index, Sample, groups_of, names_by
from ..input.sources import Batch
from ..input.spec import no_truth
from ..summaries.samples import sample_of
from .evaluate import PREDICTED_POSITIVE, EvaluationOptions, evaluate_sample
from .notices import Notice, of_data
from .results import refuse_answers

if TYPE_CHECKING:
    from .groups import GroupDifferences

WHOLE = "all"  # the name of all cases, where there are no groups
MAIN = "with_judge"
FALSE_ALARMS = 0.01  # of the notice on a judge that differs where cases are labelled
FEWEST = 2  # labelled cases
AT_LEAST = "at least two cases need a label"


@dataclass(frozen=True, eq=False)
class JudgedRate(ByName, Result, Mapping[str, Estimate]):
    """The rate or mean of a group of cases, by several methods.

    Attributes
    ----------
    cases, labelled : int
        All cases, and those with a label.
    worth : float or None
        How many labels alone would give an interval as narrow as that of `with_judge`.
    slope : float or None
        By which the judge's labels enter: the difference of the rate of the labels between the judge's
        classes, or the slope of the regression on the judge's numbers. 0 is a judge who is not used; None of
        three classes and more.
    estimates : mapping of str to Estimate
        "with_judge", "labels_alone" and "judge_alone"; of classes also "rogan_gladen", "judge_sensitivity"
        and "judge_specificity".
    """

    cases: int
    labelled: int
    worth: float | None
    slope: float | None
    estimates: Mapping[str, Estimate]

    _ipython_key_completions_ = Answer._ipython_key_completions_

    def __repr__(self) -> str:
        return f"<JudgedRate: {self[MAIN]}>"


@dataclass(frozen=True, eq=False)
class Judged(ByName, Answer, Tabular, Mapping[Any, Estimate]):
    """Rates or means of labels that few cases have, with the labels of a judge on all.

    A mapping of names to estimates: "with_judge", "labels_alone", "judge_alone", and of classes
    "rogan_gladen", "judge_sensitivity", "judge_specificity"; of groups ("with_judge", "a") and others.

    Attributes
    ----------
    level : float
        The confidence level of the intervals.
    positive : label or None
        The class of which it is the rate; None of means.
    data : DataInfo
        The facts about the cases.
    rates : mapping of str to JudgedRate
        By group; without groups the name of the only one is "all".
    differences : GroupDifferences or None
        Between the groups, with intervals that hold together; None without groups.
    estimates : mapping
        The estimates by name, as the result itself has them.
    notices : tuple of Notice
        On the data, and on a judge whose labels differ where cases are labelled.
    """

    ANSWER: ClassVar[str] = "judged"
    FORM: ClassVar[str] = "measures.judged"
    HOLDS = None
    PLAIN = "notices? data level positive rates differences"

    level: float
    positive: Any
    data: DataInfo
    rates: Mapping[str, JudgedRate]
    differences: GroupDifferences | None = None
    notices: tuple[Notice, ...] = ()
    estimates: Mapping[Any, Estimate] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        each = ((name, of, one) for of, rate in self.rates.items() for name, one in rate.items())
        grouped = self.differences is not None
        found = {(name, of) if grouped else name: one for name, of, one in each}
        object.__setattr__(self, "estimates", found)

    @classmethod
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """The name, the plain values and the row of each estimate."""
        grouped = plain["differences"] is not None
        for of, rate in plain["rates"].items():
            about = {"group": of} if grouped else {}
            for name, found in rate["estimates"].items():
                yield (name, of) if grouped else name, found, [{**about, "method_of": name, **found}]

    def __repr__(self) -> str:
        name, one = next(iter(self.items()))
        return f"<Judged: {name if isinstance(name, str) else ' of '.join(name)} {one}>"


@entered(
    "function",
    "tm.with_judge(...)",
    aka=(
        "prediction_powered_inference", "ppi", "llm_as_a_judge", "judge", "autorater", "rogan_gladen",
        "double_sampling", "true_prevalence",
    ),
    command="tallymark judge",
)  # fmt: skip
@public()
def with_judge(
    data: Any = None,
    /,
    *,
    truth: Any = None,
    judge: Any = None,
    weight: Any = None,
    weight_kind: WeightKind | None = None,
    clusters: Any = None,
    by: Any = None,
    reference: str | None = None,
    positive: Any = None,
    not_an_answer: Sequence[Any] | None = None,
    classes: Sequence[Any] | None = None,
    missing: Missing = "reject",
    where: str | None = None,
    memory: str | int | None = None,
    regression: bool = False,
    level: float = 0.95,
    name: str | None = None,
) -> Judged:
    """Estimate a rate or mean of labels that few cases have, with the labels of a judge on all cases.

    The judge is a language model, a cheap test, or any other source of labels; it need not be right.

    Parameters
    ----------
    data : data frame, file or mapping of columns, optional
        As for `evaluate`; the other arguments then name columns.
    truth : array of shape (n,), or name of a column
        The labels, as those of people; missing (None, NaN, or an empty cell) where nobody looked. The cases
        that have one must be a random sample, of each group.
    judge : array of shape (n,), or name of a column
        The judge's labels of all cases, in the words of truth.
    weight, weight_kind, clusters : optional
        As for `evaluate`.
    by : name of a column, list of names, array, or mapping from names to arrays, optional
        A row for each group of cases, as for each model. With clusters, as the question that several models
        answer, the differences are paired.
    reference : str, optional
        The group from which the differences are; by default those of all pairs.
    positive : label, optional
        The label of which it is the rate, as "pass"; for 0/1 and the like it is not needed.
    not_an_answer : list of values, optional
        Labels of the judge that name no class, as "unclear": they are a class of their own.
    classes : list of labels, optional
        Both labels of truth, as for `evaluate`.
    missing : {"reject", "drop"}, default "reject"
        Cases without a label of the judge: raise InputError, or leave them out.
    where, memory : optional
        As for `evaluate`.
    regression : bool, default False
        Whether truth and judge are numbers, as grades or losses, of which the mean is estimated. The judge's
        may be on another scale.
    level : float, default 0.95
        Confidence level of the intervals, above 0 and below 1.
    name : str, optional
        What the result is called in texts and files.

    Returns
    -------
    Judged
        By name the estimate with the judge, that of the labels alone, the share of the judge, the corrected
        share of Rogan and Gladen, and the judge's sensitivity and specificity.

    Raises
    ------
    InputError
        For fewer than two labels, where each case has one, and for labels of three classes or more.

    References
    ----------
    Angelopoulos, Duchi and Zrnic (2023), arXiv:2311.01453; Rogan and Gladen (1978), American Journal of
    Epidemiology 107, 71-76.

    Examples
    --------
    >>> import tallymark as tm
    >>> people = [1, 0, 1, 1, 0, 1, None, None, None, None, None, None]
    >>> model = [1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1]
    >>> result = tm.with_judge(truth=people, judge=model)
    >>> round(result["with_judge"].value, 3), result["labels_alone"].value
    (0.6, 0.6666666666666666)
    """
    refuse_answers(data)
    level = validate.number(level, "level", 0, 1)
    if truth is None:
        raise no_truth()
    if judge is None:
        raise InputError("needed", "judge", "the judge's labels are missing", f"pass {option('judge')}")
    spec = CaseSpec(
        truth=truth, judge=judge, weight=weight, weight_kind=weight_kind, clusters=clusters, by=by,
        positive=positive, not_an_answer=not_an_answer, classes=classes, missing=missing, where=where,
        memory=memory, regression=regression, numbers=("judge",) if regression else (),
    )  # fmt: skip
    cases = read(data, spec)
    columns = cases.columns()
    sample = _sample(columns, spec, cases.data, data is None)
    groups = sample.index["group"]
    parts = {one: sample.where(group=i) for i, one in enumerate(groups.names)} if by is not None else {}
    parts = parts or {WHOLE: sample}
    for one, part in parts.items():
        _check(None if by is None else one, part)
    powered = {one: _powered(part) for one, part in parts.items()}
    rates = {one: _rate(part, powered[one], level) for one, part in parts.items()}
    alarms = FALSE_ALARMS / len(parts)
    differing = (_differs(None if by is None else one, part, alarms) for one, part in parts.items())
    label = None if regression else sample.labels[1]
    if isinstance(label, float) and label.is_integer():  # labels with gaps are read as floats
        label = int(label)
    info = sample.info if name is None else replace(sample.info, name=validate.of_type(name, str, "name"))
    return Judged(
        level, label, info, rates,
        _differences(sample, powered, reference, level) if by is not None else None,
        (*(one for one in differing if one), *of_data(info)),
    )  # fmt: skip


def _sample(columns: Batch, spec: CaseSpec, data: Any, arrays: bool) -> Sample:
    """The cases, with the judge as the model, a label for each, and which of these are known as an index."""
    truth, judge = columns["truth"], columns["judge"]
    labelled = ~truth.without_answer
    known = truth.keep(labelled)
    if len(known) < FEWEST:
        raise InputError(
            "needed", truth, f"{len(known) or 'none'} of {len(truth)} cases has a label", AT_LEAST
        )
    truth = with_actual(truth, Column("truth", np.repeat(known.values[:1], len(truth))))
    truth = replace(truth, unanswered=None)
    if not spec.regression:
        if judge.values.dtype.kind == "f" and (judge.values % 1).any():
            remedy = f"say {option('regression', True)}, with numbers as truth, or turn them into labels"
            raise InputError("ambiguous", judge, "fractional numbers are scores, not labels", remedy)
        ours, theirs = distinct(known.values), distinct(judge.those(~judge.without_answer).values)
        if not {*ours} & {*theirs} and len({*ours, *theirs}) > 2:
            problem = f"it holds {brief(theirs)}, and {truth} holds {brief(ours)}: none is in both"
            raise InputError("labels", judge, problem, "write both in one way")
    answers = {"truth": truth, "judge": with_actual(judge, truth)}
    as_predicted = spec.of_columns({"predicted": spec.judge, "judge": None, "by": None})
    try:
        sample = sample_of({**columns, **answers}, as_predicted, {None: ("judge",)}, data)
    except LabelError as reason:
        if reason.argument != BOTH:
            raise
        raise LabelError(
            reason.code, "truth, judge", reason.problem, reason.remedy, value=reason.value
        ) from None
    if sample.task == "multiclass":
        raise InputError(
            "labels", truth, f"there are {len(sample.labels)} classes ({brief(sample.labels)}), not two",
            "a rate is of one class against the rest, as truth == label; pass "
            f"{option('regression', True)} for the mean of grades",
        )  # fmt: skip
    groups = [column for role, column in columns.items() if role.split()[0] == BY]
    index = {"labelled": Index(labelled.astype(np.int64), (False, True))}
    none = Index(np.zeros(len(truth), np.int64), ((WHOLE,),))
    index["group"] = groups_of(groups, names_by(spec.by, arrays)) if groups else none
    return replace(sample, index={**sample.index, **index}).one_by_one()


def _check(name: str | None, part: Sample) -> None:
    """Raises InputError where a group has too few labels, or each case one."""
    of = "" if name is None else f" in the group {validate.shown(name)}"
    labelled = int(part.index["labelled"].codes.sum())
    if labelled < FEWEST:
        problem = f"{labelled or 'none'} of {len(part)} cases{of} has a label"
        raise InputError("needed", "truth", problem, AT_LEAST)
    if labelled == len(part):
        problem = f"each of the {labelled} cases{of} has a label, so that the judge adds nothing"
        remedy = f"evaluate({option('truth')}, {option('predicted')}) says how often the judge is right"
        raise InputError("needed", "truth", problem, remedy)


def _sampling(part: Sample, stratum: np.ndarray) -> Sampling:
    units = None if part.units is None else Dependence.of_cases(part.units, part.weight, stratum)
    return Sampling(part.weight, part.squares, stratum, units=units)


def _powered(part: Sample) -> Powered:
    """The estimate with the judge."""
    labelled, judge = part.index["labelled"].codes, part.output[0]
    if part.task == "regression":
        return of_mean(part.truth, judge, _sampling(part, labelled))
    return of_proportion(part.truth & (labelled == 1), judge, _sampling(part, labelled))


def _rate(part: Sample, powered: Powered, level: float) -> JudgedRate:
    """The estimates of a group, and what the judge adds."""
    labelled, judge, found = part.index["labelled"].codes, part.output[0], {MAIN: powered.estimate(level)}
    if part.task == "regression":
        in_all = _sampling(part, np.ones_like(labelled))
        found["labels_alone"] = of_mean(part.truth, 0.0 * judge, powered.sampling).estimate(level)
        found["judge_alone"] = of_mean(judge, 0.0 * judge, in_all).estimate(level)
    else:
        options = EvaluationOptions(Settings(level=level), {})
        quality, others, every = (
            evaluate_sample(_of_two(one), 0, options)
            for one in (part.where(labelled=1), part.where(labelled=0), part)
        )
        found["labels_alone"] = quality["prevalence"]
        found["judge_alone"] = every[PREDICTED_POSITIVE]
        rates = quality["sensitivity"], quality["specificity"]
        if not any(one.undefined for one in rates):
            corrected = rogan_gladen(others[PREDICTED_POSITIVE], *rates)
            if part.units is not None and corrected.has_interval:
                corrected = replace(corrected, notes=joined(corrected.notes, Note("rates-as-independent")))
            found["rogan_gladen"] = corrected
        found["judge_sensitivity"], found["judge_specificity"] = rates
    widths = [found[one].high - found[one].low for one in (MAIN, "labels_alone")]
    number = int(labelled.sum())
    worth = number * (widths[1] / widths[0]) ** 2 if widths[0] > 0 else np.nan
    slope = None if isnan(powered.slope) else powered.slope
    return JudgedRate(len(part), number, None if isnan(worth) else float(worth), slope, found)


def _of_two(part: Sample) -> Sample:
    """The same, where an answer of the judge that is no class is one of the negative class."""
    return replace(part, output=((part.output[0] == 1).astype(np.int64),), no_answer=(False,), views={})


def _differs(name: str | None, part: Sample, alarms: float) -> Notice | None:
    """The notice, if the judge's labels differ between cases with and without a label."""
    both: list[Estimate] = []
    for one in (1, 0):
        if part.task == "regression":
            stratum = (part.index["labelled"].codes == one).astype(np.int64)
            judge = part.output[0]
            both.append(of_mean(judge, 0.0 * judge, _sampling(part, stratum)).estimate(1 - alarms))
        else:
            options = EvaluationOptions(Settings(level=1 - alarms), {})
            both.append(evaluate_sample(_of_two(part.where(labelled=one)), 0, options)[PREDICTED_POSITIVE])
    apart = independent(both[0], both[1], (-inf, inf))
    if not apart.has_interval or apart.low <= 0 <= apart.high:
        return None
    about = {} if name is None else {"group": name}
    return Notice("judge-differs", **about, labelled=both[0].value, others=both[1].value)


def _differences(
    sample: Sample, powered: Mapping[str, Powered], reference: str | None, level: float
) -> GroupDifferences:
    """The differences between the groups, whose intervals hold together."""
    from .groups import GroupDifference, GroupDifferences

    names, groups = list(powered), sample.index["group"]
    if reference is not None:
        validate.choice(reference, names, "reference")
    pairs = [(one, other) for other, one in combinations(names, 2)]
    if reference is not None:
        pairs = [(one, reference) for one in names if one != reference]
    each, related = level ** (1 / max(len(pairs), 1)), None
    if sample.units is not None:
        values = np.zeros((len(names), len(sample)))
        for i, of_group in enumerate(powered.values()):
            values[i, groups.rows(i)] = of_group.values / of_group.sampling.total
        spread = covariance(values, _sampling(sample, sample.index["labelled"].codes))[0]
        scale = np.sqrt(np.diagonal(spread))
        related = np.divide(spread, np.outer(scale, scale), out=0 * spread, where=np.outer(scale, scale) > 0)
    estimates = {name: one.estimate(each) for name, one in powered.items()}
    ends = (-inf, inf) if sample.task == "regression" else ENDS
    found = []
    for one, other in pairs:
        how: dict[str, Any] = {}
        if related is not None:
            r = float(np.clip(related[names.index(one), names.index(other)], -1, 1))
            how = {"correlation": r, "method": "mover-correlated"}
        apart = independent(estimates[one], estimates[other], ends, **how)
        found.append(GroupDifference(MAIN, one, other, apart))
    return GroupDifferences(tuple(found), level, each)
