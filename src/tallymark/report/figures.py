"""The data of every figure, from the curves and rows of a result: a function for each kind.

A function makes one `Figure`, or several that stand side by side. `together`: of all evaluations by name;
`apart`: one for each evaluation; `whole`: of a result that is no evaluation. Its keyword arguments are the
options of `plot`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final, TypeVar

import numpy as np

from ..curves import AXES, CAPTIONS, CURVES, BandKind, Caption, Curve, by_clusters, kinds_of
from ..curves.curve import POINTWISE, crossings, limits, mark_of
from ..curves.kinds import smooth_reliability
from ..input import text
from ..input.arguments import Normalize, PlotBand
from ..input.errors import InputError
from ..input.validate import nearest, shown
from ..measures import registry
from ..measures.titles import title as title_of
from ..summaries import Counts
from . import document
from .documents.common import number_of
from .documents.evaluations import headed
from .figure import UNIT, Axis, Cells, Figure, Series, axes_of, axis_of, shown_name
from .two_classes import best

AUTO: Final = "auto"
OPTIONS: dict[str, Any] = {
    "band": AUTO, "level": None, "measures": None, "classes": None, "bins": None, "ties": False,
    "normalize": "true",
}  # fmt: skip
ALONE = ""  # the name of an evaluation that is alone
MODEL = "model"  # the label of the only one
MOST = 28  # series of one figure, which colours and dashes distinguish
MOST_BANDS = 2  # series of which each has its band
LONGEST, SHORTER = 32, 16  # characters of a name
THRESHOLD = ("threshold", "score")  # axes on which it is a place itself
NO_POINT = "no threshold has both error rates between 0 and 1"  # of DET curves
SQUARE = "false positive rate", "probability", "recall", "normal deviate of the false positive rate"
SHORT = {"ROC AUC": "AUC", "Average precision": "AP"}
OF_MEASURES = "Measures against the threshold"
ON_PAGES = {
    "binary": ("roc", "pr", "reliability_equal_mass", "decision", "gain"),
    "multiclass": ("confusion", "roc"),
    "multilabel": ("forest",),
    "regression": ("predicted", "residuals"),
    "evaluations": ("roc", "pr", "reliability_equal_mass", "decision", "predicted"),
    "folds": ("roc",),
    "comparison": ("roc", "pr", "decision_difference", "predicted"),
    "threshold": ("rule", "thresholds"),
    "calibration": ("reliability",),
    "bootstrap": ("resamples",),
    "biometric": ("det", "far_frr"),
    "roc_points": ("roc_points",),
    "pairs_matrix": ("pairs",),
}
TASKS = {
    "binary": "two classes",
    "multiclass": "several classes",
    "multilabel": "several labels per case",
    "regression": "amounts",
}
SHARES = Axis(0.0, 1.0, tuple((tick, f"{tick:g}") for tick in UNIT))
ENDS = np.array([0.0, 1.0])


# The kinds
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of figure. of: tasks, or kinds of results; needs: these in words; intervals: if it has any."""

    name: str
    title: str
    draw: Callable[..., Any]
    of: tuple[str, ...]
    way: str
    needs: str
    intervals: bool = True

    @property
    def takes(self) -> list[str]:
        """The options, from the signature of its function; `classes` chooses the evaluations of classes."""
        every = inspect.signature(self.draw).parameters.values()
        own = [one.name for one in every if one.kind is inspect.Parameter.KEYWORD_ONLY]
        return own if self.way == "whole" else [*own, "classes"]

    def fits(self, result: Any) -> bool:
        """Whether such results have this figure."""
        if self.way == "whole":
            task = result.task if answer(result) == "evaluation" else ""
            return answer(result) in self.of or task in self.of
        of = (*self.of, "multiclass") if "binary" in self.of else self.of
        tasks = {one.task for one in evaluations(result).values()}
        return bool(tasks) and tasks <= {*of}

    def figures(
        self, result: Any, name: str | None = None, on_page: bool = False, **options: Any
    ) -> tuple[Figure, ...]:
        """The figures of a result that fits. on_page: of many models or classes some."""
        if self.way == "whole":
            found = self.draw(result, **options)
            return (found,) if isinstance(found, Figure) else tuple(found)
        source = source_of(result, self.of, name, options.pop("classes", None), None if on_page else MOST)
        if self.way == "together":
            return (self.draw(source.best() if on_page else source, **options),)
        facts = source.facts[: 2 if self.intervals else 1]
        return tuple(
            replace(self.draw(e, **options), title=self.title, facts=facts, panel=source.names[one])
            for one, e in source.parts.items()
        )


KINDS: dict[str, list[Kind]] = {}
Draw = TypeVar("Draw", bound=Callable[..., Any])


def kind(
    title: str, *of: str, way: str, needs: str, name: str | None = None, intervals: bool = True
) -> Callable[[Draw], Draw]:
    """Enters a function under its own name, or `name`; of several the first that takes a result is drawn."""

    def entered(function: Draw) -> Draw:
        own = name or function.__name__
        KINDS.setdefault(own, []).append(Kind(own, title, function, of, way, needs, intervals))
        return function

    return entered


def figures(
    result: Any, kind: str | None = None, name: str | None = None, **options: Any
) -> tuple[Figure, ...]:
    """The figures of this kind, or of the usual one, that stand side by side. Raises InputError."""
    if kind is None and answer(result) == "curve":
        return (of_curve(result, name),)
    chosen = kind_of(getattr(result, "usual_figure", "forest") if kind is None else kind, result)
    given = {one: value for one, value in options.items() if value != OPTIONS[one]}
    for one in given:
        if one not in chosen.takes:
            has = f"it takes {', '.join(sorted(chosen.takes))}" if chosen.takes else "leave it out"
            raise InputError("unknown-name", one, f"the figure {chosen.name!r} takes no such option; {has}")
    return chosen.figures(result, name, **given)


def shown_on_page(result: Any, only: Container[str] = ()) -> tuple[Figure, ...]:
    """The figures on the page of a result, as far as the data allow them; of many models the best eight.

    only: the kinds that are wanted; by default all.
    """
    of = answer(result)
    if of in ("curve", "unscored"):
        return (plain_curve(result if of == "curve" else result.curve),)
    names: Sequence[str] = ON_PAGES.get(result.task if of == "evaluation" else of, ())
    if of == "evaluation" and result.task == "binary" and not result.both_classes:
        names = ()
    found: list[Figure] = []
    names = [one for one in names if not only or one in only]
    _draw_bands(evaluations(result).values(), [one for one in names if one in AXES or one == "decision"])
    for name in names:
        if name == "confusion" and result.task == "multiclass" and len(result.matrix) <= MOST_TEXTS:
            continue  # a table shows it
        options: dict[str, Any] = {"measures": list(OF_CLASSES[:2])} if name == "forest" else {}
        try:
            found += kind_of(name, result).figures(result, on_page=True, **options)
        except InputError:  # without scores, or where these are no probabilities
            continue
    return tuple(found)


