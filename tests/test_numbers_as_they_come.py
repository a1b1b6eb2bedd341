"""Numbers, series and tensors as they come: exact or refused, paired by their labels or refused."""

import math
import warnings
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from refusals import refuses

import tallymark as tm

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

B = 2**53
RANDOM = np.random.default_rng(5)
ROWS = 60
IDS = np.arange(ROWS) + 10
OTHER_ORDER = RANDOM.permutation(IDS)
TRUTH, SCORE, GROUP = RANDOM.integers(0, 2, ROWS), RANDOM.random(ROWS), RANDOM.integers(0, 3, ROWS)
CALLED = (SCORE > 0.5).astype(int)
OF_CLASSES = RANDOM.dirichlet([1, 1, 1], ROWS)


# Whole numbers beyond 2^53
# --------------------------------------------------------------------------------------------------

WAYS = {
    "list": list,
    "int64": np.array,
    "uint64": lambda values: np.array(values, np.uint64),
    "object": lambda values: np.array(values, object),
    "longdouble": lambda values: np.array(values, np.longdouble),
    "pandas": pd.Series,
    "Int64": lambda values: pd.array(values, dtype="Int64"),
    "polars": pl.Series,
    "pyarrow": pa.array,
    "Decimal": lambda values: [*map(Decimal, values)],
    "Fraction": lambda values: [*map(Fraction, values)],
    "mixed with floats": lambda values: [*values[:-1], float(values[-1])],
}
LARGE, LABELS = [B + 1, 0, B + 2, B, B, B + 3], [1, 0, 1, 0, 1, 1]
USES = {
    "score": lambda values: tm.evaluate(truth=LABELS, score=values),
    "scores of models": lambda values: tm.compare(
        truth=LABELS, score={"a": values, "b": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}
    ),
    "measure": lambda values: tm.measures.roc_auc(truth=LABELS, score=values),
    "mann_whitney": lambda values: tm.mann_whitney(truth=LABELS, score=values),
    "choose_threshold": lambda values: tm.choose_threshold(truth=LABELS, score=values, rule="youden"),
    "biometric": lambda values: tm.biometric(genuine=values, impostor=[0.0, 1.0]),
    "weight": lambda values: tm.evaluate(truth=LABELS, predicted=LABELS, weight=values),
    "amounts": lambda values: tm.evaluate(truth=values, predicted=values, regression=True),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("way", WAYS)
def test_whole_numbers_that_float64_rounds_are_refused_as_scores_weights_and_amounts(way, use):
    if way == "longdouble" and np.finfo(np.longdouble).nmant <= np.finfo(float).nmant:
        pytest.skip("longdouble is float64 here")
    with pytest.raises(tm.InputError, match=str(B + 1)):
        USES[use](WAYS[way](LARGE))


@pytest.mark.parametrize(("score", "area"), [(B, 1.0), (2**60, 1.0), (-(2**62), 0.5)])
def test_whole_numbers_that_float64_holds_are_scores(score, area):
    assert tm.evaluate(truth=[1, 0, 1], score=[score, 5, 7])["roc_auc"].value == area


@pytest.mark.parametrize("way", sorted({*WAYS} - {"mixed with floats", "longdouble"}))
def test_labels_beyond_two_to_the_53_are_distinct(way):
    if way in ("Decimal", "Fraction"):
        with pytest.raises(tm.InputError):
            tm.evaluate(truth=WAYS[way]([B + 1, 5, B]), predicted=WAYS[way]([B, 5, B]))
    else:
        found = tm.evaluate(truth=WAYS[way]([B + 1, 5, B]), predicted=WAYS[way]([B, 5, B]))
        assert found["accuracy"].value == pytest.approx(2 / 3, abs=1e-15)


def test_a_small_decimal_beside_a_huge_float_is_no_loss():
    found = tm.evaluate(truth=[1e300, Decimal("0.1")], predicted=[1e300, 1.0], regression=True)
    assert found["largest_error"].value == pytest.approx(0.9)


DECIMALS = [Decimal("0.5"), Decimal("0.25"), Decimal("0.75")]
OF_DECIMALS = {
    "list": lambda folder: {"y": [1, 0, 1], "p": DECIMALS},
    "pandas": lambda folder: pd.DataFrame({"y": [1, 0, 1], "p": DECIMALS}),
    "pandas arrow": lambda folder: pd.DataFrame(
        {"y": [1, 0, 1], "p": pd.Series(DECIMALS, dtype=pd.ArrowDtype(pa.decimal128(5, 2)))}
    ),
    "polars": lambda folder: pl.DataFrame({"y": [1, 0, 1], "p": DECIMALS}),
    "lazy": lambda folder: pl.LazyFrame({"y": [1, 0, 1], "p": DECIMALS}),
    "missing": lambda folder: pl.DataFrame({"y": [1, 0, 1, 0], "p": [*DECIMALS, None]}),
    "arrow": lambda folder: pa.table({"y": [1, 0, 1], "p": DECIMALS}),
    "reader": lambda folder: pa.table({"y": [1, 0, 1], "p": DECIMALS}).to_reader(),
    "parquet": lambda folder: _parquet(folder, {"y": [1, 0, 1], "p": DECIMALS}),
}


def _parquet(folder, columns):
    pq.write_table(pa.table(columns), folder / "a.parquet")
    return folder / "a.parquet"


@pytest.mark.parametrize("kind", OF_DECIMALS)
@pytest.mark.parametrize("roles", [{"score": "p"}, {"predicted": "y", "weight": "p"}])
def test_decimals_as_scores_and_weights_are_refused_with_the_cast(kind, roles, tmp_path):
    with refuses("invalid-value", "'p'") as refused:
        tm.evaluate(OF_DECIMALS[kind](tmp_path), truth="y", missing="drop", **roles)
    assert (refused.value.code, refused.value.column) == ("invalid-value", "p")


def test_decimals_as_labels_and_amounts_are_numbers():
    found = tm.evaluate(truth=[Decimal(1), Decimal(0)], score=[0.9, 0.1])
    assert found["roc_auc"].value == 1
    found = tm.evaluate(truth=[1.0, 2.0], predicted=[Decimal("1.5"), Decimal("2.5")], regression=True)
    assert found["mean_error"].value == 0.5


# Series whose rows are in another order
# --------------------------------------------------------------------------------------------------


def right(values):
    return pd.Series(np.asarray(values), index=IDS)


def turned(values):
    return pd.Series(np.asarray(values), index=OTHER_ORDER)


def frame(values, index):
    return pd.DataFrame(values, index=index)


PAIRED = {
    "labels": lambda s: tm.evaluate(truth=right(TRUTH), predicted=s(CALLED)),
    "scores": lambda s: tm.evaluate(truth=right(TRUTH), score=s(SCORE)),
    "weights": lambda s: tm.evaluate(truth=right(TRUTH), score=SCORE, weight=s(SCORE)),
    "by": lambda s: tm.evaluate(truth=right(TRUTH), score=SCORE, by=s(GROUP)),
    "fold": lambda s: tm.evaluate(truth=right(TRUTH), score=SCORE, fold=s(GROUP)),
    "clusters": lambda s: tm.evaluate(truth=right(TRUTH), score=SCORE, clusters=s(GROUP)),
    "models": lambda s: tm.evaluate(truth=TRUTH, score={"a": right(SCORE), "b": s(SCORE)}),
    "compare": lambda s: tm.compare(truth=TRUTH, score={"a": right(SCORE), "b": s(1 - SCORE)}),
    "calibration": lambda s: tm.calibration(truth=right(TRUTH), score=s(SCORE)),
    "biometric": lambda s: tm.biometric(truth=right(TRUTH), score=s(SCORE)),
    "bootstrap": lambda s: tm.bootstrap(
        truth=right(TRUTH), score=s(SCORE), measures=["roc_auc"], replicates=50
    ),
    "choose_threshold": lambda s: tm.choose_threshold(truth=right(TRUTH), score=s(SCORE), rule="youden"),
    "check": lambda s: tm.check(truth=right(TRUTH), score=s(SCORE), require=["roc_auc >= 0"]),
    "measure": lambda s: tm.measures.roc_auc(truth=right(TRUTH), score=s(SCORE)),
    "summary": lambda s: tm.RankingTable.from_arrays(truth=right(TRUTH), score=s(SCORE)),
    "mcnemar": lambda s: tm.mcnemar(truth=TRUTH, predicted={"a": right(CALLED), "b": s(TRUTH)}),
    "amounts": lambda s: tm.evaluate(truth=right(SCORE), predicted=s(SCORE), regression=True),
    "columns": lambda s: tm.evaluate({"y": right(TRUTH), "p": s(SCORE)}, truth="y", score="p"),
    "next to a frame": lambda s: tm.evaluate(
        pd.DataFrame({"y": TRUTH, "p": SCORE}, index=IDS), truth="y", score="p", by=s(GROUP)
    ),
    "score per class": lambda s: tm.evaluate(
        truth=right(GROUP), score=frame(OF_CLASSES, s(SCORE).index)
    ),
    "several labels": lambda s: tm.evaluate(
        truth=frame(np.c_[TRUTH, CALLED], IDS), predicted=frame(np.c_[CALLED, CALLED], s(SCORE).index)
    ),
}  # fmt: skip


@pytest.mark.parametrize("use", PAIRED)
def test_series_with_the_same_index_in_another_order_are_refused(use):
    with pytest.raises(tm.InputError) as caught:
        PAIRED[use](turned)
    assert caught.value.code == "ambiguous"
    assert "to_numpy()" in str(caught.value)
    PAIRED[use](right)
    PAIRED[use](lambda values: pd.Series(np.asarray(values), index=IDS + 1000))  # after reset_index, say


def test_features_and_labels_in_another_order_are_refused():
    linear_model = pytest.importorskip("sklearn.linear_model")
    features = frame(np.c_[SCORE], IDS)
    for use in (
        lambda y: tm.evaluate_estimator(linear_model.LogisticRegression(), features, y, cv=2),
        lambda y: tm.evaluate_estimator(linear_model.LinearRegression(), features, y, cv=2, regression=True),
        lambda y: tm.cross_validate(linear_model.LogisticRegression(), features, y, folds=2, repeats=2),
    ):
        use(right(TRUTH))
        with refuses("ambiguous"):
            use(turned(TRUTH))


@pytest.mark.parametrize(
    "labels",
    [
        ["a", "b", "c", "d"], [1, "a", None, 2.5], pd.date_range("2026-01-01", periods=4),
        pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1), ("b", 2)]), pd.Categorical(list("xyzw")),
        [0, 0, 1, 1],
    ],
    ids=["text", "mixed", "dates", "MultiIndex", "Categorical", "repeated"],
)  # fmt: skip
def test_an_index_of_any_type_in_another_order_is_refused(labels):
    truth = pd.Series([0, 1, 0, 1], index=labels)
    with refuses("ambiguous"):
        tm.evaluate(truth=truth, score=truth.iloc[[1, 2, 3, 0]])
    assert tm.evaluate(truth=truth, score=truth)["roc_auc"].value == 1


