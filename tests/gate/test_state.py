"""A file that counts the uses of a test set: `state=` of the gate."""

import json
import multiprocessing
from pathlib import Path

import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark import InputError
from tallymark.inference.linear import beta_binomial

RNG = np.random.default_rng(2)
TRUTH = (RNG.random(200) < 0.4) * 1
REQUIRED = "sensitivity.low >= 0.5"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in range(4):
        model(number)


def model(number, name=None):
    """The file of the answers of a model."""
    wrong = np.random.default_rng(number).random(200) < 0.1
    rows = zip(TRUTH, np.where(wrong, 1 - TRUTH, TRUTH), strict=True)
    text = "\n".join(["y,p", *(f"{y},{p}" for y, p in rows)])
    Path(name or f"model{number}.csv").write_text(text, encoding="utf-8")


def check(number, **more):
    return tm.check(
        f"model{number}.csv",
        **{"truth": "y", "predicted": "p", "require": REQUIRED, "state": "gate.state", **more},
    )


def entries():
    return [json.loads(line) for line in Path("gate.state").read_text(encoding="utf-8").splitlines()]


def test_each_use_has_its_part_of_the_error_however_many_there_are():
    verdicts = [check(number) for number in range(4)]
    assert [one.use for one in verdicts] == [1, 2, 3, 4]
    errors = [1 - one.evaluation.settings.level for one in verdicts]
    assert np.allclose(errors, [0.05 / (k * (k + 1)) for k in (1, 2, 3, 4)])
    assert sum(0.05 / (k * (k + 1)) for k in range(1, 10**5)) == pytest.approx(0.05, abs=1e-6)
    assert verdicts[1].budget == (
        "Intervals at 99.1667%, for use 2 of these cases: models at a limit pass in about 2.5% of samples at"
        " most, over all uses however many"
    )
    assert "use 2 of these cases" in " ".join(str(verdicts[1]).split())
    found = verdicts[1].to_dict()
    assert (found["uses"], found["use"], found["overall_level"]) == (None, 2, 0.95)


def test_with_a_plan_it_ends_with_the_last_use():
    assert [check(number, uses=3).use for number in range(3)] == [1, 2, 3]
    for _ in range(2):
        with pytest.raises(
            InputError, match=r"state: these cases are used up: 'gate\.state' counts 3 of 3 uses"
        ):
            check(3, uses=3)
    assert check(2, uses=3).use == 3
    assert check(2, uses=3).budget == (
        "Intervals at 98.3333%, for use 3 of 3: models at a limit pass in about 2.5% of samples at most"
        " (Bonferroni)"
    )
    with pytest.raises(
        InputError, match=r"'gate\.state' was begun for 3, and this is for 4; keep to the plan"
    ):
        check(3, uses=4)
    with pytest.raises(InputError, match="begun for 3, and this is without a number"):
        check(3)


def test_the_same_files_and_arguments_are_the_same_use():
    first = check(0)
    model(0, "copy.csv")
    again = tm.check("copy.csv", truth="y", predicted="p", require=[REQUIRED], state="gate.state")
    assert again.use == 2  # a list of requirements is another call
    assert check(0).to_dict() == first.to_dict()
    assert len({one["use"] for one in entries()}) == 2
    assert check(0, level=0.95).use == 1
    assert check(0, rng=1).use == 3
    model(7, "model0.csv")
    assert check(0).use == 4


def test_cases_in_memory_are_a_new_use_each_time():
    data = {"y": TRUTH, "p": TRUTH}
    found = [
        tm.check(data, truth="y", predicted="p", require=REQUIRED, state="gate.state").use for _ in range(3)
    ]
    assert found == [1, 2, 3]


def test_without_a_verdict_there_is_no_use():
    for _ in range(3):
        with pytest.raises(InputError, match=r"no column 'q'"):
            check(0, predicted="q", uses=2)
    assert check(1, uses=2).use == 1
    with pytest.raises(InputError):
        check(0, require="sensitivty >= 1")
    assert check(2, uses=2).use == 2
    assert [one.get("without_verdict", False) for one in entries()].count(True) == 4


def test_all_uses_are_of_one_level_of_them_together():
    assert check(0, uses=3, level=0.9).use == 1
    for more, begun in ({"level": 0.95}, "95%"), ({}, "95%"), ({"level": 0.5}, "50%"):
        for number in (0, 1):
            with pytest.raises(
                InputError, match=rf"^level: 'gate\.state' was begun at 90%, and this is at {begun}; keep to"
            ):
                check(number, uses=3, **more)
    with pytest.raises(InputError, match=r"^level: 3 does not lie"):
        check(1, uses=3, level=3)
    evaluation = tm.evaluate("model1.csv", truth="y", predicted="p", level=0.9)
    assert tm.check(evaluation, require=REQUIRED, uses=3, state="gate.state").use == 2
    assert {one["level"] for one in entries() if not one.get("without_verdict")} >= {0.9}


