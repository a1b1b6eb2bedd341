"""The difference of two models' net benefit over thresholds, with its bands."""

import json
import pickle
from itertools import pairwise

import numpy as np
import pytest
from looping import for_each
from refusals import refuses
from scipy.special import expit, logit

import tallymark as tm

AT = np.array([0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
WHOLE = np.linspace(0.05, 0.6, 56)


def drawn(seed, n=300, mean=-1.0):
    """Truth, and the probabilities of two models, the second with more noise and too extreme."""
    rng = np.random.default_rng(seed)
    z = rng.normal(mean, 1.2, n)
    return (
        rng.random(n) < expit(z),
        expit(z + rng.normal(0, 0.5, n)),
        expit(1.3 * (z + rng.normal(0, 0.8, n)) + 0.2),
    )


def compared(truth, a, b, **more):
    return tm.compare(truth=truth, score={"a": a, "b": b}, measures=["brier_score"], **more)


def gains(truth, score, at):
    """(cases, thresholds): what each case adds."""
    return np.where(truth[:, None], 1.0, -at / (1 - at)) * (score[:, None] >= at)


def ascending(found):
    return [part[::-1] for part in (found.x, found.y, *(found.band or ()))]


def with_half_cases(error, weight, at, models=2):
    """Half a case of each class that one model alone calls positive, for either model."""
    odds = at / (1 - at)
    return np.sqrt(error**2 + 0.5 * models * (weight**2).mean() * (1 + odds**2) / weight.sum() ** 2)


def test_the_value_is_that_of_the_measure():
    truth, *scores = drawn(0)
    c = compared(truth, *scores)
    x, y = ascending(c.curve("decision", thresholds=AT))
    for t, value in zip(x, y, strict=True):
        one, other = (
            tm.evaluate(truth=truth, score=score, threshold=t)["net_benefit"].value for score in scores
        )
        assert value == pytest.approx(other - one, abs=1e-12)
    assert np.array_equal(x, AT)
    assert c.curve("net benefit").about is None
    assert len(c.curve("decision")) == 99


@for_each("weighted", [False, True])
@for_each("grouped", [False, True])
@for_each("design", ["cohort", "case-control"])
@pytest.mark.full
def test_a_band_is_the_interval_of_the_measure(weighted, grouped, design):
    truth, a, b = drawn(1, n=400)
    rng = np.random.default_rng(2)
    more = {"design": design}
    if weighted:
        more |= {"weight": rng.uniform(0.5, 2, 400), "weight_kind": "importance"}
    if grouped:
        more["clusters"] = rng.integers(0, 120, 400)
    at = AT[2:]  # at rarer thresholds the measure has an asymmetric interval with fixed class sizes
    x, _, low, high = ascending(
        compared(truth, a, b, **more).curve("decision", band="pointwise", thresholds=at)
    )
    for t, *ends in zip(x, low, high, strict=True):
        measured = tm.compare(
            truth=truth, score={"a": a, "b": b}, measures="net_benefit", threshold=t, **more
        )["net_benefit"].estimate
        assert [measured.low, measured.high] == pytest.approx(ends, abs=0.03 * (ends[1] - ends[0]))


def test_the_bootstrap_of_rows_agrees():
    """Brute force: 2,000 resamples of rows, whose standard deviation is known to 1.6 %."""
    truth, a, b = drawn(3, n=1000)
    _, y, low, high = ascending(compared(truth, a, b).curve("decision", band="pointwise", thresholds=AT))
    rng, each = np.random.default_rng(4), gains(truth, b, AT) - gains(truth, a, AT)
    resampled = np.array([each[rng.integers(0, 1000, 1000)].mean(axis=0) for _ in range(2000)])
    spread = with_half_cases(resampled.std(axis=0), np.ones(1000), AT)
    assert (high - low) / (2 * 1.96) == pytest.approx(spread, rel=0.06)
    assert resampled.mean(axis=0) == pytest.approx(y, abs=5 * spread.max() / np.sqrt(2000))


def test_different_cases_add_their_variances():
    truth, a, b = drawn(5, n=600)
    half = slice(0, 300), slice(300, 600)
    c = tm.compare(
        truth=[truth[one] for one in half],
        score=[a[half[0]], b[half[1]]],
        paired=False,
        measures=["brier_score"],
    )
    _, y, low, high = ascending(c.curve("decision", band="pointwise", thresholds=AT))
    each = [gains(truth[one], score[one], AT) for one, score in zip(half, (a, b), strict=True)]
    errors = [
        with_half_cases(one.std(axis=0, ddof=1) / np.sqrt(300), np.ones(300), AT, models=1) for one in each
    ]
    assert y == pytest.approx(each[1].mean(axis=0) - each[0].mean(axis=0))
    assert (high - low) / (2 * 1.96) == pytest.approx(np.hypot(*errors), rel=0.04)
    kept = tm.compare(
        *(tm.evaluate(truth=truth[one], score=s[one]) for one, s in zip(half, (a, b), strict=True)),
        paired=False,
    )
    assert kept.curve("decision", band="pointwise", thresholds=AT).band[0] == pytest.approx(low[::-1])


def test_simultaneous_is_wider_and_higher_levels_too():
    c = compared(*drawn(6))
    widths = [
        np.subtract(*c.curve("decision", band=band, level=level, thresholds=WHOLE).band[::-1])
        for band, level in (
            ("pointwise", 0.9),
            ("pointwise", 0.95),
            ("simultaneous", 0.95),
            ("simultaneous", 0.99),
        )
    ]
    assert all((wider > narrower).all() for narrower, wider in pairwise(widths))
    one = (
        c.curve("decision", band="simultaneous", thresholds=[0.2]),
        c.curve("decision", band="pointwise", thresholds=[0.2]),
    )
    assert np.array(one[0].band) == pytest.approx(np.array(one[1].band), rel=0.1)


def test_swapping_the_models_turns_the_band():
    truth, a, b = drawn(7)
    there = compared(truth, a, b).curve("decision", band="pointwise")
    back = tm.compare(truth=truth, score={"b": b, "a": a}, measures=["brier_score"]).curve(
        "decision", band="pointwise"
    )
    assert back.y == pytest.approx(-there.y)
    assert back.band[0] == pytest.approx(-there.band[1])


@pytest.mark.full
def test_scaled_weights_logits_and_row_order_change_nothing():
    truth, a, b = drawn(8)
    weight = np.random.default_rng(9).uniform(0.5, 2, 300)
    more = {"weight_kind": "importance"}
    usual = compared(truth, a, b, weight=weight, **more).curve("decision", band="simultaneous")
    scaled = compared(truth, a, b, weight=weight * 1000, **more).curve("decision", band="simultaneous")
    logits = compared(truth, logit(a), logit(b), weight=weight, score_kind="logit", **more)
    turned = compared(truth[::-1], a[::-1], b[::-1], weight=weight[::-1], **more).curve(
        "decision", band="simultaneous"
    )
    for other in (scaled, logits.curve("decision", band="simultaneous"), turned):
        assert np.array([other.y, *other.band]) == pytest.approx(np.array([usual.y, *usual.band]), abs=1e-9)


def test_a_count_of_two_is_the_row_twice():
    truth, a, b = drawn(10)
    times = np.random.default_rng(11).integers(1, 4, 300)
    counted = compared(truth, a, b, weight=times, weight_kind="count").curve("decision", band="pointwise")
    written = compared(*(np.repeat(part, times) for part in (truth, a, b))).curve(
        "decision", band="pointwise"
    )
    assert np.array(counted.band) == pytest.approx(np.array(written.band))


def test_the_same_scores_differ_by_nothing():
    truth, a, _ = drawn(12)
    found = compared(truth, a, a.copy()).curve("decision", band="simultaneous")
    assert not np.any(found.y)
    low, high = found.band
    assert np.all((low < 0) & (high > 0))  # other cases may differ


def test_what_a_band_says_of_itself():
    truth, a, b = drawn(13, n=60)
    found = compared(truth, a, b, design="case-control").curve("decision", band="pointwise")
    assert "given this class mix" in found.about.note
    assert "are answered differently" in found.about.note
    assert (found.band[0] < found.band[1]).all()
    assert json.loads(json.dumps(found.to_dict()))["band"]["kind"] == "pointwise"
    assert 'class="band' in found._repr_svg_()
    assert pickle.loads(pickle.dumps(compared(truth, a, b))).curve("decision").y == pytest.approx(found.y)


@for_each(
    ("asked", "said"),
    [
        ({"name": "roc"}, "'decision'"),
        ({"band": "kolmogorov-smirnov"}, "band"),
        ({"thresholds": [0.0, 0.5]}, "above 0 and below 1"),
        ({"thresholds": []}, "above 0 and below 1"),
        ({"pair": ("c",)}, "not a pair"),
        ({"level": 1.5}, "level"),
    ],
)
def test_what_is_refused(asked, said):
    c = compared(*drawn(14))
    with pytest.raises(tm.InputError, match=said):
        c.curve(asked.pop("name", "decision"), *asked.pop("pair", ()), **asked)


def test_three_models_and_other_scores():
    truth, a, b = drawn(15)
    c = tm.compare(truth=truth, score={"a": a, "b": b, "c": (a + b) / 2}, measures=["brier_score"])
    with refuses("needed", "'decision'", "'b'", "'a'", argument="curve"):
        c.curve("decision")
    assert c.curve("decision", "c").y_name == "difference of net benefit, c - a"
    ranks = tm.compare(truth=truth, score={"a": 5 * a, "b": b}, measures=["roc_auc"])
    with refuses("unsupported", "'decision'", argument="curve"):
        ranks.curve("decision")
    labels = tm.compare(truth=truth, predicted={"a": a > 0.5, "b": b > 0.5})
    with refuses("unsupported", argument="curve"):
        labels.curve("decision")


def test_on_the_command_line(tmp_path, monkeypatch, capsys):
    from tallymark.cli import main

    monkeypatch.chdir(tmp_path)
    rows = "\n".join(
        f"{int(y)},{a!r},{b!r}" for y, a, b in zip(*(part.tolist() for part in drawn(0)), strict=True)
    )
    (tmp_path / "t.csv").write_text(f"y,a,b\n{rows}\n", encoding="utf-8")
    call = [
        "compare",
        "t.csv",
        "--truth",
        "y",
        "--score",
        "a",
        "--score",
        "b",
        "--measure",
        "brier_score",
        "--plot",
        "d.csv",
    ]
    main([*call, "--curve", "decision", "--band", "simultaneous", "--thresholds", "0.1", "0.5"])
    assert "Difference of net benefit: d.csv\n95% simultaneous band" in capsys.readouterr().out
    found = np.genfromtxt("d.csv", delimiter=",", skip_header=1)
    wanted = compared(*drawn(0)).curve("decision", band="simultaneous", thresholds=np.linspace(0.1, 0.5, 101))
    assert found[:, 1:] == pytest.approx(np.column_stack([wanted.y, *wanted.band]), abs=1e-12)
    for wrong in (["--band", "pointwise"], ["--curve", "roc"]):
        assert main([*call, *wrong]) == 2
        assert "decision" in capsys.readouterr().err


@pytest.mark.slow
def test_coverage():
    """The true difference at seven thresholds, and at 56; 500 samples of 300 cases, so that a share of 0.95
    is known to 0.01."""
    truth, a, b = drawn(99, n=1_000_000)
    true = {id(at): _net(truth, b, at) - _net(truth, a, at) for at in (AT, WHOLE)}
    held, all_along = [], []
    for seed in range(500):
        c = compared(*drawn([seed, 300]))
        _, _, low, high = ascending(c.curve("decision", band="pointwise", thresholds=AT))
        held.append((low <= true[id(AT)]) & (true[id(AT)] <= high))
        _, _, low, high = ascending(c.curve("decision", band="simultaneous", thresholds=WHOLE))
        all_along.append(((low <= true[id(WHOLE)]) & (true[id(WHOLE)] <= high)).all())
    assert 0.93 <= np.mean(held) <= 0.97
    assert np.min(np.mean(held, axis=0)) >= 0.925
    assert np.max(np.mean(held, axis=0)) <= 0.98
    assert 0.93 <= np.mean(all_along) <= 0.97


def _net(truth, score, at):
    return np.array(
        [np.mean(truth & (score >= t)) - np.mean(~truth & (score >= t)) * t / (1 - t) for t in at]
    )


@pytest.mark.parametrize("design", ["cohort", "case-control"])
def test_without_a_class_there_is_no_band(design):
    rng = np.random.default_rng(0)
    scores = {"p": rng.random(60), "q": rng.random(60)}
    found = tm.compare(truth=np.zeros(60), score=scores, positive=1, design=design).curve(
        "decision", band="pointwise"
    )
    assert found.band is None
    assert found.about.note == "no band: there are no positives"


def test_the_band_names_the_design_and_the_weights():
    rng = np.random.default_rng(0)
    truth, weight = np.arange(60) < 30, rng.lognormal(size=60)
    given = {
        "truth": truth,
        "score": {"p": rng.random(60), "q": rng.random(60)},
        "weight": weight,
        "design": "case-control",
    }
    about = tm.compare(**given).curve("decision", band="pointwise").about
    assert (about.design, about.weight_kind) == ("case-control", "importance")


def test_where_different_cases_do_not_vary_the_band_is_that_of_halves():
    """Above all scores nobody is flagged: half a case is all that varies, without a limit of its degrees of
    freedom."""
    rng = np.random.default_rng(0)
    truth = [rng.integers(0, 2, n) for n in (200, 150)]
    scores = [np.clip(0.2 * one + 0.5 * rng.random(len(one)), 0, 0.7) for one in truth]
    first, second = (tm.evaluate(truth=y, score=p) for y, p in zip(truth, scores, strict=True))
    _, y, low, high = ascending(
        tm.compare(first, second).curve("decision", band="pointwise", thresholds=[0.5, 0.8])
    )
    assert y[1] == 0
    assert (low < y).all()
    assert (y < high).all()
