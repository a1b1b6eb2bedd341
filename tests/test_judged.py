"""Labels of few cases and a judge's of all: values by hand, other tools, the interval by its definition."""

import json

import numpy as np
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.cli import main

ROWS = np.arange(400)
TRUE = np.where((ROWS * 37) % 101 < 62, 1.0, 0.0)
CALLED = np.where((ROWS * 53) % 97 < 15, 1 - TRUE, TRUE)
LABELLED = ROWS < 120
KNOWN = np.where(LABELLED, TRUE, np.nan)
AMOUNT = (ROWS * 29) % 83 / 10.0
GRADE = AMOUNT + (ROWS * 31) % 17 / 10.0
FEW = np.where(ROWS < 60, AMOUNT, np.nan)
WORDS = np.array(["fail", "pass"])


def words(labels, known=True):
    return [None if label != label else str(WORDS[int(label)]) for label in labels]


def test_the_rate_is_that_of_the_labels_in_each_class_of_the_judge():
    """Tenenbein (1970): the shares of the judge's classes among all, times the rates among the labels."""
    found = tm.with_judge(truth=KNOWN, judge=CALLED)
    wanted = sum((one == CALLED).mean() * TRUE[LABELLED & (one == CALLED)].mean() for one in (0, 1))
    assert found["with_judge"].value == pytest.approx(wanted, abs=1e-12)
    rate = found.rates["all"]
    low, high = (TRUE[LABELLED & (one == CALLED)].mean() for one in (0, 1))
    assert rate.slope == pytest.approx(high - low)
    assert (rate.cases, rate.labelled) == (400, 120)
    widths = [found[one].high - found[one].low for one in ("with_judge", "labels_alone")]
    assert rate.worth == pytest.approx(120 * (widths[1] / widths[0]) ** 2)
    judge = tm.evaluate(truth=TRUE[LABELLED], predicted=CALLED[LABELLED])
    assert found["labels_alone"] == judge["prevalence"]
    assert found["judge_sensitivity"] == judge["sensitivity"]
    assert found["judge_specificity"] == judge["specificity"]
    assert found["judge_alone"].value == CALLED.mean()


def test_it_agrees_with_ppi_py():
    """ppi-python 0.2.3: ppi_mean_pointestimate and ppi_mean_ci, whose slope has other divisors."""
    rate = tm.with_judge(truth=KNOWN, judge=CALLED)["with_judge"]
    assert (rate.value, rate.low, rate.high) == pytest.approx((0.64749675, 0.57558035, 0.71941314), abs=6e-3)
    mean = tm.with_judge(truth=FEW, judge=GRADE, regression=True)["with_judge"]
    assert (mean.value, mean.low, mean.high) == pytest.approx((4.07592942, 3.80143143, 4.3504274), abs=2e-3)


def test_a_mean_is_that_of_the_labels_moved_along_the_regression():
    found, few = tm.with_judge(truth=FEW, judge=GRADE, regression=True), ROWS < 60
    slope = np.polyfit(GRADE[few], AMOUNT[few], 1)[0]
    wanted = AMOUNT[few].mean() + slope * (GRADE.mean() - GRADE[few].mean())
    assert found["with_judge"].value == pytest.approx(wanted)
    assert found.rates["all"].slope == pytest.approx(slope)
    other_scale = tm.with_judge(truth=FEW, judge=7 - 3 * GRADE, regression=True)["with_judge"]
    assert (other_scale.value, other_scale.low) == pytest.approx((wanted, found["with_judge"].low))


@pytest.mark.full
def test_the_standard_error_of_a_mean_is_that_of_resamples():
    random, few = np.random.default_rng(3), ROWS < 60

    def value(labelled, others):
        slope = np.polyfit(GRADE[labelled], AMOUNT[labelled], 1)[0]
        everywhere = GRADE[np.append(labelled, others)].mean()
        return AMOUNT[labelled].mean() + slope * (everywhere - GRADE[labelled].mean())

    drawn = [
        value(random.choice(np.flatnonzero(few), 60), random.choice(np.flatnonzero(~few), 340))
        for _ in range(2_000)
    ]
    error = tm.with_judge(truth=FEW, judge=GRADE, regression=True)["with_judge"].standard_error
    assert error == pytest.approx(np.std(drawn), rel=0.06)


