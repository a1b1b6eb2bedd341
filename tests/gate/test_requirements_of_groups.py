"""Requirements that each group of the cases has to meet: "sensitivity >= 0.9 by site"."""

import json

import numpy as np
import pandas as pd
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.cli import main
from tallymark.studies.gate import parse

N = 300
RNG = np.random.default_rng(6)
Y = RNG.integers(0, 2, N)
S = np.round(np.clip(0.3 * Y + 0.7 * RNG.random(N), 0, 1), 2)
SITE = np.array(["north", "south", "east"])[np.arange(N) % 3]
FRAME = pd.DataFrame({"y": Y, "s": S, "site": SITE, "age group": np.arange(N) % 2})
GIVEN = {"truth": "y", "score": "s"}


def test_each_group_has_a_finding():
    found = tm.check(FRAME, **GIVEN, require=["roc_auc >= 0.5", "sensitivity.low >= 0.4 by site"])
    assert [one.requirement for one in found.findings] == [
        "roc_auc >= 0.5",
        *(f"sensitivity.low >= 0.4 by site: {site}" for site in ("east", "north", "south")),
    ]
    for site, one in zip(("east", "north", "south"), found.findings[1:], strict=True):
        where = np.equal(SITE, site)
        alone = tm.evaluate(truth=Y[where], score=S[where])["sensitivity"]
        assert one.estimate == alone
        assert one.compared == alone.low
    whole = tm.evaluate(FRAME, **GIVEN)
    assert found.findings[0].estimate == whole["roc_auc"]
    assert found.evaluation.data.rows == N


def test_one_group_is_enough_to_fail():
    lowest = min(one["accuracy"].value for one in tm.evaluate(FRAME, **GIVEN, by="site").values())
    met = tm.check(FRAME, **GIVEN, require=f"accuracy.value >= {lowest - 0.001} by site")
    assert met.passed
    assert len(met.findings) == 3
    failed = tm.check(FRAME, **GIVEN, require=f"accuracy.value >= {lowest + 0.001} by site")
    assert not failed.passed
    assert 1 <= sum(not one.passed for one in failed.findings) < 3


def test_groups_of_several_columns_in_one_check():
    asked = ["rows >= 1 by site", 'rows >= 1 by "age group"', 'rows >= 1 by site, "age group"']
    found = tm.check(FRAME, **GIVEN, require=asked)
    starts = [one.requirement.partition(": ")[0] for one in found.findings]
    assert [starts.count(text) for text in asked] == [3, 2, 6]
    sizes = [one.compared for one in found.findings]
    assert sizes[:3] == [100, 100, 100]
    assert sizes[3:5] == [150, 150]
    assert sum(sizes[5:]) == N


def test_conditions_uses_and_arrays():
    text = "specificity >= 0.1 at threshold 0.3 by site"
    found = tm.check(truth=Y, score=S, require=text, by={"site": SITE}, uses=5)
    assert {one.estimate.level for one in found.findings} == {0.99}
    assert all("threshold 0.3" in one.how for one in found.findings)
    assert tm.Verdict.from_json(found.to_json()).table == found.table
    assert len(tm.Verdict.from_json(found.to_json())) == 3


def test_a_measure_that_is_undefined_in_a_group_does_not_pass():
    site = np.where(np.arange(N) == np.flatnonzero(Y == 0)[0], "tiny", SITE)
    found = tm.check(truth=Y, score=S, require="sensitivity >= 0 by site", by={"site": site})
    tiny = found.findings[-1]
    assert tiny.requirement.endswith(": tiny")
    assert tiny.outcome == "undecided"
    assert not found.passed


def test_the_text_of_a_requirement_reads_as_the_same():
    asked = parse('f1.low >= 0.5 at specificity 0.9 by site, "age group"')
    assert asked.by == ("site", "age group")
    assert parse(str(asked)) == asked
    assert parse("f1 >= 0.5").by == ()


