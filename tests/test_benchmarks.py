"""The benchmark's own arithmetic: targets, agreement, the stored table, the README's figures."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "docs")]

import instructions  # noqa: E402
import measuring  # noqa: E402
import speed_page  # noqa: E402
import table  # noqa: E402
import tasks  # noqa: E402

TOOLS = {"tallymark": {"seconds": 0.5, "memory": 3e8}, "other": {"seconds": 1.0, "memory": 1e8}}


@pytest.mark.parametrize(
    ("target", "limit", "met"),
    [
        (tasks.Target(0.6, of="other"), 0.6, True),
        (tasks.Target(0.4, of="other"), 0.4, False),
        (tasks.Target(0.2, of="other", plus=2.0), 0.6, True),
        (tasks.Target(0.5), 0.5, True),
        (tasks.Target(2e8, memory=True), 2e8, False),
        (tasks.Target(2e8, memory=True, beyond=1.5e8), 2e8, True),
        (tasks.Target(1.5, of="tallymark", tool="other"), 0.75, False),
    ],
)
def test_a_target_is_judged(target, limit, met):
    found = measuring.judged(target, TOOLS)
    assert found["limit"] == pytest.approx(limit)
    assert found["met"] is met
    assert table.verdict(found).startswith("met" if met else "**missed**")


def test_answers_that_differ_are_an_error():
    answers = {"a": {"auc": 0.8, "f1": 1.0}, "b": {"auc": 0.8 + 1e-12}, "c": {"other": 0.0}}
    assert measuring.agreed(answers, 1e-9) == answers
    with pytest.raises(measuring.BenchmarkError, match="auc is"):
        measuring.agreed(answers | {"c": {"auc": 0.8 + 1e-6}}, 1e-9)


def test_workers_keep_what_they_compile(monkeypatch, tmp_path):
    stub = tmp_path / "worker.py"
    stub.write_text("import sys\nprint('{}')\nprint('[%d]' % sys.dont_write_bytecode)\n")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(measuring, "PYTHON", sys.executable)
    monkeypatch.setattr(measuring, "WORKER", stub)
    task = next(iter(tasks.load().tasks.values()))
    with measuring.worker(task, "tallymark", 1) as one:
        assert one._read() == [0]


def test_a_failed_task_has_a_row_and_no_targets():
    task = next(iter(tasks.load().tasks.values()))
    page = table.markdown([task], {"tasks": {task.name: {"failure": "why"}}})
    assert "| why |" in page
    assert "0 of 0 targets" in page


def test_a_row_of_a_quick_run_says_so():
    task = next(iter(tasks.load().tasks.values()))
    figures = {"tools": {"tallymark": TOOLS["tallymark"]}, "targets": []}
    assert f"| {task.title} (quick mode) |" in table.rows(task, figures, 0.1)[0]
    assert f"| {task.title} |" in table.rows(task, figures)[0]


def test_tasks_are_chosen_by_their_names():
    registry = tasks.load()
    assert [task.name for task in registry.chosen(["small/f1"])] == ["small/f1"]
    assert len(registry.chosen(["small"])) > 10
    assert len(registry.chosen([], quick=True)) < len(registry.chosen([])) == len(registry.tasks)
    with pytest.raises(SystemExit, match="no task is called"):
        registry.chosen(["unknown"])


def test_every_line_with_figures_has_tasks_and_targets():
    found = {task.line for task in tasks.load().tasks.values() if task.targets and task.line}
    assert found == {4, 5, 6, 7, 8, 9}


def test_the_stored_table_names_the_registered_tasks():
    stored = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))
    assert stored["scale"] == 1
    assert not stored["tasks"].keys() - tasks.load().tasks.keys()


def test_the_readme_and_the_page_have_the_figures_of_the_stored_table():
    assert (ROOT / "README.md").read_text(encoding="utf-8") == speed_page.readme(), "run: make docs"
    assert (ROOT / "docs" / "speed.md").read_text(encoding="utf-8") == speed_page.page(), "run: make docs"
    assert len(speed_page.block().splitlines()) == len(speed_page.IN_README) + 4


@pytest.mark.parametrize(
    ("seconds", "text"), [(2.0, "2 s"), (0.0123, "12.3 ms"), (4.5e-6, "4.5 µs"), (1234, "1,234 s")]
)
def test_seconds_have_three_digits(seconds, text):
    assert table.seconds(seconds) == text


def test_a_kernel_that_takes_more_than_ten_percent_more_is_found():
    stored = {"a": {"instructions": 100}, "b": {"instructions": 100, "notes": ["before"]}}
    found = {"a": 110, "b": 111}
    assert instructions.risen(found, stored) == ["b"]
    assert instructions.store(found, stored, "why") == {
        "a": {"instructions": 110},
        "b": {"instructions": 111, "notes": ["before", "why"]},
    }
