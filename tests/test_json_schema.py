"""What every command writes with --json, and what every result gives, is as the JSON Schema says; and the
schema is tight."""

import argparse
import copy
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from every_result import results
from jsonschema import Draft202012Validator
from looping import for_each, in_part

import tallymark as tm
from tallymark.cli import main
from tallymark.cli.commands import parser
from tallymark.input.results import SCHEMA, Result
from tallymark.summaries import Residuals

N = 60
RANDOM = np.random.default_rng(8)
TRUTH = np.arange(N) % 3 == 0
SCORE = np.round(np.clip(0.25 * TRUTH + 0.7 * RANDOM.random(N), 0.01, 0.99), 3)
OTHER = np.round(np.clip(0.15 * TRUTH + 0.8 * RANDOM.random(N), 0.01, 0.99), 3)
CLASS = np.array(["a", "b", "c"])[np.arange(N) % 3]
SHARES = np.round(RANDOM.dirichlet([1, 1, 1], N) * 0.5 + 0.5 * (CLASS[:, None] == ["a", "b", "c"]), 6)
COLUMNS = {
    "y": TRUTH.astype(int),
    "p": SCORE,
    "q": OTHER,
    "label": (SCORE > 0.5).astype(int),
    "other": (OTHER > 0.5).astype(int),
    "margin": np.round(8 * SCORE - 4, 2),
    "edge": np.where(np.arange(N) < 2, "inf", (8 * SCORE - 4).round(2).astype(str)),
    "one": np.ones(N, int),
    "never": np.zeros(N, int),
    "id": np.arange(N) // 4,
    "first": np.arange(N) % 7,
    "second": np.where(TRUTH, np.arange(N) % 7, (np.arange(N) + 3) % 7),
    "count": 1 + np.arange(N) % 2,
    "weight": RANDOM.uniform(0.5, 2, N).round(2),
    "class": CLASS,
    "guess": np.where(RANDOM.random(N) < 0.7, CLASS, "b"),
    "second guess": np.where(RANDOM.random(N) < 0.6, CLASS, "c"),
    **{f"p_{name}": SHARES[:, i] for i, name in enumerate("abc")},
    "amount": np.round(RANDOM.normal(size=N), 2),
    "estimate": np.round(RANDOM.normal(size=N), 2),
    "row": np.arange(N),
    "person": np.where(np.arange(N) % 2 == 0, TRUTH.astype(int).astype(str), ""),
}
Y, P, BOTH = "--truth y", "--score p", "--score p --score q"
PER_CLASS = "--truth class --score p_a --score p_b --score p_c"
AMOUNTS = "--regression --truth amount --predicted estimate"
# By the definition of the schema, commands with --json, as typed; {} is the file.
CALLS = {
    "binary_evaluation": [
        f"evaluate {{}} {Y} {P}",
        f"evaluate {{}} {Y} {P} --rule youden",
        f"evaluate {{}} {Y} {P} --rule sensitivity>=0.9 --replicates 0",
        f"evaluate {{}} {Y} {P} --design case-control",
        f"evaluate {{}} {Y} {P} --threshold 2",
        f"evaluate {{}} {Y} {P} --clusters id",
        f"evaluate {{}} {Y} {P} --weight weight",
        f"evaluate {{}} {Y} {P} --weight count",
        f"evaluate {{}} {Y} --score margin --score-kind margin",
        f"evaluate {{}} {Y} --score margin --score-kind llr",
        f"evaluate {{}} {Y} --score edge",
        f"evaluate {{}} {Y} {P} --lower-is-positive",
        f"evaluate {{}} {Y} --predicted label",
        f"evaluate {{}} {Y} --predicted never",
        f"evaluate {{}} --truth one {P} --positive 1",
        f"evaluate {{}} --truth y {P} --positive 1 --rule specificity>=0.9",
        "counts --tp 7 --fp 0 --fn 3 --tn 9",
        "counts --tp 0 --fp 0 --fn 3 --tn 9",
        "counts --tp 1.5 --fp 0.5 --fn 3 --tn 9",
        "demo --report {folder}/demo.html",
        f"guess {{}} {Y} {P}",
    ],
    "multiclass_evaluation": [
        f"evaluate {{}} {PER_CLASS}",
        f"evaluate {{}} {PER_CLASS} --weight weight",
        "evaluate {} --truth class --predicted guess",
        "evaluate {} --truth class --predicted guess --weight weight",
        "evaluate {} --truth class --predicted guess --classes a b c d",
    ],
    "evaluations": [f"evaluate {{}} {Y} --model a=p --model b=q"],
    "fairness": [
        f"evaluate {{}} {Y} {P} --by other --fairness",
        f"evaluate {{}} {Y} {P} --by first --fairness",
        f"evaluate {{}} {Y} --predicted label --by other --clusters id --fairness",
    ],
    "folds": [
        f"evaluate {{}} {Y} {P} --fold id",
        f"evaluate {{}} {Y} {P} --fold other --fold first --measure f1",
        f"evaluate {{}} {Y} --score margin --score-kind llr --fold other",
        f"evaluate {{}} {PER_CLASS} --fold other",
        f"evaluate {{}} {AMOUNTS} --fold other",
    ],
    "groups": [
        f"evaluate {{}} {Y} {P} --by first",
        f"evaluate {{}} {Y} {P} --by other --by label --reference '0, 1' --measure f1",
        f"evaluate {{}} {Y} {P} --by other --clusters id",
        f"evaluate {{}} {Y} --score margin --score-kind llr --by other",
        f"evaluate {{}} {PER_CLASS} --by other",
        f"evaluate {{}} {AMOUNTS} --by other --by first",
    ],
    "regression_evaluation": [f"evaluate {{}} {AMOUNTS}", f"evaluate {{}} {AMOUNTS} --weight weight"],
    "bootstrap": [
        f"bootstrap {{}} {Y} {P} --replicates 60",
        f"bootstrap {{}} {Y} {P} --replicates 60 --measure f1 --measure roc_auc --clusters id",
        f"bootstrap {{}} {Y} {P} --replicates 60 --measure f1 --weight weight",
    ],
    "comparison": [
        f"compare {{}} {Y} {BOTH}",
        f"compare {{}} {Y} {BOTH} --non-inferior-by 0.1 --measure roc_auc",
        f"compare {{}} {Y} {BOTH} --clusters id --measure roc_auc --measure accuracy",
        f"compare {{}} {Y} {BOTH} --score margin --weight weight --measure roc_auc",
        f"compare {{}} {Y} --score p --score margin --equivalent-within 0.3 --measure roc_auc",
        f"compare {{}} {Y} --predicted label --predicted other",
        "compare {} --truth class --predicted guess --predicted 'second guess'",
        "compare {} --regression --truth amount --predicted estimate --predicted q",
        (
            "compare {} --truth class --predicted guess --predicted 'second guess' --clusters id --measure"
            " accuracy"
        ),
    ],
    "threshold_choice": [
        f"threshold {{}} {Y} {P} --replicates 50",
        f"threshold {{}} {Y} {P} --replicates 0",
        f"threshold {{}} {Y} {P} --replicates 50 --rule 'f1 where fpr<=0.9 and recall>=0.2' --measure f1",
        f"threshold {{}} {Y} {P} --rule cost --cost-fp 1 --cost-fn 5 --replicates 50",
        f"threshold {{}} {Y} {P} --rule sensitivity>=0.99 --replicates 50 --design case-control",
        f"threshold {{}} {Y} {P} --rule specificity>=1 --replicates 50 --lower-is-positive",
    ],
    "calibration": [
        f"calibration {{}} {Y} {P}",
        f"calibration {{}} {Y} {P} --weight weight --bins 3",
        f"calibration {{}} {PER_CLASS}",
    ],
    "biometric": [
        f"biometric {{}} {Y} {P}",
        f"biometric {{}} {Y} {P} --persons first second",
        f"biometric {{}} {Y} {P} --threshold 0.5 --fmr 0.5 0",
    ],
    "prevalence": [
        "prevalence --tp 8 --fp 1 --fn 2 --tn 9 --prevalence 0.1 0.5",
        "prevalence --tp 8 --fp 0 --fn 0 --tn 9 --prevalence-counts 3 50",
        "prevalence --sensitivity 0.9 --specificity 1 --prevalence 0.01",
    ],
    "at_prevalence": ["counts --precision 0.75 --npv 0.67 --predicted-prevalence 0.4"],
    "class_mix": [
        f"class-mix {{}} {Y} {P}",
        f"class-mix {{}} {Y} --predicted label --growth 1 3",
        "class-mix --tp 8 --fp 0 --fn 2 --tn 9 --grown positive",
    ],
    "roc_points": [
        f"roc-points {{}} {Y} --predicted label --predicted other",
        f"roc-points {{}} {Y} --model a=p --model b=q",
    ],
    "identification": ["identify {} --truth class --score p --score q --classes a b --threshold 0.5"],
    "judged": [
        "judge {} --truth person --judge label",
        "judge {} --truth person --judge label --by first --clusters id --not-an-answer 5",
        "judge {} --truth person --judge p --regression",
    ],
    "unscored": [f"unscored {{}} {Y} {P} --share 0.1"],
    "advice": [
        f"advise {{}} {Y} {P}",
        f"advise {{}} {Y} {P} --need decision --cost-fp 1 --cost-fn 4",
        f"advise {{}} {Y} --predicted label --need probabilities",
        "advise {} --truth class --predicted guess --need ranking",
    ],
    "check": [
        f"check {{}} {Y} {P} --require roc_auc.low>=0.5 --require f1.high<=1 --require n>=10 --uses 3",
        f"check {{}} {Y} {P} --require 'precision >= 0.5 at specificity >= 0.9' --require roc_auc>=0.99",
        f"check {{}} {Y} {P} --baseline-score q --pair-by row --baseline {{}} --no-worse-than 0.5",
        f"check {{}} {Y} --predicted never --require precision>=0.5 --require precision.low>=0.5",
        "check {} --truth class --predicted guess --require 'macro f1 >= 0.1'",
        f"check {{}} {AMOUNTS} --require mean_absolute_error<=9",
    ],
    "explanation": [f"check {{}} {Y} {P} --require roc_auc>=0.5 --require n>=10 --explain"],
    "plan": [
        "plan sensitivity --expected 0.9 --width 0.1 --prevalence 0.2",
        "plan specificity --expected 0.9 --at-least 0.8 --cluster-size 3 --icc 0.1",
        "plan proportion --expected 0.5 --width 0.1",
        "plan auc --expected 0.8 --at-least 0.7",
        "plan paired-auc --first 0.85 --second 0.8 --correlation 0.5",
        "plan unpaired-auc --first 0.9 --second 0.8",
        "plan paired-proportions --first 0.9 --second 0.8",
    ],
    "external_validation": ["plan external-validation --prevalence 0.2 --auc 0.8"],
    "precision": [
        f"plan present {{}} {Y} {P}",
        f"plan present {{}} {Y} {P} --clusters id --measure accuracy",
        f"plan present {{}} {AMOUNTS} --measure mean_absolute_error",
        f"plan present {{}} {Y} --predicted never --measure precision",
    ],
    "measures": ["measures", "measures f1"],
    "found": ["find", "find mcnemar", "find lift"],
}
WRITTEN = {  # that --out, and --plot, write
    "curve": [
        f"curve roc {{}} {Y} {P} --out {{folder}}/a.json",
        f"curve roc {{}} {Y} {P} --band simultaneous --out {{folder}}/b.json",
        f"curve reliability {{}} {Y} {P} --out {{folder}}/c.json",
        f"curve decision {{}} {Y} {P} --band pointwise --clusters id --out {{folder}}/d.json",
        f"curve f1 {{}} --truth one {P} --positive 1 --out {{folder}}/e.json",
        f"compare {{}} {Y} {BOTH} --measure roc_auc --plot {{folder}}/f.json",
    ],
    "operating_points": [f"curve table {{}} {Y} --score edge --out {{folder}}/g.json"],
}
EVALUATED = {
    "several labels": {
        "truth": np.stack([TRUTH, ~TRUTH], 1).astype(int),
        "predicted": np.stack([SCORE > 0.5, OTHER > 0.5], 1).astype(int),
    },
    "a label that is never true": {
        "truth": np.stack([TRUTH, TRUTH & ~TRUTH], 1).astype(int),
        "predicted": np.ones((N, 2), int),
    },
    "scores that are not probabilities": {"truth": CLASS, "score": SHARES * 9, "classes": ["a", "b", "c"]},
    "numbers in order": {"truth": np.arange(N) % 4, "predicted": np.arange(N) // 2 % 4},
    "no order": {"truth": CLASS, "predicted": np.full(N, "a")},
    "one amount": {"truth": [1.0], "predicted": [1.5], "regression": True},
    "rows dropped": {"truth": TRUTH, "score": np.where(np.arange(N) < 3, np.nan, SCORE), "missing": "drop"},
    "a rule in words": tm.evaluate(truth=TRUTH, score=SCORE).chosen_by("as elsewhere"),
    "infinite": {"counts": tm.Counts(tp=5, fp=0, fn=1, tn=4)},
}


@cache
def schema():
    return tm.json_schema()


def definition(name):
    """A validator of one definition."""
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema()["$defs"]})


