"""Writes docs/measures.md from the registry; with --check it only says whether the page is up to date (exit status 1 if not).

python docs/make.py [--check]
"""

import sys
from itertools import groupby
from pathlib import Path

from tallymark import registry

PAGE = Path(__file__).parent / "measures.md"
HEAD = """# The measures

Made from the docstrings by `python docs/make.py`; edit those. `tallymark measures NAME` shows one, by any of its names.
"""
ROWS = {
    "aliases": "also called",
    "of": "measured on",
    "range": "range",
    "better": "better",
    "undefined": "undefined",
    "interval": "interval",
    "source": "source",
    "differs": "differs",
    "defined_in": "defined in",
}


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for family, entries in groupby(registry.all_measures(), key=lambda entry: entry.family):
        parts.append(f"## {family}\n")
        parts += [section(registry.card(entry)) for entry in entries]
    return "\n".join(parts)


def section(card: dict) -> str:
    """One measure."""
    lines = [f"### {card['name']}\n", f"{card['title']}\n", f"    {card['formula']}\n"]
    lines += [f"* {title}: {_plain(card[key]).rstrip('.')}" for key, title in ROWS.items() if card[key]]
    return "\n".join([*lines, ""])


def _plain(value):
    if isinstance(value, list):
        return ", ".join(value) if isinstance(value[0], str) else " to ".join(f"{float(end):g}" for end in value)
    return str(value).rsplit(":", 1)[0] if ".py:" in str(value) else str(value)


def main() -> int:
    """Writes or checks."""
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == page():
        return 0
    print("docs/measures.md is out of date; run: python docs/make.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
