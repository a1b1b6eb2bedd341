"""The titles of measures, which of them the first screen shows, and in which order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Headline:
    """The title of a measure, and its place on the first screen.

    Attributes
    ----------
    place : int or None
        The smaller, the higher it stands; None where it is not there.
    label : str
        The name under which the literature knows it, as "ROC AUC".
    next_to : tuple of str, optional
        A second number in the same line: its name there, and the measure, as ("skill", "brier_skill_score").
    averages : tuple of str
        Of many classes: which averages of it stand there, of "macro", "weighted" and "micro".
    labels_only : bool
        Whether it is left out where there are scores.
    column : int, optional
        The place among the columns of a table with a row per model or group; None where it is not there.
    """

    place: int | None
    label: str
    next_to: tuple[str, str] | None = None
    averages: tuple[str, ...] = ()
    labels_only: bool = False
    column: int | None = None

    @property
    def short(self) -> str:
        """The label in the middle of a name: "precision" of "Precision (PPV)", but "F1"."""
        word = self.label.split(" (")[0]
        return word[0].lower() + word[1:] if word[1:].islower() else word
