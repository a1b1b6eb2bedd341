"""Cases in an engine (DuckDB, polars, Ibis, PySpark, Dask), counted there by GROUP BY.

Only counts are fetched, at most a row for each bin.

The queries are expressions of narwhals, so that each engine quotes names and labels itself. Values are
distinguished by comparisons that all engines make in one way: they order NaN differently, and some hold it as
null.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial, reduce
from operator import and_, or_
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple, Self

import numpy as np

from ..input import Cases, CaseSpec, validate, weighting
from ..input.columns import AS_FLOAT, MEASURED, Column, NamedColumn, read
from ..input.errors import InputError, option
from ..input.labels import BinaryLabels, in_one_spelling, spelling_of
from ..input.sample import BY, Index, groups_of, names_by
from ..input.sources import Source
from ..input.sources.engines import Lazy, nw
from ..input.spec import FEWEST_BINS
from ..input.weighting import effective
from .binned import LOSSES, OF_SCORES, BinnedTable
from .confusion import ConfusionMatrix
from .passes import ORDER, POWERS, PowerSums, collect, hinge, missing_information, sums_of_loss
from .ranking import HALF, RankingTable
from .residuals import NAMES, TERMS, ULPS, Loss, Residuals, SumsWithoutEach, from_0_to_2, term

# the largest number, and those whose squares and fourth powers are numbers; PostgreSQL refuses others, and
# products that are rounded to 0
LARGEST, LARGEST_SQUARED, LARGEST_TO_THE_FOURTH = float(np.finfo(np.float64).max), 1e150, 1e75
OTHER_ROWS = 8  # that are fetched: of facts and of losses, by class
FIRST = 1024  # rows, whose labels are likely all
ROUNDS, MOST_PARTS = 2, 1 << 16  # of finer bins, before those that matter are counted score by score
Tables = list[Any]  # by group, a RankingTable or a BinnedTable; of one group without any
Table = dict[str, Any]  # arrays by name; labels are series of narwhals, as they are


class Engine(Lazy):
    """Cases that are counted where they lie: at most `bins` rows are fetched.

    edges: by model the thresholds at which counts are to be exact.
    """

    edges: Mapping[str | None, float | None] = MappingProxyType({})

    @classmethod
    def of(cls, data: Any, spec: CaseSpec) -> Self | None:
        """The engine, which counts the cases unless they are few; None of cases that are read in any case."""
        others = spec.units, spec.fold, spec.sample, spec.class_weights
        if spec.score_kind == "logit" or spec.bins is None or any(one is not None for one in others):
            return None
        if spec.regression and spec.by is not None:
            return None
        if spec.kind == "predicted" and not spec.regression and (spec.weight is None or spec.by is not None):
            return None  # which are read as cells
        if any(len(parts) > 1 for parts in spec.roles(spec.kind, arrays=False).values()):
            return None  # a score for each class
        return super().of(data, spec)

    def score(self, role: str) -> Any:
        """Scores, higher for positives, weights or amounts, as float64. Raises InputError for other types."""
        kind = self.schema[self.columns[role]]
        decimal = kind.is_decimal() and role.split()[0] not in MEASURED
        if not (kind.is_float() or kind.is_integer() or kind == nw.Boolean or decimal):
            raise InputError(
                "invalid-value",
                NamedColumn(role, self.columns[role]),
                f"its type is {kind}, and these are numbers",
                AS_FLOAT,
            )
        number = nw.col(self.columns[role]).cast(nw.Float64)
        return number if self.spec.higher_is_positive or role == "weight" else 0.0 - number

    def check_whole(self, role: str, low: float, high: float) -> None:
        """Raises InputError for a range of whole numbers beyond those that float64 holds exactly."""
        if self.schema[self.columns[role]].is_integer() and max(-low, high) > validate.WHOLE_BELOW:
            raise InputError(
                "invalid-value",
                NamedColumn(role, self.columns[role]),
                f"{max(-low, high):.0f} is beyond the whole numbers that float64 holds exactly",
                "subtract a constant from all, or round them",
            )

    # Predicted labels
    # ----------------------------------------------------------------------------------------------

    def matrices(
        self, matrix_of: Callable[..., ConfusionMatrix]
    ) -> tuple[Cases, dict[str | None, ConfusionMatrix]]:
        """The facts about weighted cases, and the matrix of each model. Raises InputError.

        Cases that lack a label of any model are left out for all, which takes the combinations of all.
        """
        models, apart = self.spec.models(arrays=False), self.spec.missing == "reject"
        names = [[name] for name in models] if apart else [list(models)]
        parts = [self._matrices({name: models[name] for name in some}, matrix_of) for some in names]
        return parts[0][0], {name: one for _, matrices in parts for name, one in matrices.items()}

    def _matrices(
        self, models: Mapping[str | None, tuple[str, ...]], matrix_of: Callable[..., ConfusionMatrix]
    ) -> tuple[Cases, dict[str | None, ConfusionMatrix]]:
        columns, sums = self.weights_of()
        roles = ["truth", *(parts[0] for parts in models.values())]
        counted = self.combinations(roles, columns, sums, self.bins)
        if counted is None:
            raise InputError(
                "unsupported",
                "truth, predicted",
                f"more than {self.bins} combinations of labels",
                f"pass {option('regression', True)} for amounts, or more bins",
            )
        cells, batch = counted
        batch |= {name: Column(name, cells[name]) for name in ("n", *sums)}
        batch["weight"] = Column("weight", cells["n"].astype(float), weight_kind="count", of_rows=True)
        spec = self.spec.of_columns({"where": None})
        cases = Cases(Source(type(self.data).__name__, iter([batch])), spec, models=models)
        left = cases.sum(lambda batch: [batch])[0]
        facts = {name: left.pop(name).values for name in ("n", *sums)}
        self.weigh(cases, facts)

        def matrix(labels: Mapping[str, Column]) -> ConfusionMatrix:
            sums, squares = (
                matrix_of(
                    **{**labels, "weight": Column("weight", facts[name], weight_kind="importance")}
                ).without_squares()
                for name in ("w", "ww")
            )
            return sums if cases.counts else sums.with_weights(sums.weights, squares.weights)

        return cases, {name: matrix(one) for name, one in cases.by_model(left).items()}

    # One score per case
    # ----------------------------------------------------------------------------------------------

    def tables(self, labels: BinaryLabels) -> tuple[Cases, dict[str | None, Tables]]:
        """The facts about the cases, and by model the table of each group. Raises InputError."""
        models = {name: roles[0] for name, roles in self.spec.models(arrays=False).items()}
        facts, first = self._at_once(models, labels) or (self._facts(models, self.frame), None)
        cases, positive, used = self._checked(facts, labels)
        each, groups = len(models) * len(self.parts), len(self.parts)
        if self._by and self.spec.tolerance is not None:
            raise InputError(
                "conflict",
                "tolerance",
                "it is for the area of all cases, not for those of groups",
                f"leave it out, or pass more {option('bins')}",
            )
        if self.bins < FEWEST_BINS * each:
            share = f"{len(models)} models" if groups == 1 else f"{groups} groups of {len(models)} models"
            raise InputError(
                "invalid-value",
                "bins",
                f"{self.bins} bins are too few for {share}, which need {FEWEST_BINS} each",
                f"pass {option('bins', FEWEST_BINS * each)}",
            )
        tables = {}
        for i, (name, role) in enumerate(models.items()):
            counted = first
            if counted is None:
                there = facts["n"] > 0
                low, high = np.nanmin(facts[f"low{i}"][there]), np.nanmax(facts[f"high{i}"][there])
                infinite = (facts[f"finite{i}"] + facts[f"gap{i}"] < facts["n"]).any()
                self.check_whole(role, low, high)
                ends = float(low), float(high), not infinite
                frame = self.frame if used is None else self.frame.filter(self._complete(used))
                counted = self._counted(frame, name, role, ends, cases, positive, self.bins // each)
            tables[name] = self._tables(counted, self.bins // each)
        return cases, tables

    def _at_once(
        self, roles: Mapping[str | None, str], labels: BinaryLabels
    ) -> tuple[Table, _Counted] | None:
        """The facts and the bins of one model, by one query; None where it does not show them.

        It supposes no other labels than in the first rows, nothing missing, and scores in [0, 1].
        """
        ((name, role), *others) = roles.items()
        if others or self._by or "weight" in self.columns:
            return None
        low, high = (0.0, 1.0) if self.spec.higher_is_positive else (-1.0, 0.0)
        try:
            facts = self._facts(roles, self.frame.head(FIRST))
            cases, positive, _ = self._checked(facts, labels)
            known, n = facts["y"].to_list(), self.rows
            if len(known) != 2 or not (facts["low0"].min() >= low and facts["high0"].max() <= high):
                return None
            y, s = nw.col(self.columns["truth"]), self.score(role)
            frame = self.frame.filter(reduce(or_, (y == label for label in known)), s >= low, s <= high)
            counted = self._counted(frame, name, role, (low, high, True), cases, positive, self.bins)
        except InputError:  # which the facts about all rows explain
            return None
        if counted.bins["n"].sum() != n:
            return None
        positives = counted.weights[0].sum()
        rows = np.array([positives if label in positive else n - positives for label in known])
        return {"y": facts["y"], "n": rows, "gap": 0 * rows, "gap0": 0 * rows}, counted

    def _facts(self, roles: Mapping[str | None, str], frame: Any) -> Table:
        """By label: rows, missing values, the range of the scores, and sums of the weights."""
        columns, sums = {"y": nw.col(self.columns["truth"]), **self._by}, {"n": nw.len()}
        gaps = []
        for i, role in enumerate(roles.values()):
            s = self.score(role)
            finite = s.abs() <= LARGEST
            gaps.append(lacking(s))
            columns |= {f"gap{i}": where_true(gaps[-1]), f"s{i}": nw.when(finite).then(s)}
            sums |= {f"gap{i}": nw.col(f"gap{i}").count(), f"finite{i}": nw.col(f"s{i}").count()}
            sums |= {f"low{i}": nw.col(f"s{i}").min(), f"high{i}": nw.col(f"s{i}").max()}
        gap = reduce(or_, gaps)
        if len(gaps) > 1:
            columns["gap"], sums["gap"] = where_true(gap), nw.col("gap").count()
        of_weights, more = self.weights_of(gap)
        columns, sums = columns | of_weights, sums | more
        grouped = frame.select(**columns).group_by("y", *self._by).agg(**sums)
        facts = self.collected(grouped.head(self.bins + 1))
        return {"gap": facts["gap0"], **facts}

    @cached_property
    def _by(self) -> dict[str, Any]:
        """The columns of the groups."""
        return {f"by{i}": nw.col(self.columns[role]) for i, role in enumerate(self._by_roles)}

    @property
    def _by_roles(self) -> list[str]:
        return [role for role in self.columns if role.split()[0] == BY]

    def _groups(self, table: Table, rows: np.ndarray | None = None) -> Index:
        """The group of each of these rows."""
        columns = [read(table[name], BY) for name in self._by]
        return groups_of(
            [one if rows is None else one.keep(rows) for one in columns], names_by(self.spec.by, False)
        )

    def _codes(self, table: Table) -> np.ndarray:
        """The number of the group of each row, among all groups."""
        if not self._by:
            return np.zeros(len(table["n"]), np.int64)
        some = self._groups(table)
        places = {label: i for i, label in enumerate(self.groups.labels)}
        return np.array([places[label] for label in some.labels])[some.codes]

    def weights_of(self, gap: Any = False) -> tuple[dict[str, Any], dict[str, Any]]:
        """Columns of the weights, and their sums, where no value is missing; none without weights.

        gap: where one is, and the weight may be anything.
        """
        if "weight" not in self.columns:
            return {}, {}
        w, there = self.score("weight"), True if gap is False else ~gap
        columns = {
            "valid": where_true(((w >= 0) & (w <= LARGEST)) | gap), "zero": where_true((w == 0) & there),
            "whole": where_true((w == w.floor()) | gap), "unit": where_true((w == 0) | (w == 1) | gap),
            "w": nw.when((w > 0) & there).then(w), "ww": nw.when((w > 0) & there).then(w * w),
        }  # fmt: skip
        numbers = {name: nw.col(name).count() for name in ("valid", "zero", "whole", "unit")}
        return columns, numbers | {name: nw.col(name).sum() for name in ("w", "ww")}

    def _checked(self, facts: Table, labels: BinaryLabels) -> tuple[Cases, list[Any], list[Any] | None]:
        """The facts about the cases, the positive labels, and those that are used (None for all).

        Raises InputError for missing values, for labels that are not of two classes, and for wrong weights.
        """
        truth = read(facts["y"], "truth", self.columns["truth"], classes=self.spec.named_classes)
        there, n = ~truth.gaps(), facts["n"]
        drop = self.spec.missing == "drop"
        roles = [roles[0] for roles in self.spec.models(arrays=False).values()]
        missing = {"truth": n[~there].sum()} | {role: facts[f"gap{i}"].sum() for i, role in enumerate(roles)}
        for name, role in zip(self._by, self._by_roles, strict=True):
            gaps = read(facts[name], role).gaps()
            missing[role], there = n[gaps].sum(), there & ~gaps
        for role, number in missing.items():
            if number and not drop:
                raise self.missing(role, number)
        gone = (facts["gap"] * there).sum() if drop else 0
        used = (n - facts["gap"])[there]
        known = truth.keep(there) if not there.all() else truth
        known = in_one_spelling({"truth": known}, spelling_of(self.spec.classes))["truth"]
        of_weights = {name: one[there] for name, one in facts.items() if name[0] not in "yb"}
        cases = self.cases_of(known, used.sum(), n[~there].sum() + gone, gone, of_weights)
        some = Column("truth", known.values[used > 0], name=known.name, levels=known.levels)
        coded = labels.coded(some)
        RankingTable.from_coded(labels, coded, Column("score", np.arange(len(some), dtype=float)))
        labels.judge(some)
        there[there] = used > 0
        present = [label for label, keep in zip(facts["y"].to_list(), there, strict=True) if keep]
        positive = [label for label, yes in zip(present, coded.is_positive, strict=True) if yes]
        self.parts = [cases]
        if self._by:
            self.groups = self._groups(facts, there)
            rows = np.flatnonzero(there)
            every = (rows[self.groups.rows(i)] for i in range(len(self.groups.labels)))
            self.parts = [self._part(cases, facts, some) for some in every]
        return cases, [*dict.fromkeys(positive)], ([*dict.fromkeys(present)] if cases.dropped else None)

    def cases_of(self, truth: Column, rows: float, dropped: float, unanswered: float, facts: Table) -> Cases:
        """The facts about the cases. facts: of their weights; else as `Cases`. Raises InputError."""
        cases = Cases(Source(type(self.data).__name__, iter(())), self.spec, truth=truth)
        cases.models = self.spec.models(arrays=False)
        cases.rows, cases.dropped, cases.dropped_unanswered = map(int, (rows, dropped, unanswered))
        cases.check_complete()
        self.weigh(cases, facts)
        return cases

    def _part(self, cases: Cases, facts: Table, rows: np.ndarray) -> Cases:
        """The facts about a group, whose weights are of the kind of those of all cases."""
        part = replace(
            cases, rows=int((facts["n"] - facts["gap"])[rows].sum()), dropped=0, dropped_unanswered=0
        )
        if cases.weights is not None:
            part.weight, part.weight_squares = (float(facts[name][rows].sum()) for name in ("w", "ww"))
            part.weightless = int(facts["zero"][rows].sum())
        return part

    def weigh(self, cases: Cases, facts: Table) -> None:
        """Adds the facts about weights, if there are any. Raises InputError for wrong ones.

        facts: of the rows that are not left out.
        """
        if "weight" not in self.columns:
            return
        column = Column("weight", np.zeros(0), name=self.columns["weight"], weight_kind=self.spec.weight_kind)
        n, valid, whole, zero_or_one = (int(facts[name].sum()) for name in ("n", "valid", "whole", "unit"))
        if valid < n:
            raise InputError(
                "invalid-value",
                column,
                f"{n - valid} weights are missing, negative or infinite",
                "give finite numbers, none negative",
            )
        cases.whole, cases.alike = whole == n, zero_or_one == n
        if self.spec.weight_kind == "count" and not cases.whole:
            raise InputError(
                "invalid-value",
                column,
                f"{n - whole} weights are not whole, as numbers of cases are",
                f"give whole numbers, or {option('weight_kind', 'importance')}",
            )
        cases.weights, cases.cells = column, None
        cases.weight, cases.weight_squares = (float(facts[name].sum()) for name in ("w", "ww"))
        cases.weightless = int(facts["zero"].sum())
        weighting.some_weight(cases.weight, column)

    def _counted(
        self,
        frame: Any,
        name: str | None,
        role: str,
        ends: tuple[float, float, bool],
        cases: Cases,
        positive: list[Any],
        bins: int,
    ) -> _Counted:
        """The bins of one model, by one GROUP BY.

        ends: the least and the largest score that is finite, and whether all are.
        """
        y, s = nw.col(self.columns["truth"]), self.score(role)
        is_positive = (
            y.is_in(positive) if len(positive) > 1 else y == positive[0] if positive else s.is_null()
        )
        kind: Any = np.float32 if self.schema[self.columns[role]] == nw.Float32 else np.float64
        limit = self.edges.get(name)
        if limit is None:  # the default, where it is no end of a bin anyway
            limit = (
                0.0 if self.spec.score_kind == "margin" else None if self.spec.higher_is_positive else HALF
            )
        key = _quantiser(self, s, *ends, 1 << (bins // 2).bit_length() - 1)
        if limit is not None:
            limit = float(kind(limit if self.spec.higher_is_positive else 0.0 - limit))
            key = key + nw.when(s >= limit).then(nw.lit(0.5)).otherwise(nw.lit(0.0))
        p = is_positive.cast(nw.Int32).cast(nw.Float64)  # PostgreSQL casts no Boolean to float64
        columns = self._by | {"b": key, "s": s, "p": p}
        if cases.weights is not None:
            w = self.score("weight")
            frame = frame.filter(w > 0)
            columns |= {"w": w, "wp": w * p, "ww": w * w, "wwp": w * w * p}
        return _Counted(self, frame.select(**columns), cases, kind)

    def _tables(self, counted: _Counted, bins: int) -> Tables:
        """The table of each group, by a second GROUP BY where the rows in mixed bins are few."""
        counted.refine((bins - OTHER_ROWS) * len(self.parts), self.spec.tolerance)
        low, high = (counted.all(part).astype(counted.kind) for part in ("low", "high"))
        positives, negatives, squares = counted.weights
        single = bool((low == high).all())
        losses: list[dict[str, PowerSums]] = [{} for _ in self.parts]
        ends = np.append(low, high).astype(np.float64)
        if not single and np.abs(ends[np.isfinite(ends)]).max(initial=0.0) <= LARGEST_TO_THE_FOURTH:
            losses = self._losses(counted, low, high)
        tables: Tables = []
        for group, of_group in enumerate(losses):
            some = counted.all("group") == group
            parts: Any = [one[some] for one in (low, high, positives, negatives)]
            parts += [squares and tuple(one[some] for one in squares), of_group]
            table = BinnedTable(*parts)
            if of_group and squares is None:
                table = BinnedTable.of(*table._bins, _with_higher_powers(table), table.kind)
            tables.append(table.ranking if single else table)
        return tables

    def _complete(self, labels: list[Any]) -> Any:
        """Where no label and no score is missing."""
        gaps = [name.is_null() for name in self._by.values()]
        gaps += [lacking(self.score(roles[0])) for roles in self.spec.models(arrays=False).values()]
        return nw.col(self.columns["truth"]).is_in(labels) & ~reduce(or_, gaps)

    def _losses(self, counted: _Counted, low: np.ndarray, high: np.ndarray) -> list[dict[str, PowerSums]]:
        """By group the sums of the powers of each loss, by class; of numbers of cases of powers 1 and 2.

        The hinge loss of a probability is linear in the absolute error. low, high: the ends of the bins.
        """
        unit = low.min() >= 0 and high.max() <= 1
        positives, negatives, _ = counted.weights
        clip, cases = float(np.finfo(counted.kind).eps), counted.cases
        if unit and low[positives > 0].min() >= clip and high[negatives > 0].max() <= 1 - clip:
            clip = 0.0
        rows = OfRows(nw.col("s"), nw.col("p"), clip)
        columns = {"c": nw.col("p").cast(nw.Int8)}  # by which DuckDB groups without a hash
        every_loss: Mapping[str, Callable[[Any], Any]] = LOSSES if unit else OF_SCORES
        without = {OF_LLR: self.spec.score_kind != "llr", hinge.__name__: unit}
        wanted = [name for name in every_loss if not without.get(name)]
        columns |= {name: every_loss[name](rows).expression for name in wanted}
        names, w = [name for name in columns if name != "c"], nw.col("w")
        factors: list[Any] = [
            None
        ]  # of the rows of PowerSums, which are all the same without importance weights
        if cases.weights is not None:
            columns["w"] = w
            factors = [w] if cases.counts else [w, w * w, w * w * w * w, None]
        powers = ORDER if len(factors) > 1 else 2
        every = {
            f"{name} {k} {row}": power if factor is None else factor * power
            for row, factor in enumerate(factors)
            for name in names
            for k, power in enumerate(_powers(name)[:powers], 1)
        }
        sizes = {f"n {row}": factor for row, factor in enumerate(factors) if factor is not None}
        frame = with_steps(counted.every, rows.steps).select(*self._by, **columns)
        frame = frame.with_columns(**{f"{name} 2": nw.col(name) * nw.col(name) for name in names})
        same = {f"squared_error 1 {row}": f"absolute_error 2 {row}" for row in range(len(factors) * unit)}
        sums = [nw.col(name).sum() for name in (*every, *sizes) if name not in same]
        numbers = frame.select("c", *self._by, **every, **sizes).group_by("c", *self._by)
        table = self.collected(numbers.agg(*sums, n=nw.len()))
        by_group = np.zeros((len(self.parts), 2, 4, len(names), ORDER + 1))
        values = np.stack([table[same.get(name, name)] for name in every], -1).reshape(
            -1, len(factors), len(names), powers
        )
        totals = np.stack([table.get(f"n {row}", table["n"]) for row in range(len(factors))], -1)
        at = self._codes(table), table["c"].astype(int)
        by_group[..., 1 : powers + 1][at], by_group[..., 0][at] = values, totals[..., None]
        return [
            {
                name: PowerSums(np.zeros(2), one, 1.0)
                for name, one in zip(names, part.transpose(2, 1, 0, 3), strict=True)
                if np.isfinite(one).all()
            }
            for part in by_group
        ]


def _with_higher_powers(table: BinnedTable) -> dict[str, PowerSums]:
    """The losses of a table with powers 3 and 4, which only shape intervals, from the middles of its bins."""
    wanted = {name: sums_of_loss(LOSSES[name], HALF) for name in table.losses}
    collect(table.middle, wanted.values())
    losses = {}
    for name, exact in table.losses.items():
        near = table.middle.kept[wanted[name]][1]
        known, sums = exact.about(near.centre), near.sums.copy()
        sums[..., :3] = (known.sums * (known.unit / near.unit) ** POWERS)[..., :3]
        least = np.divide(
            sums[..., 2] ** 2, sums[..., 0], out=np.zeros_like(sums[..., 0]), where=sums[..., 0] > 0
        )
        sums[..., 4] = np.maximum(sums[..., 4], least)
        losses[name] = PowerSums(near.centre, sums, near.unit)
    return losses


class _Counted:
    """The bins of a model that were counted so far.

    frame: the cases with the columns b (their bin), s (score), p (1 or 0, of positives) and any weights;
    kind: the type of the scores.
    """

    def __init__(self, engine: Engine, frame: Any, cases: Cases, kind: Any):
        self.engine, self.cases, self.kind = engine, cases, kind
        self.every = self.frame = frame
        self.bins = self._counts("b")
        self.done: list[Table] = []  # that are not counted again
        self.width = 1.0  # between the numbers of bins, twice: an edge is half of it

    def _grouped(self, key: str) -> Any:
        weights = [] if self.cases.weights is None else ["w", "wp", "ww", "wwp"]
        sums = {"n": nw.len()} | {
            name: nw.col(name).sum() for name in ("p", *weights)
        }  # quicker than a count
        ends = {"low": nw.col("s").min(), "high": nw.col("s").max()}
        return self.frame.group_by(*self.engine._by, key).agg(**ends, **sums)

    def _counts(self, key: str) -> Table:
        table = self.engine.collected(self._grouped(key))
        codes = self.engine._codes(table)
        return {name: one for name, one in table.items() if name not in self.engine._by} | {"group": codes}

    def refine(self, bins: int, tolerance: float | None) -> None:
        """Counts mixed bins by score where their rows are few; else, with a tolerance, in finer bins."""
        every, rounds = self.weights, 0
        if self.bins["n"][self._mixed > 0].sum() <= bins - len(self.bins["n"]):
            self._split(1.0, None)
        elif tolerance is not None:
            allowed = tolerance * every[0].sum() * every[1].sum()
            while (of_pairs := self._pairs).sum() > allowed / (1 if not rounds else 2):
                order = np.argsort(self._mixed)
                first = np.searchsorted(np.cumsum(of_pairs[order]), 0.0 if rounds else allowed / 2, "right")
                wanted = 2 * of_pairs.sum() / allowed if allowed else np.inf
                self._split(
                    self._mixed[order[first]],
                    np.ceil(wanted) if rounds < ROUNDS and wanted < MOST_PARTS else None,
                )
                rounds += 1

    @property
    def _mixed(self) -> np.ndarray:
        """For each bin the pairs of a positive and a negative row in an unknown order."""
        b = self.bins
        return np.where(b["low"] < b["high"], b["p"] * 1.0 * (b["n"] - b["p"]), 0.0)

    @property
    def _pairs(self) -> np.ndarray:
        """Their weight."""
        positive, negative = _weights(self.bins, self.cases)[:2]
        return np.where(self._mixed > 0, positive * 1.0 * negative, 0.0)

    def _split(self, least: float, parts: float | None) -> None:
        """Counts the bins with so many mixed pairs or more by score, or in this number of parts each."""
        again, names = self._mixed >= least, self.frame.collect_schema().names()
        if not again.any():
            return
        cases = float(self.bins["n"][again].sum())
        self.engine.must_fit(min(cases, again.sum() * (parts or cases)), len(self.bins), "tolerance")
        p, q = nw.col("p") * 1.0, (nw.col("n") - nw.col("p")) * 1.0
        wide = self._grouped("b").filter((nw.col("low") < nw.col("high")) & (p * q >= float(least)))
        keys = [*self.engine._by, "b"]
        within = self.frame.join(wide.select(*keys, "low", "high"), on=keys, how="inner")
        if parts is not None:
            width, above = nw.col("high") - nw.col("low"), nw.col("s") - nw.col("low")
            lowest = nw.when(width > 1).then(width / LARGEST_SQUARED / LARGEST_SQUARED).otherwise(nw.lit(0.0))
            place = nw.when(above >= lowest).then(above / width * parts).otherwise(nw.lit(0.0))
            self.width /= 2.0 * parts + 2.0
            within = within.with_columns(b=nw.col("b") + _floor(place) * self.width)
        self.frame = within.select(*names)
        table = self._counts("s" if parts is None else "b")
        if table["n"].sum() != self.bins["n"][again].sum():
            raise InputError(
                "mismatch", "data", "they changed while they were counted", "evaluate a copy of them"
            )
        self.done.append({name: values[~again] for name, values in self.bins.items()})
        self.bins = table

    def all(self, name: str) -> np.ndarray:
        """This column of all bins."""
        return np.concatenate([one[name] for one in (*self.done, self.bins)])

    @property
    def weights(self) -> tuple[Any, ...]:
        """Those of positives and of negatives in all bins, and their squares, None of numbers of cases."""
        names = ("n", "p") if self.cases.weights is None else ("n", "p", "w", "wp", "ww", "wwp")
        return _weights({name: self.all(name) for name in names}, self.cases)


def _weights(b: Table, cases: Cases) -> tuple[Any, ...]:
    if cases.weights is None:
        positives = b["p"].astype(np.int64)
        return positives, b["n"] - positives, None
    negatives = b["n"] > b["p"]
    weights = b["wp"], np.where(negatives, b["w"] - b["wp"], 0.0)
    return *weights, None if cases.counts else (b["wwp"], np.where(negatives, b["ww"] - b["wwp"], 0.0))


def _quantiser(engine: Engine, s: Any, low: float, high: float, all_finite: bool, cells: int) -> Any:
    """The number of the bin of a score: in [0, 1] equally wide ones, else narrow near the mean.

    Infinite scores have bins of their own. The order of the numbers does not matter.
    """
    finite = s if all_finite else nw.when(s.abs() <= LARGEST).then(s).otherwise(nw.lit(0.0))
    if (low >= 0 and high <= 1) or (low >= -1 and high <= 0):
        key = _floor(finite.abs() * float(cells))
    else:
        mean, spread = low / 2 + high / 2, (high / 2 - low / 2) or 1.0
        if max(-low, high) <= LARGEST_SQUARED:
            some = nw.when(s.abs() <= LARGEST_SQUARED)
            square = nw.when((s.abs() <= LARGEST_SQUARED) & (s.abs() >= 1 / LARGEST_SQUARED)).then(s * s)
            powers = engine.frame.select(s=some.then(s), t=square)
            sums = engine.collected(
                powers.select(n=nw.col("s").count(), s=nw.col("s").sum(), t=nw.col("t").sum())
            )
            n, first, second = (float(sums[name][0]) for name in ("n", "s", "t"))
            mean, spread = first / n, float(np.sqrt(max(second / n - (first / n) ** 2, 0.0))) or spread
        u = (finite - mean) / spread
        key = _floor((u / (1.0 + u.abs()) + 1.0) * (cells / 2))
    if all_finite:
        return key
    low_end = nw.when(s < -LARGEST).then(nw.lit(-1.0)).otherwise(key)
    return nw.when(s > LARGEST).then(nw.lit(cells + 1.0)).otherwise(low_end)


def with_steps(frame: Any, steps: Mapping[str, tuple[int, Any]]) -> Any:
    """The frame with these columns; those of a depth are computed from columns of less depth, in one go."""
    for level in sorted({depth for depth, _ in steps.values()}):
        now = {name: step for name, (depth, step) in steps.items() if depth == level}
        kind = frame.implementation
        # their own: those of narwhals are decimal numbers in PostgreSQL, quotients of two in DuckDB, and slow
        own = {name: name.split(" of ") for name in now if kind.is_duckdb() and " of " in name}
        own |= {name: name.split(" of ") for name in now if kind.is_ibis() and name.startswith("ln of ")}
        others = {name: step for name, step in now.items() if name not in own}
        frame = frame.with_columns(**others) if others else frame
        native = frame.to_native()
        if own and kind.is_ibis():
            frame = nw.from_native(
                native.mutate(**{name: native[column].ln() for name, (_, column) in own.items()})
            )
        elif own:
            from duckdb import CaseExpression, ColumnExpression, FunctionExpression, StarExpression

            steps_of_own = []
            for name, (function, column) in own.items():
                x = ColumnExpression(column)
                step = FunctionExpression(function, x)
                if not column.startswith(Positive.name):
                    step = CaseExpression(x <= 0 if function == "ln" else x < 0, np.nan).otherwise(step)
                steps_of_own.append(step.alias(name))
            frame = nw.from_native(native.select(StarExpression(), *steps_of_own))
    return frame


class Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """An expression in place of an array, so that the function of a loss writes its own query.

    steps: the columns that are computed on the way, each once, with their depth: 1 of those that are computed
    from the frame alone; depth: of this expression.
    """

    name = "step"

    def __init__(self, expression: Any, steps: dict[str, tuple[int, Any]], depth: int = 0):
        self.expression, self.steps, self.depth = expression, steps, depth

    def column(self, name: str = "") -> Self:
        """The same as a column, of this name if there is one."""
        name = name or f"{self.name} {len(self.steps)}"
        self.steps[name] = self.depth + 1, self.expression
        return type(self)(nw.col(name), self.steps, self.depth + 1)

    def without_tiny(self, unit: float) -> Self:
        """The same as a column, 0 where the fourth power in this unit would be no number."""
        one = self.column()
        near = nw.when(one.expression.abs() >= unit / LARGEST_TO_THE_FOURTH).then(one.expression)
        return type(self)(near.otherwise(nw.lit(0.0)), self.steps, one.depth).column()

    def __array_ufunc__(self, function: np.ufunc, method: str, *values: Any) -> Any:
        name = function.__name__
        if name == "logaddexp":
            return np.maximum(*values) + np.log(
                1.0 + np.exp(np.maximum(-np.absolute(np.subtract(*values)), -700.0))
            )
        if name in SLOW:
            values = tuple(one.column() for one in values)
        plain = [one.expression if isinstance(one, Traced) else float(one) for one in values]
        depth = max(one.depth for one in values if isinstance(one, Traced))
        result = type(self)(FUNCTIONS[name](*plain), self.steps, depth)
        if name not in SLOW:
            return result
        return result.column(f"{OWN[name]} of {list(self.steps)[-1]}" if name in OWN else "")


class Positive(Traced):
    """An expression whose logarithms and roots are those of positive numbers."""

    name = "positive"


class OfRows:
    """What losses take of cases: the probability of the actual class and the margin.

    positive: 1 or 0; clip: the least probability of which the logarithm is taken, 0 where none is less. The
    share of positives is 1/2.
    """

    positive, prior = True, HALF

    def __init__(self, s: Any, positive: Any, clip: float):
        self.steps: dict[str, tuple[int, Any]] = {}
        p = (s - (1.0 - positive)).abs()
        if clip:
            p = nw.when(p >= 1 / LARGEST_TO_THE_FOURTH).then(p).otherwise(nw.lit(0.0))
        self.p = Positive(p, self.steps).column()
        self.margin = Positive(s * (2.0 * positive - 1.0), self.steps).column()
        self.clip = clip

    def log(self, least: float | None = None) -> Any:
        """The logarithm of the probability."""
        return self._log if least is None else np.log(np.maximum(self.p, least))  # type: ignore[call-overload]

    @cached_property
    def _log(self) -> Any:
        return np.log(np.maximum(self.p, self.clip) if self.clip else self.p)  # type: ignore[call-overload]


def _powers(name: str) -> list[Any]:
    """The powers of a column, of which there is the square, too; engines are slow at others."""
    one, square = nw.col(name), nw.col(f"{name} 2")
    return [one, square, square * one, square * square]


def _larger(one: Any, other: Any) -> Any:
    one, other = (part if isinstance(part, nw.Expr) else nw.lit(part) for part in (one, other))
    return nw.when(one >= other).then(one).otherwise(other)


def _smaller(one: Any, other: Any) -> Any:
    return 0.0 - _larger(0.0 - one, 0.0 - other)


OF_LLR = missing_information.__name__  # a slow loss, which is for log-likelihood ratios only
OWN = {"log": "ln", "sqrt": "sqrt"}  # by the name in NumPy that in engines
SLOW = ("log", "exp", "sqrt")  # whose arguments engines repeat
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "negative": lambda a: 0.0 - a,
    "absolute": lambda a: a.abs(),
    "square": lambda a: a * a,
    "power": lambda a, b: a * a if b == 2 else a**b,
    "maximum": _larger,
    "minimum": _smaller,
    "log": lambda a: a.log(),
    "exp": lambda a: a.exp(),
    "sqrt": lambda a: a.sqrt(),
}


def _floor(x: Any) -> Any:
    """As float64: whole numbers and decimal constants add up to decimal numbers in PostgreSQL."""
    return x.floor().cast(nw.Float64)


def lacking(number: Any) -> Any:
    """Where it is null or NaN, which engines compare in two ways: as larger than infinity, or false."""
    return number.is_null() | ((number > LARGEST) & ~(number == np.inf))


def where_true(condition: Any) -> Any:
    """1 where it holds, else null, which `count` leaves out: quicker than a sum."""
    return nw.when(condition).then(nw.lit(1))


# Amounts in an engine: sums from which the measures that are moments follow, with their intervals
# --------------------------------------------------------------------------------------------------
#
# Three queries of one row each: facts and means; sums about the means, of which the values are functions; and
# powers of what each case adds to a value, of which the intervals are.

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