def test_a_missing_group_is_reported_by_the_name_of_the_series():
    group = pd.Series([*"ab", None] * 20, name="site")
    with refuses("missing-value", "'site'", argument="by"):
        tm.evaluate(truth=TRUTH, score=SCORE, by=group)


# Bins, thresholds and clipping in the type of the scores
# --------------------------------------------------------------------------------------------------

FLOATS = [np.float64, np.float32, np.float16]
ROUNDED = np.round(np.random.default_rng(0).random(400), 1)
EVENT = (np.random.default_rng(1).random(400) < ROUNDED).astype(int)


def worked_error(answers, confidence):
    """The expected calibration error of confidences in tenths, each in the bin below its edge."""
    bins = np.maximum(np.ceil(np.round(np.float64(confidence) * 10, 6)), 1)
    return sum(abs((answers - confidence)[bins == one].sum()) for one in np.unique(bins)) / len(answers)


@pytest.mark.parametrize("kind", FLOATS)
def test_edges_of_bins_are_compared_in_the_type_of_the_scores(kind):
    slack = 4 * float(np.finfo(kind).eps)
    held = ROUNDED.astype(kind)
    named = {
        name: float(getattr(tm.measures, name)(truth=EVENT, score=held))
        for name in (
            "expected_calibration_error",
            "maximum_calibration_error",
            "top_label_ece",
            "top_label_mce",
        )
    }
    assert named["expected_calibration_error"] == pytest.approx(worked_error(EVENT, ROUNDED), abs=slack)
    called = ROUNDED >= 0.5
    own = np.where(called, ROUNDED, 1 - ROUNDED)
    assert named["top_label_ece"] == pytest.approx(worked_error(called == EVENT, own), abs=slack)
    of_floats = {
        name: float(getattr(tm.measures, name)(truth=EVENT, score=ROUNDED)) for name in named
    }  # by hand above
    assert named == pytest.approx(of_floats, abs=slack)
    both = [tm.evaluate(truth=EVENT, score=score).curve("reliability") for score in (held, ROUNDED)]
    assert len(both[0].x) == len(both[1].x)