def test_a_run_that_is_interrupted_takes_back_its_own_entry_alone():
    def interrupted(*_):
        assert check(0).use == 1  # another run of the same call, which ends
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(0, progress=interrupted)
    assert check(1).use == 2


def test_a_file_without_a_last_end_of_line_is_carried_on():
    file = Path("gate.state")
    check(0)
    file.write_text(file.read_text(encoding="utf-8").rstrip() + "\n\n  \n", encoding="utf-8")
    assert check(1).use == 2
    file.write_text(file.read_text(encoding="utf-8").rstrip(), encoding="utf-8")
    assert check(2).use == 3
    assert check(0).use == 1


@for_each("end", ["{", '{"use": "4f', '{"use": "4f", "id": "a", "of": null, "le'])
def test_a_line_that_was_cut_off_is_a_use(end):
    Path("gate.state").unlink(missing_ok=True)
    check(0)
    with Path("gate.state").open("a", encoding="utf-8") as file:
        file.write(end)
    assert [check(1).use, check(2).use, check(1).use, check(0).use] == [3, 4, 3, 1]
    Path("gate.state").write_text(end, encoding="utf-8")
    assert check(0).use == 2


def test_requirements_for_every_number_of_cases_are_not_counted():
    with pytest.raises(
        InputError, match="need no count of looks at the same model; leave out state= or valid="
    ):
        check(0, valid="anytime")
    with pytest.raises(InputError, match="need no count"):
        tm.self_test("model0.csv", truth="y", predicted="p", require=REQUIRED, state="s", valid="anytime")
    assert not Path("gate.state").exists()


def use(number):
    return check(number % 4, rng=number).use


def test_two_runs_at_once_have_different_numbers():
    with multiprocessing.get_context("fork").Pool(4) as pool:
        found = pool.map(use, range(40), chunksize=1)
    assert sorted(found) == list(range(1, 41))


@for_each(
    ("text", "said"),
    [
        ("{\n  'a': 1\n}", "line 2 is no entry"),
        ("[]\n", "line 1 is no entry"),
        ('{"use": "a", "id": "b"}\n', "line 1 has no 'of', or an impossible one"),
        ('{"use": "a", "id": "b", "of": "x", "level": 0.95}\n', "no 'of', or"),
        ('{"use": "a", "id": "b", "of": true, "level": 0.95}\n', "no 'of', or"),
        ('{"use": "a", "id": "b", "of": 2, "level": 1}\n', "no 'level', or"),
        ('{"use": [], "id": "b", "of": 2, "level": 0.9}\n', "no 'use', or"),
    ],
)
def test_another_file_is_refused_and_stays_as_it_is(text, said):
    Path("gate.state").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"^state: 'gate\.state' is no file that counts uses") as refusal:
        check(0)
    assert said in str(refusal.value)
    assert Path("gate.state").read_text(encoding="utf-8") == text
    with pytest.raises(InputError, match=r"'no/such/state' cannot be written"):
        check(0, state="no/such/state")
    with pytest.raises(InputError, match="cannot be written"):
        check(0, state="a\0b")


def test_the_gate_file_and_the_baseline_are_not_written():
    Path("gate.toml").write_text(
        f'data = "model0.csv"\ntruth = "y"\npredicted = "p"\nrequire = "{REQUIRED}"\nstate = "gate.state"\n',
        encoding="utf-8",
    )
    before = {one.name: one.read_bytes() for one in Path.cwd().iterdir()}
    assert [tm.check("gate.toml").use, tm.check("gate.toml", rng=1).use] == [1, 2]
    after = {one.name: one.read_bytes() for one in Path.cwd().iterdir() if one.name != "gate.state"}
    assert after == before


@pytest.mark.full
def test_of_any_number_of_uses_no_more_pass_than_of_one():
    """20 models at the limit on each of 2,000 test sets: a share of 2.5 % is known to 0.35 points."""
    right = np.random.default_rng(5).binomial(200, 0.8, (2000, 20))
    passed = np.zeros((2, 2000), bool)
    for k, of_model in enumerate(right.T, 1):
        counts = tm.Counts(tp=of_model, fn=200 - of_model, fp=0, tn=1)
        for any_so_far, level in zip(passed, (0.95, 1 - 0.05 / (k * (k + 1))), strict=True):
            found = tm.estimate_each("sensitivity", counts, tm.Settings(level=level))
            any_so_far |= np.array([one.low >= 0.8 for one in found])
    each_time, counted = passed.mean(1)
    assert each_time > 0.2
    assert counted <= 0.025 + 2 * 0.0035


# Requirements that may be checked again whenever cases have arrived
# --------------------------------------------------------------------------------------------------

COUNTS = tm.Counts(tp=90, fp=20, fn=10, tn=80)


