"""Which columns of a file are the actual labels and the scores, by their names.

It refuses where a wrong guess would give wrong numbers without a word: two columns that may be meant,
weights, rows of several models, labels in place of scores, a positive label that is not known.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn

from . import sources
from .columns import MISSING_LABELS
from .errors import series
from .labels import number_of, usual_positive
from .sources import BOM, check_kind, filled
from .sources.delimited import beginning
from .validate import InputError, of_numeral, shown


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TRUTH = _words(
    """y ytrue truth true label labels target targets actual actuals groundtruth gt outcome class yactual
    trueclass truelabel actualclass actuallabel observed"""
)
SCORE = _words(
    """score scores yscore p prob probs proba probability probabilities yprob yproba ypredproba predproba
    predprob predictedprobability predictedscore risk riskscore predictedrisk"""
)
KINDS = {"logit": "logit", "logits": "logit", "margin": "margin", "decisionfunction": "margin", "llr": "llr"}
PREDICTED = _words(
    """ypred pred preds prediction predictions predicted predictedlabel predictedclass predlabel predclass
    yhat"""
)
BEFORE = _words("p prob proba score probability pred predproba yscore yproba")  # before a label
OTHERS = {  # columns that change what the rows mean: their names, what they may say, what to do
    _words("weight weights sampleweight caseweight w wt"): (
        "be the weights of the cases",
        "say so with --weight {}",
    ),
    _words("model models modelname classifier algorithm system run runid seed epoch iteration"): (
        "say which model a row is of",
        "choose its rows",
    ),
    _words("fold foldid cvfold"): ("say which fold of a cross-validation a row is of", "choose its rows"),
    _words("split subset partition dataset traintest phase"): (
        "say which part of the data a row is of",
        "choose its rows",
    ),
}
GROUPS = _words("cluster group patient subject person user participant study session speaker customer")
NUMBERED = re.compile("(uid|id|no|nr|num|number|key|code)$")  # after the name of a group


ROWS = 10_000
BYTES = 1 << 22  # of text, at most
MISSING = MISSING_LABELS | {""}

FirstRows = dict[str, list[Any]]


def peek(path: str) -> FirstRows:
    """By name the values of the first rows: texts of CSV, values of JSON lines and Parquet.

    Missing values are None. Raises InputError for a file that cannot be read, and for several files.
    """
    files = sources.found(path)
    if len(files) > 1:
        raise InputError("needed", None, f"{shown(path)} stands for {len(files)} files", "name the columns")
    stream, kind = files[0].open()
    try:
        found = {"csv": _of_text, "json": _of_lines, "parquet": _of_parquet}[kind](stream, files[0].name)
    except (ValueError, OSError, csv.Error) as reason:
        if isinstance(reason, InputError):
            raise
        raise InputError(
            "unreadable", files[0].name, "its first rows cannot be read", "name the columns in evaluate"
        ) from reason
    finally:
        stream.close()
    return {
        name: [None if isinstance(value, str) and value in MISSING else value for value in values]
        for name, values in found.items()
    }


def _of_text(stream: Any, where: str) -> FirstRows:
    head, start, separators = beginning(filled(stream, BYTES), where)
    text = head[start:].decode(errors="surrogateescape")
    headers = {one: next(_rows(text, one), []) for one in separators}
    # one that tears quoted names leaves their quotation marks
    separator = max(separators, key=lambda one: (not any('"' in n for n in headers[one]), len(headers[one])))
    rows = list(islice(_rows(text, separator), ROWS + 1))
    names, body = (rows[0], rows[1:]) if rows else ([], [])
    if len(head) >= BYTES - len(BOM) and len(rows) <= ROWS:
        body = body[:-1]  # which may be cut off
    if len(set(names)) < len(names):
        raise InputError("repeated", None, "two columns have one name", "name the columns in evaluate")
    return {name: [row[i] for row in body if i < len(row)] for i, name in enumerate(names)}


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    return (row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if row)


def _of_lines(stream: Any, where: str) -> FirstRows:
    head = filled(stream, BYTES)
    check_kind(head, where)
    lines = head.removeprefix(BOM).decode(errors="surrogateescape").splitlines()
    lines = [line for line in (lines[:-1] if len(head) == BYTES else lines) if line.strip()]
    rows = [json.loads(line) for line in lines[:ROWS]]
    if not all(isinstance(row, dict) for row in rows):
        raise ValueError("a line is not an object")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _of_parquet(stream: Any, where: str) -> FirstRows:
    from pyarrow import parquet

    with parquet.ParquetFile(stream) as opened:
        names = opened.schema_arrow.names
        first = next(opened.iter_batches(ROWS), None)
        columns = {} if first is None else first.to_pydict()
    return {name: columns.get(name, []) for name in names}


Columns = Mapping[str, Sequence[Any]]

TWO = 2  # classes
ADDS_UP = 1e-3  # how far the probabilities of a row may be from 1
SHOWN = 8  # columns that a message lists
ANSWERS = ("score", "predicted")


@dataclass(frozen=True, slots=True)
class Guess:
    """What was taken: the arguments of `evaluate`, and the columns that are not used."""

    arguments: dict[str, Any]
    unused: tuple[str, ...]


def guess(columns: Columns, given: Mapping[str, Any]) -> Guess:
    """The columns of the actual labels and of the scores or predictions, by their names.

    given: arguments of `evaluate` that are known already. Raises InputError where the columns are not clear.
    """
    named = _named(given)
    rest = {name: values for name, values in columns.items() if name not in named}
    truth = given.get("truth") or _only([name for name in rest if _plain(name) in TRUTH], columns, "truth")
    if truth not in columns:
        raise InputError("unknown-name", "truth", f"there is no column {shown(truth)}", _listed(columns))
    rest.pop(truth, None)
    answered = any(given.get(name) is not None for name in ANSWERS)
    if not (given.get("truth") and answered):
        _check_others(rest, given)
    found = {"truth": truth}
    if not answered:
        found |= _answers(
            columns, rest, dict.fromkeys(str(one) for one in columns[truth] if one is not None), given
        )
    used = {*named, *_named(found)}
    new = {name: value for name, value in found.items() if name not in given}
    return Guess(new, tuple(name for name in columns if name not in used))


def _named(arguments: Mapping[str, Any]) -> set[str]:
    """The columns that arguments name."""
    values = (arguments.get(name) or () for name in ("truth", *ANSWERS, "weight", "clusters"))
    return {one for value in values for one in ([value] if isinstance(value, str) else value)}


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _listed(columns: Iterable[str]) -> str:
    names = list(columns)
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"the columns are {', '.join(map(shown, names[:SHOWN]))}{more}"


def _refuse(problem: str, remedy: str) -> NoReturn:
    raise InputError("ambiguous", None, problem, remedy)


def _only(names: Sequence[str], columns: Columns, argument: str) -> str:
    """The only column that is named as an argument is."""
    kind = "the actual labels" if argument == "truth" else "scores or predicted labels"
    if len(names) > 1:
        _refuse(f"{series(map(shown, names))} may all be {kind}", f"name one with --{argument}")
    if not names:
        usual = "y" if argument == "truth" else "score"
        problem = f"no column is named as {kind} are, such as {usual}; {_listed(columns)}"
        _refuse(problem, f"name it with --{argument}")
    return names[0]


def _check_others(rest: Columns, given: Mapping[str, Any]) -> None:
    """Refuses files with columns that change what the rows mean."""
    for name, values in rest.items():
        for names, (meaning, remedy) in OTHERS.items():
            if _plain(name) in names:
                remedy = f"{remedy.format(name)}, or name all columns in evaluate"
                _refuse(f"{shown(name)} may {meaning}", remedy)
        group = NUMBERED.sub("", _plain(name)) in GROUPS
        if group and given.get("clusters") is None and len(set(values)) < len(values):
            _refuse(
                f"rows with the same {shown(name)} may depend on each other",
                f"say so with --clusters {name}, or name all columns in evaluate",
            )


def _answers(
    columns: Columns, rest: Columns, labels: Collection[str], given: Mapping[str, Any]
) -> dict[str, Any]:
    """The scores, or the predicted labels. labels: the actual ones."""
    usual = usual_positive(map(number_of, labels))
    positive = given.get("positive") or next((one for one in labels if number_of(one) == usual), None)
    of_class = {
        label: name
        for name in rest
        for label in labels
        if name.endswith(label) and _plain(name.removesuffix(label)) in BEFORE
    }
    scores = [name for name in rest if _plain(name) in SCORE | KINDS.keys()]
    if len(of_class) == len(labels) >= TWO:
        names = [name for name in rest if name in of_class.values()]
        rows = [row for row in zip(*(rest[name] for name in names), strict=True) if not any(map(_lacks, row))]
        if not rows or not all(_adds_up(row) for row in rows):
            problem = f"{series(map(shown, names))} are named as the classes are, but do not add up to 1"
            _refuse(problem, "name each column with --score")
        if scores:
            problem = f"{series(map(shown, [*names, *scores]))} may all be scores"
            _refuse(problem, "name each column with --score")
        if len(labels) > TWO:
            return {"score": names}
        if positive is None:
            problem = f"which of {series(map(shown, labels))} is positive is not known"
            _refuse(problem, "name it with --positive")
    own = of_class.get(str(positive))
    if own is None and of_class and not scores:
        label, name = next(iter(of_class.items()))
        what = "it is not known which label is" if positive is None else f"{shown(positive)} is"
        problem = f"{shown(name)} is named as the probability of {shown(label)} is, and {what} positive"
        _refuse(problem, f"to measure {shown(label)} say --positive {label} --score {name}")
    predicted = [name for name in rest if _plain(name) in PREDICTED]
    score = _only([name for name in rest if name in (own, *scores)] or predicted, columns, "score")
    if score in predicted and {str(one) for one in rest[score] if not _lacks(one)} <= {*labels}:
        return {"predicted": score}
    known = [value for value in rest[score] if not _lacks(value)]
    numbers = [value for value in map(_number, known) if value is not None]
    # a text among numbers is refused where it is read, with its line
    if 2 * len(numbers) <= len(known) or {*numbers} <= {0.0, 1.0}:
        text = next((value for value in known if _number(value) is None), None)
        held = "no values" if not known else "only 0 and 1" if text is None else f"text, as {shown(text)}"
        hint = next(
            filter(None, map(of_numeral, rest[score])), f"if these are labels, say --predicted {score}"
        )
        _refuse(f"{shown(score)} is named as scores are, but holds {held}", hint)
    if len(labels) > TWO:
        problem = f"{shown(score)} is one score per case, but there are {len(labels)} or more classes"
        remedy = "name a column of scores for each class, or the predicted labels, or --regression"
        _refuse(problem, remedy)
    kind = KINDS.get(_plain(score))
    return {"score": score} | ({} if kind is None else {"score_kind": kind})


def _adds_up(row: Sequence[Any]) -> bool:
    numbers = [value for value in map(_number, row) if value is not None]
    return len(numbers) == len(row) and abs(sum(numbers) - 1) <= ADDS_UP


def _lacks(value: Any) -> bool:
    """Whether a value is missing: None, or NaN as in Parquet."""
    return value is None or value != value


def _number(value: Any) -> float | None:
    """A value as a number; None of another."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
