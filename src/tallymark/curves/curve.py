"""A curve: points with their thresholds, and its band."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple

import numpy as np

from .. import kernels
from ..input.arguments import Legend
from ..input.calls import public
from ..input.messages import Noted, Notes
from ..input.names import listed
from ..input.results import InColumns, Result, Writers, as_svg
from ..input.sample import conditions

if TYPE_CHECKING:
    from ..report.plots import Display


Ties = Literal["together", "optimistic", "pessimistic"]
BandKind = Literal["pointwise", "simultaneous", "kolmogorov-smirnov"]
Step = Literal["", "pre", "post"]
POINTWISE: Final = "pointwise"
SIMULTANEOUS: Final = "simultaneous"
CONSISTENCY = "consistency, simulated"  # around the curve expected under calibration
NARROW = 1 / 2000  # a gap between thresholds whose lower end is not to be told from it in a figure
GRID = 200  # thresholds of a decision curve in wide gaps between scores
ROUNDING = 8 * np.finfo(float).eps  # of a product of two differences


@dataclass(frozen=True, slots=True, repr=False)
class Band(Noted, Result):
    """The kind of a band, its level, how it was made, and notes on it.

    Attributes
    ----------
    kind : {"pointwise", "simultaneous"}
        "pointwise" covers the true height at each x separately, "simultaneous" the whole true curve.
    level : float
        The probability of coverage.
    method : str or None
        How it was made; None where there is no band.
    notes : tuple of Note
        Why there is none, or what is approximate.
    design : {"cohort", "case-control"}
        Whether the class mix varies between samples, or the class sizes are fixed.
    weight_kind : {"count", "importance"} or None
        The kind of the weights; None without weights.
    """

    kind: str
    level: float
    method: str | None
    notes: Notes = ()
    design: str = "cohort"
    weight_kind: str | None = None

    def __str__(self) -> str:
        return f"{100 * self.level:.6g}% {self.kind} {'consistency ' * (self.method == CONSISTENCY)}band"


@dataclass(frozen=True, slots=True, eq=False)
class Curve(InColumns):
    """A curve: points in the order of descending thresholds, of reliability curves of ascending ones.

    Attributes
    ----------
    name : str
        The name of the curve, such as "roc".
    x, y, threshold : array of float, shape (n,)
        The points. A case is predicted positive if score >= threshold.
    x_name, y_name : str
        The labels of the axes.
    baseline : pair of float, or None
        The y of an uninformative classifier at both ends of x; None where that is not a straight line.
    step : {"", "pre", "post"}
        "pre": y is constant from a point back to the one before, as precision; "post": from a point to the
        next one, as measures against the threshold. "": points are joined by straight lines.
    others : mapping of str to array
        Further lines over the same x, by name.
    band : pair of array, or None
        The lower and upper bound of y at each x.
    dots : bool
        Whether the points are marked.
    about : Band or None
        The facts of the band, or why there is none; None if no band was requested.
    bands : mapping of str to pair of array
        The bounds of other lines by name, of the same kind and level.
    falls : array or None
        Of the decision curve: between a point and the next threshold y falls by this share of false positives
        times the odds of the threshold, and jumps at the next threshold. None for other curves.
    between : Curve or None
        The same at every threshold, where these are some: `joined` has its shape. None for other curves.
    origin : BinaryEvaluation or None
        The evaluation that it is a curve of; None for a curve of a table.
    """

    ANSWER = "curve"
    FORM = "common.curve"

    name: str
    x: np.ndarray
    y: np.ndarray
    threshold: np.ndarray
    x_name: str
    y_name: str
    baseline: tuple[float, float] | None = None
    step: Step = ""
    others: Mapping[str, np.ndarray] = field(default_factory=dict)
    band: tuple[np.ndarray, np.ndarray] | None = None
    dots: bool = False
    about: Band | None = None
    bands: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    falls: np.ndarray | None = field(default=None, repr=False)
    between: Curve | None = field(default=None, repr=False)
    origin: Any = field(default=None, repr=False)

    WRITERS: ClassVar[Writers] = {**InColumns.WRITERS, ".svg": "svg"}

    def __len__(self) -> int:
        return len(self.x)

    def __iter__(self) -> Iterator[np.ndarray]:
        """x, y and threshold, so that a curve can be unpacked."""
        return iter((self.x, self.y, self.threshold))

    def __repr__(self) -> str:
        band = f", {self.about}" if self.about and self.band else ""
        return f"Curve({self.name}: {self.y_name} against {self.x_name}, {len(self)} points{band})"

    @property
    def notices(self) -> tuple[Any, ...]:
        """On the data of the evaluation that it is a curve of."""
        return () if self.origin is None else self.origin.notices_of_data

    @property
    def conditions(self) -> str:
        """The design of the band and the kind of the weights, as a line of text; empty without a band."""
        return "" if self.about is None else conditions(self.about.design, self.about.weight_kind)

    @property
    def lines(self) -> dict[str, np.ndarray]:
        """Every line over x, by name, the first being y."""
        return {self.y_name: self.y, **self.others}

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """threshold, x, every line and the band by name, from which any library makes a data frame."""
        return {"threshold": self.threshold, self.x_name: self.x, **self._heights}

    @property
    def _heights(self) -> dict[str, np.ndarray]:
        own = {} if self.band is None else {"low": self.band[0], "high": self.band[1]}
        ends = ("low", "high")
        of_others = {
            f"{name} {end}": one
            for name, both in self.bands.items()
            for end, one in zip(ends, both, strict=True)
        }
        return {**self.lines, **own, **of_others}

    @property
    def area(self) -> float:
        """The area under y, as steps or with straight lines; NaN where a point is infinite."""
        if not (np.isfinite(self.x).all() and np.isfinite(self.y).all()):
            return float("nan")
        with np.errstate(over="ignore", invalid="ignore"):
            before, after = self.y[:-1], self.y[1:]
            height = {"": (after + before) / 2, "pre": after, "post": before}[self.step]
            return float(abs(kernels.dot(np.diff(self.x), height)))

    @public()
    def simplify(self) -> Curve:
        """The curve without points on a straight line between their neighbours: same shape, same area.

        Points are kept where rounding might matter. The thresholds of the points removed are lost.
        """
        if not len(self):
            return self
        columns = [self.x, *self._heights.values()]
        new = kernels.changes(*columns)
        new[-1] = True
        once = self._where(new)
        keep = np.ones(len(once), bool)
        if len(once) > 2:
            keep[1:-1] = ~np.all(
                [_between(once.x, line, self.step) for line in once._heights.values()], axis=0
            )
        return once._where(keep)

    @public()
    def joined(self) -> Curve:
        """The curve with the points that straight lines between its points need to have its shape.

        A decision curve, or a difference of two, has both ends of each jump after a gap wider than 1/2000,
        and points in wide gaps; other curves are unchanged.
        """
        if self.between is not None:
            return self._on(self.between.joined())
        if self.falls is None or len(self) < 2:
            return self
        x, place = _with_ends_and_grid(self.x)
        odds, at = self.x / (1 - self.x), x / (1 - x)

        def along(line: np.ndarray) -> np.ndarray:
            return np.interp(at, odds[::-1], line[::-1])  # exact for what is linear in the odds

        y = self.y[place] - self.falls[place] * (at - odds[place])
        low, high = self.band or (self.y, self.y)
        band = None if self.band is None else (y + along(low - self.y), y + along(high - self.y))
        return replace(
            self,
            x=x,
            y=y,
            threshold=np.where(_is_end(self.x, x, place), np.nextafter(x, 1), x),
            others={name: along(line) for name, line in self.others.items()},
            band=band,
            bands={name: (along(low), along(high)) for name, (low, high) in self.bands.items()},
            falls=None,
        )

    @public()
    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        title: str | None = None,
        legend: Legend | bool | None = None,
        color: Any = None,
    ) -> Display:
        """Draw the curve with matplotlib, and of an evaluation its cases, threshold and area.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where it is drawn; by default on a figure of its own.
        name : str, optional
            In the legend.
        title : str, optional
            Above the axes; by default one line, or none on axes that are given.
        legend : {"short", "full"} or bool, optional
            What the legend says; False: there is none.
        color : colour of matplotlib, optional
            By default the next one of the axes.

        Returns
        -------
        Display
            With `ax_`, `figure_` and `save(path)`.

        Raises
        ------
        InputError
            Without matplotlib.
        """
        figures, plots = (import_module(f"..report.{one}", __package__) for one in ("figures", "plots"))
        return plots.drawn(figures.figures(self, None, name), ax, title, legend=legend, color=color)

    def _on(self, fine: Curve) -> Curve:
        """The finer curve, with this band at its distances between the thresholds."""
        if self.band is None:
            return replace(fine, about=self.about)
        ends = ((bound - self.y)[::-1] for bound in self.band)
        low, high = (fine.y + np.interp(fine.x, self.x[::-1], one) for one in ends)
        return replace(fine, band=(low, high), about=self.about)

    def turned(self) -> Curve:
        """The curve with the signs of thresholds reversed, for a table that holds scores negated."""
        x = (
            0.0 - self.x if self.x_name in ("threshold", "score") else self.x
        )  # 0.0 - x, so that 0 does not become -0
        return replace(self, x=x, threshold=0.0 - self.threshold)

    @property
    def _facts(self) -> dict[str, Any]:
        facts = {
            "curve": self.name,
            "step": self.step or None,
            "baseline": list(self.baseline) if self.baseline else None,
        }
        return facts if self.about is None else {**facts, "band": self.about.to_dict()}

    def _repr_svg_(self) -> str:
        return as_svg(self)

    def _where(self, keep: Any) -> Curve:
        others = {name: line[keep] for name, line in self.others.items()}
        band = None if self.band is None else (self.band[0][keep], self.band[1][keep])
        bands = {name: (low[keep], high[keep]) for name, (low, high) in self.bands.items()}
        return replace(
            self,
            x=self.x[keep],
            y=self.y[keep],
            threshold=self.threshold[keep],
            others=others,
            band=band,
            bands=bands,
            falls=None,
            between=None,
        )


def _with_ends_and_grid(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Descending thresholds with the lower end of each gap, and a grid; and the gap of each, by its index.

    The lower end of a gap is the next threshold, once more before it; narrow gaps have none.
    """
    wide = np.flatnonzero(x[:-1] - x[1:] > NARROW)
    grid = np.arange(GRID - 1, 0, -1) / GRID
    grid = grid[(grid < x[0]) & (grid > x[-1]) & ~np.isin(grid, x)]
    places = np.arange(len(x)), wide, np.searchsorted(-x, -grid, side="right") - 1
    every, place = np.concatenate([x, x[wide + 1], grid]), np.concatenate(places)
    order = np.lexsort((place, -every))
    return every[order], place[order]


