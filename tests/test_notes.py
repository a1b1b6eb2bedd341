"""Notes, notices and rules are values: what they say is made last, and no decision depends on a word of
it."""

import ast
import copy
import json
import pickle
import string
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.evaluation import thresholds
from tallymark.evaluation.notices import BY_CODE, RULES, SENTENCES as NOTICES, Notice
from tallymark.evaluation.thresholds import RuleSpec, read_rule
from tallymark.input import messages
from tallymark.input.messages import (
    SENTENCES,
    Note,
    in_array,
    joined,
    of_code,
    of_each,
    of_kind,
    text_of,
    without_codes,
)

SOURCE = Path(tm.__file__).parent
FEW = Note("few-deciding", cases=12.3, of="cases")


@cache
@cache
def trees():
    """The syntax tree of every file of the package, by its path in it."""
    paths = sorted(SOURCE.rglob("*.py"))
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths
    }


# The value
# ------------------------------------------------------------------------------------------------------------


def test_a_note_is_a_frozen_value():
    same = Note("few-deciding", cases=12.3, of="cases")
    assert (FEW, hash(FEW)) == (same, hash(same))
    assert Note("few-deciding", cases=12.4, of="cases") != FEW
    assert pickle.loads(pickle.dumps(FEW)) == copy.deepcopy(FEW) == FEW
    assert eval(repr(FEW)) == FEW
    for name in ("code", "fields", "another"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(FEW, name, "other")


def test_its_fields_are_read_by_name():
    assert FEW["cases"] == 12.3
    assert "cases" in FEW
    assert "limit" not in FEW
    assert list(FEW) == ["cases", "of"]
    with pytest.raises(KeyError):
        FEW["limit"]
    assert FEW.but(cases=3.0) == Note("few-deciding", cases=3.0, of="cases")


def test_its_plain_form_is_strict_json():
    nested = Note("value-without-interval", which="first", because=(FEW, Note("infinite")))
    answer = json.loads(json.dumps(nested.to_dict(), allow_nan=False))
    first = {"code": FEW.code, "fields": {"cases": 12.3, "of": "cases"}, "text": FEW.text}
    inner = [first, {"code": "infinite", "fields": {}, "text": "infinite"}]
    fields = {"which": "first", "because": inner}
    assert answer == {"code": "value-without-interval", "fields": fields, "text": nested.text}
    odd = Note("undefined-classes", labels=("a", np.int64(3), float("inf")), classes=np.float64(4.0))
    fields = {"labels": ["a", 3, "inf"], "classes": 4.0}
    assert json.loads(json.dumps(odd.to_dict(), allow_nan=False)) == {
        "code": odd.code,
        "fields": fields,
        "text": odd.text,
    }


def test_several_notes():
    one, other = Note("bound-cut"), Note("few-scores", scores=8)
    assert joined(None, one, (), (other, one)) == (one, other, one)
    assert text_of(()) is None
    assert text_of((one, other)) == f"{one.text}; {other.text}"
    assert of_code((one, other), "bound-cut") == without_codes((one, other), "few-scores") == (one,)
    assert of_kind((one, other), "approximate") == (other,)
    assert of_each(in_array([None, one, (one, other)]), 3) == [(), (one,), (one, other)]
    assert of_each(one, 2) == [(one,), (one,)]


def test_a_reason_does_not_repeat_that_there_is_no_interval():
    note = Note("never-met")
    assert note.text == f"no interval: {note.reason}"


# The sentences
# --------------------------------------------------------------------------------------------------------


# The modules that hold sentences, and nothing else.
WORDS = {"messages.py", "evaluation/thresholds.py", "notices/texts.py"}


def made(kind="Note"):
    """(file, line, codes, names of fields) of every such value that the source makes."""
    for name, tree in trees().items():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == kind
                and node.args
            ):
                codes = [
                    one.value
                    for one in ast.walk(node.args[0])
                    if isinstance(one, ast.Constant) and isinstance(one.value, str)
                ]
                fields = {one.arg for one in node.keywords}
                yield name, node.lineno, codes, fields


