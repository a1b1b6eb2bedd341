"""What intervals rest on is named wherever they are written: the design, and the kind of the weights."""

import json
import math

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm
from tallymark import planning
from tallymark.cli import main
from tallymark.curves import CURVES
from tallymark.evaluation.thresholds import depends_on_mix, read_rule
from tallymark.inference import interval
from tallymark.inference.interval import GIVEN_MIX
from tallymark.input.text import WIDTH
from tallymark.measures import registry
from tallymark.summaries import Counts

N = 120
RANDOM = np.random.default_rng(4)
TRUTH = np.arange(N) % 3 == 0
SCORE = np.round(np.clip(0.25 * TRUTH + 0.7 * RANDOM.random(N), 0.01, 0.99), 3)
OTHER = np.round(np.clip(0.15 * TRUTH + 0.8 * RANDOM.random(N), 0.01, 0.99), 3)
WEIGHT = np.round(RANDOM.uniform(0.5, 2.0, N), 2)
LABEL = np.array(["a", "b", "c"])[np.arange(N) % 3]
PREDICTED = np.where(RANDOM.random(N) < 0.7, LABEL, "b")
COMMANDS = {
    "evaluate": ["evaluate", "{}", "--score", "p"],
    "threshold": ["threshold", "{}", "--score", "p", "--replicates", "50"],
    "calibration": ["calibration", "{}", "--score", "p"],
    "compare": ["compare", "{}", "--score", "p", "--score", "q", "--measure", "brier_score"],
    "check": ["check", "{}", "--score", "p", "--require", "accuracy.low >= 0.1"],
    "bootstrap": ["bootstrap", "{}", "--score", "p", "--replicates", "100", "--measure", "accuracy"],
    "biometric": ["biometric", "{}", "--score", "p"],
    "present": ["plan", "present", "{}", "--score", "p", "--measure", "accuracy"],
}
OF_ONE_MODEL = ("evaluate", "threshold", "calibration")
KINDS = {None: [], "count": ["--weight", "n", "--weight-kind", "count"], "importance": ["--weight", "w"]}


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    path = tmp_path_factory.mktemp("named") / "cases.csv"
    rows = zip(TRUTH.astype(int), SCORE, OTHER, 1 + np.arange(N) % 2, WEIGHT, strict=True)
    path.write_text("y,p,q,n,w\n" + "\n".join(",".join(map(str, row)) for row in rows), encoding="utf-8")
    return str(path)


def said(capsys, *arguments):
    status = main([str(one) for one in arguments])
    found = capsys.readouterr()
    assert not status, found.err
    return found


FAST = (("cohort", None), ("case-control", "importance"))


@pytest.mark.full
@pytest.mark.parametrize(
    ("design", "kind"),
    [
        pytest.param(design, kind, marks=() if (design, kind) in FAST else pytest.mark.full)
        for design in ("cohort", "case-control")
        for kind in KINDS
    ],
)
def test_every_command_names_both(design, kind, cases, capsys):
    for name, call in COMMANDS.items():
        if name == "biometric" and kind:
            continue  # on the command line comparisons have no weights
        typed = [part.format(cases) for part in call] + ["--truth", "y", "--design", design, *KINDS[kind]]
        found = json.loads(said(capsys, *typed, "--json").out)
        assert found["design"] == design, name
        assert found.get("data", found)["weight_kind"] == kind, name
        # the screen of one model names a cohort, which is the default, only with --all
        every = ["--all"] if name in OF_ONE_MODEL and design == "cohort" else []
        text = said(capsys, *typed, *every).out
        # that of comparisons is fixed by a protocol, and no error rate depends on it
        named = name != "biometric" or design != "cohort"
        assert (f"design: {design}" in text.lower()) == named, name
        assert (f"weights: {kind}" in " ".join(text.split())) == (kind is not None), name
        assert max(map(len, text.splitlines())) <= WIDTH, name


@pytest.mark.full
@pytest.mark.parametrize("design", ["cohort", "case-control"])
def test_curves_name_both(design, cases, capsys, tmp_path):
    out = tmp_path / "curve.json"
    for name in ("roc", "pr", "reliability", "f1"):
        typed = [
            "curve",
            name,
            cases,
            "--truth",
            "y",
            "--score",
            "p",
            "--weight",
            "w",
            "--design",
            design,
            "--band",
            "pointwise",
        ]
        assert f"design: {design}" in said(capsys, *typed).err, name
        said(capsys, *typed, "--out", out)
        band = json.loads(out.read_text(encoding="utf-8"))["band"]
        assert (band["design"], band["weight_kind"]) == (design, "importance"), name


