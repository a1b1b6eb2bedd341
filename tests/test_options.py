"""The types of options name the values that are accepted, no more and no fewer."""

from typing import get_args

import pytest

from tallymark.curves import KINDS, TIES
from tallymark.evaluation.calibration import CURVES
from tallymark.inference import interval, replicates
from tallymark.inference.replicates import DESIGNS, RESAMPLINGS
from tallymark.input import arguments
from tallymark.input.spec import SCORE_KINDS

ACCEPTED = {
    "ScoreKind": SCORE_KINDS,
    "Design": DESIGNS,
    "Proportion": interval.METHODS,
    "AucInterval": interval.AREA_METHODS,
    "CaseResampling": RESAMPLINGS,
    "BootstrapMethod": replicates.METHODS,
    "Ties": TIES,
    "Band": KINDS,
    "Reliability": CURVES,
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_type_names_the_values_that_are_accepted(name):
    assert set(get_args(getattr(arguments, name))) == set(ACCEPTED[name])
