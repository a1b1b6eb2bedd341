"""Tests of models on the same cases by name (McNemar, Cochran, DeLong), agreement and reclassification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isnan, nan
from typing import Any

import numpy as np

from ... import kernels
from ...evaluation.notices import Notice, of_data
from ...evaluation.paired.comparison import Agreement, Difference, ModelContrasts, chosen_here, mid_ranks
from ...evaluation.paired.models import Model
from ...inference import Estimate, Settings
from ...inference.contrast import equal
from ...inference.covariance import Sampling, covariance
from ...inference.fixed_sizes import GIVEN_MIX, HELD
from ...inference.hypothesis import (
    CochranQResult,
    McNemarResult,
    Test,
    cochran_q_of_right,
    mcnemar_of_counts,
    not_made,
)
from ...inference.influence import of_matrix
from ...inference.intervals.kinds import Question
from ...inference.intervals.of_counts import proportion_of, smooth
from ...inference.intervals.of_matrices import without_mistakes
from ...inference.intervals.scale import ROUNDING, normal_quantile
from ...inference.rank_correlation import kendall_tau_b
from ...inference.results import Interval, no_interval, with_interval
from ...input import CaseSpec, read, validate
from ...input.calls import public
from ...input.columns import Column
from ...input.errors import by_position
from ...input.labels import differ, not_scores, same_kind
from ...input.messages import Note, Noted, joined
from ...input.names import listed
from ...input.options import McNemarMethod, Missing
from ...input.results import Tabular, equal_as_tuples, rows_of
from ...input.spec import no_truth, only_two_classes
from ...input.spelling import IN_FORMATS
from ...input.validate import InputError, LabelError
from ...input.weighting import are_ones, ones
from ...measures.registry import get
from ...summaries import ConfusionMatrix
from ...summaries.samples import collect
from .reading import names_of

OF_ALL = {
    "accuracy": None,
    "error_rate": None,
    "sensitivity": 1,
    "false_negative_rate": 1,
    "specificity": 0,
    "false_positive_rate": 0,
}
NAMED = {None: "accuracy", 1: "sensitivity", 0: "specificity"}
AREAS_EQUAL = "delong, all areas equal"
FEW = 30  # cases of a class, below which it rejects up to 18 % (docs/compare.md)
NOT_COUNTED = Note("no-independent-trials")


def tests_of(study: ModelContrasts, differences: Sequence[Difference]) -> tuple[Test, ...]:
    """DeLong's overall test, McNemar's tests and Cochran's Q, for the measures compared."""
    if not study.paired:
        return ()
    found = [_overall(study)] if "roc_auc" in study.names and len(study.models) > 2 else []
    classes = list(dict.fromkeys(OF_ALL[name] for name in study.names if name in OF_ALL))
    if classes and (study.models[0].clusters is not None or not are_ones(study.models[0].weight)):
        return (*found, not_made("mcnemar", NOT_COUNTED))
    pairs = list(dict.fromkeys((one.model, one.reference) for one in differences))
    return (*found, *(test for of in classes for test in _of_answers(study.models, of, pairs)))


def _overall(study: ModelContrasts) -> Test:
    from scipy.special import chdtrc

    spread = covariance(study.influences_of_areas, study.sampling, by_class=True)[0]
    chi, df = equal(np.array([model.evaluation["roc_auc"].value for model in study.models]), spread)
    name = AREAS_EQUAL
    if isnan(chi):
        alone = np.isnan(spread).any()
        return not_made(name, Note("single-case" if alone else "areas-without-spread"))
    if not df:
        return Test(name, 0.0, 1.0, 0, (Note("models-rank-alike"),))
    few = Note("few-in-a-class", limit=FEW) if study.models[0].sizes.min() < FEW else None
    return Test(name, chi, float(chdtrc(df, chi)), df, joined(few))


def _of_answers(models: Sequence[Model], of: int | None, pairs: Sequence[tuple[str, str]]) -> list[Test]:
    first = models[0]
    if of is not None and first.evaluation.task != "binary":
        return []
    there = np.ones(len(first.truth), bool) if of is None else first.truth == of
    if not there.any():
        return [not_made(f"mcnemar, {NAMED[of]}", Note("no-case-of-the-class"))]
    by_name = {model.name: model for model in models}
    result = [_mcnemar(by_name[model], by_name[reference], there, NAMED[of]) for model, reference in pairs]
    if len(models) > 2:
        name, why = f"cochran q, {NAMED[of]}", chosen_here(*models)
        right = [model.right[there] for model in models]
        result.append(replace(cochran_q_of_right(right), name=name) if why is None else not_made(name, why))
    return result


