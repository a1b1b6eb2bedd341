"""A score or a logit per class for every case, by which the cases are ranked once for each class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import kernels
from ..input import columns, text, validate, weighting
from ..input.arguments import WeightKind
from ..input.calls import public
from ..input.columns import Column
from ..input.labels import brief, kind_of, plain, together
from ..input.messages import Note
from ..input.score_columns import (
    ROLE,
    check_rows,
    matched,
    named,
    no_distribution,
    score_columns,
    some_finite,
    stacked,
    why_no_distribution,
)
from ..input.validate import InputError, shown
from ..input.weighting import effective
from .confusion import ConfusionMatrix
from .ranking import LogitTable, RankingTable, Squares, of_answers
from .value import Value, both, cached, equal, in_lists, scores_of


class TrueClasses(NamedTuple):
    """The actual classes of the cases whose weight is not 0.

    column: the truth; labels: those that occur, sorted; codes: the place of the label of each case among
    them, shape (n,); weight: of each case, shape (n,); weight_kind: as for a column of weights.
    """

    column: Column
    labels: list[Any]
    codes: np.ndarray
    weight: np.ndarray
    weight_kind: WeightKind | None

    @classmethod
    def read(cls, cases: dict[str, Column]) -> TrueClasses:
        """Read "truth", and "weight" if there is one, from columns by role.

        Raises InputError for labels that are missing or not valid, and for weights that are not valid.
        """
        part: dict[str, Column] = {role: cases[role] for role in ("truth", "weight") if role in cases}
        validate.same_length(*part.values())
        for column in part.values():
            validate.no_gaps(column)
        part = columns.those_that_count(part)
        truth, weight = part["truth"], part.get("weight")
        kind_of(truth)
        labels, (codes,) = together(truth.values)
        given = weighting.weights(weight)
        weights = np.ones(len(truth)) if given is None else given
        return cls(truth, labels, codes, weights, None if weight is None else weight.weight_kind)

    @property
    def levels(self) -> tuple[Any, ...]:
        """All classes, where their type declares them."""
        declared = self.column.levels
        known = declared is not None and {*self.labels} <= {*declared.labels}
        return declared.labels if declared is not None and known else ()

    def has_order(self, labels: Sequence[Any]) -> bool:
        """Whether the type of the labels declares the order of these."""
        declared = self.column.levels
        return declared is not None and declared.ordered and {*labels} <= {*self.levels}

    def among(self, labels: Sequence[Any]) -> np.ndarray:
        """The place of the label of each case among these, which include all that occur."""
        place = {label: i for i, label in enumerate(labels)}
        return np.array([place[label] for label in self.labels], np.int64)[self.codes]


CELLS_AT_ONCE = 1 << 17  # scores per block


def ends_of_ties(new: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """In each row the first and the last place of the scores tied with each.

    new: where a score differs from the one before.
    """
    n = new.shape[1]
    at, ends = np.arange(n), np.ones(new.shape, bool)
    ends[:, :-1] = new[:, 1:]
    first = np.maximum.accumulate(np.where(new, at, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, at, n - 1)[:, ::-1], axis=1)[:, ::-1]
    return first, last


CASES_AT_ONCE = 1 << 10  # whose scores fit into the cache


Labels = tuple[Any, ...]
Affix = tuple[str, str] | None
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]  # the true classes, scores and weights


class ClassScores(Value):
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

    ENTRIES = ("labels", "truth", "score")
    FIELDS = (*ENTRIES, "weight", "affix", "weight_kind")
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
        self._set(tuple(labels), truth, np.asfortranarray(score), weight, affix, weight_kind)

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
        return cls.from_columns({"truth": columns.read(truth, "truth"), **of_columns, **weights}, classes)

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
    ) -> ClassScores:
        """Read columns; cases whose weight is 0 are left out.

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
        score = (rows + rows.dtype.type(0)).T  # -0 becomes 0
        return cls(tuple(found.labels), truth, score, true.weight.copy(), found.affix, true.weight_kind)

    @classmethod
    def _held(cls, rows: np.ndarray, scores: list[columns.Column], called: str) -> np.ndarray:
        """The scores as they are held, from a row per class."""
        return rows

    def resampled(self, weight: np.ndarray) -> ClassScores:
        """Tables with a leading axis: the same cases with other weights, shape (replicates, n)."""
        new = object.__new__(type(self))
        _ = self._predicted  # shared, as whatever depends on the scores alone
        names = ("labels", "truth", "score", "affix", "given", "logit", "probability", "_predicted")
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
                f"the classes are {brief(self.labels)}",
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
            return kernels.sums(place, weight, size * size).reshape(*weight.shape[:-1], size, size)

        make = ConfusionMatrix.of if self.weight.ndim > 1 else ConfusionMatrix
        return make(self.labels, *both(cells, self.weight, self.squares), ordered)

    def __len__(self) -> int:
        """The number of classes."""
        return len(self.labels)

    def _plus(self, other: ClassScores) -> ClassScores:
        if type(other) is not type(self):
            raise InputError(
                "mismatch", "score", "one holds logits and the other does not", "make both in one way"
            )
        if len(self) != len(other) or set(self.labels) != set(other.labels):
            both = f"{shown(list(self.labels))} and {shown(list(other.labels))}"
            raise InputError("mismatch", "classes", f"{both} differ", "give both the same columns")
        pairs = zip((self.truth, self.score, self.weight), other._in_order_of(self.labels), strict=True)
        truth, score, weight = (np.concatenate(pair) for pair in pairs)
        total = type(self)(
            self.labels, truth, score, weight, self.affix or other.affix, self._kind_with(other)
        )
        if total.squares is None:
            weighting.countable("weight", total.total)
        return total

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
        return np.argsort(order)[self.truth], self.score[:, order], self.weight

    def _scaled(self, factor: Any, of_squares: Any) -> ClassScores:
        weight_kind: WeightKind = "count" if self.squares is None else "importance"
        result = self.of(self.labels, self.truth, self.score, self.weight * factor, self.affix, weight_kind)
        if self.squares is not None:
            result.__dict__["squares"] = validate.frozen(self.squares * of_squares)
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ClassScores) or type(other) is not type(self) or self.labels != other.labels:
            return False
        return equal(self._in_one_order, other._in_one_order)

    @property
    def _in_one_order(self) -> Arrays:
        """The arrays, with the cases in an order that depends on them alone."""
        order = np.lexsort((self.weight, self.truth, *self.score.T))
        return self.truth[order], self.score[order], self.weight[order]

    @property
    def _columns(self) -> dict[str, Any]:
        """One row per case: its actual class, its score for each class, its weight."""
        scores = {f"score {label}": column for label, column in zip(self.labels, self.score.T, strict=True)}
        return {"truth": [self.labels[i] for i in self.truth.tolist()], **scores, "weight": self.weight}

    def to_dict(self) -> dict[str, Any]:
        """Lists and the type of the scores; infinite scores as the text "inf" or "-inf"."""
        cases = {"truth": self.truth.tolist(), "score": in_lists(self.score), "weight": self.weight.tolist()}
        labels = [text.json_label(label) for label in self.labels]
        kind = {} if self.weight_kind is None else {"weight_kind": self.weight_kind}
        return {"labels": labels, **cases, **kind, "score_type": self.score.dtype.name, **self._kind}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> ClassScores:
        """Make the summary from the result of `to_dict`."""
        cls._check_kind(table)
        score = scores_of(table, "score").reshape(-1, len(table["labels"]))
        truth, weight, weight_kind = (
            np.array(table["truth"], np.int64),
            np.array(table["weight"], float),
            table.get("weight_kind"),
        )
        return cls(text.read_labels(table["labels"]), truth, score, weight, weight_kind=weight_kind)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.truth)} cases, {len(self)} classes)"

    def predicted(self) -> tuple[np.ndarray, float]:
        """The index of the class with the highest score, the first of several equal ones.

        Also the weight of the cases with several highest scores.
        """
        return self._predicted

    @cached
    def _predicted(self) -> tuple[np.ndarray, float]:
        if not len(self.truth):
            return np.empty(0, np.int64), 0.0
        answer, ambiguous = np.empty(len(self.truth), np.int64), np.zeros(len(self.truth), bool)
        for start in range(0, len(answer), CASES_AT_ONCE):
            rows = slice(start, start + CASES_AT_ONCE)
            some = self.score[rows]
            highest = some == some.max(axis=1, keepdims=True)
            answer[rows] = highest.argmax(axis=1)
            if np.count_nonzero(highest) > len(some):
                ambiguous[rows] = np.count_nonzero(highest, axis=1) > 1
        return answer, float(self.weight[ambiguous].sum())

    @cached
    def confidence(self) -> RankingTable:
        """The highest probability of every case, or its logit, as scores; right answers are the positives."""
        answer, _ = self.predicted()

        def by_answer(weight: np.ndarray) -> Squares:
            right = np.where(answer == self.truth, weight, 0.0)
            return Squares(right, weight - right)

        (right, wrong), squares = both(by_answer, self.weight, self.squares)
        return of_answers(self.kind_of_table, self.highest, right, wrong, squares)

    @property
    def ranked_by(self) -> np.ndarray:
        """The scores by which cases are ranked in each class, shape (n, K)."""
        return self.score

    @cached
    def _ranked(self) -> tuple[np.ndarray, np.ndarray]:
        """The cases of each class by descending score, and where a score differs from the one before.

        Two arrays of shape (K, n), computed in blocks; places are 32-bit to save memory.
        """
        shape = self.ranked_by.shape[::-1]
        place, new = np.empty(shape, np.int32 if shape[1] < 2**31 else np.int64), np.ones(shape, bool)
        for block in self.blocks():
            some = np.ascontiguousarray(self.ranked_by[:, block].T)
            order = np.argsort(-some, axis=1, kind="stable")
            some = np.take_along_axis(some, order, 1)
            place[block], new[block, 1:] = order, some[:, 1:] != some[:, :-1]
        return validate.frozen(place), validate.frozen(new)

    def blocks(self) -> Iterator[slice]:
        """The classes in blocks, so that temporary arrays of a block fit into the cache."""
        size = max(CELLS_AT_ONCE // max(len(self.truth), len(self.labels), 1), 1)
        return (
            slice(start, min(start + size, len(self.labels))) for start in range(0, len(self.labels), size)
        )

    def ranks(self, block: slice = slice(None)) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray] | None]:
        """The cases of some classes by descending score, and which are tied.

        Returns an array with a row per class, of the index of the case at each place; and two like it, of the
        first and of the last place of the cases tied with it, or None where no cases are tied.
        """
        place, new = (part[block] for part in self._ranked)
        return place.astype(np.intp), None if new.all() else ends_of_ties(new)

    @cached
    def total(self) -> Any:
        total = self.weight.sum(-1)
        return total if total.ndim else float(total)

    @cached
    def squares(self) -> np.ndarray | None:
        """The squared weight of every case; None if weights are numbers of cases."""
        if self.weight_kind == "count" or (self.weight_kind is None and (self.weight == 1).all()):
            return None
        return np.square(self.weight)

    @property
    def squared(self) -> np.ndarray:
        """The squared weight of every case; the weights where these are numbers of cases."""
        return self.weight if self.squares is None else self.squares

    @cached
    def effective_sizes(self) -> np.ndarray:
        """The effective number of cases of each class."""
        if self.squares is None:
            return self.sizes
        return validate.frozen(effective(self.sizes, kernels.sums(self.truth, self.squares, len(self))))

    @cached
    def sizes(self) -> np.ndarray:
        """The weight of each class."""
        return validate.frozen(kernels.sums(self.truth, self.weight, len(self)))

    @property
    def represented(self) -> Any:
        """The number of classes with cases, minus one."""
        found = np.maximum((self.sizes > 0).sum(-1) - 1.0, 0.0)
        return found if found.ndim else float(found)

    @cached
    def probability(self) -> np.ndarray:
        """The scores as probabilities of the classes, float64, shape (n, K)."""
        return self.score.astype(np.float64, copy=False)

    @property
    def epsilon(self) -> float:
        """The precision of the widest type of the columns."""
        return float(np.finfo(self.score.dtype).eps)

    @property
    def in_unit_interval(self) -> bool:
        """Whether the scores of every case lie in [0, 1] and add up to 1, but for rounding.

        The tolerance is 1e-6, or, where no score has more than d decimals (at least 2), K / 2 units of the
        last one (at most 0.1).
        """
        return self._stray is None

    @cached
    def _stray(self) -> int | None:
        """The first case whose scores are not probabilities."""
        bad = no_distribution(self.probability, self.epsilon)
        return int(bad.argmax()) if bad.any() else None

    @property
    def why_no_probabilities(self) -> Note:
        """Why the scores are not probabilities."""
        return why_no_distribution(self.probability[self._stray])

    def check_probabilities(self, score: Any) -> None:
        """Raises InputError with the first row of scores that are not probabilities.

        score: the scores from which this was made.
        """
        if not self.in_unit_interval:
            check_rows([named(values, role) for role, values in score_columns(score, True).items()])

    @cached
    def given(self) -> np.ndarray:
        """The predicted probability of the actual class of every case."""
        return np.clip(self.score[np.arange(len(self.truth)), self.truth].astype(np.float64), 0.0, 1.0)

    def log_given(self, clip: float | None = None) -> np.ndarray:
        """The natural logarithm of `given`, of at least `clip`, by default the precision of the scores."""
        with np.errstate(divide="ignore"):
            logs: np.ndarray = np.log(np.maximum(self.given, self.epsilon if clip is None else clip))
        return logs

    @property
    def highest(self) -> np.ndarray:
        """The highest probability of every case, or its logit for logits, in the type of the scores."""
        return np.clip(self.score.max(axis=1, initial=0.0), 0.0, 1.0)


