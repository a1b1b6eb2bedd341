"""A result read back from JSON: its figures as values; what needs the cases or a summary is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from importlib.resources import files
from math import inf, nan
from pathlib import Path
from types import NoneType
from typing import Any

from ..__about__ import __version__
from ..evaluation.accumulator import Accumulator
from ..evaluation.case_sums import opened
from ..evaluation.evaluate import read_summary
from ..evaluation.notices import Notice, number_of, of_model
from ..evaluation.releases import Release
from ..evaluation.results import Evaluation, NotMeasuredError
from ..evaluation.thresholds import NAMED, WORDS, RuleSpec
from ..inference import Estimate
from ..input.calls import public
from ..input.errors import InputError
from ..input.messages import Message, Note
from ..input.results import HEAD, INFINITE, SCHEMA, Answer, ByName, InFull, Readable, Tabular
from ..input.sources import tally
from ..input.validate import NoSuchEntry, nearest, of_type, shown
from ..measures import registry
from .document import Document, of_plain
from .documents.common import of_rows
from .files import named

ENDING = ".json"
NUMBERS = {"inf": inf, "-inf": -inf, "nan": nan}  # the texts that stand for them
MESSAGE = {"code", "fields", "text"}
ESTIMATE = {one.name for one in fields(Estimate)}
OPTIONAL = {"corrected", "bounds"}  # entries of an estimate that it need not have
DERIVED = {"note", "optimism"}  # that follow from others
RULES = NAMED.keys() | WORDS.keys()  # codes of rules; others are those of notes
Plain = Mapping[str, Any]
FROM_JSON, SHOWN = "from_json", "document"
# fields that hold these
OF_TEXTS = ("class", "classes", "label", "labels", "model", "models", "name", "names", "words")
# what fails where JSON is not as it is written
STRANGE = (
    ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError, AssertionError,
)  # fmt: skip
OF_NOTHING = "this is no JSON of a whole result, but of a part, such as an estimate, or of something else"


class FiguresOnly(InputError, AttributeError):  # noqa: N818  # like InputError, it names what is wrong
    """What is asked of an answer that was read from JSON needs the cases, or a summary of them."""


@dataclass(frozen=True, repr=False)
class SavedResult(ByName, Tabular, Mapping[str, Any]):
    """The figures of an answer, read from its JSON: a mapping of names to estimates.

    What `from_json` of every answer gives, as `BinaryEvaluation.from_json`. The names are those that the
    answer itself takes: of measures by any of their names, of models, of requirements. `to_dict` equals that
    of the answer that was saved, `table`, `notices` and the files follow from it, and every other entry of
    the JSON is an attribute, with estimates, notes and rules as values: `saved.differences`,
    `saved.classes["a"]["f1"]`. Sentences are those of this version of the package; `to_dict` has them as they
    were written. What needs the cases or a summary of them, as a curve, raises FiguresOnly, an InputError.

    Attributes
    ----------
    kind : type
        Of the answer that was saved.
    written : str
        Its JSON, on one line.
    """

    FORM = "common.saved"
    PARTS = "_found"

    kind: type[Answer]
    written: str = field(repr=False)

    def _name_of(self, name: Any) -> Any:
        """The key of an estimate, of a measure by any of its names. Raises InputError where there is none."""
        measure, *models = name if isinstance(name, tuple) and name else (name,)
        forms = registry.forms(measure) if isinstance(measure, str) and registry.known(measure) else ()
        names = [name, *((form.name, *models) if models else form.name for form in forms)]
        known = next((one for one in names if one in self._found), None)
        if known is not None:
            return known
        why = self._parts.get("unavailable", {})
        for form in forms:
            if form.name in why:
                raise NotMeasuredError(form.name, why[form.name])
        hint = nearest(name, self._found) if isinstance(name, str) else ""
        problem = f"{shown(name)} is not in this {self.kind.__name__}{hint}"
        raise NoSuchEntry("unknown-name", None, problem, ".keys() are the names there are", value=name)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            if name in self._parts and name not in HEAD:
                return self._parts[name]
            if hasattr(self.kind, name) or name in getattr(self.kind, "__dataclass_fields__", ()):
                raise FiguresOnly("unsupported", name, self.instead)
        return super().__getattr__(name)  # type: ignore[misc]

    @property
    def instead(self) -> str:
        """Why the cases are not here, and what to pass where they, or an evaluation, are taken."""
        why = f"what is read from JSON ({self.kind.__name__}) holds figures, not the cases"
        return f"{why}; {self.kind.AGAIN}"

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """What must be read with the numbers, as values; of several models each under its name."""
        models = ((name, one) for name, one in self._found.items() if isinstance(one, SavedResult))
        of_models = (of_model(name, notice) for name, one in models for notice in one.notices)
        return (*self._parts.get("notices", ()), *of_models)

    @cached_property
    def _plain(self) -> dict[str, Any]:
        return self.to_dict()

    @cached_property
    def _found(self) -> dict[Any, Any]:
        """The estimates by name, and of several models their figures."""
        result: dict[Any, Any] = {}
        for name, plain, _ in self.kind.entries_in(self._plain):
            again = (
                SavedResult(_kind_of(plain), json.dumps(plain)) if "answer" in plain else estimate_of(plain)
            )
            result.setdefault(name, again)
        return result

    @cached_property
    def _parts(self) -> dict[str, Any]:
        """The entries, with estimates, notes and rules as values; of several models as they are written."""
        found = {name: part if name == "models" else _value(part) for name, part in self._plain.items()}
        return found | ({"headline": found["headline"]["text"]} if found.get("headline") else {})

    @property
    def table(self) -> list[dict[str, Any]]:
        """The rows of the answer that was saved."""
        return self.kind.rows_in(self._plain)

    @property
    def all(self) -> InFull:
        """The result as it prints in full: every row, with methods, notes and notices."""
        return InFull(self)

    def to_dict(self) -> dict[str, Any]:
        """The figures that were saved."""
        found: dict[str, Any] = json.loads(self.written)
        return {name: part for name, part in found.items() if name != SHOWN}

    def _document(self, full: bool) -> Document | None:
        """What the answer showed on a screen or in full; None of JSON that is no file of `save`."""
        written = json.loads(self.written).get(SHOWN)
        if not written or not full or "full" in written:
            return written and of_plain(written["full" if full else "screen"], estimate_of)
        return replace(of_plain(written["screen"], estimate_of), tables=(of_rows(self.table),))

    def __repr__(self) -> str:
        rows = self._plain.get("data", {}).get("rows")
        of = "" if rows is None else f" of {number_of(rows, 'case')}"
        held = f"{number_of(len(self), 'estimate')}, {number_of(len(self.notices), 'notice')}"
        return f"<SavedResult ({self.kind.__name__}){of}: {held}>"


# Reading
# --------------------------------------------------------------------------------------------------


@public()
def load(path: str | Path) -> Any:
    """Read a result from the JSON file, or an `Accumulator` or `Release` from the .tally file, of its `save`.

    Parameters
    ----------
    path : str or pathlib.Path
        A .json file, written by `save` of any result, or by `--json` on the command line; or a .tally file.

    Returns
    -------
    SavedResult, summary, Plan, Accumulator or Release
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
    if tally.is_file(path):
        sums: Any = opened(path)
        return Accumulator.load(sums) if sums.release is None else Release(sums)
    try:
        target = Path(path)
    except TypeError:
        problem = f"it is {shown(path)}, not the path of a file"
        raise InputError("invalid-value", "path", problem, "of JSON as text read from_json") from None
    name = named(target)
    if target.suffix.lower() != ENDING:
        problem = f"{name} does not end in {ENDING}, and other formats do not hold a whole result"
        raise InputError("unreadable", "path", problem, "save the result as .json, and read that")
    try:
        written = target.read_text(encoding="utf-8")
        plain = json.loads(written)
    except OSError as reason:
        problem = f"{name} cannot be read ({reason.strerror})"
        raise InputError("unreadable", "path", problem, "check the path") from None
    except (ValueError, RecursionError):
        raise InputError("unreadable", "path", f"{name} is not JSON", "pass a file that save wrote") from None
    if not isinstance(plain, dict):
        plain = {}
    if "answer" in plain:
        kind = _kind_of(plain)
        if kind is None:
            problem = f"the answer {shown(plain['answer'])} is not the whole of one result"
            raise InputError("unreadable", "path", problem, "read it with the module json")
        return kind.from_json(written) if issubclass(kind, Readable) else read(kind, written, "path", name)
    summary = read_summary(plain, written)
    if summary is not None:
        return summary
    raise InputError("unreadable", "path", OF_NOTHING, "save the result that holds it")