def _mcnemar(one: Model, other: Model, there: np.ndarray, of: str) -> Test:
    """Of the cases that one of two models alone has right, unless its threshold was chosen on these cases."""
    name, why = f"mcnemar mid-p, {of}: {one.name} - {other.name}", chosen_here(one, other)
    if why is not None:
        return not_made(name, why)
    right, wanted = one.right[there], other.right[there]
    return replace(mcnemar_of_counts(int((right & ~wanted).sum()), int((~right & wanted).sum())), name=name)


# Agreement
# -------------------------------------------------------------------------------------------------------


def agreements(
    models: Sequence[Model], pairs: Sequence[tuple[int, int]], settings: Settings
) -> tuple[Agreement, ...]:
    """The agreement of each pair of a model and a reference, which are given by their numbers."""
    return tuple(
        kernels.each(
            lambda i: _agreement(models[pairs[i][1]], models[pairs[i][0]], settings),
            len(pairs),
            models[0].evaluation.data.rows > kernels.MANY,
        )
    )


def _agreement(first: Model, second: Model, settings: Settings) -> Agreement:
    share, kappa = _estimates(first, second, settings)
    why = chosen_here(first, second)
    if why is not None:
        share, kappa = (
            Estimate(one.value, level=one.level, undefined=one.undefined, notes=(why,))
            for one in (share, kappa)
        )
    spearman = kendall = None
    if first.ranking is not None:
        spearman, kendall = _correlations(first, second)
    a, b = first.right, second.right
    kinds = {"both": a & b, "first only": a & ~b, "second only": ~a & b, "neither": ~a & ~b}
    right = {name: float(first.weight[cases].sum()) for name, cases in kinds.items()}
    return Agreement(first.name, second.name, share, kappa, spearman, kendall, right)


def _estimates(first: Model, second: Model, settings: Settings) -> list[Estimate]:
    """The proportion of cases with the same prediction, and Cohen's kappa of the predictions."""
    fixed = settings.design == HELD or bool(first.evaluation.mix_fixed_by_weights)
    size, level = int(max(first.answers.max(), second.answers.max(), 1)) + 1, settings.level
    sampling, cells = _sampling(first, first.answers * size + second.answers, size * size, fixed)
    weights = np.bincount(cells, sampling.weight, size * size).reshape(size, size)
    matrix, estimates = ConfusionMatrix(tuple(range(size)), weights), []
    for entry in (get("accuracy", ConfusionMatrix), get("cohen_kappa", ConfusionMatrix)):
        value = float(entry.function(matrix))
        if isnan(value):
            estimates.append(Estimate(nan, level=level, undefined=entry.why_undefined(matrix)))
            continue
        q = Question(entry, entry.function, matrix, value, settings)
        values = of_matrix(entry, entry.function, matrix)[cells]
        if entry.name == "accuracy":
            found = proportion_of(q, values, sampling, np.ones(len(cells)))
        else:
            found = smooth(q, values, sampling)
        if isnan(found.low):
            found = without_mistakes(q, sampling) or found
        notes = joined(found.notes, GIVEN_MIX if fixed else None)
        estimates.append(with_interval(value, found, level, notes))
    return estimates


def _sampling(first: Model, place: np.ndarray, size: int, fixed: bool) -> tuple[Sampling, np.ndarray]:
    """How the cases were sampled, by class and place, and the place of each cell."""
    code = first.truth.astype(np.int64) * size + place
    if code.max() < kernels.MANY:
        occur = np.bincount(code) > 0  # in less time than by sorting
        codes, cell = np.flatnonzero(occur), (np.cumsum(occur) - 1)[code]
    else:
        codes, cell = np.unique(code, return_inverse=True)
    stratum, at = np.divmod(codes, size)
    return replace(first.sampling, fixed=fixed).in_cells(cell, stratum), at


def _correlations(first: Model, second: Model) -> tuple[float, float]:
    """Spearman's rho and Kendall's tau-b of the scores, each case counting once."""
    if min(len(model.cases.table) for model in (first, second)) < 2:
        return nan, nan
    rho, tau = kernels.together(
        lambda: _spearman(first, second),
        lambda: kendall_tau_b(first.cases.place, second.cases.place),
        when=len(first.cases) > kernels.MANY,
    )
    return rho, tau