@pytest.mark.parametrize("kind", FLOATS)
def test_edges_of_bins_of_many_classes_are_compared_in_the_type_of_the_scores(kind):
    truth, score = [0, 1, 2], np.array([[0.6, 0.3, 0.1], [0.2, 0.61, 0.19], [0.5, 0.25, 0.25]], kind)
    # (.5, .6] has .6 right and (.6, .7] .61 right, (.4, .5] .5 wrong
    worked = ((1 - 0.6) + (1 - 0.61) + 0.5) / 3
    found = tm.evaluate(truth=truth, score=score)["top_label_ece"].value
    assert found == pytest.approx(worked, abs=float(np.finfo(kind).eps))


@pytest.mark.parametrize("kind", FLOATS)
def test_a_threshold_is_rounded_to_the_type_of_the_scores(kind):
    score = np.array([0.9, 0.1], kind)
    for limit in (0.9, kind(0.9), np.float64(0.9)):
        found = tm.evaluate(truth=[1, 0], score=score, threshold=limit)
        assert (found["sensitivity"].value, found["specificity"].value) == (1, 1)
        assert found.at(0.9)["sensitivity"].value == 1
    assert tm.check(truth=[1, 0], score=score, threshold=0.9, require=["sensitivity.value >= 1"]).passed


