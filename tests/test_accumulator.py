"""Streams and parts: an accumulator measures all its cases as `evaluate` does, in any order."""

import json
from functools import reduce
from itertools import chain, permutations
from operator import add

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm
from tallymark.cli import main
from tallymark.input.sources import tally

N = 240
RNG = np.random.default_rng(8)
Y = RNG.integers(0, 2, N)
P = np.round(0.3 * Y + 0.7 * RNG.random(N), 2)
CLASS = RNG.choice(["ant", "bee", "cow"], N, p=[0.6, 0.3, 0.1])
WORDS = np.where(Y, "sick", "well").astype(object)
SHARES = RNG.dirichlet((1, 1, 1), N)
WEIGHT = RNG.uniform(0.5, 2, N)
AMOUNT = RNG.normal(10, 2, N)
LABELS = RNG.integers(0, 2, (N, 3))
ANSWERS = np.where(RNG.random(N) < 0.1, "ERROR", WORDS).astype(object)
TASKS = {  # what describes the cases, and the cases
    "scores": ({}, {"truth": Y, "score": P}),
    "float32": ({}, {"truth": Y.astype(bool), "score": P.astype(np.float32)}),
    "words": ({"positive": "sick"}, {"truth": WORDS, "score": P}),
    "yes and no": ({}, {"truth": np.where(Y, "yes", "no").astype(object), "score": P}),
    "signs": ({}, {"truth": np.where(Y, "positive", "negative").astype(object), "score": P}),
    "lower is positive": ({"higher_is_positive": False}, {"truth": Y, "score": 1 - P}),
    "logits": ({"score_kind": "logit"}, {"truth": Y, "score": np.log(P + 0.01)}),
    "probabilities": ({"score_kind": "probability"}, {"truth": Y, "score": P}),
    "weights": ({}, {"truth": Y, "score": P, "weight": WEIGHT}),
    "counts": ({"weight_kind": "count"}, {"truth": Y, "score": P, "weight": RNG.integers(0, 4, N)}),
    "two columns": (
        {"positive": "sick", "classes": ["sick", "well"]},
        {"truth": WORDS, "score": np.column_stack([P, 1 - P])},
    ),
    "models": ({}, {"truth": Y, "score": {"old": P, "new": P**2}}),
    "predicted": ({"positive": "sick"}, {"truth": WORDS, "predicted": np.roll(WORDS, 9)}),
    "classes": ({}, {"truth": CLASS, "predicted": np.roll(CLASS, 5), "weight": WEIGHT}),
    "ordered": (
        {"classes": ["cow", "ant", "bee"], "ordered": True},
        {"truth": CLASS, "predicted": np.roll(CLASS, 5)},
    ),
    "other words": (
        {"positive": "sick", "predicted_positive": "pos", "classes": ["sick", "well"]},
        {"truth": WORDS, "predicted": np.where(P > 0.5, "pos", "neg").astype(object)},
    ),
    "no answer": (
        {"positive": "sick", "not_an_answer": ["ERROR"]},
        {"truth": WORDS, "predicted": ANSWERS},
    ),
    "score per class": ({}, {"truth": CLASS, "score": SHARES, "weight": WEIGHT}),
    "logits per class": ({"score_kind": "logit"}, {"truth": CLASS, "score": np.log(SHARES)}),
    "models per class": ({}, {"truth": CLASS, "score": {"a": SHARES, "b": SHARES[:, ::-1]}}),
    "several labels": ({}, {"truth": LABELS, "predicted": np.roll(LABELS, 3, axis=0), "weight": WEIGHT}),
    "amounts": ({"regression": True}, {"truth": AMOUNT, "predicted": AMOUNT + P}),
    "amounts, models": ({"regression": True}, {"truth": AMOUNT, "predicted": {"a": AMOUNT + P, "b": AMOUNT}}),
    "half precision": ({}, {"truth": Y, "score": P.astype(np.float16)}),
    "dropped labels": (
        {"missing": "drop"},
        {"truth": np.where(P > 0.7, None, Y), "predicted": np.where(P < 0.2, None, Y)},
    ),
    "dropped": ({"missing": "drop"}, {"truth": Y, "score": np.where(P > 0.9, np.nan, P)}),
}
PARTS = ((0, 7), (7, 8), (8, 100), (100, 100), (100, 130), (130, 131), (131, N))


