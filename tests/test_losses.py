"""Losses to train with: worked values, PyTorch's own, slopes against differences, and the same in every
library."""

import importlib
import os
import runpy
import subprocess
import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses

from tallymark import InputError, losses

EXAMPLE = Path(__file__).parent.parent / "examples" / "train_on_auc.py"
CASES = 24
RANDOM = np.random.default_rng(11)
TRUTH = np.arange(CASES) % 3 == 0
SCORE = RANDOM.normal(scale=2, size=CASES)
NUMBER = RANDOM.normal(size=CASES)
WEIGHT = RANDOM.uniform(0.1, 3, CASES)
OTHERS = ["torch", "jax"]


def library(name):
    """A library, or its test skipped; where all must be tested (TALLYMARK_REQUIRE_TORCH), one that is missing
    fails."""
    if os.environ.get("TALLYMARK_REQUIRE_TORCH"):
        return importlib.import_module(name)
    return pytest.importorskip(name, exc_type=ImportError)


def maker(name):
    """What makes an array of a library of a NumPy one, in double precision with `double(name)` around it."""
    return {
        "numpy": lambda: np.asarray,
        "torch": lambda: library("torch").tensor,
        "jax": lambda: library("jax").numpy.asarray,
    }[name]()


def double(name):
    return library("jax").enable_x64(True) if name == "jax" else nullcontext()


def torch_slopes(loss, at):
    point = library("torch").tensor(at, requires_grad=True)
    loss(point).backward()
    return point.grad.numpy()


def jax_slopes(loss, at):
    jax = library("jax")
    with double("jax"):
        return np.asarray(jax.jit(jax.grad(loss))(jax.numpy.asarray(at)))


SLOPES = {"torch": torch_slopes, "jax": jax_slopes}


def embeddings(points):
    return dict(zip(("anchor", "positive", "negative"), points.reshape(3, -1, 2), strict=True))


def probability(score):
    """Within 0 and 1, in any library."""
    return 0.5 + 0.4 * score / (1 + score * score)


# Of everything that is trained: the loss as a function of it.
LOSSES = {
    "hinge": lambda z: losses.hinge(truth=TRUTH, score=z),
    "hinge of signs": lambda z: losses.hinge(truth=2 * TRUTH - 1, score=z, weight=WEIGHT, reduction="sum"),
    "cross_entropy": lambda z: losses.cross_entropy(truth=TRUTH, score=z),
    "cross_entropy, weights": lambda z: losses.cross_entropy(truth=TRUTH, score=z, weight=WEIGHT),
    "cross_entropy, probabilities": lambda z: losses.cross_entropy(
        truth=TRUTH, score=probability(z), probabilities=True
    ),
    "balanced_cross_entropy": lambda z: losses.balanced_cross_entropy(truth=TRUTH, score=z, weight=WEIGHT),
    "balanced_cross_entropy, alpha": lambda z: losses.balanced_cross_entropy(
        truth=TRUTH, score=z, alpha=0.9, reduction="sum"
    ),
    "focal": lambda z: losses.focal(truth=TRUTH, score=z),
    "focal, gamma 0": lambda z: losses.focal(truth=TRUTH, score=z, gamma=0),
    "focal, gamma 0.3": lambda z: losses.focal(
        truth=TRUTH, score=z, gamma=0.3, alpha=0.25, weight=WEIGHT, reduction="sum"
    ),
    "focal, probabilities": lambda z: losses.focal(
        truth=TRUTH, score=probability(z), probabilities=True, alpha=0.75
    ),
    "auc": lambda z: losses.auc(truth=TRUTH, score=z),
    "auc, weights": lambda z: losses.auc(truth=TRUTH, score=probability(z), weight=WEIGHT),
    "squared": lambda z: losses.squared(truth=NUMBER, predicted=z),
    "absolute": lambda z: losses.absolute(truth=NUMBER, predicted=z, weight=WEIGHT),
    "huber": lambda z: losses.huber(truth=NUMBER, predicted=z),
    "huber, epsilon 0.5": lambda z: losses.huber(
        truth=NUMBER, predicted=z, epsilon=0.5, weight=WEIGHT, reduction="sum"
    ),
    "triplet": lambda z: losses.triplet(**embeddings(z)),
    "triplet, mean": lambda z: losses.triplet(
        **embeddings(z), margin=1, weight=[1, 2, 0, 0.5], reduction="mean"
    ),
    "triplet, as they are": lambda z: losses.triplet(**embeddings(z), margin=3, normalise=False),
}
each_loss = for_each("loss", LOSSES.values(), ids=LOSSES)
each_library = pytest.mark.parametrize(
    "name", ["numpy", *(pytest.param(other, marks=pytest.mark.full) for other in OTHERS)]
)
each_other = pytest.mark.parametrize(
    "name", [pytest.param(other, marks=pytest.mark.full) for other in OTHERS]
)


