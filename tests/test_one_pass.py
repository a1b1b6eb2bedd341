"""How often a call reads its source, encodes labels and makes a table: once, and one table per model."""

import numpy as np
import pytest
from estimators import Centres
from looping import for_each, in_part

from tallymark import (
    ClassScores,
    RankingTable,
    bootstrap,
    bootstrap_out_of_bag,
    check,
    compare,
    cross_validate,
    evaluate,
    permutation_test,
)
from tallymark.input import sources as adapters
from tallymark.input.labels import BinaryLabels
from tallymark.summaries import class_scores

N = 200
RNG = np.random.default_rng(4)
Y = RNG.integers(0, 2, N)
SCORE = 0.3 * Y + 0.7 * RNG.random(N)
DATA = {
    "y": Y, "a": SCORE, "b": 0.2 * Y + 0.8 * RNG.random(N), "c": RNG.random(N),
    "a0": 1 - SCORE, "a1": SCORE, "id": np.arange(N), "patient": np.arange(N) // 4,
    "w": RNG.uniform(0.5, 2, N),
}  # fmt: skip
OF_TRUTH = {"truth": "y"}
THREE = [f"{name}.low >= 0.1" for name in ("roc_auc", "accuracy", "average_precision")]
NEW_AND_OLD = {
    **OF_TRUTH,
    "score": "a",
    "baseline_score": "b",
    "no_worse_than": 0.5,
    "measures": ["roc_auc", "accuracy", "log_loss"],
}
CALLS = {  # what is called, and how often that reads, encodes labels, and makes a table
    "evaluate": (lambda d, **more: evaluate(d, **OF_TRUTH, score="a", **more), 1, 1, 1),
    "evaluate, weights": (lambda d, **more: evaluate(d, **OF_TRUTH, score="a", weight="w", **more), 1, 1, 1),
    "evaluate of two": (lambda d, **more: evaluate(d, **OF_TRUTH, score={"m": "a", "n": "b"}, **more), 1, 1,
        2),
    "evaluate of two, weights": (
        lambda d, **more: evaluate(d, **OF_TRUTH, score={"m": "a", "n": "b"}, weight="w", **more),
        1,
        1,
        2,
    ),
    "evaluate, two columns": (lambda d, **more: evaluate(d, **OF_TRUTH, score=["a0", "a1"], **more), 1, 1, 1),
    "check, two columns": (
        lambda d, **more: check(
            d, **OF_TRUTH, score=["a0", "a1"], baseline_score="b", no_worse_than=0.5, measures="roc_auc",
            **more
        ),
        1,
        1,
        2,
    ),
    "compare of two, two columns": (
        lambda d, **more: compare(d, **OF_TRUTH, score={"m": ["a0", "a1"], "n": "b"}, replicates=100, **more),
        1,
        1,
        2,
    ),
    "bootstrap": (lambda d, **more: bootstrap(d, **OF_TRUTH, score="a", replicates=50, **more), 1, 1, 1),
    "compare of two": (lambda d, **more: compare(d, **OF_TRUTH, score=["a", "b"], replicates=100, **more), 1,
        1, 2),
    "compare of three": (lambda d, **more: compare(d, **OF_TRUTH, score=["a", "b", "c"], replicates=100,
        **more), 1, 1, 3),
    "check of three requirements": (lambda d, **more: check(d, **OF_TRUTH, score="a", require=THREE, **more),
        1, 1, 1),
    "check on the same cases": (lambda d, **more: check(d, **NEW_AND_OLD, **more), 1, 1, 2),
    "check of pairs": (lambda d, **more: check(d, **NEW_AND_OLD, baseline=dict(DATA), pair_by="id", **more),
        2, 1, 2),
    "check on other cases, as many of each class": (
        lambda d, **more: check(d, **NEW_AND_OLD, baseline={**DATA, "y": np.roll(Y, 1)}, **more), 2, 2, 2,
    ),
    "check on other cases": (lambda d, **more: check(d, **NEW_AND_OLD, baseline=dict(DATA), paired=False,
        **more), 2, 2, 2),
}  # fmt: skip


class Counted:
    """Counts the calls of a function, or a class method, until the end of the patch."""

    def __init__(self, patch, owner, name):
        self.calls, real = 0, vars(owner)[name]
        function = getattr(real, "__func__", real)

        def counted(*given, **by_name):
            self.calls += 1
            return function(*given, **by_name)

        patch.setattr(owner, name, type(real)(counted) if isinstance(real, classmethod) else counted)


@in_part(3, ("fast", "full"))
@for_each("clusters", [{}, {"clusters": "patient"}], ids=["independent", "clusters"])
@for_each("call", CALLS)
def test_one_pass_one_encoding_and_one_table_per_model(call, clusters):
    run, *expected = CALLS[call]
    with pytest.MonkeyPatch.context() as patch:
        counted = [
            Counted(patch, *one)
            for one in ((adapters, "read"), (BinaryLabels, "encode"), (RankingTable, "from_coded"))
        ]
        run(dict(DATA), **clusters)
    assert [one.calls for one in counted] == expected


@for_each("verb", [evaluate, compare])
def test_scores_per_class_are_read_and_encoded_once_and_sorted_once_for_each_model(verb):
    random, names = np.random.default_rng(5), ["x", "y", "z"]
    data = {
        f"{of}_{name}": column
        for of in "ab"
        for name, column in zip(names, random.dirichlet(np.ones(3), N).T, strict=True)
    }
    models = {of: [f"{of}_{name}" for name in names] for of in "ab"}
    with pytest.MonkeyPatch.context() as patch:
        owners = ((adapters, "read"), (class_scores, "together"), (ClassScores, "from_columns"))
        counted = [Counted(patch, *one) for one in owners]
        verb(data | {"truth": random.choice(names, N)}, truth="truth", score=models)
    assert [one.calls for one in counted] == [1, 1, 2]


FEATURES = np.column_stack([DATA["a"], DATA["b"]])
RETRAINED = {  # what is called, and how many sets of labels it is given
    "cross_validate": (lambda **more: cross_validate(Centres(), FEATURES, Y, repeats=1, **more), 1),
    "bootstrap_out_of_bag": (
        lambda **more: bootstrap_out_of_bag(Centres(), FEATURES, Y, replicates=2, **more),
        1,
    ),
    "permutation_test": (
        lambda **more: permutation_test(Centres(), FEATURES, Y, FEATURES, Y, permutations=2, **more),
        2,
    ),
}


@for_each("call", RETRAINED)
def test_retraining_reads_its_labels_once(call):
    run, expected = RETRAINED[call]
    clusters = {"blocks" if call == "permutation_test" else "clusters": DATA["patient"]}
    for more in ({}, clusters):
        with pytest.MonkeyPatch.context() as patch:
            counted = Counted(patch, adapters, "read")
            run(**more)
        assert counted.calls == expected