def rows(cases, part):
    return {
        name: rows(values, part) if isinstance(values, dict) else values[slice(*part)]
        for name, values in cases.items()
    }


def accumulated(described, cases, parts=PARTS):
    found = tm.Accumulator(**described)
    for part in parts:
        found.update(**rows(cases, part))
    return found


HELD = ("ranking", "counts", "matrix", "scores", "indicators", "residuals", "unanswered")


def numbers(plain):
    """The numbers of plain values, and all the rest, each in its order."""
    if isinstance(plain, dict):
        plain = [part for pair in plain.items() for part in pair]
    if not isinstance(plain, (list, tuple)):
        return ([plain], []) if isinstance(plain, (int, float)) else ([], [plain])
    return tuple([*chain(*parts)] for parts in zip(*map(numbers, plain), strict=True)) if plain else ([], [])


def assert_same(found, expected):
    """The same summaries, facts, threshold and labels, of which all else is worked out."""
    assert type(found) is type(expected)
    if not isinstance(found, tm.Evaluation):
        assert list(found) == list(expected)
        for name in found:
            assert_same(found[name], expected[name])
        return
    held = [name for name in HELD if getattr(expected, name, None) is not None]
    assert held
    for name in (*held, "data"):
        pair = [getattr(one, name).to_dict() for one in (found, expected)]
        if name == "data":
            assert [one.pop("source") for one in pair]
            pair = [
                one | {"effective": e.data.effective_rows}
                for one, e in zip(pair, (found, expected), strict=True)
            ]
        (mine, my_texts), (theirs, texts) = map(numbers, pair)
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, err_msg=name)
        assert my_texts == texts
    for name in ("labels", "threshold", "higher_is_positive", "score_kind"):
        assert getattr(found, name, None) == getattr(expected, name, None), name


@in_part(3, ("fast", "full"))
@for_each("task", list(TASKS))
def test_a_stream_is_measured_as_all_its_cases_at_once(task, tmp_path):
    described, cases = TASKS[task]
    expected = tm.evaluate(**described, **cases)
    stream = accumulated(described, cases)
    assert_same(stream.evaluate(), expected)
    for part in ((0, 8), (8, 131), (131, N)):  # files of parts, in another order
        if "per class" not in task:
            accumulated(described, cases, [part]).save(tmp_path / f"{task}-{part[0]}.tally")
    if "per class" not in task:
        assert_same(tm.evaluate([*map(str, reversed(sorted(tmp_path.glob(f"{task}-*.tally"))))]), expected)
    stream.save(tmp_path / f"{task}.tally")
    loaded = tm.load(tmp_path / f"{task}.tally")
    assert_same(loaded.evaluate(), expected)
    loaded.update(**cases)
    stream.update(**cases)
    assert_same(loaded.evaluate(), stream.evaluate())


def code_of(call):
    with pytest.raises(tm.InputError) as refused:
        call()
    assert "\n" not in str(refused.value)
    return refused.value.code


def words(cases=slice(None), **described):
    found = tm.Accumulator(**{"positive": "sick", **described})
    found.update(truth=WORDS[cases], score=P[cases])
    return found


# Updates
# --------------------------------------------------------------------------------------------------


@for_each(
    "wrong",
    [
        {"truth": [0, 1], "score": [0.1, np.nan]},
        {"truth": np.array([0, 2]), "score": np.array([0.1, 0.2])},
        {"truth": np.array([0, 1]), "score": np.array([0.1, np.nan])},
        {"truth": np.array([0, 1]), "score": np.array([0.1, 0.2, 0.3])},
        {"truth": np.array(["a", "b"]), "score": np.array([0.1, 0.2])},
        {"truth": np.array([0, 1]), "predicted": np.array([0, 1])},
        {"truth": np.array([0, 1]), "score": np.array([0.1, 0.2]), "weight": np.array([1.0, 2.0])},
        {"truth": np.array([0, 1]), "score": {"a": np.array([0.1, 0.2])}},
        {"truth": np.array([0, 1])},
    ],
)
def test_a_wrong_update_is_refused_at_once_and_changes_nothing(wrong):
    stream = tm.Accumulator()
    for start in (0, 100, 200):
        stream.update(truth=Y[start : start + 40], score=P[start : start + 40])
    stream.update(truth=Y[40:60], score=P[40:60])
    assert code_of(lambda: stream.update(**wrong))
    assert stream.rows == 140
    stream.update(truth=Y[60:100], score=P[60:100])
    rest = np.r_[0:140, 200:240]
    assert_same(stream.evaluate(), tm.evaluate(truth=Y[rest], score=P[rest]))