def _spearman(first: Model, second: Model) -> float:
    """In two arrays of the cases; `corrcoef` takes four."""
    a, b = mid_ranks(first.cases), mid_ranks(second.cases)
    a -= a.mean()
    b -= b.mean()
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


# From cases or counts
# -------------------------------------------------------------------------------------------------------

FORMS = (
    "pass {option[truth]} and {option[predicted]} with two models, or {option[table]}, or"
    " {option[first_only]} and {option[second_only]}"
)


@listed("test", "tm.mcnemar(truth=y, predicted=[a, b])")
@public()
def mcnemar(
    data: Any = None,
    *,
    truth: Any = None,
    predicted: Any = None,
    table: Any = None,
    first_only: float | None = None,
    second_only: float | None = None,
    method: McNemarMethod = "mid-p",
    missing: Missing = "reject",
) -> McNemarResult:
    """McNemar's test of whether two models are correct equally often on the same cases.

    It uses the discordant cases, which only one of the models has right.

    Parameters
    ----------
    data : data frame, file or mapping of columns, optional
        As for `compare`; truth and predicted then name columns.
    truth : array or name of a column
        The true label of each case.
    predicted : two arrays or names, as a list, a mapping from names or a table of shape (cases, 2)
        The predicted labels of the two models, for the same cases in the same order; of two classes or of
        more.
    table : array of shape (2, 2)
        In place of the cases: ``[[both right, first only], [second only, neither]]``, whole numbers.
    first_only, second_only : int
        In place of the cases: the numbers of discordant cases, which the first model alone, and the second
        model alone, has right. The concordant cases do not matter.
    method : {"mid-p", "exact", "chi-square", "corrected"}, default "mid-p"
        "exact": binomial, twice the smaller tail, which never exceeds its level. "mid-p": the same with half
        the probability of the observed count; less conservative, it hardly ever exceeds its level.
        "chi-square": (b - c)^2 / (b + c), and "corrected": max(|b - c| - 1, 0)^2 / (b + c), close to the
        exact one; b and c are the numbers of discordant cases.
    missing : {"reject", "drop"}, default "reject"
        Cases that lack a value are an error, or left out for both models.

    Returns
    -------
    McNemarResult
        With statistic, p_value, df, method, first_only, second_only and note. Without discordant cases p = 1.

    Raises
    ------
    InputError
        For none or several of the three forms, numbers that are not whole, labels of different types and
        missing values.

    Notes
    -----
    Cases are assumed to be independent, each counting once. With clusters or weights use `compare`, whose
    difference of `accuracy` allows for them.

    Differs: statsmodels' corrected statistic is (0 - 1)^2 / (b + c) where b = c, and its chi-square gives p =
    0 without discordant cases; R gives NaN there.

    References
    ----------
    McNemar (1947), Psychometrika 12, 153-157. Edwards (1948), Psychometrika 13, 185-187. Fagerland, Lydersen
    and Laake (2013), BMC Medical Research Methodology 13, 91.

    Examples
    --------
    >>> import tallymark as tm
    >>> tm.mcnemar(table=[[101, 121], [59, 33]], method="exact").p_value < 0.001
    True
    """
    _no_array(data)
    given = [predicted is not None, table is not None, first_only is not None or second_only is not None]
    if sum(given) != 1:
        problem = "several forms are given" if any(given) else "no cases are given"
        raise InputError(
            "conflict" if any(given) else "needed", "mcnemar", problem, FORMS.format(**IN_FORMATS)
        )
    if given[0]:
        (first, second), said = _right(data, truth, predicted, missing, 2)
        discordant = int((first & ~second).sum()), int((~first & second).sum())
        return replace(mcnemar_of_counts(*discordant, method), notices=said)
    if data is not None or truth is not None:
        raise InputError(
            "unsupported",
            "truth" if data is None else "data",
            "counts cannot be combined with cases",
            FORMS.format(**IN_FORMATS),
        )
    if table is not None:
        return mcnemar_of_counts(*_discordant(table), method)
    if first_only is None or second_only is None:
        lacking = "first_only" if first_only is None else "second_only"
        raise InputError(
            "needed", lacking, "both numbers of discordant cases are needed", FORMS.format(**IN_FORMATS)
        )
    return mcnemar_of_counts(first_only, second_only, method)


