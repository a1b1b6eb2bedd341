"""Runs the tests in a temporary environment of other versions.

python tests/versions.py oldest [pytest's arguments]     # the oldest dependencies that pyproject.toml allows
python tests/versions.py 3.13 [pytest's arguments]       # that Python, with the newest dependencies
python tests/versions.py 3.13/3.11 [pytest's arguments]  # the first of these that exists

The oldest: every `>=` of the build, the package, its extras and its tests becomes `==`; there is no second
list. Python 3.13 is `python3.13`, or that of pyenv; where there is none, the script says so, with status 0.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def oldest() -> list[str]:
    """One line `name==version` for each requirement, in the form of pip's constraints."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = declared["project"]
    listed = [
        declared["build-system"]["requires"],
        project["dependencies"],
        *project["optional-dependencies"].values(),
    ]
    needed = [one for some in listed for one in some if not one.startswith(project["name"])]
    parts = [re.fullmatch(r"([\w.-]+)(?:\[[\w,]+\])?>=([\d.]+)(?:,<[\d.]+)?", one) for one in needed]
    without = [requirement for requirement, part in zip(needed, parts, strict=True) if part is None]
    if without:
        raise SystemExit(
            f"versions.py: cannot tell the oldest version of {', '.join(without)}; write name>=version."
        )
    return sorted({f"{part[1]}=={part[2]}" for part in parts if part})


def interpreter(version: str) -> str | None:
    """The path of a Python of this version; None where there is none."""
    installed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for python in (f"python{version}", *map(str, installed)):
        with contextlib.suppress(OSError):
            tried = subprocess.run([python, "-c", "import pip, venv"], check=False, capture_output=True)
            if tried.returncode == 0:
                return python
    return None


def main() -> int:
    """Makes the environment, installs, and runs pytest in it."""
    version, arguments = sys.argv[1], sys.argv[2:]
    base = (
        sys.executable
        if version == "oldest"
        else next(filter(None, map(interpreter, version.split("/"))), None)
    )
    if base is None:
        print(f"skipped: there is no Python {version} on this machine")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        python, constraints = Path(folder) / "venv" / "bin" / "python", Path(folder) / "oldest.txt"
        constraints.write_text("\n".join(oldest() if version == "oldest" else []), encoding="utf-8")
        environment = os.environ | {
            "PIP_CONSTRAINT": str(constraints),
            "PIP_BUILD_CONSTRAINT": str(constraints),
            "TALLYMARK_BUILD": "native",
        }
        subprocess.run([base, "-m", "venv", "--without-pip", str(python.parents[1])], check=True)
        # not where another version of the build's tools left its files
        built_in = f"--config-settings=build-dir={folder}/build"
        pip = [base, "-m", "pip", "--quiet", "--python", str(python), "install", built_in, f"{ROOT}[test]"]
        subprocess.run(pip, check=True, env=environment)
        return subprocess.run(
            [str(python), "-m", "pytest", "-q", *arguments], cwd=ROOT, check=False
        ).returncode


if __name__ == "__main__":
    raise SystemExit(main())
