"""Tallymark evaluates classifiers: every measure, with its uncertainty.

    import tallymark as tm

    ev = tm.evaluate(truth=y, score=p)
    print(ev)
    ev["roc_auc"]

Names load when they are first used, so that the import costs next to nothing.
"""

from __future__ import annotations

from .__about__ import __version__

TYPE_CHECKING = False  # for type checkers; typing and importlib take longer to import than all else here
if TYPE_CHECKING:
    from typing import Any

    from . import measures
    from .curves import Curve
    from .evaluation.accumulator import Accumulator
    from .evaluation.advice import Advice, advise
    from .evaluation.biometrics import BiometricEvaluation, Identification, biometric, identification
    from .evaluation.bootstrap import Bootstrap, bootstrap
    from .evaluation.calibration import Calibration, calibration
    from .evaluation.choose_threshold import ThresholdChoice, choose_threshold
    from .evaluation.class_mix import ClassMix, class_mix_sensitivity
    from .evaluation.evaluate import evaluate
    from .evaluation.groups import Fairness, FoldTable, FoldTables, GroupTable, GroupTables, Predictions
    from .evaluation.judged import Judged, with_judge
    from .evaluation.notices import Notice
    from .evaluation.prevalence import AtPrevalence, at_prevalence
    from .evaluation.releases import Release, release
    from .evaluation.reporting import (
        ClassificationReport,
        ModelCard,
        ReportingParagraph,
        classification_report,
        model_card,
        reporting_paragraph,
    )
    from .evaluation.results import (
        BinaryEvaluation,
        Contingency,
        Evaluation,
        EvaluationTable,
        MulticlassEvaluation,
        MultilabelEvaluation,
        OperatingPoints,
        RegressionEvaluation,
    )
    from .evaluation.roc_points import RocPoints, roc_points
    from .evaluation.significance import fisher_exact, mann_whitney, no_information_test
    from .evaluation.thresholds import RuleSpec
    from .evaluation.unscored import Unscored, unscored
    from .inference import Estimate, Settings, estimate, estimate_each
    from .input.errors import InputError, UndefinedMeasureWarning
    from .input.messages import Note
    from .integrations.estimators import evaluate_estimator
    from .integrations.scorers import scorer
    from .measures.registry import Measure, measure
    from .probability import convert, losses
    from .probability.scoring_rules import expected_score, information_scores, is_proper
    from .report.catalogue import find
    from .report.saved import SavedResult, json_schema, load
    from .studies import planning
    from .studies.compare import Comparison, Reclassification, cochran_q, compare, mcnemar, reclassification
    from .studies.gate import Verdict, check
    from .studies.retraining import (
        CrossValidation,
        OutOfBag,
        PermutationResult,
        bootstrap_out_of_bag,
        cross_validate,
        permutation_test,
    )
    from .summaries import (
        BinnedTable,
        ClassLogits,
        ClassScores,
        ConfusionMatrix,
        Counts,
        IndicatorTable,
        LogitTable,
        RankingTable,
        Residuals,
    )

