"""A guess at which columns of a file are the actual labels and the scores, from their names and first rows.

It refuses wherever a wrong guess would give wrong numbers without a word: two columns that may be meant, row
numbers, weights, rows of several models, labels in place of scores, a positive label that is not known.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from math import isnan
from typing import Any, NoReturn

from .arrays import MISSING_LABELS
from .sources import paths
from .sources.blocks import BOM, check_kind, filled
from .sources.delimited import beginning
from .spelling import series
from .validate import InputError, of_numeral, shown


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TRUTH = _words(
    """y ytrue truth true label labels target targets actual actuals groundtruth gt outcome class yactual
    trueclass truelabel actualclass actuallabel observed"""
)
SCORE = _words(
    """score scores yscore p prob probs proba probability probabilities yprob yproba ypredproba predproba
    predprob predictedprobability predictedscore risk riskscore predictedrisk confidence"""
)
KINDS = {"logit": "logit", "logits": "logit", "margin": "margin", "decisionfunction": "margin", "llr": "llr"}
PREDICTED = _words(
    """ypred pred preds prediction predictions predicted predictedlabel predictedclass predlabel predclass
    yhat"""
)
BEFORE = _words("p prob proba score probability pred predproba yscore yproba") | {""}  # before a label
NEGATIVE = _words("neg negative absent no not")
POSITIVE = (  # pairs of labels, the positive one first
    ("yes", "no"),
    ("positive", "negative"),
    ("pos", "neg"),
    ("present", "absent"),
    ("case", "control"),
)
NO_SCORES = _words("loss error err entropy uncertainty variance std pvalue threshold cutoff time")
PART = "{} may say which part of the data a row is of"
PARTS = _words("train training test testing val valid validation dev holdout")  # values of such columns
REFUSED = {  # columns that change what the rows mean: what is wrong, their names, the option for them
    "{} may be the weights of the cases": (
        _words("weight weights sampleweight caseweight w wt"),
        "--weight {}",
    ),
    "{} may say which model a row is of": (
        _words("model models modelname classifier algorithm system run runid seed epoch iteration"),
        "",
    ),
    "{} may say which fold of a cross-validation a row is of": (_words("fold foldid cvfold"), ""),
    PART: (_words("split subset partition dataset traintest"), ""),
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
    files = paths.found(path)
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

FEW, MANY = 2, 20  # labels of two classes; distinct numbers from which on they look like amounts
HALF = 0.5  # below which the confidence in the more probable of two labels is not
ADDS_UP = 1e-3  # how far the probabilities of a row may be from 1
SHOWN = 8  # columns that a message lists


@dataclass(frozen=True, slots=True)
class Guess:
    """What was taken: the arguments of `evaluate`, and the columns that are not used."""

    arguments: dict[str, Any]
    unused: tuple[str, ...]


def guess(columns: Columns, given: Mapping[str, Any]) -> Guess:
    """The columns of the actual labels and of the scores or predictions.

    given: arguments of `evaluate` that are known already. Raises InputError where the columns are not clear.
    """
    named = {*_named(given)}
    rest = {name: values for name, values in columns.items() if name not in named}
    truth = given.get("truth") or _truth(rest)
    if truth not in columns:
        raise InputError("unknown-name", "truth", f"there is no column {shown(truth)}", _of(columns))
    rest.pop(truth, None)
    if not given.get("truth") or (given.get("score") is None and given.get("predicted") is None):
        _check_others(rest, given)
    found = {"truth": truth} | _answers(columns, rest, truth, given) | _positive(columns[truth], given)
    new = {name: value for name, value in found.items() if name not in given}
    used = {*named, *_named(found)}
    return Guess(new, tuple(name for name in columns if name not in used))


def _named(arguments: Mapping[str, Any]) -> Iterable[str]:
    """The columns that arguments name."""
    for name in ("truth", "score", "predicted", "weight", "clusters"):
        value = arguments.get(name)
        yield from [value] if isinstance(value, str) else value or ()


def _refuse(problem: str, remedy: str) -> NoReturn:
    raise InputError("ambiguous", None, problem, remedy)


def _of(columns: Iterable[str]) -> str:
    names = list(columns)
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"the columns are {', '.join(map(shown, names[:SHOWN]))}{more}"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


# The actual labels
# --------------------------------------------------------------------------------------------------


def _truth(columns: Columns) -> str:
    found = [name for name in columns if _plain(name) in TRUTH]
    if len(found) == 1:
        return found[0]
    if found:
        _refuse(f"{series(map(shown, found))} may all be the actual labels", "name them with --truth")
    _refuse(f"no column is named as actual labels are, such as y; {_of(columns)}", "name it with --truth")


def _positive(truth: Sequence[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The positive label, where the two labels are a pair of which it is known."""
    if given.get("positive") is not None:
        return {}
    labels = {value for value in truth if value is not None}
    lower = {str(label).lower(): label for label in labels}
    if len(labels) != FEW or len(lower) != FEW:
        return {}
    pair = next((pair for pair in POSITIVE if lower.keys() == {*pair}), None)
    return {} if pair is None else {"positive": str(lower[pair[0]])}