def read(kind: type[Answer], written: Any, argument: str = FROM_JSON, name: str | None = None) -> SavedResult:
    """What `to_json` of such an answer wrote. Raises InputError for anything else. name: of the file."""
    plain = None
    try:
        plain = json.loads(written, parse_constant=_whole, parse_int=_whole)
        _check_head(kind, plain)
        result = SavedResult(_kind_of(plain), json.dumps(plain))
        # whatever is not as it is written fails here
        str(result), result._parts, result.to_html(), result.to_markdown()
        assert all(isinstance(one, Notice) for one in result.notices)
    except InputError as reason:
        if name is None:
            raise
        raise InputError(reason.code, argument, f"{name}: {reason.problem}", reason.remedy) from None
    except STRANGE as reason:
        entry = f", without {reason}" if type(reason) is KeyError else ""
        changed = f"JSON of {kind.__name__} that is not whole, or was changed{entry}"
        what = changed if isinstance(plain, dict) and "answer" in plain else f"no JSON of {kind.__name__}"
        problem = f"{name or shown(written)} is {what}"
        raise InputError("unreadable", argument, problem, "pass what its to_json wrote") from None
    return result


def _whole(digits: str) -> int:
    """A whole number of 64 bits, as all that are written. Raises ValueError for others, and for NaN."""
    result = int(digits)
    if not -(2**63) <= result < 2**64:
        raise ValueError(digits)
    return result