@pytest.mark.parametrize("kind", FLOATS)
def test_log_loss_is_clipped_at_the_precision_of_the_scores(kind):
    clipped = -np.log(float(np.finfo(kind).eps)) / 2
    assert tm.measures.log_loss(truth=[0, 1], score=np.array([1, 1], kind)) == pytest.approx(
        clipped, rel=1e-12
    )
    table = np.array([[1, 0, 0], [1, 0, 0]], kind)
    found = tm.evaluate(truth=[0, 1], score=table, classes=[0, 1, 2])["log_loss"].value
    assert found == pytest.approx(clipped, rel=1e-12)


@pytest.mark.parametrize(
    ("weight", "measures"),
    [
        pytest.param(None, ["roc_auc", "f1", "brier_score", "ece", "log_loss"], id="usual"),
        pytest.param(None, None, id="counts", marks=pytest.mark.full),
        pytest.param(RANDOM.random(400) + 0.1, None, id="weights", marks=pytest.mark.full),
    ],
)
def test_scores_in_half_precision_have_the_values_of_the_same_numbers_in_double_precision(weight, measures):
    random = np.random.default_rng(3)
    score = np.clip(random.random(400) * 0.6 + 0.3 * EVENT + 0.05, 0.01, 0.99).astype(np.float16)
    edges = (np.arange(21) / 20).astype(np.float16)
    score = np.where(np.isin(score, edges), score + np.float16(0.002), score).astype(np.float16)
    half, double = (
        tm.evaluate(truth=EVENT, score=one, weight=weight, measures=measures)
        for one in (score, score.astype(float))
    )
    names = [name for name in double if not name.startswith("top_label")]  # 1 - p is rounded to float16
    assert len(names) == len(measures) if measures else len(names) > 100
    for name in names:
        ours, theirs = half[name], double[name]
        assert [ours.value, ours.low, ours.high] == pytest.approx(
            [theirs.value, theirs.low, theirs.high], rel=1e-9, nan_ok=True
        ), name
    table = tm.RankingTable.from_arrays(truth=EVENT, score=score)
    assert tm.RankingTable.from_dict(table.to_dict()) == table
    assert (table + table).score.dtype == np.float16


