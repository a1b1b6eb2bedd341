"""The catalogue: measures, curves, rules, intervals, tests, losses and conversions, found by any name.

Names are declared where a thing is defined; the catalogue reads the registries, which are complete once the
modules that it loads are.

An entry has names: its own, its aliases, its terms and the citations of its source; kinds and families of
entries have names, too. A query that is one of these names, or several joined by "and", "or", commas or
brackets, is answered by what has them. Any other query is answered by the entries that share nearly all of
its words, weighted by how few entries have a word: fully in names, less in titles, sources and families.
Those that share some are near.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache
from importlib import import_module
from math import log
from typing import Any, overload

from ..evaluation.class_mix import behaviour
from ..inference import described
from ..input import names
from ..input.calls import public
from ..input.names import LISTED, Listed, plain
from ..input.results import plain as plain_value
from ..input.validate import InputError, nearest, shown
from ..measures import registry
from ..measures.registry import Measure
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals

Entry = Measure | Listed
Key = tuple[str, str]  # the kind and the name of an entry; forms of a measure are one

KINDS = {  # in the order of answers, with the words by which a query names a kind
    "measure": (),
    "curve": ("curve", "plot", "chart", "diagram", "graph"),
    "rule": ("rule", "threshold", "cutoff", "cut", "cutpoint", "choose a threshold", "optimal threshold"),
    "interval": ("interval", "confidence interval", "ci"),
    "test": ("test", "significance", "p value", "p"),
    "loss": ("loss", "loss function", "cost function"),
    "conversion": ("conversion", "convert"),
    "function": ("table", "matrix"),
}
OF_NAME, OF_ALIAS, OF_TERM = range(3)  # ranks of names, the best first
CITED = re.compile(
    r"\b(def|eq|fig|table|alg|section)[a-z]*\.? (\d+(?:\.\d+)*[a-z]?)(?: and (\d+(?:\.\d+)*[a-z]?))?", re.I
)
SPELLED_OUT = re.compile(
    r"\b(def|eq|fig|alg)(?:inition|uation|ure|orithm)?s?(?=\.? *\d)", re.I
)  # "Definition 31"
JOINTS = re.compile(r"\s+(?:and|or|aka|vs|versus)\s+|\s*[,;/&()]\s*", re.I)
OF_TITLE, OF_SOURCE, OF_DOC = 0.7, 0.6, 0.5  # the weight of a word there; in a name 1
ENOUGH = 0.7  # of the weight of a query, for an answer
NEAR = 0.6  # of the best score, for what is near
MOST_NEAR = 6
SHORTEST = 5  # letters of a query that is corrected
ALIKE = 0.8  # how alike a misspelled word is to the one that is meant


class Index:
    """The names and the words of the entries."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries: dict[Key, Entry] = {}
        self.keys: dict[Callable[[str], str], dict[str, dict[Key, int]]] = {
            way: defaultdict(dict) for way in (names.plain, names.joined, names.core)
        }
        self.cited: dict[str, dict[Key, int]] = defaultdict(dict)
        self.groups: dict[str, list[Key]] = defaultdict(list)  # kinds and families
        self.weights: dict[str, dict[Key, float]] = defaultdict(dict)
        self.names: dict[Key, list[tuple[str, ...]]] = defaultdict(list)
        self.known: set[str] = set()
        for entry in entries:
            self._enter(entry)
        for key, entry in self.entries.items():
            of_kind = () if entry.kind == "function" else KINDS[entry.kind]
            for group in of_kind if isinstance(entry, Listed) else (entry.family,):
                self.groups[names.joined(group)].append(key)

    def _enter(self, entry: Entry) -> None:
        key = entry.kind, entry.name
        self.entries.setdefault(key, entry)
        ranks = {entry.name: OF_NAME, **dict.fromkeys(entry.aliases, OF_ALIAS)}
        for name, rank in {**dict.fromkeys(entry.terms, OF_TERM), **ranks}.items():
            for way, by_name in self.keys.items():
                by_name[way(name)].setdefault(key, rank)
            self.known.update(names.raw_words(name))
            self.names[key].append(names.distinctive(name))
            self._weigh(key, names.words(name), 1.0)
        for name in citations(entry.source):
            self.cited[names.plain(name)].setdefault(key, OF_TERM)
        self._weigh(key, names.words(" ".join(KINDS[entry.kind])), 1.0)
        self._weigh(key, names.words(entry.title), OF_TITLE)
        self._weigh(key, names.words(f"{entry.source} {getattr(entry, 'family', '')}"), OF_SOURCE)

    def _weigh(self, key: Key, words: Iterable[str], weight: float) -> None:
        for word in words:
            self.weights[word][key] = max(weight, self.weights[word].get(key, 0.0))

    def named(self, query: str, ways: Sequence[Callable[[str], str]]) -> dict[Key, int]:
        """What has the query as a name, compared in the first of these ways in which anything has.

        A measure that follows from another by its name, as macro_f1, is in the registry only.
        """
        result = next(filter(None, (self.keys[way].get(way(query) or " ") for way in ways)), {})
        if registry.known(query) and all(kind != "measure" for kind, _ in result):
            return {("measure", registry.get(query).name): OF_NAME, **result}
        return result

    @cached_property
    def docs(self) -> dict[str, set[Key]]:
        """The entries whose docstring has a word."""
        result: dict[str, set[Key]] = defaultdict(set)
        for key, entry in self.entries.items():
            for word in set(re.findall(r"[^\W_]+", (entry.function.__doc__ or "").lower())):
                result[names.stem(word)].add(key)
        return result

    def corrected(self, query: str) -> str:
        """The query with the nearest words of names for those that are none; digits must be right."""
        words = names.raw_words(query)
        if len("".join(words)) < SHORTEST:
            return " ".join(words)
        return " ".join(
            word
            if word in self.known or len(word) < 4 or not word.isalpha()
            else next(iter(get_close_matches(word, self.known, 1, ALIKE)), word)
            for word in words
        )

    def scores(self, query: str, *, docs: bool = False) -> dict[Key, float]:
        """For each entry the share of the query, by the weight of its words, that it has."""
        wanted = {word for word in names.distinctive(query) if not word.isdigit() or word in self.known}
        found: dict[Key, float] = defaultdict(float)
        total = 0.0
        for word in wanted:
            having: dict[Key, float] = dict(self.weights.get(word, {}))
            if docs:
                having = {**dict.fromkeys(self.docs.get(word, ()), OF_DOC), **having}
            rarity = log(1 + len(self.entries) / (1 + len(having)))
            total += rarity
            for key, weight in having.items():
                found[key] += rarity * weight
        return {key: weight / total for key, weight in found.items()}

    def likeness(self, query: str, key: Key) -> float:
        """The share of words that the query and the name most like it have in common."""
        wanted = set(names.distinctive(query))
        return max(2 * len(wanted & set(name)) / (len(wanted) + len(name) or 1) for name in self.names[key])


