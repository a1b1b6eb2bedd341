"""The kernels where threads are scarce: at exit, after the main thread, where none can start; and daemon
threads at exit."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from looping import for_each

import tallymark.kernels

native = pytest.mark.skipif(tallymark.kernels.NAME != "native", reason="only the native kernels use threads")

WORK = """
import hashlib, os, threading, time
import numpy as np
import tallymark as tm
random = np.random.default_rng(3)
truth = random.random(150_000) < 0.4
score = np.round(random.normal(size=150_000) + truth, 3)

def digest():
    table = tm.RankingTable.from_arrays(truth=truth, score=score)
    few = {"truth": truth[:70_000], "score": score[:70_000]}
    drawn = tm.bootstrap(**few, replicates=50, threads=3, measures="roc_auc", method="percentile")
    parts = table.score, table.positive, table.negative, drawn.replicates("roc_auc")
    auc = tm.evaluate(truth=truth, score=score)["roc_auc"]
    digest = hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()
    print(digest, auc.value, auc.low, auc.high, flush=True)
"""
HARDSHIPS = {
    "none": "digest()",
    "in an atexit handler": "import atexit; atexit.register(digest)",
    "in a thread that outlives the main one": (
        """
        def late():
            while threading.main_thread().is_alive(): time.sleep(0.01)
            digest()
        threading.Thread(target=late).start()
    """
    ),
    "where no thread can start": (
        """
        threading.stack_size(1 << 46)  # more than the address space holds
        try:
            threading.Thread(target=print).start()
        except RuntimeError:
            digest()
    """
    ),
    "where only the first thread can start": (
        """
        start, started = threading.Thread.start, []
        def reluctant(thread):
            if started:
                raise RuntimeError("can't start new thread")
            started.append(thread)
            start(thread)
        threading.Thread.start = reluctant
        digest()
    """
    ),
    "in a child process": (
        """
        digest_quietly = tm.RankingTable.from_arrays(truth=truth, score=score)
        if os.fork():
            os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
        digest()
    """
    ),
}


def run(code):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.full
@native
def test_the_answer_is_the_same_to_the_bit_where_threads_are_scarce():
    found = {name: run(WORK + textwrap.dedent(code)) for name, code in HARDSHIPS.items()}
    assert found["none"][0] == 0
    assert found["none"][1]
    assert found == dict.fromkeys(found, found["none"])


@pytest.mark.full
@native
def test_a_daemon_thread_in_a_kernel_does_not_abort_the_process_at_exit():
    code = """
import threading, time
import numpy as np
from tallymark import kernels
truth = np.arange(3_000_000) % 2
inside = threading.Event()
def count():
    while True:
        inside.set()
        kernels.tally(truth, truth, None, 1.0, 1.0)
threading.Thread(target=count, daemon=True).start()
inside.wait()
time.sleep(0.05)
"""
    assert [run(code) for _ in range(3)] == [(0, "", "")] * 3


@native
def test_a_task_runs_once_and_its_error_is_raised_where_its_result_is_asked_for():
    from tallymark.kernels.threads import Task

    done = []
    tasks = [Task(2, done.append, i) for i in range(50)]
    for task in tasks:
        assert task.result() is None
        assert task.result() is None
    assert sorted(done) == list(range(50))
    with pytest.raises(ZeroDivisionError):
        Task(1, divmod, 1, 0).result()


@for_each("most", [1, None], ids=["one thread", "several"])
def test_calls_ahead_are_made_one_after_the_other(most):
    """Also where the next call is not needed any more, and where one fails."""
    from tallymark.kernels.threads import ahead, at_most

    random = np.random.default_rng(1)
    with at_most(most):
        found = [part.tolist() for part in ahead(random.integers, [10] * 50)]
        assert found == [part.tolist() for part in map(np.random.default_rng(1).integers, [10] * 50)]
        assert next(ahead(len, ["a", "bc", "d"])) == 1
        with pytest.raises(ZeroDivisionError):
            list(ahead(lambda number: 1 / number, [2, 0, 1]))


@for_each("most", [1, None], ids=["one thread", "several"])
def test_calls_together_give_their_results_in_order_and_keep_the_error_state(most):
    from tallymark.kernels.threads import at_most, together

    with at_most(most):
        assert together(lambda: 1, lambda: 2, lambda: 3) == [1, 2, 3]
        with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
            together(lambda: 1, lambda: np.float64(1) / 0)


def test_an_interrupt_while_a_thread_starts_leaves_none_behind():
    code = """
import threading
from tallymark.kernels import threads
start = threading.Thread.start
def interrupted(thread):
    start(thread)
    raise KeyboardInterrupt
threading.Thread.start = interrupted
try:
    threads.Task(1, len, "ab")
except KeyboardInterrupt:
    print("interrupted")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert (run.returncode, run.stdout) == (0, "interrupted\n"), run.stderr


def test_other_interpreters_of_a_process_use_the_numpy_kernels():
    """nanobind's lock would wait for the thread that holds it. NumPy loads only where the lock is shared."""
    code = """
try:
    import _interpreters as interpreters
    create = lambda: interpreters.create("legacy")
except ImportError:
    import _xxsubinterpreters as interpreters
    create = lambda: interpreters.create(isolated=False)
other = "import tallymark.kernels as k, numpy as np; print(k.NAME, k.dot(np.ones(3), np.ones(3)), flush=True)"
fault = interpreters.run_string(create(), other)
assert fault is None, fault.errdisplay
"""
    clean = {name: value for name, value in os.environ.items() if name != "TALLYMARK_KERNELS"}
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60, env=clean
    )
    assert (run.returncode, run.stdout) == (0, "numpy 3.0\n"), run.stderr


@pytest.mark.full
def test_scores_that_another_thread_changes_are_no_fault():
    """Any value or an error; the native kernels wrote beyond their memory."""
    code = """
import threading, time
import numpy as np, tallymark as tm
random = np.random.default_rng(0)
y, p = (random.random(200_000) < 0.5).astype(int), random.random(200_000)
near = random.random(len(p)) < 0.97
p[near] = 0.5 + random.random(near.sum()) ** 40 * 1e-3
before, done = p.copy(), False
def write():
    while not done:
        p[::7] = np.nan
        p[::7] = before[::7]
        time.sleep(0)
thread = threading.Thread(target=write)
thread.start()
for _ in range(150):
    try:
        tm.measures.roc_auc(truth=y, score=p)
    except tm.InputError:
        pass
done = True
thread.join()
print("done")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stdout) == (0, "done\n"), run.stderr