def _draw_bands(every: Collection[Any], names: Sequence[str]) -> None:
    """Makes all bands of a model before those of another: they share draws, and its table keeps them."""
    if 1 < len(every) <= MOST_BANDS and all(one.task == "binary" and not one.units for one in every):
        for one in every:
            for name in names if one.ranking else ():
                if name != "decision" or (one.probabilities and one.score_kind != "logit"):  # another table
                    one.curve(name, band=POINTWISE)


def kind_of(name: Any, result: Any) -> Kind:
    """The kind of this name, or of this measure of counts, for a result. Raises InputError."""
    every, there = _variants(name), list(kinds_for(result))
    if not every:
        raise unknown(name, there)
    for one in sorted(every, key=lambda one: one.way != "whole"):  # first those of this very type
        if one.fits(result):
            return one
    needs = " or ".join(dict.fromkeys(one.needs for one in every))
    here = f"an evaluation of {TASKS[result.task]}" if answer(result) == "evaluation" else (
        f"a result of another kind ({type(result).__name__})"
    )  # fmt: skip
    raise InputError(
        "unsupported", "kind", f"{every[0].name!r} is a figure of {needs}; here is {here}",
        f"there are {', '.join(there)}" if there else "", value=name,
    )  # fmt: skip


def known(name: str) -> str:
    """The name, if it is that of a kind or of a measure of counts, for any result. Raises InputError."""
    if not _variants(name):
        raise unknown(name, KINDS)
    return name


def kinds_for(result: Any) -> Iterator[str]:
    """The names of the kinds that take such results."""
    return (name for name, variants in KINDS.items() if any(one.fits(result) for one in variants))


def unknown(name: Any, kinds: Iterable[str]) -> InputError:
    """The error for a name that no kind has; kinds: those there are."""
    return InputError(
        "unknown-name", "kind", f"{shown(name)} is not a figure{nearest(str(name), KINDS)}",
        f"there are {', '.join(kinds)}, and of scores any measure of counts", value=name,
    )  # fmt: skip


def _variants(name: Any) -> list[Kind]:
    """The kinds of this name, or the curve of a measure of counts by any of its names."""
    plain = name.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(name, str) else ""
    forms = registry.forms(plain) if plain not in KINDS and registry.known(plain) else ()
    return KINDS.get(plain) or [_of_curve(one.name) for one in forms if one.summary is Counts][:1]


# What a figure is of
# --------------------------------------------------------------------------------------------------


def answer(result: Any) -> str:
    """The kind of a result: that of its JSON, or the name of its form."""
    return str(getattr(type(result), "ANSWER", None) or (result.FORM or "").rpartition(".")[2])


# by the kind of a result its evaluations, by name
EVALUATIONS: dict[str, Callable[[Any], dict[Any, Any]]] = {
    "evaluation": lambda one: {ALONE: one},
    **dict.fromkeys(("calibration", "threshold", "biometric"), lambda one: {ALONE: one.evaluation}),
    **dict.fromkeys(("evaluations", "groups"), dict),
    "comparison": lambda one: one.evaluations,
    "folds": lambda one: {f"fold {name}": each for name, each in one.items()},
    "group_tables": lambda one: {
        f"{model}, {name}": table[name] for model, table in one.items() for name in table
    },
}
NOUNS = {"groups": "group", "group_tables": "group", "folds": "fold"}


def evaluations(result: Any) -> dict[str, Any]:
    """By name; empty for a result of another kind."""
    found = EVALUATIONS.get(answer(result), lambda _: {})(result)
    return {str(name): one for name, one in found.items()}


@dataclass(frozen=True, eq=False)
class Source:
    """The result, and its evaluations by name; by: what the names are of; chosen: which of more these are."""

    result: Any
    parts: Mapping[str, Any]
    by: str = ""
    chosen: str = ""

    @property
    def alone(self) -> bool:
        """Whether there is one evaluation."""
        return len(self.parts) == 1

    @property
    def first(self) -> Any:
        """The first evaluation."""
        return next(iter(self.parts.values()))

    @cached_property
    def same_cases(self) -> bool:
        """Whether all have the same numbers of cases."""
        every = [one.data for one in self.parts.values()]
        return len({(one.rows, one.positives, one.negatives) for one in every}) == 1

    @property
    def facts(self) -> tuple[str, ...]:
        """The cases, and the level of the intervals."""
        first, of = self.first, answer(self.result)
        if self.by == "class":
            cases = f"{text.count(first.data.rows)} cases, each class against the others"
        elif of == "group_tables":
            cases = f"{len(self.result)} models, {len(self.result.first)} groups"
        elif of == "folds":
            cases = f"{len(self.parts)} folds of {sizes(self.result.whole)}"
        elif self.same_cases:
            cases = sizes(first)
        else:
            cases = f"{len(self.parts)} {'groups' if self.by == 'group' else 'evaluations'}"
        return f"{cases}{self.chosen}", _level(first.settings.level)

    @cached_property
    def names(self) -> dict[str, str]:
        """Shortened so that they remain distinct."""
        return text.labels(self.parts, LONGEST)

    def name(self, one: str) -> str:
        """In a legend: with its number of cases where these differ."""
        if self.by == "fold" or self.same_cases:
            return self.names[one]
        data = self.parts[one].data
        number = data.positives if self.by == "class" else data.rows
        return f"{self.names[one]} (n = {text.count(number or 0)})"

    def best(self) -> Source:
        """At most eight: the models with the largest ROC areas, or the classes with the smallest."""
        found = best(self.parts, least=self.by == "class")
        if found is self.parts:
            return self
        which = "lowest" if self.by == "class" else "highest"
        what = {"class": "classes"}.get(self.by, f"{self.by}s")
        chosen = f"; of {len(self.parts)} {what} the {len(found)} with the {which} ROC AUC"
        return replace(self, parts=found, chosen=chosen)


def _level(level: float) -> str:
    return f"{100 * level:.4g}% intervals"


def sizes(e: Any) -> str:
    """The numbers of cases, and of two classes those of each, with the label of the positives."""
    cases = number_of(e.data.rows, "case")
    if e.task != "binary":
        return cases
    label = "" if e.labels[1] in (1, True, "positive") else f" ({text.label(e.labels[1], LONGEST)})"
    return f"{cases}: {text.count(e.data.positives or 0)} positive{label}"


def source_of(
    result: Any, of: tuple[str, ...], name: str | None = None, classes: Any = None, most: int | None = MOST
) -> Source:
    """The evaluations of a result that fits; of a score per class those of the classes. Raises InputError.

    name: of an evaluation that is alone.
    """
    found, by = evaluations(result), NOUNS.get(answer(result), "model")
    if name is not None and ALONE in found:
        found = {str(name): found[ALONE]}
    if all(one.task in of for one in found.values()):
        return Source(result, found, by)
    first = next(iter(found.values()))
    labels = list(first.matrix.labels)
    chosen = _chosen(labels, classes, "class")
    if len(found) > 1:
        if len(chosen) != 1:
            raise InputError(
                "needed", "classes",
                f"{len(found)} models with several classes are drawn of one class against the others",
                f"name it, as classes={labels[0]!r}",
            )  # fmt: skip
        return Source(result, {one: e.one_vs_rest(chosen[0]) for one, e in found.items()}, by)
    _check_number(chosen, most, "classes")
    return Source(result, {str(label): first.one_vs_rest(label) for label in chosen}, "class")