def _is_end(x: np.ndarray, every: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Whether these are lower ends of their gaps, which have the counts of a threshold just above."""
    following = np.minimum(place + 1, len(x) - 1)
    return (every == x[following]) & (every != x[place])


def _between(x: np.ndarray, y: np.ndarray, step: Step) -> np.ndarray:
    """Whether each inner point lies on the line between its neighbours, but for rounding."""
    with np.errstate(invalid="ignore", over="ignore"):
        dx, dy = np.diff(x), np.diff(y)
        one, other = dx[:-1] * dy[1:], dx[1:] * dy[:-1]
        straight = np.abs(one - other) <= ROUNDING * (np.abs(one) + np.abs(other))
        onward = (dx[:-1] * dx[1:] >= 0) & (dy[:-1] * dy[1:] >= 0)
        if step:  # a horizontal tread, or a riser; not a slope
            tread = dy[1:] if step == "pre" else dy[:-1]
            straight = (tread == 0) | ((dx[:-1] == 0) & (dx[1:] == 0))
    finite = np.isfinite(x) & np.isfinite(y)
    return straight & onward & finite[:-2] & finite[1:-1] & finite[2:]


# The curves by name, entered where they are defined
# --------------------------------------------------------------------------------------------------

Shows = Literal["", "distance", "crossing"]
CURVES: dict[str, Callable[..., Curve]] = {}
OF_PROBABILITIES: list[str] = []


@dataclass(frozen=True, slots=True)
class Caption:
    """What a picture of a curve says of it.

    title: its usual name; measure: the name of the measure that summarises it, None where there is none;
    label: the name of that measure there; baseline: what the `baseline` of the curve is; references: the
    names of those of its `others` that are classifiers which ignore the scores; marked: whether a threshold
    is one of its points; shows: what the measure is on two lines, their largest "distance" or their
    "crossing".
    """

    title: str
    measure: str | None = None
    label: str = ""
    baseline: str = ""
    references: tuple[str, ...] = ()
    marked: bool = True
    shows: Shows = ""


CAPTIONS: dict[str, Caption] = {}


def entered(function: Callable[..., Curve]) -> Callable[..., Curve]:
    """Enters a function of a RankingTable under its own name."""
    CURVES[function.__name__] = function
    return function


def of_probabilities(function: Callable[..., Curve]) -> Callable[..., Curve]:
    """Enters a function for scores that are probabilities."""
    OF_PROBABILITIES.append(function.__name__)
    return entered(function)


def has_own_band(name: str) -> bool:
    """Whether the function of that curve makes its band itself, with `level=` and `band=`."""
    return name in CURVES and "band" in inspect.signature(CURVES[name]).parameters


def caption(
    title: str,
    measure: str | None = None,
    *,
    label: str = "",
    baseline: str = "",
    references: tuple[str, ...] = (),
    marked: bool = True,
    shows: Shows = "",
    aka: tuple[str, ...] = (),
) -> Callable[[Callable[..., Curve]], Callable[..., Curve]]:
    """Gives a curve its caption; the arguments are those of `Caption`, and `aka` its other names."""

    def give(function: Callable[..., Curve]) -> Callable[..., Curve]:
        name = function.__name__
        CAPTIONS[name] = Caption(title, measure, label, baseline, references, marked, shows)
        entered = listed("curve", f'ev.curve("{name}")', aka=aka, command=f"tallymark curve {name}")
        return entered(function)

    return give


# Where a curve of two lines shows its measure: at their largest distance, or at their crossing
# --------------------------------------------------------------------------------------------------


class Mark(NamedTuple):
    """A threshold, and the heights between which the measure is; of a crossing both are its height."""

    x: float
    low: float
    high: float


def mark_of(curve: Curve) -> Mark | None:
    """The mark of a curve that has one, also of a simplified one; None where a rate is undefined."""
    about = CAPTIONS.get(curve.name)
    if about is None or not about.shows or not len(curve):
        return None
    other = next(iter(curve.others.values()))
    found = _distance(curve, other) if about.shows == "distance" else _crossing(curve, other)
    return found if np.isfinite(found).all() else None


def _distance(curve: Curve, other: np.ndarray) -> Mark:
    """At the highest threshold where the two lines are farthest apart."""
    at = int(np.argmax(np.abs(curve.y - other)))
    low, high = sorted((float(curve.y[at]), float(other[at])))
    return Mark(float(curve.x[at]), low, high)


def _crossing(curve: Curve, other: np.ndarray) -> Mark:
    """At the threshold at which the first line reaches the second, at the height of the interpolated EER."""
    ahead = curve.y - other
    after = max(int(np.argmax(ahead >= 0)), 1)
    before = after - 1
    rise = ahead[after] - ahead[before]
    share = -ahead[before] / rise if rise else 0.0
    height = float(curve.y[before] + share * (curve.y[after] - curve.y[before]))
    return Mark(float(curve.x[after]), height, height)


# Where two ROC curves cross, and where each is higher
# --------------------------------------------------------------------------------------------------


class Region(NamedTuple):
    """A range of false positive rates in which one of two curves is higher, perhaps equal at places."""

    low: float
    high: float
    better: str


class Crossings(NamedTuple):
    """Where two ROC curves cross: false positive rates and sensitivities, and the regions between these."""

    x: np.ndarray
    y: np.ndarray
    regions: tuple[Region, ...]


@listed(
    "function",
    'tm.evaluate(..., score={"a": p, "b": q}).crossings()',
    aka=("crossing_curves", "crossing_roc_curves", "roc_crossings", "crossings_of_curves"),
    command="tallymark plot roc",
)
def crossings(first: Curve, second: Curve, names: tuple[str, str] = ("first", "second")) -> Crossings:
    """The points, x and y, at which the higher of two ROC curves becomes the lower one, and which is higher.

    Where the curves are one line between two such parts, the middle of that line. Along the falling diagonals
    x + y = constant each curve has one point, so that curves with upright parts are functions, too. Source:
    Tharwat, Figure 9.
    """
    along = np.unique(np.concatenate([first.x + first.y, second.x + second.y]))
    gap = _height(first, along) - _height(second, along)
    gap[np.abs(gap) < 1e-12] = 0.0
    known = np.flatnonzero(gap)
    before, after = known[:-1], known[1:]
    turns = gap[before] * gap[after] < 0
    before, after = before[turns], after[turns]
    # next to each other the difference is a straight line between them; else the curves are one from the
    # place after the first to the place before the second
    share = gap[before] / np.where(after == before + 1, gap[before] - gap[after], 1.0)
    straight = along[before] + share * (along[after] - along[before])
    shared = (along[np.minimum(before + 1, len(along) - 1)] + along[after - 1]) / 2
    at = np.where(after == before + 1, straight, shared)
    height = _height(first, at)
    x = (at - height) / 2
    ends = [0.0, *x.tolist(), 1.0] if len(known) else []
    signs = gap[[*before, known[-1]]] if len(known) else []
    regions = (
        Region(low, high, names[int(sign < 0)])
        for low, high, sign in zip(ends[:-1], ends[1:], signs, strict=True)
    )
    return Crossings(x, (at + height) / 2, tuple(regions))


def limits(curve: Curve, x: np.ndarray) -> np.ndarray:
    """The height of a curve just left and just right of each place, one after the other."""
    first, last = np.searchsorted(curve.x, x), np.searchsorted(curve.x, x, "right") - 1
    line, there = np.interp(x, curve.x, curve.y), last >= first
    left, right = (np.where(there, curve.y[np.clip(one, 0, len(curve) - 1)], line) for one in (first, last))
    return np.stack([left, right], axis=1).ravel()


def _height(curve: Curve, along: np.ndarray) -> np.ndarray:
    """y - x at these values of x + y."""
    return np.interp(along, curve.x + curve.y, curve.y - curve.x)
