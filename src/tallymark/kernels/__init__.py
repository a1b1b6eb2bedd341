"""The loops that determine the speed, on arrays alone: native kernels if they were built, else NumPy.

`TALLYMARK_KERNELS=numpy` or `=native` forces one kind. `NAME` is the kind in use, `WHY_NOT_NATIVE` the
reason if it is not the native one.
"""

from __future__ import annotations

import os

from ._numpy import DEGREES as DEGREES
from ._numpy import CurveSums as CurveSums
from ._numpy_areas import OwnScores as OwnScores
from ._numpy_resample import CASES_IN_BLOCK as CASES_IN_BLOCK
from .choice import choose
from .normal import inverse_normal_cdf as inverse_normal_cdf
from .normal import normal_cdf as normal_cdf
from .products import BLOCK as BLOCK
from .products import blocks as blocks
from .products import dot as dot
from .products import dot_of_squares as dot_of_squares
from .products import drawn as drawn
from .products import layers as layers
from .products import power_of_two as power_of_two
from .products import sums_of_each as sums_of_each
from .products import taken as taken
from .threads import MANY as MANY
from .threads import STRETCH as STRETCH
from .threads import ahead as ahead
from .threads import at_most as at_most
from .threads import each as each
from .threads import processors as processors
from .threads import stretches as stretches
from .threads import together as together

NAME, _kernels, WHY_NOT_NATIVE = choose(os.environ.get("TALLYMARK_KERNELS", ""), __name__)
tally, rank, merge = _kernels.tally, _kernels.rank, _kernels.merge
sums, total, moments = _kernels.sums, _kernels.total, _kernels.moments
concordance, pairs, given_to_truth = _kernels.concordance, _kernels.pairs, _kernels.given_to_truth
hull, corners, sweep = _kernels.hull, _kernels.corners, _kernels.sweep
draw, draw_poisson = _kernels.draw, _kernels.draw_poisson
json_objects, rows_of_text = _kernels.json_objects, _kernels.rows_of_text
split, Between = _kernels.split, _kernels.Between
areas, inversions = _kernels.areas, _kernels.inversions
powers, polynomials, curve_sums = _kernels.powers, _kernels.polynomials, _kernels.curve_sums
among, weighed, swept = _kernels.among, _kernels.weighed, _kernels.swept
