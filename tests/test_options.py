"""The types of options name the values that are accepted, no more and no fewer."""

from typing import get_args

import pytest

from tallymark.curves import TIES
from tallymark.curves.bands import KINDS
from tallymark.evaluation.calibration import CURVES
from tallymark.inference.bootstrap import intervals
from tallymark.inference.intervals import area, proportion
from tallymark.inference.replicates import DESIGNS, RESAMPLINGS
from tallymark.input import options
from tallymark.input.spec import SCORE_KINDS

ACCEPTED = {
    "ScoreKind": SCORE_KINDS,
    "Design": DESIGNS,
    "Proportion": proportion.METHODS,
    "AucInterval": area.METHODS,
    "CaseResampling": RESAMPLINGS,
    "BootstrapMethod": intervals.METHODS,
    "Ties": TIES,
    "Band": KINDS,
    "Reliability": CURVES,
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_type_names_the_values_that_are_accepted(name):
    assert set(get_args(getattr(options, name))) == set(ACCEPTED[name])
