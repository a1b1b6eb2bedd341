"""Scores in Dask: the workers count, by one GROUP BY, and the client fetches at most 65,536 rows.

In the project's folder:

    python3 -m pip --python .venv install '.[dask]'
    .venv/bin/python examples/dask_job.py [tcp://HOST:8786]

The workers need no Tallymark. Without an address, two start on this machine.
"""

import sys

import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client

import tallymark as tm


def scored(part: int, rows: int = 50_000) -> pd.DataFrame:
    """Risks, outcomes and sites of one partition; of a real job: dd.read_parquet(...)."""
    rng = np.random.default_rng(part)
    risk = rng.random(rows)
    site = "north" if part % 3 == 0 else "south"
    return pd.DataFrame({"risk": risk, "outcome": rng.random(rows) < risk, "site": site})


def main(*address: str) -> None:
    with Client(*address, **({} if address else {"n_workers": 2, "threads_per_worker": 1})):
        cases = dd.from_map(scored, range(4))
        print(tm.evaluate(cases, truth="outcome", score="risk"), "\n")
        print(tm.evaluate(cases, truth="outcome", score="risk", by="site"))


if __name__ == "__main__":
    main(*sys.argv[1:2])
