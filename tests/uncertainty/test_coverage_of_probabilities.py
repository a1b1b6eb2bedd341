"""Coverage of what asks whether probabilities are true, where they are, and where they are far off. More in
docs/coverage.py."""

import numpy as np
import pytest
from looping import for_each
from strategies import measures_of, name

from tallymark import RankingTable, estimate

pytestmark = pytest.mark.full

RUNS, LEAST, MANY = 200, 0.9, 1e6  # 0.9 is three standard errors below 0.95
OF_PROBABILITIES = [  # deviations of a smooth curve have no interval, with the reason
    entry
    for entry in measures_of(RankingTable)
    if entry.needs_probabilities and entry.interval.kind != "smooth-deviations"
]
# Two probabilities, as often the one as the other, and how often positives occur with each; cases.
SETTINGS = {
    "true": ((0.2, 0.7), (0.2, 0.7), 200),
    "over-confident": ((0.01, 0.99), (0.3, 0.7), 200),
    "too low": ((0.05, 0.15), (0.2, 0.4), 500),
}


def share_held(entry, true, tables):
    found = [estimate(entry, table) for table in tables]
    held = [one.low - 1e-9 <= true <= one.high + 1e-9 for one in found if one.has_interval]
    assert len(held) > 0.9 * RUNS
    return np.mean(held)


@pytest.mark.slow
@for_each("entry", OF_PROBABILITIES, ids=name)
@for_each("setting", SETTINGS.values(), ids=SETTINGS)
def test_coverage_of_two_probabilities(entry, setting):
    given, rates, cases = (np.array(part) for part in setting)
    plain = {"debiased_ece": "expected_calibration_error", "debiased_rmsce": "rms_calibration_error"}.get(
        entry.name, entry.name
    )
    measured = next(one for one in OF_PROBABILITIES if one.name == plain)
    true = measured(RankingTable(given[::-1], (MANY * rates)[::-1], (MANY * (1 - rates))[::-1]))
    random = np.random.default_rng(17)
    which = random.integers(0, 2, (RUNS, cases))
    drawn = (
        RankingTable.from_arrays(truth=random.random(cases) < rates[row], score=given[row]) for row in which
    )
    assert share_held(entry, true, drawn) >= LEAST


@pytest.mark.slow
@pytest.mark.parametrize(
    "measure", ["brier_miscalibration", "log_loss_miscalibration", "expected_calibration_error"]
)
def test_coverage_of_true_probabilities_with_fractional_weights(measure):
    """As an evaluation has them: weights that add up to the effective number of cases."""
    random = np.random.default_rng(18)

    def drawn():
        p, weight = random.random(300), random.lognormal(0, 1, 300)
        weight *= weight.sum() / (weight @ weight)
        return RankingTable.from_arrays(truth=random.random(300) < p, score=p, weight=weight)

    entry = next(one for one in OF_PROBABILITIES if one.name == measure)
    assert share_held(entry, 0.0, (drawn() for _ in range(RUNS))) >= LEAST


@pytest.mark.parametrize("name", ["brier_miscalibration", "log_loss_miscalibration"])
def test_calibrated_probabilities_have_a_lower_bound_above_0_in_few_samples(name):
    """It was above 0 in 4.7 and 6.2 % of samples of 300 cases."""
    random, above = np.random.default_rng(21), 0
    for _ in range(RUNS):
        p = 1 / (1 + np.exp(0.5 - 1.2 * random.normal(size=100)))
        table = RankingTable.from_arrays(truth=random.random(100) < p, score=p)
        above += estimate(name, table).low > 0
    assert above <= 0.025 * RUNS + 3 * (0.025 * RUNS) ** 0.5
