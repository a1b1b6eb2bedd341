"""A verdict for systems of continuous integration: JUnit XML, and annotations of GitHub Actions.

Source of the annotations: GitHub, "Workflow commands for GitHub Actions"; the escapes are those of the
toolkit's `command.ts`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from ..studies.gate.checking import FAILED, PASSED, UNDECIDED, Verdict

# Source: XML 1.0, production 2: what no document may hold, escaped or not.
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ELEMENTS = {PASSED: "system-out", FAILED: "failure", UNDECIDED: "skipped"}
Case = tuple[str, str, str, str]  # name, element, type, sentence
LEVELS = {PASSED: "notice", FAILED: "error", UNDECIDED: "warning"}  # of annotations
OF_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
OF_PROPERTIES = OF_DATA | {":": "%3A", ",": "%2C"}


def as_junit(verdict: Verdict) -> str:
    """One test case per requirement: <failure> if it failed, <skipped> if it is undecided."""
    facts = {"condition": verdict.condition, "budget": verdict.budget}
    facts |= {f"notice: {one.code}": one.brief for one in verdict.notices if one.severe}
    cases = [
        (
            one.requirement,
            ELEMENTS[FAILED if verdict.decided(one.outcome) == FAILED else one.outcome],
            "" if one.passed else one.outcome,
            one.sentence,
        )
        for one in verdict.findings
    ]
    return _suite(cases, facts | {"dropped": str(verdict.evaluation.data.dropped)})


def of_error(sentence: str) -> str:
    """A suite with one test case, an <error>: nothing was measured, since the input is wrong."""
    return _suite([("input", "error", "input", sentence)], {})


def _suite(cases: Sequence[Case], facts: Mapping[str, str | None]) -> str:
    elements = [element for _, element, _, _ in cases]
    numbers = {"tests": len(cases), "failures": elements.count("failure"), "errors": elements.count("error")}
    head = f'name="tallymark check"{_attributes(numbers)}'
    said = [_attributes({"name": name, "value": value}) for name, value in facts.items() if value]
    properties = ["    <properties>", *(f"      <property{one}/>" for one in said), "    </properties>"]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {head}>",
        f'  <testsuite {head} skipped="{elements.count("skipped")}">',
        *(properties if facts else []),
        *map(_case, cases),
        "  </testsuite>",
        "</testsuites>",
    ]
    return "".join(f"{line}\n" for line in lines)


def _case(case: Case) -> str:
    name, element, kind, sentence = case
    why = _attributes({"type": kind, "message": sentence}) if kind else ""
    return (
        f"    <testcase{_attributes({'classname': 'tallymark.check', 'name': name})}>\n"
        f"      <{element}{why}>{escape(_clean(sentence))}</{element}>\n    </testcase>"
    )


def _attributes(values: Mapping[str, object]) -> str:
    return "".join(f" {name}={quoteattr(_clean(str(value)))}" for name, value in values.items())


def _clean(text: str) -> str:
    return FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def as_annotations(verdict: Verdict) -> str:
    """A line for each severe notice, for each requirement that is not met or undecided, and the verdict.

    It is `::error` for what fails and `::warning` for notices and what is undecided.
    """
    lines = [_command("warning", notice.code, notice.brief) for notice in verdict.notices if notice.severe]
    lines += [
        _command(LEVELS[verdict.decided(finding.outcome)], finding.requirement, finding.sentence)
        for finding in verdict.findings
        if not finding.passed
    ]
    lines.append(_command(LEVELS[verdict.decided(verdict.outcome)], "tallymark check", verdict.summary))
    return "".join(f"{line}\n" for line in lines)


def _command(kind: str, title: str, message: str) -> str:
    return f"::{kind} title={_escaped(title, OF_PROPERTIES)}::{_escaped(message, OF_DATA)}"


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in text)
