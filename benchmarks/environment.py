"""The environment of the benchmark: a virtual environment with this package and the tools next to it."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACE = ROOT / "build" / "bench"
PYTHON = PLACE / "venv" / "bin" / "python"
PEERS = ["scikit-learn", "rapidstats", "polars-ds", "torchmetrics", "pycm", "confidenceinterval"]
ALONE = ["confidenceinterval"]  # the setuptools that it demands are older than those that PyTorch demands
BESIDE = ["torch==2.13.0", "statsmodels", "duckdb>=1.4.1", "polars", "pandas", "pyarrow"]


def prepare() -> None:
    """Makes the environment; installs the package again where what is compiled has changed."""
    stamp, wanted = PLACE / "stamp", _sources()
    if not (PYTHON.exists() and stamp.exists() and stamp.read_text() == wanted):
        _make()
        stamp.write_text(wanted)
    subprocess.run([PYTHON, "-m", "compileall", "-q", ROOT / "src" / "tallymark"], check=True)


def _make() -> None:
    print("making the environment in", PLACE / "venv", flush=True)
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", PLACE / "venv"], check=True)
    _pip(*(peer for peer in PEERS if peer not in ALONE), *BESIDE)
    _pip("--no-deps", *ALONE)
    _pip("--editable", f"{ROOT}[files,cli]", TALLYMARK_BUILD="native")


def _pip(*packages: str, **settings: str) -> None:
    command = [sys.executable, "-m", "pip", "--python", PYTHON, "install", "--quiet", *packages]
    subprocess.run(command, check=True, env=os.environ | settings)


def _sources() -> str:
    files = [ROOT / "pyproject.toml", ROOT / "CMakeLists.txt", *sorted((ROOT / "native").glob("*"))]
    content = b"".join(file.read_bytes() for file in files) + " ".join(PEERS + BESIDE).encode()
    return hashlib.sha256(content).hexdigest()


def described() -> dict[str, object]:
    """The machine and the versions, for the stored table."""
    code = (
        "import json, platform\nfrom importlib.metadata import version\n"
        f"print(json.dumps({{name: version(name) for name in {['tallymark', 'numpy', *PEERS]!r}}}))"
    )
    found = subprocess.run([PYTHON, "-c", code], check=True, capture_output=True, text=True)
    return {
        "processor": _processor(),
        "processors": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "versions": json.loads(found.stdout),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "")


def commit() -> str:
    """The commit of the sources, with a + where they were changed since."""
    git = ["git", "-C", str(ROOT)]
    head = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    changed = subprocess.run([*git, "status", "--porcelain", "src", "native"], capture_output=True, text=True)
    return head.stdout.strip() + ("+" if changed.stdout.strip() else "")