def restricted(counts, rate):
    """The most likely rates and shares of two classes of the judge with this proportion, by a search."""
    from scipy.optimize import minimize_scalar

    yes, no, _ = counts

    def of_share(share):
        def loss(first):
            second = (rate - share * first) / (1 - share)
            if not 0 < second < 1:
                return np.inf
            rates, shares = np.array([first, second]), np.array([share, 1 - share])
            return -(yes * np.log(rates) + no * np.log(1 - rates) + counts.sum(0) * np.log(shares)).sum()

        low, high = max(0, (rate - 1 + share) / share), min(1, rate / share)
        best = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-12})
        return best.fun, best.x

    share = minimize_scalar(
        lambda one: of_share(one)[0], bounds=(0.01, 0.99), method="bounded", options={"xatol": 1e-12}
    ).x
    first = of_share(share)[1]
    return np.array([first, (rate - share * first) / (1 - share)]), np.array([share, 1 - share])


@pytest.mark.full
def test_the_ends_are_as_far_away_as_the_score_test_allows():
    """The most likely rates at each end are searched for, without the quadratic equation of the package."""
    found = tm.with_judge(truth=KNOWN, judge=CALLED)["with_judge"]
    state = np.where(LABELLED, np.where(TRUE == 1, 0, 1), 2)
    counts = np.array([[((state == i) & (j == CALLED)).sum() for j in (0, 1)] for i in range(3)], float)
    labelled, z = counts[:2].sum(0), 1.959963984540054
    for end, side in ((found.low, 1), (found.high, -1)):
        rates, shares = restricted(counts, end)
        within, off = rates * (1 - rates), rates - end
        variance = (shares**2 * within / labelled).sum() + (shares * off**2).sum() / 400
        third = (shares**3 * within * (1 - 2 * rates) / labelled**2).sum() + (shares * off**3).sum() / 400**2
        limit = z + (z**2 - 1) / 6 * max(side * third / variance**1.5, 0)
        assert side * (found.value - end) / np.sqrt(variance) == pytest.approx(limit, rel=1e-4)


def test_without_use_of_the_judge_it_is_the_interval_of_the_labels_alone():
    """A judge who never says yes: Wilson's interval, but for the term of the skewness towards 1."""
    found = tm.with_judge(truth=KNOWN, judge=0 * CALLED)
    rate, alone = found["with_judge"], found["labels_alone"]
    assert rate.value == alone.value
    assert rate.low == pytest.approx(alone.low, abs=1e-9)
    assert alone.high < rate.high < alone.high + 0.002
    assert found.rates["all"].slope == 0
    assert "rogan_gladen" not in found or found["rogan_gladen"].undefined


def test_labels_that_are_all_alike_bound_the_rate_as_the_labels_alone_do():
    known = np.where(LABELLED, 1.0, np.nan)
    found = tm.with_judge(truth=known, judge=CALLED, classes=[0, 1])
    rate, alone = found["with_judge"], found["labels_alone"]
    assert (rate.value, rate.high) == (1, 1)
    assert rate.low == pytest.approx(alone.low, abs=0.01)


def test_rogan_gladen_and_its_ends():
    found = tm.with_judge(truth=KNOWN, judge=CALLED)
    one, sensitivity, specificity = (
        found[name] for name in ("rogan_gladen", "judge_sensitivity", "judge_specificity")
    )
    share = CALLED[~LABELLED].mean()
    wanted = (share + specificity.value - 1) / (sensitivity.value + specificity.value - 1)
    assert one.value == pytest.approx(wanted)
    shares = tm.evaluate(truth=1 - CALLED[~LABELLED], predicted=CALLED[~LABELLED])["predicted_prevalence"]
    apart = share - one.high * sensitivity.value - (1 - one.high) * (1 - specificity.value)
    reach = np.sqrt(
        (shares.high - share) ** 2
        + (one.high * (sensitivity.value - sensitivity.low)) ** 2
        + ((1 - one.high) * (specificity.high - specificity.value)) ** 2
    )
    assert -apart == pytest.approx(reach)
    noise = tm.with_judge(truth=KNOWN, judge=1 - CALLED)
    assert noise["rogan_gladen"].undefined.code == "judge-by-chance"
    assert noise["with_judge"].value == pytest.approx(found["with_judge"].value)
    assert noise["with_judge"].low == pytest.approx(found["with_judge"].low)


def test_neither_the_order_of_rows_nor_the_words_matter():
    found, order = tm.with_judge(truth=KNOWN, judge=CALLED), np.random.default_rng(1).permutation(400)
    for again in (
        tm.with_judge(truth=KNOWN[order], judge=CALLED[order]),
        tm.with_judge(truth=words(KNOWN), judge=words(CALLED), positive="pass"),
        tm.with_judge(truth=np.repeat(KNOWN, 2)[::2], judge=CALLED, weight=np.ones(400), weight_kind="count"),
    ):
        for name, one in found.items():
            assert (again[name].value, again[name].low) == pytest.approx((one.value, one.low), abs=1e-10)
    twice = tm.with_judge(truth=np.repeat(KNOWN, 2), judge=np.repeat(CALLED, 2))
    counted = tm.with_judge(truth=KNOWN, judge=CALLED, weight=np.full(400, 2), weight_kind="count")
    assert counted["with_judge"] == twice["with_judge"]
    scaled = tm.with_judge(truth=KNOWN, judge=CALLED, weight=np.full(400, 0.3))["with_judge"]
    assert (scaled.value, scaled.low) == pytest.approx((found["with_judge"].value, found["with_judge"].low))


