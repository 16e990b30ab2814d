"""The commands about how much noise there should be, and about networks of sites."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from deidgui.app.counts import ops
from deidgui.app.counts.advising import (
    attack,
    least_sigma,
    network_words,
    repeats_by_sigma,
)
from deidgui.app.counts.desk import CountsDesk
from deidgui.app.counts.network import (
    AddedUp,
    add_sites,
    read_sites,
    site_choice,
    sites_of,
    with_sd,
)
from deidgui.engine.counts.noise.advice import crossover
from deidgui.engine.counts.noise.repeats import answers_for
from deidgui.engine.counts.noise.rules import RoundedGaussian
from deidgui.engine.counts.noise.uncertainty import Uncertain
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import share_text, tr

WIDTH = 88


def advise(
    rule: RoundedGaussian,
    *,
    per_site: float | None = None,
    sites: int = 1,
    repeats: int | None = None,
    runs: int = 10_000,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Say how long averaging takes, which sigma is enough, and threshold or noise.

    Parameters
    ----------
    per_site : float, optional
        Average count of a site.
    repeats : int, optional
        That a lockout allows.
    runs : int
        Simulated attacks.

    Raises
    ------
    ConfigError
        Code ``advice_number`` for a number that is not positive.
    """
    for each in (per_site, sites, repeats, runs):
        if each is not None and not each > 0:
            raise ConfigError("advice_number")
    known = attack(rule, runs, monitor=SubMonitor(monitor, 0.0, 0.3))
    table = repeats_by_sigma(monitor=SubMonitor(monitor, 0.3, 1.0))
    words: tuple[str, ...] = ()
    if per_site is not None:
        words = network_words(rule, per_site, sites, rule.threshold)
    return {
        "sigma": rule.sigma,
        "standard_deviation": rule.standard_deviation,
        "repeats": {"mean": known.exact.mean, "median": known.exact.quantile(0.5)},
        "simulated": {
            "attacks": runs,
            "mean": known.simulated.mean,
            "standard_error": known.simulated.standard_error,
        },
        "answers_for_95": answers_for(rule.sigma),
        "by_sigma": {f"{each:g}": table[each].mean for each in table},
        "sigma_for_repeats": None if repeats is None else least_sigma(table, repeats),
        "known_after_repeats": None if repeats is None else known.exact.within(repeats),
        "crossover": None if per_site is None else crossover(rule.sigma, per_site),
        "network": list(words),
    }


def advice_words(result: Mapping[str, Any]) -> str:
    """Return the advice for a screen of plain text."""
    return _wrapped(_advice_lines(result))


def _advice_lines(result: Mapping[str, Any]) -> Iterator[str]:
    yield tr(
        "σ = {sigma}: an attacker who averages fresh answers needs {mean} repeats on "
        "average, half of them at most {median}.",
        sigma=f"{result['sigma']:g}",
        mean=f"{result['repeats']['mean']:.1f}",
        median=result["repeats"]["median"],
    )
    drawn = result["simulated"]
    yield tr(
        "{attacks:simulated attack|simulated attacks}: {mean} ± {error}.",
        attacks=drawn["attacks"],
        mean=f"{drawn['mean']:.2f}",
        error=f"{1.96 * drawn['standard_error']:.2f}",
    )
    yield tr("Average repeats by σ:")
    for sigma, mean in result["by_sigma"].items():
        yield f"  {sigma:>5}  {mean:7.1f}"
    if result["known_after_repeats"] is not None:
        yield tr(
            "After the repeats that are allowed, {share} of the attackers have the "
            "count.",
            share=share_text(result["known_after_repeats"]),
        )
        enough = result["sigma_for_repeats"]
        if enough is None:
            yield tr("None of these σ is enough for the repeats that are allowed.")
        else:
            yield tr(
                "σ = {sigma} takes more repeats on average than are allowed.",
                sigma=f"{enough:g}",
            )
    yield from result["network"]


def network(
    files: Sequence[Path],
    *,
    sd: float = 0.0,
    threshold: int = 11,
    project: Path | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Add up the counts of several sites.

    Parameters
    ----------
    files : sequence of Path
        A table of each site; one in a release has the noise that its evidence states.
    project : Path, optional
        That keeps the sites: these are added to those that it has, and it is written.
    sd : float
        Standard deviation of the noise of all others; 0: true counts.

    Raises
    ------
    InputError, ResourceError
        As `read_sites` and `add_sites`.
    """
    desk = None if project is None else CountsDesk(project)
    kept = () if desk is None else sites_of(desk.counts, desk.files)
    taken = [each.name for each in kept]
    read = read_sites(files, taken, monitor=monitor)
    found = describe_network(add_sites(with_sd((*kept, *read), sd), threshold, None))
    if desk is not None and read:
        made = [site_choice(each) for each in read]
        added = tuple(choice for choice, _ in made)
        cells = {choice.file: content for choice, content in made}
        desk.use(ops.WithFiles(ops.set_sites((*desk.counts.sites, *added)), cells))
        desk.save()
    return found


def describe_network(added: AddedUp) -> dict[str, Any]:
    """Return sites and sums as JSON values."""
    found = added.network
    return {
        "threshold": added.threshold,
        "not_in_all": added.n_elsewhere,
        "masked": added.n_masked,
        "sites": [
            {"name": site.name, "sd": site.sd, "size": int(size), "hidden": float(lost)}
            for site, size, lost in zip(
                added.sites, found.sizes, found.lost, strict=True
            )
        ],
        "counts": [_sum_of(added, at) for at in range(len(added.names))],
    }


def _sum_of(added: AddedUp, at: int) -> dict[str, Any]:
    found = added.network
    total, sd = int(found.totals[at]), float(found.sd[at])
    low, high = Uncertain(total, sd).interval
    return {
        "name": added.names[at],
        "total": total,
        "sd": sd,
        "low": low,
        "high": high,
        "shown": int(found.shown[at]),
        "masked_sites": int(found.masked[at]),
        "missing": int(found.missing[at]),
    }


def sums_words(result: Mapping[str, Any]) -> str:
    """Return sites and sums for a screen of plain text."""
    return _wrapped(_sum_lines(result))


def _sum_lines(result: Mapping[str, Any]) -> Iterator[str]:
    for each in result["counts"]:
        yield tr(
            "{name}: {total} ± {reach}; under a threshold {shown}, {sites:site|sites} "
            "masked",
            name=each["name"],
            total=each["total"],
            reach=f"{1.96 * each['sd']:.1f}",
            shown=each["shown"],
            sites=each["masked_sites"],
        )
    yield tr(
        "Share of each site's counts that a threshold of {threshold} hides:",
        threshold=result["threshold"],
    )
    for each in sorted(result["sites"], key=lambda site: site["size"]):
        share = share_text(each["hidden"])
        yield tr("{name}: {share}", name=each["name"], share=share)
    n_out = result["not_in_all"] + result["masked"]
    if n_out:
        yield tr("{n:count is|counts are} left out: not all sites show them.", n=n_out)


def _wrapped(lines: Iterator[str]) -> str:
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        for line in lines
    )
