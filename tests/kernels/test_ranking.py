"""Tables that need no sort, the native sort, and the number of threads."""

import subprocess
import sys
from math import inf

import numpy as np
import pytest
from looping import for_each

import tallymark.kernels
from tallymark.kernels import _numpy as reference, threads

try:
    from tallymark.kernels import _compiled as compiled, _compiled as unsorted
except ImportError:
    compiled = None

native = pytest.mark.skipif(compiled is None, reason="the native kernels are not built")
ROWS = 70_001  # worth two threads


def scores():
    random = np.random.default_rng(0)
    plain = random.normal(size=ROWS)
    return {
        "random": plain,
        "rising": np.sort(plain),
        "falling": np.sort(plain)[::-1],
        "rising with ties": np.sort(plain.round(3)),
        "rising but for one": np.append(np.sort(plain)[:-1], plain.min()),
        "one score": np.full(ROWS, 0.5),
        "512 scores": random.integers(0, 512, ROWS) / 512,
        "513 scores": random.integers(0, 513, ROWS) / 512,
        "late scores": np.append(np.zeros(ROWS - 600), plain[:600]),
        "zeros of both signs": np.where(plain > 0, 0.0, -0.0),
        "infinite": np.where(plain > 1, inf, np.where(plain < -1, -inf, plain)),
        "all magnitudes": np.exp(100 * plain),
        "mostly the same": np.where(plain > 2, plain, 0.1),
        "close together": 1 + random.integers(0, 10_000, ROWS) * 2.0**-52,
        "subnormal": random.integers(0, 10_000, ROWS) * 5e-324,
        "far apart": np.where(plain > 0, 1.7e308, -1.7e308) * random.random(ROWS),
        "every other one": np.repeat(plain, 2)[::2],
    }


SCORES = scores()


@native
@for_each("name", list(SCORES))
@for_each("dtype", ["f8", "f4"])
@for_each("rows", [ROWS, 5_000, 513])
def test_tables_are_the_same_to_the_bit(name, dtype, rows):
    truth = np.random.default_rng(1).random(rows) < 0.3
    with np.errstate(over="ignore", under="ignore"):
        score = SCORES[name][-rows:].astype(dtype)
    one, other = (kernels.rank(truth, score, 1.0) for kernels in (compiled, reference))
    assert one[3] == other[3]
    for a, b in zip(one[:3], other[:3], strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a.view(np.uint8), np.ascontiguousarray(b).view(np.uint8))


@native
@for_each("name", ["random", "rising", "falling", "512 scores", "one score"])
@for_each("row", [0, 3000, ROWS - 1])
def test_a_nan_and_a_third_label_are_found(name, row):
    truth, score = (np.arange(ROWS) % 3 == 0).astype(int), SCORES[name].copy()
    assert compiled.rank(truth, score, 1.0) is not None
    third = truth.copy()
    third[row] = 7
    assert compiled.rank(third, score, 1.0) is None
    score[row] = np.nan
    assert compiled.rank(truth, score, 1.0) is None


@native
def test_sorted_and_few_scores_are_ranked_without_a_sort(monkeypatch):
    """So that they are fast: the general way is not taken."""
    monkeypatch.setattr(compiled, "ranked", None)
    truth = np.arange(ROWS) % 2
    for name in ("rising", "falling", "rising with ties", "512 scores", "one score"):
        assert compiled.rank(truth, SCORES[name], 1.0) is not None
    with pytest.raises(TypeError):
        compiled.rank(truth, SCORES["random"], 1.0)


@native
def test_the_sort_is_that_of_numpy():
    from tallymark.kernels import _native

    for name, score in SCORES.items():
        found = score.copy()
        _native.sort(found, np.empty_like(found))
        np.testing.assert_array_equal(found, np.sort(score), err_msg=name)


# Threads
# --------------------------------------------------------------------------------------------------


def test_control_groups_limit_the_number_of_threads(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "cpu.max").write_text("150000 100000\n")
    (tmp_path / "a" / "b" / "cpu.max").write_text("max 100000\n")
    (tmp_path / "cpu" / "c").mkdir(parents=True)
    (tmp_path / "cpu" / "c" / "cpu.cfs_quota_us").write_text("250000\n")
    (tmp_path / "cpu" / "c" / "cpu.cfs_period_us").write_text("100000\n")
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text("-1\n")
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert min(threads.quotas(["0::/a/b"], tmp_path)) == 1.5
    assert min(threads.quotas(["4:memory:/x", "3:cpu,cpuacct:/c"], tmp_path)) == 2.5
    assert min(threads.quotas(["0::/", "1:cpu:/"], tmp_path)) == inf
    assert min(threads.quotas(["0::/../outside"], tmp_path), default=inf) == inf