# Arrays of other libraries
# --------------------------------------------------------------------------------------------------

P, Y = [0.1, 0.25, 0.875, 0.625], [0, 1, 1, 0]
TABLE = [[0.25, 0.25, 0.5], [0.125, 0.75, 0.125], [0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]
INDICATORS = [[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]]


class OnlyDlpack:
    """An array that has nothing but this protocol."""

    def __init__(self, values):
        self.array = np.array(values)

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OnDevice:
    """As an array of CuPy: it is copied by `get`, which counts, and refuses everything else."""

    copies = 0

    def __init__(self, values):
        self.array = np.array(values)
        self.shape, self.ndim, self.dtype = self.array.shape, self.array.ndim, self.array.dtype

    def __len__(self):
        return len(self.array)

    def __dlpack__(self, **_):
        raise BufferError("on another device")

    def __array__(self, *_, **__):
        raise TypeError("implicit conversion")

    def get(self):
        OnDevice.copies += 1
        return self.array


def torch_tensor(**options):
    def make(values):
        torch = pytest.importorskip("torch", reason="PyTorch is not installed")
        kind = getattr(torch, options.get("dtype", "float64"))
        return torch.tensor(values, dtype=kind, requires_grad=options.get("requires_grad", False))

    return make


def strict(device):
    def make(values):
        xp = pytest.importorskip("array_api_strict")
        return xp.asarray(values, device=xp.Device(device))

    return make


def bfloat16(values):
    return np.array(values).astype(pytest.importorskip("ml_dtypes").bfloat16)


LIBRARIES = {
    "torch": torch_tensor(),
    "torch requires_grad": torch_tensor(requires_grad=True),
    "torch float16": torch_tensor(dtype="float16"),
    "torch bfloat16 requires_grad": torch_tensor(dtype="bfloat16", requires_grad=True),
    "array API": strict("CPU_DEVICE"),
    "array API, another device": strict("device1"),
    "DLPack": OnlyDlpack,
    "another device": OnDevice,
    "ml_dtypes": bfloat16,
    "matrix": np.matrix,
}


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("library", LIBRARIES)
def test_scores_of_any_array_library_give_the_values_of_numpy(library):
    of = LIBRARIES[library]
    column = np.transpose(P)[:, None].tolist()
    scores = [of(column)] if library == "matrix" else [of(P), of(column)] if library != "DLPack" else [of(P)]
    for score in scores:
        assert tm.evaluate(truth=Y, score=score)["roc_auc"].value == 0.75
    if library != "DLPack":
        found = tm.evaluate(truth=[2, 1, 0, 1], score=of(TABLE))
        assert found["accuracy"].value == tm.evaluate(truth=[2, 1, 0, 1], score=TABLE)["accuracy"].value


def test_an_array_on_another_device_is_copied_once():
    before = OnDevice.copies
    tm.evaluate(truth=Y, score=OnDevice(P))
    assert OnDevice.copies == before + 1


def test_a_tensor_without_data_is_refused():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    with refuses("unreadable", "meta", argument="score"):
        tm.evaluate(truth=Y, score=torch.tensor(P, device="meta"))


@pytest.mark.parametrize("kind", ["csr_array", "csr_matrix", "csc_array", "coo_array"])
def test_sparse_indicators_and_columns_are_read(kind):
    sparse = pytest.importorskip("scipy.sparse")
    of = getattr(sparse, kind)
    found = tm.evaluate(truth=of(np.array(INDICATORS)), predicted=of(np.array(INDICATORS[::-1])))
    assert str(found) == str(tm.evaluate(truth=np.array(INDICATORS), predicted=np.array(INDICATORS[::-1])))
    assert tm.evaluate(truth=Y, score=of(np.array(P)[:, None]))["roc_auc"].value == 0.75
    assert tm.evaluate(truth=Y, predicted=of(np.array(Y)[:, None]))["accuracy"].value == 1


def test_masked_text_and_objects_are_as_lists_with_none():
    with refuses("labels", "mixed", argument="truth"):
        tm.evaluate(truth=np.ma.array(["a", 1], dtype=object), predicted=["a", "b"], positive="a")
    truth = np.ma.array(["a", "b", "b"], mask=[False, False, True])
    with pytest.raises(tm.InputError) as caught:
        tm.evaluate(truth=truth, predicted=["a", "b", "b"], positive="a")
    assert caught.value.code == "missing-value"
    kept = tm.evaluate(truth=truth, predicted=["a", "b", "b"], positive="a", missing="drop")
    assert (kept.data.rows, kept.data.dropped) == (2, 1)


def test_a_masked_score_per_class_is_missing():
    masked = np.ma.array(TABLE, mask=np.array(TABLE) == 0.75)
    with pytest.raises(tm.InputError) as caught:
        tm.evaluate(truth=[2, 1, 0, 1], score=masked)
    assert caught.value.code == "missing-value"


class Contrary(np.ndarray):
    """A subclass whose own methods raise, as some of foreign libraries do."""

    def __array_ufunc__(self, *_, **__):
        raise RuntimeError("no ufuncs")

    def __array_function__(self, *_, **__):
        raise AttributeError("no functions")

    def __getitem__(self, _):
        raise TypeError("no items")

    def __eq__(self, _):
        raise RuntimeError("no comparison")

    __hash__ = None


def contrary(values):
    return np.array(values).view(Contrary)


SUBCLASSED = {
    "weight": lambda of: tm.evaluate(truth=TRUTH, score=SCORE, weight=of(SCORE)),
    "by": lambda of: tm.evaluate(truth=of(TRUTH), score=of(SCORE), by=of(GROUP)),
    "clusters": lambda of: tm.evaluate(truth=TRUTH, predicted=of(CALLED), clusters=of(GROUP)),
    "compare": lambda of: tm.compare(truth=of(TRUTH), score={"a": of(SCORE), "b": of(1 - SCORE)}),
    "calibration": lambda of: tm.calibration(truth=of(TRUTH), score=of(SCORE)),
    "biometric": lambda of: tm.biometric(genuine=of(SCORE), impostor=of(SCORE / 2)),
    "regression": lambda of: tm.evaluate(truth=of(SCORE), predicted=of(SCORE / 2), regression=True),
    "mcnemar": lambda of: tm.mcnemar(truth=of(TRUTH), predicted={"a": of(CALLED), "b": of(1 - CALLED)}),
    "cochran_q": lambda of: tm.cochran_q(truth=of(TRUTH), predicted={"a": of(CALLED), "b": of(1 - CALLED)}),
    "score per class": lambda of: tm.evaluate(truth=of(GROUP), score=of(OF_CLASSES)),
    "several labels": lambda of: tm.evaluate(truth=of(INDICATORS), predicted=of(INDICATORS[::-1])),
    "Counts": lambda of: tm.Counts(tp=of([1, 2]), fp=of([3, 4]), fn=of([5, 6]), tn=of([7, 8])),
}  # fmt: skip


@pytest.mark.parametrize("use", SUBCLASSED)
def test_subclasses_of_arrays_are_read_as_arrays(use):
    assert str(SUBCLASSED[use](contrary)) == str(SUBCLASSED[use](np.array))


def test_converted_scores_of_a_subclass():
    assert (tm.convert.sigmoid(contrary(SCORE)) == tm.convert.sigmoid(SCORE)).all()


# Probabilities that are nearly ones
# --------------------------------------------------------------------------------------------------


def test_rows_that_nearly_add_up_to_1_are_to_be_divided_by_their_sums():
    table = np.array([[0.5, 0.3, 0.203], [0.1, 0.7, 0.2], [0.2, 0.2, 0.603]] * 20)
    truth = [0, 1, 2] * 20
    (text,) = [
        notice.text
        for notice in tm.evaluate(truth=truth, score=table).notices
        if notice.code == "no-class-probabilities"
    ]
    errors = []
    for given in (
        {"truth": truth, "score": table},
        {"truth": [0, 1] * 30, "score": np.c_[table[:, 0], 1.003 - table[:, 0]]},
    ):
        with pytest.raises(tm.InputError) as caught:
            tm.measures.log_loss(**given)
        errors.append(str(caught.value))
    for said in (text, *errors):
        assert "divide each row by its sum" in said
        assert "softmax" not in said
    (text,) = [
        n.text
        for n in tm.evaluate(truth=truth, score=3 * table).notices
        if n.code == "no-class-probabilities"
    ]
    assert "softmax" in text


@pytest.mark.full
def test_the_skill_of_the_shares_themselves_is_0():
    for cases in range(2, 40):
        for positives in range(1, cases):
            given = {
                "truth": [1] * positives + [0] * (cases - positives),
                "score": [positives / cases] * cases,
            }
            assert tm.measures.log_loss_skill_score(**given) == tm.measures.brier_skill_score(**given) == 0


def test_observed_by_expected_of_small_probabilities():
    """Of negatives nothing is lost in 1 - p; without positives it is 0 / 0 where none is expected either."""
    ratio = tm.measures.observed_expected_ratio
    assert math.isclose(ratio(truth=[0, 1, 0, 0], score=[1e-17, 2e-17, 1e-17, 3e-17]), 1 / 7e-17)
    logits = [-40.0, -39.0, -40.0, -41.0]
    found = tm.evaluate(truth=[0, 1, 0, 0], score=logits, score_kind="logit")["observed_expected_ratio"]
    assert math.isclose(found.value, 1 / sum(math.exp(z) for z in logits))
    one = partial(tm.evaluate, classes=[0, 1], positive=1)
    assert one(truth=[0, 0], score=[1e-20, 0.0])["observed_expected_ratio"].value == 0
    assert one(truth=[1, 1], score=[0.0, 0.0])["observed_expected_ratio"].value == math.inf
    nothing = one(truth=[0, 0], score=[0.0, 0.0])["observed_expected_ratio"]
    assert "none expected" in str(nothing)


def test_arguments_of_odd_shapes_are_refused_with_a_sentence():
    truth, score = [0, 1, 0, 1], [0.1, 0.6, 0.4, 0.8]
    with refuses("invalid-value", argument="parameters"):
        tm.choose_threshold(truth=truth, score=score, rule="f1", parameters=np.arange(3))
    with refuses("wrong-shape", argument="weights"):
        tm.ConfusionMatrix(["a", "b"], 1.5)


def test_a_lazy_frame_may_have_arrays_beside_it():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tm.evaluate(pl.LazyFrame({"y": [0, 1, 0, 1]}), truth="y", score=[0.1, 0.6, 0.4, 0.8])
    assert found["roc_auc"].value == 1


def test_a_page_of_one_score_beyond_what_is_drawn():
    assert "<svg" in tm.evaluate(truth=[0, 1, 0, 1], score=[1e308] * 4)._repr_html_()


@pytest.mark.parametrize("level", [1 - 1e-16, 1 - 2e-16])
def test_a_level_too_near_1_is_refused(level):
    with refuses("invalid-value", argument="level"):
        tm.calibration(truth=[0, 1, 0, 1], score=[0.2, 0.7, 0.6, 0.4], level=level)