def kind_of(answer):
    """The definition that an answer names."""
    kinds = {"evaluation": f"{answer.get('task')}_evaluation", "threshold": "threshold_choice"}
    return kinds.get(answer["answer"], answer["answer"])


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


def faults(answer, name=None):
    found = definition(name or kind_of(answer)).iter_errors(answer)
    return [f"{'/'.join(map(str, one.absolute_path))}: {one.message[:200]}" for one in found]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answers")
    rows = zip(*COLUMNS.values(), strict=True)
    text = "\n".join([",".join(COLUMNS), *(",".join(map(str, row)) for row in rows)])
    (folder / "cases.csv").write_text(text + "\n", encoding="utf-8")
    return folder


def typed(call, folder):
    """The words of a command; those in quotes belong together."""
    import shlex

    return [one.format(folder / "cases.csv", folder=folder) for one in shlex.split(call)]


def commands_with_json():
    """Every command, and every goal of a plan, that has --json."""
    for name, command in _subcommands(parser()):
        several = list(_subcommands(command))
        yield from [f"{name} {goal}" for goal, one in several if _has_json(one)] or (
            [name] if _has_json(command) else []
        )


def _subcommands(command):
    found = (one for one in command._actions if isinstance(one, argparse._SubParsersAction))
    return [pair for one in found for pair in one.choices.items()]


