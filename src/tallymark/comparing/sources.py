"""The models that `compare` is given: on the same cases, on data sets or arrays of their own, parted by a column, or summaries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from .. import validate
from ..door import evaluate
from ..evaluation import Evaluation
from ..facts import Data, kind_of_weights
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from ..validate import InputError
from .alike import alike, cases_of, refuse_one_truth
from .models import Model, Reading, codes_of, models_of, names_of, read, several, thresholds_of

SUMMARIES = (Evaluation, Counts, ConfusionMatrix, RankingTable)
OTHERS = (ClassScores, IndicatorTable, Residuals)
TOGETHER = "of all models"  # in the name of a column that sample= parts


def read_models(
    data: tuple, cases: dict[str, Any], paired: bool | None, threshold: Any, reading: Reading
) -> tuple[list[Model], Data, bool]:
    """The models, the facts, and whether they share their cases."""
    for one in data:
        known = isinstance(one, (list, tuple)) and (not one or isinstance(one[0], (str, Path, *SUMMARIES)))
        if isinstance(one, (np.ndarray, list, tuple)) and not known:
            raise InputError("Pass arrays by name, as truth= and score=, so that they cannot be swapped.")
    if len(data) == 1 and isinstance(data[0], (list, tuple)) and data[0] and isinstance(data[0][0], SUMMARIES):
        data = tuple(data[0])
    if any(isinstance(one, Mapping) and any(isinstance(part, (*SUMMARIES, *OTHERS)) for part in one.values()) for one in data):
        raise InputError("data: a mapping of evaluations or tables is no data set; pass them one by one, as compare(ev_a, ev_b).")
    if any(isinstance(one, (*SUMMARIES, *OTHERS)) for one in data):
        return _of_summaries(data, cases, paired, threshold, reading)
    if cases["truth"] is None:
        raise InputError("truth: the real labels are missing; pass truth=.")
    kind = validate.one_of({"score": cases["score"], "predicted": cases["predicted"]})
    if kind == "predicted" and (threshold is not None or not reading.higher_is_positive or "score_kind" in reading.options):
        raise InputError("threshold, higher_is_positive and score_kind are for scores; predicted labels are answers already.")
    if len(data) > 1:
        if cases["sample"] is not None:
            raise InputError("sample: two data sets hold different cases already; leave out sample=, or give one data set.")
        if paired:
            raise InputError("paired: two data sets hold different cases; leave it out, or join them row by row.")
        return _of_sets(data, kind, cases, paired, threshold, reading)
    source = data[0] if data else None
    if cases["sample"] is not None:
        if paired:
            raise InputError("sample: it parts the cases, so that models have different ones; leave out paired=True, or sample=.")
        return _samples(source, kind, cases, threshold, reading)
    if paired is False or (paired is not None and not validate.flag(paired, "paired")):
        return _of_lists(source, kind, cases, threshold, reading)
    named = names_of(cases[kind], kind, source is not None)
    several(named, kind)
    found, about = read(source, kind, named, reading, **{role: cases[role] for role in ("truth", "weight", "clusters")})
    models = models_of(found, kind, reading, thresholds_of(threshold, list(named)))
    sizes = models[0].evaluation.data
    return models, replace(about, positives=sizes.positives, negatives=sizes.negatives), True


def _of_summaries(data, cases, paired, threshold, reading):
    """Of what was summarised before: of different cases, since a summary does not hold which case is which."""
    if paired is not None and validate.flag(paired, "paired"):
        raise InputError("paired: summaries do not hold which case is which; pass the cases with score=[...], or leave it out.")
    given = next((name for name, value in cases.items() if value is not None), None)
    if given:
        raise InputError(f"{given}: summaries hold all that is measured, so {given} has no meaning beside them; leave it out.")
    if len(data) < 2:
        raise InputError("data: one summary only; give those of two models or more.")
    names = [f"model {i + 1}" for i in range(len(data))]
    limits = thresholds_of(threshold, names)
    models = [_kept(name, _evaluated(one, limits[name], reading)) for name, one in zip(names, data, strict=True)]
    if paired is None:
        _refuse_alike(models)
    return models, _facts("summaries", models), False


def _refuse_alike(models):
    found = alike([model.evaluation for model in models])
    if found:
        first, second = (models[i] for i in found)
        of_amounts = first.evaluation.residuals is not None
        alike_in = "as many cases" if of_amounts else "as many cases of each class"
        way_out = "predicted amounts are" if of_amounts else "pass the cases with score=[...] for the paired comparison, or"
        way_out += " compared on different cases only: pass" if of_amounts else ""
        raise InputError(
            f"paired: {first.name} and {second.name} have {alike_in} ({cases_of(first.evaluation)}), which may be the same cases; "
            f"{way_out} paired=False if they are different ones."
        )


def _kept(name, evaluation):
    return Model(name, evaluation, clusters=None if evaluation.clusters is None else evaluation.clusters.groups)


def _same_design(held, asked):
    if held != asked:
        raise InputError(f"design: {asked!r}, but an evaluation holds {held!r}; pass design={held!r}, or evaluate both alike.")


def _evaluated(one, limit, reading):
    if isinstance(one, OTHERS) or not isinstance(one, SUMMARIES):
        raise InputError(f"data: a {type(one).__name__} cannot be compared; give evaluations, ranking tables, counts or matrices.")
    if isinstance(one, Evaluation):
        _same_design(one.settings.design, reading.options["design"])
        one = replace(one, settings=replace(one.settings, level=reading.options["level"]))
        return one if limit is None else one.at(limit)
    given = dict(reading.options)
    if isinstance(one, RankingTable):
        given["higher_is_positive"] = reading.higher_is_positive
    return evaluate(one, **given, **({} if limit is None else {"threshold": limit}))


def _of_sets(data, kind, cases, paired, threshold, reading):
    """Each model on a data set of its own."""
    names = _names_of_sets(data, cases[kind])
    limits = thresholds_of(threshold, names)
    models, abouts, truths = [], [], {}
    for i, (name, one) in enumerate(zip(names, data, strict=True)):
        given = {role: _ith(cases[role], i, len(data)) for role in (kind, "truth", "weight", "clusters")}
        found, about = read(one, kind, {name: given.pop(kind)}, reading, **given)
        models += models_of(found, kind, reading, {name: limits[name]})
        abouts.append(about)
        truths[name] = found["truth"].values
    if paired is None or validate.flag(paired, "paired"):
        refuse_one_truth(truths, kind)
    return models, _facts(", ".join(about.source for about in abouts), models, sum(about.dropped for about in abouts)), False


def _ith(values, i, number):
    return values[i] if isinstance(values, (list, tuple)) and len(values) == number else values


def _names_of_sets(data, columns):
    if isinstance(columns, (list, tuple)) and all(isinstance(one, str) for one in columns) and len(set(columns)) == len(data):
        return list(columns)
    if all(isinstance(one, str) for one in data) and len(set(data)) == len(data):
        return list(data)
    return [f"model {i + 1}" for i in range(len(data))]


def _of_lists(source, kind, cases, threshold, reading):
    """Arrays of each model, in lists or mappings that go side by side."""
    parts = {role: values for role, values in cases.items() if values is not None}
    if source is not None:
        raise InputError("paired: of one data set, say with sample= which sample a case is of; or give a data set per model.")
    sizes = {role: len(values) for role, values in parts.items() if isinstance(values, (list, tuple, Mapping))}
    if len(sizes) < len(parts) or len(set(sizes.values())) > 1 or sizes[kind] < 2:
        raise InputError(
            f"paired: without it, give a list with one array per model each to {', '.join(f'{one}=' for one in parts)}."
        )
    named = names_of(cases[kind], kind, False)
    limits, models = thresholds_of(threshold, list(named)), []
    for i, (name, array) in enumerate(named.items()):
        others = {role: _of_model(role, values, name, i) for role, values in parts.items() if role != kind}
        found, _ = read(None, kind, {name: array}, reading, **others)
        models += models_of(found, kind, reading, {name: limits[name]})
    return models, _facts("arrays", models), False


def _of_model(role, values, name, place):
    if not isinstance(values, Mapping):
        return values[place]
    found = {str(of): one for of, one in values.items()}
    if name not in found:
        raise InputError(f"{role}: it has nothing for the model {validate.shown(name)}; name the models alike in all arguments.")
    return found[name]


def _samples(source, kind, cases, threshold, reading):
    """The cases parted by a column."""
    given = {role: cases[role] for role in ("truth", "weight", "clusters", "sample")}
    if isinstance(cases[kind], Mapping) or (source is not None and not isinstance(cases[kind], str)):
        raise InputError(f"{kind}: with sample= there is one column for all models; name that one.")
    found, about = read(source, kind, {TOGETHER: cases[kind]}, reading, **given)
    labels, codes = codes_of(found.pop("sample"))
    if len(labels) < 2:
        raise InputError("sample: all cases are of one sample; give cases of two or more, or leave sample= out.")
    limits, models = thresholds_of(threshold, [str(label) for label in labels]), []
    for code, label in enumerate(labels):
        part = {role.replace(TOGETHER, str(label)): column.keep(codes == code) for role, column in found.items()}
        models += models_of(part, kind, reading, {str(label): limits[str(label)]})
    return models, _facts(about.source, models, about.dropped), False


def _facts(source, models, dropped=0):
    data = [model.evaluation.data for model in models]
    positives, negatives = (_sum([getattr(one, name) for one in data]) for name in ("positives", "negatives"))
    weighted, kind = any(one.weighted for one in data), kind_of_weights(one.weight_kind for one in data)
    return Data(sum(one.rows for one in data), positives, negatives, weighted, source, dropped, weight_kind=kind)


def _sum(sizes):
    return None if any(size is None for size in sizes) else sum(sizes)