@listed("test", "tm.cochran_q(truth=y, predicted=[a, b, c])", aka=("cochrans_q", "cochran"))
@public()
def cochran_q(data: Any = None, *, truth: Any, predicted: Any, missing: Missing = "reject") -> CochranQResult:
    """Cochran's Q test of whether two or more models are correct equally often on the same cases.

    For two models it is McNemar's chi-square test.

    Parameters
    ----------
    data : data frame, file or mapping of columns, optional
        As for `compare`; truth and predicted then name columns.
    truth : array or name of a column
        The true label of each case.
    predicted : arrays or names, as a list, a mapping from names or a table of shape (cases, models)
        The predicted labels of each model, for the same cases in the same order; of two classes or of more.
    missing : {"reject", "drop"}, default "reject"
        Cases that lack a value are an error, or left out for all models.

    Returns
    -------
    CochranQResult
        With statistic, p_value, df, right, discordant and note. Where every case is right for all models or
        wrong for all, p = 1.

    Raises
    ------
    InputError
        For fewer than two models, labels of different types and missing values.

    Notes
    -----
    Q = (k - 1) (k sum of C^2 - T^2) / (k T - sum of R^2), with k models, C correct predictions per model, R
    per case and T in total; chi-square with k - 1 degrees of freedom, which is conservative where models
    coincide. Cases are assumed to be independent, each counting once.

    References
    ----------
    Cochran (1950), Biometrika 37, 256-266. Tate and Brown (1970), Journal of the American Statistical
    Association 65, 155-160, on how many cases the chi-square distribution needs.

    Examples
    --------
    >>> import tallymark as tm
    >>> predicted = [[1, 1, 0, 0, 1, 0], [1, 0, 0, 1, 1, 0], [0, 0, 0, 1, 1, 1]]
    >>> round(tm.cochran_q(truth=[1, 1, 0, 0, 1, 0], predicted=predicted).statistic, 4)
    6.0
    """
    right, said = _right(data, truth, predicted, missing)
    return replace(cochran_q_of_right(right), notices=said)


def _right(
    data: Any, truth: Any, predicted: Any, missing: Missing, number: int | None = None
) -> tuple[list[np.ndarray], tuple[Notice, ...]]:
    """For each model, which cases it has right; and the notices on the data.

    number: how many models there must be, two or more where None.
    """
    _no_array(data)
    if truth is None:
        raise no_truth()
    named: Mapping[str, Any] = names_of(predicted, "predicted", data is not None)
    if len(named) != number if number else len(named) < 2:
        wanted = "two" if number else "two or more"
        raise InputError(
            "needed",
            "predicted",
            f"{len(named)} {'model is' if len(named) == 1 else 'models are'} given, and {wanted} are needed",
        )
    only_two_classes("a comparison", truth, (), data is not None)
    cases = read(data, CaseSpec(truth=truth, predicted=named, missing=missing))
    found = cases.columns()
    columns = [found[f"predicted {name}"] for name in named]
    for column in columns:
        same_kind(found["truth"], column)
        _labels(column, found["truth"])
    right = [~differ(found["truth"].values, column.values) for column in columns]
    return right, of_data(cases.data(None, None))


def _no_array(data: Any) -> None:
    if isinstance(data, (np.ndarray, list, tuple)):
        raise by_position("truth", "predicted")


def _labels(column: Column, truth: Column) -> None:
    try:
        not_scores(column, column.values, truth.values)
    except LabelError:
        raise InputError(
            "ambiguous",
            column,
            "these fractional numbers look like scores",
            "give labels, such as score >= 0.5",
        ) from None


def _discordant(table: Any) -> tuple[Any, Any]:
    """The two numbers of discordant cases in a table.

    Raises InputError unless it is a 2 x 2 table of whole numbers.
    """
    cells = np.asarray(table, object)
    if cells.shape != (2, 2):
        raise InputError(
            "invalid-value",
            "table",
            "give [[both right, first only], [second only, neither]], four numbers of cases",
        )
    names = "both right", "first only", "second only", "neither"
    _, first, second, _ = (
        validate.whole(cell, f"table, {name}", 0, 2.0**53)
        for name, cell in zip(names, cells.ravel().tolist(), strict=True)
    )
    return first, second


