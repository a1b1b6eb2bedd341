"""Notices: each is a code with fields, of which `texts` makes a sentence that says what to do.

A rule (`rules`) is a function of an `Evaluation` that returns the fields of its notice, or None; the name of
the function is the code. A fact is a property of the data, as the number of cases. A finding is a judgement
on the model: it rests on a confidence interval, so that a model without the fault causes it in
at most 2 % of samples; docs/notices.md has the simulated shares.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from ...input.data_info import DataInfo
from ...input.messages import Message
from .rules import RULES as RULES
from .texts import number_of as number_of, sentence

OF_DATA = ("rows-dropped", "whole-weights")
# of other results than evaluations, which have no rules
SEVERE = ("cases-left-out", "class-mix-differs", "groups-left-out", "judge-differs")
BY_CODE = {rule.code: rule for rule in RULES}


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
    def brief(self) -> str:
        """A shorter sentence, of a severe notice; of others the sentence."""
        return sentence(self, short=True)

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


def of_data(about: DataInfo | None) -> tuple[Notice, ...]:
    """The notices that follow from the facts of the data alone, for results that hold no evaluation."""
    fields = {code: BY_CODE[code].function(SimpleNamespace(data=about)) for code in OF_DATA if about}
    return tuple(Notice(code, **each) for code, each in fields.items() if each is not None)


def review(evaluation: Any) -> tuple[Notice, ...]:
    """The notices of an evaluation: severe ones first, each part in the order of the rules."""
    fields = ((rule.code, rule.fields(evaluation)) for rule in RULES)
    notices = (Notice(code, **each) for code, each in fields if each is not None)
    return tuple(sorted(notices, key=lambda notice: not notice.severe))
