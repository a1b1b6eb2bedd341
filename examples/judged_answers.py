"""The pass rate of two systems, from a language model that judges every answer and people who judged few.

In the project's folder:

    .venv/bin/python examples/judged_answers.py [FOLDER]

It writes answers.csv: 1,000 questions, which both systems answered; people looked at 150 of them.
"""

import csv
import sys
from pathlib import Path

import numpy as np

import tallymark as tm

QUESTIONS, LOOKED_AT = 1_000, 150
RATES = {"old": 0.74, "new": 0.82}


def write(path: Path) -> None:
    """Answers whose quality depends on the question; the judge is right nine times of ten."""
    random = np.random.default_rng(7)
    ease = random.beta(6, 2, QUESTIONS)
    looked_at = random.permutation(QUESTIONS) < LOOKED_AT
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["question", "system", "judge", "person"])
        for system, rate in RATES.items():
            good = random.random(QUESTIONS) < ease + rate - ease.mean()
            judged = np.where(random.random(QUESTIONS) < 0.9, good, ~good)
            for question in range(QUESTIONS):
                words = ["pass" if one[question] else "fail" for one in (judged, good)]
                rows.writerow([question, system, words[0], words[1] if looked_at[question] else ""])


def main(folder: Path) -> None:
    path = folder / "answers.csv"
    write(path)
    columns = {"truth": "person", "judge": "judge", "positive": "pass"}
    print(tm.with_judge(path, **columns, where="system = 'new'"), end="\n\n")
    print(tm.with_judge(path, **columns, by="system", clusters="question", reference="old"))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
