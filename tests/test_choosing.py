"""Choosing a threshold: where it is, how sure that is, what it owes to these cases, how it reads, and the
command line."""

import json
import math
import re

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses
from strategies import measures_of
from test_threshold_values import VALUES

from tallymark import Counts, InputError, RankingTable, check, choose_threshold, evaluate
from tallymark.cli import main
from tallymark.evaluation.thresholds import read_rule
from tallymark.input.messages import Note
from tallymark.measures.registry import get

INF = math.inf
NAMES = [entry.name for entry in measures_of(Counts)]
RANDOM = np.random.default_rng(4)
TRUTH = RANDOM.integers(0, 2, 60)
SCORE = RANDOM.normal(TRUTH).round(3)
HERE = {"truth": TRUTH, "score": SCORE}
CHOSEN = choose_threshold(**HERE)
SURE = {"truth": [0] * 30 + [1] * 30, "score": np.arange(60.0)}  # perfectly separated between 29 and 30
TIED = {"truth": [0, 1, 1, 0, 1], "score": [0.25] * 5}
ONE_POSITIVE = {"truth": [0, 0, 0, 1, 0, 0], "score": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}
COSTS = {"cost_fp": 1, "cost_fn": 3}
RULES = [{"rule": rule} for rule in (
    "youden", "closest_to_corner", "roc_slope", "equal_error", "prevalence_matched", "f1", "error_rate",
    "sensitivity>=0.9", "precision>=0.7", "accuracy>=0.6",
)]  # fmt: skip
RULES += [{"rule": "cost", **COSTS, **more} for more in ({}, {"prevalence": 0.1})]
RULES += [{"rule": "roc_slope", **more} for more in ({"slope": 0.5}, {**COSTS, "prevalence": 0.2})]
RULES += [{"rule": "prevalence_matched", "prevalence": 0.2}, {"rule": "top_k", "k": 10}]
RULES += [
    {"rule": name, **options}
    for name, (options, _) in VALUES.items()
    if name not in [rule["rule"] for rule in RULES]
]


def named(rule):
    return " ".join(map(str, rule.values()))


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


def codes(choice):
    return [notice.code for notice in choice.notices]


def same_choice(one, other, within=0.0):
    """Threshold, interval, and every corrected value."""
    assert one.threshold == other.threshold
    assert one.interval == other.interval
    assert [*one.corrected.values()] == pytest.approx(
        [*other.corrected.values()], rel=within, abs=within, nan_ok=True
    )


# The threshold
# --------------------------------------------------------------------------------------------------


@in_part(3)
@for_each("rule", RULES, ids=named)
def test_everything_is_measured_at_the_threshold_and_the_rule_is_said(rule):
    choice = choose_threshold(**HERE, replicates=50, **rule)
    of_costs = "expected_cost", "net_benefit", "standardised_net_benefit", "interventions_avoided"
    costs = {name: choice.evaluation.parameters_of(choice.evaluation.entry(name)) for name in of_costs}
    given = evaluate(**HERE, threshold=choice.threshold, parameters=costs)
    assert choice.evaluation.counts == choice.choice.counts == given.counts
    values = [{name: one.value for name, one in e.estimates.items()} for e in (choice.evaluation, given)]
    assert values[0] == pytest.approx(values[1], nan_ok=True)
    assert any(low < choice.threshold <= high for low, high in choice.equally_good)
    assert choice.threshold == INF or choice.threshold in SCORE
    (said,) = (notice.text for notice in choice.evaluation.notices if notice.code == "threshold-chosen-here")
    assert choice.evaluation.threshold.rule == choice.rule == read_rule(**rule).spec
    assert choice.rule.text in said or "Youden index" in said
    assert "threshold-chosen-here" not in codes(choice)  # the corrected values say it


@in_part(3)
@for_each("rule", [rule for rule in RULES if len(rule) == 1], ids=named)
def test_evaluate_chooses_the_same(rule):
    for cases in (HERE, {"truth": TRUTH, "score": -SCORE, "higher_is_positive": False}):
        choice, found = choose_threshold(**cases, **rule, replicates=50), evaluate(**cases, **rule)
        assert (found.threshold.value, found.threshold.rule) == (choice.threshold, choice.rule)
        assert found.to_dict() == choice.evaluation.to_dict()


def test_a_rule_of_a_measure_takes_its_parameters():
    """What is made largest is what is then reported."""
    given = {**HERE, "parameters": {"f_beta": {"beta": 0.1}}}
    chosen = choose_threshold(**given, rule="f_beta", replicates=50).evaluation["f_beta"].value
    assert chosen == max(evaluate(**given, threshold=limit)["f_beta"].value for limit in SCORE)


