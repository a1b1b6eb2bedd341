"""Models with a score per class on the same cases: what each case adds to the one value, less what it adds to
the other."""

import json

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses
from scipy import stats

import tallymark as tm
from tallymark import InputError, compare, evaluate
from tallymark.cli import main
from tallymark.inference.influence import of_class_scores
from tallymark.measures.registry import find, get
from tallymark.summaries import ClassScores, RankingTable

N = 150
LABELS = np.array(["cat", "dog", "owl"])
RANDOM = np.random.default_rng(8)
TRUTH = RANDOM.choice(LABELS, N, p=[0.5, 0.3, 0.2])
OWN = TRUTH[:, None] == LABELS


def model(noise, common):
    score = np.exp(1.5 * OWN + 0.7 * common + noise * RANDOM.normal(size=OWN.shape))
    return score / score.sum(axis=1, keepdims=True)


COMMON = RANDOM.normal(size=OWN.shape)
ONE, OTHER, THIRD = (model(noise, COMMON) for noise in (0.5, 0.8, 1.1))
MODELS = {"one": ONE, "other": OTHER}
TOP = ["top_label_ece", "top_label_ace", "top_label_mce", "top_label_rmsce"]
SCORED = [entry.name for entry in find(ClassScores) if not entry.ordered]
LABELLED = ["accuracy", "balanced_accuracy", "matthews_correlation", "cohen_kappa"]
CLOSED = [name for name in SCORED if name not in TOP] + LABELLED
LOSSES = {
    "log_loss": lambda p, own: -np.log(p[own]),
    "brier_score": lambda p, own: np.square(p - own).sum(axis=1),
    "spherical_score": lambda p, own: p[own] / np.sqrt(np.square(p).sum(axis=1)),
}


def compared(models=MODELS, truth=TRUTH, **given):
    return compare(truth=truth, score=models, **{"measures": CLOSED, "replicates": 100} | given)


def figures(found, measure):
    """Of a difference; what there is not is infinite."""
    one = found[measure]
    error, df = (np.inf if part is None else part for part in (one.standard_error, one.df))
    return one.value, one.low, one.high, one.p_value, error, df


def codes(found):
    return [note.code for note in found.estimate.notes]


def test_the_usual_measures():
    found = compare(truth=TRUTH, score=MODELS)
    assert (found.paired, found.models) == (True, ("one", "other"))
    assert found.measures == ("macro_roc_auc", "brier_score", "log_loss", "accuracy")
    assert "2 models on the same 150 cases" in str(found)
    not_probable = compare(truth=TRUTH, score={name: 3 * p for name, p in MODELS.items()})
    assert not_probable.measures == ("macro_roc_auc", "accuracy")


@in_part(5, ("fast", "full"))
@for_each("measure", [*SCORED, *LABELLED])
def test_each_model_has_the_estimate_that_evaluate_gives(measure):
    found, own = (
        compared(measures=[measure], design="case-control"),
        evaluate(truth=TRUTH, score=MODELS, design="case-control"),
    )
    assert found[measure].models == tuple(own[name][measure] for name in ("other", "one"))
    assert found[measure].value == own["other"][measure].value - own["one"][measure].value


@for_each("measure", LOSSES)
def test_the_standard_error_is_that_of_the_mean_of_the_differences(measure):
    losses = [LOSSES[measure](p, OWN) for p in (OTHER, ONE)]
    wanted, found = stats.ttest_rel(*losses), compared()[measure]
    assert found.value == pytest.approx(np.mean(losses[0] - losses[1]), rel=1e-9)
    assert found.statistic == pytest.approx(wanted.statistic, rel=1e-9)
    assert found.standard_error == pytest.approx(stats.sem(losses[0] - losses[1]), rel=1e-9)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(wanted.statistic), found.df), rel=1e-9)
    assert found.df < N - 1
    assert (found.test, found.estimate.method) == ("paired-mean", "paired-mean")