def _check_head(kind: type[Answer], plain: Plain) -> None:
    """The version of the layout, and what kind of answer it is."""
    if _number(plain["schema"]) != SCHEMA:
        problem = (
            f"it has the layout of schema {shown(plain['schema'])}, and tallymark {__version__} reads schema"
            f" {SCHEMA}"
        )
        raise InputError(
            "unreadable", FROM_JSON, problem, "read it with the version that wrote it, or make it again"
        )
    asked, found = (kind.ANSWER, getattr(kind, "task", None)), (plain["answer"], plain.get("task"))
    if found[0] != asked[0] or asked[1] not in (None, found[1]):
        said = [" of task ".join(shown(part) for part in pair if part is not None) for pair in (found, asked)]
        raise InputError(
            "mismatch",
            FROM_JSON,
            f"it is an answer {said[0]}, not {said[1]}",
            "call from_json of the type that wrote it",
        )


def _kind_of(plain: Plain) -> Any:
    """The type of an answer, of an evaluation that of its task; None where there is none."""
    task = plain.get("task", "") if plain["answer"] == Evaluation.ANSWER else None
    every = _public(Answer, Readable)
    named = (kind for kind in every if getattr(kind, "ANSWER", None) == plain["answer"])
    return next((kind for kind in named if vars(kind).get("task") == task), None)