@in_part(4, ("fast", "full"))
@for_each(
    ("rule", "cost_fp", "cost_fn", "prevalence", "odds"),
    [
        ({"rule": "cost", "cost_fp": 1, "cost_fn": 5}, 1, 5, None, 0.2),
        ({"rule": "cost where sensitivity>=0.5", "cost_fp": 1, "cost_fn": 5}, 1, 5, None, 0.2),
        ({"rule": "cost", "cost_fp": 1, "cost_fn": 5, "prevalence": 0.1}, 1, 5, 0.1, 0.2),
        ({"rule": "roc_slope", "cost_fp": 2, "cost_fn": 4}, 2, 4, None, 0.5),
        ({"rule": "roc_slope", "slope": 3}, 3, 1, 0.5, None),
        ({"rule": "expected_cost", "parameters": {"expected_cost": {"cost_fn": 4}}}, 1, 4, None, 0.25),
        ({"rule": "net_benefit"}, 1, 1, None, 1),
        ({"rule": "net_benefit", "parameters": {"net_benefit": {"threshold": 0.2}}}, 0.25, 1, None, 0.25),
    ],
)
def test_what_the_rule_optimised_is_what_is_shown(rule, cost_fp, cost_fn, prevalence, odds):
    """The expected cost at its costs, the net benefit at its odds; in text, rows and notes, too."""
    score = 1 / (1 + np.exp(-SCORE))
    choice = choose_threshold(truth=TRUTH, score=score, replicates=50, **rule)
    e, c = choice.evaluation, choice.evaluation.counts
    cost = (cost_fp * c.fp + cost_fn * c.fn) / 60
    if prevalence is not None:
        cost = cost_fn * prevalence * c.fn / c.positives + cost_fp * (1 - prevalence) * c.fp / c.negatives
    assert e["expected_cost"].value == pytest.approx(cost)
    if odds is not None:
        assert e["net_benefit"].value == pytest.approx((c.tp - odds * c.fp) / 60)
    best = "net_benefit" if rule["rule"] == "net_benefit" else "expected_cost"
    more = {best: e.parameters_of(e.entry(best))}
    at = [evaluate(truth=TRUTH, score=score, threshold=limit, parameters=more) for limit in score]
    allowed = [
        one[best].value for one in at if "where" not in rule["rule"] or one["sensitivity"].value >= 0.5
    ]
    assert e[best].value == pytest.approx(max(allowed) if best == "net_benefit" else min(allowed))
    row = next(row for row in choice.table if row["measure"] == best)
    assert row["value"] == e[best].value
    assert f"{e[best].value:.3f}" in str(choice)
    if best == "expected_cost":
        assert f"cost_fn = {cost_fn}" in e[best].note


def test_groups_have_the_costs_of_the_rule():
    score, groups = 1 / (1 + np.exp(-SCORE)), np.arange(60) % 2
    found = evaluate(truth=TRUTH, score=score, by=groups, rule="net_benefit")
    for label in ("0", "1"):
        one = found[label]
        assert one["net_benefit"].value == pytest.approx((one.counts.tp - one.counts.fp) / one.counts.total)


@for_each(
    ("threshold", "value"),
    [(0.9, -0.875), (0.5, 0.125), (1, -INF), (1.5, math.nan), (-1, math.nan), (INF, math.nan)],
)
def test_net_benefit_where_the_threshold_has_no_odds(threshold, value):
    y, p = [1, 0, 1, 0, 0, 1, 0, 0], [0, 0, 0.9, 0.2, 0.1, 1, 0.3, 1]
    found = evaluate(truth=y, score=p, threshold=threshold)["net_benefit"]
    assert found.value == pytest.approx(value, nan_ok=True)
    assert (found.undefined is None) == (value == value)
    assert value == value or f"{threshold:g} is no probability" in found.undefined.text


def test_net_benefit_at_1_without_a_false_positive():
    found = evaluate(truth=[1, 0, 1, 0], score=[1.0, 0.2, 0.5, 0.7], threshold=1)["net_benefit"]
    assert math.isnan(found.value)
    assert "infinite odds" in found.undefined.text


def test_perfect_separation():
    choice = choose_threshold(**SURE)
    assert choice.threshold == 30
    assert choice.equally_good == [(29, 30)]
    assert 30 == choice.interval[0] <= choice.interval[1] < 36
    assert 0.9 < choice.corrected["youden_j"] < 1


def test_all_tied():
    """Everybody or nobody: no Youden index but 0, and the score is preferred to infinity."""
    choice = choose_threshold(**TIED)
    assert (choice.threshold, choice.interval) == (0.25, (0.25, 0.25))
    assert choice.equally_good == [(-INF, INF)]
    assert choice.corrected["youden_j"] == choice.evaluation["youden_j"].value == 0


def test_one_positive():
    """It is in every resample, and there is no second one to count on another half."""
    choice = choose_threshold(**ONE_POSITIVE)
    assert choice.threshold == 4
    assert choice.interval == (4, 4)
    assert math.isnan(choice.corrected["sensitivity"])
    assert "fewer than 2" in choice["sensitivity"].note
    assert choice.corrected["prevalence"] == choice["prevalence"].value