def test_cases_twice_in_one_cluster_are_one():
    clusters = np.repeat(ROWS, 2)
    twice = tm.with_judge(truth=np.repeat(KNOWN, 2), judge=np.repeat(CALLED, 2), clusters=clusters)
    once = tm.with_judge(truth=KNOWN, judge=CALLED)
    for one in ("with_judge", "labels_alone", "rogan_gladen"):
        widths = [found[one].high - found[one].low for found in (twice, once)]
        assert widths[0] == pytest.approx(widths[1], rel=0.05)
    assert twice["with_judge"].method == "cluster-prediction-powered-score"
    assert [note.code for note in twice["rogan_gladen"].notes] == ["rates-as-independent"]
    assert not once["rogan_gladen"].notes


@for_each("regression", [False, True])
def test_labels_in_one_cluster_have_no_interval(regression):
    clusters = np.where(LABELLED, 0, ROWS)
    found = tm.with_judge(truth=KNOWN, judge=CALLED, clusters=clusters, regression=regression)
    for name in ("with_judge", "labels_alone", *(() if regression else ("rogan_gladen",))):
        assert [note.code for note in found[name].notes] == ["too-few-units"]
    assert found.rates["all"].worth is None
    assert str(found)


def test_answers_that_are_no_class_are_a_class_of_the_judge():
    unclear = np.where(ROWS % 7 == 0, "unclear", words(CALLED))
    found = tm.with_judge(truth=words(KNOWN), judge=unclear, positive="pass", not_an_answer=["unclear"])
    wanted = sum(
        (unclear == one).mean() * TRUE[LABELLED & (unclear == one)].mean()
        for one in ("pass", "fail", "unclear")
    )
    assert found["with_judge"].value == pytest.approx(wanted)
    assert found.rates["all"].slope is None


def test_models_on_the_same_questions_are_paired():
    other = np.where((ROWS * 41) % 89 < 20, 1 - TRUE, TRUE)
    truth = np.append(KNOWN, np.where(LABELLED, other, np.nan))
    judge = np.append(CALLED, np.where((ROWS * 23) % 79 < 12, 1 - other, other))
    by, question = np.repeat(["a", "b"], 400), np.tile(ROWS, 2)
    paired = tm.with_judge(truth=truth, judge=judge, by=by, clusters=question)
    apart = tm.with_judge(truth=truth, judge=judge, by=by)
    [one], [other_one] = paired.differences, apart.differences
    assert (one.group, one.reference) == ("b", "a")
    assert one.value == pytest.approx(paired["with_judge", "b"].value - paired["with_judge", "a"].value)
    assert one.high - one.low < 0.9 * (other_one.high - other_one.low)
    [turned] = tm.with_judge(truth=truth, judge=judge, by=by, reference="b").differences
    assert turned.low == pytest.approx(-other_one.high)
    alone = tm.with_judge(truth=truth[400:], judge=judge[400:])
    assert apart["with_judge", "b"] == alone["with_judge"]
    assert "b - a" in str(paired)


@for_each("called", ["all", "a"])
def test_a_single_group_is_named_whatever_it_is_called(called):
    given = {"truth": KNOWN, "judge": CALLED, "by": {"site": [called] * 400}}
    found = tm.with_judge(**given)
    assert next(iter(found)) == ("with_judge", called)
    assert len(found.differences) == 0
    assert found.table[0]["group"] == called
    saved = tm.Judged.from_json(found.to_json())
    assert (list(saved), saved.table) == (list(found), found.table)
    assert "labels alone" in str(found)
    given |= {"truth": np.where(ROWS % 2, KNOWN, np.nan), "by": np.where(ROWS % 2, "b", called)}
    with refuses("needed", f"in the group '{called}'"):
        tm.with_judge(**given)


