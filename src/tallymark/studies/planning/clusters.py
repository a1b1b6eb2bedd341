"""Cases in clusters, as several of one patient: by how much they increase the number of cases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from statistics import NormalDist

from ...input import validate
from ...input.spelling import option
from ...input.validate import InputError
from .plan import INDEPENDENT, Plan
from .search import MOST

NORMAL = NormalDist()
ROUNDS = 100  # of an iteration: the number of clusters and Student's quantile depend on each other
FEW = 40  # clusters, below which intervals are noted as approximate
ROUGH = "The power is that of many clusters; with fewer than 50 it is up to 0.04 lower"
ENOUGH = 3.0  # effective clusters, from which a variance can be estimated


@dataclass(frozen=True)
class Clusters:
    """The sizes of clusters, and the correlation within them.

    size: mean number of the cases in question per cluster; icc: correlation within a cluster; cv: standard
    deviation of the sizes over their mean.
    """

    size: float
    icc: float
    cv: float = 0.0

    @property
    def effect(self) -> float:
        """The design effect: the variance of a mean over that of as many independent cases."""
        return 1 + ((self.cv**2 + 1) * self.size - 1) * self.icc

    def number(self, cases: int) -> int:
        """The number of clusters that hold so many cases on average."""
        return ceil(cases / self.size - 1e-9)

    def cases(self, independent: int, z: float, more: float = 0.0) -> int:
        """The number of cases that is worth so many independent ones.

        z, more: the normal quantiles of the level and of the power. Intervals of clustered cases use
        Student's t in place of z, with one degree of freedom less than clusters, or than clusters /
        (1 + cv^2) where their sizes differ; the number allows for that.
        """
        from scipy.special import ndtr, stdtrit

        cases = wanted = independent * self.effect
        for _ in range(ROUNDS):
            count = max(wanted / self.size / (1 + self.cv**2), ENOUGH)
            t = float(stdtrit(count - 1, ndtr(z)))
            before, wanted = wanted, cases * ((t + more) / (z + more)) ** 2
            if abs(wanted - before) < 0.01:
                break
        if wanted > MOST:
            raise InputError(
                "no-result",
                "icc",
                "more than 10^9 cases would be needed",
                "expect less, or take smaller clusters",
            )
        return ceil(max(wanted, ENOUGH * self.size) - 1e-6)

    def said(self, cases: int) -> tuple[str, ...]:
        """The assumption about this number of cases, in words."""
        unequal = f", whose sizes vary by {100 * self.cv:g} %" if self.cv else ""
        clusters = self.number(cases)
        said = (
            (
                f"Cases come in clusters of {self.size:g} on average{unequal}, with a correlation of"
                f" {self.icc:g} within a cluster: {self.effect:.4g} times as many as independent ones (the"
                f" design effect), in {clusters:,} clusters or more"
            ),
        )
        return (
            said
            if clusters / (1 + self.cv**2) >= FEW
            else (*said, f"Intervals from fewer than {FEW} clusters are approximate")
        )


def clusters_of(cluster_size: float | None, icc: float | None, cv: float | None) -> Clusters | None:
    """The clusters, or None where no argument is given. Raises InputError where one is missing."""
    if cluster_size is None and icc is None and cv is None:
        return None
    if cluster_size is None:
        role = "icc" if icc is not None else "cv"
        raise InputError(
            "conflict",
            role,
            "it is of cases in clusters",
            f"give {option('cluster_size')}, the cases per cluster, or leave it out",
        )
    if icc is None:
        raise InputError(
            "needed",
            "icc",
            "how strongly do the cases of a cluster correlate? Give their correlation, from 0 to 1, as"
            f" {option('icc', 0.1)}",
        )
    size = validate.number(cluster_size, "cluster_size", 1.0, 1e6)
    spread = 0.0 if cv is None else validate.number(cv, "cv", 0.0, 10.0)
    return Clusters(size, validate.number(icc, "icc", 0.0, 1.0), spread)


def in_clusters(plan: Plan, clusters: Clusters | None, z: float, power: float | None) -> Plan:
    """The plan for clustered cases.

    z: the normal quantile of the level; power: the one asked for, None where a width is.

    The power is then the one asked for: the excess from rounding up independent cases does not carry over.
    """
    if clusters is None:
        return plan
    n = clusters.cases(plan.n, z, 0.0 if power is None else max(NORMAL.inv_cdf(power), 0.0))
    times = n / plan.n
    names = ("positives", "negatives", "on_average", "cases")
    sizes = {name: ceil(size * times - 1e-6) for name in names if (size := getattr(plan, name)) is not None}
    others = tuple(
        one for one in plan.assumptions if one != INDEPENDENT and not one.startswith("The power is")
    )
    others = others if power is None else (*others, ROUGH)
    total = (
        sum(sizes[name] for name in ("positives", "negatives")) if plan.positives and plan.negatives else n
    )
    said, count = (*others, *clusters.said(total)), clusters.number(total)
    return replace(
        plan, n=total, power=power, design_effect=clusters.effect, clusters=count, assumptions=said, **sizes
    )
