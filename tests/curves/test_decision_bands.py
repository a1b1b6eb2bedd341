"""Bands of the decision curve, and bands where the class sizes are fixed."""

import json

import numpy as np
import pytest
from looping import for_each
from refusals import refuses
from scipy.special import expit, ndtri

import tallymark as tm
from tallymark import RankingTable, evaluate
from tallymark.curves import curve
from tallymark.curves.kinds import EVERYBODY
from tallymark.inference import Settings, resampled

AT = np.array([0.05, 0.1, 0.2, 0.3, 0.4])


@pytest.fixture(autouse=True)
def fewer(monkeypatch):
    """Resamples, for speed."""
    monkeypatch.setattr(resampled, "OUTSIDE", 50)
    monkeypatch.setattr(resampled, "FEWEST", 1000)


def drawn(seed, n=300, mean=-1.0):
    rng = np.random.default_rng(seed)
    logit = rng.normal(mean, 1.2, n)
    return rng.random(n) < expit(logit), expit(logit)


def table(seed, **more):
    truth, score = drawn(seed, **more)
    return RankingTable.from_arrays(truth=truth, score=score)


def read(found, bound, at=AT):
    return np.interp(at, found.x[::-1], bound[::-1])


@for_each("kind", ["pointwise", "simultaneous"])
def test_a_band_holds_the_curve_and_the_zero_line_has_none(kind):
    found, plain = curve("decision", table(0), band=kind), curve("decision", table(0))
    assert np.array_equal(found.x, plain.x)
    assert np.array_equal(found.y, plain.y)
    assert (found.band[0] <= found.y).all()
    assert (found.y <= found.band[1]).all()
    assert found.about.kind == kind
    assert list(found.bands) == [EVERYBODY]
    assert list(found.columns)[-4:] == ["low", "high", f"{EVERYBODY} low", f"{EVERYBODY} high"]
    assert len(found.simplify()) <= len(found)
    assert json.loads(json.dumps(found.to_dict()))["band"]["kind"] == kind
    assert found._repr_svg_().count('class="band') == 1


def test_simultaneous_is_wider():
    wide = [np.diff(_ends(kind), axis=0) for kind in ("pointwise", "simultaneous")]
    assert (wide[1] > 1.1 * wide[0]).all()


def _ends(kind):
    found = curve("decision", table(0), band=kind)
    return np.array([read(found, bound) for bound in found.band])


def test_at_a_threshold_it_is_about_the_interval_of_net_benefit():
    truth, score = drawn(1, n=500)
    e = tm.evaluate(truth=truth, score=score)
    found = e.curve("decision", band="pointwise")
    for t in (0.1, 0.3):
        there = e.at(t)["net_benefit"]
        low, high = (read(found, bound, t) for bound in found.band)
        assert (low, high) == pytest.approx((there.low, there.high), abs=0.012)


def test_everybody_positive_is_the_interval_of_the_prevalence():
    found, t = curve("decision", table(0), band="pointwise"), table(0)
    # any proportion
    share = tm.estimate("sensitivity", tm.Counts(tp=t.positives, fn=t.negatives, fp=0, tn=1))
    odds = found.x / (1 - found.x)
    for bound, end in zip(found.bands[EVERYBODY], (share.low, share.high), strict=True):
        assert bound == pytest.approx(end - (1 - end) * odds)


def test_net_benefit_by_its_name_and_many_scores():
    many = table(3, n=12_000)
    found = curve("net benefit", many, band="pointwise")
    assert found.name == "decision"
    assert len(found) > resampled.MOST_SCORES_OF_BANDS
    assert (found.band[1] - found.band[0])[found.x > 0.01].max() < 0.2


@pytest.mark.full
@for_each(
    ("name", "mixed"),
    [
        ("roc", False),
        ("det", False),
        ("det_linear", False),
        ("pr", True),
        ("gain", True),
        ("lift", True),
        ("decision", True),
    ],
)
def test_a_case_control_design_says_that_the_mix_is_given(name, mixed):
    fixed = curve(name, table(0), band="pointwise", settings=Settings(design="case-control"))
    free = curve(name, table(0), band="pointwise")
    assert ("given this class mix" in (fixed.about.note or "")) == mixed
    assert "class mix" not in (free.about.note or "")
    if name == "decision":
        assert not fixed.bands
        assert (read(fixed, fixed.band[1] - fixed.band[0]) < read(free, free.band[1] - free.band[0]))[
            :2
        ].all()
    if name == "roc":
        assert np.array_equal(fixed.band, free.band)


def test_the_design_on_the_command_line(tmp_path, capsys):
    from tallymark.cli import main

    path = tmp_path / "scores.csv"
    rows = "\n".join(f"{int(truth)},{score:.4f}" for truth, score in zip(*drawn(0), strict=True))
    path.write_text(f"y,p\n{rows}\n", encoding="utf-8")
    call = ["curve", "decision", str(path), "--truth", "y", "--score", "p", "--band", "pointwise"]
    main([*call, "--design", "case-control"])
    fixed = capsys.readouterr()
    main(call)
    free = capsys.readouterr()
    assert "given this class mix" in fixed.err
    assert "everybody positive low" in free.out.splitlines()[0]
    assert "everybody positive low" not in fixed.out.splitlines()[0]


