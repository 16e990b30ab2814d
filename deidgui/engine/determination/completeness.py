"""Which items of a dossier are complete, and what stands between it and a signature."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from deidgui.engine.determination.items import DECISIVE, ITEMS, SECTIONS, Item

State = Literal["complete", "missing", "does_not_apply", "not_known"]


@dataclass(frozen=True)
class ItemState:
    """How one item stands.

    Parameters
    ----------
    state : str
        not_known: only the release will tell.
    missing : tuple of str
        Of what it needs, in the order of the item; only of a missing one.
    is_by_person : bool
        Whether a person said that it does not apply; else the release tells it.
    unsigned : tuple of str
        Of what is missing: what is said, and nobody has signed with name and day.
    """

    item: Item
    state: State
    missing: tuple[str, ...] = ()
    is_by_person: bool = False
    unsigned: tuple[str, ...] = ()

    @property
    def lacks_signature(self) -> bool:
        """Whether all is said of a missing item, and only a signature is missing."""
        return self.state == "missing" and self.unsigned == self.missing


@dataclass(frozen=True)
class Completeness:
    """How a whole dossier stands.

    Parameters
    ----------
    items : tuple of ItemState
        All 46, in their order.
    """

    items: tuple[ItemState, ...]

    @property
    def n_complete(self) -> int:
        """Items that are complete."""
        return sum(each.state == "complete" for each in self.items)

    @property
    def n_asked(self) -> int:
        """Items that apply."""
        return sum(each.state != "does_not_apply" for each in self.items)

    @property
    def missing(self) -> tuple[ItemState, ...]:
        """Items that are missing."""
        return tuple(each for each in self.items if each.state == "missing")

    def missing_first_in(self, section: str) -> tuple[ItemState, ...]:
        """Return the missing items that are entered in a section.

        Each is of one section only: over all sections they are `missing`.
        """
        return tuple(e for e in self.missing if e.item.sections[0] == section)

    def missing_in(self, *sections: str) -> tuple[ItemState, ...]:
        """Return the missing items of some sections, each once."""
        return tuple(e for e in self.missing if set(sections) & set(e.item.sections))

    def is_complete(self, section: str) -> bool:
        """Whether no item of a section is missing."""
        return not self.missing_in(section)

    @property
    def sections(self) -> dict[str, bool]:
        """Whether each section is complete."""
        return {name: self.is_complete(name) for name in SECTIONS}

    @property
    def lacking(self) -> tuple[ItemState, ...]:
        """Missing items of the decisive sections: none, and an expert may sign.

        References
        ----------
        .. [1] determination.md, oracle O-H22.
        """
        return self.missing_in(*DECISIVE)


def completeness(
    met: Mapping[str, bool | None],
    not_applying: Collection[int] = (),
    not_known: Collection[str] = (),
    unsigned: Collection[str] = (),
) -> Completeness:
    """Return which items are complete.

    Parameters
    ----------
    met : mapping of str to bool or None
        By name of `NEEDS`: whether it is said; None where this release does not need
        it. What is not named is missing: nothing is assumed.
    not_applying : collection of int
        Items that a person calls not applicable with a reason. One for which this is
        not possible stays asked.
    not_known : collection of str
        Names of `NEEDS` that only the release will tell.
    unsigned : collection of str
        Names of `NEEDS` that are said, and that nobody has signed.
    """
    states = (_state(each, met, not_applying, not_known) for each in ITEMS)
    return Completeness(
        tuple(
            replace(each, unsigned=tuple(n for n in each.missing if n in unsigned))
            for each in states
        )
    )


def _state(
    item: Item,
    met: Mapping[str, bool | None],
    not_applying: Collection[int],
    not_known: Collection[str],
) -> ItemState:
    if item.may_not_apply and item.number in not_applying:
        return ItemState(item, "does_not_apply", is_by_person=True)
    if not item.needs:
        return ItemState(item, "complete")
    found = {name: met.get(name, False) for name in item.needs}
    missing = tuple(name for name, is_met in found.items() if is_met is False)
    if missing and set(missing) <= set(not_known):
        return ItemState(item, "not_known")
    if missing:
        return ItemState(item, "missing", missing)
    if all(is_met is None for is_met in found.values()):
        return ItemState(item, "does_not_apply")
    return ItemState(item, "complete")
