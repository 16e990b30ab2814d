"""Alternatives as a table of thousands of rows, and how their figures are written."""

from __future__ import annotations

import enum
from collections.abc import Mapping

import numpy as np

from deidgui.app.charts.formats import count_text, number_text, share_text
from deidgui.app.policies.alternatives import AlternativePolicies, Ordered
from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.qt.models.policy_list import PolicyListModel
from deidgui.text import tr


class Heading(enum.IntEnum):
    """Columns of the list."""

    PLACE = 0
    POLICY = 1
    WISHES = 2
    RISK = 3
    JOINED = 4
    LOSS = 5


def expected_text(risk: float) -> str:
    """Write an expected number of correct links; small ones keep four digits.

    Parameters
    ----------
    risk : float, >= 0
    """
    if 0 < risk < 0.0001:
        return f"{risk:.1e}"
    if 0 < risk < 10:
        return f"{risk:.4f}".rstrip("0").rstrip(".")
    return number_text(risk)


def risk_text(discovered: AlternativePolicies, number: int) -> str:
    """Risk of an alternative as a share of what is allowed; expected links without."""
    share = float(discovered.risk_share[number])
    if np.isnan(share):
        return expected_text(float(discovered.risk[number]))
    return share_text(min(share, 1.0))


FEW_RUNS = 6
"""So many groups of an attribute are named in one line; else they are counted."""


def short_words(discovered: AlternativePolicies, number: int) -> str:
    """Say in one line what is joined; "Nothing is joined" if nothing is."""
    policy = discovered.alternatives[number].policy
    row = discovered.table3_row(number)
    words = []
    for domain, groups, text in zip(
        policy.space.domains, policy.groups, row, strict=True
    ):
        if text == "∅":
            continue
        if text.count("[") > FEW_RUNS:
            text = tr("{n:,} values as {m:,}", n=domain.n_values, m=int(groups[-1]) + 1)
        words.append(f"{domain.attribute} {text}")
    nothing = tr("Nothing is joined")
    return ", ".join(words) or nothing


class AlternativeModel(PolicyListModel):
    """The alternatives, in the order of the preferences unless a column is sorted."""

    def __init__(self) -> None:
        super().__init__(Heading)
        self._discovered: AlternativePolicies | None = None
        self._ordered: Ordered | None = None
        self._place: IntArray = np.empty(0, np.int64)
        self._words: dict[int, str] = {}

    def set_discovered(
        self, discovered: AlternativePolicies, ordered: Ordered, numbers: IntArray
    ) -> None:
        """Show some alternatives.

        Parameters
        ----------
        ordered : Ordered
            Of them all.
        numbers : ndarray of int64
            Those that are shown.
        """
        self.beginResetModel()
        if discovered is not self._discovered:
            self._words = {}
        self._discovered, self._ordered = discovered, ordered
        self._place = np.empty(len(ordered.numbers), np.int64)
        self._place[ordered.numbers] = np.arange(len(ordered.numbers))
        self._show(numbers)
        self.endResetModel()

    def _n_policies(self) -> int:
        assert self._discovered is not None
        return len(self._discovered)

    def _by_place(self, numbers: IntArray) -> IntArray:
        return numbers[np.argsort(self._place[numbers], kind="stable")]

    def _keys(self, heading: int) -> FloatArray | IntArray | None:
        assert self._discovered is not None
        assert self._ordered is not None
        match heading:
            case Heading.WISHES:
                return -self._ordered.scores
            case Heading.RISK:
                return self._discovered.risk
            case Heading.JOINED:
                return self._discovered.n_joined
            case Heading.LOSS:
                return self._discovered.loss
            case Heading.POLICY:
                return np.arange(len(self._discovered), dtype=np.int64)
            case _:
                return None

    def _title(self, heading: int) -> tuple[str, str]:
        return self._titles()[Heading(heading)]

    def _titles(self) -> Mapping[Heading, tuple[str, str]]:
        return {
            Heading.PLACE: (
                tr("No."),
                tr(
                    "Place in the order of your preferences; without preferences those "
                    "that join fewest values come first."
                ),
            ),
            Heading.POLICY: (
                tr("What is joined"),
                tr("Values in one bracket are released as one; all others are kept."),
            ),
            Heading.WISHES: (
                tr("Preferences"),
                tr("How much of what you preference to keep is kept, by weight."),
            ),
            Heading.RISK: (
                tr("Risk"),
                tr(
                    "Share of the allowed risk that is used; 100 % is as risky as the "
                    "baseline."
                ),
            ),
            Heading.JOINED: (
                tr("Joined"),
                tr("Values that are released together with others."),
            ),
            Heading.LOSS: (
                tr("Loss"),
                tr("Information lost: 0 % keeps every value, 100 % joins all values."),
            ),
        }

    def _hint(self, number: int, heading: int) -> str | None:
        if heading != Heading.POLICY:
            return None
        assert self._discovered is not None
        return self._discovered.words(number).replace("; ", "\n")

    def _text(self, number: int, heading: int) -> str:
        found = self._discovered
        assert found is not None
        assert self._ordered is not None
        match Heading(heading):
            case Heading.PLACE:
                return count_text(int(self._place[number]) + 1)
            case Heading.POLICY:
                if number not in self._words:
                    self._words[number] = short_words(found, number)
                return self._words[number]
            case Heading.WISHES:
                return share_text(float(self._ordered.scores[number]))
            case Heading.RISK:
                return risk_text(found, number)
            case Heading.JOINED:
                return count_text(int(found.n_joined[number]))
            case Heading.LOSS:
                return share_text(float(found.loss_share[number]))
