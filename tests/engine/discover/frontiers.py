"""What frontiers are compared with, and by: chains at random, areas, better points."""

from deidgui.engine.discover.frontier import (
    BUDGET,
    DECIMALS,
    FrontierSearch,
    ignore_chain,
)
from deidgui.monitor import NULL_MONITOR


def random_chains(
    figures, budget=BUDGET, *, seed=0, on_chain=ignore_chain, monitor=NULL_MONITOR
):
    """Search by chains through the whole lattice (methods.md A.9, random chain)."""
    search = FrontierSearch("chains", figures, budget, seed, on_chain, monitor)
    while search.goes_on():
        search.chain(search.top, search.bottom)
    monitor.report(1.0, "policies")
    return search.frontier()


def shares_of(figures, bits):
    """Risk and loss of any bits as shares of the highest ones."""
    risk, loss = figures.exactly(bits)
    return (
        round(risk / figures.highest_risk, DECIMALS),
        round(loss / figures.highest_loss, DECIMALS),
    )


def hypervolume(frontier):
    """Area of the unit square that some policy beats."""
    risks = [point.risk for point in frontier.points] + [1.0]
    return sum(
        (right - point.risk) * (1 - point.loss)
        for point, right in zip(frontier.points, risks[1:], strict=True)
    )
