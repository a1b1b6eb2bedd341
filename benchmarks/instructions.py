"""Instructions of the native kernels on fixed data, by callgrind, next to those in instructions.json.

python benchmarks/instructions.py                # exit status 1 where a kernel takes 10 % more than stored
python benchmarks/instructions.py --store "why"  # store the counts, with the reason for those that rose so

Counts are kept per compiler, since they depend on it. Without valgrind, on another processor than x86-64 and
with a compiler whose counts are not stored, it prints the reason and its exit status is 0.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BUILD = HERE.parent / "build"
STORED = HERE / "instructions.json"
MARGIN = 1.1
FLAGS = ["-std=c++20", "-O3", "-g", "-march=x86-64-v3", "-ffp-contract=off", "-DTALLYMARK_PLAIN"]
CALLED = re.compile(r"^\s*([\d,]+).*:count_(\w+)", re.MULTILINE)
Counts = dict[str, int]


def compiler() -> list[str]:
    return os.environ.get("CXX", "g++").split()


def version() -> str:
    """As "g++ 12"."""
    text = subprocess.run([*compiler(), "--version"], check=True, capture_output=True, text=True).stdout
    number = re.search(r"\d+(?=\.\d+)", text)
    return f"{'clang' if 'clang' in text else 'g++'} {number[0] if number else '?'}"


def counted() -> Counts:
    """The instructions of each kernel."""
    BUILD.mkdir(exist_ok=True)
    driver, out = BUILD / "instructions", BUILD / "callgrind.out"
    source = [f"-I{HERE.parent / 'native'}", str(HERE / "instructions.cpp"), "-o", str(driver)]
    subprocess.run([*compiler(), *FLAGS, *source], check=True)
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", str(driver)]
    subprocess.run(command, check=True, capture_output=True)
    listed = ["callgrind_annotate", "--inclusive=yes", "--threshold=100", str(out)]
    text = subprocess.run(listed, check=True, capture_output=True, text=True).stdout
    return {name: int(number.replace(",", "")) for number, name in CALLED.findall(text)}


def reason() -> str:
    """Why nothing can be counted here; "" where it can."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return "the counts are those of x86-64"
    missing = [tool for tool in ("valgrind", compiler()[0]) if shutil.which(tool) is None]
    return f"{' and '.join(missing)} not found" if missing else ""


def risen(found: Counts, stored: dict[str, Any]) -> list[str]:
    """The kernels that take more than 10 % more than stored."""
    return [name for name in stored if name in found and found[name] > MARGIN * stored[name]["instructions"]]


def store(found: Counts, stored: dict[str, Any], why: str) -> dict[str, Any]:
    """The new entries; where a kernel takes more, with the reason."""
    up = risen(found, stored)
    notes = {name: stored.get(name, {}).get("notes", []) + ([why] if name in up else []) for name in found}
    return {
        name: {"instructions": count} | ({"notes": notes[name]} if notes[name] else {})
        for name, count in sorted(found.items())
    }


def show(found: Counts, stored: dict[str, Any]) -> None:
    for name, count in sorted(found.items()):
        before = stored.get(name, {}).get("instructions")
        change = f"{100 * (count / before - 1):+6.1f} %" if before else "   new"
        print(f"{name:16} {count:12,} {change}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--store", metavar="WHY", help="store the counts, with the reason of those that rose")
    given = parser.parse_args()
    if why_not := reason():
        print(f"instructions are not counted: {why_not}")
        return
    table = json.loads(STORED.read_text()) if STORED.exists() else {}
    found, stored = counted(), table.get(version(), {})
    show(found, stored)
    if given.store:
        STORED.write_text(json.dumps(table | {version(): store(found, stored, given.store)}, indent=1) + "\n")
    elif not stored:
        print(f"no counts of {version()} are stored (--store): nothing is compared")
    elif changed := [*risen(found, stored), *(stored.keys() ^ found.keys())]:
        sys.exit(f"10 % more instructions than stored, or no entry: {', '.join(changed)} (see --store)")


if __name__ == "__main__":
    main()