@in_part(4, ("fast", "full"))
@for_each("measure", LOSSES)
def test_fixed_class_sizes_add_the_variances_of_the_classes(measure):
    apart = np.subtract(*(LOSSES[measure](p, OWN) for p in (OTHER, ONE)))
    parts = [apart[label == TRUTH] for label in LABELS]
    found = compared(design="case-control")[measure]
    assert found.standard_error == pytest.approx(
        np.sqrt(sum(len(one) * one.var(ddof=1) for one in parts)) / N, rel=1e-9
    )
    assert "given this class mix" in found.estimate.note
    assert "given this class mix" not in (
        compared(design="case-control")["pairwise_roc_auc"].estimate.note or ""
    )


def test_a_measure_of_ordered_classes():
    apart = np.subtract(*(np.square((p - OWN).cumsum(axis=1)[:, :-1]).sum(axis=1) / 2 for p in (OTHER, ONE)))
    found = compared(classes=LABELS.tolist(), ordered=True, measures=["ranked_probability_score"])[
        "ranked_probability_score"
    ]
    assert (found.value, found.standard_error) == pytest.approx((apart.mean(), stats.sem(apart)), rel=1e-9)


def test_losses_of_two_classes_as_of_one_score():
    """Of a third class without cases, to which no model gives a probability, log loss is that of the two."""
    truth = np.where(TRUTH == "cat", "cat", "dog")
    models = {name: np.c_[p[:, 0], 1 - p[:, 0], np.zeros(N)] for name, p in MODELS.items()}
    many = compared(models, truth, classes=LABELS.tolist(), measures="log_loss")["log_loss"]
    two = compare(
        truth=truth, score={name: p[:, 0] for name, p in MODELS.items()}, positive="cat", measures="log_loss"
    )["log_loss"]
    assert (many.value, many.standard_error, many.df) == pytest.approx(
        (two.value, two.standard_error, two.df), rel=1e-9
    )


@pytest.mark.full
@in_part(3)
@for_each("design", ["cohort", "case-control"])
@for_each("measure", [*CLOSED[: CLOSED.index("accuracy")]])
def test_standard_errors_are_those_of_a_bootstrap_of_cases(design, measure):
    """500 resamples: their spread has a standard error of 3 %."""
    entry, random = get(measure, ClassScores), np.random.default_rng(1)
    parts = [np.arange(N)] if design == "cohort" else [np.flatnonzero(label == TRUTH) for label in LABELS]
    values = []
    for _ in range(500):
        row = np.concatenate([random.choice(part, len(part)) for part in parts])
        tables = (
            ClassScores.from_arrays(truth=TRUTH[row], score=p[row], classes=LABELS.tolist())
            for p in (OTHER, ONE)
        )
        values.append(np.subtract(*map(entry.function, tables)))
    found = compared(design=design)[measure]
    assert found.standard_error == pytest.approx(np.std(values), rel=0.12)


@for_each("measure", [one.name for one in find(ClassScores) if one.interval.kind.startswith("of-")])
def test_influence_values_are_slopes(measure):
    """Each case gets a little more weight; what the value gains, over its share of the weight."""
    entry = get(measure, ClassScores)
    table = evaluate(truth=TRUTH[:40], score=OTHER[:40].round(1), weight=RANDOM.uniform(0.5, 2, 40)).scores
    found, step = of_class_scores(entry, entry.function, table), 1e-6 * table.total
    assert np.dot(found, table.weight) == pytest.approx(0, abs=1e-9)
    for i in range(len(found)):
        ends = (
            ClassScores(
                table.labels,
                table.truth,
                table.score,
                table.weight + side * step * (np.arange(40) == i),
                None,
                "importance",
            )
            for side in (1, -1)
        )
        above, below = map(entry.function, ends)
        assert found[i] == pytest.approx((above - below) / (2 * step) * table.total, abs=1e-4)


