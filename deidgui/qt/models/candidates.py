"""The candidates of a search as a table of up to hundreds of thousands of rows."""

from __future__ import annotations

import enum

import numpy as np

from deidgui.app.charts.formats import count_text, share_text
from deidgui.app.policies.lattice.what_if import Candidates
from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.qt.models.figures import loss_text
from deidgui.qt.models.policy_list import PolicyListModel
from deidgui.text import Text, tr


class Heading(enum.IntEnum):
    """Columns of the list."""

    RANK = 0
    POLICY = 1
    WITHHELD = 2
    LOSS = 3
    AVERAGE_RISK = 4
    HIGHEST_RISK = 5


class CandidateModel(PolicyListModel):
    """The nodes of a lattice, by rank unless a column is sorted."""

    def __init__(self) -> None:
        super().__init__(Heading)
        self._candidates: Candidates | None = None

    def set_candidates(self, candidates: Candidates | None, nodes: IntArray) -> None:
        """Show some nodes, in the order that is set."""
        self.beginResetModel()
        self._candidates = candidates
        self._show(nodes)
        self.endResetModel()

    @property
    def _shown(self) -> Candidates:
        assert self._candidates is not None
        return self._candidates

    def _n_policies(self) -> int:
        return self._shown.n_nodes

    def _by_place(self, numbers: IntArray) -> IntArray:
        is_shown = np.zeros(self._shown.n_nodes, dtype=np.bool_)
        is_shown[numbers] = True
        return self._shown.by_rank[is_shown[self._shown.by_rank]]

    def _keys(self, heading: int) -> FloatArray | IntArray | None:
        candidates, found = self._shown, self._shown.found
        match heading:
            case Heading.POLICY:
                return np.arange(candidates.n_nodes, dtype=np.int64)
            case Heading.WITHHELD:
                return found.suppressed
            case Heading.LOSS:
                return found.loss
            case Heading.AVERAGE_RISK:
                return found.average_risk
            case Heading.HIGHEST_RISK:
                return candidates.highest_risk
            case _:
                return None

    def _title(self, heading: int) -> tuple[str, str]:
        return self._titles()[heading], self._explanations()[heading]

    def _titles(self) -> tuple[str, ...]:
        return (
            tr("Rank"),
            tr("Policy"),
            tr("Suppressed"),
            tr("Loss"),
            tr("Average risk"),
            tr("Highest risk"),
        )

    def _explanations(self) -> tuple[str, ...]:
        return (
            tr(
                "Place among the policies that meet the thresholds, by loss; “–” does "
                "not meet them."
            ),
            tr("What happens to each column. Columns in full are not changed."),
            tr("Records of which nothing is released."),
            tr("How much information is lost; less is better."),
            tr(
                "How likely it is on average that a known person's released record is "
                "found."
            ),
            tr(
                "The same for the person who is easiest to find: 1 divided by the "
                "smallest group that is released."
            ),
        )

    def _hint(self, number: int, heading: int) -> str | None:
        candidates = self._shown
        if heading == Heading.POLICY:
            return "\n".join(str(each) for each in candidates.phrases(number))
        if heading == Heading.WITHHELD:
            words: Text = "{n:,} of {all:,} records"
            suppressed = int(candidates.found.suppressed[number])
            return tr(words, n=suppressed, all=candidates.found.n_records)
        return ""

    def _text(self, number: int, heading: int) -> str:
        candidates, found = self._shown, self._shown.found
        match Heading(heading):
            case Heading.RANK:
                rank = int(candidates.rank[number])
                return count_text(rank) if rank else "–"
            case Heading.POLICY:
                return candidates.short_words(number)
            case Heading.WITHHELD:
                suppressed = int(found.suppressed[number])
                return share_text(suppressed / max(found.n_records, 1))
            case Heading.LOSS:
                return loss_text(found, number)
            case Heading.AVERAGE_RISK:
                return share_text(float(found.average_risk[number]))
            case Heading.HIGHEST_RISK:
                return share_text(float(candidates.highest_risk[number]))
