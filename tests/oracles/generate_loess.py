"""Recompute loess.json: fitted values of local quadratic regression, by the Fortran code that R's loess uses.

pip install scikit-misc
python generate_loess.py
"""

import json
from pathlib import Path

import numpy as np
from skmisc.loess import loess

RANDOM = np.random.default_rng(7)


def one(n):
    """Distinct probabilities, a multiple of four, and classes of a miscalibrated model."""
    p = np.unique(np.round(1 / (1 + np.exp(-RANDOM.normal(size=n))), 4))
    y = (RANDOM.random(len(p)) < p**1.5).astype(float)
    kept = np.sort(RANDOM.permutation(len(p))[: len(p) // 4 * 4])
    p, y = p[kept], y[kept]
    fit = loess(p, y, span=0.75, degree=2, surface="direct")
    fit.fit()
    fitted = np.clip(np.asarray(fit.outputs.fitted_values), 0, 1)
    ici = float(np.abs(fitted - p).mean())
    return {"score": p.tolist(), "truth": y.astype(int).tolist(), "fitted": fitted.tolist(), "ici": ici}


if __name__ == "__main__":
    path = Path(__file__).parent / "loess.json"
    path.write_text(json.dumps([one(n) for n in (40, 80, 200)]) + "\n", encoding="utf-8")
