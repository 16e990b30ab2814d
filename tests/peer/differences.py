"""Where the other program computes something else, and how that is shown.

A case of these kinds cannot pass as it stands, because what is asked for is not
what the literature defines (methods.md H.6):

* KL divergence: the peer adds f·log2(f / o) once per record instead of once per
  distinct combination, so common combinations count by the square of their
  frequency. `SumOverRecords` computes that number; where it equals the peer's, the
  difference is proven to be this one. Of an optimum, the loss at the peer's node is
  compared, and not which node is the best under another measure.
* k-map estimated by Poisson (D3): the peer asks for one record more than the least
  m with Pr(X >= m) <= a. The cases are run with that size.
* δ-presence beside a model that asks for a class size: the peer does not look at
  classes of the population without a record, although they violate a lower bound
  above 0. The cases are run with ``absent="ignored"``.
* Average and highest risk together: the peer counts records *at* the highest risk
  as being at risk. The cases are run with the next smaller probability.
* (ε, δ)-differential privacy: the peer's k is one too large. The cases are run with
  it, on the sample that its test draws.
* Population uniqueness by the slide negative binomial: the peer's equations have two
  slips (methods.md F.4), so its decision rule takes Zayatz's estimate for sampling
  fractions above 0.1; the figures of that rule are compared with Zayatz's.
* Entropy diversity by Grassberger's G: sums are given up too early; the number of
  records suppressed is reproduced by `tests.peer.grassberger`. The loss that the peer
  states is that of yet another set of classes: those of its search, whose hash tables
  are in another order. It must be between the loss where the classes are suppressed
  that fail in every order, and the one where those are that fail in some order.
* Average risk and uniqueness: both suppress the shortest prefix of the classes in the
  order of their size (methods.md B.6). Of equally large classes the peer takes those
  first that lose least as they are, then by row; this program those with the most
  general values, then by label, so that nothing depends on the order of the rows. The
  peer's node is checked with the peer's order (`tests.peer.one_by_one`), loss and
  records; the optimum must be a solution by its rule and lose at most a thousandth
  more. In the cases here it loses 1.3 % less, or as much.
* Hierarchical t-closeness: products of 32-bit numbers overflow from about 46,000
  rows on. No case is that large.
"""

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.data.class_table import EquivalenceClasses
from deidgui.engine.quality import NodeFigures, QualityMeasure, TableFacts


class ListedError(Exception):
    """A difference that is explained and cannot be removed; the text says which."""


@dataclass(frozen=True)
class SumOverRecords(QualityMeasure):
    """The peer's KL divergence; not a measure of this program."""

    kind = "sum_over_records"
    title = "KL divergence, summed over records"
    sources = ("arx_metrics.md, section 3",)

    def words(self) -> str:
        """Say what is measured."""
        return "KL divergence with common combinations counted more than once."

    def values(self, figures: NodeFigures) -> FloatArray:
        """No value is known without the classes."""
        return np.full((figures.n_nodes, 1), -np.inf)

    def is_exact(self, figures: NodeFigures) -> BoolArray:
        """Nowhere."""
        return np.zeros(figures.n_nodes, dtype=np.bool_)

    def exact_values(
        self, facts: TableFacts, classes: EquivalenceClasses, suppressed: BoolArray
    ) -> FloatArray:
        """Σ over records of f·log2(f / o), f the share of the record's combination."""
        n, own = facts.n_records, facts.class_table.counts
        areas = np.ones(classes.n_classes)
        for column in range(len(classes.levels)):
            areas = areas * classes.leaves(column)
        gone = classes.counts[suppressed].sum() / n
        everything = np.prod(facts.n_leaves.astype(float))
        released = np.where(suppressed, gone / everything, classes.counts / n / areas)
        shares = own / n
        bits = shares * np.log2(shares / released[classes.of_combination])
        return np.array([own @ bits])
