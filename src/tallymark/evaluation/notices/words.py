"""The sentences of notices, by their code; no decision depends on their wording.

A sentence is a format of the fields, or a function of the notice. Fields that are rules or notes are inserted
as their sentences.
"""

from __future__ import annotations

from ...input.messages import Message
from ...input.spelling import IN_FORMATS
from . import words_in_brief, words_of_data, words_of_models
from .wording import Words

SENTENCES: dict[str, Words] = {**words_of_data.SENTENCES, **words_of_models.SENTENCES}
BRIEF: dict[str, Words] = SENTENCES | words_in_brief.SENTENCES


def sentence(notice: Message) -> str:
    """The sentence of a notice; for one of several models it begins with the name of the model."""
    return _in(SENTENCES, notice)


def brief(notice: Message) -> str:
    """The shorter sentence of a severe notice; of others the sentence."""
    return _in(BRIEF, notice)


def _in(sentences: dict[str, Words], notice: Message) -> str:
    words = sentences[notice.code]
    said = words.format(**IN_FORMATS, **notice.in_words) if isinstance(words, str) else words(notice)
    return f"{notice['model']}: {said}" if "model" in notice else said