def test_arrays_may_be_used_again_after_an_update():
    stream, truth, score = tm.Accumulator(), np.empty(60, int), np.empty(60)
    for start in range(0, N, 60):
        truth[:], score[:] = Y[start : start + 60], P[start : start + 60]
        stream.update(truth=truth, score=score)
    assert_same(stream.evaluate(), tm.evaluate(truth=Y, score=P))


def test_frames_and_files_are_updates_too(tmp_path):
    (tmp_path / "a.csv").write_text(
        "y,p,part\n" + "".join(f"{y},{p},{y}\n" for y, p in zip(Y, P, strict=True))
    )
    stream = tm.Accumulator()
    stream.update({"y": Y, "p": P}, truth="y", score="p")
    stream.update(tmp_path / "a.csv", truth="y", score="p", where="part = 1")
    assert stream.rows == N + Y.sum()
    expected = tm.evaluate(truth=np.r_[Y, Y[Y == 1]], score=np.r_[P, P[Y == 1]])
    assert_same(stream.evaluate(), expected)


def test_without_cases_there_is_nothing_to_measure():
    stream = tm.Accumulator()
    assert code_of(stream.evaluate) == "empty"
    stream.update(truth=[], score=[])
    assert (stream.rows, code_of(stream.evaluate)) == (0, "empty")
    stream.merge(tm.Accumulator())
    stream.update(truth=Y, score=P)
    assert_same((stream + tm.Accumulator()).evaluate(), tm.evaluate(truth=Y, score=P))


def test_of_sums_only_what_is_measured_may_be_named():
    stream = words()
    assert stream.evaluate(threshold=0.3, level=0.9, measures=["f1"])["f1"].level == 0.9
    for given in (
        {"where": "site = 1"},
        {"truth": "y"},
        {"positive": "sick"},
        {"by": "site"},
        {"clusters": "c"},
        {"score_kind": "logit"},
    ):
        assert code_of(lambda given=given: tm.evaluate(stream, **given)) in ("conflict", "unsupported")
    assert code_of(lambda: tm.Accumulator(positve=1)) == "unknown-name"
    for wrong in ("score_kind", "weight_kind", "missing"):
        assert code_of(lambda wrong=wrong: tm.Accumulator(**{wrong: "x"})) == "unknown-name"
    models = of(truth=Y, score={"a": P, "b": P})
    for call in (tm.choose_threshold, tm.calibration, tm.check):
        given = {"require": "f1 > 0"} if call is tm.check else {}
        assert code_of(lambda call=call, given=given: call(models, **given)) == "unsupported"


def test_memory_is_bounded(tmp_path):
    stream, rng = tm.Accumulator(memory=1 << 20), np.random.default_rng(1)
    truth, score = rng.integers(0, 2, (50, 2000)), rng.random((50, 2000))
    for update in zip(truth, score, strict=True):
        stream.update(truth=update[0], score=update[1])
    stream.save(tmp_path / "a.tally")
    area = tm.evaluate(truth=truth.ravel(), score=score.ravel())["roc_auc"].value
    for found in (stream.evaluate(), tm.evaluate(tmp_path / "a.tally")):
        assert len(found.binned) <= (1 << 20) // 64  # bytes of a bin
        low, high = found["roc_auc"].bounds
        assert low <= area <= high < low + 1e-3
        assert "scores-in-bins" in [notice.code for notice in found.notices]


# Merging
# --------------------------------------------------------------------------------------------------


def test_the_order_of_merging_does_not_matter():
    parts = [words(slice(*part)) for part in ((0, 50), (50, 51), (51, 200), (200, N))]
    expected = tm.evaluate(truth=WORDS, score=P, positive="sick")
    for order in permutations(parts):
        assert_same(reduce(add, order).evaluate(), expected)
    assert_same((parts[0] + (parts[1] + (parts[2] + parts[3]))).evaluate(), expected)
    twice = words()
    twice.merge(twice)
    assert twice.rows == 2 * N


