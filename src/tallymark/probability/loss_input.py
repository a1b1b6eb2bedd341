"""Arguments of the losses, arrays of any library, checked; and the reduction of the losses of the cases."""

from __future__ import annotations

from math import inf
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from ..input import validate
from ..input.validate import InputError

Reduction = Literal["mean", "sum", "none"]


class Cases(NamedTuple):
    """The weights of the cases, None for 1 each, and the reduction of their losses."""

    xp: Any
    weight: Any
    reduction: Reduction

    def mean(self, values: Any) -> Any:
        """The weighted mean."""
        if self.weight is None:
            return self.xp.mean(values)
        return self.xp.sum(self.weight * values) / self.xp.sum(self.weight)

    def reduced(self, loss: Any) -> Any:
        """The losses of the cases, reduced as requested."""
        if self.reduction == "mean":
            return self.mean(loss)
        charged = loss if self.weight is None else self.weight * loss
        return charged if self.reduction == "none" else self.xp.sum(charged)


# Arguments
# ------------------------------------------------------------------------------------------------------------


def labelled(
    truth: Any,
    score: Any,
    weight: Any,
    reduction: Reduction,
    check: bool,
    probabilities: bool = False,
    signs: bool = False,
) -> tuple[Any, Any, Any, Cases]:
    """The library, the truth as 0 and 1, the real-valued score, and the cases."""
    validate.flag(probabilities, "probabilities")
    xp, score = _leading(score, "score")
    truth = _following(xp, truth, "truth", score, "score")
    cases = cases_of(xp, score, weight, reduction, check)
    if check:
        _check_labels(xp, truth, signs)
    if probabilities:
        not_one = "is not a probability; leave out probabilities=True for other scores"
        if check:
            _each(xp, (score >= 0) & (score <= 1), score, "score", not_one)
        score = _logit(xp, score)
    return xp, xp.astype(truth > 0, score.dtype), score, cases


def _check_labels(xp: Any, truth: Any, signs: bool) -> None:
    """Raises InputError unless labels are 0 and 1, or with signs -1 and 1."""
    low = -1 if signs and _holds(xp.any(truth == -1)) else 0
    either = f"is neither {low} nor 1; give 1 for positives and {low} for negatives"
    _each(xp, (truth == low) | (truth == 1), truth, "truth", either)


def measured(
    truth: Any, predicted: Any, weight: Any, reduction: Reduction, check: bool
) -> tuple[Any, Any, Any, Cases]:
    """The library, both columns of numbers, and the cases."""
    xp, predicted = _leading(predicted, "predicted")
    return (
        xp,
        _following(xp, truth, "truth", predicted, "predicted"),
        predicted,
        cases_of(xp, predicted, weight, reduction, check),
    )


def embeddings(anchor: Any, **others: Any) -> tuple[Any, ...]:
    """The library and three tables of one shape."""
    xp, anchor = _leading(anchor, "anchor")
    if anchor.ndim != 2:
        raise InputError(
            "wrong-shape",
            "anchor",
            f"the shape {tuple(anchor.shape)} is not possible",
            "give one row per case, (cases, dimensions)",
        )
    return xp, anchor, *(_following(xp, value, role, anchor, "anchor") for role, value in others.items())


def cases_of(xp: Any, column: Any, weight: Any, reduction: Reduction, check: bool) -> Cases:
    """The cases of a column, one weight for each of its values."""
    validate.choice(reduction, get_args(Reduction), "reduction")
    validate.flag(check, "check")
    if weight is not None:
        weight = _following(xp, weight, "weight", column, "the cases")
        if check:
            _check_weights(xp, weight)
    return Cases(xp, weight, reduction)


def _check_weights(xp: Any, weight: Any) -> None:
    """Raises InputError unless weights are finite, not negative, and not all 0."""
    _each(
        xp,
        (weight >= 0) & (weight < inf),
        weight,
        "weight",
        "cannot be a weight; give finite numbers, none negative",
    )
    if not _holds(xp.any(weight > 0)):
        raise InputError(
            "empty", "weight", "every weight is 0, so no case counts", "give at least one positive weight"
        )


