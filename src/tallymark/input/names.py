"""Names in any spelling, and what the catalogue has in addition to measures.

`@listed` enters a function where it is defined, with its other names.
"""

from __future__ import annotations

import inspect
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeVar

MARKS = str.maketrans({
    "’": "'", "′": "'", "−": "-", "–": "-", "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta",
    "Δ": "delta", "κ": "kappa", "φ": "phi", "ρ": "rho",
})  # fmt: skip
SIGNS = (
    (r"'s\b|(?<=s)'", ""),  # Youden's J, users' accuracy
    (r"'", " prime "),  # d'
    (r"\+(?=\W|$)", " plus "),  # LR+
    (r"(?<=[a-z])\s*-(?=\s*$)", " minus "),  # LR-
    (r"@", " at "),
    (r"\\[a-z]+|[{}$]", lambda found: found[0].strip("\\{}$")),  # F_{\beta}
    (r"[\s_.,:;()\-]+", "_"),  # another sign is no part of a name
)
GRAMMAR = ("a", "an", "the", "of", "for", "and", "in", "at", "to", "by", "with", "from", "on", "under", "vs")
# words of which a name has one more or one less without another meaning
SPARE = frozenset(
    (
        *GRAMMAR,
        *("score", "measure", "metric", "index", "statistic", "coefficient", "value", "estimate"),
        *("rate", "ratio", "plot", "chart", "graph", "diagram", "curve", "test", "interval", "confidence"),
        *("method", "rule", "function", "loss", "between", "estimator", "ci", "problem", "eqv"),
    )
)
AMERICAN = (("isation", "ization"), ("ise", "ize"), ("our", "or"), ("centre", "center"), ("labell", "label"))
ENDINGS = re.compile(  # after at least four letters; agent nouns are other things: a ranker is no ranking
    r"(?<=\w{4})(?:(?:al)?ly|at(?:ions?|ing|ed?|es|ive|ors?)|i(?:ons?|ves?|vity|ty|ties)|ings?|ed|es?|al|ors?|y|ic)$"
)


@lru_cache(4096)
def plain(name: str) -> str:
    """The name as an identifier in lower case: "Youden's J" is youden_j, "LR+" lr_plus."""
    if name.isascii() and name.isidentifier():
        return name.lower().strip("_")
    text = unicodedata.normalize("NFKD", name.translate(MARKS)).lower()
    text = "".join(sign for sign in text if not unicodedata.combining(sign))
    for pattern, instead in SIGNS:
        text = re.sub(pattern, instead, text)
    return text.strip("_")


def words(name: str) -> tuple[str, ...]:
    """The stems of the words of a name: "balanced" is "balance", "predictive" is "prediction"."""
    return tuple(stem(word) for word in raw_words(name))


def raw_words(name: str) -> list[str]:
    """The words of a name as they are spelled, in lower case."""
    return [word for word in re.split(r"[\W_]+", plain(name)) if word]


@lru_cache(8192)
def stem(word: str) -> str:
    """A word in American spelling without the endings of inflection and derivation."""
    for british, american in AMERICAN:
        word = word.replace(british, american)
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "ias")):
        word = word[:-1]
    return ENDINGS.sub("", ENDINGS.sub("", word))


def joined(name: str) -> str:
    """The stems without spaces."""
    return "".join(words(name))


def core(name: str) -> str:
    """The stems that tell it apart from others, without spaces; "" where there is none."""
    return "".join(word for word in words(name) if word not in SPARE_STEMS)


def distinctive(name: str) -> tuple[str, ...]:
    """The stems that tell it apart from others, or all but those of grammar where there is none."""
    stems = words(name)
    return tuple(word for word in stems if word not in SPARE_STEMS) or tuple(
        word for word in stems if word not in GRAMMAR
    )


SPARE_STEMS = frozenset(stem(word) for word in SPARE)


F = TypeVar("F", bound=Callable[..., Any])
ListedKind = Literal["curve", "rule", "interval", "test", "loss", "conversion", "function"]


@dataclass(frozen=True, eq=False)
class Listed:
    """A method of the catalogue that is not a measure.

    Attributes
    ----------
    kind : {"curve", "rule", "interval", "test", "loss", "conversion", "function"}
        What it is: a curve, a rule for a threshold, a method for confidence intervals, a test, a loss for
        training, a conversion of scores, or a function or type of another kind, as a table.
    name : str
        Its name.
    aliases : tuple of str
        Other names.
    terms : tuple of str
        Words under which it is found that are also names of something else.
    use : str
        How it is called in Python.
    command : str
        How it is called on the command line; empty if it is not there.
    function : callable
        The function with its docstring.
    """

    kind: ListedKind
    name: str
    aliases: tuple[str, ...]
    terms: tuple[str, ...]
    use: str
    command: str
    function: Callable[..., Any]

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)

    @property
    def doc(self) -> str:
        """The docstring of the function."""
        return inspect.getdoc(self.function) or ""

    @property
    def title(self) -> str:
        """The first paragraph of the docstring."""
        found = re.match(r".*?(?=\n\n|\sSource: |\Z)", self.doc, re.S)
        return _flat(found[0] if found else "")

    @property
    def source(self) -> str:
        """Its source in the literature."""
        flat = re.search(r"\bSources?: (.*?)(?=\bDiffers: |\n\n|\Z)", self.doc, re.S)
        section = re.search(r"^References\n-+\n(.*?)(?=\n\n|\Z)", self.doc, re.S | re.M)
        found = flat or section
        return _flat(found[1] if found else "")

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}: {self.title}>"


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


LISTED: dict[tuple[str, str], Listed] = {}  # by kind and name


def listed(
    kind: ListedKind,
    use: str,
    *,
    name: str | None = None,
    aka: tuple[str, ...] = (),
    terms: tuple[str, ...] = (),
    command: str = "",
) -> Callable[[F], F]:
    """Enters a function into the catalogue; the arguments are those of `Listed`.

    name: by default that of the function.
    """

    def enter(function: F) -> F:
        known = name or function.__name__
        if (kind, known) in LISTED:
            raise ValueError(f"{known} is already a {kind} of the catalogue")
        LISTED[kind, known] = Listed(kind, known, aka, terms, use, command, function)
        return function

    return enter
