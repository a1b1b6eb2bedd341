"""`Accumulator`: cases that come bit by bit, as a stream or in parts, and are measured at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..input import CaseSpec, validate, weighting
from ..input.arguments import Missing, ScoreKind, WeightKind
from ..input.calls import constructor, public
from ..input.errors import InputError
from ..input.labels import NotAnAnswer, plain
from ..input.results import Result
from ..input.score_columns import is_indicator
from ..input.sources import tally
from ..input.validate import WHOLE_BELOW, labels as labels_of, shown
from .case_sums import SETTINGS, CaseSums, check_same, opened
from .evaluate import evaluate
from .results import Evaluation, EvaluationTable

HELD = 1 << 16  # rows of updates that are summed together
SMALL = 1 << 12  # rows of an update that is held
Key = tuple[str, str | None]  # the argument, and the name of the model


class Usual(NamedTuple):
    """The type of an array of earlier updates, and what it may hold: labels that occurred, or a range."""

    dtype: np.dtype[Any]
    labels: set[Any] | None
    low: float = -WHOLE_BELOW
    high: float = WHOLE_BELOW

    def holds(self, values: Any) -> bool:
        """Whether an array is so, and can be summed without a further look."""
        if type(values) is not np.ndarray or values.dtype != self.dtype or values.ndim != 1:
            return False
        if self.labels is not None:
            return self.labels.issuperset(values.tolist())
        return len(values) > 0 and self.low <= float(values.min()) and float(values.max()) <= self.high


@constructor
class Accumulator(Result):
    """Cases that are added bit by bit, of which only the sums are held, and measured at any time.

    Parameters
    ----------
    regression, positive, predicted_positive, not_an_answer, classes, ordered, higher_is_positive
        As for `evaluate`.
    score_kind, weight_kind, missing, memory
        As for `evaluate`.

    Raises
    ------
    InputError
        For wrong arguments.

    Notes
    -----
    `evaluate` of an accumulator is that of all its cases at once. Accumulators of parts of the cases, such as
    days or machines, add up with `merge` or `+`, in any order, and are kept in .tally files (`save`,
    `load`). Memory grows with the distinct scores, up to `memory`, or with the cells of a table of labels;
    of a score per class, with the cases.

    Examples
    --------
    >>> import tallymark as tm
    >>> accumulator = tm.Accumulator()
    >>> for truth, score in (([0, 1], [0.1, 0.8]), ([1, 0], [0.6, 0.7])):
    ...     accumulator.update(truth=truth, score=score)
    >>> accumulator.evaluate()["roc_auc"].value
    0.75
    """

    WRITERS: ClassVar[Mapping[str, str]] = {tally.ENDING: "tally"}

    def __init__(
        self,
        *,
        regression: bool = False,
        positive: Any = None,
        predicted_positive: Any = None,
        not_an_answer: Sequence[Any] | None = None,
        classes: Sequence[Any] | None = None,
        ordered: bool = False,
        higher_is_positive: bool = True,
        score_kind: ScoreKind | None = None,
        weight_kind: WeightKind | None = None,
        missing: Missing = "reject",
        memory: str | int | None = None,
    ):
        given = locals()
        described = {name: given[name] for name in SETTINGS}
        if isinstance(not_an_answer, str):
            described["not_an_answer"] = [not_an_answer]
        for name in ("not_an_answer", "classes"):
            if described[name] is not None:
                described[name] = [plain(one) for one in labels_of(described[name], name)]
        described.update({name: plain(described[name]) for name in ("positive", "predicted_positive")})
        of_labels = predicted_positive is not None or not_an_answer is not None
        CaseSpec(
            **described, memory=memory, predicted="" if of_labels else None
        )  # raises InputError, as do the next two
        weighting.weight_kind(weight_kind)
        NotAnAnswer.of(described["not_an_answer"])
        self._described, self._memory, self._sums = described, memory, None
        self._usual: dict[Key, Usual] = {}
        self._held: list[dict[Key, np.ndarray]] = []
        self._rows_held = 0

    _sums: CaseSums | None

    @public()
    def update(
        self,
        data: Any = None,
        /,
        *,
        truth: Any,
        score: Any = None,
        predicted: Any = None,
        weight: Any = None,
        where: str | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Add cases.

        Parameters
        ----------
        data : data frame, path, list of paths or mapping of columns, optional
            As for `evaluate`; the other arguments then name columns.
        truth, score, predicted, weight
            As for `evaluate`, with the same models in every update; there may be no rows.
        where, progress
            As for `evaluate`, of these cases.

        Raises
        ------
        InputError
            As `evaluate`; the cases of this call are then left out as a whole.
        """
        given = {"truth": truth, "score": score, "predicted": predicted, "weight": weight}
        arrays = dict(_arrays(given)) if data is None else {}
        if is_indicator(truth) and not any(map(len, arrays.values())):  # no rows of several labels
            return
        rows = len(truth) if where is None and self._are_usual(arrays) else 0
        if rows:
            self._held.append({key: array.copy() for key, array in arrays.items()})
            self._rows_held += rows
            if self._rows_held >= HELD:
                self._sum_held()
            return
        more = self._read(data, {**given, "where": where}, progress)
        if arrays and not more.cases.dropped:
            self._learn(arrays)

    def _read(
        self, data: Any, given: Mapping[str, Any], progress: Callable[[int], None] | None = None
    ) -> CaseSums:
        """Sums cases, and adds them."""
        spec = CaseSpec(**self._described, memory=self._memory, **given)
        try:
            more = CaseSums.read(data, spec, progress, complete=False, before=self._sums).in_brief()
        except InputError as wrong:
            if not any(f"{name}=" in wrong.remedy for name in SETTINGS):
                raise
            raise wrong.with_remedy(f"{wrong.remedy}, where the Accumulator is made") from None
        self._sums = more if self._sums is None else self._sums + more
        return more

    def _are_usual(self, arrays: Mapping[Key, Any]) -> bool:
        """Whether these are few rows of arrays as in earlier updates."""
        return (
            bool(arrays)
            and arrays.keys() == self._usual.keys()
            and all(self._usual[key].holds(array) for key, array in arrays.items())
            and len({len(array) for array in arrays.values()}) == 1
            and len(arrays["truth", None]) <= SMALL
        )

    def _learn(self, arrays: Mapping[Key, Any]) -> None:
        """What arrays are usual: those of an update that raised nothing."""
        numbers = [type(one) is np.ndarray and one.ndim == 1 and len(one) <= SMALL for one in arrays.values()]
        whole_weights = self._described["weight_kind"] == "count" and ("weight", None) in arrays
        if not all(numbers) or whole_weights:
            return
        usual = {}
        for (name, model), array in arrays.items():
            labels = None
            low, high = -WHOLE_BELOW, WHOLE_BELOW
            if name in ("truth", "predicted") and not self._described["regression"]:
                before = self._usual.get((name, model))
                labels = {*array.tolist(), *((before and before.labels) or ())}
                if array.dtype.kind == "O" and not all(isinstance(one, str) for one in labels):
                    return
            elif name == "weight" or self._described["score_kind"] == "probability":
                low, high = 0.0, 1e9 if name == "weight" else 1.0
            usual[name, model] = Usual(array.dtype, labels, low, high)
        self._usual = usual

    def _sum_held(self) -> None:
        """Sums the small updates that are held."""
        if not self._held:
            return
        given: dict[str, Any] = {}
        for name, model in self._held[0]:
            array = np.concatenate([one[name, model] for one in self._held])
            given[name] = array if model is None else {**given.get(name, {}), model: array}
        self._read(None, given)
        self._held, self._rows_held = [], 0

    @property
    def _case_sums(self) -> CaseSums:
        """The sums of all cases. Raises InputError without any."""
        self._sum_held()
        if self._sums is None:
            raise InputError("empty", None, "there are no cases yet", "`update` adds some")
        return self._sums

    @property
    def rows(self) -> int:
        """The number of cases."""
        return self._rows_held + (self._sums.cases.rows if self._sums else 0)

    @public()
    def merge(self, *others: Accumulator) -> None:
        """Add the cases of others.

        Parameters
        ----------
        others : Accumulator
            Of the same description, kind and models; in any order.

        Raises
        ------
        InputError
            Where these differ, and for labels that do not fit together; nothing is then added.
        """
        self._sum_held()
        found = self
        for other in others:
            found = found + validate.of_type(other, Accumulator, "others")
        self._held, self._rows_held, self._sums = [], 0, found._sums

    def __add__(self, other: Accumulator) -> Accumulator:
        if not isinstance(other, Accumulator):
            return NotImplemented
        check_same(self._described, other._described)
        result = Accumulator(**self._described, memory=self._memory)
        for one in (self, other):
            one._sum_held()
            if one._sums is not None:
                result._sums = one._sums if result._sums is None else result._sums + one._sums
        return result

    def evaluate(self, **measured: Any) -> Evaluation | EvaluationTable:
        """The evaluation of all cases so far, with the arguments of `evaluate` that say what is measured.

        Parameters
        ----------
        **measured
            `threshold`, `rule`, `level`, `measures` and others.

        Returns
        -------
        Evaluation or EvaluationTable
            As for all cases at once. The differences of several models need the cases.
        """
        return evaluate(self, **measured)

    @classmethod
    @public()
    def load(cls, path: str | Path) -> Accumulator:
        """Read a .tally file that `save` wrote; those of several paths, or of a pattern, are added.

        Parameters
        ----------
        path : str, pathlib.Path, or list of these
            Of .tally files.

        Returns
        -------
        Accumulator
            With the cases of all of them.

        Raises
        ------
        InputError
            For what is not such a file, whole and unchanged, for one of a newer layout, and for files that do
            not add up.
        """
        sums = opened(path)
        if sums is None:
            raise InputError("unreadable", "path", f"{shown(path)} is no {tally.ENDING} file", tally.WAY_OUT)
        result = cls(**{name: getattr(sums.without_cases().cases.spec, name) for name in SETTINGS})
        result._sums = sums
        return result

    def to_dict(self) -> dict[str, Any]:
        """The number of cases and of dropped rows, what the cases hold, and the names of the models."""
        self._sum_held()
        if self._sums is None:
            return {"rows": 0}
        cases = self._sums.cases
        return {
            "rows": cases.rows,
            "dropped": cases.dropped,
            "of": cases.spec.kind,
            "models": [*cases.models],
        }


def _arrays(given: Mapping[str, Any]) -> Iterator[tuple[Key, Any]]:
    """The arrays that were given, by argument and model."""
    for name, values in given.items():
        if isinstance(values, Mapping):
            yield from (((name, model), one) for model, one in values.items())
        elif values is not None:
            yield (name, None), values
