"""`release`: the cases of a model without their names, kept as the baseline of a later paired comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..input import CaseSpec, read, text, validate
from ..input.arguments import ScoreKind, WeightKind
from ..input.calls import public
from ..input.columns import Column
from ..input.errors import InputError, option
from ..input.hashed import Hashing, refuse_repeated
from ..input.memory import Parts, Sum
from ..input.results import Result
from ..input.sample import BY, ROLES, names_by
from ..input.score_columns import is_indicator, of_one_model
from ..input.sources import tally
from ..input.spec import no_truth
from ..input.validate import shown
from ..summaries import BinnedTable
from .case_sums import CaseSums, KeptCases

EDGES = (0.0, 0.5)  # the usual thresholds of scores and of probabilities
HASHED = {"pair_by": "case", "clusters": "unit", **dict.fromkeys(ROLES, "unit")}  # by role, of what


@dataclass(frozen=True, eq=False, repr=False)
class Release(Result):
    """The cases of a model as they are kept for later comparisons, or their counts.

    Attributes
    ----------
    rows : int
        The number of cases.
    columns : tuple of str
        What is held of each case; empty of counts.
    names : str or None
        How the names of cases are hashed: with a "key" that is not in the file, or with a "salt" that is;
        None of counts.

    Notes
    -----
    `save` writes a .tally file, which `load` reads. `evaluate` of it, or of its path, is that of the cases;
    `check` takes either as its baseline.
    """

    PLAIN: ClassVar[str] = "rows columns names"
    WRITERS: ClassVar[Mapping[str, str]] = {tally.ENDING: "tally"}

    _sums: CaseSums

    @property
    def _case_sums(self) -> CaseSums:
        return self._sums

    @property
    def rows(self) -> int:
        return self._sums.cases.rows

    @property
    def columns(self) -> tuple[str, ...]:
        kept = self._sums.release
        return () if kept is None else tuple(kept.columns)

    @property
    def names(self) -> str | None:
        kept = self._sums.release
        return None if kept is None else "salt" if kept.salt else "key"


@public()
def release(
    data: Any = None,
    /,
    *,
    truth: Any,
    pair_by: Any = None,
    key: str | Path | bytes | None = None,
    coarse: int = 0,
    score: Any = None,
    predicted: Any = None,
    weight: Any = None,
    weight_kind: WeightKind | None = None,
    clusters: Any = None,
    persons: Any = None,
    by: Any = None,
    positive: Any = None,
    predicted_positive: Any = None,
    not_an_answer: Sequence[Any] | None = None,
    classes: Sequence[Any] | None = None,
    ordered: bool = False,
    higher_is_positive: bool = True,
    score_kind: ScoreKind | None = None,
    regression: bool = False,
    where: str | None = None,
    memory: str | int | None = None,
) -> Release:
    """Keep the cases of a model, without their names, as the baseline of a later paired comparison.

    Parameters
    ----------
    data : data frame, path, list of paths or mapping of columns, optional
        As for `evaluate`; the other arguments then name columns.
    pair_by : array of shape (n,) or name of a column
        What identifies each case. Held is a hash of it, by which `check` finds the case again.
    key : path or bytes, optional
        The key of the hashes, at least 16 bytes, or the file that holds it; by default the value of the
        environment variable TALLYMARK_KEY. It is not held. Without a key a random salt is, so that whoever
        has the result can find out whether a case that he can name is in it.
    coarse : int, default 0
        In place of the cases hold counts of each class alone, in bins of so many cases or more, as 10. A
        later comparison is then not paired.
    by : name of a column, list of names, or mapping from names to arrays, optional
        Groups of the cases, which are held as they are.
    clusters, persons
        As for `evaluate`, of which hashes are held.
    truth, score, predicted, weight, weight_kind, positive, predicted_positive, not_an_answer, classes
        As for `evaluate`, of one model; no value may be missing.
    ordered, higher_is_positive, score_kind, regression, where, memory
        As for `evaluate`.

    Returns
    -------
    Release
        With `save`, which writes a .tally file.

    Raises
    ------
    InputError
        As `evaluate`, and for a case that occurs twice.

    Notes
    -----
    A hash is the first 64 bits of an HMAC-SHA-256: two of a million cases share one with a probability of 1
    in 37 million, and are then refused as one case. Cases are in the order of their hashes.

    Examples
    --------
    >>> import tallymark as tm
    >>> cases = {"id": ["a", "b", "c", "d"], "y": [0, 1, 1, 0], "p": [0.1, 0.8, 0.6, 0.7]}
    >>> kept = tm.release(cases, truth="y", score="p", pair_by="id", key=b"sixteen bytes or more")
    >>> kept.columns
    ('truth', 'score', 'pair_by')
    >>> tm.evaluate(kept)["roc_auc"].value
    0.75
    """
    given = of_one_model("release", {"score": score, "predicted": predicted})
    if truth is None:
        raise no_truth()
    if data is None and is_indicator(truth):
        problem = "cases with several labels are not paired"
        raise InputError("unsupported", "truth", problem, "take one label at a time, as truth[:, 0]")
    spec = CaseSpec(
        truth=truth, **given, weight=weight, weight_kind=weight_kind, positive=positive, classes=classes,
        predicted_positive=predicted_positive, not_an_answer=not_an_answer, ordered=ordered,
        higher_is_positive=higher_is_positive, score_kind=score_kind, regression=regression, where=where,
        memory=memory,
    )  # fmt: skip
    if validate.whole(coarse, "coarse", 0, 1e9):
        of_cases = {"pair_by": pair_by, "key": key, "clusters": clusters, "persons": persons, "by": by}
        for name, value in of_cases.items():
            if value is not None:
                problem = "counts hold no single case"
                raise InputError("conflict", name, problem, f"leave it, or {option('coarse')}, out")
        return Release(_coarse(CaseSums.read(data, spec), coarse))
    if pair_by is None:
        problem = "it says which case is which"
        way_out = (
            f"name the column that identifies the cases, or pass {option('coarse', 10)} for counts alone"
        )
        raise InputError("needed", "pair_by", problem, way_out)
    spec = spec.of_columns({"pair_by": pair_by, "clusters": clusters, "persons": persons, "by": by})
    return Release(_kept(data, spec, Hashing.of(key)))


def _coarse(sums: CaseSums, fewest: int) -> CaseSums:
    """The sums with the scores in bins of so many cases or more; the counts of labels as they are."""
    total, spec = sums.by_model, sums.cases.spec
    if spec.regression or not isinstance(total, Mapping) or sums.cases.weights is not None:
        what = (
            "amounts"
            if spec.regression
            else "weighted cases"
            if isinstance(total, Mapping)
            else "a score per class"
        )
        way_out = f"leave {option('coarse')} out, and name the cases with {option('pair_by')}"
        raise InputError("unsupported", "coarse", f"there are no counts of {what}", way_out)
    if spec.kind == "predicted":
        return sums
    if sums.cases.rows < fewest:
        problem = (
            f"there are {text.count(sums.cases.rows)} cases, and a bin holds {text.count(fewest)} or more"
        )
        raise InputError("invalid-value", "coarse", problem, "pass a smaller number, or more cases")
    binned = {name: BinnedTable.joined([one]).coarse(fewest, EDGES) for name, one in total.items()}
    return replace(sums, sum=Sum([Parts(binned)]))


def _kept(data: Any, spec: CaseSpec, hashing: Hashing) -> CaseSums:
    """The cases with the names of the columns that hold them, in the order of their hashes."""
    cases = read(data, spec)
    batch = cases.columns()
    validate.no_gaps(batch["pair_by"])
    hashes = hashed(batch, hashing)
    refuse_repeated(batch["pair_by"], hashes["pair_by"].values, "the data")
    order = np.argsort(hashes["pair_by"].values)
    groups = [role for role in batch if role.split()[0] == BY]
    called = dict(zip(groups, names_by(spec.by, data is None), strict=True)) if groups else {}
    columns = {}
    for role, one in {**batch, **hashes}.items():
        name = called.get(role, role)
        if name in columns or (role in called and name in batch):
            raise InputError("conflict", BY, f"a group cannot be called {shown(name)} here", "rename it")
        columns[name] = Column(
            role, one.values[order], name=one.name, weight_kind=one.weight_kind, levels=one.levels,
            unanswered=None if one.unanswered is None else one.unanswered[order],
        )  # fmt: skip
    (roles,) = cases.models.values()
    names = {
        spec.kind: list(roles) if len(roles) > 1 else roles[0],
        "persons": list(ROLES) if spec.persons is not None else None,
        BY: list(called.values()) or None,
    }
    columns_of = {argument: names.get(argument, argument) for argument in spec.given}
    applied = dict.fromkeys(("predicted_positive", "not_an_answer", "where"))
    own = spec.of_columns({**columns_of, **applied})
    kept = KeptCases(columns, hashing.salt, hashing.check)
    return CaseSums.of_release(kept, own, "the release")


def hashed(batch: Mapping[str, Column], hashing: Hashing) -> dict[str, Column]:
    """The columns that name cases and what these depend on, as hashes."""
    return {role: hashing.column(batch[role], kind) for role, kind in HASHED.items() if role in batch}