@pytest.mark.parametrize(("quota", "most"), [(inf, 64), (1.5, 2), (0.2, 1)])
def test_processors_are_those_of_the_affinity_and_the_quota(monkeypatch, quota, most):
    monkeypatch.setattr(threads, "_quota", lambda: quota)
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda _: set(range(64)), raising=False)
    assert threads.processors() == most


@native
def test_one_processor_is_one_thread(monkeypatch):
    truth, score = np.arange(ROWS) % 2, SCORES["random"]
    wanted = compiled.rank(truth, score, 1.0)
    monkeypatch.setattr(compiled, "processors", lambda: 1)
    monkeypatch.setattr(compiled, "Task", None)
    for one, other in zip(compiled.rank(truth, score, 1.0), wanted, strict=True):
        np.testing.assert_array_equal(one, other)


@native
@for_each("name", list(SCORES))
def test_tables_are_the_same_on_any_number_of_threads(name, monkeypatch):
    truth, score = np.random.default_rng(2).random(ROWS) < 0.3, SCORES[name]
    wanted = compiled.rank(truth, score, 1.0)
    for number in (1, 3, 8):
        monkeypatch.setattr(unsorted, "processors", lambda number=number: number)
        monkeypatch.setattr(unsorted, "ROWS_WORTH_A_THREAD", 1 << 10)
        for one, other in zip(compiled.rank(truth, score, 1.0), wanted, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.full
@pytest.mark.skipif(tallymark.kernels.NAME != "native", reason="only the native kernels use threads")
@for_each("threads", [1, None])
def test_the_bootstrap_keeps_to_its_number_of_threads(threads):
    """With one, nothing runs elsewhere, the table of the cases included."""
    code = f"""
import os
os.sched_getaffinity = lambda _: range(3)
import numpy as np
import tallymark as tm
from tallymark.kernels import threads
random = np.random.default_rng(0)
truth, score = random.random({ROWS}) < 0.3, random.random({ROWS})
tm.bootstrap(truth=truth, score=score, measures="roc_auc", replicates=50, threads={threads})
print(threads._pool.cache_info().currsize)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (run.stdout.strip() == "0") == (threads == 1), run.stderr


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
def test_memory_that_runs_out_is_a_memory_error():
    code = """
import resource
import numpy as np
from tallymark import kernels
import tallymark as tm
random = np.random.default_rng(0)
truth, score = (random.random(3_000_000) < 0.4).astype(np.int64), random.random(3_000_000)
table = kernels.rank(truth[:200_000], score[:200_000], 1.0)
tm.bootstrap(truth=truth[:2000], score=score[:2000], replicates=50)
in_use = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
for more in range(0, 120, 10):
    resource.setrlimit(resource.RLIMIT_AS, (in_use + (more << 20), -1))
    for call in (
        lambda: kernels.rank(truth, score, 1.0),
        lambda: kernels.rank(truth, np.sort(score), 1.0),
        lambda: tm.bootstrap(truth=truth, score=score, replicates=50, measures="roc_auc"),
    ):
        try:
            call()
        except MemoryError:
            print("MemoryError")
        else:
            print("done")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("MemoryError\n" * 3)
    assert set(run.stdout.split()) <= {"MemoryError", "done"}


def test_the_kernels_in_use_are_those_that_are_tested():
    assert tallymark.kernels.rank in {reference.rank, compiled and compiled.rank}


@pytest.mark.skipif(tallymark.kernels.NAME != "native", reason="only the native kernels use threads")
@for_each("kind", ["distinct", "ties", "ordered", "weights"])
def test_tables_are_merged_in_parts_on_several_threads(kind, monkeypatch):
    random = np.random.default_rng(6)
    score = random.random((3, 400))
    if kind == "ties":
        score = score.round(1)
    if kind == "ordered":
        score += np.arange(3)[:, None]
    tables = [compiled.rank(random.random(400) < 0.4, one, 1.0)[:3] for one in score]
    if kind == "weights":
        tables = [(one[0], *(random.random(len(one[0])) for _ in range(2))) for one in tables]
    wanted = compiled.merge(*tables)
    monkeypatch.setattr(compiled, "MANY", 100)
    for number in (2, 5):
        monkeypatch.setattr(compiled, "processors", lambda number=number: number)
        for one, other in zip(compiled.merge(*tables), wanted, strict=True):
            np.testing.assert_array_equal(one, other)