def citations(source: str) -> Iterator[str]:
    """What a source cites: the references, their authors, and the places: "Berrar Def. 31" and "Def. 31"."""
    for reference in re.split(r"; |\. (?=[A-Z])", source.rstrip(".")):
        author = re.split(r"[,(]| after Eq", reference)[0]
        yield from filter(None, (reference, author))
        for kind, *numbers in CITED.findall(reference):
            for number in filter(None, numbers):
                yield f"{author} {kind} {number}"
                yield f"{kind} {number}"


@lru_cache(1)
def _index(entries: tuple[Entry, ...]) -> Index:
    return Index(entries)


def matches(query: str, entries: tuple[Entry, ...]) -> list[Entry]:
    """The entries that a query names, the best first."""
    index = _index(entries)
    for found in _attempts(query, index):
        if found:
            return [index.entries.get(key) or registry.get(key[1]) for key in found]
    return []


def near(query: str, entries: tuple[Entry, ...]) -> list[Entry]:
    """The entries that share words with a query, docstrings included, the best first."""
    index = _index(entries)
    scores = index.scores(query, docs=True)
    likeness = {key: round(scores[key] + index.likeness(query, key) / 8, 6) for key in scores}
    best = sorted(scores, key=lambda key: (-likeness[key], _place(key), key))
    enough = NEAR * max(scores.values(), default=0.0)
    return [index.entries[key] for key in best if scores[key] >= enough][:MOST_NEAR]


