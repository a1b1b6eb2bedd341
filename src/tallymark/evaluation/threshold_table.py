"""The ranking table as a table to read, and the pairs of positives and negatives as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..input import text, validate
from ..input.names import listed
from ..input.results import InColumns, Plotted, Tabular
from ..measures import registry
from ..summaries import Counts, RankingTable
from .notices import Notice

USUAL = ("sensitivity", "false_positive_rate", "precision", "lift")  # the measures of Berrar's Figure 2
MOST_PAIRS = 40  # the most cases of a class whose pairs are drawn


@listed(
    "function",
    "tm.evaluate(...).operating_points()",
    name="ranking_table",
    aka=("operating_points",),
    command="tallymark curve table",
)
class OperatingPoints(InColumns, Mapping[str, np.ndarray]):
    """Counts and measures at all thresholds, in columns by name; the first row has no predicted positives.

    What a ranker, a classifier whose scores only order the cases, achieves at each place of the order.

    Parameters
    ----------
    table : RankingTable
        The scores.
    *measures : str
        Measures of counts to show; by default sensitivity, false_positive_rate, precision and lift.
    sign : int
        -1 where the table stores negated scores; else 1.
    parameters : mapping of str to mapping, or None
        Parameters of the measures, by measure and name.
    notices : tuple of Notice
        On the data.

    Attributes
    ----------
    columns : dict of str to array
        threshold (infinity first), positives and negatives with that score, tp, fp, fn, tn at the threshold,
        and measures of counts.

    Raises
    ------
    InputError
        For a measure that is not computed from counts.

    Notes
    -----
    dict(points) can be passed to the data frame of any library.

    References
    ----------
    Berrar, Fig. 2; Tharwat, Table 1.
    """

    ANSWER = "operating_points"
    FORM = "evaluations.operating_points"

    def __init__(
        self,
        table: RankingTable,
        *measures: str,
        sign: int = 1,
        parameters: Mapping[str, Mapping[str, Any]] | None = None,
        notices: tuple[Notice, ...] = (),
    ) -> None:
        self._notices = notices
        counts = table.sweep()
        here = {"positives": np.append(0, table.positive), "negatives": np.append(0, table.negative)}
        entries = [registry.get(name, Counts) for name in measures or USUAL]
        for entry in entries:
            entry.check(counts)
        cells = {name: getattr(counts, name) for name in ("tp", "fp", "fn", "tn")}
        given = parameters or {}
        found = {
            entry.name: np.asarray(entry.function(counts, **given.get(entry.name, {})), float)
            for entry in entries
        }
        self.columns: dict[str, np.ndarray] = {
            "threshold": sign * table.thresholds + 0.0,
            **here,
            **cells,
            **found,
        }

    @property
    def notices(self) -> tuple[Notice, ...]:
        """On the data."""
        return self._notices

    def __getitem__(self, name: str) -> np.ndarray:
        if not validate.hashable(name) or name not in self.columns:
            hint = validate.nearest(name, self.columns)
            raise validate.NoSuchEntry(
                "unknown-name",
                "column",
                f"{validate.shown(name)} is not known{hint}",
                f"there are {', '.join(self.columns)}",
                value=name,
            )
        return self.columns[name]

    def __eq__(self, other: object) -> bool:
        """Whether all columns are the same; undefined values count as equal."""
        return (
            isinstance(other, OperatingPoints)
            and list(self) == list(other)
            and all(np.array_equal(self[name], other[name], equal_nan=True) for name in self)
        )

    __hash__ = None  # type: ignore[assignment]  # the arrays may be changed

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        """The number of columns."""
        return len(self.columns)

    def __repr__(self) -> str:
        return f"<OperatingPoints: {len(self.columns['threshold'])} thresholds, {len(self)} columns>"


@listed(
    "function",
    "tm.evaluate(...).pairs_matrix",
    name="pairs_matrix",
    aka=("matrix_of_pairs", "pairs_table"),
    command="tallymark curve pairs",
)
class PairsMatrix(Tabular, Plotted):
    """Every pair of a positive and a negative, as a picture of the area under the ROC curve.

    Rows are positives, the highest score first; columns are negatives, the lowest score first. cells: 1 where
    the positive has the higher score, 0.5 in a tie, else 0; their mean is the area under the ROC curve.
    Raises InputError for more than 40 cases of a class, and for weights that are not whole. Source: QuData;
    Flemming.
    """

    FORM = "evaluations.pairs_matrix"
    FIGURE = "pairs"
    PLAIN = "positives negatives cells"
    INFINITE = True

    def __init__(self, table: RankingTable, sign: int = 1) -> None:
        if table.weighted or max(table.positives, table.negatives) > MOST_PAIRS:
            raise validate.InputError(
                "unsupported",
                "pairs",
                f"they are drawn for up to {MOST_PAIRS} positives and negatives of whole weights",
                f"there are {text.count(table.positives)} and {text.count(table.negatives)}",
            )
        positives, negatives = (
            np.repeat(table.score, table.positive),
            np.repeat(table.score, table.negative)[::-1],
        )
        self.positives, self.negatives = sign * positives + 0.0, sign * negatives + 0.0
        higher, tied = positives[:, None] > negatives[None, :], positives[:, None] == negatives[None, :]
        self.cells = higher + tied / 2

    @property
    def _columns(self) -> dict[str, np.ndarray]:
        """One row per pair: both scores, and the cell."""
        positive, negative = np.meshgrid(self.positives, self.negatives, indexing="ij")
        return {"positive": positive.ravel(), "negative": negative.ravel(), "cell": self.cells.ravel()}

    def __repr__(self) -> str:
        area = f", {self.cells.mean():.4g} in the right order" if self.cells.size else ""
        return f"<PairsMatrix of {len(self.positives)} positives and {len(self.negatives)} negatives{area}>"
