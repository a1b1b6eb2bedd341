"""A score per class for every case, by which the cases are ranked once for each class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import kernels
from ..input import columns, text, validate, weighting
from ..input.calls import public
from ..input.class_names import matched
from ..input.labels import listed, plain
from ..input.options import WeightKind
from ..input.score_columns import ROLE, in_order, named, score_columns, stacked
from ..input.validate import InputError, shown
from .class_orders import ClassOrders, order_of_cases
from .class_probabilities import ClassProbabilities
from .class_sizes import ClassSizes
from .confusion import ConfusionMatrix
from .ranking import SCORE_TYPES, RankingTable
from .top_label import PredictedClasses
from .true_classes import TrueClasses
from .value import Value

Labels = tuple[Any, ...]
Affix = tuple[str, str] | None
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]  # the true classes, scores and weights


class ClassScores(PredictedClasses, ClassOrders, ClassSizes, ClassProbabilities, Value):
    """The actual class of every case, and its score for each class.

    Parameters
    ----------
    labels : tuple of labels
        K distinct labels, in the order of the columns.
    truth : array of int, shape (n,)
        The index of the actual class.
    score : array of float16, float32 or float64, shape (n, K)
        A higher one means that class; in the widest type of the columns.
    weight : array of float64, shape (n,)
        What each case counts.
    affix : pair of str, or None
        The text before and after the label in the names of the columns; None if there is none.
    weight_kind : {"count", "importance"} or None
        What weights are; None is "importance".

    Notes
    -----
    Adds with `+` if the labels are the same, in any order: cases are concatenated. Unlike in other summaries
    every case is kept, since the ranks of a case in all classes are needed together.

    Examples
    --------
    >>> import tallymark as tm
    >>> scores = tm.ClassScores.from_arrays(truth=["cat", "dog"], score=[[0.9, 0.1], [0.4, 0.6]])
    >>> scores, scores.labels
    (ClassScores(2 cases, 2 classes), ('cat', 'dog'))
    """

    said_of_it = "ClassScores are"
    ENTRIES = ("labels", "truth", "score")
    kind_of_table: type[RankingTable] = RankingTable  # of one score, such as the highest probability

    labels: Labels
    truth: np.ndarray
    score: np.ndarray
    weight: np.ndarray
    affix: Affix
    weight_kind: WeightKind | None

    def __init__(
        self,
        labels: Labels,
        truth: Any,
        score: Any,
        weight: Any,
        affix: Affix = None,
        weight_kind: WeightKind | None = None,
    ):
        rows = len(truth) if isinstance(truth, np.ndarray) and truth.ndim == 1 else -1
        shapes = {"score": (rows, len(labels)), "weight": (rows,)}
        for name, array, kinds in (("truth", truth, "iu"), ("score", score, "f"), ("weight", weight, "f")):
            known = isinstance(array, np.ndarray) and array.dtype.kind in kinds
            if not known or array.shape != shapes.get(name, (rows,)):
                raise InputError(
                    "invalid-value", name, f"{shown(array)} is not an array as it is held",
                    "build the summary with ClassScores.from_arrays",
                )  # fmt: skip
        # a class after another in memory: sums over the classes of a case then add whole columns
        for name, array in (("truth", truth), ("score", np.asfortranarray(score)), ("weight", weight)):
            array.setflags(write=False)
            self.__dict__[name] = array
        self.__dict__.update(labels=tuple(labels), affix=affix, weight_kind=weight_kind)

    @classmethod
    @public()
    def from_arrays(
        cls,
        *,
        truth: Any,
        score: Any,
        weight: Any = None,
        classes: Any = None,
        weight_kind: WeightKind | None = None,
    ) -> ClassScores:
        """Make a table of arrays, lists or series.

        Parameters
        ----------
        truth, weight : array, list or series
            The label and the weight, >= 0, of every case; weight may be None.
        score : array, list of rows, or data frame
            A row per case and a column per class.
        classes : sequence of labels, or None
            The labels of the columns in their order; by default the names of a frame's columns, which must be
            the labels, or begin and end alike as prob_cat and prob_dog do; for an array, and for a frame with
            the default numbers 0 to K - 1 as names, the labels of truth, sorted.
        weight_kind : {"count", "importance"} or None
            "count", a case of weight 2 is two cases, or "importance", the default.

        Raises
        ------
        InputError
            Where a label has no column or a column no label, where a score is missing, and where lengths
            differ.
        """
        of_columns = {role: named(values, role) for role, values in score_columns(score, True).items()}
        of_weight = columns.read_weights(weight, weight_kind)
        weights = {} if of_weight is None else {"weight": of_weight}
        return cls.from_columns({"truth": columns.read(truth, "truth"), **of_columns, **weights}, classes)[0]

    @classmethod
    def empty(cls) -> ClassScores:
        """No cases of no classes."""
        return cls((), np.empty(0, np.int64), np.empty((0, 0)), np.empty(0))

    @classmethod
    def from_columns(
        cls,
        cases: dict[str, columns.Column],
        classes: Any = None,
        called: str = "score",
        true: TrueClasses | None = None,
        ordered: bool = True,
    ) -> tuple[ClassScores, np.ndarray]:
        """Read columns, and the place of each case among those whose weight is not 0.

        Parameters
        ----------
        cases : dict of str to Column
            Columns by role: "truth", a "score 1", "score 2", ... per class, and perhaps "weight".
        classes : sequence of labels, or None
            As for `from_arrays`.
        called : str
            The name of the scores in messages.
        true : TrueClasses or None
            The actual classes of the same cases, if another model has them already.
        ordered : bool
            Whether numbers in `classes` are in the order of the classes, else by value.
        """
        validate.same_length(*cases.values())
        for column in cases.values():
            validate.no_gaps(column)
        true = true or TrueClasses.read(cases)
        cases = columns.those_that_count(cases)
        roles = [role for role in cases if role.startswith(ROLE)]
        names = [cases[role].name for role in roles]
        levels = true.levels
        occurring = true.labels if len(levels) != len(names) else sorted(levels)
        found = matched(true.column, occurring, names, classes, called)
        if classes is None and true.has_order(found.labels):
            found = found.sorted(levels.index)
        elif not ordered and not isinstance(found.labels[0], str):
            found = found.sorted(None)
        scores = [cases[roles[i]] for i in found.order]
        rows = cls._held(stacked([validate.scores(one) for one in scores]), scores, called)
        truth = true.among(found.labels)
        order = order_of_cases(rows.T, truth, true.weight)
        score = in_order(rows, order).T
        labels, weight = tuple(found.labels), true.weight[order]
        return cls(labels, truth[order], score, weight, found.affix, true.weight_kind), order

    @classmethod
    def _held(cls, rows: np.ndarray, scores: list[columns.Column], called: str) -> np.ndarray:
        """The scores as they are held, from a row per class."""
        return rows

    @classmethod
    def _in_order(
        cls,
        labels: Labels,
        truth: np.ndarray,
        score: np.ndarray,
        weight: np.ndarray,
        affix: Affix,
        weight_kind: WeightKind | None,
    ) -> tuple[ClassScores, np.ndarray]:
        """The cases in an order of their own, and that order.

        With it sums over the cases do not depend on the order of the rows.
        """
        score = score + score.dtype.type(0)  # -0 becomes 0
        order = order_of_cases(score, truth, weight)
        return cls(labels, truth[order], score[order], weight[order], affix, weight_kind), order

    def resampled(self, weight: np.ndarray) -> ClassScores:
        """Tables with a leading axis: the same cases with other weights, shape (replicates, n)."""
        new = object.__new__(type(self))
        _ = self._predicted  # shared, as whatever depends on the scores alone
        names = ("labels", "truth", "score", "affix", "given", "logit", "probability", "_exact", "_predicted")
        held = {name: self.__dict__[name] for name in names if name in self.__dict__}
        new.__dict__.update(held, weight=weight, weight_kind="count")
        return new

    def one_vs_rest(self, label: Any) -> RankingTable:
        """The ranking table of a class against all others, by the score of that class."""
        return self._against_others(label, RankingTable, lambda i: self.score[:, i])

    def _against_others(
        self, label: Any, kind: type[RankingTable], score: Callable[[int], np.ndarray]
    ) -> RankingTable:
        label = plain(label)
        if not validate.hashable(label) or label not in self.labels:
            raise InputError(
                "unknown-name",
                "label",
                f"{shown(label)} is not a class here",
                f"the classes are {listed(self.labels)}",
                value=label,
            )
        i = self.labels.index(label)
        weight = None if (self.weight == 1).all() else self.weight
        truth = (self.truth == i).astype(np.int8)
        weight_kind = None if weight is None else self.weight_kind
        return kind.from_arrays(
            truth=truth, score=score(i), weight=weight, positive=1, weight_kind=weight_kind
        )

    def confusion(self, ordered: bool | None = False) -> ConfusionMatrix:
        """The confusion matrix where the class with the highest score is predicted.

        ordered: as for a ConfusionMatrix.
        """
        size = len(self.labels)
        place = self.truth * size + self.predicted()[0]

        def cells(weight: np.ndarray) -> np.ndarray:
            sums = kernels.sums_of_each if weight.ndim > 1 else kernels.sums
            found: np.ndarray = sums(place, weight, size * size)
            return found.reshape(*weight.shape[:-1], size, size)

        if self.weight.ndim > 1:
            return ConfusionMatrix.of(self.labels, cells(self.weight), ordered)
        return ConfusionMatrix(
            self.labels, cells(self.weight), None if self.squares is None else cells(self.squares), ordered
        )

    def __len__(self) -> int:
        """The number of classes."""
        return len(self.labels)

    def __add__(self, other: ClassScores) -> ClassScores:
        if not isinstance(other, ClassScores):
            return self if isinstance(other, int) and other == 0 else NotImplemented
        if type(other) is not type(self):
            raise InputError(
                "mismatch", "score", "one holds logits and the other does not", "make both in one way"
            )
        if len(self) != len(other) or set(self.labels) != set(other.labels):
            both = f"{shown(list(self.labels))} and {shown(list(other.labels))}"
            raise InputError("mismatch", "classes", f"{both} differ", "give both the same columns")
        pairs = zip(self._arrays(), other._in_order_of(self.labels), strict=True)
        truth, score, weight = (np.concatenate(pair) for pair in pairs)
        total, _ = self._in_order(
            self.labels, truth, score, weight, self.affix or other.affix, self._kind_with(other)
        )
        if total.squares is None:
            weighting.countable("weight", total.total)
        return total

    __radd__ = __add__

    def _kind_with(self, other: ClassScores) -> WeightKind | None:
        """The kind of the weights of both together.

        Importance if the kinds differ and one of them is importance or holds fractions.
        """
        if self.weight_kind == other.weight_kind:
            return self.weight_kind
        return "count" if self.squares is None and other.squares is None else "importance"

    def _in_order_of(self, labels: tuple[Any, ...]) -> Arrays:
        """The arrays, with the columns in this order of the labels."""
        order = np.array([self.labels.index(label) for label in labels], np.int64)
        if (order == np.arange(len(order))).all():
            return self._arrays()
        return np.argsort(order)[self.truth], self.score[:, order], self.weight

    def __mul__(self, factor: float) -> ClassScores:
        weight_kind: WeightKind = "count" if self.squares is None else "importance"
        return type(self)(
            self.labels, self.truth, self.score, self.weight * float(factor), self.affix, weight_kind
        )

    def repeated(self, times: float) -> ClassScores:
        """The same cases, `times` times as many."""
        found = self * times
        if self.squares is not None:
            found.__dict__["squares"] = validate.frozen(self.squares * times)
        return found

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or self.labels != other.labels:
            return False
        return all(map(np.array_equal, self._arrays(), other._arrays()))

    __hash__ = None  # type: ignore[assignment]

    @property
    def _columns(self) -> dict[str, Any]:
        """One row per case: its actual class, its score for each class, its weight."""
        scores = {f"score {label}": column for label, column in zip(self.labels, self.score.T, strict=True)}
        return {"truth": [self.labels[i] for i in self.truth.tolist()], **scores, "weight": self.weight}

    def to_dict(self) -> dict[str, Any]:
        """Lists and the type of the scores; infinite scores as the text "inf" or "-inf"."""
        score = [
            [value if np.isfinite(value) else str(value) for value in row] for row in self.score.tolist()
        ]
        cases = {"truth": self.truth.tolist(), "score": score, "weight": self.weight.tolist()}
        labels = [text.json_label(label) for label in self.labels]
        kind = {} if self.weight_kind is None else {"weight_kind": self.weight_kind}
        return {"labels": labels, **cases, **kind, "score_type": self.score.dtype.name, **self._kind}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> ClassScores:
        """Make the summary from the result of `to_dict`."""
        cls._check_kind(table)
        kind = validate.choice(table.get("score_type", "float64"), SCORE_TYPES, "score_type")
        score = np.array([[float(value) for value in row] for row in table["score"]], kind).reshape(
            -1, len(table["labels"])
        )
        truth, weight, weight_kind = (
            np.array(table["truth"], np.int64),
            np.array(table["weight"], float),
            table.get("weight_kind"),
        )
        return cls(text.read_labels(table["labels"]), truth, score, weight, weight_kind=weight_kind)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.truth)} cases, {len(self)} classes)"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (
            self.labels,
            *(array.copy() for array in self._arrays()),
            self.affix,
            self.weight_kind,
        )

    def _arrays(self) -> Arrays:
        return self.truth, self.score, self.weight
