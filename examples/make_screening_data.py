"""Makes the sample data of the package: a screening test, simulated, so that they may be given to anybody.

600 people, a quarter of them ill; `risk` is a model's probability that is a little too sure of itself,
rounded as such values are when they are stored. Run from the project's folder: python
examples/make_screening_data.py
"""

import csv
from pathlib import Path

import numpy as np

PEOPLE, PREVALENCE, SEPARATION, OVERCONFIDENCE = 600, 0.25, 1.6, 1.25
TARGET = Path(__file__).parent.parent / "src" / "tallymark" / "data" / "screening.csv"


def main() -> None:
    rng = np.random.default_rng(2026)
    ill = rng.random(PEOPLE) < PREVALENCE
    marker = rng.normal(SEPARATION * ill)
    # For two normal groups the log odds are linear in the marker; the model exaggerates them.
    log_odds = SEPARATION * marker - SEPARATION**2 / 2 + np.log(PREVALENCE / (1 - PREVALENCE))
    risk = 1 / (1 + np.exp(-OVERCONFIDENCE * log_odds))
    site = rng.choice(["north", "south", "west"], PEOPLE)
    with TARGET.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["person", "site", "disease", "risk"])
        for person in range(PEOPLE):
            rows.writerow(
                [person + 1, site[person], "present" if ill[person] else "absent", f"{risk[person]:.4f}"]
            )


if __name__ == "__main__":
    main()
