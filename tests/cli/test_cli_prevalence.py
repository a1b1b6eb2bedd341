"""tallymark prevalence: one prevalence in full, several side by side, JSON, and what goes wrong."""

import json
import re
import subprocess
import sys

import pytest
from looping import for_each
from typed import as_typed

import tallymark
from tallymark import Counts, at_prevalence
from tallymark.report import document

CELLS = {"tp": 70, "fp": 20, "fn": 30, "tn": 80}
COUNTS = Counts(**CELLS)
TABLE = [word for name, value in CELLS.items() for word in (f"--{name}", str(value))]
RATES = ["--sensitivity", "0.9", "--specificity", "0.8"]
AT = at_prevalence(COUNTS, prevalence=0.05)


@pytest.fixture
def run(run):
    """Runs the command: its exit status, what it printed, and what it complained."""
    return lambda *arguments: run("prevalence", *arguments)


def printed(answer):
    status, out, err = answer
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    return out


def typed(found):
    """What is printed, in the words of the shell."""
    return str(found).replace("result.all", "--all") + "\n"


def strict(out):
    return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


# What it prints
# --------------------------------------------------------------------------------------------------


def test_one_prevalence_in_full(run):
    assert printed(run(*TABLE, "--prevalence", 0.05)) == typed(AT)
    rates = at_prevalence(sensitivity=0.9, specificity=0.8, prevalence=0.05)
    assert printed(run(*RATES, "--prevalence", 0.05)) == typed(rates)


def test_the_expected_counts_of_persons(run):
    """2,000 persons, 5 % of them ill (Wikipedia)."""
    rates = ["--sensitivity", 0.99, "--specificity", 0.99, "--cases", 2000]
    out = printed(run(*rates, "--prevalence", 0.05))
    assert re.search(r"actual positive +99 +1 +100\nactual negative +19 +1,881 +1,900\n", out)
    aside = printed(run(*rates, "--prevalence", 0.05, 0.5))
    for name, count in {
        "true positives": "99 +990",
        "false positives": "19 +10",
        "true negatives": "1,881 +990",
    }.items():
        assert re.search(rf"^{name} +{count}$", aside, re.M)
    counts = json.loads(run(*rates, "--prevalence", 0.05, "--json")[1])["at"][0]["counts"]
    assert [counts[name] for name in ("tp", "fp", "fn", "tn")] == pytest.approx([99, 19, 1, 1881])
    assert "cases: the counts say how many" in run(*TABLE, "--prevalence", 0.05, "--cases", 9)[2]


@pytest.mark.full
def test_negatives_per_positive(run):
    assert printed(run(*TABLE, "--npr", 19)) == f"{as_typed(at_prevalence(COUNTS, npr=19))}\n"
    assert run(*TABLE, "--npr", 19)[1].startswith("At a prevalence of 0.0500: precision 0.156 [")


@pytest.mark.full
@pytest.mark.parametrize("source", [TABLE, RATES], ids=["counts", "rates"])
@pytest.mark.parametrize("shares", [(0.1, 0.2), (0.01, 0.05, 0.5), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)])
def test_several_side_by_side(run, source, shares):
    out = printed(run(*source, "--prevalence", *shares, "--all", "--names"))
    heads = [line for line in out.splitlines() if line.startswith("measure ")]
    for share in shares:
        assert any(re.search(rf" at {share:g}\b", head) for head in heads)
        given = {"sensitivity": 0.9, "specificity": 0.8} if source is RATES else {}
        found = at_prevalence(*([COUNTS] if source is TABLE else []), **given, prevalence=share)
        for name in AT:
            rows = [line for line in out.splitlines() if line.startswith(f"{name} ")]
            assert any(
                re.search(rf"(?<!\S){re.escape(document.value(found[name]))}(\^\d+)?(?!\S)", row)
                for row in rows
            ), name


def test_several_side_by_side_have_their_intervals(run):
    out = printed(run(*TABLE, "--prevalence", 0.05, 0.5))
    found = AT["precision"]
    assert f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]" in out
    table = [
        line for line in run(*TABLE, "--prevalence", 0.05, 0.5, "--markdown")[1].splitlines() if "|" in line
    ]
    assert table[0] == "| measure | at 0.05 | at 0.5 |"
    assert f"| Precision (PPV) | {found.value:.3f} [{found.low:.3f}, {found.high:.3f}] |" in table[2]


def test_level_and_seed(run):
    out = printed(run(*TABLE, "--prevalence", 0.05, "--level", 0.8, "--seed", 3))
    assert out == typed(at_prevalence(COUNTS, prevalence=0.05, level=0.8, rng=3))
    assert "80% interval" in out


@pytest.mark.full
def test_tables_of_every_size(run):
    for cells in ((1, 0, 0, 1), (0, 5, 5, 0), (10**12, 7, 123456789012, 10**9), (0.5, 0.25, 0.125, 3)):
        arguments = [word for name, value in zip(CELLS, cells, strict=True) for word in (f"--{name}", value)]
        for shares in ((1e-6,), (0.999999,), (1e-6, 0.5, 0.25)):
            printed(run(*arguments, "--prevalence", *shares))
            strict(printed_json(run(*arguments, "--prevalence", *shares, "--json")))


# JSON
# --------------------------------------------------------------------------------------------------


def printed_json(answer):
    status, out, err = answer
    assert (status, err) == (0, "")
    return out


