"""The arguments of `evaluate`, and which of them do not apply to what cases hold, by one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from ..inference import Settings
from ..input import CaseSpec, validate
from ..input.class_weights import ClassWeight
from ..input.errors import InputError
from ..input.options import AucInterval, Design, Proportion
from ..input.score_columns import TWO, is_indicator
from ..input.spec import BINS, PROBABILITIES, CaseArguments, no_truth
from ..input.spelling import IN_FORMATS, either, option
from ..input.validate import shown
from ..measures import registry
from ..summaries import Counts
from .thresholds import OF_CLUSTERS, SPLITS, Rule, needed, read

DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """How everything is measured.

    splits: of the cases into halves, on which the choice of a threshold is repeated.
    """

    settings: Settings
    parameters: Mapping[str, Mapping[str, Any]]
    rule: Rule | None = None
    score_kind: str | None = None
    splits: int = SPLITS


def rule_of(
    rule: Any, threshold: float | None, parameters: Mapping[str, Mapping[str, Any]], level: float
) -> Rule | None:
    """The rule, read from its text.

    Raises InputError where a threshold is given, too, and where the rule needs an option.
    """
    if rule is not None and threshold is not None:
        raise InputError("conflict", "rule", "a threshold is given already", "leave one of the two out")
    if isinstance(rule, str) and needed(rule.split(" where ")[0]):
        raise InputError(
            "unsupported",
            "rule",
            f"{rule!r} takes more than a name",
            "choose_threshold (tallymark threshold) has the arguments",
        )
    return None if rule is None else read(rule, parameters, level)


def checked_parameters(parameters: Any) -> dict[str, dict[str, Any]]:
    """Parameters by the registered name of the measure. Raises InputError."""
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping) or not all(
        isinstance(given, Mapping) for given in parameters.values()
    ):
        raise InputError(
            "invalid-value",
            "parameters",
            f"{shown(parameters)} is not understood",
            'as {"f_beta": {"beta": 0.5}}',
            value=parameters,
        )
    for name in parameters:
        if isinstance(name, str) and not registry.known(name):
            _refuse_curve(name)
    entries = {registry.get(name): given for name, given in parameters.items()}
    return {entry.name: entry.checked(dict(given)) for entry, given in entries.items()}


def _refuse_curve(name: str) -> None:
    """Raises InputError for the name of a curve, whose parameters are not those of a measure."""
    from .. import curves  # not loaded by a first call that draws none

    if curves.plain(name) in curves.CURVES:
        way_out = f"pass its parameters to {either('ev.curve', 'tallymark curve')}"
        raise InputError("unsupported", "parameters", f"{shown(name)} is a curve, no measure", way_out)


def names_of_measures(measures: Any) -> list[str]:
    """One name or several, each of which the catalogue knows. Raises InputError."""
    names = [measures] if isinstance(measures, str) else validate.some(measures, "measures", "names")
    if not names:
        way_out = f"leave it out for all, or name some, as {option('measures', ['roc_auc'])}"
        raise InputError("needed", "measures", "none is named", way_out)
    strange = [name for name in names if not registry.known(name)]
    for name in strange[: len(strange) == 1]:
        registry.get(name)  # raises the error of one name
    if strange:
        every = [known for entry in registry.all_measures() for known in entry.names]
        hinted = ", ".join(f"{shown(name)}{validate.nearest(name, every)}" for name in strange)
        raise InputError("unknown-name", "measures", f"no measures are {hinted}", registry.all_listed())
    return list(names)


def replicates_of(given: Any, fewest: int, most: float) -> int:
    """The number of resamples: 0 for none, or from `fewest` to `most`. Raises InputError."""
    number = validate.whole(given, "replicates", 0, most)
    return validate.whole(number, "replicates", fewest, most) if number else 0


class MeasureArguments(CaseArguments, total=False):
    """The arguments of `evaluate` without those of a threshold rule, for functions that pass them on."""

    counts: Counts | None
    threshold: float | None
    level: float
    proportion: Proportion
    auc_interval: AucInterval
    design: Design
    rng: int | np.random.Generator
    parameters: Mapping[str, Mapping[str, Any]] | None
    name: str | None
    progress: Callable[[int], None] | None


class EvaluateArguments(MeasureArguments, total=False):
    """The same with those of a rule."""

    rule: str | None
    replicates: int


class AllArguments(EvaluateArguments, total=False):
    """All arguments of `evaluate` by name."""

    measures: str | Sequence[str] | None
    class_weight: ClassWeight | None
    bins: int | None
    tolerance: float | None


def describe(
    *,
    level: float = DEFAULTS.level,
    proportion: Proportion = DEFAULTS.proportion,
    auc_interval: AucInterval = DEFAULTS.auc_interval,
    design: Design = DEFAULTS.design,
    rng: int | np.random.Generator = 0,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    rule: str | None = None,
    replicates: int = SPLITS,
    threshold: float | None = None,
    bins: int | None = BINS,
    tolerance: float | None = None,
    **cases: Unpack[CaseArguments],
) -> tuple[CaseSpec, EvaluationOptions]:
    """The cases and what to measure, from the arguments of `evaluate`. Raises InputError."""
    spec = CaseSpec(**cases, bins=bins, tolerance=tolerance)
    settings = Settings(level, proportion, validate.seed(rng), auc_interval, design)
    checked = checked_parameters(parameters)
    by = rule_of(rule, threshold, checked, settings.level)
    return spec, EvaluationOptions(settings, checked, by, spec.score_kind, replicates_of(replicates, 10, 1e4))


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
