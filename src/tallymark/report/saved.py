"""A result read back from JSON: its figures as values; what needs the cases or a summary is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import inf, nan
from types import NoneType
from typing import Any, NoReturn

from ..__about__ import __version__
from ..evaluation.availability import NotMeasuredError
from ..evaluation.headline import Figure, Headline
from ..evaluation.notices import Notice, number_of, of_model
from ..evaluation.results import Evaluation, EvaluationTable
from ..evaluation.thresholds import RuleSpec
from ..evaluation.thresholds.rules import NAMED
from ..evaluation.thresholds.rulespec import WORDS
from ..inference import Estimate
from ..input.errors import InputError
from ..input.messages.message import Message
from ..input.messages.notes import Note
from ..input.plain_values import INFINITE
from ..input.results import HEAD, SCHEMA, Answer, InFull, Tabular
from ..input.validate import NoSuchEntry, nearest, shown
from ..input.values import hashable
from ..measures import registry
from . import stored
from .document import Document

NUMBERS = {"inf": inf, "-inf": -inf, "nan": nan}  # the texts that stand for them
MESSAGE = {"code", "fields", "text"}
ESTIMATE = {one.name for one in fields(Estimate)}
OPTIONAL = {"corrected", "bounds"}  # entries of an estimate that it need not have
DERIVED = {"note", "optimism"}  # that follow from others
RULES = NAMED.keys() | WORDS.keys()  # codes of rules; others are those of notes


Kind = type[Answer]
Plain = Mapping[str, Any]

FROM_JSON, SHOWN = "from_json", "document"
# fields that hold these
OF_TEXTS = ("class", "classes", "label", "labels", "model", "models", "name", "names", "words")


class FiguresOnly(InputError, AttributeError):  # noqa: N818  # like InputError, it names what is wrong
    """What is asked of an answer that was read from JSON needs the cases, or a summary of them."""


@dataclass(frozen=True, repr=False)
class SavedResult(Tabular, Mapping[str, Any]):
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

    FORM = "rows.saved"

    kind: Kind
    written: str = field(repr=False)

    # The mapping
    # ----------------------------------------------------------------------------------------------

    def __getitem__(self, name: Any) -> Any:
        """The estimate by its name, or of several models the figures of one. Raises InputError."""
        key = self._known_as(name)
        if key is None:
            self._refuse_name(name)
        return self._found[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, name: object) -> bool:
        return self._known_as(name) is not None

    def _known_as(self, name: Any) -> Any:
        """The name under which an entry is kept, of any of its names; None where there is none."""
        if not hashable(name):
            return None
        if name in self._found:
            return name
        measure, *models = name if isinstance(name, tuple) and name else (name,)
        forms = registry.forms(measure) if isinstance(measure, str) and registry.known(measure) else ()
        names = [(form.name, *models) if models else form.name for form in forms]
        return next((one for one in names if one in self._found), None)

    def _refuse_name(self, name: Any) -> NoReturn:
        why = self._parts.get("unavailable", {})
        forms = registry.forms(name) if isinstance(name, str) and registry.known(name) else ()
        known = next((form.name for form in forms if form.name in why), None)
        if known is not None:
            raise NotMeasuredError(known, why[known])
        hint = nearest(name, self._found) if isinstance(name, str) else ""
        problem = f"{shown(name)} is not in this {self.kind.__name__}{hint}"
        raise NoSuchEntry("unknown-name", None, problem, ".keys() are the names there are", value=name)

    @cached_property
    def _found(self) -> dict[Any, Any]:
        every = self.kind.estimates_in(self._plain).items()
        return {name: _of_model(plain) if "answer" in plain else estimate_of(plain) for name, plain in every}

    # The other entries
    # ----------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            if name in self._parts and name not in HEAD:
                return self._parts[name]
            if hasattr(self.kind, name) or name in getattr(self.kind, "__dataclass_fields__", ()):
                raise FiguresOnly("unsupported", name, self._why, self.kind.AGAIN)
        return super().__getattr__(name)  # type: ignore[misc]

    @property
    def instead(self) -> str:
        """What to pass where cases or an evaluation are taken."""
        return f"{self._why}; {self.kind.AGAIN}"

    @property
    def _why(self) -> str:
        return f"what is read from JSON ({self.kind.__name__}) holds figures, not the cases"

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """What must be read with the numbers, as values; of several models each under its name."""
        own = tuple(self._parts.get("notices", ()))
        models = ((name, one) for name, one in self._found.items() if isinstance(one, SavedResult))
        return own + tuple(of_model(name, notice) for name, one in models for notice in one.notices)

    @cached_property
    def _plain(self) -> dict[str, Any]:
        return self.to_dict()

    @cached_property
    def _parts(self) -> dict[str, Any]:
        """The entries, with estimates, notes and rules as values; of several models as they are written."""
        found = {name: part if name == "models" else _value(part) for name, part in self._plain.items()}
        return found | ({"headline": headline_of(found["headline"])} if found.get("headline") else {})

    # Plain values and text
    # ----------------------------------------------------------------------------------------------

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
        shown = json.loads(self.written).get(SHOWN)
        return shown and stored.document(shown["full" if full else "screen"], estimate_of)

    def __repr__(self) -> str:
        rows = self._plain.get("data", {}).get("rows")
        of = "" if rows is None else f" of {number_of(rows, 'case')}"
        held = f"{number_of(len(self), 'estimate')}, {number_of(len(self.notices), 'notice')}"
        return f"<SavedResult ({self.kind.__name__}){of}: {held}>"


# Reading
# --------------------------------------------------------------------------------------------------


def read(kind: type[Answer], written: Any) -> SavedResult:
    """What `to_json` of such an answer wrote. Raises InputError for anything else."""
    try:
        plain = json.loads(written, parse_constant=_no_number, parse_int=_whole)
        _check_head(kind, plain)
        found = SavedResult(_kind_of(kind, plain), json.dumps(plain))
        # whatever is not as it is written fails here
        str(found), found._parts, found.to_html(), found.to_markdown()
        assert all(isinstance(one, Notice) for one in found.notices)
    except InputError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError, AssertionError):
        raise InputError(
            "unreadable",
            FROM_JSON,
            f"{shown(written)} is no JSON of {kind.__name__}",
            "pass what its to_json wrote",
        ) from None
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _whole(digits: str) -> int:
    """A whole number of 64 bits, as all that are written."""
    found = int(digits)
    if not -(2**63) <= found < 2**64:
        raise ValueError(digits)
    return found


def _check_head(kind: Kind, plain: Plain) -> None:
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


def _kind_of(kind: Kind, plain: Plain) -> Kind:
    """The type of its task, of an evaluation of any."""
    return _of_task(plain).kind if kind is Evaluation else kind


def _of_task(plain: Plain) -> SavedResult:
    """The figures of an evaluation."""
    return SavedResult({one.task: one for one in _below(Evaluation)}[plain["task"]], json.dumps(plain))


def _of_model(plain: Plain) -> SavedResult:
    """The figures of a model: of an evaluation, or of a table of parts of the cases."""
    if plain["answer"] == Evaluation.ANSWER:
        return _of_task(plain)
    kinds = {kind.ANSWER: kind for kind in EvaluationTable.__subclasses__()}
    return SavedResult(kinds[plain["answer"]], json.dumps(plain))


def _below(kind: Any) -> Iterator[type[Evaluation]]:
    """The types of the tasks."""
    for one in kind.__subclasses__():
        yield from [one] if "task" in vars(one) else _below(one)


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


def headline_of(parts: Mapping[str, Any]) -> Headline | str:
    """The headline of its entries, in which estimates are values; of a comparison its sentence."""
    if "main" not in parts:
        return str(parts["text"])
    groups, least, threshold = parts["groups"], parts["least_certain"], parts["threshold"]
    given = {one.name: parts[one.name] for one in fields(Headline)}
    given |= {"main": Figure(**given["main"]), "further": tuple(Figure(**one) for one in given["further"])}
    given |= {"groups": groups and tuple(groups), "least_certain": least and Figure(**least)}
    return Headline(**given | {"threshold": NUMBERS.get(threshold, threshold)})


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
        method=_text(plain["method"]),
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


def _text(value: Any) -> str | None:
    """A text, or None. Raises TypeError for anything else."""
    if not isinstance(value, (str, NoneType)):
        raise TypeError(value)
    return value


def message_of(plain: Mapping[str, Any], kind: type[Message]) -> Any:
    """A note, a notice or a rule from its code and fields. Raises InputError for an unknown code."""
    found = kind(plain["code"], **{name: _field(name, value) for name, value in plain["fields"].items()})
    try:
        assert found.text
    except (KeyError, ValueError, TypeError):
        problem = f"{shown(found.code)} is not a code that tallymark {__version__} knows with these fields"
        raise InputError("unreadable", FROM_JSON, problem, "read it with the version that wrote it") from None
    return found


def _kind_of_message(plain: Plain) -> type[Message]:
    return Notice if "source" in plain else RuleSpec if plain["code"] in RULES else Note


def _field(name: str, value: Any) -> Any:
    """Texts are numbers that JSON does not have, but for labels and names, of which one may be "inf"."""
    if isinstance(value, list):
        return tuple(_field(name, one) for one in value)
    if isinstance(value, dict):
        return message_of(value, _kind_of_message(value))
    return NUMBERS.get(value, value) if isinstance(value, str) and name not in OF_TEXTS else value