def test_classes_may_be_absent_from_parts(tmp_path):
    called = np.roll(CLASS, 5)
    for label in ("ant", "bee", "cow"):
        part = tm.Accumulator()
        part.update(truth=CLASS[label == CLASS], predicted=called[label == CLASS])
        part.save(tmp_path / f"{label}.tally")
    assert_same(tm.evaluate(str(tmp_path / "*.tally")), tm.evaluate(truth=CLASS, predicted=called))
    for label in ("sick", "well"):
        words(label == WORDS).save(tmp_path / f"{label}.tally")
    assert tm.Accumulator.load(2 * [tmp_path / "well.tally"]).rows == 2 * (WORDS == "well").sum()
    both = tm.Accumulator.load([tmp_path / "well.tally", tmp_path / "sick.tally"])
    assert_same(both.evaluate(), tm.evaluate(truth=WORDS, score=P, positive="sick"))


def of(**cases):
    described = {
        name: cases.pop(name) for name in ("regression", "score_kind", "weight_kind") if name in cases
    }
    found = tm.Accumulator(**described)
    found.update(**cases)
    return found


@for_each(
    "other",
    [
        of(truth=Y, predicted=1 - Y),
        of(truth=Y, score=P, weight=WEIGHT),
        of(truth=Y, score={"a": P}),
        of(truth=Y, score=P, score_kind="probability"),
        of(truth=Y, score=P, weight=np.ones(N), weight_kind="count"),
        of(truth=-1 + 2 * Y, score=P),
        of(truth=np.where(Y, "yes", "no"), score=P),
        of(truth=AMOUNT, predicted=AMOUNT, regression=True),
        of(truth=CLASS, score=SHARES),
        words(),
        words(positive="well"),
    ],
)
def test_cases_that_do_not_add_up_are_refused(other, tmp_path):
    one = of(truth=Y, score=P)
    assert code_of(lambda: one.merge(other)) in ("mismatch", "labels")
    assert one.rows == N
    one.save(tmp_path / "a.tally")
    other.save(tmp_path / "b.tally")
    assert code_of(lambda: tm.evaluate([str(tmp_path / "a.tally"), str(tmp_path / "b.tally")]))


# Files
# --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    path = tmp_path_factory.mktemp("tally") / "a.tally"
    words(slice(0, 30)).save(path)
    return path.read_bytes()


def test_changed_and_cut_files_are_refused(content):
    read = type(words()._case_sums).from_bytes
    assert read(content, "a").cases.rows == 30
    for place in range(0, len(content), 10):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        assert code_of(lambda changed=changed: read(bytes(changed), "a")) == "unreadable"
    for length in range(len(content)):
        assert code_of(lambda length=length: read(content[:length], "a")) == "unreadable"
    assert code_of(lambda: read(content + b"x", "a")) == "unreadable"


def test_other_files_are_refused(tmp_path, monkeypatch, content):
    path = tmp_path / "a.tally"
    assert code_of(lambda: tm.load(path)) == "unreadable"
    frame = tm.RankingTable.from_arrays(truth=Y, score=P)
    frame.save(tmp_path / "a.parquet")
    for other in (b"", b"y,p\n1,0.5\n", (tmp_path / "a.parquet").read_bytes()):
        path.write_bytes(other)
        assert code_of(lambda: tm.evaluate(path)) == "unreadable"
    for meaning in ({}, {"cases": "score"}, {"cases": "score", "described": 1, "models": 1, "facts": {}}):
        path.write_bytes(tally.to_bytes(meaning, [np.arange(3)]))
        assert code_of(lambda: tm.load(path)) == "unreadable"
    monkeypatch.setattr(tally, "VERSION", 2)
    words().save(path)
    monkeypatch.setattr(tally, "VERSION", 1)
    with refuses("unreadable"):
        tm.load(path)
    assert code_of(lambda: tm.bootstrap(path, truth="y", score="p")) == "unsupported"
    assert code_of(lambda: tm.evaluate([path, "a.csv"])) == "mismatch"


def test_saving_is_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "a.tally"
    words().save(path)
    before = path.read_bytes()
    assert code_of(lambda: words().save(tmp_path / "none" / "a.tally")) == "not-written"
    assert code_of(lambda: words().save(tmp_path / "a.json")) == "not-written"
    (tmp_path / "full.tally").symlink_to("/dev/full")
    assert code_of(lambda: words().save(tmp_path / "full.tally")) == "not-written"

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert code_of(lambda: words(slice(0, 9)).save(path)) == "not-written"
    assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.tally", "full.tally"]


def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch, content):
    (tmp_path / "a.tally").write_bytes(content)
    monkeypatch.setattr(tally, "find_spec", lambda _: None)
    for call in (lambda: words().save(tmp_path / "b.tally"), lambda: tm.load(tmp_path / "a.tally")):
        with refuses("not-installed"):
            call()