def _public(*bases: type) -> Iterator[Any]:
    """The public types of results below these."""
    import tallymark

    for home in (tallymark, tallymark.planning):
        kinds = (getattr(home, name) for name in home.__all__)
        yield from (one for one in kinds if isinstance(one, type) and issubclass(one, bases))


# Values
# --------------------------------------------------------------------------------------------------


def _value(plain: Any) -> Any:
    """An entry: an estimate, a note, a notice or a rule where it is one, and the same of its parts."""
    if isinstance(plain, list):
        return [_value(one) for one in plain]
    if not isinstance(plain, dict):
        return plain
    if (
        plain.keys() - {"source", "severe"} == MESSAGE
        and isinstance(plain["code"], str)
        and isinstance(plain["text"], str)
    ):
        return message_of(plain, _kind_of_message(plain))
    if ESTIMATE - OPTIONAL <= plain.keys() <= ESTIMATE | DERIVED:
        return estimate_of(plain)
    return {key: _value(part) for key, part in plain.items()}


def estimate_of(plain: Mapping[str, Any]) -> Estimate:
    """An estimate of its entries; an infinite one is in the note that says so."""
    notes = [message_of(one, Note) for one in plain["notes"]]
    infinite = {
        name: note[name] for note in notes if note.code == INFINITE for name in note if name in ESTIMATE
    }
    given = {name: nan if plain[name] is None else _number(plain[name]) for name in ("value", "low", "high")}
    corrected = plain.get("corrected", nan if "optimism" in plain else None)
    more = {
        "threshold": plain["threshold"],
        "bounds": None if plain.get("bounds") is None else tuple(plain["bounds"]),
    }
    return Estimate(
        **(given | more | infinite),
        level=_number(plain["level"]),
        method=of_type(plain["method"], (str, NoneType), FROM_JSON),
        undefined=plain["undefined"] and message_of(plain["undefined"], Note),
        notes=tuple(note for note in notes if note.code != INFINITE),
        corrected=corrected,
        standard_error=plain["standard_error"] and _number(plain["standard_error"]),
    )


def _number(value: Any) -> float:
    """The number as it is written. Raises TypeError for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(value)
    return float(value) if isinstance(value, float) else int(float(value))


def message_of(plain: Mapping[str, Any], kind: type[Message]) -> Any:
    """A note, a notice or a rule from its code and fields. Raises InputError for an unknown code."""
    result = kind(plain["code"], **{name: _field(name, value) for name, value in plain["fields"].items()})
    try:
        assert result.text
    except (KeyError, ValueError, TypeError):
        problem = f"{shown(result.code)} is not a code that tallymark {__version__} knows with these fields"
        raise InputError("unreadable", FROM_JSON, problem, "read it with the version that wrote it") from None
    return result


def _kind_of_message(plain: Plain) -> type[Message]:
    return Notice if "source" in plain else RuleSpec if plain["code"] in RULES else Note


def _field(name: str, value: Any) -> Any:
    """Texts are numbers that JSON does not have, but for labels and names, of which one may be "inf"."""
    if isinstance(value, list):
        return tuple(_field(name, one) for one in value)
    if isinstance(value, dict):
        return message_of(value, _kind_of_message(value))
    return NUMBERS.get(value, value) if isinstance(value, str) and name not in OF_TEXTS else value


# The schema
# --------------------------------------------------------------------------------------------------


@public()
def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of every answer in JSON, with one definition for each kind of answer.

    An answer names its kind under `answer`, an evaluation its `task`, too; the number of the layout stands
    under `schema`. The schema is tight: a key that it does not name is an error. The file is
    `tallymark/data/answers.schema.json`.

    Returns
    -------
    dict
        The schema, a new one in each call, as `jsonschema.Draft202012Validator` takes it.

    Examples
    --------
    >>> schema = json_schema()
    >>> schema["$defs"]["note"]["required"]
    ['code', 'fields', 'text']
    """
    return json.loads((files("tallymark") / "data" / "answers.schema.json").read_text(encoding="utf-8"))
