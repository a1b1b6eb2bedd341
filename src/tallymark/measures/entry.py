"""An entry of the catalogue: a measure that is called with a summary or with arrays."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..input.calls import ARRAYS, is_array, named, required_names
from ..input.errors import UndefinedMeasureWarning
from ..input.messages.notes import Note
from ..input.spelling import option
from ..input.validate import InputError, real, shown
from ..summaries import (
    BinnedTable,
    ClassScores,
    ConfusionMatrix,
    Counts,
    IndicatorTable,
    RankingTable,
    Residuals,
)
from . import search, two_classes
from .docstrings import Documented
from .for_scorers import scorer_that_calls, value_for
from .headline import Headline
from .interval_spec import IntervalSpec
from .needs import Needs
from .of_arrays import of_each_model, summary_of
from .parameters import checked_parameters
from .search import forms_of

Better = Literal["higher", "lower"]
Bounds = Literal["roc"] | Callable[..., Any]
Undefined = Literal["warn", "raise"] | float
ScoresOfMeasure = Literal["probability", "llr", "margin"]
SUMMARIES = {
    kind.__name__: kind
    for kind in (Counts, RankingTable, ConfusionMatrix, IndicatorTable, ClassScores, Residuals)
}
UNIT = (0.0, 1.0)
TWO = 2


@dataclass(frozen=True, eq=False)
class Measure(Documented):
    """A measure of the catalogue, which is called with a summary or with arrays.

    Parameters
    ----------
    function : callable
        The formula: a function of one summary, which the annotation of its first argument names, and of
        keyword-only parameters.
    aliases : tuple of str
        Other names.
    range : pair of float
        The lowest and the highest value.
    best : float or None
        The value of a perfect classifier; None if it depends on the data, or if no value is better.
    interval : IntervalSpec or None
        How the interval is made; None for a measure without one.
    loss : callable or None
        For a mean over the cases: the loss of each case.
    limits : dict of str to pair of float
        The lowest and the highest value of each parameter.
    better : {"higher", "lower"} or None
        Which values are better; None if neither.
    ordered : bool
        Whether the classes must have an order.
    scores : {"probability", "llr", "margin"} or None
        What the scores must be: probabilities, natural logarithms of likelihood ratios, or signed distances
        from a decision boundary. None if any scores will do.
    of_mean : callable or None
        The value as a function of the mean loss and the prevalence, if it is not the mean loss itself.
    effective_n : callable or None
        The number of cases that determine the value, as a function of the table and the parameters, if it is
        much smaller than the number of all cases.
    headline : Headline or None
        Its place on the first screen; None if it is not there.
    terms : tuple of str
        Words under which `find` shows it that are also names of other measures.
    attained : callable or None
        For a maximum over the thresholds: the function of the counts whose largest value it is.
    needs : Needs or None
        The sums over the rows of a ranking table that it is computed from.
    names_of_averages : dict of str to tuple of str
        Names of its averages over several labels, by kind, as {"micro": ("hamming_loss",)}.
    presets : dict of str to dict of str to float
        Names that set its parameters, as {"f2": {"beta": 2}}.
    bounds : {"roc"}, callable or None
        Its bounds where scores are known to lie in bins only.

    Attributes
    ----------
    name : str
        The name of the function.
    summary : type
        The type of the summary.

    Raises
    ------
    InputError
        When called: for a summary of another type, for scores that are not probabilities where the measure
        needs them, for parameters outside their limits, for what `from_arrays` of the summary refuses, and
        for an undefined value with undefined="raise".

    Notes
    -----
    Call it with a summary, or with arrays by name, which `from_arrays` of the summary takes. If the cells of
    the summary are arrays, so is the value. `undefined=` says what is returned for 0/0: with "warn" NaN, and
    an `UndefinedMeasureWarning` names the part that is empty; with "raise" an `InputError`; else that number.

    Examples
    --------
    >>> import tallymark as tm
    >>> tm.measures.sensitivity(tm.Counts(tp=40, fp=5, fn=10, tn=45))
    0.8
    >>> tm.measures.sensitivity(truth=[1, 1, 0], predicted=[1, 0, 0])
    0.5
    >>> tm.measures.precision(tm.Counts(tp=0, fp=0, fn=1, tn=2), undefined=0.0)
    0.0
    """

    function: Callable[..., Any]
    aliases: tuple[str, ...] = ()
    range: tuple[float, float] = UNIT
    best: float | None = 1.0
    interval: IntervalSpec | None = None
    loss: Callable[..., Any] | None = None
    limits: dict[str, tuple[float, float]] = field(default_factory=dict)
    better: Better | None = None
    ordered: bool = False
    scores: ScoresOfMeasure | None = None
    of_mean: Callable[..., Any] | None = None
    effective_n: Callable[..., Any] | None = None
    headline: Headline | None = None
    terms: tuple[str, ...] = ()
    attained: Callable[..., Any] | None = None
    needs: Needs | None = None
    names_of_averages: dict[str, tuple[str, ...]] = field(default_factory=dict)
    presets: dict[str, dict[str, float]] = field(default_factory=dict)
    bounds: Bounds | None = None
    name: str = field(init=False)
    summary: Any = field(init=False)

    def __post_init__(self) -> None:
        first = next(iter(inspect.signature(self.function).parameters.values()))
        kind = first.annotation if isinstance(first.annotation, str) else first.annotation.__name__
        kind = kind.rpartition(".")[2]  # of "tm.Counts"
        object.__setattr__(self, "name", self.function.__name__)
        object.__setattr__(self, "summary", SUMMARIES[kind])
        object.__setattr__(self, "__doc__", f"{inspect.getdoc(self.function)}\n\n{self._calls}")  # for `help`
        if self.best is not None:
            object.__setattr__(
                self, "better", {self.range[0]: "lower", self.range[1]: "higher"}.get(self.best)
            )

    if TYPE_CHECKING:  # what an editor shows; `__signature__` has the arguments of the one measure

        def __call__(
            self,
            summary: Any = None,
            /,
            *,
            truth: Any = None,
            predicted: Any = None,
            score: Any = None,
            weight: Any = None,
            undefined: Undefined = "warn",
            **given: Any,
        ) -> float: ...

    else:

        def __call__(self, *arrays: Any, undefined: Undefined = "warn", **given: Any) -> Any:
            scorer = scorer_that_calls() if len(arrays) == TWO else None
            if scorer is not None:
                return value_for(self, *scorer, *arrays, undefined, given)
            if len(arrays) > 1 or (arrays and is_array(arrays[0])):
                raise self._by_position(len(arrays))
            return self._called(arrays[0] if arrays else None, undefined, given)

    def _called(self, summary: Any, undefined: Any, given: dict[str, Any]) -> Any:
        if not isinstance(undefined, Real) and not (
            isinstance(undefined, str) and undefined in ("warn", "raise")
        ):
            way_out = "pass 'warn', 'raise' or a number to take its place"
            raise InputError(
                "unknown-name", "undefined", f"{shown(undefined)} is not known", way_out, value=undefined
            )
        models = of_each_model(given) if summary is None else None
        if models is not None:
            return dict(zip(models, map(partial(self._value, None, undefined), models.values()), strict=True))
        return self._value(summary, undefined, given)

    def _value(self, summary: Any, undefined: Any, given: dict[str, Any]) -> Any:
        if summary is None:
            parameters = {name: given[name] for name in self.parameters if name in given}
            if parameters:
                given = {
                    name: value
                    for name, value in given.items()
                    if name in self.takes or name not in parameters
                }
            summary, given = summary_of(self, forms_of(self.name), given), parameters
        fit = (
            (self,)
            if type(summary) is self.summary or isinstance(summary, self.summary)
            else (one for one in forms_of(self.name) if one.fits(type(summary)))
        )
        form = next(iter(fit), self)
        form.check(summary)
        value = form.function(summary, **form.checked(given)) if given else form.function(summary)
        if type(value) is float and value == value:
            return value
        return form._settle(value, summary, undefined)

    def _by_position(self, number: int) -> InputError:
        """The error for arrays by position; scikit-learn passes three where `scoring` is the measure."""
        arrays = f"{option('truth')} and {option(self.takes[1])}"
        problem = f"Pass arrays by name, as {arrays}, so that they cannot be swapped"
        way_out = f"in scikit-learn take tallymark.scorer({self.name!r})" if number > TWO else ""
        return InputError("by-position", None, problem, way_out)

    def check(self, summary: Any) -> None:
        """Raises InputError for a summary of another type, or one that needs to hold probabilities."""
        if type(summary) is not self.summary and not isinstance(summary, self.summary):
            why = (
                two_classes.of_summary(self.name, summary) if self.summary in (Counts, RankingTable) else None
            )
            if why is not None:
                raise why
            kind = type(summary).__name__
            problem = f"{self.name} is measured on {self.summary.__name__}, not on {kind}"
            bins = isinstance(summary, BinnedTable) and self.summary is RankingTable
            way_out = f"take its bounds, {self.name}.bounds_of(table)" if bins else "or pass arrays by name"
            raise InputError("unsupported", None, problem, way_out)
        if self.needs_probabilities and not summary.in_unit_interval:
            raise InputError(
                "unsupported", self.name, f"probabilities are needed, but {summary.why_no_probabilities}"
            )

    def checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters as numbers. Raises InputError for one that is unknown or outside its limits."""
        return checked_parameters(self, parameters)

    def _settle(self, value: Any, summary: Any, undefined: Any) -> Any:
        gaps = np.isnan(value)
        if gaps.any():
            text = f"{self.name} is undefined: {self.why_undefined(summary)}"
            if undefined == "raise":
                raise InputError("no-result", None, text)
            if undefined == "warn":
                warnings.warn(f"{text}.", UndefinedMeasureWarning, stacklevel=5)
            else:
                value = np.where(gaps, real(+undefined), value)
        return value if np.ndim(value) else float(value)

    def bounds_of(self, binned: BinnedTable, **parameters: Any) -> tuple[float, float] | Note:
        """The lowest and the highest value that cases with scores in these bins can have.

        Parameters
        ----------
        binned : BinnedTable
            The bins.
        **parameters
            Parameters of the measure.

        Returns
        -------
        tuple of float, or Note
            Both are the value where it is exact, and NaN where it is undefined. A note says why there are no
            bounds.

        Raises
        ------
        InputError
            Where a call of the measure with a `RankingTable` does.
        """
        parameters = self.checked(parameters)
        self.check(binned.ranking)
        if binned.single or (self.loss and binned.sums_of(partial(self.loss, **parameters))):
            values = [self.function(binned.ranking, **parameters)]
        elif self.bounds == "roc":
            values = self.at_ends(binned, **parameters)
        elif self.bounds is None:
            why = self.section("Bounds").removeprefix("none, ").removesuffix(".")
            return Note("no-bounds", bins=len(binned), why=why or "since it depends on each score")
        else:
            values = self.bounds(binned, **parameters)
        return values if isinstance(values, Note) else (float(min(values)), float(max(values)))

    def at_ends(self, binned: BinnedTable, **parameters: Any) -> list[float]:
        """The values on the least and on the most favourable table.

        An end of the range takes the place of one that is undefined, unless both are.
        """
        for table in binned.bracket():
            self.check(table)
        least, most = (self.function(table, **parameters) for table in binned.bracket())
        if (least == least) is not (most == most):
            worst, best = self.range[:: self.sign or 1]
            return [least if least == least else worst, most if most == most else best]
        return [least, most]

    @property
    def for_many_classes(self) -> Measure | None:
        """The form of the measure for a confusion matrix, if it has one."""
        return search.of_name(self.name, ConfusionMatrix) if self.summary is Counts else None

    @cached_property
    def takes(self) -> tuple[str, ...]:
        """The names of the arguments of the summary's `from_arrays`."""
        return tuple(inspect.signature(self.summary.from_arrays).parameters)

    @cached_property
    def taken(self) -> frozenset[str]:
        """The same as a set."""
        return frozenset(self.takes)

    @cached_property
    def required(self) -> tuple[str, ...]:
        """Those of them without a default."""
        return tuple(required_names(inspect.unwrap(self.summary.from_arrays)))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters, such as `base` of log_loss."""
        return tuple(self._signature)[1:]

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The default values of the parameters."""
        return {name: self._signature[name].default for name in self.parameters}

    @property
    def signature_of_parameters(self) -> list[inspect.Parameter]:
        """The parameters, as the function has them."""
        return list(self._signature.values())[1:]

    @cached_property
    def _signature(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.function).parameters

    @property
    def use(self) -> str:
        """How it is called in Python."""
        arrays = ", ".join(f"{name}={ARRAYS[name]}" for name in named(self.summary.from_arrays)[:TWO])
        return f'tm.measures.{self.name}({arrays}), or tm.evaluate({arrays})["{self.name}"]'

    @property
    def _calls(self) -> str:
        """How it is called, for `help`."""
        kind, takes = self.summary.__name__, ", ".join(named(self.summary.from_arrays))
        return (
            f"Call: {self.use.replace(', or ', chr(10) + '   or ')}\n"
            f"   or tm.measures.{self.name}({kind.lower()}), of a tm.{kind}.\n"
            f"Arguments of tm.{kind}.from_arrays: {takes};\n"
            "the parameters of the measure; and undefined: 'warn' (NaN with a warning), 'raise' or a number\n"
            "in its place."
        )

    @property
    def __signature__(self) -> inspect.Signature:
        """What the call takes: a summary, or arrays by name."""
        one, by_name = inspect.Parameter, inspect.Parameter.KEYWORD_ONLY
        arrays = inspect.signature(self.summary.from_arrays).parameters.values()
        keywords = {each.name: each.replace(default=None, kind=by_name) for each in arrays}
        keywords |= {each.name: each.replace(kind=by_name) for each in self.signature_of_parameters}
        keywords["undefined"] = one("undefined", by_name, default="warn", annotation=Undefined)
        summary = one("summary", one.POSITIONAL_ONLY, default=None, annotation=self.summary)
        return inspect.Signature([summary, *keywords.values()], return_annotation=float)

    @property
    def kind(self) -> str:
        """What it is in the catalogue: "measure"."""
        return "measure"

    @property
    def base(self) -> Measure:
        """The measure whose parameters it has; of an average over classes that of one class."""
        return self

    @property
    def sign(self) -> int:
        """1 where a higher value is better, -1 where a lower one is, 0 where neither is."""
        return {"higher": 1, "lower": -1}.get(self.better or "", 0)

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)

    def fits(self, summary: type | None) -> bool:
        """Whether the measure is computed from summaries of this type."""
        return summary is not None and issubclass(summary, self.summary)

    @property
    def needs_probabilities(self) -> bool:
        """Whether the scores must be probabilities."""
        return self.scores == "probability"

    @property
    def family(self) -> str:
        return self.function.__module__.rpartition(".")[2]

    @property
    def where(self) -> str:
        """The file and the line of the definition."""
        code = self.function.__code__
        path = code.co_filename.replace("\\", "/")
        inside = path.rfind("tallymark/measures/")
        return f"{path[max(inside, 0) :]}:{code.co_firstlineno}"

    @property
    def __name__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<measure {self.name}: {self.title}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return search.get, (self.name, self.summary)