WRONG = {
    "by": ("f1 >= 0.5 by", "expected the name of a column"),
    "after a comma": ("f1 >= 0.5 by site,", "expected the name of a column"),
    "a number": ("f1 >= 0.5 by 3", "expected the name of a column"),
    "another column": ("f1 >= 0.5 by sitee", "the data has no column 'sitee'"),
    "more": ("f1 >= 0.5 by site at threshold 0.5", "expected the end"),
}


@for_each("name", WRONG)
def test_what_is_refused(name):
    text, words = WRONG[name]
    with pytest.raises(tm.InputError) as refused:
        tm.check(FRAME, **GIVEN, require=text)
    assert words in str(refused.value)


def test_what_does_not_go_together():
    asked = {"require": "f1 >= 0.5 by site"}
    with refuses("needed", "'site'", argument="by"):
        tm.check(truth=Y, score=S, **asked)
    with refuses("unsupported", argument="require"):
        tm.check(tm.evaluate(FRAME, **GIVEN), **asked)
    old = tm.Counts(tp=9, fp=9, fn=1, tn=1)
    with refuses("unsupported", argument="require"):
        tm.check(tm.evaluate(FRAME, **GIVEN), **asked, baseline=old, paired=False, no_worse_than=0.1)
    with refuses("conflict", argument="by"):
        tm.check(FRAME, **GIVEN, by={"site": SITE}, baseline_score="s", no_worse_than=0.1)
    with refuses("conflict", argument="by"):
        tm.check(FRAME, **GIVEN, require="f1 >= 0.5", by={"site": SITE})


def test_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "cases.csv"
    FRAME.to_csv(path, index=False)
    given = ["check", str(path), "--truth", "y", "--score", "s", "--require"]
    assert main([*given, "rows >= 100 by site"]) == 0
    assert "site: north" in capsys.readouterr().out
    assert main([*given, "rows >= 101 by site"]) == 1


@pytest.mark.parametrize("other_cases", [False, True])
def test_with_a_baseline(other_cases):
    """The findings are those of two calls, in the order of the requirements, the baseline's last."""
    asked = ["sensitivity >= 0.3", "specificity >= 0.4 by site", "rows >= 10"]
    old = {"baseline": FRAME[::-1], "paired": False} if other_cases else {"baseline_score": "s"}
    both = tm.check(FRAME, **GIVEN, require=asked, **old, no_worse_than=0.1)
    groups = tm.check(FRAME, **GIVEN, require=asked)
    alone = tm.check(
        FRAME,
        **GIVEN,
        require=[asked[0], asked[2]],
        **old,
        no_worse_than=0.1,
        measures=["sensitivity", "specificity"],
    )
    plain = [one.to_dict() for one in both.findings]
    assert plain == [one.to_dict() for one in (*groups.findings, *alone.findings[2:])]
    assert len(plain) == 2 + len(set(SITE)) + 2
    assert both.baseline == alone.baseline
    assert both.passed == (groups.passed and alone.passed)


# Groups of a size, and every class
# --------------------------------------------------------------------------------------------------

UNEVEN = pd.DataFrame({"y": Y, "s": S, "site": np.where(np.arange(N) < 290, "large", "small")})
UNEVEN.loc[299, "site"] = "tiny"


@for_each(
    ("condition", "left_out"),
    [
        ("n >= 11", {"small": 9, "tiny": 1}),
        ("rows >= 9", {"tiny": 1}),
        ("n >= 1", {}),
        ("positives >= 30", {"small": (Y[290:299] == 1).sum(), "tiny": Y[299]}),
    ],
)
def test_groups_with_too_few_cases_are_left_out_and_listed(condition, left_out):
    found = tm.check(UNEVEN, **GIVEN, require=f"accuracy >= 0.5 by site ({condition})")
    names = [one.requirement.rpartition(": ")[2] for one in found.findings]
    assert names == [one for one in ("large", "small", "tiny") if one not in left_out]
    notices = [one for one in found.notices if one.code == "groups-left-out"]
    assert [dict(zip(one["groups"], one["sizes"], strict=True)) for one in notices] == (
        [left_out] if left_out else []
    )
    for text in (str(found), found.to_markdown(), found.to_junit(), found.to_annotations()):
        assert ("groups-left-out" in text) is bool(left_out)
    assert tm.Verdict.from_json(found.to_json()).notices == found.notices


