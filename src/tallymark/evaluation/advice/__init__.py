"""Which measures to use: what the literature advises, applied to the data at hand.

The rules look at an evaluation, the stated need and the costs, and recommend measures to use and measures to
avoid; `mix` recomputes every measure with classes of equal size. docs/advice.md lists all rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from inspect import signature
from math import isfinite
from typing import Any, Unpack, get_args

from ...inference import Estimate
from ...input import text, validate
from ...input.calls import public
from ...input.data_info import conditions, named
from ...input.messages import Note
from ...input.names import listed
from ...input.options import Need
from ...input.results import Answer, Tabular
from ...input.score_columns import of_one_model
from ...input.spelling import option
from ...input.validate import InputError
from ..arguments import EvaluateArguments
from ..availability import NotMeasuredError
from ..evaluate import NOT_OF_ONE, evaluate
from ..from_evaluation import evaluated
from ..notices import Notice
from ..results import BinaryEvaluation, Evaluation, RegressionEvaluation
from .mix import balanced, implied, shifts
from .rules import LISTS, RULES, Costs, Item, Rule, Situation

__all__ = ["RULES", "Advice", "Item", "Rule", "advise", "balanced", "shifts"]

NEEDS = get_args(Need)
LONGEST = 60  # characters of a list of measures in the short form


@dataclass(frozen=True, eq=False)
class Advice(Answer, Tabular):
    """The measures to use and those that mislead on these data, with reasons.

    Attributes
    ----------
    items : tuple of Item
        The pieces of advice, each with its code, text, source, the measures to use, to avoid and to compare
        within one class mix only, and what another source says instead.
    need : str or None
        "decision" (the predicted labels are used), "ranking" (the order of the scores is used),
        "early_retrieval" (the highest scores only are used), "probabilities" (the scores are used as
        probabilities), or None for decision, ranking and probabilities.
    costs : pair of float, or None
        Of one false positive and of one false negative.
    estimates : dict of str to Estimate or Note
        For each measure that is named, its value on these data with the interval, or a note that says why
        there is none.
    shifts : dict of str to pair of float
        By measure, its value here and with classes of equal size.
    design : {"cohort", "case-control"} or None
        What the intervals assume; None without classes.
    weight_kind : {"count", "importance"} or None
        The kind of the weights; None without weights.
    notices : tuple of Notice
        On the data.
    """

    ANSWER = "advice"
    FORM = "measures.advice"

    items: tuple[Item, ...]
    need: str | None = None
    costs: Costs = None
    estimates: dict[str, Estimate | Note] = field(default_factory=dict, repr=False)
    shifts: dict[str, tuple[float, float]] = field(default_factory=dict, repr=False)
    design: str | None = None
    weight_kind: str | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def conditions(self) -> str:
        """The design and the kind of the weights, as a line of text."""
        return conditions(self.design, self.weight_kind)

    @property
    def use(self) -> tuple[str, ...]:
        """The measures to use, in the order of the items."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.use))

    @property
    def avoid(self) -> tuple[str, ...]:
        """The measures that mislead on these data; none of them is in `use`."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.avoid))

    @property
    def within_mix(self) -> tuple[str, ...]:
        """The measures whose values hold for the class mix of these data only; the others are not in it."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.within_mix))

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, one per piece of advice, with names of measures separated by commas."""
        return [{**one, **{name: ", ".join(one[name]) for name in LISTS}} for one in plain["items"]]

    def __repr__(self) -> str:
        use, avoid = (text.label(", ".join(names) or "nothing", LONGEST) for names in (self.use, self.avoid))
        return f"<Advice: use {use}; avoid {avoid}>"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for strict JSON: None for what is undefined or infinite."""
        measures, unavailable = (
            {name: each.to_dict() for name, each in self.estimates.items() if isinstance(each, kind)}
            for kind in (Estimate, Note)
        )
        return {
            **self._begin(),
            "need": self.need,
            "costs": dict(zip(("cost_fp", "cost_fn"), self.costs, strict=True)) if self.costs else None,
            **named(self.design),
            **{name: list(getattr(self, name)) for name in LISTS},
            "items": [item.to_dict() for item in self.items],
            "measures": measures,
            "unavailable": unavailable,
            "equal_classes": {
                name: [value if isfinite(value) else None for value in pair]
                for name, pair in self.shifts.items()
            },
        }


