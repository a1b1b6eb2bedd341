"""The worked examples of the source documents, errata corrected.

What the file names and the catalogue knows is compared, so an example of a measure that is yet to come waits
for it here.
"""

import math
import tomllib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from looping import for_each
from scipy.special import expit

from tallymark import ConfusionMatrix, Counts, InputError, RankingTable, Settings, estimate
from tallymark.curves import curve
from tallymark.measures.registry import get

FILE = tomllib.loads((Path(__file__).parents[1] / "worked_examples.toml").read_text(encoding="utf-8"))
EXAMPLES = {example["id"]: example for example in FILE["example"]}
BERRAR, TABLE_1, PREVALENCE = (
    EXAMPLES["berrar-figure-2"],
    EXAMPLES["tharwat-table-1"],
    EXAMPLES["wikipedia-prevalence"],
)
FLEMMING_AUC, LOG_LOSS = EXAMPLES["flemming-auc"], EXAMPLES["flemming-binary-log-loss-from-scores"]
SKEWED, ALL_NEGATIVE, RARE = (
    EXAMPLES[key] for key in ("qudata-skewed-matrices", "qudata-all-negative", "flemming-rare-event")
)
THREE, RELATIVE = EXAMPLES["tharwat-three-classes"], EXAMPLES["qudata-relative-forms"]


def known(name):
    try:
        return bool(get(name))
    except InputError:
        return False


def agree(ours, wanted):
    """Equal but for the last bit where the closed form is known; else as printed, to half a unit of the last
    decimal."""
    if "exact" in wanted:
        return math.isclose(ours, Fraction(wanted["exact"]), rel_tol=1e-15)
    return np.allclose(ours, wanted["value"], rtol=0, atol=0.5 * 10.0 ** -wanted["decimals"] + 1e-12)


def ranked(example):
    return RankingTable.from_arrays(truth=example["label"], score=example["score"])


def summary_of(example, entry):
    if entry.summary is RankingTable:
        return ranked(example)
    return Counts(**(example.get("counts") or example["counts_at_t5"]))


def printed_values():
    """(example, measure, what is wanted), of every table in the file that lists values by the name of a
    measure."""
    for example in FILE["example"]:
        for part in ("values", "at_t5", "ranking", "probabilistic"):
            yield from ((example["id"], name, value) for name, value in example.get(part, {}).items())
        yield from (
            (example["id"], name, {"value": p / 100, "decimals": 4})
            for name, p in example.get("percent", {}).items()
        )
    for example in (TABLE_1, FLEMMING_AUC):
        yield from (
            (example["id"], name, value)
            for name, value in example.items()
            if isinstance(value, dict) and "exact" in value
        )


WANTED = [row for row in printed_values() if isinstance(row[2], dict) and known(row[1])]


@for_each(("example", "name", "wanted"), WANTED, ids=lambda part: part if isinstance(part, str) else "")
def test_value_as_printed(example, name, wanted):
    entry = get(name)
    assert agree(entry(summary_of(EXAMPLES[example], entry)), wanted)


def test_the_file_is_read():
    """Guards the test above against comparing nothing."""
    assert {("berrar-figure-2", "f1"), ("tharwat-binary-balanced", "f1"), ("tharwat-table-1", "auc")} <= {
        row[:2] for row in WANTED
    }
    assert len(WANTED) >= 35


NUMERIC_ERRATA = [
    erratum
    for erratum in FILE["erratum"]
    if isinstance(erratum["correct"], float) and known(erratum["measure"])
]


@pytest.mark.parametrize(
    "erratum", NUMERIC_ERRATA, ids=lambda erratum: f"{erratum['example']}-{erratum['measure']}"
)
def test_erratum_is_not_repeated(erratum):
    entry = get(erratum["measure"])
    ours = entry(summary_of(EXAMPLES[erratum["example"]], entry))
    decimals = len(str(erratum["correct"]).partition(".")[2])
    assert agree(ours, {"value": erratum["correct"], "decimals": decimals})
    assert abs(ours - erratum["printed"]) > 1e-3


# Berrar, Figure 2
# --------------------------------------------------------------------------------------------------


