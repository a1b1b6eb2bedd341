"""Areas of models from their scores, in place of ranks."""

import numpy as np

from tallymark.inference.intervals import paired


def areas(positive, scores, weight=None, clusters=None):
    """`paired.areas` of scores, shape (models, cases)."""
    places = [np.unique(-np.asarray(score), return_inverse=True)[1] for score in scores]
    return paired.areas(positive, places, weight, clusters)
