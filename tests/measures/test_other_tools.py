"""scikit-learn, PyCM and statsmodels, asked about thousands of tables, ordinary and not.

Where another tool has a value it is ours, to 1e-12; where neither can be that exact, the exact value is
worked out in fractions and ours must not be farther from it than theirs. Where a tool puts something in the
place of 0/0, ours is NaN.
"""

import itertools

import numpy as np
import pytest
from looping import for_each, in_part
from oracles import exact
from scipy.stats import entropy
from strategies import empty, grid, matrix, same

from tallymark import ConfusionMatrix, Counts, evaluate
from tallymark.inference import Settings, estimate_each
from tallymark.measures.registry import get

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore")]  # of 0/0, by the other tools
MOST = 12  # counts go up to 10 to this power
CELLS = ("tp", "fp", "fn", "tn")


# Tables
# --------------------------------------------------------------------------------------------------


def some_empty(random, weights, share=0.15):
    """With some of the cells set to 0; the last one stays as it is, where all would be."""
    weights = np.where(random.random(weights.shape) < share, 0.0, weights)
    weights[..., -1] += weights.sum(-1) == 0
    return weights


def small_tables():
    c = grid(0, 1, 2, 5, 40)
    return np.stack([c.tp, c.fp, c.fn, c.tn], 1)[1:]  # the first has no cases


