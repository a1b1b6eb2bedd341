"""Calls of public functions with arguments that they do not take, answered with the right names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from numbers import Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from .arguments import OF_UNITS
from .errors import InputError, MissingValues, option, series
from .validate import nearest, shown

if TYPE_CHECKING:
    from inspect import Signature

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

# the outermost call, as its text or as a function with its arguments, which are written down only if needed
CALL: ContextVar[Any] = ContextVar("call", default=None)
MOST_SHOWN = 8  # entries of a list or a mapping
OF_CASES = ("truth", "score", "predicted", "weight", *OF_UNITS, "by", "fold", "sample", "counts")
PATH = re.compile(r"(--[a-z-]+=)?[^\s'\"=]*[/\\]([^\s'\"=/\\]+)")
ARRAYS = {"truth": "y", "score": "p", "predicted": "labels"}  # with examples of their values
TAKES_KEYWORDS = 0x08  # inspect.CO_VARKEYWORDS

# Names of arguments in other libraries, and their names here: the first one that a function takes is
# suggested.
SYNONYMS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("sample_weight", "sample_weights", "weights", "case_weight", "freq", "frequency"), ("weight",)
    ),
    **dict.fromkeys(
        ("y_true", "y", "ytrue", "target", "targets", "actual", "label", "observed"), ("truth", "y", "true")
    ),
    **dict.fromkeys(
        ("y_score", "y_prob", "y_proba", "y_scores", "yscore", "yprob"), ("score", "probability", "reported")
    ),
    **dict.fromkeys(
        ("scores", "prob", "probs", "proba", "probabilities", "preds", "logits", "logit"),
        ("score", "probability"),
    ),
    **dict.fromkeys(("probability", "pred_proba", "predict_proba", "input"), ("score", "reported")),
    **dict.fromkeys(
        ("y_pred", "ypred", "yhat", "y_hat", "pred", "prediction", "predictions"), ("predicted", "score")
    ),
    **dict.fromkeys(("pos_label", "positive_label", "positive_class", "pos_class", "event"), ("positive",)),
    **dict.fromkeys(
        ("labels", "class_names", "class_labels", "target_names"), ("classes", "labels", "truth")
    ),
    **dict.fromkeys(("confidence", "confidence_level", "conf_level", "conf", "ci", "alpha"), ("level",)),
    **dict.fromkeys(("random_state", "seed", "random_seed", "generator", "random"), ("rng", "seed")),
    **dict.fromkeys(
        ("n_resamples", "n_bootstraps", "n_boot", "resamples", "n_iter"), ("replicates", "permutations")
    ),
    **dict.fromkeys(("n_permutations", "num_permutations"), ("permutations",)),
    **dict.fromkeys(("n_splits", "cv", "folds", "n_folds", "k"), ("folds", "cv")),
    **dict.fromkeys(("n_repeats",), ("repeats",)),
    **dict.fromkeys(("n_jobs", "workers", "num_workers"), ("jobs", "threads")),
    **dict.fromkeys(("n_bins", "num_bins", "nbins"), ("bins",)),
    **dict.fromkeys(("risk_groups", "n_groups"), ("hl_groups",)),
    **dict.fromkeys(("metric", "metrics", "scoring", "scorer"), ("measures", "measure")),
    **dict.fromkeys(("cutoff", "cut_off", "cut_point", "decision_threshold"), ("threshold",)),
    **dict.fromkeys(("group", "groups", "cluster", "subject", "subjects"), ("clusters",)),
    **dict.fromkeys(("bootstrap", "draw"), ("resampling",)),
    **dict.fromkeys(("scheme", "resampling"), ("design",)),
    **dict.fromkeys(("auc",), ("auc_interval",)),
    **dict.fromkeys(("model", "clf", "classifier"), ("estimator",)),
    **dict.fromkeys(("df", "frame", "path", "file", "filename"), ("data",)),
    **dict.fromkeys(("na", "dropna", "nan_policy"), ("missing",)),
    **dict.fromkeys(("id", "ids", "case_id"), ("pair_by",)),
}


def public(
    also: Callable[..., Any] | None = None,
    but: tuple[str, ...] = (),
    instead: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[F], F]:
    """Makes calls with wrong arguments raise an InputError with the right names.

    also: the function that further keyword arguments are passed on to; they become part of the signature, and
    so of `help`; but: those of these that are not taken; instead: by argument of other functions, why this
    one does not take it, and what to do.
    """

    def enter(function: F) -> F:
        takes = {one: True for one in (*named(function), *(named(also) if also else ())) if one not in but}
        free = function.__code__.co_flags & TAKES_KEYWORDS
        unknown_are_checked = also is not None or not free

        code = function.__code__
        of_cases = "truth" in takes and "truth" not in code.co_varnames[: code.co_argcount]
        # losses take `check`: torch and JAX trace their calls, and no result notes them
        noted = "estimator" in takes or (of_cases and "check" not in takes)

        @wraps(function)
        def called(*given: Any, **by_name: Any) -> Any:
            if given and of_cases:
                _no_arrays(given, by_name, takes)
            if unknown_are_checked and not by_name.keys() <= takes.keys():
                strange = [one for one in by_name if one not in takes]
                known = next((one for one in strange if one in instead), None)
                if known is not None:
                    raise InputError("unknown-name", known, f"{instead[known]}")
                raise unknown(name_of(function), strange, takes, of_position(function))
            outermost = CALL.set((function, given, by_name)) if noted and CALL.get() is None else None
            try:
                return function(*given, **by_name)
            except MissingValues as gap:
                if "missing" in takes:
                    raise
                raise gap.without_option() from None
            except TypeError as wrong:
                if wrong.__traceback__ is None or wrong.__traceback__.tb_next is not None:
                    raise  # from within the function, not due to the call
            finally:
                if outermost is not None:
                    CALL.reset(outermost)
            raise why_not(function, given, by_name, takes)

        called.takes = tuple(takes)  # type: ignore[attr-defined]  # a function may have attributes
        if also is not None:
            called.__signature__ = _with_those_of(also, function, but)  # type: ignore[attr-defined]  # as in PEP 362
        return called  # type: ignore[return-value]  # it has the signature of F

    return enter


@contextmanager
def as_call(text: str) -> Iterator[None]:
    """Runs with this text as the call that results note, as a command in a shell, unless one is running."""
    token = CALL.set(CALL.get() or text)
    try:
        yield
    finally:
        CALL.reset(token)


def current_call() -> str:
    """The outermost public call, as `tm.evaluate('x.csv', truth='y')`, without folders and without cases."""
    found = CALL.get()
    if not isinstance(found, tuple):
        return found or ""
    function, given, by_name = found
    named_ = (f"{name}={_in_a_call(one, name not in OF_CASES)}" for name, one in by_name.items())
    arguments = [*map(_in_a_call, given), *named_]
    return f"tm.{name_of(function)}({', '.join(arguments)})"


def file_name(text: str) -> str:
    """A path, or an option with one, without its folders; other texts as they are."""
    path = PATH.fullmatch(text)
    return f"{path[1] or ''}{path[2]}" if path else text


def _in_a_call(value: Any, lists: bool = True) -> str:
    """An argument in brief. lists: whether it may be a list of settings, not one of cases."""
    if isinstance(value, (str, os.PathLike)):
        return repr(file_name(os.fspath(value)))
    if value is None or isinstance(value, (bool, int, float)):
        return str(value)
    if isinstance(value, (list, tuple)) and lists and len(value) <= MOST_SHOWN:
        return f"[{', '.join(map(_in_a_call, value))}]"
    if isinstance(value, dict) and len(value) <= MOST_SHOWN:  # not a result, which makes its parts
        return (
            f"{{{', '.join(f'{_in_a_call(key)}: {_in_a_call(one, lists)}' for key, one in value.items())}}}"
        )
    return "..."


def _with_those_of(also: Callable[..., Any], function: Callable[..., Any], but: tuple[str, ...]) -> Signature:
    """The signature of a function with the keyword arguments of another one, which it passes on."""
    from inspect import Parameter, signature

    own = signature(function)
    kept = [one for one in own.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
    more = [one for one in signature(also).parameters.values() if one.kind is Parameter.KEYWORD_ONLY]
    return own.replace(
        parameters=[*kept, *(one for one in more if one.name not in own.parameters and one.name not in but)]
    )


def constructor(kind: C) -> C:
    """The same for a class, whose `__init__` takes the arguments."""
    made = vars(kind)["__init__"]
    made.__qualname__ = f"{kind.__name__}.__init__"  # a data class has another
    kind.__init__ = public()(made)  # type: ignore[misc]  # the own one of this class
    return kind


def _no_arrays(given: tuple[Any, ...], by_name: Mapping[str, Any], takes: Iterable[str]) -> None:
    """Raises InputError for values by case that are passed without their name, where data are expected."""
    answers = [name for name in ("score", "predicted") if name in takes]
    roles = ("truth", *(() if by_name.keys() & answers else answers[:1]))
    free = [name for name in roles if name not in by_name]
    arrays = [one for one in given if free and is_array(one)]
    if not arrays:
        return
    written = " and ".join(f"{name}={ARRAYS[name]}" for name in free[: len(arrays)])
    raise InputError(
        "by-position",
        free[0],
        "arrays are passed by name, so that they cannot be swapped",
        f"write {written}",
    )


def is_array(one: Any) -> bool:
    """Whether it holds one value per case; it is no table, file or summary."""
    if isinstance(one, (list, tuple)):
        return bool(one) and isinstance(one[0], Real)
    shape = getattr(one, "shape", ())
    of_values = isinstance(shape, tuple) and len(shape) == 1
    return of_values and getattr(getattr(one, "dtype", None), "names", None) is None


def unknown(name: str, by_name: Iterable[str], takes: Iterable[str], first: Iterable[str] = ()) -> InputError:
    """What is wrong with arguments that a function does not take. first: its positional-only arguments.

    Of several that have another name here all are named.
    """
    known = list(takes)
    every = [one for one in by_name if one not in known]
    if (
        "evaluation" in first
        and "truth" not in known
        and any(here_called(one, ARRAYS) or one in ARRAYS for one in every)
    ):
        return _needs_evaluation(name)
    called = {one: here_called(one, (*known, *first)) for one in every}
    strange = next((one for one in every if called[one] is None or one in first), every[0])
    right = called[strange]
    if len(every) > 1 and strange not in first and None not in called.values():
        theirs, ours = (series(some) for some in (every, called.values()))
        return InputError("unknown-name", theirs, f"here they are called {ours}")
    if strange in first:
        return InputError(
            "conflict", strange, f"pass it first and without its name, as {name}({strange}, ...)"
        )
    if right is not None:
        how = ", and is passed first and without its name" if right in first else ""
        return InputError("unknown-name", shown_name(strange), f"here it is called {right}{how}")
    hint = nearest(strange, known)
    return InputError(
        "unknown-name",
        shown_name(strange),
        f"{name} takes no argument of this name{hint}",
        "" if hint else f"it takes {', '.join(known)}" if known else "leave it out",
    )


def _needs_evaluation(name: str) -> InputError:
    return InputError(
        "needed",
        "evaluation",
        f"{name} takes an evaluation",
        f"write {name}(evaluate(truth=y, predicted=labels))",
    )


def here_called(strange: str, known: Iterable[str]) -> str | None:
    """The name here of an argument of another library, or of an earlier version; None if it has none."""
    among = set(known)
    return next((one for one in SYNONYMS.get(strange.lower(), ()) if one in among), None)


def why_not(
    function: Callable[..., Any], given: tuple[Any, ...], by_name: dict[str, Any], takes: Iterable[str]
) -> InputError:
    """What is wrong: unknown arguments, missing ones, too many, or one given twice."""
    from inspect import Parameter, signature

    name = name_of(function)
    strange = [one for one in by_name if one not in takes]
    if strange:
        return unknown(name, strange, takes, of_position(function))
    every = signature(function).parameters
    own = {one: parameter for one, parameter in every.items() if one not in ("self", "cls")}
    places = [one for one, parameter in own.items() if parameter.kind <= Parameter.POSITIONAL_OR_KEYWORD]
    taken = len(given) - (len(every) - len(own))
    if taken > len(places) and places == ["evaluation"] and any(map(is_array, given)):
        return _needs_evaluation(name)
    if taken > len(places):
        number = "1 argument is" if taken == 1 else f"{taken} arguments are"
        problem = f"{number} given by position, and it takes {len(places) or 'none'}"
        others = [one for one in takes if one not in places]
        first = [*others[:1], *(one for one in ("truth", "score") if one in others[1:])][:2]
        some = f", as {' and '.join(map(option, first))}" if first else ""
        return InputError("by-position", name, problem, f"pass the others by name{some}")
    twice = [one for one in places[:taken] if one in by_name]
    if twice:
        return InputError(
            "repeated",
            twice[0],
            f"it is given twice to {name}, by position and by name",
            "leave one of them out",
        )
    variadic = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    lacking = [
        one
        for one, parameter in own.items()
        if parameter.default is Parameter.empty and parameter.kind not in variadic
        if one not in (*by_name, *places[:taken])
    ]
    if not lacking:
        return InputError("invalid-value", name, "these arguments do not fit", f"see help({name})")
    return InputError(
        "needed", lacking[0], f"{name} needs {series(lacking)}", f"pass {', '.join(map(option, lacking))}"
    )


def name_of(function: Callable[..., Any]) -> str:
    """The name that a function is called by."""
    return function.__qualname__.removesuffix(".__init__")


def named(function: Callable[..., Any]) -> tuple[str, ...]:
    """The arguments that can be given by name."""
    known: tuple[str, ...] | None = getattr(function, "takes", None)
    if known is not None:
        return known
    code = function.__code__
    names = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
    return tuple(one for one in names if one not in ("self", "cls"))


def of_position(function: Callable[..., Any]) -> tuple[str, ...]:
    """The arguments that can be given by position only."""
    return tuple(
        one
        for one in function.__code__.co_varnames[: function.__code__.co_posonlyargcount]
        if one not in ("self", "cls")
    )


def shown_name(name: str) -> str:
    """The name of an argument, quoted where it is not a valid name."""
    return name if name.isidentifier() else shown(name)