@pytest.mark.parametrize("shares", [(0.05,), (0.05, 0.5)])
def test_json(run, shares):
    answer = strict(printed_json(run(*TABLE, "--prevalence", *shares, "--json")))
    assert list(answer) == ["schema", "tallymark", "answer", "at"]
    assert (answer["schema"], answer["tallymark"]) == (2, tallymark.__version__)
    assert answer["at"] == [at_prevalence(COUNTS, prevalence=share).to_dict() for share in shares]


def test_json_of_rates(run):
    answer = strict(printed_json(run("--sensitivity", 0, "--specificity", 1, "--npr", 3, "--json")))
    (at,) = answer["at"]
    assert at["measured"] is None
    assert at["prevalence"] == 0.25
    assert at["measures"]["precision"]["value"] is None
    assert at["measures"]["precision"]["undefined"]


# What goes wrong
# --------------------------------------------------------------------------------------------------

SHARE = ["--prevalence", "0.1"]
WRONG = {
    "nothing": ([], "--prevalence --npr"),
    "no prevalence": (TABLE, "prevalence: --prevalence --npr"),
    "both": ([*TABLE, *SHARE, "--npr", "3"], "prevalence: --prevalence --npr"),
    "no rates, no counts": (SHARE, "sensitivity: needed counts"),
    "one rate": (["--sensitivity", "0.9", *SHARE], "specificity: needed counts"),
    "a count missing": (["--tp", "7", "--fp", "2", "--fn", "3", *SHARE], "Counts needs tn --tn"),
    "rates beside counts": ([*TABLE, *RATES, *SHARE], "sensitivity, specificity: counts or rates, not both"),
    "a rate beside a count": (["--tp", "7", *RATES, *SHARE], "Counts needs fp --fp, --fn, --tn"),
    "prevalence 0": ([*TABLE, "--prevalence", "0"], "prevalence: 0 leaves one class"),
    "prevalence 1": ([*TABLE, "--prevalence", "1"], "prevalence: 1 leaves one class"),
    "one of several": ([*TABLE, "--prevalence", "0.1", "1.5"], "prevalence: 1.5"),
    "negative": ([*TABLE, "--prevalence", "-0.1"], "prevalence: -0.1"),
    "NaN": ([*TABLE, "--prevalence", "nan"], "prevalence: nan"),
    "text": ([*TABLE, "--prevalence", "half"], "'half'"),
    "no value": ([*TABLE, "--prevalence"], "--prevalence"),
    "npr 0": ([*TABLE, "--npr", "0"], "npr: 0"),
    "rate beyond 1": (["--sensitivity", "1.2", "--specificity", "0.5", *SHARE], "sensitivity: 1.2"),
    "no positives": (
        ["--tp", "0", "--fp", "2", "--fn", "0", "--tn", "3", *SHARE],
        "no positives sensitivity unknown",
    ),
    "no negatives": (
        ["--tp", "1", "--fp", "0", "--fn", "1", "--tn", "0", *SHARE],
        "no negatives specificity unknown",
    ),
    "negative count": (["--tp", "-1", "--fp", "2", "--fn", "0", "--tn", "3", *SHARE], "tp: -1"),
    "level": ([*TABLE, *SHARE, "--level", "95"], "level: 95"),
    "seed": ([*TABLE, *SHARE, "--seed", "-1"], "seed: -1"),
    "unknown option": ([*TABLE, *SHARE, "--specifity", "0.9"], "--specifity"),
}


@for_each("json_too", [False, True])
@for_each(("arguments", "parts"), WRONG.values(), ids=WRONG)
def test_what_goes_wrong_is_said_in_one_line(run, arguments, parts, json_too):
    status, out, err = run(*arguments, *(["--json"] if json_too else []))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("tallymark")
    assert ": error: " in err
    for word in parts.split():
        assert word in err, err


def test_the_way_out_is_one_of_the_command_line(run):
    """Not of Python: what to type here begins with two dashes."""
    for arguments, _ in WRONG.values():
        assert not re.search(r"\b(prevalence|npr|sensitivity|specificity|tp)=", run(*arguments)[2])


def test_help(run):
    status, out, err = run("--help")
    assert (status, err) == (0, "")
    assert out.startswith("usage: tallymark prevalence")
    for option in ("--tp", "--sensitivity", "--prevalence", "--npr", "--level", "--seed", "--json"):
        assert option in out


@pytest.mark.full
def test_as_a_process():
    command = [sys.executable, "-m", "tallymark", "prevalence", *RATES]
    done = subprocess.run([*command, *SHARE, "--json"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert strict(done.stdout)["at"][0]["measures"]["precision"]["value"] == pytest.approx(1 / 3)
    wrong = subprocess.run([*command, "--prevalence", "2"], capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "Traceback" not in wrong.stderr


def test_an_estimated_prevalence(run):
    found = at_prevalence(COUNTS, prevalence=(12, 340))
    assert printed_json(run(*TABLE, "--prevalence-counts", 12, 340)) == typed(found)
    assert strict(printed_json(run(*TABLE, "--prevalence-counts", 12, 340, "--json")))["at"] == [
        found.to_dict()
    ]
    assert run(*TABLE, "--prevalence-counts", 12, 340, "--prevalence", 0.1)[0] == 2
    assert run(*TABLE, "--prevalence-counts", 0, 340)[0] == 2