def test_a_judge_who_differs_where_cases_are_labelled_has_a_notice():
    assert not tm.with_judge(truth=KNOWN, judge=CALLED).notices
    chosen = np.where((CALLED == 1) & (ROWS < 200), TRUE, np.nan)
    [notice] = tm.with_judge(truth=chosen, judge=CALLED).notices
    assert (notice.code, notice.severe) == ("judge-differs", True)
    assert (notice["labelled"], notice["others"]) == (1.0, pytest.approx(CALLED[chosen != chosen].mean()))
    above = np.where(GRADE > 5, AMOUNT, np.nan)
    assert [one.code for one in tm.with_judge(truth=above, judge=GRADE, regression=True).notices] == [
        "judge-differs"
    ]


WRONG = {
    "no label": ({"truth": KNOWN * np.nan}, "needed", "none of 400 cases has a label"),
    "one label": ({"truth": np.where(ROWS < 1, TRUE, np.nan)}, "needed", "at least two cases need a label"),
    "all labels": ({"truth": TRUE}, "needed", "the judge adds nothing"),
    "no judge": ({"judge": None}, "needed", "pass judge"),
    "other words": (
        {"truth": words(KNOWN), "judge": ["good", "bad"] * 200, "positive": "pass"},
        "labels",
        "none is in both",
    ),
    "three classes": ({"judge": np.where(ROWS == 300, 2, CALLED)}, "labels", "3 classes"),
    "a gap of the judge": ({"judge": KNOWN}, "missing-value", "judge"),
    "a group without labels": ({"by": LABELLED}, "needed", "in the group 'False'"),
    "a strange reference": ({"by": ROWS % 2, "reference": "c"}, "unknown-name", "reference"),
    "no positive label": ({"truth": words(KNOWN), "judge": words(CALLED)}, "labels", "truth, judge: it does"),
    "no such label": (
        {"truth": words(KNOWN), "judge": words(CALLED), "positive": "well"},
        "labels",
        "truth, judge: the positive label 'well'",
    ),
    "scores": ({"judge": np.linspace(0, 1, 400)}, "ambiguous", "regression=True"),
    "a level": ({"level": 95}, "invalid-value", "level"),
    "a length": ({"judge": CALLED[:9]}, "wrong-shape", "judge"),
    "an infinite amount": (
        {"judge": np.append(np.inf, GRADE[1:]), "truth": FEW, "regression": True},
        "invalid-value",
        "not a finite",
    ),
}  # fmt: skip


@for_each("case", WRONG)
def test_wrong_input_is_refused_in_a_sentence(case):
    given, code, fact = WRONG[case]
    with refuses(code, fact):
        tm.with_judge(**{"truth": KNOWN, "judge": CALLED, **given})


def test_the_command_gives_the_same(tmp_path, capsys):
    rows = zip(words(KNOWN), words(CALLED), ROWS % 2, strict=True)
    text = "\n".join(f"{label or ''},{called},{group}" for label, called, group in rows)
    (tmp_path / "a.csv").write_text(f"person,model,site\n{text}\n")
    call = ["judge", str(tmp_path / "a.csv"), "--truth", "person", "--judge", "model", "--positive", "pass"]
    assert main([*call, "--json"]) == 0
    found = tm.with_judge(truth=words(KNOWN), judge=words(CALLED), positive="pass")
    assert json.loads(capsys.readouterr().out)["rates"] == json.loads(found.to_json())["rates"]
    assert main(call) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Rate of pass 0.647 [0.57")
    assert "400 cases, 120 with a label\nas precise as 175 labels alone" in shown
    assert main([*call, "--by", "site"]) == 0
    assert "1 - 0" in capsys.readouterr().out
    assert main([*call[:4], "--judge", "site"]) == 2
    assert "error" in capsys.readouterr().err


def test_it_is_read_back_from_json():
    found = tm.with_judge(truth=KNOWN, judge=CALLED, by=ROWS % 2)
    saved = tm.Judged.from_json(found.to_json())
    assert list(saved) == list(found)
    assert saved["with_judge", "1"] == found["with_judge", "1"]
    assert saved.table == found.table


@pytest.mark.full
@for_each("rate, correct", [(0.5, 0.9), (0.9, 0.6), (0.99, 0.9), (0.9, None)])
def test_the_intervals_cover_the_rate(rate, correct):
    """docs/judges.md has more settings. 400 samples of 100 labels among 1,000 cases."""
    random, hits = np.random.default_rng(11), 0
    for _ in range(400):
        truth = random.random(1_000) < rate
        called = random.random(1_000) < rate
        called = called if correct is None else np.where(random.random(1_000) < correct, truth, ~truth)
        known = np.where(np.arange(1_000) < 100, truth, np.nan)
        one = tm.with_judge(truth=known, judge=called * 1, classes=[0, 1])["with_judge"]
        hits += one.low <= rate <= one.high
    assert 0.92 <= hits / 400 <= 0.99
