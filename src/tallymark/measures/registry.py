"""The catalogue: what `@measure` has seen. No list of measures is kept anywhere else.

A measure is written as a plain function of one summary, and other measures call it as such. `Measure` is its
public face: it builds the summary from arrays, says why a value is undefined, and knows what the docstring
says.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from numbers import Real
from typing import Any, TypeVar

import numpy as np

from ..input.calls import public, required_names, unknown
from ..input.errors import UndefinedMeasureWarning, by_position
from ..input.spelling import either
from ..input.validate import InputError, nearest, number, real, shown, whole
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from . import two_classes
from .division import ratio as ratio
from .division import within as within
from .docstrings import Documented
from .headline import Headline as Headline
from .interval_spec import IntervalSpec
from .of_arrays import of_each_model, summary_of

F = TypeVar("F", bound=Callable[..., Any])

SUMMARIES = {
    kind.__name__: kind
    for kind in (Counts, RankingTable, ConfusionMatrix, IndicatorTable, ClassScores, Residuals)
}
UNIT = (0.0, 1.0)
NARROWEST = 1e-10  # range of a rate


@dataclass(frozen=True, eq=False)
class Measure(Documented):
    """A measure of the catalogue.

    Call it with a summary, `sensitivity(Counts(...))`, or with arrays by name, `sensitivity(truth=y,
    predicted=yhat)`, which go to the summary's `from_arrays`. `undefined=` says what 0/0 gives: "warn" (NaN
    and an UndefinedMeasureWarning that says which part is empty), "raise" (InputError) or a number. Arrays in
    the cells give an array.

    Raises InputError for a summary of another kind, for scores that are no probabilities where these are
    needed, and for what `from_arrays` refuses.
    """

    function: Callable[..., Any]
    aliases: tuple[str, ...] = ()
    range: tuple[float, float] = UNIT
    best: float | None = 1.0
    interval: IntervalSpec | None = None
    loss: Callable[..., Any] | None = None
    limits: dict[str, tuple[float, float]] = field(default_factory=dict)
    better: str | None = None
    ordered: bool = False
    scores: str | None = None
    of_mean: Callable[..., Any] | None = None
    effective_n: Callable[..., Any] | None = None
    headline: Headline | None = None
    name: str = field(init=False)
    summary: Any = field(init=False)

    def __post_init__(self) -> None:
        first = next(iter(inspect.signature(self.function).parameters.values()))
        kind = first.annotation if isinstance(first.annotation, str) else first.annotation.__name__
        kind = kind.rpartition(".")[2]  # of "tm.Counts"
        object.__setattr__(self, "name", self.function.__name__)
        object.__setattr__(self, "summary", SUMMARIES[kind])
        object.__setattr__(self, "__doc__", inspect.getdoc(self.function))  # what `help` shows
        if self.best is not None:
            object.__setattr__(
                self, "better", {self.range[0]: "lower", self.range[1]: "higher"}.get(self.best)
            )

    def __call__(self, summary: Any = None, /, *misplaced: Any, undefined: Any = "warn", **given: Any) -> Any:
        if misplaced:
            raise by_position("truth", self.takes[1])
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
            summary, given = summary_of(self, _forms(self.name), given), parameters
        fit = (
            (self,)
            if isinstance(summary, self.summary)
            else (one for one in _forms(self.name) if one.fits(type(summary)))
        )
        form = next(iter(fit), self)
        form.check(summary)
        value = form.function(summary, **form.checked(given)) if given else form.function(summary)
        if type(value) is float and value == value:
            return value
        return form._settle(value, summary, undefined)

    def check(self, summary: Any) -> None:
        """Raises InputError where the summary is of another kind, or needs to hold probabilities and does
        not."""
        if not isinstance(summary, self.summary):
            why = (
                two_classes.of_summary(self.name, summary) if self.summary in (Counts, RankingTable) else None
            )
            if why is not None:
                raise why
            kind = type(summary).__name__
            problem = f"{self.name} is measured on {self.summary.__name__}, not on {kind}"
            raise InputError("unsupported", None, problem, "or pass arrays by name")
        if self.needs_probabilities and not summary.in_unit_interval:
            raise InputError(
                "unsupported", self.name, f"probabilities are needed, but {summary.why_no_probabilities}"
            )

    def checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters as numbers, if the measure has them and they lie within their limits. Raises
        InputError."""
        checked = {}
        for name, value in parameters.items():
            if name not in self.parameters:
                if not self.parameters:
                    way_out = either(f"leave out {name}=", "leave it out of --set")
                    raise InputError("unknown-name", None, f"{self.name} has no parameters", way_out)
                raise unknown(self.name, [name], self.parameters)
            if value is not None or self.defaults[name] is not None:
                as_it_must = whole if self._signature[name].annotation in ("int", int) else number
                checked[name] = as_it_must(
                    value, f"{self.name}: {name}", *self.limits.get(name, (-np.inf, np.inf))
                )
        ends = self.defaults | checked
        if "low" in ends and not ends["high"] - ends["low"] >= NARROWEST:
            problem = f"low {ends['low']:g} is not below high {ends['high']:g}"
            raise InputError("invalid-value", self.name, problem, "give both ends of a range")
        return checked

    def _settle(self, value: Any, summary: Any, undefined: Any) -> Any:
        gaps = np.isnan(value)
        if gaps.any():
            text = f"{self.name} is undefined: {self.why_undefined(summary)}"
            if undefined == "raise":
                raise InputError("no-result", None, text)
            if undefined == "warn":
                warnings.warn(f"{text}.", UndefinedMeasureWarning, stacklevel=4)
            else:
                value = np.where(gaps, real(+undefined), value)
        return value if np.ndim(value) else float(value)

    @property
    def for_many_classes(self) -> Measure | None:
        """The same measure of a whole confusion matrix, where it has such a form."""
        return _measures.get((self.name, ConfusionMatrix)) if self.summary is Counts else None

    @cached_property
    def takes(self) -> tuple[str, ...]:
        """The arrays, and what goes with them, that its summary is built from."""
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
        """The names of what may be set, as `base` of log_loss."""
        return tuple(self._signature)[1:]

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The parameters as they are unless set."""
        return {name: self._signature[name].default for name in self.parameters}

    @cached_property
    def _signature(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.function).parameters

    @property
    def names(self) -> tuple[str, ...]:
        """Its name, and all others that it goes by."""
        return (self.name, *self.aliases)

    def fits(self, summary: type | None) -> bool:
        """Whether it is measured on summaries of this type."""
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
        """The file and line that define it."""
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
        return get, (self.name, self.summary)


_measures: dict[tuple[str, type], Measure] = {}  # a name has one form per summary
# every name and alias to the names it stands for: two where they are of other summaries
_names: dict[str, dict[str, None]] = {}


@cache
def _forms(name: str) -> tuple[Measure, ...]:
    wanted = _names.get(name, ())
    found = [entry for entry in _measures.values() if entry.name in wanted]
    # whose own name it is before those that also go by it
    return tuple(sorted(found, key=lambda entry: entry.name != name))


@cache
def _of(summary: type) -> tuple[Measure, ...]:
    return tuple(entry for entry in _measures.values() if entry.fits(summary))


@cache
def _allowed(summary: type, scores: frozenset[str | None], ordered: bool) -> tuple[Measure, ...]:
    return tuple(entry for entry in _of(summary) if entry.scores in scores and (ordered or not entry.ordered))


@cache
def measured_on(
    summaries: tuple[type, ...], scores: frozenset[str | None], ordered: bool
) -> dict[str, tuple[Measure, int]]:
    """By name the measures that any of these summaries allows, each with the place of its summary."""
    places = enumerate(summaries)
    return {entry.name: (entry, place) for place, one in places for entry in _allowed(one, scores, ordered)}


def forget_searches() -> None:
    """After the catalogue has changed: what searches found in it is no longer kept."""
    for search in (_forms, _of, _allowed, measured_on):
        search.cache_clear()


@public()
def measure(
    *,
    aka: tuple[str, ...] = (),
    range: tuple[float, float] = UNIT,
    best: float | None = 1.0,
    interval: IntervalSpec | str | None = None,
    loss: Callable[..., Any] | None = None,
    limits: dict[str, tuple[float, float]] | None = None,
    better: str | None = None,
    ordered: bool = False,
    scores: str | None = None,
    of_mean: Callable[..., Any] | None = None,
    effective_n: Callable[..., Any] | None = None,
    headline: Headline | None = None,
) -> Callable[[F], F]:
    """Enters a function of one summary, which its annotation names, into the catalogue, and leaves the
    function as it is.

    aka: other names; range: lowest and highest value; best: the value of a perfect classifier, None where it
    depends on the data; interval: the kind of interval (`tallymark.inference.intervals`); loss: of a mean
    over cases, the loss that is averaged; limits: of parameters; better: "higher" or "lower" where `best`
    does not tell; ordered: whether classes must have an order; scores: what the scores must be:
    "probability", or what they must be said to be, as "llr", natural logarithms of likelihood ratios;
    of_mean: of the mean loss and the share of positives, the value, where it is not the mean itself;
    effective_n: of a table and the parameters, how many cases decide, where these are few of all; headline:
    its place on the first screen.
    """

    def enter(function: F) -> F:
        made = IntervalSpec(interval) if isinstance(interval, str) else interval
        entry = Measure(
            function,
            aka,
            range,
            best,
            made,
            loss,
            limits or {},
            better,
            ordered,
            scores,
            of_mean,
            effective_n,
            headline,
        )
        for name in entry.names:
            other = next((one for one in _forms(name) if one.summary is entry.summary), None)
            if other is not None:
                raise ValueError(f"{name} is already a name of {other.name}")
        for name in entry.names:
            _names.setdefault(name, {})[entry.name] = None
        _measures[entry.name, entry.summary] = entry
        forget_searches()
        return function

    return enter


def all_measures() -> tuple[Measure, ...]:
    """Every measure, family by family, in the order in which they are written."""
    return tuple(_measures.values())


def known(name: Any) -> bool:
    """Whether some measure goes by this name or alias."""
    return isinstance(name, str) and _plain(name) in _names


def get(name: str, summary: type | None = None) -> Measure:
    """The measure of this name or alias, however it is spelled; summary: the form for that kind, where there
    are several.

    Raises InputError with the nearest name.
    """
    key = _plain(name if isinstance(name, str) else shown(name))
    if key not in _names:
        raise InputError(
            "unknown-name",
            None,
            f"{shown(name)} is no measure of the catalogue{nearest(key, _names)}",
            "`tallymark measures` lists them",
            value=name,
        )
    return next((entry for entry in _forms(key) if entry.fits(summary)), _forms(key)[0])


def forms(name: str) -> tuple[Measure, ...]:
    """All measures of this name or alias, each of another summary. Raises InputError with the nearest
    name."""
    get(name)  # says which name is nearest
    return _forms(_plain(name))


@public()
def find(wanted: Any) -> tuple[Measure, ...]:
    """Find measures of the catalogue.

    Parameters
    ----------
    wanted : str, summary or type of a summary
        A name or alias exactly; else words that occur in names or descriptions. Of a summary: the measures
        that it allows.

    Returns
    -------
    tuple of Measure
        Empty where nothing fits.

    Examples
    --------
    >>> import tallymark as tm
    >>> tm.find("phi")[0].name, "sensitivity" in [entry.name for entry in tm.find(tm.Counts)]
    ('matthews_correlation', True)
    """
    every = all_measures()
    if not isinstance(wanted, str):
        return _of(wanted if isinstance(wanted, type) else type(wanted))
    if _plain(wanted) in _names:
        return (get(wanted),)
    words = _plain(wanted).strip("_").split("_")
    if words == [""]:
        return ()
    by_name = [
        entry for entry in every if all(word in " ".join((entry.name, *entry.aliases)) for word in words)
    ]
    by_text = [
        entry for entry in every if all(word in entry._doc.lower() for word in words) and entry not in by_name
    ]
    return (*by_name, *by_text)


@lru_cache(1024)
def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "_", name.strip().lower())
