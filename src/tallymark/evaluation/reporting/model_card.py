"""The metadata of a model card of the Hugging Face Hub: the evaluation as its `model-index`.

Source: Hugging Face, "Model card metadata", hub-docs/modelcard.md; ids of metrics: hf.co/metrics.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar

from ...input.calls import public
from ...input.data_info import Task
from ...input.errors import InputError
from ...input.results import Result, Writers
from ...input.validate import shown
from ..headline import Figure
from ..results import Evaluation
from . import checked_evaluation

TASKS: dict[Task, str] = {
    "binary": "tabular-classification",
    "multiclass": "tabular-classification",
    "multilabel": "tabular-classification",
    "regression": "tabular-regression",
}
# ids of the Hub, where they are not our names
IDS = {
    "sensitivity": "recall",
    "mean_absolute_error": "mae",
    "mean_squared_error": "mse",
    "r2": "r_squared",
    "correlation": "pearsonr",
    "exact_match": "exact_match",
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ModelCard(Result):
    """The metadata of a model card: what was evaluated, on what, with which results.

    Attributes
    ----------
    model : str
        The name of the model.
    task : str
        The task of the Hub, as "tabular-classification".
    dataset : str
        The name of the data set, for readers.
    dataset_id : str
        Its id on the Hub.
    config, split, revision : str or None
        Its configuration, its split and its revision.
    figures : tuple of Figure
        The measures with their estimates.
    """

    FORM = "reporting.model_card"
    WRITERS: ClassVar[Writers] = {
        **Result.WRITERS,
        ".yaml": "yaml",
        ".yml": "yaml",
        ".md": "model card",
        ".txt": "text",
    }

    model: str
    task: str
    dataset: str
    dataset_id: str
    config: str | None = None
    split: str | None = None
    revision: str | None = None
    figures: tuple[Figure, ...] = ()

    @property
    def metric_ids(self) -> dict[str, str]:
        """By measure the id that the Hub has for it."""
        return {one.measure: IDS.get(one.measure, one.measure) for one in self.figures}

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        names = ("model", "task", "dataset", "dataset_id", "config", "split", "revision")
        found = {name: getattr(self, name) for name in names}
        return {**found, "figures": [one.to_dict() for one in self.figures]}


@public()
def model_card(
    evaluation: Evaluation,
    /,
    *,
    model: str,
    dataset: str,
    dataset_id: str | None = None,
    config: str | None = None,
    split: str | None = None,
    revision: str | None = None,
    task: str | None = None,
) -> ModelCard:
    """Metadata for the model card of the Hugging Face Hub, with the measures of the first screen.

    Parameters
    ----------
    evaluation : Evaluation
        What `evaluate` returned; `ev[["roc_auc", "f1"]]` selects measures.
    model : str
        The name of the model.
    dataset : str
        The name of the data set, for readers.
    dataset_id : str, optional
        Its id on the Hub; by default its name.
    config, split, revision : str, optional
        Its configuration, its split, as "test", and its revision.
    task : str, optional
        The task of the Hub; by default "tabular-classification", of amounts "tabular-regression".

    Returns
    -------
    ModelCard
        Its text is YAML with the key `model-index`; `save("card.yaml")` writes it, `save("README.md")` a
        model card that has nothing else.

    Raises
    ------
    InputError
        For what is no evaluation, and for names that are no text.

    Examples
    --------
    >>> import tallymark as tm
    >>> ev = tm.evaluate(truth=[0, 1, 1, 0], predicted=[0, 1, 1, 1], measures="accuracy")
    >>> print(tm.model_card(ev, model="forest", dataset="wards", split="test"))
    forest on wards: Accuracy 0.750 ~[0.301, 0.954].
    <BLANKLINE>
    Task: tabular-classification. Data: wards, split test.
    <BLANKLINE>
    measure   estimate [95% interval]
    --------  -----------------------
    Accuracy  0.750 ~[0.301, 0.954]
    ~ approximate: fewer than 8 cases on one side.
    """
    e = checked_evaluation(evaluation, "model_card")
    given = {"model": model, "dataset": dataset, "dataset_id": dataset_id or dataset}
    given |= {"task": task or TASKS[e.task]}
    more = {"config": config, "split": split, "revision": revision}
    for name, value in (given | {name: one for name, one in more.items() if one is not None}).items():
        if not isinstance(value, str) or not value.strip():
            raise InputError("invalid-value", name, f"{shown(value)} is no name", "pass a text", value=value)
    return ModelCard(
        model=model, task=given["task"], dataset=dataset, dataset_id=given["dataset_id"], config=config,
        split=split, revision=revision, figures=tuple(_figures(e)),
    )  # fmt: skip


def _figures(e: Evaluation) -> list[Figure]:
    """The measures that were chosen, or those with a headline, as far as they have a value."""
    names = e.selected or [name for name in e.estimates if _of_card(e, name)]
    found = [Figure(name, e.estimates[name]) for name in names]
    return [one for one in found if isfinite(one.estimate.value)]


def _of_card(e: Evaluation, name: str) -> bool:
    head = e.entry(name).headline
    labels_only = getattr(e, "ranking", None) is None
    return head is not None and head.place is not None and (labels_only or not head.labels_only)
