"""Spark, Dask and PostgreSQL count what the client would: the tests of frames, and jobs that lose workers."""

import inspect
import runpy
import sys
from pathlib import Path

import looping
import numpy as np
import pytest
import test_engines
from clusters import dask_worker_killed
from frames import FIXTURES, frames_of

import tallymark as tm

EXAMPLES = Path(__file__).parents[2] / "examples"
BINS = 1024
OF_FRAMES = {
    name: test
    for name, test in vars(test_engines).items()
    if any("engine" in axis[0] for axis in getattr(test, "axes", []))
}

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of Ibis, Dask and PySpark, of what they use
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def drawn(rows):
    """Calibrated scores, in as many distinct values as rows, with labels as text."""
    rng = np.random.default_rng(7)
    score = rng.beta(1, 3, rows)
    return {"score": score, "truth": np.where(rng.random(rows) < score, "ill", "well")}


def counted(frame):
    """The bins of a frame."""
    return tm.evaluate(frame, truth="truth", score="score", positive="ill", bins=BINS).binned


def same(one, other):
    """Whether two tables have the same bins, with the same counts."""
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in one.ENTRIES)


@pytest.mark.full
@pytest.mark.parametrize("engine", FIXTURES)
def test_a_small_job(engine, request, tmp_path, fetched):
    cases = drawn(20_000)
    binned = counted(frames_of(engine, request)(cases, tmp_path))
    assert BINS / 4 < sum(fetched) <= BINS
    assert same(binned, counted(test_engines.FRAMES["polars"](cases, tmp_path)))
    assert binned.positive.sum() == np.sum(cases["truth"] == "ill")


@pytest.mark.full
@pytest.mark.parametrize("engine", ["spark", "dask"])
def test_the_example_runs(engine, request, monkeypatch, capsys):
    running = request.getfixturevalue(FIXTURES[engine])
    script = EXAMPLES / f"{engine}_job.py"
    monkeypatch.setattr(
        sys, "argv", [str(script), running.address if engine == "spark" else running.scheduler.address]
    )
    runpy.run_path(str(script), run_name="__main__")
    out = capsys.readouterr().out
    assert "200,000 cases" in out
    assert "2 groups by site" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.slow
@pytest.mark.parametrize("engine", FIXTURES)
@pytest.mark.parametrize("name", OF_FRAMES)
def test_frames(engine, name, request):
    """What tests/engines/test_engines.py asks of frames in this process."""
    test = OF_FRAMES[name]
    fixtures = {one: request.getfixturevalue(one) for one in inspect.signature(test).parameters}
    axes = [axis for axis in test.axes if "engine" not in axis[0]]
    looping._looping(test.looped, axes, test)(engine=frames_of(engine, request), **fixtures)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["spark", "dask"])
def test_all_cases_are_counted_though_a_worker_is_killed(engine, request, tmp_path):
    running = request.getfixturevalue(FIXTURES[engine])
    frame = frames_of(engine, request)(drawn(400_000), tmp_path, parts=48)
    undisturbed = counted(frame)
    with running.worker_killed() if engine == "spark" else dask_worker_killed(running) as at:
        binned = counted(frame)
    assert len(at) == 1
    assert 1 <= at[0][0] < at[0][1]
    assert same(binned, undisturbed)
    assert binned.positive.sum() + binned.negative.sum() == 400_000


@pytest.mark.slow
def test_spark_without_pyarrow_names_the_extra(request, tmp_path, monkeypatch):
    frame = frames_of("spark", request)(drawn(2_000), tmp_path)
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(tm.InputError) as refused:
            counted(frame)
    assert refused.value.code == "not-installed"
    assert "pip install 'tallymark[spark]'" in str(refused.value)