def test_berrar_counts_at_t5():
    at_t5 = Counts(**BERRAR["counts_at_t5"])
    assert ranked(BERRAR).counts_at(BERRAR["threshold_t5"]) == at_t5
    assert (
        Counts.from_arrays(truth=BERRAR["label"], score=BERRAR["score"], threshold=BERRAR["threshold_t5"])
        == at_t5
    )


@pytest.mark.parametrize(
    ("name", "column"),
    [("sensitivity", "tpr"), ("false_positive_rate", "fpr"), ("precision", "precision_fraction")],
)
def test_berrar_rates_at_every_threshold(name, column):
    ours = get(name)(ranked(BERRAR).sweep()[1:])
    assert ours.tolist() == [float(Fraction(value)) for value in BERRAR["table"][column]]


def test_berrar_positives_down_the_ranking():
    assert ranked(BERRAR).sweep().tp[1:].tolist() == BERRAR["table"]["cumulative_class"]


def test_berrar_lift_at_every_threshold():
    wanted = [float(Fraction(value)) for value in BERRAR["table"]["lift_fraction"]]
    np.testing.assert_allclose(get("lift")(ranked(BERRAR).sweep()[1:]), wanted, rtol=1e-14)


def test_every_ranking_measure_of_berrar_is_known():
    """Guards the values as printed: what is unknown waits there."""
    assert [name for name in BERRAR["ranking"] if not known(name)] == ["sum_of_negative_ranks", "roc_hull"]


@pytest.mark.parametrize(
    ("name", "column"),
    [("gain", "cumulative_class"), ("lift", "lift_fraction"), ("tpr_fpr", "tpr"), ("roc", "tpr")],
)
def test_berrar_curves(name, column):
    wanted = [float(Fraction(value)) for value in BERRAR["table"][column]]
    np.testing.assert_allclose(curve(name, ranked(BERRAR)).y[-10:], wanted, rtol=1e-14)


def test_berrar_area_from_the_ranks_of_the_negatives():
    """His Eq. 32; the highest score has rank 1."""
    ranks = sum(rank for rank, label in enumerate(BERRAR["label"], 1) if not label)
    assert ranks == BERRAR["ranking"]["sum_of_negative_ranks"]
    assert get("auc")(ranked(BERRAR)) == (ranks - 5 * 6 / 2) / (5 * 5)


def test_berrar_convex_hull():
    corners = curve("roc_hull", ranked(BERRAR))
    np.testing.assert_allclose(
        np.transpose([corners.x, corners.y]), BERRAR["ranking"]["roc_hull"], rtol=1e-15
    )


def test_berrar_average_gain_term_by_term():
    """His Eq. 28: guessing finds half a positive with each case."""
    gain = curve("gain", ranked(BERRAR))
    differences = gain.y[1:] - 0.5 * gain.x[1:]
    assert differences.tolist() == [0.5, 1, 0.5, 1, 1.5, 1, 0.5, 1, 0.5, 0]
    assert get("average_gain")(ranked(BERRAR)) == pytest.approx(differences.mean(), rel=1e-15)


def test_berrar_average_ks_term_by_term():
    """His Eq. 36, in fifths."""
    terms = np.array([1, 2, 1, 2, 3, 2, 1, 2, 1]) / 5
    assert get("truncated_average_ks")(ranked(BERRAR)) == pytest.approx(terms.mean(), rel=1e-15)


def test_berrar_log_loss_to_base_2():
    assert agree(get("log_loss")(ranked(BERRAR), base=2), BERRAR["probabilistic"]["log_loss_base_2"])


def test_berrar_clopper_pearson():
    found = estimate("sensitivity", Counts(**BERRAR["counts_at_t5"]), Settings(proportion="clopper-pearson"))
    wanted = BERRAR["intervals_for_sensitivity_at_95_percent"]["clopper_pearson"]
    assert [round(found.low, 4), round(found.high, 4)] == wanted


def test_berrar_largest_youden_index():
    index = get("youden_j")(ranked(BERRAR).sweep())
    assert agree(index.max(), BERRAR["ranking"]["youden_j_max"])
    assert index.argmax() == 5  # after the fifth case, at t6 of the document


