"""Real engines on the loopback, each with processes and a folder that end with the tests, also on failure.

Ports are free ones, or sockets in a temporary folder: two runs on one machine do not meet. setpriv has the
kernel end a process whose parent died.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

REQUIRED = "TALLYMARK_REQUIRE_ENGINES"
LOOPBACK = "127.0.0.1"
QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # of a JVM that lives for a minute


def needs(condition: object, what: str) -> None:
    """Skips a test whose engine is not on this machine; fails where the environment demands it."""
    if not condition:
        (pytest.fail if os.environ.get(REQUIRED) else pytest.skip)(f"needs {what}")


def needs_module(name: str, extra: str) -> None:
    try:
        __import__(name)
    except ImportError as reason:
        needs(False, f"{reason.name}: pip install 'tallymark[{extra}]'")


def end(process: subprocess.Popen, by: signal.Signals = signal.SIGTERM) -> None:
    """Ends a process that was started as the leader of a session, and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, by)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


class SparkCluster:
    """A standalone master with two workers of one core each, and a session whose driver is this process."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        self.folder, self.home = folder, Path(pyspark.__file__).parent
        self.master: subprocess.Popen | None = None
        self.workers: dict[str, subprocess.Popen] = {}

    def start(self) -> None:
        from pyspark.sql import SparkSession

        self.master = self._process("master.Master", "master")
        log = self.folder / "master"
        self.address = said(self.master, log, r"Starting Spark master at (spark://\S+)")[1]
        self.add_worker("first")
        self.add_worker("second")
        settings = {
            "spark.driver.maxResultSize": "4m",  # a job whose rows come to the driver fails
            "spark.driver.bindAddress": LOOPBACK,
            "spark.driver.host": LOOPBACK,
            "spark.driver.memory": "512m",
            "spark.driver.extraJavaOptions": QUICK_START,
            "spark.executor.extraJavaOptions": QUICK_START,
            "spark.executor.memory": "512m",
            "spark.executor.cores": "1",
            "spark.sql.files.maxPartitionBytes": "4m",  # so that each file is a task
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.warehouse.dir": str(self.folder / "warehouse"),
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
        }
        self.session = SparkSession.builder.master(self.address).config(map=settings).getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")
        self.wait_for_workers()

    def _process(self, role: str, name: str, *arguments: str) -> subprocess.Popen:
        """A process with a log of this name and a folder for what it writes between tasks."""
        command = [str(self.home / "bin" / "spark-class"), f"org.apache.spark.deploy.{role}"]
        command += ["--host", LOOPBACK, "--port", "0", "--webui-port", "0", *arguments]
        environment = os.environ | {
            "SPARK_HOME": str(self.home),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": QUICK_START,
            "SPARK_LOCAL_DIRS": str(self.folder / f"{name}_parts"),
            "SPARK_LOCAL_IP": LOOPBACK,
        }
        return started(["setpriv", "--pdeathsig", "TERM", *command], self.folder / name, env=environment)

    def add_worker(self, name: str) -> None:
        limits = ["--cores", "1", "--memory", "512m", "--work-dir", str(self.folder / "work")]
        self.workers[name] = self._process("worker.Worker", name, *limits, self.address)

    def wait_for_workers(self) -> None:
        """Waits until each worker has an executor that runs."""
        executors = self.session.sparkContext._jsc.sc().getExecutorMemoryStatus
        wait_until(lambda: executors().size() == 1 + len(self.workers))  # the driver is one, too

    @contextlib.contextmanager
    def worker_killed(self) -> Iterator[list[tuple[int, int]]]:
        """Kills a worker and its executor once it has finished a task of a stage of the block, of which half
        the tasks are still to be done; replaces it afterwards.

        The list then holds their numbers.
        """
        name, at, over = next(iter(self.workers)), [], threading.Event()
        tracker = self.session.sparkContext.statusTracker()

        def finished() -> set[Path]:
            return set((self.folder / f"{name}_parts").rglob("shuffle_*.data"))

        def watch(before: set[Path]) -> None:
            while not over.wait(0.002):
                stages = [*filter(None, map(tracker.getStageInfo, tracker.getActiveStageIds()))]
                if not stages:
                    before = finished()
                elif 1 <= stages[0].numCompletedTasks <= stages[0].numTasks / 2 and finished() - before:
                    at.append((stages[0].numCompletedTasks, stages[0].numTasks))
                    end(self.workers.pop(name), signal.SIGKILL)
                    return

        watcher = threading.Thread(target=watch, args=[finished()])
        watcher.start()
        try:
            yield at
        finally:
            over.set()
            watcher.join()
            if name not in self.workers:
                self.add_worker(f"{name}_again")
                self.wait_for_workers()

    def end(self) -> None:
        """Ends the session, its JVM and the processes."""
        from pyspark import SparkContext

        gateway = SparkContext._gateway
        if gateway is not None:
            with contextlib.suppress(Exception):
                self.session.stop()
            gateway.shutdown()
            gateway.proc.stdin.close()  # upon which the JVM ends
            gateway.proc.wait(20)
            SparkContext._gateway = SparkContext._jvm = None
        for process in (*self.workers.values(), *filter(None, [self.master])):
            end(process)


def started(command: list[str], log: Path, **options: object) -> subprocess.Popen:
    """A process that leads a session of its own, so that its children end with it."""
    with log.open("w") as out:
        return subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True, **options)


def wait_until(holds: Callable[[], object], seconds: float = 90) -> None:
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, f"waited {seconds} s in vain"
        time.sleep(0.02)


def said(process: subprocess.Popen, log: Path, pattern: str) -> re.Match[str]:
    """Waits for a line in the log of a process."""
    wait_until(lambda: process.poll() is not None or re.search(pattern, log.read_text(errors="replace")))
    found = re.search(pattern, text := log.read_text(errors="replace"))
    assert found, f"{process.args} did not start:\n{text}"
    return found


@contextlib.contextmanager
def spark_cluster() -> Iterator[SparkCluster]:
    needs_module("pyspark.sql", "spark")
    needs(shutil.which("java") or os.environ.get("JAVA_HOME"), "Java 17 or later")
    needs(shutil.which("setpriv"), "setpriv, of util-linux")
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        cluster = SparkCluster(Path(folder))
        patch.setenv("SPARK_LOCAL_IP", LOOPBACK)
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.end()


@contextlib.contextmanager
def dask_cluster() -> Iterator[Any]:
    """A scheduler in this process with two worker processes; the client is the current one."""
    needs_module("dask.dataframe", "dask")
    needs_module("distributed", "dask")
    import dask
    from distributed import Client, LocalCluster

    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        dask.config.set({"dataframe.parquet.minimum-partition-size": 1}),  # so that each file is a task
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit="512MiB",
            host=LOOPBACK,
            dashboard_address=f"{LOOPBACK}:0",
            local_directory=folder,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@contextlib.contextmanager
def dask_worker_killed(client: Any) -> Iterator[list[tuple[int, int]]]:
    """Kills a worker once it has read a part in the block; its nanny replaces it.

    The list then holds the finished and all tasks at that time.
    """
    from distributed.diagnostics.plugin import SchedulerPlugin

    processes, scheduler, at = client.run(os.getpid), client.cluster.scheduler, []

    class Killer(SchedulerPlugin):
        def transition(self, key, start, finish, *args, worker=None, **kwargs):
            read = scheduler.tasks[key].prefix.name == "read_parquet"
            if (start, finish) == ("processing", "memory") and read and not at:
                states = [task.state for task in scheduler.tasks.values()]
                at.append((states.count("memory"), len(states)))
                os.kill(processes[worker], signal.SIGKILL)

    scheduler.add_plugin(Killer(), name="killer")
    try:
        yield at
    finally:
        scheduler.remove_plugin(name="killer")
        client.wait_for_workers(2, timeout=60)


@contextlib.contextmanager
def postgres_server() -> Iterator[Any]:
    """An Ibis connection to a server with a folder of its own, whose only address is a socket in it."""
    needs_module("ibis", "ibis")
    needs_module("psycopg", "engines")
    import ibis

    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: int(one.parent.name))
    needs(binaries, "PostgreSQL from Debian")
    needs(shutil.which("setpriv"), "setpriv, of util-linux")
    user = pwd.getpwuid(os.geteuid() or pwd.getpwnam("postgres").pw_uid)  # the server refuses to run as root
    drop = (
        ["--reuid", user.pw_name, "--regid", str(user.pw_gid), "--clear-groups"] if os.geteuid() == 0 else []
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.chown(folder, user.pw_uid, user.pw_gid)
        prefix = ["setpriv", *drop, "--pdeathsig", "INT"]
        data, log = Path(folder) / "data", Path(folder) / "log"
        create = [str(binaries[-1] / "initdb"), "-D", str(data), "-A", "trust", "-U", "postgres", "--no-sync"]
        create += ["-E", "UTF8", "--locale", "C"]
        subprocess.run([*prefix, *create], check=True, capture_output=True, cwd=folder)
        serve = [str(binaries[-1] / "postgres"), "-D", str(data), "-k", folder, "-h", "", "-F"]
        serve += ["-c", "shared_buffers=64MB", "-c", "logging_collector=off"]
        server = started([*prefix, *serve], log, cwd=folder)
        try:
            said(server, log, "(ready to accept connections)")
            connection = ibis.postgres.connect(host=folder, user="postgres", database="postgres")
            yield connection
            connection.disconnect()
        finally:
            end(server, signal.SIGINT)