WARNING = Note("reclassification-misleads")
UNCHANGED = Note("changes-all-alike")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Reclassification(Noted, Tabular):
    """What a model changes against a reference on the same cases.

    Attributes
    ----------
    model, reference : str
        Their names.
    cutoffs : tuple of float
        The limits of the risk categories; empty for the category-free improvement, where every change counts.
    nri : Estimate
        Net reclassification improvement, the sum of the two parts; from -2 to 2.
    nri_positives, nri_negatives : Estimate
        Share of the positives that move up less that which moves down, and of the negatives that move down
        less that which moves up; each from -1 to 1.
    idi : Estimate
        Integrated discrimination improvement: the difference of the discrimination slopes.
    positives, negatives : array of shape (categories, categories)
        Cases by category of the reference (rows) and of the model (columns); without cutoffs of shape (0, 0).
    notes : tuple of Note
        The warning of the literature.
    notices : tuple of Notice
        On the data.
    """

    FORM = "studies.reclassification"

    model: str
    reference: str
    cutoffs: tuple[float, ...]
    nri: Estimate
    nri_positives: Estimate
    nri_negatives: Estimate
    idi: Estimate
    positives: np.ndarray
    negatives: np.ndarray
    notes: tuple[Note, ...] = (WARNING,)
    notices: tuple[Notice, ...] = ()

    __eq__ = equal_as_tuples

    def __hash__(self) -> int:
        return hash((self.model, self.reference, self.cutoffs))

    @property
    def table(self) -> list[dict[str, Any]]:
        """A row for each improvement, as plain values."""
        return rows_of({"measure": name, **getattr(self, name).to_dict()} for name in ESTIMATES)


ESTIMATES = ("nri", "nri_positives", "nri_negatives", "idi")


@listed(
    "test",
    "tm.reclassification(truth=y, score={'old': p, 'new': q})",
    name="net_reclassification_improvement",
    aka=("nri", "net_reclassification_index", "reclassification", "net_reclassification"),
)
@public()
def reclassification(
    data: Any = None,
    *,
    truth: Any = None,
    score: Any = None,
    positive: Any = None,
    cutoffs: Sequence[float] | None = None,
    level: float = 0.95,
    missing: Missing = "reject",
) -> Reclassification:
    """Net reclassification improvement and integrated discrimination improvement of a model over another one.

    Parameters
    ----------
    data : data frame, file or mapping of columns, optional
        As for `compare`; truth and score then name columns.
    truth : array of shape (n,), or name of a column
        Actual labels of two classes.
    score : two arrays or names, as a list, a mapping from names or a table of shape (n, 2)
        Predicted probabilities of the reference and of the model, in this order, for the same cases.
    positive : object, optional
        The label of the positive class.
    cutoffs : sequence of float, optional
        Limits of risk categories, ascending between 0 and 1. A case moves where its category changes. By
        default every change of the probability counts (category-free).
    level : float, default 0.95
        Confidence level of the intervals.
    missing : {"reject", "drop"}, default "reject"
        Cases that lack a value are an error, or left out.

    Returns
    -------
    Reclassification
        With `nri`, its parts for positives and negatives, and `idi`.

    Raises
    ------
    InputError
        For other than two models, scores that are not probabilities, cutoffs out of order, and one class.

    Notes
    -----
    Standard errors are those of means of paired differences within each class; the classes are independent.
    Intervals are symmetric, by the normal distribution, within the range. The category-free improvement and
    the sum of both parts weight the classes equally, whatever the prevalence: report the parts.

    The improvement can be far above 0 for a predictor without information if the model is miscalibrated
    (Hilden and Gerds 2014; Pepe and others 2015); the difference of proper scores, as log_loss by `compare`,
    cannot.

    References
    ----------
    Pencina, D'Agostino, D'Agostino and Vasan (2008), Statistics in Medicine 27, 157-172; Pencina, D'Agostino
    and Steyerberg (2011), Statistics in Medicine 30, 11-21, category-free and its variance. Hilden and Gerds
    (2014), Statistics in Medicine 33, 3405-3414. Pepe, Fan, Feng, Gerds and Hilden (2015), Statistics in
    Biosciences 7, 282-295.

    Examples
    --------
    >>> import tallymark as tm
    >>> old, new = [0.2, 0.4, 0.6, 0.3, 0.5, 0.7], [0.1, 0.3, 0.7, 0.4, 0.4, 0.8]
    >>> result = tm.reclassification(truth=[0, 0, 0, 1, 1, 1], score={"old": old, "new": new})
    >>> round(result.nri.value, 4), round(result.idi.value, 4)
    (0.6667, 0.0667)
    """
    level, limits = validate.level(level), _limits(cutoffs)
    names, actual, before, after, said = _cases(data, truth, score, positive, missing)
    up, change = _moved(before, after, limits), after - before
    of_classes = {"positives": actual, "negatives": ~actual}
    moves = {"positives": up[actual], "negatives": -up[~actual]}
    parts = {name: _sum((one,), level, 1.0) for name, one in moves.items()}
    tables = {name: _table(before[rows], after[rows], limits) for name, rows in of_classes.items()}
    return Reclassification(
        model=names[1],
        reference=names[0],
        cutoffs=limits,
        nri=_sum(moves.values(), level),
        nri_positives=parts["positives"],
        nri_negatives=parts["negatives"],
        idi=discrimination_improvement(change[actual], change[~actual], level),
        positives=tables["positives"],
        negatives=tables["negatives"],
        notices=said,
    )


