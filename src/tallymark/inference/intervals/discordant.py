"""The difference of two proportions of the same cases: Tango's score test on discordant cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ... import kernels
from ...input.messages import Notes
from ..hypothesis.evidence import Plain
from .scale import normal_quantile

STEPS = 60  # of a bisection


class ScoreTest(Plain):
    """A difference whose interval contains the effects at which |z| is below the normal quantile."""

    __slots__ = ()

    @property
    def value(self) -> float:
        raise NotImplementedError

    @property
    def statistic(self) -> float:
        return float(self._z(0.0))

    def bounds(self, level: float) -> tuple[float, float]:
        return _by_bisection(self._z, self.value, normal_quantile(level))

    def p_at(self, effect: Any) -> Any:
        return 2 * kernels.normal_cdf(-np.abs(self._z(np.asarray(effect, float))))

    def _z(self, d: Any) -> Any:
        """(value - d) over the standard error at the effect d."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Discordant(ScoreTest):
    """The difference of two proportions of the same cases, (b - c) / n, by Tango's score test.

    b cases are right for the first model only, c for the second only. At an effect d, z = (b - c - n d) /
    sqrt(n (2 q + d (1 - d))), with q the maximum likelihood estimate, under the difference d, of the
    proportion of cases that are right for the second only. The interval has a width also where b = c = 0. At
    0 it is McNemar's chi-square. Source: Tango (1998), Statistics in Medicine 17, 891-908.
    """

    b: float
    c: float
    n: float
    notes: Notes = ()
    method: ClassVar[str] = "score"

    @property
    def value(self) -> float:
        return (self.b - self.c) / self.n

    def _z(self, d: Any) -> Any:
        b, c, n = self.b, self.c, self.n
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(b - c == n * d, 0.0, (b - c - n * d) / np.sqrt(_tango_variance(b, c, n, d)))


@dataclass(frozen=True, slots=True)
class DiscordantByClass(ScoreTest):
    """The same for fixed class sizes: b, c and n by class; the difference is sum(b - c) / sum(n).

    The variance is the sum of Tango's over the classes, each at its own difference: the observed ones are
    moved to the effect in proportion to what each class adds to the variance. With one class it is
    `Discordant`.
    """

    b: tuple[float, ...]
    c: tuple[float, ...]
    n: tuple[float, ...]
    notes: Notes = ()
    method: ClassVar[str] = "score-by-class"

    @property
    def value(self) -> float:
        return (sum(self.b) - sum(self.c)) / sum(self.n)

    def _z(self, d: Any) -> Any:
        b, c, n = (np.array(part, float)[:, None] for part in (self.b, self.c, self.n))
        observed, share = (b - c) / n, n / n.sum()
        spread = ((b + c + 1) / n - observed**2) / n
        moved = np.clip(
            observed + (np.ravel(d) - self.value) * share * spread / (share**2 * spread).sum(), -1.0, 1.0
        )
        variance = (share**2 * _tango_variance(b, c, n, moved) / n**2).sum(0)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.where(np.ravel(d) == self.value, 0.0, (self.value - np.ravel(d)) / np.sqrt(variance))
        return found.reshape(np.shape(d))


def _by_bisection(z: Callable[[float], Any], value: float, limit: float) -> tuple[float, float]:
    """The bounds, at which |z| equals the limit, by bisection between an end of the range and the value."""

    def edge(outside: float, inside: float) -> float:
        if inside == outside or abs(z(outside)) <= limit:
            return outside
        for _ in range(STEPS):
            middle = (outside + inside) / 2
            outside, inside = (middle, inside) if abs(z(middle)) > limit else (outside, middle)
        return inside

    return edge(-1.0, value), edge(1.0, value)


def _tango_variance(b: Any, c: Any, n: Any, d: Any) -> Any:
    """The variance of b - c under the difference d.

    It uses the maximum likelihood estimate of the proportion of cases that are right for the second only.
    """
    linear, constant = (2 * n - b + c) * d - b - c, -c * d * (1 - d)
    q = np.maximum((np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0.0)) - linear) / (4 * n), 0.0)
    return np.maximum(n * (2 * q + d * (1 - d)), 0.0)
