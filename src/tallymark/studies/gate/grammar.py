"""The grammar of requirements: a tokenizer and a recursive descent parser, without eval.

Every error message shows the position of the mistake.

requirement := quantity ["." part] operator limit ["at" condition] ["by" groups]
groups      := column {"," column} ["(" size ">=" number ")"]
size        := "n" | "rows" | "positives" | "negatives"
limit       := number | "baseline" [("+" | "-") number]
column      := string | name
quantity    := ["macro" | "weighted" | "micro"] name ["(" name "=" number {"," name "=" number} ")"]
               ["[" ("class" label | "every" "class") "]"]
part        := "value" | "low" | "high" | "width"
operator    := ">=" | ">" | "<=" | "<"
condition   := "threshold" number | "rule" (name | string | bound) | name [">=" | "<="] number
bound       := name (">=" | "<=") number
label       := string | name | number
number      := [sign] digits ["." digits] [exponent] ["%"]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import inf, isfinite
from typing import NoReturn

from ...evaluation import thresholds
from ...evaluation.thresholds import NAMED, Rule, RuleSpec
from ...input import errors
from ...input.validate import InputError, nearest, shown
from ...measures import registry
from ...summaries import Counts

PARTS = ("value", "low", "high", "width")
SIZES = {"n": "rows", "rows": "rows", "positives": "positives", "negatives": "negatives"}
BASELINE = "baseline"  # the value of the model in use, as a limit
MISSING = "missing"  # the share of the rows that are left out for a missing value
UNANSWERED = "unanswered"  # the share of the cases whose predicted label names no class
SHARES = (MISSING, UNANSWERED)
OF_ROWS = SIZES | dict(zip(SHARES, SHARES, strict=True))  # quantities that do not depend on the model
OPERATORS = (">=", ">", "<=", "<")
ROOM = 72  # characters of a requirement that an error shows


class RequirementError(InputError):
    """A requirement that is wrong, with the position shown below the sentence.

    position: of the character, from 0.
    """

    def __init__(self, text: str, position: int, what: str, where: str = "require"):
        self.text, self.position = text, position
        start = max(0, min(position - ROOM // 2, len(text) - ROOM))
        line = "".join(
            character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
        )
        caret = " " * (position - start) + "^"
        below = f"\n  {line[start : start + ROOM]}\n  {caret}"
        super().__init__(
            "invalid-value",
            f"{errors.spelled(where)}, character {position + 1}",
            what,
            value=text,
            below=below,
        )


@dataclass(frozen=True, slots=True)
class Condition:
    """The threshold: a number, or a rule of `choose_threshold` that is applied to these cases."""

    threshold: float | None = None
    rule: RuleSpec | None = None
    by: Rule | None = field(default=None, compare=False, repr=False)  # the rule object, where known

    @property
    def is_bound(self) -> bool:
        """Whether the rule is a bound on a measure, as "specificity >= 0.95".

        Other rules look for the best value of something.
        """
        return self.rule is not None and self.rule.is_limit

    def __str__(self) -> str:
        if self.rule is None:
            assert self.threshold is not None
            return f"at threshold {shortest(self.threshold)}"
        return f"at {self.rule.requested}" if self.is_bound else f"at rule {self.rule.requested}"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A measure with its parameters, or a number of cases.

    A measure may be of a class, and at a threshold. An average over the classes is a measure, as macro_f1.
    """

    name: str
    parameters: tuple[tuple[str, float], ...] = ()
    label: str | None = None
    at: Condition | None = None
    every_class: bool = False

    @property
    def is_size(self) -> bool:
        return self.name in SIZES.values()

    @property
    def is_of_rows(self) -> bool:
        return self.name in OF_ROWS.values()

    @property
    def is_of_data(self) -> bool:
        """Whether it is a fact of the rows read, which no sample stands for: a size, or what is missing."""
        return self.is_size or self.name == MISSING

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.front(), self.at) if part)

    def front(self, part: str = "") -> str:
        """The quantity as it is written before the comparison."""
        given = ", ".join(f"{name}={shortest(value)}" for name, value in self.parameters)
        label = f"[class {quoted(self.label)}]" if self.label is not None else ""
        label = "[every class]" if self.every_class else label
        return f"{self.name}{f'({given})' if given else ''}{label}{f'.{part}' if part else ''}"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement of a gate.

    part: "value", "low", "high" or "width", or "" for the interval, of numbers of cases the number; text: as
    it was written; where: its origin, as "require" or "require[3]"; places: positions of its parts in
    the text; by: the columns of the groups, each of which has to meet it, empty for all cases together;
    least: the number of cases that these have, as ("rows", 50), others are left out; of_baseline: whether the
    limit is one of the difference from the baseline.
    """

    quantity: Quantity
    part: str
    operator: str
    limit: float
    text: str = field(default="", compare=False)
    where: str = field(default="require", compare=False)
    places: Mapping[str, int] = field(default_factory=dict, compare=False)
    by: tuple[str, ...] = ()
    least: tuple[str, float] | None = None
    of_baseline: bool = False

    def __str__(self) -> str:
        limit = shortest(self.limit)
        if self.of_baseline:
            sign = "-" if self.limit < 0 else "+"
            limit = f"{BASELINE} {sign} {shortest(abs(self.limit))}" if self.limit else BASELINE
        asked = f"{self.quantity.front(self.part)} {self.operator} {limit}"
        columns = f"by {', '.join(map(quoted, self.by))}" if self.by else ""
        columns += " ({} >= {:g})".format(*self.least) if self.least else ""
        return " ".join(str(part) for part in (asked, self.quantity.at, columns) if part)

    def wrong(self, what: str, place: str = "name") -> RequirementError:
        """The error with this sentence, at the position of a part."""
        return RequirementError(self.text, self.places.get(place, 0), what, self.where)


def shortest(number: float) -> str:
    """The shortest text that is read as the same number."""
    return repr(float(number)).removesuffix(".0")


def quoted(label: str) -> str:
    """A label as the grammar reads it."""
    escaped = label.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


TOKEN = re.compile(
    r"""(?P<name>baseline(?=-[0-9.])|[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*)
      | (?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)
      | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<mark>>=|<=|[><()\[\].=,%+-])""",
    re.VERBOSE | re.DOTALL,
)
Parameters = tuple[tuple[str, float], ...]  # of a measure, by name

END = "the end"
LONGEST = 1000  # characters of a requirement


@dataclass(frozen=True, slots=True)
class Token:
    """A part of the text and its position.

    kind: "name", "number", "string", "mark" or "end".
    """

    kind: str
    text: str
    start: int


def parse(text: str, where: str = "require") -> Requirement:
    """The requirement that a text stands for.

    Raises RequirementError, an InputError that shows the position of the mistake.
    """
    return _Reader(text, where).requirement()


def parse_quantity(text: str, where: str = "measures") -> Requirement:
    """A quantity without a comparison, as "sensitivity at specificity 0.95".

    It is returned as a requirement.
    """
    reader = _Reader(text, where)
    return Requirement(reader.whole_quantity(), "", ">=", 0.0, text, where, reader.places)


class _Reader:
    """A recursive descent parser of one requirement."""

    def __init__(self, text: str, where: str):
        self.text, self.where = text, where
        self.places: dict[str, int] = {}
        if not isinstance(text, str):
            raise InputError(
                "invalid-value",
                where,
                f"{shown(text)} is not a string",
                'write a requirement as "roc_auc.low >= 0.8"',
                value=text,
            )
        if len(text) > LONGEST:
            self.wrong(LONGEST, f"a requirement has at most {LONGEST} characters; this one has {len(text)}")
        self.tokens, self.next = list(self._tokens()), 0

    def _tokens(self) -> Iterator[Token]:
        place = 0
        while True:
            while self.text[place : place + 1].isspace():
                place += 1
            if place == len(self.text):
                yield Token("end", END, place)
                return
            found = TOKEN.match(self.text, place)
            if found is None:
                self.wrong(place, self._why_no_token(self.text[place]))
            yield Token(str(found.lastgroup), found[0], place)
            place = found.end()

    def _why_no_token(self, character: str) -> str:
        if character in "'\"":
            return f"the quotation mark {character} that opens here is never closed"
        return f"{shown(character)} has no meaning in a requirement, which compares a measure with a number"

    def wrong(self, place: int, what: str) -> NoReturn:
        raise RequirementError(self.text, place, what, self.where) from None

    def refuse(self, expected: str) -> NoReturn:
        token = self.peek
        self.wrong(
            token.start, f"expected {expected}, but found {END if token.kind == 'end' else shown(token.text)}"
        )

    @property
    def peek(self) -> Token:
        return self.tokens[self.next]

    def take(self) -> Token:
        self.next += 1
        return self.tokens[self.next - 1]

    def skip(self, mark: str) -> bool:
        """Consumes the mark, if it is next."""
        there = self.peek.kind in ("mark", "name") and self.peek.text == mark
        self.next += there
        return there

    def need(self, mark: str) -> None:
        if not self.skip(mark):
            self.refuse(f"'{mark}'")

    def name(self, expected: str) -> Token:
        return self.take() if self.peek.kind == "name" else self.refuse(expected)

    def number(self, expected: str = "a number") -> float:
        if self.peek.kind != "number":
            self.refuse(expected)
        token = self.take()
        value = float(Decimal(token.text) / 100) if self.skip("%") else float(token.text)
        if not isfinite(value):
            self.wrong(token.start, f"{shown(token.text)} is too large for a number")
        return value + 0.0  # -0 is 0

    # The rules of the grammar
    # ---------------------------------------------------------------------------------------------

    def requirement(self) -> Requirement:
        quantity = self.quantity()
        name = quantity.name
        part = self.part(name)
        if self.peek.text not in OPERATORS:
            self.refuse("a comparison, >=, >, <= or <")
        operator, self.places["limit"] = self.take().text, self.peek.start
        of_baseline = self.skip(BASELINE)
        limit = self.limit(name, part, of_baseline)
        quantity = replace(quantity, at=self.condition(name))
        place = self.places["by"] = self.peek.start
        by = self.columns() if self.skip("by") else ()
        least = self.least() if by and self.skip("(") else None
        if by and name == MISSING:
            self.wrong(place, f"{name} is of all rows; leave out 'by ..'")
        if by and of_baseline:
            self.wrong(place, "groups are not compared with those of a baseline; leave out 'by ..'")
        self.end(
            "the end, 'by' and a column of groups" + ", or 'at' and where the threshold is put" * (not by)
        )
        return Requirement(
            quantity, part, operator, limit, self.text, self.where, self.places, by, least, of_baseline
        )

    def columns(self) -> tuple[str, ...]:
        """The columns of the groups, each of which has to meet the requirement."""
        found: list[str] = []
        while not found or self.skip(","):
            if self.peek.kind not in ("string", "name"):
                self.refuse("the name of a column")
            found.append(_text(self.take()))
        return tuple(found)

    def least(self) -> tuple[str, float]:
        """The number of cases that a group has at least."""
        size = self.name(f"a number of cases, {', '.join(SIZES)}")
        if size.text not in SIZES:
            self.wrong(size.start, f"{shown(size.text)} is no number of cases; write {', '.join(SIZES)}")
        self.need(">=")
        number = self.number()
        self.need(")")
        return SIZES[size.text], number

    def limit(self, name: str, part: str, of_baseline: bool) -> float:
        """A number that the measure can have, or its difference; another would always or never be met."""
        place, of_rows = self.places["limit"], name in OF_ROWS.values()
        if of_baseline and (of_rows or part == "width"):
            what = "the width of an interval" if part == "width" else name
            self.wrong(place, f"{what} is not compared with a baseline; write a number")
        limit = self.margin() if of_baseline else self.number("the number that it is compared with")
        ends = [form.range for form in registry.forms(name)] if not of_rows else [(0.0, inf)]
        if name in SHARES:
            ends = [(0.0, 1.0)]
        what = name
        if part == "width":
            ends, what = [(0.0, high - low) for low, high in ends], f"the width of {name}"
        if of_baseline:
            ends, what = [(low - high, high - low) for low, high in ends], f"a difference of {name}"
        if not any(low <= limit <= high for low, high in ends):
            low, high = ends[0]
            said = f"from {low:g} to {high:g}" if high < inf else f"from {low:g} on"
            percent = f"; {limit:g}% is written with its sign" if 1 < limit <= 100 and high == 1 else ""
            self.wrong(place, f"{what} lies {said}, never at {limit:g}{percent}")
        return limit

    def margin(self) -> float:
        """What is added to the baseline; 0 where nothing is."""
        if self.peek.text in ("+", "-"):
            sign = -1 if self.take().text == "-" else 1
            return sign * self.number() + 0.0
        return self.number() if self.peek.kind == "number" and self.peek.text[0] in "+-" else 0.0

    def whole_quantity(self) -> Quantity:
        quantity = self.quantity()
        if quantity.is_of_rows:
            self.wrong(
                self.places["name"],
                f"{quantity.name} is of the cases, and does not depend on the model; name a measure",
            )
        quantity = replace(quantity, at=self.condition(quantity.name))
        self.end("the end, or 'at' and where the threshold is put")
        return quantity

    def end(self, expected: str) -> None:
        if self.peek.kind != "end":
            self.refuse(expected)

    def quantity(self) -> Quantity:
        token = self.name("a measure, as roc_auc, or rows, positives, negatives, missing or unanswered")
        words = token.text
        if _plain(words) in registry.AVERAGES and self.peek.kind == "name":
            token = self.take()
            words = f"{words} {token.text}"
        self.places["name"] = token.start
        name = self.known(words)
        parameters = self.parameters(name) if self.skip("(") else ()
        label, every_class = self.label(name)
        return Quantity(name, parameters, label, every_class=every_class)

    def known(self, words: str) -> str:
        """The name of a measure, also of an average in two words, or of a number or share of cases."""
        name, place = _plain(words), self.places["name"]
        if name in OF_ROWS:
            return OF_ROWS[name]
        if name in registry.AVERAGES:
            self.wrong(place, f"{name} is the average of a measure; write {name}_f1")
        if name == "worst":
            self.wrong(place, "every group has to meet it, and so the worst; leave out 'worst'")
        if not registry.known(name):
            names = [one for entry in registry.all_measures() for one in entry.names]
            hint = nearest(name, [*names, *OF_ROWS])
            self.wrong(
                place,
                f"{shown(words)} is not a measure in the catalogue{hint}; {registry.all_listed()}",
            )
        return name

    def parameters(self, name: str) -> Parameters:
        start, found = self.peek.start, {}
        while True:
            token = self.name("the name of a parameter, as beta=2")
            self.need("=")
            if token.text in found:
                self.wrong(token.start, f"{token.text} is given twice")
            found[token.text] = self.number()
            if not self.skip(","):
                break
        if not self.skip(")"):
            self.refuse("',' or ')'")
        self.checked(name, found, start)
        return tuple(found.items())

    def checked(self, name: str, found: dict[str, float], start: int) -> None:
        """The parameters, checked by the measure for names and limits."""
        if name in OF_ROWS.values():
            self.wrong(start, f"{name} has no parameters; leave them out")
        forms = registry.forms(name)
        entry = next((one for one in forms if found.keys() <= set(one.parameters)), forms[0])
        try:
            entry.checked(found)
        except InputError as reason:
            self.wrong(start, reason.clause)

    def label(self, name: str) -> tuple[str | None, bool]:
        """The label of a class, None where none is named, and whether it is of every class."""
        place = self.peek.start
        if not self.skip("["):
            return None, False
        if registry.known(name) and isinstance(registry.get(name), registry.Average):
            self.wrong(place, f"{name} is over all classes; leave out one of the two")
        if name in ("rows", "negatives", *SHARES):
            self.wrong(place, f"{name} are of all classes; the cases of one class are its positives")
        if self.skip("every"):
            self.places["label"] = self.peek.start
            self.need("class")
            self.need("]")
            return None, True
        if not self.skip("class"):
            self.refuse('class and its label, as [class "cat"], or every class')
        if self.peek.kind not in ("string", "name", "number"):
            self.refuse('the label of a class, as "cat"')
        token = self.take()
        self.places["label"] = token.start
        self.need("]")
        return _text(token), False

    def part(self, name: str) -> str:
        place = self.peek.start
        if not self.skip("."):
            return ""
        if name in SIZES.values():
            self.wrong(place, f"{name} is counted, so that it has no interval; compare it as {name} >= 100")
        token = self.name(f"one of {', '.join(PARTS)}")
        if token.text not in PARTS:
            self.wrong(
                token.start,
                f"{shown(token.text)} is not known{nearest(token.text, PARTS)}; choose from"
                f" {', '.join(PARTS)}",
            )
        return token.text

    def condition(self, name: str) -> Condition | None:
        place = self.peek.start
        if not self.skip("at"):
            return None
        self.places["at"] = place
        if name in OF_ROWS.values() or registry.get(name, Counts).summary is not Counts:
            self.wrong(place, f"{name} does not depend on a threshold; leave out 'at ..'")
        token = self.name("threshold, rule, or a measure and the bound on it, as specificity 0.95")
        if token.text == "threshold":
            return Condition(threshold=self.number())
        if token.text == "rule":
            if self.peek.kind == "string":
                return self.rule(self.peek, _text(self.take()))
            token = self.name("the name of a rule, as youden, or a rule in quotation marks")
            if self.peek.text not in (">=", "<="):
                return self.rule(token, token.text)
        bound = registry.known(token.text) and token.text not in NAMED
        return self.rule(token, self.bound(token) if bound else token.text)

    def bound(self, token: Token) -> str:
        """A bound on a measure: a lower bound where higher is better, else an upper bound."""
        better = registry.get(token.text, Counts).better
        if self.peek.text in (">=", "<="):
            operator = self.take().text
        elif better is None:
            self.refuse(f">= or <=, since {token.text} is neither better high nor better low")
        else:
            operator = ">=" if better == "higher" else "<="
        return f"{_plain(token.text)} {operator} {shortest(self.number(f'the bound on {token.text}'))}"

    def rule(self, token: Token, text: str) -> Condition:
        if thresholds.needed(text):
            self.wrong(
                token.start,
                f"the rule {text} takes numbers; choose the threshold with `tallymark threshold`, and put it"
                " here",
            )
        try:
            return Condition(rule=thresholds.read_rule(text).spec)
        except InputError as reason:
            self.wrong(
                token.start, str(reason.why) if isinstance(reason, thresholds.RuleError) else reason.clause
            )


def _text(token: Token) -> str:
    """What a name, a number or a string in quotation marks stands for."""
    string = token.kind == "string"
    return re.sub(r"\\(.)", r"\1", token.text[1:-1], flags=re.DOTALL) if string else token.text


def _plain(name: str) -> str:
    return name.replace("-", "_").replace(" ", "_").lower()
