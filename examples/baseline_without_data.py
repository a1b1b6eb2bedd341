"""A gate against the model in use, whose data are no longer at hand: what the release kept of its cases is
compared, case by case, with the new model. Run: python examples/baseline_without_data.py [FOLDER]"""

import csv
import math
import secrets
import sys
from pathlib import Path
from tempfile import mkdtemp

import tallymark as tm

DATA = Path(tm.__file__).parent / "data" / "screening.csv"


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else mkdtemp())
    with DATA.open() as file:
        people = list(csv.DictReader(file))
    new = {name: [person[name] for person in people] for name in ("person", "disease")}
    new["risk"] = [float(person["risk"]) for person in people]

    # On the day of the release: the model in use, which rounds what it is not sure of.
    in_use = [round(math.sqrt(risk) if risk < 0.5 else risk, 1) for risk in new["risk"]]
    old = {**new, "risk": in_use}
    columns = {"truth": "disease", "score": "risk", "positive": "present", "pair_by": "person"}
    key = folder / "release.key"
    key.write_text(secrets.token_hex(32))
    tm.release(old, **columns, key=key).save(folder / "release.tally")
    tm.release(old, **{**columns, "pair_by": None}, coarse=10).save(folder / "counts.tally")

    # Later, without the old data.
    gate = {**columns, "require": "roc_auc >= baseline - 0.01"}
    paired = tm.check(new, **gate, baseline=folder / "release.tally", key=key)
    print(paired)
    counts = tm.check(new, **{**gate, "pair_by": None}, baseline=folder / "counts.tally", paired=False)
    for name, verdict in (("case by case", paired), ("from counts", counts)):
        difference = verdict.findings[0].estimate
        print(f"{name}: {verdict.outcome}, [{difference.low:.4f}, {difference.high:.4f}]")


if __name__ == "__main__":
    main()
