"""How a threshold came about, as a value: a kind with its parameters. The words are made of these, and
last."""

from __future__ import annotations

from collections.abc import Callable

from ...input.messages.message import Message
from ...input.text import exact


class RuleSpec(Message):
    """How a threshold came about.

    Attributes
    ----------
    code : str
        The kind: "given", "default", "predicted" (labels, which have no threshold), "highest-score" (a score
        per class), "one-class" (the median score, where there is nothing to choose by), "stated" (in words
        alone), "objective" (the best value of a measure), "constraint" (a limit on a measure), "bound" (a
        limit on a confidence bound), or a rule by its name, as "youden" or "cost".
    fields : tuple of pairs (name, value)
        The parameters: of a rule by name its options, as `cost_fp`; of an objective `measure`, `better` and
        the parameters of the measure; of a constraint `measure`, `sign` (">=" or "<=") and `limit`; of a
        bound these and `side` ("low" or "high").

    Examples
    --------
    >>> rule = RuleSpec("constraint", measure="sensitivity", sign=">=", limit=0.95)
    >>> rule["limit"], rule.text
    (0.95, 'sensitivity >= 0.95')
    """

    __slots__ = ()

    @property
    def text(self) -> str:
        """In words."""
        words = WORDS.get(self.code, _by_name)
        return words if isinstance(words, str) else words(self)

    @property
    def is_limit(self) -> bool:
        """Whether it keeps a limit on a measure, or on its bound, and does not look for the best value of
        something."""
        return self.code in LIMITS

    @property
    def requested(self) -> str:
        """As `rule=` and a requirement of `check` write it, without the options of a rule by name: to be
        read, as `read` does."""
        if self.is_limit:
            return (_constraint if self.code == "constraint" else _bound)(self)
        return str(self["measure"]) if self.code == "objective" else self.code

    @property
    def chosen(self) -> bool:
        """Whether the cases that are measured were looked at to choose the threshold."""
        return self.code not in NOT_CHOSEN


def _objective(rule: RuleSpec) -> str:
    given = ", ".join(f"{name} = {exact(rule[name])}" for name in rule if name not in ("measure", "better"))
    return (
        f"{'largest' if rule['better'] == 'higher' else 'smallest'}"
        f" {rule['measure']}{f' ({given})' if given else ''}"
    )


def _constraint(rule: RuleSpec) -> str:
    return f"{rule['measure']} {rule['sign']} {exact(rule['limit'])}"


def _bound(rule: RuleSpec) -> str:
    return f"{rule['measure']}.{rule['side']} {rule['sign']} {exact(rule['limit'])}"


def _by_name(rule: RuleSpec) -> str:
    return ", ".join([rule.code, *(f"{name} = {exact(rule[name])}" for name in rule)])


WORDS: dict[str, str | Callable[[RuleSpec], str]] = {
    "given": "given",
    "default": "default",
    "predicted": "predicted",
    "highest-score": "highest score",
    "one-class": "median score (one class only)",
    "stated": lambda rule: rule["words"],
    "objective": _objective,
    "constraint": _constraint,
    "bound": _bound,
}
LIMITS = ("constraint", "bound")
NOT_CHOSEN = ("given", "default", "predicted", "highest-score", "one-class")
GIVEN, DEFAULT, PREDICTED = RuleSpec("given"), RuleSpec("default"), RuleSpec("predicted")
HIGHEST_SCORE, ONE_CLASS = RuleSpec("highest-score"), RuleSpec("one-class")
