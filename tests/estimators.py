"""Estimators for tests: small, fast, and no scikit-learn."""

import numpy as np
from scipy.special import expit, softmax


class Centres:
    """The class with the nearest centre; its scores are differences of squared distances, its probabilities
    their softmax."""

    def __init__(self, scale=1.0):
        self.scale = scale

    def fit(self, X, y):
        X, y = np.asarray(X, float), np.asarray(y)
        self.classes_ = np.unique(y)
        self.centres_ = np.array([X[y == label].mean(0) for label in self.classes_])
        return self

    def _near(self, X):
        return -((np.asarray(X, float)[:, None] - self.centres_) ** 2).sum(-1) / self.scale

    def decision_function(self, X):
        near = self._near(X)
        return near[:, 1] - near[:, 0] if near.shape[1] == 2 else near

    def predict_proba(self, X):
        return softmax(self._near(X), axis=1)

    def predict(self, X):
        return self.classes_[self._near(X).argmax(1)]


class Only:
    """Another estimator of which only some methods can be seen."""

    def __init__(self, inner, *methods):
        self.inner, self.methods = inner, methods

    def fit(self, X, y):
        self.inner.fit(X, y)

    def __getattr__(self, name):
        if name in (*self.__dict__.get("methods", ()), "classes_") and "inner" in self.__dict__:
            return getattr(self.inner, name)
        raise AttributeError(name)


class Flat:
    """One number per case as the probability of the later label; no classes_."""

    def fit(self, X, y):
        self.inner = Centres().fit(X, y)

    def predict_proba(self, X):
        return expit(self.inner.decision_function(X))


class Stumbling(Centres):
    """Fails where the first case of training is of the first class."""

    def fit(self, X, y):
        if y[0] == np.unique(y)[0]:
            raise ArithmeticError("the sum\ndid not converge")
        return super().fit(X, y)


class Constant:
    """Predicts one label, whatever it was taught."""

    def __init__(self, label=0):
        self.label = label

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


class Memory:
    """Random on its own unless its random_state is set; remembers nothing else."""

    def __init__(self, random_state=None, inner=None):
        self.random_state, self.inner = random_state, inner

    def get_params(self, deep=True):
        own = {"random_state": self.random_state, "inner": self.inner}
        if deep and self.inner is not None:
            own |= {f"inner__{name}": value for name, value in self.inner.get_params().items()}
        return own

    def set_params(self, **given):
        for name, value in given.items():
            _, _, rest = name.partition("__")
            if rest:
                self.inner.set_params(**{rest: value})
            else:
                setattr(self, name, value)
        return self

    def fit(self, X, y):
        self.fitted_ = np.random.default_rng(self.random_state)
        return self

    def decision_function(self, X):
        return self.fitted_.normal(size=len(X))