def _attempts(query: str, index: Index) -> Iterator[list[Key]]:
    query = SPELLED_OUT.sub(r"\1", query)
    for text in dict.fromkeys((query, index.corrected(query))):
        yield _sorted(text, index.named(text, (names.plain, names.joined)))
        if text == query:
            yield index.groups.get(names.joined(text), [])
            yield _sorted(text, index.cited.get(names.plain(text), {}))
        yield _several(text, index)
        cores = index.named(text, (names.core,))
        kinds = _kinds(text)
        yield _sorted(text, {key: rank for key, rank in cores.items() if key[0] in kinds} or cores)
    yield index.groups.get(names.core(query), [])
    scores, kinds = index.scores(query), _kinds(query)
    enough = [key for key, score in scores.items() if score >= ENOUGH - 1e-9]
    place = {
        key: (-round(scores[key], 6), key[0] not in kinds, -index.likeness(query, key), _place(key))
        for key in enough
    }
    yield sorted(enough, key=place.__getitem__)


def _several(query: str, index: Index) -> list[Key]:
    """What the parts of a query name, each of which is a name: the entries with most of them first.

    In "positive and negative predictive values" the last words belong to every part.
    """
    outside = re.sub(r"\s*\([^()]*\)", "", query)
    parts = [part for part in JOINTS.split(query) if part]
    if outside != query and outside:
        parts = [outside, *re.findall(r"\(([^()]*)\)", query)]
    last = parts[-1].split() if parts else []
    counts: Counter[Key] = Counter()
    for part in parts:
        tail = last[len(part.split()) :]
        ways = (names.plain, names.joined)
        found = index.named(" ".join((part, *tail)), ways) or index.named(part, ways)
        if not found:
            return []
        counts.update(dict.fromkeys(_sorted(part, found), 1))
    return [key for key, _ in counts.most_common()] if len(parts) > 1 else []


def _kinds(query: str) -> set[str]:
    said = set(names.words(query))
    return {kind for kind, words in KINDS.items() if said & {names.joined(word) for word in words}}


def _place(key: Key) -> int:
    return list(KINDS).index(key[0])


def _sorted(query: str, found: dict[Key, int]) -> list[Key]:
    """Names before terms, a kind that the query names before others, then in the order of kinds."""
    kinds = _kinds(query)
    own = registry.get(query).name if registry.known(query) else None

    def place(key: Key) -> tuple[bool, bool, int, int, int]:
        rank = -1 if key == ("measure", own) else found[key]
        unlike = 0 if key[0] == "measure" else -len(set(names.words(query)) & set(names.words(key[1])))
        return found[key] >= OF_TERM, key[0] not in kinds, _place(key), rank, unlike

    return sorted(found, key=place)


for _module in (  # which enter what they define
    "curves", "curves.curve", "evaluation.advice", "evaluation.class_mix", "evaluation.evaluate",
    "evaluation.results", "evaluation.biometrics", "evaluation.judged",
    "evaluation.paired",
    "evaluation.prevalence", "evaluation.roc_points", "evaluation.significance", "evaluation.results",
    "evaluation.thresholds", "evaluation.unscored", "inference.replicates",
    "inference.hypothesis", "inference.linear",
    "probability.convert", "probability.losses",
    "probability.scoring_rules", "studies.compare", "studies.retraining",
):  # fmt: skip
    import_module(f"..{_module}", __package__)

Summary = Counts | RankingTable | ConfusionMatrix | IndicatorTable | ClassScores | Residuals


class Entries(tuple[Entry, ...]):
    """The entries that a query names, the best first, or none and the ones near it.

    Attributes
    ----------
    near : tuple of Measure and Listed
        The entries that share words with the query, where it names none.
    """

    near: tuple[Entry, ...] = ()

    def __repr__(self) -> str:
        return super().__repr__() if self else f"<nothing in the catalogue{self.hint()}>"

    def hint(self) -> str:
        """The names of those near, in brackets."""
        named = [one.name if one.kind == "measure" else f"{one.name} ({one.kind})" for one in self.near]
        return f" (near it: {', '.join(named)})" if named else ""