def test_the_sentence_on_groups_that_are_left_out():
    (notice, *_) = tm.check(UNEVEN, **GIVEN, require="accuracy >= 0.5 by site (n >= 50)").notices
    assert notice.text == (
        "Nothing is required of groups by site with fewer than 50 cases: small (9), tiny (1)."
    )
    many = pd.DataFrame({"y": Y, "s": S, "site": np.arange(N) % 20})
    found = tm.check(many, **GIVEN, require="accuracy >= 0.5 by site (n >= 50)")
    assert "0 (15), 1 (15)" in found.notices[0].text
    assert found.notices[0].text.endswith(" and 12 more.")
    (nothing,) = found.findings
    assert (nothing.outcome, nothing.reason.text) == ("undecided", "undefined: no group has so many cases")
    assert not found


@for_each(
    ("text", "message"),
    [
        ("f1 >= 0.5 by site (f1 >= 3)", "'f1' is no number of cases"),
        ("f1 >= 0.5 by site (n <= 3)", "expected '>='"),
        ("f1 >= 0.5 by site (n >= 3", r"expected '\)'"),
        ("f1[every] >= 0.5", "expected 'class'"),
        ("f1[every class >= 0.5", r"expected '\]'"),
        ("macro f1[every class] >= 0.5", "is over all classes"),
        ("n[every class] >= 5", "are of all classes"),
    ],
)
def test_what_is_wrong_with_them(text, message):
    with pytest.raises(tm.InputError, match=message):
        parse(text)


def test_every_class():
    kinds = np.array(["a", "b", "c: d"])[RNG.integers(0, 3, N)]
    called = np.where(RNG.random(N) < 0.8, kinds, "a")
    given = {"truth": kinds, "predicted": called}
    text = "recall[every class] >= 0.6"
    assert str(parse(text)) == text
    found = tm.check(**given, require=[text, "positives[every class] >= 60"]).findings
    each = tm.evaluate(**given).classes
    assert [one.estimate for one in found[:3]] == [each[name]["recall"] for name in each]
    assert [one.requirement for one in found[:3]] == [f"{text}: {name}" for name in each]
    assert [one.compared for one in found[3:]] == [(kinds == name).sum() for name in each]
    frame = pd.DataFrame({"k": kinds, "c": called, "site": SITE})
    grouped = tm.check(frame, truth="k", predicted="c", require=f"{text} by site").findings
    assert len(grouped) == 9
    assert grouped[0].requirement == f"{text} by site: a: east"
    other = {"baseline": frame[::-1][:200], "paired": False}
    against = tm.check(frame, truth="k", predicted="c", **other, require="f1[every class] >= baseline - 0.3")
    assert [one.measured for one in against.findings] == [
        f"f1[class {json.dumps(name)}], new - baseline" for name in each
    ]
    no_worse = tm.check(frame, truth="k", predicted="c", **other, require=text, no_worse_than=0.3)
    assert [one.measured for one in no_worse.findings[3:]] == [
        f"recall[class {json.dumps(name)}], new - baseline" for name in each
    ]
    assert {one.limit for one in no_worse.findings[3:]} == {-0.3}
    with pytest.raises(tm.InputError, match="there are two classes; leave out"):
        tm.check(FRAME, **GIVEN, require="recall[every class] >= 0.5")


def test_what_fails_stands_first_where_the_screen_does_not_hold_all():
    site = [f"s{i % 40:02d}" for i in range(4 * N)]
    frame = pd.DataFrame({"y": np.tile(Y, 4), "s": np.tile(Y, 4), "site": site})
    frame.loc[frame.site == "s39", "s"] = 1 - frame.y
    found = tm.check(frame, **GIVEN, require="accuracy >= 0.8 by site")
    assert "site: s39" in str(found)
    assert "more: result.all" in str(found)
    assert [one.outcome for one in found.findings] == ["passed"] * 39 + ["failed"]
