"""Which measures to use: what the literature advises, applied to the data at hand.

The rules, in the files `of_*`, look at an evaluation, the stated need and the costs, and recommend measures
to use and measures to avoid; `rule` defines a rule; `mix` recomputes every measure with classes of equal
size; `answer` holds the result. docs/advice.md lists all rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from inspect import signature
from typing import Any, Unpack, get_args

from ...inference import Estimate
from ...input import validate
from ...input.calls import public
from ...input.listed import listed
from ...input.messages.notes import Note
from ...input.models import of_one_model
from ...input.options import Need
from ...input.spelling import option
from ...input.validate import InputError
from ..arguments import EvaluateArguments
from ..availability import NotMeasuredError
from ..evaluate import NOT_OF_ONE, evaluate
from ..from_evaluation import evaluated
from ..results import BinaryEvaluation, Evaluation, RegressionEvaluation
from .answer import Advice, Costs, Item
from .mix import balanced, implied, shifts
from .rule import RULES, Rule

__all__ = ["RULES", "Advice", "Item", "Rule", "advise", "balanced", "shifts"]

NEEDS = get_args(Need)

# these modules register their rules, in this order
from . import of_needs, of_rankings, of_probabilities, of_decisions, of_classes  # noqa: E402, F401, I001
from . import of_amounts, of_class_mix, of_guessing, of_reporting  # noqa: E402, F401


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
    truth, score, predicted, weight, weight_kind, counts, positive, classes, ordered, clusters, regression
        As for `evaluate`.
    predicted_positive, not_an_answer, higher_is_positive, score_kind, missing
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
    e = _at_cost(_of_classes(_evaluated(evaluation, cases), need, costs), costs)
    items = _on_one_side([item for rule in RULES if (item := rule(e, need, costs))])
    named = dict.fromkeys(name for item in items for name in (*item.use, *item.avoid, *item.within_mix))
    moves = {shift.name: (shift.here, shift.there) for shift in shifts(e, need)}
    own = {name: _own(e, name) for name in named}
    return Advice(tuple(items), need, costs, own, moves, e.design, e.data.weight_kind, e.notices_of_data)


def _on_one_side(items: list[Item]) -> list[Item]:
    """Each measure with one verdict: use before avoid before within one class mix."""
    used = {name for item in items for name in item.use}
    avoided = {name for item in items for name in item.avoid} - used
    return [
        replace(
            item,
            avoid=tuple(name for name in item.avoid if name not in used),
            within_mix=tuple(name for name in item.within_mix if name not in used | avoided),
        )
        for item in items
    ]


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


def _of_classes(e: Evaluation, need: str | None, costs: Costs) -> Evaluation:
    """The evaluation. Raises InputError for a regression with a need or costs, which are of classes."""
    asked = {"need": need, "cost_fp, cost_fn": costs}
    given = next((name for name, value in asked.items() if value is not None), None)
    if isinstance(e, RegressionEvaluation) and given is not None:
        raise InputError(
            "unsupported", given, "it is for classes, and these are predicted amounts", "leave it out"
        )
    return e


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


def _own(e: Evaluation, name: str) -> Estimate | Note:
    """The value of a measure on these data with its interval, or why there is none."""
    try:
        return e[name]
    except NotMeasuredError as missing:
        return missing.why
