"""`from_json` of every answer: what comes back holds its figures, says so where the cases are needed, and
refuses other texts."""

import json
from functools import cache
from math import inf, isnan

import numpy as np
import pytest
from every_result import CLASSES, OTHER, SCORE, TRUTH, result_classes, results
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm
from tallymark.evaluation.notices import Notice
from tallymark.evaluation.thresholds import RuleSpec
from tallymark.input.messages import KINDS, Note
from tallymark.input.results import Answer, InFull, Readable, Tabular
from tallymark.report.saved import RULES, FiguresOnly, SavedResult, estimate_of


@cache
def answers():
    """One of every answer, by a description."""
    return {name: one for name, one in results().items() if isinstance(one, Answer)}


@cache
def saved(name):
    one = answers()[name]
    return type(one).from_json(one.to_json())


def same(one, other):
    """Whether two estimates are equal, undefined ones included."""
    return one.to_dict() == other.to_dict() and isnan(one.value) == isnan(other.value)


@pytest.mark.full
def test_every_such_type_is_public():
    kinds = {kind for kind in result_classes() if hasattr(kind, "ANSWER")}
    assert {kind.__name__ for kind in kinds} <= {*tm.__all__, *tm.planning.__all__}


# What comes back
# --------------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_every_type_whose_json_names_itself_reads_it():
    named = {
        type(one)
        for name, one in results().items()
        if hasattr(one, "to_dict") and name != "moments of residuals" and "answer" in one.to_dict()
    } - {SavedResult, InFull}  # an answer in another form
    assert all(issubclass(kind, (Answer, Readable)) for kind in named)
    assert named >= {kind for kind in result_classes() if hasattr(kind, "ANSWER")}
    assert all(one.to_dict()["answer"] == one.ANSWER for one in answers().values())


@in_part(4)
@for_each("name", answers)
def test_it_has_the_same_figures(name):
    one, again = answers()[name], saved(name)
    assert type(again) is SavedResult
    assert again.kind is type(one)
    assert again.to_dict() == one.to_dict()
    assert again.to_json() == one.to_json()
    assert again == type(one).from_json(one.to_json(indent=None))
    assert SavedResult(again.kind, again.written) == again
    if isinstance(one, Tabular):
        assert again.table == one.table
        assert list(again.to_frame("pandas").columns) == list(one.to_frame("pandas").columns)


@in_part(3)
@for_each("name", answers)
def test_what_it_says_is_a_value_again(name):
    one, again = answers()[name], saved(name)
    written = one.to_dict().get("notices", ())
    of_models = (
        [notice for model in one.values() for notice in model.notices]
        if again.kind in (tm.EvaluationTable, tm.GroupTables, tm.FoldTables)
        else []
    )
    assert all(isinstance(notice, Notice) for notice in again.notices)
    assert [notice.to_dict() for notice in again.notices][: len(written)] == list(written)
    assert len(again.notices) == len(written) + len(of_models)


@pytest.mark.full
@for_each("name", answers)
def test_its_text_fits_a_terminal(name):
    for written in (str(saved(name)), str(saved(name).all)):
        assert max(map(len, written.splitlines())) <= 80
        assert "nan" not in written.split()
    assert all(notice.code in written for notice in saved(name).notices)


@in_part(6, ("fast", "full"))
@for_each("name", lambda: [name for name, one in answers().items() if isinstance(one, tm.Evaluation)])
def test_the_estimates_are_those_of_the_evaluation(name):
    one, again = answers()[name], saved(name)
    assert list(again) == list(one)
    assert all(same(again[measure], found) for measure, found in dict(one).items())
    assert all(
        again[measure].value == found.value for measure, found in dict(one).items() if not found.undefined
    )


def test_estimates_of_other_answers():
    compared, verdict, table = (answers()[name] for name in ("comparison", "verdict", "models"))
    assert same(saved("comparison")["auc"], compared["roc_auc"].estimate)
    assert saved("comparison").differences[0]["of_model"] == compared["roc_auc"].models[0]
    assert same(saved("verdict")["roc_auc >= 0.5"], verdict.findings[0].estimate)
    assert saved("verdict").passed is verdict.passed is False
    assert saved("models")["other"].kind is tm.BinaryEvaluation
    assert same(saved("models")["other"]["f1"], table["other"]["f1"])
    assert [notice.text for notice in saved("models").notices] == [notice.text for notice in table.notices]
    assert same(saved("permutation")["p_value"], answers()["permutation"].p)
    assert list(saved("curve")) == list(saved("operating points")) == []
    assert same(saved("many classes").classes["a"]["f1"], answers()["many classes"].classes["a"]["f1"])


