"""The page of a result, and its part for a notebook, light and dark; no script, nothing loaded."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from pathlib import PurePath
from typing import Any

from .document import Document, Table
from .grid import written

LIGHT = (
    "--ink: #1c2430; --soft: #5c6878; --line: #dfe4ea; --paper: #ffffff; --card: #f6f8fa; --blue: #1f6feb;"
    " --amber: #b35900; --red: #c62828;"
)
DARK = (
    "--ink: #e4e8ee; --soft: #9aa6b5; --line: #323b47; --paper: #12171e; --card: #1a212b; --blue: #6cabff;"
    " --amber: #f0a04b; --red: #ff7b72;"
)
# A notebook has a theme of its own, which goes before that of the system.
STYLE = """
.tallymark { LIGHT }
@media (prefers-color-scheme: dark) { .tallymark { DARK } }
[data-jp-theme-light="true"] .tallymark, .vscode-light .tallymark { LIGHT }
[data-jp-theme-light="false"] .tallymark, .vscode-dark .tallymark, html[theme="dark"] .tallymark { DARK }
.tallymark { color: var(--ink); background: var(--paper); font: 15px/1.5 system-ui, sans-serif;
  max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
.tallymark h1 { font-size: 1.5rem; margin: 0 0 .2rem; }
.tallymark h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
.tallymark p.facts { color: var(--soft); margin: 0; }
.tallymark ul.notices { list-style: none; padding: 0; margin: 1.2rem 0 0; }
.tallymark ul.notices li { border-left: 4px solid var(--amber); background: var(--card);
  padding: .5rem .8rem; margin: .4rem 0; }
.tallymark ul.notices li.severe { border-left-color: var(--red); }
.tallymark p.headline { font-size: 1.15rem; margin: .4rem 0 .8rem; }
.tallymark code { color: var(--soft); font-size: .85em; white-space: nowrap; }
.tallymark .curves { display: flex; flex-wrap: wrap; gap: 1.5rem; }
.tallymark figure { margin: 0; flex: 1 1 18rem; max-width: 27rem; }
.tallymark figcaption { color: var(--soft); font-size: .9rem; }
.tallymark svg.figure { width: 100%; } .tallymark svg text { fill: var(--soft); font-size: 13px; }
.tallymark .grid { stroke: var(--line); fill: none; }
.tallymark .ref, .tallymark .rule { stroke-dasharray: 4 4; }
.tallymark .curve, .tallymark .ref, .tallymark .rule, .tallymark .whisk { fill: none; stroke: currentColor; }
.tallymark .curve, .tallymark .whisk { stroke-width: 2; } .tallymark svg { color: var(--soft); }
.tallymark .band, .tallymark .bar { fill: currentColor; opacity: .16; }
.tallymark .point, .tallymark .mark { fill: currentColor; } .tallymark .c-0 { color: var(--blue); }
.tallymark .c-1 { color: var(--amber); } .tallymark .c-2 { color: #009e73; }
.tallymark .c-3 { color: #cc79a7; }
.tallymark .scroll { overflow-x: auto; background-image: linear-gradient(to right, var(--paper) 40%,
  transparent), linear-gradient(to left, var(--paper) 40%, transparent),
  linear-gradient(to right, var(--line), transparent),
  linear-gradient(to left, var(--line), transparent); background-position: left, right, left, right;
  background-repeat: no-repeat;
  background-size: 2.5rem 100%, 2.5rem 100%, 1rem 100%, 1rem 100%; background-attachment: local, local,
  scroll, scroll; }
.tallymark .scroll table + table, .tallymark p.facts + table { margin-top: 1rem; }
.tallymark table { border-collapse: collapse; }
.tallymark th, .tallymark td { padding: .3rem .8rem; border-bottom: 1px solid var(--line); }
.tallymark th { text-align: left; font-weight: 600; }
.tallymark td.n { text-align: right; font-variant-numeric: tabular-nums; }
.tallymark td.soft { color: var(--soft); font-size: .9em; }
.tallymark th.n { text-align: right; } .tallymark td.n { white-space: nowrap; }
.tallymark td.diagonal { background: var(--card); font-weight: 600; }
.tallymark table.matrix th { position: sticky; left: 0; background: var(--paper); white-space: nowrap; }
.tallymark table.matrix th.n { position: static; background: none; vertical-align: bottom; }
.tallymark table.matrix.large th, .tallymark table.matrix.large td { padding: .3rem .45rem; }
.tallymark table.matrix.large th.n span { writing-mode: vertical-rl; transform: rotate(180deg); }
.tallymark .bar, .tallymark .axis { position: relative; width: 13rem; }
.tallymark .axis { display: flex; justify-content: space-between; color: var(--soft); font-size: .8em;
  font-weight: 400; }
.tallymark .bar { height: .9rem; background: var(--card); border-radius: 3px; border: 0 solid var(--line); }
.tallymark .bar.half { background: linear-gradient(to right, transparent 50%, var(--card) 50%); }
.tallymark p.foot { margin-top: 1.5rem; }
.tallymark .bar i { position: absolute; top: .35rem; height: .2rem; background: var(--blue); opacity: .6;
  border-radius: 2px; }
.tallymark .bar b { position: absolute; top: .15rem; width: .6rem; height: .6rem; margin-left: -.3rem;
  border-radius: 50%; background: var(--blue); }
.tallymark pre { background: var(--card); overflow-x: auto; padding: .6rem .8rem; margin: 1rem 0 0;
  font: 13px/1.4 ui-monospace, monospace; }
.tallymark td.short { white-space: nowrap; }
.tallymark td.said { min-width: 18rem; font-size: .9em; color: var(--soft); }
.tallymark p.facts + .scroll { margin-top: 1rem; }
.tallymark details { margin-top: 1rem; } .tallymark summary { color: var(--soft); cursor: pointer; }
.tallymark details + details { margin-top: .3rem; } .tallymark summary + .scroll { margin: .3rem 0 .8rem; }
.tallymark svg .right { fill: var(--blue); } .tallymark svg .tied { fill: var(--blue); fill-opacity: .4; }
.tallymark svg .wrong { fill: var(--line); }
"""
SEVERE = ' class="severe"'
STYLE = STYLE.replace("LIGHT", LIGHT).replace("DARK", DARK)
SHEET = (
    "html { background: #ffffff; } body { margin: 0; }"
    " @media (prefers-color-scheme: dark) { html { background: #12171e; } }"
)


def page(result: Any, body: str, title: str | None = None) -> str:
    """The whole document. title: of the tab of a browser, by default `title_of`."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Tallymark:'
        f" {escape(title or title_of(result))}</title>\n"
        f"<style>{SHEET}</style>\n</head>\n<body>\n{fragment(body)}\n</body>\n</html>\n"
    )


def fragment(body: str) -> str:
    """The body with its style, for a notebook or inside a page."""
    return f'<style>{STYLE}</style>\n<main class="tallymark">\n{body}\n</main>'


def title_of(result: Any) -> str:
    """The name of the result, or of the file that was measured; else what kind of result it is."""
    whole = getattr(result, "whole", None) or getattr(result, "evaluation", None) or result
    data = getattr(whole, "data", None)
    if isinstance(data, dict):  # where JSON was read
        called = data.get("name") or PurePath(data.get("source") or "").name
        called = "" if called.isidentifier() and "name" not in data else called
    else:
        called = getattr(data, "called", "")
    kind = getattr(result, "kind", None)  # of what was read from JSON: the class that was saved
    kind = kind if isinstance(kind, type) else type(result)
    return called or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind.__name__).capitalize()


def notices(result: Any) -> str:
    """What must be read with the result."""
    return listed(result.notices)


def listed(notices: Iterable[Any]) -> str:
    """Notices as a list; empty without any."""
    items = "\n".join(
        f"<li{SEVERE * notice.severe}>{escape(notice.text)} <code>{escape(notice.code)}</code></li>"
        for notice in notices
    )
    return f'<ul class="notices">\n{items}\n</ul>' if items else ""


def document(d: Document, pictures: str = "") -> str:
    """What stands on the page of a document."""
    parts = [
        f"<h1>{escape(d.title or d.kind.capitalize())}</h1>",
        f'<p class="headline">{escape(d.headline)}</p>' if d.headline else "",
        *(f'<p class="facts">{escape(one)}</p>' for one in d.facts),
        listed(d.notices),
        pictures,
        *(_table(one) for one in d.tables if one.rows),
        *(f'<p class="facts">{escape(one)}</p>' for one in d.footnotes),
        *(
            f'<h1 class="model">{escape(name)}</h1>{document(one())}'
            for name, one in (d.parts.items() if d.kind == "models" else ())
        ),
    ]
    return "\n".join(part for part in parts if part)


def _table(table: Table) -> str:
    """A table with what stands below it."""
    grid = written(table)
    lines = [
        "".join(_cell(tag, one, i in (*grid.right, *grid.estimates)) for i, one in enumerate(row))
        for tag, row in (("th", grid.header), *(("td", row) for row in grid.rows))
    ]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    below = "".join(f'<p class="facts">{escape(one)}</p>' for one in grid.below)
    head = f"<h2>{escape(table.title)}</h2>\n" if table.title else ""
    return f'{head}<div class="scroll"><table>\n{body}\n</table></div>{below}'


def _cell(tag: str, written: str, number: bool) -> str:
    kind = ' class="n"' * number
    return f"<{tag}{kind}>{escape(written)}</{tag}>"
