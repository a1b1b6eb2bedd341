"""Scores in bounded memory: exact while the distinct ones fit, in bins with certified bounds beyond."""

import json
import pickle
import subprocess
import sys
import textwrap
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.cli import main
from tallymark.input.memory import checked as size_of
from tallymark.kernels import Between
from tallymark.kernels._numpy import Between as Twin

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
csv = pytest.importorskip("pyarrow.csv")

LIMIT = "1MiB"  # 8,192 distinct scores
N, BATCH = 100_000, 20_000
rng = np.random.default_rng(7)
TRUTH = rng.random(N) < 0.3
MARGIN = rng.normal(np.where(TRUTH, 0.8, -0.8), 1)
PROBABILITY = 1 / (1 + np.exp(-2 * MARGIN))
SCORES = {
    "probabilities": (PROBABILITY, {}),
    "float32": (PROBABILITY.astype(np.float32), {}),
    "in order": (np.sort(PROBABILITY), {}),
    "rare": (PROBABILITY**6 / 50, {}),
    "near 1": (1 - 1e-6 * (1 - PROBABILITY), {}),
    "half of them one score": (np.where(rng.random(N) < 0.5, 0.25, PROBABILITY), {}),
    "margins": (MARGIN * 100, {"score_kind": "margin", "threshold": 12.5}),
    "logits": (2 * MARGIN, {"score_kind": "logit"}),
    "lower is positive": (-MARGIN, {"higher_is_positive": False, "threshold": 0.3}),
    "weights": (PROBABILITY, {"weight": "w"}),
    "counts": (PROBABILITY, {"weight": "n", "weight_kind": "count"}),
}  # fmt: skip
RANKED = ("roc_auc", "average_precision", "kolmogorov_smirnov", "youden_j_max", "gini")
AT_THRESHOLD = ("sensitivity", "specificity", "precision", "mcc")
LOSSES = ("brier_score", "log_loss")


def table(score, rows=slice(None)):
    weights = {"w": np.linspace(0.1, 2, N)[rows], "n": (np.arange(N) % 3 + 1)[rows]}
    return pa.table({"y": TRUTH[rows], "p": score[rows], **weights})


def reader(score, order=None):
    return table(score, slice(None) if order is None else order).to_reader(BATCH)


@pytest.mark.full
@for_each("name", SCORES)
def test_beyond_the_memory_bounds_contain_the_value_and_counts_and_losses_are_exact(name):
    score, given = SCORES[name]
    given = {"truth": "y", "score": "p", "positive": True, **given}
    exact = tm.evaluate(reader(score), **given)
    assert exact.binned is None
    assert tm.evaluate(reader(score), **given, memory="1GiB")["roc_auc"] == exact["roc_auc"]
    found = tm.evaluate(reader(score), **given, memory=LIMIT)
    assert len(found.binned) < 20_000
    assert not found.binned.exact
    for measure in RANKED:
        low, high = found[measure].bounds
        assert low <= exact[measure].value <= high, measure
        assert high - low < 0.01, measure
    for measure in AT_THRESHOLD:
        assert str(found[measure]) == str(exact[measure]), measure
    if given.get("score_kind") in (None, "logit") and score.min() >= 0:
        for measure in LOSSES:
            assert found[measure].value == pytest.approx(exact[measure].value, rel=1e-12), measure
            assert found[measure].low == pytest.approx(exact[measure].low, rel=1e-9), measure
    assert (found.data.rows, found.data.memory) == (exact.data.rows, 1 << 20)