def test_whole_weights_are_cases():
    weight = np.arange(60) % 3
    same_choice(
        choose_threshold(**HERE, weight=weight, weight_kind="count"),
        choose_threshold(truth=TRUTH.repeat(weight), score=SCORE.repeat(weight)),
    )


@pytest.mark.full
@pytest.mark.parametrize("weight", [0.01, 0.5, 1e6 + 0.5])
def test_weights_that_are_not_whole_are_no_numbers_of_cases(weight):
    """As for every other interval: all the same, they leave as many cases as there are rows."""
    same_choice(choose_threshold(**HERE, weight=np.full(60, weight)), CHOSEN, within=1e-6)


def test_large_weights():
    choice = choose_threshold(**HERE, weight=np.full(60, 1e14), weight_kind="count", replicates=50)
    assert choice.interval == (choice.threshold, choice.threshold) == (CHOSEN.threshold, CHOSEN.threshold)


@pytest.mark.full
@for_each("rule", RULES, ids=named)
def test_a_lower_score_may_mean_positive(rule):
    """The mirror image of the negated scores."""
    up = choose_threshold(**HERE, replicates=50, **rule)
    down = choose_threshold(truth=TRUTH, score=-SCORE, higher_is_positive=False, replicates=50, **rule)
    assert down.threshold == -up.threshold
    assert down.interval == tuple(-end for end in reversed(up.interval))
    assert down.equally_good == [(-high, -low) for low, high in up.equally_good]
    assert down.evaluation.counts == up.evaluation.counts
    assert [*down.corrected.values()] == pytest.approx([*up.corrected.values()], nan_ok=True)
    assert f"positive where score <= {down.threshold:g} (rule: " in " ".join(str(down).split())
    written = float(down.headline.removeprefix("Predict positive up to ").split(" ")[0])
    assert any(low <= written < high for low, high in down.equally_good)


def test_no_minus_zero():
    choice = choose_threshold(truth=[1, 1, 0], score=[-1, 0, 1], higher_is_positive=False, replicates=50)
    assert str(choice.threshold) == "0.0"
    assert "-0 " not in str(choice)


def test_only_the_order_of_the_scores_matters():
    risen = choose_threshold(truth=TRUTH, score=np.exp(SCORE))
    assert risen.threshold == np.exp(CHOSEN.threshold)
    assert risen.interval == tuple(np.exp(CHOSEN.interval))
    assert risen.corrected == CHOSEN.corrected


def test_single_precision():
    score = SCORE.astype(np.float32)
    choice = choose_threshold(truth=TRUTH, score=score)
    assert np.float32(choice.threshold) in score
    assert choice.evaluation.counts == CHOSEN.evaluation.counts


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_many_scores(kind):
    """They are thinned for the resamples, and not for the choice itself."""
    random = np.random.default_rng(1)
    truth = random.random(20_000) < 0.3
    score = random.permutation(40_000)[:20_000].astype(kind) / 40_000 + 0.2 * truth.astype(kind)
    table = RankingTable.from_arrays(truth=truth, score=score)
    index = np.cumsum(table.positive) / truth.sum() - np.cumsum(table.negative) / (~truth).sum()
    choice = choose_threshold(truth=truth, score=score, replicates=200)
    low, high = choice.interval
    assert len(table) > 15_000
    assert choice.threshold == table.score[index.argmax()]
    assert choice.evaluation["youden_j"].value == pytest.approx(index.max(), rel=1e-12)
    assert score.min() <= low <= choice.threshold <= high <= score.max()
    assert 0 < choice.optimism["youden_j"] < 0.02
    assert ("unstable-threshold" in codes(choice)) == (choice.choice.share_between(0.95) > 0.2)


# Without resamples
# --------------------------------------------------------------------------------------------------

NOT_REPEATED = "no interval: the choice of the threshold was not repeated on resamples (replicates=0)"
CLUSTERS = np.arange(60) // 3


@pytest.fixture
def nothing_is_drawn(monkeypatch):
    def drawn(*_, **__):
        raise AssertionError("the choice was repeated")

    monkeypatch.setattr("tallymark.evaluation.thresholds.multinomial", drawn)
    monkeypatch.setattr("tallymark.evaluation.thresholds._halves", drawn)


@in_part(6, ("fast", "full"))
@for_each("rule", RULES, ids=named)
def test_a_threshold_without_resamples(rule, nothing_is_drawn):
    """The same threshold; nothing is drawn for it, nor for the measures at it, which say why they have no
    interval."""
    choice = choose_threshold(**HERE, replicates=0, **rule)
    assert any(low < choice.threshold <= high for low, high in choice.equally_good)
    assert NOT_REPEATED in choice.note
    assert np.isnan(choice.interval).all()
    assert choice["f1"].note == choice["sensitivity"].note == NOT_REPEATED
    assert not choice["f1"].has_interval
    assert math.isnan(choice.corrected["sensitivity"])
    assert not {"unstable-threshold", "rarely-met"} & set(codes(choice))


