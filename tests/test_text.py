"""Tables of text on a terminal."""

from unicodedata import east_asian_width

from tallymark.input import text


def test_wide_and_combining_characters_keep_columns_straight():
    labels = ["陽性", "neg", "ne\N{COMBINING DIAERESIS}g", "é"]
    lines = text.aligned(
        ["label", "n"], [[label, str(i)] for i, label in enumerate(labels)], [1]
    ).splitlines()

    def end(line):
        return sum(2 if east_asian_width(one) == "W" else one != "\N{COMBINING DIAERESIS}" for one in line)

    assert {end(line) for line in lines} == {8}


def test_a_wide_table_is_measured_in_columns():
    assert text.fits("陽" * 40)
    assert not text.fits("陽" * 41)
