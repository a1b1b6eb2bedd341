"""What could mislead a reader: labels cut to the same text, missing or overlapping ticks, reasons that are
not the true ones."""

import re
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses
from scipy.stats import norm

import tallymark as tm
from tallymark import curves
from tallymark.evaluation.results import LONGEST_LABEL
from tallymark.input import text
from tallymark.measures import registry

DOGS = ["Canis lupus familiaris", "Canis rufus familiaris", "Canis latrans familiaris"]
ALIKE = {
    "dogs": DOGS,
    "differ in the middle": [f"{'a' * 30}{i}{'b' * 30}" for i in range(12)],
    "differ at the end": ["a" * 40 + "b" * i for i in range(1, 5)],
    "cut already": ["Canis …iaris", "Canis lupus familiaris"],
    "not printable": ["x\x00", "x\x01", "x"],
    "numbered already": ["x\x00", "x\x01", "x\N{REPLACEMENT CHARACTER}~1"],
    "far apart": ["a" * 20 + "x" + "a" * 20 + "y" + "a" * 20, "a" * 20 + "y" + "a" * 20 + "x" + "a" * 20],
    "many": [f"a very long class name {i} which ends alike" for i in range(3000)],
    "numbers": [1.0000000000001, 1.0000000000002, 2],
}


@for_each("labels", list(ALIKE.values()), ids=list(ALIKE))
@for_each("longest", [6, 12, 20])
def test_shortened_labels_are_distinct_and_short_enough(labels, longest):
    found = text.labels(labels, longest)
    assert list(found) == labels
    assert len(set(found.values())) == len(labels)
    assert all(len(one) <= longest for one in found.values())
    plain = [one for one in labels if len(str(one)) <= longest and str(one).isprintable()]
    assert [found[one] for one in plain] == [str(one) for one in plain]


def test_every_table_of_an_evaluation_tells_long_labels_apart():
    labels = [*DOGS, *(f"Felis {i} silvestris" for i in range(7))]
    truth = np.repeat(labels, 6)
    predicted = np.roll(truth, 2)
    printed = str(tm.evaluate(truth=truth, predicted=predicted).all)
    classes = printed.split("class       ")[1]
    assert len({line[:12] for line in classes.splitlines()[2:12]}) == 10
    mistakes = printed.split("predicted as")[1].split("\n\n")[0]
    assert all(label in mistakes or text.label(label, 24) in mistakes for label in DOGS)


def test_notices_and_matrix_tell_long_labels_apart():
    ev = tm.evaluate(truth=[*DOGS, *["cat"] * 30], predicted=["cat"] * 33)
    said = next(notice.text for notice in ev.notices if notice.code == "classes-never-predicted")
    assert all(label in said for label in text.labels(DOGS, 20).values())
    names = [line[:20] for line in str(ev.matrix).splitlines()[2:6]]
    assert len(set(names)) == 4


def test_two_classes_and_models_that_are_cut_alike_are_told_apart():
    truth = np.array(DOGS[:2] * 30)
    printed = str(tm.evaluate(truth=truth, predicted=np.roll(truth, 3), positive=DOGS[0]))
    assert all(label in printed for label in text.labels([DOGS[1], DOGS[0]], LONGEST_LABEL).values())
    y, rng = np.arange(60) % 2, np.random.default_rng(1)
    names = [f"gradient boosting with {i} trees and early stopping" for i in (100, 200)]
    compared = str(
        tm.compare(
            truth=y,
            score={name: rng.random(60) + y / 2 for name in names},
            measures="accuracy",
            threshold=0.7,
        )
    )
    header = next(line for line in compared.splitlines() if line.startswith("value "))
    assert len(set(header.split("  ")[1:]) - {""}) == 2


# A matrix of many classes
# -----------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each("k", [1, 2, 6, 30, 300, 2000])
@for_each("columns", [60, 80, 200])
def test_a_printed_matrix_fits_the_terminal_and_says_how_many_classes_there_are(k, columns):
    matrix = tm.ConfusionMatrix(tuple(f"class number {i:04} of many" for i in range(k)), np.full((k, k), 7.0))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLUMNS", str(columns))
        printed = str(matrix)
    assert max(map(len, printed.splitlines())) <= columns
    assert len(printed) < 10_000
    if k > 30:
        assert f"{k:,} classes" in printed
        assert ".weights" in printed