@in_part(6, ("fast", "full"))
@for_each("rule", RULES, ids=named)
def test_resamples_do_not_change_the_threshold(rule):
    without, with_ = (choose_threshold(**HERE, replicates=number, **rule) for number in (0, 50))
    assert without.threshold == with_.threshold
    assert without.equally_good == with_.equally_good
    assert np.isfinite(with_.corrected["sensitivity"])


def test_what_is_drawn_is_seen(nothing_is_drawn):
    with pytest.raises(AssertionError, match="repeated"):
        choose_threshold(**HERE)
    with pytest.raises(AssertionError, match="repeated"):
        _ = evaluate(**HERE, rule="youden")["f1"]


def test_evaluate_without_resamples(nothing_is_drawn):
    for rule in ("youden", None):  # the default of scores outside [0, 1] is chosen, too
        found = evaluate(**HERE, rule=rule, replicates=0)
        assert found.threshold.value == CHOSEN.threshold
        assert found["f1"].note == NOT_REPEATED
    assert evaluate(**HERE, threshold=0.5, replicates=0)["sensitivity"].has_interval


@for_each("at", ["", " at rule accuracy", " at specificity 0.8"])
def test_check_without_resamples(at):
    (found,) = check(**HERE, require=f"f1 >= 0.1{at}", replicates=0).findings
    assert found.to_dict()["estimate"]["note"] == NOT_REPEATED
    (found,) = check(**HERE, require=f"f1 >= 0.1{at}").findings
    assert found.to_dict()["estimate"]["low"] is not None


def test_more_splits_give_nearly_the_same_correction():
    usual, many = (evaluate(**HERE, rule="youden", **more)["youden_j"] for more in ({}, {"replicates": 2000}))
    assert usual.corrected != many.corrected
    assert usual.corrected == pytest.approx(many.corrected, abs=0.03)


def test_a_threshold_of_cases_in_clusters_has_an_interval():
    """Of clusters that are drawn as wholes: five times the same cases tell no more than once."""
    how = {"replicates": 200}
    once = choose_threshold(**HERE, clusters=np.arange(len(TRUTH)), **how)
    five = {name: np.repeat(value, 5) if len(value) == len(TRUTH) else value for name, value in HERE.items()}
    many = choose_threshold(**five, clusters=np.repeat(np.arange(len(TRUTH)), 5), **how)
    assert many.interval == once.interval
    low, high = choose_threshold(**five, **how).interval
    assert high - low < once.interval[1] - once.interval[0]
    fixed = choose_threshold(**HERE, clusters=CLUSTERS, design="case-control", **how)
    assert fixed.interval[0] <= fixed.threshold <= fixed.interval[1]


def test_measures_of_cases_in_clusters_are_not_corrected():
    choice = choose_threshold(**HERE, clusters=CLUSTERS, replicates=0)
    assert choice.threshold == CHOSEN.threshold
    assert (
        choice["f1"].note
        == "no interval: with clusters no measure is corrected for the choice of the threshold"
    )
    with refuses("unsupported", argument="rule"):
        choose_threshold(**HERE, clusters=CLUSTERS, replicates=0, rule="sensitivity.low>=0.5")


def test_how_a_threshold_without_resamples_reads(tmp_path, capsys):
    choice = choose_threshold(**HERE, replicates=0)
    assert repr(choice) == f"<ThresholdChoice {choice.threshold:.6g} by youden>"
    assert not re.search(r"\bnan\b", str(choice))
    assert "corrected: less" not in str(choice)
    answer = strict(choice.to_json())
    none = {
        "low": None,
        "high": None,
        "method": None,
        "note": NOT_REPEATED,
        "notes": [Note("choice-not-repeated").to_dict()],
    }
    assert answer["threshold"] == {"value": choice.threshold, **none}
    assert (answer["resamples"], answer["measures"]["f1"]["low"]) == (0, None)
    path = tmp_path / "cases.csv"
    path.write_text(
        "y,s\n" + "\n".join(f"{y},{s}" for y, s in zip(TRUTH, SCORE, strict=True)), encoding="utf-8"
    )
    for command in (["threshold"], ["evaluate", "--rule", "youden"]):
        assert (
            main(
                [
                    command[0],
                    str(path),
                    "--truth",
                    "y",
                    "--score",
                    "s",
                    *command[1:],
                    "--replicates",
                    "0",
                    "--json",
                ]
            )
            == 0
        )
        answer = strict(capsys.readouterr().out)
        found = answer["measures"]["f1"] if "f1" in answer["measures"] else answer["measures"]
        assert (answer["threshold"]["value"], found["low"]) == (choice.threshold, None)


def test_too_few_resamples_are_refused():
    for number, call in ((20, choose_threshold), (-1, choose_threshold), (5, evaluate), (2.5, evaluate)):
        with refuses("invalid-value", argument="replicates"):
            call(**HERE, replicates=number)