def test_binned_tables_are_kept_with_their_losses(tmp_path):
    stream = of(truth=Y, score=P, weight=WEIGHT)
    sums = stream._case_sums
    table = tm.BinnedTable.from_table(sums.by_model[None]).compact(16)
    sums.sum.stack[:] = [(1, type(sums.by_model)({None: table}))]
    stream.save(tmp_path / "a.tally")
    found = tm.load(tmp_path / "a.tally")._case_sums.by_model[None]
    assert found == table
    assert list(found.losses) == list(table.losses)
    for name, losses in table.losses.items():
        np.testing.assert_array_equal(found.losses[name].sums, losses.sums)


# Where sums are taken in place of cases
# --------------------------------------------------------------------------------------------------


def test_verbs_take_sums(tmp_path):
    old, new = words(slice(0, 100)), words(slice(100, N))
    for name, one in (("old", old), ("new", new)):
        one.save(tmp_path / f"{name}.tally")
    paths = str(tmp_path / "old.tally"), str(tmp_path / "new.tally")
    cases = {"truth": WORDS[100:], "score": P[100:]}
    expected = tm.compare(old.evaluate(), new.evaluate(), measures="roc_auc")
    for pair in (paths, (old, new)):
        found = tm.compare(*pair, measures="roc_auc")
        assert found["roc_auc"].estimate == expected["roc_auc"].estimate
    gate = {"no_worse_than": 0.1, "measures": "roc_auc"}
    verdicts = [
        tm.check(**cases, positive="sick", baseline=paths[0], **gate),
        tm.check(paths[1], baseline=paths[0], **gate),
        tm.check(
            {"y": WORDS[100:], "p": P[100:]}, truth="y", score="p", positive="sick", baseline=old, **gate
        ),
    ]
    assert len({verdict.findings[0].estimate.low for verdict in verdicts}) == 1
    assert tm.check(new, require="roc_auc >= 0.5").passed
    assert tm.choose_threshold(paths[0], rule="youden", replicates=0).threshold > 0
    assert tm.calibration(old)["calibration_slope"] == old.evaluate()["calibration_slope"]


def test_the_commands(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*words):
        capsys.readouterr()
        status = main([*words])
        return status, *capsys.readouterr()

    for name, part in (("a", slice(0, 100)), ("b", slice(100, N))):
        lines = [f"{y},{p}\n" for y, p in zip(WORDS[part], P[part], strict=True)]
        (tmp_path / f"{name}.csv").write_text("y,p\n" + "".join(lines))
        told = ["--truth", "y", "--score", "p", "--positive", "sick"]
        done = run("tally", f"{name}.csv", *told, "-o", f"{name}.tally")
        assert done == (0, f"{name}.tally: {len(lines)} cases\n", "")
    assert run("merge", "b.tally", "a.tally", "-o", "all.tally")[1] == f"all.tally: {N} cases\n"
    found = json.loads(run("evaluate", "all.tally", "--measure", "roc_auc", "--json")[1])
    expected = json.loads(run("evaluate", "a.csv", "b.csv", *told, "--measure", "roc_auc", "--json")[1])
    assert found["measures"] == expected["measures"]
    assert run("check", "all.tally", "--require", "roc_auc >= 0.5")[0] == 0
    gate = ["--baseline", "a.tally", "--no-worse-than", "0.5"]
    assert run("check", "b.csv", *told, *gate)[0] == 0
    assert run("curve", "roc", "all.tally")[1].startswith("threshold,")
    (tmp_path / "torn.tally").write_bytes((tmp_path / "all.tally").read_bytes()[:-9])
    for wrong in (
        ["evaluate", "torn.tally"],
        ["merge", "a.tally", "torn.tally", "-o", "c.tally"],
        ["merge", "a.csv", "-o", "c.tally"],
        ["tally", "a.csv", "--truth", "y", "--score", "p", "-o", "c.csv"],
        ["tally", "a.csv", "--truth", "y", "--score", "none", "-o", "c.tally"],
        ["evaluate", "a.csv", "--score", "p"],
        ["evaluate", "all.tally", "--truth", "y"],
    ):
        status, _, said = run(*wrong)
        assert (status, said.count("\n")) == (2, 1), wrong
    assert not (tmp_path / "c.tally").exists()


