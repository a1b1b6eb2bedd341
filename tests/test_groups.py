"""Groups of cases: each is evaluated as it would be alone, in one pass; differences from all cases."""

import json
import pickle
import re
from math import sqrt

import numpy as np
import pandas as pd
import polars as pl
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.cli import main
from tallymark.input.columns import Column
from tallymark.input.sample import groups_of

N = 240
RNG = np.random.default_rng(4)
Y = RNG.integers(0, 2, N)
S = np.round(np.clip(0.3 * Y + 0.7 * RNG.random(N), 0, 1), 2)
SITE = np.array(["north", "south", "east"])[RNG.integers(0, 3, N)]
WARD = RNG.integers(1, 3, N)
KIND = np.array(["ant", "bee", "cow"])[np.append([0, 1, 2], RNG.integers(0, 3, N - 3))]
SHARES = RNG.dirichlet([1, 1, 1], N)
FRAME = {
    "y": Y, "s": S, "site": SITE, "ward": WARD, "label": (S > 0.4).astype(int), "kind": KIND,
    "guess": np.roll(KIND, 1), "w": RNG.uniform(0.5, 2, N), "count": 1 + Y, "amount": S * 10, "of": S * 9 + Y,
    "patient": np.where(SITE == "north", 0, np.where(SITE == "south", 100, 200)) + np.arange(N) // 8,
    **{f"p {one}": SHARES[:, i] for i, one in enumerate(("ant", "bee", "cow"))},
}  # fmt: skip
PER_CLASS = ["p ant", "p bee", "p cow"]
CASES = {
    "scores": {"truth": "y", "score": "s"},
    "lower is positive": {"truth": "y", "score": "s", "higher_is_positive": False, "threshold": 0.5},
    "weights": {"truth": "y", "score": "s", "weight": "w"},
    "counts": {"truth": "y", "score": "s", "weight": "count"},
    "logits": {"truth": "y", "score": "of", "score_kind": "logit"},
    "labels": {"truth": "y", "predicted": "label"},
    "weighted labels": {"truth": "y", "predicted": "label", "weight": "w"},
    "clusters": {"truth": "y", "score": "s", "clusters": "patient"},
    "clusters of labels": {"truth": "y", "predicted": "label", "clusters": "patient"},
    "classes": {"truth": "kind", "predicted": "guess"},
    "a score per class": {"truth": "kind", "score": PER_CLASS},
    "amounts": {"truth": "amount", "predicted": "of", "regression": True},
}


def part(where):
    return {name: values[where] for name, values in FRAME.items()}


def assert_same(one, other):
    """Up to the rounding of sums."""
    ours, theirs = ((each.value, each.low, each.high) for each in (one, other))
    assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-15, nan_ok=True)


@for_each("name", CASES)
def test_each_is_as_alone(name):
    given = CASES[name]
    found = tm.evaluate(FRAME, by="site", **given)
    assert list(found) == ["east", "north", "south"]
    kind = {"weight_kind": "importance"} if given.get("weight") == "w" else {}
    for site in found:
        alone = tm.evaluate(part(np.equal(SITE, site)), **given, **kind)
        assert found[site].data.rows == alone.data.rows
        for measure in found.measures:
            assert_same(found[site][measure], alone[measure])
    whole = tm.evaluate(FRAME, **given)
    for measure in found.measures:
        assert_same(found.whole[measure], whole[measure])