def _chosen(labels: list[Any], classes: Any, noun: str) -> list[Any]:
    """The labels that are drawn. Raises InputError for others."""
    chosen = labels if classes is None else list(classes) if isinstance(classes, (list, tuple)) else [classes]
    strange = [one for one in chosen if one not in labels]
    if strange:
        raise InputError(
            "unknown-name", "classes", f"{strange[0]!r} is not a {noun} here",
            f"there are {', '.join(map(str, labels))}", value=strange[0],
        )  # fmt: skip
    return chosen


def _check_number(chosen: list[Any], most: int | None, nouns: str) -> None:
    if most is not None and len(chosen) > most:
        problem = f"there are {len(chosen):,} {nouns}, and one figure shows {most} at most"
        raise InputError("needed", "classes", problem, f"name some, as classes={chosen[:3]!r}")


# Words
# --------------------------------------------------------------------------------------------------


def caption_of(name: str) -> Caption:
    """The caption of a curve; of a measure against the threshold its name."""
    return CAPTIONS.get(name) or Caption(name.replace("_", " ").capitalize())


def summary(e: Any, name: str) -> dict[str, Any]:
    """The measure that summarises the curve of this name, with its value and interval, as a series has them.

    Empty where there is none, or the data do not allow it.
    """
    about = caption_of(name)
    if about.measure is None or about.measure not in e.estimates:
        return {}
    found, label = e[about.measure], about.label or title_of(about.measure)
    rank = found.centre if e.entry(about.measure).better == "lower" else -found.centre
    short = f"{SHORT.get(label, label)} {_brief(found.centre)}"
    return {"measure": label, "value": document.estimate(found), "short": short, "rank": rank}


def _in_words(summary: Mapping[str, Any]) -> str:
    return f"{summary['measure']} {summary['value']}" if summary else ""


def _brief(value: float) -> str:
    """Two digits after the point, three where these are those of an end of the range."""
    return f"{value:.2f}" if f"{value:.2f}" not in ("0.00", "1.00") or value in (0, 1) else f"{value:.3f}"


def threshold_text(e: Any) -> str:
    """The threshold as a text."""
    return "" if e.limit is None else f"threshold {e.limit:.4g}"


def operating_point(e: Any, curve: Curve) -> tuple[np.ndarray, np.ndarray] | None:
    """The point of the threshold, where it is one of the points of the curve.

    The curve is one without points added for a band.
    """
    if e.limit is None or e.ranking is None or curve.x_name in THRESHOLD or not caption_of(curve.name).marked:
        return None
    side, sign = (np.greater_equal, 1) if e.higher_is_positive else (np.less_equal, -1)
    scores = sign * e.ranking.thresholds
    at = np.flatnonzero(curve.threshold == scores[side(scores, e.limit)][-1])[-1:]
    x, y = curve.x[at], curve.y[at]
    return (x, y) if len(at) and np.isfinite([x, y]).all() else None


# Curves
# --------------------------------------------------------------------------------------------------


def _curve(
    name: str, source: Source, *, band: PlotBand | None = AUTO, level: float | None = None, ties: bool = False
) -> Figure:
    """The curve of this name of every evaluation. ties: with the area of tied scores in other orders."""
    if ties and name != "roc":
        problem = f"the figure {name!r} does not show the orders of tied scores"
        raise InputError("conflict", "ties", problem, "leave it out, or take 'roc'")
    chosen = None if ties and band == AUTO else _band_kind(name, source, band)
    options = {} if level is None or chosen is None else {"level": level}
    found = of_curves(source, [one.curve(name, band=chosen, **options) for one in source.parts.values()])
    areas = [_of_ties(e, look) for look, e in enumerate(source.parts.values())] if ties else []
    return replace(found, series=(*areas, *found.series))


def _band_kind(name: str, source: Source, requested: PlotBand | None) -> BandKind | None:
    """The kind of band: where none is named, that of each place for few curves that have it, not of folds."""
    if requested != AUTO:
        return requested
    grouped = any(one.clusters is not None for one in source.parts.values())
    allowed = by_clusters(name, POINTWISE) if grouped else POINTWISE in kinds_of(name)
    few = len(source.parts) <= MOST_BANDS and source.by != "fold"  # the curves of folds show how they vary
    return POINTWISE if allowed and few else None


def of_curves(source: Source, curves: Sequence[Curve]) -> Figure:
    """Curves of one name that are known, one for each evaluation."""
    every, first = [*source.parts.values()], curves[0]
    summaries = [summary(e, first.name) for e in every]
    alike = source.same_cases and source.by != "class"
    found = _overlaid(curves, [source.name(one) for one in source.parts], summaries, alike)
    limits_of = {threshold_text(one): one.limit for one in every if one.limit is not None}
    rules = [
        Series("upright", limit, name=label, look=None if len(limits_of) == 1 else look, key="threshold")
        for look, (label, limit) in enumerate(limits_of.items())
        if first.x_name in THRESHOLD and np.isfinite(limit)
    ]
    crossed = _crossings(*curves) if first.name == "roc" and len(curves) == 2 else ()
    plain = [
        e.curve(one.name) if one.band is not None and one.name in CURVES else one
        for e, one in zip(every, curves, strict=True)
    ]
    # of several classes the highest score decides, not a threshold
    places = map(operating_point, every, plain) if source.by != "class" else ()
    marks = [
        Series("points", *at, look=look, key=f"{first.name} {name}".rstrip())
        for look, (name, at) in enumerate(zip(source.parts, places, strict=False))
        if at
    ]
    cases, *facts = source.facts
    measure = caption_of(first.name).measure
    if not any(e[measure].has_interval for e, words in zip(every, summaries, strict=True) if words):
        facts = []  # the level of a band is in the legend
    if source.alone and len(_own(first)) > 1 and not caption_of(first.name).shows:
        facts.append(_in_words(summaries[0]))
    if marks:
        which = next(iter(limits_of)) if len(limits_of) == 1 else "the thresholds"
        facts.append(f"dot{'s' * (len(curves) > 1)}: {which}")
    drawn = any((np.isfinite(one.x) & np.isfinite(one.y)).any() for one in curves)
    facts = [cases, "; ".join(filter(None, facts)), "" if drawn else NO_POINT]
    series = (*found.series, *rules, *crossed, *marks, *_shown(curves, summaries))
    return replace(found, series=series, facts=tuple(filter(None, facts)))


def of_curve(curve: Curve, name: str | None = None) -> Figure:
    """A curve that is known, with the facts of its evaluation where it has one."""
    if curve.origin is not None:
        return of_curves(Source(curve, {name or ALONE: curve.origin}), [curve])
    return plain_curve(curve, name)


def plain_curve(curve: Curve, name: str | None = None) -> Figure:
    """The same, of its points alone."""
    found = _overlaid([curve], [name or ""])
    facts = (curve.about.note,) if curve.about is not None and curve.about.note else ()
    return replace(found, series=(*found.series, *_shown([curve], [{}])), facts=facts)


