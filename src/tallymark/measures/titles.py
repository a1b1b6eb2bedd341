"""Titles of measures, and other identifiers in words."""

from __future__ import annotations

from collections.abc import Iterable

from ..input.errors import series
from . import registry

CAPITALS = {
    "roc", "auc", "pr", "ece", "ace", "mce", "rmsce", "r2", "fmr", "fnmr", "dcf", "ks", "tpr", "auch", "rms",
    "npr", "j", "q", "y",
}  # fmt: skip
NAMES = {
    "adjusted f": "adjusted F", "bedroc": "BEDROC", "cllr": "Cllr", "cochran q": "Cochran's Q",
    "cox snell": "Cox-Snell",
    "davis goadrich": "Davis-Goadrich", "delong": "DeLong's test", "goodman kruskal": "Goodman-Kruskal",
    "hosmer lemeshow": "Hosmer-Lemeshow", "mcnemar": "McNemar's",
    "kolmogorov smirnov": "Kolmogorov-Smirnov", "observed expected": "observed/expected",
    "top label ": "top-label ", "youden": "Youden's", "yule": "Yule's",
}  # fmt: skip
PERSONS = ("Brier", "Cohen's", "Gini", "Huber", "Jaccard")  # capitals within sentences, too


def title(measure: str) -> str:
    """The name under which the literature knows a measure, as "ROC AUC"; else its own name in words."""
    forms = registry.forms(measure) if registry.known(measure) else ()
    own = [one for one in forms if one.name == measure] or forms
    known = next((one.headline.label for one in own if one.headline is not None), None)
    return known or words(measure)


def in_sentence(measure: str) -> str:
    """The title in the middle of a sentence: "precision" of "Precision (PPV)", but "F1"."""
    word = title(measure).split(" (")[0]
    plain = word[1:].replace(" ", "").islower() and not word.startswith(PERSONS)
    return word[:1].lower() + word[1:] if plain else word


def several(measures: Iterable[str]) -> str:
    """Their titles in a sentence, as "MCC, Cohen's kappa and Youden's J"."""
    return series(map(in_sentence, measures))


def words(name: str) -> str:
    """An identifier in words, as "Pseudo R2"."""
    said = " ".join(word.upper() if word in CAPITALS else word for word in name.split("_"))
    for plain, spelt in NAMES.items():
        said = said.replace(plain, spelt)
    return f"{said[:1].upper()}{said[1:]}"
