"""Baselines without the data: what `release` keeps of the cases, and `check` against it."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.cli import main

pytest.importorskip("pyarrow")

RANDOM = np.random.default_rng(21)
N = 600
Y = RANDOM.integers(0, 2, N)
SIGNAL = Y + RANDOM.normal(0, 1.2, N)
NEW = pd.DataFrame(
    {
        "id": [f"case-{i}" for i in range(N)],
        "y": Y,
        "p": np.round(1 / (1 + np.exp(-SIGNAL)), 3),
        "g": [f"patient-{i // 3}" for i in range(N)],
        "a": RANDOM.integers(0, 40, N),
        "b": RANDOM.integers(40, 80, N),
        "w": np.round(RANDOM.random(N) + 0.5, 2),
        "site": np.where(np.arange(N) % 2, "north", "south"),
        "kind": np.array(["cat", "dog", "eel"])[RANDOM.integers(0, 3, N)],
        "amount": RANDOM.normal(0, 1, N),
    }
)
NEW["called"] = np.where(RANDOM.random(N) < 0.8, NEW.kind, "dog")
NEW["guess"] = NEW.amount + RANDOM.normal(0, 0.5, N)
OLD = NEW.assign(
    p=np.round(1 / (1 + np.exp(-SIGNAL - RANDOM.normal(0, 0.8, N))), 3),
    called=np.where(RANDOM.random(N) < 0.7, NEW.kind, "eel"),
    guess=NEW.amount + RANDOM.normal(0, 0.6, N),
).sample(frac=1, random_state=3)
KEY, OTHER = b"0123456789abcdef", b"another key of some length"
SCORES = {"truth": "y", "score": "p", "pair_by": "id"}
MARGIN = {"no_worse_than": 0.02}


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "release.tally")


def saved(path, data=OLD, key=KEY, **given):
    tm.release(data, **{**SCORES, "key": key, **given}).save(path)
    return path


def differences(verdict):
    return [finding.estimate for finding in verdict.findings]


# Paired
# --------------------------------------------------------------------------------------------------


def test_the_interval_is_that_of_the_raw_cases(path):
    measures = ["roc_auc", "log_loss", "sensitivity at threshold 0.4"]
    asked = {**SCORES, **MARGIN, "measures": measures}
    raw = tm.check(NEW, **asked, baseline=OLD)
    assert differences(tm.check(NEW, **asked, baseline=saved(path), key=KEY)) == differences(raw)


@pytest.mark.full
@for_each(
    ("given", "measures"),
    [
        ({}, ["roc_auc", "log_loss", "accuracy", "sensitivity at threshold 0.4"]),
        ({"clusters": "g"}, ["roc_auc", "brier_score"]),
        ({"persons": ("a", "b")}, ["roc_auc"]),
        ({"weight": "w"}, ["roc_auc", "f1"]),
        ({"score": None, "truth": "kind", "predicted": "called"}, ["accuracy", "macro_f1"]),
    ],
    ids=["scores", "clusters", "persons", "weights", "classes"],
)
def test_the_interval_is_that_of_both_raw_files(given, measures, path):
    given = {**SCORES, **given}
    raw = tm.check(NEW, **given, **MARGIN, measures=measures, baseline=OLD)
    from_file = tm.check(NEW, **given, **MARGIN, measures=measures, baseline=saved(path, **given), key=KEY)
    assert differences(from_file) == differences(raw)
    assert from_file.evaluation.to_dict() == raw.evaluation.to_dict()
    assert "release.tally, on the same cases, compared case by case" in from_file.baseline


PROB = [f"prob_{name}" for name in ("cat", "dog", "eel")]


def with_scores(cases, shift):
    """The cases with a score per class."""
    scores = np.random.default_rng(shift).normal(0, 1, (N, 3))
    scores[np.arange(N), [["cat", "dog", "eel"].index(kind) for kind in NEW.kind]] += shift / 2
    scores = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    return cases.sort_index().assign(**{name: scores[:, i] for i, name in enumerate(PROB)})


@pytest.mark.full
@for_each(
    ("given", "columns", "measure"),
    [
        ({"truth": "amount", "predicted": "guess", "regression": True}, "guess", "mae"),
        ({"truth": "kind", "score": PROB}, PROB, "macro_roc_auc"),
        ({"truth": "kind", "score": PROB}, PROB, "log_loss"),
    ],
    ids=["amounts", "scores per class", "a mean of scores per class"],
)
def test_of_every_task_as_in_compare(given, columns, measure):
    new, old = with_scores(NEW, 3), with_scores(OLD, 2)
    kind = "score" if "score" in given else "predicted"
    models = {"old": old[columns].to_numpy(), "new": new[columns].to_numpy()}
    arrays = {**given, "truth": NEW[given["truth"]].to_numpy(), kind: models}
    wanted = tm.compare(**arrays, reference="old", measures=[measure]).differences[0].estimate
    asked = {**given, "pair_by": "id", **MARGIN, "measures": measure}
    shuffled = old.sample(frac=1, random_state=2)
    kept = tm.release(shuffled, **given, pair_by="id", key=KEY)
    named = {f"old {name}": old[name] for name in ([columns] if kind == "predicted" else columns)}
    beside = {**asked, "pair_by": None, "baseline_score": [*named] if kind == "score" else f"old {columns}"}
    for verdict in (
        tm.check(new, **asked, baseline=shuffled),
        tm.check(new, **asked, baseline=kept, key=KEY),
        tm.check(new.assign(**named), **beside),
    ):
        assert differences(verdict) == [wanted]


def test_several_labels_of_two_models():
    truth = RANDOM.integers(0, 2, (200, 3))
    new, old = (np.where(RANDOM.random((200, 3)) < right, truth, 1 - truth) for right in (0.9, 0.8))
    found = tm.check(truth=truth, predicted=new, baseline_score=old, **MARGIN, measures="macro_f1")
    wanted = tm.compare(
        truth=truth, predicted={"old": old, "new": new}, reference="old", measures=["macro_f1"]
    )
    assert differences(found) == [wanted.differences[0].estimate]


def test_arrays_and_a_release_in_memory():
    kept = tm.release(truth=OLD.y.to_numpy(), score=OLD.p.to_numpy(), pair_by=OLD.id.to_numpy(), key=KEY)
    arrays = {"truth": NEW.y.to_numpy(), "score": NEW.p.to_numpy(), "pair_by": NEW.id.to_numpy()}
    found = tm.check(**arrays, baseline=kept, key=KEY, **MARGIN)
    assert differences(found) == differences(tm.check(NEW, **SCORES, baseline=OLD, **MARGIN))


def test_the_key_may_be_in_a_file_or_in_the_environment(path, tmp_path, monkeypatch):
    written = tmp_path / "key.txt"
    written.write_bytes(KEY + b"\n")
    wanted = differences(tm.check(NEW, **SCORES, **MARGIN, baseline=saved(path), key=KEY))
    assert differences(tm.check(NEW, **SCORES, **MARGIN, baseline=path, key=written)) == wanted
    monkeypatch.setenv("TALLYMARK_KEY", KEY.decode())
    assert differences(tm.check(NEW, **SCORES, **MARGIN, baseline=path)) == wanted
    assert tm.release(OLD, **SCORES).names == "key"


def test_a_label_may_be_typed_in_a_shell():
    kept = tm.release(OLD, **SCORES, positive=1, key=KEY)
    found = tm.check(NEW, **SCORES, **MARGIN, positive="1", baseline=kept, key=KEY)
    assert "on the same cases" in found.baseline


def test_neither_key_nor_names_are_in_the_file(path):
    content = Path(saved(path, clusters="g", persons=None)).read_bytes()
    for secret in (KEY, KEY.hex().encode(), b"case-1", b"patient-1"):
        assert secret not in content


def test_without_a_key_there_is_a_salt_of_its_own(path, tmp_path):
    kept = [tm.release(OLD, **SCORES) for _ in range(2)]
    assert [one.names for one in kept] == ["salt", "salt"]
    paths = [tmp_path / f"{i}.tally" for i in range(2)]
    for one, to in zip(kept, paths, strict=True):
        one.save(to)
        found = tm.check(NEW, **SCORES, **MARGIN, baseline=to)
        assert differences(found) == differences(tm.check(NEW, **SCORES, **MARGIN, baseline=OLD))
    hashes = [set(one._case_sums.release.columns["pair_by"].values.tolist()) for one in kept]
    assert len(hashes[0]) == N
    assert not hashes[0] & hashes[1]


@for_each("kind", [np.int8, np.int64, np.uint64, np.float64], ids=["int8", "int64", "uint64", "float64"])
def test_whole_numbers_name_the_same_case_in_any_type(kind):
    few = NEW[:100].assign(id=np.arange(100))
    kept = tm.release(few, **SCORES, key=KEY)
    found = tm.check(few.assign(id=few.id.astype(kind)), **SCORES, **MARGIN, baseline=kept, key=KEY)
    assert "on the same cases" in found.baseline


@for_each("unit", ["D", "h", "s", "us", "ns"])
def test_days_name_the_same_case_in_any_unit(unit):
    days = np.datetime64("2020-01-01") + np.arange(100)
    cases = {"truth": Y[:100], "score": NEW.p[:100].to_numpy(), "key": KEY}
    kept = tm.release(**cases, pair_by=days.astype("M8[D]"))
    found = tm.check(**cases, **MARGIN, pair_by=days.astype(f"M8[{unit}]"), baseline=kept)
    assert "on the same cases" in found.baseline
    own, old = ({"y": Y[:100], "p": cases["score"], "id": days.astype(f"M8[{of}]")} for of in (unit, "D"))
    assert "on the same cases" in tm.check(own, **SCORES, **MARGIN, baseline=old).baseline


def test_times_name_the_same_case_in_any_source(tmp_path):
    for step in (np.timedelta64(1, "D"), np.timedelta64(90, "s"), np.timedelta64(1500, "ms")):
        times = np.datetime64("2020-01-01T00:00:00.000") + step * np.arange(100)
        cases = NEW[:100].assign(id=times)
        cases.to_csv(tmp_path / "cases.csv", index=False)
        cases.to_parquet(tmp_path / "cases.parquet", index=False)
        kept = tm.release(cases, **SCORES, key=KEY)
        for ending in ("csv", "parquet"):
            found = tm.check(str(tmp_path / f"cases.{ending}"), **SCORES, **MARGIN, baseline=kept, key=KEY)
            assert "on the same cases" in found.baseline


@for_each(("truth", "given"), [("y", {"score": "p"}), ("kind", {"predicted": "called"})])
def test_text_in_arrays_is_that_of_a_file(truth, given, tmp_path):
    OLD.to_csv(tmp_path / "old.csv", index=False)
    columns = (truth, "id", *given.values())
    arrays = {name: np.array(NEW[name].tolist()) for name in columns}
    names = {"truth": truth, **given, "pair_by": "id", "measures": "accuracy", "no_worse_than": 0.2}
    of_file = tm.check(NEW, **names, baseline=str(tmp_path / "old.csv"))
    of_arrays = tm.check(arrays, **names, baseline=str(tmp_path / "old.csv"))
    assert differences(of_arrays) == differences(of_file)
    kept = tm.release(OLD, truth=truth, **given, pair_by="id", key=KEY)
    assert differences(tm.check(arrays, **names, baseline=kept, key=KEY)) == differences(of_file)


def test_a_key_where_its_file_is_meant_is_not_shown(tmp_path, capsys):
    secret, path = KEY.decode(), str(tmp_path / "new.csv")
    NEW.to_csv(path, index=False)
    with refuses("unreadable", "TALLYMARK_KEY", argument="key") as refused:
        tm.release(NEW, **SCORES, key=secret)
    assert secret not in str(refused.value)
    words = ["release", "save", path, "--truth", "y", "--score", "p", "--id", "i", "--key", secret]
    assert main([*words, "-o", str(tmp_path / "x.tally")]) == 2
    said = capsys.readouterr().err
    assert "TALLYMARK_KEY" in said
    assert secret not in said


def test_answers_that_are_no_class():
    """In the order of the new cases."""
    new, old = (frame.assign(called=frame.called.where(frame.index % 7 > 0, "ERROR")) for frame in (NEW, OLD))
    given = {
        "truth": "kind", "predicted": "called", "pair_by": "id", "not_an_answer": ["ERROR"],
    }  # fmt: skip
    kept = tm.release(old, **given, key=KEY)
    asked = {**given, **MARGIN, "measures": "accuracy"}
    found = [differences(tm.check(new, **asked, baseline=one)) for one in (old, old.sort_index())]
    assert found[0] == found[1]
    assert differences(tm.check(new, **asked, baseline=kept, key=KEY)) == found[0]
    assert tm.evaluate(kept).unanswered == tm.evaluate(
        old, truth="kind", predicted="called", not_an_answer=["ERROR"]
    ).unanswered  # fmt: skip


# Other cases
# --------------------------------------------------------------------------------------------------


def test_a_changed_test_set_is_paired_on_the_cases_in_both():
    kept = tm.release(OLD[OLD.index >= 60], **SCORES, key=KEY)
    new = NEW[NEW.index < 560]
    shared = tm.check(
        new[new.index >= 60], **SCORES, **MARGIN, baseline=OLD[(OLD.index >= 60) & (OLD.index < 560)]
    )
    for baseline, more in ((kept, {"key": KEY}), (OLD[OLD.index >= 60], {})):
        found = tm.check(new, **SCORES, require="n >= 1", **MARGIN, baseline=baseline, **more)
        assert found.findings[1].estimate.low == shared.findings[0].estimate.low
        assert found.findings[0].compared == 560  # of all new cases
        assert all(part in found.baseline for part in ("500", "560 in the data", "540 in the baseline"))
        notice = found.notices[0]
        assert (notice.code, notice["lost"], notice["shared"]) == ("cases-left-out", 40, 500)
        assert "500 cases that are in both" in found.findings[1].how
    more_cases = tm.check(NEW, **SCORES, **MARGIN, baseline=kept, key=KEY)
    assert "cases-left-out" not in [notice.code for notice in more_cases.notices]
    assert "540" in more_cases.baseline


def test_weights_of_the_cases_in_both():
    given = {**SCORES, "weight": "w", **MARGIN}
    kept = tm.release(OLD[OLD.index >= 60], **{**SCORES, "weight": "w"}, key=KEY)
    found = tm.check(NEW, **given, baseline=kept, key=KEY)
    wanted = tm.check(NEW[NEW.index >= 60], **given, baseline=OLD[OLD.index >= 60])
    assert differences(found) == differences(wanted)


@for_each(
    ("new", "said"),
    [
        (NEW[:299], ("299", "less than half")),
        (NEW.assign(id=NEW.id + "x"), ("none of them",)),
    ],
    ids=["few shared", "none shared"],
)
def test_too_few_cases_are_shared(new, said):
    kept = tm.release(OLD, **SCORES, key=KEY)
    with refuses("mismatch", *said, argument="pair_by"):
        tm.check(new, **SCORES, **MARGIN, baseline=kept, key=KEY)


def test_without_names_it_is_a_summary():
    kept = tm.release(OLD[:500], **{**SCORES, "clusters": "g"}, key=KEY)
    unpaired = {"truth": "y", "score": "p", "clusters": "g", **MARGIN}
    found = tm.check(NEW, **unpaired, baseline=kept)
    wanted = tm.check(NEW, **unpaired, baseline=OLD[:500])
    assert differences(found)[0].low == pytest.approx(differences(wanted)[0].low, abs=1e-12)
    assert "500 other cases, taken as independent" in found.baseline
    with refuses("ambiguous", "pass pair_by=", argument="baseline"):
        tm.check(NEW, truth="y", score="p", **MARGIN, baseline=tm.release(OLD, **SCORES, key=KEY))


# What is not right
# --------------------------------------------------------------------------------------------------


def test_labels_that_differ_are_counted():
    flipped = NEW.assign(y=np.where(NEW.index < 12, 1 - NEW.y, NEW.y))
    kept = tm.release(OLD, **SCORES, key=KEY)
    with refuses("mismatch", "'case-0'", "11 more cases differ", argument="truth"):
        tm.check(flipped, **SCORES, **MARGIN, baseline=kept, key=KEY)


def test_clusters_that_differ_are_found_by_their_hashes():
    given = {**SCORES, "clusters": "g"}
    kept = tm.release(OLD, **given, key=KEY)
    other = NEW.assign(g=np.where(NEW.index == 7, "patient-0", NEW.g))
    with refuses("mismatch", "'case-7'", "'patient-0'", "another one", argument="clusters"):
        tm.check(other, **given, **MARGIN, baseline=kept, key=KEY)
    with refuses("needed", argument="clusters"):
        tm.check(NEW, **SCORES, **MARGIN, baseline=kept, key=KEY)


NO_BASELINE = {"baseline": None, "no_worse_than": None, "require": "n >= 1", "pair_by": None}


@for_each(
    ("given", "code", "argument"),
    [
        ({}, "needed", "key"),
        ({"key": OTHER}, "mismatch", "key"),
        ({"key": b"short"}, "invalid-value", "key"),
        ({"key": "no such file"}, "unreadable", "key"),
        ({"key": 3}, "unreadable", "key"),
        ({"key": KEY, "baseline": OLD}, "conflict", "key"),
        ({**NO_BASELINE, "key": KEY}, "conflict", "key"),
        ({"key": KEY, "baseline_score": "p"}, "conflict", "baseline_score"),
        ({"key": KEY, "positive": 0}, "mismatch", "positive"),
        ({"key": KEY, "score": None, "predicted": "y", "measures": "accuracy"}, "mismatch", "predicted"),
        ({"key": KEY, "baseline": "salted"}, "conflict", "key"),
        ({"baseline": "counts"}, "unsupported", "pair_by"),
        ({"key": KEY, "paired": False}, "mismatch", "paired"),
        ({"key": KEY, "data": NEW.assign(y=NEW.y.map({0: "0", 1: "1"}))}, "mismatch", "truth"),
        ({"key": KEY, "data": tm.release(NEW, **SCORES, key=KEY)}, "unsupported", "pair_by"),
    ],
)  # fmt: skip
def test_calls_that_are_wrong(given, code, argument, monkeypatch):
    monkeypatch.delenv("TALLYMARK_KEY", raising=False)
    kept = {
        "salted": lambda: tm.release(OLD, **SCORES),
        "counts": lambda: tm.release(OLD, truth="y", score="p", coarse=10),
    }
    given = {**SCORES, **MARGIN, "baseline": tm.release(OLD, **SCORES, key=KEY), **given}
    if isinstance(given["baseline"], str):
        given["baseline"] = kept[given["baseline"]]()
    with refuses(code, argument=argument):
        tm.check(given.pop("data", NEW), **given)


@for_each(
    ("given", "code", "argument"),
    [
        ({"pair_by": None}, "needed", "pair_by"),
        ({"truth": None}, "needed", "truth"),
        ({"coarse": 10}, "conflict", "pair_by"),
        ({"coarse": -1, "pair_by": None}, "invalid-value", "coarse"),
        ({"coarse": N + 1, "pair_by": None}, "invalid-value", "coarse"),
        ({"coarse": 10, "pair_by": None, "weight": "w"}, "unsupported", "coarse"),
        ({"pair_by": "site"}, "repeated", "pair_by"),
        ({"pair_by": "nope"}, "unknown-name", "pair_by"),
        ({"data": NEW.assign(id=NEW.id.where(NEW.index != 5))}, "missing-value", "pair_by"),
        ({"data": NEW.assign(p=NEW.p.where(NEW.index != 5))}, "missing-value", "score"),
        ({"by": "truth", "data": NEW.rename(columns={"site": "truth"})}, "conflict", "by"),
        ({"score": {"one": "p", "other": "w"}}, "conflict", "score"),
    ],
)
def test_releases_that_cannot_be_made(given, code, argument):
    with refuses(code, argument=argument):
        tm.release(given.pop("data", NEW), **{**SCORES, **given})


def test_several_labels_are_not_paired():
    with refuses("unsupported", argument="truth"):
        tm.release(truth=np.eye(3, dtype=int), predicted=np.eye(3, dtype=int), pair_by=[1, 2, 3])


def test_a_file_that_is_torn_or_foreign(path):
    content = Path(saved(path)).read_bytes()
    for other in (
        content[:-40],
        content[: len(content) // 2],
        b"",
        b"no release",
        content.replace(b"salt", b"sAlt"),
    ):
        Path(path).write_bytes(other)
        with refuses("unreadable"):
            tm.check(NEW, **SCORES, **MARGIN, baseline=path, key=KEY)


SIMPLE = (
    "roc_auc",
    "brier_score",
    "accuracy",
    "f1",
    "mcc",
    "macro_f1",
    "mae",
    "r2",
)  # that are not resampled


# As data
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each(
    "given",
    [
        {"truth": "y", "score": "p", "clusters": "g"},
        {"truth": "kind", "predicted": "called"},
        {"truth": "amount", "predicted": "guess", "regression": True},
        {"truth": "y", "score": "p", "weight": "w"},
    ],
    ids=["scores in clusters", "classes", "amounts", "weights"],
)
def test_it_is_evaluated_as_its_cases(given, path):
    tm.release(OLD, **given, pair_by="id", key=KEY, by="site").save(path)
    kept, wanted = tm.load(path), tm.evaluate(OLD, **given)
    assert isinstance(kept, tm.Release)
    assert (kept.rows, kept.names) == (N, "key")
    assert {"site", "truth", "pair_by"} <= set(kept.columns)
    for found in (tm.evaluate(kept), tm.evaluate(path)):
        for name, estimate in found.estimates.items():
            for end in ("value", "low", "high") if name in SIMPLE else ("value",):
                expected = getattr(wanted[name], end)
                assert getattr(estimate, end) == pytest.approx(expected, abs=1e-9, nan_ok=True), name
    groups = tm.evaluate(path, by="site")
    assert list(groups) == ["north", "south"]
    assert groups["north"].data.rows == (OLD.site == "north").sum()


def test_a_score_per_class(path):
    scores = RANDOM.dirichlet([1, 1, 1], N)
    cases = NEW.assign(**{f"prob_{name}": scores[:, i] for i, name in enumerate(("cat", "dog", "eel"))})
    given = {"truth": "kind", "score": ["prob_cat", "prob_dog", "prob_eel"]}
    saved(path, cases, **given)
    assert tm.evaluate(path)["macro_roc_auc"].value == pytest.approx(
        tm.evaluate(cases, **given)["macro_roc_auc"].value
    )


def test_counts_alone(path):
    tm.release(OLD, truth="y", score="p", coarse=10).save(path)
    table = tm.release(OLD, truth="y", score="p", coarse=10)._case_sums.by_model[None]
    assert min(table.positive + table.negative) >= 10
    assert not {*OLD.p} & {*table.low[1:-1].tolist(), *table.high[1:-1].tolist()} - {0.0, 0.5, 1.0}
    found, exact = tm.evaluate(path), tm.evaluate(OLD, truth="y", score="p")
    assert found["accuracy"].value == exact["accuracy"].value
    low, high = found["roc_auc"].bounds
    assert low <= exact["roc_auc"].value <= high
    verdict = tm.check(NEW, truth="y", score="p", no_worse_than=0.2, baseline=path, paired=False)
    least, most = verdict.findings[0].estimate.bounds
    difference = tm.evaluate(NEW, truth="y", score="p")["roc_auc"].value - exact["roc_auc"].value
    assert least <= difference <= most
    labels = tm.release(OLD, truth="kind", predicted="called", coarse=1)
    assert tm.evaluate(labels)["accuracy"] == tm.evaluate(OLD, truth="kind", predicted="called")["accuracy"]


def test_counts_of_infinite_scores():
    scores = np.where(NEW.p > 0.8, np.inf, np.where(NEW.p < 0.2, -np.inf, NEW.p))
    kept = tm.release(truth=Y, score=scores, coarse=20)
    low, high = tm.evaluate(kept)["roc_auc"].bounds
    assert low <= tm.evaluate(truth=Y, score=scores)["roc_auc"].value <= high


@for_each("fewest", [1, 2, 5, 10, 60, 599, 600])
@for_each("digits", [0, 1, 2, 6])
def test_every_bin_of_counts_has_enough_cases(fewest, digits):
    score = np.round(np.where(RANDOM.random(N) < 0.5, 3 * SIGNAL, SIGNAL), digits)
    kept = tm.release(truth=Y, score=score, coarse=fewest)
    table = kept._case_sums.by_model[None]
    sizes = table.positive + table.negative
    assert min(sizes) >= fewest
    assert sizes.sum() == N
    low, high = tm.evaluate(kept)["roc_auc"].bounds or [tm.evaluate(kept)["roc_auc"].value] * 2
    assert low - 1e-12 <= tm.evaluate(truth=Y, score=score)["roc_auc"].value <= high + 1e-12


def test_it_does_not_add_up(path):
    saved(path)
    with refuses("unsupported", "release"):
        tm.Accumulator.load(path)
    with refuses("unsupported", "release"):
        tm.evaluate([path, path])


# On the command line
# --------------------------------------------------------------------------------------------------


def test_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TALLYMARK_KEY", raising=False)
    NEW.to_csv("new.csv", index=False)
    OLD.to_csv("old.csv", index=False)
    Path("key.txt").write_bytes(KEY)
    Path("other.txt").write_bytes(OTHER)
    columns = ["--truth", "y", "--score", "p", "--id", "id"]

    def run(*words):
        status = main([*words])
        return status, capsys.readouterr()

    status, said = run("release", "save", "old.csv", *columns, "--key", "key.txt", "-o", "release.tally")
    assert status == 0
    assert "600 cases" in said.out
    check = ["check", "new.csv", *columns, "--no-worse-than", "0.02", "--json", "--baseline"]
    by_file = run(*check, "release.tally", "--key", "key.txt")
    raw = run(*check, "old.csv")
    findings = [json.loads(one[1].out)["findings"] for one in (by_file, raw)]
    assert findings[0] == findings[1]
    assert by_file[0] == raw[0]
    for words, said in (
        (["release.tally"], "TALLYMARK_KEY"),
        (["release.tally", "--key", "other.txt"], "not the key"),
        (["new.tally"], "cannot be read"),
    ):
        status, out = run(*check, *words)
        assert (status, out.out) == (2, "")
        assert said in out.err
    monkeypatch.setenv("TALLYMARK_KEY", KEY.decode())
    assert run(*check, "release.tally")[0] == by_file[0]
    assert run("evaluate", "release.tally")[0] == 0
    assert run("release", "save", "old.csv", "--truth", "y", "--score", "p", "-o", "x.tally")[0] == 2
    assert run("release", "save", "old.csv", *columns[:4], "--coarse", "10", "-o", "counts.tally")[0] == 0