def whole_tables():
    """Small, up to 10^12, and as good as independent."""
    random = np.random.default_rng(1)
    usual = random.integers(0, 60, (1000, 4)).astype(float)
    large = np.rint(10 ** random.uniform(0, MOST, (700, 4)))
    a, b, c, d = random.integers(10, 10 ** (MOST // 2), (4, 300))
    independent = np.stack([a * b, a * c, d * b + random.integers(-3, 4, 300), d * c], 1).astype(float)
    return np.concatenate(
        [small_tables(), some_empty(random, usual, 0.05), some_empty(random, large), independent]
    )


def fractional_tables():
    random = np.random.default_rng(2)
    return some_empty(random, random.random((500, 4)) * 10 ** random.uniform(-3, 3, (500, 1)))


WHOLE, FRACTIONAL = whole_tables(), fractional_tables()
TABLES = np.concatenate([WHOLE, FRACTIONAL])
SOME = TABLES[::7]  # for what takes its time


def counts_of(tables):
    return Counts(**dict(zip(CELLS, np.transpose(tables), strict=True)))


def rows_of(table):
    """Negative class first, rows true."""
    tp, fp, fn, tn = table
    return np.array([[tn, fp], [fn, tp]])


def drawn_weights(random, size, kind):
    weights = {
        "small": lambda: random.integers(0, 30, (size, size)),
        "few": lambda: random.integers(0, 3, (size, size)),
        "large": lambda: np.rint(10 ** random.uniform(0, MOST, (size, size))),
        "independent": lambda: (
            np.outer(*random.integers(1, 1000, (2, size))) + random.integers(0, 2, (size, size))
        ),
        "fractional": lambda: random.random((size, size)) * 10 ** random.uniform(-3, 3),
    }
    return weights[kind]().astype(float)


KINDS = ("small", "few", "large", "independent", "fractional")
KEPT = ("all", "true", "predicted", "both", "one true", "one predicted", "right")


def hollowed(random, weights, kept):
    """With classes that are never true, or never predicted; with a single true or predicted class; or without
    mistakes."""
    size = len(weights)
    rows, columns = random.random((2, size)) < 0.7
    one = np.arange(size) == random.integers(size)
    full = np.ones((size, size))
    mask = {
        "all": full,
        "true": full * rows[:, None],
        "predicted": full * columns,
        "both": np.outer(rows, columns),
        "one true": full * one[:, None],
        "one predicted": full * one,
        "right": np.eye(size),
    }[kept]
    weights = weights * mask
    weights[0, -1] += weights.sum() == 0
    return weights


def drawn_matrices(rounds):
    """Of 3 to 8 classes."""
    random = np.random.default_rng(3)
    for kind, kept, _ in itertools.product(KINDS, KEPT, range(rounds)):
        yield hollowed(random, drawn_weights(random, int(random.integers(3, 9)), kind), kept)


MATRICES = list(drawn_matrices(rounds=10))
WHOLE_MATRICES = [weights for weights in MATRICES if np.array_equal(weights, np.rint(weights))]


# How answers are compared
# --------------------------------------------------------------------------------------------------


def close(ours, theirs):
    theirs = np.asarray(theirs)
    with np.errstate(invalid="ignore"):
        return (ours == theirs) | (abs(ours - theirs) <= np.maximum(1e-12 * abs(theirs), 1e-15))


def compare(ours, theirs, undefined, referee, gaps=False, instead=np.nan):
    """Arrays, one entry per table.

    undefined: where the documentation says so, and only there ours is NaN. theirs: as ours; NaN also where
    ours is infinite, and where `gaps` says that the tool gives up; `instead`: what it may put in the place of
    NaN. referee: of an entry's number the exact value, which settles who is right where the two differ.
    """
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    assert np.array_equal(np.isnan(ours), np.broadcast_to(undefined, ours.shape))
    put = theirs[np.isnan(ours)]
    assert (np.isnan(put) | (put == instead)).all()
    assert (~np.isnan(theirs) | np.isnan(ours) | np.isinf(ours) | gaps).all()
    for i in np.flatnonzero(~(close(ours, theirs) | np.isnan(ours) | np.isnan(theirs))):
        wanted = referee(i)
        assert abs(ours[i] - wanted) <= abs(theirs[i] - wanted), (i, ours[i], theirs[i], wanted)


def compare_tables(name, tables, theirs, gaps=False, instead=np.nan, **parameters):
    """A measure of many tables against another tool's; where it has parameters there is no referee."""
    entry, counts = get(name, Counts), counts_of(tables)
    undefined = empty(entry, counts)
    compare(
        entry(counts, **parameters),
        theirs,
        undefined,
        lambda i: np.nan if parameters else exact.of_table(name, tables[i]),
        gaps,
        instead,
    )


def compare_matrices(name, matrices, theirs, gaps=False, instead=np.nan, **parameters):
    entry, made = get(name, ConfusionMatrix), [matrix(weights) for weights in matrices]
    undefined = [empty(entry, m) for m in made]
    ours = [entry(m, **parameters) for m in made]
    compare(
        ours, theirs, undefined, lambda i: exact.of_matrix(name, matrices[i], **parameters), gaps, instead
    )


def number(value):
    """PyCM's answer as a float."""
    return np.nan if value == "None" else float(value)


# Exact values
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each("name", exact.OF_TABLE)
def test_value_of_a_table_is_exact(name):
    """Infinite and undefined where it is; 1 / x in place of what is infinite by chance."""
    some = TABLES[::3]
    ours, wanted = (
        get(name, Counts)(counts_of(some)),
        np.array([exact.of_table(name, table) for table in some]),
    )
    if name == "number_needed_to_diagnose":
        ours, wanted = 1 / ours, 1 / wanted
    assert np.array_equal(np.isnan(ours), np.isnan(wanted))
    assert (close(ours, wanted) | np.isnan(ours)).all()


@in_part(3)
@for_each("name", exact.OF_MATRIX)
def test_value_of_a_matrix_is_exact(name):
    entry = get(name, ConfusionMatrix)
    for weights in MATRICES:
        ours, wanted = entry(matrix(weights)), exact.of_matrix(name, weights)
        assert close(ours, wanted) or (np.isnan(ours) and np.isnan(wanted)), (weights, ours, wanted)


@pytest.mark.full
@pytest.mark.parametrize("name", ["specificity", "precision", "youden_j", "diagnostic_odds_ratio"])
def test_value_of_a_class_is_exact(name):
    """Fractional weights do not add up exactly, but where nothing is left, there must be nothing."""
    for weights in MATRICES:
        found = get(name, Counts)(matrix(weights).one_vs_rest())
        wanted = [exact.of_class(name, weights, k) for k in range(len(weights))]
        assert np.array_equal(np.isnan(found), np.isnan(wanted)), (weights, found, wanted)
        assert (close(found, wanted) | np.isnan(found)).all()


# scikit-learn
# --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def metrics():
    return pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")


def cases(matrices):
    """Weighted cases of all these matrices, whose classes are numbered one after another: K * K rows for K
    classes."""
    starts = np.cumsum([0, *map(len, matrices[:-1])])
    sides = [np.indices(m.shape).reshape(2, -1) + start for m, start in zip(matrices, starts, strict=True)]
    truth, called = np.concatenate(sides, 1)
    return truth, called, np.concatenate([m.ravel() for m in matrices])


def of_every_class(matrices):
    """The counts of each class against the rest of its own matrix."""
    parts = [matrix(weights).one_vs_rest() for weights in matrices]
    return np.concatenate([np.stack([c.tp, c.fp, c.fn, c.tn], 1) for c in parts])


BETAS = {"f1": 1.0, "f_beta": 2.0}


@pytest.fixture(scope="module")
def of_classes(metrics):
    """scikit-learn's scores of every class of every table and matrix, 0/0 being NaN; they do not depend on
    true negatives."""
    matrices = [*map(rows_of, TABLES), *MATRICES]
    truth, called, weight = cases(matrices)
    given = {"labels": np.arange(truth.max() + 1), "sample_weight": weight}
    found = metrics.precision_recall_fscore_support(truth, called, zero_division=np.nan, **given)
    names = ("precision", "sensitivity", "f1")
    scores = dict(zip(names, found[:3], strict=True))
    scores["f_beta"] = metrics.fbeta_score(truth, called, beta=2, average=None, zero_division=np.nan, **given)
    scores["jaccard"] = metrics.jaccard_score(truth, called, average=None, zero_division=0, **given)
    zeros = metrics.precision_recall_fscore_support(truth, called, zero_division=0, **given)
    return of_every_class(matrices), scores, dict(zip(names, zeros[:3], strict=True))


@pytest.mark.parametrize("name", ["precision", "sensitivity", "f1", "f_beta", "jaccard"])
def test_scikit_learn_has_these_scores_of_classes(of_classes, name):
    counts, scores, _ = of_classes
    compare_tables(name, counts, scores[name], instead=0 if name == "jaccard" else np.nan)


@pytest.mark.parametrize(
    ("name", "theirs"), [("specificity", "sensitivity"), ("negative_predictive_value", "precision")]
)
def test_scikit_learn_has_these_scores_of_the_negative_class(of_classes, name, theirs):
    _, scores, _ = of_classes
    compare_tables(name, TABLES, scores[theirs][: 2 * len(TABLES) : 2])


@pytest.mark.parametrize("name", ["precision", "sensitivity", "f1"])
def test_scikit_learn_puts_zero_where_ours_is_undefined(of_classes, name):
    counts, _, zeros = of_classes
    ours = get(name, Counts)(counts_of(counts))
    assert np.isnan(ours).sum() > 100
    assert (zeros[name][np.isnan(ours)] == 0).all()


def asked(tables, function):
    """A function of truth, prediction and keywords, of each table."""
    truth, called = np.array([1, 0, 1, 0]), np.array([1, 1, 0, 0])
    return np.array([function(truth, called, sample_weight=table) for table in tables])


@pytest.mark.full
def test_scikit_learn_has_these_correlations(metrics):
    compare_tables("matthews_correlation", SOME, asked(SOME, metrics.matthews_corrcoef), instead=0)


@pytest.mark.full
def test_scikit_learn_has_these_kappas(metrics):
    theirs = asked(SOME, lambda *sides, **weight: metrics.cohen_kappa_score(*sides, labels=[0, 1], **weight))
    compare_tables("cohen_kappa", SOME, theirs)


@pytest.mark.full
@pytest.mark.parametrize(("name", "score"), [("accuracy", "accuracy_score"), ("error_rate", "zero_one_loss")])
def test_scikit_learn_has_these_shares(metrics, name, score):
    compare_tables(name, SOME, asked(SOME, getattr(metrics, score)))


@pytest.mark.full
def test_scikit_learn_has_these_likelihood_ratios_but_nan_for_infinity(metrics):
    theirs = asked(
        SOME, lambda *sides, **weight: metrics.class_likelihood_ratios(*sides, labels=[0, 1], **weight)
    )
    for name, part in zip(("positive_likelihood_ratio", "negative_likelihood_ratio"), theirs.T, strict=True):
        compare_tables(name, SOME, part)
        assert np.isnan(part[np.isinf(get(name)(counts_of(SOME)))]).all()


def test_scikit_learn_has_this_balanced_accuracy_where_both_classes_are_there(metrics):
    """Of one class it gives the recall of that, as ours of a matrix does; ours of counts is undefined."""
    theirs = asked(SOME, metrics.balanced_accuracy_score)
    c = counts_of(SOME)
    one = (c.positives == 0) | (c.negatives == 0)
    assert one.sum() > 10
    compare_tables("balanced_accuracy", SOME, np.where(one, np.nan, theirs))
    compare_matrices("balanced_accuracy", [rows_of(table) for table in SOME], theirs)


def asked_of(matrices, function):
    for weights in matrices:
        truth, called, weight = cases([weights])
        yield function(truth, called, sample_weight=weight)


OF_MATRICES = {  # scikit-learn's function, its options, what it puts in the place of 0/0
    "accuracy": ("accuracy_score", {}, np.nan),
    "error_rate": ("zero_one_loss", {}, np.nan),
    "balanced_accuracy": ("balanced_accuracy_score", {}, np.nan),
    "matthews_correlation": ("matthews_corrcoef", {}, 0),
    "cohen_kappa": ("cohen_kappa_score", {}, np.nan),
    "linear_weighted_kappa": ("cohen_kappa_score", {"weights": "linear"}, np.nan),
    "quadratic_weighted_kappa": ("cohen_kappa_score", {"weights": "quadratic"}, np.nan),
}


@pytest.mark.full
@pytest.mark.parametrize("name", OF_MATRICES)
def test_scikit_learn_has_these_scores_of_matrices(metrics, name):
    function, options, instead = OF_MATRICES[name]
    theirs = list(
        asked_of(MATRICES, lambda *sides, **weight: getattr(metrics, function)(*sides, **options, **weight))
    )
    compare_matrices(name, MATRICES, theirs, instead=instead)


@pytest.mark.full
def test_scikit_learn_has_this_mutual_information_in_nats(metrics):
    """It drops what comes after the point, and multiplies margins as 64-bit integers, which flow over."""
    matrices = [weights for weights in (*map(rows_of, WHOLE), *WHOLE_MATRICES) if weights.sum() < 2**31]
    theirs = np.array([metrics.mutual_info_score(None, None, contingency=weights) for weights in matrices])
    compare_matrices("mutual_information", matrices, theirs)
    surprise = np.array([entropy(weights.sum(1)) for weights in matrices])
    share = np.divide(theirs, surprise, out=np.full(len(matrices), np.nan), where=surprise > 0)
    compare_matrices("uncertainty_coefficient", matrices, share)


AVERAGED = ("precision", "sensitivity", "f1")


@pytest.mark.full
@pytest.mark.parametrize("kind", ["macro", "weighted", "micro"])
def test_scikit_learn_has_these_averages(metrics, kind):
    """The classes for which a score is undefined are left out, as it does where 0/0 is NaN.

    Where the others have no cases that would weigh them, ours is undefined, too; there scikit-learn weighs
    all alike.
    """
    some = MATRICES[::2]
    options = {"average": kind, "zero_division": np.nan}
    found = asked_of(
        some,
        lambda *sides, **weight: metrics.precision_recall_fscore_support(*sides, **options, **weight)[:3],
    )
    for weights, theirs in zip(some, found, strict=True):
        ours = np.array([averaged(name, weights, kind) for name in AVERAGED])
        plain = np.array([averaged(name, weights, "macro") for name in AVERAGED])
        assert same(theirs, np.where(np.isnan(ours), plain, ours)), weights


def averaged(name, weights, kind):
    counts = matrix(weights).one_vs_rest()
    if kind == "micro":
        return get(name, Counts)(counts.sum())
    values = get(name, Counts)(counts)
    weight = np.where(np.isnan(values), 0.0, counts.positives if kind == "weighted" else 1.0)
    return np.nansum(values * weight) / weight.sum() if weight.any() else np.nan


@for_each("weights", MATRICES[::9], ids=lambda weights: f"{len(weights)} classes")
def test_evaluate_has_the_same_averages(weights):
    answer = evaluate(matrix(weights))
    for kind, name in itertools.product(("macro", "weighted", "micro"), (*AVERAGED, "jaccard")):
        assert same(answer.averages[kind][name].value, averaged(name, weights, kind))


# PyCM
# --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pycm():
    return pytest.importorskip("pycm", reason="PyCM is not installed")


def described(pycm, weights):
    """PyCM takes whole weights only."""
    return pycm.ConfusionMatrix(matrix={i: dict(enumerate(map(int, row))) for i, row in enumerate(weights)})


@pytest.fixture(scope="module")
def of_tables(pycm):
    return [described(pycm, rows_of(table)) for table in WHOLE]


PYCM = {
    "accuracy": "ACC", "error_rate": "ERR", "sensitivity": "TPR", "specificity": "TNR",
    "false_positive_rate": "FPR", "false_negative_rate": "FNR", "precision": "PPV",
    "negative_predictive_value": "NPV", "f1": "F1", "f_beta": "F2", "false_discovery_rate": "FDR",
    "false_omission_rate": "FOR", "prevalence": "PRE", "predicted_prevalence": "TOPR",
    "matthews_correlation": "MCC", "balanced_accuracy": "AUC", "youden_j": "BM", "markedness": "MK",
    "jaccard": "J", "adjusted_f": "AGF", "g_measure": "G", "geometric_mean": "GM",
    "optimization_precision": "OP", "lift": "LS", "positive_likelihood_ratio": "PLR",
    "negative_likelihood_ratio": "NLR", "diagnostic_odds_ratio": "DOR", "yule_q": "Q",
}  # fmt: skip


def of_class_1(of_tables, name):
    return np.array([number(getattr(found, name)[1]) for found in of_tables])


@pytest.mark.full
@for_each("name", PYCM)
def test_pycm_has_these_measures(of_tables, name):
    """It has no odds ratio, nor what it makes of one, where a cell is empty; there ours is infinite, 0, or 1
    or -1."""
    gaps = (WHOLE == 0).any(1) if name in ("diagnostic_odds_ratio", "yule_q") else False
    compare_tables(name, WHOLE, of_class_1(of_tables, PYCM[name]), gaps)


@pytest.mark.parametrize(("name", "theirs"), [("cohen_kappa", "Kappa"), ("uncertainty_coefficient", "RCI")])
def test_pycm_has_these_measures_of_the_whole_table(of_tables, name, theirs):
    compare_tables(name, WHOLE, [number(getattr(found, theirs)) for found in of_tables])


@pytest.mark.parametrize("weight", [0.05, 0.25, 1.0, 4.0])
def test_pycm_has_this_net_benefit_by_its_weight(of_tables, weight):
    theirs = [found.NB(weight)[1] for found in of_tables]
    compare_tables("net_benefit", WHOLE, theirs, threshold=weight / (1 + weight))


def test_pycm_takes_the_common_logarithm_for_the_discriminant_power(of_tables):
    gaps = (WHOLE == 0).any(1)
    compare_tables("discriminant_power", WHOLE, of_class_1(of_tables, "DP") * np.log(10), gaps)


def test_pycm_takes_the_share_of_the_negatives_for_the_adjusted_geometric_mean(of_tables):
    """Ours takes their number; the two are the same for weights that add up to 1. Of no positives at all PyCM
    says 0."""
    theirs = of_class_1(of_tables, "AGM")
    compare_tables("adjusted_geometric_mean", WHOLE / WHOLE.sum(1, keepdims=True), theirs, instead=0)


@pytest.fixture(scope="module")
def of_whole_matrices(pycm):
    return [described(pycm, weights) for weights in WHOLE_MATRICES]


PYCM_OF_MATRICES = {
    "accuracy": "Overall_ACC", "error_rate": "HammingLoss", "cohen_kappa": "Kappa",
    "matthews_correlation": "Overall_MCC", "uncertainty_coefficient": "RCI",
}  # fmt: skip


@pytest.mark.parametrize("name", PYCM_OF_MATRICES)
def test_pycm_has_these_measures_of_matrices(of_whole_matrices, name):
    theirs = [number(getattr(found, PYCM_OF_MATRICES[name])) for found in of_whole_matrices]
    compare_matrices(name, WHOLE_MATRICES, theirs)


def test_pycm_has_this_confusion_entropy_where_every_class_is_true_or_predicted(of_whole_matrices):
    gaps = np.array([(weights.sum(0) + weights.sum(1) == 0).any() for weights in WHOLE_MATRICES])
    assert 20 < gaps.sum() < len(gaps) / 2
    theirs = np.array([number(found.Overall_CEN) for found in of_whole_matrices])
    assert np.isnan(theirs[gaps]).all()
    compare_matrices("confusion_entropy", WHOLE_MATRICES, theirs, gaps)


def test_pycm_has_this_mutual_information_in_bits(of_whole_matrices):
    compare_matrices(
        "mutual_information", WHOLE_MATRICES, [found.MutualInformation for found in of_whole_matrices], base=2
    )


@pytest.mark.parametrize(("name", "power"), [("linear_weighted_kappa", 1), ("quadratic_weighted_kappa", 2)])
def test_pycm_has_these_weighted_kappas(of_whole_matrices, name, power):
    def asked_for(found):
        return number(
            found.weighted_kappa({i: {j: abs(i - j) ** power for j in found.classes} for i in found.classes})
        )

    compare_matrices(name, WHOLE_MATRICES, [asked_for(found) for found in of_whole_matrices])


@pytest.mark.parametrize(
    "name", ["sensitivity", "specificity", "precision", "f1", "matthews_correlation", "markedness", "lift"]
)
def test_pycm_has_these_measures_of_classes(of_whole_matrices, name):
    values = [getattr(found, PYCM[name]) for found in of_whole_matrices]
    theirs = [number(value) for of_classes in values for value in of_classes.values()]
    compare_tables(name, of_every_class(WHOLE_MATRICES), theirs)


# statsmodels
# --------------------------------------------------------------------------------------------------


WEIGHTINGS = {
    "cohen_kappa": (None, 0),
    "linear_weighted_kappa": ("linear", 1),
    "quadratic_weighted_kappa": ("quadratic", 2),
}


@pytest.mark.full
@pytest.mark.parametrize("name", WEIGHTINGS)
def test_statsmodels_has_these_kappas(name):
    rater = pytest.importorskip("statsmodels.stats.inter_rater", reason="statsmodels is not installed")
    matrices = [*(map(rows_of, SOME) if name == "cohen_kappa" else ()), *MATRICES]
    found = [rater.cohens_kappa(weights, wt=WEIGHTINGS[name][0]) for weights in matrices]
    compare_matrices(name, matrices, [one.kappa for one in found])


@pytest.fixture(scope="module")
def contingency():
    return pytest.importorskip("statsmodels.stats.contingency_tables", reason="statsmodels is not installed")


def of_ratios(contingency, tables):
    """The odds ratio is that of truth and prediction; a likelihood ratio is a ratio of risks."""
    for tp, fp, fn, tn in tables:
        hits = contingency.Table2x2([[tp, fn], [fp, tn]], shift_zeros=False)
        yield hits, contingency.Table2x2([[fn, tp], [tn, fp]], shift_zeros=False)


RATIOS = ("diagnostic_odds_ratio", "positive_likelihood_ratio", "negative_likelihood_ratio")


def test_statsmodels_has_these_ratios(contingency):
    found = [
        (hits.oddsratio, hits.riskratio, misses.riskratio) for hits, misses in of_ratios(contingency, TABLES)
    ]
    for name, theirs in zip(RATIOS, np.transpose(found), strict=True):
        compare_tables(name, TABLES, theirs)


def test_statsmodels_has_these_intervals_of_ratios(contingency):
    """Where no count is 0: else ours adds 1/2, and statsmodels has none; to 1e-10, since slopes are
    differences."""
    full = SOME[(SOME > 0).all(1)]
    made = of_ratios(contingency, full)
    theirs = [
        (hits.oddsratio_confint(), hits.riskratio_confint(), misses.riskratio_confint())
        for hits, misses in made
    ]
    for name, bounds in zip(RATIOS, np.swapaxes(theirs, 0, 1), strict=True):
        ours = estimate_each(name, counts_of(full))
        assert np.allclose([(one.low, one.high) for one in ours], bounds, rtol=1e-10, atol=0)


def test_statsmodels_has_this_corrected_odds_ratio(contingency):
    made = of_ratios(contingency, TABLES + 0.5)
    compare_tables("corrected_odds_ratio", TABLES, [hits.oddsratio for hits, _ in made])


def test_statsmodels_puts_half_a_case_in_the_empty_cells_alone(contingency):
    """Its documentation says that it adds it to all of them."""
    hollow = SOME[(SOME == 0).any(1)]
    theirs = [contingency.Table2x2([[tp, fn], [fp, tn]]).oddsratio for tp, fp, fn, tn in hollow]
    compare_tables("diagnostic_odds_ratio", np.where(hollow == 0, 0.5, hollow), theirs)


PROPORTIONS = {  # how many of how many
    "sensitivity": (("tp",), ("tp", "fn")),
    "precision": (("tp",), ("tp", "fp")),
    "accuracy": (("tp", "tn"), CELLS),
    "jaccard": (("tp",), ("tp", "fp", "fn")),
}


@pytest.mark.parametrize("name", PROPORTIONS)
@pytest.mark.parametrize(("method", "theirs"), [("wilson", "wilson"), ("clopper-pearson", "beta")])
def test_statsmodels_has_these_intervals_of_proportions(name, method, theirs):
    module = pytest.importorskip("statsmodels.stats.proportion", reason="statsmodels is not installed")
    counts = counts_of(WHOLE[::3])
    x, n = (sum(getattr(counts, cell) for cell in cells) for cells in PROPORTIONS[name])
    there = n > 0
    ours = estimate_each(name, counts[there], Settings(level=0.9, proportion=method))
    bounds = module.proportion_confint(x[there], n[there], alpha=0.1, method=theirs)
    assert np.allclose([(one.low, one.high) for one in ours], np.transpose(bounds), rtol=1e-12, atol=1e-15)
