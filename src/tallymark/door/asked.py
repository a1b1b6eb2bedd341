"""What `evaluate` is asked for: settings, parameters of measures, the rule for a threshold and what scores are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .. import validate
from ..evaluation import Evaluation
from ..facts import Data
from ..thresholds import NEEDED, SPLITS, Rule, Threshold, read
from ..uncertainty import Settings


@dataclass(frozen=True, slots=True)
class Asked:
    """How everything is to be measured; splits: of the cases into halves, on which the choice of a threshold is repeated."""

    settings: Settings
    parameters: Mapping[str, Mapping[str, Any]]
    rule: Rule | None = None
    score_kind: str | None = None
    splits: int = SPLITS

    def evaluation(self, data: Data, threshold: Threshold | None = None, **summaries: Any) -> Evaluation:
        return Evaluation(data, self.settings, threshold, parameters=self.parameters, score_kind=self.score_kind, **summaries)


def rule_of(rule: Any, threshold: float | None, parameters: Mapping[str, Mapping[str, Any]], level: float) -> Rule | None:
    """The rule by its text. Raises InputError where a threshold is given, too, or the rule takes more than a name."""
    if rule is not None and threshold is not None:
        raise validate.InputError("rule: a threshold is given already; leave one of the two out.")
    if isinstance(rule, str) and rule in NEEDED:
        raise validate.InputError(
            f"rule: {rule!r} takes more than a name; choose_threshold (tallymark threshold) has the arguments."
        )
    return None if rule is None else read(rule, parameters, level)