def test_anytime_valid_requirements():
    required = ["sensitivity.low >= 0.7", "f1.low >= 0.7", "roc_auc.value >= 0.5", "n >= 100"]
    data = {"truth": TRUTH, "score": np.clip(TRUTH * 0.6 + RNG.random(200) * 0.4, 0, 1)}
    verdict = tm.check(**data, require=[*required, "brier_score.high <= 0.3"], valid="anytime")
    assert [one.estimate.method for one in verdict.findings] == [
        "beta-binomial", "beta-binomial", "exact", None, "gamma-exponential"
    ]  # fmt: skip
    assert verdict.to_dict()["valid"] == "anytime"
    assert "however often one looks while cases arrive" in " ".join(str(verdict).split())
    at_level = tm.check(counts=COUNTS, require=required[0], valid="anytime", uses=5).findings[0].estimate
    assert at_level == tm.estimate("sensitivity", COUNTS, tm.Settings(0.99, valid="anytime"))


def test_notices_are_those_of_the_fixed_intervals():
    data = {"truth": TRUTH, "score": 1 - TRUTH * 0.6 - RNG.random(200) * 0.4}
    fixed, always = (tm.check(**data, require="n >= 2", valid=how) for how in ("fixed", "anytime"))
    assert fixed.notices == always.notices != ()


@for_each(
    ("required", "more"),
    [
        ("roc_auc.low >= 0.5", {}),
        ("log_loss.high <= 1", {}),
        ("sensitivity.low >= 0.1 at rule youden", {}),
        ("sensitivity.low >= 0.1 at specificity 0.5", {}),
        ("accuracy.low >= 0.1", {"design": "case-control"}),
        ("sensitivity.low >= 0.1", {"clusters": np.arange(200) // 2}),
        ("sensitivity.low >= 0.1", {"weight": np.linspace(1, 2, 200)}),
        ("macro f1.low >= 0.1", {"truth": np.arange(200) // 2 % 3, "predicted": TRUTH, "score": None}),
    ],
)  # fmt: skip
def test_what_has_no_such_interval_is_refused(required, more):
    data = {"truth": TRUTH, "score": np.clip(TRUTH * 0.6 + RNG.random(200) * 0.4, 0, 1)}
    with pytest.raises(InputError, match="is valid at every number of cases here"):
        tm.check(**{**data, **more}, require=required, valid="anytime")


@for_each(
    ("positives", "limit", "expected"),
    [(400, 0.8, 0.85), (400, 0.8, 0.87), (1000, 0.9, 0.92), (2000, 0.95, 0.97)],
)
def test_what_is_explained_of_them_is_what_happens(positives, limit, expected):
    """20,000 samples: a share is known to 0.4 points."""
    right = round(expected * positives)
    counts = tm.Counts(tp=right, fn=positives - right, fp=1, tn=1)
    verdict = tm.check(counts=counts, require=f"sensitivity >= {limit}", valid="anytime")
    drawn = np.random.default_rng(0).binomial(positives, expected, 20_000)
    passes = (beta_binomial(drawn, positives, 0.95)[0] >= limit).mean()
    assert verdict.explain().table[0]["passes"] == pytest.approx(passes, abs=0.03)


def test_so_many_more_cases_decide():
    counts = tm.Counts(tp=146, fn=36, fp=1, tn=1)
    (found,) = tm.check(counts=counts, require="sensitivity >= 0.75", valid="anytime").findings
    positives = 182 * (1 + found.more / 184)
    drawn = np.random.default_rng(0).binomial(int(positives), 146 / 182, 20_000)
    assert (beta_binomial(drawn, int(positives), 0.95)[0] >= 0.75).mean() == pytest.approx(0.8, abs=0.05)


def test_a_baseline_and_another_name_are_refused():
    with pytest.raises(InputError, match="valid: no interval of a difference from a baseline"):
        check(0, valid="anytime", state=None, baseline="model1.csv", no_worse_than=0.1, paired=False)
    with pytest.raises(InputError, match=r"valid: 'always' is not"):
        check(0, valid="always", state=None)


@pytest.mark.full
def test_a_model_at_the_limit_seldom_ever_passes():
    """1,000 test sets that grow to 2,000 positives, looked at 40 times: 2.5 % is known to 0.5 points."""
    looks = np.arange(50, 2001, 50)
    right = np.cumsum(np.random.default_rng(3).random((1000, 2000)) < 0.8, axis=1)[:, looks - 1]
    passed = {}
    for valid in ("fixed", "anytime"):
        found = tm.estimate_each(
            "sensitivity",
            tm.Counts(tp=right.ravel(), fn=(looks - right).ravel(), fp=0, tn=1),
            tm.Settings(valid=valid),
        )
        low = np.array([one.low for one in found]).reshape(right.shape)
        passed[valid] = (low >= 0.8).any(axis=1).mean()
    assert passed["anytime"] <= 0.025
    assert passed["fixed"] > 0.1
