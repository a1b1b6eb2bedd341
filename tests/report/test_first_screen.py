"""The first screen: what `print` and `tallymark evaluate` show of an evaluation, and what they work out."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from looping import for_each, in_part

import tallymark as tm
from tallymark.cli import main
from tallymark.evaluation import notices
from tallymark.evaluation.notices import RULES
from tallymark.input.validate import InputError
from tallymark.measures.registry import all_measures
from tallymark.report import output
from tallymark.report.documents import document

RANDOM = np.random.default_rng(17)
LOGIT = RANDOM.normal(-0.5, 1.5, 2000)
SCORE = 1 / (1 + np.exp(-LOGIT))
TRUTH = (RANDOM.random(2000) < SCORE).astype(int)
CALLED = (SCORE > 0.5).astype(int)


def headlines(found):
    """The rows of the measures on the screen."""
    table = next(one for one in document(found).tables if one.name == "measures")
    return [
        SimpleNamespace(
            name=row["measure"].name,
            label=row["measure"].value,
            found=row["estimate"],
            next_to=row["beside"],
            here=row.get("here"),
        )
        for row in table.rows
    ]


def of_classes(number, scores=True):
    """Probabilities that are the true ones, and classes drawn with them."""
    score = RANDOM.dirichlet(np.full(number, 0.3), 3000)
    truth = (score.cumsum(1) < RANDOM.random((3000, 1))).sum(1).clip(0, number - 1)
    return tm.evaluate(truth=truth, **({"score": score} if scores else {"predicted": score.argmax(1)}))


SHOWN = {
    "scores": (tm.evaluate(truth=TRUTH, score=SCORE), 36),
    "labels": (tm.evaluate(truth=TRUTH, predicted=CALLED), 36),
    "counts": (tm.evaluate(counts=tm.Counts(tp=70, fp=20, fn=30, tn=80)), 36),
    "ten classes": (of_classes(10), 36),
    "labels of ten classes": (of_classes(10, scores=False), 36),
    "fifty classes": (of_classes(50), 36),
    "amounts": (tm.evaluate(truth=LOGIT, predicted=LOGIT + 0.1 * SCORE, regression=True), 36),
}
OF_SCORES = [
    "roc_auc", "average_precision", "sensitivity", "specificity", "precision", "negative_predictive_value",
    "accuracy", "f1", "matthews_correlation", "brier_score", "log_loss", "calibration_slope",
]  # fmt: skip


@for_each(("found", "most"), list(SHOWN.values()), ids=list(SHOWN))
def test_it_is_short_and_keeps_to_80_columns(found, most):
    lines = str(found).splitlines()
    assert len(lines) <= most
    assert max(map(len, lines)) <= 80


@for_each(("found", "most"), list(SHOWN.values()), ids=list(SHOWN))
def test_it_is_written_in_ascii(found, most):
    assert str(found).isascii()


def test_the_measures_stand_in_their_order():
    found = SHOWN["scores"][0]
    assert [row.name for row in headlines(found)] == OF_SCORES
    assert [row.label for row in headlines(found)][:3] == [
        "ROC AUC",
        "Average precision",
        "Sensitivity (recall)",
    ]
    values = [row.found for row in headlines(found)]
    assert values == [found[name] for name in OF_SCORES]


def test_labels_have_what_scores_make_needless():
    of_labels = [row.name for row in headlines(SHOWN["labels"][0])]
    assert of_labels[-2:] == ["positive_likelihood_ratio", "negative_likelihood_ratio"]
    assert "balanced_accuracy" in of_labels
    assert not {"roc_auc", "brier_score"} & set(of_labels)


def test_averages_stand_among_the_measures_of_classes():
    found = SHOWN["ten classes"][0]
    rows = {row.label: row.found for row in headlines(found)}
    assert rows["Macro F1"] == found.averages["macro"]["f1"]
    assert rows["Weighted F1"] == found.averages["weighted"]["f1"]
    assert rows["Macro ROC AUC"] == found["macro_roc_auc"]


def test_no_place_and_no_label_is_taken_twice():
    for summary in {entry.summary for entry in all_measures()}:
        heads = [entry.headline for entry in all_measures() if entry.summary is summary and entry.headline]
        placed = [head.place for head in heads if head.place is not None]
        assert len(set(placed)) == len(placed)
        assert len({head.label for head in heads}) == len(heads)


def test_a_line_has_value_interval_and_baseline():
    found = SHOWN["scores"][0]
    line = next(line for line in str(found).splitlines() if line.startswith("Average precision"))
    one = found["average_precision"]
    wanted = f"{one.value:.3f}  [{one.low:.3f}, {one.high:.3f}]  baseline {found['prevalence'].value:.3f}"
    assert " ".join(wanted.split()) in " ".join(line.split())


def test_what_is_approximate_says_so():
    weight = np.where(TRUTH & (np.arange(len(TRUTH)) % 9 == 0), 30.0, 1.0)
    few = tm.evaluate(truth=TRUTH, score=SCORE, weight=weight, weight_kind="importance")
    marked = {line.split("  ")[0] for line in str(few).splitlines() if "~[" in line}
    wanted = {
        row.label for row in headlines(few) if any(note.kind == "approximate" for note in row.found.notes)
    }
    assert marked == wanted
    assert marked


def test_what_is_undefined_is_no_number():
    found = str(tm.evaluate(truth=[0, 0, 0, 0], predicted=[0, 0, 0, 0]))
    assert [line.split() for line in found.splitlines() if line.startswith("Sensitivity")] == [
        ["Sensitivity", "(recall)", "-^1"]
    ]
    assert "^1 no actual positives (tp + fn = 0)." in found


def test_only_what_is_shown_is_worked_out():
    found = tm.evaluate(truth=TRUTH, score=SCORE)
    str(found)
    assert len(found._found) < 30 < len(found.estimates)
    chosen = tm.evaluate(truth=TRUTH, score=SCORE, measures=["auc"])
    chosen.to_dict()
    assert "bedroc" not in chosen._found


# Notices
# --------------------------------------------------------------------------------------------------

SOME = RANDOM.dirichlet(np.full(10, 0.3), 120)
FEW_OF_SOME = RANDOM.integers(0, 10, 120)
NOTICED = {  # evaluations with several notices, and the most lines
    "reversed": (tm.evaluate(truth=TRUTH[:60], score=1 - SCORE[:60]), 36),
    "reversed, chosen threshold": (tm.evaluate(truth=TRUTH[:60], score=1 - SCORE[:60], rule="f1"), 36),
    "a limit": (tm.evaluate(truth=TRUTH[:90], score=SCORE[:90], rule="sensitivity>=0.9"), 36),
    "few, of one kind": (tm.evaluate(truth=[0] * 6 + [1], score=[0.1] * 7, weight=[1, 2, 3, 1, 1, 1, 2]), 36),
    "weights": (tm.evaluate(truth=TRUTH, score=LOGIT * 1e4, weight=1.5 - TRUTH), 36),
    "ten classes": (tm.evaluate(truth=FEW_OF_SOME, score=SOME), 36),
    "labels of ten classes": (tm.evaluate(truth=FEW_OF_SOME, predicted=SOME[:, :8].argmax(1)), 36),
    "forty classes": (tm.evaluate(truth=np.arange(120) % 40, predicted=np.arange(120) % 39), 36),
}
noticed = for_each(("found", "most"), list(NOTICED.values()), ids=list(NOTICED))


@noticed
def test_with_notices_it_is_as_short(found, most):
    lines = str(found).splitlines()
    assert len(lines) <= most
    assert max(map(len, lines)) <= 80
    assert len(found.notices) >= 2


@pytest.mark.full
@noticed
def test_severe_notices_stand_before_the_numbers(found, most):
    for written, sentence in ((str(found), "brief"), (str(found.all), "text")):
        before = " ".join(written.split("-----")[0].split())
        for notice in found.notices:
            if notice.severe:
                assert f"! {getattr(notice, sentence)} [{notice.code}]" in before
    body = found.to_html().split("<body>")[1]
    above = body.split("<table")[0]
    assert all(notice.code in (above if notice.severe else body) for notice in found.notices)
    assert len(above) < len(body)


@pytest.mark.full
@noticed
def test_what_is_not_shown_is_counted(found, most):
    written = " ".join(str(found).split())
    more = [notice for notice in found.notices if f"[{notice.code}]" not in written]
    assert not any(notice.severe for notice in more)
    line = f"! {len(more)} more notice{'s' * (len(more) != 1)}: result.all"
    assert (line in str(found).splitlines()) == bool(more)
    assert all(f"[{notice.code}]" in str(found.all) for notice in more)


def test_the_last_of_many_severe_notices_are_named_by_their_codes():
    few = {"truth": TRUTH[:14], "score": 1 - TRUTH[:14].astype(float)}
    found = tm.evaluate(**few, weight=1.5 - TRUTH[:14], rule="sensitivity>=0.95", design="case-control")
    severe = [notice for notice in found.notices if notice.severe]
    above = str(found).split("-----")[0]
    assert len(severe) > 4
    assert len(str(found).splitlines()) <= 36
    assert all(notice.code in above for notice in severe)
    assert severe[0].brief in " ".join(above.split())


def test_tables_keep_to_a_narrow_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    names = np.where(TRUTH == 1, "a label of so many words", "and another one of even more words")
    binary = tm.evaluate(truth=names, score=SCORE, positive="a label of so many words")
    assert max(map(len, str(binary).splitlines())) <= 40
    weighted = tm.evaluate(truth=FEW_OF_SOME, score=SOME, weight=RANDOM.random(120))
    assert max(map(len, str(weighted).splitlines())) <= 40
    words = np.array([f"a label of so many words, number {i}" for i in range(10)])
    labels = tm.evaluate(truth=words[FEW_OF_SOME], predicted=words[SOME.argmax(1)])
    assert max(map(len, str(labels).splitlines())) <= 40
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, str(of_classes(10)).splitlines())) <= 60


def test_cells_of_weighted_classes_are_written_as_those_of_two():
    found = tm.evaluate(truth=FEW_OF_SOME, score=SOME, weight=np.full(120, 1 / 3))
    assert "0.3333333" not in str(found)


@in_part(3, ("fast", "full"))
@for_each("options", [{}, {"by": TRUTH[::-1]}, {"fold": np.arange(2000) % 4}], ids=["models", "by", "fold"])
@for_each("score", [{"a": SCORE, "b": 1 - SCORE}, {"b": 1 - SCORE}, 1 - SCORE], ids=["two", "one", "none"])
def test_severe_notices_of_tables_stand_before_the_numbers(options, score):
    if not (options or isinstance(score, dict)):
        return
    found = tm.evaluate(truth=TRUTH, score=score, **options)
    above, below = str(found).split("-----", 1)
    assert "[auc-below-half]" in above
    assert "[auc-below-half]" not in below


@pytest.mark.full
def test_notices_are_in_order_of_severity():
    for found, _ in NOTICED.values():
        severe = [notice.severe for notice in found.notices]
        assert severe == sorted(severe, reverse=True)
        assert [notice["severe"] for notice in found.to_dict()["notices"]] == severe


def test_severe_notices_have_a_shorter_sentence_and_others_none():
    assert notices.BRIEF.keys() == {rule.code for rule in RULES if rule.severe}
    for found, _ in NOTICED.values():
        for notice in found.notices:
            assert (len(notice.brief) < len(notice.text)) == notice.severe
            assert not notice.severe or len(notice.brief) + len(notice.code) <= 155  # two lines


@pytest.mark.full
def test_real_data_fit():
    from sklearn import datasets, linear_model, naive_bayes
    from sklearn.model_selection import cross_val_predict

    most = {"breast_cancer": 36, "wine": 36, "digits": 36}
    for name, lines in most.items():
        x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        score = cross_val_predict(naive_bayes.GaussianNB(), x, y, method="predict_proba")
        found = tm.evaluate(truth=y, score=score if len(set(y)) > 2 else score[:, 1])
        assert len(str(found).splitlines()) <= lines, name
    x, y = datasets.load_diabetes(return_X_y=True)
    found = tm.evaluate(truth=y, predicted=cross_val_predict(linear_model.Ridge(), x, y), regression=True)
    assert len(str(found).splitlines()) <= 30


# Chosen measures
# --------------------------------------------------------------------------------------------------


def test_measures_are_chosen_by_any_of_their_names():
    found = tm.evaluate(truth=TRUTH, score=SCORE, measures=["auc", "F1", "recall", "auc"])
    assert list(found) == ["roc_auc", "f1", "sensitivity"]
    assert found.selected == tuple(found)
    assert found["roc_auc"] == SHOWN["scores"][0]["roc_auc"]
    assert found["brier"].value == SHOWN["scores"][0]["brier_score"].value  # the others are still to be had
    answer = found.to_dict()
    assert answer["selected"] == list(answer["measures"]) == list(found)
    assert [row["measure"] for row in found.table] == list(found)
    assert list(SHOWN["scores"][0][["f1"]]) == ["f1"]


def test_the_screen_of_chosen_measures_has_these_alone():
    found = SHOWN["scores"][0][["cohen_kappa", "roc_auc"]]
    lines = str(found).splitlines()
    assert [line.split("  ")[0] for line in lines[-2:]] == ["Cohen's kappa", "ROC AUC"]
    assert not any(line.startswith("predicted") for line in lines)


def test_a_chosen_measure_keeps_what_stands_next_to_it():
    chosen = tm.evaluate(truth=TRUTH[:60], score=SCORE[:60], rule="youden")
    whole = {row.name: (row.next_to, row.here) for row in headlines(chosen)}
    assert whole["accuracy"] == ("", chosen["accuracy"].value)
    few = {row.name: (row.next_to, row.here) for row in headlines(chosen[["accuracy", "brier_score"]])}
    assert few == {name: whole[name] for name in few}


@pytest.mark.full
def test_page_and_full_text_of_chosen_measures():
    whole = SHOWN["scores"][0]
    few = whole[("roc_auc", "f1")]
    assert "bedroc" not in few.to_html()
    assert "matthews_correlation" not in few.to_html()
    assert str(few.all) == str(whole.all)
    assert few.all.table == whole.table
    assert few.all.to_dict() == whole.to_dict()


def test_known_estimates_are_not_computed_again():
    whole = tm.evaluate(truth=TRUTH, score=SCORE)
    assert whole[["roc_auc"]]["f1"] == whole["f1"]
    assert whole[["f1"]]["f1"] is whole["f1"]


@for_each(("found", "most"), list(SHOWN.values()), ids=list(SHOWN))
def test_the_number_of_further_measures_is_right(found, most):
    shown = {row.name for row in headlines(found)}
    more = [name for name in found.estimates if name not in shown]
    last = str(found).split("\n\n")[-1]
    assert last.startswith(f"{len(more)} more measure" if more else "methods and notes: ev.all")


def test_classes_without_cases_stand_last():
    truth = np.arange(60) % 4
    found = tm.evaluate(truth=truth, predicted=np.roll(truth, 1), classes=range(30))
    lines = str(found).splitlines()
    assert "(26 more: result.all)" in lines


def test_the_order_of_cells_in_memory_does_not_matter():
    weights = RANDOM.random((4, 4))
    matrices = [tm.ConfusionMatrix("abcd", array) for array in (weights, np.asfortranarray(weights))]
    assert all(one.weights.flags.c_contiguous for one in matrices)


def test_models_have_the_measures_that_were_chosen():
    found = tm.evaluate(truth=TRUTH, score={"a": SCORE, "b": LOGIT}, measures="roc_auc")
    assert [list(one) for one in found.values()] == [["roc_auc"], ["roc_auc"]]


@pytest.mark.parametrize(
    ("measures", "said"),
    [
        (["auk"], "'auk' is not a measure in the catalogue .did you mean 'auc'"),
        ([], "measures: none is named"),
        (["exact_match"], "exact_match is not measured here"),
        (3, "measures: "),
        ((), "measures: none is named"),
    ],
)
def test_a_measure_that_is_not_there_is_refused(measures, said):
    with pytest.raises(InputError, match=said):
        tm.evaluate(truth=TRUTH, score=SCORE, measures=measures)


@pytest.mark.parametrize(
    "form", [str, tm.Evaluation.to_json, tm.Evaluation.to_html, tm.Evaluation.to_markdown]
)
def test_every_format_works_out_the_chosen_measures_only(form):
    found = tm.evaluate(truth=TRUTH, score=SCORE, measures=["auc", "f1"])
    form(found)
    assert set(found._found) <= {"roc_auc", "f1"}
    assert not found.all.result._found.keys() - {"roc_auc", "f1"}
    classes = of_classes(5)[["accuracy", "macro_roc_auc"]]
    form(classes)
    assert set(classes._found) <= {"accuracy", "macro_roc_auc"}
    assert set(classes.many._each) <= {"accuracy"}
    assert {name for _, name in classes.many._averages} <= {"accuracy"}


def test_json_of_chosen_measures_has_these_of_every_class():
    found = of_classes(5)
    whole = found.to_dict()
    few = found[["accuracy", "macro_roc_auc"]].to_dict()
    assert few["selected"] == list(few["measures"]) == ["accuracy", "macro_roc_auc"]
    assert few["classes"] == {
        label: {"accuracy": measures["accuracy"]} for label, measures in whole["classes"].items()
    }
    assert {kind: list(measures) for kind, measures in few["averages"].items()} == {
        kind: ["accuracy"] for kind in ("macro", "weighted", "micro")
    }
    assert whole["selected"] == "all"


def test_json_says_what_is_not_available_and_why():
    found = tm.evaluate(truth=TRUTH, score=LOGIT)
    for answer in (found.to_dict(), found[["roc_auc"]].to_dict()):
        assert answer["unavailable"].keys() >= {"brier_score", "log_loss", "cllr"}
        assert not answer["unavailable"].keys() & found.estimates.keys()
        assert answer["unavailable"]["brier_score"]["code"] == "no-probabilities-of-two"
        assert all(set(why) == {"code", "fields", "text"} for why in answer["unavailable"].values())


# On the command line
# --------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text("y,p\n" + "\n".join(f"{y},{p:.6f}" for y, p in zip(TRUTH, SCORE, strict=True)))
    return [str(path), "--truth", "y", "--score", "p"]


@pytest.mark.full
def test_the_options_of_the_screen(file, capsys):
    found = tm.evaluate(file[0], truth="y", score="p")
    for options, wanted in {
        (): str(found),
        ("--all",): str(found.all),
        ("--names", "--digits", "5"): output.text(found, names=True, digits=5),
        ("--measure", "auc", "--measure", "f1"): str(found[["roc_auc", "f1"]]),
    }.items():
        assert main(["evaluate", *file, *options]) == 0
        typed = (
            wanted.replace("ev.all", "--all")
            .replace("result.all", "--all")
            .replace('ev.save("page.html")', "--report page.html")
        )
        assert capsys.readouterr().out == f"{typed}\n"
    assert main(["evaluate", *file, "--measure", "auc", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["selected"] == ["roc_auc"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--measure", "auc", "--all"], "not allowed with"),
        (["--digits", "0"], "digits"),
        (["--measure", "auk"], "did you mean 'auc'"),
    ],
)
def test_wrong_options_are_one_sentence(file, options, said, capsys):
    assert main(["evaluate", *file, *options]) == 2
    assert said in capsys.readouterr().err


def test_wrong_digits_leave_the_report_as_it_is(file, tmp_path, capsys):
    page = tmp_path / "page.html"
    page.write_text("old")
    assert main(["evaluate", *file, "--digits", "99", "--report", str(page)]) == 2
    assert page.read_text() == "old"
    assert capsys.readouterr().out == ""


def test_a_table_says_how_many_columns_it_leaves_out():
    truth = np.arange(90) % 2
    site = np.arange(90) % 40
    text = str(tm.evaluate(truth=truth, score=np.arange(90) / 90, by=site))
    assert "Specificity" not in text.partition("difference")[0]
    assert "(1 more column: result.all)" in text.splitlines()
    assert "more column" not in str(tm.evaluate(truth=truth, score=np.arange(90) / 90))