def weight_of_positives(value: Any) -> float | None:
    """The weight of positives, checked; None if it is not given."""
    return None if value is None else validate.number(value, "alpha", 0.0, 1.0)


def _logit(xp: Any, probability: Any) -> Any:
    """The inverse of the sigmoid."""
    epsilon = float(xp.finfo(probability.dtype).eps)
    probability = xp.clip(probability, epsilon, 1 - epsilon)
    return xp.log(probability) - xp.log1p(-probability)


# Arrays of any library
# ------------------------------------------------------------------------------------------------


def _leading(value: Any, role: str) -> tuple[Any, Any]:
    """The library of the result, and the array whose type and device the result has, as floats."""
    from array_api_compat import size

    xp, array = _read(value, role)
    if not size(array):
        raise InputError("empty", role, "there are no cases", "at least one is needed")
    if not xp.isdtype(array.dtype, "real floating"):
        array = xp.astype(array, xp.asarray(0.0).dtype)  # the library's usual floats
    return xp, array


def _following(xp: Any, value: Any, role: str, lead: Any, lead_role: str) -> Any:
    """An array with the library, shape and type of the leading one; lists and NumPy go to its device."""
    from array_api_compat import device

    library, array = _read(value, role)
    if array.shape != lead.shape:
        raise InputError(
            "wrong-shape",
            None,
            f"{role} has the shape {tuple(array.shape)} and {lead_role} {tuple(lead.shape)}",
            "they must be the same",
        )
    if library is not xp:
        array = xp.asarray(_of_numpy(array, role).astype(float), dtype=lead.dtype, device=device(lead))
    return xp.astype(array, lead.dtype, copy=False)


def _read(value: Any, role: str) -> tuple[Any, Any]:
    """An array of numbers, and its library: NumPy for lists and everything else that NumPy can read."""
    from array_api_compat import array_namespace, is_array_api_obj, is_numpy_array

    foreign = is_array_api_obj(value) and not is_numpy_array(value)
    array = value if foreign else _of_numpy(value, role)
    if not foreign and array.dtype.kind not in "buif":  # types that the array API does not have
        raise InputError(
            "invalid-value", role, f"values of the type {array.dtype} are not numbers", "convert them first"
        )
    xp = array_namespace(array)
    if not xp.isdtype(array.dtype, ("bool", "integral", "real floating")):
        raise InputError(
            "invalid-value", role, f"values of the type {array.dtype} are not numbers", "convert them first"
        )
    return xp, array


def _of_numpy(value: Any, role: str) -> np.ndarray:
    """A NumPy array."""
    if np.ma.is_masked(value):
        raise InputError("missing-value", role, "some values are masked", "leave their cases out")
    try:
        return np.asarray(value)
    except Exception as reason:  # a foreign array may raise anything
        what = f"a {type(value).__name__} that NumPy cannot read ({validate.shown(reason)})"
        raise InputError("mismatch", role, what, "give arrays of one library") from reason


def _each(xp: Any, good: Any, values: Any, role: str, fault: str) -> None:
    """Raises InputError for the first value that is not good, as far as values are known."""
    if _holds(xp.all(good)):
        return
    at = int(xp.nonzero(xp.reshape(~good, (-1,)))[0][0])
    place = tuple(map(int, np.unravel_index(at, tuple(values.shape))))
    row = validate.row_at(at) if len(place) < 2 else f"place {place} (counted from 0)"
    raise InputError("invalid-value", role, f"{xp.reshape(values, (-1,))[at].item():g} in {row} {fault}")


def _holds(condition: Any) -> bool:
    """Whether a condition holds; True where its value is not known.

    It is not known while JAX traces, in a map of PyTorch, and for arrays without data.
    """
    try:
        return bool(condition)
    except (TypeError, RuntimeError):
        return True


def above_zero(xp: Any, values: Any) -> Any:
    """The values, and 0 where they are negative.

    With an array of zeros, since torch.compile does not trace the type of a number.
    """
    return xp.maximum(values, xp.zeros_like(values))
