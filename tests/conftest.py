"""Settings for every test: hypothesis draws the same examples each time and knows no time limit.

TALLYMARK_EXAMPLES says how many, where the same tests run a second time.
"""

import os

from hypothesis import settings

EXAMPLES = int(os.environ.get("TALLYMARK_EXAMPLES", "40"))
settings.register_profile("tallymark", derandomize=True, deadline=None, max_examples=EXAMPLES)
settings.load_profile("tallymark")