# Tharwat
# --------------------------------------------------------------------------------------------------


def both_mixes(name):
    ids = "tharwat-binary-balanced", "tharwat-binary-imbalanced"
    return (get(name)(Counts(**EXAMPLES[key]["counts"])) for key in ids)


MIXES = EXAMPLES["tharwat-binary-imbalanced"]


@for_each("name", [name for name in MIXES["unchanged_from_balanced"]["names"] if known(name)])
def test_ten_times_the_negatives_leave_it_unchanged(name):
    balanced, imbalanced = both_mixes(name)
    assert math.isclose(balanced, imbalanced, rel_tol=1e-14)


@pytest.mark.parametrize("name", [name for name in MIXES["changed_from_balanced"]["names"] if known(name)])
def test_ten_times_the_negatives_change_it(name):
    balanced, imbalanced = both_mixes(name)
    assert abs(balanced - imbalanced) > 0.01


def test_every_measure_that_tharwat_sorts_by_the_class_mix_is_known():
    names = MIXES["unchanged_from_balanced"]["names"] + MIXES["changed_from_balanced"]["names"]
    assert [name for name in names if not known(name)] == []


def test_matthews_correlation_from_the_shares_of_the_classes():
    """The second form of Tharwat's Eq. 11, corrected: shares truly and predicted positive where it has the
    rates."""
    c = Counts(**EXAMPLES["tharwat-binary-balanced"]["counts"])
    truly, called = (c.tp + c.fn) / c.total, (c.tp + c.fp) / c.total
    wanted = (c.tp / c.total - truly * called) / math.sqrt(truly * called * (1 - truly) * (1 - called))
    assert get("mcc")(c) == pytest.approx(wanted, rel=1e-14)
    assert round(get("mcc")(c), 4) == 0.5025


def test_two_profiles_of_one_youden_index():
    pair = EXAMPLES["tharwat-youden-pairs"]
    sensitivity, specificity = np.array(pair["sensitivity"]), np.array(pair["specificity"])
    counts = Counts(
        tp=10 * sensitivity, fn=10 - 10 * sensitivity, tn=10 * specificity, fp=10 - 10 * specificity
    )
    np.testing.assert_allclose(get("youden_j")(counts), pair["youden_j"], rtol=1e-14)


def test_three_classes_one_against_the_rest():
    matrix, per_class = ConfusionMatrix(("A", "B", "C"), THREE["matrix"]), THREE["per_class"]
    counts = matrix.one_vs_rest()
    assert get("accuracy")(matrix) == THREE["accuracy"]
    assert get("balanced_accuracy")(matrix) == pytest.approx(np.mean(per_class["sensitivity"]), rel=1e-15)
    assert counts == Counts(**{cell: per_class[cell] for cell in ("tp", "fp", "fn", "tn")})
    for name in ("sensitivity", "specificity"):
        np.testing.assert_allclose(get(name)(counts), per_class[name], rtol=1e-15)


def test_table_1_at_every_threshold():
    counts = ranked(TABLE_1).sweep()
    assert counts.tp.tolist() == TABLE_1["tp"]
    assert counts.fp.tolist() == TABLE_1["fp"]
    assert agree(
        get("accuracy")(counts), {"value": np.array(TABLE_1["accuracy_percent"]) / 100, "decimals": 12}
    )
    assert agree(
        get("precision")(counts[1:]), {"value": TABLE_1["precision_percent_from_second"], "decimals": 2}
    )


def test_table_1_best_accuracy():
    table, best = ranked(TABLE_1), TABLE_1["best_accuracy"]
    accuracy = get("accuracy")(table.sweep())
    assert accuracy.max() == best["value"]
    assert table.thresholds[accuracy.argmax()] == best["at_threshold"]
    counts = table.counts_at(best["at_threshold"])
    assert (get("fpr")(counts), get("tpr")(counts)) == (best["fpr"], best["tpr"])


