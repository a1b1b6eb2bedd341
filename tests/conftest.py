"""Settings for every test: hypothesis draws the same examples each time and knows no time limit."""

from hypothesis import settings

settings.register_profile("tallymark", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("tallymark")
