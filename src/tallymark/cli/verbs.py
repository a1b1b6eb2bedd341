"""Commands that call one function of the library with the options of its arguments, and show the result."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from operator import attrgetter, methodcaller
from typing import Any

import tallymark

from ..input.arguments import OF_UNITS
from ..input.errors import InputError
from ..input.results import head
from ..input.validate import choice
from . import options
from .drawing import PICTURES, say
from .options import Command, in_python, number, text

DEFAULT_RULE = "youden"
COSTS: options.Options = {
    "--cost-fp": number("of one false positive", "COST"),
    "--cost-fn": number("of one false negative", "COST"),
}
CONFIDENCE, DECISION = "confidence", "decision"
DRAWN = {CONFIDENCE: "Confidence curve", DECISION: "Difference of net benefit"}
UNITS = {"permutation": "permutations"}  # that the line counts
RATES = ("sensitivity", "specificity")
TWO_FILES = ("genuine", "impostor")
OUTPUT: options.Options = {"-o --output": text("the .tally file to write", "FILE", required=True)}


# One model, looked at in one respect
# --------------------------------------------------------------------------------------------------


def rules() -> str:
    """The help of --rule."""
    from ..evaluation.thresholds import NAMED

    names = ", ".join(f"{name} (default)" if name == DEFAULT_RULE else name for name in NAMED)
    return (
        f'{names}, a measure of counts, as f1, or constraints, as "sensitivity>=0.95" or "precision>=0.9'
        ' and recall>=0.8", also with an objective, as "f1 where precision>=0.9"; or'
        ' "sensitivity.low>=0.95" on the confidence bound'
    )


def calibration(given: argparse.Namespace) -> None:
    """Checks where the picture goes, measures, shows."""
    if given.how is not None and given.plot is None:
        raise InputError(
            "conflict", "--how", "it is for the curve that --plot writes", "give --plot, or leave it out"
        )
    how: Any = given.how or "equal_width"
    options.verb("calibration", plot=("Reliability curve", lambda result: result.curve(how)))(given)


def advise(given: argparse.Namespace) -> None:
    """Measures, advises, shows."""
    options.check(given, report=tallymark.Advice)
    evaluation = options.measured(given)
    with in_python() if given.json else nullcontext():  # its sentences are made here
        advice = tallymark.advise(evaluation, need=given.need, cost_fp=given.cost_fp, cost_fn=given.cost_fn)
    options.show(advice, given)


# Several models on the same cases
# --------------------------------------------------------------------------------------------------


def compare(given: argparse.Namespace) -> None:
    """Checks where the picture goes, compares, shows."""
    options.check(given, *(given.unpaired or ()), plot=tallymark.Curve, report=tallymark.Comparison)
    choice(given.curve, DRAWN, "curve")
    for name in ("band", "thresholds"):
        if getattr(given, name) is not None and given.curve != DECISION:
            raise InputError(
                "conflict", f"--{name}", f"it is for --curve {DECISION}", "add that, or leave it out"
            )
    if given.curve == DECISION and given.plot is None:
        raise InputError("needed", "--curve", "say where it goes, with --plot FILE")
    unit = UNITS.get(given.method, "resamples")
    unpaired = {"paired": False} if given.unpaired else {}
    files = options.single(given.file), *(given.unpaired or ())
    result = options.call(tallymark.compare, given, *files, unit=unit, **unpaired)
    curve = None if given.plot is None else _curve(result, given)
    options.show(result, given, plot=(DRAWN[given.curve], lambda _: curve))
    if curve is not None and options.plain(given):
        say(curve, sys.stdout)


def _curve(result: Any, given: argparse.Namespace) -> Any:
    if given.curve == DECISION:
        return result.curve(DECISION, band=given.band, thresholds=options.thresholds(given))
    if len(result.differences) != 1:
        raise InputError("needed", "--plot", "it shows one difference", "name two models and one --measure")
    return result.differences[0].curve


def roc_points(given: argparse.Namespace) -> None:
    """Measures, writes, draws, shows."""
    options.check(given, report=tallymark.RocPoints, plot=PICTURES)
    several = {column: column for column in given.predicted or ()}
    evaluations = options.measured(given, **({"predicted": several} if several else {}))
    result = tallymark.roc_points(evaluations, level=given.level)
    if given.plot is not None:
        options.picture(result, given.plot)
    options.show(result, given)


# Cases other than those that were measured
# --------------------------------------------------------------------------------------------------


def prevalence(given: argparse.Namespace) -> None:
    """One prevalence in full, or several side by side."""
    options.check(given, report=tallymark.AtPrevalence)
    results = _at_prevalence(given)
    plain = {**head("prevalence"), "at": [one.to_dict() for one in results]}
    every = options.Shown("measures.prevalences", plain, results)
    options.show(every if given.json or len(results) > 1 else results[0], given)


def _at_prevalence(given: argparse.Namespace) -> list[Any]:
    shares = {name: getattr(given, name) for name in ("prevalence", "prevalence_counts", "npr")}
    if sum(one is not None for one in shares.values()) != 1:
        raise InputError(
            "needed",
            "prevalence",
            "give one of --prevalence, shares between 0 and 1, --prevalence-counts, positives and cases, and"
            " --npr, negatives per positive",
        )
    rates = options.arguments(given, RATES)
    table = options.table_of_cells(given)
    [(role, values)] = ((name, value) for name, value in shares.items() if value is not None)
    if role == "prevalence_counts":
        role, values = "prevalence", [tuple(values)]
    how = options.arguments(given, ("cases", "level", "rng"))
    return [
        tallymark.at_prevalence(*([] if table is None else [table]), **{**rates, **how, role: value})
        for value in values
    ]


def class_mix(given: argparse.Namespace) -> None:
    """Computes, writes, shows."""
    options.check(given, report=tallymark.ClassMix)
    if bool(given.file) == bool(options.arguments(given, options.CELLS)):
        way = "give a file with --truth and --score, or all of --tp --fp --fn --tn"
        raise InputError("needed", "file", way)
    data = options.measured(given) if given.file else options.table_of_cells(given)
    growth = {} if given.growth is None else {"growth": tuple(given.growth)}
    options.show(tallymark.class_mix_sensitivity(data, grown=given.grown, **growth), given)


# Comparisons of persons
# --------------------------------------------------------------------------------------------------


def biometric(given: argparse.Namespace) -> None:
    """Measures, writes the curve, shows."""
    pair = [path for path in (given.genuine, given.impostor) if path]
    options.check(given, *pair, det=tallymark.Curve, report=tallymark.BiometricEvaluation)
    files = {role: path for role in TWO_FILES if (path := getattr(given, role)) is not None}
    scores = {role: _scores(path, role, given.score) for role, path in files.items()}
    if scores and given.persons is not None:
        way = "give that file with --truth and --score"
        raise InputError("needed", "--persons", "it names two columns of one file", way)
    own: dict[str, Any] = {"score": None} if scores else {}  # names their columns
    data = [options.single(given.file)] if given.file else [None]
    result = options.call(tallymark.biometric, given, *data, **scores, **own)
    options.show(result, given, det=("DET curve", methodcaller("curve", "det")))


def _scores(path: str, role: str, column: str | None) -> Any:
    """The numbers of a file: one a line, or a column of it."""
    from ..input import columns, sources
    from ..input.sources.delimited import list_of_numbers

    if column is None:
        return list_of_numbers(path, role)
    scores = [batch[role] for batch in sources.read(path, {role: column}, amounts=[role]).batches]
    for batch in scores:
        if batch.gaps().any():
            row = batch.row(int(batch.gaps().argmax()))
            raise InputError(
                "missing-value", role, f"a score is missing in {row} of {path}", "give one for each"
            )
    return columns.joined(scores)


def identify(given: argparse.Namespace) -> None:
    """Measures, writes, shows."""
    if given.clusters is not None:
        problem = "the intervals of an identification assume independent samples"
        raise InputError("unsupported", "clusters", problem, "leave it out")
    options.verb(
        "identification",
        plot=("Rates against the threshold", attrgetter("curve")),
        cmc=("Cumulative match curve", attrgetter("cmc")),
    )(given)


# The sums of cases in small files
# --------------------------------------------------------------------------------------------------


def tally(given: argparse.Namespace) -> None:
    """Checks where the sums go, reads, writes."""
    options.check(given, output=tallymark.Accumulator)
    sums = options.call(tallymark.Accumulator, given)
    options.call(sums.update, given)
    _write(sums, given.output)


def merge(given: argparse.Namespace) -> None:
    """Checks where the sum goes, adds, writes."""
    tallymark.Accumulator.check_path(given.output, "output")  # which may be one of the files
    _write(tallymark.Accumulator.load(given.file), given.output)


def _write(sums: Any, path: str) -> None:
    """Writes the sums, and says of how many cases they are."""
    sums.save(path)
    print(f"{path}: {sums.rows:,} cases")


# Plans: how many cases an evaluation needs, and what those at hand can show
# --------------------------------------------------------------------------------------------------

WIDTH = "no wider interval than this, from its low to its high end"
AT_LEAST = "the low end of the interval reaches this"
# all others go by their own name
PLANS = {"auc": "roc_auc", "paired-auc": "paired_roc_auc", "unpaired-auc": "unpaired_roc_auc"}


def plan(given: argparse.Namespace) -> None:
    """Plans, and shows the plan."""
    options.check(given, report=None)
    if given.goal == "present":
        evaluation = options.measured(given, measures=None)
        result = options.call(tallymark.planning.present, given, evaluation)
    else:
        function = getattr(tallymark.planning, PLANS.get(given.goal, given.goal.replace("-", "_")))
        result = options.call(function, given)
    options.show(result, given)


def _number(words: str, **more: object) -> options.Option:
    return number(words, "NUMBER", **more)


CLUSTERS: options.Options = {
    **options.DESIGN,
    "--cluster-size": _number("cases in question per cluster, such as a patient, on average"),
    "--icc": _number("correlation of the cases of a cluster"),
    "--cv": _number("standard deviation of the cluster sizes over their mean (default: 0)"),
}
CHANCES: options.Options = {
    "--power": _number("the chance to reach the goal (default: 0.8; with --width none)"),
    "--level": _number("confidence level of the interval (default: 0.95)"),
    "--assurance": _number(
        "how probable it shall be that enough cases of each class come in (default: 0.95)"
    ),
    **CLUSTERS,
}
CLASSES: options.Options = {
    "--spread-ratio": _number(
        "standard deviation of the positives' scores over that of the negatives' (default: 1)"
    ),
    "--prevalence": _number("share of positives, where cases are taken as they come"),
    "--negatives-per-positive": _number("where the classes are sampled apart (default: 1)"),
    **CHANCES,
}
VARIANCE: options.Options = {"--variance": text("binormal (default) or hanley-mcneil", "NAME")}
MARGIN: options.Options = {"--margin": _number("by which the first may fall short (default: 0)")}
AREAS: options.Options = {
    "--first": _number("area of the model that is expected to be better", required=True),
    "--second": _number("area of the other one", required=True),
}
IMPLIED = "expected there (default: what the probabilities imply)"


def _proportion(option: str, of: str) -> options.Options:
    return {
        "--expected": _number("the proportion", required=True),
        "--width": _number(WIDTH),
        "--at-least": _number(AT_LEAST),
        "--at-most": _number("the high end of the interval does not go beyond this"),
        "--method": text("of the interval: wilson (default), clopper-pearson, ...", "METHOD"),
        option: _number(f"share {of}, for the number of cases to collect"),
        **CHANCES,
    }


IN_QUESTION = "of all cases that belong to those in question"
GOALS: dict[str, tuple[str, options.Options]] = {
    "sensitivity": ("cases that show a sensitivity", _proportion("--prevalence", "of positives")),
    "specificity": ("cases that show a specificity", _proportion("--prevalence", "of positives")),
    "proportion": ("cases that show a proportion", _proportion("--share", IN_QUESTION)),
    "auc": (
        "cases that show an area under the ROC curve",
        {
            "--expected": _number("the area", required=True),
            "--width": _number(WIDTH),
            "--at-least": _number(AT_LEAST),
            **VARIANCE,
            **CLASSES,
        },
    ),
    "paired-auc": (
        "cases that show which of two models has the larger area",
        {
            **AREAS,
            "--correlation": _number(
                "of the two models' scores in each class; or two, among positives and among negatives",
                nargs="+",
                required=True,
            ),
            **MARGIN,
            "--width": _number(WIDTH),
            **CLASSES,
        },
    ),
    "unpaired-auc": (
        "the same of models that score different cases",
        {**AREAS, **MARGIN, "--width": _number(WIDTH), **VARIANCE, **CLASSES},
    ),
    "paired-proportions": (
        "cases that show which of two models is right more often",
        {
            "--first": _number(
                "share of right answers of the model that is expected to be better", required=True
            ),
            "--second": _number("share of right answers of the other one", required=True),
            "--discordant": _number(
                "share of cases that only one has right (default: as for independent mistakes)"
            ),
            "--method": text("of McNemar's test: mid-p (default) or exact", "METHOD"),
            "--share": _number(f"{IN_QUESTION}, for the number of cases to collect"),
            **CHANCES,
        },
    ),
    "external-validation": (
        "cases that show calibration, area and net benefit of a prediction model",
        {
            "--prevalence": _number("share of positives (default: the mean of the probabilities)"),
            "--auc": _number("expected area under the ROC curve (default: what the probabilities imply)"),
            **{
                option: number("distribution of the probabilities in the population", nargs=2, metavar=pair)
                for option, pair in (("--logit-normal", ("MEAN", "SD")), ("--probability-beta", ("A", "B")))
            },
            "--ratio-width": _number("of the interval of observed/expected (default: 0.2)"),
            "--slope-width": _number("of the interval of the calibration slope (default: 0.2)"),
            "--auc-width": _number("of the interval of the area (default: 0.1)"),
            "--threshold": _number("of the probability, at which the net benefit is planned for"),
            "--sensitivity": _number(IMPLIED),
            "--specificity": _number(IMPLIED),
            "--net-benefit-width": _number("of the interval of the standardised net benefit (default: 0.2)"),
            "--level": _number("confidence level of the intervals (default: 0.95)"),
            **CLUSTERS,
        },
    ),
    "present": (
        "what the cases at hand show, and how many more would be needed",
        {
            **options.files(),
            **options.cases(),
            **options.THRESHOLD,
            **options.INTERVALS,
            "--measure": text(
                "may be repeated (default: usual ones)", "NAME", dest="measures", action="append"
            ),
            "--width": _number(
                "of the interval wanted, from its low to its high end (default: half of the present one)"
            ),
            "--power": _number("to detect a difference (default: 0.8)"),
        },
    ),
}


COMMANDS = {
    "threshold": Command(
        "choose a threshold by a rule, and see how far to trust it",
        (
            "threshold cases.csv --truth y --score p --rule f1",
            'threshold cases.csv --truth y --score p --rule "sensitivity>=0.9"',
        ),
        {
            **options.files(),
            **options.cases(),
            "--rule": {"default": DEFAULT_RULE, "late": rules},
            **COSTS,
            "--prevalence": number("of positives where the classifier will work", "SHARE"),
            "--slope": number("of the ROC curve, for roc_slope"),
            "--k": number("so many are predicted positive, for top_k", "CASES"),
            "--replicates": {
                "type": int,
                "default": 1000,
                "help": "bootstrap resamples, 0 for none (default: %(default)s)",
            },
            **options.CHOSEN,
            **options.INTERVALS,
            **options.OUTPUT,
        },
        options.verb("choose_threshold"),
    ),
    "calibration": Command(
        "check whether predicted probabilities match observed frequencies",
        (
            "calibration cases.csv --truth y --score p",
            "calibration cases.csv --truth y --score p --plot reliability.svg",
        ),
        {
            **options.files(),
            **options.cases(
                options.without(*options.OF_LABELS),
                score_kind={"help": "probability (default), or logit"},
            ),
            "--bins": {
                "type": int,
                "default": 10,
                "help": "of the errors and the reliability curve (default: %(default)s)",
            },
            "--hl-groups": {
                "type": int,
                "default": 10,
                "metavar": "N",
                "help": "of equal mass, in Hosmer and Lemeshow's test (default: %(default)s)",
            },
            "--fitted": options.flag("the model was fitted to these same cases"),
            "--how": text("of the curve: equal_width (default), equal_mass or isotonic", "HOW"),
            "--plot": text("write the reliability curve: .svg, .csv, .json or .parquet", "FILE"),
            **options.INTERVALS,
            **options.OUTPUT,
        },
        calibration,
    ),
    "advise": Command(
        "say which measures to use on a file of labels, and which mislead",
        (
            "advise cases.csv --truth y --score p",
            "advise cases.csv --truth y --score p --need decision --cost-fp 1 --cost-fn 5",
        ),
        {
            **options.files(),
            **options.cases(),
            "--need": text(
                "decision, ranking, early_retrieval or probabilities; default: all but early_retrieval",
                "WHAT",
            ),
            **COSTS,
            **options.INTERVALS,
            **options.OUTPUT,
        },
        advise,
    ),
    "bootstrap": Command(
        "intervals of any measure from resampled cases, clusters of cases, or persons",
        (
            "bootstrap cases.csv --truth y --score p --measure roc_auc --measure f1",
            "bootstrap cases.csv --truth y --score p --clusters person --replicates 1000",
        ),
        {
            **options.files(),
            **options.cases(),
            "--threshold": number("positive when score >= threshold (default: as in evaluate)"),
            "--measure": text(
                "may be repeated; all: every one (default: a few)", "NAME", dest="measures", action="append"
            ),
            "--method": {"default": "bca", "help": "percentile, basic, bca (default) or studentised"},
            **options.DESIGN,
            "--resampling": text(
                "bootstrap (default) or poisson-bootstrap, faster", "NAME", default="bootstrap"
            ),
            "--replicates": {
                "type": int,
                "default": 1000,
                "metavar": "N",
                "help": "resamples (default: %(default)s)",
            },
            **options.SEED,
            "--threads": {
                "type": int,
                "metavar": "N",
                "help": "default: one per processor; the answer is the same",
            },
            **options.LEVEL,
            **options.PARAMETERS,
            **options.OUTPUT,
        },
        options.verb("bootstrap", "resamples"),
    ),
    "compare": Command(
        "two models or more: differences with intervals and p-values, tests, agreement",
        (
            "compare cases.csv --truth y --model old=p --model new=q",
            "compare cases.csv --truth y --score p --score q --measure roc_auc --non-inferior-by 0.02",
        ),
        {
            **options.files("CSV, Parquet or JSON lines (- for standard input), with a column per model"),
            **options.cases(
                (*options.ONE_MODEL, "sample"),
                score={
                    "help": (
                        "the scores of a model; repeated, once per model; of a score per class --model names"
                        " the model"
                    )
                },
                predicted={"help": "instead, the predicted labels of a model", "action": "append"},
                clusters={"help": "which cases belong together, as those of a patient"},
                classes={
                    "help": "all classes, with --predicted, or in the order of the columns of each --model"
                },
            ),
            **options.MODELS,
            "--unpaired": text("another file, with other cases, for the next model", "FILE", action="append"),
            "--threshold": number(
                "positive when score >= threshold; one, or repeated, one per model", action="append"
            ),
            "--measure": text(
                "may be repeated (default: a few usual ones)", "NAME", dest="measures", action="append"
            ),
            "--reference": text("the one to compare with (default: the first), or all", "MODEL"),
            "--method": text(
                "auto (default), delong, score, bootstrap, basic-bootstrap or permutation",
                "HOW",
                default="auto",
            ),
            "--adjust": text("holm (default), benjamini-hochberg or none", "HOW", default="holm"),
            "--non-inferior-by": number("is the model worse by less than this?", "MARGIN", either="test"),
            "--equivalent-within": number("do the models differ by less?", "MARGIN", either="test"),
            **options.LEVEL,
            "--replicates": {
                "type": int,
                "default": 2000,
                "help": "bootstrap resamples or permutations (default: %(default)s)",
            },
            **options.DESIGN,
            **options.SEED,
            **options.PARAMETERS,
            "--plot": text("write a curve of two models: .svg, .csv, .json, .parquet", "FILE"),
            "--curve": text(
                "confidence (default), of the only difference; or decision, the difference of net benefit"
                " over a range of thresholds",
                "NAME",
                default=CONFIDENCE,
            ),
            "--band": text("pointwise or simultaneous, of --curve decision", "KIND"),
            **options.thresholds_option("the range of --curve decision (default: 0.01 0.99)"),
            **options.OUTPUT,
        },
        compare,
    ),
    "roc-points": Command(
        "classifiers without scores as points in ROC space, and which dominate which",
        (
            "roc-points cases.csv --truth y --model old=p --model new=q",
            "roc-points cases.csv --truth y --model old=p --model new=q --plot points.png",
        ),
        {
            **options.files(),
            **options.cases(
                (
                    "truth",
                    "predicted",
                    "weight",
                    "weight_kind",
                    "clusters",
                    "positive",
                    "predicted_positive",
                    "not_an_answer",
                    "missing",
                ),
                truth={"required": True},
                predicted={"help": "predicted labels; repeated, once per classifier", "action": "append"},
            ),
            **options.MODELS,
            **options.THRESHOLD,
            **options.LEVEL,
            "--plot": text("draw the points: .png, .svg or .pdf", "FILE"),
            **options.OUTPUT,
        },
        roc_points,
    ),
    "prevalence": Command(
        "predictive values, and all the rest, at another class mix",
        (
            "prevalence --tp 40 --fp 5 --fn 10 --tn 45 --prevalence 0.01 0.1",
            "prevalence --sensitivity 0.8 --specificity 0.9 --prevalence 0.05 --cases 1000",
        ),
        {
            **{f"--{name}": number("a count of the table that was measured", "N") for name in options.CELLS},
            **{f"--{name}": number("instead of the counts; without intervals", "SHARE") for name in RATES},
            "--prevalence": number("of positives, one or several", "SHARE", nargs="+"),
            "--prevalence-counts": number(
                "positives and cases of the sample used to estimate the prevalence; its uncertainty is"
                " included",
                nargs=2,
                metavar=("POSITIVES", "CASES"),
            ),
            "--npr": number("negatives per positive, instead of the prevalence", "RATIO", nargs="+"),
            "--cases": number("with rates: cases of the table of expected counts", "N"),
            **options.LEVEL,
            **options.SEED,
            **options.OUTPUT,
        },
        prevalence,
    ),
    "class-mix": Command(
        "which measures and curves change as one class grows",
        (
            "class-mix cases.csv --truth y --score p",
            "class-mix --tp 70 --fp 20 --fn 30 --tn 80 --growth 1 10",
        ),
        {
            "file": {
                "nargs": "*",
                "help": "CSV, Parquet or JSON lines; or give --tp --fp --fn --tn, which have no curves",
            },
            **options.cases(options.without("regression", *OF_UNITS)),
            **options.CELL_OPTIONS,
            **options.THRESHOLD,
            "--growth": number("of the class (default: 1 2 5 10 100)", "TIMES", nargs="+"),
            "--grown": text("negative (default) or positive: which one grows", "CLASS", default="negative"),
            **options.OUTPUT,
        },
        class_mix,
    ),
    "unscored": Command(
        "the ROC area where cases without a score get one constant score",
        (
            "unscored cases.csv --truth y --score p --share 0.1",
            "unscored cases.csv --truth y --score p --of-positives 0.3 --of-negatives 0.1 --plot area.svg",
        ),
        {
            **options.files("the cases that have a score: CSV, Parquet or JSON lines; - for standard input"),
            **options.cases(
                ("truth", "score", "weight", "weight_kind", "positive", "score_kind", "missing"),
                truth={"required": True},
                score={"required": True},
            ),
            "--share": number("of all cases, in both classes alike, without a score"),
            "--of-positives": number("in its place: of the positives", "SHARE"),
            "--of-negatives": number("and of the negatives", "SHARE"),
            "--plot": text("write the area against the constant: .svg, .csv, .json or .parquet", "FILE"),
            **options.OUTPUT,
        },
        options.verb("unscored", plot=("Area against the constant", attrgetter("curve"))),
    ),
    "biometric": Command(
        "error rates of verification: FMR, FNMR, equal error rate, DET curve",
        (
            "biometric cases.csv --truth y --score p --threshold 0.5",
            "biometric --genuine genuine.txt --impostor impostor.txt --det det.csv",
        ),
        {
            "file": {
                "nargs": "*",
                "help": "CSV, Parquet or JSON lines with labels and scores; or give --genuine and --impostor",
            },
            "--genuine": text(
                "scores of mated comparisons: numbers, one a line, or a file with --score", "FILE"
            ),
            "--impostor": text("scores of non-mated comparisons, likewise", "FILE"),
            **options.cases(
                (
                    "truth",
                    "score",
                    "persons",
                    "clusters",
                    "positive",
                    "score_kind",
                    "missing",
                    "where",
                    "memory",
                ),
                truth={"help": "mated or not"},
                score={"help": "of a comparison", "action": None},
                clusters=options.REFUSED,
                positive={"help": "the label of mated comparisons, where labels are not 0/1 or the like"},
                score_kind={"help": "llr: the scores are natural logarithms of likelihood ratios"},
            ),
            "--distance": {
                "dest": "similarity",
                "action": "store_const",
                "const": False,
                "help": "a lower score means mated",
            },
            "--threshold": number("of the system, where FMR and FNMR are reported"),
            "--fmr": number("at which FNMR is asked for (default: 1e-2 to 1e-6)", "RATE", nargs="+"),
            "--det": text("write the DET curve (.csv, .json, .parquet, .svg)", "FILE"),
            **options.INTERVALS,
            **options.OUTPUT,
        },
        biometric,
    ),
    "identify": Command(
        "identification with rejection: the person with the highest score, or nobody",
        (
            "identify cases.csv --truth site --score p --score q --classes n s --threshold 0.5",
            "identify cases.csv --truth site --score p --score q --classes n x --plot rates.svg",
        ),
        {
            **options.files(),
            **options.cases(
                ("truth", "score", "classes", "clusters", "missing"),
                truth={
                    "required": True,
                    "help": "the person of each sample; who has no column is not enrolled",
                },
                score={
                    "required": True,
                    "help": "the similarity to an enrolled person; repeated, once for each",
                },
                clusters=options.REFUSED,
                classes={"help": "the persons of the columns, in their order (default: their names)"},
            ),
            "--threshold": number("below it a sample is rejected (default: none is)"),
            **options.LEVEL,
            "--plot": text("write the rates against the threshold: .svg, .csv, .json or .parquet", "FILE"),
            "--cmc": text("write the identification rate within each rank: .svg, .csv, .json, ...", "FILE"),
            **options.OUTPUT,
        },
        identify,
    ),
    "tally": Command(
        "sum the cases of files into a small file, which `merge` adds to others and `evaluate` measures",
        ("tally cases.csv --truth y --score p -o part.tally",),
        {
            **options.files(),
            **options.cases(options.without(*OF_UNITS), truth={"required": True}),
            **options.MODELS,
            **OUTPUT,
        },
        tally,
    ),
    "merge": Command(
        "add up .tally files of parts of the cases, in any order",
        ('merge "part*.tally" -o all.tally',),
        {
            "file": {"nargs": "+", "help": "files that `tallymark tally` wrote, or patterns"},
            **OUTPUT,
        },
        merge,
    ),
    "plan": Command(
        "how many cases are needed, and what those at hand can show",
        (
            "plan sensitivity --expected 0.9 --width 0.1 --prevalence 0.3",
            "plan present cases.csv --truth y --score p",
        ),
        {},
        plan,
        parts={name: (words, {**own, **options.OUTPUT}) for name, (words, own) in GOALS.items()},
    ),
}
