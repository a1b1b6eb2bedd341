"""The example that draws losses and conversions: every picture is there, well-formed, and shows what it
should."""

import runpy
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

EXAMPLE = Path(__file__).parent.parent / "examples" / "pictures_of_losses.py"
SVG = "{http://www.w3.org/2000/svg}"
LINES = {
    "losses": ["squared loss", "absolute loss", "Huber loss"],
    "hinge": ["hinge loss", "0-1 loss"],
    "sigmoid": ["probability"],
    "sigmoid-2": ["class A", "class B"],
}
LEVELS = ["squared-2", "absolute-2", "huber-2", "softmax"]


@pytest.fixture(scope="module")
def example():
    return runpy.run_path(str(EXAMPLE))


@pytest.fixture(scope="module")
def pictures(example, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    example["main"](str(folder))
    return {path.stem: ElementTree.parse(path).getroot() for path in folder.iterdir()}


def words(picture):
    return [element.text for element in picture.iter(f"{SVG}text")]


def test_every_picture_is_there(pictures):
    assert set(pictures) == {*LINES, *LEVELS}
    assert all(root.tag == f"{SVG}svg" for root in pictures.values())


@pytest.mark.parametrize("name", LINES)
def test_every_line_is_drawn_and_named(pictures, name):
    drawn = [
        path for path in pictures[name].iter(f"{SVG}path") if path.get("class") in ("line", "other", "third")
    ]
    assert len([path for path in drawn if path.get("d").count("L") > 1]) == len(LINES[name])
    assert set(LINES[name]) <= set(words(pictures[name]))


@pytest.mark.parametrize("name", LEVELS)
def test_the_levels_cover_the_picture(example, pictures, name):
    (levels,) = (group for group in pictures[name].iter(f"{SVG}g") if group.get("class") == "levels")
    area = sum(float(cell.get("width")) * float(cell.get("height")) for cell in levels)
    assert area == pytest.approx(example["SIDE"] ** 2, rel=0.01)
    assert 5 < len({cell.get("fill") for cell in levels}) <= 12
    assert len(words(pictures[name])) > 10


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
    np.testing.assert_allclose(curves["sigmoid-2"].y + curves["sigmoid-2"].others["class B"], 1)


def test_the_levels_are_the_means_and_the_softmax(example):
    planes, middles = example["planes"](), example["middles"](2)
    across, up = np.meshgrid(middles, middles)
    np.testing.assert_allclose(planes["squared-2"][3], (across**2 + up**2) / 2)
    np.testing.assert_allclose(planes["absolute-2"][3], (np.abs(across) + np.abs(up)) / 2)
    softmax = planes["softmax"][3]
    np.testing.assert_allclose(softmax + softmax.T, 1)
    assert softmax[0, -1] > 0.99  # the first score high, the second low
