"""An estimate: a number that knows how sure it is."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite, isinf, isnan, nan
from typing import Any

DIGITS = 12  # significant ones of bounds by simulation, of which sums in another order leave the last bits different
NARROWEST = 1e-11  # width, as a share of the bounds, that is not left by rounding to these


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval.

    low, high: the ends of the confidence interval at `level`, NaN where there is none; method: how it was found. undefined: why
    the value is NaN; note: further information, as why there is no interval. corrected: at a threshold that was chosen on the cases
    measured, the value less its optimism, around which the interval lies; None elsewhere, and where it is not known.
    """

    value: float
    low: float = nan
    high: float = nan
    level: float = 0.95
    method: str | None = None
    undefined: str | None = None
    note: str | None = None
    corrected: float | None = None

    @property
    def optimism(self) -> float | None:
        """By how much the value is larger than the corrected one; None where there is no corrected value."""
        return None if self.corrected is None else self.value - self.corrected

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        """The value alone where a format is given, as in f"{estimate:.2f}"."""
        return format(self.value, spec) if spec else repr(self)

    def __repr__(self) -> str:
        if self.undefined:
            return f"Estimate(undefined: {self.undefined})"
        interval = f"{self.low:.4g} to {self.high:.4g} at {self.level:.6g}, {self.method}" if self.method else "no interval"
        return f"Estimate({self.value:.4g}, {interval}{f'; {self.note}' if self.note else ''})"

    def to_dict(self) -> dict:
        """Strict JSON: NaN and infinity become None, with the reason in `undefined` or `note`."""
        plain = {key: None if isinstance(value, float) and not isfinite(value) else value for key, value in asdict(self).items()}
        if self.corrected is None:
            del plain["corrected"]
        else:
            plain["optimism"] = self.optimism if isfinite(self.value - self.corrected) else None
        infinite = [name for name in ("value", "low", "high") if isinf(getattr(self, name))]
        if infinite:
            said = f"infinite: {', '.join(infinite)}"
            plain["note"] = f"{self.note}; {said}" if self.note else said
        return plain

    @property
    def has_interval(self) -> bool:
        return not isnan(self.low)


@dataclass(frozen=True, slots=True)
class Interval:
    """What an interval method answers: low and high (numbers, or arrays for counts with arrays), its name, a note."""

    low: Any
    high: Any
    method: Any
    note: Any = None


def no_interval(note: str) -> Interval:
    """None, for the reason in the note."""
    return Interval(nan, nan, "", note)


def rounded_interval(value: float, low: float, high: float, method: str, note: str | None = None) -> Interval:
    """Bounds by simulation to 12 significant digits, around the value; none where they are the same but for that."""
    low, high = (float(f"{bound:.{DIGITS}g}") for bound in (low, high))
    low, high = min(low, value), max(high, value)
    if not high - low > NARROWEST * max(abs(low), abs(high)):
        return no_interval("the bounds at this level are the same but for rounding")
    return Interval(low, high, method, note)