def _has_json(command):
    return "--json" in command._option_string_actions


def test_it_is_a_schema():
    Draft202012Validator.check_schema(schema())
    assert schema()["$defs"].keys() >= CALLS.keys() | WRITTEN.keys()
    assert {one["$ref"] for one in schema()["oneOf"]} == {
        f"#/$defs/{name}" for name, one in schema()["$defs"].items() if "answer" in one.get("properties", {})
    }


def test_every_command_with_json_is_tried():
    tried = [call.split() for calls in CALLS.values() for call in calls]
    names = {" ".join(words[: 2 if words[0] == "plan" else 1]) for words in tried}
    assert set(commands_with_json()) == names


@pytest.mark.full
@in_part(6, ("fast", "full"))
@for_each(("name", "call"), [(name, call) for name, calls in CALLS.items() for call in calls])
def test_every_command(name, call, folder, capsys):
    status = main([*typed(call, folder), "--json"])
    written = capsys.readouterr()
    assert status in (0, 1, 3), written.err  # 1 and 3 of a check
    answer = strict(written.out)
    assert answer["schema"] == SCHEMA == 2
    assert kind_of(answer) == name
    assert not faults(answer)


@for_each(("name", "call"), [(name, call) for name, calls in WRITTEN.items() for call in calls])
def test_every_file(name, call, folder, capsys):
    words = typed(call, folder)
    assert main(words) == 0, capsys.readouterr().err
    answer = strict(Path(words[-1]).read_text(encoding="utf-8"))
    assert kind_of(answer) == name
    assert not faults(answer)


