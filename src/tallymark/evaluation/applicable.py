"""What the columns of cases hold, and the arguments that do not apply to it, by one table."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from ..inference import Settings
from ..input import CaseSpec
from ..input.errors import InputError
from ..input.score_columns import TWO, is_indicator
from ..input.spec import PROBABILITIES, no_truth
from ..input.spelling import IN_FORMATS
from ..input.validate import shown
from .arguments import EvaluationOptions
from .thresholds import OF_CLUSTERS

Form = Literal["scores", "labels", "a score per class", "several labels per case", "amounts"]
SETTINGS = ("design", "proportion", "auc_interval")


class Refused(NamedTuple):
    """Arguments that something does not take, and why; sentences with `option` in the spelling of the caller.

    code, argument: of the error, by default with the argument that was given.
    """

    names: tuple[str, ...]
    problem: str
    remedy: str
    code: str = "conflict"
    argument: str | None = None


LEFT_OUT = "leave it out"
REFUSED: dict[str, tuple[Refused, ...]] = {
    "scores": (),
    "labels": (
        Refused(("higher_is_positive",), "predicted labels have no direction", LEFT_OUT),
        Refused(
            ("threshold", "rule", "score_kind"), "it needs scores",
            "predicted labels are positive or negative already", "unsupported",
        ),
    ),
    "a score per class": (
        Refused(
            ("threshold", "rule", "positive", "score_kind", "higher_is_positive"),
            "it is for one score per case, not for one per class", LEFT_OUT,
        ),
    ),
    "several labels per case": (
        Refused(
            ("score",), "several labels per case need {option[predicted]}, 0 or 1 for each",
            "threshold the scores first", "unsupported",
        ),
        Refused(
            ("missing",), "{option[missing=drop]} is for one label per case",
            "leave out the rows with a missing indicator before", "unsupported",
        ),
        Refused(
            ("threshold", "positive", "classes", "score_kind"),
            "it is for one column of scores or labels, not for several", LEFT_OUT,
        ),
    ),
    "amounts": (
        Refused(
            ("score",), "predicted amounts are passed as {option[predicted]}, not as {option[score]}", "",
            argument="regression",
        ),
        Refused(
            (
                "threshold", "rule", "classes", "positive", "score_kind", "ordered", "higher_is_positive",
                "design", "proportion", "auc_interval", "method",
            ),
            "it is for classes, and regression compares amounts", "leave one of the two out",
        ),
    ),
}  # fmt: skip


def form_of(spec: CaseSpec, arrays: bool) -> Form:
    """What the columns hold. Raises InputError without a truth, and for models of different forms."""
    if spec.regression:
        return "amounts"
    if spec.truth is None:
        raise no_truth()
    if arrays and is_indicator(spec.truth):
        return "several labels per case"
    if spec.kind == "predicted":
        return "labels"
    sizes = {name: len(parts) for name, parts in spec.roles("score", arrays).items()}
    many, few = ([name for name, size in sizes.items() if (size > TWO) is wanted] for wanted in (True, False))
    if many and few:
        problem = (
            f"the model {shown(many[0])} has {sizes[many[0]]} columns, one per class, and {shown(few[0])} has"
        )
        raise InputError(
            "mismatch", "score", f"{problem} {sizes[few[0]]}",
            "evaluate models of two classes and of more apart", value=many[0],
        )  # fmt: skip
    return "a score per class" if many else "scores"


def refuse(
    form: Form, spec: CaseSpec, options: EvaluationOptions, threshold: Any = None, method: str | None = None
) -> None:
    """Raises InputError for arguments that do not apply to cases of this form. method: of a comparison."""
    given = _given(spec, options, threshold) | ({} if method is None else {"method": method})
    if form == "a score per class" and spec.score_kind in PROBABILITIES:
        given.pop("score_kind")
    for one in REFUSED[form]:
        for name in one.names:
            if name in given:
                problem = one.problem.format(**IN_FORMATS)
                raise InputError(one.code, one.argument or name, problem, one.remedy)
    if spec.units is None:
        return
    if options.rule is not None and options.rule.of_bound:
        raise InputError("unsupported", "rule", f"{options.rule.text!r} {OF_CLUSTERS}")


def _given(spec: CaseSpec, options: EvaluationOptions, threshold: Any) -> dict[str, Any]:
    """The arguments with another value than by default."""
    values = {name: getattr(spec, name) for name in ("score", "classes", "positive", "score_kind")}
    values |= {"threshold": threshold, "rule": options.rule, "ordered": spec.ordered or None}
    found = {name: value for name, value in values.items() if value is not None}
    if not spec.higher_is_positive:
        found["higher_is_positive"] = False
    if spec.missing != "reject":
        found["missing"] = spec.missing
    settings = {name: getattr(options.settings, name) for name in SETTINGS}
    return found | {name: value for name, value in settings.items() if value != getattr(Settings(), name)}
