"""Arguments that several front doors take, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import registry, validate
from .summaries import ClassLogits, LogitTable, RankingTable
from .summaries.indicators import is_indicator
from .summaries.score_columns import several_columns

NO_DIRECTION = "higher_is_positive: predicted labels have no direction; leave it out."
TURNED = "higher_is_positive: a higher probability, or logit, means more positive; leave it out, or turn the scores."
PROBABILITIES = ("probability", "logit")
SCORE_KINDS = (*PROBABILITIES, "margin", "llr")


def only_two_classes(what: str, truth: Any, scores: Iterable[Any], of_data: bool, otherwise: str = "") -> None:
    """Raises InputError, with what to use instead, where there is a score per class, or where cases have several labels.

    what: what needs two classes; scores: one column, or a score per class, of each model; of_data: whether columns are named;
    otherwise: another way out.
    """
    if not of_data and is_indicator(truth):
        raise validate.InputError(
            f"truth: {what} needs two classes, and several labels per case are not supported; take one label at a time, as "
            "truth[:, 0], or measure all of them with evaluate(truth=, predicted=)."
        )
    if any(several_columns(one, not of_data) for one in scores):
        raise validate.InputError(
            f"score: {what} needs two classes, and a score per class is not supported; take one class against the rest, as "
            f"truth == label with the score of that label{otherwise and ', or '}{otherwise}."
        )


def no_clusters(cases: Mapping[str, Any], why: str) -> None:
    """Raises InputError where cases are said to belong together, and what is asked takes them one by one."""
    if cases.get("clusters") is not None:
        raise validate.InputError(
            f"clusters: {why}; leave clusters out, or use evaluate or bootstrap, which resample whole clusters."
        )


def check_score_kind(score_kind: str | None, higher_is_positive: bool) -> None:
    """Whether it is known, and fits the direction. Raises InputError."""
    validate.flag(higher_is_positive, "higher_is_positive")
    if score_kind is not None:
        validate.choice(score_kind, SCORE_KINDS, "score_kind")
        if score_kind in PROBABILITIES and not higher_is_positive:
            raise validate.InputError(TURNED)


def kind_of_table(table: Any, score_kind: str | None, higher_is_positive: bool) -> str | None:
    """What the scores of a table are: one of logits knows it. Raises InputError where something else is said."""
    if isinstance(table, (LogitTable, ClassLogits)):
        validate.only(table, score_kind=None if score_kind == "logit" else score_kind)
        if not higher_is_positive:
            raise validate.InputError(TURNED)
        return "logit"
    if isinstance(table, RankingTable) and score_kind == "logit":
        raise validate.InputError("score_kind: a RankingTable holds no logits; make a LogitTable of them.")
    if isinstance(table, RankingTable) and score_kind == "probability" and not table.in_unit_interval:
        raise validate.InputError(f"score_kind: they are no probabilities, {table.why_no_probabilities}.")
    return score_kind


def checked_parameters(parameters: Any) -> dict[str, dict[str, Any]]:
    """Of measures, by the measures' own names. Raises InputError."""
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping) or not all(isinstance(given, Mapping) for given in parameters.values()):
        raise validate.InputError(f'parameters: {validate.shown(parameters)} is not understood; as {{"f_beta": {{"beta": 0.5}}}}.')
    entries = {registry.get(name): given for name, given in parameters.items()}
    return {entry.name: entry.checked(dict(given)) for entry, given in entries.items()}


def replicates_of(given: Any, fewest: int, most: float) -> int:
    """How many resamples are asked for: 0 for none, or from `fewest` to `most`. Raises InputError."""
    number = validate.whole(given, "replicates", 0, most)
    return validate.whole(number, "replicates", fewest, most) if number else 0


def seed_of(rng: int | np.random.Generator) -> int:
    """A seed, or one drawn from a Generator."""
    return int(rng.integers(2**63)) if isinstance(rng, np.random.Generator) else validate.seed(rng)