@in_part(3)
@for_each("name", EVALUATED)
def test_every_task(name):
    given = EVALUATED[name]
    found = given if isinstance(given, tm.Evaluation) else tm.evaluate(**given)
    answer = strict(found.to_json())
    assert not faults(answer)
    every = {*answer["measures"], *answer["unavailable"]}
    assert not answer["measures"].keys() & answer["unavailable"].keys()
    assert answer["selected"] == "all"
    assert every


@in_part(3)
@for_each(
    "name",
    lambda: [
        name
        for name, one in results().items()
        if isinstance(one, Result) and not isinstance(one, Residuals) and "answer" in one.to_dict()
    ],
)
def test_every_result(name):
    answer = strict(results()[name].to_json())
    assert not faults(answer)


# It is tight
# ----------------------------------------------------------------------------------------------------------


def objects(part, place="#"):
    """(place, schema) of everything that is described as an object with keys of its own."""
    if isinstance(part, dict):
        if "properties" in part and "type" not in part.get("properties", {}).get("type", {}):
            yield place, part
        for key, value in part.items():
            yield from objects(value, f"{place}/{key}")
    elif isinstance(part, list):
        for i, value in enumerate(part):
            yield from objects(value, f"{place}/{i}")


def test_no_object_takes_a_key_that_is_not_named():
    open_ones = [place for place, one in objects(schema()["$defs"]) if not closed(one)]
    assert open_ones == ["#/estimate_fields"]  # which `estimate` and others close