def test_influence_values_of_skill_scores_are_slopes():
    test_of = [entry for entry in find(ClassScores) if entry.interval.kind == "skill"]
    assert len(test_of) == 2
    table = evaluate(truth=TRUTH[:40], score=OTHER[:40], weight=RANDOM.uniform(0.5, 2, 40)).scores
    for entry in test_of:
        found, step = of_class_scores(entry, entry.function, table), 1e-6 * table.total
        for i in range(0, 40, 7):
            moved = table.weight + step * (np.arange(40) == i)
            value = entry.function(
                ClassScores(table.labels, table.truth, table.score, moved, None, "importance")
            )
            assert found[i] == pytest.approx((value - entry.function(table)) / step * table.total, abs=1e-4)


@for_each("measure", TOP)
def test_measures_of_the_highest_probability_are_resampled(measure):
    found, fixed = (
        compared(measures=[measure], design=design)[measure] for design in ("cohort", "case-control")
    )
    assert (found.test, codes(found)) == ("bootstrap", ["bias-of-both"])
    assert 0 < found.p_value <= 1
    assert "resamples-of-two-classes" in codes(fixed)
    assert np.isnan([fixed.low, fixed.p_value]).all()


@pytest.mark.full
@for_each("measure", TOP)
def test_the_spread_of_the_resamples_is_that_of_others(measure):
    """Of 200 and of 400 resamples: the ratio has a standard error of 8 %."""
    found = compared(measures=TOP, replicates=400)[measure]
    random, entry = np.random.default_rng(2), get(measure, ClassScores)
    values = []
    for _ in range(200):
        row = random.integers(0, N, N)
        tables = (
            ClassScores.from_arrays(truth=TRUTH[row], score=p[row], classes=LABELS.tolist())
            for p in (OTHER, ONE)
        )
        values.append(np.subtract(*map(entry.function, tables)))
    assert (found.high - found.low) / (2 * 1.96) == pytest.approx(np.std(values), rel=0.25)


def test_the_table_of_the_highest_probability_has_the_same_value():
    table = evaluate(truth=TRUTH, score=ONE).scores
    for name, of_table in zip(TOP, ("expected", "adaptive", "maximum", "rms"), strict=True):
        of_one_score = get(f"{of_table}_calibration_error", RankingTable)
        assert of_one_score.function(table.confidence) == get(name, ClassScores).function(table)


@in_part(4, ("fast", "full"))
@for_each("measure", [*SCORED, *LABELLED])
def test_identical_models_differ_by_nothing(measure):
    same = compared({"one": ONE, "other": ONE.copy()}, measures=[measure])[measure]
    assert (same.value, same.p_value) == (0, 1)
    assert codes(same) == ["few-differ"]
    if measure in TOP:  # whose influence values are not known
        assert np.isnan(same.low)
        return
    assert -0.2 < same.low < 0 < same.high < 0.2  # a share of other cases, by the rule of three


def test_models_that_only_rank_alike():
    """Scores of one model that are those of the other, cubed."""
    found = compared({"one": ONE, "other": ONE**3}, measures=["macro_roc_auc", "accuracy"])
    assert [(one.value, one.p_value) for one in found.differences] == [(0, 1)] * 2
    assert all(-0.1 < one.low < 0 < one.high < 0.1 for one in found.differences)


@in_part(5, ("fast", "full"))
@for_each("measure", [*SCORED, *LABELLED])
def test_neither_the_order_of_rows_nor_that_of_models_or_columns_matters(measure):
    order, columns = np.random.default_rng(3).permutation(N), [2, 0, 1]
    asked = {"measures": [measure]}
    turned = compare(
        truth=TRUTH[order],
        score={"other": OTHER[order][:, columns], "one": ONE[order][:, columns]},
        classes=LABELS[columns].tolist(), reference="one", replicates=100, **asked,
    )  # fmt: skip
    same = compare(
        truth=TRUTH[order],
        score={"other": OTHER[order], "one": ONE[order]},
        reference="one",
        replicates=100,
        **asked,
    )
    assert figures(same, measure) == pytest.approx(
        figures(compared(**asked), measure), rel=1e-12, abs=1e-14, nan_ok=True
    )
    if measure not in TOP:
        assert figures(turned, measure) == pytest.approx(
            figures(compared(**asked), measure), rel=1e-6, abs=1e-9, nan_ok=True
        )