@pytest.mark.full
def test_the_first_screen_the_page_and_markdown_name_what_the_class_mix_conditions():
    """Markdown named neither the design nor the weights, and no table of the usual measures which of them."""
    e, cohort = (tm.evaluate(truth=TRUTH, score=SCORE, design=one) for one in ("case-control", "cohort"))
    c = tm.compare(truth=TRUTH, score=[SCORE, SCORE**2], design="case-control", measures=["roc_auc", "f1"])
    for found in (str(e), e.to_markdown(), e._repr_html_()):
        written = " ".join(found.split())
        named = written.partition("Given this class mix: ")[2].partition(".")[0]
        assert all(name in named for name in ("Precision (PPV)", "Log loss"))
        assert not any(name in named for name in ("Sensitivity", "ROC AUC"))
        assert "case-control, intervals for fixed class sizes" in written
    # also where one of the models, without a false positive, has the same f1 at any class mix
    written = " ".join(c.to_markdown().split())
    assert "fixed class sizes" in written
    assert written.count("Given this class mix: F1.") == 1  # for the values and the differences
    models = tm.evaluate(truth=TRUTH, score={"a": SCORE, "b": OTHER}, design="case-control")
    sites = tm.evaluate(truth=TRUTH, score=SCORE, by={"half": np.arange(N) < N / 2}, design="case-control")
    for found in (models, sites):
        assert "fixed class sizes" in " ".join(str(found).split())
        assert "fixed class sizes" in " ".join(found.to_markdown().split())
    for found in (str(cohort), cohort.to_markdown(), cohort._repr_html_()):
        assert "Given this class mix" not in found
    weighted = tm.evaluate(truth=TRUTH, score=SCORE, weight=WEIGHT)
    assert "weights: importance" in weighted.to_markdown()


@pytest.mark.full
def test_the_page_names_both():
    e = tm.evaluate(truth=TRUTH, score=SCORE, weight=WEIGHT, design="case-control")
    assert e.conditions in e._repr_html_()
    assert e.conditions == "design: case-control, intervals for fixed class sizes; weights: importance"
    assert "design: cohort" in tm.evaluate(truth=TRUTH, score=SCORE)._repr_html_()


def test_amounts_have_no_classes():
    text = str(tm.evaluate(truth=SCORE, predicted=OTHER, weight=WEIGHT, regression=True))
    assert "weights: importance" in text
    assert "design" not in text


def amounts():
    one = tm.evaluate(truth=SCORE, predicted=OTHER, weight=WEIGHT, regression=True)
    yield one
    yield planning.present(one, measures="mean_squared_error")
    yield tm.check(truth=SCORE, predicted=OTHER, regression=True, require="mean_absolute_error <= 9")
    yield tm.compare(one, tm.evaluate(truth=SCORE, predicted=OTHER**2, weight=WEIGHT, regression=True),
    paired=False,
                     measures="mean_squared_error")  # fmt: skip


def test_amounts_name_no_design_as_json():
    for found in amounts():
        assert "design" not in found.to_dict(), type(found)


def test_another_prevalence_names_both():
    e = tm.evaluate(truth=TRUTH, score=SCORE, weight=WEIGHT)
    for given, kind in (
        (e, "importance"),
        (e.counts, "importance"),
        (tm.Counts(tp=5, fp=3, fn=2, tn=30), None),
    ):
        found = tm.at_prevalence(given, prevalence=0.1)
        plain = found.to_dict()
        assert (
            (plain["design"], plain["weight_kind"])
            == (found.design, found.weight_kind)
            == ("case-control", kind)
        )
        assert " ".join(found.conditions.split()) in " ".join(str(found).split())
        assert "for fixed class sizes" in found.conditions
    rates = tm.at_prevalence(sensitivity=0.9, specificity=0.8, prevalence=0.1)
    assert "design" not in rates.to_dict()
    assert "design" not in str(rates)


def test_another_prevalence_names_both_on_the_command_line(capsys):
    typed = ["prevalence", "--tp", 40, "--fp", 9, "--fn", 8, "--tn", 90, "--prevalence"]
    assert json.loads(said(capsys, *typed, 0.1, "--json").out)["at"][0]["design"] == "case-control"
    for shares in ((0.1,), (0.1, 0.2)):
        assert "design: case-control" in said(capsys, *typed, *shares).out


