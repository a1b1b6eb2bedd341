"""`for_each`: a property over many cases as one test, which runs them all and reports every case that fails.

It has the signature of pytest.mark.parametrize and names the cases alike, but pytest collects one item
instead of one per case. `in_part` runs some of the cases in one tier and the others in the next.
"""

from __future__ import annotations

import inspect
import itertools
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

OTHERS = "__others"  # at the end of the name of a test that runs the cases that another one leaves out
SHOWN = 20  # failing cases that the message lists
LONGEST_REASON = 240  # characters
DRAWN = "Falsifying example", "Failing test case"  # how versions of Hypothesis name it
CONTRIBUTING = Path(__file__).parents[1] / "CONTRIBUTING.md"
RULES = {  # of every measure, by the words in bold
    name: " ".join(text.split())
    for name, text in re.findall(
        r"^\* \*\*(.+?)\*\*: (.+(?:\n  .+)*)", CONTRIBUTING.read_text(encoding="utf-8"), re.MULTILINE
    )
}
LONGEST_ID = 100  # characters of a text that pytest takes for an id
Case = tuple[str, tuple]  # its id and the values of its arguments
# the names of the arguments, and what gives the cases
Axis = tuple[tuple[str, ...], Callable[[], list[Case]]]


def for_each(
    argnames: str | Sequence[str], argvalues: Iterable[Any] | Callable[[], Iterable[Any]], ids: Any = None
) -> Callable:
    """Runs the test for each of the values, in one item. Stacked, it runs the product; below it a test may be
    `@given`.

    argvalues may be a function that returns the values: it is called when the test runs, not when it is
    collected. A fixture is made once for all cases. Skipping skips one case; the test counts as skipped if it
    skips them all.
    """
    names = (
        tuple(name.strip() for name in argnames.split(",")) if isinstance(argnames, str) else tuple(argnames)
    )
    ids = ids if ids is None or callable(ids) else list(ids)

    @cache
    def cases() -> list[Case]:
        return _identified(names, list(argvalues() if callable(argvalues) else argvalues), ids)

    axis = names, cases

    def decorate(function: Callable) -> Callable:
        inner = getattr(function, "looped", function)
        return _looping(inner, [*getattr(function, "axes", []), axis], function)

    return decorate


def holds(rule: str) -> Callable:
    """Put below `for_each`: the rule of CONTRIBUTING.md, by the words in bold, that the message quotes where
    the test fails."""
    assert rule in RULES, f"CONTRIBUTING.md has no rule {rule!r} of every measure; it has {', '.join(RULES)}"

    def decorate(function: Callable) -> Callable:
        function.rule = rule  # type: ignore[attr-defined]
        return function

    return decorate


def in_part(parts: int, tiers: tuple[str, str] = ("full", "slow")) -> Callable:
    """Put above `for_each`: about one in so many cases is of the first tier, the others are a test of the
    second one.

    Which ones is found from their ids, so that it does not change; a test of few cases runs its first in the
    first tier at least. The tier "fast" has no mark. Marks above it are those of both tests
    (`with_marks_above`, when they are collected).
    """

    def decorate(function: Callable) -> Callable:
        def test(tier: str, chosen: Callable) -> Callable:
            made = _looping(function.looped, function.axes, function, chosen)
            return made if tier == "fast" else getattr(pytest.mark, tier)(made)

        first = test(tiers[0], lambda cases: _part(cases, parts))
        others = test(tiers[1], lambda cases: set(cases) - _part(cases, parts))
        others.__name__ = others.__qualname__ = f"{function.__name__}{OTHERS}"
        others.first_part, others.known_marks = first, list(first.pytestmark)  # type: ignore[attr-defined]
        setattr(sys.modules[function.__module__], others.__name__, others)
        return first

    return decorate


def with_marks_above(test: Any) -> None:
    """Of the test of the other cases: the marks that were put above `in_part`, which reach only the test that
    it returns."""
    first = vars(test).get("first_part") if inspect.isfunction(test) else None
    if first is None:
        return
    above = [mark for mark in first.pytestmark if not any(mark is one for one in test.known_marks)]
    test.pytestmark, test.known_marks = [*test.pytestmark, *above], list(first.pytestmark)


def _part(cases: list[str], parts: int) -> set[str]:
    return {case for case in cases if zlib.crc32(case.encode()) % parts == 0} or set(cases[:1])


def cases_of(function: Callable) -> list[str]:
    """The ids of the cases that a test loops over; [""] of a test that does not loop."""
    return [case for case, _ in _product(getattr(function, "axes", []), getattr(function, "chosen", None))]


