"""JUnit XML, annotations and Markdown: that nothing in a label or a requirement breaks them."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

import tallymark as tm
from tallymark.studies.gate import Verdict

CASES = {"truth": [0, 0, 1, 1, 0, 1], "score": [0.1, 0.4, 0.35, 0.8, 0.2, 0.7]}
REQUIREMENTS = ["roc_auc.value >= 0.5", "precision >= 0.5 at threshold 2", "f1.value >= 1", "n >= 3"]
VERDICT = tm.check(**CASES, require=REQUIREMENTS)
NASTY = "a\0b\x1b\x85\ud800\ufffe \"'<&>]]> % \r\n :,|`*_[x](y) é 𝟘"


def written_as(text):
    finding = replace(VERDICT.findings[2], requirement=text, how=text)
    return Verdict((finding,), VERDICT.evaluation)


def read(xml):
    """The tree, after its parts were held against the schema that Jenkins publishes (junit-10.xsd)."""
    root = ElementTree.fromstring(xml.encode("utf-8"))
    assert root.tag == "testsuites"
    assert root.attrib.keys() <= {"name", "time", "tests", "failures", "disabled", "errors"}
    for suite in root:
        assert suite.tag == "testsuite"
        assert {"name", "tests", "failures", "errors", "skipped"} <= suite.attrib.keys()
        cases = suite.findall("testcase")
        assert [part for part in suite if part.tag != "properties"] == cases
        assert len(suite.findall("properties")) <= 1
        for name, tag in (
            ("tests", None),
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ):
            number = len(cases) if tag is None else len(suite.findall(f"testcase/{tag}"))
            assert suite.attrib[name] == str(number)
            assert root.attrib.get(name, str(number)) == str(number)
        for case in cases:
            assert case.attrib.keys() == {"classname", "name"}
            for part in case:
                assert part.tag in {"failure", "error", "skipped", "system-out"}
                assert part.attrib.keys() <= {"message", "type"}
                assert not list(part)
    return root


def test_junit():
    root = read(VERDICT.to_junit())
    cases = root.findall("testsuite/testcase")
    assert [case.attrib["name"] for case in cases] == REQUIREMENTS
    assert [case[0].tag for case in cases] == ["system-out", "skipped", "failure", "system-out"]
    assert [case[0].text for case in cases] == [finding.sentence for finding in VERDICT.findings]
    assert root.find("testsuite").attrib == {
        "name": "tallymark check", "tests": "4", "failures": "1", "errors": "0", "skipped": "1",
    }  # fmt: skip
    assert VERDICT.to_junit().startswith('<?xml version="1.0" encoding="UTF-8"?>\n')


def test_junit_leaves_out_what_xml_forbids():
    case = read(written_as(NASTY).to_junit()).find("testsuite/testcase")
    name = case.attrib["name"]
    assert name == NASTY.replace("\0", "�").replace("\x1b", "�").replace("\ud800", "�").replace("\ufffe", "�")
    assert name in case[0].attrib["message"]


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_junit_can_always_be_read(text):
    found = read(written_as(text).to_junit()).find("testsuite/testcase").attrib["name"]
    assert len(found) == len(text)


def test_annotations():
    warnings = [one for one in VERDICT.notices if one.severe]
    lines = VERDICT.to_annotations().splitlines()
    for one in warnings:
        assert lines.pop(0).startswith(f"::warning title={one.code}::")
    assert lines[0] == f"::warning title=precision >= 0.5 at threshold 2::{VERDICT.findings[1].sentence}"
    assert lines[1].startswith("::error title=f1.value >= 1::")
    assert "(95%25, wilson)" in lines[1]
    assert lines[2] == "::error title=tallymark check::FAILED: 2 of 4 requirements met, 1 undecided"
    assert len(lines) == 3
    passed = tm.check(**CASES, require="n >= 1").to_annotations().splitlines()
    assert passed[len(warnings) :] == ["::notice title=tallymark check::passed: the requirement is met"]


def unescaped(text, of_property):
    """As the runner of GitHub Actions reads it back."""
    for code, character in (
        ("%0D", "\r"),
        ("%0A", "\n"),
        *((("%3A", ":"), ("%2C", ",")) if of_property else ()),
        ("%25", "%"),
    ):
        text = text.replace(code, character)
    return text


@pytest.mark.full
@given(
    st.text(max_size=30)
    | st.lists(st.sampled_from(["%", "\r", "\n", ":", ",", "%0A", "::", "%25"]), max_size=8).map("".join)
)
def test_an_annotation_is_one_line_and_read_back_whole(text):
    verdict = written_as(text)
    warnings = sum(one.severe for one in verdict.notices)
    line = verdict.to_annotations().split("\n")[warnings]
    assert "\r" not in line
    command = re.fullmatch(r"::error title=([^:,]*)::(.*)", line, re.DOTALL)
    assert unescaped(command[1], of_property=True) == text
    assert unescaped(command[2], of_property=False) == verdict.findings[0].sentence


def test_markdown_is_a_table_whatever_stands_in_it():
    verdict = written_as(NASTY)
    lines = verdict.to_markdown().splitlines()
    assert lines[0] == "**FAILED: the requirement is not met.**"
    assert [notice.code for notice in verdict.notices if notice.severe] == ["few-cases"]
    assert lines[2].startswith("> **Notice** Only 3 positives and 3 negatives")
    assert "design: cohort" in verdict.to_markdown()
    assert lines[-3:-1] == ["| outcome | requirement | found |", "| --- | --- | --- |"]
    assert len(re.findall(r"(?<!\\)\|", lines[-1])) == 4
    assert not re.search(r"(?<!\\)[<>*_`\[\]]", re.sub(r"\[[\d.]+, [\d.]+\]", "", lines[-1]))
    assert VERDICT.to_markdown().count("\n| ") == 2 + len(REQUIREMENTS)


@pytest.mark.parametrize("label", ['a"b', "a\\b", "a'b", "a]b", "a%b", "a b", "#", "é"])
def test_labels_come_through(label):
    given = {"truth": [label, "x", "y", label], "predicted": [label, "x", "y", "x"]}
    quoted = label.replace("\\", "\\\\").replace('"', '\\"')
    verdict = tm.check(**given, require=f'sensitivity[class "{quoted}"] >= 0.5')
    assert verdict.findings[0].compared == 0.5
    assert (
        read(verdict.to_junit()).find("testsuite/testcase").attrib["name"] == verdict.findings[0].requirement
    )
    assert quoted in verdict.findings[0].measured