def test_kinds_as_they_are_read():
    """Said, shown by the values, of summaries, and of two sets of cases."""
    for weight, asked, kind in (
        (np.ones(N), None, "count"),
        (np.ones(N), "importance", "importance"),
        (WEIGHT, None, "importance"),
        (1 + np.arange(N) % 2, None, "importance"),
        (1 + np.arange(N) % 2, "count", "count"),
    ):
        found = tm.evaluate(truth=TRUTH, score=SCORE, weight=weight, weight_kind=asked)
        assert found.data.weight_kind == kind
    assert (
        tm.evaluate(tm.RankingTable.from_arrays(truth=TRUTH, score=SCORE, weight=WEIGHT)).data.weight_kind
        == "importance"
    )
    assert tm.evaluate(tm.Counts(tp=5, fp=1, fn=2, tn=9)).data.weight_kind is None
    several = {
        "truth": np.stack([TRUTH, ~TRUTH], 1).astype(int),
        "predicted": np.stack([SCORE > 0.5, OTHER > 0.5], 1).astype(int),
    }
    assert tm.evaluate(**several, weight=WEIGHT).data.weight_kind == "importance"
    one, other = (
        tm.evaluate(truth=TRUTH, score=SCORE, weight=weight, weight_kind=kind)
        for weight, kind in ((WEIGHT, None), (1 + np.arange(N) % 2, "count"))
    )
    compared = tm.compare(one, other, paired=False, measures="roc_auc")
    assert compared.to_dict()["data"]["weight_kind"] == "mixed"


# What the class mix conditions
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize(
    "name",
    ["pr", "gain", "lift", "decision", "reliability", "reliability_equal_mass", "reliability_isotonic"],
)
def test_bands_of_the_class_mix_say_so(name):
    cohort, fixed = (
        tm.evaluate(truth=TRUTH, score=SCORE, design=design) for design in ("cohort", "case-control")
    )
    assert GIVEN_MIX.text in fixed.curve(name, band="pointwise").about.note
    assert GIVEN_MIX.text not in (cohort.curve(name, band="pointwise").about.note or "")


@pytest.mark.full
def test_bands_of_measures_say_what_their_estimates_say():
    fixed = tm.evaluate(truth=TRUTH, score=SCORE, design="case-control")
    for entry in registry.find(Counts):
        if entry.name in CURVES or not fixed[entry.name].has_interval or entry.name == "net_benefit":
            continue
        about = fixed.curve(entry.name, band="pointwise").about
        assert (GIVEN_MIX.text in (about.note or "")) == (GIVEN_MIX.text in (fixed[entry.name].note or "")), (
            entry.name
        )


def test_reliability_bins_say_so():
    cohort, fixed = (
        tm.calibration(truth=TRUTH, score=SCORE, design=design) for design in ("cohort", "case-control")
    )
    assert fixed.to_dict()["intervals_of_bins"]["note"] == GIVEN_MIX.text
    assert cohort.to_dict()["intervals_of_bins"]["note"] is None
    assert f"{GIVEN_MIX.text}." in str(fixed.all)


MIXED = {
    "youden": False, "closest_to_corner": False, "equal_error": False, "accuracy": True, "f1": True,
    "balanced_accuracy": False, "prevalence_matched": True, "roc_slope": False, "sensitivity>=0.9": False,
    "specificity>=0.9": False, "precision>=0.5": True, "sensitivity.low>=0.5": False,
    "positive_likelihood_ratio": False,
}  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("rule", MIXED)
def test_thresholds_by_rule(rule):
    assert depends_on_mix(read_rule(rule)) == MIXED[rule]
    for design in ("cohort", "case-control"):
        found = tm.choose_threshold(truth=TRUTH, score=SCORE, rule=rule, design=design, replicates=50)
        expected = GIVEN_MIX.text if MIXED[rule] and design == "case-control" else None
        assert found.note == found.to_dict()["threshold"]["note"] == expected
        assert " ".join(str(found.all).split()).count(f"; {GIVEN_MIX.text} equally good") == (
            expected is not None
        )


def test_rules_with_options():
    assert depends_on_mix(read_rule("cost", cost_fp=1.0, cost_fn=2.0))
    assert not depends_on_mix(read_rule("cost", cost_fp=1.0, cost_fn=2.0, prevalence=0.1))
    assert depends_on_mix(read_rule("top_k", k=10))