# Worked values
# --------------------------------------------------------------------------------------------------


def close(found, expected, tolerance=1e-12):
    np.testing.assert_allclose(np.asarray(found), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("truth", [[-1, 1], [0, 1], [False, True]])
def test_hinge_of_two_cases_on_the_wrong_side(truth):
    """Berrar, Fig. 8: cases 8 and 3."""
    close(losses.hinge(truth=truth, score=[1.0, -1.0], reduction="none"), [2, 2])
    close(losses.hinge(truth=truth, score=[-0.25, 3.0]), 0.375)


def test_cross_entropy_of_scores():
    """Flemming: log(1 + e^z) for label 0, log(1 + e^-z) for label 1."""
    found = losses.cross_entropy(truth=[0, 1, 0, 1], score=[-2.0, 0.5, 1.0, 1000.0], reduction="none")
    close(found, [0.126928011, 0.474076984, 1.313261688, 0], 1e-9)


BERRAR = {
    "truth": [1, 1, 0, 1, 1, 0, 0, 1, 0, 0],
    "score": [0.95, 0.8, 0.75, 0.6, 0.5, 0.45, 0.3, 0.25, 0.2, 0.1],
}


def test_cross_entropy_of_probabilities():
    """Berrar, Def. 20: 0.798, to base 2."""
    assert round(losses.cross_entropy(**BERRAR, probabilities=True) / np.log(2), 3) == 0.798


def test_focal_of_probabilities():
    """Berrar, Def. 22, by hand for the first case and the third; without focus it is the cross-entropy."""
    found = losses.focal(**BERRAR, probabilities=True, reduction="none")
    close(found[[0, 2]], [0.05**2 * -np.log(0.95), 0.75**2 * -np.log(0.25)])
    close(
        losses.focal(**BERRAR, probabilities=True, gamma=0),
        losses.cross_entropy(**BERRAR, probabilities=True),
    )


def test_alpha_is_the_share_of_negatives():
    """Berrar: 10 positives and 990 negatives, so positives weigh 0.99."""
    truth = np.arange(1000) < 10
    found = losses.balanced_cross_entropy(truth=truth, score=np.zeros(1000), reduction="none")
    close(found / np.log(2), np.where(truth, 0.99, 0.01))
    close(
        found, losses.balanced_cross_entropy(truth=truth, score=np.zeros(1000), alpha=0.99, reduction="none")
    )


def test_alpha_of_weighted_cases_is_that_of_repeated_ones():
    once = losses.balanced_cross_entropy(truth=[1, 0, 0], score=[0.3, -0.2, 0.9], weight=[1, 2, 3])
    close(
        once, losses.balanced_cross_entropy(truth=[1, 0, 0, 0, 0, 0], score=[0.3, -0.2, -0.2, 0.9, 0.9, 0.9])
    )


def test_one_class_alone_costs_nothing_in_balance():
    assert losses.balanced_cross_entropy(truth=[1, 1], score=[-3, 4]) == 0


def test_huber():
    """Flemming, with epsilon 0.5."""
    close(
        losses.huber(truth=[0, 0, 0], predicted=[0.25, 0.5, -2.0], epsilon=0.5, reduction="none"),
        [0.0625, 0.25, 1.75],
    )
    close(
        losses.huber(truth=[0, 0], predicted=[1.35, -2.35], reduction="none"),
        [1.35**2, 2 * 1.35 * 2.35 - 1.35**2],
    )


def test_squared_and_absolute():
    close(losses.squared(truth=[1, 2, 3], predicted=[2, 2, 1]), 5 / 3)
    close(losses.absolute(truth=[1, 2, 3], predicted=[2, 2, 1]), 1)


def test_triplet():
    """The embeddings at length 1 are (1, 0), (0, 1) and (-1, 0): squared distances 2 and 4."""
    points = {"anchor": [[3, 0]], "positive": [[0, 0.5]], "negative": [[-2, 0]]}
    assert losses.triplet(**points) == 0
    close(losses.triplet(**points, margin=2.5), 0.5)
    close(losses.triplet(**points, margin=20, normalise=False), 9.25 - 25 + 20)


def test_triplet_is_a_sum_by_default():
    points = embeddings(SCORE)
    each = losses.triplet(**points, reduction="none")
    assert each.shape == (4,)
    close(losses.triplet(**points), each.sum())
    close(losses.triplet(**points, reduction="mean"), each.mean())


def test_auc_of_four_cases():
    """QuData: the covariance is 0.08125."""
    close(losses.auc(truth=[0, 0, 1, 1], score=[0.1, 0.4, 0.35, 0.8]), 0.3375)


def test_auc_without_information_is_one_half():
    assert losses.auc(truth=[0, 0, 1], score=[0.3, 0.3, 0.3]) == 0.5
    assert losses.auc(truth=[1, 1, 1], score=[0.1, 0.5, 0.3]) == 0.5
    assert losses.auc(truth=[0, 1], score=[0.0, 1.0]) == 0


# The loss over pairs, as QuData writes it
# --------------------------------------------------------------------------------------------------


def over_pairs(truth, score, weight=None):
    y, p, w = (
        np.asarray(values, float)
        for values in (truth, score, np.ones(len(score)) if weight is None else weight)
    )
    pairs = (y[:, None] - y) * (p[None, :] - p[:, None])
    return 0.5 + (w[:, None] * w * pairs).sum() / (w[:, None] * w).sum()


@in_part(8)
@for_each("cases", [1, 2, 7, 60, 301])
@each_library
def test_auc_is_the_loss_over_all_pairs(cases, name):
    random = np.random.default_rng(cases)
    truth, score, weight = (
        random.integers(0, 2, cases),
        np.round(random.random(cases), 2),
        random.uniform(0, 2, cases),
    )
    with double(name):
        of = maker(name)
        close(losses.auc(truth=truth, score=of(score)), over_pairs(truth, score), 1e-14)
        close(
            losses.auc(truth=of(truth), score=of(score), weight=of(weight)),
            over_pairs(truth, score, weight),
            1e-14,
        )


@pytest.mark.full
def test_auc_is_quadata_s_function():
    torch = library("torch")
    y, p = torch.tensor(TRUTH, dtype=torch.float64), torch.sigmoid(torch.tensor(SCORE))
    y_pairs, p_pairs = torch.cartesian_prod(y, y), torch.cartesian_prod(p, p)
    pairs = (y_pairs[:, 0] - y_pairs[:, 1]) * (p_pairs[:, 1] - p_pairs[:, 0])
    close(losses.auc(truth=y, score=p), 0.5 + pairs.mean(), 1e-14)


def test_auc_of_weights_is_that_of_repeated_cases():
    weight = np.arange(CASES) % 4
    repeated = losses.auc(truth=np.repeat(TRUTH, weight), score=np.repeat(SCORE, weight))
    close(losses.auc(truth=TRUTH, score=SCORE, weight=weight), repeated, 1e-14)


@pytest.mark.full
def test_auc_of_ten_million_cases():
    """The pairs are 10^14; from the means of the classes, in double precision."""
    random = np.random.default_rng(5)
    score = random.random(10_000_000, dtype=np.float32)
    truth = random.random(10_000_000, dtype=np.float32) < score
    share = truth.mean()
    expected = 0.5 - 2 * share * (1 - share) * (
        score[truth].mean(dtype=float) - score[~truth].mean(dtype=float)
    )
    found = losses.auc(truth=truth, score=score)
    assert found.dtype == np.float32
    close(found, expected, 1e-6)


def test_auc_keeps_its_digits_far_from_0():
    close(losses.auc(truth=TRUTH, score=SCORE + 1e9), losses.auc(truth=TRUTH, score=SCORE), 1e-6)
    far = np.round(SCORE * 64).astype(np.float32) / 64 + np.float32(2**16)  # exact in single precision
    close(losses.auc(truth=TRUTH, score=far), over_pairs(TRUTH, far), 1e-6)


# What PyTorch has, too
# --------------------------------------------------------------------------------------------------


def as_tensors(*arrays):
    return [library("torch").tensor(np.asarray(array, float)) for array in arrays]


@pytest.mark.full
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_losses_that_pytorch_has(reduction):
    functional = library("torch").nn.functional
    y, z, x = as_tensors(TRUTH, SCORE, NUMBER)
    how = {"reduction": reduction}
    close(
        losses.cross_entropy(truth=y, score=z, **how),
        functional.binary_cross_entropy_with_logits(z, y, **how),
        1e-10,
    )
    p = z.sigmoid()
    expected = functional.binary_cross_entropy(p, y, **how)
    close(losses.cross_entropy(truth=y, score=p, probabilities=True, **how), expected, 1e-10)
    close(losses.squared(truth=x, predicted=z, **how), functional.mse_loss(z, x, **how), 1e-10)
    close(losses.absolute(truth=x, predicted=z, **how), functional.l1_loss(z, x, **how), 1e-10)
    close(
        losses.huber(truth=x, predicted=z, **how), 2 * functional.huber_loss(z, x, delta=1.35, **how), 1e-10
    )
    close(
        losses.hinge(truth=y, score=z, **how),
        functional.margin_ranking_loss(z, 0 * z, 2 * y - 1, margin=1, **how),
        1e-10,
    )
    signed = (2 * y - 1) * z
    close(
        losses.hinge(truth=y, score=z, **how),
        functional.hinge_embedding_loss(signed, -(signed**0), **how),
        1e-10,
    )


@pytest.mark.full
def test_weighted_cross_entropy_as_in_pytorch():
    functional = library("torch").nn.functional
    y, z, w = as_tensors(TRUTH, SCORE, WEIGHT)
    for how in ("sum", "none"):
        expected = functional.binary_cross_entropy_with_logits(z, y, w, reduction=how)
        close(losses.cross_entropy(truth=y, score=z, weight=w, reduction=how), expected, 1e-10)
    mean = functional.binary_cross_entropy_with_logits(z, y, w) * CASES / w.sum()
    close(losses.cross_entropy(truth=y, score=z, weight=w), mean, 1e-10)


@pytest.mark.full
def test_balance_is_pytorch_s_positive_weight():
    torch = library("torch")
    y, z = as_tensors(TRUTH, SCORE)
    expected = torch.nn.functional.binary_cross_entropy_with_logits(z, y, pos_weight=torch.tensor(0.8 / 0.2))
    # pos_weight is in single precision
    close(losses.balanced_cross_entropy(truth=y, score=z, alpha=0.8), 0.2 * expected, 1e-7)


@pytest.mark.full
@pytest.mark.parametrize("normalise", [True, False])
def test_triplet_as_in_pytorch(normalise):
    functional = library("torch").nn.functional
    points = as_tensors(*embeddings(SCORE).values())
    given = [functional.normalize(point) for point in points] if normalise else points
    expected = functional.triplet_margin_with_distance_loss(
        *given, distance_function=lambda a, b: ((a - b) ** 2).sum(-1), margin=0.7, reduction="sum"
    )
    named = dict(zip(("anchor", "positive", "negative"), points, strict=True))
    close(losses.triplet(**named, margin=0.7, normalise=normalise), expected, 1e-10)


@for_each("gamma", [0, 0.5, 1, 2, 5])
@for_each("alpha", [None, 0.25, 1])
def test_focal_as_in_the_paper(gamma, alpha):
    """Lin et al. 2017: FL(p_t) = -alpha_t (1 - p_t)^gamma log(p_t)."""
    p = 1 / (1 + np.exp(-SCORE))
    true = np.where(TRUTH, p, 1 - p)
    balance = 1 if alpha is None else np.where(TRUTH, alpha, 1 - alpha)
    expected = -balance * (1 - true) ** gamma * np.log(true)
    close(losses.focal(truth=TRUTH, score=SCORE, gamma=gamma, alpha=alpha, reduction="none"), expected)
    of_p = losses.focal(truth=TRUTH, score=p, gamma=gamma, alpha=alpha, reduction="none", probabilities=True)
    close(of_p, expected)


# Libraries and slopes
# --------------------------------------------------------------------------------------------------


@in_part(8)
@each_loss
@each_other
def test_values_are_those_of_numpy(loss, name):
    with double(name):
        close(loss(maker(name)(SCORE)), loss(SCORE), 1e-13)


@in_part(3)
@each_loss
@each_other
def test_slopes_are_differences(loss, name):
    step = 1e-6
    moved = step * np.eye(CASES)
    differences = [(loss(SCORE + by) - loss(SCORE - by)) / (2 * step) for by in moved]
    np.testing.assert_allclose(SLOPES[name](loss, SCORE), differences, rtol=1e-6, atol=2e-8)


@in_part(8)
@each_loss
def test_jit_gives_the_same(loss):
    jax = library("jax")
    with double("jax"):
        score = jax.numpy.asarray(SCORE)
        close(jax.jit(loss)(score), loss(SCORE), 1e-13)
        close(jax.grad(loss)(score), jax_slopes(loss, SCORE))


@pytest.mark.full
def test_jit_with_truth_and_weight_as_arguments():
    jax = library("jax")
    with double("jax"):
        given = [jax.numpy.asarray(array) for array in (TRUTH, SCORE, WEIGHT)]
        compiled = jax.jit(
            lambda y, z, w: losses.focal(truth=y, score=z, weight=w) + losses.hinge(truth=y, score=z)
        )
        close(
            compiled(*given),
            losses.focal(truth=TRUTH, score=SCORE, weight=WEIGHT) + losses.hinge(truth=TRUTH, score=SCORE),
        )


@pytest.mark.full
def test_one_case_at_a_time():
    """In a map no value is known either, and a case has no shape."""
    jax, torch = library("jax"), library("torch")
    each = losses.focal(truth=TRUTH, score=SCORE, reduction="none")

    def of_one(y, z):
        return losses.focal(truth=y, score=z)

    close(torch.func.vmap(of_one)(*as_tensors(TRUTH, SCORE)), each)
    with double("jax"):
        close(jax.vmap(of_one)(jax.numpy.asarray(TRUTH), jax.numpy.asarray(SCORE)), each)


@pytest.mark.full
def test_slopes_of_weights_and_of_every_embedding():
    torch = library("torch")
    weight = torch.tensor(WEIGHT, requires_grad=True)
    losses.cross_entropy(truth=TRUTH, score=torch.tensor(SCORE), weight=weight, reduction="sum").backward()
    close(weight.grad, losses.cross_entropy(truth=TRUTH, score=SCORE, reduction="none"))


# The weight of negatives and of positives, of which there are 2 and 5.
EXTREME = {
    "hinge": (losses.hinge, (1, 1)),
    "cross_entropy": (losses.cross_entropy, (1, 1)),
    "balanced_cross_entropy": (losses.balanced_cross_entropy, (5 / 7, 2 / 7)),
    "focal": (losses.focal, (1, 1)),
    "focal, gamma 0": (partial(losses.focal, gamma=0), (1, 1)),
    "focal, gamma 0.5": (partial(losses.focal, gamma=0.5, alpha=0.9), (0.1, 0.9)),
}


@for_each(("loss", "weight"), EXTREME.values(), ids=EXTREME)
@each_other
def test_extreme_scores(loss, weight, name):
    """1000 away from the boundary, on the wrong side first."""
    score = np.array([1000.0, -1000, -1000, 1000, 40, -40, 0])
    truth = np.array([0, 1, 0, 1, 1, 1, 1])
    negative, positive = weight
    at_0 = loss is losses.hinge
    each = loss(truth=truth, score=score, reduction="none")
    close(each[:4], [negative * 1000 + at_0, positive * 1000 + at_0, 0, 0])
    slopes = SLOPES[name](lambda z: loss(truth=truth, score=z, reduction="sum"), score)
    close(slopes[:4], [negative, -positive, 0, 0])
    assert np.isfinite(slopes).all()


def test_certain_probabilities():
    found = losses.cross_entropy(
        truth=[0, 1, 0, 1], score=[1.0, 0.0, 0.0, 1.0], probabilities=True, reduction="none"
    )
    close(found, [-np.log(2**-52), -np.log(2**-52), 2**-52, 2**-52], 1e-15)


@pytest.mark.full
@pytest.mark.parametrize("kind", ["float32", "float64"])
@each_other
def test_length_1_from_any_length(kind, name):
    """Tiny embeddings and huge ones have their direction, and a slope that goes with 1 over their length."""
    tip = np.array([[3, 4]], dtype=kind)

    def loss(points):
        return losses.triplet(anchor=points, positive=[[1, 0]], negative=[[-1, 0]], margin=3)

    for scale in 2.0 ** np.array([-100, -60, 60, 100] if kind == "float32" else [-1000, -600, 600, 1000]):
        close(loss(tip * scale), loss(tip), 1e-6)
        close(SLOPES[name](loss, tip * scale) * scale, SLOPES[name](loss, tip), 1e-6)


@each_other
def test_an_embedding_of_zeros_stays(name):
    def loss(points):
        return losses.triplet(anchor=points, positive=[[1, 0]], negative=[[0, 1]])

    close(loss(np.zeros((1, 2))), 0.2)
    close(SLOPES[name](loss, np.zeros((1, 2))), [[-2, 2]])


# Types
# --------------------------------------------------------------------------------------------------


@in_part(8)
@each_library
@for_each("kind", ["float16", "float32", "float64"])
@each_loss
def test_the_result_is_like_the_score(name, kind, loss):
    with double(name):
        found = loss(maker(name)(SCORE.astype(kind)))
    assert str(found.dtype).removeprefix("torch.") == kind
    assert type(found).__module__.startswith((name, "jaxlib") if name == "jax" else name)
    close(found.item(), loss(SCORE), {"float16": 2e-2, "float32": 1e-5, "float64": 1e-13}[kind])


@each_library
def test_integers_become_floats(name):
    truth, score = np.array([0, 1, 1]), np.array([-1, 0, 2])
    found = losses.cross_entropy(truth=truth, score=maker(name)(score))
    assert str(found.dtype) == {"numpy": "float64", "torch": "torch.float32", "jax": "float32"}[name]
    close(found, losses.cross_entropy(truth=truth, score=score), 1e-6)


def test_lists_become_numpy():
    assert losses.squared(truth=[1, 2], predicted=[1, 3]).dtype == np.float64
    assert losses.squared(truth=(1, 2), predicted=range(2), reduction="none").tolist() == [1, 1]


def test_parameters_leave_the_type_alone():
    single = SCORE.astype(np.float32)
    assert (
        losses.focal(truth=TRUTH, score=single, gamma=np.float64(2), alpha=np.float64(0.5)).dtype
        == np.float32
    )
    assert losses.huber(truth=TRUTH, predicted=single, epsilon=np.float64(1)).dtype == np.float32
    assert losses.balanced_cross_entropy(truth=TRUTH, score=single).dtype == np.float32


def test_any_shape_of_cases():
    table = {"truth": TRUTH.reshape(4, 6), "score": SCORE.reshape(4, 6)}
    assert losses.focal(**table, reduction="none").shape == (4, 6)
    close(losses.focal(**table), losses.focal(truth=TRUTH, score=SCORE))
    close(losses.auc(**table), losses.auc(truth=TRUTH, score=SCORE))


@pytest.mark.full
@for_each("kind", [bool, np.int8, np.uint16, np.float32, ">i4", ">f8"])
@each_library
def test_truth_of_any_type_beside_any_library(kind, name):
    truth = TRUTH.astype(kind)
    truth.flags.writeable = False
    close(losses.focal(truth=truth, score=maker(name)(SCORE)), losses.focal(truth=TRUTH, score=SCORE), 1e-6)


@pytest.mark.full
def test_truth_goes_to_the_device_of_the_score():
    """PyTorch's device without data stands for any."""
    torch = library("torch")
    found = losses.auc(truth=[0, 1], score=torch.ones(2, device="meta"), weight=np.ones(2))
    assert found.device.type == "meta"


def test_nan_gives_nan():
    with np.errstate(invalid="ignore"):
        found = losses.cross_entropy(truth=[0, 1], score=[np.nan, 1], reduction="none")
    assert np.isnan(found).tolist() == [True, False]


# Input
# --------------------------------------------------------------------------------------------------

TWO = {"truth": [0, 1], "score": [0.5, 2]}
NUMBERS = {"truth": [0, 1], "predicted": [0.5, 2]}
THREE = {"anchor": [[0, 1]], "positive": [[1, 2]], "negative": [[3, 4]]}
REFUSED = [
    (
        "cross_entropy",
        {"truth": [0, 2], "score": [1, 2]},
        "truth: 2 in row 1 (counted from 0) is neither 0 nor 1; give 1 for positives and 0 for negatives.",
    ),
    ("auc", {"truth": [0.5, 1], "score": [1, 2]}, "truth: 0.5 in row 0 (counted from 0) is neither 0 nor 1;"),
    ("focal", {"truth": [-1, 1], "score": [1, 2]}, "truth: -1 in row 0 (counted from 0) is neither 0 nor 1;"),
    (
        "focal",
        {"truth": [[0, 1], [np.nan, 1]], "score": np.ones((2, 2))},
        "truth: nan in place (1, 0) (counted from 0) is neither 0 nor 1;",
    ),
    ("hinge", {"truth": [2, 1], "score": [1, 2]}, "truth: 2 in row 0 (counted from 0) is neither 0 nor 1;"),
    (
        "hinge",
        {"truth": [-1, 1, 0], "score": [1, 2, 3]},
        "truth: 0 in row 2 (counted from 0) is neither -1 nor 1;",
    ),
    (
        "cross_entropy",
        {"truth": ["no", "yes"], "score": [1, 2]},
        "truth: values of the type <U3 are not numbers; convert them first.",
    ),
    (
        "cross_entropy",
        {"truth": [None, 1], "score": [1, 2]},
        "truth: values of the type object are not numbers;",
    ),
    (
        "cross_entropy",
        {"truth": [0, 1], "score": [1, 2j]},
        "score: values of the type complex128 are not numbers;",
    ),
    ("cross_entropy", {"truth": [[0], 1], "score": [1, 2]}, "truth: a list that NumPy cannot read ("),
    (
        "cross_entropy",
        {"truth": np.ma.array([0, 1], mask=[0, 1]), "score": [1, 2]},
        "truth: some values are masked;",
    ),
    (
        "cross_entropy",
        {"truth": [[0], [1]], "score": [1, 2]},
        "truth has the shape (2, 1) and score (2,); they must be the same.",
    ),
    (
        "huber",
        {"truth": [1], "predicted": [1, 2]},
        "truth has the shape (1,) and predicted (2,); they must be the same.",
    ),
    ("auc", {"truth": [], "score": []}, "score: there are no cases; at least one is needed."),
    ("squared", {"truth": [], "predicted": []}, "predicted: there are no cases; at least one is needed."),
    (
        "focal",
        {**TWO, "reduction": "men"},
        "reduction: 'men' is not known (did you mean 'mean'?); choose from mean, sum, none.",
    ),
    ("absolute", {**NUMBERS, "reduction": 0}, "reduction: 0 is not known; choose from mean, sum, none."),
    ("focal", {**TWO, "gamma": -1}, "gamma: -1 is not possible; give a number from 0 on."),
    ("focal", {**TWO, "alpha": 1.5}, "alpha: 1.5 is not possible; give a number from 0 to 1."),
    (
        "balanced_cross_entropy",
        {**TWO, "alpha": -0.1},
        "alpha: -0.1 is not possible; give a number from 0 to 1.",
    ),
    (
        "focal",
        {**TWO, "probabilities": True},
        (
            "score: 2 in row 1 (counted from 0) is not a probability; leave out probabilities=True for other"
            " scores."
        ),
    ),
    ("focal", {**TWO, "probabilities": 1}, "probabilities: 1 is neither True nor False."),
    ("auc", {**TWO, "weight": [1]}, "weight has the shape (1,) and the cases (2,); they must be the same."),
    (
        "auc",
        {**TWO, "weight": [1, -2]},
        "weight: -2 in row 1 (counted from 0) cannot be a weight; give finite numbers, none negative.",
    ),
    (
        "squared",
        {**NUMBERS, "weight": [np.nan, 1]},
        "weight: nan in row 0 (counted from 0) cannot be a weight;",
    ),
    (
        "hinge",
        {**TWO, "weight": [0, 0]},
        "weight: every weight is 0, so no case counts; give at least one positive weight.",
    ),
    ("huber", {**NUMBERS, "epsilon": 0}, "epsilon: 0 is not possible; give a number from 1e-100 on."),
    ("triplet", {**THREE, "margin": -1}, "margin: -1 is not possible; give a number from 0 on."),
    ("triplet", {**THREE, "normalise": None}, "normalise: None is neither True nor False."),
    (
        "triplet",
        {**THREE, "anchor": [0, 1]},
        "anchor: the shape (2,) is not possible; give one row per case, (cases, dimensions).",
    ),
    (
        "triplet",
        {**THREE, "negative": [[1, 2, 3]]},
        "negative has the shape (1, 3) and anchor (1, 2); they must be the same.",
    ),
    (
        "triplet",
        {**THREE, "weight": [1, 2]},
        "weight has the shape (2,) and the cases (1,); they must be the same.",
    ),
]


@for_each(("loss", "given", "sentence"), REFUSED, ids=[f"{name}-{text[:30]}" for name, _, text in REFUSED])
def test_what_is_refused(loss, given, sentence):
    with pytest.raises(InputError) as refused:
        getattr(losses, loss)(**given)
    assert str(refused.value).startswith(sentence)


@pytest.mark.full
@each_library
def test_values_are_checked_in_every_library(name):
    of = maker(name)
    with refuses("invalid-value", "row 1", argument="truth"):
        losses.focal(truth=of([1, 3]), score=of([0.5, 0.5]))
    with refuses("invalid-value", "row 0", argument="weight"):
        losses.focal(truth=[1, 0], score=of([0.5, 0.5]), weight=of([-1.0, 1.0]))
    with refuses("invalid-value", "1.5", "row 1", argument="score"):
        losses.focal(truth=[1, 0], score=of([0.5, 1.5]), probabilities=True)


@pytest.mark.full
def test_a_tensor_beside_a_list_of_scores():
    truth = library("torch").ones(2, requires_grad=True)
    with refuses("mismatch", argument="truth"):
        losses.cross_entropy(truth=truth, score=[1, 2])


@pytest.mark.full
def test_shapes_are_checked_while_jax_traces():
    jax = library("jax")
    with refuses("wrong-shape"):
        jax.jit(lambda z: losses.hinge(truth=[0, 1], score=z))(jax.numpy.ones((2, 1)))


def test_the_import_loads_no_array_library_but_numpy():
    code = (
        "import sys, tallymark; tallymark.losses.focal; print(*{'torch', 'jax', 'array_api_compat', 'scipy'}"
        " & set(sys.modules))"
    )
    assert not subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


# The example
# --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def example():
    library("torch")
    return runpy.run_path(str(EXAMPLE))


@pytest.mark.full
def test_the_example_runs(example, capsys):
    found = example["main"](repetitions=2)
    assert [len(differences) for differences in found.values()] == [2, 2]
    said = capsys.readouterr().out
    assert said.count("of 2 repetitions") == 2


@pytest.mark.full
def test_the_example_says_what_the_figures_say(example):
    differences = np.array([0.02, 0.03, 0.025])
    assert example["summary"](differences).startswith(
        "The AUC loss was better than cross-entropy: +0.0250 on average"
    )
    assert example["summary"](-differences).startswith(
        "The AUC loss was worse than cross-entropy: -0.0250 on average"
    )
    assert example["summary"](differences - 0.025).startswith("Which loss is better cannot be told:")
    assert "a higher AUC in 3 of 3 repetitions" in example["summary"](differences)