# The interval, and what is owed to the choice
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each("rule", RULES, ids=named)
def test_the_interval(rule):
    choice = choose_threshold(**HERE, replicates=100, **rule)
    low, high = choice.interval
    assert low <= choice.threshold <= high
    assert SCORE.min() <= low
    assert high == INF or high <= SCORE.max()
    assert choice.to_dict() == choose_threshold(**HERE, replicates=100, rng=np.int64(0), **rule).to_dict()
    narrow = choose_threshold(**HERE, replicates=100, level=0.5, **rule).interval
    assert low <= narrow[0] <= choice.threshold <= narrow[1] <= high


def test_another_seed():
    assert choose_threshold(**HERE, rng=1).corrected["youden_j"] != CHOSEN.corrected["youden_j"]


def counted(yes, no, limit, scores):
    above = scores >= limit
    cells = {"tp": yes[above].sum(), "fp": no[above].sum(), "fn": yes[~above].sum(), "tn": no[~above].sum()}
    return Counts(**{name: float(cell) for name, cell in cells.items()})


def bootstrap(draws, measure):
    """The thresholds chosen, resample by resample."""
    limits = []
    for scores, yes, no in draws:
        worth = {
            at: round(float(get(measure).function(counted(yes, no, at, scores))), 12) for at in (INF, *scores)
        }
        limits.append(max(worth, key=lambda at, worth=worth: (worth[at], at < INF, at)))
    return np.sort(limits)


def both_classes(scores):
    return [np.array([((s == SCORE) & (label == TRUTH)).sum() for s in scores]) for label in (1, 0)]


def the_same_draws(design):
    """100, by the random numbers that the package draws: the positives first, the highest score first."""
    random, scores = np.random.default_rng(0), np.unique(SCORE)
    parts = [part[::-1] for part in both_classes(scores)]
    drawn_from = parts if design == "case-control" else [np.concatenate(parts)]
    drawn = np.hstack([random.multinomial(part.sum(), part / part.sum(), size=100) for part in drawn_from])
    both = [one[:, ::-1] for one in np.split(drawn, 2, axis=1)]
    return ((scores, *one) for one in zip(*both, strict=True))


@pytest.mark.full
@pytest.mark.parametrize("design", ["cohort", "case-control"])
def test_the_bootstrap_by_a_plain_loop(design):
    limits = bootstrap(the_same_draws(design), "youden_j")
    choice = choose_threshold(**HERE, replicates=100, design=design)
    assert choice.choice.thresholds.tolist() == limits.tolist()
    low, high = (np.quantile(limits, tail, method="nearest") for tail in (0.025, 0.975))
    assert choice.interval == (min(low, choice.threshold), max(high, choice.threshold))


def test_corrected_stays_within_the_range():
    for cases in (SURE, TIED, ONE_POSITIVE, HERE):
        choice = choose_threshold(**cases, replicates=50)
        for entry in measures_of(Counts):
            value = choice.corrected[entry.name]
            assert math.isnan(value) or entry.range[0] <= value <= entry.range[1], entry.name
        assert list(choice.corrected) == list(choice.optimism) == NAMES


# Notices
# --------------------------------------------------------------------------------------------------


def test_unstable_threshold():
    score = np.random.default_rng(3).random(80)
    choice = choose_threshold(truth=np.arange(80) % 2, score=score)
    (notice,) = [notice for notice in choice.notices if notice.code == "unstable-threshold"]
    low, high = choice.interval
    between = np.mean((score < high) & (score >= low))
    assert between > 0.2
    assert f"{low:.4g} to {high:.4g}, with {between:.0%} of all cases between" in notice.text


def test_rarely_met():
    """On half of the resamples the best accuracy of these cases is not reached."""
    best = max(evaluate(**HERE, threshold=limit)["accuracy"].value for limit in SCORE)
    choice = choose_threshold(**HERE, rule=f"accuracy>={best!r}")
    (notice,) = [notice for notice in choice.notices if notice.code == "rarely-met"]
    missed = choice.choice.nothing_allowed
    assert 0.05 < missed < 0.95
    assert len(choice.choice.thresholds) == round(1000 * (1 - missed)) == choice.to_dict()["resamples"]
    assert f"On {missed:.0%} of the resamples no threshold meets the rule 'accuracy >= " in notice.text


def test_met_on_no_resample():
    """The one case that meets the rule counts so little that no resample has it."""
    rare = {"truth": [1, 0, 1], "score": [3.0, 2.0, 1.0], "weight": [1e-9, 1, 1]}
    choice = choose_threshold(**rare, rule="precision>=1")
    assert choice.threshold == 3
    assert "rarely-met" in codes(choice)
    assert math.isnan(choice.corrected["accuracy"])
    assert "resamples" in str(choice)
    assert strict(choice.to_json())["resamples"] == 0


@pytest.mark.parametrize("rule", ["youden", "f1", "sensitivity>=0.9", "specificity>=0.9"])
def test_nothing_to_say(rule):
    for cases in (SURE, TIED):
        assert not {"unstable-threshold", "rarely-met"} & {*codes(choose_threshold(**cases, rule=rule))}


