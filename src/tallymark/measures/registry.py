"""The catalogue of measures: `@measure` enters a function, `get` and `find` look it up.

A measure is written as a plain function of one summary, and other measures call it as such. Users see it as a
`Measure`: it builds the summary from arrays, says why a value is undefined, and reads the docstring.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..input.calls import public
from . import search
from .averages import AVERAGES as AVERAGES
from .averages import NO_CLASS as NO_CLASS
from .averages import Average as Average
from .averages import average_of as average_of
from .division import plain as plain
from .division import ratio as ratio
from .division import within as within
from .entry import SUMMARIES as SUMMARIES
from .entry import UNIT, Better, Bounds, ScoresOfMeasure
from .entry import Measure as Measure
from .headline import Headline as Headline
from .interval_spec import IntervalSpec
from .needs import Needs
from .search import all_measures as all_measures
from .search import find as find
from .search import forms as forms
from .search import get as get
from .search import is_listed as is_listed
from .search import known as known
from .search import measured_on as measured_on

F = TypeVar("F", bound=Callable[..., Any])


@public()
def measure(
    *,
    aka: tuple[str, ...] = (),
    range: tuple[float, float] = UNIT,
    best: float | None = 1.0,
    interval: IntervalSpec | str | None = None,
    loss: Callable[..., Any] | None = None,
    limits: dict[str, tuple[float, float]] | None = None,
    better: Better | None = None,
    ordered: bool = False,
    scores: ScoresOfMeasure | None = None,
    of_mean: Callable[..., Any] | None = None,
    effective_n: Callable[..., Any] | None = None,
    headline: Headline | None = None,
    terms: tuple[str, ...] = (),
    attained: Callable[..., Any] | None = None,
    needs: Needs | None = None,
    names_of_averages: dict[str, tuple[str, ...]] | None = None,
    presets: dict[str, dict[str, float]] | None = None,
    bounds: Bounds | None = None,
) -> Callable[[F], F]:
    """Enter a function into the catalogue of measures.

    Parameters
    ----------
    aka : tuple of str
        Other names of the measure.
    range : pair of float, default (0, 1)
        The lowest and the highest value.
    best : float or None, default 1
        The value of a perfect classifier; None if it depends on the data, or if no value is better.
    interval : IntervalSpec, str or None
        How the interval is made: a kind, such as "proportion", "mean" or "resampled", or what
        `difference_of`, `function_of` and the other functions of `tallymark.measures.interval_spec` return.
        None for a measure without an interval.
    loss : callable, optional
        For a mean over the cases: the loss of each case, which is averaged.
    limits : dict of str to pair of float, optional
        The lowest and the highest value of each parameter of the function.
    better : {"higher", "lower"}, optional
        Which values are better, if `best` is not an end of the range.
    ordered : bool, default False
        Whether the measure needs classes in an order.
    scores : {"probability", "llr", "margin"}, optional
        What the scores must be: probabilities, natural logarithms of likelihood ratios, or signed distances
        from a decision boundary.
    of_mean : callable, optional
        The value as a function of the mean loss and the prevalence, if it is not the mean loss itself.
    effective_n : callable, optional
        The number of cases that determine the value, as a function of the table and the parameters, if it is
        much smaller than the number of all cases.
    headline : Headline, optional
        Its place on the first screen.
    terms : tuple of str
        Words under which `find` shows it that are also names of other measures, as "likelihood ratio".
    attained : callable, optional
        For a maximum over the thresholds: the function of the counts whose largest value it is, by which the
        estimate of an evaluation has its threshold.
    needs : Needs, optional
        The sums over the rows of a ranking table that it is computed from, other than those of its loss and
        of its interval: they are then collected together with those of other measures.
    names_of_averages : dict of str to tuple of str, optional
        Names of its averages over several labels, by kind, as {"micro": ("hamming_loss",)}.
    presets : dict of str to dict of str to float, optional
        Names that set its parameters, as {"f2": {"beta": 2}}.
    bounds : {"roc"} or callable, optional
        Its bounds where scores are known to lie in bins only. "roc" of a measure of a `RankingTable` that
        never falls (or never rises) where a positive scores higher or a negative lower: those are its values
        on the tables of `BinnedTable.bracket`. Else a function of a `BinnedTable` and the parameters that
        returns both bounds, or a `Note`. None: no bounds are proven.

    Returns
    -------
    callable
        A decorator that returns the function unchanged. The measure is then available as
        `tallymark.measures.NAME`, in `find`, and wherever measures are named.

    Raises
    ------
    InputError
        For an argument with another name.
    ValueError
        When a function is decorated whose name or alias is that of another measure of the same summary.

    Notes
    -----
    The annotation of the first argument of the function names the summary: `Counts`, `RankingTable`,
    `ConfusionMatrix`, `IndicatorTable`, `ClassScores` or `Residuals`. Further arguments are keyword-only
    parameters with defaults. The cells may hold arrays, so that the function must work entry by entry. The
    first paragraph of the docstring is the title, the second one the formula; `Undefined:` lists the cases of
    0/0 with the sum that is 0, such as *no actual positives (tp + fn = 0)*.

    Examples
    --------
    >>> import tallymark as tm
    >>> @tm.measure(aka=("hits_per_case",), interval="proportion")
    ... def hit_proportion(c: tm.Counts):
    ...     '''Proportion of the cases that are true positives.
    ...
    ...     tp / (tp + fp + fn + tn)
    ...
    ...     Undefined: no cases (total = 0).
    ...     '''
    ...     return c.tp / c.total
    >>> tm.measures.hit_proportion(tm.Counts(tp=40, fp=5, fn=10, tn=45))
    0.4
    >>> tm.find("hits per case")
    (<measure hit_proportion: Proportion of the cases that are true positives.>,)
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
            terms,
            attained,
            needs,
            names_of_averages or {},
            presets or {},
            bounds,
        )
        search.enter(entry)
        return function

    return enter
