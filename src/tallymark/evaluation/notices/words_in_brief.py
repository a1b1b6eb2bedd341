"""The shorter sentences of severe notices, by their code: at most two lines of the first screen each."""

from __future__ import annotations

from ...input.labels import shown_apart
from ...input.messages import Message
from ...input.spelling import option
from ...input.text import label
from .wording import LONGEST_LABEL, Words, number_of, some, terms


def _one_class(notice: Message) -> str:
    if notice["missing"] == "both":
        return "There are no cases: every measure is undefined."
    return f"There are no {notice['missing']}: every measure that compares the two classes is undefined."


def _few_cases(notice: Message) -> str:
    if "classes" in notice:
        classes = number_of(notice["classes"], "class has", "classes have")
        return f"{classes} fewer than {notice['limit']} cases: read the intervals there, not the values."
    called = terms(notice)
    sizes = (name for name in ("positives", "negatives") if name in notice)
    few = " and ".join(number_of(notice[name], getattr(called, name[:-1])) for name in sizes)
    return f"Only {few}: read the intervals, not the values."


def _rows_dropped(notice: Message) -> str:
    rows = f"{number_of(notice['dropped'], 'row')} ({notice['share']:.1%})"
    return f"{rows} with a missing value {'was' if notice['dropped'] == 1 else 'were'} left out."


def _no_answer(notice: Message) -> str:
    interval = f" [{notice['low']:.1%}, {notice['high']:.1%}]" if "low" in notice else ""
    how = "and count as wrong" if notice["of_classes"] else "and count as the class that the case is not of"
    return f"{notice['value']:.1%}{interval} of the predicted labels name no class {how}."


def _class_weights(notice: Message) -> str:
    shares = "the shares of the classes"
    if "before" in notice:
        shares = f"the share of positives from {notice['before']:.3g} to {notice['after']:.3g}"
    return f"The weights change {shares}: measures of probabilities are those of the weighted cases."


def _never_predicted(notice: Message) -> str:
    classes = number_of(notice["classes"], "class is", "classes are")
    return (
        f"{classes} never predicted ({some(notice)}): averages of precision leave"
        f" {'it' if notice['classes'] == 1 else 'them'} out and are too high."
    )


def _class_auc(notice: Message) -> str:
    return f"The ROC AUC of {some(notice)} is below 0.5: check the order of the score columns."


def _chosen(notice: Message) -> str:
    return (
        f"The threshold {notice['threshold']:.4g} was chosen on these cases: the measures at it are"
        " optimistic; their intervals, if any, allow for that."
    )


def _one_answer(notice: Message) -> str:
    answer = label(notice["answer"], LONGEST_LABEL)
    if "larger" in notice:
        larger = label(notice["larger"], LONGEST_LABEL)
        return f"Every case is predicted {answer}, while {larger} has more cases."
    if "threshold" in notice:
        return f"Every case is predicted {answer} at the threshold {notice['threshold']:.4g}: choose another."
    return f"Every case is predicted {answer}: the other prediction is right more often."


def _met_here(notice: Message) -> str:
    return (
        f"The rule {notice['rule'].text!r} is met by the estimate on these cases only, in other samples about"
        " half of the time."
    )


SENTENCES: dict[str, Words] = {
    "agreement-below-chance": (
        "Predicted and actual labels agree less than by chance: check whether the labels or the scores are"
        " reversed."
    ),
    "auc-below-half": lambda notice: (
        f"ROC AUC is below 0.5: check {terms(notice).check} and the direction of the scores."
    ),
    "class-auc-below-half": _class_auc,
    "class-weights": _class_weights,
    "classes-never-predicted": _never_predicted,
    "confidence-of-the-predicted-class": (
        "No probability is below 0.5: they seem to be the confidence of the predicted class; pass the"
        " probability of the positive one."
    ),
    "few-cases": _few_cases,
    "labels-alike": lambda notice: (
        f"Labels differ only in {notice['what']}, as {shown_apart(*notice['first'])}: write them in one way."
    ),
    "limit-met-here-only": _met_here,
    "no-answer": _no_answer,
    "one-answer": _one_answer,
    "one-class": _one_class,
    "perfect-ranking": (
        "Every positive scores above every negative: check that the score does not contain the label."
    ),
    "rows-dropped": _rows_dropped,
    "scores-look-like-labels": ("The only scores are 0 and 1: pass predicted labels as {option[predicted]}."),
    "threshold-chosen-here": _chosen,
    "whole-weights": lambda notice: (
        "The weights are whole and are taken as importance weights;"
        f" {option('weight_kind', 'count')} if they are numbers of cases."
    ),
}
