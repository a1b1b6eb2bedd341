"""One format of differences: three decimals, two in the bounds, and more where these would hide something."""

from looping import for_each

from tallymark import Estimate
from tallymark.report.parts import signed

WRITTEN = {
    "+0.118 [0.08, 0.16]": (0.118, 0.0762, 0.1599),
    "-0.012 [-0.06, 0.04]": (-0.0118, -0.0649, 0.0413),
    "+0.002 [-0.004, 0.012]": (0.0021, -0.0042, 0.0121),  # not -0.0042 next to 0.01
    "-0.00013 [-0.00025, -0.00004]": (-0.00013, -0.00025, -0.00004),
    "+0.000 [0.00, 0.00]": (0.0, 0.0, 0.0),
}


@for_each("text", WRITTEN)
def test_as_it_is_written(text):
    value, low, high = WRITTEN[text]
    assert signed(Estimate(value, low, high, 0.95, "wald")) == text


def test_marks_digits_and_missing_intervals():
    found = Estimate(0.118, 0.0762, 0.1599, 0.95, "wald")
    assert signed(found, True) == "+0.118 [0.08, 0.16]!"
    assert signed(found, digits=4) == "+0.1180 [0.076, 0.160]"
    assert signed(Estimate(0.118, level=0.95)) == "+0.118"