# Reading it
# --------------------------------------------------------------------------------------------------

ODD = {
    "one positive": ONE_POSITIVE,
    "tied": TIED,
    "infinite": {"truth": [0, 1, 0, 1], "score": [-INF, 0.5, 1.5, INF]},
    "large": {"truth": TRUTH, "score": SCORE * 1e300, "weight": 10**12 + np.arange(60)},
    "long labels": {"truth": np.where(TRUTH, "a" * 90, "b" * 90), "score": SCORE, "positive": "a" * 90},
    "nobody": {"truth": [0, 1, 0, 1], "score": [4.0, 3.0, 2.0, 1.0], "rule": "specificity>=0.9"},
}


@pytest.mark.full
@pytest.mark.parametrize("cases", ODD.values(), ids=ODD)
def test_reading(cases):
    choice = choose_threshold(**cases, replicates=50)
    assert max(map(len, str(choice).splitlines())) <= 80
    assert re.fullmatch(r"<.{1,120}>", repr(choice))
    answer = strict(choice.to_json())
    assert answer == choice.to_dict() == strict(choice.to_json(indent=None))
    assert float(answer["threshold"]["value"]) == choice.threshold
    assert [float(answer["threshold"][end]) for end in ("low", "high")] == [*choice.interval]
    assert [tuple(map(float, ends)) for ends in answer["equally_good"]] == choice.equally_good
    assert list(answer["measures"]) == NAMES


def test_the_text():
    lines, (low, high), best = str(CHOSEN).splitlines(), CHOSEN.interval, CHOSEN.evaluation["youden_j"].value
    first, corrected = " ".join(str(CHOSEN).split("\n\n")[0].split()), CHOSEN.corrected["youden_j"]
    assert first == CHOSEN.headline
    written = first.removeprefix("Predict positive from ").split(" ")[0]
    assert any(below < float(written) <= end for below, end in CHOSEN.equally_good)
    assert first.startswith(f"Predict positive from {written} [{low:.3g}, {high:.3g}]: ")
    assert f"{best:.3f}, corrected {corrected:.3f} [" in first
    assert f"{TRUTH.sum()} positive, {(1 - TRUTH).sum()} negative" in str(CHOSEN)
    assert f"positive where score >= {CHOSEN.threshold:g} (rule: youden)" in " ".join(str(CHOSEN).split())
    assert "equally good: (" in str(CHOSEN)
    row = rf"Youden's J +{corrected:.3f} +~?\[.*\] +{best:.3f}$"
    assert any(re.match(row, line) for line in lines)
    whole = str(CHOSEN.all)
    within = f"on 1,000 resamples 95% of the thresholds lie from {low:.3g} to {high:.3g}"
    assert within in " ".join(whole.split())
    assert re.search(rf"\nYouden's J +{best:.3f} +{corrected:.3f} +~?\[", whole)
    assert whole.count("\n") > len(NAMES) - 3


PROBABLE = {"truth": TRUTH, "score": 1 / (1 + np.exp(-SCORE))}


@in_part(12, ("fast", "full"))
@for_each(
    "rule",
    [*RULES, {"rule": "precision>=0.5 and recall>=0.6"}, {"rule": "f1 where precision>=0.5"}],
    ids=named,
)
def test_one_screen(rule):
    """One sentence with what the rule is about, and at most 36 lines of 80 columns, whatever the notices."""
    for cases in (PROBABLE, {**HERE, "weight": np.arange(60) % 3 + 1.0}):
        choice = choose_threshold(**cases, replicates=50, **rule)
        lines = str(choice).splitlines()
        assert len(lines) <= 36
        assert max(map(len, lines)) <= 80
        first = choice[choice.choice.rule.measures[0]]
        assert f"{first.value:.3f}" in choice.headline
        assert f"corrected {first.corrected:.3f} [{first.low:.3f}, {first.high:.3f}]" in choice.headline
        usual = (
            evaluate(**PROBABLE)[choice.choice.rule.measures[0]].value
            if "cost" not in choice.headline
            else None
        )
        if cases is PROBABLE and usual is not None:
            assert f", against {usual:.3f} at 0.5" in choice.headline


def test_the_value_beside_an_interval_is_the_corrected_one():
    """In text, page, Markdown, JSON rows and both two-by-two tables; the one on these cases stands second."""
    e = CHOSEN.evaluation
    for name in ("sensitivity", "specificity", "precision"):
        found = e[name]
        value, corrected = f"{found.value:.3f}", f"{found.corrected:.3f}"
        assert value != corrected
        for shown in (str(e), e.to_markdown().replace("|", " ")):
            assert re.search(rf"{corrected} .*{found.low:.3f}.*{found.high:.3f}.* {value}\b", shown)
        ratios = str(CHOSEN.all)
        for written in (ratios, e.to_html()):
            assert re.search(rf"{found.corrected:.3f} +~?\[{found.low:.3f}", written)
        assert list(found.to_dict())[:4] == ["value", "corrected", "low", "high"]
        assert repr(found).startswith(f"Estimate(corrected {found.corrected:.4g}")
    (row,) = [row for row in e.to_dict()["table"]["ratios"] if row["measure"] == "sensitivity"]
    assert row["complement_corrected"] == pytest.approx(1 - row["corrected"])


