"""The example that draws losses and conversions: its lines and planes are what they should be."""

import runpy
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")
EXAMPLE = Path(__file__).parent.parent / "examples" / "h6_losses" / "run.py"


@pytest.fixture(scope="module")
def example():
    return runpy.run_path(str(EXAMPLE))


def test_the_lines_are_the_losses(example):
    curves = example["lines"]()
    x, squared, _ = curves["losses"]
    np.testing.assert_allclose(squared, x**2)
    np.testing.assert_allclose(curves["losses"].others["absolute loss"], np.abs(x))
    np.testing.assert_allclose(
        curves["losses"].others["Huber loss"], np.where(np.abs(x) <= 0.5, x**2, np.abs(x) - 0.25), atol=1e-15
    )
    x, hinge, _ = curves["hinge"]
    np.testing.assert_allclose(hinge, np.maximum(0, 1 - x))
    np.testing.assert_array_equal(curves["hinge"].others["0-1 loss"], x < 0)
    np.testing.assert_allclose(curves["sigmoid"].y + curves["sigmoid"].others["class B: probability"], 1)


def test_the_levels_are_the_means_and_the_softmax(example):
    squared, absolute, huber, first, second = example["planes"]().values()
    side = np.linspace(-2, 2, len(squared))
    across, up = np.meshgrid(side, side)
    np.testing.assert_allclose(squared, (across**2 + up**2) / 2)
    np.testing.assert_allclose(absolute, (np.abs(across) + np.abs(up)) / 2)
    assert huber[0, 0] == 1.75  # both differences are -2
    np.testing.assert_allclose(first + second, 1)
    np.testing.assert_allclose(first, second.T)
    assert first[0, -1] > 0.99  # the first score high, the second low
    for offset in (-30, 0, 30):  # the same difference of scores, the same probability
        np.testing.assert_allclose(np.diag(first, offset), np.diag(first, offset)[0])
