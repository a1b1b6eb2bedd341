"""The two-by-two table as people read it: the counts with their margins, and the eight ratios in four complementary pairs.

Predictions are the rows and truths the columns, as diagnostic tables are drawn. Source: Wikipedia; Berrar, Fig. 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from ..inference import Estimate, Settings, estimate
from ..input import text
from ..input.results import Result
from ..summaries import Counts

# Of a column: one real class, so its share of the cases has no part in it. Of a row: both classes, in the shares they have here.
OF_COLUMNS = (("sensitivity", "false_negative_rate"), ("specificity", "false_positive_rate"))
OF_ROWS = (("precision", "false_discovery_rate"), ("negative_predictive_value", "false_omission_rate"))
Pairs = tuple[tuple[str, str], ...]  # of measures that add up to 1


@dataclass(frozen=True, slots=True, repr=False)
class Contingency(Result):
    """Four counts as a table.

    counts: cells are numbers; labels: the negative and the positive one; settings: of the intervals; known: estimates by measure,
    where they are made of more than the counts.
    """

    counts: Counts
    labels: tuple[Any, ...] = ("negative", "positive")
    settings: Settings = field(default_factory=Settings)
    known: Mapping[str, Estimate] | None = None

    @property
    def rows(self) -> list[list[float]]:
        """Predicted positive, predicted negative, total; in each: actual positive, actual negative, total."""
        c = self.counts
        positive, negative = [c.tp, c.fp, c.tp + c.fp], [c.fn, c.tn, c.fn + c.tn]
        return [positive, negative, [a + b for a, b in zip(positive, negative, strict=True)]]

    def ratios(self, pairs: Pairs) -> list[tuple[str, Estimate, str, Estimate]]:
        """Of each pair the names and estimates."""
        return [(a, self._estimate(a), b, self._estimate(b)) for a, b in pairs]

    def _estimate(self, name: str) -> Estimate:
        return estimate(name, self.counts, self.settings) if self.known is None else self.known[name]

    def __str__(self) -> str:
        return "\n\n".join([self._cells(), self._pairs(OF_COLUMNS), self._pairs(OF_ROWS)])

    def _cells(self) -> str:
        names = [f"actual {label}" for label in self._named()]
        header = ["", *names, "total"]
        rows = [[name, *map(text.count, row)] for name, row in zip(self._row_names(), self.rows, strict=True)]
        return text.aligned(header, rows, right=(1, 2, 3))

    def _pairs(self, pairs: Pairs) -> str:
        interval = f"{100 * self.settings.level:.4g}% interval"
        header = ["of each row" if pairs == OF_ROWS else "of each column", "value", interval, "complement", "value"]
        rows = [[a, text.number(x.value), _bounds(x), b, text.number(y.value)] for a, x, b, y in self.ratios(pairs)]
        return text.aligned(header, rows, right=(1, 4)) + "\n" + self._dependence(pairs)

    def _dependence(self, pairs: Pairs) -> str:
        if pairs == OF_COLUMNS:
            return "These do not depend on the prevalence."
        share = text.number(estimate("prevalence", self.counts).value)
        fixed = self.settings.design == "case-control"
        return f"These depend on the prevalence, {f'which the design fixes at {share}' if fixed else f'{share} here'}."

    def _named(self) -> list[str]:
        names = text.labels(self.labels, LONGEST_LABEL)
        return [names[self.labels[1]], names[self.labels[0]]]

    def _row_names(self) -> list[str]:
        return [*(f"predicted {label}" for label in self._named()), "total"]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, strict JSON."""
        cells = self.counts.to_dict()
        totals = Counts.of(*(self.rows[i][2] for i in (0, 1)), *self.rows[2][:2]).to_dict().values()
        names = ("predicted_positive", "predicted_negative", "positive", "negative")
        pairs = [(pair, of == OF_ROWS) for of in (OF_COLUMNS, OF_ROWS) for pair in self.ratios(of)]
        return {
            "labels": {"positive": text.json_label(self.labels[1]), "negative": text.json_label(self.labels[0])},
            "cells": cells,
            "margins": dict(zip(names, totals, strict=True)) | {"total": text.whole(self.counts.total)},
            "ratios": [
                {
                    "measure": a,
                    **x.to_dict(),
                    "complement": b,
                    "complement_value": y.to_dict()["value"],
                    "depends_on_prevalence": rows,
                }
                for (a, x, b, y), rows in pairs
            ],
        }

    def __repr__(self) -> str:
        return f"<Contingency of {text.count(self.counts.total)} cases: {', '.join(self._named())}>"

    def _html(self) -> str:
        return f'<div class="scroll">{self.html_tables()}</div>'

    def html_tables(self) -> str:
        """The three tables as HTML, without a style."""
        head = "".join(f'<th class="n">actual {escape(name)}</th>' for name in self._named())
        body = "\n".join(_html_row(name, row) for name, row in zip(self._row_names(), self.rows, strict=True))
        parts = [f'<table>\n<tr><th></th>{head}<th class="n">total</th></tr>\n{body}\n</table>']
        return "\n".join(parts + [self._html_pairs(pairs) for pairs in (OF_COLUMNS, OF_ROWS)])

    def _html_pairs(self, pairs: Pairs) -> str:
        rows = "\n".join(
            f'<tr><td>{a}</td><td class="n">{text.number(x.value)}</td><td class="n">{_bounds(x)}</td>'
            f'<td>{b}</td><td class="n">{text.number(y.value)}</td></tr>'
            for a, x, b, y in self.ratios(pairs)
        )
        of = "row" if pairs == OF_ROWS else "column"
        value = '<th class="n">value</th>'
        head = f'<tr><th>of each {of}</th>{value}<th class="n">interval</th><th>complement</th>{value}</tr>'
        return f'<table>\n{head}\n{rows}\n</table>\n<p class="facts">{self._dependence(pairs)}</p>'


LONGEST_LABEL = 11  # so that the table keeps to 80 columns


def _html_row(name: str, row: Sequence[float]) -> str:
    cells = "".join(f'<td class="n">{text.count(cell)}</td>' for cell in row)
    return f"<tr><th>{escape(name)}</th>{cells}</tr>"


def _bounds(found: Estimate) -> str:
    if not found.has_interval:
        return "undefined" if found.undefined else "none"
    return f"{_end(found.low)}-{_end(found.high)}"


def _end(bound: float) -> str:
    return text.number(bound, 3 if bound == 0 or bound >= 0.001 else 1)