@in_part(5, ("fast", "full"))
@for_each("measure", [*SCORED, *LABELLED])
def test_a_count_of_two_is_the_row_twice(measure):
    count = np.arange(N) % 3
    rows = np.repeat(np.arange(N), count)
    twice = {name: p[rows] for name, p in MODELS.items()}
    weighted, repeated = (
        compared(weight=count, weight_kind="count", measures=[measure]),
        compared(twice, TRUTH[rows], measures=[measure]),
    )
    assert figures(weighted, measure) == pytest.approx(figures(repeated, measure), rel=1e-9, nan_ok=True)


@in_part(5, ("fast", "full"))
@for_each("measure", CLOSED)
def test_the_scale_of_importance_weights_has_no_effect(measure):
    weight = np.random.default_rng(4).lognormal(size=N)
    asked = {"weight_kind": "importance", "measures": [measure]}
    found, scaled = (compared(weight=times * weight, **asked) for times in (1.0, 4.0))
    assert figures(scaled, measure) == pytest.approx(figures(found, measure), rel=1e-6, nan_ok=True)
    assert found[measure].standard_error > 0


def test_three_models_margins_and_the_adjustment():
    found = compared(
        {**MODELS, "third": THIRD}, measures=None, reference="all", non_inferior_by={"accuracy": 0.5}
    )
    assert len(found.differences) == 12
    assert [test.name for test in found.tests][-1] == "cochran q, accuracy"
    smallest = min(found.differences, key=lambda one: one.p_value)
    assert smallest.adjusted == pytest.approx(12 * smallest.p_value)
    assert found["accuracy", "other", "one"].decision.shown
    labels = compare(
        truth=TRUTH, predicted={name: LABELS[p.argmax(1)] for name, p in MODELS.items()}, measures=LABELLED
    )
    for name in LABELLED:
        assert figures(compared(), name) == pytest.approx(figures(labels, name), rel=1e-9)
    assert compared().agreement[0].to_dict() == labels.agreement[0].to_dict()


@pytest.mark.full
def test_logits_are_compared_as_their_probabilities():
    logits = {name: np.log(p) + 3 for name, p in MODELS.items()}
    found = compared(logits, score_kind="logit")
    for measure in CLOSED:
        assert figures(found, measure) == pytest.approx(figures(compared(), measure), rel=1e-6)
    assert compared(logits, score_kind="logit", measures=TOP)["top_label_ece"].test == "bootstrap"


@pytest.mark.full
def test_columns_of_a_frame_are_matched_by_name_for_each_model():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "y": TRUTH,
            **{f"a_{label}": column for label, column in zip(LABELS, ONE.T, strict=True)},
            **{f"b_{label}": column for label, column in zip(LABELS, OTHER.T, strict=True)},
        }
    )
    models = {"one": ["a_cat", "a_dog", "a_owl"], "other": ["b_owl", "b_cat", "b_dog"]}
    found = compare(frame, truth="y", score=models, measures=CLOSED)
    for measure in CLOSED:
        assert figures(found, measure) == figures(compared(), measure)


