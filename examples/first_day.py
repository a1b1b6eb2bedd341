"""A first day: five models by cross-validation, a figure, a table by site, an Excel file and a grid search.

In the project's folder, with the environment of the README:

    python3 -m pip --python .venv install '.[all]' scikit-learn pandas
    .venv/bin/python examples/first_day.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tallymark as tm

MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": RandomForestClassifier(100, random_state=0),
    "boosting": HistGradientBoostingClassifier(max_iter=50, random_state=0),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
    "bayes": GaussianNB(),
}
CV = StratifiedKFold(5, shuffle=True, random_state=0)
SHOWN = ["roc_auc", "average_precision", "f1", "mcc", "brier_score"]


def main(folder: Path) -> None:
    """The day, step by step."""
    X, labels = load_breast_cancer(return_X_y=True, as_frame=True)
    malignant = (labels == 0).to_numpy().astype(int)

    # Each model by cross-validation: values by fold, their mean, and pooled, with intervals
    validated = {name: tm.evaluate_estimator(one, X, malignant, cv=CV) for name, one in MODELS.items()}
    print(validated["logistic"], "\n")

    # The out-of-fold predictions of all models, as columns of a table with their site
    cases = X.assign(
        truth=malignant,
        site=np.random.default_rng(0).choice(["north", "south", "west"], len(X)),
        **{name: one.predictions.answers for name, one in validated.items()},
    )

    # Five models: a row for each, the paired differences, and a figure with five curves and bands. Here the
    # models of the folds count as one; the intervals in `validated` allow for the folds.
    models = tm.evaluate(cases, truth="truth", score={name: name for name in MODELS}, measures=SHOWN)
    print(models, "\n")
    models.plot("roc").save(folder / "roc.png")
    models.save(folder / "models.xlsx")

    # One model by site
    best = models.compared_with
    sites = tm.evaluate(cases, truth="truth", score=best, by="site")
    print(sites, "\n")
    sites.save(folder / "sites.xlsx")

    # A grid search by a measure of the catalogue
    grid = {"logisticregression__C": [0.01, 0.1, 1.0, 10.0]}
    search = GridSearchCV(MODELS["logistic"], grid, scoring=tm.scorer("mcc"), cv=CV)
    search.fit(X, malignant)
    print(f"best by MCC: {search.best_params_}, {search.best_score_:.3f}")


if __name__ == "__main__":
    chosen = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    chosen.mkdir(parents=True, exist_ok=True)
    main(chosen)