def test_an_order_that_the_mix_changes():
    """By hand: accuracy ranks 0.9 and 0.5 (sensitivity, specificity) before 0.5 and 0.9 only where positives
    are more."""
    assert interval.reorders(tm.measures.accuracy.function)
    assert not interval.reorders(tm.measures.youden_j.function)
    assert not interval.reorders(tm.measures.prevalence.function)


def test_the_class_mix_of_a_chosen_threshold_varies_in_a_cohort():
    """Resamples of a cohort have other numbers of positives; those of fixed class sizes have not."""
    found = {
        design: tm.choose_threshold(truth=TRUTH, score=SCORE, design=design, replicates=200)
        for design in ("cohort", "case-control")
    }
    spread = {design: np.std(one.choice.resampled.positives) for design, one in found.items()}
    assert spread["case-control"] == 0
    assert spread["cohort"] == pytest.approx(math.sqrt(N * 2 / 9), rel=0.2)


def test_a_value_without_an_interval_says_so_too():
    found = tm.estimate(
        "precision_at_k",
        tm.RankingTable.from_arrays(truth=TRUTH, score=SCORE),
        tm.Settings(design="case-control"),
        k=10,
    )
    assert GIVEN_MIX.text in found.note


@pytest.mark.full
@pytest.mark.parametrize(
    "given",
    [{"predicted": PREDICTED}, {"score": np.eye(3)[np.arange(N) % 3] * 0.4 + 0.2}],
    ids=["labels", "scores"],
)
def test_of_many_classes_nothing_refers_to_at_prevalence(given):
    text = json.dumps(tm.evaluate(truth=LABEL, **given, design="case-control").to_dict())
    assert "at_prevalence" not in text
    assert text.count("without the classes' shares") > 20
    assert "at_prevalence" in json.dumps(
        tm.evaluate(truth=TRUTH, score=SCORE, design="case-control").to_dict()
    )


def test_importance_weights_in_proportion_to_the_shares():
    """What the note says: the accuracy is then that of a population with these shares."""
    shares = {"a": 0.7, "b": 0.2, "c": 0.1}
    weight = np.array([shares[one] / (one == LABEL).sum() for one in LABEL])
    found = tm.evaluate(
        truth=LABEL, predicted=PREDICTED, weight=weight, weight_kind="importance", design="case-control"
    )
    recalls = {one: (PREDICTED[one == LABEL] == one).mean() for one in shares}
    assert found["accuracy"].value == pytest.approx(sum(shares[one] * recalls[one] for one in shares))
    assert found["accuracy"].has_interval


# p-values without a test
# --------------------------------------------------------------------------------------------------


def test_no_p_value_at_chosen_thresholds_where_the_answers_are_the_same():
    """Models that rank alike on another scale give the same answers at thresholds chosen by Youden's index:
    no test was made."""
    score = {"one": 2 * SCORE, "other": 4 * SCORE}
    found = tm.compare(truth=TRUTH, score=score, measures=["youden_j", "sensitivity", "roc_auc"])
    for name in ("youden_j", "sensitivity"):
        assert found[name].value == 0
        assert math.isnan(found[name].p_value)
        assert found[name].to_dict()["p_value"] is None
        assert "chosen on these cases" in found[name].to_dict()["note"]
    assert found["roc_auc"].p_value == 1.0
    assert found["roc_auc"].low < 0 < found["roc_auc"].high


def test_models_that_are_one_have_the_p_value_of_every_test():
    score = 2 * SCORE
    found = tm.compare(
        truth=TRUTH, score={"one": score, "other": score}, measures=["youden_j", "sensitivity"]
    )
    for one in found.differences:
        assert (one.value, one.low, one.high, one.p_value) == (0, 0, 0, 1.0)
        assert one.estimate.method == "identical"


# Plans
# --------------------------------------------------------------------------------------------------

PLANS = {
    "sensitivity": (planning.sensitivity, {"expected": 0.9, "at_least": 0.8, "prevalence": 0.2}),
    "specificity": (planning.specificity, {"expected": 0.9, "at_least": 0.8, "prevalence": 0.2}),
    "proportion": (planning.proportion, {"expected": 0.9, "at_least": 0.8, "share": 0.2}),
    "auc": (planning.roc_auc, {"expected": 0.8, "at_least": 0.7, "prevalence": 0.2}),
    "paired-auc": (
        planning.paired_roc_auc,
        {"first": 0.85, "second": 0.75, "correlation": 0.5, "prevalence": 0.2},
    ),
    "unpaired-auc": (planning.unpaired_roc_auc, {"first": 0.85, "second": 0.75, "prevalence": 0.2}),
    "paired-proportions": (
        planning.paired_proportions,
        {"first": 0.9, "second": 0.8, "discordant": 0.2, "share": 0.2},
    ),
}


