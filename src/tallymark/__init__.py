"""Tallymark evaluates classifiers: every measure, with how sure it is.

    import tallymark as tm

    ev = tm.evaluate(truth=y, score=p)
    print(ev)
    ev["roc_auc"]

Names load when they are first used, so that the import costs next to nothing.
"""

from __future__ import annotations

from .version import __version__

TYPE_CHECKING = False  # for type checkers; typing and importlib take longer to import than all else here
if TYPE_CHECKING:
    from typing import Any

    from . import convert, losses, measures, planning
    from .advice import Advice, advise
    from .behaviour import class_mix_sensitivity
    from .biometrics import BiometricEvaluation, biometric
    from .bootstrapping import Bootstrap, bootstrap
    from .calibrating import Calibration, calibration
    from .choosing import ThresholdChoice, choose_threshold
    from .comparing import Comparison, compare
    from .comparing.paired_answers import cochran_q, mcnemar
    from .contingency import Contingency
    from .curves import Curve
    from .door import evaluate
    from .errors import InputError
    from .evaluation import (
        BinaryEvaluation,
        Evaluation,
        EvaluationTable,
        MulticlassEvaluation,
        MultilabelEvaluation,
        RegressionEvaluation,
    )
    from .gate import Verdict, check
    from .missing_scores import Unscored, unscored
    from .notes import Note
    from .notices import Notice, UndefinedMeasureWarning
    from .points import OperatingPoints
    from .prevalence import AtPrevalence, at_prevalence
    from .registry import Measure, find, measure
    from .retraining import CrossValidation, OutOfBag, PermutationResult, bootstrap_out_of_bag, cross_validate, permutation_test
    from .saved import SavedResult
    from .schema import json_schema
    from .scoring import expected_score, is_proper
    from .summaries import ClassLogits, ClassScores, ConfusionMatrix, Counts, IndicatorTable, LogitTable, RankingTable, Residuals
    from .thresholds import RuleSpec
    from .uncertainty import Estimate, Settings, estimate, estimate_each

_MODULES = ("convert", "losses", "measures", "planning")
_HOMES = {
    "advise": "advice",
    "biometric": "biometrics",
    "Bootstrap": "bootstrapping",
    "bootstrap": "bootstrapping",
    "calibration": "calibrating",
    "check": "gate",
    "choose_threshold": "choosing",
    "compare": "comparing",
    "Comparison": "comparing",
    "cochran_q": "comparing.paired_answers",
    "mcnemar": "comparing.paired_answers",
    "Curve": "curves",
    "unscored": "missing_scores",
    "AtPrevalence": "prevalence",
    "at_prevalence": "prevalence",
    "class_mix_sensitivity": "behaviour",
    "Contingency": "contingency",
    "estimate_each": "uncertainty",
    "evaluate": "door",
    "BinaryEvaluation": "evaluation",
    "Evaluation": "evaluation",
    "EvaluationTable": "evaluation",
    "MulticlassEvaluation": "evaluation",
    "MultilabelEvaluation": "evaluation",
    "RegressionEvaluation": "evaluation",
    "Verdict": "gate",
    "Note": "notes",
    "Notice": "notices",
    "RuleSpec": "thresholds",
    "UndefinedMeasureWarning": "notices",
    "Measure": "registry",
    "find": "registry",
    "measure": "registry",
    "bootstrap_out_of_bag": "retraining",
    "cross_validate": "retraining",
    "permutation_test": "retraining",
    "ClassLogits": "summaries",
    "ClassScores": "summaries",
    "ConfusionMatrix": "summaries",
    "Counts": "summaries",
    "IndicatorTable": "summaries",
    "LogitTable": "summaries",
    "RankingTable": "summaries",
    "Residuals": "summaries",
    "json_schema": "schema",
    "expected_score": "scoring",
    "is_proper": "scoring",
    "Estimate": "uncertainty",
    "Settings": "uncertainty",
    "estimate": "uncertainty",
    "Advice": "advice",
    "BiometricEvaluation": "biometrics",
    "ThresholdChoice": "choosing",
    "Calibration": "calibrating",
    "CrossValidation": "retraining",
    "OutOfBag": "retraining",
    "PermutationResult": "retraining",
    "Unscored": "missing_scores",
    "OperatingPoints": "points",
    "SavedResult": "saved",
    "InputError": "errors",
}

__all__ = [
    "Advice", "AtPrevalence", "BinaryEvaluation", "BiometricEvaluation", "Bootstrap", "Calibration", "ClassLogits",
    "ClassScores", "Comparison", "ConfusionMatrix", "Contingency", "Counts", "CrossValidation", "Curve", "Estimate",
    "Evaluation", "EvaluationTable", "IndicatorTable", "InputError", "LogitTable", "Measure", "MulticlassEvaluation",
    "MultilabelEvaluation", "Note", "Notice", "OperatingPoints", "OutOfBag", "PermutationResult", "RankingTable",
    "RegressionEvaluation", "Residuals", "RuleSpec", "SavedResult", "Settings", "ThresholdChoice", "UndefinedMeasureWarning",
    "Unscored", "Verdict", "__version__", "advise", "at_prevalence", "biometric", "bootstrap", "bootstrap_out_of_bag",
    "calibration", "check", "choose_threshold", "class_mix_sensitivity", "cochran_q", "compare", "convert", "cross_validate",
    "estimate", "estimate_each", "evaluate", "expected_score", "find", "is_proper", "json_schema", "losses", "mcnemar",
    "measure", "measures", "permutation_test", "planning", "unscored",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    import importlib

    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"tallymark has no {name!r}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