def test_any_order_of_files_gives_bounds_that_contain_the_value(tmp_path):
    order = np.argsort(PROBABILITY)
    places = [tmp_path / f"{i}.parquet" for i in range(4)]
    for i, place in enumerate(places):
        parquet.write_table(table(PROBABILITY, order[i * N // 4 : (i + 1) * N // 4]), place)
    exact = tm.evaluate(places, truth="y", score="p")
    for files in list(permutations(places))[::5]:
        found = tm.evaluate(files, truth="y", score="p", memory=LIMIT)
        low, high = found["roc_auc"].bounds
        assert low <= exact["roc_auc"].value <= high
        assert high - low < 1e-3
        assert found["sensitivity"] == exact["sensitivity"]
        assert found["log_loss"].value == pytest.approx(exact["log_loss"].value, rel=1e-12)


def test_rare_positives_stay_exact_while_runs_of_a_class_fit():
    truth = np.zeros(12_000, bool)
    truth[::200] = True
    score = rng.permutation(12_000) / 12_000
    found = tm.evaluate(truth=truth, score=score, memory=LIMIT)
    exact = tm.evaluate(truth=truth, score=score)
    assert len(found.binned) < 6000
    assert found["roc_auc"].value == exact["roc_auc"].value
    assert found["roc_auc"].bounds is None


def test_few_distinct_scores_of_many_cases_stay_exact():
    score = np.round(PROBABILITY, 3)
    assert tm.evaluate(reader(score), truth="y", score="p", memory=LIMIT).binned is None


def test_models_share_the_memory_and_have_no_differences_beyond_it():
    frame = table(PROBABILITY).append_column("q", pa.array(PROBABILITY**2))
    given = {"truth": "y", "score": {"a": "p", "b": "q"}}
    found = tm.evaluate(frame.to_reader(BATCH), **given, memory=LIMIT)
    assert sum(len(one.binned) for one in found.values()) < 20_000
    exact = tm.evaluate(frame, **given)
    assert found.differences == ()
    assert "need each case" in " ".join(str(found).split())
    assert len(exact.differences) > 0
    assert "need each case" not in str(exact)
    for name, one in found.items():
        low, high = one["roc_auc"].bounds
        assert low <= exact[name]["roc_auc"].value <= high


def test_faults_in_later_batches_are_told_as_in_the_first(tmp_path):
    score = PROBABILITY.copy()
    score[91_234] = np.nan
    with refuses("missing-value", "row 91234", argument="score"):
        tm.evaluate(reader(score), truth="y", score="p", memory=LIMIT)
    frame = pd.DataFrame({"y": np.where(TRUTH, "yes", "no"), "p": PROBABILITY})
    frame.loc[95_000, "y"] = "maybe"
    with refuses("labels", "maybe", argument="truth"):
        tm.evaluate(pa.Table.from_pandas(frame).to_reader(BATCH), truth="y", score="p", memory=LIMIT)


@for_each("given", ["5", "1KB", "2 apples", -1, 3.5, True, ""])
def test_a_size_that_is_none_is_refused(given):
    with refuses("invalid-value", argument="memory") as wrong:
        tm.evaluate(truth=[0, 1], score=[0.1, 0.2], memory=given)
    assert wrong.value.argument == "memory"


@pytest.mark.full
def test_the_command_line_says_that_the_result_has_bounds(tmp_path, capsys):
    parquet.write_table(table(PROBABILITY), tmp_path / "a.parquet")
    arguments = ["evaluate", str(tmp_path / "a.parquet"), "--truth", "y", "--score", "p", "--memory", LIMIT]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert printed.count("--memory") == 1
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["measures"]["roc_auc"]["bounds"]


@for_each("kind", [np.float64, np.float32])
@for_each("scores", ["uniform", "margins", "one", "wide", "near 1"])
@for_each("move", ["none", "all", "some"])
def test_scores_are_counted_between_edges(kind, scores, move):
    made = {
        "uniform": rng.random(5000),
        "margins": rng.normal(0, 1e3, 5000),
        "one": np.full(5000, 0.5),
        "wide": np.r_[10.0 ** rng.uniform(-300, 300, 2500), -np.inf, np.inf, 0.0, -0.0, 5e-324],
        "near 1": 1 / (1 + np.exp(-rng.normal(3, 6, 5000))),
    }[scores]
    with np.errstate(over="ignore"):
        made = (made + 0.0).astype(kind)
    finite = made[np.isfinite(made)]
    edges = np.append(kind(-np.inf), np.unique(finite[::3]))
    movable = np.arange(len(edges) - 1) % 50 >= {"none": 50, "some": 1, "all": 0}[move]
    between, twin = Between(edges, movable), Twin(edges, movable)
    assert (between.edges == twin.edges).all()
    assert (np.diff(between.edges) > 0).all()
    assert np.isin(edges[1:][~movable], between.edges).all()
    counts = np.ones((2, len(edges)), np.uint32)
    between.count(made, counts[0])
    twin.count(made, counts[1])
    assert (counts[0] == counts[1]).all()
    at = np.searchsorted(between.edges, made, "right") - 1
    assert (np.bincount(at, minlength=len(edges)) + 1 == counts[0]).all()


def test_edges_of_smooth_scores_are_spread_evenly_and_hold_as_many_of_them():
    score = np.sort(PROBABILITY)
    edges = np.append(-np.inf, score[4::4])
    between, counts = Between(edges, np.ones(len(edges) - 1, bool)), np.zeros(len(edges), np.uint32)
    between.count(score, counts)
    assert between.even[between.cell].mean() > 0.9
    assert np.square(counts / N, dtype=float).sum() < 2 * 4 / N


PEAK = """
    import sys
    import numpy as np, pyarrow as pa, pyarrow.csv, pyarrow.dataset, pyarrow.parquet
    import tallymark as tm
    def peak():  # of this program alone: `resource` begins with that of the one which started it
        lines = open("/proc/self/status").read().splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])
    str(tm.evaluate(pa.table({{"y": [True, False] * 20, "p": np.arange(40) / 40}}), truth="y", score="p"))
    before = peak()
    {make}
    str(tm.evaluate(data, truth="y", score="p", memory="{memory}", {more}))
    print(peak() - before)
"""
BATCHES = """
    import numpy as np, pyarrow as pa
    def batches():
        rng = np.random.default_rng(1)
        for _ in range({rows} // 100_000):
            score = rng.random(100_000)
            yield pa.record_batch({{"y": rng.random(100_000) < score, "p": score}})
"""
SOURCES = {
    "generator": f"{BATCHES}\n    data = batches()",
    "reader": f"{BATCHES}\n    data = pa.RecordBatchReader.from_batches(next(batches()).schema, batches())",
    "capsule": f"""{BATCHES}
    class Stream:
        def __arrow_c_stream__(self, schema=None):
            return pa.RecordBatchReader.from_batches(next(batches()).schema, batches()).__arrow_c_stream__()
    data = Stream()""",
    "files": "    data = sys.argv[1] + '/*.parquet'",
    "folder": "    data = sys.argv[1]",
    "dataset": "    import pyarrow.dataset as d; data = d.dataset(sys.argv[1])",
}


def peak_of(make, memory, rows, place, more=""):
    """The peak of memory above that of a tiny evaluation, as a multiple of `memory`."""
    make = textwrap.dedent(make).replace("{rows}", str(rows)).replace("{{", "{").replace("}}", "}")
    code = textwrap.dedent(PEAK).format(make=make, memory=memory, more=more)
    run = subprocess.run([sys.executable, "-c", code, place], capture_output=True, text=True, check=False)
    assert not run.returncode, run.stderr[-2000:]
    return int(run.stdout) / size_of(memory)


def large(tmp_path, rows, of_group, ending="parquet"):
    """The place of a file with so many rows, all of different scores."""
    many = np.random.default_rng(rows)
    score = many.random(rows)
    others = {"w": many.random(rows) + 0.5, "site": many.integers(0, 5, rows)}
    made = pa.table({"y": many.random(rows) < score, "p": score, **others})
    place = str(tmp_path / f"{rows}.{ending}")
    if ending == "csv":
        csv.write_csv(made, place)
    else:
        parquet.write_table(made, place, row_group_size=of_group)
    return place


def peaks(tmp_path, memory, rows):
    """Of a generator, and of files of CSV and of Parquet, also with all rows in one row group."""
    of_file = "data = sys.argv[1]"
    return {
        "generator": peak_of(SOURCES["generator"], memory, rows, ""),
        "csv": peak_of(of_file, memory, rows, large(tmp_path, rows, rows, "csv")),
        "one row group": peak_of(of_file, memory, rows, large(tmp_path, rows, rows)),
        "row groups": peak_of(of_file, memory, rows, large(tmp_path, rows, 1 << 20)),
    }


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc has the peak")


@pytest.mark.full
@on_linux
def test_the_peak_is_that_of_memory(tmp_path):
    found = peaks(tmp_path, "50MB", 4_000_000)
    place = large(tmp_path, 4_000_000, 1 << 20)
    for more in ('weight="w"', 'by="site"'):
        found[more] = peak_of("data = sys.argv[1]", "50MB", 0, place, more)
    assert max(found.values()) < 1.3, found


@pytest.mark.slow
@on_linux
@for_each("memory, rows", [("200MB", 8_000_000), ("1GB", 20_000_000)])
def test_the_peak_is_that_of_more_memory(memory, rows, tmp_path_factory):
    found = peaks(tmp_path_factory.mktemp(memory), memory, rows)
    assert max(found.values()) < 1.3, found


@pytest.mark.slow
@on_linux
def test_no_source_is_collected(tmp_path):
    """15 million rows have 240 MB of scores, and 255 with their labels."""
    for i in range(5):
        large(tmp_path, 3_000_000 + i, 1 << 18)
    found = {name: peak_of(make, "50MB", 15_000_000, str(tmp_path)) for name, make in SOURCES.items()}
    assert max(found.values()) < 1.3, found


def shards(tmp_path, second):
    """A folder of two files, a dataset of them, and a generator of their tables."""
    first = pa.table({"y": TRUTH[:1000], "p": PROBABILITY[:1000]})
    for name, part in {"a": first, "b": second}.items():
        parquet.write_table(part, tmp_path / f"{name}.parquet", row_group_size=300)
    dataset = pytest.importorskip("pyarrow.dataset")
    for source in (tmp_path, dataset.dataset(tmp_path)):
        yield source, "row {} .counted from 0. in row group {} of b.parquet"
    yield iter([first, second]), None


OTHER = {"y": TRUTH[1000:2000], "p": PROBABILITY[1000:2000]}
FAULTS = {  # what is in the second file, the code, the words, and the row
    "nan": ({**OTHER, "p": np.r_[[0.5] * 777, np.nan, [0.5] * 222]}, "missing-value", "1 value", 777),
    "no column": ({"y": OTHER["y"]}, "unknown-name", "no column 'p'", None),
    "text labels": ({**OTHER, "y": ["yes"] * 1000}, "labels", "holds text", 0),
    "text scores": ({**OTHER, "p": ["0.5"] * 1000}, "invalid-value", "written as text", 0),
    "third label": ({**OTHER, "y": np.arange(1000) // 400}, "labels", "2 from", 800),
    "precision": ({**OTHER, "p": OTHER["p"].astype("f4")}, "mismatch", "float32, and float64 before", 0),
    "large numbers": ({**OTHER, "p": 2**53 + np.arange(1000)}, "invalid-value", "9007199254740993 in", 1),
    "nulls": ({**OTHER, "p": pa.nulls(1000)}, "missing-value", "1000 values", 0),
}  # fmt: skip


@for_each("fault", FAULTS)
def test_a_fault_of_a_file_is_told_with_its_row(fault, tmp_path_factory):
    columns, code, words, row = FAULTS[fault]
    for source, place in shards(tmp_path_factory.mktemp("shards"), pa.table(columns)):
        with pytest.raises(tm.InputError, match=words) as wrong:
            tm.evaluate(source, truth="y", score="p")
        assert wrong.value.code == code
        assert place is None or row is None or wrong.match(place.format(row, row // 300))


def test_empty_files_and_further_columns_do_no_harm(tmp_path):
    empty = pa.table({"y": pa.array([], pa.bool_()), "p": pa.array([], pa.float64())})
    for second in (empty, pa.table({**OTHER, "z": OTHER["p"]})):
        for source, _ in shards(tmp_path, second):
            found = tm.evaluate(source, truth="y", score="p")
            assert found.data.rows == 1000 + len(second)


SITE = rng.choice(["site 1", "site 2", "site 10"], N, p=[0.2, 0.5, 0.3])
FOLD = rng.integers(0, 4, N)
ANSWER = np.where(rng.random(N) < 0.8, TRUTH + 0, rng.integers(0, 3, N))
GROUPS = {
    "scores": {"truth": "y", "score": "p", "measures": RANKED + AT_THRESHOLD + LOSSES},
    "weights": {"truth": "y", "score": "p", "weight": "w", "measures": ["roc_auc", *AT_THRESHOLD, *LOSSES]},
    "models": {"truth": "y", "score": {"a": "p", "b": "q"}, "measures": ["roc_auc", "recall", "log_loss"]},
    "labels": {"truth": "y", "predicted": "answer", "classes": [0, 1, 2]},
    "weighted labels": {"truth": "y", "predicted": "answer", "classes": [0, 1, 2], "weight": "w"},
}  # fmt: skip


def grouped():
    more = {"q": PROBABILITY**2, "site": SITE, "fold": FOLD, "answer": ANSWER}
    made = table(PROBABILITY)
    for name, values in more.items():
        made = made.append_column(name, pa.array(values))
    return made.set_column(0, "y", pa.array(TRUTH + 0))


@pytest.mark.full
@for_each("name", GROUPS)
def test_groups_are_summed_within_the_memory(name):
    given = GROUPS[name]
    exact = tm.evaluate(grouped().to_reader(BATCH), **given, by=["site", "fold"])
    rows = []
    progress = lambda n: rows.append(n)  # noqa: E731  # which no pickle holds
    found = tm.evaluate(
        grouped().to_reader(BATCH), **given, by=["site", "fold"], memory="3MiB", progress=progress
    )
    assert len(exact.whole.differences if name == "models" else exact.differences) > 0
    if name == "models":
        assert found.whole.differences == ()
        exact, found = exact["b"], found["b"]
    assert list(found) == list(exact)
    assert found.sizes == exact.sizes
    pickle.loads(pickle.dumps(found))
    for e, known in ((found.whole, exact.whole), (found["site 10, 2"], exact["site 10, 2"])):
        assert e.data.rows == known.data.rows
        assert (e.data.effective_rows or 0) == pytest.approx(known.data.effective_rows or 0, rel=1e-12)
        for measure in given.get("measures", ["accuracy", "mcc", "macro_f1"]):
            low, high = e[measure].bounds or 2 * (e[measure].value,)
            assert low - 1e-12 <= known[measure].value <= high + 1e-12, measure
            assert high - low < 0.02
        if "score" in given:
            assert e.data.memory == 3 << 20
            assert e.ranking.in_unit_interval
    regrouped = found.regrouped(["site"])
    assert regrouped["site 2"].data.rows == np.count_nonzero(SITE == "site 2")


def test_folds_beyond_the_memory_have_values_where_these_are_exact():
    given = {"truth": "y", "score": "p", "fold": "fold", "measures": ["roc_auc", "recall", "brier_score"]}
    exact = tm.evaluate(grouped().to_reader(BATCH), **given)
    found = tm.evaluate(grouped().to_reader(BATCH), **given, memory=LIMIT)
    for one, known in ((found.means, exact.means), (found.pooled, exact.pooled)):
        assert one["roc_auc"].undefined.code == "value-in-bins"
        for measure in ("recall", "brier_score"):
            assert one[measure].low == pytest.approx(known[measure].low, rel=1e-9)
            assert one[measure].value == pytest.approx(known[measure].value, rel=1e-12)


@for_each("given", ["clusters", "by"])
def test_what_needs_each_case_is_refused_beyond_the_memory(given):
    columns = {"truth": "y", "score": "p"} if given == "clusters" else {"truth": "q", "predicted": "p"}
    with refuses("unsupported", argument="memory") as wrong:
        tm.evaluate(
            grouped().to_reader(BATCH), **columns, **{given: "site"}, memory=LIMIT, regression=given == "by"
        )
    assert (wrong.value.code, wrong.value.argument) == ("unsupported", "memory")


def test_more_groups_than_memory_has_bins_for_are_refused_with_the_memory_that_they_need():
    many = grouped().append_column("case", pa.array(np.arange(N) // 40))
    with refuses("invalid-value", "64", argument="memory") as wrong:
        tm.evaluate(many.to_reader(BATCH), truth="y", score="p", by="case", memory=LIMIT)
    assert wrong.value.argument == "memory"


def test_the_sizes_of_groups_and_folds_of_cells_are_numbers_of_cases():
    frame = pytest.importorskip("polars").LazyFrame({"y": TRUTH, "p": PROBABILITY > 0.5, "site": SITE})
    given = {"truth": "y", "predicted": "p", "bins": 1000}
    sizes = {name: int(n) for name, n in zip(*np.unique(SITE, return_counts=True), strict=True)}
    assert tm.evaluate(frame, by="site", **given).sizes == sizes
    folds = tm.evaluate(frame, fold="site", **given)
    assert folds.sizes == sizes
    assert (folds.trained == N - np.array([*folds.sizes.values()])).all()


def test_the_same_cases_as_baseline_are_refused_within_the_memory_too():
    for memory, words in (("1MiB", "as many cases of each class"), ("1GiB", "same truth as the data")):
        with pytest.raises(tm.InputError, match=words) as wrong:
            tm.check(grouped(), truth="y", score="p", baseline=grouped(), no_worse_than=0.02, memory=memory)
        assert wrong.value.argument == "baseline"


def test_rows_selected_of_a_dataset_and_its_damaged_files(tmp_path):
    dataset = pytest.importorskip("pyarrow.dataset")
    parquet.write_to_dataset(grouped(), tmp_path, partition_cols=["fold"])
    whole = dataset.dataset(tmp_path, partitioning="hive")
    given = {"truth": "y", "score": "p"}
    assert tm.evaluate(whole, **given, by="fold").sizes == tm.evaluate(grouped(), **given, by="fold").sizes
    half = tm.evaluate(whole.filter(pa.compute.field("p") > 0.5), **given, where="fold = 1")
    assert half.data.rows == np.count_nonzero((PROBABILITY > 0.5) & (FOLD == 1))
    (tmp_path / "fold=1" / "other.parquet").write_bytes(b"PAR1 torn PAR1")
    with refuses("unreadable", "other.parquet") as wrong:
        tm.evaluate(dataset.dataset(tmp_path, partitioning="hive", schema=whole.schema), **given)
    assert wrong.value.code == "unreadable"