@pytest.mark.parametrize(
    ("name", "share"), [("roc_auc_optimistic", 0), ("roc_auc", Fraction(1, 2)), ("roc_auc_pessimistic", 1)]
)
def test_tied_scores_lose_a_part_of_their_pairs(name, share):
    """Of 4 positives and 5 negatives, 2 and 3 share a score; the rest is in order."""
    table = RankingTable([0.9, 0.5, 0.1], [2, 2, 0], [0, 3, 2])
    assert agree(get(name)(table), {"exact": 1 - share * Fraction(2 * 3, 4 * 5)})


def test_table_1_equal_error_rate():
    counts = ranked(TABLE_1).counts_at(0.45)
    assert get("fpr")(counts) == get("fnr")(counts) == 0.4
    assert get("equal_error_rate")(ranked(TABLE_1)) == get("equal_error_rate_nearest")(ranked(TABLE_1)) == 0.4


def test_table_1_ends_of_the_precision_recall_curve():
    points = curve("pr", ranked(TABLE_1))
    assert [points.x[0], points.y[0]] == TABLE_1["precision_recall_first_point"]
    assert [points.x[-1], points.y[-1]] == TABLE_1["precision_recall_last_point"]


def test_table_1_interpolated_precision():
    """Between two thresholds a positive apart: every case twice puts a point half way."""
    table, wanted = ranked(TABLE_1), TABLE_1["interpolated_point"]
    points = curve("pr_interpolated", RankingTable(table.score, table.positive * 2, table.negative * 2))
    (at,) = np.flatnonzero(np.isclose(points.x, wanted["recall"]))
    assert points.y[at] == pytest.approx((3 + 0.5) / (3 + 0.5 + 1), rel=1e-15)
    assert agree(points.y[at], {"value": wanted["precision"], "decimals": wanted["decimals"]})
    assert np.mean([0.75, 0.8]) == pytest.approx(wanted["linear_precision"])


def test_one_roc_point_at_two_class_ratios():
    point = EXAMPLES["tharwat-roc-point-and-class-ratio"]
    negatives = np.array([1000, 10_000])
    counts = Counts(
        tp=1000 * point["tpr"], fn=1000 * (1 - point["tpr"]), fp=negatives * point["fpr"], tn=negatives * 0.8
    )
    assert agree(get("accuracy")(counts), {"value": point["accuracy"], "decimals": 3})
    assert agree(get("precision")(counts), {"value": point["precision"], "decimals": 2})


# QuData
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["accuracy", "specificity", "sensitivity", "precision"])
def test_skewed_matrices(name):
    tn, fp, fn, tp = np.array(SKEWED["matrices"]).T
    assert agree(get(name)(Counts(tp=tp, fp=fp, fn=fn, tn=tn)), {"value": SKEWED[name], "decimals": 2})


@pytest.mark.parametrize(("name", "decimals"), [("npr", 1), ("npr_predicted", 1)])
def test_class_ratios_of_skewed_matrices(name, decimals):
    tn, fp, fn, tp = np.array(SKEWED["matrices"]).T
    assert agree(get(name)(Counts(tp=tp, fp=fp, fn=fn, tn=tn)), {"value": SKEWED[name], "decimals": decimals})


def test_skewed_matrix_whose_specificity_is_misprinted():
    (erratum,) = (
        entry for entry in FILE["erratum"] if entry["measure"] == "specificity of the second matrix"
    )
    tn, fp, fn, tp = SKEWED["matrices"][1]
    assert get("specificity")(Counts(tp=tp, fp=fp, fn=fn, tn=tn)) == erratum["correct"]


def test_nobody_called_positive():
    counts = Counts(**ALL_NEGATIVE["counts"])
    assert get("accuracy")(counts) == ALL_NEGATIVE["accuracy"]
    assert get("sensitivity")(counts) == ALL_NEGATIVE["sensitivity"]
    assert math.isnan(get("precision")(counts))


def test_constant_score():
    truth = [1] * 20 + [0] * 80
    assert get("roc_auc")(truth=truth, score=[0.3] * 100) == ALL_NEGATIVE["auc_of_a_constant_score"]