# Ticks of normal deviates
# -----------------------------------------------------------------------------------------------


def _ticks(svg, anchor):
    """Place and text of each tick of an axis."""
    found = re.findall(
        rf'<text class="tick"[^>]* x="([-\d.]+)" y="([-\d.]+)" text-anchor="{anchor}">([\d.]+%)</text>', svg
    )
    return [(float(x if anchor == "middle" else y), text) for x, y, text in found]


@for_each("impostors", [30, 1000, 10**5, 10**7, 10**9])
@for_each("genuine", [20, 5000, 10**8])
def test_ticks_of_a_det_curve_follow_the_range_and_do_not_overlap(impostors, genuine):
    rates = np.append(0, 10.0 ** np.linspace(-np.log10(impostors), 0, 40))
    negative, positive = (
        np.diff(rates, append=1.0) * impostors,
        np.diff(1 - (1 - rates) ** 3, append=1.0) * genuine,
    )
    table = tm.RankingTable.of(np.arange(41.0)[::-1], positive, negative)
    curve = curves.curve("det", table)
    svg = curve._repr_svg_()
    across, up = sorted(_ticks(svg, "middle")), _ticks(svg, "end")
    assert [text for _, text in across] == [text for _, text in sorted(up, reverse=True)]
    for (a, one), (b, other) in pairwise(across):
        assert b - a >= 7 * (len(one) + len(other)) / 2
    drawn = np.isfinite(curve.x) & np.isfinite(curve.y)
    smallest = norm.cdf(min(curve.x[drawn].min(), curve.y[drawn].min()))
    assert float(across[0][1][:-1]) / 100 <= max(15 * smallest, 0.05)
    ends = re.findall(r'data-tick="y\d+" x="([\d.]+)" y="[\d.]+" text-anchor="end">([^<]*)<', svg)
    assert len(ends) == len(up)
    assert all(float(x) - 7.2 * len(text) >= 20 for x, text in ends)  # right of the title of the axis


def test_a_det_curve_is_drawn_over_the_range_of_its_finite_points():
    truth, score = np.repeat([0, 1], 500), np.r_[np.arange(500), np.arange(400, 900)]
    svg = tm.evaluate(truth=truth, score=score).curve("det")._repr_svg_()
    assert [text for _, text in sorted(_ticks(svg, "middle"))] == ["1%", "5%", "20%", "50%"]


# What many classes and several labels do not have
# -----------------------------------------------------------------------

N = 60
CLASSES, GROUPS = np.arange(N) % 3, np.arange(N) // 4
TABLE, OTHER = (np.random.default_rng(seed).dirichlet(np.ones(3), N) for seed in (0, 1))
LABELS, CALLED = (np.random.default_rng(seed).integers(0, 2, (N, 4)) for seed in (2, 3))
PER_CLASS = {
    "choose_threshold": lambda: tm.choose_threshold(truth=CLASSES, score=TABLE),
}
SEVERAL_LABELS = {
    "choose_threshold": lambda: tm.choose_threshold(truth=LABELS, score=CALLED / 2),
}


@for_each("call", list(PER_CLASS.values()), ids=list(PER_CLASS))
def test_a_score_per_class_is_refused_as_not_supported_with_the_way_out(call):
    with refuses("unsupported", argument="score"):
        call()


@for_each("call", list(SEVERAL_LABELS.values()), ids=list(SEVERAL_LABELS))
def test_several_labels_are_refused_as_not_supported_with_the_way_out(call):
    with refuses("unsupported", argument="truth"):
        call()


def test_scores_of_several_labels_are_refused():
    with refuses("unsupported", argument="score"):
        tm.compare(truth=LABELS, score=[CALLED / 2, LABELS / 2])


