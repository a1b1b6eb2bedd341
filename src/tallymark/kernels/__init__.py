"""The few loops that decide the speed: native where they were built, NumPy otherwise. They know arrays and
nothing else.

`TALLYMARK_KERNELS=numpy` or `=native` forces one; `NAME` says which runs, `WHY_NOT_NATIVE` why not the native
ones.
"""

from __future__ import annotations

import os

from ._numpy_resample import CASES_IN_BLOCK as CASES_IN_BLOCK
from .choice import choose
from .products import dot as dot
from .products import drawn as drawn
from .products import layers as layers

NAME, _kernels, WHY_NOT_NATIVE = choose(os.environ.get("TALLYMARK_KERNELS", ""), __name__)
tally, rank, merge = _kernels.tally, _kernels.rank, _kernels.merge
sums, total, moments = _kernels.sums, _kernels.total, _kernels.moments
concordance, given_to_truth, hull = _kernels.concordance, _kernels.given_to_truth, _kernels.hull
draw, draw_poisson = _kernels.draw, _kernels.draw_poisson
json_objects = _kernels.json_objects
among, weighed, swept = _kernels.among, _kernels.weighed, _kernels.swept
