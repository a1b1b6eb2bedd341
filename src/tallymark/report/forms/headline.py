"""The headline of an evaluation as one sentence: what the model does, with intervals, and what is unsure."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...evaluation.headline import Figure, Headline, Reading
from ...inference import Estimate
from ...input import text
from ...input.data_info import Task
from .. import parts

LONGEST_LABEL = 24
Write = Callable[[Estimate], str]
AGAINST: dict[Reading, str] = {
    "better": "better than chance ({})",
    "worse": "worse than chance ({})",
    "unclear": "not shown to differ from chance ({})",
}
OF_MEAN: dict[Reading, str] = {
    "better": "better than always predicting the mean",
    "worse": "worse than always predicting the mean",
    "unclear": "not shown to be better than always predicting the mean",
}


def as_text(h: Headline, digits: int | None = None) -> str:
    """The sentence. digits: after the point."""
    write = partial(parts.estimate, digits=digits)
    first = f"{_main(h, write)} on {_cases(h)}"
    rest = "; ".join(part for part in SENTENCES[h.task](h, write) if part)
    return f"{first}: {rest}." if rest else f"{first}."


def _main(h: Headline, write: Write) -> str:
    name, found = parts.title(h.main.measure), h.main.estimate
    if found.undefined:
        return f"{name} is undefined"
    about = "approximate " * any(note.kind == "approximate" for note in found.notes)
    level = f" ({about}{100 * found.level:.4g}% CI)" if found.has_interval else " (no interval)"
    return f"{_corrected(found)}{name} {write(found)}{level}"


def _cases(h: Headline) -> str:
    said = [f"{text.count(h.cases)} {'weighted ' * h.weighted}case{'s' * (h.cases != 1)}"]
    if h.groups is not None:
        what, number = h.groups
        said[0] += f" in {number:,} {what[: -1 if number == 1 else None]}"
    if h.positives is not None:
        said.append(f"{text.count(h.positives)} positive")
    if h.classes is not None:
        said.append(f"{h.classes:,} {'labels' if h.task == 'multilabel' else 'classes'}")
    return ", ".join(said)


def _corrected(found: Estimate) -> str:
    return "" if found.corrected is None else "corrected "


def _with_interval(found: Estimate, write: Write) -> str:
    return f"{write(found)}{'' if found.has_interval else ' (no interval)'}"


def _said(one: Figure, write: Write, verb: str = " is") -> str:
    """As "sensitivity is 0.587 [0.505, 0.665]"."""
    name = parts.short(parts.title(one.measure))
    found = one.estimate
    return f"{_corrected(found)}{name}{verb} {_with_interval(found, write)}"


def _reading(h: Headline, words: dict[Reading, str] = AGAINST) -> str:
    if h.main.estimate.undefined:
        return h.main.estimate.undefined.text
    return "" if h.reading is None else words[h.reading].format(f"{h.chance:.3g}")


# The rest of the sentence, by task
# --------------------------------------------------------------------------------------------------


def _two_classes(h: Headline, write: Write) -> list[str]:
    at = "" if h.threshold is None else f"at the threshold {h.threshold:.4g}"
    at += f"{', chosen on these cases,' if h.chosen else ''} " if at else ""
    said = [f"{_said(one, write, ' is' * (one is h.further[0]))}" for one in h.further]
    least = [_with_least(one, h, of) for one, of in zip(h.further, said, strict=True)]
    return [_reading(h), f"{at}{' and '.join(least)}" if least else ""]


def _with_least(one: Figure, h: Headline, said: str) -> str:
    """With a remark, where it is the less certain of two."""
    least = h.least_certain is not None and one.measure == h.least_certain.measure
    return f"{said} (the less certain)" if least else said


def _several_classes(h: Headline, write: Write) -> list[str]:
    always = "" if h.largest_class is None else parts.rounded(h.largest_class)
    against = f", against {always} for always predicting the largest class" if always else ""
    found = "".join(_said(one, write) + against for one in h.further)
    return [_reading(h), found, _least_certain(h, write, "class")]


def _several_labels(h: Headline, write: Write) -> list[str]:
    exact = "the share of cases with every label right" if h.main.measure == "exact_match" else ""
    first = _reading(h) or exact
    return [first, *(_said(one, write) for one in h.further), _least_certain(h, write, "label")]


def _least_certain(h: Headline, write: Write, what: str) -> str:
    one = h.least_certain
    if one is None or one.cases is None:
        return ""
    name, found = parts.short(parts.title(one.measure)), one.estimate
    of = f"{what} {text.label(one.label, LONGEST_LABEL)}"
    cases = "" if h.weighted else f", from {text.count(one.cases)} case{'s' * (one.cases != 1)}"
    return f"least certain is the {name} of {of}, {_with_interval(found, write)}{cases}"


def _amounts(h: Headline, write: Write) -> list[str]:
    return [_reading(h, OF_MEAN), *(_of_amounts(one, write) for one in h.further)]


def _of_amounts(one: Figure, write: Write) -> str:
    found, said = one.estimate, _said(one, write)
    if one.measure != "mean_error" or not found.has_interval:
        return said
    side = "too high" if found.low > 0 else "too low" if found.high < 0 else ""
    return f"{said}, {f'{side} on average' if side else 'not shown to be biased'}"


SENTENCES: dict[Task, Callable[[Headline, Write], list[str]]] = {
    "binary": _two_classes,
    "multiclass": _several_classes,
    "multilabel": _several_labels,
    "regression": _amounts,
}
