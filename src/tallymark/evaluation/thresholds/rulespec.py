"""The origin of a threshold as a value: a code with its parameters, of which a description is made."""

from __future__ import annotations

from collections.abc import Callable

from ...input.messages import Message
from ...input.text import exact


class RuleSpec(Message):
    """The origin of a threshold: a rule or a default, with its parameters.

    Attributes
    ----------
    code : str
        The kind: "given", "default", "predicted" (labels, which have no threshold), "highest-score" (a score
        per class), "one-class" (the median score, with cases of one class only), "on-all-groups" (chosen on
        all cases, of which these are a group), "stated" (a description in words), "objective" (the best value
        of a measure), "constraint" (a limit on a measure), "bound" (a limit on a confidence bound), "all-of"
        (several constraints), "where" (an objective or a rule by name, with constraints), or a rule by its
        name, as "youden" or "cost".
    fields : tuple of pairs (name, value)
        The parameters. A rule by name has its options, as `cost_fp`; an objective `measure`, `better` and the
        parameters of the measure; a constraint `measure`, `sign` (">=" or "<=") and `limit`; a bound these
        and `side` ("low" or "high"); several constraints `constraints`, and "where" also `objective`;
        "on-all-groups" has the `rule`.

    Examples
    --------
    >>> rule = RuleSpec("constraint", measure="sensitivity", sign=">=", limit=0.95)
    >>> rule["limit"], rule.text
    (0.95, 'sensitivity >= 0.95')
    """

    __slots__ = ()

    @property
    def text(self) -> str:
        """The description."""
        words = WORDS.get(self.code, _by_name)
        return words if isinstance(words, str) else words(self)

    @property
    def is_limit(self) -> bool:
        """Whether it is a limit on a measure, or on its bound, and does not optimise an objective."""
        return self.code in LIMITS

    @property
    def requested(self) -> str:
        """The text for `rule=` and for requirements of `check`, without the options of a rule by name."""
        if self.is_limit:
            return (_constraint if self.code == "constraint" else _bound)(self)
        if self.code in ("all-of", "where"):
            limits = " and ".join(one.requested for one in self["constraints"])
            return limits if self.code == "all-of" else f"{self['objective'].requested} where {limits}"
        return str(self["measure"]) if self.code == "objective" else self.code

    @property
    def chosen(self) -> bool:
        """Whether the threshold was chosen on the cases that are measured."""
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
    "on-all-groups": lambda rule: f"chosen on all cases: {rule['rule']}",
    "stated": lambda rule: rule["words"],
    "objective": _objective,
    "constraint": _constraint,
    "bound": _bound,
    "all-of": lambda rule: " and ".join(map(str, rule["constraints"])),
    "where": lambda rule: f"{rule['objective']} where {' and '.join(map(str, rule['constraints']))}",
}
LIMITS = ("constraint", "bound")
NOT_CHOSEN = ("given", "default", "predicted", "highest-score", "one-class")
GIVEN, DEFAULT, PREDICTED = RuleSpec("given"), RuleSpec("default"), RuleSpec("predicted")
HIGHEST_SCORE, ONE_CLASS = RuleSpec("highest-score"), RuleSpec("one-class")