def test_two_models_at_a_threshold():
    """The difference of net benefit, of the same cases: its variance is that of what each case adds."""
    truth, score = drawn(5, n=600)
    other = np.clip(score + np.random.default_rng(6).normal(0, 0.15, 600), 0.001, 0.999)
    t = 0.2
    found = tm.compare(truth=truth, score={"a": score, "b": other}, measures=["net_benefit"], threshold=t)
    (difference,) = found.differences
    each = [np.where(truth, 1.0, -t / (1 - t)) * (one >= t) for one in (score, other)]
    gain = each[1] - each[0]
    assert difference.estimate.value == pytest.approx(gain.mean())
    error = gain.std() / np.sqrt(600)
    assert difference.estimate.high - difference.estimate.low == pytest.approx(2 * 1.96 * error, rel=0.15)


@pytest.mark.slow
def test_coverage_of_cohorts():
    """The true net benefit at five thresholds, and at 40; 200 samples, so that a share of 0.95 is known to
    0.015."""
    middle = (np.arange(50_000) + 0.5) / 50_000
    p = expit(-1.0 + 1.2 * ndtri(middle))
    places = np.linspace(0.03, 0.5, 40)
    true, whole = (np.array([_net(p, t) for t in at]) for at in (AT, places))
    held, all_along, everybody = [], [], []
    for seed in range(200):
        one = table(seed, n=150)
        known = Settings(seed=seed)
        by_itself, together = (
            curve("decision", one, band=kind, settings=known) for kind in ("pointwise", "simultaneous")
        )
        low, high = (read(by_itself, bound) for bound in by_itself.band)
        held.append((low <= true) & (true <= high))
        low, high = (read(together, bound, places) for bound in together.band)
        all_along.append(((low <= whole) & (whole <= high)).all())
        low, high = (read(by_itself, bound, 0.2) for bound in by_itself.bands[EVERYBODY])
        everybody.append(low <= p.mean() - (1 - p.mean()) / 4 <= high)
    assert 0.93 <= np.mean(held) <= 0.98
    assert np.mean(held, axis=0).min() >= 0.91
    assert 0.925 <= np.mean(all_along) <= 0.995
    assert 0.90 <= np.mean(everybody) <= 0.99


def _net(p, t):
    taken = p[p >= t]
    return (taken.sum() - (1 - taken).sum() * t / (1 - t)) / len(p)


def test_a_simultaneous_band_of_chosen_thresholds():
    """It is narrower than that of all thresholds, holds the same curve, and is the widest at no other."""
    random = np.random.default_rng(5)
    truth = random.random(600) < 0.2
    score = 1 / (1 + np.exp(-(random.normal(size=600) + 2 * truth - 2)))
    e = evaluate(truth=truth, score=score)
    few = e.curve("decision", band="simultaneous", thresholds=np.linspace(0.05, 0.3, 26))
    assert few.x.tolist() == pytest.approx(np.linspace(0.3, 0.05, 26))
    for at, value in zip(few.x, few.y, strict=True):
        assert value == pytest.approx(evaluate(truth=truth, score=score, threshold=at)["net_benefit"].value)
    assert (few.band[0] <= few.y).all()
    assert (few.y <= few.band[1]).all()
    point = e.curve("decision", band="pointwise", thresholds=few.x)
    assert (few.band[0] <= point.band[0] + 1e-9).all()
    every = e.curve("decision", band="simultaneous")
    wide, narrow = (
        np.mean(np.interp([0.1, 0.2], c.x[::-1], (c.band[1] - c.band[0])[::-1])) for c in (every, few)
    )
    assert narrow < 0.9 * wide
    assert (
        e.curve("net_benefit", thresholds=[0.1, 0.2]).y.tolist()
        == e.curve("decision", thresholds=[0.1, 0.2]).y.tolist()
    )
    assert len(few.joined()) >= len(few)
    with refuses("invalid-value", argument="thresholds"):
        e.curve("decision", thresholds=[0.1, 1.0])


def test_thresholds_on_the_command_line(tmp_path, capsys):
    from tallymark.cli import main

    path = tmp_path / "scores.csv"
    rows = "\n".join(f"{int(truth)},{score:.4f}" for truth, score in zip(*drawn(0), strict=True))
    path.write_text(f"y,p\n{rows}\n", encoding="utf-8")
    call = ["curve", "decision", str(path), "--truth", "y", "--score", "p", "--band", "simultaneous"]
    assert main([*call, "--thresholds", "0.1", "0.4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 101
    assert {lines[1].split(",")[0], lines[-1].split(",")[0]} == {"0.4", "0.1"}
    assert main([*call, "--thresholds", "0.4", "0.1"]) == 2
    assert "is not a range of thresholds" in capsys.readouterr().err


@pytest.mark.full
def test_a_table_of_many_scores_has_a_band_from_its_groups():
    random = np.random.default_rng(0)
    truth = random.random(1_000_000) < 0.3
    score = np.clip(0.3 * truth + 0.7 * random.random(1_000_000), 0, 1)
    ranking = RankingTable.from_arrays(truth=truth, score=score)
    groups = resampled.few_scores(ranking)
    assert 400 < len(groups) <= 510
    for limit in groups.score[::50]:  # as thresholds they have the counts of all cases
        assert groups.counts_at(limit) == ranking.counts_at(limit)
    low, high = curve("decision", ranking, band="pointwise").band
    assert (low <= high).all()