def closed(one):
    return one.get("additionalProperties") is False or one.get("unevaluatedProperties") is False


@cache
def answers():
    """One small answer of every task, with notes, notices and reasons, and one of other kinds."""
    few = tm.evaluate(truth=[0, 0, 1, 1, 1], score=[0.1, 0.4, 0.5, 0.8, 0.9])
    chosen = tm.choose_threshold(truth=TRUTH, score=SCORE, replicates=50)
    compared = tm.compare(
        truth=TRUTH, score={"a": SCORE, "b": OTHER}, measures=["roc_auc"], non_inferior_by=0.1
    )
    checked = tm.check(truth=[0, 0], predicted=[0, 0], positive=1, require=["recall >= 0.5"])
    many = tm.evaluate(truth=CLASS, score=SHARES, classes=["a", "b", "c"])
    labels = tm.evaluate(**EVALUATED["several labels"])
    amounts = tm.evaluate(truth=[1.0, 2.0], predicted=[1.5, 2.0], regression=True)
    return {
        type(one).__name__: one.to_dict() for one in (few, chosen, compared, checked, many, labels, amounts)
    }


def dicts(part):
    """Every dict in it."""
    if isinstance(part, dict):
        yield part
        for value in part.values():
            yield from dicts(value)
    elif isinstance(part, list):
        for value in part:
            yield from dicts(value)


OPTIONAL = {
    "document",
    "table",
    "baselines",
    "threshold",
    "pairs",
    "persons",
    "clusters",
    "positives",
    "negatives",
    "design",
    "mix_fixed_by_weights",
}


def renamed(part, key):
    """The same with another name of this key."""
    return {f"{name}_" if name == key else name: value for name, value in part.items()}


@in_part(4)
@for_each("name", lambda: list(answers()))
def test_a_key_that_is_missing_or_renamed_is_found(name):
    answer, kind = answers()[name], kind_of(answers()[name])
    assert not faults(answer)
    for key in answer:
        assert faults(renamed(answer, key), kind), key
        if key not in OPTIONAL:
            assert faults({other: value for other, value in answer.items() if other != key}, kind), key
    assert faults({**answer, "another": 1})


@in_part(4)
@for_each(
    "key",
    [
        "value",
        "low",
        "method",
        "undefined",
        "notes",
        "standard_error",
        "code",
        "fields",
        "text",
        "tp",
        "rows",
    ],
)
def test_a_key_of_a_part_that_is_missing_or_renamed_is_found(key):
    for answer in answers().values():
        whole = copy.deepcopy(answer)
        part = next(
            (
                one
                for one in dicts(whole)
                if key in one and isinstance(one, dict) and not one.keys() & {"require"}
            ),
            None,
        )
        if part is None or part is whole:
            continue
        value = part.pop(key)
        assert faults(whole), key
        part[f"{key}_"] = value
        assert faults(whole), key


@pytest.mark.full
def test_values_of_another_kind_are_found():
    answer = answers()["Verdict"]
    others = (
        ("schema", 1),
        ("schema", "2"),
        ("answer", "evaluation"),
        ("passed", 1),
        ("level", "0.95"),
        ("findings", {}),
    )
    for place, wrong in others:
        assert faults({**answer, place: wrong}, "check"), place
    assert not Draft202012Validator(schema()).is_valid({**answer, "passed": None})
    assert Draft202012Validator(schema()).is_valid(answer)