def test_labels_of_three_classes_in_clusters_have_the_intervals_of_compare():
    called = TABLE.argmax(1)
    found = tm.evaluate(truth=CLASSES, predicted=called, clusters=GROUPS)
    models = tm.compare(truth=CLASSES, predicted=[called, OTHER.argmax(1)], clusters=GROUPS).evaluations
    expected = models["model 1"]
    for name in ("accuracy", "cohen_kappa"):
        assert found[name].has_interval
        assert found[name].low == pytest.approx(expected[name].low, rel=1e-12), name


def test_the_ways_out_work():
    with_groups = tm.evaluate(truth=CLASSES == 1, score=TABLE[:, 1], clusters=GROUPS)
    assert with_groups["roc_auc"].has_interval
    assert tm.compare(truth=CLASSES, predicted=[TABLE.argmax(1), OTHER.argmax(1)])["accuracy"]
    assert tm.bootstrap(truth=CLASSES == 1, score=TABLE[:, 1], replicates=50)["roc_auc"].has_interval
    assert tm.evaluate(truth=LABELS[:, 0], predicted=CALLED[:, 0], clusters=GROUPS)["f1"].has_interval


# Measures of two classes, asked of three
# --------------------------------------------------------------------------------

THREE = {
    "text": (list("abcabc"), list("abccba")),
    "two are predicted": (list("abcabc"), list("ababab")),
    "two are true": (list("ababab"), list("abcabc")),
    "three together": (list("ababab"), list("acacac")),
    "numbers": ([5, 6, 7, 5], [5, 6, 5, 6]),
    "numbers, three together": ([5, 6, 5, 6], [5, 7, 5, 7]),
    "usual, and a third": ([-1, 1, -1, 1], [0, 1, 0, 1]),
}
OF_COUNTS = [entry for entry in registry.find(tm.Counts) if entry.summary is tm.Counts]
OF_SCORES = [
    entry
    for entry in registry.find(tm.RankingTable)
    if not registry.get(entry.name, tm.ClassScores).fits(tm.ClassScores)
]


@for_each("entry", OF_COUNTS, ids=[entry.name for entry in OF_COUNTS])
@for_each("case", list(THREE), ids=list(THREE))
def test_a_measure_of_two_classes_says_so_of_three_whether_a_positive_one_is_named_or_not(entry, case):
    truth, predicted = THREE[case]
    reason = rf"{entry.name} is a measure of two classes, and there are 3 \("
    with pytest.raises(tm.InputError, match=f"{reason}.*pass one class against the rest"):
        entry(truth=truth, predicted=predicted, positive=truth[0])
    if entry.for_many_classes:
        assert isinstance(entry(truth=truth, predicted=predicted, undefined=0.5), float)
    else:
        with pytest.raises(
            tm.InputError, match=rf"^{reason}.*evaluate\(truth=, predicted=\) has it for every class"
        ):
            entry(truth=truth, predicted=predicted)


@for_each("entry", OF_SCORES, ids=[entry.name for entry in OF_SCORES])
@for_each("score", [TABLE[:, 0], TABLE], ids=["one column", "a column per class"])
def test_a_measure_of_scores_of_two_classes_says_so_of_three(entry, score):
    with pytest.raises(
        tm.InputError, match=rf"^{entry.name} is a measure of two classes, and there are 3 .*one_vs_rest"
    ):
        entry(truth=CLASSES, score=score)


def test_the_matrix_and_the_scores_of_three_classes_name_the_way_to_two():
    matrix = tm.ConfusionMatrix.from_arrays(truth=CLASSES, predicted=TABLE.argmax(1))
    with refuses("unsupported", "one_vs_rest"):
        tm.measures.f1(matrix)
    assert tm.measures.f1(matrix.one_vs_rest()).shape == (3,)
    with refuses("unsupported", "one_vs_rest"):
        tm.measures.roc_auc(tm.ClassScores.from_arrays(truth=CLASSES, score=TABLE))


def test_other_faults_are_named_as_before():
    with refuses("labels", argument="predicted"):
        tm.measures.f1(truth=list("abab"), predicted=list("abba"))
    with refuses("ambiguous", "swapped"):
        tm.measures.roc_auc(truth=[0.1, 0.4, 0.3, 0.9], score=[0, 1, 0, 1])
    with refuses("wrong-shape", "rows"):
        tm.measures.f1(truth=list("ab"), predicted=list("abb"), positive="a")


