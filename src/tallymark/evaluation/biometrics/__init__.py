"""Biometric verification in the terms of ISO/IEC 19795-1: mated and non-mated comparisons, FMR and FNMR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, Unpack

import numpy as np

from ...input import columns, validate
from ...input.calls import public
from ...input.columns import Column
from ...input.errors import UnclearLabels
from ...input.labels import listed
from ...input.persons import SamePerson, both_persons
from ...input.score_columns import of_one_model
from ...input.spelling import assigned, option
from ...input.validate import InputError, shown
from ...summaries import BinnedTable, RankingTable
from ..arguments import EvaluateArguments
from ..evaluate import NOT_OF_ONE, evaluate
from ..results import BinaryEvaluation
from .answer import SUMMARY, BiometricEvaluation

__all__ = ["FMRS", "SUMMARY", "BiometricEvaluation", "biometric"]

FMRS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)


@public(also=evaluate, but=NOT_OF_ONE)
def biometric(
    data: Any = None,
    /,
    *,
    genuine: Any = None,
    impostor: Any = None,
    similarity: bool = True,
    fmr: float | Sequence[float] = FMRS,
    **cases: Unpack[EvaluateArguments],
) -> BiometricEvaluation:
    """Evaluate a verification system from the scores of mated and zero-effort non-mated comparisons.

    Parameters
    ----------
    data : data frame, file, mapping of columns or summary, optional
        As for `evaluate`; the mated comparisons are the positive class.
    genuine, impostor : array, optional
        In place of data, truth and score: the scores of the mated and of the non-mated comparisons.
    similarity : bool, default True
        False for distances, where a lower score means mated.
    fmr : float or list of float, default (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
        False match rates, from 0 to 1, at which the false non-match rate (FNMR) is measured.
    persons
        As for `evaluate`; of arrays first those of genuine, then those of impostor. A mated comparison has
        the same person twice, any other two different ones.
    truth, score, predicted, weight, weight_kind, counts, positive, classes, ordered, clusters, regression
        As for `evaluate`.
    predicted_positive, not_an_answer, higher_is_positive, score_kind, missing
        As for `evaluate`.
    where, memory, threshold, rule, replicates
        As for `evaluate`.
    level, proportion, auc_interval, design, rng, parameters, name, progress
        As for `evaluate`.

    Returns
    -------
    BiometricEvaluation
        With the FNMR at each FMR, the equal error rate and, where threshold is given, FMR and FNMR at it.

    Raises
    ------
    InputError
        For empty lists, missing scores, rates outside 0 to 1, an evaluation, predicted, clusters,
        higher_is_positive (say similarity=False), and for whatever `evaluate` refuses.

    Notes
    -----
    With score_kind="llr" the scores are natural logarithms of likelihood ratios, so that Cllr is measured.
    With persons the intervals allow for comparisons that share a person. Without it the comparisons are taken
    as independent.

    Examples
    --------
    >>> import tallymark as tm
    >>> found = tm.biometric(genuine=[0.9, 0.8, 0.7, 0.3], impostor=[0.1, 0.2, 0.4, 0.1, 0.2], fmr=0.2)
    >>> found.mated, found.non_mated
    (4, 5)
    """
    validate.flag(similarity, "similarity")
    given: dict[str, Any] = {**of_one_model("biometric", cases)}
    rates = np.atleast_1d(validate.plain_array(fmr, "fmr")).ravel().tolist()
    wanted = tuple(validate.number(rate, "fmr", 0.0, 1.0) for rate in rates)
    _check_cases(data, genuine, impostor, cases)
    if genuine is not None:
        given |= _labelled(genuine, impostor, cases.get("missing") == "drop")
    return BiometricEvaluation(_evaluated(data, similarity, given), wanted)


def _check_cases(data: Any, genuine: Any, impostor: Any, cases: Mapping[str, Any]) -> None:
    """Raises InputError for arguments that do not apply, and unless the cases are given in one form."""
    if "higher_is_positive" in cases:
        raise InputError(
            "conflict",
            "higher_is_positive",
            f"say {option('similarity', False)} where a lower score means mated",
        )
    validate.choice(cases.get("missing", "reject"), ("reject", "drop"), "missing")
    either = cases.get("score") is not None or cases.get("predicted") is not None
    of_cases = isinstance(data, (BinnedTable, RankingTable)) or (cases.get("truth") is not None and either)
    if (genuine is None) != (impostor is None) or (genuine is None and not of_cases):
        raise InputError(
            "needed",
            "genuine, impostor",
            f"give the scores of both kinds of comparisons, or {option('truth')}, which says which are "
            f"mated, and {option('score')}",
        )
    limit = cases.get("threshold")
    if limit is not None and (not isinstance(limit, Real) or limit != limit):
        raise InputError(
            "invalid-value",
            "threshold",
            f"{shown(limit)} is not a number",
            "comparisons are taken as mated from there on",
            value=limit,
        )
    others = [
        option(name) for name in ("truth", "score", "predicted", "positive") if cases.get(name) is not None
    ]
    if genuine is not None and (data is not None or others):
        more = ", ".join(["data"] * (data is not None) + others)
        raise InputError(
            "conflict", "genuine, impostor", "they describe all comparisons already", f"leave out {more}"
        )
    if cases.get("clusters") is not None:
        raise InputError(
            "unsupported",
            "clusters",
            "a comparison is of two persons",
            f"pass {assigned('persons', '(id1, id2)')}, the two persons of each comparison, instead",
        )


def _evaluated(data: Any, similarity: bool, given: dict[str, Any]) -> BinaryEvaluation:
    """The comparisons as cases of two classes with a score. Raises InputError for other cases."""
    if given.get("persons") is not None:
        given["persons"] = SamePerson(*both_persons(given["persons"]).values())
    try:
        found = evaluate(data, higher_is_positive=similarity, **given, bins=None)
    except UnclearLabels as wrong:
        raise _unclear(wrong) from None
    except InputError:
        shape = getattr(given.get("score"), "shape", ())
        if data is None and len(shape) > 1:
            raise InputError(
                "wrong-shape", "score", f"one score per comparison is needed, not a table of shape {shape}"
            ) from None
        raise
    if not isinstance(found, BinaryEvaluation) or found.ranking is None:
        raise InputError(
            "needed",
            "score",
            "one score per comparison is needed",
            f"pass {option('genuine')} and {option('impostor')}, or {option('truth')} and {option('score')}",
        )
    found.need_each_score("biometric")
    if not (found.ranking.positives and found.ranking.negatives):
        raise InputError(
            "empty", "truth", "both mated and non-mated comparisons are needed", "one of them is missing"
        )
    return found


def _unclear(wrong: UnclearLabels) -> InputError:
    """The error for labels that do not show which comparisons are mated."""
    column, kinds = wrong.of, wrong.found
    if len(kinds) > 2:
        return InputError(
            "labels",
            column,
            f"{len(kinds)} labels ({listed(kinds)}), but a comparison is mated or non-mated",
            "give two labels",
        )
    which = "it does not say which label marks mated comparisons"
    if wrong.wanted is not None:
        which = f"{shown(wrong.wanted)} marks no comparison as mated"
    return InputError(
        "labels", column, which, f"pass {' or '.join(assigned('positive', shown(kind)) for kind in kinds)}"
    )


def _labelled(genuine: Any, impostor: Any, dropped: bool) -> dict[str, np.ndarray]:
    both = [columns.read(scores, role) for scores, role in ((genuine, "genuine"), (impostor, "impostor"))]
    for column in both:
        if not len(column):
            raise InputError("empty", column, "there are no scores", "at least one comparison is needed")
        if not dropped:
            validate.no_gaps(column)
    scores = [_with_gaps(column) for column in both]
    truth = np.repeat(np.array([1, 0], np.int8), [len(part) for part in scores])
    return {"truth": truth, "score": np.concatenate(scores)}


def _with_gaps(column: Column) -> np.ndarray:
    """The scores, with NaN for missing ones."""
    gaps = column.gaps()
    known = column.keep(~gaps) if gaps.any() else column
    scores = np.full(len(column), np.nan)
    scores[~gaps] = validate.scores(known, "give the scores of comparisons")
    return scores if gaps.any() else validate.scores(known, "give the scores of comparisons")