@pytest.mark.full
@pytest.mark.parametrize("name", PLANS)
def test_plans_of_both_designs(name, capsys):
    """The numbers of each class are the same; with fixed class sizes nothing more is collected for chance."""
    plan, asked = PLANS[name]
    cohort, fixed = (plan(**asked, design=design) for design in ("cohort", "case-control"))
    assert plan(**asked) == cohort
    assert (cohort.positives, cohort.negatives, cohort.power) == (
        fixed.positives,
        fixed.negatives,
        fixed.power,
    )
    assert fixed.cases == cohort.on_average < cohort.cases
    assert (fixed.on_average, fixed.assurance) == (None, None)
    for found, design in ((cohort, "cohort"), (fixed, "case-control")):
        assert found.to_dict()["design"] == design
        assert f"Design: {design}" in str(found)
        typed = [part for key, value in asked.items() for part in (f"--{key.replace('_', '-')}", value)]
        assert said(capsys, "plan", name, *typed, "--design", design).out.strip() == str(found)


def test_class_sizes_without_a_prevalence():
    one = planning.roc_auc(expected=0.8, width=0.1, negatives_per_positive=2, design="case-control")
    assert (one.design, one.cases, one.negatives) == ("case-control", None, 2 * one.positives)


def test_a_proportion_of_both_classes_is_warned_of():
    said_of = str(planning.proportion(expected=0.9, width=0.1, design="case-control"))
    assert "as precision" in said_of
    assert "as precision" not in str(planning.sensitivity(expected=0.9, width=0.1, design="case-control"))
    assert "as precision" not in str(planning.proportion(expected=0.9, width=0.1))


def test_an_external_validation_is_of_a_cohort():
    assert planning.external_validation(prevalence=0.2, auc=0.8).to_dict()["design"] == "cohort"
    with refuses("unsupported", argument="design"):
        planning.external_validation(prevalence=0.2, auc=0.8, design="case-control")
    with refuses("unknown-name", argument="design"):
        planning.roc_auc(expected=0.8, width=0.1, design="stratified")


OF_FIXED_SIZES = {
    "evaluation": lambda given: tm.evaluate(**given),
    "bootstrap": lambda given: tm.bootstrap(**given, measures=["precision", "roc_auc"], replicates=100),
    "chosen threshold": lambda given: tm.choose_threshold(**given, replicates=50),
    "calibration": lambda given: tm.calibration(**given),
    "curve": lambda given: tm.evaluate(**given).curve("pr", band="pointwise"),
    "advice": lambda given: tm.advise(tm.evaluate(**given)),
    "classification report": lambda given: tm.classification_report(tm.evaluate(**given), intervals=True),
    "at prevalence": lambda given: tm.at_prevalence(tm.evaluate(**given), prevalence=0.1),
    "biometric": lambda given: tm.biometric(**given),
}


@in_part(4, ("fast", "full"))
@for_each("name", OF_FIXED_SIZES)
def test_every_format_names_the_design(name):
    truth = np.arange(200) < 60
    score = 1 / (1 + np.exp(-np.random.default_rng(1).normal(size=200) - truth))
    given = {"truth": truth, "score": score, "design": "case-control"}
    found = OF_FIXED_SIZES[name](given)
    for said in (str(found), found.to_markdown(), found.to_html()):
        assert "design: case-control" in said.lower(), said


def test_markdown_names_what_depends_on_the_fixed_class_mix():
    truth = np.arange(200) < 60
    score = np.random.default_rng(1).normal(size=200) + truth
    found = tm.bootstrap(
        truth=truth, score=score, threshold=0.5, design="case-control", measures=["precision", "roc_auc"]
    )
    assert "Given this class mix: Precision (PPV)." in found.to_markdown()
    curve = tm.evaluate(truth=truth, score=score).curve("pr", band="pointwise")
    assert "| low | high |" in curve.all.to_markdown()


def test_the_interval_of_a_chosen_threshold_stands_next_to_the_corrected_value():
    truth = np.arange(200) < 60
    score = np.random.default_rng(1).normal(size=200) + truth
    said = tm.choose_threshold(truth=truth, score=score, replicates=50).to_markdown()
    assert "on these cases" in said
    assert "Corrected values" in said
