"""Rules on predicted amounts."""

from __future__ import annotations

from ..results import RegressionEvaluation
from .answer import Costs
from .rule import Said, rule

NORMAL = 1.2533  # root mean squared over mean absolute error of normally distributed errors, sqrt(pi / 2)


@rule("Flemming, Mean Squared Error, Mean Absolute Error and Huber Loss", of=RegressionEvaluation)
def size_of_errors(e: RegressionEvaluation, need: str | None, costs: Costs) -> Said | None:
    """Amounts are predicted."""
    squared, absolute = e["root_mean_squared_error"].value, e["mean_absolute_error"].value
    if not absolute > 0:
        return None
    return (
        (
            f"The root mean squared error is {squared:.3g} and the mean absolute error {absolute:.3g}."
            f" Their quotient is {squared / absolute:.3g}; normally distributed errors have {NORMAL:.3g}, a"
            " few large errors more. Squares are best for normal errors and sensitive to outliers, absolute"
            " errors are not. The Huber loss is quadratic for small errors and linear for large ones, and"
            " takes the limit in the unit of the amounts (1.35 after scaling)."
        ),
        ("root_mean_squared_error", "mean_absolute_error", "huber_loss"),
        (),
    )
