"""How often a gate tells a model from itself: its findings on random halves of the cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf, sqrt
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from ...evaluation.evaluate import SUMMARIES, EvaluateArguments, describe, limits_of
from ...evaluation.groups import Partition, split_by, table_of
from ...evaluation.results import Evaluation
from ...inference.contrast import independent
from ...inference.interval import normal_quantile
from ...input import validate
from ...input.arguments import CLUSTERS, PERSONS
from ...input.calls import public
from ...input.errors import IN_FORMATS, InputError
from ...input.results import Answer, Result, Tabular, rows_of
from ...input.sample import BY, DataInfo, Index
from ...input.score_columns import of_one_model
from ...summaries.samples import read_sample
from .checking import (
    FAILED,
    OF_TWO,
    PASSED,
    UNDECIDED,
    at_level_of_use,
    by_class,
    by_default,
    check,
    finding_of,
    measured,
    no_worse,
    requirements_of,
    several,
    too_small,
)
from .file import with_gate_file
from .grammar import Requirement, parse_quantity
from .uses import Uses, next_use

SPLITS = 200
FEWEST, MOST = 10, 10_000


@dataclass(frozen=True, slots=True, repr=False)
class SelfTested(Result):
    """What a requirement finds of the same model on two random halves of the cases.

    Attributes
    ----------
    requirement : str
        As it was written, with its group or class.
    apart : float
        The share of the splits in which the interval of the difference of the halves leaves out 0.
    contradicted : float
        The share in which one half passes and the other fails; of a requirement against a baseline, for which
        the other half stands, that in which it fails.
    passed, failed, undecided : float
        The shares of the findings.
    """

    requirement: str
    apart: float
    contradicted: float
    passed: float
    failed: float
    undecided: float


@dataclass(frozen=True, eq=False, repr=False)
class SelfTest(Answer, Tabular):
    """How often a gate tells a model from itself.

    Attributes
    ----------
    tested : tuple of SelfTested
        One per requirement on a measure.
    splits : int
        How often the cases were split into halves at random.
    level : float
        The level of the intervals.
    data : DataInfo
        All cases.
    budget : str or None
        What the level means where the cases are used several times.
    """

    ANSWER = "self_test"
    FORM = "studies.self_test"
    HOLDS = None
    PLAIN: ClassVar[str] = "splits level apart_promised contradicted_promised data tested"

    tested: tuple[SelfTested, ...]
    splits: int
    level: float
    data: DataInfo
    budget: str | None = None

    @property
    def apart_promised(self) -> float:
        """The share of the splits of any model in which the interval of the difference leaves out 0."""
        return round(1 - self.level, 12)

    @property
    def contradicted_promised(self) -> float:
        """The share in which one half passes and the other fails, where all cases are at the limit."""
        return 2 * NormalDist().cdf(-sqrt(2) * normal_quantile(self.level))

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """A row per requirement."""
        return rows_of(plain["tested"])


@with_gate_file
@public(also=check)
def self_test(data: Any = None, /, *, splits: int = SPLITS, **given: Any) -> SelfTest:
    """Split the cases into halves at random, and count how often `check` tells the model from itself.

    Parameters
    ----------
    data : data frame, file or mapping of columns, optional
        As for `check`; or the gate file.
    splits : int, default 200
        How often the cases, or whole clusters, are split.
    require, gate, no_worse_than, measures, uses, valid, by
        As for `check`. For a baseline stands the other half of the cases.
    state : str, optional
        As for `check`: the level is that of the next use, which is not counted.
    baseline, baseline_score, pair_by, key, paired, undecided
        Without effect: a gate file may have them.
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
    SelfTest
        With a row per requirement on a measure.

    Raises
    ------
    InputError
        As for `check`, and for cases that cannot be split: summaries, and comparisons of persons.

    Notes
    -----
    The halves are of the same model, so that the interval of their difference should leave out 0 in 1 - level
    of the splits. Splits of cases that depend on each other do not show it: name their clusters.

    Examples
    --------
    >>> import numpy as np
    >>> import tallymark as tm
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random(400) < 0.5
    >>> found = tm.self_test(truth=truth, score=rng.normal(truth), require="roc_auc >= 0.7", splits=50)
    >>> found.tested[0].contradicted
    0.0
    """
    splits = validate.whole(splits, "splits", FEWEST, MOST)
    cases: dict[str, Any] = {one: given[one] for one in EvaluateArguments.__annotations__ if one in given}
    cases = of_one_model("self_test", cases, OF_TWO.format(**IN_FORMATS))
    if isinstance(data, (Evaluation, *SUMMARIES)) or cases.pop("counts", None) is not None:
        raise InputError(
            "unsupported", None, "A summary does not hold the cases, which are split", "pass these"
        )
    if cases.get(PERSONS) is not None:
        problem = "comparisons of persons have no halves that are independent of each other"
        raise InputError("unsupported", PERSONS, problem, "leave the self-test out")
    if cases.get("name") is not None:
        validate.of_type(cases["name"], str, "name")
    required = requirements_of(given.get("require", ()))
    progress, name, threshold = cases.pop("progress", None), cases.pop("name", None), cases.get("threshold")
    columns = list(dict.fromkeys(name for one in required for name in one.by))
    if columns:
        cases["by"] = columns if data is not None else given.get("by")
    spec, options = describe(**cases)
    if columns:
        (parts,) = split_by(BY, data, spec, options, threshold, progress, summed=False)[0].values()
    else:
        sample = read_sample(data, spec, progress).only(0)
        (limit,) = limits_of(threshold, [None]).values()
        parts = Partition(Index(np.zeros(len(sample), int), ((),)), sample, options, limit)
    uses = Uses.of(given.get("uses"), given.get("valid", "fixed"))
    uses = next_use(given.get("state"), uses, options.settings.level)
    if given.get("no_worse_than") is not None:
        compared = [parse_quantity(one) for one in several(given.get("measures") or [], "measures")]
        compared = compared or by_default(required, parts.whole)
        margin = validate.number(given["no_worse_than"], "no_worse_than", 0.0, inf)
        required += [no_worse(one, margin) for one in compared]
    tested = [
        (group, rows, each)
        for one in required
        if not one.quantity.is_of_rows
        for group, rows in _groups(parts, one)
        for each in by_class(parts.whole, one)
    ]
    if not tested:
        raise InputError("needed", "require", "no requirement is on a measure", "as roc_auc >= 0.80")
    rng, found = np.random.default_rng(options.settings.seed), []
    for _ in range(splits):
        half = _half(parts.source, options.settings.design == "case-control", rng)
        known: dict[Any, list[Evaluation]] = {}
        found.append(
            [_outcomes(parts, half, cases_in, group, one, uses, known) for group, cases_in, one in tested]
        )
    shares = np.mean(found, axis=0).tolist()
    by_requirement = tuple(
        SelfTested(f"{one.text or one}{f': {group}' * bool(group)}", *each)
        for (group, _, one), each in zip(tested, shares, strict=True)
    )
    info = parts.whole.data if name is None else replace(parts.whole.data, name=name)
    level = uses.level(options.settings.level)
    budget = None if uses.is_first else uses.sentence(level)
    return SelfTest(by_requirement, splits, level, info, budget)


def _groups(parts: Partition, requirement: Requirement) -> Iterator[tuple[str, np.ndarray]]:
    """The rows of all cases, without a name, or of each group that is large enough, by name."""
    if not requirement.by:
        yield "", np.arange(len(parts.groups.codes))
        return
    table = table_of(parts, None)
    groups = (table if requirement.by == table.by else table.regrouped(requirement.by)).groups
    for place, name in enumerate(groups.names):
        if too_small(parts.part(groups.rows(place)), requirement) is None:
            yield name, groups.rows(place)


def _half(sample: Any, by_class: bool, rng: np.random.Generator) -> np.ndarray:
    """Which cases are in the first half: half of all units, with fixed class sizes half of each class."""
    units = sample.units
    order = rng.permutation(len(sample) if units is None else int(units.max()) + 1)
    if units is not None and len(order) < 2:
        problem = "all cases are of one cluster, and two are needed: a half takes whole clusters"
        raise InputError("no-result", CLUSTERS, problem, "name a column with two clusters at least")
    if by_class and units is None and sample.truth.ndim == 1:
        order = order[np.argsort(sample.truth[order], kind="stable")]
    half = np.empty(len(order), bool)
    half[order] = np.arange(len(order)) % 2 == 0
    return half if units is None else half[units]


def _outcomes(
    parts: Partition,
    half: np.ndarray,
    rows: np.ndarray,
    group: str,
    requirement: Requirement,
    uses: Uses,
    known: dict[Any, list[Evaluation]],
) -> tuple[float, ...]:
    """Whether the halves of a group differ, and contradict each other; the shares of outcomes."""
    key = requirement.by, group
    if key not in known:
        sides = (rows[half[rows]], rows[~half[rows]])
        known[key] = [at_level_of_use(parts.part(one), uses) for one in sides]
    both = known[key]
    if uses.valid == "anytime" and requirement.part != "value":
        both = [replace(e, settings=replace(e.settings, valid=uses.valid)) for e in both]
    first, second = estimates = [measured(e, requirement).estimate for e in both]
    difference = independent(first, second, (-inf, inf))
    compared = [difference] if requirement.of_baseline else estimates
    outcomes = [finding_of(requirement, one, len(rows)).outcome for one in compared]
    contradicted = {FAILED} if requirement.of_baseline else {PASSED, FAILED}
    shares = (outcomes.count(one) / len(outcomes) for one in (PASSED, FAILED, UNDECIDED))
    return (
        float(difference.has_interval and not difference.low <= 0 <= difference.high),
        float({*outcomes} == contradicted),
        *shares,
    )