# The other columns
# --------------------------------------------------------------------------------------------------


def _check_others(rest: Columns, given: Mapping[str, Any]) -> None:
    """Refuses files with columns that change what the rows mean."""
    for name in rest:
        for problem, (names, option) in REFUSED.items():
            if _plain(name) in names:
                remedy = (
                    f"say so with {option.format(name)}, or name" if option else "choose its rows, or name"
                )
                _refuse(problem.format(shown(name)), f"{remedy} all columns in evaluate")
    for name, values in rest.items():
        held = {str(value).lower() for value in values if value is not None}
        if held and held <= PARTS and _plain(name) not in PREDICTED:
            _refuse(PART.format(shown(name)), "choose its rows, or name all columns in evaluate")
        group = NUMBERED.sub("", _plain(name)) in GROUPS
        if group and given.get("clusters") is None and len(set(values)) < len(values):
            _refuse(
                f"rows with the same {shown(name)} may depend on each other",
                f"say so with --clusters {name}, or name all columns in evaluate",
            )


def _answers(columns: Columns, rest: Columns, truth: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The scores, or the predicted labels or amounts."""
    if given.get("score") is not None or given.get("predicted") is not None:
        return {}
    labels = {str(value): value for value in columns[truth] if value is not None}
    if given.get("regression") or _amounts(columns[truth]):
        return _predicted_amounts(rest)
    per_class = _per_class(rest, list(labels))
    if per_class:
        return _of_classes(rest, per_class, _positive_label(columns[truth], labels, given), list(labels))
    positive = _positive_label(columns[truth], labels, given)
    scores, predicted = _by_name(rest, labels, positive)
    if len(scores) > 1:
        _refuse(
            f"{series(map(shown, scores))} may all be scores",
            "name one with --score, or each with --model",
        )
    if len(predicted) > 1:
        _refuse(f"{series(map(shown, predicted))} may all be predicted labels", "name one with --predicted")
    if not scores and not predicted:
        scores = [_only(rest)]
    if scores:
        _check_class(scores[0], labels, positive)
        return _score(rest, scores[0], predicted, labels, given)
    return {"predicted": predicted[0]}


def _positive_label(truth: Sequence[Any], labels: Mapping[str, Any], given: Mapping[str, Any]) -> str | None:
    """The positive label as text, where it is given or known."""
    known = given.get("positive") or _positive(truth, given).get("positive") or _known({*labels})
    return None if known is None else str(known)


def _known(labels: set[str]) -> str | None:
    """The positive label of those that `evaluate` knows."""
    pairs = ({"0", "1"}, {"-1", "1"}, {"False", "True"}, {"false", "true"})
    return max(labels) if labels in pairs else None


def _check_class(name: str, labels: Iterable[str], positive: str | None) -> None:
    """Refuses a column that is named as the scores of another class than the positive one."""
    parts = {*re.findall("[a-z]+|[0-9]+", name.lower())}
    named = [label for label in labels if label.lower() in parts]
    if (named and named != [positive]) or (not named and parts & NEGATIVE):
        _refuse(
            f"{shown(name)} may be the scores of {shown(named[0] if named else 'the negative class')}",
            "say which label is positive, with --positive, and name the column with --score",
        )


def _by_name(rest: Columns, labels: Mapping[str, Any], positive: str | None) -> tuple[list[str], list[str]]:
    """The columns named as scores and those named as predicted labels; a prediction may be a score."""
    scores: list[str] = []
    predicted: list[str] = []
    for name, values in rest.items():
        plain = _plain(name)
        own = positive is not None and _of_class(plain, _plain(positive))
        if plain in SCORE or plain in KINDS or own:
            scores.append(name)
        elif plain in PREDICTED:
            known = all(str(value) in labels for value in values if value is not None)
            (predicted if known else scores).append(name)
    return scores, predicted


def _of_class(plain: str, label: str) -> bool:
    """Whether it is a word for scores and a label, as p1 and probyes."""
    return plain.endswith(label) and plain.removesuffix(label) in BEFORE - {""}


def _score(
    rest: Columns, name: str, predicted: Sequence[str], labels: Mapping[str, Any], given: Mapping[str, Any]
) -> dict[str, Any]:
    """The column of scores, after checks of its values and of other columns that look alike."""
    numbers = _numbers(rest[name])
    if numbers is None:
        held = "no values" if all(value is None for value in rest[name]) else "text"
        way_out = next(filter(None, map(of_numeral, rest[name])), "name the columns in evaluate")
        _refuse(f"{shown(name)} is named as scores are, but holds {held}", way_out)
    if len(labels) > FEW:
        _refuse(
            f"{shown(name)} is one score per case, but there are {len(labels)} or more classes",
            "name a column of scores for each class, or the predicted labels"
            + ", or say --regression with --predicted if they are amounts"
            * (len(labels) > MANY and _numbers([*labels]) is not None),
        )
    _check_numbers(name, numbers)
    if _plain(name) == "confidence" and min(numbers) >= HALF:
        _refuse(
            f"{shown(name)} may be of the predicted label, since no value is below {HALF}",
            "say that it is of the positive label, with --score, or name the predicted labels",
        )
    alike = [other for other, values in rest.items() if other != name and _like_probabilities(values)]
    if alike:
        _refuse(
            f"{series(map(shown, [name, *alike]))} may all be scores",
            "name one with --score, or each with --model",
        )
    kind = KINDS.get(_plain(name))
    if predicted and not _agrees(numbers, rest[predicted[0]], labels, 0.0 if kind == "logit" else 0.5, given):
        _refuse(
            f"{shown(predicted[0])} has other labels than {shown(name)} gives at the default threshold",
            f"choose one, with --score {name} or --predicted {predicted[0]}",
        )
    return {"score": name} | ({} if kind is None else {"score_kind": kind})


def _check_numbers(name: str, numbers: Sequence[float]) -> None:
    if {*numbers} <= {0.0, 1.0}:
        _refuse(
            f"{shown(name)} is named as scores are, but holds only 0 and 1",
            f"say whether these are labels, with --predicted {name} or --score {name}",
        )
    steps = {b - a for a, b in pairwise(numbers)}
    if len(numbers) > FEW and len(steps) == 1 and steps & {1.0, -1.0}:
        _refuse(f"{shown(name)} numbers the rows", "name the column of scores with --score")


def _agrees(
    numbers: Sequence[float],
    called: Sequence[Any],
    labels: Mapping[str, Any],
    at: float,
    given: Mapping[str, Any],
) -> bool:
    """Whether one of the labels is predicted for just the cases with scores from the threshold on."""
    above = [number >= at for number in numbers]
    positive = given.get("positive")
    return any(
        [str(one) == label for one in called] == above
        for label in labels
        if positive is None or label == str(positive)
    )


def _only(rest: Columns) -> str:
    """The only column besides the labels, if it may hold scores."""
    name = next(iter(rest), "")
    if len(rest) == 1 and _plain(name) not in NO_SCORES and _like_probabilities(rest[name]):
        return name
    _refuse(
        f"no column is named as scores or predicted labels are, such as score; {_of(rest)}",
        "name it with --score or --predicted",
    )


# A score per class
# --------------------------------------------------------------------------------------------------


def _per_class(rest: Columns, labels: Sequence[str]) -> list[str]:
    """The columns named as a label each, all after the same beginning, as p_a and p_b; empty without."""
    for before in {_beginning(name, label) for name in rest for label in labels if name.endswith(label)}:
        names = [f"{before}{label}" for label in labels]
        if len(labels) > 1 and _plain(before) in BEFORE and all(name in rest for name in names):
            names = [name for name in rest if name in names]
            others = (name for name in rest if name.startswith(before) and name not in names and before)
            return [*names, *(name for name in others if _like_probabilities(rest[name]))]
    return []


def _beginning(name: str, label: str) -> str:
    return name[: len(name) - len(label)]


def _of_classes(rest: Columns, names: list[str], positive: str | None, labels: list[str]) -> dict[str, Any]:
    """The columns, or of two the one of the positive class."""
    columns = [found for name in names if (found := _numbers(rest[name])) is not None]
    rows = list(zip(*columns, strict=False))
    if len(columns) < len(names) or any(abs(sum(row) - 1) > ADDS_UP for row in rows):
        _refuse(
            f"{series(map(shown, names))} are named as the classes are, but do not add up to 1",
            "name each column with --score",
        )
    others = [name for name in rest if name not in names and _plain(name) in SCORE | KINDS.keys()]
    if others:
        _refuse(f"{series(map(shown, [*names, *others]))} may all be scores", "name each column with --score")
    if len(names) > FEW:
        return {"score": names}
    if positive is None:
        _refuse(f"which of {series(map(shown, labels))} is positive is not known", "name it with --positive")
    return {"score": next(name for name in names if name.endswith(positive))}


# Amounts and numbers
# --------------------------------------------------------------------------------------------------


def _amounts(values: Sequence[Any]) -> bool:
    """Whether they are numbers with fractions, and very many different ones."""
    numbers = _numbers(values)
    return numbers is not None and len({*numbers}) > MANY and any(one % 1 for one in numbers)


def _predicted_amounts(rest: Columns) -> dict[str, Any]:
    found = [name for name in rest if _plain(name) in PREDICTED and _numbers(rest[name]) is not None]
    if len(found) != 1:
        _refuse(
            f"the actual values are amounts, and {len(found) or 'no'} columns are named as predictions are",
            "name it with --predicted, with --regression",
        )
    return {"predicted": found[0], "regression": True}


def _numbers(values: Sequence[Any]) -> list[float] | None:
    """The values as numbers, without missing ones; None where one is not a number, or all are missing."""
    try:
        found = [float(value) for value in values if value is not None]
    except (TypeError, ValueError):
        return None
    return [one for one in found if not isnan(one)] or None


def _like_probabilities(values: Sequence[Any]) -> bool:
    """Whether they are numbers from 0 to 1, some of them between."""
    numbers = _numbers(values)
    return (
        numbers is not None and all(0 <= one <= 1 for one in numbers) and any(0 < one < 1 for one in numbers)
    )