def _looping(inner: Callable, axes: list[Axis], outer: Callable, chosen: Callable | None = None) -> Callable:
    looped = {name for names, _ in axes for name in names}

    def test(**given: Any) -> None:
        failed, skipped, cases = {}, [], _product(axes, chosen)
        for case, values in cases:
            try:
                inner(**given, **values)
            except pytest.skip.Exception as reason:
                skipped.append(reason)
            except (Exception, pytest.fail.Exception) as reason:
                failed[case] = reason
        if failed:
            report = _report(failed, len(cases), getattr(inner, "rule", None), looped)
            raise AssertionError(report) from next(iter(failed.values()))
        if len(skipped) == len(cases):
            pytest.skip(f"every case: {skipped[0]}" if skipped else "there are no cases")

    signature = inspect.signature(inner)
    kept = [p.replace(kind=p.KEYWORD_ONLY) for name, p in signature.parameters.items() if name not in looped]
    test.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    for attribute in ("__name__", "__qualname__", "__doc__", "__module__"):
        setattr(test, attribute, getattr(outer, attribute))
    test.pytestmark = list(getattr(outer, "pytestmark", []))  # type: ignore[attr-defined]
    test.looped, test.axes, test.chosen, test.__wrapped__ = inner, axes, chosen, inner  # type: ignore[attr-defined]
    return test


def _product(axes: list[Axis], chosen: Callable | None = None) -> list[tuple[str, dict[str, Any]]]:
    """Every combination, with the id that pytest.mark.parametrize would give it; or those chosen by their
    ids."""
    found = []
    for combination in itertools.product(*(cases() for _, cases in axes)):
        values = {
            name: value
            for (names, _), (_, some) in zip(axes, combination, strict=True)
            for name, value in zip(names, some, strict=True)
        }
        found.append(("-".join(case for case, _ in combination), values))
    if chosen is None:
        return found
    kept = chosen([case for case, _ in found])
    return [one for one in found if one[0] in kept]


def _identified(names: tuple[str, ...], values: list[Any], ids: Any) -> list[Case]:
    rows, texts = [], []
    for index, value in enumerate(values):
        given = value if hasattr(value, "marks") else pytest.param(*(value if len(names) > 1 else (value,)))
        assert not given.marks, "for_each takes no marks; put them on the test"
        own = ids[index] if isinstance(ids, list) else given.id
        make = ids if callable(ids) else None
        parts = (_text(part, name, index, make) for name, part in zip(names, given.values, strict=True))
        rows.append(given.values)
        texts.append("-".join(parts) if own is None else str(own))
    return list(zip(_distinct(texts), rows, strict=True))


def _text(value: Any, name: str, index: int, make: Callable | None) -> str:
    made = make(value) if make else None
    value = value if made is None else made
    if isinstance(value, str) and (made is not None or len(value) <= LONGEST_ID):
        return value.encode("unicode_escape").decode("ascii")
    if value is None or isinstance(value, (bool, int, float, complex)):
        return str(value)
    return getattr(value, "__name__", None) or f"{name}{index}"


def _distinct(texts: list[str]) -> list[str]:
    """Repeated ids are numbered, as pytest does."""
    total, seen = Counter(texts), Counter()
    found = []
    for text in texts:
        found.append(text if total[text] == 1 else f"{text}{'_' if text[-1:].isdigit() else ''}{seen[text]}")
        seen[text] += 1
    return found


def _report(failed: dict[str, BaseException], cases: int, rule: str | None, looped: set[str]) -> str:
    """looped: the arguments that the case names. A test that stops at a warning of a division breaks that
    rule, not its own."""
    lines = [f"{case}: {_said(reason, looped)}" for case, reason in failed.items()]
    if rule and all(isinstance(reason, RuntimeWarning) for reason in failed.values()):
        rule = "x/0"
    more = [f"and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    asked = [f"CONTRIBUTING.md, what holds for every measure: {rule}: {RULES[rule]}"] if rule else []
    return "\n  ".join([f"{len(failed)} of {cases} cases fail:", *lines[:SHOWN], *more, *asked])


def _said(reason: BaseException, looped: set[str]) -> str:
    """The reason, once, and what Hypothesis drew."""
    said = str(reason) or type(reason).__name__
    first, *_ = said.splitlines()
    said = first if f"assert not {first!r}" in said else said
    drawn = [_drawn(note, looped) for note in getattr(reason, "__notes__", []) if note.startswith(DRAWN)]
    return "; ".join(" ".join(part.split())[:LONGEST_REASON] for part in (said, *drawn))


def _drawn(note: str, looped: set[str]) -> str:
    """The arguments that an example has in addition to those that the case names."""
    _, *arguments = re.split(r"\n    (?=\w+=)", note.removesuffix(")"))
    return f"with {' '.join(one for one in arguments if one.partition('=')[0] not in looped)}"