# Losses taken for rewards
# -----------------------------------------------------------------------------------------------

LOSSES = {
    "squared": (lambda y, q: (y - q) ** 2, "strictly proper"),
    "logarithmic": (lambda y, q: -np.log(q if y else 1 - q), "strictly proper"),
    "absolute": (lambda y, q: abs(y - q), "improper"),
    "zero-one": (lambda y, q: 1.0 * ((q >= 0.5) != y), "proper"),
    "of one class": (lambda y, q: y * (1 - q), "improper"),
}


@for_each("loss, verdict", list(LOSSES.values()), ids=list(LOSSES))
def test_a_loss_passed_as_a_reward_leads_to_better(loss, verdict):
    with refuses("ambiguous", "better='lower'", argument="rule"):
        tm.is_proper(loss)
    assert tm.is_proper(loss, better="lower") == verdict
    assert tm.is_proper(loss, better="higher") == "improper"
    assert tm.is_proper(lambda y, q: -loss(y, q)) == verdict


def test_what_is_no_loss_needs_no_direction():
    assert tm.is_proper(lambda y, q: 0 * q) == "proper"
    assert tm.is_proper(lambda y, q: 1 - abs(y - q)) == "improper"
    assert tm.is_proper("focal_loss") == "improper"
    assert tm.is_proper("brier_score") == "strictly proper"


# Verification speaks of mated and non-mated comparisons
# -----------------------------------------------------------------

RNG = np.random.default_rng(7)
GENUINE, IMPOSTOR = RNG.normal(2, 1, 200), RNG.normal(0, 1, 1000)
IS_MATED, BOTH = np.repeat([1, 0], [200, 1000]), np.r_[GENUINE, IMPOSTOR]
OTHER_TERMS = re.compile(r"positives?\b(?!=)|negatives?\b|\bactual|predicted|the class\b")
COMPARISONS = {
    "usual": {"genuine": GENUINE, "impostor": IMPOSTOR},
    "few mated": {"genuine": GENUINE[:5], "impostor": IMPOSTOR},
    "few of both": {"genuine": GENUINE[:5], "impostor": IMPOSTOR[:3]},
    "wrong direction": {"genuine": -GENUINE, "impostor": IMPOSTOR},
    "wrong direction of distances": {"genuine": GENUINE, "impostor": IMPOSTOR, "similarity": False},
    "dropped": {"genuine": np.r_[GENUINE, np.nan], "impostor": IMPOSTOR, "missing": "drop"},
    "infinite": {"genuine": np.r_[GENUINE, np.inf], "impostor": IMPOSTOR},
    "weights": {"genuine": GENUINE, "impostor": IMPOSTOR, "weight": RNG.random(1200)},
    "separated": {"genuine": GENUINE + 9, "impostor": IMPOSTOR},
    "ratios": {"genuine": GENUINE, "impostor": IMPOSTOR, "score_kind": "llr"},
    "a threshold": {"genuine": GENUINE, "impostor": IMPOSTOR, "threshold": 1.5},
    "labels": {"truth": IS_MATED, "score": BOTH},
}
FAULTS = {
    "one list": {"genuine": GENUINE},
    "no scores": {"truth": IS_MATED},
    "no labels": {"score": BOTH},
    "one kind": {"truth": IS_MATED[:200], "score": GENUINE},
    "labels without a name": {"truth": np.array(["imp", "gen"])[IS_MATED], "score": BOTH},
    "a label that does not occur": {"truth": IS_MATED + 4, "score": BOTH, "positive": 9},
    "three labels": {"truth": np.arange(1200) % 3, "score": BOTH},
    "two columns": {"truth": IS_MATED, "score": np.c_[BOTH, BOTH]},
    "a threshold that is none": {"genuine": GENUINE, "impostor": IMPOSTOR, "threshold": "x"},
    "a missing score": {"genuine": np.r_[GENUINE, np.nan], "impostor": IMPOSTOR},
    "no comparison": {"genuine": [], "impostor": IMPOSTOR},
}