def entries() -> tuple[Entry, ...]:
    """Everything in the catalogue; of a measure with several forms, all of them."""
    others = sorted(LISTED.values(), key=lambda one: (list(KINDS).index(one.kind), one.name))
    return (*registry.all_measures(), *others)


def instead_of(name: str, public_names: list[str]) -> str:
    """What to type in place of tallymark.NAME, for a name of an entry; else the nearest public name."""
    uses = [one.use for one in entries() if plain(name) in map(plain, one.names)]
    return f"; write {uses[0]}" if uses else nearest(name, public_names)


@overload
def find(wanted: str | None = None) -> Entries: ...
@overload
def find(wanted: Summary | type[Summary]) -> tuple[Measure, ...]: ...


@public()
def find(wanted: Any = None) -> tuple[Entry, ...]:
    """Find measures, curves, rules, intervals, tests, losses and conversions.

    Parameters
    ----------
    wanted : str, summary or type of a summary, optional
        A name in any spelling, an abbreviation, or words. For a summary, or the type of one: the measures
        that are computed from it. By default everything.

    Returns
    -------
    tuple of Measure and Listed
        The best match first; several where the name is ambiguous, or where the query joins several names by
        "and". If nothing has the name it is empty, and its attribute `near` has what shares words with it.

    Notes
    -----
    Names, abbreviations and citations ("Berrar Def. 31") are compared first, then names without words such as
    "score" and "curve", then names with a typing slip, then the words of names, families, titles and sources,
    of which rare ones count most.

    Examples
    --------
    >>> import tallymark as tm
    >>> tm.find("phi")[0].name, "sensitivity" in [entry.name for entry in tm.find(tm.Counts)]
    ('matthews_correlation', True)
    >>> [(entry.kind, entry.name) for entry in tm.find("lift chart")]
    [('curve', 'lift')]
    >>> tm.find("gold standard")
    <nothing in the catalogue (near it: contingency_table (function))>
    """
    if wanted is None:
        return Entries(entries())
    if not isinstance(wanted, str):
        of_summary = registry.find(wanted)
        if not of_summary:
            raise InputError(
                "invalid-value",
                "wanted",
                f"{shown(wanted)} is neither a name nor a summary",
                "pass a name or words as text, or a summary or its type, as tallymark.Counts",
                value=wanted,
            )
        return of_summary
    named = registry.forms(wanted) if registry.known(wanted) else ()
    over_classes = (one for one in named if isinstance(one, registry.Average) and one.aliases)
    every = (*over_classes, *entries())
    result = Entries(matches(wanted, every))
    if not result:
        result.near = tuple(near(wanted, every))
    return result


# Cards
# --------------------------------------------------------------------------------------------------


def card(entry: Measure | Listed) -> dict[str, Any]:
    """All that is known of an entry, of a measure how it behaves, too, as plain values.

    An end of its range that is infinite is "inf".
    """
    if isinstance(entry, Listed):
        return {
            "kind": entry.kind,
            "name": entry.name,
            "title": entry.title,
            "aliases": list(entry.aliases),
            "in_python": entry.use,
            "command": entry.command,
            "source": entry.source,
        }
    return {
        "kind": entry.kind,
        "name": entry.name,
        "title": entry.title,
        "remarks": entry.remarks,
        "formula": entry.formula,
        "aliases": list(entry.aliases),
        "in_python": entry.use,
        "of_many_classes": entry.for_many_classes.formula if entry.for_many_classes else "",
        "of": entry.summary.__name__,
        "range": plain_value(entry.range, infinite=True),
        "parameters": ", ".join(
            f"{name} = {value}" for name, value in entry.defaults.items() if value is not None
        ),
        "better": entry.better,
        "best": plain_value(entry.best, infinite=True),
        "undefined": entry.section("Undefined"),
        "interval": described(entry) if entry.interval else None,
        "source": entry.source,
        "differs": entry.section("Differs"),
        "defined_in": entry.where,
        **behaviour(entry),
    }
