"""Losses without checks of values: compiled without a break by PyTorch and JAX, with equal values and
gradients."""

import inspect

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses
from test_losses import double, library

from tallymark import losses

CASES = 24
RANDOM = np.random.default_rng(3)
TRUTH, SCORE, NUMBER = np.arange(CASES) % 3 == 0, RANDOM.normal(size=CASES), RANDOM.normal(size=CASES)
WEIGHT, POINTS = RANDOM.uniform(0.1, 3, CASES), RANDOM.normal(size=(3, CASES, 5))
LOSSES = {
    "hinge": lambda x, z, **k: losses.hinge(truth=x(2.0 * TRUTH - 1), score=z, **k),
    "cross_entropy": lambda x, z, **k: losses.cross_entropy(truth=x(TRUTH), score=z, weight=x(WEIGHT), **k),
    "probabilities": lambda x, z, **k: losses.cross_entropy(
        truth=x(TRUTH), score=1 / (1 + 2**-z), probabilities=True, **k
    ),
    "balanced_cross_entropy": lambda x, z, **k: losses.balanced_cross_entropy(truth=x(TRUTH), score=z, **k),
    "focal": lambda x, z, **k: losses.focal(truth=x(TRUTH), score=z, weight=x(WEIGHT), alpha=0.3, **k),
    "auc": lambda x, z, **k: losses.auc(truth=x(TRUTH), score=z, weight=x(WEIGHT), **k),
    "squared": lambda x, z, **k: losses.squared(truth=x(NUMBER), predicted=z, weight=x(WEIGHT), **k),
    "absolute": lambda x, z, **k: losses.absolute(truth=x(NUMBER), predicted=z, **k),
    "huber": lambda x, z, **k: losses.huber(truth=x(NUMBER), predicted=z, weight=x(WEIGHT), epsilon=0.5, **k),
    "triplet": lambda x, z, **k: losses.triplet(
        anchor=x(POINTS[0]) * z[:, None], positive=x(POINTS[1]), negative=x(POINTS[2]), weight=x(WEIGHT), **k
    ),
}


def test_every_loss_has_the_switch():
    assert {name for name in losses.__all__ if name in LOSSES} == set(losses.__all__)
    for name in losses.__all__:
        function = getattr(losses, name)
        assert inspect.signature(function).parameters["check"].default is True
        assert "\ncheck : bool, default True\n" in inspect.getdoc(function)


@in_part(10)
@pytest.mark.filterwarnings("ignore:Dynamo detected a call to a `functools.lru_cache`")
@for_each("loss", list(LOSSES.values()), ids=list(LOSSES))
@for_each("backend", ["eager", "aot_eager"])
def test_torch_compiles_every_loss_without_a_break(loss, backend):
    torch = library("torch")
    torch._dynamo.reset()
    point, other = (torch.tensor(SCORE, requires_grad=True) for _ in range(2))
    compiled = torch.compile(
        lambda z: loss(torch.as_tensor, z, check=False), fullgraph=True, backend=backend
    )(point)
    plain = loss(torch.as_tensor, other)
    assert torch.equal(compiled, plain)
    compiled.backward()
    plain.backward()
    assert torch.equal(point.grad, other.grad)


@in_part(3)
@for_each("loss", list(LOSSES.values()), ids=list(LOSSES))
def test_jax_compiles_every_loss_without_checks(loss):
    jax = library("jax")
    with double("jax"):
        both = jax.value_and_grad(lambda z: loss(jax.numpy.asarray, z, check=False))
        value, slope = jax.jit(both)(jax.numpy.asarray(SCORE))
        plain, usual = jax.value_and_grad(lambda z: loss(jax.numpy.asarray, z))(jax.numpy.asarray(SCORE))
        assert abs(float(value) - float(plain)) < 1e-13
        assert np.abs(np.asarray(slope) - np.asarray(usual)).max() < 1e-13


@for_each("loss", list(LOSSES.values()), ids=list(LOSSES))
def test_without_checks_no_value_is_looked_at(loss):
    expected = loss(np.asarray, SCORE)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(losses, "_holds", lambda condition: pytest.fail("a value was looked at"))
        assert loss(np.asarray, SCORE, check=False) == expected


def test_what_does_not_depend_on_values_is_checked_all_the_same():
    with refuses("wrong-shape"):
        losses.focal(truth=[0, 1], score=[0.2, 1.0, 3.0], check=False)
    with refuses("invalid-value", argument="check"):
        losses.focal(truth=[0, 1], score=[0.2, 1.0], check=1)
    assert losses.focal(truth=[0, 5], score=[0.2, 1.0], check=False) > 0
    with refuses("invalid-value", "row 1", argument="truth"):
        losses.focal(truth=[0, 5], score=[0.2, 1.0])
