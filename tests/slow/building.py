"""Tallymark built and installed in an environment of its own, which borrows the other packages of the one
that runs the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", "native", "src")


def environment(folder: Path) -> Path:
    """The interpreter of a new virtual environment. Paths from a .pth file come last, so what is installed in
    it goes first."""
    home = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    python = home / "bin" / "python"
    where = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
    borrowed = [path for path in sys.path if path.endswith("site-packages")]
    (Path(where) / "borrowed.pth").write_text("\n".join(borrowed) + "\n", encoding="utf-8")
    return python


def sources(folder: Path) -> Path:
    """A copy of what the package is built from."""
    copy = folder / "tallymark"
    copy.mkdir()
    for name in SOURCES:
        here = ROOT / name
        if here.is_dir():
            shutil.copytree(here, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(here, copy / name)
    return copy


def archive(folder: Path, version: str) -> Path:
    """A source distribution, made without the build system."""
    packed = folder / f"tallymark-{version}.tar.gz"
    with tarfile.open(packed, "w:gz") as out:
        out.add(sources(folder), f"tallymark-{version}")
    return packed


def pip(*arguments: str | Path, **env: str) -> subprocess.CompletedProcess:
    """Runs pip of the Python that made this environment."""
    return run(Path(sys.base_prefix) / "bin" / "python3", "-m", "pip", *arguments, **env)


def run(*command: str | Path, **env: str) -> subprocess.CompletedProcess:
    """Runs a command in the root of the sources, with further variables of the environment."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("TALLYMARK_", "CXX"))}
    return subprocess.run(
        [str(part) for part in command],
        env=clean | env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def needed(tool: str) -> str:
    """The tool, or a skip that names it; in CI, which installs all, its absence is a failure."""
    if shutil.which(tool) is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"needs {tool}")
    return tool
