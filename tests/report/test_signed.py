"""One format of estimates: value and ends with as many digits, more than three where ends would be alike."""

import math
import re

from looping import for_each, in_part

from tallymark import Counts, Estimate, evaluate
from tallymark.input.text import with_digits
from tallymark.report.document import estimate

WRITTEN = {
    "+0.118 [0.076, 0.160]": (0.118, 0.0762, 0.1599),
    "-0.012 [-0.065, 0.041]": (-0.0118, -0.0649, 0.0413),
    "+0.002 [-0.004, 0.012]": (0.0021, -0.0042, 0.0121),
    "+0.98712 [0.98705, 0.98719]": (0.98712, 0.98705, 0.98719),
    "+1234.5 [1234.1, 1234.9]": (1234.5, 1234.1, 1234.9),
    "+1300 [1200, 1500]": (1300.2, 1200.4, 1500.4),
    "-0.00013 [-0.00025, -0.00004]": (-0.00013, -0.00025, -0.00004),
    "+0.000 [0.000, 0.000]": (0.0, 0.0, 0.0),
    "+5.000 [2.000, inf]": (5.0, 2.0, math.inf),
    "-0.00003 [-0.0002, 0.0002]": (-3.001e-05, -0.0002, 0.0002),
    "+0.0000 [-0.0003, 0.0003]": (3e-06, -0.0003, 0.0003),
    "+0.0004 [0.000, 0.012]": (0.0004, 0.0, 0.012),
}


@for_each("text", WRITTEN)
def test_as_it_is_written(text):
    value, low, high = WRITTEN[text]
    assert estimate(Estimate(value, low, high, 0.95, "wald"), sign="+") == text


def test_digits_and_missing_intervals():
    found = Estimate(0.118, 0.0762, 0.1599, 0.95, "wald")
    with with_digits(4):
        assert estimate(found, sign="+") == "+0.1180 [0.0762, 0.1599]"
    assert estimate(Estimate(0.118, level=0.95), sign="+") == "+0.118"


@in_part(3, ("fast", "full"))
@for_each("e", [1, 3, 5, 7, 9, 11])
def test_the_ends_differ_whatever_the_size(e):
    n = 10**e
    found = evaluate(counts=Counts(tp=9 * n, fp=n, fn=n, tn=9 * n))
    for text in (str(found), str(found.all), found.to_markdown(), found.to_html(), estimate(found["mcc"])):
        ends = re.findall(r"\[(-?[\d.]+(?:e-?\d+)?), (-?[\d.]+(?:e-?\d+)?)\]", text)
        assert ends
        assert all(low != high for low, high in ends)