def test_the_command_line(tmp_path, capsys):
    path, names = tmp_path / "x.csv", [f"{of}_{label}" for of in "ab" for label in LABELS]
    rows = [
        ",".join([label, *map(repr, map(float, row))])
        for label, row in zip(TRUTH, np.c_[ONE, OTHER], strict=True)
    ]
    path.write_text("\n".join([",".join(["y", *names]), *rows]) + "\n", encoding="utf-8")
    options = [
        part for name in names for part in ("--model", f"{'one' if name[0] == 'a' else 'other'}={name}")
    ]
    main(["compare", str(path), "--truth", "y", *options, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["models"] == ["one", "other"]
    for row in found["differences"]:
        assert row["value"] == compared(measures=None)[row["measure"]].value
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator(tm.json_schema()).validate(found)


def test_different_cases_are_put_together():
    half = N // 2
    lists = {"truth": [TRUTH[:half], TRUTH[half:]], "score": {"a": ONE[:half], "b": OTHER[half:]}}
    found = compare(**lists, paired=False)
    kept = [
        evaluate(truth=truth, score=score)
        for truth, score in zip(lists["truth"], lists["score"].values(), strict=True)
    ]
    by_summary = compare(*kept, paired=False, measures=found.measures)
    site = np.repeat(["a", "b"], [half, N - half])
    by_sample = compare(truth=TRUTH, score=np.r_[ONE[:half], OTHER[half:]], sample=site)
    assert (found.paired, by_sample.models) == (False, ("a", "b"))
    for measure in found.measures:
        assert figures(found, measure) == figures(by_summary, measure) == figures(by_sample, measure)


def test_few_cases_have_a_note():
    some = np.r_[np.flatnonzero(TRUTH != "owl"), np.flatnonzero(TRUTH == "owl")[:12]]
    few = compared({name: p[some] for name, p in MODELS.items()}, TRUTH[some])
    assert (codes(few["macro_roc_auc"]), codes(few["mean_average_precision"])) == ([], ["few-deciding"])
    alone = some[:-11]
    single = compared({name: p[alone] for name, p in MODELS.items()}, TRUTH[alone])["macro_roc_auc"]
    assert (codes(single), np.isnan(single.low)) == (["one-in-a-class"], True)


def test_an_area_of_one_has_a_note():
    found = compared(
        {"third": THIRD, "other": np.where(OWN, 0.8, 0.1)}, measures=["macro_roc_auc", "log_loss"]
    )
    assert [codes(one) for one in found.differences] == [["area-of-one"], []]
    assert found["macro_roc_auc"].low > 0


def test_without_names_models_are_numbered_and_a_gap_leaves_out_the_row():
    gap = np.where(np.arange(N)[:, None] == 4, np.nan, OTHER)
    found, rest = compared([ONE, gap], missing="drop"), np.arange(N) != 4
    without = compared({"one": ONE[rest], "other": OTHER[rest]}, TRUTH[rest])
    assert found.models == ("model 1", "model 2")
    assert all(figures(found, measure) == figures(without, measure) for measure in CLOSED)


REFUSED = {
    "threshold": ({"threshold": 0.5}, "^threshold: it is for one score per case"),
    "positive": ({"positive": "cat"}, "^positive: it is for one score per case"),
    "direction": ({"higher_is_positive": False}, "^higher_is_positive: it is for one score per case"),
    "margin": ({"score_kind": "margin"}, "^score_kind: it is for one score per case"),
    "bootstrap": ({"method": "bootstrap"}, "^method: 'bootstrap' needs two classes"),
    "permutation": ({"method": "permutation"}, "^method: 'permutation' needs two classes"),
    "probabilities": ({"models": {"one": ONE, "other": 3 * OTHER}, "score_kind": "probability"},
        "^score.*other"),
    "mixed": ({"models": {"one": ONE, "other": OTHER[:, 0]}},
        "^score: the model 'one' has 3 columns, .* 'other' has 1"),
    "length": ({"models": {"one": ONE, "other": OTHER[1:]}}, "score 1 of other has 149"),
    "a gap": ({"models": {"one": ONE, "other": np.where(np.arange(N)[:, None] == 4, np.nan, OTHER)}},
        "row 4"),
    "a measure of labels alone": ({"measures": ["roc_auc"]}, "roc_auc"),
}  # fmt: skip


@for_each("name", REFUSED)
def test_what_is_refused(name):
    given, reason = REFUSED[name]
    with pytest.raises(InputError, match=reason):
        compared(**given)


def test_lists_of_columns_need_names():
    data = {"y": TRUTH, **{f"c{i}": column for i, column in enumerate(np.c_[ONE, OTHER].T)}}
    with refuses("needed", argument="score"):
        compare(data, truth="y", score=[["c0", "c1", "c2"], ["c3", "c4", "c5"]])
    with refuses("unsupported", argument="curve"):
        compared().curve("decision")