@listed(
    "test",
    "tm.reclassification(truth=y, score={'old': p, 'new': q}).idi",
    name="integrated_discrimination_improvement",
    aka=("idi", "integrated_discrimination_index"),
    command="tallymark compare --measure discrimination_slope",
)
def discrimination_improvement(positives: np.ndarray, negatives: np.ndarray, level: float) -> Estimate:
    """Integrated discrimination improvement: the mean change of the positives less that of the negatives.

    Source: Pencina and others (2008), Statistics in Medicine 27, 157-172.
    """
    return _sum((positives, -negatives), level)


def _limits(cutoffs: Any) -> tuple[float, ...]:
    if cutoffs is None:
        return ()
    given = validate.some(cutoffs, "cutoffs", "numbers")
    result = tuple(validate.number(one, "cutoffs", 0.0, 1.0) for one in given)
    if not result or any(a >= b for a, b in pairwise(result)):
        raise InputError("invalid-value", "cutoffs", "they must be ascending numbers between 0 and 1")
    return result


def _cases(
    data: Any, truth: Any, score: Any, positive: Any, missing: Missing
) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray, tuple[Notice, ...]]:
    """The names of the models, which cases are positive, and the probabilities of both models; notices."""
    if truth is None:
        raise no_truth()
    named: Mapping[str, Any] = names_of(score, "score", data is not None)
    if len(named) != 2:
        raise InputError("needed", "score", f"two models are compared, and {len(named)} are given")
    only_two_classes("a comparison", truth, named.values(), data is not None)
    given: dict[str, Any] = {"truth": truth, "score": named, "positive": positive, "missing": missing}
    sample = collect(read(data, CaseSpec(**given, score_kind="probability")))
    actual = sample.truth
    if actual.all() or not actual.any():
        raise InputError("empty", "truth", "there is one class only, and cases of both are needed")
    before, after = (one.astype(float) for one in sample.output)
    return list(named), actual, before, after, of_data(sample.info)


def _moved(before: np.ndarray, after: np.ndarray, limits: tuple[float, ...]) -> np.ndarray:
    """1 where the risk moves up, -1 where it moves down."""
    if limits:
        before, after = _categories(before, limits), _categories(after, limits)
    return np.sign(after - before)


def _categories(p: np.ndarray, limits: tuple[float, ...]) -> np.ndarray:
    """The category of each probability; a limit belongs to the upper one."""
    return np.searchsorted(limits, p, side="right")


def _table(before: np.ndarray, after: np.ndarray, limits: tuple[float, ...]) -> np.ndarray:
    size = len(limits) + 1 if limits else 0
    table = np.zeros((size, size), int)
    if limits:
        np.add.at(table, (_categories(before, limits), _categories(after, limits)), 1)
    return table


def _sum(parts: Any, level: float, most: float = 2.0) -> Estimate:
    """The sum of the means of independent samples, with its interval."""
    parts = tuple(parts)
    value = float(sum(part.mean() for part in parts))
    total = sum(map(len, parts))
    values = np.concatenate([part * (total / len(part)) for part in parts])
    each, of_part = ones(total), np.repeat(np.arange(len(parts)), [*map(len, parts)])
    variance = covariance(values[None], Sampling(each, each, of_part, fixed=True))[0]
    error = float(np.sqrt(variance[0, 0]))
    if not error > ROUNDING:
        return with_interval(value, no_interval(UNCHANGED), level, UNCHANGED)
    step = normal_quantile(level) * error
    bounds = max(value - step, -most), min(value + step, most)
    return with_interval(value, Interval(*bounds, "normal", standard_error=error), level, None)