def test_chosen_measures():
    few = choose_threshold(**HERE, measures=["F-score", "expected_cost"], replicates=50)
    assert list(few.to_dict()["measures"]) == list(few.corrected) == ["f1", "expected_cost"]
    assert "Specificity" not in str(few)
    assert "Expected cost: cost_fp = 1, cost_fn = 1" in str(few)
    assert few["f1"] == choose_threshold(**HERE, replicates=50)["f1"]
    with refuses("unsupported", "roc_auc", argument="measures"):
        choose_threshold(**HERE, measures="roc_auc")


def test_ties_at_the_kth_score_are_said():
    cases = {"truth": [1, 0, 1, 0, 1, 0], "score": [5.0, 4.0, 4.0, 4.0, 2.0, 1.0], "rule": "top_k"}
    choice = choose_threshold(**cases, k=3, replicates=0)
    assert choice.threshold == 5
    assert "1 of k = 3 cases: the next 3 are tied" in choice.note
    assert "the next 3 are tied" in " ".join(str(choice).split())
    assert "tied" not in choose_threshold(**cases, k=4, replicates=0).note


@pytest.mark.full
@pytest.mark.parametrize("higher", [True, False])
def test_the_printed_threshold_can_be_typed(higher):
    """Rounded away from the score, it would call other cases positive than were counted."""
    random = np.random.default_rng(8)
    for _ in range(10):
        cases = {
            "truth": TRUTH,
            "score": random.normal(TRUTH) * (1 if higher else -1),
            "higher_is_positive": higher,
        }
        choice = choose_threshold(**cases, rule="sensitivity>=0.9", replicates=50)
        typed = float(re.search(r"where score [<>]= (\S+)", " ".join(str(choice).split()))[1])
        assert evaluate(**cases, threshold=typed).counts == choice.evaluation.counts


def test_many_that_are_equally_good():
    """The first three, and how many more."""
    choice = choose_threshold(truth=[0, 1] * 6, score=np.arange(12.0), replicates=50)
    assert len(choice.equally_good) == 6
    assert "equally good: (10, 11], (8, 9], (6, 7] and 3 more" in str(choice)


# Where the cases may be
# --------------------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path, monkeypatch):
    pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    rows = [f"{y},{s},{'sick' if y else 'well'},{-s},2" for y, s in zip(TRUTH, SCORE, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["y,s,state,down,n", *rows]), encoding="utf-8")
    return "t.csv"


def test_files(table):
    same_choice(choose_threshold(table, truth="y", score="s"), CHOSEN)
    same_choice(choose_threshold([table], truth="state", score="s", positive="sick"), CHOSEN)


@pytest.mark.full
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_and_tables_that_are_added(library):
    frame = pytest.importorskip(library).DataFrame({"y": TRUTH, "s": SCORE})
    same_choice(choose_threshold(frame, truth="y", score="s"), CHOSEN)
    both = (RankingTable.from_arrays(truth=part["y"], score=part["s"]) for part in (frame[:25], frame[25:]))
    same_choice(choose_threshold(sum(both)), CHOSEN)


# What is refused
# --------------------------------------------------------------------------------------------------

CHOOSE, EVALUATE, F1 = choose_threshold, evaluate, {"rule": "f1"}
LABELS, CELLS = {"truth": TRUTH, "predicted": TRUTH}, {"counts": Counts(tp=1, fp=2, fn=3, tn=4)}
POSITIVES, MANY = (
    {"truth": [1, 1], "score": [1.0, 2.0], "positive": 1},
    {"truth": [0, 1, 2], "score": np.eye(3)},
)
BAD = {
    "labels only": (CHOOSE, LABELS, "score: scores score="),
    "counts": (CHOOSE, CELLS, "score: scores score="),
    "many classes": (CHOOSE, MANY, "score: score per class not supported"),
    "a threshold, too": (CHOOSE, {**HERE, "threshold": 0.5}, "threshold: chosen leave out evaluate"),
    "no negatives": (CHOOSE, POSITIVES, "truth: one class only add"),
    "few replicates": (CHOOSE, {**HERE, "replicates": 49}, "replicates: 49 from 50"),
    "half a replicate": (CHOOSE, {**HERE, "replicates": 99.5}, "replicates: 99.5"),
    "never met": (
        CHOOSE,
        {**HERE, "rule": "accuracy>=0.99"},
        "rule: no threshold meets 'accuracy >= 0.99' less",
    ),
    "missing scores": (
        CHOOSE,
        {"truth": [0, 1, 1], "score": [1.0, math.nan, 2.0]},
        "score: 1 missing missing='drop'",
    ),
    "evaluate, threshold and rule": (EVALUATE, {**HERE, **F1, "threshold": 0.5}, "rule: threshold leave out"),
    "evaluate, labels": (EVALUATE, {**LABELS, **F1}, "rule: scores"),
    # which evaluate does not take
    "evaluate, costs": (EVALUATE, {**HERE, "rule": "cost"}, "rule: 'cost' choose_threshold"),
    "evaluate, one class": (EVALUATE, {**POSITIVES, "rule": "youden"}, "one class only"),
}