def test_held_rows_are_not_lost():
    accumulator = tm.Accumulator()
    for _ in range(2):
        accumulator.update(truth=np.array([0, 1]), score=np.array([0.2, 0.7]))
    accumulator.merge()
    assert accumulator.rows == 4
    assert accumulator.evaluate().data.rows == 4


def test_counts_that_are_not_whole_are_refused_at_once():
    accumulator, given = (
        tm.Accumulator(weight_kind="count"),
        {"truth": np.array([0, 1]), "score": np.array([0.2, 0.7])},
    )
    for _ in range(3):
        accumulator.update(**given, weight=np.array([1.0, 2.0]))
    with refuses("invalid-value", "whole", argument="weight"):
        accumulator.update(**given, weight=np.array([1.0, 2.5]))
    assert accumulator.evaluate().data.rows == 6


def test_a_label_that_no_file_holds_is_refused_when_saved(tmp_path):
    accumulator = tm.Accumulator(classes=["a", "\ud800"], positive="a")
    accumulator.update(truth=["a", "\ud800"], predicted=["a", "a"])
    with refuses("invalid-value", argument="label"):
        accumulator.save(tmp_path / "a.tally")
    assert not [*tmp_path.iterdir()]


def test_files_of_sums_are_compared_as_a_model_each(tmp_path, capsys):
    for name, score in {"old": P, "new": P**2}.items():
        accumulated({}, {"truth": Y[: 200 + len(name)], "score": score[: 200 + len(name)]}).save(
            tmp_path / f"{name}.tally"
        )
    files = [str(tmp_path / "old.tally"), str(tmp_path / "new.tally")]
    found = tm.compare(files, paired=False, measures="roc_auc")
    assert found.to_dict() == tm.compare(*files, paired=False, measures="roc_auc").to_dict()
    assert main(["compare", *files, "--measure", "brier_score"]) == 2  # as many cases: which may be the same
    assert "paired" in capsys.readouterr().err


def test_messages_of_streams_name_what_an_accumulator_takes():
    found = tm.Accumulator()
    for labels in ([0, 2], ["x", "y"]):
        with refuses("labels", argument="truth"):
            found.update(truth=labels, score=[0.1, 0.2])
    each = [accumulated({}, {"truth": Y, "score": {"old": P, name: P}}) for name in ("new", "other")]
    with refuses("mismatch", "'old'", "'new'", "'other'"):
        each[0].merge(each[1])


@for_each("task", ["score per class", "amounts"])
def test_streams_that_hold_each_case_are_refused_beyond_the_memory(task):
    described, cases = TASKS[task]
    many = {name: np.tile(values, (40,) + (1,) * (values.ndim - 1)) for name, values in cases.items()}
    if task == "amounts":
        many["truth"] = many["truth"] + np.arange(40 * N) * 1e-6
    stream = tm.Accumulator(**described, memory="4MiB")
    parts = [{**many, "truth": many["truth"] + i if task == "amounts" else many["truth"]} for i in range(9)]
    refused = []
    for part in parts:
        try:
            stream.update(**part)
        except tm.InputError as error:
            refused.append((error.code, error.argument))
    assert len(refused) > 4
    assert {*refused} == {("unsupported", "memory")}
    assert stream.evaluate().data.rows == stream.rows == (9 - len(refused)) * 40 * N
    with refuses("unsupported", argument="memory"):
        tm.evaluate(**described, **many, memory="1MiB")


def test_a_stream_beyond_the_memory_is_counted_in_its_bins_and_a_wrong_update_changes_nothing():
    many = np.random.default_rng(3)
    score = many.random((12, 20_000))
    truth = many.random(score.shape) < score
    stream = tm.Accumulator(memory="2MiB")
    for y, p in zip(truth, score, strict=True):
        stream.update(truth=y, score=p)
    exact = tm.evaluate(truth=truth.ravel(), score=score.ravel())
    found = stream.evaluate()
    assert len(found.binned) < 16_384
    low, high = found["roc_auc"].bounds
    assert low <= exact["roc_auc"].value <= high < low + 1e-3
    assert found["brier_score"].value == pytest.approx(exact["brier_score"].value, rel=1e-12)
    assert found["recall"] == exact["recall"]
    p = score[0].copy()
    p[19_999] = np.nan
    assert code_of(lambda: stream.update(truth=truth[0], score=p)) == "missing-value"
    assert_same(stream.evaluate(), found)