def _overlaid(
    curves: Sequence[Curve], names: Sequence[str], summaries: Sequence[Any] = (), alike: bool = True
) -> Figure:
    """Curves of one name on common axes. alike: whether all have the same baselines and references."""
    fine = [one.joined().simplify() for one in curves]
    first, own, alone = fine[0], list(_own(fine[0])), len(fine) == 1
    series = _references(fine[:1] if alike else fine)
    for look, (curve, name, words) in enumerate(zip(fine, names, summaries or [{}] * len(fine), strict=True)):
        series += _lines(curve, name, words, look, alone)
    across, up = axes_of(*fine)
    y_name = first.y_name.split()[-1] if len(own) > 1 else first.y_name  # as rate
    up = replace(up, title=shown_name(y_name) if first.name in CURVES else title_of(y_name))
    band = str(first.about) if first.band is not None else ""
    square = first.x_name in SQUARE and "rate" in first.y_name
    return Figure(
        first.name, caption_of(first.name).title, across, up, tuple(series), band=band, square=square
    )


def _own(curve: Curve) -> dict[str, np.ndarray]:
    """The lines that are not references."""
    references = caption_of(curve.name).references
    return {name: y for name, y in curve.lines.items() if name not in references}


def _lines(curve: Curve, name: str, summary: Mapping[str, Any], look: int, alone: bool) -> Iterator[Series]:
    """The lines of a series, the first with its band and its measure, unless that is alone with several."""
    own, bands = _own(curve), {curve.y_name: curve.band, **curve.bands}
    for dash, (line, y) in enumerate(own.items()):
        band = bands.get(line)
        low, high = band or (None, None)
        label = ", ".join(filter(None, (name, line))) if len(own) > 1 else name
        words = summary if dash == 0 and not (alone and len(own) > 1) else {}
        if not label and not words and caption_of(curve.name).references:
            label = MODEL
        given: dict[str, Any] = {"name": label, "look": look, "dash": dash, **words}
        if curve.dots:
            yield Series("line", curve.x, y, look=look)
            yield Series("points", curve.x, y, low, high, **given)
            continue
        if band is not None:
            there = ~np.isnan([curve.x, *band]).any(axis=0) & np.isfinite(curve.x) & np.isfinite(y)
            if not there.all():  # the band ends before the line
                low, high = (end[there] for end in band)
                yield Series("area", curve.x[there], y[there], low, high, look=look, step=curve.step)
                low = high = None
        yield Series("line", curve.x, y, low, high, step=curve.step, key=line if alone else name, **given)


def _references(curves: Sequence[Curve]) -> list[Series]:
    """Classifiers that ignore the scores, of each of these curves; the legend names those of the first."""
    about, known = caption_of(curves[0].name), dict[Any, Series]()
    levels = [
        (np.array([one.x[np.isfinite(one.x)].min(), one.x[np.isfinite(one.x)].max()]), one.baseline)
        for one in curves
        if one.baseline is not None and np.isfinite(one.baseline).all() and np.isfinite(one.x).any()
    ]
    label = about.baseline
    if label == "prevalence" and levels:
        heights = [y[0] for _, y in levels]
        ends = dict.fromkeys(f"{height:.3g}" for height in (min(heights), max(heights)))
        label = f"{label} {' to '.join(ends)}"
    for i, (x, y) in enumerate(levels):
        known.setdefault((*x, *y), Series("line", x, np.array(y), name="" if i else label))
    for i, curve in enumerate(curves):
        for dash, name in enumerate(about.references):
            line = Series("line", curve.x, curve.lines[name], name="" if i else name, dash=dash)
            known.setdefault((name, line.y.tobytes()), line)
    return list(known.values())


def _shown(curves: Sequence[Curve], summaries: Sequence[Mapping[str, Any]]) -> Iterator[Series]:
    """The measure of two lines: their distance, or the point where they cross."""
    for look, (curve, measured) in enumerate(zip(curves, summaries, strict=True)):
        found, about, alone = mark_of(curve), caption_of(curve.name), len(curves) == 1
        if found is None:
            continue
        value = f"{about.label} {found.high - found.low if about.shows == 'distance' else found.low:.3f}"
        value = f"{_in_words(measured) or value} at {found.x:.4g}" if alone else ""
        if about.shows == "distance":
            yield Series("span", found.x, low=found.low, high=found.high, value=value, look=look + alone)
        else:
            yield Series("points", np.array([found.x]), np.array([found.low]), value=value, look=look + alone)


def _crossings(first: Curve, second: Curve) -> Iterator[Series]:
    """Where two curves cross; without bands the regions where each is higher, too, in its colour."""
    x, y, _ = crossings(first, second)
    if not len(x):
        return
    some = ", ".join(f"{at:.3g}" for at in x[:4]) + ", …" * (len(x) > 4)
    label = f"{len(x)} crossing{'s' * (len(x) > 1)}, at false positive rate {some}"
    yield Series("points", x, y, value=label, shape="X")
    if first.band is None and second.band is None:
        yield _above(first, second, 0, at=x)
        yield _above(second, first, 1, at=x)


def _of_ties(e: Any, look: int) -> Series:
    """The area between the curves of the most and the least favourable order of tied scores."""
    worst, best = (e.curve("roc", ties=order).simplify() for order in ("pessimistic", "optimistic"))
    areas = (f"{e[f'roc_auc_{order}'].value:.3f}" for order in ("pessimistic", "optimistic"))
    return _above(best, worst, look, f"tied scores in other orders: AUC {' to '.join(areas)}")


def _above(curve: Curve, other: Curve, look: int, value: str = "", at: Any = ()) -> Series:
    """The area where a curve is above the other one. at: where they cross."""
    along = np.unique(np.concatenate([curve.x, other.x, at]))
    low, high = limits(other, along), limits(curve, along)
    return Series("area", np.repeat(along, 2), low=low, high=np.maximum(low, high), value=value, look=look)


OF_SCORES = "two classes, or of several with a score per class"


def _of_curve(name: str, draw: Callable[..., Figure] = _curve) -> Kind:
    return Kind(name, caption_of(name).title, partial(draw, name), ("binary",), "together", OF_SCORES)


KINDS |= {name: [_of_curve(name)] for name in CURVES if name != "density"}  # which has its own


# Reliability, distributions, thresholds
# --------------------------------------------------------------------------------------------------

EDGES = np.linspace(0, 1, 41)
SMOOTHED = "smooth curve (local lines)"
MOST_INTERVALS, MOST_DOTS = 2, 5  # series of which each has these
CLASSES = "positive", "negative"
OF_ANSWERS = "correct", "wrong"
BINS = 30
USUAL = ("precision", "sensitivity", "specificity", "f1")
SHARE = "predicted_prevalence"
CALIBRATED = Series("line", ENDS, ENDS, name="calibrated")


