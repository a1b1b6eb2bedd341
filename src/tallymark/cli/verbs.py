"""The commands: each calls functions of the library with its options as arguments, and shows the result."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from operator import attrgetter, methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, get_args

import tallymark

from ..input.arguments import OF_UNITS, OPTIONS, Undecided
from ..input.errors import InputError
from ..input.results import Tabular, Writers, head
from ..input.terminal import without_controls
from ..input.text import paragraph
from ..input.validate import choice, nearest
from . import DONE, NOT_PASSED, UNDECIDED, options, sentence
from .options import JUNIT, Command, in_python, number, text

if TYPE_CHECKING:
    from ..input.columns import Column
    from ..report.catalogue import Entry

DATA = Path(__file__).parent.parent / "data" / "screening.csv"
REVERSED = ("auc-below-half", "class-auc-below-half", "agreement-below-chance")
ADVICE = "name the columns, as in tallymark evaluate FILE --truth y --score p"
PREDICTIVE = ("precision", "negative_predictive_value", "predicted_prevalence", "prevalence", "cases")
WAYS = "give all of --tp --fp --fn --tn, or --precision and --npv with --predicted-prevalence or --prevalence"
GROUPS: options.Options = {
    **options.cases(("by", "fold")),
    "--reference": text(
        "the model, or with --by the group, to compare with (default: the best, or all cases)", "NAME"
    ),
    "--fairness": options.flag(
        "with --by: criteria of fairness between the groups, as differences and ratios"
    ),
    "--guideline": text(
        "write a paragraph as stard (diagnostic accuracy) or tripod+ai (prediction models) asks for it",
        "NAME",
    ),
}
CLASS_WEIGHT: options.Options = {
    "--class-weight": text(
        "in place of --weight: balanced, or the weight of the cases of a class, once for each",
        "LABEL=WEIGHT",
        action="append",
    )
}
PREDICTIVE_VALUES: options.Options = {
    "--precision --ppv": number("the table of predictive values: PPV", "SHARE"),
    "--npv --negative-predictive-value": number("and NPV", "SHARE", dest="negative_predictive_value"),
    "--predicted-prevalence": number("with these: of cases predicted positive", "SHARE"),
    "--prevalence": number("or of actual positives", "SHARE"),
    "--cases": number("with these: how many; without it there are no intervals", "N"),
}


# evaluate
# --------------------------------------------------------------------------------------------------


def evaluate(given: argparse.Namespace) -> None:
    """Checks where the report goes, measures, shows."""
    kind = tallymark.Evaluation if given.guideline is None else tallymark.ReportingParagraph
    options.check(given, report=kind)
    result = options.measured(given, class_weight=_class_weight(given))
    if given.fairness:
        if not hasattr(result, "fairness"):
            raise InputError(
                "needed",
                "by",
                "the criteria are of groups of cases, and of one model",
                "name their column with --by, and one --score",
            )
        result = result.fairness
    elif given.guideline is not None:
        result = tallymark.reporting_paragraph(result, guideline=given.guideline)
    options.show(result, given)


def _class_weight(given: argparse.Namespace) -> Any:
    """The argument of `evaluate`: a name, or the weights by label. Raises InputError."""
    written = given.class_weight
    if written is None or (len(written) == 1 and "=" not in written[0]):
        return None if written is None else written[0]
    weights: dict[str, float] = {}
    for one in written:
        label, _, weight = one.rpartition("=")
        try:
            weights[label] = float(weight)
        except ValueError:
            raise InputError(
                "invalid-value", "class_weight", f"{one!r} is not understood", "write LABEL=WEIGHT, as sick=5"
            ) from None
    return weights


# guess
# --------------------------------------------------------------------------------------------------


def guess(given: argparse.Namespace) -> None:
    """Guesses, measures, shows, and says which columns were taken."""
    from ..input.guess import guess, peek
    from ..input.sources.tally import ENDING

    options.check(given, report=tallymark.Evaluation)
    if given.file[0].endswith(ENDING):
        options.show(options.measured(given), given)
        return
    if len(given.file) > 1:
        raise InputError("needed", "truth", "the columns of one file are guessed, not of several", ADVICE)
    try:
        guessed = guess(peek(given.file[0]), options.arguments(given))
    except InputError as reason:
        if reason.code != "ambiguous":
            raise
        raise InputError(
            "ambiguous",
            None,
            reason.problem,
            f"{reason.remedy} (tallymark evaluate FILE --truth COLUMN --score COLUMN)",
        ) from None
    columns = guessed.arguments
    for name, value in columns.items():
        setattr(given, name, [value] if name == "score" and isinstance(value, str) else value)
    result = options.measured(given)
    _check_direction(result, columns)
    options.show(result, given)
    if columns:
        said = _guessed(columns, guessed.unused, given)
        print(said, file=sys.stdout if options.plain(given) else sys.stderr)


def _check_direction(result: Any, columns: Mapping[str, Any]) -> None:
    """Refuses guessed columns that rank the classes the wrong way round: of another class, or reversed."""
    wrong = next((notice for notice in result.notices if notice.code in REVERSED), None)
    if wrong is not None and not {"truth", "score", "predicted"}.isdisjoint(columns):
        names = ", ".join(str(columns[name]) for name in ("truth", "score", "predicted") if name in columns)
        raise InputError(
            "ambiguous",
            None,
            f"the columns that were guessed ({names}) seem to be of another class, or reversed"
            f" ({wrong.code})",
            f"if they are right, {ADVICE}",
        )


def _guessed(columns: Mapping[str, Any], unused: Sequence[str], given: argparse.Namespace) -> str:
    """Which columns were taken, and the command that says so."""
    named, typed = [], ["tallymark", "evaluate", *given.parser.typed]
    for name, value in columns.items():
        several = value if isinstance(value, list) else [value]
        named.append(f"{name} {'yes' if value is True else ', '.join(map(str, several))}")
        for one in several:
            typed += [OPTIONS[name].flag, *([] if one is True else [str(one)])]
    rest = f"; not used: {', '.join(unused)}" if unused else ""
    said = f"Guessed: {', '.join(named)}{rest}. To choose other columns, change this command:"
    return f"\n{paragraph(said, first='')}\n{shlex.join(typed)}"


# demo
# --------------------------------------------------------------------------------------------------


def demo(given: argparse.Namespace) -> None:
    """Measures the sample, as a user would measure a file of his own, and says how."""
    options.check(given, report=tallymark.BinaryEvaluation)
    if options.plain(given):
        call = f"tallymark evaluate {DATA} --truth disease --score risk --positive present --report"
        print(f"$ {call} {given.report}\n")
    result = options.call(
        tallymark.evaluate, given, str(DATA), truth="disease", score="risk", positive="present"
    )
    options.show(result, given)


# counts
# --------------------------------------------------------------------------------------------------


def counts(given: argparse.Namespace) -> None:
    """Measures the table and shows it."""
    options.check(given, report=tallymark.BinaryEvaluation)
    values = options.arguments(given, PREDICTIVE)
    table = options.table_of_cells(given)
    if bool(values) == (table is not None):
        raise InputError("needed", "counts", "both are given" if values else "they are missing", WAYS)
    table = table or tallymark.convert.from_predictive_values(**values)
    if not values or given.cases is not None:
        options.show(options.call(tallymark.evaluate, given, None, counts=table), given)
        return
    _show_shares(table, given)


def _show_shares(table: Any, given: argparse.Namespace) -> None:
    """The measures of a table in shares, without intervals: these need the number of cases."""
    from ..measures import registry

    result = tallymark.at_prevalence(
        sensitivity=tallymark.measures.sensitivity(table),
        specificity=tallymark.measures.specificity(table),
        prevalence=table.positives,
    )
    if given.measures is None:
        options.show(result, given)
        return
    chosen = {registry.get(name).name: result[name] for name in given.measures}
    plain = {**result.to_dict(), "measures": {name: one.to_dict() for name, one in chosen.items()}}
    options.show(options.Shown("measures.shares", plain, chosen), given)


PICTURES = (".png", ".svg", ".pdf")
TABLE, PAIRS = "table", "pairs"


# curve
# --------------------------------------------------------------------------------------------------


def curve_words() -> str:
    """The help of CURVE."""
    from ..curves import CURVES

    tables = f"{TABLE}: every threshold with its counts, {PAIRS}: every positive against every negative"
    return f"{', '.join(CURVES)}, a measure of counts; {tables}"


def curve(given: argparse.Namespace) -> None:
    """Measures, draws, writes."""
    from ..evaluation.results import PairsMatrix
    from ..report.files import as_csv

    drawn = given.curve == PAIRS and str(given.out).lower().endswith(PICTURES)
    kinds = {TABLE: tallymark.OperatingPoints, PAIRS: PairsMatrix}
    options.check(given, out=PICTURES if drawn else kinds.get(given.curve, tallymark.Curve))
    if given.curve in kinds:
        _table(given, drawn)
        return
    of_curve, given.parameters = _of_curve(given)
    evaluation = _evaluated(given)
    range_of = options.thresholds(given)
    how = {**of_curve, **options.arguments(given, ("level",))}
    how |= {} if range_of is None else {"thresholds": range_of}
    result = evaluation.curve(given.curve, ties=given.ties, band=given.band, **how)
    result = result.simplify() if given.simplify else result
    if given.out is None:
        print(as_csv(result), end="")
        say(result, sys.stderr)  # which no column can
    else:
        options.write(result, given.out)
        print(f"{given.out}: {len(result)} points")
        say(result, sys.stdout)


def _of_curve(given: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """The parameters of the curve, as pr_interpolated.per_positive, and what is set of measures."""
    from ..curves import CURVES, plain

    name = plain(given.curve)
    of_it = [one for one in given.parameters if name in CURVES and plain(one.partition(".")[0]) == name]
    parameters = options.parameters_of(of_it)
    return {key: value for one in parameters.values() for key, value in one.items()}, [
        one for one in given.parameters if one not in of_it
    ]


def say(drawn: Any, where: Any) -> None:
    """What the band of a curve is, if it has one."""
    from ..input.sample import conditions

    about = drawn.about
    if about is not None:
        method = f"{about}: {about.method}" if about.method else None
        line = "; ".join(part for part in (method, about.note) if part)
        for one in (line, conditions(about.design, about.weight_kind)):
            print(paragraph(one, first=""), file=where)


def _table(given: argparse.Namespace, drawn: bool) -> None:
    """Every threshold with its counts, or every pair: printed, or as a file."""
    for name in ("simplify", "ties", "band", "level", "thresholds"):
        if getattr(given, name) not in (None, False, "together"):
            what = "threshold" if given.curve == TABLE else "pair"
            raise InputError(
                "conflict",
                f"--{name}",
                f"the table holds every {what} as it is",
                "leave it out, or take a curve, as gain",
            )
    evaluation = _evaluated(given)
    table = evaluation.operating_points() if given.curve == TABLE else evaluation.pairs_matrix
    if given.out is None:
        print(table)
        return
    (options.picture if drawn else options.write)(table, given.out)
    size = f"{len(table['threshold'])} thresholds" if given.curve == TABLE else f"{table.cells.size} pairs"
    print(f"{given.out}: {size}")


def _evaluated(given: argparse.Namespace) -> Any:
    from ..input.labels import known_as

    result = options.measured(given, level=0.95)  # --level is that of the band
    if given.label is None:
        return result
    if not isinstance(result, tallymark.MulticlassEvaluation) or result.scores is None:
        raise InputError("needed", "class", "it needs a score per class", "repeat --score, once for each")
    known = known_as(given.label, result.scores.labels)
    return result.one_vs_rest(given.label if known is None else known)


# plot
# --------------------------------------------------------------------------------------------------


def plot_words() -> str:
    """The help of KIND."""
    from ..report.figures import KINDS

    return f"{', '.join(sorted(KINDS))}, or a measure of counts, as f1"


def plot(given: argparse.Namespace) -> None:
    """Checks the kind and where the figure goes, measures, draws."""
    from ..report.figures import KINDS, known
    from ..report.plots import load

    known(given.kind)
    options.check(given, out=PICTURES)
    load("matplotlib").use("agg")  # no window is opened
    of_comparison = given.kind in KINDS and all(one.of == ("comparison",) for one in KINDS[given.kind])
    compared = {"measures": given.measure} if of_comparison else {}
    verb = tallymark.compare if of_comparison else tallymark.evaluate
    found = options.call(verb, given, **compared)
    display = found.plot(
        given.kind,
        band=None if given.band == "none" else given.band,
        measures=options.single(given.measure),
        classes=_classes(given, found),
        bins=given.drawn_bins,
        ties=given.ties,
    )
    display.save(given.out, dpi=given.dpi)
    print(without_controls(f"{given.out}: {display.figures[0].heading.splitlines()[0]}"))
    if display.figures[0].name == "roc" and isinstance(found, tallymark.EvaluationTable) and len(found) == 2:
        for low, high, better in found.crossings().regions:
            print(f"false positive rate {low:.4g} to {high:.4g}: {better} is higher")


def _classes(given: argparse.Namespace, found: Any) -> Any:
    """The labels as the data have them."""
    from ..input.labels import known_as

    if given.label is None:
        return None
    first = next(iter(found.values())) if hasattr(found, "evaluations") else found
    labels = first.matrix.labels if hasattr(first, "matrix") else ()
    known = [known_as(one, labels) for one in given.label]
    return [one if label is None else label for one, label in zip(given.label, known, strict=True)]


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


KEY: options.Options = {
    "--key": text("a file with the key of the hashes (default: what TALLYMARK_KEY holds)", "FILE")
}
NAMES: options.Options = {  # of the cases
    f"{OPTIONS['pair_by'].flag} --id": {"dest": "pair_by", **OPTIONS["pair_by"].settings}
}
HELD = {  # of a release, by how the names of cases are hashed
    "key": "their names are hashed with a key, which is not in it",
    "salt": "their names are hashed with a salt that is in it, and can be found if they can be guessed",
    None: "counts alone",
}


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
        raise InputError(
            "needed", "file", "give a file with --truth and --score, or all of --tp --fp --fn --tn"
        )
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
        raise InputError(
            "needed",
            "--persons",
            "it names two columns of one file",
            "give that file with --truth and --score",
        )
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
        raise InputError(
            "unsupported",
            "clusters",
            "the intervals of an identification assume independent samples",
            "leave it out",
        )
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


def release(given: argparse.Namespace) -> None:
    """Checks where the cases go, reads, writes."""
    options.check(given, *([given.key] if given.key else ()), output=tallymark.Release)
    kept = options.call(tallymark.release, given)
    kept.save(given.output)
    print(f"{given.output}: {kept.rows:,} cases; {HELD[kept.names]}")


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


# convert
# --------------------------------------------------------------------------------------------------


# those of a column per class
SEVERAL = ("softmax", "argmax")
PROBABILITY = "probability"
FUNCTIONS = {"labels": "to_labels"}  # of other names
NEARNESS = number("how near a decision is ambiguous (default: 0)")
AMBIGUOUS = text("ambiguous cases get this label instead", "LABEL")
# by name what each does, and its own arguments
CONVERSIONS: dict[str, tuple[str, options.Options]] = {
    "sigmoid": ("1 / (1 + exp(-score))", {}),
    "linear": (
        "scores of a range to 0 to 1",
        {"low": number("the lowest score that is possible"), "high": number("the highest one")},
    ),
    "softmax": ("scores of the classes to probabilities that add up to 1", {}),
    "labels": (
        "probabilities to labels of two classes",
        {
            "threshold": number("positive from there on (default: 0.5)"),
            "margin": NEARNESS,
            "labels": text("the negative, the positive (default: 0 1)", "LABEL", nargs=2),
            "ambiguous_label": AMBIGUOUS,
        },
    ),
    "argmax": (
        "the class of the highest score",
        {
            "margin": NEARNESS,
            "classes": text("of the columns (default: their names)", "LABEL", nargs="+"),
            "ambiguous_label": AMBIGUOUS,
        },
    ),
}


@dataclass(frozen=True, slots=True)
class _Converted(Tabular):
    """The columns of a file, and the new ones, to be written as a file of the same kind."""

    WRITERS: ClassVar[Writers] = {".csv": "csv", ".parquet": "parquet", ".xlsx": "excel"}

    columns: Mapping[str, Any]

    @property
    def _columns(self) -> Mapping[str, Any]:
        return self.columns

    def to_dict(self) -> dict[str, Any]:
        """The values by column."""
        return dict(self.columns)


def convert(given: argparse.Namespace) -> None:
    """Reads the whole file, converts, and writes its columns with the new ones."""
    from ..report.files import as_csv

    options.check(given, out=_Converted)
    several = given.goal in SEVERAL
    if several == (len(given.score) == 1):
        raise InputError(
            "needed",
            "--score",
            f"{given.goal} takes {'a column per class, two at least' if several else 'one column'}",
            "repeat --score, once for each class"
            if several
            else "give --score once, or use softmax or argmax",
        )
    read, scores = _read(given)
    new = _new(given, scores)
    if twice := sorted(set(new) & set(read)):
        raise InputError(
            "repeated", "--name", f"the file has a column {twice[0]!r} already", "give another name"
        )
    found = _Converted(read | new)
    if given.out is None:
        print(as_csv(found), end="")
    else:
        options.write(found, given.out)
        ambiguous = f"; {int(new['ambiguous'].sum())} ambiguous" if "ambiguous" in new else ""
        rows = len(next(iter(new.values())))
        print(f"{given.out}: {rows} rows, with {', '.join(new)}{ambiguous}")


def _read(given: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Column]]:
    """Every column of the file by name, as values with None for missing ones; and those of the scores."""
    from ..input import columns, sources
    from ..input.guess import peek
    from ..probability.convert import refuse_gaps

    names = dict.fromkeys([*peek(given.file), *given.score])
    roles = {name: f"column {i}" for i, name in enumerate(names)}
    several = enumerate(given.score, 1)
    roles |= {name: "score" if len(given.score) == 1 else f"score {i}" for i, name in several}
    source = sources.read(given.file, {role: name for name, role in roles.items()})
    parts: list[Mapping[str, Column]] | None = None
    while parts is None:
        try:
            parts = list(source.batches)
        except sources.StartOver:  # later labels have another type
            continue
    scores = {name: [part[roles[name]] for part in parts] for name in given.score}
    for one in (one for several in scores.values() for one in several):
        refuse_gaps(one)
    values = {
        name: [
            None if gap else value
            for part in parts
            for value, gap in zip(part[role].values.tolist(), part[role].gaps().tolist(), strict=True)
        ]
        for name, role in roles.items()
    }
    return values, {name: columns.joined(several) for name, several in scores.items()}


def _new(given: argparse.Namespace, scores: Mapping[str, Column]) -> dict[str, Any]:
    """The new columns by name."""
    import numpy as np

    several = given.goal in SEVERAL
    function = getattr(tallymark.convert, FUNCTIONS.get(given.goal, given.goal))
    columns = [*scores.values()]
    classes = {"classes": list(scores)} if given.goal == "argmax" else {}
    found = function(
        np.stack([one.values for one in columns], axis=1) if several else columns[0],
        **{**classes, **options.arguments(given, CONVERSIONS[given.goal][1])},
    )
    if hasattr(found, "ambiguous"):
        return {given.name or "label": found.labels, "ambiguous": found.ambiguous.astype(int)}
    start = given.name or PROBABILITY
    return {f"{start}_{name}": found[:, i] for i, name in enumerate(scores)} if several else {start: found}


# check
# --------------------------------------------------------------------------------------------------


STATUSES = {
    DONE: "every requirement is met",
    NOT_PASSED: "one is not met",
    UNDECIDED: "none failed and one is undecided",
}
ON_GITHUB = "GITHUB_ACTIONS"
SUMMARY = "GITHUB_STEP_SUMMARY"


def check(given: argparse.Namespace) -> None:
    """Checks where results go, measures, writes, shows."""
    from ..report import files
    from ..studies.gate.uses import uncounted

    read = [one for one in (given.baseline, given.gate, given.state) if one]
    options.check(given, *read, junit=JUNIT)
    try:
        if not given.file and given.gate is None:
            raise InputError("needed", None, "No cases are named", "name their file, or a gate file")
        if given.self_test and given.explain:
            raise InputError("conflict", "--explain", "it does not go with --self-test", "pass one of them")
        if given.junit and (given.self_test or given.explain):
            asked = "a self-test" if given.self_test else "an explanation"
            raise InputError("conflict", "junit", f"{asked} has no verdict", "leave one of the two out")
        if given.self_test:
            options.check(given, *read, report=tallymark.SelfTest)
            options.show(options.call(tallymark.self_test, _typed(given)), given)
            return
        options.check(given, *read, report=tallymark.Verdict)
        explained = options.named_numbers(given.expected, "--expected")
        if explained and not given.explain:
            raise InputError("conflict", "--expected", "it is for --explain", "pass that, or leave it out")
        with uncounted() if given.explain else nullcontext():  # an explanation decides nothing
            verdict = options.call(tallymark.check, _typed(given))
        if given.explain:
            options.show(verdict.explain(expected=explained), given)
            return
    except Exception as reason:
        if given.junit:  # so that a CI system shows a test that could not be run
            from ..report.ci import of_error

            files.write(Path(given.junit).resolve(), "junit", of_error(sentence(reason)))
        raise
    # before anything is written: the reader may stop reading
    outcomes = {"passed": DONE, "failed": NOT_PASSED, "undecided": UNDECIDED}
    given.status = outcomes[verdict.decided(verdict.outcome)]
    on_github = given.github is None and os.environ.get(ON_GITHUB) == "true"
    annotations = verdict.to_annotations() if given.github or on_github else ""
    if annotations:
        _summarise(verdict)
    if given.junit:
        files.write(Path(given.junit).resolve(), "junit", verdict.to_junit())
    print(
        annotations, end="", flush=True, file=sys.stdout if options.plain(given) else sys.stderr
    )  # GitHub reads both
    options.show(verdict, given)
    if given.junit and options.plain(given):
        print(f"\nJUnit: {given.junit}")
    if on_github and options.plain(given):
        print(f"\nAnnotated, since {ON_GITHUB} is true; --no-github leaves that out.")


def _typed(given: argparse.Namespace) -> argparse.Namespace:
    """The options without those that were not typed, before which a gate file comes."""
    once, default = getattr(given, "_given", {}), given.parser.get_default
    return argparse.Namespace(
        **{name: one for name, one in vars(given).items() if name in once or one != default(name)}
    )


def _summarise(verdict: Any) -> None:
    """A table at the end of the summary of the job."""
    path = os.environ.get(SUMMARY)
    if not path:
        return
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(verdict.to_markdown())
    except OSError as reason:
        raise InputError(
            "not-written",
            "--github",
            f"{SUMMARY} names {path!r}, which cannot be written ({reason.strerror})",
            "correct it, or pass --no-github",
        ) from reason


# find and measures
# --------------------------------------------------------------------------------------------------


NAMES_WIDTH = 26  # of the names in a list


def find(given: argparse.Namespace) -> None:
    """Without words the whole list; with them the card of what they mean, or the candidates.

    With a name, `measures` leaves out what is none where a measure fits.
    """
    from ..report import catalogue

    wanted, of_all = " ".join(given.name), given.command == "find"
    entries = matches(wanted) if wanted else catalogue.entries()
    fitting = [one for one in entries if of_all or one.kind == "measure"]
    exact = [one for one in fitting if one.name == wanted and not of_all]
    show("found" if of_all else "measures", exact or fitting or entries, given.json)


def matches(wanted: str) -> Sequence[Entry]:
    """What the words mean. Raises InputError if nothing."""
    from ..report import catalogue

    entries = catalogue.find(wanted)
    if not entries:
        names = [name for one in catalogue.entries() for name in one.names]
        misspelt = nearest(wanted, names) if " " not in wanted else ""
        raise InputError(
            "unknown-name",
            None,
            f"{wanted!r} is nothing in the catalogue{misspelt}{entries.hint()}",
            "`tallymark find` lists all of it",
        )
    return entries


def show(answer: str, entries: Sequence[Entry], as_json: bool) -> None:
    """One as its card, several as a list, where a measure with several forms is named once; JSON has all."""
    from ..input.results import head
    from ..report.catalogue import card

    if as_json:
        print(json.dumps({**head(answer), answer: [card(entry) for entry in entries]}, indent=2))
        return
    first: dict[tuple[str, str], Entry] = {}
    for one in entries:
        first.setdefault((one.kind, one.name), one)
    once = tuple(first.values())
    print(_printed(card(once[0])) if len(once) == 1 else _list(once))


def _list(entries: Sequence[Entry]) -> str:
    lines: list[str] = []
    for entry in entries:
        heading = f"[{getattr(entry, 'family', f'{entry.kind}s')}]"
        if heading not in lines:
            lines += [""] * bool(lines) + [heading]
        also = f" (also {', '.join(entry.aliases)})" if entry.aliases else ""
        indent = " " * (NAMES_WIDTH + 2)
        lines.append(paragraph(f"{entry.title}{also}", indent, f"{entry.name:<{NAMES_WIDTH}}  "))
    return "\n".join(lines)


def _printed(card: Mapping[str, Any]) -> str:
    head = [card["name"], "=" * len(card["name"]), paragraph(card["title"], "", ""), ""]
    if "formula" in card:
        head += [paragraph(card["formula"], "      ", "    "), ""]
    if card.get("remarks"):
        head += [paragraph(card["remarks"], "", ""), ""]
    facts = {
        key: value
        for key, value in card.items()
        if key not in ("name", "title", "remarks", "formula") and value not in (None, "", [])
    }
    lines = [
        paragraph(_plain(value), indent=" " * 18, first=f"{key.replace('_', ' '):<16}  ")
        for key, value in facts.items()
    ]
    return "\n".join([*head, *lines])


def _plain(value: Any) -> str:
    if isinstance(value, list):
        ends = (len(value) == 2 and any(isinstance(end, float) for end in value)) or value == ["-inf", "inf"]
        return " to ".join(f"{float(end):g}" for end in value) if ends else ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


WORDS: options.Options = {
    "name": {"nargs": "*", "help": "a name, an abbreviation, or words to look for"},
    **options.JSON,
}


# The commands, in the order in which they are listed
COMMANDS = {
    "evaluate": Command(
        "measure a file of labels and scores, or of labels and predicted labels",
        (
            "evaluate cases.csv --truth y --score p",
            "evaluate cases.csv --truth y --model old=p --model new=q --report page.html",
            "evaluate cases.csv --truth y --score p --by site --fairness",
        ),
        {
            **options.files(),
            **options.cases(),
            **options.MODELS,
            **CLASS_WEIGHT,
            **GROUPS,
            **options.THRESHOLD,
            **options.CHOSEN,
            **options.INTERVALS,
            **options.OUTPUT,
            "--coarse": {
                "type": int,
                "default": 0,
                "metavar": "N",
                "help": "a page without the score of a single case: N cases or more between two cut-offs",
            },
        },
        evaluate,
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
            "compare cases.csv --truth y --score p --score q --by site --scale ratio --measure precision",
        ),
        {
            **options.files("CSV, Parquet or JSON lines (- for standard input), with a column per model"),
            **options.cases(
                (*options.ONE_MODEL, "sample", "by", "fold"),
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
            "--reference": text("the one to compare with (default: the first), all, or best", "MODEL"),
            "--method": text(
                "auto (default), delong, score, bootstrap, basic-bootstrap or permutation",
                "HOW",
                default="auto",
            ),
            "--scale": text("difference (default) or ratio", "HOW", default="difference"),
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
    "curve": Command(
        "the points of a curve, the whole ranking table, or the pairs, as a file or a picture",
        (
            "curve roc cases.csv --truth y --score p --out roc.csv",
            "curve table cases.csv --truth y --score p",
            "curve pr_interpolated cases.csv --truth y --score p --set pr_interpolated.per_positive=2",
            "curve decision cases.csv --truth y --score p --band pointwise --out decision.svg",
        ),
        {
            "curve": {"metavar": "CURVE", "late": curve_words},
            **options.files(),
            **options.cases(options.without("regression")),
            "--ties": text("together (default), optimistic or pessimistic", "HOW", default="together"),
            "--simplify": options.flag("leave out points on a straight line between their neighbours"),
            "--class": text("of a score per class: the class, against all others", "LABEL", dest="label"),
            "--band": text(
                "pointwise, simultaneous or kolmogorov-smirnov: low and high of each point", "KIND"
            ),
            "--level": number("confidence level of the band (default: 0.95)", "LEVEL"),
            **options.thresholds_option(
                "the range of the decision curve, for which a simultaneous band holds"
            ),
            **options.DESIGN,
            **options.SEED,
            **options.PARAMETERS,
            "--out": text(
                ".csv, .json, .parquet or .svg, of pairs .png and .pdf, too; without it CSV on standard"
                " output",
                "FILE",
            ),
        },
        curve,
    ),
    "plot": Command(
        "a figure with matplotlib: curves, confusion matrix, reliability, forest, residuals, ...",
        (
            "plot roc cases.csv --truth y --model old=p --model new=q -o roc.png",
            "plot confusion cases.csv --truth y --score p --threshold 0.3 -o matrix.pdf",
        ),
        {
            "kind": {
                "metavar": "KIND",
                "late": plot_words,
            },
            **options.files(),
            **options.cases(),
            **options.MODELS,
            "-o --out": text("the figure: .png, .svg or .pdf", "FILE", required=True),
            **options.THRESHOLD,
            "--measure": text("of thresholds, forest, differences; may be repeated", "NAME", action="append"),
            "--class": text("a class to draw; may be repeated", "LABEL", dest="label", action="append"),
            "--band": text(
                "pointwise, simultaneous, kolmogorov-smirnov or none (default: pointwise, of up to five"
                " curves)",
                "KIND",
                default="auto",
            ),
            "--bins": {
                "dest": "drawn_bins",
                "type": int,
                "help": "number of bins, of reliability and density",
            },
            "--ties": options.flag("of roc: the area of tied scores in other orders"),
            "--dpi": {
                "type": int,
                "default": 150,
                "help": "pixels per inch of a .png (default: %(default)s)",
            },
            **options.INTERVALS,
        },
        plot,
    ),
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
    "judge": Command(
        "the rate of labels that few cases have, with the labels of a judge on all",
        (
            "judge answers.csv --truth person --judge model --positive p",
            "judge answers.csv --truth person --judge model --positive p --by system --clusters question",
        ),
        {
            **options.files(),
            **options.cases(
                (
                    "truth",
                    "judge",
                    "positive",
                    "not_an_answer",
                    "classes",
                    "weight",
                    "weight_kind",
                    "clusters",
                    "by",
                    "missing",
                    "where",
                    "memory",
                    "regression",
                ),
                truth={
                    "required": True,
                    "help": "the labels, as people gave them; empty where nobody looked",
                },
                not_an_answer={"help": "labels of the judge that name no class, as unclear"},
                missing={"help": "rows without a label of the judge: reject (default) or drop"},
            ),
            "--reference": text("the group from which the differences are (default: all pairs)", "GROUP"),
            **options.LEVEL,
            **options.OUTPUT,
        },
        options.verb("with_judge"),
    ),
    "counts": Command(
        "measure a two-by-two table, or that of predictive values",
        (
            "counts --tp 40 --fp 5 --fn 10 --tn 45",
            "counts --tp 40 --fp 5 --fn 10 --tn 45 --measure f1 --json",
            "counts --precision 0.75 --npv 0.67 --predicted-prevalence 0.4 --cases 100",
        ),
        {
            **options.CELL_OPTIONS,
            **PREDICTIVE_VALUES,
            **options.CHOSEN,
            **options.INTERVALS,
            **options.OUTPUT,
        },
        counts,
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
    "convert": Command(
        "scores of a file to probabilities, or probabilities to labels, as new columns",
        (
            "convert sigmoid cases.csv --score p -o probabilities.csv",
            "convert linear cases.csv --score p --low 0 --high 1 --name share",
            "convert labels cases.csv --score p --threshold 0.3 --margin 0.05",
            "convert softmax cases.csv --score p --score q -o classes.parquet",
        ),
        {},
        convert,
        parts={
            name: (
                words,
                {
                    "file": {"help": "CSV, Parquet or JSON lines, with any columns; - for standard input"},
                    "--score": text(
                        "the column to convert; repeated for softmax and argmax: one per class",
                        "COLUMN",
                        action="append",
                        required=True,
                    ),
                    **{f"--{one.replace('_', '-')}": settings for one, settings in own.items()},
                    "--name": text(
                        "of the new column (default: probability or label); of softmax, how the new ones"
                        " begin",
                        "COLUMN",
                    ),
                    "-o --out": text(".csv, .parquet or .xlsx; without it CSV on standard output", "FILE"),
                },
            )
            for name, (words, own) in CONVERSIONS.items()
        },
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
    "check": Command(
        f"may the model ship: exit status {DONE} if it meets every requirement, {NOT_PASSED} if not,"
        f" {UNDECIDED} if undecided",
        (
            'check cases.csv --truth y --score p --require "roc_auc >= 0.6" --require "sensitivity >= 0.4"',
            "check cases.csv --truth y --score q --baseline-score p --no-worse-than 0.05 --junit gate.xml",
        ),
        {
            "file": {
                "nargs": "*",
                "help": (
                    "a gate file (.toml), or cases: CSV, Parquet or JSON lines, one or several; - for"
                    " standard input"
                ),
            },
            "--gate": text("a gate file; what is typed comes before what is in it", "GATE.toml"),
            **options.cases(),
            "--require": text(
                'as "roc_auc >= 0.80"; may be repeated', "REQUIREMENT", action="append", default=[]
            ),
            "--baseline": text(
                "cases of the model in use, with the same columns, or what `release save` wrote", "FILE"
            ),
            **options.cases(("baseline_score",)),
            **NAMES,
            **KEY,
            "--unpaired": {
                "dest": "paired",
                "action": "store_const",
                "const": False,
                "help": "the baseline has other cases, though its labels are the same, row by row",
            },
            "--no-worse-than": number("by how much the new model may be worse, as 0.01", "MARGIN"),
            "--measure": text(
                "what may not be worse (default: what is required, else roc_auc)",
                "MEASURE",
                dest="measures",
                action="append",
            ),
            **options.THRESHOLD,
            **options.INTERVALS,
            "--uses": {
                "type": int,
                "metavar": "K",
                "help": "total number of decisions made with these cases: intervals at 1 - (1 - level) / K",
            },
            "--explain": {
                "action": "store_true",
                "help": "what each requirement means, and how often a model passes, fails or neither",
            },
            "--expected": text(
                "with --explain, the true value, as roc_auc=0.85 (default: that of these cases)",
                "MEASURE=NUMBER",
                action="append",
                default=[],
            ),
            "--undecided": {
                "choices": get_args(Undecided),
                "help": f"what an undecided verdict counts as (default: neither, exit status {UNDECIDED})",
            },
            "--state": text("a file that counts these decisions; the first begins it", "FILE"),
            "--valid": text(
                "anytime: check again whenever cases have arrived (default: fixed, one look at these cases)",
                "WHEN",
            ),
            "--self-test": options.flag(
                "in place of a verdict: how often this gate tells the model from itself, on random halves of"
                " the cases"
            ),
            "--splits": {
                "type": int,
                "metavar": "N",
                "help": "with --self-test: how often the cases are split (default: 200)",
            },
            **options.OUTPUT,
            "--junit": text("write JUnit XML to this file", "RESULTS.xml"),
            "--github": {
                "action": argparse.BooleanOptionalAction,
                "help": (
                    "write annotations of GitHub Actions, and the summary of the job (default: where"
                    f" {ON_GITHUB} is true)"
                ),
            },
        },
        check,
        epilog=(
            "A requirement is MEASURE[.value|.low|.high|.width] >= NUMBER [at specificity 0.95 |"
            " at threshold 0.3 | at rule youden] [by COLUMN], with >=, >, <= or <. It is met where the whole"
            " interval meets it, not met where no part of it does, and else undecided; .value, .low and .high"
            " compare the value or an end alone. The NUMBER may be baseline - 0.01; each group by a column"
            " has to meet it."
        ),
        statuses=STATUSES,
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
    "release": Command(
        "keep the cases of a model without their names, as the --baseline of a later `check`",
        ("release save cases.csv --truth y --score p --id id -o release.tally",),
        {},
        release,
        parts={
            "save": (
                "write a .tally file with a keyed hash of the name of each case, and its label and score",
                {
                    **options.files(),
                    **options.cases(options.without("missing"), truth={"required": True}),
                    **NAMES,
                    **KEY,
                    **options.cases(
                        ("by",), by={"help": "a column of groups, held as it is; may be repeated"}
                    ),
                    "--coarse": {
                        "type": int,
                        "default": 0,
                        "metavar": "N",
                        "help": "counts alone, in bins of N cases or more: no single case",
                    },
                    **OUTPUT,
                },
            )
        },
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
    "find": Command(
        "find measures, curves, rules, intervals, tests, losses and conversions by any name",
        ("find recall", "find brier score"),
        WORDS,
        find,
    ),
    "measures": Command("list the measures, or explain one", ("measures", "measures roc_auc"), WORDS, find),
    "demo": Command(
        "measure the sample data, and write a report page",
        ("demo",),
        {
            **options.INTERVALS,
            **options.OUTPUT,
            "--report --out -o": {**options.OUTPUT["--report --out -o"], "default": "tallymark-demo.html"},
        },
        demo,
    ),
    "guess": Command(
        "evaluate a file, and guess its columns: short, tallymark FILE",
        ("guess scores.csv",),
        {
            **options.files("a file; its columns are guessed from their names and first rows"),
            **options.cases(),
            **options.THRESHOLD,
            **options.CHOSEN,
            **options.INTERVALS,
            **options.OUTPUT,
        },
        guess,
    ),
}