@listed(
    "function",
    "tm.advise(...)",
    aka=(
        "advice",
        "which_measure",
    ),
    command="tallymark advise",
)
@public(also=evaluate, but=NOT_OF_ONE)
def advise(
    evaluation: Any = None,
    /,
    *,
    need: Need | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    **cases: Unpack[EvaluateArguments],
) -> Advice:
    """Recommend measures for these data, and show which mislead.

    Parameters
    ----------
    evaluation : Evaluation, or as data of `evaluate`, optional
        An evaluation, or whatever `evaluate` takes as data (a summary, a data frame, a path). Without it
        pass the arguments of `evaluate` by name, as truth and score.
    need : {"decision", "ranking", "early_retrieval", "probabilities"}, optional
        "decision": the predicted labels are used; "ranking": the order of the scores is used;
        "early_retrieval": only the highest scores are used, as if few cases can be followed up;
        "probabilities": the scores are used as probabilities. None for decision, ranking and probabilities;
        not for amounts.

    cost_fp, cost_fn : float, optional
        Costs of one false positive and of one false negative, if known.
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
    Advice
        With `use`, `avoid`, `within_mix` (measures to compare within one class mix only), `items`, and the
        estimate of each measure that they name.

    Raises
    ------
    InputError
        For unknown or invalid arguments, for a need or costs of amounts, and where `evaluate` raises it.

    Examples
    --------
    >>> import tallymark as tm
    >>> advice = tm.advise(counts=tm.Counts(tp=9, fp=10, fn=1, tn=980), need="decision")
    >>> "accuracy" in advice.avoid
    True
    """
    if need is not None:
        validate.choice(need, NEEDS, "need")
    costs = _costs(cost_fp, cost_fn)
    e = _evaluated(evaluation, cases)
    for name, value in (("need", need), ("cost_fp, cost_fn", costs)):
        if isinstance(e, RegressionEvaluation) and value is not None:
            raise InputError(
                "unsupported", name, "it is for classes, and these are predicted amounts", "leave it out"
            )
    e = _at_cost(e, costs)
    situation = Situation(e, need, costs)
    items = [item for rule in RULES if (item := rule(situation))]
    # each measure has one verdict: use before avoid before within one class mix
    used = {name for item in items for name in item.use}
    avoided = {name for item in items for name in item.avoid} - used
    items = [
        replace(
            item,
            avoid=tuple(name for name in item.avoid if name not in used),
            within_mix=tuple(name for name in item.within_mix if name not in used | avoided),
        )
        for item in items
    ]
    names = dict.fromkeys(name for item in items for name in (*item.use, *item.avoid, *item.within_mix))
    moves = {shift.name: (shift.here, shift.there) for shift in shifts(e, need)}
    estimates = {name: _estimate(e, name) for name in names}
    return Advice(
        tuple(items), need, costs, estimates, moves, e.design, e.data.weight_kind, e.notices_of_data
    )


def _costs(cost_fp: float | None, cost_fn: float | None) -> Costs:
    given = {"cost_fp": cost_fp, "cost_fn": cost_fn}
    missing = [name for name, cost in given.items() if cost is None]
    if len(missing) == 2:
        return None
    if missing:
        raise InputError(
            "needed", missing[0], "it is missing", "only both costs together say what a decision costs"
        )
    fp, fn = (validate.number(cost, name, 0, validate.LARGEST) for name, cost in given.items())
    if not fp and not fn:
        raise InputError(
            "conflict", "cost_fp, cost_fn", "both are 0, so no decision costs anything", "leave them out"
        )
    return fp, fn


def _evaluated(evaluation: Any, cases: Mapping[str, Any]) -> Evaluation:
    if evaluation is None and not cases:
        raise InputError(
            "needed",
            None,
            f"Pass an evaluation, counts or another summary, or the cases by name, as {option('truth')} and"
            f" {option('score')}",
        )
    known = [name for name in signature(evaluate).parameters if name != "data"]
    for name in cases:
        if name not in known:
            hint = validate.nearest(name, ("need", "cost_fp", "cost_fn", *known))
            raise InputError(
                "unknown-name",
                None,
                f"advise takes {option('need')}, {option('cost_fp')}, {option('cost_fn')} and what evaluate "
                f"takes, but not {option(name)}{hint}",
            )
    return evaluated(evaluation, of_one_model("advise", cases))


def _at_cost(e: Evaluation, costs: Costs) -> Evaluation:
    """The evaluation with these costs as parameters of the measures that take them.

    Its threshold is the one that the costs imply, unless one was given or chosen.
    """
    if costs is None or not isinstance(e, BinaryEvaluation):
        return e
    fp, fn = costs
    cut = implied(e, fp, fn)
    if cut is not None and e.threshold is not None and e.threshold.rule.code == "default":
        e = e.at(cut)
    named = {"expected_cost": {"cost_fp": fp, "cost_fn": fn}} | (
        {"net_benefit": {"threshold": fp / (fp + fn)}} if fn else {}
    )
    return replace(e, parameters={**e.parameters, **named})


def _estimate(e: Evaluation, name: str) -> Estimate | Note:
    """The value of a measure on these data with its interval, or why there is none."""
    try:
        return e[name]
    except NotMeasuredError as missing:
        return missing.why