class ClassLogits(ClassScores):
    """The actual class of every case, and the log-probability of each class from logits.

    Parameters
    ----------
    labels, truth, weight, affix, weight_kind
        As for `ClassScores`.
    score : array of float64, shape (n, K)
        The natural logarithm of softmax of the logits. The scores of a case differ from its logits by a
        constant, so that the order of the classes is the same.

    Notes
    -----
    A `ClassScores`. `from_arrays` takes the logits and computes the scores.
    """

    SCORE_KIND = "logit"
    kind_of_table = LogitTable

    @classmethod
    def _held(cls, rows: np.ndarray, scores: list[columns.Column], called: str) -> np.ndarray:
        from scipy.special import log_softmax

        some_finite(scores, called)
        with np.errstate(over="ignore"):  # of differences beyond 1e308
            held: np.ndarray = log_softmax(rows.astype(np.float64), axis=0)
        return held

    @cached
    def probability(self) -> np.ndarray:
        """Softmax of the logits, shape (n, K)."""
        return np.exp(self.score)

    @property
    def in_unit_interval(self) -> bool:
        """True, since every row of logits has probabilities."""
        return True

    @cached
    def logit(self) -> np.ndarray:
        """log(p / (1 - p)) of every probability, shape (n, K).

        For the highest probability 1 - p is computed as the sum of the others.
        """
        from scipy.special import logsumexp

        with np.errstate(divide="ignore"):
            logits: np.ndarray = self.score - np.log1p(-self.probability)
        if not len(self.truth):
            return logits
        rows, top = np.arange(len(self.truth)), self.score.argmax(axis=1)
        others = np.where(np.arange(len(self)) == top[:, None], -np.inf, self.score)
        logits[rows, top] = self.score[rows, top] - logsumexp(others, axis=1)
        return logits

    @property
    def ranked_by(self) -> np.ndarray:
        """The logits, which differ where probabilities are rounded to 1."""
        return self.logit

    @property
    def highest(self) -> np.ndarray:
        """The logit of the highest probability of every case."""
        return self.logit.max(axis=1, initial=-np.inf)

    @cached
    def given(self) -> np.ndarray:
        """The predicted probability of the actual class of every case."""
        return np.exp(self.log_given())

    def log_given(self, clip: float | None = None) -> np.ndarray:
        """The natural logarithm of `given`, of at least `clip` if that is given."""
        logs: np.ndarray = self.score[np.arange(len(self.truth)), self.truth]
        with np.errstate(divide="ignore"):
            return logs if clip is None else np.maximum(logs, np.log(clip))

    def one_vs_rest(self, label: Any) -> RankingTable:
        """The table of a class against all others: the logit of its probability."""
        return self._against_others(label, LogitTable, lambda i: self.logit[:, i])