def _reliability(name: str, source: Source, *, bins: int | None = None, level: float | None = None) -> Figure:
    """The reliability of every evaluation, in bins of equal width or mass."""
    options = {key: value for key, value in {"bins": bins, "level": level}.items() if value is not None}
    parts, (cases, last) = source.parts, source.facts
    summaries = [{"name": source.name(one), **summary(e, name)} for one, e in parts.items()]
    words, below = f"lines: {SMOOTHED}", None
    if source.alone:
        words, below = (
            _in_words(summary(source.first, name)),
            (source.first.ranking, CLASSES, source.first.limit),
        )
        summaries[0] |= {"measure": "", "value": SMOOTHED}
    curves = [(e.curve(name, **options), e.ranking) for e in parts.values()]
    facts = cases, "; ".join(filter(None, (last, words)))
    return _of_bins(name, caption_of(name).title, curves, summaries, facts, below)


for _name in ("reliability", "reliability_equal_mass"):
    KINDS[_name] = [_of_curve(_name, _reliability)]


@kind("Reliability", "calibration", way="whole", needs="a calibration", name="reliability")
def _of_calibration(c: Any, *, level: float | None = None) -> Figure:
    """That of a calibration, with its bins; of a score per class that of the highest probabilities."""
    cases, last = Source(c, evaluations(c)).facts
    measure, value = next(iter(c.estimates.items()))
    words = {"value": SMOOTHED, "short": f"{title_of(measure)} {_brief(value.centre)}"}
    title = "Reliability of the highest probabilities" if c.of_answers else "Reliability"
    facts = cases, f"{last}; {title_of(measure)} {document.estimate(value)}"
    below = (c.ranking, OF_ANSWERS if c.of_answers else CLASSES, None)
    return _of_bins("reliability", title, [(c.curve(), c.ranking)], [words], facts, below)


def _of_bins(
    name: str,
    title: str,
    curves: Sequence[tuple[Curve, Any]],
    summaries: Sequence[Mapping[str, Any]],
    facts: tuple[str, ...],
    below: tuple[Any, Sequence[str], float | None] | None,
) -> Figure:
    """Of each curve and its table the smooth curve, and the bins with intervals, as far as there is room.

    below: the table, the names of its classes and the threshold of the histogram.
    """
    series = [CALIBRATED]
    for look, ((bins, table), words) in enumerate(zip(curves, summaries, strict=True)):
        smooth = smooth_reliability(table)
        series.append(Series("line", smooth.x, smooth.y, look=look, **words))
        low, high = bins.band if bins.band is not None and len(curves) <= MOST_INTERVALS else (None, None)
        about = f"{len(bins)} bins with {_level(bins.about.level)}" if bins.about and len(curves) == 1 else ""
        if len(curves) <= MOST_DOTS:
            series.append(Series("points", bins.x, bins.y, low, high, value=about, look=look))
    axes = replace(SHARES, title="mean probability"), replace(SHARES, title="observed rate")
    histogram = None if below is None else _histogram(*below)
    return Figure(name, title, *axes, tuple(series), facts, square=True, below=histogram)


def _histogram(table: Any, names: Sequence[str], limit: float | None) -> Figure:
    """The probabilities of positives upwards, of negatives downwards."""
    parts = [np.asarray(part, float) for part in (table.positive, table.negative)]
    heights = [np.histogram(table.probability, EDGES, weights=part)[0] for part in parts]
    bars = [
        Series("bars", EDGES, (1, -1)[look] * high, name=f"{name} (n = {text.count(high.sum())})", look=look)
        for look, (high, name) in enumerate(zip(heights, names, strict=True))
    ]
    rules = [Series("upright", limit)] if limit is not None and 0 <= limit <= 1 else []
    most = float(np.max(heights))
    axes = replace(SHARES, title="probability"), Axis(-most, most, ((0.0, "0"),), "cases")
    return Figure("histogram", "", *axes, (*bars, *rules, Series("level", y=0.0)))


def _threshold(e: Any) -> list[Series]:
    """The threshold as an upright line, where it is finite."""
    there = e.limit is not None and np.isfinite(e.limit)
    return [Series("upright", e.limit, name=threshold_text(e), key="threshold")] if there else []


@kind("Distribution of the scores", "binary", way="apart", needs=OF_SCORES, intervals=False)
def density(e: Any, *, bins: int | None = None) -> Figure:
    """A histogram of each class, of area 1."""
    curve = e.curve("density", bins=BINS if bins is None else bins)
    order = slice(None, None, -1 if e.higher_is_positive else 1)
    bars = []
    for look, line in enumerate(curve.lines.values()):
        label, number = e.labels[1 - look], (e.data.positives, e.data.negatives)[look]
        shown_label = "" if label in (0, 1, CLASSES[look]) else f" ({text.label(label, 24)})"
        name = f"{CLASSES[look]}{shown_label}, n = {text.count(number or 0)}"
        bars.append(Series("bars", curve.x[order], line[1:][order], name=name, look=look))
    axes = axis_of("score", [curve.x]), axis_of("density", [one.y for one in bars] + [np.zeros(1)])
    return Figure("density", "", *axes, (*bars, *_threshold(e)))


@kind(OF_MEASURES, "binary", way="apart", needs=OF_SCORES, intervals=False)
def thresholds(e: Any, *, measures: str | Sequence[str] | None = None) -> Figure:
    """Each measure as a step function, the share predicted positive, and the threshold."""
    *curves, share = [e.curve(one) for one in (*(_listed(measures) or USUAL), SHARE)]
    lines = [_steps(one, title_of(one.name).split(" (")[0], look) for look, one in enumerate(curves)]
    lines.append(replace(_steps(share, "Share predicted positive", None), dash=1))
    heights = [one.y for one in lines]
    axes = axis_of("threshold", [share.x]), axis_of("measures", heights, "value")
    return Figure("thresholds", "", *axes, (*lines, *_threshold(e)))


def _steps(curve: Curve, name: str, look: int | None) -> Series:
    return Series("line", curve.x, curve.y, name=name, look=look, step=curve.step, key=curve.name)


@kind(OF_MEASURES, "threshold", way="whole", needs="a chosen threshold", name="thresholds")
def _of_choice(choice: Any, *, measures: str | Sequence[str] | None = None) -> Figure:
    """The same, with the interval of the threshold."""
    return _chosen_threshold(choice, OF_MEASURES, thresholds(choice.evaluation, measures=measures))


@kind("The rule against the threshold", "threshold", way="whole", needs="a chosen threshold")
def rule(choice: Any) -> Figure:
    """The measure that the rule optimises at every threshold, with the chosen one and its interval."""
    e, measure = choice.evaluation, choice.choice.rule.measures[0]
    curve, name = e.curve(measure, **e.parameters_of(e.entry(measure))), title_of(measure)
    axes = axis_of("threshold", [curve.x]), axis_of(measure, [curve.y], name)
    at = np.array([choice.threshold]), np.array([e[measure].value])
    series = _steps(curve, name, 0), Series("points", *at, name=threshold_text(e), look=1)
    return _chosen_threshold(choice, f"{name} against the threshold", Figure("rule", "", *axes, series))