@for_each(("function", "given", "parts"), BAD.values(), ids=BAD)
def test_bad_input(function, given, parts):
    with pytest.raises(InputError) as refused:
        function(**given)
    text = str(refused.value)
    assert "\n" not in text
    assert len(text) < 260
    assert text.endswith(".")
    for word in parts.split():
        assert word in text, text


def test_arrays_that_could_be_swapped():
    with refuses("by-position", argument="truth"):
        choose_threshold(TRUTH, SCORE)


# The command line
# --------------------------------------------------------------------------------------------------


@pytest.fixture
def run(table, capsys):
    """Runs the command: its exit status, what it printed, and what it complained."""

    def call(*arguments, score="--score=s"):
        try:
            status = main(["threshold", table, "--truth", "y", score, *map(str, arguments)])
        except SystemExit as end:
            status = end.code or 0
        return status, *capsys.readouterr()

    return call


@in_part(3)
@for_each("rule", RULES, ids=named)
def test_the_command(run, rule):
    """It prints what Python prints; --json gives nothing but JSON."""
    choice = choose_threshold(**HERE, **rule, replicates=50)
    options = [word for name, value in rule.items() for word in (f"--{name.replace('_', '-')}", value)]
    for more in ([], ["--json"]):
        status, out, err = run(*options, "--replicates", 50, *more)
        assert (status, err) == (0, "")
        if more:
            assert without_source(strict(out)) == without_source(choice.to_dict())
        else:
            shown, printed = (" ".join(text.split()) for text in (str(choice), out.replace("t.csv: ", "")))
            assert printed[:300] == shown[:300]


def without_source(found):
    return found | {
        "data": {name: one for name, one in found["data"].items() if name not in ("source", "sha256")}
    }


def test_options_of_the_command(run):
    options = ["--level", 0.8, "--seed", 3, "--weight", "n", "--set", "f_beta.beta=0.5", "--json"]
    given = {"level": 0.8, "rng": 3, "weight": np.full(60, 2), "parameters": {"f_beta": {"beta": 0.5}}}
    found = strict(run(*options)[1])
    assert found["data"].pop("source").endswith(".csv")
    assert len(found["data"].pop("sha256")) == 64
    expected = choose_threshold(**HERE, **given).to_dict()
    assert found == expected | {
        "data": {name: one for name, one in expected["data"].items() if name != "source"}
    }
    assert (
        strict(run("--lower-is-positive", "--json", score="--score=down")[1])["threshold"]["value"]
        == -CHOSEN.threshold
    )


WRONG = {
    "unknown rule": (["--rule", "yuden"], "rule: 'yuden' 'youden'"),
    "no costs": (["--rule", "cost"], "rule: --cost-fp --cost-fn"),
    "no k": (["--rule", "top_k"], "rule: --k"),
    "k of youden": (["--k", 3], "k: 'youden' top_k"),
    "negative cost": (["--rule", "cost", "--cost-fp", -1, "--cost-fn", 1], "-1 not possible"),
    "beyond the range": (["--rule", "precision>=1.5"], "rule: precision 1.5"),
    "never met": (["--rule", "accuracy>=0.99"], "rule: no threshold meets ask for less"),
    "a threshold": (["--threshold", 0.5], "--threshold"),
}


@pytest.mark.parametrize(("arguments", "parts"), WRONG.values(), ids=WRONG)
def test_what_goes_wrong_is_said_in_one_line(run, arguments, parts):
    """With the way out as it is typed here, not in Python."""
    status, out, err = run(*arguments, "--json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert re.match(r"tallymark( threshold)?: error: ", err)
    assert not re.search(r"\b(cost_\w+|k|prevalence|slope|rule)=|\w\(\)", err)
    for word in parts.split():
        assert word in err, err


@pytest.mark.full
def test_a_rule_on_a_bound_says_what_it_promises():
    truth = np.arange(400) < 200
    score = np.random.default_rng(3).normal(size=400) + 2 * truth
    promise = "he true sensitivity meets this limit in at least 95 % of samples"
    choice = choose_threshold(truth=truth, score=score, rule="sensitivity.low>=0.8")
    assert promise in str(choice)
    assert promise in choice.to_markdown()
    found = evaluate(truth=truth, score=score, rule="sensitivity.low>=0.8")
    assert promise in " ".join(str(found).split())
    assert promise in found.to_markdown()
    assert promise in found.to_html()
    assert promise in " ".join(str(found.all).split())
    for other in ("youden", "sensitivity>=0.8"):
        assert promise not in str(choose_threshold(truth=truth, score=score, rule=other))
