"""JUnit XML: what CI systems show as tests."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from ...studies.gate.results import FAILED, UNDEFINED, Finding, Verdict

SUITE = "tallymark check"
# Source: XML 1.0, production 2: what no document may hold, escaped or not.
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_text(verdict: Verdict) -> str:
    """One test case per requirement: <failure> if it failed, <error> if there was no number to compare."""
    numbers = {"tests": len(verdict.findings)}
    for name, outcome in (("failures", FAILED), ("errors", UNDEFINED)):
        numbers[name] = sum(finding.outcome == outcome for finding in verdict.findings)
    said = {"name": SUITE, **{name: str(number) for name, number in numbers.items()}, "skipped": "0"}
    root = ElementTree.Element(
        "testsuites", {name: value for name, value in said.items() if name != "skipped"}
    )
    suite = ElementTree.SubElement(root, "testsuite", said)
    properties = ElementTree.SubElement(suite, "properties")
    facts = {"condition": verdict.condition, "budget": verdict.budget}
    facts |= {f"notice: {one.code}": one.brief for one in verdict.notices if one.severe}
    facts |= {"dropped": str(verdict.evaluation.data.dropped)}
    for name, value in facts.items():
        if value:
            ElementTree.SubElement(properties, "property", {"name": name, "value": _clean(value)})
    for finding in verdict.findings:
        _case(suite, finding)
    return _written(root)


def of_error(sentence: str) -> str:
    """A suite with one test case, an <error>: nothing was measured, since the input is wrong."""
    numbers = {"tests": "1", "failures": "0", "errors": "1"}
    root = ElementTree.Element("testsuites", {"name": SUITE, **numbers})
    suite = ElementTree.SubElement(root, "testsuite", {"name": SUITE, **numbers, "skipped": "0"})
    case = ElementTree.SubElement(suite, "testcase", {"classname": SUITE.replace(" ", "."), "name": "input"})
    said = _clean(sentence)
    ElementTree.SubElement(case, "error", {"type": "input", "message": said}).text = said
    return _written(root)


def _written(root: ElementTree.Element) -> str:
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _case(suite: ElementTree.Element, finding: Finding) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", {"classname": SUITE.replace(" ", "."), "name": _clean(finding.requirement)}
    )
    sentence = _clean(finding.sentence)
    if finding.passed:
        ElementTree.SubElement(case, "system-out").text = sentence
        return
    kind = "failure" if finding.outcome == FAILED else "error"
    ElementTree.SubElement(case, kind, {"type": finding.outcome, "message": sentence}).text = sentence


def _clean(text: str) -> str:
    return FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