@pytest.mark.full
def test_every_note_that_is_made_has_a_sentence():
    found = list(made())
    assert len(found) > 100
    assert not [
        (name, line, code) for name, line, codes, _ in found for code in codes if code not in SENTENCES
    ]


@pytest.mark.full
def test_every_sentence_is_of_a_note_that_is_made():
    constants = {
        node.value
        for name, tree in trees().items()
        if name not in WORDS
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert not set(SENTENCES) - constants
    codes = {rule.code for rule in RULES} | {code for *_, codes, _ in made("Notice") for code in codes}
    missing = codes - set(NOTICES)
    assert not missing, f"add a sentence to SENTENCES in evaluation/notices.py for: {missing}"
    assert not set(NOTICES) - codes
    # each in one place
    assert sum(map(len, messages.OF_KIND.values())) == len(SENTENCES) == len(messages.KINDS)


SHARED = {"lead", "option", "either"}  # that every format of a sentence may use


@pytest.mark.full
def test_notes_have_the_fields_of_their_sentences():
    wrong = []
    for name, line, codes, fields in made():
        for code in codes:
            if isinstance(SENTENCES[code], str) and None not in fields:
                asked = {
                    field.split("[")[0]
                    for _, field, _, _ in string.Formatter().parse(SENTENCES[code])
                    if field
                } - SHARED
                wrong += [(name, line, code, sorted(asked ^ fields))] if asked != fields else []
    assert not wrong


def test_a_notice_has_a_sentence_and_perhaps_a_source():
    notice = Notice("few-cases", limit=10, positives=7)
    assert notice.text.startswith("Only 7 positives: read the intervals")
    assert notice.but(terms="comparisons").text.startswith("Only 7 mated comparisons")
    assert notice.but(model="b").text == f"b: {notice.text}"
    assert str(notice) == f"{notice.text} [few-cases]"
    assert notice.source == BY_CODE["few-cases"].source != Notice("one-class", missing="both").source is None
    plain = {
        "code": "few-cases",
        "fields": {"limit": 10, "positives": 7},
        "severe": True,
        "text": notice.text,
        "source": notice.source,
    }
    assert notice.to_dict() == plain == json.loads(json.dumps(notice.to_dict(), allow_nan=False))
    assert pickle.loads(pickle.dumps(notice)) == notice != Note("few-cases", limit=10, positives=7)


@for_each(
    ("rule", "text", "requested"),
    [
        (read_rule("youden"), "youden", "youden"),
        (read_rule("cost", cost_fp=1, cost_fn=2.5), "cost, cost_fp = 1, cost_fn = 2.5", "cost"),
        (read_rule("f_beta", {"f_beta": {"beta": 0.5}}), "largest f_beta (beta = 0.5)", "f_beta"),
        (read_rule("false_positive_rate"), "smallest false_positive_rate", "false_positive_rate"),
        (read_rule("recall>=0.95"), "sensitivity >= 0.95", "sensitivity >= 0.95"),
        (read_rule("specificity.low >= 0.9"), "specificity.low >= 0.9", "specificity.low >= 0.9"),
    ],
)
def test_a_rule_is_a_value_with_its_parameters(rule, text, requested):
    spec = rule.spec
    assert (spec.text, spec.requested, spec.chosen) == (text, requested, True)
    assert spec.is_limit == (">" in text)
    assert pickle.loads(pickle.dumps(spec)) == copy.deepcopy(spec) == eval(repr(spec)) == spec
    assert spec.to_dict() == {"code": spec.code, "fields": dict(spec.fields), "text": text}
    if not rule.spec.fields or spec.is_limit:
        assert read_rule(requested).spec == spec  # what is written is read as the same


def test_how_a_threshold_came_about_is_a_value():
    found = tm.evaluate(truth=TRUTH, score=SCORE)
    assert found.threshold.rule == RuleSpec("default")
    assert found.at(0.3).threshold.rule == RuleSpec("given")
    assert not found.at(0.3).threshold.chosen
    stated = found.chosen_by("as the last paper says").threshold
    assert (stated.rule, stated.chosen) == (RuleSpec("stated", words="as the last paper says"), True)
    one = tm.evaluate(truth=[1, 1], score=[3.0, 4.0]).threshold
    assert (one.rule.code, one.chosen) == ("one-class", False)
    assert tm.evaluate(truth=[0, 1], predicted=[1, 1]).threshold.rule == RuleSpec("predicted")


def test_kinds_are_not_read_off_the_words():
    """They say the same as the words do now, which may change."""
    for code, kind in messages.KINDS.items():
        words = SENTENCES[code]
        if isinstance(words, str):
            assert words.startswith("approximate") == (kind == "approximate"), code


# No decision by text
# --------------------------------------------------------------------------------------------------

# attributes that hold sentences
TEXTS = {"note", "text", "undefined", "reason", "sentence", "rule", "why", "requested"}
GIVEN = {"sentence"}  # parameters that do
PARSING = {
    "split",
    "rsplit",
    "splitlines",
    "partition",
    "rpartition",
    "startswith",
    "endswith",
    "replace",
    "removeprefix",
}
PARSING |= {"removesuffix", "find", "index", "count", "strip", "lstrip", "rstrip"}
MATCHING = {"compile", "match", "search", "fullmatch", "sub", "split", "findall", "finditer"}
# Whose text is what somebody wrote, to be read, or a whole page to be set; (file, function).
ALLOWED = {
    ("input/sources/jsonlines.py", "*"): "the text of a JSON file",
    ("studies/gate/grammar.py", "*"): "the text of a requirement and its tokens",
    ("studies/gate/checking.py", "finding_of"): "the text of a requirement, on one line",
    ("studies/gate/file.py", "line"): "the text of a gate file",
    ("input/sources/__init__.py", "_of_file"): "the first line of an error of another library",
    ("input/sources/parquet.py", "batches"): "the same",
    ("input/sources/engines.py", "of_engine"): "the same",
}


def names_with_text(nodes):
    """Names that a function gives a sentence, or parts of one; errors caught are not texts, but str() of them
    is."""
    tainted = set()
    for _ in range(3):
        for node in nodes:
            if isinstance(node, ast.Assign) and direct(node.value, tainted):
                tainted |= {
                    one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)
                }
            if isinstance(node, ast.NamedExpr) and direct(node.value, tainted):
                tainted.add(node.target.id)
            if isinstance(node, (ast.comprehension, ast.For)) and parses(node.iter, tainted):
                tainted |= {one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)}
    return tainted