@for_each("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_frames_arrays_and_several_columns(make):
    found = tm.evaluate(make(FRAME), truth="y", score="s", by=["site", "ward"])
    assert found.by == ("site", "ward")
    assert list(found) == [f"{site}, {ward}" for site in ("east", "north", "south") for ward in (1, 2)]
    where = (SITE == "north") & (WARD == 2)
    assert found["north", 2]["roc_auc"] == tm.evaluate(truth=Y[where], score=S[where])["roc_auc"]
    assert ("north", 2) in found
    assert "north" not in found
    for by in ({"site": SITE, "ward": WARD}, [SITE, WARD], [pd.Series(SITE, name="site"), WARD.tolist()]):
        again = tm.evaluate(truth=Y, score=S, by=by)
        assert list(again) == list(found)
        assert again["east, 1"]["roc_auc"] == found["east, 1"]["roc_auc"]


def test_files_are_read_once_in_batches(tmp_path):
    pd.DataFrame(FRAME).to_csv(tmp_path / "cases.csv", index=False)
    paths = [str(tmp_path / f"{i}.csv") for i in range(3)]
    for path, rows in zip(paths, np.array_split(np.arange(N), 3), strict=True):
        pd.DataFrame(FRAME).iloc[rows].to_csv(path, index=False)
    rows = []
    found = tm.evaluate(paths, truth="y", score="s", by="site", progress=rows.append)
    assert rows[-1] == N
    assert rows == sorted(set(rows))
    arrays = tm.evaluate(FRAME, truth="y", score="s", by="site")
    assert [found[site]["roc_auc"] for site in found] == [arrays[site]["roc_auc"] for site in arrays]


def test_labels_of_every_type():
    for values in (
        np.array([3, -1, 3]), np.array([2**62, -(2**62), 2**62]), np.array([True, False, True]),
        np.array([1.5, 1.0, 1.5]), np.array(["b", "a", "b"]), np.array(["b", "a", "b"], object),
        np.array([7, 2, 7], np.uint8), np.array(["a\x00b", "a", "a\x00b"]),
    ):  # fmt: skip
        found = groups_of([Column("by 1", values)], ("x",))
        assert [one for (one,) in found.labels] == sorted(set(values.tolist()))
        assert found.codes.tolist() == [1, 0, 1]
        assert found.rows(1).tolist() == [0, 2]
        assert found.sizes.tolist() == [1, 2]


def test_names_that_would_be_equal_have_the_columns():
    found = groups_of(
        [Column("by 1", np.array(["a, b", "a"])), Column("by 2", np.array(["c", "b, c"]))], ("x", "y")
    )
    assert found.names == ("x='a', y='b, c'", "x='a, b', y='c'")


def test_the_threshold_is_that_of_all_cases():
    found = tm.evaluate(FRAME, truth="y", score="s", rule="youden", by="site")
    assert {one.threshold.value for one in found.values()} == {found.whole.threshold.value}
    east = found["east"]["sensitivity"]
    assert not east.has_interval
    assert [note.code for note in east.notes] == ["chosen-on-all-groups"]
    given = tm.evaluate(FRAME, truth="y", score="s", threshold=0.3, by="site")["east"]
    assert given["sensitivity"].has_interval
    assert given.threshold.rule.code == "given"


def test_a_group_with_the_name_of_the_row_of_all_cases():
    site = np.where(SITE == "north", "all cases", SITE)
    found = tm.evaluate(truth=Y, score=S, by=site, measures=["f1"])
    assert {one.reference for one in found.differences} == {None}
    assert {one["reference"] for one in found.to_dict()["differences"]["found"]} == {None}
    assert {row["reference"] for row in found.differences.table} == {None}
    starts = [line.split("  ")[0] for line in str(found).splitlines()]
    assert starts.count("'all cases'") == 2
    assert starts.count("all cases") == 1
    other = tm.evaluate(truth=Y, score=S, by=site, measures=["f1"], reference="all cases")
    assert {one.reference for one in other.differences} == {"all cases"}
    assert "Each group minus 'all cases'." in str(other)
    for given, shown in ((found, "all cases"), (other, "'all cases'")):
        lines = str(given.differences).split("-----\n")[1].splitlines()
        assert {re.split("  +", line)[1] for line in lines[:2]} == {shown}


def test_a_group_without_a_class_keeps_the_classes_of_all():
    site = np.where(np.arange(N) < 2, "tiny", SITE)
    truth = np.where(np.arange(N) < 2, "no", np.where(Y == 1, "yes", "no"))
    found = tm.evaluate(truth=truth, score=S, positive="yes", by=site)
    assert found["tiny"]["roc_auc"].undefined.code
    assert found["tiny"].labels == ("no", "yes")
    assert found.is_small("tiny")
    assert not found.is_small("north")
    labels = tm.evaluate(truth=truth, predicted=np.where(S > 0.4, "yes", "no"), positive="yes", by=site)
    assert labels["tiny"]["specificity"].value == np.mean(S[:2] <= 0.4)
    assert not any("tiny" in (one.group, one.reference) for one in found.pairs)


# Differences
# --------------------------------------------------------------------------------------------------


def test_the_level_of_each_is_sidaks():
    found = tm.evaluate(FRAME, truth="y", score="s", by="site")
    assert len(found.differences) == 3 * len(found.measures)
    assert found.differences.level_of_each == pytest.approx(0.95 ** (1 / 9), abs=1e-15)
    assert {one.estimate.level for one in found.differences} == {found.differences.level_of_each}
    assert found.differences.to_dict()["simultaneous"]["method"] == "sidak"


def test_a_difference_of_two_proportions_from_all_cases_by_hand():
    """80 of 100 and 30 of 60 are right: the first group has 100/160 of the cases. With Wilson's intervals and
    the correlation of the part with the whole, sum of products of the influence, by Zou's formula."""
    truth = np.ones(160, int)
    predicted = np.r_[np.ones(80), np.zeros(20), np.ones(30), np.zeros(30)].astype(int)
    group = np.r_[np.zeros(100), np.ones(60)].astype(int)
    truth, predicted, group = (
        np.r_[one, more] for one, more in zip((truth, predicted, group), ([0], [0], [0]), strict=True)
    )
    found = tm.evaluate(truth=truth, predicted=predicted, by=group, measures="sensitivity", level=0.9025)
    one = found.differences[0].estimate
    assert found.differences.level_of_each == pytest.approx(0.95, abs=1e-12)
    z = 1.959963984540054
    p, q = 0.8, 110 / 160

    def wilson(share, n):
        centre, half = share + z * z / (2 * n), z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)

    (a, b), (c, d) = wilson(p, 100), wilson(q, 160)
    covariance = (80 * (1 - p) * (1 - q) + 20 * p * q) / (100 * 160)
    r = covariance / sqrt(p * (1 - p) / 100 * q * (1 - q) / 160)
    low = p - q - sqrt((p - a) ** 2 + (d - q) ** 2 - 2 * r * (p - a) * (d - q))
    high = p - q + sqrt((b - p) ** 2 + (q - c) ** 2 - 2 * r * (b - p) * (q - c))
    assert (one.value, one.low, one.high) == pytest.approx((p - q, low, high), abs=1e-6)


