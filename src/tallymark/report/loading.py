"""A result from the JSON file that `save` wrote: of whatever kind it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from ..evaluation import (
    advice,
    biometrics,
    bootstrap,
    calibration,
    class_mix,
    identification,
    prevalence,
    roc_points,
    unscored,
)
from ..evaluation.accumulator import Accumulator
from ..evaluation.folds import of_models as folds
from ..evaluation.groups import of_models as groups
from ..evaluation.results import Evaluation
from ..evaluation.thresholds import choose_threshold
from ..input.calls import public
from ..input.errors import InputError
from ..input.results import Answer, Readable
from ..input.sources import tally
from ..input.values import shown
from ..studies import compare, gate, planning, retraining
from ..summaries.value import Summary
from .saved import SavedResult
from .writing import named

# The kinds of answers are those that these modules define.
ANSWERS = (
    advice, biometrics, bootstrap, calibration, choose_threshold, class_mix, compare, folds, gate, groups,
    identification, planning, prevalence, retraining, roc_points, unscored,
)  # fmt: skip
ENDING = ".json"

T = TypeVar("T")


@public()
def load(path: str | Path) -> Any:
    """Read a result from the JSON file, or an `Accumulator` from the .tally file, that its `save` wrote.

    Parameters
    ----------
    path : str or pathlib.Path
        A .json file, written by `save` of any result, or by `--json` on the command line; or a .tally file.

    Returns
    -------
    SavedResult, summary, Plan or Accumulator
        A summary, such as a `RankingTable`, and a `Plan` are equal to those that were saved. All others are a
        `SavedResult`, which holds the figures and not the cases.

    Raises
    ------
    InputError
        Where there is no such file, and for a file that is not the JSON of a whole result: other formats, a
        part of a result, such as an estimate, and another version of the layout.

    Examples
    --------
    >>> import tallymark as tm
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     tm.evaluate(truth=[0, 1, 1, 0], score=[0.1, 0.8, 0.6, 0.7]).save(f"{folder}/ev.json")
    ...     saved = tm.load(f"{folder}/ev.json")
    >>> saved["roc_auc"].value
    0.75
    >>> saved.kind.__name__
    'BinaryEvaluation'
    """
    if str(path).lower().endswith(tally.ENDING):
        return Accumulator.load(path)
    target = _checked(path)
    written, plain = _read(target)
    return _of_answer(plain, written) if "answer" in plain else _of_summary(plain, written)


def _checked(path: Any) -> Path:
    try:
        target = Path(path)
    except TypeError:
        problem = f"it is {shown(path)}, not the path of a file"
        raise InputError("invalid-value", "path", problem, "of JSON as text read from_json") from None
    if target.suffix.lower() != ENDING:
        problem = f"{named(target)} does not end in {ENDING}, and other formats do not hold a whole result"
        raise InputError("unreadable", "path", problem, "save the result as .json, and read that")
    return target


def _read(target: Path) -> tuple[str, Mapping[str, Any]]:
    """The text of the file, and what it holds."""
    try:
        written = target.read_text(encoding="utf-8")
        plain = json.loads(written)
    except OSError as reason:
        problem = f"{named(target)} cannot be read ({reason.strerror})"
        raise InputError("unreadable", "path", problem, "check the path") from None
    except (ValueError, RecursionError):
        problem = f"{named(target)} is not JSON"
        raise InputError("unreadable", "path", problem, "pass a file that save wrote") from None
    if not isinstance(plain, dict):
        raise _of_nothing()
    return written, plain


def _of_answer(plain: Mapping[str, Any], written: str) -> SavedResult | Readable:
    every: Iterator[Any] = chain(_below(Answer), _below(Readable))
    kinds = {kind.ANSWER: kind for kind in every if hasattr(kind, "ANSWER")}
    kinds[Evaluation.ANSWER] = Evaluation  # which reads those of all tasks
    kind = kinds.get(str(plain["answer"]))
    if kind is None:
        problem = f"the answer {shown(plain['answer'])} is not the whole of one result"
        raise InputError("unreadable", "path", problem, "read it with the module json", value=plain["answer"])
    found: SavedResult | Readable = kind.from_json(written)
    return found


def _of_summary(plain: Mapping[str, Any], written: str) -> Readable:
    for kind in _below(Summary):
        if {*getattr(kind, "ENTRIES", ("",))} <= plain.keys() and plain.get("score_kind") == kind.SCORE_KIND:
            return kind.from_json(written)
    raise _of_nothing()


def _below(kind: type[T]) -> Iterator[type[T]]:
    """The classes of a kind of results, without those that a data class with slots replaced by another."""
    for one in kind.__subclasses__():
        if vars(sys.modules[one.__module__]).get(one.__name__) is one:
            yield one
        yield from _below(one)


def _of_nothing() -> InputError:
    return InputError(
        "unreadable",
        "path",
        "this is no JSON of a whole result, but of a part, such as an estimate, or of something else",
        "save the result that holds it",
    )