def _chosen_threshold(choice: Any, title: str, figure: Figure) -> Figure:
    """A figure over the thresholds, with the interval of the chosen one."""
    low, high = choice.interval
    name = f"interval {text.interval(low, high)}"
    stretch = [Series("span", low=low, high=high, name=name, across=True)] * bool(np.isfinite(high - low))
    cases, _ = Source(choice, evaluations(choice)).facts
    facts = cases, f"threshold by {choice.rule.text}"
    return replace(figure, title=title, series=(*stretch, *figure.series), facts=facts)


@kind("Resamples", "bootstrap", way="whole", needs="a bootstrap")
def resamples(
    b: Any, *, measures: str | Sequence[str] | None = None, bins: int | None = None
) -> list[Figure]:
    """The values of each measure on the resamples, with the value of the cases and its interval."""
    names, result = _listed(measures) or list(b)[:3], []
    for name in names:
        one, values = b[name], b.replicates(name)
        heights, edges = np.histogram(values[np.isfinite(values)], BINS if bins is None else bins)
        ends = [(one.low, "interval"), (one.high, "")] if one.has_interval else []
        series = (
            Series("bars", edges, heights.astype(float), look=0, value="resamples"),
            Series("upright", one.value, name=f"{title_of(name)} {document.estimate(one)}", look=1),
            *(Series("upright", end, name=label, look=1, dash=1) for end, label in ends),
        )
        axes = axis_of("score", [edges], title_of(name)), axis_of("", [heights, np.zeros(1)], "resamples")
        facts = f"{text.count(values.size)} resamples", f"{100 * b.level:.4g}% {b.method} intervals"
        title = "Values on the resamples"
        result.append(Figure("resamples", title, *axes, series, facts, panel=title_of(name)))
    return result


# Matrices
# --------------------------------------------------------------------------------------------------

WITH_WITHOUT = ("with", "without")
MOST_TEXTS, WITH_SHARE = 15, 12  # classes whose cells have texts, and the share, too
OF_SHARES = {
    "true": "share of the actual class", "pred": "share of the predicted class", "all": "share of all cases",
    None: "share of the largest number",
}  # fmt: skip


@kind(
    "Confusion matrix", "binary", "multiclass", way="apart", needs="two classes or several", intervals=False
)
def confusion(e: Any, *, normalize: Normalize | None = "true") -> Figure:
    """Rows are actual classes, the positive one first, columns predicted ones; colours are shares of rows."""
    if e.task == "multiclass":
        labels, weights = e.matrix.answers, np.asarray(e.matrix.weights, float)
    else:
        labels, weights = e.labels[::-1], _positive_first(e.counts)
    limit = threshold_text(e) if e.task == "binary" else ""
    names = tuple(text.labels(map(str, labels), SHORTER).values())
    return _matrix(weights, names, f"predicted ({limit})" if limit else "predicted", normalize)


def _matrix(weights: np.ndarray, labels: tuple[str, ...], predicted: str, normalize: Any) -> Figure:
    if normalize not in (*OF_SHARES,):
        problem = f"{shown(normalize)} is not a share"
        raise InputError("invalid-value", "normalize", problem, "true, pred, all or None", value=normalize)
    axis = {"true": 1, "pred": 0}.get(normalize)
    sums = weights.sum(axis=axis, keepdims=True) if normalize else np.full((1, 1), weights.max(initial=0))
    shares = np.divide(weights, sums, out=np.full_like(weights, np.nan), where=sums > 0)
    percent = normalize is not None and len(labels) <= WITH_SHARE
    cells = Cells(shares, weights, labels, labels, OF_SHARES[normalize], percent)
    return _heat_map("confusion", "Confusion matrix", cells, predicted, "actual")


def _heat_map(name: str, title: str, cells: Cells, across: str, down: str, **facts: Any) -> Figure:
    high, wide = (len(names) - 0.5 for names in (cells.rows, cells.columns))
    return Figure(
        name, title, Axis(-0.5, wide, title=across), Axis(high, -0.5, title=down), cells=cells, **facts
    )


def _positive_first(c: Counts) -> np.ndarray:
    return np.array([[c.tp, c.fn], [c.fp, c.tn]], float)


@kind("Confusion matrix of each label", "multilabel", way="whole", needs="several labels", name="confusion")
def _of_labels(e: Any, *, classes: Any = None, normalize: Normalize | None = "true") -> list[Figure]:
    """A matrix for each label: whether a case has it, and whether it was predicted."""
    counts, chosen = e.class_counts, _chosen(list(e.class_counts), classes, "label")
    _check_number(chosen, MOST, "labels")
    names, facts = text.labels(chosen, SHORTER), (sizes(e),)
    title = f"Confusion matrix of {names[chosen[0]] if len(chosen) == 1 else 'each label'}"
    return [
        replace(
            _matrix(_positive_first(counts[label]), WITH_WITHOUT, "predicted", normalize),
            title=title, panel=names[label], facts=facts,
        )
        for label in chosen
    ]  # fmt: skip


PAIRS, OF_PAIRS = "Pairs of positives and negatives", "two classes with scores"


@kind(PAIRS, "binary", way="apart", needs=OF_PAIRS, intervals=False)
def pairs(e: Any) -> Figure:
    """Rows are positives, the highest score first, columns negatives, the lowest first."""
    return _of_pairs(e.pairs_matrix)


@kind(PAIRS, "pairs_matrix", way="whole", needs=OF_PAIRS, name="pairs")
def _of_pairs(found: Any) -> Figure:
    """The same of pairs that are known."""
    rows, columns = (
        tuple(f"{score:.4g}" for score in one.tolist()) for one in (found.positives, found.negatives)
    )
    cells = Cells(found.cells, None, rows, columns, "1: right order, 0.5: tied, 0: wrong")
    facts = (f"{found.cells.mean():.3f} in the right order",)
    return _heat_map("pairs", PAIRS, cells, "scores of negatives", "scores of positives", facts=facts)


# Forests
# --------------------------------------------------------------------------------------------------

OF_CLASSES = ("sensitivity", "precision", "f1")
OF_FOLDS = ("mean", "pooled")
MOST_ROWS, MOST_PANELS = 40, 3
LOWEST, HIGHEST = 20, 10  # rows of more than these
FOREST = "Measures with their intervals"


@kind(
    "Models",
    "evaluations",
    "groups",
    "folds",
    "group_tables",
    "comparison",
    way="whole",
    needs="several models",
    name="forest",
)
def _of_models(result: Any, *, measures: str | Sequence[str] | None = None) -> list[Figure]:
    """A figure for each measure, a row for each model, group or fold; of folds also the mean, and pooled."""
    every = evaluations(result)
    names = _listed(measures) or _in_all(list(every.values()))[:MOST_PANELS]
    facts = source_of(result, tuple(TASKS)).facts
    if len(every) > MOST_ROWS:
        places = np.argsort([one[names[0]].value for one in every.values()], kind="stable")
        order = [list(every)[i] for i in places]
        every = {one: every[one] for one in (*order[:LOWEST], *order[-HIGHEST:])}
        facts = *facts, f"the {LOWEST} lowest and the {HIGHEST} highest of {len(order):,}"
    rows = {label: every[one] for one, label in text.labels(every, LONGEST).items()}
    if answer(result) == "folds":
        rows |= dict(zip(OF_FOLDS, (result.means, result.pooled), strict=True))
    return _forests(names, rows, facts, result.whole if answer(result) == "groups" else None)