def test_from_a_reference_and_between_each_two():
    found = tm.evaluate(FRAME, truth="y", score="s", by="site", reference="north", measures=["roc_auc"])
    assert [(one.group, one.reference) for one in found.differences] == [
        ("east", "north"), ("south", "north")
    ]  # fmt: skip
    value = found["east"]["roc_auc"].value - found["north"]["roc_auc"].value
    assert found.differences[0].value == pytest.approx(value)
    assert [(one.group, one.reference) for one in found.pairs] == [
        ("east", "north"), ("east", "south"), ("north", "south")
    ]  # fmt: skip
    assert found.pairs[0].value == pytest.approx(value)


def test_clusters_in_several_groups():
    found = tm.evaluate(FRAME, truth="y", score="s", clusters="ward", by="site", measures="roc_auc")
    assert {one.estimate.method for one in found.pairs} == {"mover-correlated"}
    assert all(one.estimate.has_interval for one in found.differences)
    few = tm.evaluate(FRAME, truth="y", score="s", clusters="ward", by="site", measures="kolmogorov_smirnov")
    assert {note.code for one in few.differences for note in one.estimate.notes} == {
        "clusters-in-several-groups"
    }
    within = tm.evaluate(FRAME, truth="y", score="s", clusters="patient", by="site", measures="roc_auc")
    assert all(one.estimate.has_interval for one in within.differences)


@for_each("units", [{"clusters": "ward"}, {"persons": ("ward", "patient")}])
def test_samples_that_share_units_differ_as_groups_do(units):
    """The differences of the values of a column are the same, as groups and as samples of `compare`."""
    two = part(FRAME["site"] != "east")
    names = ["roc_auc", "sensitivity", "brier_score"]
    given = {"truth": "y", "score": "s", "measures": names, **units}
    found = tm.compare(two, sample="site", **given)
    level = 0.95 ** len(names)  # of each interval .95
    groups = tm.evaluate(two, by="site", reference="north", level=level, **given).differences
    for one, other in zip(found.differences, groups, strict=True):
        assert one.test == "mover-correlated"
        assert [one.value, one.low, one.high] == pytest.approx([other.value, other.low, other.high])
    assert found.curve("decision", band="pointwise").band is None
    [known] = tm.compare(two, sample="site", **{**given, "measures": "kolmogorov_smirnov"}).differences
    assert [note.code for note in known.estimate.notes] == ["clusters-in-several-groups"]