_MODULES = {
    "convert": "probability.convert",
    "losses": "probability.losses",
    "measures": "measures",
    "planning": "studies.planning",
}
_HOMES = {
    "Accumulator": "evaluation.accumulator",
    "advise": "evaluation.advice",
    "biometric": "evaluation.biometrics",
    "Bootstrap": "evaluation.bootstrap",
    "bootstrap": "evaluation.bootstrap",
    "calibration": "evaluation.calibration",
    "check": "studies.gate",
    "choose_threshold": "evaluation.choose_threshold",
    "compare": "studies.compare",
    "Comparison": "studies.compare",
    "cochran_q": "studies.compare",
    "mcnemar": "studies.compare",
    "Curve": "curves",
    "fisher_exact": "evaluation.significance",
    "mann_whitney": "evaluation.significance",
    "no_information_test": "evaluation.significance",
    "Reclassification": "studies.compare",
    "reclassification": "studies.compare",
    "unscored": "evaluation.unscored",
    "AtPrevalence": "evaluation.prevalence",
    "at_prevalence": "evaluation.prevalence",
    "ClassMix": "evaluation.class_mix",
    "class_mix_sensitivity": "evaluation.class_mix",
    "Contingency": "evaluation.results",
    "estimate_each": "inference",
    "evaluate": "evaluation.evaluate",
    "ClassificationReport": "evaluation.reporting",
    "classification_report": "evaluation.reporting",
    "ModelCard": "evaluation.reporting",
    "model_card": "evaluation.reporting",
    "Release": "evaluation.releases",
    "release": "evaluation.releases",
    "ReportingParagraph": "evaluation.reporting",
    "reporting_paragraph": "evaluation.reporting",
    "BinaryEvaluation": "evaluation.results",
    "Evaluation": "evaluation.results",
    "EvaluationTable": "evaluation.results",
    "Fairness": "evaluation.groups",
    "GroupTable": "evaluation.groups",
    "GroupTables": "evaluation.groups",
    "MulticlassEvaluation": "evaluation.results",
    "Identification": "evaluation.biometrics",
    "identification": "evaluation.biometrics",
    "Judged": "evaluation.judged",
    "with_judge": "evaluation.judged",
    "MultilabelEvaluation": "evaluation.results",
    "RegressionEvaluation": "evaluation.results",
    "Verdict": "studies.gate",
    "Note": "input.messages",
    "Notice": "evaluation.notices",
    "RocPoints": "evaluation.roc_points",
    "roc_points": "evaluation.roc_points",
    "RuleSpec": "evaluation.thresholds",
    "UndefinedMeasureWarning": "input.errors",
    "Measure": "measures.registry",
    "find": "report.catalogue",
    "measure": "measures.registry",
    "bootstrap_out_of_bag": "studies.retraining",
    "cross_validate": "studies.retraining",
    "permutation_test": "studies.retraining",
    "BinnedTable": "summaries",
    "ClassLogits": "summaries",
    "ClassScores": "summaries",
    "ConfusionMatrix": "summaries",
    "Counts": "summaries",
    "IndicatorTable": "summaries",
    "LogitTable": "summaries",
    "RankingTable": "summaries",
    "Residuals": "summaries",
    "Explanation": "studies.gate.power",
    "SelfTest": "studies.gate.self_test",
    "self_test": "studies.gate.self_test",
    "json_schema": "report.saved",
    "load": "report.saved",
    "evaluate_estimator": "integrations.estimators",
    "FoldTable": "evaluation.groups",
    "FoldTables": "evaluation.groups",
    "Predictions": "evaluation.groups",
    "scorer": "integrations.scorers",
    "expected_score": "probability.scoring_rules",
    "information_scores": "probability.scoring_rules",
    "is_proper": "probability.scoring_rules",
    "Estimate": "inference",
    "Settings": "inference",
    "estimate": "inference",
    "Advice": "evaluation.advice",
    "BiometricEvaluation": "evaluation.biometrics",
    "ThresholdChoice": "evaluation.choose_threshold",
    "Calibration": "evaluation.calibration",
    "CrossValidation": "studies.retraining",
    "OutOfBag": "studies.retraining",
    "PermutationResult": "studies.retraining",
    "Unscored": "evaluation.unscored",
    "OperatingPoints": "evaluation.results",
    "SavedResult": "report.saved",
    "InputError": "input.errors",
}

__all__ = [
    "Accumulator", "Advice", "AtPrevalence", "BinaryEvaluation", "BinnedTable", "BiometricEvaluation",
    "Bootstrap", "Calibration", "ClassLogits", "ClassMix", "ClassScores", "ClassificationReport",
    "Comparison", "ConfusionMatrix",
    "Contingency", "Counts", "CrossValidation", "Curve", "Estimate", "Evaluation", "EvaluationTable",
    "Explanation",
    "Fairness", "FoldTable", "FoldTables", "GroupTable", "GroupTables", "Identification", "IndicatorTable",
    "InputError", "Judged", "LogitTable", "Measure", "ModelCard",
    "MulticlassEvaluation", "MultilabelEvaluation", "Note", "Notice", "OperatingPoints", "OutOfBag",
    "PermutationResult", "Predictions", "RankingTable", "Reclassification", "RegressionEvaluation", "Release",
    "ReportingParagraph", "Residuals", "RocPoints", "RuleSpec", "SavedResult", "SelfTest", "Settings",
    "ThresholdChoice", "UndefinedMeasureWarning", "Unscored", "Verdict", "__version__", "advise",
    "at_prevalence", "biometric", "bootstrap", "bootstrap_out_of_bag", "calibration", "check",
    "choose_threshold", "class_mix_sensitivity", "classification_report", "cochran_q", "compare", "convert",
    "cross_validate", "estimate", "estimate_each", "evaluate", "evaluate_estimator", "expected_score",
    "find", "fisher_exact", "identification", "information_scores", "is_proper", "json_schema", "load",
    "losses", "mann_whitney", "mcnemar", "measure", "measures", "model_card", "no_information_test",
    "permutation_test", "planning", "reclassification", "release", "reporting_paragraph",
    "roc_points", "scorer", "self_test", "unscored", "with_judge",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    import importlib.machinery

    if name in _MODULES:
        return importlib.import_module(f".{_MODULES[name]}", __name__)
    if name not in _HOMES:
        hint = ""
        if (
            name[0] != "_"
            and importlib.machinery.PathFinder.find_spec(f"{__name__}.{name}", __path__) is None
        ):
            hint = importlib.import_module(".report.catalogue", __name__).instead_of(name, __all__)
        raise AttributeError(f"tallymark has no {name!r}{hint}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
