"""Names in any spelling: as an identifier, and as the words that tell names apart."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

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