def test_units_with_the_same_names_in_several_data_sets_are_said():
    sets = [part(FRAME["site"] == site) for site in ("east", "north")]
    given = {"truth": "y", "score": "s", "measures": "roc_auc", "paired": False}
    wards = [{*one["ward"].tolist()} for one in sets]
    found = tm.compare(*sets, **given, clusters="ward")
    [notice] = [one for one in found.notices if one.code == "same-names-of-units"]
    assert dict(notice.fields)["units"] == len(wards[0] & wards[1]) > 1
    assert found["roc_auc"].test == "mover"
    apart = [one | {"ward": [f"{i} {ward}" for ward in one["ward"]]} for i, one in enumerate(sets)]
    codes = [one.code for one in tm.compare(*apart, **given, clusters="ward").notices]
    assert "same-names-of-units" not in codes


def test_the_only_group_is_all_cases():
    found = tm.evaluate(FRAME | {"one": np.ones(N)}, truth="y", score="s", by="one", measures="roc_auc")
    assert found.differences[0].value == 0
    assert not found.differences[0].excludes_zero


@pytest.mark.full
def test_simultaneous_intervals_cover():
    """Four groups of one population, so that every difference from all cases is 0."""
    rng, inside, times = np.random.default_rng(1), 0, 300
    for _ in range(times):
        y = rng.integers(0, 2, 800)
        s, g = rng.normal(size=800) + y, rng.integers(0, 4, 800)
        found = tm.evaluate(truth=y, score=s, threshold=0.5, by=g).differences
        inside += not any(one.excludes_zero for one in found)
    assert 0.92 <= inside / times <= 0.995


@pytest.mark.full
def test_a_difference_from_all_cases_covers_alone():
    """The correlation with all cases is counted in: the interval of one group, with half of the cases."""
    rng, inside, times = np.random.default_rng(2), {"roc_auc": 0, "accuracy": 0, "brier_score": 0}, 400
    for _ in range(times):
        y = rng.integers(0, 2, 300)
        s = 1 / (1 + np.exp(-rng.normal(size=300) - y))
        table = tm.evaluate(truth=y, score=s, by=np.arange(300) % 2, measures=list(inside))
        for name in inside:
            found = table.choose([name])
            inside[name] += not found.differences_of(["0"])[0].excludes_zero
    assert all(0.92 <= number / times <= 0.98 for number in inside.values()), inside


# As other results
# --------------------------------------------------------------------------------------------------


def test_plain_values_rows_and_pickles():
    found = tm.evaluate(FRAME, truth="y", score="s", by=["site", "ward"])
    plain = json.loads(found.to_json())
    assert plain == found.to_dict()
    assert plain["groups"]["north, 1"]["labels"] == ["north", 1]
    rows = found.table
    assert len(rows) == 6 * 3
    assert {"group": "east, 1", "site": "east", "ward": 1, "measure": "roc_auc"}.items() <= rows[0].items()
    assert found.to_frame().shape == (18, len(rows[0]))
    again = tm.GroupTable.from_json(found.to_json())
    assert again.table == rows
    assert again["roc_auc", "north, 1"] == found["north, 1"]["roc_auc"]
    assert pickle.loads(pickle.dumps(found)).to_dict() == plain


def test_text_is_80_columns_wide_and_names_the_method():
    site = np.where(np.arange(N) < 4, "tiny", SITE)
    found = tm.evaluate(truth=Y, score=S, by={"site": site})
    lines = str(found).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 36
    assert "tiny*" in str(found)
    assert "not ranked" in str(found)
    assert "Sidak" in str(found)
    many = tm.evaluate(truth=np.tile(Y, 3), score=np.tile(S, 3), by=np.arange(3 * N) % 40)
    assert "more: result.all)" in str(many)
    assert "<td" in many._repr_html_()


def test_hostile_names_are_escaped():
    evil = "<script>alert(1)</script>"
    found = tm.evaluate(truth=Y, score=S, by={evil: np.where(WARD == 1, evil, "ok")})
    assert evil not in found.to_html()