def test_accuracy_and_precision_from_rates():
    positives, negatives = 100, 100 * RELATIVE["npr"]
    tp, tn = positives * RELATIVE["tpr"], negatives * RELATIVE["tnr"]
    counts = Counts(tp=tp, fn=positives - tp, tn=tn, fp=negatives - tn)
    assert get("accuracy")(counts) == RELATIVE["accuracy"]
    assert agree(get("precision")(counts), RELATIVE["precision"])


# Flemming
# --------------------------------------------------------------------------------------------------


def test_counts_above_each_threshold():
    """The document calls positive what lies above the threshold: here, what reaches the next number."""
    thresholds = np.nextafter([0, 0.1, 0.25, 0.3, 0.5, 0.6, 0.85, 0.95], 1)
    counts = [ranked(FLEMMING_AUC).counts_at(threshold) for threshold in thresholds]
    assert [c.tp for c in counts] == FLEMMING_AUC["true_positives"]
    assert [c.fp for c in counts] == FLEMMING_AUC["false_positives"]


@pytest.mark.parametrize("name", ["precision", "recall"])
def test_rare_event(name):
    tp, fp, fn, tn = np.array(RARE["matrices_tp_fp_fn_tn"]).T
    wanted = [math.nan if value == "undefined" else float(value) for value in RARE[name]]
    np.testing.assert_array_equal(get(name)(Counts(tp=tp, fp=fp, fn=fn, tn=tn)), wanted)


def test_always_the_same_class():
    example = EXAMPLES["flemming-always-class-c"]
    for sizes, accuracy, balanced in zip(
        example["class_sizes"], example["accuracy"], example["balanced_accuracy"], strict=True
    ):
        matrix = ConfusionMatrix(("A", "B", "C"), [[0, 0, size] for size in sizes])
        assert get("accuracy")(matrix) == accuracy
        assert math.isclose(get("balanced_accuracy")(matrix), balanced, abs_tol=1e-9)
        assert get("sensitivity")(matrix.one_vs_rest()).mean() == get("balanced_accuracy")(matrix)


def test_log_loss_case_by_case():
    label, probability = LOG_LOSS["label"], expit(LOG_LOSS["score"])
    log_loss = get("log_loss")
    terms = [log_loss(truth=[y], score=[p]) for y, p in zip(label, probability, strict=True)]
    np.testing.assert_allclose(terms, LOG_LOSS["terms"], atol=1e-9)
    assert math.isclose(log_loss(truth=label, score=probability), np.mean(LOG_LOSS["terms"]), abs_tol=1e-9)


# Wikipedia
# --------------------------------------------------------------------------------------------------


def test_one_test_at_two_prevalences():
    counts = Counts(**{cell: PREVALENCE[cell] for cell in ("tp", "fp", "fn", "tn")})
    for name in ("sensitivity", "specificity", "prevalence"):
        np.testing.assert_allclose(get(name)(counts), PREVALENCE[name], rtol=1e-15)
    assert agree(get("ppv")(counts), PREVALENCE["ppv"])
    assert agree(
        get("false_omission_rate")(counts)[1], {"exact": PREVALENCE["false_omission_rate_at_5_percent"]}
    )


def test_uncertainty_coefficient_has_the_entropy_below_the_line():
    """The terms of the document, but with -(LP + LN) for its denominator, which is not an entropy."""
    c = Counts(**EXAMPLES["wikipedia-uncertainty-coefficient"]["counts"])
    p, n, called, spared = c.tp + c.fn, c.fp + c.tn, c.tp + c.fp, c.fn + c.tn
    cells = [(c.tp, called, p), (c.fp, called, n), (c.fn, p, spared), (c.tn, n, spared)]
    above = c.total * math.log(c.total) + sum(x * math.log(x / (a * b)) for x, a, b in cells)
    below = p * math.log(p / c.total) + n * math.log(n / c.total)
    uncertainty = get("uncertainty_coefficient")
    assert uncertainty(c) == pytest.approx(-above / below, rel=1e-12)
    assert round(uncertainty(c), 4) == 0.1912
    assert round(above / (c.total * math.log(c.total) + below), 4) == 0.0288  # as printed
    assert uncertainty(c * 2) == pytest.approx(uncertainty(c), rel=1e-12)