def test_of_several_pairs_a_difference_is_named_with_its_models():
    compared = tm.compare(truth=TRUTH, score={"a": SCORE, "b": OTHER, "c": SCORE**2}, measures="roc_auc")
    again = type(compared).from_json(compared.to_json())
    assert same(again["auc", "b", "a"], compared["auc", "b", "a"].estimate)
    assert list(again) == [("roc_auc", "b", "a"), ("roc_auc", "c", "a")]
    assert "roc_auc" not in again


@pytest.mark.full
def test_what_is_infinite_comes_back_infinite():
    one = tm.evaluate(counts=tm.Counts(tp=5, fp=0, fn=1, tn=4))
    again = tm.BinaryEvaluation.from_json(one.to_json())
    assert again["positive_likelihood_ratio"].value == one["positive_likelihood_ratio"].value == inf
    assert again["positive_likelihood_ratio"].high == inf
    turned = tm.BinaryEvaluation.from_json(tm.evaluate(counts=tm.Counts(tp=0, fp=2, fn=3, tn=4)).to_json())
    signs = {name: found.value for name, found in turned.items() if abs(found.value) == inf}
    assert signs
    assert signs == {
        name: tm.evaluate(counts=tm.Counts(tp=0, fp=2, fn=3, tn=4))[name].value for name in signs
    }
    at = tm.evaluate(truth=TRUTH, score=SCORE, threshold=inf)
    assert tm.BinaryEvaluation.from_json(at.to_json())["sensitivity"].threshold == inf


@pytest.mark.full
def test_notes_and_rules_are_values():
    few = tm.evaluate(
        truth=[0, 1, 1, 0, 1], score=[0.2, 0.1, 0.9, 0.3, 0.8], rule="sensitivity>=0.9", replicates=0
    )
    again = tm.BinaryEvaluation.from_json(few.to_json())
    assert again["sensitivity"].notes == few["sensitivity"].notes
    assert all(isinstance(note, Note) for found in again.values() for note in found.notes)
    assert again.threshold["rule"] == few.threshold.rule
    assert isinstance(again.threshold["rule"], RuleSpec)
    assert again.unavailable == few.unavailable
    assert again.notices == few.notices


def test_rules_and_notes_have_codes_of_their_own():
    """Both are written alike, and the code tells them apart; but for one note of estimates, which have no
    rules."""
    assert RULES & KINDS.keys() == {"given"}
    given = tm.at_prevalence(tm.Counts(tp=8, fp=2, fn=1, tn=9), prevalence=0.1).estimates["prevalence"]
    assert estimate_of(given.to_dict()).notes == given.notes == (Note("given"),)


def test_it_is_saved_and_shown_as_any_result(tmp_path):
    again = saved("two classes")
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text(encoding="utf-8") == answers()["two classes"].to_json() + "\n"
    again.save(tmp_path / "again.html")
    page = (tmp_path / "again.html").read_text(encoding="utf-8")
    assert "ROC AUC" in page
    assert "<title>" in page
    assert repr(again) == f"<SavedResult (BinaryEvaluation) of 60 cases: {len(again)} estimates, 0 notices>"


def test_what_is_returned_can_be_changed_without_harm():
    again = saved("two classes")
    again.to_dict()["measures"].clear()
    assert len(again.to_dict()["measures"]) == len(again)
    with pytest.raises(AttributeError):
        again.kind = tm.Evaluation


# What it has not
# --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["curve", "at", "ranking", "operating_points", "summaries", "optimism_of_choice", "settings"]
)
def test_what_needs_the_cases_is_refused(name):
    again = saved("two classes")
    assert not hasattr(again, name)
    with pytest.raises(
        FiguresOnly, match=rf"^{name}: what is read from JSON .BinaryEvaluation. holds figures, not the "
    ):
        getattr(again, name)


