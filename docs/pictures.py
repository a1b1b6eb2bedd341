"""The page of small copies of pages: of each kind of result a page as it is written, seen in a browser.

python docs/pictures.py [NAME ...]   # takes the pictures anew, with chromium on the path
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tallymark as tm

HERE = Path(__file__).parent
FOLDER = HERE / "pages"
SIZE, SCALE, QUALITY = (1300, 1500), 0.3, 50
HEAD = """# Pages

Made by `python docs/make.py`; `python docs/pictures.py` takes the pictures, small copies of the upper part of
each page at 1,300 pixels. Every result has `save("page.html")`, and `report()` in a notebook; every command
that makes one has `--report page.html`. A page is one file that loads nothing; it follows the light or dark
colours of its reader, fits a phone, and prints. One model, fold or class at a time is chosen by radio
buttons, without a script; on the page of two classes a threshold moves. [privacy.md](privacy.md) says what a
page reveals, [page.schema.json](page.schema.json) what the script of a page reads.
"""


def two_classes(cases: int, share: float = 0.3, seed: int = 1) -> dict[str, np.ndarray]:
    """Outcomes and calibrated probabilities."""
    random = np.random.default_rng(seed)
    ill = random.random(cases) < share
    odds = share / (1 - share) * np.exp(1.6 * (random.normal(size=cases) + 1.6 * ill) - 1.28)
    return {"truth": ill, "score": odds / (1 + odds)}


def classes(number: int, each: int = 60) -> Any:
    """Of many classes, the later the harder."""
    random = np.random.default_rng(2)
    truth = random.integers(0, number, each * number)
    logit = random.normal(size=(len(truth), number))
    logit[np.arange(len(truth)), truth] += np.linspace(4, 1.5, number)[truth]
    shares = np.exp(logit)
    names = np.array([f"class {i + 1:0{len(str(number))}}" for i in range(number)])
    return tm.evaluate(truth=names[truth], score=shares / shares.sum(1, keepdims=True), classes=[*names])


def groups(number: int) -> Any:
    """Of groups of different sizes, one of which is worse."""
    data, random = two_classes(100 * number), np.random.default_rng(3)
    site = random.choice(number, 100 * number, p=np.arange(1, number + 1) * 2 / number / (number + 1))
    score = np.where(site == 4, random.random(len(site)), data["score"])
    return tm.evaluate(truth=data["truth"], score=score, by={"site": np.char.mod("site %03d", site)})


def models() -> dict[str, Any]:
    """Five models of the same cases, the later the better."""
    random = np.random.default_rng(4)
    ill = random.random(800) < 0.3
    names = ("naive Bayes", "tree", "logistic regression", "forest", "boosting")
    odds = {
        name: np.exp((1 + i / 4) * (random.normal(size=800) + (1 + i / 4) * (ill - 0.7)))
        for i, name in enumerate(names)
    }
    return {"truth": ill, "score": {name: one / (1 + one) for name, one in odds.items()}}


def breast_cancer() -> Any:
    """Logistic regression on the data of scikit-learn."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x, benign = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    score = cross_val_predict(model, x, 1 - benign, cv=5, method="predict_proba")[:, 1]
    truth = np.where(benign, "benign", "malignant")
    return tm.evaluate(truth=truth, score=score, positive="malignant", name="breast cancer")


def comparison() -> Any:
    """Two of the five models."""
    data = models()
    return tm.compare(
        truth=data["truth"], score={one: data["score"][one] for one in ("logistic regression", "boosting")}
    )


def amounts() -> Any:
    """Amounts, and predictions that are the less exact the larger these are."""
    random = np.random.default_rng(5)
    size = random.gamma(2, 10, 800)
    return tm.evaluate(truth=size, predicted=size * random.lognormal(0, 0.2, 800), regression=True)


def biometrics() -> Any:
    """Similarities of mated and other comparisons."""
    random = np.random.default_rng(6)
    mated = random.random(4000) < 0.2
    return tm.biometric(truth=mated, score=random.normal(size=4000) + 3 * mated, threshold=1.5)


def labels() -> Any:
    """Predicted labels alone."""
    data = two_classes(400)
    return tm.evaluate(truth=data["truth"], predicted=data["score"] > 0.4)


