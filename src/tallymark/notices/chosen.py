"""On a threshold that was chosen on the cases measured."""

from . import BINARY, fact


@fact(of=BINARY)
def limit_met_here_only(e):
    by = None if e.threshold is None else e.threshold.by
    if by is None or by.limit is None or by.limit.measure not in e.estimates:
        return None
    limit, found = by.limit, e.estimates[by.limit.measure]
    if found.undefined or (found.has_interval and limit.met_by(found.low, found.high)):
        return None
    reaches = f" (its interval reaches from {found.low:.3g} to {found.high:.3g})" if found.has_interval else ""
    keeps = f"; the rule {limit.safer!r} keeps it in as many samples as the confidence level says" if limit.safer else ""
    return (
        f"The rule {by.text!r} is met by the estimate on these cases only: at thresholds chosen so the true {limit.measure} misses "
        f"the limit in about half of samples{reaches}{keeps}."
    )
