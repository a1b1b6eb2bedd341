"""Notices: facts and findings to consider when reading an evaluation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...input.messages import Message
from .rules import BY_CODE
from .words import brief, sentence

SEVERE = ("class-mix-differs",)  # of other results than evaluations, which have no rules


class Notice(Message):
    """A fact or finding to consider when reading the results.

    Attributes
    ----------
    code : str
        What it is, as "few-cases"; it stays the same when the sentence is reworded.
    fields : tuple of pairs (name, value)
        The figures and names in the sentence, as ("positives", 7); `notice["positives"]` is the value.
    """

    __slots__ = ()

    @property
    def text(self) -> str:
        """The sentence."""
        return sentence(self)

    @property
    def source(self) -> str | None:
        """The source that discusses it, if there is one."""
        rule = BY_CODE.get(self.code)
        return None if rule is None else rule.source

    @property
    def severe(self) -> bool:
        """Whether it changes how the numbers must be read."""
        rule = BY_CODE.get(self.code)
        return self.code in SEVERE if rule is None else rule.severe

    @property
    def brief(self) -> str:
        """A shorter sentence, of a severe notice; of others the sentence."""
        return brief(self)

    def __str__(self) -> str:
        return f"{self.text} [{self.code}]"

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON: the code, the fields, the sentence, the source, whether it is severe."""
        return {**super().to_dict(), "source": self.source, "severe": self.severe}


def without(notices: Iterable[Notice], *codes: str) -> tuple[Notice, ...]:
    """The notices that have none of these codes."""
    return tuple(notice for notice in notices if notice.code not in codes)


def of_model(name: str, notice: Notice) -> Notice:
    """The notice on one of several models, with the name of the model."""
    return notice.but(model=name)
