"""Which entries of the catalogue a query means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ...input import names
from ...input.listed import Listed
from ...measures import registry
from ...measures.registry import Measure

Entry = Measure | Listed
Way = Callable[[str], str]  # from a name to the key that is compared

OF_KINDS = {  # words that say which kind is meant
    "curve": frozenset(("curve", "plot", "chart", "diagram", "graph")),
    "rule": frozenset(("rule", "threshold", "cutoff", "cut", "cutpoint")),
    "interval": frozenset(("interval", "confidence", "ci")),
    "test": frozenset(("test", "significance", "p")),
    "loss": frozenset(("loss",)),
    "conversion": frozenset(("conversion", "convert")),
    "function": frozenset(("table", "matrix")),
}
MOST_SLIPS = 2
LETTERS_PER_SLIP = 4  # of a word
SLIPS = ((10, MOST_SLIPS), (5, 1))  # from this length on, this many letters may be wrong
OF_A_TERM = 2  # the rank of a term
KINDS = (
    "measure",
    "curve",
    "rule",
    "interval",
    "test",
    "loss",
    "conversion",
    "function",
)  # in the order of answers


def matches(query: str, every: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries that a query means, the best first."""
    for found in _attempts(query, every):
        if found:
            return _sorted(query, found)
    return ()


def _attempts(query: str, every: Sequence[Entry]) -> Iterator[list[tuple[int, Entry]]]:
    """For each way of comparing, the entries found, with a rank that is lower for better ones."""
    for way in (names.plain, names.joined):
        yield _equal(query, every, way)
    yield _all_of_kind(query, every)
    yield _equal(query, _of_kind(query, every), names.core)
    yield _equal(query, every, names.core)
    yield _misspelled(query, every)
    yield _by_words(query, every)


def _equal(query: str, every: Iterable[Entry], way: Way) -> list[tuple[int, Entry]]:
    """The name itself first, then aliases, then terms."""
    key = way(query)
    if not key:
        return []
    found = []
    for entry in every:
        ranks = (rank for rank, name in _ranked(entry) if way(name) == key)
        rank = next(ranks, None)
        if rank is not None:
            found.append((rank, entry))
    return found


def _ranked(entry: Entry) -> Iterator[tuple[int, str]]:
    yield 0, entry.name
    yield from ((1, name) for name in entry.aliases)
    yield from ((OF_A_TERM, name) for name in entry.terms)


def _of_kind(query: str, every: Iterable[Entry]) -> list[Entry]:
    """The entries of the kinds that the words of a query name."""
    said = set(names.words(query))
    kinds = {kind for kind, words in OF_KINDS.items() if said & words}
    return [entry for entry in every if entry.kind in kinds]


def _all_of_kind(query: str, every: Iterable[Entry]) -> list[tuple[int, Entry]]:
    """Every entry of a kind, where the query names nothing else, as "p-value"."""
    return [] if names.core(query).strip("p") else [(0, entry) for entry in _of_kind(query, every)]


def _misspelled(query: str, every: Iterable[Entry]) -> list[tuple[int, Entry]]:
    """Those with the fewest wrong letters, whole or without the words that may be left out."""
    ways = [(way, way(query)) for way in (names.joined, names.core)]
    found = [(min(_letters(query, way, key, entry) for way, key in ways), entry) for entry in every]
    least = min(number for number, _ in found)
    return [(0, entry) for number, entry in found if number == least <= MOST_SLIPS]


def _letters(query: str, way: Way, key: str, entry: Entry) -> int:
    """The wrong letters compared with the nearest name; digits and short names must be right."""
    most = next((slips for length, slips in SLIPS if len(key) >= length), 0)
    if not most:
        return MOST_SLIPS + 1
    near = (way(name) for _, name in _ranked(entry) if _alike(query, name))
    found = min((names.distance(key, one, most) for one in near), default=most + 1)
    return found if found <= most else MOST_SLIPS + 1


def _alike(query: str, name: str) -> bool:
    """Whether digits are the same, and, of names with as many words, no word has too many wrong letters."""
    if _digits(query) != _digits(name):
        return False
    ours, theirs = ([word for word in names.words(one) if word not in names.SPARE] for one in (query, name))
    return len(ours) != len(theirs) or all(
        names.distance(one, other, len(one) // LETTERS_PER_SLIP) <= len(one) // LETTERS_PER_SLIP
        for one, other in zip(ours, theirs, strict=True)
    )


def _digits(key: str) -> str:
    return "".join(letter for letter in key if letter.isdigit())


def _by_words(query: str, every: Iterable[Entry]) -> list[tuple[int, Entry]]:
    """Those with all words in their names, else in names and title."""
    wanted = [word for word in names.words(query) if word not in names.SPARE] or list(names.words(query))
    if not wanted:
        return []
    found = []
    for entry in every:
        named = {word for name in (*entry.names, *entry.terms) for word in names.words(name)}
        if all(_begins(word, named) for word in wanted):
            found.append((0, entry))
        elif all(_begins(word, named | set(names.words(entry.title))) for word in wanted):
            found.append((1, entry))
    return found


def _begins(word: str, among: Iterable[str]) -> bool:
    return any(one == word or (len(word) > 3 and one.startswith(word)) for one in among)


def _sorted(query: str, found: Sequence[tuple[int, Entry]]) -> tuple[Entry, ...]:
    """Names before terms, a kind that the query names before others, of a measure the first form.

    Of equal ones that are not measures those whose name has all words come first.
    """
    said = set(names.words(query))
    own = registry.get(query).name if registry.known(query) else None

    def place(one: tuple[int, Entry]) -> tuple[bool, bool, int, int, bool]:
        rank, entry = one
        named = bool(said & OF_KINDS.get(entry.kind, frozenset()))
        first = rank if entry.name != own else -1
        lacks = entry.kind != "measure" and not said <= set(names.words(entry.name))
        return rank >= OF_A_TERM, not named, KINDS.index(entry.kind), first, lacks

    once = {(entry.kind, entry.name): entry for _, entry in sorted(found, key=place)}
    return tuple(registry.get(name) if kind == "measure" else one for (kind, name), one in once.items())