def direct(node, tainted):
    """Whether the value of an expression is a sentence, not just made with one."""
    if isinstance(node, ast.Attribute):
        return node.attr in TEXTS
    if isinstance(node, ast.Name):
        return node.id in tainted
    if isinstance(node, ast.BoolOp):
        return any(direct(one, tainted) for one in node.values)
    if isinstance(node, ast.IfExp):
        return direct(node.body, tainted) or direct(node.orelse, tainted)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("str", "text_of"):
        return bool(node.args) and (
            node.func.id == "text_of" or direct(node.args[0], tainted) or is_error(node.args[0])
        )
    return parses(node, tainted)


def is_error(node):
    return isinstance(node, ast.Name) and getattr(node, "of_error", False)


def parses(node, tainted):
    """Whether a call takes a sentence apart, or changes it."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    of = node.func.value
    if isinstance(of, ast.Name) and of.id == "re" and node.func.attr in MATCHING:
        return any(direct(one, tainted) for one in node.args)
    if node.func.attr in MATCHING - {"split"} and any(direct(one, tainted) for one in node.args):
        return isinstance(of, ast.Name) and of.id.isupper()  # of a compiled pattern
    return node.func.attr in PARSING and direct(of, tainted)


def looks_into(node, tainted):
    """Whether a comparison looks for something in a sentence."""
    return isinstance(node, ast.Compare) and any(
        isinstance(sign, (ast.In, ast.NotIn)) and direct(other, tainted)
        for sign, other in zip(node.ops, node.comparators, strict=True)
    )


def by_text(tree):
    """(function, line) of every place that takes a sentence apart, changes it, or looks for something in
    it."""
    for handler in (node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.name):
        for node in ast.walk(handler):
            if isinstance(node, ast.Name) and node.id == handler.name:
                node.of_error = True
    for function in (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))):
        nodes = list(ast.walk(function))
        if not any(
            isinstance(node, ast.Compare) or getattr(node, "attr", None) in PARSING | MATCHING
            for node in nodes
        ):
            continue
        tainted = names_with_text(nodes) | {one.arg for one in function.args.args if one.arg in GIVEN}
        for node in nodes:
            if parses(node, tainted) or looks_into(node, tainted):
                yield getattr(function, "name", "lambda"), node.lineno


@pytest.mark.full
def test_nothing_decides_by_a_sentence():
    found = {
        (name, function)
        for name, tree in trees().items()
        if name not in WORDS and (name, "*") not in ALLOWED
        for function, _ in by_text(tree)
    }
    assert not found - set(ALLOWED), "give the value a code or a field, and read that"
    assert not {key for key in ALLOWED if key[1] != "*"} - found, "an exception that is not needed any more"


@for_each(
    "code",
    [
        "parts = (found.note or '').split('; ')",
        "x = [p for p in (found.note or '').split('; ') if p.startswith('approximate')]",
        "said = evidence.note\n    said = said.replace('a', 'b')",
        "if 'approximate' in (found.note or ''): pass",
        "y = OF_RULE.sub('', e.threshold.rule)",
        "y = re.match('a', notice.text)",
        (
            "try:\n        pass\n    except ValueError as reason:\n        y ="
            " str(reason).removeprefix('rule: ')"
        ),
    ],
)
def test_the_check_finds_what_it_is_for(code):
    assert list(by_text(ast.parse(f"def f(found, evidence, e, notice):\n    {code}\n")))


@for_each(
    "code",
    [
        "y = '; '.join(n.text for n in notes)",
        "y = found.note or found.undefined",
        "y = name.replace('-', '_')",
    ],
)
def test_and_nothing_else(code):
    assert not list(by_text(ast.parse(f"def f(found, notes, name):\n    {code}\n")))


# Other words, the same decisions
# ---------------------------------------------------------------------------------------

RANDOM = np.random.default_rng(7)
TRUTH = RANDOM.integers(0, 2, 60)
SCORE = (np.clip(TRUTH * 0.3 + RANDOM.normal(0.35, 0.2, 60), 0.01, 0.99)).round(2)
OTHER = (np.clip(TRUTH * 0.2 + RANDOM.normal(0.40, 0.2, 60), 0.01, 0.99)).round(2)
CLUSTERS = np.arange(60) // 5
THREE = np.minimum(TRUTH + (SCORE > 0.8), 2)
SMALL = {"truth": [0, 0, 1, 1, 1], "score": [0.1, 0.4, 0.5, 0.8, 0.9]}
EVALUATED = {
    "scores": {"truth": TRUTH, "score": SCORE},
    "fixed": {"truth": TRUTH, "score": SCORE, "design": "case-control"},
    "weights": {"truth": TRUTH, "score": SCORE, "weight": np.where(SCORE > 0.5, 1.0, 7.5)},
    "clusters": {"truth": TRUTH, "score": SCORE, "clusters": CLUSTERS},
    "chosen": {"truth": TRUTH, "score": SCORE, "rule": "youden"},
    "three": {"truth": THREE, "predicted": RANDOM.permutation(THREE)},
    "few": SMALL,
    "wald": {**SMALL, "proportion": "wald"},
}
REQUIRED = [
    "roc_auc.low >= 0.6",
    "sensitivity >= 0.5 at specificity >= 0.8",
    "f1.low >= 0.2 at rule youden",
    "brier_score.high <= 0.3",
]
REQUIRED += ["calibration_slope.width <= 9", "sensitivity.low >= 0.99", "youden_j >= 0.2 at rule f1"]


def other_words(monkeypatch):
    """Every sentence as another one, with all that the old ones were taken apart by."""
    for code, kind in messages.KINDS.items():
        head = "x17" if kind == "approximate" else "approximate: no interval: "
        monkeypatch.setitem(
            SENTENCES,
            code,
            lambda fields, code=code, head=head: f"{head} x = 17; {code} {sorted(fields.items())}",
        )
    for code in NOTICES:
        monkeypatch.setitem(
            NOTICES,
            code,
            lambda fields: f"default given youden; {fields.message.code} {fields.message.fields}",
        )
    for code in (
        "youden",
        "given",
        "default",
        "predicted",
        "objective",
        "constraint",
        "bound",
        "stated",
        "one-class",
    ):
        monkeypatch.setitem(
            thresholds.WORDS, code, lambda rule: f"predicted >= {len(rule.code)}.low; default {rule.fields}"
        )


def read_off(found):
    """What an estimate is, apart from words."""
    numbers = np.array([found.value, found.low, found.high, found.corrected], float).tolist()
    return [numbers, found.method, bool(found.undefined), found.notes]


def gate(**asked):
    found = tm.check(truth=TRUTH, score=SCORE, **asked)
    return [
        (one.outcome, one.compared, one.operator, one.estimate.notes) for one in found.findings
    ], found.passed


def compared(**cases):
    found = tm.compare(
        truth=TRUTH,
        score={"a": SCORE, "b": OTHER},
        measures=["roc_auc", "f1", "log_loss", "precision"],
        **cases,
    )
    return [(one.measure, one.p_value, *read_off(one.estimate)) for one in found.differences]


def chosen(**asked):
    found = tm.choose_threshold(truth=TRUTH, score=SCORE, replicates=50, **asked)
    return (
        found.threshold,
        found.interval,
        found.notes,
        [found.corrected[name] for name in ("f1", "youden_j")],
    )


def bands(name, **how):
    about = tm.evaluate(truth=TRUTH, score=SCORE).curve(name, **how).about
    return about.kind, about.method, about.notes


def bootstrapped(**how):
    found = tm.bootstrap(
        truth=TRUTH, score=SCORE, replicates=100, measures=["roc_auc", "f1", "average_precision"], **how
    )
    return [(name, *read_off(found[name])) for name in found]


DECISIONS = {
    **{f"evaluate {name}": lambda given=given: decided(given) for name, given in EVALUATED.items()},
    "check": lambda: gate(require=REQUIRED),
    "check chosen": lambda: gate(require=["f1.low >= 0.2", "f1 >= 0.1"], rule="f1"),
    "check clusters": lambda: gate(require=["f1.low >= 0.2 at specificity >= 0.8"], clusters=CLUSTERS),
    "check baseline": lambda: gate(
        measures=["roc_auc", "f1"], no_worse_than=0.2, baseline=other_cases(), paired=False
    ),
    "compare": compared,
    "compare resamples": lambda: compared(method="bootstrap", replicates=100),
    "compare fixed": lambda: compared(design="case-control"),
    "compare samples": lambda: compared_samples(),
    "choose": chosen,
    "choose a bound": lambda: chosen(rule="specificity>=0.9"),
    "roc band": lambda: bands("roc", band="simultaneous", level=0.9),
    "reliability": lambda: bands("reliability", band="pointwise"),
    "precision against the threshold": lambda: bands("precision", band="pointwise"),
    "bootstrap": bootstrapped,
    "bootstrap fixed": lambda: bootstrapped(design="case-control", method="percentile"),
}


def other_cases():
    return tm.evaluate(truth=TRUTH[:50], score=OTHER[:50])


def compared_samples():
    found = tm.compare(
        truth=TRUTH, score=SCORE, sample=np.arange(60) % 2, measures=["roc_auc", "f1", "log_loss"]
    )
    return [(one.measure, one.p_value, *read_off(one.estimate)) for one in found.differences]


def decided(given):
    found = tm.evaluate(**given)
    threshold = getattr(found, "threshold", None)
    threshold = threshold and (threshold.value, threshold.rule, threshold.chosen)
    return threshold, found.notices, {name: read_off(one) for name, one in found.estimates.items()}


QUICK = [
    name
    for name in DECISIONS
    if name in ("evaluate few", "evaluate three") or not name.startswith(("evaluate", "compare"))
]


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.full) for name in DECISIONS]
)
def test_reworded_notes_decide_nothing(name, monkeypatch):
    before = DECISIONS[name]()
    with monkeypatch.context() as words:
        other_words(words)
        assert "x = 17" in Note("bound-cut").text
        assert "youden; one-class" in Notice("one-class", missing="both").text
        after = DECISIONS[name]()
    assert repr(before) == repr(after)  # in which NaN is NaN


def wrongs():
    """Calls in which an error is raised, and those in which one is caught and something else done."""
    path = Path(__file__).parent / "data"
    y, p = TRUTH[:20], SCORE[:20]
    kinds = np.where(np.arange(20) % 3, "a", "b")
    return {
        "no labels": lambda: tm.evaluate(truth=kinds, score=p),
        "a wrong name": lambda: tm.evaluate(truth=y, scores=p),
        "three classes": lambda: tm.measures.f1(truth=np.arange(20) % 3, predicted=np.arange(20) % 3),
        "of three classes": lambda: tm.measures.roc_auc(truth=np.arange(20) % 3, score=p),
        "no rule": lambda: tm.choose_threshold(truth=y, score=p, rule="youdn"),
        "no requirement": lambda: tm.check(truth=y, score=p, require="f1.lo >= 0.1"),
        "undefined": lambda: tm.check(truth=[1, 1], score=[0.1, 0.2], require="roc_auc >= 0.1"),
        "not measured": lambda: tm.check(truth=y, predicted=y, require="roc_auc >= 0.1"),
        "a missing file": lambda: tm.evaluate(path / "nothing.csv", truth="y", score="p"),
        "gaps": lambda: tm.evaluate(truth=y, score=np.where(np.arange(20) < 3, np.nan, p)),
        "persons": lambda: tm.biometric(genuine=[0.4], impostor=[]),
        "another task": lambda: tm.evaluate(truth=y, predicted=y).curve("roc"),
        "no JSON": lambda: tm.Counts.from_json("[]"),
        "matrix instead": lambda: tm.measures.accuracy(truth=np.arange(20) % 3, predicted=np.arange(20) % 3),
        "the same cases": lambda: tm.compare(
            tm.evaluate(truth=y, score=p), tm.evaluate(truth=y, score=1 - p)
        ),
    }


def what_came(call):
    """The value, or what an error says besides words."""
    try:
        return repr(call())
    except tm.InputError as wrong:
        return type(wrong).__name__, wrong.code, wrong.argument, wrong.column, wrong.row


def test_reworded_errors_decide_nothing(monkeypatch):
    before = {name: what_came(call) for name, call in wrongs().items()}
    assert len({one[1] for one in before.values() if isinstance(one, tuple)}) > 6
    made = tm.InputError.__init__

    def other(self, code, argument, problem, remedy="", **more):
        made(self, code, argument, "other words: x = 17; rows", "y" if remedy else "", **more)

    with monkeypatch.context() as words:
        words.setattr(tm.InputError, "__init__", other)
        with refuses("needed", "17"):
            tm.evaluate(truth=[0, 1])
        after = {name: what_came(call) for name, call in wrongs().items()}
    assert before == after