@pytest.mark.parametrize(
    ("name", "keep"),
    [
        ("two classes", "ev.ranking.to_json()"),
        ("many classes", "ev.matrix.to_json()"),
        ("several labels", "ev.indicators.to_json()"),
        ("amounts", "ev.residuals.to_json()"),
        ("comparison", "make it again from the cases"),
    ],
)
def test_it_says_what_to_keep(name, keep):
    with pytest.raises(FiguresOnly) as refused:
        _ = saved(name).clusters if name != "comparison" else saved(name).evaluations
    assert keep in str(refused.value)
    assert str(refused.value).endswith(".")


def test_a_word_that_no_answer_has_is_no_attribute():
    with pytest.raises(AttributeError, match="'SavedResult' object has no attribute 'nonsense'"):
        _ = saved("two classes").nonsense


VERBS = {
    "evaluate": lambda one: tm.evaluate(one),
    "bootstrap": lambda one: tm.bootstrap(one, measures="f1"),
    "choose_threshold": lambda one: tm.choose_threshold(one),
    "calibration": lambda one: tm.calibration(one),
    "advise": lambda one: tm.advise(one),
    "check": lambda one: tm.check(one, require="roc_auc >= 0.5"),
    "unscored": lambda one: tm.unscored(one, of_positives=0.1, of_negatives=0.1),
    "compare": lambda one: tm.compare(one, one),
    "compare with another": lambda one: tm.compare(answers()["two classes"], one),
    "baseline": lambda one: tm.check(answers()["two classes"], baseline=one, no_worse_than=0.1),
    "present": lambda one: tm.planning.present(one),
}


@for_each("verb", VERBS)
def test_every_verb_says_why_it_cannot_take_figures(verb):
    with refuses("unsupported"):
        VERBS[verb](saved("two classes"))


@for_each("verb", VERBS)
def test_every_verb_says_what_to_pass_in_the_place_of_another_answer(verb):
    for name in ("biometric", "threshold choice", "calibration"):
        kind = type(answers()[name]).__name__
        with pytest.raises(
            tm.InputError,
            match=rf"^(data|baseline): it is a result of another kind \({kind}\); pass its \.evaluation",
        ):
            VERBS[verb](answers()[name])
    with refuses("unsupported"):
        VERBS[verb](answers()["curve"])


def test_a_measure_that_is_not_there():
    with refuses("unsupported", "score_kind='llr'"):
        saved("two classes")["cllr"]
    with pytest.raises(KeyError, match="'sensitivty' is not in this BinaryEvaluation"):
        saved("two classes")["sensitivty"]
    assert "recall" in saved("two classes")
    assert "nonsense" not in saved("two classes")
    for name in (None, ["f1"], ("roc_auc", "b"), 3, ()):
        assert name not in saved("two classes")
        with pytest.raises(KeyError):
            saved("two classes")[name]
    assert saved("two classes")["recall"] is saved("two classes")["sensitivity"]


# Other texts
# ------------------------------------------------------------------------------------------------------------


@in_part(5, ("fast", "full"))
@for_each("name", answers)
def test_other_texts_are_refused(name):
    kind, text = type(answers()[name]), answers()[name].to_json()
    half = {
        key: part
        for key, part in json.loads(text).items()
        if key in ("schema", "tallymark", "answer", "task")
    }
    for wrong in (
        "",
        "[]",
        "{}",
        "null",
        '{"a": 1}',
        text[:-1],
        "[" * 100_000,
        None,
        3,
        text.encode() + b"x",
    ):
        with refuses("unreadable", f"no JSON of {kind.__name__}", argument="from_json"):
            kind.from_json(wrong)
    with refuses("unreadable", kind.__name__, argument="from_json"):
        kind.from_json(json.dumps(half))


def test_another_answer_is_refused_by_its_name():
    with refuses("mismatch", "'comparison'", "'evaluation'", "'binary'", "from_json"):
        tm.BinaryEvaluation.from_json(answers()["comparison"].to_json())
    with refuses("mismatch", "'evaluation'", "'multiclass'", "'binary'", argument="from_json"):
        tm.BinaryEvaluation.from_json(answers()["many classes"].to_json())
    assert tm.Evaluation.from_json(answers()["many classes"].to_json()).kind is tm.MulticlassEvaluation