def several_labels() -> Any:
    """Several labels per case."""
    random = np.random.default_rng(7)
    truth = random.random((300, 6)) < [0.5, 0.4, 0.3, 0.2, 0.2, 0.1]
    wrong = random.random((300, 6)) < 0.1
    names = ["art", "law", "music", "sport", "travel", "weather"]
    return tm.evaluate(tm.IndicatorTable.from_arrays(truth=truth, predicted=truth ^ wrong, labels=names))


def folds() -> Any:
    """A model in cross-validation."""
    return tm.evaluate(**two_classes(1000), fold=np.arange(1000) % 5)


def perfect() -> Any:
    """Classes that the scores separate."""
    truth = np.arange(60) % 2
    score = np.random.default_rng(8).random(60) * 0.4 + 0.55 * truth
    return tm.evaluate(truth=truth, score=score)


TEN = {"truth": [0, 1, 0, 1, 1, 0, 0, 1, 0, 1], "score": [0.1, 0.9, 0.4, 0.35, 0.8, 0.2, 0.6, 0.7, 0.05, 0.5]}
LIMITS = ["roc_auc.low >= 0.8", "sensitivity >= 0.6", "specificity >= 0.95"]
KINDS: dict[str, tuple[str, Callable[[], Any]]] = {
    "two_classes": ("Two classes: breast cancer", breast_cancer),
    "ten_cases": ("Ten cases", lambda: tm.evaluate(**TEN)),
    "million": ("10^6 rows", lambda: tm.evaluate(**two_classes(10**6, 0.08))),
    "perfect": ("Perfect separation", perfect),
    "one_class": (
        "One class",
        lambda: tm.evaluate(truth=np.zeros(50, int), score=TEN["score"] * 5, classes=[0, 1]),
    ),
    "labels": ("Predicted labels alone", labels),
    "models": ("Five models", lambda: tm.evaluate(**models())),
    "comparison": ("A comparison", comparison),
    "classes_10": ("Ten classes", lambda: classes(10)),
    "classes_50": ("Fifty classes", lambda: classes(50)),
    "classes_200": ("200 classes", lambda: classes(200, 40)),
    "several_labels": ("Several labels per case", several_labels),
    "groups_12": ("Twelve groups", lambda: groups(12)),
    "groups_300": ("300 groups", lambda: groups(300)),
    "folds": ("Folds of a cross-validation", folds),
    "threshold": (
        "A threshold chosen by costs",
        lambda: tm.choose_threshold(**two_classes(500), rule="cost", cost_fp=1, cost_fn=5),
    ),
    "calibration": ("Calibration", lambda: tm.calibration(**two_classes(900))),
    "bootstrap": ("A bootstrap", lambda: tm.bootstrap(**two_classes(500))),
    "gate": ("A release gate", lambda: tm.check(**two_classes(500), require=LIMITS)),
    "amounts": ("Amounts", amounts),
    "biometrics": ("Biometric comparisons", biometrics),
    "advice": ("Which measures to report", lambda: tm.advise(**two_classes(500))),
}


def page() -> str:
    """Each kind with its picture. One without is an error."""
    there = {path.stem for path in FOLDER.glob("*.webp")}
    assert there == KINDS.keys(), f"run: python docs/pictures.py ({sorted(there ^ KINDS.keys())})"
    parts = [f"## {title}\n\n![{title}](pages/{name}.webp)\n" for name, (title, _) in KINDS.items()]
    return "\n".join([HEAD, *parts])


def taken(html: str, path: Path) -> None:
    """Takes the picture of a page."""
    from PIL import Image

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder:
        source, large = Path(folder, "page.html"), Path(folder, "page.png")
        source.write_text(html, encoding="utf-8")
        options = (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={folder}/x",
        )
        size = f"--window-size={SIZE[0]},{SIZE[1]}"
        command = [browser, *options, size, f"--screenshot={large}", source.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        with Image.open(large) as seen:
            small = seen.convert("RGB").resize([round(SCALE * one) for one in SIZE], Image.Resampling.LANCZOS)
            small.save(path, quality=QUALITY, method=6)


def main() -> int:
    """Takes the pictures of the kinds that are named, or of all."""
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or KINDS:
        taken(KINDS[name][1]().to_html(), FOLDER / f"{name}.webp")
    return 0


if __name__ == "__main__":
    sys.exit(main())
