"""Amounts in an engine: sums from which the measures that are moments follow, with their intervals.

Three queries of one row each: facts and means; sums about the means, of which the values are functions; and
powers of what each case adds to a value, of which the intervals are.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from operator import and_, or_
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ..input import Cases, validate
from ..input.columns import Column, NamedColumn
from ..input.errors import InputError
from ..input.sources.engines import nw
from ..input.spelling import option
from ..input.weighting import effective
from .engines import LARGEST_SQUARED, Engine, Traced, lacking, where_true, with_steps
from .power_sums import PowerSums
from .residuals import NAMES, TERMS, ULPS, Loss, Residuals, SumsWithoutEach, from_0_to_2, term

LEAST = 1 / LARGEST_SQUARED  # of a sum of squares that is divided by, or of which there is the logarithm
Steps = dict[str, tuple[int, Any]]
# by formula of `Sums`, the scale of its interval
Scales = Mapping[Callable[[Any], Any], Callable[[Any], Any]]


class EachNeeded(InputError, AttributeError):  # noqa: N818  # like InputError, it names what is wrong
    """A measure or a picture needs each amount, of which only sums are known."""


class ResidualMoments(Residuals):
    """Residuals of which only sums over the cases are known.

    losses: by the name and the parameters of a loss its sum; powers: by those of a loss or a formula the sums
    of powers of influence values on the measure.
    """

    ENTRIES = ("total", "effective_total", "ends", "rounded")

    losses: dict[Hashable, float]
    powers: dict[Hashable, PowerSums]

    def __init__(self, **known: Any):
        self.__dict__.update(known, squares=None, truth=None)

    def __getattr__(self, name: str) -> Any:
        raise _each_needed() if name in NAMES or hasattr(Residuals, name) else AttributeError(name)

    @property
    def rounded(self) -> list[str]:
        """The sums up to the order in which an engine adds."""
        return [f"{one:.9g}" for one in (*vars(self.sums).values(), *self.losses.values())]

    def sum_of(self, loss: Loss) -> float:
        """The weighted sum of a loss."""
        if named(loss) not in self.losses:
            raise _each_needed()
        return self.losses[named(loss)]

    def power_sums(self, function: Callable[..., Any], values: Any) -> PowerSums:
        """Those from the engine. Raises LookupError where they are not known."""
        return self.powers[named(function)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ResidualMoments) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"ResidualMoments({self.total:,.10g} cases)"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(ResidualMoments, **vars(self)), ()


def _each_needed() -> EachNeeded:
    problem = "only sums of these amounts came from their engine, and this needs each of them"
    way_out = f"pass {option('bins', None)} to evaluate, which reads every row"
    return EachNeeded("unsupported", "regression", problem, way_out)


def named(loss: Loss) -> Hashable:
    """The name of a loss and its parameters."""
    _, *parameters = inspect.signature(loss).parameters.values()
    return getattr(loss, "func", loss).__name__, *(one.default for one in parameters)


class _Range(NamedTuple):
    low: float
    high: float
    mean: float

    @property
    def spread(self) -> float:
        """Half of the range."""
        return self.high / 2 - self.low / 2

    def about_mean(self, values: Traced, unit: float) -> Traced:
        """Values less their mean, in a unit of half the range."""
        centre = from_0_to_2(self.mean, self.low, unit)
        off: Traced = from_0_to_2(values, self.low, unit) - centre
        return off.column()


class _Model:
    """A model of amounts: what is known of it after each query, and the columns of the next one."""

    def __init__(self, facts: Mapping[str, Any], place: int, cases: Cases, used: float):
        self.place, self.counts = place, cases.weights is None or cases.counts
        weighted = cases.weights is not None
        self.total = cases.weight if weighted else used
        self.squared = self.total if self.counts else cases.weight_squares
        self.size = self.total if self.counts else used
        self.truth, self.predicted, self.error = (
            _Range(
                float(facts[f"{name} min"][0]),
                float(facts[f"{name} max"][0]),
                float(facts[f"{'w' * weighted}{name} sum"][0]) / self.total,
            )
            for name in ("v0", f"v{place}", f"e{place}")
        )

    @property
    def spread_of_predicted(self) -> float:
        """Half the range of the predicted amounts, 0 up to rounding."""
        rounding = ULPS * max(map(abs, (*self.truth[:2], *self.error[:2])))
        return self.predicted.spread if self.predicted.spread > rounding else 0.0

    def _rows(self, steps: Steps) -> SimpleNamespace:
        """The values of each row, as `Sums` has them; those in a unit of 0 are left out."""
        t, p = (Traced(nw.col(name), steps) for name in ("v0", f"v{self.place}"))
        largest = max(map(abs, self.error[:2]))
        rows = SimpleNamespace(errors=(p - t).without_tiny(largest or 1.0))
        unit = self.truth.spread
        if unit:
            rows.error = (rows.errors / unit).column()
            rows.error_off = (rows.error - self.error.mean / unit).column()
            rows.truth_off = self.truth.about_mean(t, unit)
            if self.spread_of_predicted:
                rows.predicted_off = self.predicted.about_mean(p, self.spread_of_predicted)
        return rows

    def second(self, steps: Steps, losses: Sequence[Loss]) -> dict[str, Any]:
        """What is summed in the second query."""
        rows = self._rows(steps)
        terms = {f"loss {k}": loss(rows.errors) for k, loss in enumerate(losses)}
        for name in TERMS:
            with suppress(AttributeError):  # where a spread is 0
                terms[name] = term(rows, name)
        return terms

    def learn_second(self, sums: Mapping[str, float], losses: Sequence[Loss]) -> None:
        """Takes the sums of the second query."""
        self.losses = {named(loss): sums[f"loss {k}"] for k, loss in enumerate(losses)}
        self.sums = SimpleNamespace(
            total=self.total, **{name: one for name, one in sums.items() if " " not in name}
        )

    def influence(self, steps: Steps, losses: Sequence[Loss], scales: Scales, weight: Any) -> dict[Any, Any]:
        """The influence of each case on each mean and on each formula, on its scale, and the unit of it."""
        rows, values, ends = self._rows(steps), {}, np.array(self.error[:2])
        for loss in losses:
            mean = self.losses[named(loss)] / self.total
            unit = float(np.abs(loss(ends) - mean).max()) or 1.0
            values[named(loss)] = unit, ((loss(rows.errors) - mean) / unit).column()
        case = 1.0 if weight is None or self.counts else weight
        without = SumsWithoutEach(SimpleNamespace(**vars(self.sums), **vars(rows)), case, LEAST)
        for formula, scale in scales.items():
            try:
                value, changed = scale(formula(self.sums)), scale(formula(without))
            except AttributeError:  # it is no function of these sums, or a spread is 0
                continue
            if np.isfinite(value):
                values[named(formula)] = 1.0, ((value - changed) * without.total / case).column()
        return values

    def third(self, values: Mapping[Hashable, tuple[float, Any]], weight: Any) -> dict[str, Any]:
        """The powers of these values that are summed in the third query, as those of `PowerSums`."""
        weights = (
            [weight] if self.counts else [weight, weight * weight, weight * weight * weight * weight, None]
        )
        powers: dict[str, Any] = {}
        sizes = {} if self.counts else {"fourth": weights[2]}
        for k, (_, x) in enumerate(values.values()):
            square = x * x
            powers |= {f"{k} {i}": one for i, one in enumerate((x, square, square * x, square * square))}
        return sizes | {
            f"{name} {row}": _times(w, x) for name, x in powers.items() for row, w in enumerate(weights)
        }

    def moments(
        self, powers: Mapping[str, float], values: Mapping[Hashable, tuple[float, Any]]
    ) -> ResidualMoments:
        """The summary. powers: the sums of the third query."""
        sizes = [self.total] if self.counts else [self.total, self.squared, powers["fourth"], self.size]
        known = {}
        for k, (name, (unit, _)) in enumerate(values.items()):
            rows = [[size, *(powers[f"{k} {i} {row}"] for i in range(4))] for row, size in enumerate(sizes)]
            known[name] = PowerSums(np.zeros(1), np.broadcast_to(np.array(rows)[:, None], (4, 1, 5)), unit)
        total = int(self.total) if self.counts and self.total.is_integer() else self.total
        return ResidualMoments(
            total=total, effective_total=effective(self.total, self.squared), weighted=not self.counts,
            ends=tuple(self.error[:2]), spread_of_truth=self.truth.spread,
            spread_of_predicted=self.spread_of_predicted, sums=self.sums, losses=self.losses, powers=known,
        )  # fmt: skip


def amounts(
    engine: Engine, losses: Sequence[Loss], scales: Scales
) -> tuple[Cases, dict[str | None, ResidualMoments]]:
    """The facts about the cases, and of each model the sums for these losses and formulas.

    Raises InputError.
    """
    roles = ["truth", *(parts[0] for parts in engine.spec.models(arrays=False).values())]
    values = [engine.score(role) for role in roles]
    gaps, near = [lacking(one) for one in values], [one.abs() <= LARGEST_SQUARED for one in values]
    gap = reduce(or_, gaps)
    whole, (weights, numbers) = ~gap, engine.weights_of(gap)
    used = whole & reduce(and_, near)
    if weights:
        used = used & (engine.score("weight") > 0)
    columns = {"there": where_true(whole), "used": where_true(used)} | {
        f"{what}{i}": where_true(one)
        for i, (gap, close) in enumerate(zip(gaps, near, strict=True))
        for what, one in (("gap", gap), ("far", whole & ~close))
    }
    sums = {name: nw.col(name).count() for name in columns}
    for i, value in enumerate(values):
        columns |= {f"v{i}": nw.when(used).then(value), f"e{i}": nw.when(used).then(value - values[0])}
        for name in (f"v{i}", f"e{i}"):
            sums |= {f"{name} {end}": getattr(nw.col(name), end)() for end in ("min", "max", "sum")}
            if weights:
                sums[f"w{name} sum"] = (nw.col(name) * nw.col("w")).sum()
    facts = engine.collected(engine.frame.select(**columns, **weights).select(n=nw.len(), **sums, **numbers))
    cases = _cases(engine, facts, roles)
    frame = engine.frame.filter(used).select(
        **{f"v{i}": value for i, value in enumerate(values)},
        **({"w": engine.score("weight")} if weights else {}),
    )
    models = [_Model(facts, i, cases, float(facts["used"][0])) for i in range(1, len(roles))]
    steps: Steps = {}
    weight: Any = Traced(nw.col("w"), steps) if weights else None
    second = [model.second(steps, losses) for model in models]
    weighted = [{name: _times(weight, one) for name, one in terms.items()} for terms in second]
    for model, sums_of_model in zip(models, _sums(engine, frame, steps, weighted), strict=True):
        model.learn_second(sums_of_model, losses)
    steps.clear()
    values = [model.influence(steps, losses, scales, weight) for model in models]
    third = [model.third(one, weight) for model, one in zip(models, values, strict=True)]
    every = zip(cases.models, models, values, _sums(engine, frame, steps, third), strict=True)
    return cases, {name: model.moments(powers, one) for name, model, one, powers in every}


def _cases(engine: Engine, facts: dict[str, Any], roles: Sequence[str]) -> Cases:
    """The facts about the cases. Raises InputError for values that are missing, infinite or too large."""
    columns = [NamedColumn(role, engine.columns[role]) for role in roles]
    for i, (role, column) in enumerate(zip(roles, columns, strict=True)):
        if facts[f"gap{i}"][0] and engine.spec.missing == "reject":
            raise engine.missing(role, facts[f"gap{i}"][0])
        if facts[f"far{i}"][0]:
            raise InputError(
                "invalid-value",
                column,
                f"{int(facts[f'far{i}'][0])} values are infinite, or beyond {LARGEST_SQUARED:g}",
                "leave these cases out, or divide by a constant",
            )
        engine.check_whole(role, *(float(facts[f"v{i} {end}"][0]) for end in ("min", "max")))
        largest = max(abs(float(facts[f"e{i} {end}"][0])) for end in ("min", "max"))
        if largest > validate.LARGEST:
            raise InputError(
                "invalid-value",
                column,
                f"a value is {largest:g} off the actual one, more than {validate.LARGEST:g}",
                "divide both by a constant",
            )
    truth = Column("truth", np.zeros(0), name=engine.columns["truth"])
    there = facts["there"][0]
    dropped = facts["n"][0] - there
    return engine.cases_of(truth, there, dropped, dropped - facts["gap0"][0], facts)


def _times(weight: Any, value: Any) -> Any:
    return value if weight is None else weight * value


def _sums(
    engine: Engine, frame: Any, steps: Steps, terms: Sequence[Mapping[str, Any]]
) -> list[dict[str, float]]:
    """By model the sums of its terms over all rows, in one query."""
    columns = {
        f"{i} {name}": one.expression for i, of_model in enumerate(terms) for name, one in of_model.items()
    }
    rows = with_steps(frame, steps).select(**columns)
    totals = engine.collected(rows.select(*(nw.col(name).sum() for name in columns)))
    return [{name: float(totals[f"{i} {name}"][0]) for name in of_model} for i, of_model in enumerate(terms)]