def test_another_layout_is_refused():
    plain = answers()["two classes"].to_dict() | {"schema": 1}
    with refuses("unreadable", argument="from_json"):
        tm.BinaryEvaluation.from_json(json.dumps(plain))


def test_a_code_of_another_version_is_refused():
    plain = tm.evaluate(truth=TRUTH[:6], score=SCORE[:6]).to_dict()
    assert plain["notices"]
    plain["notices"][0]["code"] = "of-tomorrow"
    with refuses("unreadable", "'of-tomorrow'", argument="from_json"):
        tm.BinaryEvaluation.from_json(json.dumps(plain))


@pytest.mark.parametrize(
    "change",
    [
        lambda plain: plain.update(task="guessing"),
        lambda plain: plain.update(schema=True),
        lambda plain: plain.update(data=3),
        lambda plain: plain.update(notices=[{}]) or plain.pop("measures"),
        lambda plain: plain["measures"].update(f1="0.5"),
        lambda plain: plain["measures"]["f1"].update(value="0.5"),
        lambda plain: plain["measures"]["f1"].update(low={}),
        lambda plain: plain["measures"]["f1"].update(notes=None),
        lambda plain: plain["measures"]["f1"].pop("high"),
    ],
)
def test_what_is_changed_so_that_it_is_no_answer_is_refused(change):
    plain = answers()["two classes"].to_dict()
    change(plain)
    with refuses("unreadable", "to_json", argument="from_json"):
        tm.Evaluation.from_json(json.dumps(plain))


def test_numbers_that_json_has_not_are_refused():
    text = answers()["two classes"].to_json()
    with refuses("unreadable", argument="from_json"):
        tm.BinaryEvaluation.from_json(text.replace('"level": 0.95', '"level": NaN', 1))


def test_labels_come_back_as_they_were_written():
    label = "inf"
    one = tm.evaluate(
        truth=np.where(CLASSES == "a", label, CLASSES),
        predicted=np.roll(CLASSES, 1),
        classes=["inf", "b", "c", "a"],
    )
    again = tm.MulticlassEvaluation.from_json(one.to_json())
    assert [notice.text for notice in again.notices] == [notice.text for notice in one.notices]


def test_the_text_has_the_level_of_each_interval():
    models = {
        f"{level:g}": tm.evaluate(truth=TRUTH, predicted=SCORE > 0.5, level=level) for level in (0.9, 0.99)
    }
    written = str(tm.EvaluationTable.from_json(tm.EvaluationTable(models).to_json()).all)
    assert "95% interval" not in written
    assert all(level in written for level in ("90.0 %", "99.0 %"))
    alone = str(tm.BinaryEvaluation.from_json(models["0.9"].to_json()))
    assert "90.0 %" in alone


def test_labels_that_look_like_entries_or_numbers_stay_labels():
    names = ["code", "fields", "text"]
    rng = np.random.default_rng(3)
    one = tm.evaluate(truth=np.repeat(names, 20), score=rng.dirichlet(np.ones(3), 60), classes=names)
    assert type(one).from_json(one.to_json()).to_dict() == one.to_dict()
    odd = tm.evaluate(truth=["a", "b"] * 30, score=rng.dirichlet(np.ones(3), 60), classes=["a", "b", "inf"])
    again = type(odd).from_json(odd.to_json())
    assert again.notices == odd.notices
    assert [str(notice) for notice in again.notices] == [str(notice) for notice in odd.notices]


@pytest.mark.parametrize(
    ("name", "value"),
    [("method", {"a": 1}), ("standard_error", "x"), ("level", 10**400), ("value", 10**400), ("low", "x")],
)
def test_hostile_estimates_are_refused(name, value):
    plain = json.loads(answers()["two classes"].to_json())
    plain["measures"]["roc_auc"][name] = value
    with pytest.raises(tm.InputError, match="from_json"):
        tm.BinaryEvaluation.from_json(json.dumps(plain))


def test_hostile_notices_are_refused():
    plain = json.loads(answers()["two classes"].to_json())
    for notices in ("abc", [{"a": 1}]):
        with refuses("unreadable", "from_json"):
            tm.BinaryEvaluation.from_json(json.dumps(plain | {"notices": notices}))
