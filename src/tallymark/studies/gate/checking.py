"""`check`: the release gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Unpack

from ...evaluation.arguments import EvaluateArguments
from ...evaluation.evaluate import SUMMARIES as MEASURED
from ...evaluation.evaluate import evaluate
from ...evaluation.from_evaluation import evaluated, of_sums
from ...evaluation.groups.table import GroupTable
from ...evaluation.notices import Notice, of_model
from ...evaluation.results import Evaluation, refuse_answers
from ...input import KeepingTruth, validate
from ...input.calls import public
from ...input.score_columns import of_one_model
from ...input.spelling import IN_FORMATS, assigned, option
from ...input.validate import InputError
from ..compare.common_mix import CommonMix, of_mix
from ..compare.reading import SUMMARIES, of_equal_sizes
from .baseline import (
    BASELINE,
    NEW,
    SameCases,
    against,
    by_default,
    read_together,
    refuse_alike,
    refuse_one_truth,
    same_source,
    several,
    unpaired_finding,
)
from .grammar import Requirement, parse
from .measuring import decide, with_other_seeds
from .results import Finding, Verdict, shared


def of_groups(
    data: Any,
    cases: Mapping[str, Any],
    by: Mapping[str, Any] | None,
    required: Sequence[Requirement],
    uses: int | None,
) -> Verdict:
    """The verdict where some requirements are of groups; the cases are read once. Raises InputError."""
    if isinstance(data, Evaluation):
        problem = "an evaluation does not hold the group of each case"
        raise InputError(
            "unsupported", "require", f"{problem}, which {_first(required).text!r} needs", "pass the cases"
        )
    columns = list(dict.fromkeys(name for one in required for name in one.by))
    table = evaluate(data, **cases, by=_columns(data, by, columns))
    whole = shared(table.whole, uses)
    every = (_findings(one, table, whole, uses) for one in required)
    return Verdict(tuple(finding for some in every for finding in some), whole, uses=uses)


def _first(required: Sequence[Requirement]) -> Requirement:
    return next(one for one in required if one.by)


def _columns(data: Any, by: Mapping[str, Any] | None, names: list[str]) -> Any:
    """The names of columns, or the arrays of these names."""
    if data is not None:
        refuse_by(by)
        return names
    lacking = next((name for name in names if name not in (by or {})), None)
    if by is None or lacking is not None:
        problem = f"without data, pass the column {lacking!r} that a requirement names"
        raise InputError("needed", "by", problem, "as by={'site': site}")
    return {name: by[name] for name in names}


def _findings(
    requirement: Requirement, table: GroupTable, whole: Evaluation, uses: int | None
) -> list[Finding]:
    """The finding of all cases, or one for each group."""
    if not requirement.by:
        return [decide(whole, requirement)]
    groups = table if requirement.by == table.by else table.regrouped(requirement.by)
    found = ((name, decide(shared(groups[name], uses), requirement)) for name in groups)
    return [
        replace(one, requirement=f"{one.requirement}: {name}", measured=f"{one.measured}, {name}")
        for name, one in found
    ]


def refuse_by(by: Any) -> None:
    """Raises InputError for arrays of groups that no requirement names."""
    if by is not None:
        problem = 'the groups are named in requirements, as "sensitivity >= 0.9 by site"'
        raise InputError(
            "conflict", "by", problem, f"leave {option('by')} out; it is for arrays without data"
        )


OF_TWO = "two are compared with {option[baseline_score]}, or {option[baseline]}"
NOTHING = "as {required}, or a {option[baseline]} with {margin}"
REQUIRED = '["roc_auc.low >= 0.80"]'


@public(also=evaluate, but=("reference", "fold", "class_weight", "bins", "tolerance"))
def check(
    data: Any = None,
    /,
    *,
    require: str | Requirement | Sequence[str | Requirement] = (),
    baseline: Any = None,
    baseline_score: Any = None,
    pair_by: Any = None,
    paired: bool | None = None,
    no_worse_than: float | None = None,
    measures: str | Sequence[str] | None = None,
    uses: int | None = None,
    by: Mapping[str, Any] | None = None,
    **cases: Unpack[EvaluateArguments],
) -> Verdict:
    """Check whether a model meets requirements, as "roc_auc.low >= 0.80".

    Parameters
    ----------
    data : data frame, file, mapping of columns, summary or evaluation, optional
        As for `evaluate`, or an `Evaluation`.
    require : str, Requirement, or list of these
        As "roc_auc.low >= 0.80" or "sensitivity.low >= 0.9 at specificity 0.95"; docs/check.md has the
        grammar. `.low` and `.high` are the ends of the interval, two-sided at `level`. With "by site" each
        group of cases with the same value of that column has to meet it.
    baseline : data frame, file, mapping of columns, summary or evaluation, optional
        The cases of the model in use, with columns of the same names as data, or an `Evaluation`.
    baseline_score : name of a column or array, optional
        The score of the baseline, where its column has another name. Without baseline both scores are of the
        same cases, in data.
    pair_by : name of a column, optional
        The column that identifies the cases, where both models were applied to the same. Without it the cases
        are taken as different and independent.
    paired : bool, optional
        False is required where a baseline on other cases seems to be on the same: see the notes.
    no_worse_than : float, optional
        Margin, 0 or more, in units of the measure: the worse end of the interval of new - baseline must not
        lie beyond it.
    measures : str or list of str, optional
        The measures that are compared, as "roc_auc"; by default those named in require of which a higher or
        lower value is better, else roc_auc.
    uses : int, optional
        Number of decisions in total for which these cases are used, this one included, as 5 for five
        releases.
    by : mapping from names to arrays, optional
        Without data, the columns of the groups that requirements name, as "sensitivity >= 0.9 by site".
    truth, score, predicted, weight, weight_kind, counts, positive, classes, ordered, regression
        As for `evaluate`.
    clusters, persons, predicted_positive, not_an_answer, higher_is_positive, score_kind, missing
        As for `evaluate`.
    where, memory, threshold, rule, replicates
        As for `evaluate`.
    level, proportion, auc_interval, design, rng, parameters, name, progress
        As for `evaluate`.

    Returns
    -------
    Verdict
        With passed, which is also its truth value, and a finding per requirement.

    Raises
    ------
    RequirementError
        An InputError that shows the position, for a requirement that cannot be parsed or does not fit the
        data.
    InputError
        As for `evaluate`. A requirement that is not met is not an error.

    Notes
    -----
    A model whose true roc_auc is 0.80 meets "roc_auc.low >= 0.80" with a probability of about (1 - level) /
    2. A value that is undefined, or has no interval, does not pass. There is no correction for the number of
    requirements.

    With uses every interval is at 1 - (1 - level) / uses (Bonferroni), so that the probability that any of so
    many models at a limit passes is at most about (1 - level) / 2. This holds where the developers of the
    next model see only whether the previous one passed (docs/check.md).

    A baseline that is an `Evaluation`, or another summary, with as many cases of each class as the new
    model's may be of the same cases, and needs paired=False if it is not; so does a data set with the same
    labels in the same order.

    Examples
    --------
    >>> import tallymark as tm
    >>> verdict = tm.check(
    ...     counts=tm.Counts(tp=45, fp=5, fn=5, tn=45),
    ...     require=["sensitivity >= 0.8", "specificity.low >= 0.8"],
    ... )
    >>> verdict.passed, [finding.passed for finding in verdict.findings]
    (False, [True, False])
    """
    cases = of_one_model("check", cases, OF_TWO.format(**IN_FORMATS))
    baseline_score = of_one_model("check", {"baseline_score": baseline_score}, OF_TWO.format(**IN_FORMATS))[
        "baseline_score"
    ]
    refuse_answers(data)
    refuse_answers(baseline, "baseline")
    required = [one if isinstance(one, Requirement) else parse(one) for one in several(require, "require")]
    budget = None if uses is None else validate.whole(uses, "uses", 1, 1e6)
    margin, compared = against(
        same_source(data, baseline), baseline, baseline_score, pair_by, paired, no_worse_than, measures
    )
    in_groups = any(one.by for one in required)
    if margin is None:
        if not required:
            ways = {"required": assigned("require", REQUIRED), "margin": option("no_worse_than", 0.01)}
            way_out = NOTHING.format(**ways, **IN_FORMATS)
            raise InputError("needed", "require", "nothing is required", way_out)
        if in_groups:
            return of_groups(data, cases, by, required, budget)
        refuse_by(by)
        e = shared(evaluated(data, cases), budget)
        return Verdict(_decided(e, required), e, uses=budget)
    requirements = _Requirements(required, compared, margin, budget)
    if pair_by is not None or baseline is None:
        found = _on_same_cases(data, cases, baseline, baseline_score, pair_by, requirements)
    else:
        found = _on_other_cases(data, cases, baseline, baseline_score, paired, requirements)
    if not in_groups:
        refuse_by(by)
        return found
    of_each = of_groups(data, cases, by, required, budget).findings
    return replace(found, findings=of_each + found.findings[sum(not one.by for one in required) :])


@dataclass(frozen=True)
class _Requirements:
    """The requirements, the measures that are compared with a baseline, the margin, and the uses."""

    required: list[Requirement]
    compared: list[Requirement]
    margin: float
    uses: int | None

    def compared_in(self, e: Evaluation) -> list[Requirement]:
        """The measures to compare, by default those which the requirements name."""
        return self.compared or by_default(self.required, e)


def _decided(e: Evaluation, required: list[Requirement]) -> tuple[Finding, ...]:
    """A finding for each requirement of all cases."""
    return tuple(decide(e, one) for one in required if not one.by)


def _on_same_cases(
    data: Any,
    cases: Mapping[str, Any],
    baseline: Any,
    baseline_score: Any,
    pair_by: Any,
    requirements: _Requirements,
) -> Verdict:
    """The verdict where the baseline has the same cases, which are then compared case by case."""
    old = baseline, baseline_score, pair_by
    if read_together(data, cases):
        both = SameCases(data, cases, *old)
        new = both.new
    else:  # the comparison reads the data once more
        new = evaluated(data, cases)
        both = SameCases(data, cases, *old)
    e = shared(new, requirements.uses)
    findings = _decided(e, requirements.required)
    found = tuple(
        with_other_seeds(e, partial(both.finding, requirement=one, margin=requirements.margin))
        for one in requirements.compared_in(e)
    )
    more = _of_baseline(e, both.old)
    return Verdict(
        findings + found, e, "baseline: on the same cases, compared case by case", requirements.uses, more
    )


def _on_other_cases(
    data: Any,
    cases: Mapping[str, Any],
    baseline: Any,
    baseline_score: Any,
    paired: bool | None,
    requirements: _Requirements,
) -> Verdict:
    """The verdict where the baseline has different cases, which are taken as independent."""
    baseline = of_sums(baseline, cases)
    data = data if isinstance(baseline, Evaluation) else of_sums(data, cases)
    if paired is None:
        data, baseline = _keeping_truth(data, baseline)
    of_new = _without_cases(data, cases) if not isinstance(baseline, Evaluation) else cases
    e = shared(evaluated(data, of_new), requirements.uses)
    findings, compared = _decided(e, requirements.required), requirements.compared_in(e)
    of_old = cases if baseline_score is None else {**cases, "score": baseline_score}
    old = shared(evaluated(baseline, _without_cases(baseline, of_old)), requirements.uses)
    if paired is None:
        _refuse_same(data, baseline, e, old)
    mix = CommonMix({NEW: e, BASELINE: old})
    found = tuple(
        with_other_seeds(
            e, partial(unpaired_finding, old=old, mix=mix, requirement=one, margin=requirements.margin)
        )
        for one in compared
    )
    assumes = f"baseline: {old.data.source}, {old.data.rows:,} other cases, taken as independent"
    depend = [str(one.quantity) for one, on in zip(compared, found, strict=True) if of_mix(on.estimate)]
    more = ((mix.notice(depend),) if depend else ()) + _of_baseline(e, old)
    return Verdict(findings + found, e, assumes, requirements.uses, more)


def _of_baseline(new: Evaluation, old: Evaluation) -> tuple[Notice, ...]:
    """The severe notices on the baseline that are not those on the new model, too."""
    return tuple(of_model(BASELINE, one) for one in old.notices if one.severe and one not in new.notices)


def _without_cases(data: Any, cases: Mapping[str, Any]) -> Mapping[str, Any]:
    """What describes the cases; nothing for an evaluation, since it is then meant for the other model."""
    return {} if isinstance(data, Evaluation) else cases


def _keeping_truth(data: Any, baseline: Any) -> tuple[Any, Any]:
    """Two data sets that record the order of their labels, unless one of them is a summary.

    The order shows whether the cases are different ones.
    """
    if data is None or any(isinstance(one, (Evaluation, *MEASURED)) for one in (data, baseline)):
        return data, baseline
    return KeepingTruth(data), KeepingTruth(baseline)


def _refuse_same(data: Any, baseline: Any, new: Evaluation, old: Evaluation) -> None:
    """Raises InputError where both may be, or seem to be, of the same cases."""
    if any(isinstance(one, SUMMARIES) for one in (data, baseline)):
        refuse_alike(new, old)
    elif isinstance(data, KeepingTruth) and of_equal_sizes([new, old]):
        one, other = data.truth, baseline.truth
        if one is None or other is None:
            refuse_alike(new, old)
        else:
            refuse_one_truth(one, other)
