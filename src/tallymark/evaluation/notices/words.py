"""The sentences of notices, by their code; no decision depends on their wording.

A sentence is a format of the fields, or a function of the notice. Fields that are rules or notes are inserted
as their sentences.
"""

from __future__ import annotations

from ...input.messages.message import Message
from ...input.spelling import IN_FORMATS
from . import words_of_data, words_of_models
from .wording import Words

SENTENCES: dict[str, Words] = {**words_of_data.SENTENCES, **words_of_models.SENTENCES}


def sentence(notice: Message) -> str:
    """The sentence of a notice; for one of several models it begins with the name of the model."""
    words = SENTENCES[notice.code]
    said = words.format(**IN_FORMATS, **notice.in_words) if isinstance(words, str) else words(notice)
    return f"{notice['model']}: {said}" if "model" in notice else said