REFUSED = {
    "an unknown column": ({"by": "sitee"}, "by: the data has no column 'sitee'"),
    "no column": ({"by": []}, "by: no column is named"),
    "one twice": ({"by": ["site", "site"]}, "by: 'site' is named twice"),
    "an unknown reference": ({"by": "site", "reference": "noth"}, "'noth' is not a group here (did you mean"),
    "a reference of no groups": ({"reference": "north"}, "reference: it is a group"),
    "a measure that is not there": ({"by": "site", "measures": "macro_roc_auc"}, "macro_roc_auc"),
}


@for_each("name", REFUSED)
def test_what_is_refused(name):
    given, words = REFUSED[name]
    with pytest.raises(tm.InputError) as refused:
        tm.evaluate(FRAME, **{"truth": "y", "score": "s", **given})
    assert words in str(refused.value)


def test_missing_groups_and_summaries():
    site = np.where(np.arange(N) < 3, None, SITE)
    with refuses("missing-value", argument="by"):
        tm.evaluate(truth=Y, score=S, by=site)
    assert tm.evaluate(truth=Y, score=S, by=site, missing="drop").whole.data.dropped == 3
    with refuses("unsupported", argument="by"):
        tm.evaluate(tm.RankingTable.from_arrays(truth=Y, score=S), by="site")
    found = tm.evaluate(FRAME, truth="y", score="s", by="site")
    with pytest.raises(KeyError, match="'nort' is not a group here"):
        found["nort"]
    with refuses("unsupported", "'name'", argument="data"):
        tm.evaluate(found)


@pytest.mark.full
def test_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "cases.csv"
    pd.DataFrame(FRAME).to_csv(path, index=False)
    given = ["evaluate", str(path), "--truth", "y", "--score", "s", "--by", "site"]
    main(given)
    first = capsys.readouterr().out
    assert first[:1000] == str(tm.evaluate(str(path), truth="y", score="s", by="site"))[:1000]
    main([*given, "--by", "ward", "--reference", "north, 1", "--measure", "f1", "--json"])
    plain = json.loads(capsys.readouterr().out)
    assert plain["by"] == ["site", "ward"]
    assert plain["reference"] == "north, 1"
    main([*given, "--markdown"])
    assert "north" in capsys.readouterr().out
    main([*given, "--all"])
    assert "MCC" in capsys.readouterr().out


@pytest.mark.full
@for_each("kind", [{}, {"weight": "w"}, {"weight": "w", "weight_kind": "count"}, {"design": "case-control"}])
def test_estimates_of_all_groups_at_once_are_those_of_each(kind):
    found = tm.evaluate(
        FRAME | {"w": WARD * (1 if "weight_kind" in kind else 0.7)}, truth="y", score="s", by="site", **kind
    )
    many = 0
    for measure in found.whole.estimates:
        together, apart = found._compared(0.99), found._compared(0.99)
        together.prepare(found, measure)
        for site in found:
            many += (site, measure) in together._found
            one, other = together.estimate(site, measure), apart.estimate(site, measure)
            assert (one.method, one.notes) == (other.method, other.notes), (measure, site)
            for end in ("value", "low", "high"):  # counts stacked in arrays differ in the last digit
                assert getattr(one, end) == pytest.approx(getattr(other, end), rel=1e-12, nan_ok=True)
    assert many > 20 * len(found)


def test_a_group_of_one_class_does_not_change_the_others():
    y, s, g = [1, 0] * 9 + [1] * 3, [0.8, 0.6, 0.3] * 7, list("abcaabbccabcabccba") + ["d"] * 3
    columns = {"y": y, "s": s, "g": g}
    with_it = tm.evaluate(columns, truth="y", score="s", by="g", measures="cohen_kappa")
    some = {name: column[:18] for name, column in columns.items()}
    without = tm.evaluate(some, truth="y", score="s", by="g", measures="cohen_kappa")
    for found in (with_it, without):
        together, apart = found._compared(0.99), found._compared(0.99)
        together.prepare(found, "cohen_kappa")
        assert [together.estimate(name, "cohen_kappa") for name in found] == [
            apart.estimate(name, "cohen_kappa") for name in found
        ]


@pytest.mark.full
def test_groups_with_a_way_of_their_own_are_estimated_each():
    for more in ({"rule": "youden"}, {"clusters": "ward"}):
        found = tm.evaluate(FRAME, truth="y", score="s", by="site", **more)
        compared = found._compared(0.9)
        compared.prepare(found, "f1")
        assert not compared._found
