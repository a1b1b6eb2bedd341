"""The experiments of the source documents run, give the printed numbers or the correct ones, and draw their
figures."""

import ast
import json
import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

import tallymark as tm

ROOT = Path(__file__).parents[1]
for place in ("docs", "examples"):
    sys.path.insert(0, str(ROOT / place))
import experiments as page  # noqa: E402

NAMES = page.names()
NUMBER = r"-?\d+(?:\.\d+)?"

pytestmark = pytest.mark.full


@pytest.fixture(scope="module", params=NAMES)
def experiment(request, tmp_path_factory):
    """What one run of the command computes, prints and saves."""
    for library in ("sklearn", "matplotlib"):
        pytest.importorskip(library)
    import side_by_side
    from matplotlib import pyplot as plt

    given, folder = [], tmp_path_factory.mktemp(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(side_by_side, "show", lambda *what: given.append(what))
        run = runpy.run_path(str(ROOT / "examples" / request.param / "run.py"))
        run["main"](folder)
    ((numbers, figures, place),) = given
    assert Path(place) == folder
    yield request.param, run, numbers, figures
    plt.close("all")  # it warns of more than twenty


def test_there_are_experiments():
    assert NAMES


def test_numbers(experiment):
    import side_by_side

    _, _, numbers, _ = experiment
    assert numbers
    wrong = {name: row for name, row in numbers.items() if not side_by_side.is_right(*row)}
    assert wrong == {}


def test_a_wrong_number_is_noticed():
    pytest.importorskip("matplotlib")
    from side_by_side import is_right

    assert is_right(0.4, 0.5, 0, 0.4)
    assert is_right(0.4, None, 0, 0.4)
    assert not is_right(0.4, 0.41, 0.005)
    assert not is_right(0.4, 0.41, 0.02, 0.4)  # not a misprint to this tolerance
    assert not is_right(0.42, 0.5, 0.01, 0.4)
    assert not is_right([0.4, 0.5], [0.4], 0.01)


def test_every_figure_has_its_sentence_and_its_data(experiment):
    _, run, _, figures = experiment
    assert figures.keys() == run["SAYS"].keys()
    assert all(said.endswith(".") for said in run["SAYS"].values())
    assert [name for name, figure in figures.items() if not figure.axes] == []
    assert [name for name, figure in figures.items() if not all(map(is_drawn, figure.axes))] == []


def is_drawn(axes):
    lines = [np.asarray(line.get_xydata(), float) for line in axes.lines]
    shapes = [*axes.collections, *axes.patches, *axes.images, *axes.tables, *axes.texts]
    return bool(lines or shapes) and all(np.isfinite(line).all(axis=1).any() for line in lines)


def test_the_committed_figures_have_these_data_and_looks(experiment):
    """Not compared by pixels, which differ between versions of matplotlib."""
    import side_by_side

    name, _, _, figures = experiment
    stored = json.loads((page.FOLDER / name / page.DRAWN).read_text(encoding="utf-8"))
    fresh = [[one, *row] for one, figure in figures.items() for row in side_by_side.drawn(figure)]
    assert [of_a_kind(row) for row in stored] == [of_a_kind(row) for row in fresh]
    for one, other in zip(stored, fresh, strict=True):
        one, other = numbers_of(one), numbers_of(other)
        np.testing.assert_allclose(other, one, rtol=0.01, atol=0.01 * np.abs(one).max(initial=0))


def of_a_kind(row):
    """The figure, the kind, and the look or the texts without their numbers."""
    return [re.sub(NUMBER, "#", one) if row[1] == "texts" else one for one in row if isinstance(one, str)]


def numbers_of(row):
    texts = [one for one in row if isinstance(one, str)] if row[1] == "texts" else []
    return [float(one) for text in texts for one in re.findall(NUMBER, text)] + [
        one for one in row if not isinstance(one, str)
    ]


def test_a_figure_with_another_look_or_other_data_is_noticed():
    pytest.importorskip("matplotlib")
    import side_by_side
    from matplotlib.figure import Figure

    def rows(heights, style):
        figure = Figure()
        figure.subplots().plot(range(3), heights, style, label="AUC 0.5")
        return [["figure", *row] for row in side_by_side.drawn(figure)]

    one = rows([1, 2, 3], "-")
    assert one == rows([1, 2, 3], "-")
    assert [of_a_kind(row) for row in one] != [of_a_kind(row) for row in rows([1, 2, 3], "--")]
    assert [numbers_of(row) for row in one] != [numbers_of(row) for row in rows([1, 2, 4], "-")]


def test_no_two_lines_of_one_picture_look_alike(experiment):
    import side_by_side

    _, _, _, figures = experiment
    for name, figure in figures.items():
        for ax in figure.axes:
            named = [line for line in ax.lines if not line.get_label().startswith("_")]
            looks = [side_by_side.look_and_points(line)[0] for line in named]
            assert len(looks) == len({*looks}), (name, looks)


def test_what_is_printed_and_saved(experiment, tmp_path, capsys):
    import side_by_side

    _, _, numbers, figures = experiment
    side_by_side.show(numbers, figures, tmp_path)
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert all(name.split()[0] in out for name in (*numbers, *figures))
    sizes = {path.stem: path.stat().st_size for path in tmp_path.glob("*.png")}
    assert sizes.keys() == figures.keys()
    assert {name: size for name, size in sizes.items() if size > 40_000} == {}


def test_the_page_has_these_numbers(experiment):
    import side_by_side

    name, _, numbers, _ = experiment
    stored = json.loads((page.FOLDER / name / page.NUMBERS).read_text(encoding="utf-8"))
    fresh = side_by_side.rows(numbers)
    assert [(row[0], *row[2:]) for row in stored] == [(row[0], *row[2:]) for row in fresh]
    for row, (_, printed, tolerance, *correct) in zip(stored, numbers.values(), strict=True):
        wanted = np.ravel(correct[0] if correct else printed).astype(float)
        found = np.array(row[1].split(), float)
        # stored to at least four digits
        np.testing.assert_allclose(found, wanted, rtol=5e-4, atol=tolerance, err_msg=row[0])


@pytest.mark.parametrize("name", NAMES)
def test_a_script_that_uses_the_public_interface(name):
    text = (ROOT / "examples" / name / "run.py").read_text(encoding="utf-8")
    assert not_public(text) == []


def not_public(text):
    nodes = list(ast.walk(ast.parse(text)))
    modules = [one.name for node in nodes if isinstance(node, ast.Import) for one in node.names]
    modules += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    return [
        *(module for module in modules if module.startswith("tallymark.")),
        *(node.attr for node in attributes if node.attr.startswith("_")),
        *(
            node.attr
            for node in attributes
            if isinstance(node.value, ast.Name) and node.value.id == "tm" and node.attr not in tm.__all__
        ),
    ]


def test_private_names_are_noticed():
    assert not_public("import tallymark as tm\ntm.evaluate()") == []
    for text in ("import tallymark.curves", "from tallymark.curves import Curve", "tm.curves", "ev._facts"):
        assert not_public(text)