@kind("Models on folds", "fold_tables", way="whole", needs="several models", name="forest")
def _of_fold_tables(result: Any, *, measures: str | Sequence[str] | None = None) -> list[Figure]:
    """A figure for each measure, two rows for each model: the mean over the folds, and pooled."""
    models, whole = text.labels(list(result)[: MOST_ROWS // 2], LONGEST), result.first.whole
    rows = {
        f"{label}: {name}": part
        for one, label in models.items()
        for name, part in zip(OF_FOLDS, (result[one].means, result[one].pooled), strict=True)
    }
    cases = f"{len(result)} models, {len(result.first)} folds of {sizes(whole)}"
    names = _listed(measures) or list(result.measures)[:MOST_PANELS]
    return _forests(names, rows, (cases, _level(whole.settings.level)))


@kind("Classes", "multiclass", "multilabel", way="whole", needs="any measures", name="forest")
def _of_classes(e: Any, *, measures: str | Sequence[str] | None = None, classes: Any = None) -> list[Figure]:
    """A figure for each measure, a row for each class; of many classes those with the lowest values."""
    names, labels = _listed(measures) or list(OF_CLASSES), list(e.table_of_classes.labels)
    found = {name: e.many.each(name) for name in names}
    places = [labels.index(one) for one in _chosen(labels, classes, "class")]
    facts = Source(e, evaluations(e)).facts
    if classes is None:
        places = np.argsort([one.value for one in found[names[0]]], kind="stable")[:MOST_ROWS].tolist()
    if len(places) < len(labels) and classes is None:
        facts = *facts, f"the {MOST_ROWS} lowest of {len(labels):,} classes"
    n, short = e.many.counts.positives, text.labels(labels, 20)
    rows = {
        f"{short[labels[i]]} (n = {text.count(n[i])})": {name: found[name][i] for name in names}
        for i in places
    }
    return _forests(names, rows, facts)


@kind("Measures", "evaluation", way="whole", needs="any measures", name="forest")
def _of_measures(e: Any, *, measures: str | Sequence[str] | None = None) -> Figure:
    """A row for each measure, by default those of the first screen on the scale of -1 to 1."""
    there = [name for name in headed(e) if name in e.estimates and not e[name].undefined]
    usual = [name for name in there if _are_shares([e[name]])]
    found = {name: e[name] for name in _listed(measures) or usual}
    forest = _forest("", tuple(map(title_of, found)), [*found.values()], Source(e, evaluations(e)).facts)
    return replace(forest, beside=tuple(map(document.estimate, found.values())))


def _listed(measures: str | Sequence[str] | None) -> list[str]:
    return [measures] if isinstance(measures, str) else list(measures or ())


def _in_all(every: Sequence[Any]) -> list[str]:
    """The measures of the first screen that all evaluations have."""
    result = [name for name in headed(every[0]) if all(name in one.estimates for one in every)]
    if not result:
        raise InputError("needed", "measures", "the evaluations have no usual measure in common", "name some")
    return result


def _are_shares(found: Iterable[Any]) -> bool:
    """Whether the values and their intervals are on the scale of -1 to 1."""
    ends = [getattr(one, end, one.value) for one in found for end in ("centre", "low", "high")]
    return all(-1 <= end <= 1 for end in ends if end == end)


def _forests(
    names: Iterable[str], rows: Mapping[str, Any], facts: tuple[str, ...], whole: Any = None
) -> list[Figure]:
    """A figure for each measure. rows: estimates by measure; whole: those of all cases."""
    return [
        _forest(
            title_of(name), tuple(rows), [one[name] for one in rows.values()], facts,
            () if whole is None else (Series("upright", whole[name].value, value="all cases"),),
        )
        for name in names
    ]  # fmt: skip


def _forest(
    title: str,
    rows: tuple[str, ...],
    found: Sequence[Any],
    facts: tuple[str, ...],
    rules: Sequence[Series] = (),
) -> Figure:
    """Estimates, or differences, in rows. rules: upright lines; of values below 0 there is one at 0."""
    value, low, high = (
        np.array([getattr(one, end, one.value) for one in found], float) for end in ("centre", "low", "high")
    )
    if not any(rule.x == 0 for rule in rules) and np.nanmin([*value, *low, 0.0]) < 0:
        rules = (Series("upright", 0.0), *rules)
    points = Series("points", value, np.arange(len(found), dtype=float), low, high, look=0, across=True)
    across = axis_of("", [value, low, high, np.array([rule.x for rule in rules])], title, ROOM)
    up = Axis(len(rows) - 0.5, -0.5)
    return Figure("forest", FOREST, across, up, (*rules, points), facts, panel=title, rows=rows)


# Comparisons
# --------------------------------------------------------------------------------------------------

OF_MODELS = "a comparison of models"


@kind("Differences", "comparison", way="whole", needs=OF_MODELS)
def differences(c: Any, *, measures: str | Sequence[str] | None = None) -> list[Figure]:
    """A row for each difference, with its interval, p-value and margin; a figure for each scale."""
    found, several = _differences(c, measures), len(c.pairs) > 1
    scales = [found]
    if several or c.of_amounts or not _are_shares(found):
        scales = [
            [one for one in found if one.measure == name] for name in dict.fromkeys(x.measure for x in found)
        ]
    title = "Differences" if several else f"Differences: {_pair(c.pairs[0])}"
    return [_of_differences(some, several, title, _facts(c)) for some in scales]


def _of_differences(found: Sequence[Any], several: bool, title: str, facts: tuple[str, ...]) -> Figure:
    rows = tuple(_pair((one.model, one.reference)) if several else title_of(one.measure) for one in found)
    name = title_of(found[0].measure) if several or len(found) == 1 else "measures"
    margins = dict.fromkeys(one.decision.margin for one in found if one.decision)
    rules = [
        Series("upright", end, value=label, look=1)
        for margin in margins
        for end, label in ((-margin, f"margin {margin:.4g}"), (margin, ""))
    ]
    scale = found[0].scale or "difference"
    rules += [Series("upright", found[0].null)]
    forest = _forest(f"{scale} of {name}", rows, found, facts, rules)
    written = (document.p_value(one.p_value) for one in found)
    p = tuple(f"p {one}" if one.startswith("<") else f"p = {one}" for one in written)
    return replace(forest, name="differences", title=title, beside=p)


@kind("Confidence curve", "comparison", way="whole", needs=OF_MODELS)
def confidence(c: Any, *, measures: str | Sequence[str] | None = None) -> Figure:
    """The p-value of every possible difference of one measure; the curves of all pairs of models."""
    found, several = _differences(c, measures if measures is not None else c.measures[0]), len(c.pairs) > 1
    if len({one.measure for one in found}) > 1:
        raise InputError(
            "needed", "measures", "a confidence curve is of one measure", f"as measures={c.measures[0]!r}"
        )
    labels = [_pair((one.model, one.reference)) if several else "" for one in found]
    drawn = _overlaid([one.curve for one in found], labels)
    lines = [
        replace(line, name=label, value=document.estimate(one.estimate))
        for line, label, one in zip(drawn.series, labels, found, strict=True)
    ]
    level = Series("level", y=1 - c.level, name=f"ends of the {100 * c.level:.4g}% interval", dash=1)
    name = title_of(found[0].measure)
    which = name if several else f"{name}, {_pair(c.pairs[0])}"
    scale = found[0].scale or "difference"
    axes = replace(drawn.x, title=f"{scale} of {which}"), replace(drawn.y, title="p-value")
    series = (Series("upright", found[0].null, name="no difference"), *lines, level)
    return Figure("confidence", "Confidence curve", *axes, series, _facts(c))


@kind("Difference of net benefit", "comparison", way="whole", needs=OF_MODELS)
def decision_difference(c: Any, *, band: PlotBand | None = AUTO, level: float | None = None) -> Figure:
    """The net benefit of the first model minus that of the reference, with its band."""
    if band == "kolmogorov-smirnov":
        raise InputError(
            "unsupported", "band", "net benefit has none of this kind", "pointwise, simultaneous"
        )
    found = c.curve("decision", *c.pairs[0], band="pointwise" if band == AUTO else band, level=level)
    drawn = _overlaid([found], [_pair(c.pairs[0])])
    axes = replace(drawn.x, title="threshold"), replace(drawn.y, title="difference of net benefit")
    series = (Series("level", y=0.0, name="no difference"), *drawn.series)
    title = "Difference of net benefit"
    return Figure("decision_difference", title, *axes, series, _facts(c), band=drawn.band)


def _differences(c: Any, measures: str | Sequence[str] | None) -> list[Any]:
    """The differences of these measures, by any of their names, or all. Raises InputError."""
    result: list[Any] = [] if measures is not None else list(c.differences)
    for name in _listed(measures):
        known = {form.name for form in registry.forms(name)}
        of_name = [one for one in c.differences if one.measure in known]
        if not of_name:
            compared = ", ".join(c.measures)
            raise InputError(
                "unknown-name", "measures", f"{name!r} is not compared here", f"compared are {compared}"
            )
        result += of_name
    return result


def _pair(names: tuple[str, str]) -> str:
    return " - ".join(text.label(name, SHORTER) for name in names)


def _facts(c: Any) -> tuple[str, ...]:
    d = c.data
    cases = f"{text.count(d.rows)} cases" + (f": {text.count(d.positives)} positive" if d.positives else "")
    return cases, f"{'paired' if c.paired else 'different cases'}; {_level(c.level)}"


# Amounts, and classifiers in ROC space
# --------------------------------------------------------------------------------------------------

ROOM = 0.03  # of the span of an axis, next to the outermost points
MOST_POINTS, TILES = 2_000, 40  # amounts that are points, of more their numbers on a grid of so many places


@kind("Actual against predicted amounts", "regression", way="apart", needs="amounts")
def predicted(e: Any) -> Figure:
    """Each pair as a point, of many their number on a grid, with the line of equality."""
    actual, errors = _amounts(e.residuals)
    both = axis_of("", [actual, actual + errors], "amount", ROOM)
    ends = np.array([both.low, both.high])
    fit = [f"{title_of(one)} {document.estimate(e[one])}" for one in ("r2", "root_mean_squared_error")]
    short = f"R2 {_brief(e['r2'].centre)}"
    points = _cloud(actual + errors, actual, e.residuals.weight, (both, both), "\n".join(fit), short)
    axes = replace(both, title="predicted"), replace(both, title="actual")
    return Figure("predicted", "", *axes, (Series("line", ends, ends, name="equal"), points), square=True)


@kind("Residuals against predicted", "regression", way="apart", needs="amounts")
def residuals(e: Any) -> Figure:
    """Predicted minus actual amounts against predicted ones, with the mean and 95 % of them."""
    (actual, errors), known = _amounts(e.residuals), e.residuals
    reached = np.cumsum(known.weight) / known.total
    ends = np.minimum(np.searchsorted(reached, [0.025, 0.975]), len(known) - 1)
    (low, high), mean = known.error[ends].tolist(), e["mean_error"]
    across = axis_of("", [actual + errors], "predicted", ROOM)
    axes = across, axis_of("", [errors], "predicted - actual", ROOM)
    series = (
        _cloud(actual + errors, errors, known.weight, axes),
        Series("level", y=0.0),
        Series("level", y=mean.value, value=f"{title_of('mean_error')} {document.estimate(mean)}", look=1),
        Series("level", y=low, value=f"95% of the errors: {low:.4g} to {high:.4g}", look=2, dash=1),
        Series("level", y=high, look=2, dash=1),
    )
    return Figure("residuals", "", *axes, series)


def _cloud(
    x: np.ndarray, y: np.ndarray, weight: np.ndarray, axes: tuple[Axis, Axis], name: str = "", short: str = ""
) -> Series:
    """Points, or of many their number on a grid."""
    if len(x) <= MOST_POINTS:
        return Series("cloud", x, y, value=name, short=short, look=0)
    limits_of = [(one.low, one.high) for one in axes]
    number, across, up = np.histogram2d(x, y, TILES, limits_of, weights=np.asarray(weight, float))
    return Series("grid", across, up, number, value=name, short=short, look=0)


def _amounts(known: Any) -> tuple[np.ndarray, np.ndarray]:
    """Actual amounts and errors."""
    error = known.error  # of sums alone this is refused
    if known.truth is None:
        raise InputError(
            "unsupported", "kind", "it needs the actual amounts, and these residuals hold errors only",
            "make them with Residuals.from_arrays, or evaluate the cases",
        )  # fmt: skip
    return known.truth, error


@kind("Classifiers in ROC space", "roc_points", way="whole", needs="classifiers in ROC space")
def roc_points(found: Any) -> Figure:
    """A point for each classifier, with intervals of both rates, and the hull of all."""
    hull = {one.place for one in found.values() if one.slopes is not None}
    across, up = np.transpose(sorted({(0.0, 0.0), (1.0, 1.0), *hull}))
    series = [
        Series("line", ENDS, ENDS, name="guessing"),
        Series("line", across, up, name="convex hull", dash=1),
    ]
    names = text.labels(found, LONGEST)
    for look, (name, one) in enumerate(found.items()):
        x, y = (np.array([rate]) for rate in one.place)
        over = f", dominated by {len(one.dominated_by)}" if one.dominated_by else ""
        wide, high = (
            [np.array([rate.low]), np.array([rate.high])] if rate.has_interval else [None, None]
            for rate in (one.false_positive_rate, one.sensitivity)
        )
        series.append(Series("points", x, y, wide[0], wide[1], look=look, across=True))
        series.append(Series("points", x, y, high[0], high[1], name=f"{names[name]}{over}", look=look))
    axes = replace(SHARES, title="false positive rate"), replace(SHARES, title="true positive rate")
    title, facts = "Classifiers in ROC space", (_level(found.level),)
    return Figure("roc_points", title, *axes, tuple(series), facts, square=True)