@pytest.mark.full
@for_each("given", list(COMPARISONS.values()), ids=list(COMPARISONS))
@pytest.mark.filterwarnings("ignore")
def test_what_is_said_of_comparisons_speaks_of_mated_ones(given):
    found = tm.biometric(**given)
    said = [str(found), *(notice.text for notice in found.notices)]
    assert not [OTHER_TERMS.findall(one) for one in said if OTHER_TERMS.search(one)]


@for_each("given", list(FAULTS.values()), ids=list(FAULTS))
def test_what_is_refused_of_comparisons_speaks_of_mated_ones(given):
    with pytest.raises(tm.InputError) as refused:
        tm.biometric(**given)
    assert not OTHER_TERMS.search(str(refused.value))


def test_the_command_speaks_of_mated_comparisons(tmp_path, capsys):
    from tallymark.cli import main

    path = tmp_path / "scores.csv"
    path.write_text(
        "kind,s\n" + "\n".join(f"{kind},{i}" for i, kind in enumerate(["gen", "imp", "gen", "gen"]))
    )
    assert main(["biometric", str(path), "--truth", "kind", "--score", "s"]) == 2
    assert (
        "which label marks mated comparisons; pass --positive 'gen' or --positive 'imp'"
        in capsys.readouterr().err
    )
    assert main(["biometric", str(path), "--truth", "kind", "--score", "s", "--positive", "gen"]) == 0
    printed = capsys.readouterr().out
    assert "Only 3 mated comparisons and 1 non-mated comparison" in printed
    assert not OTHER_TERMS.search(printed)


# Advice on every kind of evaluation
# -------------------------------------------------------------------------------------

POSITIVE = np.arange(N) % 2
SCORE = RNG.random(N) / 2 + POSITIVE / 3
ADVISED = {
    "scores": {"truth": POSITIVE, "score": SCORE},
    "margins": {"truth": POSITIVE, "score": 9 * SCORE},
    "logits": {"truth": POSITIVE, "score": 9 * SCORE, "score_kind": "logit"},
    "a lower score": {"truth": POSITIVE, "score": -SCORE, "higher_is_positive": False},
    "labels": {"truth": POSITIVE, "predicted": SCORE > 0.4},
    "clusters": {"truth": POSITIVE, "score": SCORE, "clusters": GROUPS},
    "one class": {"truth": POSITIVE * 0, "score": SCORE},
    "three classes": {"truth": CLASSES, "predicted": TABLE.argmax(1)},
    "three classes by probabilities": {"truth": CLASSES, "score": TABLE},
    "three classes by margins": {"truth": CLASSES, "score": 7 * TABLE},
    "three classes by logits": {"truth": CLASSES, "score": 7 * TABLE, "score_kind": "logit"},
    "several labels": {"truth": LABELS, "predicted": CALLED},
    "counts": {"counts": tm.Counts(tp=5, fp=3, fn=4, tn=9)},
}
BY_NEED = {
    "ranking": ("macro_roc_auc", "pairwise_roc_auc", "mean_average_precision"),
    "probabilities": ("brier_score", "log_loss", "macro_roc_auc", "pairwise_roc_auc", "top_label_ece"),
}


@pytest.mark.full
@for_each("given", list(ADVISED.values()), ids=list(ADVISED))
@for_each("need", [None, "decision", "ranking", "probabilities"])
def test_there_is_advice_on_every_kind_of_evaluation(given, need):
    advice = tm.advise(tm.evaluate(**given), need=need)
    assert advice.items
    assert str(advice)
    scores_of_classes = np.ndim(given.get("score")) == 2
    if scores_of_classes and need in BY_NEED:
        probabilities = given["score"].max() <= 1 or "score_kind" in given
        assert advice.use == tuple(
            name
            for name in BY_NEED[need]
            if probabilities or need == "ranking" or name in ("brier_score", "log_loss")
        )
        assert "pass score=" not in str(advice).replace("\n  ", " ")
        if given["score"].max() <= 1:
            assert all(advice.estimates[name].has_interval for name in advice.use)
    if given.get("truth") is LABELS and need in BY_NEED:
        assert "one label at a time" in str(advice).replace("\n  ", " ")


