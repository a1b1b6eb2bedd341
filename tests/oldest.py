"""Runs the tests on the oldest versions that pyproject.toml allows: `python tests/oldest.py [pytest's
arguments]`.

Every `>=` of the build, the package, its extras and its tests becomes `==`; there is no second list. The
environment is a temporary one; without network it cannot be made, and the script says so.
"""

from __future__ import annotations

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
    needed = sorted(
        {
            requirement
            for some in listed
            for requirement in some
            if not requirement.startswith(project["name"])
        }
    )
    without = [requirement for requirement in needed if not re.fullmatch(r"[\w.-]+>=[\d.]+", requirement)]
    if without:
        raise SystemExit(
            f"oldest.py: cannot tell the oldest version of {', '.join(without)}; declare it as name>=version."
        )
    return [requirement.replace(">=", "==") for requirement in needed]


def main() -> int:
    """Makes the environment, installs, and runs pytest in it."""
    with tempfile.TemporaryDirectory() as folder:
        home, constraints = Path(folder) / "venv", Path(folder) / "oldest.txt"
        constraints.write_text("\n".join(oldest()) + "\n", encoding="utf-8")
        python = home / "bin" / "python"
        held = {
            "PIP_CONSTRAINT": str(constraints),
            "PIP_BUILD_CONSTRAINT": str(constraints),
            "TALLYMARK_BUILD": "native",
        }
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
        pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(python), "install"]
        # not where another version of the build's tools left its files
        built_in = f"--config-settings=build-dir={folder}/build"
        subprocess.run([*pip, built_in, f"{ROOT}[test]"], check=True, env=os.environ | held)
        return subprocess.run(
            [str(python), "-m", "pytest", "-q", *sys.argv[1:]], cwd=ROOT, check=False
        ).returncode


if __name__ == "__main__":
    raise SystemExit(main())
