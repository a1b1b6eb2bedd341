"""Results as pages of HTML.

`sheet` has the page; `page` fills it for an evaluation, `models` for several, `rows` for any other.
"""