def test_advice_on_amounts_names_no_measure_of_classes():
    found = tm.evaluate(truth=SCORE, predicted=SCORE + RNG.normal(0, 1, N), regression=True)
    advice = tm.advise(found)
    assert all(known.summary is tm.Residuals for name in advice.use for known in [found.entry(name)])
    assert advice.avoid == advice.within_mix == ()
    with refuses("unsupported", argument="need"):
        tm.advise(found, need="ranking")


# Summaries without cases
# ------------------------------------------------------------------------------------------------

ZERO = np.zeros
EMPTY = {
    "matrix": tm.ConfusionMatrix.empty(),
    "matrix of one class": tm.ConfusionMatrix((1,), ZERO((1, 1))),
    "matrix of two classes": tm.ConfusionMatrix((0, 1), ZERO((2, 2))),
    "matrix of three classes": tm.ConfusionMatrix((0, 1, 2), ZERO((3, 3))),
    "table": tm.RankingTable.empty(),
    "table of logits": tm.LogitTable.empty(),
    "table without weight": tm.RankingTable.of(np.array([1.0, 0.0]), ZERO(2), ZERO(2)),
    "scores of classes": tm.ClassScores.empty(),
    "logits of classes": tm.ClassLogits.empty(),
    "residuals": tm.Residuals.empty(),
}
ASKED = {
    "evaluate": tm.evaluate,
    "advise": tm.advise,
    "compare": lambda summary: tm.compare(summary, summary),
    "check": lambda summary: tm.check(summary, require="accuracy >= 0.5"),
    "bootstrap": tm.bootstrap,
    "calibration": tm.calibration,
    "choose_threshold": tm.choose_threshold,
}


@for_each("summary", list(EMPTY.values()), ids=list(EMPTY))
@for_each("ask", list(ASKED.values()), ids=list(ASKED))
def test_a_summary_without_cases_is_refused(ask, summary):
    with pytest.raises(
        tm.InputError,
        match=r"the table is empty; at least one case is needed|cannot be compared|no scores|need",
    ):
        ask(summary)


def test_counts_without_cases_are_two_classes_without_cases():
    found = tm.evaluate(tm.Counts(tp=0, fp=0, fn=0, tn=0))
    assert [notice.code for notice in found.notices] == ["one-class"]
    assert found["accuracy"].undefined


# Many classes and many cases
# --------------------------------------------------------------------------------------------


@pytest.mark.full
def test_a_score_per_class_needs_no_more_memory_than_a_few_copies_of_the_scores():
    """The ranks of all classes, and what each case does to each of them, were some 15 arrays as large as the
    scores."""
    rng, k, n = np.random.default_rng(4), 400, 3000
    truth, score = np.arange(n) % k, rng.dirichlet(np.ones(k), n)
    str(tm.evaluate(truth=truth[:800], score=score[:800]))  # what is imported on the way does not count
    tracemalloc.start()
    str(tm.evaluate(truth=truth, score=score))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 7 * score.nbytes


@in_part(3, ("fast", "full"))
@for_each("ties", [False, True], ids=["no ties", "ties"])
@for_each("block", [1, 3, 10**6], ids=["one class", "three classes", "all classes"])
def test_blocks_of_classes_change_nothing(ties, block):
    from tallymark.summaries import class_scores

    rng, k, n = np.random.default_rng(5), 9, 70
    score = rng.random((n, k)).round(1 if ties else 9)
    given = {"truth": np.arange(n) % k, "score": score, "weight": rng.random(n)}
    whole = tm.evaluate(**given).estimates
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(class_scores, "CELLS_AT_ONCE", block * n)
        parts = dict(tm.evaluate(**given).estimates)
    assert list(parts) == list(whole)
    for name, found in whole.items():
        assert (parts[name].value, parts[name].method, parts[name].note) == (
            found.value,
            found.method,
            found.note,
        )
        np.testing.assert_allclose([parts[name].low, parts[name].high], [found.low, found.high], rtol=1e-12)
