"""A real browser, Node and packages of npm; these tests skip without, or fail with TALLYMARK_REQUIRE_BROWSER.

The packages are looked for in the folder TALLYMARK_NODE_MODULES, by default build/node_modules, where
`make browser` installs them. Nothing of them is part of Tallymark.
"""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "src/tallymark/report/pages"
MODULES = Path(os.environ.get("TALLYMARK_NODE_MODULES", ROOT / "build/node_modules"))


def missing(what: str):
    """Skips, or fails where everything has to be there."""
    if "TALLYMARK_REQUIRE_BROWSER" in os.environ:
        pytest.fail(f"no {what}")
    pytest.skip(f"no {what}")


@pytest.fixture(scope="session")
def chromium():
    """A browser that asks nothing of the network."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("Playwright; python3 -m pip --python .venv install playwright")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        missing("chromium on the path")
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, tmp_path):
    """Opens HTML in a tab of its own. Requests and errors of the tab are in `tab.complaints`."""
    contexts = []

    def open_tab(html, **options):
        path = tmp_path / f"{len(contexts)}.html"
        path.write_text(html, encoding="utf-8")
        settings = {"viewport": {"width": 1300, "height": 900}, **options}
        contexts.append(chromium.new_context(**settings))
        tab = contexts[-1].new_page()
        tab.complaints = []
        tab.on("console", lambda one: tab.complaints.append(one.text))
        tab.on("pageerror", lambda one: tab.complaints.append(str(one)))
        tab.on(
            "request", lambda one: tab.complaints.append(one.url) if not one.url.startswith("file:") else None
        )
        tab.goto(path.as_uri())
        return tab

    yield open_tab
    for one in contexts:
        one.close()


@pytest.fixture(scope="session")
def node():
    """The path of Node."""
    return shutil.which("node") or missing("node on the path")


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core."""
    path = MODULES / "axe-core/axe.min.js"
    return path.read_text(encoding="utf-8") if path.exists() else missing(f"axe-core in {MODULES}")


@pytest.fixture(scope="session")
def typescript():
    """The path of the compiler of TypeScript."""
    path = MODULES / ".bin/tsc"
    return str(path) if path.exists() else missing(f"typescript in {MODULES}")
