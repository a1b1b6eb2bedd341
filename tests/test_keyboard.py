"""What an interactive shell shows of results: one short line, the keys after `result["`, the names after
`result.`."""

import pytest
from every_result import results
from looping import for_each

from tallymark.input.results import Result

LONGEST = 160  # characters of the short form
each_result = for_each("name", lambda: [name for name, one in results().items() if isinstance(one, Result)])


@pytest.mark.full
@each_result
def test_the_short_form_is_one_line(name):
    assert "\n" not in repr(results()[name])
    assert len(repr(results()[name])) <= LONGEST


@each_result
def test_the_keys_that_are_offered_are_taken(name):
    result = results()[name]
    offered = getattr(result, "_ipython_key_completions_", list)()
    for key in offered[:3]:
        assert result[key] is not None
    assert offered or not (hasattr(result, "estimates") and hasattr(result, "__getitem__"))


@each_result
def test_the_names_that_are_offered_are_public(name):
    result = results()[name]
    offered = [one for one in dir(result) if not (one.startswith("__") and one.endswith("__"))]
    assert not [one for one in offered if one.startswith("_") or one.isupper()]
    assert {"to_dict", "to_json", "to_html", "save", "notices"} <= set(offered)
