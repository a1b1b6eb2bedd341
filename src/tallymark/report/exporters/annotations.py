"""Annotations of GitHub Actions.

Source: GitHub, "Workflow commands for GitHub Actions"; the escapes are those of the toolkit's `command.ts`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...studies.gate.results import Verdict

OF_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
OF_PROPERTIES = OF_DATA | {":": "%3A", ",": "%2C"}


def as_text(verdict: Verdict) -> str:
    """A `::warning` line for each severe notice, an `::error` line for each failure, and the verdict."""
    lines = [_command("warning", notice.code, notice.brief) for notice in verdict.notices if notice.severe]
    lines += [
        _command("error", finding.requirement, finding.sentence)
        for finding in verdict.findings
        if not finding.passed
    ]
    lines.append(_command("notice" if verdict.passed else "error", "tallymark check", verdict.summary))
    return "".join(f"{line}\n" for line in lines)


def _command(kind: str, title: str, message: str) -> str:
    return f"::{kind} title={_escaped(title, OF_PROPERTIES)}::{_escaped(message, OF_DATA)}"


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in text)
